/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The builder's own structures.
 *
 *   build.c       life, window, markers       build_cpu.c   who runs where, interrupts, gaps
 *   build_task.c  tasks and their ops         build_wait.c  what ended a wait
 *   build_hold.c  ops that wait for a fact    build_timer.c timers, the tick, next timer of a CPU
 *   build_io.c    requests of block devices   build_idle.c  the idle log
 *   build_out.c   tables of the file          build_cpw.c   the way into a .cpw file
 *
 * Times are those of the recording's clock, made to never go back; ops have workload time, which
 * is 0 where the window begins.
 */
#pragma once

#include "base/units.h"
#include "trace/build.h"
#include "trace/build_map.h"
#include "trace/build_median.h"

enum {
	TIMERS_MAX = 1 << 16,	/* timers known at a time */
	REQUESTS_MAX = 1 << 13, /* block requests in flight */
	HELD_OPS_MAX = 1 << 12, /* ops of one task that wait for a fact */
	DEVICES_MAX = 64,	/* further ones count as the last */
	GRID_MIN = 3,		/* equal distances in a row that make a timer periodic */
	CHAIN_NS = 20000,	/* a soft interrupt this soon behind another belongs to it */
	RACE_NS = 500,		/* it went to sleep at least that long before it was woken */
	OVERDUE_NS = 100000000, /* no timer's interrupt is later */
	TICK_MIN = 4,		/* expiries at tick distance that make a timer the tick */
};

struct build_output;

/* Where ops go: a .cpw file, or the array of a test. 0 or negative errno with err set. */
struct op_sink {
	void *ctx;
	int (*op)(void *ctx, int task, const struct op *op, struct error *err);
	int (*idle)(void *ctx, const struct idle_record *rec, struct error *err);
	int (*restart)(void *ctx, struct error *err); /* forget all that came */
	int (*finish)(void *ctx, const struct build_output *out, struct error *err); /* frees ctx */
	void (*abort)(void *ctx);						     /* frees ctx */
};

struct build_output {
	const struct workload_task *tasks;
	int nr_tasks, nr_channels;
	const struct workload_env *env;
	const struct workload_truth *truth;
	const struct workload_metric *metrics;
	int nr_metrics;
	const char *op_name;
	bool anonymous;
};

/* On failure the sink is aborted. */
int builder_new_sink(const struct build_options *options, const struct op_sink *sink,
	struct builder **ret, struct error *err);

enum presence {
	TASK_IS_UNSEEN, /* known by name only */
	TASK_IS_NEW,	/* forked, not yet runnable */
	TASK_IS_RUNNING,
	TASK_IS_RUNNABLE, /* waits for a CPU */
	TASK_IS_ASLEEP,
	TASK_IS_OUT, /* not running; whether it sleeps was not recorded */
	TASK_IS_GONE,
};

/* Ops in order, from the first that waits for a fact; serials count all that ever came. */
struct held_ops {
	struct held_op {
		struct op op;
		bool pending;
	} * ring;
	uint32_t size, count; /* size: a power of two */
	uint64_t first;	      /* serial of the oldest */
};

struct task {
	int pid;
	int index; /* in the workload and of its channel; -1: no op yet */
	enum presence presence;
	bool kernel, user; /* known to be one or the other */
	bool command;
	bool forked;	    /* within the window */
	bool woken;	    /* runnable because it was woken, not because it was preempted */
	bool ended;	    /* within the window */
	bool gave_way;	    /* switched out though it wanted to run on */
	bool disk;	    /* sleeps uninterruptibly */
	bool sleeps_idle;   /* sleeps uninterruptibly, but not for load or I/O: an idle worker */
	int16_t cpu;	    /* where it runs, ran last, or is to run */
	int16_t iowait_cpu; /* where it counts as an I/O waiter, -1 nowhere */
	int16_t first_cpu, only_cpu; /* -1 not yet; only_cpu -2: more than one */
	int prio;
	char comm[16];
	uint64_t since_ns; /* when presence became what it is */
	uint64_t woken_ns; /* last waking */
	uint64_t start_ns; /* workload time */
	uint64_t cycles;   /* run since the last op */
	int16_t run_cpu;   /* where */
	uint32_t run_flags;
	uint64_t part;			/* millionths of a cycle */
	uint64_t out_cycles;		/* of run ops that are on their way, to be written as one */
	uint32_t out_target, out_flags; /* of the same */
	uint64_t total_cycles, run_ns;
	uint64_t waits, waits_outside;
	/* Woken since it was switched in, while it ran; its wait is held in two places. */
	bool raced, race_held;
	uint64_t race_before, race_after;
	struct held_ops held;
};

/* What an interrupt is doing, as far as it may wake somebody. */
struct cause {
	enum { CAUSE_OTHER, CAUSE_BLOCK, CAUSE_TIMER } kind;
	uint64_t time_ns; /* of expiry, or when the interrupt of the completion came */
	/* CAUSE_BLOCK */
	uint32_t device;
	bool issue_seen;
	bool from_idle; /* the interrupt found its CPU idle */
	uint64_t issue_ns;
	struct task *issuer;
	uint64_t hold; /* of the issuer */
	/* CAUSE_TIMER */
	struct task *starter;
	uint64_t start_ns;
	uint64_t late_ns; /* the interrupt's look at the clock minus the time it was set to */
	bool late_known, periodic;
};

struct idle_period {
	bool open;
	bool over;		/* but not handed on: the kernel's account of it comes behind */
	bool recorded;		/* by cpu_idle events */
	struct idle_record rec; /* entry_ns: of the recording's clock */
	uint64_t exit_ns;	/* end of the last interrupt in it, 0 none */
};

/* Timers that are set on a CPU, earliest first; entries of an older setting are skipped. */
struct timer_queue {
	struct timer_entry {
		uint64_t expires_ns;
		uint32_t timer, setting;
	} * heap;
	uint32_t count, size, live;
};

struct build_cpu {
	int id;
	enum { CPU_UNSEEN, CPU_LOST, CPU_IDLE, CPU_BUSY } state;
	struct task *current; /* when busy */
	uint64_t khz;
	uint64_t mark_ns; /* run time is accounted up to here */
	uint64_t last_ns; /* last event */
	uint64_t gap_ns;  /* end of the last gap, 0 none */
	int depth[2];	  /* nested soft and hard interrupts */
	uint64_t interrupt_exit_ns;
	bool tick_stopping;	   /* stopped since the last idle period, */
	uint64_t tick_stopping_ns; /* when it would have come then; 0 not known */
	uint64_t idle_since_ns;	   /* the idle task was switched in */
	/* The hard interrupt that started what goes on, soft interrupts behind it included. */
	uint64_t chain_ns;
	bool chain_from_idle;
	uint64_t chain_irq_ns; /* irq_ns at its start */
	uint64_t completions;  /* of requests, in it */
	struct cause cause[2]; /* of soft and hard interrupts */
	uint64_t busy_ns, irq_ns, idle_entries;
	uint16_t nr_iowait;
	bool idle_seen, tick_stop_seen; /* such events are recorded here */
	bool tick_stopped;
	bool idle_told; /* the kernel's own account of idle periods is recorded: */
	uint64_t idle_told_ns;
	struct event idle_view; /* EV_IDLE_SEEN of the period that begins; value of kind 0: none */
	struct idle_period idle;
	struct timer_queue timers;
	uint32_t tick; /* timer that is its tick, MAP_NONE not known */
};

struct builder {
	struct build_options options;
	struct op_sink sink;
	struct build_stats stats;
	int status; /* first failure; its text: */
	struct error error;

	uint64_t device_irq_ns,
		device_irqs; /* time in interrupts that completed so many requests */
	uint64_t now_ns, start_ns, end_ns;
	bool started, ended, marked;
	bool no_context; /* the recording does not tell interrupt context: take it from entries */
	struct task *last_ended; /* of the command, or of user space if that is not known */

	struct build_cpu *cpus[CPUS_MAX];
	int nr_cpus;
	uint64_t khz; /* of CPUs that have told none */
	bool khz_fixed, khz_events, khz_missing;
	unsigned __int128 khz_ns; /* sum of run time times frequency */
	uint64_t run_ns;
	struct median exit_to_switch, waking_to_switch;

	struct task **tasks;
	uint32_t nr_tasks, size_tasks;
	struct task **indexed; /* by index */
	int nr_indexed, size_indexed;
	struct map pids;

	struct timer *timers;
	uint32_t nr_timers, free_timer; /* used of the array; first of the free list */
	uint32_t sweep_after;		/* failures until it is worth looking for room again */
	uint32_t setting;		/* next number of a setting */
	struct map timer_map;
	uint64_t tick_ns;	 /* 0: not known */
	uint64_t clock_seen_ns;	 /* when the offset was last looked at */
	int64_t clock_offset_ns; /* recording's clock minus that of timers */
	bool clock_offset_known;

	struct request *requests;
	uint32_t free_request;
	struct map request_map;
	uint64_t devices[DEVICES_MAX];
	uint32_t nr_devices;
};

/* build.c */
void fail_with(struct builder *b, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
struct build_cpu *cpu_get(struct builder *b, int id);

static inline uint64_t workload_time(const struct builder *b, uint64_t ns)
{
	return ns > b->start_ns ? ns - b->start_ns : 0;
}

/* build_task.c */
struct task *task_get(struct builder *b, int pid);
struct task *task_new(struct builder *b, int pid);
void task_name(struct task *t, const char *comm, int prio);
int task_index(struct builder *b, struct task *t);
void task_run(struct builder *b, struct task *t, uint64_t ns, uint64_t khz);
void task_set(struct builder *b, struct task *t, enum presence presence, uint64_t ns);
void task_end(struct builder *b, struct task *t);
void task_release(struct task *t);
void emit(struct builder *b, struct task *t, const struct op *op);
void emit_run(struct builder *b, struct task *t);

/* build_hold.c */
void hold_emit(struct builder *b, struct task *t, const struct op *op);
/* Keeps a place in t's ops, after what it ran so far, for `unless` if nothing else is found. */
uint64_t hold_place(struct builder *b, struct task *t, const struct op *unless);
/* Puts op into the place, or with NULL what was said before. False: the place is gone. */
bool hold_resolve(struct builder *b, struct task *t, uint64_t place, const struct op *op);
void hold_forget(struct task *t);
void hold_finish(struct builder *b, struct task *t);

/* build_cpu.c */
void cpu_account(struct builder *b, struct build_cpu *c, uint64_t ns);
void cpu_see(struct builder *b, struct build_cpu *c, const struct event *ev);
void cpu_switch(struct builder *b, struct build_cpu *c, const struct event *ev);
void cpu_interrupt_entry(struct builder *b, struct build_cpu *c, const struct event *ev);
void cpu_chain_over(struct builder *b, struct build_cpu *c);
void cpu_interrupt_exit(struct builder *b, struct build_cpu *c, const struct event *ev);
void cpu_lost(struct builder *b, struct build_cpu *c);
void cpu_frequency(struct builder *b, struct build_cpu *c, uint64_t khz);

static inline bool in_interrupt(const struct build_cpu *c)
{
	return c->depth[0] || c->depth[1];
}

/* build_wait.c */
void wait_waking(struct builder *b, struct build_cpu *c, const struct event *ev);
/* A task is switched in: a wait that nothing ended, or that a gap hides, ends here. */
void wait_switched_in(struct builder *b, struct task *t, uint64_t ns);
void cause_clear(struct builder *b, struct cause *cause);
/* Whether a task that was woken while it ran went to sleep all the same is known now. */
void race_over(struct builder *b, struct task *t, bool slept);

static inline struct cause *cause_of(struct build_cpu *c, const struct event *ev)
{
	return &c->cause[!!(ev->context & CTX_HARDIRQ)];
}

/* build_timer.c */
struct timer {
	uint64_t object;
	struct task *starter; /* NULL: nobody, or before the recording */
	uint64_t start_ns;
	uint64_t expires; /* high-resolution: of its own clock; 0 not known */
	uint64_t last_expires, distance;
	uint32_t setting; /* its number, changes when set or cancelled; free: next of the list */
	int16_t cpu;
	bool used, armed, hr, absolute;
	uint8_t equal;	   /* equal distances in a row */
	uint8_t tick_like; /* expiries at tick distance */
};
void timer_start(struct builder *b, struct build_cpu *c, const struct event *ev);
void timer_cancel(struct builder *b, const struct event *ev);
void timer_expire(struct builder *b, struct build_cpu *c, const struct event *ev);
/* Distances from now_ns, INT64_MIN where not known. */
int64_t timer_next(struct builder *b, struct build_cpu *c, uint64_t since_ns);
uint64_t timer_tick_ns(const struct builder *b, const struct build_cpu *c); /* 0: not known */
int64_t timer_next_tick(const struct builder *b, const struct build_cpu *c, uint64_t since_ns);

/* build_io.c */
void io_issue(struct builder *b, struct build_cpu *c, const struct event *ev);
void io_complete(struct builder *b, struct build_cpu *c, const struct event *ev);

/* build_idle.c */
void build_idle_enter(struct builder *b, struct build_cpu *c); /* the idle task is switched in */
void build_idle_tick_stop(struct builder *b, struct build_cpu *c, bool success);
void build_idle_leave(struct builder *b, struct build_cpu *c, uint64_t ns);
void build_idle_event(struct builder *b, struct build_cpu *c, const struct event *ev);
void build_idle_done(struct builder *b, struct build_cpu *c, const struct event *ev);
void build_idle_interrupt(struct builder *b, struct build_cpu *c, const struct event *ev);
void build_idle_interrupt_end(struct build_cpu *c, uint64_t ns);
void build_idle_timer(struct build_cpu *c, bool tick);
void build_idle_finish(struct builder *b, struct build_cpu *c); /* nothing more comes */
bool build_idle_polls(const struct build_cpu *c); /* in the polling state, as far as known */

/* build_out.c */
int build_output(struct builder *b, const struct trace_info *info, struct workload_truth *ret_truth,
	struct error *err);
