// SPDX-License-Identifier: GPL-2.0-or-later
/* Two packages of two cores of two threads: CPUs 0..3 and 4..7, siblings are n and n ^ 1. */
#include "policy/registry.h"

#include "base/units.h"

#include "../cmocka_all.h"

static const struct {
	const char *name;
	int prev, waker;
	bool sync;
	const char *idle;    /* "1" per idle CPU, from CPU 0 */
	const char *allowed; /* NULL: everywhere */
	const char *running; /* runnable tasks per CPU */
	const char *off;     /* a switch that is off; "r": the policy recorded */
	int want;
	int recorded; /* 1 + recorded CPU */
} rows[] = {
	{ "prev idle", 0, 1, false, "10000000", NULL, "01111111", "", 0 },
	{ "prev idle, waker syncs alone: waker, but prev shares the cache", 0, 2, true, "10000000",
		NULL, "01111111", "", 0 },
	{ "waker syncs alone, prev in the other cache", 4, 0, true, "00001000", NULL, "11110111",
		"", 0 },
	{ "waker syncs alone, an idle CPU beside it", 4, 0, true, "01001000", NULL, "10110111", "",
		1 },
	{ "waker syncs but is not alone", 4, 0, true, "00001000", NULL, "21110111", "", 4 },
	{ "interrupt on an idle CPU, prev busy, same cache", 1, 2, false, "00100000", NULL,
		"11011111", "", 2 },
	{ "interrupt on an idle CPU, prev idle as well", 1, 2, false, "01100000", NULL, "10011111",
		"", 1 },
	{ "interrupt in the other package: prev stays", 1, 6, false, "01000010", NULL, "10111101",
		"", 1 },
	{ "a whole idle core before an idle thread", 0, 0, false, "01110000", NULL, "10001111", "",
		2 },
	{ "without smt-aware the next thread", 0, 0, false, "01110000", NULL, "10001111", "s", 1 },
	{ "no whole core idle: an idle thread", 0, 0, false, "00010000", NULL, "11101111", "", 3 },
	{ "search goes round", 3, 3, false, "01000000", NULL, "10111111", "", 1 },
	{ "the other cache's idle CPUs do not count", 0, 0, false, "00001111", NULL, "11110000", "",
		0 },
	{ "switch off: no search", 0, 0, false, "01110000", NULL, "10001111", "i", 0 },
	{ "switch off: waker of a sync wake-up", 1, 0, true, "00110000", NULL, "11001111", "i", 0 },
	{ "no idle CPU: less loaded waker", 1, 0, false, "00000000", NULL, "13111111", "", 0 },
	{ "no idle CPU: equal load stays", 1, 0, false, "00000000", NULL, "11111111", "", 1 },
	{ "no idle CPU: one task more does not pay", 1, 0, false, "00000000", NULL, "12111111", "",
		0 },
	{ "sync: the waker's own task does not count", 1, 0, true, "00000000", NULL, "22111111", "",
		0 },
	{ "waker not allowed", 1, 0, true, "00000000", "01111111", "11111111", "", 1 },
	{ "idle CPU not allowed", 0, 0, false, "01000000", "10111111", "10111111", "", 0 },
	{ "prev offline: an idle allowed one", 0, 0, false, "00000100", "00001111", "11111011", "",
		5 },
	{ "prev offline, none idle: first allowed", 0, 0, false, "00000000", "00001111", "11111111",
		"", 4 },
	{ "as recorded, on a busy CPU", 0, 0, false, "10000000", NULL, "01111111", "r", 5, 6 },
	{ "recorded where it is not allowed", 0, 0, false, "10000000", "11110000", "01111111", "r",
		0, 6 },
	{ "not known where it was recorded", 0, 0, false, "10000000", NULL, "01111111", "r", 0 },
};

static void fill(struct cpu_set_bits *set, const char *bits)
{
	*set = (struct cpu_set_bits){ 0 };
	for (int i = 0; bits[i]; i++)
		set->word[0] |= (uint64_t)(bits[i] - '0') << i;
}

static void test_rows(void **state)
{
	static const int llc[8] = { 0, 0, 0, 0, 1, 1, 1, 1 };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct cpu_set_bits allowed, idle, core = { 0 };
		struct sched_policy policy = *sched_policies[0];
		uint32_t running[8];
		struct placement p = { .prev_cpu = rows[i].prev,
			.waker_cpu = rows[i].waker,
			.sync = rows[i].sync,
			.nr_cpus = 8,
			.allowed = &allowed,
			.idle = &idle,
			.idle_core = &core,
			.llc = llc,
			.recorded_cpu = rows[i].recorded - 1,
			.nr_running = running };

		print_message("%s\n", rows[i].name);
		fill(&allowed, rows[i].allowed ? rows[i].allowed : "11111111");
		fill(&idle, rows[i].idle);
		for (int c = 0; c < 8; c++) {
			uint64_t both = 3ULL << (c & ~1);

			running[c] = (uint32_t)(rows[i].running[c] - '0');
			if ((idle.word[0] & both) == both)
				core.word[0] |= 1ULL << c;
		}
		policy.smt_aware = rows[i].off[0] != 's';
		policy.select_idle_sibling = rows[i].off[0] != 'i';
		if (rows[i].off[0] == 'r')
			policy = *sched_policies[1];
		assert_int_equal(policy.select_cpu(&policy, &p), rows[i].want);
	}
}

/* More CPUs than a word holds, a number that fills none. */
static void test_wide(void **state)
{
	static int llc[130];
	static uint32_t running[130];
	struct cpu_set_bits allowed = { { ~0ULL, ~0ULL, 3 } }, idle = { { 0 } }, core = { { 0 } };
	struct placement p = { .prev_cpu = 70,
		.waker_cpu = 70,
		.nr_cpus = 130,
		.allowed = &allowed,
		.idle = &idle,
		.idle_core = &core,
		.llc = llc,
		.nr_running = running };
	const struct sched_policy *policy = sched_policies[0];

	for (int c = 0; c < 130; c++) {
		if (c == 70)
			continue;
		idle = (struct cpu_set_bits){ { 0 } };
		idle.word[c / 64] = 1ULL << (c % 64);
		assert_int_equal(policy->select_cpu(policy, &p), c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_wide),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
