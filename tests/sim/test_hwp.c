// SPDX-License-Identifier: GPL-2.0-or-later
/* HWP behind its registers: ramp, equilibrium, limits, and what the registers answer. */
#include "hwp_driver.h"

#include "sim/internal.h"

static uint64_t time_below(const struct run_result *r, uint32_t khz)
{
	uint64_t ns = 0;

	for (int i = 0; i < r->nr_freqs; i++)
		if (r->freqs[i].khz < khz)
			ns += r->freqs[i].time_ns;
	return ns;
}

static uint32_t mean_khz(const struct run_result *r)
{
	double sum = 0, ns = 0;

	for (int i = 0; i < r->nr_freqs; i++) {
		sum += (double)r->freqs[i].khz * (double)r->freqs[i].time_ns;
		ns += (double)r->freqs[i].time_ns;
	}
	return ns ? (uint32_t)(sum / ns) : 0;
}

static struct run_result run_ops(
	const struct machine *m, const struct policy *p, const struct op *ops, int nr, int times)
{
	struct ops_workload *o = ops_new(0);
	struct run_result r;

	ops_add(o, ops, nr, times)->allowed[0] = 1;
	r = run_checked(m, o, p);
	free(o);
	return r;
}

/* A long sleep, then work: how long until it runs at the highest frequency. */
static const struct {
	const char *name, *machine;
	uint32_t epp;
	int64_t min_us, max_us;
} ramps[] = {
	{ "EPP 0", "skylake-1-socket", 0, 1500, 3000 },
	/* "just over 5 ms" on an i5-6600K */
	{ "EPP 128", "skylake-1-socket", 128, 4700, 6500 },
	{ "EPP 255", "skylake-1-socket", 255, 15000, 40000 },
	/* likewise from a floor */
	{ "EPP 0, floor", "xeon-e3-1240v5", 0, 1500, 3000 },
	{ "EPP 128, floor", "xeon-e3-1240v5", 128, 4700, 6500 },
};

static void test_ramp(void **state)
{
	static const struct op ops[] = { { OP_SLEEP_FOR, .ns = 100000000 },
		{ OP_RUN, .cycles = 400000000 } };
	struct policy p;
	int failed = 0;

	for (size_t i = 0; i < ARRAY_LEN(ramps); i++) {
		struct machine *m = hwp_machine(ramps[i].machine);
		struct run_result r;
		int64_t us;

		hwp_policy(&p, "powersave", "none");
		hwp_test.epp = ramps[i].epp;
		r = run_ops(m, &p, ops, ARRAY_LEN(ops), 1);
		us = (int64_t)time_below(&r, 3900000) / NSEC_PER_USEC;
		if (us < ramps[i].min_us || us > ramps[i].max_us) {
			print_error("%s: %lld us to the top, want %lld to %lld\n", ramps[i].name,
				(long long)us, (long long)ramps[i].min_us,
				(long long)ramps[i].max_us);
			failed++;
		}
		result_release(&r);
		machine_free(m);
	}
	assert_int_equal(failed, 0);
}

/* Periodic load that takes 67 % at the top: an i5-9600K settled at about 78 % busy. */
static void test_equilibrium(void **state)
{
	/* 347 Hz: of 2.88 ms, 67 % at 3.9 GHz are 78 % at 3.35 GHz, and 22 % asleep. */
	static const struct op ops[] = { { OP_RUN, .cycles = 9407000 },
		{ OP_SLEEP_FOR, .ns = 633600 } };
	struct machine *m = hwp_machine("skylake-1-socket");
	struct run_result r;
	struct policy p;
	double busy;

	hwp_policy(&p, "powersave", "none");
	r = run_ops(m, &p, ops, ARRAY_LEN(ops), 500);
	busy = (double)r.cpus[0].user_ns / (double)r.elapsed_ns;
	if (busy < 0.77 || busy > 0.80)
		fail_msg("%.3f busy at %u kHz, want 0.78", busy, mean_khz(&r));
	result_release(&r);
	machine_free(m);
}

/* Under light load the choice stays at the floor, but for a request that wants less or more. */
static void test_floor(void **state)
{
	static const struct {
		uint32_t min, max, want_khz;
	} rows[] = { { 1, 39, 2300000 }, { 1, 15, 1500000 }, { 30, 39, 3000000 } };
	static const struct op ops[] = { { OP_RUN, .cycles = 100000 },
		{ OP_SLEEP_FOR, .ns = 5000000 } };
	struct machine *m = hwp_machine("xeon-e3-1240v5");

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct run_result r;
		struct policy p;

		hwp_policy(&p, "powersave", "none");
		hwp_test.min = rows[i].min;
		hwp_test.max = rows[i].max;
		r = run_ops(m, &p, ops, ARRAY_LEN(ops), 100);
		if (mean_khz(&r) < rows[i].want_khz / 100 * 98 ||
			mean_khz(&r) > rows[i].want_khz / 100 * 102)
			fail_msg("%u to %u: %u kHz, want %u", rows[i].min, rows[i].max,
				mean_khz(&r), rows[i].want_khz);
		result_release(&r);
	}
	machine_free(m);
}

static const struct {
	const char *name;
	uint32_t min, max;
	uint64_t more;
	uint32_t want_khz; /* mean of a long run, within 4 % */
} requests[] = {
	{ "the hardware's choice", 1, 39, 0, 3900000 },
	{ "a maximum", 1, 20, 0, 2000000 },
	{ "a maximum of nothing", 1, 1, 0, 800000 },
	{ "desired", 1, 39, 17ULL << 16, 1700000 },
	{ "desired above the maximum", 1, 15, 17ULL << 16, 1500000 },
	{ "minimum above maximum: the maximum holds", 30, 20, 0, 2000000 },
	/* 127 * 10^4 us: activity of more than a second counts; all starts at the lowest */
	{ "a long activity window", 1, 39, 127ULL << 32 | 4ULL << 39, 800000 },
	/* the package's request is that of power-on */
	{ "left to the package", 1, 20, 1ULL << HWP_PACKAGE_CONTROL_BIT, 3900000 },
};

static void test_requests(void **state)
{
	static const struct op ops[] = { { OP_SLEEP_FOR, .ns = 1000000000 },
		{ OP_RUN, .cycles = 1000000000 } };
	struct machine *m = hwp_machine("skylake-1-socket:online=0");
	struct policy p;
	int failed = 0;

	for (size_t i = 0; i < ARRAY_LEN(requests); i++) {
		struct run_result r;
		uint32_t khz;

		hwp_policy(&p, "powersave", "none");
		hwp_test.min = requests[i].min;
		hwp_test.max = requests[i].max;
		hwp_test.more = requests[i].more;
		r = run_ops(m, &p, ops, ARRAY_LEN(ops), 1);
		khz = mean_khz(&r);
		if (khz < requests[i].want_khz / 100 * 96 ||
			khz > requests[i].want_khz / 100 * 104) {
			print_error("%s: %u kHz, want %u\n", requests[i].name, khz,
				requests[i].want_khz);
			failed++;
		}
		result_release(&r);
	}
	machine_free(m);
	assert_int_equal(failed, 0);
}

/* The work of another core's history is lost: a task that moves to a cold core is slower. */
static void test_history_is_the_cores(void **state)
{
	struct machine *m = hwp_machine("skylake-1-socket");
	struct run_result stays, moves;
	struct policy p;

	for (int i = 0; i < 2; i++) {
		static const struct op pair[2][4] = {
			{ { OP_RUN, .cycles = 3000000 }, { OP_SIGNAL, .target = 0 },
				{ OP_WAIT, .target = 1 } },
			{ { OP_WAIT, .target = 0 }, { OP_RUN, .cycles = 3000000 },
				{ OP_SIGNAL, .target = 1 } },
		};
		struct ops_workload *o = ops_new(2);
		struct run_result *r = i ? &moves : &stays;

		hwp_policy(&p, "powersave", "none");
		p.sched.balance = false;
		m->freq_domain = FREQ_DOMAIN_CORE;
		ops_add(o, pair[0], 3, 200)->allowed[0] = 1;
		ops_add(o, pair[1], 3, 200)->allowed[0] = i ? 2 : 1;
		*r = run_checked(m, o, &p);
		free(o);
	}
	if (stays.elapsed_ns * 2 > moves.elapsed_ns)
		fail_msg("%llu ns on one core, %llu on two, expected more than twice as long",
			(unsigned long long)stays.elapsed_ns, (unsigned long long)moves.elapsed_ns);
	result_release(&stays);
	result_release(&moves);
	machine_free(m);
}

/* ---- registers ------------------------------------------------------------------------- */

static struct policy register_policy;

static const struct {
	const char *name;
	uint32_t reg;
	bool write;
	uint64_t value; /* written, or read */
	int want;
} accesses[] = {
	{ "HWP is on", MSR_PM_ENABLE, false, 1, 0 },
	{ "and stays on", MSR_PM_ENABLE, true, 0, 0 },
	{ "whatever is written", MSR_PM_ENABLE, false, 1, 0 },
	{ "capabilities", MSR_HWP_CAPABILITIES, false, 0x01082327, 0 },
	{ "cannot be written", MSR_HWP_CAPABILITIES, true, 0, -EIO },
	{ "request", MSR_HWP_REQUEST, false, 0x80002708, 0 },
	{ "request, other bits", MSR_HWP_REQUEST, true, 0x12340080142010ULL, 0 },
	{ "read back", MSR_HWP_REQUEST, false, 0x12340080142010ULL, 0 },
	{ "the package's, at power-on", MSR_HWP_REQUEST_PKG, false, 0x80002701, 0 },
	{ "interrupt", MSR_HWP_INTERRUPT, true, 0xff, 0 },
	{ "two bits of it", MSR_HWP_INTERRUPT, false, 3, 0 },
	{ "status", MSR_HWP_STATUS, false, 0, 0 },
	{ "none such", 0x775, false, 0, -EIO },
	{ "units, as on Skylake clients", MSR_RAPL_POWER_UNIT, false, 0xa0e03, 0 },
	/* 80 W over 1 s, 100 W */
	{ "power limits", MSR_PKG_POWER_LIMIT, false, 0x0001832000158280, 0 },
	{ "a counter is not to be written", MSR_PKG_ENERGY_STATUS, true, 0, -EIO },
};

static int access_next(struct workload *w, int task, struct op *ret, struct error *err)
{
	const struct hardware *hw = hwp_test.hw;
	int failed = 0;

	for (size_t i = 0; i < ARRAY_LEN(accesses); i++) {
		int64_t now = 0;
		uint64_t value = accesses[i].value;
		int r = accesses[i].write ? hw->wrmsr(hw->ctx, &now, 0, accesses[i].reg, value)
					  : hw->rdmsr(hw->ctx, &now, 0, accesses[i].reg, &value);

		if (r != accesses[i].want || value != accesses[i].value || !now) {
			print_error("%s: %d, %#llx, want %d, %#llx\n", accesses[i].name, r,
				(unsigned long long)value, accesses[i].want,
				(unsigned long long)accesses[i].value);
			failed++;
		}
	}
	assert_int_equal(failed, 0);
	return 0;
}

static void test_registers(void **state)
{
	struct machine *m = hwp_machine("skylake-1-socket");
	struct ops_workload *o = ops_new(0);
	struct run_result r;

	hwp_policy(&register_policy, "powersave", "none");
	ops_add(o, NULL, 0, 1);
	o->w.next = access_next;
	r = run_checked(m, o, &register_policy);
	result_release(&r);
	free(o);
	machine_free(m);
}

/* ---- two threads of a core ------------------------------------------------------------- */

static int sibling_rounds;

/* CPU 4, the sibling of CPU 0, asks for no less than the highest; then light work on CPU 0. */
static int sibling_next(struct workload *w, int task, struct op *ret, struct error *err)
{
	static const struct op light[] = { { OP_RUN, .ns = 50000 },
		{ OP_SLEEP_FOR, .ns = 2000000 } };
	const struct hardware *hw = hwp_test.hw;
	int64_t now = 0;

	if (task) { /* what runs on the sibling, if anything does */
		*ret = (struct op){ .kind = OP_RUN, .ns = 1000000 };
		return 1;
	}
	if (!sibling_rounds)
		assert_int_equal(hw->wrmsr(hw->ctx, &now, 4, MSR_HWP_REQUEST, 0x80002727), 0);
	*ret = light[sibling_rounds++ & 1];
	return sibling_rounds < 400;
}

/* The request of a thread that sleeps deep does not count; that of one that runs does. */
static void test_siblings(void **state)
{
	for (int busy = 0; busy < 2; busy++) {
		struct machine *m = hwp_machine("skylake-1-socket:online=0,4");
		struct ops_workload *o = ops_new(0);
		struct run_result r;
		struct policy p;

		hwp_policy(&p, "powersave", "none");
		sibling_rounds = 0;
		ops_add(o, NULL, 0, 1)->allowed[0] = 1;
		if (busy)
			ops_add(o, NULL, 0, 1)->allowed[0] = 16;
		if (busy)
			o->defs[1].service = true;
		o->w.next = sibling_next;
		r = run_checked(m, o, &p);
		if (busy ? mean_khz(&r) < 3800000 : mean_khz(&r) > 900000)
			fail_msg("sibling %s: %u kHz", busy ? "busy" : "asleep", mean_khz(&r));
		result_release(&r);
		free(o);
		machine_free(m);
	}
}

/* ---- energy counters ------------------------------------------------------------------- */

enum { READS = 40, READ_EVERY_NS = 300000 };

static struct {
	int64_t at_ns[READS];
	uint64_t package[READS], cores[READS];
	int nr;
} counters;

static uint64_t read_counter(uint32_t reg)
{
	const struct hardware *hw = hwp_test.hw;
	uint64_t value = 0;
	int64_t now = 0;

	assert_int_equal(hw->rdmsr(hw->ctx, &now, 0, reg, &value), 0);
	return value;
}

static int counter_next(struct workload *w, int task, struct op *ret, struct error *err)
{
	const struct sim *s = hwp_test.hw->ctx;

	if (counters.nr == READS)
		return 0;
	counters.at_ns[counters.nr] = s->now_ns;
	counters.package[counters.nr] = read_counter(MSR_PKG_ENERGY_STATUS);
	counters.cores[counters.nr++] = read_counter(MSR_PP0_ENERGY_STATUS);
	*ret = (struct op){ .kind = OP_RUN, .ns = READ_EVERY_NS };
	return 1;
}

/* They move once in a millisecond, and by what the package takes at 3.9 GHz: 14.3 W, 9 of the core.
 */
static void test_counters(void **state)
{
	struct machine *m = hwp_machine("skylake-1-socket:khz=3900000");
	struct ops_workload *o = ops_new(0);
	struct run_result r;
	struct policy p;
	double joules, cores, seconds;

	hwp_policy(&p, "powersave", "none");
	ops_add(o, NULL, 0, 1)->allowed[0] = 1;
	o->w.next = counter_next;
	r = run_checked(m, o, &p);
	for (int i = 1; i < READS; i++) {
		int64_t a = counters.at_ns[i - 1] / NSEC_PER_MSEC;
		int64_t b = counters.at_ns[i] / NSEC_PER_MSEC;

		assert_int_equal(a == b, counters.package[i] == counters.package[i - 1]);
	}
	joules =
		(double)(counters.package[READS - 1] - counters.package[1]) * m->rapl_unit_nj / 1e9;
	cores = (double)(counters.cores[READS - 1] - counters.cores[1]) * m->rapl_unit_nj / 1e9;
	seconds = (double)(counters.at_ns[READS - 1] / NSEC_PER_MSEC -
			   counters.at_ns[1] / NSEC_PER_MSEC) /
		  1e3;
	if (joules / seconds < 14.2 || joules / seconds > 14.6 || cores / seconds < 8.9 ||
		cores / seconds > 9.3)
		fail_msg("%.3f W, %.3f W of the cores", joules / seconds, cores / seconds);
	result_release(&r);
	free(o);
	machine_free(m);
}

static void test_no_hwp(void **state)
{
	static const struct op ops[] = { { OP_RUN, .cycles = 1000 } };
	struct sim_options options = { .seed = 1 };
	struct machine *m = hwp_machine("i7-2600k");
	struct ops_workload *o = ops_new(0);
	struct error err = { "" };
	struct run_result r;
	struct policy p;

	hwp_policy(&p, "powersave", "none");
	ops_add(o, ops, 1, 1);
	assert_true(sim_run(m, &o->w, &p, &options, &r, &err) < 0);
	assert_non_null(strstr(err.text, "driver hwp-test does not run on CPU 0"));
	free(o);
	machine_free(m);
}

/* The i5-9600K's: 17 % of gaps of 747..950 us cost about 30 ms at the lowest frequency. */
static void test_gap_quirk(void **state)
{
	static const struct op ops[] = { { OP_RUN, .cycles = 200000000 },
		{ OP_SLEEP_FOR, .ns = 800000 } };
	static const char *const machines[] = { "skylake-1-socket",
		"skylake-1-socket:hwp-quirk=gap+efficient" };
	uint64_t slow[2];

	for (int i = 0; i < 2; i++) {
		struct machine *m = hwp_machine(machines[i]);
		struct run_result r;
		struct policy p;

		hwp_policy(&p, "powersave", "none");
		assert_int_equal(policy_set(&p, "idle", "state:2", NULL), 0);
		r = run_ops(m, &p, ops, ARRAY_LEN(ops), 200);
		slow[i] = time_below(&r, 1000000) / NSEC_PER_MSEC;
		result_release(&r);
		machine_free(m);
	}
	/* 200 gaps, 34 of them, 30 ms each */
	assert_in_range(slow[0], 0, 30);
	assert_in_range(slow[1], 500, 1500);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ramp),
		cmocka_unit_test(test_equilibrium),
		cmocka_unit_test(test_floor),
		cmocka_unit_test(test_requests),
		cmocka_unit_test(test_history_is_the_cores),
		cmocka_unit_test(test_registers),
		cmocka_unit_test(test_siblings),
		cmocka_unit_test(test_counters),
		cmocka_unit_test(test_no_hwp),
		cmocka_unit_test(test_gap_quirk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
