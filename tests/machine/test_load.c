// SPDX-License-Identifier: GPL-2.0-or-later
/* What the loader refuses, in which words, and what specifications make of a machine. */
#include "machine/machine.h"
#include "machine/names.h"
#include "../cmocka_all.h"
#include "files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file with one thing changed, and what must be said about it after "m.yaml:". */
static const struct {
	const char *old, *new;
	const char *says;
} spoiled[] = {
	{ "  base_khz: 3400000", "  base_khz: 3.4",
		": frequency.base_khz: '3.4', expected a whole number from 1000 to 20000000 "
		"kHz" },
	{ "  base_khz: 3400000", "  base_khz: 3400000kHz",
		": frequency.base_khz: '3400000kHz', expected a whole number from 1000 to "
		"20000000 kHz" },
	{ "  base_khz: 3400000", "  base_khz: 03400000",
		": frequency.base_khz: '03400000', expected a whole number from 1000 to "
		"20000000 kHz" },
	{ "  base_khz: 3400000", "  base_khz: 0x33e140",
		": frequency.base_khz: '0x33e140', expected a whole number from 1000 to "
		"20000000 kHz" },
	{ "  base_khz: 3400000", "  base_khz: 18446744073709551616",
		": frequency.base_khz: '18446744073709551616', expected a whole number from "
		"1000 to 20000000 kHz" },
	{ "  base_khz: 3400000", "  base_khz: 1500000",
		": frequency.base_khz: '1500000', expected min_khz, 1600000, to max_khz, "
		"3800000" },
	{ "  base_khz: 3400000", "  base_khz:", ": frequency.base_khz: nothing, expected a value" },
	{ "  base_khz: 3400000", "  base_khz: [1]", ": frequency.base_khz: expected one value" },
	{ "monitors: true", "monitors: ture",
		": idle.states.2.monitors: 'ture', expected true or "
		"false" },
	{ "  hz: 1000", "  hz: 1000\n  hx: 5",
		": tick: unknown field 'hx', expected one of this section" },
	{ "  hz: 1000", "  hz: 1000\n  hz: 1000", ": tick.hz: given twice, expected once" },
	{ "  hz: 1000", "  hz: 0", ": tick.hz: '0', expected a whole number from 10 to 10000 Hz" },
	{ "      wake_ns: 350\n", "", ": idle.states.2: no field 'wake_ns', expected it here" },
	{ "target_residency_ns: 211000", "target_residency_ns: 19999",
		": idle.states.C3.target_residency_ns: '19999', expected 20000 or more: states "
		"from shallow to deep" },
	{ "exit_latency_ns: 104000", "exit_latency_ns: 1",
		": idle.states.C6.exit_latency_ns: '1', expected 80000 or more: states from "
		"shallow to deep" },
	{ "name: C3", "name: C1E", ": idle.states: a second 'C1E', expected different names" },
	{ "name: C3", "name: C.3",
		": idle.states: 'C.3', expected a name of letters, digits, '-', '_'" },
	{ "name: C3", "name: C3aaaaaaaaaaaaaaaaaaaa",
		": idle.states.4.name: too long, expected a shorter text" },
	{ "polling: false", "polling: true",
		": idle.states.C1.polling: true, expected it in the first state only" },
	{ "monitors: false", "monitors: true",
		": idle.states.POLL.monitors: true, expected false in a state that polls" },
	{ "[1900000, 4450]", "[1600000, 4450]",
		": power.uncore: 1600000 kHz after 1600000 kHz, expected ascending frequencies" },
	{ "[1900000, 4450]", "[1900000, -1]",
		": power.uncore: '-1', expected a whole number from 0 to 10000000 mW" },
	{ "[1900000, 4450]", "[1900000]", ": power.uncore.2.1: too few entries, expected more" },
	{ "[1900000, 4450]", "[1900000, 4450, 1]",
		": power.uncore.2.2: too many entries, expected fewer" },
	{ "[1900000, 4450]", "7", ": power.uncore.2: expected a list" },
	{ "- state: C1E", "- state: C2",
		": power.core_idle: entry 2 is 'C2', expected 'C1E': the states in their order" },
	{ "confidence: measured", "confidence: guessed",
		": topology: confidence 'guessed', expected measured, specified, estimated, "
		"estimated(from NAME) or fitted(TABLE)" },
	{ "confidence: measured", "confidence: estimated",
		": topology.packages: estimated without a range, expected low and high or "
		"spread_percent" },
	{ "  spread_percent: 50\n", "  spread_percent: 50%\n",
		": costs: spread_percent: '50%', expected a number from 0 to 1000" },
	{ "  spread_percent: 50\n", "",
		": costs.context_switch_ns: estimated without a range, expected low and high or "
		"spread_percent" },
	{ "low: 200\n", "low: 351\n",
		": idle.states.C1.wake_ns: 350 outside its range 351 to 1000, expected it inside" },
	{ "low: 200\n", "low: nan\n", ": idle.states.C1.wake_ns: low 'nan', expected a number" },
	{ "      low: 200\n", "", ": idle.states.C1.wake_ns: low '', expected both low and high" },
	{ "field: states.C1.wake_ns", "field: states.C2.wake_ns",
		": idle: facts: field 'states.C2.wake_ns' fits no value, expected the path of one "
		"within the section" },
	{ "domain: package", "domain: die",
		": frequency.domain: 'die', expected one of none, core, package" },
	{ "turbo_khz: [3800000,", "turbo_khz: [3600000,",
		": frequency.turbo_khz: 3700000 kHz after 3600000 kHz, expected no rise" },
	{ "turbo_khz: [3800000,", "turbo_khz: [3900000,",
		": frequency.turbo_khz: '3900000', expected min_khz, 1600000, to max_khz, "
		"3800000" },
	{ "cores_per_package: 4", "cores_per_package: 1024",
		": topology.cores_per_package: 2048 CPUs in all, expected at most 1024" },
	{ "cores_per_llc: 4", "cores_per_llc: 3",
		": topology.cores_per_llc: '3', expected a divisor of cores_per_package, 4" },
	{ "nodes_per_package: 1", "nodes_per_package: 3",
		": topology.nodes_per_package: '3', expected a divisor of cores_per_package, 4" },
	{ "pl2_mw: 118750", "pl2_mw: 94999",
		": limits.pl2_mw: '94999', expected pl1_mw, 95000, or more" },
	{ "irq_cpu: -1", "irq_cpu: 8",
		": devices.list.disk.irq_cpu: '8', expected -1 or a CPU below 8" },
	{ "package: -1", "package: 1",
		": devices.list.disk.package: '1', expected -1 or a package below 1" },
	{ "aperfmperf epb", "aperfmperf ebp",
		": platform.cpu_flags: 'ebp', expected of aperfmperf, cpb, cppc, epb, est, "
		"hw_pstate, hwp, hwp_epp, hwp_notify, ida" },
	{ "pss_space: msr", "pss_space: io",
		": platform.pss_port: left out, expected a port for pss_space io" },
	{ "  pss_space: msr\n", "",
		": platform.pss_space: left out, expected msr or io beside pss_khz" },
	{ "3401000, 3400000", "3400000, 3400000",
		": platform.pss_khz: 3400000 kHz twice, expected different P-states" },
	{ "3401000, 3400000", "3300000, 3400000",
		": platform.pss_khz: 3400000 kHz after 3300000 kHz, expected no rise" },
	{ "ppc: 0", "ppc: 11", ": platform.ppc: '11', expected one of the 11 entries of pss_khz" },
	{ "ppc: 0", "ppc: 0\n  cppc_highest: 255",
		": platform.cppc_highest: 1 of the six cppc_ values, expected all or none" },
	{ "vendor: intel", "vendor: via", ": platform.vendor: 'via', expected one of intel, amd" },
	{ "  vendor: intel\n", "", ": platform: no field 'vendor', expected it here" },
	{ "schema: 1", "schema: 2", ": schema: '2', expected 1" },
	{ "\ntopology:", "\n---\ntopology:", " a second document, expected one" },
	{ "  packages: 1", "  packages: &a 1\n  cores_per_package: *a",
		": topology.cores_per_package: an alias, expected the value itself" },
};

static void test_spoiled_files(void **state)
{
	char *text = file_text(FIXTURE);
	int failed = 0;

	for (size_t i = 0; i < ARRAY_LEN(spoiled); i++) {
		char *bad = text_with(text, spoiled[i].old, spoiled[i].new);
		struct machine *m = NULL;
		struct error err = { "" };
		int r = machine_load_text("m.yaml", bad, strlen(bad), &m, &err);
		const char *at = strstr(err.text, spoiled[i].says);

		free(bad);
		if (r == -EINVAL && !m && !strncmp(err.text, "m.yaml:", 7) && at &&
			at[strlen(spoiled[i].says)] == 0)
			continue;
		printf("'%s' -> '%s':\n  %d '%s'\n  want '%s'\n", spoiled[i].old, spoiled[i].new, r,
			err.text, spoiled[i].says);
		machine_free(m);
		failed++;
	}
	free(text);
	assert_int_equal(failed, 0);
}

/* Each line that an error names is where the change was made, or the nearest before it. */
static void test_line_is_near(void **state)
{
	char *text = file_text(FIXTURE);
	char *bad = text_with(text, "context_switch_ns: 300", "context_switch_ns: -300");
	struct machine *m;
	struct error err;
	int line = 1;

	for (const char *p = bad; p < strstr(bad, "-300"); p++)
		line += *p == '\n';
	assert_int_equal(machine_load_text("m.yaml", bad, strlen(bad), &m, &err), -EINVAL);
	assert_int_equal(atoi(err.text + strlen("m.yaml:")), line);
	free(bad);
	free(text);
}

static const struct {
	const char *spec, *says; /* says NULL: loads */
} specs[] = {
	{ "i7-2600k", NULL },
	{ "epyc-guest", NULL },
	{ "haswell-8cpu", NULL },
	{ "i7-2600k:online=0-3,6", NULL },
	{ "i7-2600k:online=N0/6", NULL },
	{ "i7-2600k:cpus=16", NULL },
	{ "i7-2600k:cpuidle=none", NULL },
	{ "i7-2600k:cpuidle=intel_idle", NULL },
	{ MACHINES_DIR "/i7-2600k.yaml:hz=100", NULL },
	{ "i7-2600k:online=N0/9", "online: COUNT: '9', expected a number from 1 to 8" },
	{ "i7-2600k:online=N01/2", "online: 'N01/2', expected ascending node digits from 0 to 0" },
	{ "i7-2600k:online=0-8", "online: '0-8', expected CPUs from 0 to 7" },
	{ "i7-2600k:online=3-1", "online: '3-1', expected CPUs from 0 to 7" },
	{ "i7-2600k:online=1,", "online: '1,', expected a list such as 0-3,6 or N01/30" },
	{ "i7-2600k:online=99999999999999999999",
		"online: '99999999999999999999', expected CPUs from 0 to 7" },
	{ "i7-2600k:online=N", "online: 'N', expected NODES/COUNT after N" },
	{ "i7-2600k:cpus=9", "cpus: '9', expected at most 8, or a multiple of 2 to grow" },
	{ "i7-2600k:cpus=0", "cpus: '0', expected a number from 1 to 1024" },
	{ "i7-2600k:khz=1", "khz: '1', expected a number from 1600000 to 3800000" },
	{ "i7-2600k:hz=3", "hz: '3', expected a number from 10 to 10000" },
	{ "i7-2600k:speed=0", "speed: '0', expected a number from 1 to 100000" },
	{ "i7-2600k:cpuidle=haltpoll", "cpuidle: 'haltpoll', expected intel_idle or none" },
	{ "i7-2600k:foo=1", "key 'foo', expected cpus, online, khz, speed, hz, cpuidle, "
			    "hwp-quirk, pl1_mw, pl2_mw, pl1_tau_ns, bios, draw or a path" },
	{ "i7-2600k:draw=x", "draw: 'x', expected a number from 0" },
	{ "i7-2600k:costs.tick_ns=900,power.uncore=x1.1,draw=3", NULL },
	{ "i7-2600k:costs.tick=900", "key 'costs.tick': no value of the file" },
	{ "i7-2600k:costs.tick_ns=0x9", "costs.tick_ns: '0x9', expected a whole number from 0" },
	{ "i7-2600k:costs.tick_ns=100000000000000000000000", "expected a whole number" },
	{ "i7-2600k:power.uncore=1.1", "power.uncore: '1.1', expected x and a factor" },
	{ "i7-2600k:power.uncore=xnan", "power.uncore: 'xnan', expected x and a factor" },
	{ "i7-2600k:power.uncore=x1e9", "power.uncore: 'x1e9', expected x and a factor" },
	{ "i7-2600k:frequency.domain=core", "frequency.domain: expected the path of a number" },
	{ "i7-2600k:idle.states.C3.exit_latency_ns=1",
		"i7-2600k.yaml:80: idle.states.C3.exit_latency_ns: '1', expected 10000 or more" },
	{ "i7-2600k:pl1_mw=0", "pl1_mw: '0', expected a number from 1" },
	{ "i7-2600k:pl1_mw=35000,pl2_mw=30000", "pl2_mw: '30000', expected a number from 35000" },
	{ "xeon-e3-1240v5:hwp-quirk=gap+efficient", NULL },
	{ "xeon-e3-1240v5:hwp-quirk=gap+", "hwp-quirk: 'gap+', expected gap, efficient" },
	{ "i7-2600k:hwp-quirk=gap", "hwp-quirk: 'gap', expected a machine with HWP" },
	{ "i7-2600k:hz=100,hz=250", "key 'hz' twice, expected once" },
	{ "i7-2600k:cpus=1,online=1", "cpus and online together, expected one of them" },
	{ "i7", "known: alder-lake-laptop, dl580-gen8, " },
	{ "./none.yaml", "./none.yaml: No such file or directory" },
	{ "", "expected NAME[:key=value,...]" },
};

static void test_specifications(void **state)
{
	int failed = 0;

	for (size_t i = 0; i < ARRAY_LEN(specs); i++) {
		struct machine *m = NULL;
		struct error err = { "" };
		int r = machine_load(specs[i].spec, MACHINES_DIR, &m, &err);
		bool good = specs[i].says ? r < 0 && strstr(err.text, specs[i].says) : !r;

		if (!good) {
			printf("'%s': %d '%s'\n", specs[i].spec, r, err.text);
			failed++;
		}
		machine_free(m);
	}
	assert_int_equal(failed, 0);
}

static struct machine *load(const char *spec)
{
	struct machine *m;
	struct error err;

	if (machine_load(spec, MACHINES_DIR, &m, &err))
		fail_msg("%s", err.text);
	return m;
}

static uint64_t online_mask(const struct machine *m)
{
	uint64_t mask = 0;

	for (int i = 0; i < m->nr_cpus; i++)
		mask |= (uint64_t)m->cpus[i].online << i;
	return mask;
}

static void test_keys(void **state)
{
	static const struct {
		const char *spec;
		int nr_cpus, nr_cores;
		uint64_t online;
	} rows[] = {
		{ "i7-2600k", 8, 4, 0xff },
		{ "i7-2600k:cpus=1", 8, 4, 0x01 },
		{ "i7-2600k:cpus=4", 8, 4, 0x0f },
		{ "i7-2600k:cpus=16", 16, 8, 0xffff },
		{ "i7-2600k:online=0-1,4-5", 8, 4, 0x33 },
		{ "i7-2600k:online=N0/4", 8, 4, 0x0f },
		{ "i7-2600k:online=N0/6", 8, 4, 0x3f },
		{ "epyc-guest:cpus=4", 4, 4, 0x0f },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct machine *m = load(rows[i].spec);

		printf("%s\n", rows[i].spec);
		assert_int_equal(m->nr_cpus, rows[i].nr_cpus);
		assert_int_equal(m->nr_cores, rows[i].nr_cores);
		assert_int_equal(online_mask(m), rows[i].online);
		assert_string_equal(m->text, rows[i].spec);
		machine_free(m);
	}
}

static void test_values(void **state)
{
	struct machine *m = load("i7-2600k:hz=250,speed=2000,khz=2000000,cpuidle=none");

	assert_string_equal(m->name, "i7-2600k");
	assert_int_equal(m->hz, 250);
	assert_int_equal(m->tick_ns, 4000000);
	assert_int_equal(m->idle.tick_ns, 4000000);
	assert_int_equal(m->ipc_permille, 2000);
	assert_int_equal(m->min_khz, 2000000);
	assert_int_equal(m->max_khz, 2000000);
	assert_string_equal(m->idle_driver_name, "none");
	assert_int_equal(m->idle.nr_states, 5);
	assert_string_equal(m->idle.states[3].name, "C3");
	assert_int_equal(m->idle.states[3].target_residency_ns, 211000);
	assert_true(m->idle.states[0].polling && !m->idle.states[1].polling);
	assert_true(m->idle_real[1].wake_ns < m->idle.states[1].exit_latency_ns);
	assert_int_equal(m->costs.migration_cost_ns, 500000);
	assert_int_equal(m->nr_devices, 2);
	assert_int_equal(m->devices[0].kind, DEVICE_DISK);
	assert_int_equal(m->devices[0].irq_cpu, -1);
	machine_free(m);
}

/* threads-adjacent and packages-alternate, on a machine made of this one. */
static void test_numbering(void **state)
{
	static const struct {
		const char *numbering;
		int core[8], thread[8], package[8];
	} rows[] = {
		{ "threads-last", { 0, 1, 2, 3, 0, 1, 2, 3 }, { 0, 0, 0, 0, 1, 1, 1, 1 },
			{ 0, 0, 1, 1, 0, 0, 1, 1 } },
		{ "threads-adjacent", { 0, 0, 1, 1, 2, 2, 3, 3 }, { 0, 1, 0, 1, 0, 1, 0, 1 },
			{ 0, 0, 0, 0, 1, 1, 1, 1 } },
		{ "packages-alternate", { 0, 2, 1, 3, 0, 2, 1, 3 }, { 0, 0, 0, 0, 1, 1, 1, 1 },
			{ 0, 1, 0, 1, 0, 1, 0, 1 } },
	};
	char *text = file_text(FIXTURE);
	char *a = text_with(
		text, "packages: 1\n  cores_per_package: 4", "packages: 2\n  cores_per_package: 2");
	char *b = text_with(a, "cores_per_llc: 4", "cores_per_llc: 2");

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char *c = text_with(b, "threads-last", rows[i].numbering);
		struct machine *m;
		struct error err;

		if (machine_load_text("m", c, strlen(c), &m, &err))
			fail_msg("%s", err.text);
		printf("%s\n", rows[i].numbering);
		for (int cpu = 0; cpu < 8; cpu++) {
			assert_int_equal(m->cpus[cpu].core, rows[i].core[cpu]);
			assert_int_equal(m->cpus[cpu].thread, rows[i].thread[cpu]);
			assert_int_equal(m->cpus[cpu].package, rows[i].package[cpu]);
			assert_int_equal(m->cpus[cpu].llc, rows[i].package[cpu]);
			assert_int_equal(m->cpus[cpu].node, rows[i].package[cpu]);
		}
		machine_free(m);
		free(c);
	}
	free(b);
	free(a);
	free(text);
}

static const struct provenance *find(const struct machine *m, const char *path)
{
	for (int i = 0; i < m->nr_provenance; i++)
		if (!strcmp(m->provenance[i].path, path))
			return &m->provenance[i];
	fail_msg("%s: no provenance of %s", m->text, path);
	return NULL;
}

/* Every value of every machine says where it is from; estimated numbers have their range. */
static void test_provenance(void **state)
{
	struct names names;

	names_read(&names, MACHINES_DIR);
	assert_true(names.nr >= 3);
	for (int i = 0; i < names.nr; i++) {
		struct machine *m = load(names.name[i]);

		assert_true(m->nr_provenance > 70);
		for (int j = 0; j < m->nr_provenance; j++) {
			const struct provenance *p = &m->provenance[j];
			bool ranged = !strncmp(p->confidence, "estimated", 9) &&
				      p->kind != PROVENANCE_TEXT;

			assert_true(*p->source && *p->confidence);
			assert_true(ranged ? p->low <= p->high : p->low == 0 && p->high == 0);
		}
		machine_free(m);
	}
}

static void test_provenance_rules(void **state)
{
	struct machine *m = load(FIXTURE ":online=0-2,hz=100");
	const struct provenance *p = find(m, "idle.states.C1.wake_ns");

	assert_string_equal(p->value, "350");
	assert_string_equal(p->unit, "ns");
	assert_string_equal(p->confidence, "estimated");
	assert_true(p->low == 200 && p->high == 1000);
	assert_non_null(strstr(p->source, "T14"));
	/* A fact with '*' covers each state. */
	assert_string_equal(find(m, "idle.states.C6.keeps_vote")->confidence, "measured");
	/* What no fact names is its section's. */
	assert_string_equal(find(m, "idle.states.C6.exit_latency_ns")->confidence, "specified");
	/* A spread makes a range; of a curve, factors. */
	p = find(m, "costs.tick_ns");
	assert_true(p->low == 750 && p->high == 2250);
	p = find(m, "power.core_active");
	assert_int_equal(p->kind, PROVENANCE_CURVE);
	assert_true(p->low > 0.87 && p->low < 0.89);
	/* Keys of the specification are facts too. */
	p = find(m, "tick.hz");
	assert_string_equal(p->value, "100");
	assert_string_equal(p->confidence, "specified");
	assert_string_equal(find(m, "topology.online_cpus")->value, "3");
	machine_free(m);
}

static void test_hybrid(void **state)
{
	struct machine *m;
	struct error err;

	assert_int_equal(machine_load("alder-lake-laptop", MACHINES_DIR, &m, &err), 0);
	assert_int_equal(m->efficiency_cores, 8);
	assert_int_equal(m->nr_cpus, 8);
	assert_int_equal(machine_simulable(m, &err), -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "'alder-lake-laptop' is hybrid"));
	machine_free(m);
	assert_int_equal(machine_load("spr-4-socket", MACHINES_DIR, &m, &err), 0);
	assert_int_equal(m->nr_cpus, 320);
	assert_int_equal(machine_simulable(m, &err), 0);
	machine_free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spoiled_files),
		cmocka_unit_test(test_line_is_near),
		cmocka_unit_test(test_specifications),
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_numbering),
		cmocka_unit_test(test_provenance),
		cmocka_unit_test(test_hybrid),
		cmocka_unit_test(test_provenance_rules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
