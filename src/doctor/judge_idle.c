// SPDX-License-Identifier: GPL-2.0-or-later
/* Idle states: who took some away, and latency limits that make them useless. */
#include "base/units.h"
#include "doctor/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IDLE_DIR "/sys/devices/system/cpu/cpu%d/cpuidle/state%d"

static void state_dir(const struct judge *j, int s, char *buf, size_t size)
{
	snprintf(buf, size, IDLE_DIR, j->f->idle.cpu, s);
}

static bool disabled(const struct idle_state_facts *s)
{
	return good(s->disable) && s->disable.number;
}

static bool off_by_default(const struct idle_state_facts *s)
{
	return text_is(&s->default_status, "disabled");
}

/* C1 and C1E: halted, but the core keeps its clock domain and voltage. POLL: not even halted. */
static bool is_shallow(const struct idle_state_facts *s)
{
	return !strncmp(s->name.s, "POLL", 4) || !strcmp(s->name.s, "C1") ||
	       !strcmp(s->name.s, "C1E") || !strncmp(s->name.s, "C1-", 3) ||
	       !strncmp(s->name.s, "C1E-", 4) || !strcmp(s->name.s, "C1_ACPI") ||
	       !strcmp(s->name.s, "CORE");
}

/* The deepest state in use is no deeper than C1E. */
static bool only_shallow(const struct judge *j)
{
	const struct idle_facts *idle = &j->f->idle;

	if (idle->nr < 2)
		return false;
	for (int s = 0; s < idle->nr; s++)
		if (!disabled(&idle->states[s]) && !is_shallow(&idle->states[s]))
			return false;
	return true;
}

/* A state that is off while a deeper one works costs little: C1 beside C1E, say. */
static bool deeper_works(const struct idle_facts *idle, int state)
{
	for (int s = state + 1; s < idle->nr; s++)
		if (!disabled(&idle->states[s]) && !off_by_default(&idle->states[s]))
			return true;
	return false;
}

static void add_depth(struct judge *j, enum severity severity, const char *why)
{
	struct finding *g;

	if (j->guest || (j->f->machine.features_known && !(j->f->machine.features & CPU_IDA) &&
				j->f->machine.vendor == VENDOR_INTEL))
		return;
	g = add(j, FINDING_DEPTH_TURBO, severity);
	evidence(g, "cpuidle", "%s", why);
}

static void judge_states(struct judge *j)
{
	const struct idle_facts *idle = &j->f->idle;
	char dir[96];
	bool lost = false;

	for (int s = 0; s < idle->nr; s++) {
		const struct idle_state_facts *st = &idle->states[s];
		struct finding *g;

		state_dir(j, s, dir, sizeof(dir));
		if (off_by_default(st) && (disabled(st) || !good(st->disable))) {
			bool harmless = deeper_works(idle, s);

			g = add(j, FINDING_STATE_OFF_DEFAULT,
				harmless ? SEVERITY_INFO : SEVERITY_PROBLEM);
			evidence(g, dir, "%s: default_status disabled, disable %lld", st->name.s,
				(long long)st->disable.number);
			lost = lost || !harmless;
		} else if (disabled(st) || idle->disabled_cpu[s] >= 0) {
			int cpu = disabled(st) ? idle->cpu : idle->disabled_cpu[s];
			char setting[48];

			snprintf(dir, sizeof(dir), IDLE_DIR, cpu, s);
			g = add(j, FINDING_STATE_OFF_USER, SEVERITY_WARN);
			evidence(g, dir, "%s: disable 1%s%s", st->name.s,
				has(&st->default_status) ? ", default_status " : "",
				has(&st->default_status) ? st->default_status.s : "");
			snprintf(setting, sizeof(setting), "state%d", s);
			if (!g->nr_advice)
				advise(g, "cpuidle/stateN/disable", "sysfs", "0 (%s, %s)", setting,
					st->name.s);
			lost = lost || !deeper_works(idle, s);
		}
	}
	if (lost && only_shallow(j))
		add_depth(j, found(j, FINDING_STATE_OFF_DEFAULT) ? SEVERITY_WARN : SEVERITY_INFO,
			"nothing deeper than C1E is in use");
}

static void judge_max_cstate(struct judge *j)
{
	static const struct {
		const char *key;
		int unlimited; /* from here on it limits nothing */
	} keys[] = { { "intel_idle.max_cstate", 9 }, { "processor.max_cstate", 8 } };
	char word[16];

	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		struct finding *g;

		if (!facts_param(j->f, keys[i].key, word, sizeof(word)) ||
			atoi(word) >= keys[i].unlimited)
			continue;
		/* processor's limit holds for acpi_idle only. */
		g = add(j, FINDING_MAX_CSTATE,
			!i || !text_is(&j->f->idle.driver, "intel_idle") ? SEVERITY_WARN
									 : SEVERITY_INFO);
		evidence(g, "/proc/cmdline", "%s=%s", keys[i].key, word);
		if (!strcmp(word, "0") && !i)
			detail(g, "0 turns intel_idle off altogether");
	}
	add_logged(j, FINDING_MAX_CSTATE, SEVERITY_WARN, "processor limited to max C-state");
	add_logged(j, FINDING_MAX_CSTATE, SEVERITY_WARN, "intel_idle: max_cstate");
	if (!found(j, FINDING_MAX_CSTATE) && good(j->f->idle_max_cstate) &&
		j->f->idle_max_cstate.number < 9 && j->f->idle_max_cstate.number >= 0) {
		struct finding *g = add(j, FINDING_MAX_CSTATE, SEVERITY_WARN);

		evidence_number(g, "/sys/module/intel_idle/parameters", "max_cstate",
			j->f->idle_max_cstate.number);
	}
	if (found(j, FINDING_MAX_CSTATE) && only_shallow(j))
		add_depth(j, SEVERITY_INFO, "nothing deeper than C1E is in use");
}

static void judge_poll(struct judge *j)
{
	char word[16];
	struct finding *g;

	add_logged(j, FINDING_IDLE_POLL, SEVERITY_WARN, "using polling idle threads");
	if (!facts_param(j->f, "idle", word, sizeof(word)))
		return;
	if (strcmp(word, "poll") && strcmp(word, "halt") && strcmp(word, "nomwait"))
		return;
	g = add(j, FINDING_IDLE_POLL, SEVERITY_WARN);
	evidence(g, "/proc/cmdline", "idle=%s", word);
	if (!strcmp(word, "poll"))
		add_depth(j, SEVERITY_INFO, "idle=poll: no core is ever idle for its neighbours");
}

static void judge_acpi_states(struct judge *j)
{
	const struct idle_facts *idle = &j->f->idle;

	if (has(&idle->driver) && strcmp(idle->driver.s, "intel_idle"))
		return;
	for (int s = 0; s < idle->nr; s++) {
		const struct idle_state_facts *st = &idle->states[s];
		struct finding *g;
		char dir[96];
		size_t len = strlen(st->name.s);

		if (len < 5 || strcmp(st->name.s + len - 5, "_ACPI"))
			continue;
		state_dir(j, s, dir, sizeof(dir));
		g = add(j, FINDING_IDLE_ACPI, SEVERITY_INFO);
		evidence(g, dir, "%s: %s", st->name.s, st->desc.s);
	}
}

static void judge_haltpoll(struct judge *j)
{
	const struct facts *f = j->f;
	struct finding *g;

	if (!text_is(&f->idle.driver, "haltpoll") && !text_is(&f->idle.governor, "haltpoll"))
		return;
	g = add(j, FINDING_HALTPOLL, SEVERITY_INFO);
	evidence(g, "/sys/devices/system/cpu/cpuidle", "driver %s, governor %s", f->idle.driver.s,
		f->idle.governor.s);
	if (good(f->halt_poll_ns)) {
		evidence_number(g, "/sys/module/haltpoll/parameters", "guest_halt_poll_ns",
			f->halt_poll_ns.number);
		detail(g, "the guest polls up to %lld us before it halts",
			(long long)f->halt_poll_ns.number / 1000);
	}
}

/* Firmware offers nothing deep, and nobody here asked for that. */
static void judge_offered(struct judge *j)
{
	const struct idle_facts *idle = &j->f->idle;

	if (found(j, FINDING_DEPTH_TURBO) || found(j, FINDING_MAX_CSTATE) ||
		found(j, FINDING_STATE_OFF_USER) || !only_shallow(j) ||
		(strcmp(idle->driver.s, "intel_idle") && strcmp(idle->driver.s, "acpi_idle")) ||
		j->f->machine.vendor == VENDOR_AMD)
		return;
	add_depth(j, SEVERITY_INFO, "firmware offers nothing deeper than C1E");
}

void judge_idle(struct judge *j)
{
	judge_states(j);
	judge_max_cstate(j);
	judge_poll(j);
	judge_acpi_states(j);
	judge_haltpoll(j);
	judge_offered(j);
}

/* ---- latency limits -------------------------------------------------------------------- */

/* The first state whose exit latency the limit forbids, or -1. */
static int first_forbidden(const struct idle_facts *idle, int64_t us)
{
	for (int s = 1; s < idle->nr; s++)
		if (good(idle->states[s].latency) && idle->states[s].latency.number > us)
			return s;
	return -1;
}

static void judge_limit(struct judge *j, const char *path, int64_t us)
{
	const struct idle_facts *idle = &j->f->idle;
	int s = first_forbidden(idle, us);
	struct finding *g;

	if (us < 0 || us >= 2000000000)
		return;
	if (s < 0 && (idle->nr > 1 || us > 20))
		return;
	g = add(j, FINDING_LATENCY_QOS, SEVERITY_PROBLEM);
	evidence(g, path, "%lld us", (long long)us);
	if (s < 0)
		return;
	detail(g, "%s (%lld us) and deeper states are never used", idle->states[s].name.s,
		(long long)idle->states[s].latency.number);
	if (us <= 10)
		add_depth(
			j, SEVERITY_INFO, "a latency limit forbids all but the shallowest states");
}

/* Profiles of TuneD that hold a latency request. */
static const char *const latency_profiles[] = { "latency-performance", "network-latency",
	"realtime", "realtime-virtual-host", "realtime-virtual-guest", "cpu-partitioning",
	"hpc-compute", "sap-hana", "sap-netweaver", "mssql", "oracle", "spectrumscale-ece",
	"openshift-node-performance", "low-latency", "nfv", "accelerator-performance" };

/* None from here on was entered. */
static bool deepest_unused(const struct idle_facts *idle, int from)
{
	for (int s = from; s < idle->nr; s++)
		if (!good(idle->states[s].usage) || idle->states[s].usage.number)
			return false;
	return true;
}

/* Deep states that are enabled and were never once entered, while shallower ones were. */
static int never_used(const struct idle_facts *idle)
{
	int64_t shallow = 0;

	for (int s = 0; s < idle->nr; s++) {
		const struct idle_state_facts *st = &idle->states[s];

		if (!good(st->usage))
			return -1;
		if (s > 1 && !st->usage.number && shallow > 1000 && !disabled(st) &&
			!off_by_default(st) && deepest_unused(idle, s))
			return s;
		shallow += st->usage.number;
	}
	return -1;
}

static void judge_tuned(struct judge *j)
{
	const struct text *p = &j->f->tuned_profile;
	bool held = found(j, FINDING_LATENCY_QOS);

	for (size_t i = 0; has(p) && i < ARRAY_LEN(latency_profiles); i++) {
		struct finding *g;

		if (!strstr(p->s, latency_profiles[i]))
			continue;
		if (!held && never_used(&j->f->idle) > 0) {
			int s = never_used(&j->f->idle);

			g = add(j, FINDING_LATENCY_QOS, SEVERITY_PROBLEM);
			evidence(g, "cpuidle", "%s: usage 0", j->f->idle.states[s].name.s);
			detail(g, "the profile's latency request keeps the CPUs out of %s",
				j->f->idle.states[s].name.s);
			held = true;
		}
		g = add(j, FINDING_TUNED, held ? SEVERITY_PROBLEM : SEVERITY_WARN);
		evidence(g, "/etc/tuned/active_profile", "%s", p->s);
		return;
	}
}

void judge_latency(struct judge *j)
{
	const struct facts *f = j->f;
	char path[96];

	if (good(f->dma_latency_us))
		judge_limit(j, "/dev/cpu_dma_latency", f->dma_latency_us.number);
	if (good(f->resume_latency)) {
		snprintf(path, sizeof(path),
			"/sys/devices/system/cpu/cpu%d/power/pm_qos_resume_latency_us",
			f->resume_latency_cpu);
		judge_limit(j, path, f->resume_latency.number);
	}
	judge_tuned(j);
}
