// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How fast a recording is read: every event through trace_next, nothing done with it.
 * bench_read FILE [TIMES] prints the best of TIMES passes (5), and what the file holds.
 */
#include "trace/event.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static double now_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* Returns 0 when the whole file was read. */
static int read_all(
	const char *path, uint64_t *ret_events, struct trace_info *ret_info, struct error *err)
{
	struct trace_reader *r;
	struct event ev;
	uint64_t events = 0;
	int rc = trace_open(path, &r, err);

	if (rc < 0)
		return rc;
	while ((rc = trace_next(r, &ev, err)) > 0)
		events++;
	*ret_events = events;
	*ret_info = *trace_info(r);
	trace_close(r);
	return rc;
}

int main(int argc, char **argv)
{
	int times = argc > 2 ? atoi(argv[2]) : 5;
	struct trace_info info;
	struct rusage usage;
	struct error err;
	uint64_t events = 0, all;
	double best = 0;

	if (argc < 2 || times < 1) {
		fprintf(stderr, "usage: bench_read FILE [TIMES]\n");
		return 2;
	}
	for (int i = 0; i < times; i++) {
		double start = now_s(), took;

		if (read_all(argv[1], &events, &info, &err) < 0) {
			fprintf(stderr, "bench_read: %s\n", err.text);
			return 1;
		}
		took = now_s() - start;
		if (!i || took < best)
			best = took;
	}
	getrusage(RUSAGE_SELF, &usage);
	all = events + info.skipped;
	printf("%s, clock %s, %d CPUs, HZ %d: %" PRIu64 " events used, %" PRIu64
	       " passed over, %" PRIu64 " damaged, %" PRIu64 " lost, %" PRIu64
	       " losses of unknown size, %" PRIu64 " clock jumps\n",
		info.format, info.clock, info.nr_cpus, info.hz, events, info.skipped, info.damaged,
		info.lost_events, info.lost_regions, info.clock_jumps);
	printf("%.3f s, %.2f M events/s, %ld kB peak memory\n", best, (double)all / best / 1e6,
		usage.ru_maxrss);
	return 0;
}
