/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the table of findings, by subject; each finding stands in one of them. */
#pragma once

#include "doctor/findings.h"

extern const struct finding_text findings_driver[FINDINGS_NR];
extern const struct finding_text findings_limits[FINDINGS_NR];
extern const struct finding_text findings_idle[FINDINGS_NR];
extern const struct finding_text findings_input[FINDINGS_NR];
