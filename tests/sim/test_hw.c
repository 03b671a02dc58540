// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Hardware behind registers other than HWP's: what the counters count, when a request takes effect,
 * what bounds it, and real drivers on machines of which one thing was changed.
 */
#include "fixture.h"

#include "policy/driver/drivers.h"
#include "policy/driver/registers.h"

#include "sim/internal.h"

#define MS 1000000LL

/* ---- a driver that only looks and asks ------------------------------------------------- */

enum { SEEN_MAX = 64 };

static struct probe {
	uint32_t ratios[2]; /* asked for in turn, each at a tick; 0: nothing */
	uint64_t flags;	    /* of the request */
	uint64_t misc;	    /* written to MISC_ENABLE at the start */
	int nr;
	struct {
		int64_t now_ns;
		uint64_t aperf, mperf, tsc, status;
	} seen[SEEN_MAX];
} probe;

static int probe_init(struct driver_unit *u, int64_t *now_ns, struct driver_offer *ret)
{
	const struct hardware *hw = u->hw;

	ret->range = (struct freq_limits){ 1000000, 3000000 };
	ret->own_policies = true;
	u->hooked = true;
	hw->wrmsr(hw->ctx, now_ns, u->cpus[0], MSR_IA32_MISC_ENABLE, probe.misc);
	return hw->wrmsr(hw->ctx, now_ns, u->cpus[0], MSR_IA32_PERF_CTL,
		(probe.ratios[0] ? probe.ratios[0] : 10) << 8 | probe.flags);
}

static int probe_policy(struct driver_unit *u, int64_t *now_ns, enum driver_policy policy,
	const struct freq_limits *limits)
{
	return 0;
}

static void probe_util(
	struct driver_unit *u, int64_t *now_ns, const struct util_event *event, int64_t tick_ns)
{
	const struct hardware *hw = u->hw;
	int cpu = u->cpus[0], n = probe.nr;
	int64_t scratch = event->now_ns; /* looking is free here */

	if (!(event->flags & UTIL_TICK) || n == SEEN_MAX || cpu)
		return;
	probe.nr++;
	probe.seen[n].now_ns = event->now_ns;
	assert_int_equal(
		hw->rdmsr(hw->ctx, &scratch, cpu, MSR_IA32_APERF, &probe.seen[n].aperf), 0);
	assert_int_equal(
		hw->rdmsr(hw->ctx, &scratch, cpu, MSR_IA32_MPERF, &probe.seen[n].mperf), 0);
	assert_int_equal(
		hw->rdmsr(hw->ctx, &scratch, cpu, MSR_IA32_PERF_STATUS, &probe.seen[n].status), 0);
	scratch = event->now_ns - 10; /* the read takes 10 ns */
	assert_int_equal(hw->rdtsc(hw->ctx, &scratch, cpu, &probe.seen[n].tsc), 0);
	scratch = event->now_ns - 100;
	if (probe.ratios[0])
		hw->wrmsr(hw->ctx, &scratch, cpu, MSR_IA32_PERF_CTL,
			probe.ratios[(n + 1) & 1] << 8 | probe.flags);
}

static const struct driver probe_driver = {
	.name = "probe",
	.summary = "looks and asks",
	.init = probe_init,
	.set_policy = probe_policy,
	.on_util = probe_util,
};

/* 1 to 3 GHz, 2 GHz without turbo. */
static struct machine *probe_machine(void)
{
	struct machine *m = machine_new(1);

	m->base_khz = 2000000;
	m->max_khz = 3000000;
	m->platform.tsc_khz = 2000000;
	m->transition_ns = 20000;
	return m;
}

static void run_probe(struct machine *m, const struct op *ops, int nr, int times)
{
	struct ops_workload *o = ops_new(0);
	struct run_result r;
	struct policy p;

	policy_make(&p, "menu@6.1");
	p.driver = &probe_driver;
	ops_add(o, ops, nr, times);
	probe.nr = 0;
	r = run_checked(m, o, &p);
	result_release(&r);
	free(o);
}

/* ---- counters -------------------------------------------------------------------------- */

static void test_counters(void **state)
{
	static const struct op busy[] = { { OP_RUN, .cycles = 100000000 } };
	struct machine *m = probe_machine();

	probe = (struct probe){ .ratios = { 15, 15 } };
	run_probe(m, busy, 1, 1); /* 67 ms at 1500 MHz */
	assert_true(probe.nr >= 10);
	for (int i = 2; i < probe.nr; i++) {
		int64_t ns = probe.seen[i].now_ns - probe.seen[i - 1].now_ns;

		assert_int_equal(probe.seen[i].tsc - probe.seen[i - 1].tsc, 2 * ns);
		assert_in_range(
			probe.seen[i].mperf - probe.seen[i - 1].mperf, 2 * ns - 1, 2 * ns + 1);
		assert_in_range(probe.seen[i].aperf - probe.seen[i - 1].aperf, ns * 3 / 2 - 1,
			ns * 3 / 2 + 1);
		assert_int_equal(probe.seen[i].status, 15 << 8);
	}
	free(m);
}

/* A CPU that sleeps counts in neither; one that polls counts in both. */
static void test_halted(void **state)
{
	static const struct op half[] = { { OP_RUN, .ns = 1300000 },
		{ OP_SLEEP_FOR, .ns = 1300000 } };
	struct machine *m = probe_machine();
	uint64_t mperf, tsc;

	probe = (struct probe){ .ratios = { 20, 20 } };
	run_probe(m, half, 2, 50);
	assert_true(probe.nr > 5);
	mperf = probe.seen[probe.nr - 1].mperf - probe.seen[0].mperf;
	tsc = probe.seen[probe.nr - 1].tsc - probe.seen[0].tsc;
	assert_in_range(mperf * 100 / tsc, 45, 60);
	free(m);

	m = probe_machine();
	m->idle.nr_states = 1; /* POLL alone */
	run_probe(m, half, 2, 50);
	assert_true(probe.nr > 5);
	mperf = probe.seen[probe.nr - 1].mperf - probe.seen[0].mperf;
	tsc = probe.seen[probe.nr - 1].tsc - probe.seen[0].tsc;
	assert_in_range(tsc - mperf, 0, 2);
	free(m);
}

/* ---- when a request takes effect ------------------------------------------------------- */

/* From what APERF counted between two ticks: how long after the request the frequency changed. */
static int64_t change_after_ns(int i)
{
	int64_t ns = probe.seen[i + 1].now_ns - probe.seen[i].now_ns;
	int64_t cycles = (int64_t)(probe.seen[i + 1].aperf - probe.seen[i].aperf);
	int64_t old = probe.ratios[i & 1], new = probe.ratios[(i + 1) & 1];

	/* cycles = (old d + new (ns - d)) / 10 */
	return (10 * cycles - new *ns) / (old - new);
}

static const struct {
	const char *name;
	int64_t grid_ns, transition_ns;
} changes[] = {
	{ "at once", 0, 20000 },
	{ "slow", 0, 300000 },
	{ "Skylake server", 500000, 20000 },
	{ "coarse", 1000000, 390000 },
};

static void test_grid(void **state)
{
	static const struct op busy[] = { { OP_RUN, .cycles = 300000000 } };

	for (size_t n = 0; n < ARRAY_LEN(changes); n++) {
		struct machine *m = probe_machine();
		int64_t phase = -1;

		print_message("%s\n", changes[n].name);
		m->change_grid_ns = changes[n].grid_ns;
		m->transition_ns = changes[n].transition_ns;
		probe = (struct probe){ .ratios = { 10, 20 } };
		run_probe(m, busy, 1, 1);
		assert_true(probe.nr > 20);
		for (int i = 1; i < probe.nr - 1; i++) {
			int64_t d = change_after_ns(i), at;

			assert_in_range(d, changes[n].transition_ns - 2,
				changes[n].transition_ns + changes[n].grid_ns + 2);
			if (!changes[n].grid_ns)
				continue;
			at = (probe.seen[i].now_ns + d - changes[n].transition_ns + 2) %
			     changes[n].grid_ns;
			if (phase >= 0)
				assert_in_range(at, phase - 4, phase + 4);
			phase = at;
		}
		free(m);
	}
}

/* ---- what bounds it -------------------------------------------------------------------- */

static const struct {
	const char *name;
	uint64_t flags, misc;
	uint32_t want_khz;
} bounds[] = {
	{ "turbo", 0, 0, 3000000 },
	{ "left out by the request", PERF_CTL_NO_TURBO, 0, 2000000 },
	{ "switched off", 0, MISC_ENABLE_TURBO_DISABLE, 2000000 },
};

static void test_turbo(void **state)
{
	static const struct op busy[] = { { OP_RUN, .cycles = 100000000 } };

	for (size_t i = 0; i < ARRAY_LEN(bounds); i++) {
		struct machine *m = probe_machine();

		print_message("%s\n", bounds[i].name);
		probe = (struct probe){
			.ratios = { 30, 30 }, .flags = bounds[i].flags, .misc = bounds[i].misc
		};
		run_probe(m, busy, 1, 1);
		assert_int_equal(probe.seen[2].status >> 8, bounds[i].want_khz / 100000);
		free(m);
	}
}

/* ---- real drivers ---------------------------------------------------------------------- */

static struct run_result run_on(
	const struct machine *m, const char *keys, const struct op *ops, int nr, int times)
{
	char text[256], *save = NULL;
	struct ops_workload *o = ops_new(0);
	struct error err = { "" };
	struct run_result r;
	struct policy p;

	policy_make(&p, "menu@6.1");
	snprintf(text, sizeof(text), "%s", keys);
	for (char *item = strtok_r(text, ",", &save); item; item = strtok_r(NULL, ",", &save)) {
		char *value = strchr(item, '=');

		*value++ = 0;
		if (policy_set(&p, item, value, &err))
			fail_msg("%s", err.text);
	}
	if (policy_check(&p, &err))
		fail_msg("%s", err.text);
	ops_add(o, ops, nr, times)->allowed[0] = 1;
	r = run_checked(m, o, &p);
	free(o);
	return r;
}

static uint64_t time_at(const struct run_result *r, uint32_t khz)
{
	for (int i = 0; i < r->nr_freqs; i++)
		if (r->freqs[i].khz == khz)
			return r->freqs[i].time_ns;
	return 0;
}

static struct machine *load(const char *spec)
{
	struct machine *m;
	struct error err;

	if (machine_load(spec, MACHINES_DIR, &m, &err))
		fail_msg("%s", err.text);
	return m;
}

/* The same frequencies by port as by register, and firmware's limit in the middle. */
static void test_acpi(void **state)
{
	static const struct op busy[] = { { OP_RUN, .cycles = 900000000 } };
	static const enum acpi_pss_space spaces[] = { PSS_MSR, PSS_IO };

	for (size_t i = 0; i < ARRAY_LEN(spaces); i++) {
		struct machine *m = load("i7-2600k");
		struct run_result r;

		m->platform.pss_space = spaces[i];
		m->platform.pss_port = 0x880;
		for (int n = 0; n < m->platform.nr_pss && spaces[i] == PSS_IO; n++)
			m->platform.pss[n].control = m->platform.pss[n].status = (uint32_t)n;
		r = run_on(m, "driver=acpi-cpufreq,governor=performance,at=50ms:ppc=5+100ms:ppc=0",
			busy, 1, 1);
		assert_in_range(time_at(&r, 2600000), 49 * MS, 51 * MS);
		/* 900 M cycles less 130 M in those 50 ms */
		assert_in_range(time_at(&r, 3800000), 200 * MS, 206 * MS);
		result_release(&r);
		machine_free(m);
	}
}

static void test_limits_change(void **state)
{
	static const struct op busy[] = { { OP_RUN, .cycles = 900000000 } };
	static const struct {
		const char *keys;
		uint32_t khz;
	} rows[] = {
		{ "driver=intel_pstate,status=active,governor=performance,"
		  "at=50ms:max-perf-pct=50+100ms:max-perf-pct=100",
			1900000 },
		{ "driver=intel_pstate,governor=performance,"
		  "at=50ms:scaling-max-freq=2000000+100ms:scaling-max-freq=3800000",
			2000000 },
		{ "driver=intel_pstate,status=active,governor=performance,"
		  "at=50ms:no-turbo=1+100ms:no-turbo=0",
			3400000 },
		{ "driver=intel_pstate,governor=powersave,"
		  "at=50ms:scaling-min-freq=2500000+100ms:scaling-min-freq=1600000",
			2500000 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct machine *m = load("i7-2600k");
		struct run_result r = run_on(m, rows[i].keys, busy, 1, 1);

		print_message("%s\n", rows[i].keys);
		assert_in_range(time_at(&r, rows[i].khz), 49 * MS, 51 * MS);
		result_release(&r);
		machine_free(m);
	}
}

/* intel_pstate's own powersave: at the top while busy, near the bottom with a little to do. */
static void test_powersave(void **state)
{
	static const struct op busy[] = { { OP_RUN, .cycles = 1900000000 } };
	static const struct op little[] = { { OP_RUN, .ns = 200000 },
		{ OP_SLEEP_FOR, .ns = 9800000 } };
	const char *keys = "driver=intel_pstate,status=active,governor=powersave";
	struct machine *m = load("i7-2600k");
	struct run_result r = run_on(m, keys, busy, 1, 1);

	assert_true(time_at(&r, 3800000) > 450 * MS);
	result_release(&r);
	r = run_on(m, keys, little, 2, 100);
	assert_true(time_at(&r, 1600000) > 19 * MS);
	result_release(&r);
	machine_free(m);
}

/* A request that is carried out while all cores sleep counts when the next one wakes. */
static void test_request_while_asleep(void **state)
{
	static const struct op little[] = { { OP_RUN, .cycles = 500000 },
		{ OP_SLEEP_FOR, .ns = 9800000 } };
	struct machine *m = load("i7-2600k");
	struct run_result r = run_on(m, "driver=acpi-cpufreq,governor=ondemand", little, 2, 100);

	assert_true(time_at(&r, 3800000) < 2 * MS);
	assert_true(time_at(&r, 1600000) > 25 * MS);
	result_release(&r);
	machine_free(m);
}

/* ---- driver=auto ----------------------------------------------------------------------- */

static const struct {
	const char *machine, *keys, *note;
} autos[] = {
	{ "i7-2600k", "", "driver=auto: Linux 6.1 registers intel_pstate, passive on " },
	{ "i7-2600k", ",kernel=5.7", "driver=auto: Linux 5.7 registers intel_pstate, active on " },
	{ "i7-2600k", ",cmdline=intel_pstate=disable",
		"driver=auto: Linux 6.1 registers acpi-cpufreq" },
	{ "xeon-e3-1240v5", "", "driver=auto: Linux 6.1 registers intel_pstate, active on " },
	{ "xeon-e3-1240v5", ",cmdline=intel_pstate=no_hwp",
		"driver=auto: Linux 6.1 registers intel_pstate, passive on " },
	{ "epyc-zen4", "", "driver=auto: Linux 6.1 registers acpi-cpufreq" },
	{ "epyc-zen4", ",cmdline=amd_pstate=guided,kernel=6.4",
		"driver=auto: Linux 6.4 registers amd-pstate, guided on " },
	{ "dl580-gen8", ",kernel=4.17", "driver=auto: Linux 4.17 registers pcc-cpufreq" },
	{ "dl580-gen8", ",kernel=4.18", "driver=auto: Linux 4.18 registers intel_pstate" },
	{ "epyc-guest", "", "driver=auto: Linux 6.1 registers none on " },
};

static void test_auto(void **state)
{
	static const struct op busy[] = { { OP_RUN, .ns = 10000 } };
	int failed = 0;

	for (size_t i = 0; i < ARRAY_LEN(autos); i++) {
		struct machine *m = load(autos[i].machine);
		struct run_result r;
		char keys[128];

		snprintf(keys, sizeof(keys), "driver=auto%s", autos[i].keys);
		r = run_on(m, keys, busy, 1, 1);
		if (!r.nr_notes || strncmp(r.notes[0], autos[i].note, strlen(autos[i].note))) {
			printf("%s%s: '%s'\n", autos[i].machine, autos[i].keys,
				r.nr_notes ? r.notes[0] : "");
			failed++;
		}
		result_release(&r);
		machine_free(m);
	}
	assert_int_equal(failed, 0);
}

/* auto has room for the parameters of every driver that it may stand for. */
static void test_auto_room(void **state)
{
	for (const struct driver *const *d = drivers; *d; d++)
		assert_true((*d)->shared_size <= driver_auto.shared_size);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counters),
		cmocka_unit_test(test_halted),
		cmocka_unit_test(test_grid),
		cmocka_unit_test(test_turbo),
		cmocka_unit_test(test_acpi),
		cmocka_unit_test(test_limits_change),
		cmocka_unit_test(test_powersave),
		cmocka_unit_test(test_request_while_asleep),
		cmocka_unit_test(test_auto),
		cmocka_unit_test(test_auto_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
