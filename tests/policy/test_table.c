// SPDX-License-Identifier: GPL-2.0-or-later
/* The P-state table driver on a made-up set of registers. */
#include "policy/registry.h"

#include "base/units.h"
#include "policy/driver/registers.h"

#include "../cmocka_all.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct registers {
	uint64_t info, turbo, ctl;
	bool no_turbo;
};

static int rdmsr(void *ctx, int64_t *now_ns, int cpu, uint32_t reg, uint64_t *value)
{
	struct registers *r = ctx;

	*now_ns += 100;
	if (reg == MSR_PLATFORM_INFO)
		*value = r->info;
	else if (reg == MSR_TURBO_RATIO_LIMIT && !r->no_turbo)
		*value = r->turbo;
	else
		return -EIO;
	return 0;
}

static int wrmsr(void *ctx, int64_t *now_ns, int cpu, uint32_t reg, uint64_t value)
{
	struct registers *r = ctx;

	*now_ns += 100;
	if (reg != MSR_IA32_PERF_CTL)
		return -EIO;
	r->ctl = value;
	return 0;
}

static const struct driver *find(const char *name)
{
	struct policy policy;

	policy_defaults(&policy);
	assert_int_equal(policy_set(&policy, "driver", name, NULL), 0);
	return policy.driver;
}

static const int cpu_0[] = { 0 };

static const struct {
	const char *name;
	uint32_t khz;
	enum freq_relation relation;
	uint32_t min_khz, max_khz;
	uint32_t want_khz;
} rows[] = {
	{ "on a step", 2000000, FREQ_AT_LEAST, 1600000, 3800000, 2000000 },
	{ "up", 2000001, FREQ_AT_LEAST, 1600000, 3800000, 2100000 },
	{ "down", 2099999, FREQ_AT_MOST, 1600000, 3800000, 2000000 },
	{ "closest, down", 2049999, FREQ_CLOSEST, 1600000, 3800000, 2000000 },
	{ "closest, up", 2050000, FREQ_CLOSEST, 1600000, 3800000, 2100000 },
	{ "above the limit", 3800000, FREQ_AT_MOST, 1600000, 2500000, 2500000 },
	{ "below the limit", 1600000, FREQ_AT_LEAST, 2000000, 3800000, 2000000 },
	{ "limits between steps", 3800000, FREQ_AT_MOST, 2040000, 2150000, 2100000 },
	{ "below the table", 800000, FREQ_AT_LEAST, 0, 5000000, 1600000 },
	{ "above the table", 5000000, FREQ_AT_MOST, 0, 5000000, 3800000 },
};

static void test_target(void **state)
{
	struct registers r = { .info = 34ULL << 8 | 16ULL << 40, .turbo = 0x23242526 };
	struct hardware hw = { .ctx = &r, .rdmsr = rdmsr, .wrmsr = wrmsr };
	const struct driver *d = find("table");
	struct driver_unit u = { .driver = d,
		.hw = &hw,
		.state = calloc(1, d->state_size),
		.nr_cpus = 1,
		.cpus = cpu_0 };
	struct driver_offer offer = { 0 };
	int64_t now = 0;

	assert_int_equal(d->init(&u, &now, &offer), 0);
	assert_int_equal(offer.range.min_khz, 1600000);
	assert_int_equal(offer.range.max_khz, 3800000);
	assert_int_equal(now, 200);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct freq_limits limits = { rows[i].min_khz, rows[i].max_khz };
		uint32_t khz = 0;

		print_message("%s\n", rows[i].name);
		assert_int_equal(
			d->target(&u, &now, rows[i].khz, rows[i].relation, &limits, &khz), 0);
		assert_int_equal(khz, rows[i].want_khz);
		assert_int_equal(r.ctl, (uint64_t)rows[i].want_khz / 100000 << 8);
	}
	free(u.state);
}

static void test_init(void **state)
{
	struct registers r = { .info = 34ULL << 8 | 16ULL << 40, .no_turbo = true };
	struct hardware hw = { .ctx = &r, .rdmsr = rdmsr, .wrmsr = wrmsr };
	const struct driver *d = find("table"), *none = find("none");
	struct driver_unit u = { .driver = d,
		.hw = &hw,
		.state = calloc(1, d->state_size),
		.nr_cpus = 1,
		.cpus = cpu_0 };
	struct driver_offer offer = { 0 }, nothing = { 0 };
	int64_t now = 0;

	assert_int_equal(d->init(&u, &now, &offer), 0);
	assert_int_equal(offer.range.max_khz, 3400000);
	r.info = 0;
	assert_int_equal(d->init(&u, &now, &offer), -ENODEV);
	now = 0;
	assert_int_equal(none->init(&u, &now, &nothing), 0);
	assert_int_equal(nothing.range.max_khz, 0);
	assert_null(none->target);
	assert_int_equal(now, 0);
	free(u.state);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_target),
		cmocka_unit_test(test_init),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
