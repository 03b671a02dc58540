// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/run_notes.h"

#include "../cmocka_all.h"

#include <stdlib.h>
#include <string.h>

static bool has_note(const struct run_result *r, const char *text)
{
	for (int i = 0; i < r->nr_notes; i++)
		if (strstr(r->notes[i], text))
			return true;
	return false;
}

static struct workload_truth truth(
	uint64_t elapsed, uint64_t untraced, uint64_t outside, uint64_t unknown)
{
	struct workload_truth t = { .elapsed_ns = elapsed, .untraced_elapsed_ns = untraced };

	t.waits[OP_WAIT] = 100 - outside - unknown;
	t.waits[OP_EXTERNAL] = outside;
	t.waits_unknown = unknown;
	return t;
}

static const struct {
	const char *name;
	uint64_t elapsed, untraced, outside, unknown;
	const char *expected, *unexpected;
} rows[] = {
	{ "cheap recorder", 104, 100, 0, 0, "the recorder itself cost 4.0 %", "not fit" },
	{ "at the limit", 110, 100, 0, 0, "the recorder itself cost 10.0 %", "not fit" },
	{ "dear recorder", 115, 100, 0, 0, "cost 15 %, above 10 %: this recording is not fit",
		"is not known" },
	{ "unknown cost", 100, 0, 0, 0, "what the recorder itself cost is not known", "not fit" },
	{ "closed loop", 1, 1, 0, 0, "recorder", "outside world" },
	{ "few outside", 1, 1, 5, 15, "20.0 % of the recorded waits", "throughput is an input" },
	{ "many outside", 1, 1, 21, 0, "throughput is an input here", "recorder itself cost 1" },
	{ "unknown causes count", 1, 1, 0, 30, "30 % of the recorded waits", "is not known" },
};

static void test_recordings(void **state)
{
	struct machine *m = calloc(1, sizeof(*m));

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct workload w = { .recorded = true,
			.truth = truth(rows[i].elapsed, rows[i].untraced, rows[i].outside,
				rows[i].unknown) };
		struct run_result r = { .scaling = "all" };

		print_message("%s\n", rows[i].name);
		run_notes(&r, m, &w);
		assert_true(has_note(&r, rows[i].expected));
		assert_false(has_note(&r, rows[i].unexpected));
		assert_true(has_note(&r, "between all of it and none"));
		assert_true(has_note(&r, "no p-values"));
	}
	free(m);
}

static void test_losses_are_told(void **state)
{
	struct machine *m = calloc(1, sizeof(*m));
	struct workload w = { .recorded = true, .truth = truth(1, 1, 0, 0) };
	struct run_result r = { .scaling = "known" };

	w.truth.lost_events = 7;
	w.truth.switches = 75;
	w.truth.switches_inferred = 25;
	w.truth.own_run_on = 2;
	run_notes(&r, m, &w);
	assert_true(has_note(&r, "7 events of the recording were lost"));
	assert_true(has_note(&r, "25.0 % of the recorded switches were inferred"));
	assert_true(has_note(&r, "2 of the recorded tasks ran most of the time"));
	assert_false(has_note(&r, "between all of it"));
	free(m);
}

/* Work of two CPUs when recorded, and here in 100 ns. */
static const struct {
	const char *name;
	uint64_t recorded[2], replayed[2];
	uint64_t waits;
	bool noted;
} one_cpu_rows[] = {
	{ "side by side now", { 3, 97 }, { 90, 80 }, 5, true },
	{ "one after the other on two", { 3, 97 }, { 50, 50 }, 5, false },
	{ "a little beside", { 3, 97 }, { 15, 94 }, 5, false },
	{ "recorded on two", { 48, 52 }, { 90, 80 }, 5, false },
	{ "tasks that never wait for each other", { 3, 97 }, { 90, 80 }, 0, false },
	{ "recorded work not known", { 0, 0 }, { 90, 80 }, 5, false },
};

static void test_one_cpu(void **state)
{
	struct machine *m = calloc(1, sizeof(*m));

	for (size_t i = 0; i < sizeof(one_cpu_rows) / sizeof(one_cpu_rows[0]); i++) {
		struct workload w = { .recorded = true, .truth = truth(1, 1, 0, 0) };
		struct result_cpu cpus[2] = { { .busy_ns = one_cpu_rows[i].replayed[0] },
			{ .busy_ns = one_cpu_rows[i].replayed[1] } };
		struct run_result r = { .elapsed_ns = 100, .nr_cpus = 2, .cpus = cpus };

		print_message("%s\n", one_cpu_rows[i].name);
		w.truth.nr_cpus = 2;
		memcpy(w.truth.busy_ns, one_cpu_rows[i].recorded, sizeof(one_cpu_rows[i].recorded));
		w.truth.waits[OP_WAIT] = one_cpu_rows[i].waits;
		run_notes(&r, m, &w);
		assert_int_equal(
			has_note(&r, "side by side is no prediction"), one_cpu_rows[i].noted);
	}
	free(m);
}

static void test_generated_workloads_have_no_recorder(void **state)
{
	struct machine *m = calloc(1, sizeof(*m));
	struct workload w = { .recorded = false };
	struct run_result r = { .scaling = "known" };

	run_notes(&r, m, &w);
	assert_int_equal(r.nr_notes, 1);
	free(m);
}

static void add(struct machine *m, const char *path, enum provenance_kind kind, const char *value,
	double low, double high)
{
	struct provenance *p = &m->provenance[m->nr_provenance++];

	strcpy(p->path, path);
	strcpy(p->value, value);
	strcpy(p->confidence, "estimated");
	p->kind = kind;
	p->low = low;
	p->high = high;
}

/*
 * One CPU, half its time running at 10 W, half in C1 at 2 W; uncore energy as large as the cores'.
 * Running may be off by 12 %, C1 by 30 %, uncore by 20 %, so the cores by (10 * 12 + 2 * 30) / 12 =
 * 15 % and all by 17.5 %.
 */
static void test_band_is_weighted_with_energy(void **state)
{
	struct machine *m = calloc(1, sizeof(*m));
	struct result_cpu cpu = { .busy_ns = 1000 };
	struct run_result r = { .package_uj = 200,
		.cores_uj = 100,
		.nr_cpus = 1,
		.cpus = &cpu,
		.nr_idle = 1,
		.idle = { { .state = "C1", .time_ns = 1000 } } };
	struct run_result nothing = { 0 };
	struct workload w = { .recorded = false };

	m->core_active = (struct curve){ 1, { 1000 }, { 10000 } };
	m->idle_real[0].core_power = (struct curve){ 1, { 1000 }, { 2000 } };
	assert_true(energy_band(&r, m) == 0); /* no ranges */
	add(m, "power.core_active", PROVENANCE_CURVE, "1000:10000", 0.88, 1.1);
	add(m, "power.core_idle.C1.mw_by_khz", PROVENANCE_CURVE, "1000:2000", 0.9, 1.3);
	add(m, "power.floor_mw", PROVENANCE_NUMBER, "1000", 800, 1100);
	assert_float_equal(energy_band(&r, m), 0.175, 1e-9);
	assert_true(energy_band(&nothing, m) == 0);
	run_notes(&r, m, &w);
	assert_float_equal(r.energy_band, 0.175, 1e-9);
	assert_true(has_note(&r, "3 of whose 3 values are estimated"));
	free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_recordings),
		cmocka_unit_test(test_losses_are_told),
		cmocka_unit_test(test_one_cpu),
		cmocka_unit_test(test_generated_workloads_have_no_recorder),
		cmocka_unit_test(test_band_is_weighted_with_energy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
