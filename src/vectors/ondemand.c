// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Vectors of ondemand: one sample per row. When the next one is due is asked of the hook: a
 * nanosecond before the delay of the row is over it does nothing, then it queues the sample. So
 * the governor is seen from outside only, as a plug-in is.
 */
#include "vectors/freq.h"

#include "base/units.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

enum column {
	ROW,
	WALL,
	IDLE_0,
	IDLE_1,
	CUR_BEFORE,
	POLICY_MIN,
	POLICY_MAX,
	TARGET,
	RELATION,
	NEXT_DELAY,
	RATE_MULT,
	NR_COLUMNS
};

static const char *const names[NR_COLUMNS + 1] = { "row", "wall_us", "idle0_us", "idle1_us",
	"cur_before_khz", "policy_min", "policy_max", "target_khz", "relation", "next_delay_us",
	"rate_mult", NULL };

enum { DELAY_US_MAX = 1000000000 };

struct ondemand_replay {
	struct freq_replay base;
	int columns[NR_COLUMNS];
	uint64_t sampling_rate_us;
	int64_t hook_ns; /* of the last sample */
};

static int64_t row_us(
	const struct ondemand_replay *r, enum column column, uint64_t *ret_ns, struct error *err)
{
	int64_t us;

	if (csv_int(r->base.csv, r->columns[column], 0, INT64_MAX / NSEC_PER_USEC, &us, err))
		return -EINVAL;
	*ret_ns = (uint64_t)us * NSEC_PER_USEC;
	return 0;
}

static int read_row(struct ondemand_replay *r, int64_t *ret_number, struct error *err)
{
	struct cpu_load *loads = r->base.loads;
	int64_t cur;

	if (csv_int(r->base.csv, r->columns[ROW], 0, INT64_MAX, ret_number, err) ||
		row_us(r, WALL, &loads[0].wall_ns, err) ||
		row_us(r, IDLE_0, &loads[0].idle_ns, err) ||
		row_us(r, IDLE_1, &loads[1].idle_ns, err) ||
		csv_int(r->base.csv, r->columns[CUR_BEFORE], 1, UINT32_MAX, &cur, err))
		return -EINVAL;
	loads[1].wall_ns = loads[0].wall_ns;
	r->base.snapshot.cur_khz = (uint32_t)cur;
	r->base.snapshot.now_ns = (int64_t)loads[0].wall_ns;
	return freq_replay_limits(&r->base, r->columns[POLICY_MIN], r->columns[POLICY_MAX], err);
}

/* Calls the hook a while after the last sample; true: it queued one. */
static bool hook(struct ondemand_replay *r, uint64_t after_ns)
{
	int64_t now_ns = (int64_t)((uint64_t)r->hook_ns + after_ns);
	const struct util_event event = { .now_ns = now_ns };
	struct freq_actions actions = { 0 };

	r->base.governor->on_util(r->base.state, &event, &r->base.snapshot, &actions);
	if (!actions.nr || actions.list[0].kind != FREQ_QUEUE_IRQ_WORK)
		return false;
	r->hook_ns = now_ns;
	return true;
}

static void compare_target(
	struct ondemand_replay *r, const struct freq_actions *actions, struct vectors_row *compared)
{
	char text[24] = "none";
	bool asks = actions->nr && actions->list[0].kind == FREQ_TARGET;

	if (asks)
		snprintf(text, sizeof(text), "%" PRIu64, actions->list[0].value);
	vectors_compare(compared, r->base.csv, r->columns[TARGET], text);
	if (asks)
		vectors_compare_i64(
			compared, r->base.csv, r->columns[RELATION], actions->list[0].relation);
}

/* The governor's delay against the row's. */
static int compare_delay(struct ondemand_replay *r, struct vectors_row *compared, struct error *err)
{
	int64_t want_us;
	uint64_t want_ns;
	const char *got = NULL;

	if (csv_int(r->base.csv, r->columns[NEXT_DELAY], 1, DELAY_US_MAX, &want_us, err))
		return -EINVAL;
	want_ns = (uint64_t)want_us * NSEC_PER_USEC;
	if (hook(r, want_ns - 1))
		got = "less";
	else if (!hook(r, want_ns))
		got = "more";
	if (got)
		vectors_compare(compared, r->base.csv, r->columns[NEXT_DELAY], got);
	else
		vectors_compare_i64(compared, r->base.csv, r->columns[RATE_MULT],
			want_us / (int64_t)r->sampling_rate_us);
	/* However wrong it was: the next row begins with its sample. */
	if (got && *got == 'm')
		for (int i = 0; i < 64 && !hook(r, want_ns); i++)
			want_ns *= 2;
	return 0;
}

static int play(struct ondemand_replay *r, struct vectors_result *result, struct error *err)
{
	struct freq_actions actions;
	struct vectors_row compared;
	int64_t number;
	int e;

	if (!hook(r, NSEC_PER_SEC))
		return csv_error(r->base.csv, -1, err, "governor %s takes no sample",
			r->base.governor->name);
	while ((e = csv_row(r->base.csv, err)) == 1) {
		e = read_row(r, &number, err);
		if (e)
			return e;
		actions.nr = 0;
		vectors_row_begin(&compared, result, number);
		r->base.governor->work(r->base.state, &r->base.snapshot, &actions);
		compare_target(r, &actions, &compared);
		e = compare_delay(r, &compared, err);
		vectors_row_end(&compared);
		if (e)
			return e;
	}
	return e;
}

/* "A,B": idle time of the two CPUs at the start. */
static int begin(struct ondemand_replay *r, struct error *err)
{
	struct freq_actions actions = { 0 };
	unsigned long long idle[FREQ_VECTOR_CPUS];
	uint64_t wall;
	char text[64];
	int e = freq_replay_param(
		&r->base, "start_wall_us", false, INT64_MAX / NSEC_PER_USEC, &wall, err);

	if (!e)
		e = freq_replay_param(&r->base, "sampling_rate_us", false, DELAY_US_MAX,
			&r->sampling_rate_us, err);
	if (!e && !r->sampling_rate_us)
		e = csv_error(r->base.csv, -1, err, "sampling_rate_us=0, expected at least 1");
	if (e)
		return e;
	if (!csv_param(r->base.csv, "start_idle_us", text, sizeof(text)) ||
		sscanf(text, "%llu,%llu", &idle[0], &idle[1]) != 2 ||
		idle[0] > INT64_MAX / NSEC_PER_USEC || idle[1] > INT64_MAX / NSEC_PER_USEC)
		return csv_error(r->base.csv, -1, err, "expected start_idle_us=US,US in line 1");
	for (int i = 0; i < FREQ_VECTOR_CPUS; i++) {
		r->base.loads[i].wall_ns = wall * NSEC_PER_USEC;
		r->base.loads[i].idle_ns = idle[i] * NSEC_PER_USEC;
	}
	if (r->base.governor->init)
		r->base.governor->init(r->base.governor, r->base.state, &r->base.snapshot);
	e = freq_replay_tune(&r->base, "sampling_rate", "sampling_rate_us", err);
	if (!e)
		e = freq_replay_tune(&r->base, "up_threshold", "up_threshold", err);
	if (!e)
		e = freq_replay_tune(&r->base, "sampling_down_factor", "sampling_down_factor", err);
	if (!e && r->base.governor->start)
		r->base.governor->start(r->base.state, &r->base.snapshot, &actions);
	return e;
}

int vectors_check_ondemand(struct csv *csv, const struct vectors_options *options,
	struct vectors_result *result, struct error *err)
{
	struct ondemand_replay r = { 0 };
	int e;

	e = freq_replay_init(&r.base, csv, "ondemand", options, result, err);
	if (!e)
		e = freq_replay_columns(csv, names, r.columns, err);
	if (!e)
		e = begin(&r, err);
	if (!e)
		e = play(&r, result, err);
	freq_replay_release(&r.base);
	return e;
}
