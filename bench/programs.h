/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the two simulators' programs of bench/simgrid have in common. */
#pragma once

#include <stdio.h>

enum { PIECE_CYCLES = 20000 }; /* a piece of work: about 6 us */

/* Of this process, in kB; what getrusage tells is not below that of the process which started it.
 */
static inline long peak_kb(void)
{
	FILE *f = fopen("/proc/self/status", "r");
	char line[128];
	long kb = 0;

	while (f && fgets(line, sizeof(line), f))
		if (sscanf(line, "VmHWM: %ld", &kb) == 1)
			break;
	if (f)
		fclose(f);
	return kb;
}
