// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/import_stats.h"
#include "base/units.h"

#include <jansson.h>
#include <stdio.h>

typedef unsigned long long ull;

static const struct {
	enum op_kind kind;
	const char *text;
} causes[] = {
	{ OP_WAIT, "another task" },
	{ OP_IO, "a device" },
	{ OP_SLEEP_FOR, "a timer" },
	{ OP_SLEEP_UNTIL, "a periodic timer" },
	{ OP_EXTERNAL, "the outside world" },
};

/* What is seldom there, and tells of a recording's quality. */
struct count {
	const char *key, *text;
	uint64_t value;
};

enum { COUNTS_MAX = 16 };

static int counts_of(const struct import_result *r, struct count ret[COUNTS_MAX])
{
	const struct build_stats *s = &r->stats;
	const struct count all[] = {
		{ "raced", "woken while they still ran", s->raced },
		{ "woken_twice", "wakings of tasks that were awake", s->woken_twice },
		{ "pids_reused", "pids used again", s->pids_reused },
		{ "completions_unmatched", "completions without a request",
			s->completions_unmatched },
		{ "interrupts_unbalanced", "interrupts without entry or exit",
			s->interrupts_unbalanced },
		{ "timers_dropped", "timers more than can be followed", s->timers_dropped },
		{ "requests_dropped", "requests more than can be followed", s->requests_dropped },
		{ "signals_dropped", "requests too long in flight to tell whom they wake",
			s->ops_dropped },
		{ "bad_cpu", "events of a CPU that cannot be", s->bad_cpu },
		{ "damaged", "lines or records that made no sense", r->info.damaged },
		{ "clock_jumps", "times that went back", r->info.clock_jumps },
	};

	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		ret[i] = all[i];
	return ARRAY_LEN(all);
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static void print_head(const char *in_path, const char *out_path, const struct import_result *r)
{
	const struct build_stats *s = &r->stats;

	printf("%s: %s, clock %s, %d CPUs", in_path, r->info.format,
		r->info.clock[0] ? r->info.clock : "unknown", r->truth.nr_cpus);
	if (r->info.hz)
		printf(", %d ticks a second", r->info.hz);
	printf("\n");
	if (out_path)
		printf("written to %s\n", out_path);
	printf("\n%14.3f  seconds\n", (double)r->truth.elapsed_ns / NSEC_PER_SEC);
	printf("%14llu  events, %llu more of other kinds\n", (ull)s->events, (ull)r->info.skipped);
	printf("%14llu  events lost, and some in %llu more places\n", (ull)r->info.lost_events,
		(ull)r->info.lost_regions);
	printf("%14llu  tasks\n", (ull)s->tasks);
	printf("%14llu  switches recorded\n", (ull)s->switches);
	printf("%14llu  switches inferred\n", (ull)s->switches_inferred);
	printf("%14llu  idle periods, %llu of them inferred\n", (ull)s->idle_periods,
		(ull)s->idle_inferred);
	if (r->truth.operations)
		printf("%14llu  operations, %.1f a second\n", (ull)r->truth.operations,
			(double)r->truth.operations * NSEC_PER_SEC / (double)r->truth.elapsed_ns);
}

static uint64_t all_waits(const struct build_stats *s)
{
	uint64_t all = s->waits_unknown;

	for (size_t i = 0; i < ARRAY_LEN(causes); i++)
		all += s->waits[causes[i].kind];
	return all;
}

static void print_waits(const struct import_result *r)
{
	const struct build_stats *s = &r->stats;
	uint64_t all = all_waits(s);

	printf("\n%14s  waits ended by\n", "");
	for (size_t i = 0; i < ARRAY_LEN(causes); i++)
		printf("%14llu  %5.1f %%  %s\n", (ull)s->waits[causes[i].kind],
			percent(s->waits[causes[i].kind], all), causes[i].text);
	printf("%14llu  %5.1f %%  unknown\n", (ull)s->waits_unknown,
		percent(s->waits_unknown, all));
	printf("%14llu           in all\n", (ull)all);
	printf("%14llu           of the workload itself: %.1f %% from outside or unknown\n\n",
		(ull)r->truth.own_waits, percent(r->truth.own_waits_outside, r->truth.own_waits));
	printf("%14llu  by a device: another task's request\n", (ull)s->io_of_other);
	printf("%14llu  by a timer: set by another task, or before the recording\n",
		(ull)s->timer_of_other);
	printf("%14llu  unknown: no waking was recorded\n", (ull)s->waits_missing);
	printf("%14llu  unknown: events are lost in between\n", (ull)s->waits_gap);
}

void import_print_stats(const char *in_path, const char *out_path, const struct import_result *r)
{
	struct count counts[COUNTS_MAX];
	int nr = counts_of(r, counts);

	print_head(in_path, out_path, r);
	print_waits(r);
	for (int i = 0; i < nr; i++)
		if (counts[i].value)
			printf("%14llu  %s\n", (ull)counts[i].value, counts[i].text);
	printf("\n  CPU    busy s   irq s  idle entries\n");
	for (int i = 0; i < r->truth.nr_cpus && i < (int)ARRAY_LEN(r->truth.busy_ns); i++)
		printf("%5d %9.3f %7.3f  %12llu\n", i, (double)r->truth.busy_ns[i] / NSEC_PER_SEC,
			(double)r->truth.irq_ns[i] / NSEC_PER_SEC, (ull)r->truth.idle_entries[i]);
}

static json_t *waits_json(const struct import_result *r)
{
	const struct build_stats *s = &r->stats;
	json_t *waits = json_object();

	for (size_t i = 0; i < ARRAY_LEN(causes); i++)
		json_object_set_new(waits, op_kind_name(causes[i].kind),
			json_integer((json_int_t)s->waits[causes[i].kind]));
	json_object_set_new(waits, "unknown", json_integer((json_int_t)s->waits_unknown));
	json_object_set_new(waits, "total", json_integer((json_int_t)all_waits(s)));
	json_object_set_new(waits, "own", json_integer((json_int_t)r->truth.own_waits));
	json_object_set_new(
		waits, "own_outside", json_integer((json_int_t)r->truth.own_waits_outside));
	return waits;
}

static json_t *cpus_json(const struct workload_truth *t)
{
	json_t *cpus = json_array();

	for (int i = 0; i < t->nr_cpus && i < (int)ARRAY_LEN(t->busy_ns); i++)
		json_array_append_new(
			cpus, json_pack("{s:i,s:I,s:I,s:I}", "cpu", i, "busy_ns",
				      (json_int_t)t->busy_ns[i], "irq_ns", (json_int_t)t->irq_ns[i],
				      "idle_entries", (json_int_t)t->idle_entries[i]));
	return cpus;
}

int import_print_json(const char *in_path, const char *out_path, const struct import_result *r)
{
	const struct build_stats *s = &r->stats;
	struct count counts[COUNTS_MAX];
	int nr = counts_of(r, counts), rc;
	json_t *root = json_pack("{s:i,s:s,s:s?,s:s,s:s,s:i}", "schema", 1, "input", in_path,
		"output", out_path, "format", r->info.format, "clock", r->info.clock, "hz",
		r->info.hz);
	const struct count plain[] = {
		{ "elapsed_ns", NULL, r->truth.elapsed_ns },
		{ "operations", NULL, r->truth.operations },
		{ "events", NULL, s->events },
		{ "events_skipped", NULL, r->info.skipped },
		{ "events_lost", NULL, r->info.lost_events },
		{ "loss_regions", NULL, r->info.lost_regions },
		{ "tasks", NULL, s->tasks },
		{ "switches", NULL, s->switches },
		{ "switches_inferred", NULL, s->switches_inferred },
		{ "idle_periods", NULL, s->idle_periods },
		{ "idle_inferred", NULL, s->idle_inferred },
		{ "io_of_other", NULL, s->io_of_other },
		{ "timer_of_other", NULL, s->timer_of_other },
		{ "waits_missing", NULL, s->waits_missing },
		{ "waits_gap", NULL, s->waits_gap },
	};

	for (size_t i = 0; i < ARRAY_LEN(plain); i++)
		json_object_set_new(root, plain[i].key, json_integer((json_int_t)plain[i].value));
	for (int i = 0; i < nr; i++)
		json_object_set_new(root, counts[i].key, json_integer((json_int_t)counts[i].value));
	json_object_set_new(root, "waits", waits_json(r));
	json_object_set_new(root, "cpus", cpus_json(&r->truth));
	rc = json_dumpf(root, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
	printf("\n");
	json_decref(root);
	return rc;
}
