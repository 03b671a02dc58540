/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A machine file as it stands in YAML, section by section, before anything is checked: what
 * libcyaml fills in. corepace-machine(5) describes each field; load.c makes a machine of it.
 */
#pragma once

#include "machine/machine.h"
#include "machine/yaml.h"

enum { FACTS_MAX = 48, TURBO_MAX = 64, SPREAD_MAX_PERCENT = 1000 };

/* What differs from the section's own source and confidence. */
struct doc_fact {
	char field[64]; /* within the section; '*' stands for any one name */
	char source[PROVENANCE_SOURCE_MAX];
	char confidence[40];
	double *low, *high;
	uint32_t *spread_percent;
};

struct doc_section {
	char source[PROVENANCE_SOURCE_MAX];
	char confidence[40];
	uint32_t *spread_percent; /* range of estimated values: value +- this */
	struct doc_fact facts[FACTS_MAX];
	uint32_t facts_count;
};

struct doc_point {
	uint32_t khz, mw;
};

struct doc_topology {
	struct doc_section section;
	uint32_t packages, cores_per_package, threads_per_core, cores_per_llc, nodes_per_package;
	char numbering[32];
};

struct doc_frequency {
	struct doc_section section;
	char domain[16];
	uint32_t min_khz, base_khz, max_khz, step_khz, work_per_cycle_permille, smt_permille;
	int64_t transition_ns;
	uint32_t turbo_khz[TURBO_MAX];
	uint32_t turbo_khz_count;
};

struct doc_state {
	char name[16];
	int64_t exit_latency_ns, target_residency_ns, wake_ns;
	bool polling, monitors, keeps_vote, keeps_uncore;
};

struct doc_idle {
	struct doc_section section;
	char driver[32];
	int64_t poll_relax_ns, poll_clock_read_ns;
	struct doc_state states[IDLE_STATES_MAX];
	uint32_t states_count;
};

struct doc_tick {
	struct doc_section section;
	uint32_t hz;
};

struct doc_state_power {
	char state[16];
	struct doc_point mw_by_khz[POINTS_MAX];
	uint32_t mw_by_khz_count;
};

struct doc_power {
	struct doc_section section;
	uint32_t floor_mw;
	struct doc_point uncore[POINTS_MAX];
	uint32_t uncore_count;
	struct doc_point core_active[POINTS_MAX];
	uint32_t core_active_count;
	struct doc_point core_active_smt[POINTS_MAX];
	uint32_t core_active_smt_count;
	struct doc_state_power core_idle[IDLE_STATES_MAX];
	uint32_t core_idle_count;
};

struct doc_rapl {
	struct doc_section section;
	uint32_t unit_nj;
	int64_t period_ns;
};

struct doc_limits {
	struct doc_section section;
	uint32_t pl1_mw, pl2_mw;
	int64_t pl1_tau_ns;
};

struct doc_costs {
	struct doc_section section;
	struct machine_costs ns;
};

struct doc_device {
	char name[32];
	char kind[16];
	char distribution[16];
	uint32_t servers;
	int64_t service_ns;
	int32_t irq_cpu, package;
	uint32_t active_mw, idle_mw;
};

struct doc_devices {
	struct doc_section section;
	struct doc_device list[DEVICES_MAX];
	uint32_t list_count;
};

struct doc_machine {
	uint32_t schema;
	char description[200];
	struct doc_topology topology;
	struct doc_frequency frequency;
	struct doc_idle idle;
	struct doc_tick tick;
	struct doc_power power;
	struct doc_rapl rapl;
	struct doc_limits limits;
	struct doc_costs costs;
	struct doc_devices devices;
};

extern const cyaml_schema_value_t doc_machine_schema;
