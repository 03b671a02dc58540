/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A workload is a set of tasks; a task is a program: a stream of ops read one after the other, so
 * memory is bounded by tasks and not by the length of a recording. Recorded (.cpw) and generated
 * workloads give the same interface.
 *
 * Order of calls: workload_open, then per task program_next until OP_EXIT or the end, in any
 * interleaving of tasks; workload_rewind to start over; workload_free.
 */
#pragma once

#include "base/error.h"
#include "base/rng.h"
#include "base/spec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum op_kind {
	OP_RUN, /* cycles that scale with frequency + ns that do not; target: see OP_RUN_CPU */
	OP_SLEEP_FOR,	/* ns: own timer, relative to the moment of falling asleep */
	OP_SLEEP_UNTIL, /* ns: own timer, absolute workload time; past: no sleep */
	OP_WAIT,	/* take a token of channel target, sleep while there is none */
	OP_SIGNAL,	/* put a token into channel target, after ns (0: at once) */
	OP_IO, /* a request to device target served in ns (0: the device's own), wait for it */
	OP_EXTERNAL, /* the outside world wakes at absolute time ns; past: no sleep */
	OP_FORK,     /* start task target */
	OP_COUNT,    /* cycles operations of the workload's metric are done */
	OP_LATENCY,  /* ns=0: an operation begins, ns>1: it began then (when due), ns=1: it ends */
	OP_EXIT,
	OP_KINDS,
};

enum op_flags {
	OP_IOWAIT =
		1 << 0, /* the wait counts as I/O wait; SIGNAL: a device sends it, not a timer */
	OP_UNKNOWN = 1 << 1, /* the cause was not found: replayed as an outside event */
	OP_REMOTE =
		1 << 2, /* SIGNAL: when recorded, an IPI to an idle CPU was sent in the run time */
	OP_NOSWITCH = 1 << 3, /* WAIT: when recorded, the task did not really sleep */
	/* IO, SIGNAL with ns: the interrupt found its CPU idle, ns holds the way out of idle. */
	OP_FROM_IDLE = 1 << 4,
	/* WAIT: take all tokens there are, also none. SIGNAL: once for each token taken since the
	 * task's last such signal. */
	OP_ALL = 1 << 5,
	OP_GAVE_WAY = 1 << 5, /* RUN: when recorded, another task ran just before, and no wait */
	/* IO: what is waited for is done by CPUs that are not simulated: it stands still with them.
	 */
	OP_STALLS = 1 << 5,
	OP_SYSTEM = 1 << 6, /* RUN: in the kernel, counts as system time */
	/* RUN, IO: so many cycles or ns for each token that the task has taken, see OP_ALL. */
	OP_EACH = 1 << 24,
	/*
	 * WAIT: begin the channel's turn, or sleep while another task has it; who slept when a turn
	 * began shares it, and goes on at its end with `cycles` ops left out. SIGNAL: end it.
	 * With OP_EACH the holder has taken as many tokens as tasks share its turn.
	 * With OP_ALL a WAIT begins no turn, and sleeps to the end of another's.
	 */
	OP_TURN = 1 << 25,
	OP_UNTIL = 1 << 26, /* RUN: it spins until workload time ns */
	OP_NEW = 1 << 7,    /* WAIT: what goes on after it stands for a new process: placed anew */
};

/* IO: a target of so much and more is the machine's first device of kind target - IO_KIND. */
enum { IO_KIND = 256, IO_DISK = IO_KIND, IO_NET, IO_GPU, IO_OTHER };

/* IO, EXTERNAL, delayed SIGNAL: flags also hold 1 + the CPU that took the interrupt, 0 unknown. */
enum { OP_CPU_SHIFT = 8, OP_CPU_MASK = 0xffff };

/* The CPU that a run was recorded on, from its target; -1: not known. */
#define OP_RUN_CPU(op) ((int)(op)->target - 1)

struct op {
	enum op_kind kind;
	uint32_t flags;
	uint32_t target;
	uint64_t cycles;
	uint64_t ns;
};

enum task_class { TASK_NORMAL, TASK_RT, TASK_IDLE_CLASS };

struct workload_task {
	char name[32]; /* "" when anonymous */
	int pid;       /* as recorded, 0 for generated */
	enum task_class sched_class;
	int nice;
	int power_permille;   /* dynamic power of a core that runs it, 0 as 1000: ordinary code */
	bool kernel;	      /* time counts as system */
	bool command;	      /* of the recorded command; a recording of the system has none */
	bool follows_waker;   /* a per-CPU worker: the waker's CPU has its own */
	bool service;	      /* serves others for ever: the workload ends without it */
	bool starts;	      /* runs from the beginning; others wait for OP_FORK */
	int first_cpu;	      /* where it begins; -1: anywhere */
	int node;	      /* 1 + the memory node whose CPUs it is bound to; 0: none */
	uint64_t allowed[16]; /* affinity; all zero: everywhere */
	int64_t start_ns;     /* workload time of its first op */
};

/* How a workload's own figure is made from what the simulator counted. */
enum metric_kind {
	METRIC_USECS_PER_OP,
	METRIC_OPS_PER_S,
	METRIC_KHZ,
	METRIC_ELAPSED_S,
	METRIC_LATENCY_MS,
	METRIC_USER_S, /* CPU time of the workload's own tasks */
	METRIC_SYSTEM_S,
	METRIC_OPS_PER_W, /* operations a second per watt of the packages; no recording has it */
	METRIC_LATENCY_US,
	METRIC_MB_PER_S, /* per_op: bytes of an operation */
};

struct workload_metric {
	char name[32]; /* "usecs_per_loop" */
	char unit[16];
	bool higher_is_better;
	enum metric_kind kind;
	int per_op; /* what a rate counts in one operation, 0 as 1: pipe-test's kHz counts 2 */
};

/* Facts of the recorded run: what self-replay must give back. Zero: not known. */
struct workload_truth {
	uint64_t elapsed_ns;
	uint64_t operations;	      /* as the workload itself reported; 0 unknown */
	uint64_t untraced_elapsed_ns; /* the same command without the recorder; 0 unknown */
	int nr_cpus;
	uint64_t busy_ns[64];	   /* by CPU: not idle */
	uint64_t irq_ns[64];	   /* by CPU: in hard and soft interrupts, part of busy_ns */
	uint64_t idle_entries[64]; /* by CPU, from events */
	uint64_t state_usage[10];  /* by idle state, sysfs difference over all CPUs */
	uint64_t state_time_ns[10];
	int nr_states;
	uint64_t events, lost_events;
	uint64_t waits[OP_KINDS]; /* by cause, those without one apart: */
	uint64_t waits_unknown;
	/* Of the command's tasks, or of user space where the command is not known. */
	uint64_t own_waits, own_waits_outside; /* all; from outside or without a cause */
	uint64_t own_run_on; /* tasks that ran most of the time and hardly waited */
	uint64_t switches, switches_inferred; /* recorded; added to them */
	char state_name[10][16];	      /* "" when not known */
};

struct workload_env {
	char kernel[64];
	char cpuidle_driver[32], cpuidle_governor[32];
	char machine[64]; /* CPU model name */
	char command[128];
	int hz;
	int nr_cpus;
	uint64_t khz;	     /* frequency that recorded cycles refer to */
	char khz_source[32]; /* cpu_frequency | --khz | tsc */
	char clock[16];
	uint64_t device_irq_ns; /* in interrupts per request that a disk completed; 0 not known */
	char settings[2048];	/* lines KEY=VALUE: command line, module parameters, idle states */
};

/* "run", "sleep-for", ...; "?" when out of range. */
const char *op_kind_name(enum op_kind kind);

struct workload;

/* The next op of a task. 1: ret is set, 0: end of program, negative errno (err is set). */
int program_next(struct workload *w, int task, struct op *ret, struct error *err);

struct workload {
	char name[64];
	char text[SPEC_TEXT_MAX]; /* specification or file name, for results */
	int nr_tasks;
	struct workload_task *tasks;
	int nr_channels;
	int nr_metrics;
	struct workload_metric metrics[4];
	char op_name[16];     /* "loop", "transaction" */
	uint64_t duration_ns; /* stop then (fixed time); 0: when all tasks ended (fixed work) */
	uint64_t warm_up_ns;  /* not counted, before all else; with fixed time, before it begins */
	double scale; /* share of the time or work asked for that duration_ns and programs hold */
	/*
	 * The system's own timers and threads: how often they wake each online CPU for a moment,
	 * on the node that the first task is bound to and elsewhere.
	 */
	uint32_t background_hz, node_background_hz;
	bool recorded;
	struct workload_env env;     /* recorded only */
	struct workload_truth truth; /* recorded only */
	uint64_t seed;

	/* Implementation. */
	int (*next)(struct workload *w, int task, struct op *ret, struct error *err);
	int (*rewind)(struct workload *w, uint64_t seed, struct error *err);
	void (*release)(struct workload *w);
	void *impl;
};

/*
 * Opens "NAME[:key=value...]" (a generator) or a path of a .cpw file (has a '/' or ends in .cpw;
 * keys: pin=CPUS restricts the recorded command's tasks, or all when there is no command, to a list
 * such as 1 or 0-3,8, pin=off lifts their recorded affinities, seconds= stops at that time). One
 * workload serves one simulation: open again for another.
 */
int workload_open(const char *spec, struct workload **ret, struct error *err);
int workload_rewind(struct workload *w, uint64_t seed, struct error *err);
struct workload *workload_free(struct workload *w);

/* Generators, ends with a NULL name. */
struct generator {
	const char *name;
	const char *summary;
	int (*open)(const struct spec *spec, struct workload *w, struct error *err);
};
extern const struct generator generators[];
