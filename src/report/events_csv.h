/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A run's event log as CSV with the header time_ns,what,id,state,name,value: what is cpu (state and
 * name of the task or idle state), khz (of a CPU), uw (of a package) or end.
 */
#pragma once

#include "base/timeline.h"

#include <stdio.h>

void events_csv_begin(FILE *out);
struct timeline_sink events_csv_sink(FILE *out);
