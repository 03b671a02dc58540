// SPDX-License-Identifier: GPL-2.0-or-later
#include "machine/platform.h"

#include <string.h>

const char *const platform_profiles[] = { "unspecified", "desktop", "mobile", "workstation",
	"enterprise-server", "soho-server", "appliance-pc", "performance-server", "tablet", NULL };

static const struct {
	const char *name; /* as /proc/cpuinfo prints it */
	size_t offset;
} flags[] = {
	{ "ida", offsetof(struct platform, turbo) },
	{ "cpb", offsetof(struct platform, turbo) },
	{ "epb", offsetof(struct platform, epb) },
	{ "hwp", offsetof(struct platform, hwp) },
	{ "hwp_epp", offsetof(struct platform, hwp_epp) },
	{ "hwp_notify", offsetof(struct platform, hwp_notify) },
	{ "cppc", offsetof(struct platform, cppc) },
	{ "est", offsetof(struct platform, est) },
	{ "hw_pstate", offsetof(struct platform, hw_pstate) },
	{ "aperfmperf", offsetof(struct platform, aperfmperf) },
};

static bool set_flag(struct platform *p, const char *name, size_t len)
{
	for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
		if (strlen(flags[i].name) != len || strncmp(flags[i].name, name, len))
			continue;
		*(bool *)((char *)p + flags[i].offset) = true;
		return true;
	}
	return false;
}

const char *platform_set_flags(struct platform *p, const char *text)
{
	while (*text) {
		size_t len = strcspn(text, " ");

		if (len && !set_flag(p, text, len))
			return text;
		text += len + (text[len] == ' ');
	}
	return NULL;
}

uint32_t machine_pss_khz(const struct machine *m, int i)
{
	uint32_t mhz = m->platform.pss[i].mhz;

	if (m->platform.vendor == VENDOR_INTEL && mhz % 100 == 1) /* one MHz above nominal */
		return m->max_khz;
	return mhz * 1000;
}

/* What firmware of this kind puts into the table: ratios on Intel, numbers of states elsewhere. */
static uint32_t pss_value(const struct machine *m, int i)
{
	if (m->platform.pss_space == PSS_IO || m->platform.vendor != VENDOR_INTEL)
		return (uint32_t)i;
	return machine_pss_khz(m, i) / 100000 << 8;
}

static void build_pss(struct machine *m, const struct doc_platform *doc)
{
	struct platform *p = &m->platform;

	if (!doc->pss_khz_count)
		return;
	p->pss_space = strcmp(doc->pss_space, "io") ? PSS_MSR : PSS_IO;
	p->pss_port = (uint16_t)doc->pss_port.value;
	p->nr_pss = (int)doc->pss_khz_count;
	for (int i = 0; i < p->nr_pss; i++) {
		uint32_t khz = (uint32_t)doc->pss_khz[i].value;

		p->pss[i].mhz = khz / 1000;
		p->pss[i].latency_us = (uint32_t)(doc->pss_latency_ns.value / 1000);
		p->pss[i].control = p->pss[i].status = pss_value(m, i);
	}
	if (*doc->psd)
		p->psd = !strcmp(doc->psd, "hw-all")   ? PSD_HW_ALL
			 : !strcmp(doc->psd, "sw-all") ? PSD_SW_ALL
						       : PSD_SW_ANY;
}

/* By the order of the numbers in ACPI's FADT. */
static int platform_profile(const char *name)
{
	int i = 0;

	while (platform_profiles[i] && strcmp(platform_profiles[i], name))
		i++;
	return platform_profiles[i] ? i : 0;
}

void platform_build(struct machine *m, const struct doc_platform *doc)
{
	struct platform *p = &m->platform;

	m->ppc = *doc->ppc.text ? (int)doc->ppc.value : -1;
	if (!*doc->section.source)
		return;
	p->vendor = strcmp(doc->vendor, "intel") ? VENDOR_AMD : VENDOR_INTEL;
	p->family = (uint32_t)doc->family.value;
	p->model = (uint32_t)doc->model.value;
	p->pm_profile = platform_profile(doc->pm_profile);
	p->server_profile = !strcmp(doc->pm_profile, "enterprise-server") ||
			    !strcmp(doc->pm_profile, "performance-server");
	platform_set_flags(p, doc->cpu_flags);
	build_pss(m, doc);
	p->cpc = (struct acpi_cpc){
		.highest = (uint32_t)doc->cppc_highest.value,
		.nominal = (uint32_t)doc->cppc_nominal.value,
		.lowest_nonlinear = (uint32_t)doc->cppc_lowest_nonlinear.value,
		.lowest = (uint32_t)doc->cppc_lowest.value,
		.nominal_mhz = (uint32_t)(doc->cppc_nominal_khz.value / 1000),
		.lowest_mhz = (uint32_t)(doc->cppc_lowest_khz.value / 1000),
	};
}

static int check_flags(const struct yaml *y, const char *text, struct error *err)
{
	struct platform scratch = { 0 };
	const char *bad = platform_set_flags(&scratch, text);

	if (!bad)
		return 0;
	return yaml_error(y, "platform.cpu_flags", err,
		"'%.*s', expected of aperfmperf, cpb, cppc, epb, est, hw_pstate, hwp, hwp_epp, "
		"hwp_notify, ida",
		(int)strcspn(bad, " "), bad);
}

static int check_pss(const struct yaml *y, const struct doc_platform *p, struct error *err)
{
	for (uint32_t i = 1; i < p->pss_khz_count; i++)
		if (p->pss_khz[i].value == p->pss_khz[i - 1].value)
			return yaml_error(y, "platform.pss_khz", err,
				"%s kHz twice, expected different P-states", p->pss_khz[i].text);
	if (p->pss_khz_count && !*p->pss_space)
		return yaml_error(y, "platform.pss_space", err,
			"left out, expected msr or io beside pss_khz");
	if (!strcmp(p->pss_space, "io") && !*p->pss_port.text)
		return yaml_error(
			y, "platform.pss_port", err, "left out, expected a port for pss_space io");
	if (*p->ppc.text && p->ppc.value >= (int64_t)p->pss_khz_count)
		return yaml_error(y, "platform.ppc", err,
			"'%s', expected one of the %u entries of pss_khz", p->ppc.text,
			p->pss_khz_count);
	return 0;
}

/* All of _CPC's six values or none, in their order. */
static int check_cppc(const struct yaml *y, const struct doc_platform *p, struct error *err)
{
	const struct number *all[] = { &p->cppc_highest, &p->cppc_nominal,
		&p->cppc_lowest_nonlinear, &p->cppc_lowest, &p->cppc_nominal_khz,
		&p->cppc_lowest_khz };
	size_t given = 0;

	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		given += *all[i]->text != 0;
	if (!given)
		return 0;
	if (given < ARRAY_LEN(all))
		return yaml_error(y, "platform.cppc_highest", err,
			"%zu of the six cppc_ values, expected all or none", given);
	for (int i = 1; i < 4; i++)
		if (all[i]->value > all[i - 1]->value)
			return yaml_error(y, "platform.cppc_highest", err,
				"'%s' below '%s', expected highest, nominal, lowest_nonlinear and "
				"lowest in falling order",
				all[i - 1]->text, all[i]->text);
	return 0;
}

int platform_check(const struct yaml *y, const struct doc_platform *p, struct error *err)
{
	int r = check_flags(y, p->cpu_flags, err);

	if (!r)
		r = check_pss(y, p, err);
	return r ? r : check_cppc(y, p, err);
}
