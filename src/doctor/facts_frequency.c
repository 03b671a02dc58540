// SPDX-License-Identifier: GPL-2.0-or-later
/* cpufreq: policies, the native drivers' own folders, CPPC. */
#include "base/array.h"
#include "base/units.h"
#include "doctor/facts_internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whose files they are: with another driver at work they cannot be there. */
enum owner { OWNER_ANY, OWNER_INTEL, OWNER_AMD, OWNER_TABLE, OWNER_BOOST };

static const struct {
	const char *file;
	size_t offset;
	enum owner owner;
} numbers[] = {
	{ "scaling_min_freq", offsetof(struct policy_facts, min), OWNER_ANY },
	{ "scaling_max_freq", offsetof(struct policy_facts, max), OWNER_ANY },
	{ "cpuinfo_min_freq", offsetof(struct policy_facts, cpuinfo_min), OWNER_ANY },
	{ "cpuinfo_max_freq", offsetof(struct policy_facts, cpuinfo_max), OWNER_ANY },
	{ "scaling_cur_freq", offsetof(struct policy_facts, cur), OWNER_ANY },
	{ "cpuinfo_cur_freq", offsetof(struct policy_facts, cpuinfo_cur), OWNER_TABLE },
	{ "bios_limit", offsetof(struct policy_facts, bios_limit), OWNER_TABLE },
};

/* Files that only the policyN folders are read for. */
static const struct {
	const char *file;
	size_t offset;
	enum owner owner;
} policy_numbers[] = {
	{ "base_frequency", offsetof(struct policy_facts, base), OWNER_INTEL },
	{ "boost", offsetof(struct policy_facts, boost), OWNER_BOOST },
	{ "amd_pstate_max_freq", offsetof(struct policy_facts, amd_max), OWNER_AMD },
	{ "amd_pstate_highest_perf", offsetof(struct policy_facts, amd_highest_perf), OWNER_AMD },
	{ "amd_pstate_lowest_nonlinear_freq", offsetof(struct policy_facts, lowest_nonlinear),
		OWNER_AMD },
};

static bool can_be_there(const struct policy_facts *p, enum owner owner)
{
	bool intel = !strncmp(p->driver.s, "intel_", 6);
	bool amd = !strncmp(p->driver.s, "amd-pstate", 10);

	if (!has(&p->driver) || owner == OWNER_ANY)
		return true;
	switch (owner) {
	case OWNER_INTEL:
		return intel;
	case OWNER_AMD:
		return amd;
	case OWNER_BOOST:
		return !intel;
	default:
		return !intel && !amd;
	}
}

static struct value *member(struct policy_facts *p, size_t offset)
{
	return (struct value *)((char *)p + offset);
}

static void read_table(struct tree *tree, struct policy_facts *p)
{
	char buf[2048], *s = buf, *end;

	if (tree_read(tree, buf, sizeof(buf), "%s/scaling_available_frequencies", p->dir) <= 0)
		return;
	for (int64_t khz; (khz = strtoll(s, &end, 10)), end != s; s = end) {
		if (khz > p->table_max) {
			p->table_second = p->table_max;
			p->table_max = khz;
		} else if (khz > p->table_second && khz < p->table_max) {
			p->table_second = khz;
		}
	}
}

static void read_policy(struct tree *tree, struct policy_facts *p, bool policy_dir)
{
	read_text(tree, &p->driver, "%s/scaling_driver", p->dir);
	read_text(tree, &p->governor, "%s/scaling_governor", p->dir);
	read_text(tree, &p->epp, "%s/energy_performance_preference", p->dir);
	if (tree_read(tree, p->governors, sizeof(p->governors), "%s/scaling_available_governors",
		    p->dir) <= 0)
		p->governors[0] = '\0';
	for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
		if (can_be_there(p, numbers[i].owner))
			read_value(tree, member(p, numbers[i].offset), "%s/%s", p->dir,
				numbers[i].file);
	if (!policy_dir)
		return;
	if (can_be_there(p, OWNER_TABLE))
		read_table(tree, p);
	for (size_t i = 0; i < ARRAY_LEN(policy_numbers); i++)
		if (can_be_there(p, policy_numbers[i].owner))
			read_value(tree, member(p, policy_numbers[i].offset), "%s/%s", p->dir,
				policy_numbers[i].file);
}

static int add_policy(struct facts *f, int number, const char *dir, bool policy_dir)
{
	struct policy_facts *grown = array_grow(f->policies, f->nr_policies, sizeof(*f->policies));

	if (!grown)
		return -ENOMEM;
	f->policies = grown;
	grown += f->nr_policies++;
	memset(grown, 0, sizeof(*grown));
	grown->number = number;
	snprintf(grown->dir, sizeof(grown->dir), "%s", dir);
	read_policy(f->tree, grown, policy_dir);
	return 0;
}

static int read_policies(struct facts *f)
{
	struct tree_names names;
	char dir[64];
	int r = 0;

	if (tree_list(f->tree, &names, CPU_DIR "/cpufreq") < 0)
		return 0;
	f->cpufreq_dir = true;
	for (size_t i = 0; i < names.nr && !r; i++) {
		int n = number_after(names.name[i], "policy");

		if (n < 0)
			continue;
		snprintf(dir, sizeof(dir), CPU_DIR "/cpufreq/policy%d", n);
		r = add_policy(f, n, dir, true);
	}
	tree_names_release(&names);
	return r;
}

/* Older kernels, and captures by CPU: cpuN/cpufreq. */
static int read_per_cpu(struct facts *f)
{
	struct tree_names names;
	char dir[64];
	int r = 0;

	if (f->nr_policies || tree_list(f->tree, &names, CPU_DIR) < 0)
		return 0;
	for (size_t i = 0; i < names.nr && !r; i++) {
		int n = number_after(names.name[i], "cpu");

		if (n < 0 || tree_exists(f->tree, CPU_DIR "/cpu%d/cpufreq", n))
			continue;
		f->cpufreq_dir = true;
		snprintf(dir, sizeof(dir), CPU_DIR "/cpu%d/cpufreq", n);
		r = add_policy(f, n, dir, false);
	}
	tree_names_release(&names);
	return r;
}

int read_frequency_facts(struct facts *f)
{
	int r = read_policies(f);

	if (!r)
		r = read_per_cpu(f);
	read_text(f->tree, &f->intel_status, CPU_DIR "/intel_pstate/status");
	read_value(f->tree, &f->no_turbo, CPU_DIR "/intel_pstate/no_turbo");
	read_value(f->tree, &f->max_perf_pct, CPU_DIR "/intel_pstate/max_perf_pct");
	read_value(f->tree, &f->min_perf_pct, CPU_DIR "/intel_pstate/min_perf_pct");
	read_value(f->tree, &f->num_pstates, CPU_DIR "/intel_pstate/num_pstates");
	read_value(f->tree, &f->turbo_pct, CPU_DIR "/intel_pstate/turbo_pct");
	read_value(f->tree, &f->dynamic_boost, CPU_DIR "/intel_pstate/hwp_dynamic_boost");
	read_text(f->tree, &f->amd_status, CPU_DIR "/amd_pstate/status");
	read_text(f->tree, &f->amd_prefcore, CPU_DIR "/amd_pstate/prefcore");
	read_value(f->tree, &f->boost, CPU_DIR "/cpufreq/boost");
	return r;
}

static int add_cppc(struct facts *f, int cpu)
{
	struct cppc_facts *c = array_grow(f->cppc, f->nr_cppc, sizeof(*f->cppc));

	if (!c)
		return -ENOMEM;
	f->cppc = c;
	c += f->nr_cppc++;
	memset(c, 0, sizeof(*c));
	c->cpu = cpu;
	read_value(f->tree, &c->highest, CPU_DIR "/cpu%d/acpi_cppc/highest_perf", cpu);
	read_value(f->tree, &c->nominal, CPU_DIR "/cpu%d/acpi_cppc/nominal_perf", cpu);
	read_value(f->tree, &c->lowest, CPU_DIR "/cpu%d/acpi_cppc/lowest_perf", cpu);
	read_value(f->tree, &c->lowest_nonlinear, CPU_DIR "/cpu%d/acpi_cppc/lowest_nonlinear_perf",
		cpu);
	read_value(f->tree, &c->guaranteed, CPU_DIR "/cpu%d/acpi_cppc/guaranteed_perf", cpu);
	read_value(f->tree, &c->nominal_mhz, CPU_DIR "/cpu%d/acpi_cppc/nominal_freq", cpu);
	return 0;
}

static void take_epb(struct facts *f, int cpu)
{
	struct value v;

	read_value(f->tree, &v, CPU_DIR "/cpu%d/power/energy_perf_bias", cpu);
	if (!good(v) || (good(f->epb) && v.number <= f->epb.number))
		return;
	f->epb = v;
	f->epb_cpu = cpu;
}

int read_cppc_facts(struct facts *f)
{
	struct tree_names names;
	int r = 0;

	f->epb_cpu = -1;
	if (tree_list(f->tree, &names, CPU_DIR) < 0)
		return 0;
	for (size_t i = 0; i < names.nr && !r; i++) {
		int n = number_after(names.name[i], "cpu");

		if (n < 0)
			continue;
		take_epb(f, n);
		if (!tree_exists(f->tree, CPU_DIR "/cpu%d/acpi_cppc", n))
			r = add_cppc(f, n);
	}
	tree_names_release(&names);
	return r;
}
