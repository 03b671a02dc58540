// SPDX-License-Identifier: GPL-2.0-or-later
/* cpuidle, latency limits, thermal throttling, power limits. */
#include "base/units.h"
#include "doctor/facts_internal.h"

#include <stdio.h>
#include <string.h>

#define STATE CPU_DIR "/cpu%d/cpuidle/state%d/"

/* All of one CPU's states. */
static void read_states(struct facts *f, int cpu)
{
	struct idle_facts *idle = &f->idle;

	idle->cpu = cpu;
	for (int s = 0; s < IDLE_FACTS_MAX; s++) {
		struct idle_state_facts *st = &idle->states[s];

		if (tree_exists(f->tree, CPU_DIR "/cpu%d/cpuidle/state%d", cpu, s))
			break;
		read_text(f->tree, &st->name, STATE "name", cpu, s);
		read_text(f->tree, &st->desc, STATE "desc", cpu, s);
		read_text(f->tree, &st->default_status, STATE "default_status", cpu, s);
		read_value(f->tree, &st->disable, STATE "disable", cpu, s);
		read_value(f->tree, &st->latency, STATE "latency", cpu, s);
		read_value(f->tree, &st->residency, STATE "residency", cpu, s);
		read_value(f->tree, &st->usage, STATE "usage", cpu, s);
		idle->disabled_cpu[s] = -1;
		idle->nr = s + 1;
	}
}

/* Of the other CPUs only what differs matters: a state that is disabled there alone. */
static void read_disabled(struct facts *f, int cpu)
{
	for (int s = 0; s < f->idle.nr; s++) {
		struct value v;

		if (f->idle.disabled_cpu[s] >= 0 || f->idle.states[s].disable.number)
			continue;
		read_value(f->tree, &v, STATE "disable", cpu, s);
		if (good(v) && v.number)
			f->idle.disabled_cpu[s] = cpu;
	}
}

static void read_resume_latency(struct facts *f, int cpu)
{
	struct value v;

	read_value(f->tree, &v, CPU_DIR "/cpu%d/power/pm_qos_resume_latency_us", cpu);
	/* 0: no limit; "n/a": no latency at all, which is the kernel's word for a limit of 0. */
	if (v.state == VALUE_BAD)
		v = (struct value){ VALUE_GOOD, 0, 0 };
	else if (!good(v) || !v.number)
		return;
	if (good(f->resume_latency) && v.number >= f->resume_latency.number)
		return;
	f->resume_latency = v;
	f->resume_latency_cpu = cpu;
}

static void add_throttle(struct facts *f, struct value *sum, int cpu, const char *file)
{
	struct value v;

	read_value(f->tree, &v, CPU_DIR "/cpu%d/thermal_throttle/%s", cpu, file);
	if (!good(v))
		return;
	sum->state = VALUE_GOOD;
	sum->number += v.number;
	if (v.number && f->throttle.cpu < 0)
		f->throttle.cpu = cpu;
}

static void read_throttle(struct facts *f, int cpu)
{
	if (tree_exists(f->tree, CPU_DIR "/cpu%d/thermal_throttle", cpu))
		return;
	add_throttle(f, &f->throttle.core, cpu, "core_throttle_count");
	add_throttle(f, &f->throttle.package, cpu, "package_throttle_count");
	add_throttle(f, &f->throttle.core_power, cpu, "core_power_limit_count");
	add_throttle(f, &f->throttle.package_power, cpu, "package_power_limit_count");
}

static void read_modules(struct facts *f)
{
	read_value(f->tree, &f->halt_poll_ns, "/sys/module/haltpoll/parameters/guest_halt_poll_ns");
	read_value(f->tree, &f->halt_poll_grow_start,
		"/sys/module/haltpoll/parameters/guest_halt_poll_grow_start");
	read_value(f->tree, &f->idle_max_cstate, "/sys/module/intel_idle/parameters/max_cstate");
	read_value(
		f->tree, &f->processor_max_cstate, "/sys/module/processor/parameters/max_cstate");
	read_value(f->tree, &f->ignore_ppc, "/sys/module/processor/parameters/ignore_ppc");
}

void read_idle_facts(struct facts *f)
{
	struct tree_names names;

	f->idle.cpu = -1;
	f->throttle.cpu = -1;
	read_text(f->tree, &f->idle.driver, CPU_DIR "/cpuidle/current_driver");
	read_text(f->tree, &f->idle.governor, CPU_DIR "/cpuidle/current_governor_ro");
	if (!has(&f->idle.governor))
		read_text(f->tree, &f->idle.governor, CPU_DIR "/cpuidle/current_governor");
	read_modules(f);
	read_dma_latency(f);
	if (tree_list(f->tree, &names, CPU_DIR) < 0)
		return;
	for (size_t i = 0; i < names.nr; i++) {
		int cpu = number_after(names.name[i], "cpu");

		if (cpu < 0)
			continue;
		if (f->idle.nr)
			read_disabled(f, cpu);
		else
			read_states(f, cpu);
		read_resume_latency(f, cpu);
		read_throttle(f, cpu);
	}
	tree_names_release(&names);
}

/* ---- power limits ---------------------------------------------------------------------- */

static void read_domain(struct facts *f, const char *name, bool mmio)
{
	struct power_domain *d = &f->domains[f->nr_domains++];

	snprintf(d->dir, sizeof(d->dir), "/sys/class/powercap/%s", name);
	d->mmio = mmio;
	read_text(f->tree, &d->name, "%s/name", d->dir);
	read_value(f->tree, &d->enabled, "%s/enabled", d->dir);
	for (int c = 0; c < CONSTRAINTS_MAX; c++) {
		read_text(f->tree, &d->constraint[c].name, "%s/constraint_%d_name", d->dir, c);
		read_value(f->tree, &d->constraint[c].limit_uw, "%s/constraint_%d_power_limit_uw",
			d->dir, c);
		read_value(f->tree, &d->constraint[c].max_uw, "%s/constraint_%d_max_power_uw",
			d->dir, c);
		read_value(f->tree, &d->constraint[c].window_us, "%s/constraint_%d_time_window_us",
			d->dir, c);
	}
}

void read_power_facts(struct facts *f)
{
	struct tree_names names;

	if (tree_list(f->tree, &names, "/sys/class/powercap") < 0)
		return;
	for (size_t i = 0; i < names.nr && f->nr_domains < POWER_DOMAINS_MAX; i++) {
		bool mmio = number_after(names.name[i], "intel-rapl-mmio:") >= 0;

		/* Packages and platform only; a subdomain's name has a second colon. */
		if (mmio || number_after(names.name[i], "intel-rapl:") >= 0)
			read_domain(f, names.name[i], mmio);
	}
	tree_names_release(&names);
}
