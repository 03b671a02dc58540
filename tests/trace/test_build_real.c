// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A real recording, of a guest whose CPU 1 does not record what its idle task does: the figures are
 * those that the recording's text gives when counted by hand (grep), or follow from them.
 */
#include "../cmocka_all.h"
#include "build_kept.h"

#include <string.h>

struct seen {
	struct kept kept;
	struct build_stats stats;
	struct workload_truth truth;
	uint64_t switches, wakings, forks, issues;
};

static void import(const char *path, struct seen *ret)
{
	static const struct build_options options = { .khz = 1000000 };
	struct op_sink sink = kept_sink(&ret->kept);
	struct trace_reader *r;
	struct builder *b;
	struct event ev;
	struct error err;

	assert_int_equal(trace_open(path, &r, &err), 0);
	assert_int_equal(builder_new_sink(&options, &sink, &b, &err), 0);
	while (trace_next(r, &ev, &err) > 0) {
		assert_int_equal(builder_event(b, &ev, &err), 0);
		ret->switches += ev.kind == EV_SWITCH;
		ret->wakings += ev.kind == EV_WAKING;
		ret->forks += ev.kind == EV_FORK;
		ret->issues += ev.kind == EV_BLOCK_ISSUE;
	}
	ret->stats = *builder_stats(b);
	assert_int_equal(builder_finish(b, trace_info(r), &ret->truth, &err), 0);
	trace_close(r);
}

static uint64_t ops_of(const struct kept *k, enum op_kind kind)
{
	uint64_t nr = 0;

	for (int i = 0; i < k->nr; i++)
		for (size_t n = 0; n < k->programs[i].nr; n++)
			nr += k->programs[i].ops[n].kind == kind;
	return nr;
}

static void test_real(void **state)
{
	struct seen s = { 0 };
	uint64_t waits = 0;

	import(DATA_DIR "/v6.dat", &s);
	for (int i = 0; i < OP_KINDS; i++)
		waits += s.stats.waits[i];
	assert_int_equal(s.stats.switches, s.switches);
	assert_int_equal(ops_of(&s.kept, OP_FORK), s.forks);
	/* Each waking ends a wait; a few tasks were awake, or began in the window. */
	assert_in_range(waits + s.stats.raced + s.stats.woken_twice, s.wakings - 2, s.wakings + 2);
	assert_true(s.stats.waits_unknown == 0);
	/* CPU 1's idle task is never seen to give way, CPU 0's always. */
	assert_true(s.stats.switches_inferred > 100);
	assert_true(s.stats.idle_inferred > 100);
	assert_true(s.stats.idle_periods - s.stats.idle_inferred > 100);
	assert_int_equal(s.truth.nr_cpus, 2);
	kept_release(&s.kept);
}

/* The containers and the text hold the same recording: the same workload comes out. */
static void test_same(void **state)
{
	static const char *const others[] = { "v7.dat", "v7-zstd.dat" };
	struct seen one = { 0 };

	import(DATA_DIR "/v6.dat", &one);
	for (size_t i = 0; i < ARRAY_LEN(others); i++) {
		struct seen other = { 0 };
		char path[512];

		print_message("%s\n", others[i]);
		snprintf(path, sizeof(path), "%s/%s", DATA_DIR, others[i]);
		import(path, &other);
		assert_memory_equal(&one.stats, &other.stats, sizeof(one.stats));
		assert_int_equal(one.kept.nr, other.kept.nr);
		for (int t = 0; t < one.kept.nr; t++) {
			struct program *a = &one.kept.programs[t], *b = &other.kept.programs[t];

			assert_int_equal(a->nr, b->nr);
			if (a->nr)
				assert_memory_equal(a->ops, b->ops, a->nr * sizeof(*a->ops));
		}
		kept_release(&other.kept);
	}
	kept_release(&one.kept);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_real),
		cmocka_unit_test(test_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
