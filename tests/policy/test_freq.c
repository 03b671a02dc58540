// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Frequency governors on small sequences that can be worked out by hand, their tunables, and the
 * step from a frequency to a P-state. (tests/vectors and tests/diff compare them with the
 * kernel's.)
 */
#include "../cmocka_all.h"

#include "base/units.h"
#include "policy/freq/resolve.h"
#include "policy/freq/tunables.h"
#include "policy/registry.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const uint32_t pstates[] = { 800000, 1000000, 1500000, 2000000, 3000000 };

static const struct driver_info table = { .khz = pstates, .nr_khz = ARRAY_LEN(pstates) };

static const struct {
	const char *name;
	uint32_t khz, min, max;
	unsigned relation;
	uint32_t want;
} resolves[] = {
	{ "is one", 1500000, 800000, 3000000, FREQ_AT_LEAST, 1500000 },
	{ "next above", 1500001, 800000, 3000000, FREQ_AT_LEAST, 2000000 },
	{ "next below", 1999999, 800000, 3000000, FREQ_AT_MOST, 1500000 },
	{ "closest below", 1740000, 800000, 3000000, FREQ_CLOSEST, 1500000 },
	{ "halfway is below", 1750000, 800000, 3000000, FREQ_CLOSEST, 1500000 },
	{ "closest above", 1760000, 800000, 3000000, FREQ_CLOSEST, 2000000 },
	{ "efficient", 1760000, 800000, 3000000, FREQ_CLOSEST | FREQ_EFFICIENT, 2000000 },
	{ "below all", 100000, 100000, 3000000, FREQ_AT_MOST, 800000 },
	{ "above all", 9000000, 800000, 9000000, FREQ_AT_LEAST, 3000000 },
	{ "limit first", 3000000, 800000, 1600000, FREQ_AT_LEAST, 2000000 },
	{ "limit first, down", 3000000, 800000, 1600000, FREQ_AT_MOST, 1500000 },
	{ "lower limit", 800000, 1400000, 3000000, FREQ_AT_LEAST, 1500000 },
	{ "limits crossed", 800000, 3000000, 1000000, FREQ_AT_LEAST, 1000000 },
};

static void test_resolve(void **state)
{
	const struct driver_info none = { 0 };
	int failed = 0;

	for (size_t i = 0; i < ARRAY_LEN(resolves); i++) {
		uint32_t got = freq_resolve(&table, resolves[i].khz, resolves[i].min,
			resolves[i].max, resolves[i].relation);

		if (got != resolves[i].want) {
			print_error(
				"%s: %u, expected %u\n", resolves[i].name, got, resolves[i].want);
			failed++;
		}
	}
	assert_int_equal(failed, 0);
	assert_int_equal(freq_resolve(&none, 1234567, 800000, 3000000, FREQ_AT_LEAST), 1234567);
	assert_int_equal(freq_resolve(&none, 1234567, 800000, 1000000, FREQ_AT_MOST), 1000000);
}

/* One policy under test. */
struct unit {
	const struct freq_governor *governor;
	_Alignas(max_align_t) char state[1024];
	struct freq_snapshot s;
	struct cpu_load loads[2];
	struct freq_actions actions;
};

static void unit_init(struct unit *u, const char *name)
{
	struct error err;

	memset(u, 0, sizeof(*u));
	assert_int_equal(freq_governor_find(name, &u->governor, &err), 0);
	u->s = (struct freq_snapshot){ .tick_ns = 4000000,
		.cur_khz = 800000,
		.min_khz = 800000,
		.max_khz = 3000000,
		.cpuinfo_min_khz = 800000,
		.cpuinfo_max_khz = 3000000,
		.nr_cpus = 1,
		.cpus = u->loads,
		.invariant = true,
		.efficient_idle = true,
		.driver = table };
	u->loads[0].capacity = u->loads[1].capacity = 1024;
	assert_true(u->governor->state_size + 2 * u->governor->cpu_state_size < sizeof(u->state));
	if (u->governor->init)
		u->governor->init(u->governor, u->state, &u->s);
}

static void unit_start(struct unit *u)
{
	if (u->governor->start)
		u->governor->start(u->state, &u->s, &u->actions);
	if (u->governor->limits)
		u->governor->limits(u->state, &u->s, &u->actions);
	u->actions.nr = 0;
}

/* A sample after ms of which idle_ms were idle; what is asked for, 0: nothing. */
static uint32_t sample(struct unit *u, int ms, int idle_ms)
{
	struct util_event event = { 0 };

	u->s.now_ns += ms * (int64_t)NSEC_PER_MSEC;
	u->loads[0].wall_ns = (uint64_t)u->s.now_ns;
	u->loads[0].idle_ns += (uint64_t)idle_ms * NSEC_PER_MSEC;
	event.now_ns = u->s.now_ns;
	u->actions.nr = 0;
	u->governor->on_util(u->state, &event, &u->s, &u->actions);
	assert_int_equal(u->actions.nr, 1);
	assert_int_equal(u->actions.list[0].kind, FREQ_QUEUE_IRQ_WORK);
	u->actions.nr = 0;
	u->governor->work(u->state, &u->s, &u->actions);
	if (!u->actions.nr)
		return 0;
	u->s.cur_khz = freq_resolve(&u->s.driver, (uint32_t)u->actions.list[0].value, u->s.min_khz,
		u->s.max_khz, u->actions.list[0].relation);
	return (uint32_t)u->actions.list[0].value;
}

static void test_ondemand(void **state)
{
	struct unit u;

	unit_init(&u, "ondemand");
	assert_int_equal(u.governor->tune(u.state, "sampling_rate", "10000"), 0);
	unit_start(&u);
	/* 50 %: half the way from 800 MHz to 3 GHz; 96 % is above the threshold, 95 % is not. */
	assert_int_equal(sample(&u, 100, 50), 1900000);
	assert_int_equal(sample(&u, 100, 4), 3000000);
	assert_int_equal(sample(&u, 100, 2), 0); /* there already */
	assert_int_equal(sample(&u, 100, 5), 800000 + 95 * 22000);
	/* Idle for more than two samples: once the load of before, then what it is. */
	assert_int_equal(sample(&u, 100, 100), 800000 + 95 * 22000);
	assert_int_equal(sample(&u, 100, 100), 800000);
}

static void test_powersave_bias(void **state)
{
	struct unit u;

	unit_init(&u, "ondemand");
	assert_int_equal(u.governor->tune(u.state, "sampling_rate", "10000"), 0);
	assert_int_equal(u.governor->tune(u.state, "powersave_bias", "100"), 0);
	unit_start(&u);
	u.s.driver.nr_khz = 0; /* without a table there is nothing between */
	assert_int_equal(sample(&u, 10, 5), 1900000);
	u.s.driver = table;
	/* 1900 is at least 2000; less a tenth 1800: 60 % of it 2000. */
	assert_int_equal(sample(&u, 10, 5), 2000000);
	assert_int_equal(sample(&u, 6, 3), 1500000);
	assert_int_equal(sample(&u, 4, 2), 2000000);
}

static void test_conservative(void **state)
{
	struct unit u;

	unit_init(&u, "conservative");
	u.s.driver.nr_khz = 0;
	assert_int_equal(u.governor->tune(u.state, "sampling_rate", "100000"), 0);
	unit_start(&u);
	/* Steps of 5 % of 3 GHz. */
	assert_int_equal(sample(&u, 100, 0), 950000);
	assert_int_equal(sample(&u, 100, 19), 1100000);
	assert_int_equal(sample(&u, 100, 20), 0); /* 80 % is not above */
	assert_int_equal(sample(&u, 100, 80), 0); /* 20 % is not below */
	assert_int_equal(sample(&u, 100, 81), 950000);
	/* Two steps up; after three samples asleep three down at once, as far as there is room. */
	sample(&u, 100, 0);
	assert_int_equal(sample(&u, 100, 0), 1250000);
	assert_int_equal(sample(&u, 300, 300), 950000);
}

static uint32_t update(struct unit *u, int64_t after_ns, uint32_t util, bool io, bool idled)
{
	struct util_event event = { .flags = io ? UTIL_IOWAIT : 0 };

	u->s.now_ns += after_ns;
	event.now_ns = u->s.now_ns;
	u->loads[0].util = util;
	u->loads[0].idle_calls += idled;
	u->actions.nr = 0;
	u->governor->on_util(u->state, &event, &u->s, &u->actions);
	return u->actions.nr ? (uint32_t)u->actions.list[0].value : 0;
}

static void test_schedutil(void **state)
{
	struct unit u;

	unit_init(&u, "schedutil");
	u.s.driver.nr_khz = 0;
	u.s.driver.fast_switch = true;
	u.s.now_ns = NSEC_PER_SEC;
	unit_start(&u);
	/* 1.25 * 3 GHz * 256 / 1024 */
	assert_int_equal(update(&u, 1000, 256, false, true), 937500);
	assert_int_equal(update(&u, 999000, 512, false, true), 0); /* too early by 1 us */
	assert_int_equal(update(&u, 1000, 512, false, true), 1875000);
	assert_int_equal(update(&u, 1000000, 400, false, false), 0); /* busy: not lowered */
	assert_int_equal(update(&u, 1000000, 400, false, true), 1464843);
	assert_int_equal(update(&u, 1000000, 900, false, true), 3000000); /* the limit */
	/* From I/O wait: 1/8, 1/4, 1/2 of capacity; then halves again. */
	assert_int_equal(update(&u, 1000000, 0, true, true), 800000);
	assert_int_equal(update(&u, 1000000, 0, true, true), 937500);
	assert_int_equal(update(&u, 1000000, 0, true, true), 1875000);
	assert_int_equal(update(&u, 1000000, 0, false, true), 937500);
	/* More than a tick later it begins anew. */
	assert_int_equal(update(&u, 4000001, 0, true, true), 800000);
}

static void test_userspace(void **state)
{
	struct unit u;

	unit_init(&u, "userspace");
	assert_int_equal(u.governor->tune(u.state, "scaling_setspeed", "1700000"), 0);
	u.governor->start(u.state, &u.s, &u.actions);
	u.governor->limits(u.state, &u.s, &u.actions);
	assert_int_equal(u.actions.list[0].value, 1700000);
	u.s.max_khz = 1500000;
	u.actions.nr = 0;
	u.governor->limits(u.state, &u.s, &u.actions);
	assert_int_equal(u.actions.list[0].value, 1500000);
	assert_int_equal(u.actions.list[0].relation, FREQ_AT_MOST);
}

static const struct {
	const char *governor, *key, *value;
	int want;
} tunes[] = {
	{ "ondemand", "up_threshold", "0", -EINVAL },
	{ "ondemand", "up_threshold", "101", -EINVAL },
	{ "ondemand", "up_threshold", "80%", -EINVAL },
	{ "ondemand", "up_threshold", "", -EINVAL },
	{ "ondemand", "sampling_rate", "7999", -EINVAL },
	{ "ondemand", "sampling_rate", "8000", 0 },
	{ "ondemand", "sampling_rate", "4294967296", -EINVAL },
	{ "ondemand", "powersave_bias", "4294967295", 0 },
	{ "ondemand", "down_threshold", "20", -ENOENT },
	{ "conservative", "io_is_busy", "1", -ENOENT },
	{ "conservative", "down_threshold", "80", -EINVAL },
	{ "conservative", "up_threshold", "20", -EINVAL },
	{ "conservative", "sampling_down_factor", "11", -EINVAL },
	{ "schedutil", "rate_limit_us", "-1", -EINVAL },
	{ "schedutil", "rate_limit_us", "0", 0 },
	{ "schedutil", "up_threshold", "80", -ENOENT },
	{ "userspace", "scaling_setspeed", "0", -EINVAL },
};

static void test_tunables(void **state)
{
	struct unit u;
	int failed = 0;

	for (size_t i = 0; i < ARRAY_LEN(tunes); i++) {
		int r;

		unit_init(&u, tunes[i].governor);
		r = u.governor->tune(u.state, tunes[i].key, tunes[i].value);
		if (r != tunes[i].want) {
			print_error("%s: %s=%s: %d, expected %d\n", tunes[i].governor, tunes[i].key,
				tunes[i].value, r, tunes[i].want);
			failed++;
		}
	}
	assert_int_equal(failed, 0);
	/* What users are told of is there. */
	for (const struct freq_tunable *t = freq_tunables; t->name; t++) {
		unit_init(&u, t->governor);
		assert_int_not_equal(u.governor->tune(u.state, t->name, "1"), -ENOENT);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_resolve),
		cmocka_unit_test(test_ondemand),
		cmocka_unit_test(test_powersave_bias),
		cmocka_unit_test(test_conservative),
		cmocka_unit_test(test_schedutil),
		cmocka_unit_test(test_userspace),
		cmocka_unit_test(test_tunables),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
