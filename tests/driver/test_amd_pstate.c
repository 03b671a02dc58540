// SPDX-License-Identifier: GPL-2.0-or-later
/* amd-pstate against logs written by hand, on an EPYC 9354's performance levels. */
#include "record.h"

#include <errno.h>
#include <string.h>

static void epyc(struct record *r, const char *status)
{
	record_init(r, &driver_amd_pstate);
	r->platform = (struct platform){ .vendor = VENDOR_AMD,
		.family = 25,
		.model = 17,
		.turbo = true,
		.cppc = true,
		.cpc = { 255, 218, 154, 27, 3251, 400 } };
	for (int cpu = 0; cpu < 2; cpu++) {
		record_set(r, cpu, MSR_AMD_PERF_CTL, 1);
		record_set(r, cpu, MSR_K7_HWCR, 0x9000011);
		record_set(r, cpu, MSR_AMD_CPPC_CAP1, 0xffda9a1b);
		record_set(r, cpu, MSR_AMD_CPPC_ENABLE, 0);
		record_set(r, cpu, MSR_AMD_CPPC_REQ, 0x80001bff);
	}
	driver_tune(r, "status", status);
	driver_load(r);
	record_expect(r, "load", "0 wr c00102b1 1\n");
}

static void test_active(void **state)
{
	struct record r;

	epyc(&r, "active");
	driver_init(&r, 0);
	record_expect(&r, "init",
		"0 wr c0010062 0\n"	     /* the highest P-state */
		"0 rd c00102b0 ffda9a1b\n"   /* performance levels */
		"0 rd c0010015 9000011\n"    /* is boost on */
		"0 rd c00102b3 80001bff\n"   /* firmware's EPP */
		"0 rd c00102b3 80001bff\n"   /* firmware's request */
		"0 rd c00102b0 ffda9a1b\n"); /* and the levels again */
	assert_true(r.offers[0].own_policies);
	assert_int_equal(r.offers[0].range.min_khz, 400000);
	assert_int_equal(r.offers[0].range.max_khz, 3800000);
	driver_set_policy(&r, 0, DRIVER_POWERSAVE);
	record_expect(&r, "powersave", "0 wr c00102b3 80001bff\n");
	driver_set_policy(&r, 0, DRIVER_PERFORMANCE);
	record_expect(&r, "performance", "0 wr c00102b3 ffff\n");
	r.user = (struct freq_limits){ 1000000, 2000000 };
	driver_set_policy(&r, 0, DRIVER_PERFORMANCE);
	record_expect(&r, "limits, rounded down", "0 wr c00102b3 8686\n");
	driver_set_policy(&r, 0, DRIVER_POWERSAVE);
	record_expect(&r, "EPP stays 0 until somebody sets it", "0 wr c00102b3 4386\n");
	assert_int_equal(r.driver->offline(&r.units[0], &r.now_ns), 0);
	record_expect(&r, "offline", "0 wr c00102b3 1b1b\n");
	assert_int_equal(r.driver->online(&r.units[0], &r.now_ns), 0);
	record_expect(&r, "online", "0 wr c00102b3 4386\n");
	driver_set_policy(&r, 0, DRIVER_POWERSAVE);
	record_expect(&r, "and its policy", "0 wr c00102b3 4386\n");
	record_release(&r);
}

static void test_preferences(void **state)
{
	static const struct {
		const char *value, *want;
	} rows[] = {
		{ "performance", "0 wr c00102b3 80001bff\n0 wr c00102b3 1bff\n" },
		{ "balance_performance", "0 wr c00102b3 80001bff\n0 wr c00102b3 80001bff\n" },
		{ "balance_power", "0 wr c00102b3 80001bff\n0 wr c00102b3 bf001bff\n" },
		{ "power", "0 wr c00102b3 80001bff\n0 wr c00102b3 ff001bff\n" },
		{ "default", "0 wr c00102b3 80001bff\n0 wr c00102b3 80001bff\n" },
	};
	struct freq_limits limits = { 400000, 3800000 };
	struct record r;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		epyc(&r, "active");
		driver_tune(&r, "epp", rows[i].value);
		driver_init(&r, 0);
		r.log[r.len = 0] = 0;
		driver_set_policy(&r, 0, DRIVER_POWERSAVE);
		record_expect(&r, rows[i].value, rows[i].want);
		record_release(&r);
	}
	epyc(&r, "active");
	assert_int_equal(r.driver->tune(r.shared, "epp", "42"), -EINVAL);
	driver_tune(&r, "epp", "power");
	driver_init(&r, 0);
	driver_limits(&r, 0);
	assert_int_equal(
		r.driver->set_policy(&r.units[0], &r.now_ns, DRIVER_PERFORMANCE, &limits), -EBUSY);
	record_release(&r);
}

static void test_passive(void **state)
{
	struct record r;

	epyc(&r, "passive");
	driver_init(&r, 0);
	record_expect(
		&r, "init", "0 wr c0010062 0\n0 rd c00102b0 ffda9a1b\n0 rd c0010015 9000011\n");
	assert_false(r.offers[0].own_policies);
	assert_int_equal(r.offers[0].info.transition_delay_us, 1000);
	driver_limits(&r, 0);
	driver_target(&r, 0, 1900000, FREQ_AT_LEAST);
	driver_target(&r, 0, 1900000, FREQ_AT_LEAST);
	driver_target(&r, 0, 3800000, FREQ_AT_MOST);
	record_expect(
		&r, "desired, to the nearest", "0 wr c00102b3 801bff\n0 wr c00102b3 ff1bff\n");
	r.driver->adjust_perf(&r.units[0], &r.now_ns, 0, 512, 1024);
	r.driver->adjust_perf(&r.units[0], &r.now_ns, 0, 900, 1024);
	record_expect(&r, "from the hook: at least what is linear",
		"0 wr c00102b3 9a9aff\n0 wr c00102b3 e19aff\n");
	r.user = (struct freq_limits){ 1000000, 2000000 };
	driver_limits(&r, 0);
	r.driver->adjust_perf(&r.units[0], &r.now_ns, 0, 900, 1024);
	record_expect(&r, "within limits", "0 wr c00102b3 868686\n");
	assert_int_equal(r.driver->offline(&r.units[0], &r.now_ns), 0);
	record_expect(&r, "offline: nothing", "");
	assert_int_equal(r.driver->online(&r.units[0], &r.now_ns), 0);
	driver_limits(&r, 0);
	driver_target(&r, 0, 2000000, FREQ_AT_LEAST);
	record_expect(&r, "online",
		"0 wr c0010062 0\n0 rd c00102b0 ffda9a1b\n0 rd c0010015 9000011\n"
		"0 wr c00102b3 864386\n");
	record_release(&r);
}

static void test_guided(void **state)
{
	struct record r;

	epyc(&r, "guided");
	driver_init(&r, 0);
	driver_limits(&r, 0);
	r.log[r.len = 0] = 0;
	driver_target(&r, 0, 1900000, FREQ_AT_LEAST);
	record_expect(&r, "a least, and nothing desired", "0 wr c00102b3 80ff\n");
	r.units[0].strict = true; /* performance, powersave, userspace */
	driver_target(&r, 0, 1900000, FREQ_AT_LEAST);
	record_expect(&r, "a governor that does not change by itself", "0 wr c00102b3 801bff\n");
	record_release(&r);
}

static void test_boost(void **state)
{
	struct record r;

	epyc(&r, "active");
	driver_tune(&r, "cpb", "0");
	driver_init(&r, 0);
	r.log[r.len = 0] = 0;
	assert_int_equal(r.offers[0].range.max_khz, 3251000);
	driver_set_policy(&r, 0, DRIVER_PERFORMANCE);
	record_expect(&r, "nominal", "0 wr c00102b3 dada\n");
	record_release(&r);

	epyc(&r, "passive");
	record_set(&r, 0, MSR_K7_HWCR, 0x9000011 | HWCR_CPB_DISABLE);
	driver_init(&r, 0);
	driver_limits(&r, 0);
	r.log[r.len = 0] = 0;
	driver_target(&r, 0, 3800000, FREQ_AT_MOST);
	record_expect(&r, "firmware's switch caps the most", "0 wr c00102b3 ff1bda\n");
	record_release(&r);
}

static void test_refused(void **state)
{
	struct record r;

	record_init(&r, &driver_amd_pstate);
	r.platform.vendor = VENDOR_INTEL;
	assert_int_equal(r.driver->load(r.shared, &r.hw, &r.now_ns, 0), -ENODEV);
	r.platform.vendor = VENDOR_AMD; /* CPPC in shared memory */
	r.platform.cpc.highest = 255;
	assert_int_equal(r.driver->load(r.shared, &r.hw, &r.now_ns, 0), -ENODEV);
	record_expect(&r, "nothing touched", "");
	record_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_active),
		cmocka_unit_test(test_preferences),
		cmocka_unit_test(test_passive),
		cmocka_unit_test(test_guided),
		cmocka_unit_test(test_boost),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
