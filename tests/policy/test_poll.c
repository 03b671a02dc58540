// SPDX-License-Identifier: GPL-2.0-or-later
#include "policy/idle/poll.h"

#include "base/rng.h"
#include "base/units.h"

#include "../cmocka_all.h"

/* The kernel's loop as a loop, spin by spin: what poll_run works out without one. */
static void spin(const struct poll_input *in, struct poll_result *ret)
{
	int64_t clock = in->clock_read_ns, started = 0;
	int spins = 0;

	*ret = (struct poll_result){ 0 };
	started = clock;
	while (!in->resched_at_entry &&
		!(in->resched_after_ns >= 0 && clock >= in->resched_after_ns)) {
		clock += in->relax_ns;
		ret->relaxes++;
		if (spins++ < 200)
			continue;
		spins = 0;
		clock += in->clock_read_ns;
		if (clock - started > in->limit_ns) {
			ret->timed_out = true;
			break;
		}
	}
	ret->elapsed_ns = clock;
}

static void test_against_loop(void **state)
{
	uint64_t seed = 20261130;
	struct rng rng;

	rng_init(&rng, seed, 0);
	for (int i = 0; i < 20000; i++) {
		struct poll_input in = {
			.relax_ns = (int64_t)rng_below(&rng, 150),
			.clock_read_ns = (int64_t)rng_below(&rng, 40),
			.limit_ns = (int64_t)rng_below(&rng, i % 2 ? 100000 : 300),
			.resched_after_ns = (int64_t)rng_below(&rng, i % 3 ? 100000 : 300) - 1,
			.resched_at_entry = !rng_below(&rng, 50),
		};
		struct poll_result got, want;

		if (!in.relax_ns && !in.clock_read_ns)
			in.clock_read_ns = 1;
		/* Work that comes exactly at a look or a check. */
		if (i % 5 == 0)
			in.resched_after_ns =
				in.clock_read_ns +
				(int64_t)rng_below(&rng, 3) *
					(POLL_RELAXES_PER_LOOK * in.relax_ns + in.clock_read_ns) +
				(int64_t)rng_below(&rng, 3) * in.relax_ns;
		spin(&in, &want);
		poll_run(&in, &got);
		if (got.elapsed_ns != want.elapsed_ns || got.relaxes != want.relaxes ||
			got.timed_out != want.timed_out)
			fail_msg("seed %llu, poll %d: relax %lld clock %lld limit %lld work %lld: "
				 "%lld ns, %llu relaxes, %d; want %lld, %llu, %d",
				(unsigned long long)seed, i, (long long)in.relax_ns,
				(long long)in.clock_read_ns, (long long)in.limit_ns,
				(long long)in.resched_after_ns, (long long)got.elapsed_ns,
				(unsigned long long)got.relaxes, got.timed_out,
				(long long)want.elapsed_ns, (unsigned long long)want.relaxes,
				want.timed_out);
	}
}

static void test_endless(void **state)
{
	struct poll_input in = {
		.relax_ns = 30, .clock_read_ns = 20, .limit_ns = INT64_MAX, .resched_after_ns = -1
	};
	struct poll_result got;

	poll_run(&in, &got);
	assert_int_equal(got.elapsed_ns, INT64_MAX);
	assert_false(got.timed_out);
	in.resched_after_ns = 1000000000000;
	poll_run(&in, &got);
	assert_false(got.timed_out);
	assert_in_range(got.elapsed_ns, in.resched_after_ns, in.resched_after_ns + 50);
}

static const struct idle_driver guest = {
	.nr_states = 3,
	.tick_ns = 4000000,
	.states = { { "POLL", 0, 0, true }, { "C1", 2000, 30000, false },
		{ "C2", 5000, 600000, false } },
};

/* The limit stays in the device as the kernel keeps it; haltpoll's own goes first. */
static void test_device_limit(void **state)
{
	struct idle_device device = { 0 };

	assert_int_equal(poll_limit_device_ns(POLL_LIMIT_6_1, &guest, &device, 0), 30000);
	assert_int_equal(device.poll_limit_ns, 30000);
	assert_int_equal(poll_limit_device_ns(POLL_LIMIT_6_1, &guest, &device, 2), 30000);
	device.poll_limit_ns = 77;
	assert_int_equal(poll_limit_device_ns(POLL_LIMIT_6_1, &guest, &device, 0), 77);
	device.poll_limit_ns = 0;
	assert_int_equal(poll_limit_device_ns(POLL_LIMIT_TICK_16, &guest, &device, 0), 250000);
	assert_int_equal(device.poll_limit_ns, 0);
	assert_int_equal(poll_limit_device_ns(POLL_LIMIT_3OF8, &guest, &device, 0), 32000);
}

static const struct {
	const char *name;
	uint8_t timeouts;
	int chosen, want;
	uint32_t disabled;
	int64_t latency_ns;
} rows[] = {
	{ "no time-out", 0x00, 0, 0, 0, LATENCY_NO_LIMIT_NS },
	{ "two of eight", 0x81, 0, 0, 0, LATENCY_NO_LIMIT_NS },
	{ "three of eight", 0x91, 0, 1, 0, LATENCY_NO_LIMIT_NS },
	{ "all", 0xff, 0, 1, 0, LATENCY_NO_LIMIT_NS },
	{ "not polling anyway", 0xff, 2, 2, 0, LATENCY_NO_LIMIT_NS },
	{ "C1 disabled", 0xff, 0, 2, 2, LATENCY_NO_LIMIT_NS },
	{ "all disabled", 0xff, 0, 0, 6, LATENCY_NO_LIMIT_NS },
	{ "limit just met", 0x07, 0, 1, 0, 2000 },
	{ "limit forbids", 0x07, 0, 0, 0, 1999 },
};

static void test_3of8(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct idle_snapshot s = { .disable_mask = rows[i].disabled,
			.latency_req_ns = rows[i].latency_ns };
		struct idle_choice choice = { .state = rows[i].chosen };

		print_message("%s\n", rows[i].name);
		poll_3of8_select(rows[i].timeouts, &guest, &s, &choice);
		assert_int_equal(choice.state, rows[i].want);
		assert_false(choice.stop_tick);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_against_loop),
		cmocka_unit_test(test_endless),
		cmocka_unit_test(test_device_limit),
		cmocka_unit_test(test_3of8),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
