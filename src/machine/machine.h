/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A machine model: facts, each with its source and confidence, loaded from machines/NAME.yaml and
 * fixed from then on. Power is a function of the model and of what the CPUs do; time and energy
 * are the simulator's.
 */
#pragma once

#include "base/error.h"
#include "base/spec.h"
#include "base/units.h"
#include "corepace/policy.h"

#include <stdio.h>

enum {
	POINTS_MAX = 16,
	DEVICES_MAX = 8,
	PACKAGES_MAX = 16,
	THREADS_MAX = 8, /* of one core */
	PROVENANCE_MAX = 256,
	PROVENANCE_SOURCE_MAX = 400,
};

/* Piecewise linear in frequency; constant outside its ends. */
struct curve {
	int nr;
	uint32_t khz[POINTS_MAX];
	uint32_t mw[POINTS_MAX];
};

struct machine_cpu {
	int core;   /* number of its core, machine-wide */
	int thread; /* 0, 1, ... within the core */
	int llc;    /* last-level cache domain */
	int package;
	int node;
	bool online;
};

enum freq_domain { FREQ_DOMAIN_NONE, FREQ_DOMAIN_CORE, FREQ_DOMAIN_PACKAGE };

struct machine_idle_state {
	int64_t wake_ns; /* real: from the wake-up's arrival to the first instruction */
	bool monitors;	 /* watches need_resched while it halts (MWAIT): a remote wake-up that finds
			  * it set takes no interrupt. False for HLT. */
	bool keeps_vote; /* in a package domain: still votes for its P-state */
	bool keeps_uncore;	 /* the package stays fully powered */
	struct curve core_power; /* a core whose shallowest thread is here */
	/* For so long the core still draws what it draws polling, before core_power. */
	int64_t settle_ns;
	/* Added to wake_ns while no core of the package keeps_uncore: the least of theirs. */
	int64_t package_wake_ns;
};

/* Real costs of the machine and its kernel, in ns of CPU time unless said otherwise. */
struct machine_costs {
	int64_t context_switch_ns;
	int64_t tick_ns;	 /* handler of the periodic tick */
	int64_t tick_stop_ns;	 /* entering tickless mode */
	int64_t tick_restart_ns; /* leaving it */
	int64_t idle_entry_ns;	 /* from the switch to idle to the idle instruction, selection
				    included */
	int64_t idle_exit_ns;	 /* from the first instruction after idle to the switch-in */
	int64_t ipi_send_ns;	 /* on the sender */
	int64_t ipi_deliver_ns;	 /* until the target begins to react; not CPU time */
	int64_t poll_react_ns;	 /* a polling CPU sees need_resched */
	int64_t irq_ns;		 /* entry and exit of an interrupt with a small handler */
	int64_t timer_irq_ns;	 /* a timer interrupt that wakes a task */
	int64_t timer_late_ns; /* not CPU time: from the time a timer is set to, to its interrupt */
	int64_t host_poll_ns;  /* a guest: longest that its host polls for a halted CPU; 0: no host
				*/
	int64_t host_wake_ns;  /* added to the wake latency once the host has stopped polling */
	int64_t migration_ns;  /* cache refill of a task that moved between cores */
	int64_t migration_cost_ns; /* the scheduler's sched_migration_cost: a policy number, no cost
				    */
};

/*
 * Hardware P-states: what the registers say, and what the processor makes of a request that leaves
 * it the choice (src/sim/hwp.c). Performance is in units of unit_khz.
 */
struct machine_hwp {
	bool present;
	uint32_t unit_khz;
	uint32_t lowest, efficient, guaranteed, highest;
	uint32_t default_epp;	/* of the request at power-on */
	int64_t window_ns;	/* it looks at activity once in this time */
	int64_t halving_ns;	/* memory of its running average of activity */
	uint32_t floor;		/* its own choice is not below that; a request's maximum may be */
	uint32_t epp0_permille; /* busy share that it is content with, at EPP 0, and at */
	uint32_t epp128_permille;
	uint32_t epp255_permille;
	bool quirk_gap;	      /* see corepace-machine(5) */
	bool quirk_efficient; /* likewise */
};

enum device_kind { DEVICE_DISK, DEVICE_NET, DEVICE_GPU, DEVICE_OTHER };

struct machine_device {
	char name[32];
	enum device_kind kind;
	int servers;	       /* requests served at once */
	int64_t service_ns;    /* mean service time of a request that does not say its own */
	char distribution[16]; /* fixed | exponential */
	int irq_cpu;	       /* -1: the submitter's CPU */
	uint32_t active_mw, idle_mw;
	struct curve power; /* while it serves, by its own clock; nr 0: it has none, active_mw */
	int package;	    /* whose budget it shares, -1 none */
};

enum bios_mode { BIOS_NONE, BIOS_OSCM, BIOS_DPSM, BIOS_STATIC };
enum service_distribution { SERVICE_FIXED, SERVICE_UNIFORM, SERVICE_EXPONENTIAL };
enum doorbell { DOORBELL_MEMORY, DOORBELL_PORT };
enum mailbox_behaviour { MAILBOX_COMPLETES, MAILBOX_ERROR, MAILBOX_NEVER };

/* What the firmware does while the system runs. */
struct machine_firmware {
	enum bios_mode bios; /* BIOS_NONE: no power regulator; PCC is there, and _PSS is
			      * not, in all but BIOS_OSCM */
	enum doorbell doorbell;
	enum mailbox_behaviour behaviour;
	enum service_distribution distribution;
	uint32_t spread_permille; /* SERVICE_UNIFORM: of the mean, up and down */
	uint32_t minimum_khz;	  /* lowest frequency without throttling */
	int64_t service_ns;	  /* mean time from the doorbell to the answer */
	int64_t stall_ns;	  /* mean: of it, every CPU of the machine stands still */
	int64_t access_ns;	  /* one access to the shared memory or the doorbell */
};

enum provenance_kind {
	PROVENANCE_NUMBER, /* value is a whole number of unit */
	PROVENANCE_TEXT,   /* a word, or true and false */
	PROVENANCE_LIST,   /* numbers of unit, a space between */
	PROVENANCE_CURVE,  /* kHz:VALUE pairs, a space between */
};

/* Where one value comes from. path: "idle.states.C1.wake_ns", as in the file. */
struct provenance {
	char path[96];
	enum provenance_kind kind;
	char value[320];
	char unit[12];
	char confidence[40]; /* measured | specified | estimated[(from X)] | fitted(TABLE) |
			      * drawn, when the specification asks for it */
	char source[PROVENANCE_SOURCE_MAX];
	/* Plausible range of an estimated value, in its unit; of a curve or list, factors for all
	 * of it. Equal: none given. */
	double low, high;
};

struct machine {
	char name[64];
	char text[SPEC_TEXT_MAX]; /* the specification, for results */
	char description[200];
	int nr_cpus;
	struct machine_cpu cpus[CPUS_MAX];
	int nr_cores, nr_packages, nr_llcs;
	int efficiency_cores; /* beside them, of another kind: see machine_simulable */
	int hz;
	int64_t tick_ns;

	enum freq_domain freq_domain;
	uint32_t min_khz, base_khz, max_khz, step_khz;
	int nr_turbo; /* turbo_khz[i]: ceiling with i+1 active cores in the package */
	uint32_t turbo_khz[64];
	int64_t transition_ns;	/* request to new frequency */
	int64_t change_grid_ns; /* requests are looked at once in that time; 0: at once */
	uint32_t ipc_permille;	/* work per cycle relative to the reference (1000) */
	uint32_t smt_permille;	/* speed of a thread while its sibling runs too; 1000: no sharing */

	struct machine_hwp hwp;

	char idle_driver_name[32]; /* as sysfs prints it; "none": the kernel just halts in state 1
				    */
	struct idle_driver idle;   /* what governors see */
	struct machine_idle_state idle_real[IDLE_STATES_MAX];
	int64_t poll_relax_ns, poll_clock_read_ns;

	struct curve uncore;	      /* package power while any core keeps_uncore or runs */
	uint32_t floor_mw;	      /* package power with all cores in states that let it go */
	bool uncore_together;	      /* no package's uncore sleeps while another's is up */
	struct curve core_active;     /* one thread of the core runs */
	struct curve core_active_smt; /* two threads run */
	uint32_t pl1_mw, pl2_mw;
	int64_t pl1_tau_ns;
	uint32_t device_bias_permille; /* of what is left at the limit, for the package's devices */
	uint32_t rapl_unit_nj;	       /* energy counter unit, nJ; 0: no RAPL */
	int64_t rapl_period_ns;

	struct platform platform; /* what drivers are told beside registers */
	int ppc;		  /* _PPC: so many of the highest P-states are barred; -1: none */
	struct machine_costs costs;
	int nr_devices;
	struct machine_device devices[DEVICES_MAX];
	struct machine_firmware firmware;

	int nr_provenance;
	struct provenance provenance[PROVENANCE_MAX];
};

/*
 * Loads "NAME[:key=value...]" (keys: cpus=N online CPUs, online=LIST, khz=N runs all at one
 * frequency, speed=PERMILLE scales work per cycle, hz=, cpuidle=NAME, hwp-quirk=NAME,
 * bios=oscm|dpsm|static, draw=SEED draws the estimated values, see machine/draw.h). dir: folder
 * with NAME.yaml; a name that holds a '/' is taken as a path. Errors name file, line, field and
 * what was expected.
 */
int machine_load(const char *spec, const char *dir, struct machine **ret, struct error *err);

/* The same from the text of a machine file; name stands in messages. For tests and importers. */
int machine_load_text(
	const char *name, const char *text, size_t size, struct machine **ret, struct error *err);

/* The specification of the same machine with draw=SEED. -E2BIG; -EINVAL when it has the key. */
int machine_drawn_spec(
	const char *spec, unsigned long long seed, char ret[SPEC_TEXT_MAX], struct error *err);

struct machine *machine_free(struct machine *m);

/* Prints the model as a table of path, value, confidence, source. json: the same as JSON. */
void machine_show(const struct machine *m, bool json, FILE *out);

/* 0; -EOPNOTSUPP: a hybrid machine, of which only the performance cores are in struct machine. */
int machine_simulable(const struct machine *m, struct error *err);

uint32_t curve_mw(const struct curve *curve, uint32_t khz);

/* What entry i of _PSS stands for: the whole of turbo, where that is how it is written. */
uint32_t machine_pss_khz(const struct machine *m, int i);

/* Highest frequency granted with active_cores of a package not idle (a polling core is active). */
uint32_t machine_turbo_khz(const struct machine *m, int active_cores);

/* What a thread does, for power: >= 0 an idle state, or running. */
enum { THREAD_RUNS = -1, THREAD_OFFLINE = -2 };

/* Power of one core, uW, from what each of its nr threads does. */
uint64_t machine_core_uw(const struct machine *m, const int *threads, int nr, uint32_t khz);

/*
 * The same with other than ordinary code: what a running core takes above one that halts in the
 * shallowest state that does not poll, times permille / 1000.
 */
uint64_t machine_core_busy_uw(
	const struct machine *m, const int *threads, int nr, uint32_t khz, uint32_t permille);

/* Power of a package beside its cores, uW. awake: a core runs or is in a state that keeps_uncore.
 */
uint64_t machine_uncore_uw(const struct machine *m, bool awake, uint32_t khz);
