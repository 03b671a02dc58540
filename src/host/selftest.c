// SPDX-License-Identifier: GPL-2.0-or-later
#include "host/selftest.h"
#include "base/units.h"
#include "host/instance.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <tracefs.h>
#include <unistd.h>

enum { SLEEPS = 16, SLEEP_NS = 200 * NSEC_PER_USEC, ROUNDS_MAX = 6, ENOUGH = SLEEPS };

static const struct recorded_event switch_only[] = {
	{ "sched", "sched_switch", true },
	{ NULL, NULL, false },
};

/* How often each CPU went idle when this thread slept, and how often it came from idle to it. */
struct counts {
	uint64_t to_idle, from_idle;
};

static void sleep_some(void)
{
	struct timespec pause = { .tv_nsec = SLEEP_NS };

	for (int i = 0; i < SLEEPS; i++)
		nanosleep(&pause, NULL);
}

static int set_filter(struct instance *in, const char *format, struct error *err)
{
	char filter[128];

	snprintf(filter, sizeof(filter), format, (int)gettid());
	if (tracefs_event_file_write(in->tracefs, "sched", "sched_switch", "filter", filter) >= 0)
		return 0;
	return error_set(err, EIO, "%s/events/sched/sched_switch/filter: cannot write '%s'",
		in->dir, filter);
}

/* Sleeps on one CPU after the other, and adds up what is recorded of it. */
static int count(struct instance *in, const cpu_set_t *cpus, struct counts *counts, size_t offset,
	struct error *err)
{
	int code = instance_on(in, err);

	for (int cpu = 0; cpu < in->nr_cpus && cpu < CPU_SETSIZE && !code; cpu++) {
		struct instance_stats before = { 0 }, after = { 0 };
		cpu_set_t one;

		if (!CPU_ISSET(cpu, cpus))
			continue;
		CPU_ZERO(&one);
		CPU_SET(cpu, &one);
		if (sched_setaffinity(0, sizeof(one), &one))
			continue; /* gone offline */
		instance_stats(in, cpu, &before, NULL, 0);
		sleep_some();
		instance_stats(in, cpu, &after, NULL, 0);
		*(uint64_t *)((char *)&counts[cpu] + offset) += after.entries - before.entries;
	}
	return code ? code : instance_off(in, err);
}

/*
 * The two are counted one after the other, so on a busy CPU the one may come out without the
 * other: only many against none tell of losses.
 */
static void judge(
	const struct counts *counts, int nr_cpus, const cpu_set_t *cpus, struct selftest *ret)
{
	ret->verdict = SELFTEST_COMPLETE;
	for (int cpu = 0; cpu < nr_cpus && cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, cpus) || counts[cpu].from_idle)
			continue;
		if (counts[cpu].to_idle >= ENOUGH) {
			ret->verdict = SELFTEST_LOSES;
			ret->cpu = cpu;
			return;
		}
		if (ret->verdict == SELFTEST_COMPLETE)
			ret->cpu = cpu;
		ret->verdict = SELFTEST_NOT_TOLD;
	}
}

/* A CPU that was busy is given another chance. */
static int measure(
	struct instance *in, const cpu_set_t *cpus, struct selftest *ret, struct error *err)
{
	struct counts *counts = calloc(in->nr_cpus, sizeof(*counts));
	int code = 0;

	if (!counts)
		return error_set(err, ENOMEM, "out of memory");
	ret->verdict = SELFTEST_NOT_TOLD;
	for (int i = 0; i < ROUNDS_MAX && ret->verdict == SELFTEST_NOT_TOLD && !code; i++) {
		code = set_filter(in, "prev_pid == %d && next_pid == 0", err);
		if (!code)
			code = count(in, cpus, counts, offsetof(struct counts, to_idle), err);
		if (!code)
			code = set_filter(in, "next_pid == %d && prev_pid == 0", err);
		if (!code)
			code = count(in, cpus, counts, offsetof(struct counts, from_idle), err);
		if (!code)
			judge(counts, in->nr_cpus, cpus, ret);
	}
	free(counts);
	return code;
}

int selftest_tracefs(struct selftest *ret, struct error *err)
{
	struct instance_options options = {
		.buffer_kb = 1408, .clock = "mono", .events = switch_only
	};
	struct selftest result = { 0 };
	struct instance in;
	cpu_set_t before;
	int code;

	if (sched_getaffinity(0, sizeof(before), &before))
		return error_set(err, errno, "sched_getaffinity: %s", strerror(errno));
	code = instance_open(&in, &options, err);
	if (code)
		return code;
	result.nr_stale = in.nr_stale;
	code = measure(&in, &before, &result, err);
	sched_setaffinity(0, sizeof(before), &before);
	instance_close(&in);
	if (!code)
		*ret = result;
	return code;
}
