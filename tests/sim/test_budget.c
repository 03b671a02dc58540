// SPDX-License-Identifier: GPL-2.0-or-later
/* A package's power limit against the closed form, and how it is shared with a device. */
#include "fixture.h"

#include "base/units.h"
#include "sim/internal.h"

#include <math.h>

enum { CORES = 4, MIN_KHZ = 1000000, MAX_KHZ = 3000000 };

/* 5 W at 1 GHz, 25 W at 3 GHz; 2 W for the uncore. */
static const struct curve core_curve = { 2, { MIN_KHZ, MAX_KHZ }, { 5000, 25000 } };
/* The device: 2 W at 500 MHz, 22 W at 1 GHz. */
static const struct curve device_curve = { 2, { 500000, 1000000 }, { 2000, 22000 } };

static struct machine *limited(uint32_t pl1_mw, uint32_t pl2_mw, int64_t tau_ns)
{
	struct machine *m = machine_new(CORES);

	m->min_khz = MIN_KHZ;
	m->base_khz = m->max_khz = MAX_KHZ;
	m->step_khz = 100000;
	m->core_active = m->core_active_smt = core_curve;
	m->pl1_mw = pl1_mw;
	m->pl2_mw = pl2_mw;
	m->pl1_tau_ns = tau_ns;
	m->device_bias_permille = 500;
	return m;
}

static struct run_result run_heat(
	const struct machine *m, int tasks, uint64_t duration_ns, int permille)
{
	static const struct op ops[] = { { OP_RUN, .cycles = 1000000000000 } };
	struct ops_workload *o = ops_new(0);
	struct run_result r;
	struct policy p;

	policy_make(&p, "deepest");
	for (int i = 0; i < tasks; i++) {
		struct workload_task *t = ops_add(o, ops, 1, 1);

		t->allowed[0] = 1ULL << i;
		t->power_permille = permille;
	}
	o->w.duration_ns = duration_ns;
	r = run_checked(m, o, &p);
	free(o);
	return r;
}

static struct run_result run_busy(const struct machine *m, int tasks, uint64_t duration_ns)
{
	return run_heat(m, tasks, duration_ns, 0);
}

/*
 * From nothing: a period at full power, before the first look; PL2 until the average over tau is at
 * PL1, a time that solves PL1 = PL2 + (a - PL2) exp(-t / tau); then PL1.
 */
static double closed_form_uj(double full, double pl1, double pl2, double tau, double seconds)
{
	double first = 1e-3, a = full * (1 - exp(-first / tau));
	double t = tau * log((pl2 - a) / (pl2 - pl1));

	if (t > seconds - first)
		t = seconds - first;
	return 1e6 * (full * first + pl2 * t + pl1 * (seconds - first - t));
}

static const struct {
	const char *name;
	uint32_t pl1_mw, pl2_mw, tau_ms, run_ms;
} limits[] = {
	{ "through PL2 to PL1", 40000, 60000, 100, 1000 },
	{ "a long window", 40000, 60000, 1000, 3000 },
	{ "not out of PL2 yet", 40000, 60000, 10000, 1000 },
	{ "PL1 alone", 40000, 40000, 1, 500 },
	{ "PL1 near full power", 95000, 100000, 50, 500 },
};

static void test_closed_form(void **state)
{
	const double full = 4 * 25 + 2;
	int failed = 0;

	for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
		struct machine *m = limited(limits[i].pl1_mw, limits[i].pl2_mw,
			(int64_t)limits[i].tau_ms * NSEC_PER_MSEC);
		struct run_result r =
			run_busy(m, CORES, (uint64_t)limits[i].run_ms * NSEC_PER_MSEC);
		double want = closed_form_uj(full, limits[i].pl1_mw / 1e3, limits[i].pl2_mw / 1e3,
			limits[i].tau_ms / 1e3, limits[i].run_ms / 1e3);
		double off = (double)r.package_uj / want - 1;

		if (fabs(off) > 0.003) {
			print_error("%s: %llu uJ, closed form %.0f, %.2f %% off\n", limits[i].name,
				(unsigned long long)r.package_uj, want, 100 * off);
			failed++;
		}
		result_release(&r);
		free(m);
	}
	assert_int_equal(failed, 0);
}

/* Two busy cores take 52 W: less than PL1, or more than it with others asleep. */
static void test_no_limit(void **state)
{
	static const struct {
		const char *name;
		uint32_t pl1_mw;
		bool limited;
	} rows[] = { { "below", 53000, false }, { "above", 45000, true } };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct machine *m = limited(rows[i].pl1_mw, rows[i].pl1_mw, 10 * NSEC_PER_MSEC);
		struct run_result r = run_busy(m, 2, 500 * (uint64_t)NSEC_PER_MSEC);

		if (rows[i].limited != (r.nr_freqs > 1) || rows[i].limited != (r.nr_notes > 0))
			fail_msg("%s: %d frequencies, %d notes", rows[i].name, r.nr_freqs,
				r.nr_notes);
		result_release(&r);
		free(m);
	}
}

/*
 * Code that takes half as much power, and half as much again, above the 1 W of a halted core: 4
 * cores, 13, 25 and 37 W each and 2 W for the uncore, free and at 60 W.
 */
static void test_heat(void **state)
{
	static const struct {
		int permille;
		uint32_t pl_mw;
		double watts;
	} rows[] = {
		{ 500, 1000000, 4 * 13 + 2 },
		{ 1000, 1000000, 4 * 25 + 2 },
		{ 1500, 1000000, 4 * 37 + 2 },
		{ 500, 40000, 40 },
		{ 1500, 60000, 60 },
	};
	int failed = 0;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct machine *m = limited(rows[i].pl_mw, rows[i].pl_mw, NSEC_PER_MSEC);
		struct run_result r =
			run_heat(m, CORES, 400 * (uint64_t)NSEC_PER_MSEC, rows[i].permille);
		double watts = (double)r.package_uj / 1e6 / 0.4;

		if (fabs(watts / rows[i].watts - 1) > 0.01) {
			print_error("%d permille at %u mW: %.2f W, want %.2f\n", rows[i].permille,
				rows[i].pl_mw, watts, rows[i].watts);
			failed++;
		}
		result_release(&r);
		free(m);
	}
	assert_int_equal(failed, 0);
}

/*
 * One core and a device that is always busy, at 30 W. Uncore 2 W, sleeping cores 0.3 W: 27.7 W for
 * both. At their lowest clocks 5 and 2 W, so that 20.7 W are to be shared; both want 20 W more.
 */
static const struct {
	uint32_t bias;
	double device_w;
} shares[] = {
	{ 0, 2 + 0.7 },
	{ 500, 2 + 10.35 },
	{ 800, 2 + 0.8 * 20.7 },
	{ 1000, 22 },
};

static void test_sharing(void **state)
{
	static const struct op cpu[] = { { OP_RUN, .cycles = 1000000000000 } };
	static const struct op device[] = { { OP_IO, .target = IO_GPU, .ns = 1000000 } };
	int failed = 0;

	for (size_t i = 0; i < ARRAY_LEN(shares); i++) {
		struct machine *m = limited(30000, 30000, 10 * NSEC_PER_MSEC);
		struct ops_workload *o = ops_new(0);
		struct run_result r;
		struct policy p;
		double watts, speed, want_speed;

		m->device_bias_permille = shares[i].bias;
		m->nr_devices = 1;
		m->devices[0] = (struct machine_device){ .name = "gpu",
			.kind = DEVICE_GPU,
			.servers = 1,
			.service_ns = 1000000,
			.distribution = "fixed",
			.irq_cpu = -1,
			.power = device_curve };
		policy_make(&p, "deepest");
		ops_add(o, cpu, 1, 1)->allowed[0] = 1;
		for (int n = 0; n < 3; n++) /* always one in service */
			ops_add(o, device, 1, 1000000)->allowed[0] = 2;
		o->w.duration_ns = 500 * (uint64_t)NSEC_PER_MSEC;
		r = run_checked(m, o, &p);
		watts = (double)r.gpu_uj / 1e6 / 0.5;
		/* at 500 MHz and 2 W half the speed, 25 kHz a mW more */
		want_speed = 0.5 + 0.025 * (shares[i].device_w - 2);
		speed = (double)r.counters.io_requests / 500;
		if (fabs(watts / shares[i].device_w - 1) > 0.03 ||
			fabs(speed / want_speed - 1) > 0.03) {
			print_error("bias %u: %.2f W, want %.2f; speed %.3f, want %.3f\n",
				shares[i].bias, watts, shares[i].device_w, speed, want_speed);
			failed++;
		}
		result_release(&r);
		free(o);
		free(m);
	}
	assert_int_equal(failed, 0);
}

/* A busy device of the package keeps its uncore up: 2 W instead of 1, cores asleep at 0.4 W. */
static void test_device_alone(void **state)
{
	static const struct op device[] = { { OP_IO, .target = IO_GPU, .ns = 100000000 } };
	double watts[2];

	for (int i = 0; i < 2; i++) {
		struct machine *m = limited(1000000, 1000000, NSEC_PER_MSEC);
		struct ops_workload *o = ops_new(0);
		struct run_result r;
		struct policy p;

		m->nr_devices = 1;
		m->devices[0] = (struct machine_device){ .name = "gpu",
			.kind = DEVICE_GPU,
			.servers = 1,
			.distribution = "fixed",
			.active_mw = 10000,
			.irq_cpu = -1,
			.package = i ? -1 : 0 };
		policy_make(&p, "deepest");
		ops_add(o, device, 1, 1)->allowed[0] = 1;
		r = run_checked(m, o, &p);
		watts[i] = (double)r.package_uj / 1e3 / ((double)r.elapsed_ns / 1e6);
		result_release(&r);
		free(o);
		free(m);
	}
	assert_true(fabs(watts[0] - 12.4) < 0.1);
	assert_true(fabs(watts[1] - 1.4) < 0.1);
}

/* Two packages, a core of one busy: 2 W and 2 W of uncore, or 1 W for the other's; it sleeps at 0.1
 * W. */
static void test_uncores_together(void **state)
{
	for (int i = 0; i < 2; i++) {
		struct machine *m = machine_new(2);
		struct run_result r;
		double watts;

		m->nr_packages = m->nr_llcs = 2;
		m->cpus[1].package = m->cpus[1].llc = 1;
		m->uncore_together = i;
		m->pl1_mw = m->pl2_mw = 1000000;
		r = run_busy(m, 1, 200 * (uint64_t)NSEC_PER_MSEC);
		watts = (double)r.package_uj / 1e6 / 0.2;
		if (fabs(watts - (i ? 6.1 : 5.1)) > 0.02)
			fail_msg("together %d: %.3f W", i, watts);
		result_release(&r);
		free(m);
	}
}

/* A program that needs a GPU, on a machine without. */
static void test_no_gpu(void **state)
{
	static const struct op ops[] = { { OP_IO, .target = IO_GPU, .ns = 1000 } };
	struct sim_options options = { .seed = 1 };
	struct machine *m = limited(30000, 30000, 1);
	struct ops_workload *o = ops_new(0);
	struct error err = { "" };
	struct run_result r;
	struct policy p;

	m->nr_devices = 1;
	m->devices[0] = (struct machine_device){
		.name = "disk", .servers = 1, .distribution = "fixed", .irq_cpu = -1, .package = -1
	};
	policy_make(&p, "deepest");
	ops_add(o, ops, 1, 1);
	assert_true(sim_run(m, &o->w, &p, &options, &r, &err) < 0);
	assert_string_equal(err.text, "made-up: machine made-up has no GPU");
	free(o);
	free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_closed_form),
		cmocka_unit_test(test_no_limit),
		cmocka_unit_test(test_heat),
		cmocka_unit_test(test_sharing),
		cmocka_unit_test(test_device_alone),
		cmocka_unit_test(test_uncores_together),
		cmocka_unit_test(test_no_gpu),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
