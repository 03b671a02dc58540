/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tunables of the built-in frequency governors, for users. */
#pragma once

#include "corepace/policy.h"

struct freq_tunable {
	const char *governor, *name;
	const char *range;   /* what it takes */
	const char *initial; /* what it is unless set; the transition delay is the driver's */
	const char *summary;
};

/* Those of one governor stand together; the last one has no name. */
extern const struct freq_tunable freq_tunables[];
