// SPDX-License-Identifier: GPL-2.0-or-later
/* Boosts without a machine: levels, the switch and its default, keys, the doubling rules. */
#include "policy/boost/hwp.h"
#include "policy/boost/hwp_default.h"
#include "policy/boost/iowait.h"
#include "policy/registry.h"

#include "base/units.h"

#include "../cmocka_all.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define REQUEST(min, max) ((max) << 8 | (min) | 0x80000000ULL)
#define CAPABILITIES(p1, p0) ((p1) << 8 | (p0) | 0x01080000ULL)

enum { LEVELS_MAX = 4 };

/* P0 is what the request allows. */
static const struct {
	const char *name;
	uint32_t min, p1, p0;
	uint32_t levels[LEVELS_MAX]; /* written one after the other; 0: no write */
} levels[] = {
	{ "P0 = P1 = min", 20, 20, 20, { 0 } },
	{ "P0 > P1 = min", 20, 20, 39, { 39, 0 } },
	{ "P0 = P1 > min", 8, 35, 35, { 21, 35, 0 } },
	{ "P0 > P1 > min", 8, 35, 39, { 21, 35, 39, 0 } },
	{ "max below P1: a minimum above it is written", 8, 35, 20, { 21, 0 } },
	{ "min above P1: nothing is written", 37, 35, 39, { 0 } },
};

static void test_levels(void **state)
{
	int failed = 0;

	for (size_t i = 0; i < ARRAY_LEN(levels); i++) {
		struct hwp_boost_input in = { .request = REQUEST(levels[i].min, levels[i].p0),
			.capabilities = CAPABILITIES(levels[i].p1, 45),
			.hold_ns = HWP_BOOST_HOLD_NS,
			.window_ns = 8000000 };
		struct hwp_boost b = { .last_io_ns = 1 };

		for (int n = 0; n < LEVELS_MAX; n++) {
			uint64_t request = 0;
			bool write;

			in.now_ns += 1000000;
			write = hwp_boost_update(&b, &in, HWP_BOOST_IO, true, &request);
			if (write != (levels[i].levels[n] > 0) ||
				hwp_min(request) != levels[i].levels[n] ||
				(write && request >> 8 != in.request >> 8)) {
				print_error("%s, %d: wrote %#llx\n", levels[i].name, n,
					(unsigned long long)request);
				failed++;
			}
			if (!levels[i].levels[n])
				break;
		}
	}
	assert_int_equal(failed, 0);
}

static const struct {
	const char *name;
	struct hwp_boost_facts facts;
	bool exists, on;
} defaults[] = {
	{ "E3-1240 v5 server, 4.17", { KERNEL(4, 17), true, 6, 0x5e, true, 4 }, false, false },
	{ "E3-1240 v5 server, 4.18", { KERNEL(4, 18), true, 6, 0x5e, true, 4 }, true, true },
	{ "i5-6600K desktop, 4.18", { KERNEL(4, 18), true, 6, 0x5e, true, 1 }, true, true },
	{ "i5-6600K desktop, 4.19", { KERNEL(4, 19), true, 6, 0x5e, true, 1 }, true, false },
	{ "E3-1240 v5 server, 4.19", { KERNEL(4, 19), true, 6, 0x5e, true, 4 }, true, true },
	{ "performance server, 6.1", { KERNEL(6, 1), true, 6, 0x5e, true, 7 }, true, true },
	{ "SOHO server, 6.1", { KERNEL(6, 1), true, 6, 0x5e, true, 5 }, true, false },
	{ "8170M server, 6.1", { KERNEL(6, 1), true, 6, 0x55, true, 4 }, true, true },
	{ "8460H server, 6.1", { KERNEL(6, 1), true, 6, 0x8f, true, 4 }, true, false },
	{ "8460H server, 6.3", { KERNEL(6, 3), true, 6, 0x8f, true, 4 }, true, false },
	{ "8460H server, 6.4", { KERNEL(6, 4), true, 6, 0x8f, true, 4 }, true, true },
	{ "E-2278G server, 6.12", { KERNEL(6, 12), true, 6, 0x9e, true, 4 }, true, true },
	{ "1260P mobile, 6.12", { KERNEL(6, 12), true, 6, 0x9a, true, 2 }, true, false },
	{ "HWP off", { KERNEL(6, 12), true, 6, 0x55, false, 4 }, false, false },
	{ "AMD server", { KERNEL(6, 12), false, 25, 0x11, false, 4 }, false, false },
};

static void test_defaults(void **state)
{
	int failed = 0;

	for (size_t i = 0; i < ARRAY_LEN(defaults); i++) {
		if (hwp_boost_exists(&defaults[i].facts) == defaults[i].exists &&
			hwp_boost_default(&defaults[i].facts) == defaults[i].on)
			continue;
		print_error("%s\n", defaults[i].name);
		failed++;
	}
	assert_int_equal(failed, 0);
}

static const struct {
	const char *text;
	int want; /* -1: refused */
} writes[] = { { "0", 0 }, { "1", 1 }, { "2", 1 }, { "4294967295", 1 }, { "+1\n", 1 }, { "00", 0 },
	{ "4294967296", -1 }, { "-1", -1 }, { "", -1 }, { "\n", -1 }, { "on", -1 }, { "1 ", -1 },
	{ "1\n\n", -1 }, { "0x1", -1 }, { "1.0", -1 }, { "99999999999999999999999", -1 } };

static void test_writes(void **state)
{
	int failed = 0;

	for (size_t i = 0; i < ARRAY_LEN(writes); i++) {
		bool on = writes[i].want != 1;
		int r = hwp_boost_parse(writes[i].text, &on);

		if (writes[i].want < 0 ? r == -EINVAL : !r && on == writes[i].want)
			continue;
		print_error("'%s': %d, %d\n", writes[i].text, r, on);
		failed++;
	}
	assert_int_equal(failed, 0);
}

static const struct {
	const char *boost, *key, *value;
	int want;
} keys[] = {
	{ "hwp-dynamic", "hold", "3ms", 0 },
	{ "hwp-dynamic", "hold", "0", 0 },
	{ "hwp-dynamic", "hold", "3 ms", -EINVAL },
	{ "hwp-dynamic", "hold", "", -EINVAL },
	{ "hwp-dynamic", "hold", "1001ms", -EINVAL },
	{ "hwp-dynamic", "hold", "-1", -EINVAL },
	{ "hwp-dynamic", "window", "500us", 0 },
	{ "hwp-dynamic", "window", "0", -EINVAL },
	{ "hwp-dynamic", "rule", "schedutil", -ENOENT },
	{ "migrate", "hold", "20000ns", 0 },
	{ "idle-placement", "window", "1s", -EINVAL },
	{ "iowait", "rule", "intel_pstate", 0 },
	{ "iowait", "rule", "kernel", -EINVAL },
	{ "iowait", "rate_limit_us", "500", 0 },
	{ "iowait", "rate_limit_us", "x", -EINVAL },
	{ "iowait", "hold", "1", -ENOENT },
};

static void test_keys(void **state)
{
	int failed = 0;

	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		struct policy p;
		void *scratch;
		int r;

		policy_defaults(&p);
		assert_int_equal(policy_set(&p, "boost", keys[i].boost, NULL), 0);
		scratch = calloc(1, p.boost->state_size);
		assert_non_null(scratch);
		r = p.boost->tune(scratch, keys[i].key, keys[i].value);
		free(scratch);
		if (r == keys[i].want)
			continue;
		print_error("%s: %s=%s: %d\n", keys[i].boost, keys[i].key, keys[i].value, r);
		failed++;
	}
	assert_int_equal(failed, 0);
}

enum { TICK_NS = 4000000 };

/* One call each; for schedutil, apply says whether the frequency is computed then. */
static const struct {
	const char *name;
	int64_t at_us;
	bool io, apply;
	uint32_t schedutil, intel_pstate;
} calls[] = {
	{ "one wake-up", 10000, true, false, 128, 128 },
	{ "doubles once between two updates", 10100, true, false, 128, 256 },
	{ "the update keeps it", 10200, false, true, 128, 128 },
	{ "the next one halves it", 10300, false, true, 0, 64 },
	{ "from the start", 10400, true, true, 128, 128 },
	{ "doubles", 10500, true, true, 256, 256 },
	{ "doubles", 10600, true, true, 512, 512 },
	{ "full", 10700, true, true, 1024, 1024 },
	{ "no more than full", 10800, true, true, 1024, 1024 },
	{ "a pause of a tick is none", 14800, false, true, 512, 512 },
	{ "a longer one with I/O", 18801, true, true, 128, 128 },
	{ "a longer one without", 22802, false, true, 0, 0 },
};

static void test_iowait(void **state)
{
	struct iowait_boost s = { 0 }, p = { 0 };
	int failed = 0;

	for (size_t i = 0; i < ARRAY_LEN(calls); i++) {
		int64_t now = calls[i].at_us * NSEC_PER_USEC;
		uint32_t got;

		iowait_schedutil(&s, now, TICK_NS, calls[i].io);
		got = calls[i].apply ? iowait_schedutil_apply(&s, now, TICK_NS) : s.boost;
		iowait_intel_pstate(&p, now, TICK_NS, calls[i].io);
		if (got == calls[i].schedutil && p.boost == calls[i].intel_pstate)
			continue;
		print_error("%s: schedutil %u, want %u, intel_pstate %u, want %u\n", calls[i].name,
			got, calls[i].schedutil, p.boost, calls[i].intel_pstate);
		failed++;
	}
	assert_int_equal(failed, 0);
}

/* The request's minimum that boost=iowait writes at its floors. */
static void test_iowait_floor(void **state)
{
	static const uint32_t want[] = { 8, 12, 24, 39 };
	const struct freq_snapshot snapshot = { .tick_ns = TICK_NS };
	struct policy p;
	void *scratch;

	policy_defaults(&p);
	assert_int_equal(policy_set(&p, "boost", "iowait", NULL), 0);
	scratch = calloc(1, p.boost->state_size);
	assert_non_null(scratch);
	for (size_t i = 0; i < ARRAY_LEN(want); i++) {
		struct util_event event = { .now_ns = (int64_t)(100 + 2 * i) * NSEC_PER_MSEC,
			.flags = UTIL_IOWAIT };
		struct freq_actions actions = { 0 };

		p.boost->on_util(
			scratch, &event, &snapshot, REQUEST(8, 39), CAPABILITIES(35, 39), &actions);
		assert_int_equal(actions.nr, 1);
		assert_int_equal(hwp_min(actions.list[0].value), want[i]);
	}
	free(scratch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_levels),
		cmocka_unit_test(test_defaults),
		cmocka_unit_test(test_writes),
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_iowait),
		cmocka_unit_test(test_iowait_floor),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
