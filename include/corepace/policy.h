/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How to write a policy. A policy is six independent choices: driver, governor, boost, idle, tick
 * and sched. Each is a const ops struct. The core allocates the state (zeroed, state_size bytes)
 * and calls init, then decides in any order that the kernel's own core would use.
 *
 * Rules for every op: a decision sees its arguments and its own state and nothing else: no clock,
 * file, log, allocation or global. The same object code then decides in the simulator, in the
 * scorer of traces and on a live host. Times are integer nanoseconds, frequencies kHz.
 *
 * A plug-in (.so) exports `const struct corepace_plugin corepace_plugin`.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COREPACE_ABI = 2 };

/* ---- idle ------------------------------------------------------------------------------ */

enum { IDLE_STATES_MAX = 10 };

#define LATENCY_NO_LIMIT_NS 2000000000000LL /* what the kernel means by "no constraint" */

struct idle_state {
	char name[16];
	int64_t exit_latency_ns;
	int64_t target_residency_ns;
	bool polling; /* spins with need_resched watched instead of halting */
};

/* What is the same for all CPUs. */
struct idle_driver {
	int nr_states;
	struct idle_state states[IDLE_STATES_MAX];
	int64_t tick_ns;
};

/* The kernel's per-CPU cpuidle device, as far as governors read and write it. */
struct idle_device {
	int last_state;		   /* state really entered last */
	int64_t last_residency_ns; /* 0 after a rejected entry */
	uint64_t poll_limit_ns;	   /* longest poll; haltpoll moves it, 0 = not computed yet */
	bool poll_time_limit;	   /* the last poll ended by its limit */
};

/* Inputs of one selection: a row of the decision vectors (see docs/GOVERNORS.md). */
struct idle_snapshot {
	int64_t now_ns;
	int64_t sleep_length_ns; /* to the next timer, the tick left out; may be negative or huge */
	int64_t delta_tick_ns;	 /* to the next event with the tick; may be negative */
	int64_t latency_req_ns;
	uint32_t nr_iowait;
	uint32_t cpu_load;     /* run queue load weight: menu up to 4.19 */
	uint32_t cpu_util;     /* of 1024: teo@6.6 */
	uint32_t disable_mask; /* bit i: state i is disabled */
	bool tick_stopped;
};

struct idle_choice {
	int state;
	bool stop_tick;	 /* true on entry, as in the kernel's idle loop */
	bool timer_read; /* the governor asked for the sleep length, which costs time */
};

/* What came of it. A rejected entry is not reported through reflect. */
struct idle_outcome {
	int64_t now_ns;
	int entered;
	bool got_tick; /* the tick woke the CPU */
};

struct idle_governor;

/* One CPU under one governor. */
struct idle_cpu {
	const struct idle_governor *governor;
	const struct idle_driver *driver;
	struct idle_device device;
	void *state;
};

struct idle_governor {
	const char *name;    /* "menu@6.1" */
	const char *summary; /* one line for lists */
	size_t state_size;   /* states may lie side by side: a multiple of their alignment */
	const void *variant; /* what distinguishes versions of one governor; may be NULL */

	/* State is zeroed, device too; the state is never moved. arg: what follows a colon in the
	 * name ("state:2"), or NULL. Called again on a live state it is the kernel's enable: the
	 * device is zeroed, what else is forgotten the governor decides. 0 or -EINVAL. May be
	 * NULL. */
	int (*init)(struct idle_cpu *cpu, const char *arg);
	void (*select)(struct idle_cpu *cpu, const struct idle_snapshot *snapshot,
		struct idle_choice *choice);
	/* cpu->device.last_residency_ns and .poll_time_limit are set before. Setting last_state is
	 * the governor's job. May be NULL. */
	void (*reflect)(struct idle_cpu *cpu, const struct idle_outcome *outcome);
	/* Sets a module parameter by its kernel name, after init: 0, -ENOENT unknown, -EINVAL bad
	 * value. May be NULL. */
	int (*tune)(struct idle_cpu *cpu, const char *key, const char *value);
};

/* ---- frequency ------------------------------------------------------------------------- */

enum util_flags {
	UTIL_IOWAIT = 1 << 0, /* a task woke from I/O wait */
	UTIL_ENQUEUE = 1 << 1,
	UTIL_DEQUEUE = 1 << 2,
	UTIL_TICK = 1 << 3,
	UTIL_MIGRATED = 1 << 4,	      /* a task arrived from another CPU */
	UTIL_IDLE_PLACEMENT = 1 << 5, /* a task was placed on a CPU that was idle */
};

/* A call of the scheduler's utilisation hook. */
struct util_event {
	int64_t now_ns;
	int cpu;      /* whose utilisation changed */
	int this_cpu; /* where the hook runs; differs for remote wake-ups */
	unsigned flags;
	int index;    /* of cpu in the snapshot's list */
	bool foreign; /* this_cpu may not ask for the domain's frequency: it is none of its CPUs */
};

struct cpu_load {
	int cpu;
	uint32_t util, dl_bw, capacity; /* of 1024 */
	bool util_capped;		/* util is held down by a limit of its tasks (uclamp_max) */
	uint64_t idle_calls;
	/* Cumulative. idle_ns leaves out what is in iowait_ns: idle while a task waited for I/O. */
	uint64_t wall_ns, idle_ns, iowait_ns;
	uint64_t nice_ns; /* user time of tasks with a positive nice level, cumulative */
	uint64_t aperf, mperf, tsc;
};

/* What a governor has to know of the driver. */
struct driver_info {
	const uint32_t *khz; /* its P-states, ascending; NULL: any frequency may be asked for */
	int nr_khz;
	uint32_t transition_delay_us; /* the kernel's: what rate limits default to; 0: 1000 */
	bool fast_switch;	      /* takes requests from the scheduler's hook */
	bool adjust_perf;	      /* takes performance levels from there */
	bool need_update_limits;      /* wants to be asked again when only limits changed */
	bool any_cpu;		      /* takes requests from CPUs of other domains too */
};

/* What a frequency governor may know of its frequency domain. */
struct freq_snapshot {
	int64_t now_ns;
	int64_t tick_ns;
	uint32_t cur_khz, min_khz, max_khz; /* limits in force */
	uint32_t cpuinfo_min_khz, cpuinfo_max_khz;
	int nr_cpus;
	const struct cpu_load *cpus;
	uint32_t device_busy_permille; /* busiest device of the package; no kernel looks at it */
	bool package_limited;	       /* the package is at its power limit; likewise */
	bool invariant;		       /* util is scaled by frequency */
	bool efficient_idle;	       /* Intel since Core 2: ondemand counts I/O wait as busy */
	struct driver_info driver;     /* of the domain */
};

enum freq_action_kind {
	FREQ_FAST_SWITCH,    /* value: kHz, at once, from the hook */
	FREQ_TARGET,	     /* value: kHz, through the driver, from process context */
	FREQ_HWP_WRITE,	     /* value: the HWP request register */
	FREQ_QUEUE_IRQ_WORK, /* value: 1 for a thread of its own, ahead of others; 0 a kworker */
	FREQ_QUEUE_WORK,     /* value: ns from now */
	FREQ_ADJUST_PERF,    /* value: least << 32 | wanted performance, of the CPU's capacity */
};

enum freq_relation { FREQ_AT_LEAST, FREQ_AT_MOST, FREQ_CLOSEST };

/* Beside a relation: leaves out inefficient P-states, which no x86 table marks. */
enum { FREQ_EFFICIENT = 4 };

enum { FREQ_ACTIONS_MAX = 4 };

struct freq_actions {
	int nr;
	struct {
		enum freq_action_kind kind;
		unsigned relation; /* enum freq_relation, perhaps with FREQ_EFFICIENT */
		uint64_t value;
	} list[FREQ_ACTIONS_MAX];
};

/*
 * A governor of one frequency domain. Each op may be NULL; ops append to actions. Order of calls:
 * init on zeroed state, tune, then start and at once limits, then the others; stop before another
 * start. The state holds state_size bytes, then cpu_state_size for each of s->nr_cpus CPUs, which
 * stay the same.
 */
struct freq_governor {
	const char *name;
	const char *summary;
	size_t state_size, cpu_state_size; /* multiples of the state's alignment */
	void (*init)(
		const struct freq_governor *governor, void *state, const struct freq_snapshot *s);
	/* Sets a tunable by its kernel name: 0, -ENOENT unknown, -EINVAL bad value. */
	int (*tune)(void *state, const char *key, const char *value);
	void (*start)(void *state, const struct freq_snapshot *s, struct freq_actions *actions);
	void (*stop)(void *state);
	/* The limits may have changed; not in the scheduler's hook. */
	void (*limits)(void *state, const struct freq_snapshot *s, struct freq_actions *actions);
	void (*on_util)(void *state, const struct util_event *event, const struct freq_snapshot *s,
		struct freq_actions *actions);
	/* What an irq work or delayed work that was queued is for; in process context. On a
	 * kworker, on_util is not called before what it asks of the driver is done. */
	void (*work)(void *state, const struct freq_snapshot *s, struct freq_actions *actions);
};

/* A short-term raise beside the governor, per CPU. */
struct boost {
	const char *name;
	const char *summary;
	size_t state_size;
	int (*tune)(void *state, const char *key, const char *value);
	/* hwp_request, hwp_capabilities: the cached registers of the CPU. */
	void (*on_util)(void *state, const struct util_event *event, const struct freq_snapshot *s,
		uint64_t hwp_request, uint64_t hwp_capabilities, struct freq_actions *actions);
};

/* ---- driver ---------------------------------------------------------------------------- */

enum cpu_vendor { VENDOR_OTHER, VENDOR_INTEL, VENDOR_AMD };

enum { PSS_MAX = 40 }; /* entries of _PSS */

/* An entry of ACPI's _PSS. */
struct acpi_pss {
	uint32_t mhz, power_mw, latency_us;
	uint32_t control, status; /* what is written to ask for it, what reads when it is there */
};

/* ACPI's _CPC: performance levels, and the frequencies of two of them; highest 0: none. */
struct acpi_cpc {
	uint32_t highest, nominal, lowest_nonlinear, lowest;
	uint32_t nominal_mhz, lowest_mhz;
};

/* Where _PSS's control and status values go. */
enum acpi_pss_space { PSS_NONE, PSS_MSR, PSS_IO };

/* Who coordinates the CPUs of one domain: _PSD's coordination type. */
enum acpi_psd { PSD_NONE, PSD_SW_ALL, PSD_SW_ANY, PSD_HW_ALL };

/*
 * ACPI's \_SB.PCCH, and PCCP of each processor: offsets of its two buffers in the shared memory,
 * which lie stride apart from CPU to CPU.
 */
struct acpi_pcc {
	uint64_t base, size; /* of the shared memory; size 0: no PCCH */
	bool doorbell_in_ports;
	uint64_t doorbell; /* its address */
	int doorbell_width;
	uint64_t preserve, write; /* masks of the doorbell */
	uint32_t input, output, stride;
};

/* What CPUID and ACPI tell a driver, beside registers; the same on all CPUs. */
struct platform {
	enum cpu_vendor vendor;
	uint32_t family, model;
	bool turbo;		       /* CPUID: Intel's IDA, AMD's CPB */
	bool hwp, hwp_epp, hwp_notify; /* CPUID: HWP, its EPP, its interrupt */
	bool epb;		       /* CPUID: energy-performance bias */
	bool cppc;		       /* CPUID: AMD's CPPC by registers */
	bool est, hw_pstate;	       /* CPUID: P-states by Intel's registers, by AMD's */
	bool aperfmperf;	       /* CPUID: APERF and MPERF */
	int pm_profile;		       /* FADT: the preferred profile, by its number */
	bool server_profile;	       /* FADT: preferred profile is one of the two servers */
	uint32_t tsc_khz;	       /* what the kernel calls cpu_khz */
	enum acpi_pss_space pss_space;
	uint16_t pss_port; /* PSS_IO: control and status port, 16 bits wide */
	int nr_pss;
	struct acpi_pss pss[PSS_MAX]; /* highest first */
	enum acpi_psd psd;	      /* its domain is the package */
	struct acpi_cpc cpc;
	struct acpi_pcc pcc;
	int nr_present; /* CPUs there are, online or not */
};

/*
 * The only way a driver touches hardware. Each op adds its cost to the time cursor *now_ns: the
 * whole call is non-preemptible system time on that CPU. 0 or a negative errno (-EIO: a register
 * that is not there). An op that the hardware has not is NULL.
 */
struct hardware {
	void *ctx;
	const struct platform *platform;
	int (*rdmsr)(void *ctx, int64_t *now_ns, int cpu, uint32_t reg, uint64_t *value);
	int (*wrmsr)(void *ctx, int64_t *now_ns, int cpu, uint32_t reg, uint64_t value);
	int (*rdtsc)(void *ctx, int64_t *now_ns, int cpu, uint64_t *value);
	int (*port_read)(
		void *ctx, int64_t *now_ns, int cpu, uint16_t port, int width, uint32_t *value);
	int (*port_write)(
		void *ctx, int64_t *now_ns, int cpu, uint16_t port, int width, uint32_t value);
	int (*mem_read)(
		void *ctx, int64_t *now_ns, int cpu, uint64_t addr, int width, uint64_t *value);
	int (*mem_write)(
		void *ctx, int64_t *now_ns, int cpu, uint64_t addr, int width, uint64_t value);
	void (*lock)(void *ctx, int64_t *now_ns, int cpu, int lock);
	void (*unlock)(void *ctx, int64_t *now_ns, int cpu, int lock);
	void (*relax)(void *ctx, int64_t *now_ns);
};

struct freq_limits {
	uint32_t min_khz, max_khz;
};

/* What a driver offers once it has come up on a frequency policy: the kernel's cpufreq_policy. */
struct driver_offer {
	struct freq_limits range; /* cpuinfo_min_freq, cpuinfo_max_freq; max 0: nothing to ask */
	struct driver_info info;
	bool own_policies; /* powersave and performance are its own; there are no other governors */
	bool no_dynamic;   /* refuses governors that change the frequency by themselves */
	bool shared;	   /* all CPUs of _PSD's domain are one policy */
	bool follows_ppc;  /* firmware's limit, _PPC, bounds it */
	uint32_t cur_khz;  /* what it believes to be in force; 0: not known */
	const char *note;  /* what it logs that a user must know; NULL: nothing */
};

struct driver;

/* A frequency policy under a driver. */
struct driver_unit {
	const struct driver *driver;
	const struct hardware *hw;
	void *shared, *state; /* one for all; one for each policy */
	int nr_cpus;
	const int *cpus; /* online CPUs of the policy; the first manages it */
	bool hooked;	 /* set by the driver: on_util is to be called */
	bool strict;	 /* the governor's target is meant exactly, not as a least */
};

/* A parameter of a driver: what `tune` takes. */
struct driver_parameter {
	const char *name;   /* as in sysfs or on the kernel's command line, '-' for '_' */
	const char *values; /* "0|1", "0..100" */
	const char *summary;
};

enum driver_policy { DRIVER_POWERSAVE, DRIVER_PERFORMANCE };

/*
 * Order of calls: tune and load once; then for each policy init, verify, and set_policy or target
 * whenever limits change. offline when the last CPU of a policy goes, then online (exit and init
 * where a driver has no such ops). Ops return 0 or a negative errno; all but init may be NULL.
 */
struct driver {
	const char *name;
	const char *summary;
	const char *const
		*history; /* what changed between kernels, a line each; ends with a NULL */
	const struct driver_parameter *parameters; /* ends with a NULL name */
	size_t shared_size, state_size;		   /* zeroed */
	/* Sets a parameter by its name in sysfs or on the kernel's command line, '-' for '_': 0,
	 * -ENOENT unknown, -EINVAL bad value. */
	int (*tune)(void *shared, const char *key, const char *value);
	/* What the driver does once, when it registers, on one CPU. */
	int (*load)(void *shared, const struct hardware *hw, int64_t *now_ns, int cpu);
	/* Brings the policy's CPUs up and tells what can be asked of them. */
	int (*init)(struct driver_unit *u, int64_t *now_ns, struct driver_offer *ret);
	void (*exit)(struct driver_unit *u, int64_t *now_ns);
	int (*online)(struct driver_unit *u, int64_t *now_ns);
	int (*offline)(struct driver_unit *u, int64_t *now_ns);
	/* Brings limits that a user, firmware or the thermal code asks for into what is possible.
	 */
	int (*verify)(struct driver_unit *u, int64_t *now_ns, struct freq_limits *limits);
	/* Takes over with one of its own algorithms within limits. */
	int (*set_policy)(struct driver_unit *u, int64_t *now_ns, enum driver_policy policy,
		const struct freq_limits *limits);
	/* Asks for khz within limits; ret_khz is what the hardware was asked for. */
	int (*target)(struct driver_unit *u, int64_t *now_ns, uint32_t khz,
		enum freq_relation relation, const struct freq_limits *limits, uint32_t *ret_khz);
	/* Performance levels, of capacity; for drivers with adjust_perf. */
	void (*adjust_perf)(struct driver_unit *u, int64_t *now_ns, uint32_t min_perf,
		uint32_t target_perf, uint32_t capacity);
	/* The scheduler's utilisation hook, for its own algorithm. */
	void (*on_util)(struct driver_unit *u, int64_t *now_ns, const struct util_event *event,
		int64_t tick_ns);
};

/* ---- tick and scheduler ---------------------------------------------------------------- */

struct tick_policy {
	const char *name;
	const char *summary;
	bool periodic;	   /* the tick is never stopped */
	bool select_first; /* the idle state is selected before the tick is stopped */
};

enum { PLACE_WORDS = 16 }; /* 1024 CPUs */

struct cpu_set_bits {
	uint64_t word[PLACE_WORDS];
};

/* What wake-up placement may know. */
struct placement {
	int prev_cpu;	  /* where the task ran last */
	int recorded_cpu; /* where it ran next when it was recorded; -1: not known */
	int waker_cpu;	  /* where the wake-up happens */
	bool sync;	  /* the waker is about to sleep */
	int nr_cpus;
	const struct cpu_set_bits *allowed;   /* the task's affinity, online CPUs only */
	const struct cpu_set_bits *idle;      /* CPUs that run nothing */
	const struct cpu_set_bits *idle_core; /* CPUs whose SMT siblings are idle too */
	const int *llc;			      /* LLC domain by CPU */
	const uint32_t *nr_running;	      /* by CPU */
};

struct sched_policy {
	const char *name;
	const char *summary;
	bool select_idle_sibling, smt_aware, balance;
	bool as_recorded; /* tasks move between CPUs as they did when recorded */
	int (*select_cpu)(const struct sched_policy *policy, const struct placement *placement);
};

/* ---- plug-ins -------------------------------------------------------------------------- */

struct corepace_plugin {
	uint32_t abi; /* COREPACE_ABI */
	const struct idle_governor *idle;
	const struct freq_governor *governor;
	const struct boost *boost;
};
