// SPDX-License-Identifier: GPL-2.0-or-later
/* Vectors of idle governors: one idle event of one CPU per row, state goes on from row to row. */
#include "vectors/vectors.h"

#include "policy/idle/private.h"
#include "policy/registry.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { VECTOR_CPUS_MAX = 64, PRIVATE_COLUMNS_MAX = 8 };

enum column {
	ROW,
	ENABLE,
	CPU,
	NOW,
	SLEEP_LENGTH,
	LATENCY_REQ,
	TICK_STOPPED,
	DISABLE_MASK,
	SEL_STATE,
	ENTERED,
	RESIDENCY,
	REFLECT_NOW,
	NEEDED, /* the others may be missing */
	DELTA_TICK = NEEDED,
	NR_IOWAIT,
	CPU_LOAD,
	CPU_UTIL,
	STOP_TICK,
	POLL_TIME_LIMIT,
	GOT_TICK,
	POLL_LIMIT_PRE,
	POLL_LIMIT,
	POLL_TIME_LIMIT_AFTER,
	NR_COLUMNS,
};

static const char *const column_names[NR_COLUMNS] = {
	[ROW] = "row",
	[ENABLE] = "enable",
	[CPU] = "cpu",
	[NOW] = "now_ns",
	[SLEEP_LENGTH] = "sleep_length_ns",
	[LATENCY_REQ] = "latency_req_ns",
	[TICK_STOPPED] = "tick_stopped",
	[DISABLE_MASK] = "disable_mask",
	[SEL_STATE] = "sel_state",
	[ENTERED] = "entered",
	[RESIDENCY] = "residency_ns",
	[REFLECT_NOW] = "reflect_now_ns",
	[DELTA_TICK] = "delta_tick_ns",
	[NR_IOWAIT] = "nr_iowait",
	[CPU_LOAD] = "cpu_load",
	[CPU_UTIL] = "cpu_util",
	[STOP_TICK] = "stop_tick",
	[POLL_TIME_LIMIT] = "poll_time_limit",
	[GOT_TICK] = "got_tick",
	[POLL_LIMIT_PRE] = "poll_limit_pre_ns",
	[POLL_LIMIT] = "poll_limit_ns",
	[POLL_TIME_LIMIT_AFTER] = "poll_time_limit_after",
};

struct replay {
	struct csv *csv;
	int column[NR_COLUMNS];
	int private_column[PRIVATE_COLUMNS_MAX];
	int nr_private;
	const struct idle_governor *governor;
	const char *arg;
	struct idle_driver driver;
	struct idle_cpu cpus[VECTOR_CPUS_MAX];
};

/* One row's inputs. */
struct idle_row {
	int64_t number;
	bool enable;
	int cpu;
	struct idle_snapshot snapshot;
	struct idle_outcome outcome;
	int64_t residency_ns;
	bool poll_time_limit;
	uint64_t poll_limit_pre_ns;
};

static int find_columns(struct replay *r, const struct vectors_options *options, struct error *err)
{
	for (int i = 0; i < NR_COLUMNS; i++) {
		r->column[i] = csv_find(r->csv, column_names[i]);
		if (i < NEEDED && csv_need(r->csv, column_names[i], &r->column[i], err))
			return -EINVAL;
	}
	for (int i = 0; options->private_state && i < IDLE_PRIVATE_COLUMNS; i++) {
		int column = csv_find(r->csv, idle_private_columns[i]);

		if (column >= 0)
			r->private_column[r->nr_private++] = i;
	}
	return 0;
}

/* NAME:LATENCY_US:RESIDENCY_US:POLLING */
static int parse_state(struct replay *r, const char *text, struct error *err)
{
	struct idle_state *state = &r->driver.states[r->driver.nr_states];
	unsigned latency_us, residency_us, polling;
	int end = 0;

	if (r->driver.nr_states == IDLE_STATES_MAX)
		return csv_error(r->csv, -1, err, "states: more than %d", IDLE_STATES_MAX);
	if (sscanf(text, "%15[^:]:%u:%u:%u%n", state->name, &latency_us, &residency_us, &polling,
		    &end) != 4 ||
		text[end] || polling > 1)
		return csv_error(r->csv, -1, err,
			"states: '%s', expected "
			"name:exit_latency_us:target_residency_us:is_polling",
			text);
	state->exit_latency_ns = latency_us * 1000LL;
	state->target_residency_ns = residency_us * 1000LL;
	state->polling = polling;
	r->driver.nr_states++;
	return 0;
}

static int read_driver(struct replay *r, struct error *err)
{
	char text[1024], *save = NULL;
	unsigned long long tick;

	if (!csv_param(r->csv, "tick_ns", text, sizeof(text)))
		return csv_error(r->csv, -1, err, "expected tick_ns= in line 1");
	if (parse_u64(text, 1, 1000000000, "tick_ns", &tick, err))
		return error_prefix(err, -EINVAL, "%s", csv_path(r->csv));
	r->driver.tick_ns = (int64_t)tick;
	if (!csv_param(r->csv, "states", text, sizeof(text)))
		return csv_error(r->csv, -1, err, "expected states= in line 1");
	for (char *s = strtok_r(text, ";", &save); s; s = strtok_r(NULL, ";", &save)) {
		int e = parse_state(r, s, err);

		if (e < 0)
			return e;
	}
	return r->driver.nr_states ? 0 : csv_error(r->csv, -1, err, "states: none");
}

/* "governor=menu kernel=v4.16.13(...)" names menu@4.16. */
static int find_governor(struct replay *r, const struct vectors_options *options, struct error *err)
{
	char family[32], kernel[128], name[64];
	int major, minor;

	if (options->idle) {
		r->governor = options->idle;
		r->arg = options->idle_arg;
		return 0;
	}
	if (options->governor)
		return csv_error(r->csv, -1, err, "decisions of an idle governor, which %s is not",
			options->governor->name);
	if (!csv_param(r->csv, "governor", family, sizeof(family)) ||
		!csv_param(r->csv, "kernel", kernel, sizeof(kernel)) ||
		sscanf(kernel[0] == 'v' ? kernel + 1 : kernel, "%d.%d", &major, &minor) != 2)
		return csv_error(r->csv, -1, err, "expected governor= and kernel=X.Y in line 1");
	snprintf(name, sizeof(name), "%s@%d.%d", family, major, minor);
	if (idle_governor_find(name, &r->governor, NULL, err))
		return error_prefix(err, -EINVAL, "%s", csv_path(r->csv));
	return 0;
}

static int enable(struct replay *r, int cpu_number, struct error *err)
{
	struct idle_cpu *cpu = &r->cpus[cpu_number];

	cpu->device = (struct idle_device){ 0 };
	/* What the governor forgets is its own business: the state is not zeroed again. */
	if (!cpu->governor->init)
		return 0;
	if (cpu->governor->init(cpu, r->arg) < 0)
		return csv_error(r->csv, -1, err, "governor %s does not accept these states",
			cpu->governor->name);
	return 0;
}

static int init_cpus(struct replay *r, struct error *err)
{
	for (int i = 0; i < VECTOR_CPUS_MAX; i++) {
		struct idle_cpu *cpu = &r->cpus[i];

		cpu->governor = r->governor;
		cpu->driver = &r->driver;
		cpu->state = calloc(1, r->governor->state_size ? r->governor->state_size : 1);
		if (!cpu->state)
			return error_set(err, ENOMEM, "out of memory");
	}
	return 0;
}

static int number(const struct replay *r, enum column column, int64_t min, int64_t max,
	int64_t *ret, struct error *err)
{
	return csv_int(r->csv, r->column[column], min, max, ret, err);
}

/* Missing or empty: 0. */
static int optional(const struct replay *r, enum column column, int64_t min, int64_t max,
	int64_t *ret, struct error *err)
{
	*ret = 0;
	return csv_optional(r->csv, r->column[column], min, max, ret, err);
}

static int read_select(const struct replay *r, struct idle_row *row, struct error *err)
{
	struct idle_snapshot *s = &row->snapshot;
	uint64_t now;
	int64_t flag, cpu, iowait, load, util, mask, stopped;

	if (number(r, ROW, 0, INT64_MAX, &row->number, err) ||
		number(r, ENABLE, 0, 1, &flag, err) ||
		number(r, CPU, 0, VECTOR_CPUS_MAX - 1, &cpu, err) ||
		csv_u64(r->csv, r->column[NOW], &now, err) ||
		number(r, SLEEP_LENGTH, INT64_MIN, INT64_MAX, &s->sleep_length_ns, err) ||
		optional(r, DELTA_TICK, INT64_MIN, INT64_MAX, &s->delta_tick_ns, err) ||
		number(r, LATENCY_REQ, 0, INT64_MAX, &s->latency_req_ns, err) ||
		optional(r, NR_IOWAIT, 0, UINT32_MAX, &iowait, err) ||
		optional(r, CPU_LOAD, 0, UINT32_MAX, &load, err) ||
		optional(r, CPU_UTIL, 0, UINT32_MAX, &util, err) ||
		number(r, TICK_STOPPED, 0, 1, &stopped, err) ||
		number(r, DISABLE_MASK, 0, UINT32_MAX, &mask, err))
		return -EINVAL;
	s->now_ns = (int64_t)now; /* some generators let the clock wrap */
	row->enable = flag;
	row->cpu = (int)cpu;
	s->nr_iowait = (uint32_t)iowait;
	s->cpu_load = (uint32_t)load;
	s->cpu_util = (uint32_t)util;
	s->tick_stopped = stopped;
	s->disable_mask = (uint32_t)mask;
	return 0;
}

static int read_outcome(const struct replay *r, struct idle_row *row, struct error *err)
{
	uint64_t residency, now, limit = 0;
	int64_t entered, timed_out, got_tick;

	if (number(r, ENTERED, -1, r->driver.nr_states - 1, &entered, err) ||
		csv_u64(r->csv, r->column[RESIDENCY], &residency, err) ||
		csv_u64(r->csv, r->column[REFLECT_NOW], &now, err) ||
		optional(r, POLL_TIME_LIMIT, 0, 1, &timed_out, err) ||
		optional(r, GOT_TICK, 0, 1, &got_tick, err))
		return -EINVAL;
	if (!csv_empty(r->csv, r->column[POLL_LIMIT_PRE]) &&
		csv_u64(r->csv, r->column[POLL_LIMIT_PRE], &limit, err))
		return -EINVAL;
	row->outcome.now_ns = (int64_t)now;
	row->residency_ns = (int64_t)residency;
	row->outcome.entered = (int)entered;
	row->outcome.got_tick = got_tick;
	row->poll_time_limit = timed_out;
	row->poll_limit_pre_ns = limit;
	return 0;
}

static void compare_private(
	const struct replay *r, const struct idle_cpu *cpu, struct vectors_row *compared)
{
	char text[VECTORS_TEXT_MAX];

	for (int i = 0; i < r->nr_private; i++) {
		int column = r->private_column[i];

		if (idle_private(cpu, column, text, sizeof(text)))
			vectors_compare(compared, r->csv,
				csv_find(r->csv, idle_private_columns[column]), text);
	}
}

static void play_row(struct replay *r, const struct idle_row *row, struct vectors_result *result)
{
	struct idle_cpu *cpu = &r->cpus[row->cpu];
	struct idle_device *device = &cpu->device;
	struct idle_choice choice = { .stop_tick = true };
	struct vectors_row compared;

	vectors_row_begin(&compared, result, row->number);
	cpu->governor->select(cpu, &row->snapshot, &choice);
	vectors_compare_i64(&compared, r->csv, r->column[SEL_STATE], choice.state);
	vectors_compare_i64(&compared, r->csv, r->column[STOP_TICK], choice.stop_tick);
	compare_private(r, cpu, &compared);
	device->last_residency_ns = row->outcome.entered < 0 ? 0 : row->residency_ns;
	device->poll_time_limit = row->poll_time_limit;
	if (r->column[POLL_LIMIT_PRE] >= 0)
		device->poll_limit_ns = row->poll_limit_pre_ns;
	if (row->outcome.entered >= 0 && cpu->governor->reflect)
		cpu->governor->reflect(cpu, &row->outcome);
	vectors_compare_i64(
		&compared, r->csv, r->column[POLL_LIMIT], (int64_t)device->poll_limit_ns);
	vectors_compare_i64(
		&compared, r->csv, r->column[POLL_TIME_LIMIT_AFTER], device->poll_time_limit);
	vectors_row_end(&compared);
}

static int play(struct replay *r, struct vectors_result *result, struct error *err)
{
	struct idle_row row = { 0 };
	int e;

	while ((e = csv_row(r->csv, err)) == 1) {
		if (read_select(r, &row, err) || read_outcome(r, &row, err))
			return -EINVAL;
		if (row.enable) {
			e = enable(r, row.cpu, err);
			if (e < 0)
				return e;
		}
		play_row(r, &row, result);
	}
	return e;
}

int vectors_check_idle(struct csv *csv, const struct vectors_options *options,
	struct vectors_result *result, struct error *err)
{
	struct replay *r = calloc(1, sizeof(*r));
	int e;

	if (!r)
		return error_set(err, ENOMEM, "out of memory");
	r->csv = csv;
	e = find_columns(r, options, err);
	if (!e)
		e = read_driver(r, err);
	if (!e)
		e = find_governor(r, options, err);
	if (!e) {
		snprintf(result->policy, sizeof(result->policy), "%s", r->governor->name);
		e = init_cpus(r, err);
	}
	for (int i = 0; i < VECTOR_CPUS_MAX && !e; i++)
		e = enable(r, i, err);
	if (!e)
		e = play(r, result, err);
	for (int i = 0; i < VECTOR_CPUS_MAX; i++)
		free(r->cpus[i].state);
	free(r);
	return e;
}
