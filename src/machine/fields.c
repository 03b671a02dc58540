// SPDX-License-Identifier: GPL-2.0-or-later
#include "machine/fields.h"
#include "machine/platform.h"

#include <stdio.h>

static const char *const numberings[] = { "threads-last", "threads-adjacent", "packages-alternate",
	NULL };
static const char *const domains[] = { "none", "core", "package", NULL };
static const char *const sleeps[] = { "alone", "together", NULL };
static const char *const kinds[] = { "disk", "net", "gpu", "other", NULL };
static const char *const vendors[] = { "intel", "amd", NULL };
static const char *const spaces[] = { "msr", "io", NULL };
static const char *const coordinations[] = { "hw-all", "sw-all", "sw-any", NULL };
static const char *const distributions[] = { "fixed", "exponential", NULL };
static const char *const services[] = { "fixed", "uniform", "exponential", NULL };
static const char *const bios_modes[] = { "oscm", "dpsm", "static", NULL };
static const char *const doorbells[] = { "memory", "port", NULL };
static const char *const behaviours[] = { "completes", "error", "never", NULL };

#define NS_MAX (100LL * NSEC_PER_SEC)
#define MW_MAX 10000000

#define NUMBER(structure, member, unit_, min_, max_)                                               \
	{                                                                                          \
#member, unit_, offsetof(structure, member), DOC_NUMBER, min_, max_, NULL, false   \
	}
#define NS(structure, member) NUMBER(structure, member, "ns", 0, NS_MAX)
#define BOOL(structure, member)                                                                    \
	{                                                                                          \
#member, "", offsetof(structure, member), DOC_BOOL, 0, 1, NULL, false              \
	}
#define WORD(structure, member, words)                                                             \
	{                                                                                          \
#member, "", offsetof(structure, member), DOC_TEXT, 0, 0, words, false             \
	}
#define CURVE(structure, member)                                                                   \
	{                                                                                          \
#member, "mW", offsetof(structure, member), DOC_CURVE, 0, MW_MAX, NULL, false      \
	}
#define COST(member) NS(struct doc_costs, member),
#define END                                                                                        \
	{                                                                                          \
		NULL                                                                               \
	}

static const struct doc_field topology[] = {
	NUMBER(struct doc_topology, packages, "", 1, PACKAGES_MAX),
	NUMBER(struct doc_topology, cores_per_package, "", 1, CPUS_MAX),
	NUMBER(struct doc_topology, threads_per_core, "", 1, THREADS_MAX),
	NUMBER(struct doc_topology, cores_per_llc, "", 1, CPUS_MAX),
	NUMBER(struct doc_topology, nodes_per_package, "", 1, CPUS_MAX),
	WORD(struct doc_topology, numbering, numberings),
	END,
};

static const struct doc_field frequency[] = {
	WORD(struct doc_frequency, domain, domains),
	NUMBER(struct doc_frequency, min_khz, "kHz", KHZ_MIN, KHZ_MAX),
	NUMBER(struct doc_frequency, base_khz, "kHz", KHZ_MIN, KHZ_MAX),
	NUMBER(struct doc_frequency, max_khz, "kHz", KHZ_MIN, KHZ_MAX),
	NUMBER(struct doc_frequency, step_khz, "kHz", 1, KHZ_MAX),
	{ "turbo_khz", "kHz", offsetof(struct doc_frequency, turbo_khz), DOC_KHZ_LIST, KHZ_MIN,
		KHZ_MAX, NULL, false },
	NS(struct doc_frequency, transition_ns),
	NUMBER(struct doc_frequency, tsc_khz, "kHz", KHZ_MIN, KHZ_MAX),
	NS(struct doc_frequency, change_grid_ns),
	NUMBER(struct doc_frequency, work_per_cycle_permille, "permille", 1, 100000),
	NUMBER(struct doc_frequency, smt_permille, "permille", 500, 1000),
	END,
};

static const struct doc_field hybrid[] = {
	NUMBER(struct doc_hybrid, efficiency_cores, "", 1, CPUS_MAX),
	NUMBER(struct doc_hybrid, cores_per_module, "", 1, CPUS_MAX),
	NUMBER(struct doc_hybrid, min_khz, "kHz", KHZ_MIN, KHZ_MAX),
	NUMBER(struct doc_hybrid, base_khz, "kHz", KHZ_MIN, KHZ_MAX),
	NUMBER(struct doc_hybrid, max_khz, "kHz", KHZ_MIN, KHZ_MAX),
	NUMBER(struct doc_hybrid, work_per_cycle_permille, "permille", 1, 100000),
	NUMBER(struct doc_hybrid, unit_khz, "kHz", 1, KHZ_MAX),
	NUMBER(struct doc_hybrid, lowest, "", 1, 255),
	NUMBER(struct doc_hybrid, efficient, "", 1, 255),
	NUMBER(struct doc_hybrid, guaranteed, "", 1, 255),
	NUMBER(struct doc_hybrid, highest, "", 1, 255),
	CURVE(struct doc_hybrid, core_active),
	END,
};

static const struct doc_field hwp[] = {
	NUMBER(struct doc_hwp, unit_khz, "kHz", 1, KHZ_MAX),
	NUMBER(struct doc_hwp, lowest, "", 1, 255),
	NUMBER(struct doc_hwp, efficient, "", 1, 255),
	NUMBER(struct doc_hwp, guaranteed, "", 1, 255),
	NUMBER(struct doc_hwp, highest, "", 1, 255),
	NUMBER(struct doc_hwp, default_epp, "", 0, 255),
	NUMBER(struct doc_hwp, window_ns, "ns", 10000, NS_MAX),
	NUMBER(struct doc_hwp, halving_ns, "ns", 1, NS_MAX),
	NUMBER(struct doc_hwp, floor, "", 1, 255),
	NUMBER(struct doc_hwp, epp0_permille, "permille", 100, 1000),
	NUMBER(struct doc_hwp, epp128_permille, "permille", 100, 1000),
	NUMBER(struct doc_hwp, epp255_permille, "permille", 100, 1000),
	END,
};

static const struct doc_field idle[] = {
	WORD(struct doc_idle, driver, NULL),
	NS(struct doc_idle, poll_relax_ns),
	NS(struct doc_idle, poll_clock_read_ns),
	END,
};

static const struct doc_field idle_state[] = {
	NS(struct doc_state, exit_latency_ns),
	NS(struct doc_state, target_residency_ns),
	NS(struct doc_state, wake_ns),
	NS(struct doc_state, package_wake_ns),
	NS(struct doc_state, settle_ns),
	BOOL(struct doc_state, polling),
	BOOL(struct doc_state, monitors),
	BOOL(struct doc_state, keeps_vote),
	BOOL(struct doc_state, keeps_uncore),
	END,
};

static const struct doc_field tick[] = {
	NUMBER(struct doc_tick, hz, "Hz", 10, 10000),
	END,
};

static const struct doc_field power[] = {
	NUMBER(struct doc_power, floor_mw, "mW", 0, MW_MAX),
	WORD(struct doc_power, uncore_sleeps, sleeps),
	CURVE(struct doc_power, uncore),
	CURVE(struct doc_power, core_active),
	CURVE(struct doc_power, core_active_smt),
	END,
};

static const struct doc_field core_idle[] = {
	CURVE(struct doc_state_power, mw_by_khz),
	END,
};

static const struct doc_field rapl[] = {
	NUMBER(struct doc_rapl, unit_nj, "nJ", 0, 1000000000),
	NS(struct doc_rapl, period_ns),
	END,
};

static const struct doc_field limits[] = {
	NUMBER(struct doc_limits, pl1_mw, "mW", 1, MW_MAX),
	NUMBER(struct doc_limits, pl2_mw, "mW", 1, MW_MAX),
	NS(struct doc_limits, pl1_tau_ns),
	NUMBER(struct doc_limits, device_bias_permille, "permille", 0, 1000),
	END,
};

static const struct doc_field costs[] = { COSTS(COST) END };

static const struct doc_field device[] = {
	WORD(struct doc_device, kind, kinds),
	WORD(struct doc_device, distribution, distributions),
	NUMBER(struct doc_device, servers, "", 1, 65536),
	NS(struct doc_device, service_ns),
	NUMBER(struct doc_device, irq_cpu, "", -1, CPUS_MAX - 1),
	NUMBER(struct doc_device, package, "", -1, PACKAGES_MAX - 1),
	NUMBER(struct doc_device, active_mw, "mW", 0, MW_MAX),
	NUMBER(struct doc_device, idle_mw, "mW", 0, MW_MAX),
	CURVE(struct doc_device, active_mw_by_khz),
	END,
};

static const struct doc_field platform[] = {
	WORD(struct doc_platform, vendor, vendors),
	NUMBER(struct doc_platform, family, "", 1, 255),
	NUMBER(struct doc_platform, model, "", 0, 255),
	WORD(struct doc_platform, cpu_flags, NULL),
	WORD(struct doc_platform, pm_profile, platform_profiles),
	WORD(struct doc_platform, pss_space, spaces),
	NUMBER(struct doc_platform, pss_port, "", 1, 65535),
	{ "pss_khz", "kHz", offsetof(struct doc_platform, pss_khz), DOC_KHZ_LIST, KHZ_MIN, KHZ_MAX,
		NULL, true },
	NS(struct doc_platform, pss_latency_ns),
	WORD(struct doc_platform, psd, coordinations),
	NUMBER(struct doc_platform, ppc, "", 0, PSS_MAX - 1),
	NUMBER(struct doc_platform, cppc_highest, "", 1, 255),
	NUMBER(struct doc_platform, cppc_nominal, "", 1, 255),
	NUMBER(struct doc_platform, cppc_lowest_nonlinear, "", 1, 255),
	NUMBER(struct doc_platform, cppc_lowest, "", 1, 255),
	NUMBER(struct doc_platform, cppc_nominal_khz, "kHz", KHZ_MIN, KHZ_MAX),
	NUMBER(struct doc_platform, cppc_lowest_khz, "kHz", KHZ_MIN, KHZ_MAX),
	END,
};

static const struct doc_field firmware[] = {
	WORD(struct doc_firmware, bios, bios_modes),
	WORD(struct doc_firmware, pcc_doorbell, doorbells),
	WORD(struct doc_firmware, pcc_distribution, services),
	WORD(struct doc_firmware, pcc_behaviour, behaviours),
	NUMBER(struct doc_firmware, pcc_minimum_khz, "kHz", KHZ_MIN, KHZ_MAX),
	NS(struct doc_firmware, pcc_service_ns),
	NUMBER(struct doc_firmware, pcc_spread_permille, "permille", 0, 1000),
	NS(struct doc_firmware, pcc_stall_ns),
	NS(struct doc_firmware, pcc_access_ns),
	END,
};

/* Length of the list at data: its count stands behind its room, as libcyaml wants it. */
static int list_length(const struct doc_field *field, const void *data)
{
	if (field->kind == DOC_CURVE)
		return *(const uint32_t *)((const struct doc_point *)data + POINTS_MAX);
	if (field->kind == DOC_KHZ_LIST)
		return *(const uint32_t *)((const struct number *)data + TURBO_MAX);
	return 0;
}

/* Only what may be left out can be empty: libcyaml sees to that. */
static bool left_out(const struct doc_field *field, const void *data)
{
	switch (field->kind) {
	case DOC_NUMBER:
		return !*((const struct number *)data)->text;
	case DOC_TEXT:
		return !*(const char *)data;
	case DOC_CURVE:
		return !list_length(field, data);
	case DOC_KHZ_LIST:
		return !list_length(field, data) && field->optional;
	default:
		return false;
	}
}

struct walk {
	const char *section;
	const struct doc_section *provenance;
	int (*visit)(const struct doc_value *value, void *ctx);
	void *ctx;
};

/* Visits the fields of one struct; list and entry, where given, come before the field's name. */
static int walk_fields(const struct walk *w, const struct doc_field *fields, void *base,
	const char *list, const char *entry)
{
	for (const struct doc_field *f = fields; f->name; f++) {
		char path[96];
		struct doc_value value = {
			.section = w->section,
			.provenance = w->provenance,
			.path = path,
			.field = f,
			.data = (char *)base + f->offset,
		};
		int r;

		if (list)
			snprintf(path, sizeof(path), "%s.%s.%s", list, entry, f->name);
		else
			snprintf(path, sizeof(path), "%s", f->name);
		if (left_out(f, value.data))
			continue;
		value.nr = list_length(f, value.data);
		r = w->visit(&value, w->ctx);
		if (r)
			return r;
	}
	return 0;
}

static int walk_states(const struct walk *w, struct doc_machine *doc)
{
	int r = 0;

	for (uint32_t i = 0; i < doc->idle.states_count && !r; i++)
		r = walk_fields(
			w, idle_state, &doc->idle.states[i], "states", doc->idle.states[i].name);
	return r;
}

static int walk_core_idle(const struct walk *w, struct doc_machine *doc)
{
	int r = 0;

	for (uint32_t i = 0; i < doc->power.core_idle_count && !r; i++)
		r = walk_fields(w, core_idle, &doc->power.core_idle[i], "core_idle",
			doc->power.core_idle[i].state);
	return r;
}

static int walk_devices(const struct walk *w, struct doc_machine *doc)
{
	int r = 0;

	for (uint32_t i = 0; i < doc->devices.list_count && !r; i++)
		r = walk_fields(
			w, device, &doc->devices.list[i], "list", doc->devices.list[i].name);
	return r;
}

int fields_walk(
	struct doc_machine *doc, int (*visit)(const struct doc_value *value, void *ctx), void *ctx)
{
	const struct {
		const char *name;
		struct doc_section *section; /* first member of its struct */
		const struct doc_field *fields;
		int (*list)(const struct walk *w, struct doc_machine *doc);
	} sections[] = {
		{ "topology", &doc->topology.section, topology, NULL },
		{ "frequency", &doc->frequency.section, frequency, NULL },
		{ "hybrid", &doc->hybrid.section, hybrid, NULL },
		{ "hwp", &doc->hwp.section, hwp, NULL },
		{ "idle", &doc->idle.section, idle, walk_states },
		{ "tick", &doc->tick.section, tick, NULL },
		{ "power", &doc->power.section, power, walk_core_idle },
		{ "rapl", &doc->rapl.section, rapl, NULL },
		{ "limits", &doc->limits.section, limits, NULL },
		{ "costs", &doc->costs.section, costs, NULL },
		{ "devices", &doc->devices.section, NULL, walk_devices },
		{ "platform", &doc->platform.section, platform, NULL },
		{ "firmware", &doc->firmware.section, firmware, NULL },
	};
	struct walk w = { .visit = visit, .ctx = ctx };
	int r = 0;

	for (size_t i = 0; i < ARRAY_LEN(sections) && !r; i++) {
		if (!*sections[i].section->source) /* left out */
			continue;
		w.section = sections[i].name;
		w.provenance = sections[i].section;
		if (sections[i].fields)
			r = walk_fields(&w, sections[i].fields, sections[i].section, NULL, NULL);
		if (!r && sections[i].list)
			r = sections[i].list(&w, doc);
	}
	return r;
}
