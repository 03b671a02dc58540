// SPDX-License-Identifier: GPL-2.0-or-later
/* Vectors of schedutil: one call of the utilisation hook per row, answered by a fast switch. */
#include "vectors/freq.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

enum column {
	ROW,
	CPU,
	TIME,
	FLAGS,
	UTIL, /* and the next three: per CPU */
	DL,
	CAP,
	IDLE_CALLS,
	UTIL_1,
	IDLE_CALLS_1 = UTIL_1 + 3,
	LIMITS_EVENT,
	POLICY_MIN,
	POLICY_MAX,
	SET_FREQ,
	NR_COLUMNS
};

static const char *const names[NR_COLUMNS + 1] = { "row", "cpu", "time_ns", "flags", "util0", "dl0",
	"cap0", "idle_calls0", "util1", "dl1", "cap1", "idle_calls1", "limits_event", "policy_min",
	"policy_max", "set_freq_khz", NULL };

struct row {
	int64_t number;
	struct util_event event;
	bool limits;
};

static int read_load(
	const struct freq_replay *r, const int *column, struct cpu_load *load, struct error *err)
{
	int64_t util, dl, capacity;

	if (csv_int(r->csv, column[0], 0, UINT32_MAX, &util, err) ||
		csv_int(r->csv, column[1], 0, UINT32_MAX, &dl, err) ||
		csv_int(r->csv, column[2], 1, UINT32_MAX, &capacity, err) ||
		csv_u64(r->csv, column[3], &load->idle_calls, err))
		return -EINVAL;
	load->util = (uint32_t)util;
	load->dl_bw = (uint32_t)dl;
	load->capacity = (uint32_t)capacity;
	return 0;
}

static int read_row(struct freq_replay *r, const int *columns, int capped_column, struct row *ret,
	struct error *err)
{
	int64_t cpu, flags, limits, capped = 0;

	if (csv_int(r->csv, columns[ROW], 0, INT64_MAX, &ret->number, err) ||
		csv_int(r->csv, columns[CPU], 0, r->snapshot.nr_cpus - 1, &cpu, err) ||
		csv_int(r->csv, columns[TIME], 0, INT64_MAX, &ret->event.now_ns, err) ||
		csv_int(r->csv, columns[FLAGS], 0, 1, &flags, err) ||
		csv_int(r->csv, columns[LIMITS_EVENT], 0, 1, &limits, err) ||
		csv_optional(r->csv, capped_column, 0, 1, &capped, err))
		return -EINVAL;
	for (int i = 0; i < FREQ_VECTOR_CPUS; i++)
		if (read_load(r, columns + (i ? UTIL_1 : UTIL), &r->loads[i], err))
			return -EINVAL;
	ret->event.cpu = ret->event.this_cpu = ret->event.index = (int)cpu;
	ret->event.flags = flags ? UTIL_IOWAIT : 0;
	ret->limits = limits;
	r->loads[0].util_capped = capped;
	return limits ? freq_replay_limits(r, columns[POLICY_MIN], columns[POLICY_MAX], err) : 0;
}

static void play_row(struct freq_replay *r, const int *columns, const struct row *row,
	struct vectors_result *result)
{
	struct freq_actions actions = { 0 };
	struct vectors_row compared;
	char text[24] = "none";

	vectors_row_begin(&compared, result, row->number);
	r->snapshot.now_ns = row->event.now_ns;
	if (row->limits && r->governor->limits)
		r->governor->limits(r->state, &r->snapshot, &actions);
	actions.nr = 0;
	r->governor->on_util(r->state, &row->event, &r->snapshot, &actions);
	if (actions.nr && actions.list[0].kind == FREQ_FAST_SWITCH) {
		r->snapshot.cur_khz = (uint32_t)actions.list[0].value;
		snprintf(text, sizeof(text), "%" PRIu64, actions.list[0].value);
	}
	vectors_compare(&compared, r->csv, columns[SET_FREQ], text);
	vectors_row_end(&compared);
}

static int begin(struct freq_replay *r, struct error *err)
{
	uint64_t need_update, invariant;
	struct freq_actions actions = { 0 };
	int e = freq_replay_param(r, "need_update_limits", false, 1, &need_update, err);

	if (!e)
		e = freq_replay_param(r, "freq_invariant", false, 1, &invariant, err);
	if (e)
		return e;
	r->snapshot.driver.fast_switch = true;
	r->snapshot.driver.need_update_limits = need_update;
	r->snapshot.invariant = invariant;
	if (r->governor->init)
		r->governor->init(r->governor, r->state, &r->snapshot);
	e = freq_replay_tune(r, "rate_limit_us", "rate_limit_us", err);
	if (!e && r->governor->start)
		r->governor->start(r->state, &r->snapshot, &actions);
	return e;
}

int vectors_check_schedutil(struct csv *csv, const struct vectors_options *options,
	struct vectors_result *result, struct error *err)
{
	int columns[NR_COLUMNS], capped_column = csv_find(csv, "uclamp_capped0"), e;
	struct freq_replay r;
	struct row row = { 0 };

	e = freq_replay_init(&r, csv, "schedutil", options, result, err);
	if (!e)
		e = freq_replay_columns(csv, names, columns, err);
	if (!e)
		e = begin(&r, err);
	while (!e && (e = csv_row(csv, err)) == 1) {
		e = read_row(&r, columns, capped_column, &row, err);
		if (!e)
			play_row(&r, columns, &row, result);
	}
	freq_replay_release(&r);
	return e;
}
