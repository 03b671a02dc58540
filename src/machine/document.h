/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A machine file as it stands in YAML, section by section, before anything is checked: what
 * libcyaml fills in. corepace-machine(5) describes each field; load.c makes a machine of it.
 */
#pragma once

#include "machine/machine.h"
#include "machine/yaml.h"

enum { FACTS_MAX = 48, TURBO_MAX = 64, SPREAD_MAX_PERCENT = 1000 };
enum { KHZ_MIN = 1000, KHZ_MAX = 20000000 };

/*
 * A number as it stands in the file: libcyaml would read 0x10, 010, 3.4 and 12abc as whole numbers
 * without a word. machine_check fills in value.
 */
struct number {
	char text[24];
	int64_t value;
};

/* What differs from the section's own source and confidence. */
struct doc_fact {
	char field[64]; /* within the section; '*' stands for any one name */
	char source[PROVENANCE_SOURCE_MAX];
	char confidence[40];
	char low[24], high[24]; /* "": not given */
	char spread_percent[8];
};

struct doc_section {
	char source[PROVENANCE_SOURCE_MAX];
	char confidence[40];
	char spread_percent[8]; /* range of estimated values: value +- this */
	struct doc_fact facts[FACTS_MAX];
	uint32_t facts_count;
};

struct doc_point {
	struct number khz, mw;
};

struct doc_topology {
	struct doc_section section;
	struct number packages, cores_per_package, threads_per_core, cores_per_llc;
	struct number nodes_per_package;
	char numbering[32];
};

struct doc_frequency {
	struct doc_section section;
	char domain[16];
	struct number min_khz, base_khz, max_khz, step_khz;
	struct number work_per_cycle_permille;
	struct number smt_permille;
	struct number transition_ns;
	struct number tsc_khz, change_grid_ns; /* optional */
	struct number turbo_khz[TURBO_MAX];
	uint32_t turbo_khz_count;
};

/* Optional: efficiency cores beside those of the topology, in each package. */
struct doc_hybrid {
	struct doc_section section;
	struct number efficiency_cores, cores_per_module;
	struct number min_khz, base_khz, max_khz;
	struct number work_per_cycle_permille;
	struct number unit_khz, lowest, efficient, guaranteed, highest;
	struct doc_point core_active[POINTS_MAX];
	uint32_t core_active_count;
};

/* Optional. */
struct doc_hwp {
	struct doc_section section;
	struct number unit_khz, lowest, efficient, guaranteed, highest, default_epp;
	struct number window_ns, halving_ns;
	struct number floor; /* optional */
	struct number epp0_permille, epp128_permille, epp255_permille;
};

struct doc_state {
	char name[16];
	struct number exit_latency_ns, target_residency_ns, wake_ns, settle_ns;
	struct number package_wake_ns;
	bool polling, monitors, keeps_vote, keeps_uncore;
};

struct doc_idle {
	struct doc_section section;
	char driver[32];
	struct number poll_relax_ns, poll_clock_read_ns;
	struct doc_state states[IDLE_STATES_MAX];
	uint32_t states_count;
};

struct doc_tick {
	struct doc_section section;
	struct number hz;
};

struct doc_state_power {
	char state[16];
	struct doc_point mw_by_khz[POINTS_MAX];
	uint32_t mw_by_khz_count;
};

struct doc_power {
	struct doc_section section;
	struct number floor_mw;
	char uncore_sleeps[16]; /* optional */
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
	struct number unit_nj;
	struct number period_ns;
};

struct doc_limits {
	struct doc_section section;
	struct number pl1_mw, pl2_mw;
	struct number pl1_tau_ns;
	struct number device_bias_permille; /* optional */
};

/* The members of struct machine_costs. */
#define COSTS(X)                                                                                   \
	X(context_switch_ns)                                                                       \
	X(tick_ns)                                                                                 \
	X(tick_stop_ns)                                                                            \
	X(tick_restart_ns)                                                                         \
	X(idle_entry_ns)                                                                           \
	X(idle_exit_ns)                                                                            \
	X(ipi_send_ns)                                                                             \
	X(ipi_deliver_ns)                                                                          \
	X(poll_react_ns)                                                                           \
	X(irq_ns)                                                                                  \
	X(timer_irq_ns)                                                                            \
	X(timer_late_ns)                                                                           \
	X(host_poll_ns)                                                                            \
	X(host_wake_ns)                                                                            \
	X(migration_ns)                                                                            \
	X(migration_cost_ns)

#define COST_NUMBER(member) struct number member;
struct doc_costs {
	struct doc_section section;
	COSTS(COST_NUMBER)
};
#undef COST_NUMBER

struct doc_device {
	char name[32];
	char kind[16];
	char distribution[16];
	struct number servers, service_ns, irq_cpu, package, active_mw, idle_mw;
	struct doc_point active_mw_by_khz[POINTS_MAX]; /* optional */
	uint32_t active_mw_by_khz_count;
};

struct doc_devices {
	struct doc_section section;
	struct doc_device list[DEVICES_MAX];
	uint32_t list_count;
};

/* Optional as a whole; what follows cpu_flags is optional one by one. */
struct doc_platform {
	struct doc_section section;
	char vendor[16];
	struct number family, model;
	char cpu_flags[160];
	char pm_profile[24];
	char pss_space[8], psd[8];
	struct number pss_port, pss_latency_ns, ppc;
	struct number pss_khz[TURBO_MAX];
	uint32_t pss_khz_count;
	struct number cppc_highest, cppc_nominal, cppc_lowest_nonlinear, cppc_lowest;
	struct number cppc_nominal_khz, cppc_lowest_khz;
};

/* May be left out: then firmware offers no mailbox. */
struct doc_firmware {
	struct doc_section section;
	char bios[16];
	char pcc_doorbell[16], pcc_distribution[16], pcc_behaviour[16];
	struct number pcc_minimum_khz, pcc_service_ns, pcc_spread_permille, pcc_stall_ns,
		pcc_access_ns;
};

struct doc_machine {
	struct number schema;
	char description[200];
	struct doc_topology topology;
	struct doc_frequency frequency;
	struct doc_hybrid hybrid;
	struct doc_hwp hwp;
	struct doc_idle idle;
	struct doc_tick tick;
	struct doc_power power;
	struct doc_rapl rapl;
	struct doc_limits limits;
	struct doc_costs costs;
	struct doc_devices devices;
	struct doc_platform platform;
	struct doc_firmware firmware;
};

extern const cyaml_schema_value_t doc_machine_schema;
