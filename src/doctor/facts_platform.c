// SPDX-License-Identifier: GPL-2.0-or-later
/* The machine around the processor: board, firmware's profile, hypervisor; the selection's input.
 */
#include "base/units.h"
#include "doctor/acpi.h"
#include "doctor/facts_internal.h"
#include "policy/registry.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *flag;
	unsigned bit;
} features[] = {
	{ "hwp", CPU_HWP },
	{ "hwp_epp", CPU_HWP_EPP },
	{ "aperfmperf", CPU_APERFMPERF },
	{ "cppc", CPU_CPPC },
	{ "hw_pstate", CPU_HW_PSTATE },
	{ "ida", CPU_IDA },
	{ "cpb", CPU_CPB },
	{ "hybrid_cpu", CPU_HYBRID },
	{ "est", CPU_EST },
	{ "hypervisor", CPU_HYPERVISOR },
};

static bool synthetic_cpu(const struct facts *f)
{
	return strstr(f->model_name, "QEMU Virtual CPU") || strstr(f->model_name, "Common KVM") ||
	       strstr(f->model_name, "Common 32-bit KVM");
}

static bool known_vm(const struct text *t)
{
	static const char *const names[] = { "QEMU", "VMware", "innotek", "Amazon EC2", "Google",
		"Xen", "Bochs", "KVM", "DigitalOcean", "Hetzner", "Virtual Machine", "VirtualBox",
		"HVM domU", "OpenStack", "Parallels", "BHYVE", "oVirt", "RHEV", "Nutanix" };

	for (size_t i = 0; has(t) && i < ARRAY_LEN(names); i++)
		if (!strncmp(t->s, names[i], strlen(names[i])))
			return true;
	return false;
}

static void find_hypervisor(struct facts *f)
{
	char buf[128];

	read_text(f->tree, &f->hypervisor_type, "/sys/hypervisor/type");
	if (tree_read(f->tree, buf, sizeof(buf), "/proc/xen/capabilities") > 0)
		f->xen_dom0 = strstr(buf, "control_d");
	f->guest = !f->xen_dom0 &&
		   (facts_flag(f, "hypervisor") || synthetic_cpu(f) || has(&f->hypervisor_type) ||
			   (!f->flags && (known_vm(&f->sys_vendor) || known_vm(&f->product))) ||
			   text_is(&f->idle.driver, "haltpoll") ||
			   facts_log(f, "Hypervisor detected", buf, sizeof(buf)));
}

void read_platform_facts(struct facts *f)
{
	int profile = tree_acpi(f->tree)->pm_profile;

	read_text(f->tree, &f->sys_vendor, "/sys/class/dmi/id/sys_vendor");
	read_text(f->tree, &f->product, "/sys/class/dmi/id/product_name");
	read_text(f->tree, &f->board_vendor, "/sys/class/dmi/id/board_vendor");
	read_text(f->tree, &f->board, "/sys/class/dmi/id/board_name");
	read_text(f->tree, &f->bios_version, "/sys/class/dmi/id/bios_version");
	read_text(f->tree, &f->platform_profile, "/sys/firmware/acpi/platform_profile");
	f->machine.pm_profile = profile >= 0 ? (enum pm_profile)profile : PROFILE_NOT_KNOWN;
	find_hypervisor(f);
}

/* What the kernel logged settles what the registers would have said. */
static void from_log(struct facts *f)
{
	char line[256];

	if (facts_log(f, "intel_pstate: HWP enabled by BIOS", line, sizeof(line)))
		f->machine.hwp_enabled = FACT_YES;
	if (facts_log(f, "amd_pstate: the _CPC object is not present", line, sizeof(line)))
		f->machine.cpc = FACT_NO;
}

static void from_registers(struct facts *f)
{
	uint64_t v;
	int cpu;

	if (facts_msr(f, 0x770, &cpu, &v) && v & 1)
		f->machine.hwp_enabled = FACT_UNKNOWN; /* the kernel itself sets it too */
	if (facts_msr(f, 0x1aa, &cpu, &v))
		f->machine.out_of_band = v & (1 << 8 | 1 << 18) ? FACT_YES : FACT_NO;
	if (facts_msr(f, 0x1a0, &cpu, &v))
		f->machine.turbo_disabled = v >> 38 & 1 ? FACT_YES : FACT_NO;
}

static bool module_exists(const struct facts *f, const char *name)
{
	return !tree_exists(f->tree, "/sys/module/%s", name);
}

/* A module that is loaded is one; a bound driver was built one way or the other. */
static void find_modules(struct facts *f)
{
	if (module_exists(f, "acpi_cpufreq"))
		f->machine.built[SELECT_ACPI_CPUFREQ] = BUILT_MODULE;
	if (module_exists(f, "pcc_cpufreq"))
		f->machine.built[SELECT_PCC_CPUFREQ] = BUILT_MODULE;
	if (has(&f->intel_status) || module_exists(f, "intel_pstate"))
		f->machine.built[SELECT_INTEL_PSTATE] = BUILT_IN;
}

void fill_select_facts(struct facts *f)
{
	struct select_facts *m = &f->machine;

	m->features_known = f->flags && !f->cpuinfo_partial;
	for (size_t i = 0; i < ARRAY_LEN(features); i++)
		if (facts_flag(f, features[i].flag))
			m->features |= features[i].bit;
	m->present_cpus = f->present.nr;
	m->acpi = FACT_UNKNOWN;
	m->pss = f->acpi.pss;
	m->ppc = f->acpi.ppc;
	m->cpc = f->acpi.cpc;
	m->pcch = f->acpi.pcch;
	if (f->acpi.fadt_known) {
		m->fadt_known = true;
		memcpy(m->fadt_oem_id, f->acpi.fadt_oem_id, sizeof(m->fadt_oem_id));
		memcpy(m->fadt_oem_table_id, f->acpi.fadt_oem_table_id,
			sizeof(m->fadt_oem_table_id));
	}
	m->hypervisor = f->xen_dom0 ? HYPERVISOR_XEN_DOM0
			: f->guest  ? HYPERVISOR_GUEST
				    : HYPERVISOR_NONE;
	m->kernel = f->kernel.version;
	m->cmdline = f->cmdline;
	if (f->cmdline) {
		char word[16];

		if (facts_param(f, "acpi", word, sizeof(word)) && !strcmp(word, "off"))
			m->acpi = FACT_NO;
	}
	from_log(f);
	from_registers(f);
	find_modules(f);
}
