// SPDX-License-Identifier: GPL-2.0-or-later
#include "vectors/freq.h"

#include "policy/registry.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEP_KHZ = 100000, DEFAULT_TICK_NS = 4000000, TICK_NS_MAX = 1000000000 };

int freq_replay_param(const struct freq_replay *r, const char *param, bool optional, uint64_t max,
	uint64_t *ret, struct error *err)
{
	unsigned long long number;
	char text[64];

	*ret = 0;
	if (!csv_param(r->csv, param, text, sizeof(text)))
		return optional ? 0 : csv_error(r->csv, -1, err, "expected %s= in line 1", param);
	if (parse_u64(text, 0, max, param, &number, err))
		return error_prefix(err, -EINVAL, "%s", csv_path(r->csv));
	*ret = number;
	return 0;
}

/* "MIN..MAX" in kHz. */
static int read_range(struct freq_replay *r, struct error *err)
{
	struct freq_snapshot *s = &r->snapshot;
	unsigned min, max;
	char text[64];
	int end = 0;

	if (!csv_param(r->csv, "cpuinfo_khz", text, sizeof(text)) ||
		sscanf(text, "%u..%u%n", &min, &max, &end) != 2 || text[end] || !min || min > max ||
		max > FREQ_VECTOR_STATES * STEP_KHZ)
		return csv_error(r->csv, -1, err,
			"expected cpuinfo_khz=MIN..MAX in line 1, 1 to %d",
			FREQ_VECTOR_STATES * STEP_KHZ);
	s->cpuinfo_min_khz = s->min_khz = s->cur_khz = min;
	s->cpuinfo_max_khz = s->max_khz = max;
	for (uint32_t khz = (min + STEP_KHZ - 1) / STEP_KHZ * STEP_KHZ; khz <= max; khz += STEP_KHZ)
		r->khz[s->driver.nr_khz++] = khz;
	s->driver.khz = r->khz;
	return 0;
}

static int find(struct freq_replay *r, const char *name, const struct vectors_options *options,
	struct error *err)
{
	r->governor = options->governor;
	if (options->idle && !r->governor)
		return csv_error(r->csv, -1, err,
			"decisions of %s, which idle governor %s cannot make", name,
			options->idle->name);
	for (const struct freq_governor *const *g = freq_governors; *g && !r->governor; g++)
		if (!strcmp((*g)->name, name))
			r->governor = *g;
	if (!r->governor->on_util || !r->governor->work)
		return csv_error(
			r->csv, -1, err, "governor %s looks at no utilisation", r->governor->name);
	return 0;
}

int freq_replay_init(struct freq_replay *r, struct csv *csv, const char *name,
	const struct vectors_options *options, struct vectors_result *result, struct error *err)
{
	uint64_t cpus, tick_ns;
	int e;

	memset(r, 0, sizeof(*r));
	r->csv = csv;
	e = find(r, name, options, err);
	if (!e)
		e = freq_replay_param(r, "cpus", false, FREQ_VECTOR_CPUS, &cpus, err);
	if (!e && !cpus)
		e = csv_error(csv, -1, err, "cpus=0, expected 1 or %d", FREQ_VECTOR_CPUS);
	if (!e)
		e = freq_replay_param(r, "tick_ns", true, TICK_NS_MAX, &tick_ns, err);
	if (!e)
		e = read_range(r, err);
	if (e)
		return e;
	snprintf(result->policy, sizeof(result->policy), "%s", r->governor->name);
	r->snapshot.nr_cpus = (int)cpus;
	r->snapshot.cpus = r->loads;
	r->snapshot.tick_ns = tick_ns ? (int64_t)tick_ns : DEFAULT_TICK_NS;
	r->snapshot.invariant = r->snapshot.efficient_idle = true;
	for (int i = 0; i < FREQ_VECTOR_CPUS; i++)
		r->loads[i] = (struct cpu_load){ .cpu = i, .capacity = 1024 };
	r->state = calloc(1, r->governor->state_size + cpus * r->governor->cpu_state_size + 1);
	return r->state ? 0 : error_set(err, ENOMEM, "out of memory");
}

void freq_replay_release(struct freq_replay *r)
{
	free(r->state);
	r->state = NULL;
}

int freq_replay_tune(
	struct freq_replay *r, const char *tunable, const char *param, struct error *err)
{
	char value[32];
	int e = -ENOENT;

	if (!csv_param(r->csv, param, value, sizeof(value)))
		return csv_error(r->csv, -1, err, "expected %s= in line 1", param);
	if (r->governor->tune)
		e = r->governor->tune(r->state, tunable, value);
	if (e < 0)
		return csv_error(r->csv, -1, err, "governor %s does not take %s=%s",
			r->governor->name, tunable, value);
	return 0;
}

int freq_replay_columns(
	const struct csv *csv, const char *const *names, int *ret_columns, struct error *err)
{
	int e = 0;

	for (int i = 0; names[i] && !e; i++)
		e = csv_need(csv, names[i], &ret_columns[i], err);
	return e;
}

int freq_replay_limits(struct freq_replay *r, int min_column, int max_column, struct error *err)
{
	int64_t min, max;

	if (csv_int(r->csv, min_column, 1, UINT32_MAX, &min, err) ||
		csv_int(r->csv, max_column, 1, UINT32_MAX, &max, err))
		return -EINVAL;
	r->snapshot.min_khz = (uint32_t)min;
	r->snapshot.max_khz = (uint32_t)max;
	return 0;
}
