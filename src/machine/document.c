// SPDX-License-Identifier: GPL-2.0-or-later
#include "machine/document.h"

/* libcyaml's own booleans take any misspelling for true. */
static const cyaml_strval_t booleans[] = { { "false", 0 }, { "true", 1 } };

#define BOOL(structure, member)                                                                    \
	CYAML_FIELD_ENUM(#member, CYAML_FLAG_STRICT, structure, member, booleans, 2)
#define NUMBER(structure, member)                                                                  \
	CYAML_FIELD_STRING(#member, CYAML_FLAG_DEFAULT, structure, member.text, 1)
#define OPTIONAL(structure, member)                                                                \
	CYAML_FIELD_STRING(#member, CYAML_FLAG_OPTIONAL, structure, member, 1)
#define TEXT(structure, member)                                                                    \
	CYAML_FIELD_STRING(#member, CYAML_FLAG_DEFAULT, structure, member, 1)
#define OPTIONAL_NUMBER(structure, member)                                                         \
	CYAML_FIELD_STRING(#member, CYAML_FLAG_OPTIONAL, structure, member.text, 1)
#define OPTIONAL_MAPPING(structure, member, fields)                                                \
	CYAML_FIELD_MAPPING(#member, CYAML_FLAG_OPTIONAL, structure, member, fields)
#define MAPPING(structure, member, fields)                                                         \
	CYAML_FIELD_MAPPING(#member, CYAML_FLAG_DEFAULT, structure, member, fields)
#define LIST(structure, member, entry, min, max)                                                   \
	CYAML_FIELD_SEQUENCE(#member, CYAML_FLAG_DEFAULT, structure, member, entry, min, max)

static const cyaml_schema_field_t fact_fields[] = {
	TEXT(struct doc_fact, field),
	OPTIONAL(struct doc_fact, source),
	OPTIONAL(struct doc_fact, confidence),
	OPTIONAL(struct doc_fact, low),
	OPTIONAL(struct doc_fact, high),
	OPTIONAL(struct doc_fact, spread_percent),
	CYAML_FIELD_END,
};

static const cyaml_schema_value_t fact = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct doc_fact, fact_fields),
};

/* What each section begins with. */
#define SECTION(structure)                                                                         \
	CYAML_FIELD_STRING("source", CYAML_FLAG_DEFAULT, structure, section.source, 1),            \
		CYAML_FIELD_STRING(                                                                \
			"confidence", CYAML_FLAG_DEFAULT, structure, section.confidence, 1),       \
		CYAML_FIELD_STRING("spread_percent", CYAML_FLAG_OPTIONAL, structure,               \
			section.spread_percent, 1),                                                \
		CYAML_FIELD_SEQUENCE("facts", CYAML_FLAG_OPTIONAL, structure, section.facts,       \
			&fact, 0, FACTS_MAX)

/* An entry of a list of numbers. */
static const cyaml_schema_value_t number = {
	CYAML_VALUE_STRING(
		CYAML_FLAG_DEFAULT, struct number, 1, sizeof(((struct number *)NULL)->text) - 1),
};

static const cyaml_schema_field_t topology_fields[] = {
	SECTION(struct doc_topology),
	NUMBER(struct doc_topology, packages),
	NUMBER(struct doc_topology, cores_per_package),
	NUMBER(struct doc_topology, threads_per_core),
	NUMBER(struct doc_topology, cores_per_llc),
	NUMBER(struct doc_topology, nodes_per_package),
	TEXT(struct doc_topology, numbering),
	CYAML_FIELD_END,
};

static const cyaml_schema_field_t frequency_fields[] = {
	SECTION(struct doc_frequency),
	TEXT(struct doc_frequency, domain),
	NUMBER(struct doc_frequency, min_khz),
	NUMBER(struct doc_frequency, base_khz),
	NUMBER(struct doc_frequency, max_khz),
	NUMBER(struct doc_frequency, step_khz),
	LIST(struct doc_frequency, turbo_khz, &number, 0, TURBO_MAX),
	NUMBER(struct doc_frequency, transition_ns),
	OPTIONAL_NUMBER(struct doc_frequency, tsc_khz),
	OPTIONAL_NUMBER(struct doc_frequency, change_grid_ns),
	NUMBER(struct doc_frequency, work_per_cycle_permille),
	NUMBER(struct doc_frequency, smt_permille),
	CYAML_FIELD_END,
};

/* A curve is a list of [khz, mw]. */
static const cyaml_schema_value_t point = {
	CYAML_VALUE_SEQUENCE_FIXED(CYAML_FLAG_DEFAULT, struct number, &number, 2),
};

static const cyaml_schema_field_t hybrid_fields[] = {
	SECTION(struct doc_hybrid),
	NUMBER(struct doc_hybrid, efficiency_cores),
	NUMBER(struct doc_hybrid, cores_per_module),
	NUMBER(struct doc_hybrid, min_khz),
	NUMBER(struct doc_hybrid, base_khz),
	NUMBER(struct doc_hybrid, max_khz),
	NUMBER(struct doc_hybrid, work_per_cycle_permille),
	NUMBER(struct doc_hybrid, unit_khz),
	NUMBER(struct doc_hybrid, lowest),
	NUMBER(struct doc_hybrid, efficient),
	NUMBER(struct doc_hybrid, guaranteed),
	NUMBER(struct doc_hybrid, highest),
	LIST(struct doc_hybrid, core_active, &point, 1, POINTS_MAX),
	CYAML_FIELD_END,
};

static const cyaml_schema_field_t hwp_fields[] = {
	SECTION(struct doc_hwp),
	NUMBER(struct doc_hwp, unit_khz),
	NUMBER(struct doc_hwp, lowest),
	NUMBER(struct doc_hwp, efficient),
	NUMBER(struct doc_hwp, guaranteed),
	NUMBER(struct doc_hwp, highest),
	NUMBER(struct doc_hwp, default_epp),
	NUMBER(struct doc_hwp, window_ns),
	NUMBER(struct doc_hwp, halving_ns),
	OPTIONAL_NUMBER(struct doc_hwp, floor),
	NUMBER(struct doc_hwp, epp0_permille),
	NUMBER(struct doc_hwp, epp128_permille),
	NUMBER(struct doc_hwp, epp255_permille),
	CYAML_FIELD_END,
};

static const cyaml_schema_field_t state_fields[] = {
	TEXT(struct doc_state, name),
	NUMBER(struct doc_state, exit_latency_ns),
	NUMBER(struct doc_state, target_residency_ns),
	NUMBER(struct doc_state, wake_ns),
	OPTIONAL_NUMBER(struct doc_state, package_wake_ns),
	OPTIONAL_NUMBER(struct doc_state, settle_ns),
	BOOL(struct doc_state, polling),
	BOOL(struct doc_state, monitors),
	BOOL(struct doc_state, keeps_vote),
	BOOL(struct doc_state, keeps_uncore),
	CYAML_FIELD_END,
};

static const cyaml_schema_value_t state = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct doc_state, state_fields),
};

static const cyaml_schema_field_t idle_fields[] = {
	SECTION(struct doc_idle),
	TEXT(struct doc_idle, driver),
	NUMBER(struct doc_idle, poll_relax_ns),
	NUMBER(struct doc_idle, poll_clock_read_ns),
	LIST(struct doc_idle, states, &state, 1, IDLE_STATES_MAX),
	CYAML_FIELD_END,
};

static const cyaml_schema_field_t tick_fields[] = {
	SECTION(struct doc_tick),
	NUMBER(struct doc_tick, hz),
	CYAML_FIELD_END,
};

static const cyaml_schema_field_t state_power_fields[] = {
	TEXT(struct doc_state_power, state),
	LIST(struct doc_state_power, mw_by_khz, &point, 1, POINTS_MAX),
	CYAML_FIELD_END,
};

static const cyaml_schema_value_t state_power = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct doc_state_power, state_power_fields),
};

static const cyaml_schema_field_t power_fields[] = {
	SECTION(struct doc_power),
	NUMBER(struct doc_power, floor_mw),
	OPTIONAL(struct doc_power, uncore_sleeps),
	LIST(struct doc_power, uncore, &point, 1, POINTS_MAX),
	LIST(struct doc_power, core_active, &point, 1, POINTS_MAX),
	LIST(struct doc_power, core_active_smt, &point, 1, POINTS_MAX),
	LIST(struct doc_power, core_idle, &state_power, 1, IDLE_STATES_MAX),
	CYAML_FIELD_END,
};

static const cyaml_schema_field_t rapl_fields[] = {
	SECTION(struct doc_rapl),
	NUMBER(struct doc_rapl, unit_nj),
	NUMBER(struct doc_rapl, period_ns),
	CYAML_FIELD_END,
};

static const cyaml_schema_field_t limits_fields[] = {
	SECTION(struct doc_limits),
	NUMBER(struct doc_limits, pl1_mw),
	NUMBER(struct doc_limits, pl2_mw),
	NUMBER(struct doc_limits, pl1_tau_ns),
	OPTIONAL_NUMBER(struct doc_limits, device_bias_permille),
	CYAML_FIELD_END,
};

#define COST_FIELD(member) NUMBER(struct doc_costs, member),

static const cyaml_schema_field_t costs_fields[] = {
	SECTION(struct doc_costs),
	COSTS(COST_FIELD) CYAML_FIELD_END,
};

static const cyaml_schema_field_t device_fields[] = {
	TEXT(struct doc_device, name),
	TEXT(struct doc_device, kind),
	NUMBER(struct doc_device, servers),
	NUMBER(struct doc_device, service_ns),
	TEXT(struct doc_device, distribution),
	NUMBER(struct doc_device, irq_cpu),
	NUMBER(struct doc_device, package),
	NUMBER(struct doc_device, active_mw),
	NUMBER(struct doc_device, idle_mw),
	CYAML_FIELD_SEQUENCE("active_mw_by_khz", CYAML_FLAG_OPTIONAL, struct doc_device,
		active_mw_by_khz, &point, 1, POINTS_MAX),
	CYAML_FIELD_END,
};

static const cyaml_schema_value_t device = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct doc_device, device_fields),
};

static const cyaml_schema_field_t devices_fields[] = {
	SECTION(struct doc_devices),
	LIST(struct doc_devices, list, &device, 0, DEVICES_MAX),
	CYAML_FIELD_END,
};

static const cyaml_schema_field_t platform_fields[] = {
	SECTION(struct doc_platform),
	TEXT(struct doc_platform, vendor),
	NUMBER(struct doc_platform, family),
	NUMBER(struct doc_platform, model),
	TEXT(struct doc_platform, cpu_flags),
	OPTIONAL(struct doc_platform, pm_profile),
	OPTIONAL(struct doc_platform, pss_space),
	OPTIONAL_NUMBER(struct doc_platform, pss_port),
	CYAML_FIELD_SEQUENCE(
		"pss_khz", CYAML_FLAG_OPTIONAL, struct doc_platform, pss_khz, &number, 2, PSS_MAX),
	OPTIONAL_NUMBER(struct doc_platform, pss_latency_ns),
	OPTIONAL(struct doc_platform, psd),
	OPTIONAL_NUMBER(struct doc_platform, ppc),
	OPTIONAL_NUMBER(struct doc_platform, cppc_highest),
	OPTIONAL_NUMBER(struct doc_platform, cppc_nominal),
	OPTIONAL_NUMBER(struct doc_platform, cppc_lowest_nonlinear),
	OPTIONAL_NUMBER(struct doc_platform, cppc_lowest),
	OPTIONAL_NUMBER(struct doc_platform, cppc_nominal_khz),
	OPTIONAL_NUMBER(struct doc_platform, cppc_lowest_khz),
	CYAML_FIELD_END,
};

static const cyaml_schema_field_t firmware_fields[] = {
	SECTION(struct doc_firmware),
	TEXT(struct doc_firmware, bios),
	TEXT(struct doc_firmware, pcc_doorbell),
	TEXT(struct doc_firmware, pcc_distribution),
	TEXT(struct doc_firmware, pcc_behaviour),
	NUMBER(struct doc_firmware, pcc_minimum_khz),
	NUMBER(struct doc_firmware, pcc_service_ns),
	NUMBER(struct doc_firmware, pcc_spread_permille),
	NUMBER(struct doc_firmware, pcc_stall_ns),
	NUMBER(struct doc_firmware, pcc_access_ns),
	CYAML_FIELD_END,
};

static const cyaml_schema_field_t machine_fields[] = {
	NUMBER(struct doc_machine, schema),
	TEXT(struct doc_machine, description),
	MAPPING(struct doc_machine, topology, topology_fields),
	MAPPING(struct doc_machine, frequency, frequency_fields),
	OPTIONAL_MAPPING(struct doc_machine, hybrid, hybrid_fields),
	CYAML_FIELD_MAPPING("hwp", CYAML_FLAG_OPTIONAL, struct doc_machine, hwp, hwp_fields),
	MAPPING(struct doc_machine, idle, idle_fields),
	MAPPING(struct doc_machine, tick, tick_fields),
	MAPPING(struct doc_machine, power, power_fields),
	MAPPING(struct doc_machine, rapl, rapl_fields),
	MAPPING(struct doc_machine, limits, limits_fields),
	MAPPING(struct doc_machine, costs, costs_fields),
	MAPPING(struct doc_machine, devices, devices_fields),
	OPTIONAL_MAPPING(struct doc_machine, platform, platform_fields),
	OPTIONAL_MAPPING(struct doc_machine, firmware, firmware_fields),
	CYAML_FIELD_END,
};

const cyaml_schema_value_t doc_machine_schema = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct doc_machine, machine_fields),
};
