// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * acpi-cpufreq against logs written by hand: Intel's and AMD's registers, a port, domains that
 * software coordinates, the turbo switch, firmware's limit.
 */
#include "record.h"

#include <errno.h>
#include <string.h>

static void add(struct record *r, uint32_t mhz, uint32_t control)
{
	struct acpi_pss *p = &r->platform.pss[r->platform.nr_pss++];

	*p = (struct acpi_pss){
		.mhz = mhz, .latency_us = 10, .control = control, .status = control
	};
}

/* 3401 (turbo), 3400, 2400, 2400 again, 1600 MHz. */
static void intel(struct record *r)
{
	record_init(r, &driver_acpi_cpufreq);
	r->platform.vendor = VENDOR_INTEL;
	r->platform.turbo = r->platform.est = true;
	r->platform.tsc_khz = 3400000;
	r->platform.pss_space = PSS_MSR;
	r->platform.psd = PSD_HW_ALL;
	add(r, 3401, 0x2600);
	add(r, 3400, 0x2200);
	add(r, 2400, 0x1800);
	add(r, 2400, 0x1700);
	add(r, 1600, 0x1000);
	for (int cpu = 0; cpu < 3; cpu++) {
		record_set(r, cpu, MSR_IA32_PERF_CTL, 0x100002200);
		record_set(r, cpu, MSR_IA32_MISC_ENABLE, 0x850089);
	}
}

static void test_registers(void **state)
{
	struct record r;

	intel(&r);
	driver_load(&r);
	record_expect(&r, "load", "0 rd 1a0 850089\n");
	driver_init(&r, 0);
	record_expect(&r, "init: turbo as it is, and what is in force",
		"0 rd 1a0 850089\n0 wr 1a0 850089\n0 rd 199 100002200\n");
	assert_int_equal(r.offers[0].range.min_khz, 1600000);
	assert_int_equal(r.offers[0].range.max_khz, 3401000);
	assert_int_equal(r.offers[0].cur_khz, 3400000);
	assert_int_equal(r.offers[0].info.nr_khz, 4);
	assert_int_equal(r.offers[0].info.khz[0], 1600000);
	assert_int_equal(r.offers[0].info.khz[3], 3401000);
	assert_int_equal(r.offers[0].info.transition_delay_us, 10000);
	assert_true(r.offers[0].info.fast_switch);
	assert_true(r.offers[0].follows_ppc);
	assert_false(r.offers[0].shared);

	/* The first request is written whatever the state; the rest of the register stays. */
	assert_int_equal(driver_target(&r, 0, 3401000, FREQ_AT_LEAST), 3401000);
	assert_int_equal(driver_target(&r, 0, 3401000, FREQ_AT_LEAST), 3401000);
	record_expect(&r, "P0, once", "0 rd 199 100002200\n0 wr 199 100002600\n");
	assert_int_equal(driver_target(&r, 0, 1700000, FREQ_AT_LEAST), 2400000);
	assert_int_equal(driver_target(&r, 0, 1700000, FREQ_AT_MOST), 1600000);
	assert_int_equal(driver_target(&r, 0, 2300000, FREQ_CLOSEST), 2400000);
	record_expect(&r, "relations",
		"0 rd 199 100002600\n0 wr 199 100001800\n"
		"0 rd 199 100001800\n0 wr 199 100001000\n"
		"0 rd 199 100001000\n0 wr 199 100001800\n");

	r.user = (struct freq_limits){ 1600000, 2000000 };
	assert_int_equal(driver_limits(&r, 0).max_khz, 2000000);
	r.user = (struct freq_limits){ 1700000, 2000000 };
	assert_int_equal(driver_limits(&r, 0).max_khz, 2400000); /* none lies within */
	driver_target(&r, 0, 2400000, FREQ_AT_MOST);
	record_expect(&r, "limits cost nothing, nor does what is in force", "");

	r.driver->exit(&r.units[0], &r.now_ns);
	record_expect(
		&r, "offline: turbo may not be held up", "0 rd 1a0 850089\n0 wr 1a0 850089\n");
	record_set(&r, 0, MSR_IA32_PERF_CTL, 0x1000);
	driver_init(&r, 0);
	driver_target(&r, 0, 1600000, FREQ_AT_LEAST);
	record_expect(&r, "online",
		"0 rd 1a0 850089\n0 wr 1a0 850089\n0 rd 199 1000\n"
		"0 rd 199 1000\n0 wr 199 1000\n");
	record_release(&r);
}

static void test_turbo(void **state)
{
	struct record r;

	intel(&r);
	driver_tune(&r, "cpb", "0");
	driver_load(&r);
	driver_init(&r, 0);
	r.log[r.len = 0] = 0;
	driver_limits(&r, 0);
	driver_limits(&r, 0);
	record_expect(&r, "switched off once", "0 rd 1a0 850089\n0 wr 1a0 4000850089\n");
	driver_init(&r, 1);
	record_expect(&r, "the next CPU as the first",
		"1 rd 1a0 850089\n1 wr 1a0 4000850089\n1 rd 199 100002200\n");
	r.driver->exit(&r.units[1], &r.now_ns);
	record_expect(&r, "on when it goes", "1 rd 1a0 4000850089\n1 wr 1a0 850089\n");
	record_release(&r);

	intel(&r);
	r.platform.turbo = false;
	driver_load(&r);
	driver_init(&r, 0);
	record_expect(&r, "no turbo, no switch", "0 rd 199 100002200\n");
	r.driver->exit(&r.units[0], &r.now_ns);
	record_expect(&r, "offline", "");
	record_release(&r);
}

static void test_domains(void **state)
{
	static const int cpus[] = { 0, 1, 2 };
	static const struct {
		enum acpi_psd psd;
		bool shared, fast;
		const char *want;
	} rows[] = {
		{ PSD_HW_ALL, false, true, "0 rd 199 2200\n0 wr 199 1000\n" },
		{ PSD_SW_ANY, true, true, "0 rd 199 2200\n0 wr 199 1000\n" },
		{ PSD_SW_ALL, true, false,
			"0 rd 199 2200\n0 wr 199 1000\n1 rd 199 2200\n1 wr 199 1000\n"
			"2 rd 199 2200\n2 wr 199 1000\n" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct record r;

		intel(&r);
		r.platform.psd = rows[i].psd;
		for (int cpu = 0; cpu < 3; cpu++)
			record_set(&r, cpu, MSR_IA32_PERF_CTL, 0x2200);
		driver_load(&r);
		driver_init(&r, 0);
		assert_int_equal(r.offers[0].shared, rows[i].shared);
		assert_int_equal(r.offers[0].info.fast_switch, rows[i].fast);
		if (rows[i].shared) {
			r.units[0].cpus = cpus;
			r.units[0].nr_cpus = 3;
		}
		r.log[r.len = 0] = 0;
		driver_target(&r, 0, 1600000, FREQ_AT_LEAST);
		record_expect(&r, "a request", rows[i].want);
		record_release(&r);
	}
}

static void test_port(void **state)
{
	struct record r;

	record_init(&r, &driver_acpi_cpufreq);
	r.platform.vendor = VENDOR_INTEL;
	r.platform.tsc_khz = 2100000;
	r.platform.pss_space = PSS_IO;
	r.platform.pss_port = 0x880;
	add(&r, 2400, 0);
	add(&r, 2000, 1);
	add(&r, 1200, 2);
	driver_load(&r);
	driver_init(&r, 0);
	record_expect(&r, "what is in force is guessed by the TSC", "");
	assert_int_equal(r.offers[0].cur_khz, 2000000);
	driver_target(&r, 0, 2000000, FREQ_AT_LEAST);
	driver_target(&r, 0, 2400000, FREQ_AT_LEAST);
	driver_target(&r, 0, 1300000, FREQ_AT_MOST);
	record_expect(&r, "requests", "0 out 880:16 1\n0 out 880:16 0\n0 out 880:16 2\n");
	r.driver->exit(&r.units[0], &r.now_ns);
	driver_init(&r, 0);
	driver_target(&r, 0, 1200000, FREQ_AT_LEAST);
	record_expect(&r, "offline and online", "0 out 880:16 2\n");
	record_release(&r);
}

/* A firmware that does not take the value: a thousand reads of 10 us are waited for. */
static void test_strict(void **state)
{
	struct freq_limits limits = { 1200000, 2400000 };
	struct record r;
	uint32_t khz;
	int64_t before;

	record_init(&r, &driver_acpi_cpufreq);
	r.platform.pss_space = PSS_IO;
	r.platform.pss_port = 0x880;
	add(&r, 2400, 7);
	add(&r, 1200, 2);
	driver_tune(&r, "acpi-pstate-strict", "1");
	driver_load(&r);
	driver_init(&r, 0);
	driver_target(&r, 0, 2400000, FREQ_AT_LEAST);
	record_expect(&r, "written and read", "0 out 880:16 7\n0 in 880:16 7\n");
	r.port_stuck = true;
	before = r.now_ns;
	assert_int_equal(
		r.driver->target(&r.units[0], &r.now_ns, 1200000, FREQ_AT_LEAST, &limits, &khz),
		-EAGAIN);
	assert_int_equal(r.now_ns - before, 100 * 10000);
	record_release(&r);
}

/* An EPYC 9354: the entry's number in a register, boost beyond the table by _CPC. */
static void test_amd(void **state)
{
	struct record r;

	record_init(&r, &driver_acpi_cpufreq);
	r.platform.vendor = VENDOR_AMD;
	r.platform.turbo = r.platform.hw_pstate = true;
	r.platform.pss_space = PSS_MSR;
	r.platform.psd = PSD_HW_ALL;
	r.platform.cpc = (struct acpi_cpc){ 255, 218, 154, 27, 3251, 400 };
	add(&r, 3250, 0);
	add(&r, 2300, 1);
	add(&r, 1500, 2);
	record_set(&r, 0, MSR_K7_HWCR, 0x9000011);
	record_set(&r, 0, MSR_AMD_PERF_CTL, 1);
	driver_load(&r);
	record_expect(&r, "load", "0 rd c0010015 9000011\n");
	driver_init(&r, 0);
	record_expect(
		&r, "init", "0 rd c0010015 9000011\n0 wr c0010015 9000011\n0 rd c0010062 1\n");
	assert_int_equal(r.offers[0].cur_khz, 2300000);
	assert_int_equal(r.offers[0].range.max_khz, 3800241);
	driver_target(&r, 0, 3800241, FREQ_AT_MOST);
	driver_target(&r, 0, 1500000, FREQ_AT_LEAST);
	record_expect(&r, "requests", "0 wr c0010062 0\n0 wr c0010062 2\n");
	record_release(&r);
}

static void test_refused(void **state)
{
	struct driver_offer offer = { 0 };
	struct record r;

	intel(&r);
	r.platform.nr_pss = 1;
	assert_int_equal(r.driver->init(&r.units[0], &r.now_ns, &offer), -ENODEV);
	r.platform.nr_pss = 5;
	r.platform.est = false;
	assert_int_equal(r.driver->init(&r.units[0], &r.now_ns, &offer), -ENODEV);
	assert_int_equal(r.driver->tune(r.shared, "cpb", "2"), -EINVAL);
	assert_int_equal(r.driver->tune(r.shared, "cbp", "1"), -ENOENT);
	record_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_registers),
		cmocka_unit_test(test_turbo),
		cmocka_unit_test(test_domains),
		cmocka_unit_test(test_port),
		cmocka_unit_test(test_strict),
		cmocka_unit_test(test_amd),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
