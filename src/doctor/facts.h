/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known of one machine: values as its files hold them, nothing judged. A value that the
 * tree does not have says nothing about the machine. Where a value stands follows from its place:
 * policies and power domains carry the folder they were read from, the rest has one path.
 *
 * Order: facts_gather once, then read only; facts_drop.
 */
#pragma once

#include "doctor/tree.h"
#include "policy/select/select.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum value_state {
	VALUE_ABSENT, /* no such file, or not captured */
	VALUE_GOOD,
	VALUE_EMPTY,
	VALUE_BAD,	  /* no number */
	VALUE_UNREADABLE, /* error says why */
};

struct value {
	enum value_state state;
	int error; /* positive errno */
	int64_t number;
};

enum { TEXT_MAX = 48 };

struct text {
	enum value_state state;
	int error;
	char s[TEXT_MAX];
};

static inline bool good(struct value v)
{
	return v.state == VALUE_GOOD;
}

static inline bool has(const struct text *t)
{
	return t->state == VALUE_GOOD;
}

bool text_is(const struct text *t, const char *word);

/* A set of CPU numbers. */
enum { CPU_NUMBERS_MAX = 8192 };

struct cpu_numbers {
	bool known;
	int nr;
	uint64_t word[CPU_NUMBERS_MAX / 64];
};

bool cpu_numbers_has(const struct cpu_numbers *set, int cpu);

/* Frequencies in kHz. */
struct policy_facts {
	int number;
	char dir[64]; /* "/sys/devices/system/cpu/cpufreq/policy0" */
	struct text driver, governor, epp;
	char governors[128]; /* scaling_available_governors, "" unknown */
	struct value min, max, cpuinfo_min, cpuinfo_max, cur, cpuinfo_cur, base, bios_limit, boost;
	struct value amd_max, amd_highest_perf, lowest_nonlinear;
	int64_t table_max; /* highest of scaling_available_frequencies, 0 unknown */
	int64_t table_second;
};

struct cppc_facts {
	int cpu;
	struct value highest, nominal, lowest, lowest_nonlinear, guaranteed, nominal_mhz;
};

struct idle_state_facts {
	struct text name, desc, default_status;
	struct value disable, latency, residency, usage;
};

enum { IDLE_FACTS_MAX = 16 };

struct idle_facts {
	struct text driver, governor;
	int cpu; /* whose states these are, -1 none */
	int nr;
	struct idle_state_facts states[IDLE_FACTS_MAX];
	int disabled_cpu[IDLE_FACTS_MAX]; /* first other CPU where it is disabled, -1 */
};

struct throttle_facts {
	struct value core, package, core_power, package_power; /* summed over CPUs */
	int cpu;					       /* first with a count, -1 */
};

enum { CONSTRAINTS_MAX = 4, POWER_DOMAINS_MAX = 32 };

struct power_domain {
	char dir[64]; /* "/sys/class/powercap/intel-rapl:0" */
	bool mmio;
	struct text name;
	struct value enabled;
	struct {
		struct text name;
		struct value limit_uw, max_uw, window_us;
	} constraint[CONSTRAINTS_MAX];
};

/* Firmware's objects, from ACPI tables or an acpi.txt. */
struct acpi_facts {
	enum fact pss, xpss, ppc, pct, psd, cst, cpc, pcch, pccp, osc;
	bool fadt_known;
	char fadt_oem_id[7], fadt_oem_table_id[9];
	bool from_text; /* acpi.txt said it */
};

/* A power tool's setting that bears on frequency or idle: file, key, value. */
struct tool_setting {
	const char *tool; /* "TLP" */
	char path[96], key[48], value[64];
};

enum { TOOL_SETTINGS_MAX = 48 };

struct kernel_facts {
	bool known;
	int version; /* KERNEL(6, 6) */
	int sub;     /* .44, -1 not given */
	int rc;	     /* -rc1, 0 none */
	char release[80];
	char path[32];
};

struct facts {
	struct tree *tree;
	struct kernel_facts kernel;
	char *cmdline;		     /* NULL: not captured */
	struct select_facts machine; /* what the selection needs; cmdline points at the above */
	bool cpuinfo, cpuinfo_cut;
	bool cpuinfo_partial; /* cut within the first CPU: what is absent may have been there */
	char model_name[80], microcode[16];
	int stepping;
	int64_t cpu_mhz; /* of the first CPU, 0 not printed */
	char *flags;	 /* NULL: not printed */
	struct cpu_numbers present, online, possible;
	int offline_cpu; /* by its own online file, -1 */
	struct cpu_numbers p_cores, e_cores;
	struct text smt_control;
	struct value smt_active;

	bool cpufreq_dir; /* there is a cpufreq folder of some CPU */
	size_t nr_policies;
	struct policy_facts *policies;
	struct text intel_status, amd_status, amd_prefcore;
	struct value no_turbo, max_perf_pct, min_perf_pct, num_pstates, turbo_pct, dynamic_boost;
	struct value boost;
	size_t nr_cppc;
	struct cppc_facts *cppc;
	int epb_cpu; /* CPU with the highest energy-performance bias, -1 */
	struct value epb;

	struct idle_facts idle;
	struct value halt_poll_ns, halt_poll_grow_start;
	struct value resume_latency; /* lowest set, us */
	int resume_latency_cpu;
	struct value dma_latency_us; /* the latency limit in force, live or from debugfs */
	struct value idle_max_cstate, processor_max_cstate;
	struct value ignore_ppc;

	struct throttle_facts throttle;
	size_t nr_domains;
	struct power_domain domains[POWER_DOMAINS_MAX];
	struct text platform_profile;
	struct acpi_facts acpi;
	struct text sys_vendor, product, board_vendor, board, bios_version, hypervisor_type;
	struct text tuned_profile;
	int64_t load_percent; /* of all CPUs, over the last minute; -1 not captured */
	char config[96];      /* line of the kernel's configuration: a driver that is not set */
	bool xen_dom0;
	bool guest;
	int nr_settings;
	struct tool_setting settings[TOOL_SETTINGS_MAX];
};

/* The tree is kept and must outlive the facts. 0 or -ENOMEM. */
int facts_gather(struct tree *tree, struct facts *ret, struct error *err);
void facts_drop(struct facts *facts);

/* A register of the first CPU for which it is there; false when it was not captured. */
bool facts_msr(const struct facts *facts, uint32_t reg, int *ret_cpu, uint64_t *ret);

/* A word of the flags line. */
bool facts_flag(const struct facts *facts, const char *flag);

/* The last value of key on the command line into buf ("" for a bare word), or false. */
bool facts_param(const struct facts *facts, const char *key, char *buf, size_t size);

/* Whether the kernel version is known and lies in [from, to): numbers by kernel_number(). */
int64_t kernel_number(int major, int minor, int sub);
bool facts_kernel_in(const struct facts *facts, int64_t from, int64_t to);

/* The first line of the kernel log with this text into buf; false when there is none. */
bool facts_log(const struct facts *facts, const char *needle, char *buf, size_t size);
