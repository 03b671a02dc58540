/* SPDX-License-Identifier: GPL-2.0-or-later */
/* intel_pstate's hwp_dynamic_boost: what it is by default, and what a write to it means. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* FADT preferred power-management profiles that are servers, ACPI 6.5, table 5.9. */
enum { PM_PROFILE_ENTERPRISE_SERVER = 4, PM_PROFILE_PERFORMANCE_SERVER = 7 };

struct hwp_boost_facts {
	int kernel; /* KERNEL(major, minor) */
	bool intel;
	uint32_t family, model;
	bool hwp;	    /* active: without it there is no such switch */
	uint8_t pm_profile; /* FADT */
};

/*
 * Whether the boost is on without anybody's asking. Before 4.18: never. 4.18: Skylake-X and the
 * Skylake desktop die. From 4.19: these on a server profile, for the desktop die turned out to be
 * shared by servers and desktops with graphics. From 6.4: any processor on a server profile.
 */
bool hwp_boost_default(const struct hwp_boost_facts *facts);

/* Whether the switch exists. */
bool hwp_boost_exists(const struct hwp_boost_facts *facts);

/*
 * What a write of text to the switch sets: 0 off, any other unsigned decimal number of 32 bits on;
 * a plus before and a newline behind it may be there. -EINVAL; ret is untouched then.
 */
int hwp_boost_parse(const char *text, bool *ret);
