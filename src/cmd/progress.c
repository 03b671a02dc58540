// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/progress.h"
#include "base/units.h"

#include <stdio.h>

enum { BAR_WIDTH = 30 };

static void time_left(int64_t s, char *buf, size_t size)
{
	if (s < 60)
		snprintf(buf, size, "%d s", (int)s);
	else if (s < 3600)
		snprintf(buf, size, "%d min %d s", (int)(s / 60), (int)(s % 60));
	else
		snprintf(buf, size, "%lld h %d min", (long long)(s / 3600), (int)(s / 60 % 60));
}

const char *progress_line(int done, int total, int64_t elapsed_ns, char *buf, size_t size)
{
	char bar[BAR_WIDTH + 1], left[48];
	int filled = total ? (int)((int64_t)done * BAR_WIDTH / total) : BAR_WIDTH;

	for (int i = 0; i < BAR_WIDTH; i++)
		bar[i] = i < filled ? '#' : ' ';
	bar[BAR_WIDTH] = 0;
	if (!done) {
		snprintf(buf, size, "[%s] %d of %d runs", bar, done, total);
		return buf;
	}
	/* Rounded up: what is not done yet takes more than no time. */
	time_left((int64_t)((double)elapsed_ns / done * (total - done) / NSEC_PER_SEC) +
			  (done < total),
		left, sizeof(left));
	snprintf(buf, size, "[%s] %d of %d runs, %s left", bar, done, total, left);
	return buf;
}
