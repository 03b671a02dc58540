/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A run's event log as a trace that the Perfetto UI opens (protobuf, perfetto.protos.Trace): of
 * each CPU a track of what it runs, one of its idle states and a counter of its frequency in kHz;
 * of each package a counter of its power in uW. Times are the run's own, from 0.
 */
#pragma once

#include "base/error.h"
#include "base/timeline.h"

#include <stdio.h>

struct perfetto;

/* title names the process that all tracks are part of. NULL: out of memory. */
struct perfetto *perfetto_new(FILE *out, const char *title);

struct timeline_sink perfetto_sink(struct perfetto *p);

/* Ends what is open. -EIO when not all was written. */
int perfetto_finish(struct perfetto *p, struct error *err);

struct perfetto *perfetto_free(struct perfetto *p);
