/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A machine file's section `platform`: what CPUID and ACPI tell drivers. */
#pragma once

#include "machine/document.h"

/* The FADT's profiles by number; ends with a NULL. */
extern const char *const platform_profiles[];

/* After the numbers of the section were read. -EINVAL with a text. */
int platform_check(const struct yaml *y, const struct doc_platform *p, struct error *err);

/* Needs m's frequencies. */
void platform_build(struct machine *m, const struct doc_platform *doc);

/* Sets flags by their names in /proc/cpuinfo, a blank between. NULL, or the first one unknown. */
const char *platform_set_flags(struct platform *p, const char *text);
