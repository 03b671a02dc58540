// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * intel_pstate against logs written by hand: which registers Linux 6.1 reads and writes, in which
 * order and with which values, when it registers, when limits change, when a CPU goes and comes.
 */
#include "record.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* An i7-2600K: 16 to 34, turbo to 38. */
static void sandy_bridge(struct record *r)
{
	record_init(r, &driver_intel_pstate);
	r->platform = (struct platform){ .vendor = VENDOR_INTEL,
		.family = 6,
		.model = 0x2a,
		.turbo = true,
		.epb = true,
		.est = true,
		.aperfmperf = true,
		.tsc_khz = 3400000 };
	for (int cpu = 0; cpu < 2; cpu++) {
		record_set(r, cpu, MSR_PLATFORM_INFO, 0x100000002200);
		record_set(r, cpu, MSR_TURBO_RATIO_LIMIT, 0x23242526);
		record_set(r, cpu, MSR_IA32_MISC_ENABLE, 0x850089);
		record_set(r, cpu, MSR_IA32_PERF_CTL, 0x2600);
		record_set(r, cpu, MSR_IA32_ENERGY_PERF_BIAS, 6);
		record_set(r, cpu, MSR_IA32_APERF, 0);
		record_set(r, cpu, MSR_IA32_MPERF, 0);
	}
}

/* An E3-1240 v5: 8 to 35, turbo to 39, hardware P-states with notification. */
static void skylake(struct record *r)
{
	record_init(r, &driver_intel_pstate);
	r->platform = (struct platform){ .vendor = VENDOR_INTEL,
		.family = 6,
		.model = 0x5e,
		.turbo = true,
		.epb = true,
		.est = true,
		.aperfmperf = true,
		.hwp = true,
		.hwp_epp = true,
		.hwp_notify = true,
		.server_profile = true,
		.tsc_khz = 3500000 };
	for (int cpu = 0; cpu < 2; cpu++) {
		record_set(r, cpu, MSR_PLATFORM_INFO, 0x80000002300);
		record_set(r, cpu, MSR_TURBO_RATIO_LIMIT, 0x25252627);
		record_set(r, cpu, MSR_IA32_MISC_ENABLE, 0x850089);
		record_set(r, cpu, MSR_IA32_PERF_CTL, 0x2700);
		record_set(r, cpu, MSR_IA32_ENERGY_PERF_BIAS, 6);
		record_set(r, cpu, MSR_PM_ENABLE, 0);
		record_set(r, cpu, MSR_HWP_CAPABILITIES, 0x01082327);
		record_set(r, cpu, MSR_HWP_INTERRUPT, 0);
		record_set(r, cpu, MSR_HWP_REQUEST, 0x8000ff01);
		record_set(r, cpu, MSR_HWP_STATUS, 0);
	}
}

static void test_active(void **state)
{
	struct record r;

	sandy_bridge(&r);
	driver_tune(&r, "status", "active");
	driver_load(&r);
	record_expect(&r, "load",
		"0 rd ce 100000002200\n" /* is there a highest ratio, */
		"0 rd ce 100000002200\n" /* a lowest, */
		"0 rd 1ad 23242526\n"	 /* a turbo ratio, which is not below */
		"0 rd ce 100000002200\n" /* the highest */
		"0 rd 1a0 850089\n");
	driver_init(&r, 0);
	record_expect(&r, "init",
		"0 rd ce 100000002200\n"
		"0 rd ce 100000002200\n"
		"0 rd ce 100000002200\n"
		"0 rd 1ad 23242526\n"
		"0 rd ce 100000002200\n"
		"0 wr 199 1000\n");
	assert_true(r.offers[0].own_policies);
	assert_int_equal(r.offers[0].range.min_khz, 1600000);
	assert_int_equal(r.offers[0].range.max_khz, 3800000);
	driver_set_policy(&r, 0, DRIVER_POWERSAVE);
	assert_true(r.units[0].hooked);
	record_expect(&r, "powersave waits for the scheduler", "");

	driver_set_policy(&r, 0, DRIVER_PERFORMANCE);
	assert_false(r.units[0].hooked);
	record_expect(&r, "performance", "0 wr 199 2600\n");
	r.user = (struct freq_limits){ 1600000, 2000000 };
	driver_set_policy(&r, 0, DRIVER_PERFORMANCE);
	record_expect(&r, "scaling_max_freq", "0 wr 199 1400\n");
	r.user.max_khz = 0;
	driver_tune(&r, "max-perf-pct", "60");
	driver_set_policy(&r, 0, DRIVER_PERFORMANCE);
	record_expect(&r, "60 % of 38, up", "0 wr 199 1700\n");
	driver_tune(&r, "max-perf-pct", "100");
	driver_tune(&r, "no-turbo", "1");
	driver_set_policy(&r, 0, DRIVER_PERFORMANCE);
	record_expect(&r, "no_turbo", "0 rd 1a0 850089\n0 wr 199 100002200\n");

	assert_int_equal(r.driver->offline(&r.units[0], &r.now_ns), 0);
	record_expect(&r, "offline", "0 wr 199 100001000\n");
	assert_int_equal(r.driver->online(&r.units[0], &r.now_ns), 0);
	record_expect(&r, "online", "");
	driver_set_policy(&r, 0, DRIVER_PERFORMANCE);
	record_expect(&r, "its policy again", "0 wr 199 100002200\n");
	driver_tune(&r, "no-turbo", "0");
	driver_set_policy(&r, 0, DRIVER_PERFORMANCE);
	record_expect(&r, "turbo again", "0 rd 1a0 850089\n0 wr 199 2600\n");
	record_release(&r);
}

/* Firmware's turbo switch: no bit in the request, and the range ends at the base frequency. */
static void test_turbo_disabled(void **state)
{
	struct record r;

	sandy_bridge(&r);
	record_set(&r, 0, MSR_IA32_MISC_ENABLE, 0x4000850089);
	driver_tune(&r, "status", "active");
	driver_load(&r);
	driver_init(&r, 0);
	assert_int_equal(r.offers[0].range.max_khz, 3400000);
	r.log[r.len = 0] = 0;
	driver_set_policy(&r, 0, DRIVER_PERFORMANCE);
	record_expect(&r, "performance", "0 wr 199 2200\n");
	driver_tune(&r, "no-turbo", "0");
	driver_set_policy(&r, 0, DRIVER_PERFORMANCE);
	record_expect(&r, "asked for in vain", "0 rd 1a0 4000850089\n0 wr 199 2200\n");
	record_release(&r);
}

static void advance(struct record *r, uint64_t aperf, uint64_t mperf, uint64_t tsc)
{
	static uint64_t a, m;

	if (!tsc)
		a = m = 0;
	a += aperf;
	m += mperf;
	r->tsc += tsc;
	record_set(r, 0, MSR_IA32_APERF, a);
	record_set(r, 0, MSR_IA32_MPERF, m);
	r->log[r->len = 0] = 0;
}

/* Samples of powersave without hardware P-states; times and the boost are the kernel's. */
static void test_sampling(void **state)
{
	const int64_t ms = 1000000;
	struct record r;

	sandy_bridge(&r);
	driver_tune(&r, "status", "active");
	driver_load(&r);
	driver_init(&r, 0);
	driver_set_policy(&r, 0, DRIVER_POWERSAVE);
	advance(&r, 0, 0, 0);
	advance(&r, 1600, 3400, 3400);
	driver_util(&r, 0, 100 * ms, 0);
	record_expect(&r, "the first only remembers", "0 rd e8 640\n0 rd e7 d48\n0 tsc d48\n");
	driver_util(&r, 0, 109 * ms, 0);
	record_expect(&r, "9 ms are no sample", "");

	/* Busy all the time at 16: 1.25 x 38 = 47, limited to 38. */
	advance(&r, 16000000, 34000000, 34000000);
	driver_util(&r, 0, 110 * ms, 0);
	record_expect(
		&r, "busy", "0 rd e8 f42a40\n0 rd e7 206d9c8\n0 tsc 206d9c8\n0 wr 199 2600\n");

	/* A quarter busy at 38: 47 x 64/256 = 11, at least 16; the average of 38 counts as 37: 16 +
	 * 21/2. */
	advance(&r, 9500000, 8500000, 34000000);
	driver_util(&r, 0, 120 * ms, 0);
	record_expect(&r, "half of the difference",
		"0 rd e8 1851fa0\n0 rd e7 2888ce8\n0 tsc 40da648\n0 wr 199 1a00\n");
	advance(&r, 6750000, 8500000, 34000000);
	driver_util(&r, 0, 130 * ms, 0); /* 16 + (26 - 16)/2 */
	record_expect(&r, "and again",
		"0 rd e8 1ec1ed0\n0 rd e7 30a4008\n0 tsc 61472c8\n0 wr 199 1500\n");

	/* Four wake-ups from I/O wait, each within a tick of the last: 1/8, 1/4, 1/2, 1. */
	for (int i = 0; i < 4; i++)
		driver_util(&r, 0, 135 * ms + i * ms / 2, UTIL_IOWAIT);
	record_expect(&r, "boosts wait for the sample", "");
	advance(&r, 5250000, 8500000, 34000000);
	driver_util(&r, 0, 140 * ms, 0); /* halved once: 1/2 of 47 = 23 */
	record_expect(
		&r, "boosted", "0 rd e8 23c3aa0\n0 rd e7 38bf328\n0 tsc 81b3f48\n0 wr 199 1700\n");
	driver_util(&r, 0, 145 * ms, 0); /* more than a tick of silence */
	advance(&r, 5750000, 8500000, 34000000);
	driver_util(&r, 0, 150 * ms, 0);
	record_expect(&r, "the boost is gone",
		"0 rd e8 293f790\n0 rd e7 40da648\n0 tsc a220bc8\n0 wr 199 1300\n");

	/* Another CPU's wake-up is not for this one. */
	r.driver->on_util(&r.units[0], &r.now_ns,
		&(struct util_event){ .now_ns = 170 * ms, .cpu = 0, .this_cpu = 1 }, 4 * ms);
	record_expect(&r, "remote", "");
	driver_util(&r, 0, 171 * ms, 0); /* neither counter has moved */
	record_expect(&r, "halted since", "0 rd e8 293f790\n0 rd e7 40da648\n0 tsc a220bc8\n");
	record_release(&r);
}

/* The controller before 4.12: how long the CPU slept does not count, but for more than 30 ms. */
static void test_controller(void **state)
{
	static const struct {
		const char *name;
		int ms; /* since the last sample */
		uint64_t aperf, mperf, tsc;
		const char *asked; /* ratio, or nothing */
	} rows[] = {
		/* 47.06 % at 16 are 100 %: (97 - 100) / 5 is 1 more */
		{ "a little busy at 16", 10, 16000, 34000, 34000000, "0 wr 199 1100\n" },
		{ "a little busy at 17", 10, 17000, 34000, 34000000, "0 wr 199 1200\n" },
		/* the rest of the package made it faster: 38/34 * 34/18 are 211 %, 23 more */
		{ "faster than asked for", 10, 38000, 34000, 34000000, "0 wr 199 2600\n" },
		/* 37 where 38 was asked for are 97.4 % */
		{ "fewer turbo bins", 10, 37000, 34000, 34000000, "" },
		/* 100 % of 10 of 40 ms are 25: 14 less */
		{ "40 ms of silence", 40, 38000, 34000, 34000000, "0 wr 199 1800\n" },
	};
	uint64_t a = 0, m = 0, t = 0;
	int64_t now_ns = 100000000;
	struct record r;

	sandy_bridge(&r);
	driver_tune(&r, "status", "active");
	driver_tune(&r, "algorithm", "pid");
	driver_load(&r);
	driver_init(&r, 0);
	driver_set_policy(&r, 0, DRIVER_POWERSAVE);
	advance(&r, 0, 0, 0);
	advance(&r, a = 1600, m = 3400, t = 3400);
	driver_util(&r, 0, now_ns, 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char expect[256];

		advance(&r, rows[i].aperf, rows[i].mperf, rows[i].tsc);
		a += rows[i].aperf;
		m += rows[i].mperf;
		t += rows[i].tsc;
		now_ns += rows[i].ms * 1000000;
		driver_util(&r, 0, now_ns, 0);
		snprintf(expect, sizeof(expect), "0 rd e8 %llx\n0 rd e7 %llx\n0 tsc %llx\n%s",
			(unsigned long long)a, (unsigned long long)m, (unsigned long long)t,
			rows[i].asked);
		record_expect(&r, rows[i].name, expect);
	}
	record_release(&r);
}

static void test_passive(void **state)
{
	struct record r;

	sandy_bridge(&r);
	driver_load(&r);
	driver_init(&r, 0);
	assert_false(r.offers[0].own_policies);
	assert_int_equal(r.offers[0].info.transition_delay_us, 500);
	record_expect(&r, "load and init",
		"0 rd ce 100000002200\n"
		"0 rd ce 100000002200\n"
		"0 rd 1ad 23242526\n"
		"0 rd ce 100000002200\n"
		"0 rd 1a0 850089\n"
		"0 rd ce 100000002200\n"
		"0 rd ce 100000002200\n"
		"0 rd ce 100000002200\n"
		"0 rd 1ad 23242526\n"
		"0 rd ce 100000002200\n"
		"0 wr 199 1000\n");
	driver_limits(&r, 0);
	record_expect(&r, "limits", "");
	assert_int_equal(driver_target(&r, 0, 2950000, FREQ_AT_LEAST), 3000000);
	assert_int_equal(driver_target(&r, 0, 3000000, FREQ_AT_LEAST), 3000000);
	assert_int_equal(driver_target(&r, 0, 2950000, FREQ_AT_MOST), 2900000);
	assert_int_equal(driver_target(&r, 0, 2950000, FREQ_CLOSEST), 3000000);
	record_expect(&r, "targets", "0 wr 199 1e00\n0 wr 199 1d00\n0 wr 199 1e00\n");
	r.user = (struct freq_limits){ 1600000, 2000000 };
	driver_limits(&r, 0);
	assert_int_equal(driver_target(&r, 0, 3800000, FREQ_AT_MOST), 2000000);
	record_expect(&r, "limited", "0 wr 199 1400\n");
	assert_int_equal(r.driver->offline(&r.units[0], &r.now_ns), 0);
	record_expect(&r, "offline", "0 wr 199 1000\n");
	assert_int_equal(r.driver->online(&r.units[0], &r.now_ns), 0);
	driver_limits(&r, 0);
	driver_target(&r, 0, 3800000, FREQ_AT_MOST);
	record_expect(&r, "online and the governor's first request", "0 wr 199 1400\n");
	record_release(&r);
}

#define HWP_ON                                                                                     \
	"0 wr 773 0\n"                                                                             \
	"0 wr 770 1\n"                                                                             \
	"0 wr 773 1\n"                                                                             \
	"0 wr 777 0\n"

static void test_hwp_active(void **state)
{
	struct record r;

	skylake(&r);
	driver_load(&r);
	record_expect(&r, "load", "0 rd 770 0\n0 rd 1a0 850089\n");
	driver_init(&r, 0);
	record_expect(&r, "init",
		HWP_ON "0 rd 774 8000ff01\n" /* the default of EPP */
		       "0 rd ce 80000002300\n"
		       "0 rd ce 80000002300\n"
		       "0 rd 771 1082327\n"
		       "0 rd 774 8000ff01\n");
	assert_int_equal(r.offers[0].range.min_khz, 800000);
	assert_int_equal(r.offers[0].range.max_khz, 3900000);
	driver_set_policy(&r, 0, DRIVER_POWERSAVE);
	assert_false(r.units[0].hooked);
	record_expect(&r, "powersave", "0 rd 771 1082327\n0 rd 774 8000ff01\n0 wr 774 80002708\n");
	driver_set_policy(&r, 0, DRIVER_PERFORMANCE);
	record_expect(&r, "performance: least is most, EPP 0, and PERF_CTL in vain",
		"0 rd 771 1082327\n0 wr 199 2700\n0 rd 774 80002708\n0 wr 774 2727\n");
	driver_set_policy(&r, 0, DRIVER_POWERSAVE);
	record_expect(&r, "powersave brings EPP back",
		"0 rd 771 1082327\n0 rd 774 2727\n0 wr 774 80002708\n");
	driver_tune(&r, "max-perf-pct", "50");
	driver_set_policy(&r, 0, DRIVER_POWERSAVE);
	record_expect(
		&r, "50 % of 39, up", "0 rd 771 1082327\n0 rd 774 80002708\n0 wr 774 80001408\n");
	driver_tune(&r, "max-perf-pct", "100");
	r.user = (struct freq_limits){ 1200000, 3000000 };
	driver_set_policy(&r, 0, DRIVER_PERFORMANCE);
	record_expect(&r, "performance in limits",
		"0 rd 771 1082327\n0 wr 199 1e00\n0 rd 774 80001408\n0 wr 774 1e1e\n");

	assert_int_equal(r.driver->offline(&r.units[0], &r.now_ns), 0);
	record_expect(&r, "offline: the lowest of all", "0 wr 773 0\n0 wr 774 ff000101\n");
	assert_int_equal(r.driver->online(&r.units[0], &r.now_ns), 0);
	record_expect(&r, "online: with the EPP of before", HWP_ON "0 wr 774 80001e1e\n");
	driver_set_policy(&r, 0, DRIVER_PERFORMANCE);
	record_expect(&r, "and performance takes EPP anew",
		"0 rd 771 1082327\n0 wr 199 1e00\n0 rd 774 80001e1e\n0 wr 774 1e1e\n");
	r.user.max_khz = 0;
	driver_tune(&r, "no-turbo", "1");
	driver_set_policy(&r, 0, DRIVER_PERFORMANCE);
	record_expect(&r, "no_turbo",
		"0 rd 1a0 850089\n0 rd 771 1082327\n0 wr 199 100002300\n"
		"0 rd 774 1e1e\n0 wr 774 2323\n");
	record_release(&r);
}

static void test_preferences(void **state)
{
	static const struct {
		const char *value;
		const char *want;
	} rows[] = {
		{ "performance", "0 wr 774 2708\n" },
		{ "balance_performance", "0 wr 774 80002708\n" },
		{ "balance_power", "0 wr 774 c0002708\n" },
		{ "power", "0 wr 774 ff002708\n" },
		{ "default", "0 wr 774 90002708\n" },
		{ "42", "0 wr 774 2a002708\n" },
	};
	struct freq_limits limits = { 800000, 3900000 };
	struct record r;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		skylake(&r);
		record_set(&r, 0, MSR_HWP_REQUEST, 0x9000ff01);
		driver_tune(&r, "epp", rows[i].value);
		driver_load(&r);
		driver_init(&r, 0);
		driver_limits(&r, 0);
		r.log[r.len = 0] = 0;
		assert_int_equal(
			r.driver->set_policy(&r.units[0], &r.now_ns, DRIVER_POWERSAVE, &limits), 0);
		assert_memory_equal(r.log, "0 rd 774 9000ff01\n0 wr 774 90002708\n", 36);
		memmove(r.log, r.log + 36, r.len - 36 + 1);
		record_expect(&r, rows[i].value, rows[i].want);
		record_release(&r);
	}
	skylake(&r);
	assert_int_equal(r.driver->tune(r.shared, "epp", "256"), -EINVAL);
	assert_int_equal(r.driver->tune(r.shared, "epp", "balanced"), -EINVAL);
	assert_int_equal(r.driver->tune(r.shared, "epq", "1"), -ENOENT);
	driver_tune(&r, "epp", "42");
	driver_load(&r);
	driver_init(&r, 0);
	driver_limits(&r, 0);
	assert_int_equal(
		r.driver->set_policy(&r.units[0], &r.now_ns, DRIVER_PERFORMANCE, &limits), -EBUSY);
	record_release(&r);
}

static void test_energy_bias(void **state)
{
	struct record r;

	sandy_bridge(&r);
	driver_tune(&r, "status", "active");
	driver_tune(&r, "energy-perf-bias", "balance-power");
	driver_load(&r);
	driver_init(&r, 0);
	r.log[r.len = 0] = 0;
	driver_set_policy(&r, 0, DRIVER_PERFORMANCE);
	driver_set_policy(&r, 0, DRIVER_PERFORMANCE);
	record_expect(&r, "written once", "0 wr 199 2600\n0 rd 1b0 6\n0 wr 1b0 8\n0 wr 199 2600\n");
	record_release(&r);
}

static void test_hwp_passive(void **state)
{
	struct record r;

	skylake(&r);
	driver_tune(&r, "status", "passive");
	driver_load(&r);
	driver_init(&r, 0);
	record_expect(&r, "load and init",
		"0 rd 770 0\n"
		"0 rd 1a0 850089\n" HWP_ON "0 rd 774 8000ff01\n"
		"0 rd ce 80000002300\n"
		"0 rd ce 80000002300\n"
		"0 rd 771 1082327\n"
		"0 rd 771 1082327\n"
		"0 rd 774 8000ff01\n"
		"0 wr 774 80082308\n");
	assert_int_equal(r.offers[0].info.transition_delay_us, 5000);
	assert_true(r.offers[0].info.adjust_perf);
	driver_limits(&r, 0);
	record_expect(&r, "limits", "0 rd 771 1082327\n");
	driver_target(&r, 0, 3500000, FREQ_AT_LEAST);
	driver_target(&r, 0, 3500000, FREQ_AT_LEAST);
	record_expect(&r, "a least, and a wish", "0 wr 774 80232723\n");
	r.units[0].strict = true;
	driver_target(&r, 0, 3500000, FREQ_AT_LEAST);
	record_expect(&r, "exactly", "0 wr 774 80232323\n");
	r.driver->adjust_perf(&r.units[0], &r.now_ns, 0, 512, 1024);
	r.driver->adjust_perf(&r.units[0], &r.now_ns, 256, 128, 1024);
	record_expect(&r, "in parts of 1024", "0 wr 774 80142708\n0 wr 774 800a270a\n");
	assert_int_equal(r.driver->offline(&r.units[0], &r.now_ns), 0);
	assert_int_equal(r.driver->online(&r.units[0], &r.now_ns), 0);
	record_expect(&r, "offline and online",
		"0 wr 773 0\n0 wr 774 ff000101\n" HWP_ON "0 wr 774 8000270a\n");
	record_release(&r);
}

/* no_hwp: as if there were none, unless firmware has switched it on already. */
static void test_no_hwp(void **state)
{
	struct record r;

	skylake(&r);
	driver_tune(&r, "no-hwp", "1");
	driver_load(&r);
	record_expect(&r, "load",
		"0 rd 770 0\n"
		"0 rd ce 80000002300\n"
		"0 rd ce 80000002300\n"
		"0 rd 1ad 25252627\n"
		"0 rd ce 80000002300\n"
		"0 rd 1a0 850089\n");
	driver_init(&r, 0);
	assert_false(r.offers[0].own_policies);
	record_release(&r);

	skylake(&r);
	record_set(&r, 0, MSR_PM_ENABLE, 1);
	driver_tune(&r, "no-hwp", "1");
	driver_load(&r);
	record_expect(&r, "load", "0 rd 770 1\n0 rd 1a0 850089\n");
	record_release(&r);

	skylake(&r);
	driver_tune(&r, "status", "off");
	assert_int_equal(r.driver->load(r.shared, &r.hw, &r.now_ns, 0), -EBUSY);
	record_release(&r);
}

/* A server part on which firmware keeps P-states, and one with two TDP levels. */
static void test_out_of_band_and_levels(void **state)
{
	struct record r;

	skylake(&r);
	r.platform.model = 0x55;
	record_set(&r, 0, MSR_MISC_PWR_MGMT, 0);
	driver_load(&r);
	record_expect(&r, "load", "0 rd 770 0\n0 rd 1aa 0\n0 rd 1a0 850089\n");
	record_release(&r);

	skylake(&r);
	r.platform.model = 0x55;
	record_set(&r, 0, MSR_MISC_PWR_MGMT, 0x100);
	assert_int_equal(r.driver->load(r.shared, &r.hw, &r.now_ns, 0), -ENODEV);
	record_expect(&r, "out of band", "0 rd 770 0\n0 rd 1aa 100\n");
	record_release(&r);

	sandy_bridge(&r);
	record_set(&r, 0, MSR_PLATFORM_INFO, 0x100200002200);
	record_set(&r, 0, MSR_CONFIG_TDP_CONTROL, 1);
	record_set(&r, 0, MSR_CONFIG_TDP_NOMINAL + 1, 0x1d0000);
	record_set(&r, 0, MSR_TURBO_ACTIVATION_RATIO, 0x1c);
	driver_load(&r);
	r.log[r.len = 0] = 0;
	driver_init(&r, 0);
	record_expect(&r, "init",
		"0 rd ce 100200002200\n"
		"0 rd ce 100200002200\n"
		"0 rd ce 100200002200\n0 rd 64b 1\n0 rd 649 1d0000\n0 rd 64c 1c\n"
		"0 rd 1ad 23242526\n"
		"0 rd ce 100200002200\n0 rd 64b 1\n0 rd 649 1d0000\n0 rd 64c 1c\n"
		"0 wr 199 1000\n");
	/* Between the highest without turbo and the range's end there is nothing to limit to. */
	r.user = (struct freq_limits){ 1600000, 3000000 };
	assert_int_equal(driver_limits(&r, 0).max_khz, 3800000);
	r.user.max_khz = 2800000;
	assert_int_equal(driver_limits(&r, 0).max_khz, 2800000);
	record_release(&r);
}

static const struct {
	const char *name;
	uint32_t min_khz, max_khz;
	const char *max_pct, *min_pct;
	int min_ratio, max_ratio; /* as powersave and performance of HWP write them */
} limits[] = {
	{ "nothing said", 0, 0, NULL, NULL, 8, 39 },
	{ "global most rounds up", 0, 0, "33", NULL, 8, 13 },
	{ "global least rounds up", 0, 0, NULL, "33", 13, 39 },
	{ "global least above the policy's most", 800000, 2000000, NULL, "80", 20, 20 },
	{ "global most below the policy's least", 3000000, 3900000, "50", NULL, 30, 30 },
	{ "least above most", 0, 0, "30", "90", 12, 12 },
	{ "most below what min_perf_pct may be", 0, 0, "1", NULL, 8, 8 },
};

static void test_limits(void **state)
{
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		struct record r;
		uint64_t request;

		skylake(&r);
		driver_load(&r);
		driver_init(&r, 0);
		driver_set_policy(&r, 0, DRIVER_POWERSAVE);
		if (limits[i].max_pct)
			driver_tune(&r, "max-perf-pct", limits[i].max_pct);
		if (limits[i].min_pct)
			driver_tune(&r, "min-perf-pct", limits[i].min_pct);
		r.user = (struct freq_limits){ limits[i].min_khz, limits[i].max_khz };
		driver_set_policy(&r, 0, DRIVER_POWERSAVE);
		assert_int_equal(r.hw.rdmsr(&r, &r.now_ns, 0, MSR_HWP_REQUEST, &request), 0);
		print_message("%s\n", limits[i].name);
		assert_int_equal(ratio_field(request, 0), limits[i].min_ratio);
		assert_int_equal(ratio_field(request, 8), limits[i].max_ratio);
		record_release(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_active),
		cmocka_unit_test(test_turbo_disabled),
		cmocka_unit_test(test_sampling),
		cmocka_unit_test(test_controller),
		cmocka_unit_test(test_passive),
		cmocka_unit_test(test_hwp_active),
		cmocka_unit_test(test_preferences),
		cmocka_unit_test(test_energy_bias),
		cmocka_unit_test(test_hwp_passive),
		cmocka_unit_test(test_no_hwp),
		cmocka_unit_test(test_out_of_band_and_levels),
		cmocka_unit_test(test_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
