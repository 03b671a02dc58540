/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One event stream, whatever the recording was made with (trace.dat, ftrace text, perf.data,
 * BPF). Events come merged over CPUs in time order; equal times in CPU order. Fields that the
 * builder does not need are left out.
 */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum event_kind {
	EV_SWITCH, /* sched_switch: pid=prev, pid2=next, value=enum task_state, prio=next_prio */
	EV_WAKING, /* sched_waking: pid2=wakee, prio, target_cpu */
	EV_WAKEUP_NEW, /* sched_wakeup_new: pid2 */
	EV_FORK,       /* sched_process_fork: pid2=child */
	EV_EXEC,       /* sched_process_exec: pid2=pid, comm=new name */
	EV_EXIT,       /* sched_process_exit: pid2 */
	EV_MIGRATE,    /* sched_migrate_task: pid2, target_cpu=dest */
	EV_IRQ_ENTRY,  /* irq_handler_entry: value=irq */
	EV_IRQ_EXIT,
	EV_SOFTIRQ_ENTRY, /* value=vec */
	EV_SOFTIRQ_EXIT,
	EV_VECTOR_ENTRY, /* irq_vectors:*_entry: value=enum event_vector */
	EV_VECTOR_EXIT,
	EV_HRTIMER_START,  /* object, ns=expires, value=mode */
	EV_HRTIMER_CANCEL, /* object */
	EV_HRTIMER_EXPIRE, /* object; ns=now */
	/* object, ns=from the last tick to the one that runs it, 0: hz is not known; target_cpu, -1
	 * not known; value=1: deferrable, wakes no idle CPU */
	EV_TIMER_START,
	EV_TIMER_CANCEL,
	EV_TIMER_EXPIRE,
	EV_BLOCK_ISSUE,	   /* value=dev, object=sector, ns=bytes */
	EV_BLOCK_COMPLETE, /* value=dev, object=sector */
	EV_CPU_IDLE,	   /* value=state, UINT32_MAX on exit */
	/* The kernel's own account of idle periods up to now: value=ns in all of them, prio=1: the
	 * tick ended the last, pid2=1: a poll reached its limit. */
	EV_IDLE_DONE,
	/* What the idle governor saw of the next period: value=ns to the next timer from object,
	 * ns=next clock event with the tick, pid2=I/O waiters, prio=1: the tick is stopped
	 * now. Comes before EV_CPU_IDLE. */
	EV_IDLE_SEEN,
	EV_CPU_FREQUENCY, /* value=khz, target_cpu */
	EV_TICK_STOP,	  /* value=success */
	EV_LOST,	  /* value=events lost on this CPU before this point; 0: some */
	EV_CPU_ONLINE,	  /* cpuhp_enter: target_cpu begins to go, value=1 up 0 down */
	EV_MARKER, /* trace_marker: comm=the first 15 characters, value=the number after a '=' */
	EV_KINDS,
};

enum event_vector {
	VEC_OTHER,
	VEC_LOCAL_TIMER,
	VEC_RESCHEDULE,
	VEC_CALL_FUNCTION,
	VEC_CALL_FUNCTION_SINGLE,
	VEC_IRQ_WORK
};

/* prev_state of a switch. Who is 0 or has PREEMPTED set still wants to run. */
enum task_state {
	TASK_RUNNABLE = 0,
	TASK_SLEEPS = 1,
	TASK_SLEEPS_DISK = 2,
	TASK_STOPPED = 4,
	TASK_TRACED = 8,
	TASK_DEAD = 0x10,
	TASK_ZOMBIE = 0x20,
	TASK_PARKED = 0x40,
	TASK_SLEEPS_IDLE = 0x80,
	TASK_PREEMPTED = 0x100,
};

/* Context in which the event was raised, from common_flags (after TRACE_FLAG_*). */
enum event_context { CTX_HARDIRQ = 1, CTX_SOFTIRQ = 2, CTX_NMI = 4 };

/* Whether who sleeps waits for I/O, by the kernel's own account. Few formats tell. */
enum event_iowait { IOWAIT_NOT_TOLD, IOWAIT_NO, IOWAIT_YES };

struct event {
	enum event_kind kind;
	uint64_t time_ns; /* of the recording's clock */
	int cpu;
	int pid;	  /* common_pid: the task that was current */
	uint32_t context; /* enum event_context bits */
	int pid2;
	int prio;
	int target_cpu;
	uint64_t value;
	uint64_t object;
	uint64_t ns;
	enum event_iowait iowait; /* SWITCH: of prev */
	const char *text;	  /* MARKER: the whole text, good until the next call */
	char comm[16];		  /* SWITCH: next's name; WAKING, FORK: pid2's name */
};

/* What a reader knows of the recording as a whole; zero or "" where it does not. */
struct trace_info {
	char format[24]; /* "trace.dat v7", "ftrace text", ... */
	char clock[16];
	int nr_cpus;
	int hz;
	uint64_t tsc_khz;
	char uname[128];
	uint64_t lost_events;  /* known so far */
	uint64_t lost_regions; /* places where an unknown number was lost */
	uint64_t skipped;      /* events of other kinds */
	uint64_t damaged;      /* lines or records that made no sense */
	uint64_t clock_jumps;  /* times that went back on one CPU: held at the last */
	int other_instances;   /* further trace buffers in the file, not read */
	char instance[64];     /* the buffer that is read; "" the top one */
	uint64_t first_ns, last_ns;
};

struct trace_reader;

/* Opens by content, not by name. */
int trace_open(const char *path, struct trace_reader **ret, struct error *err);
/* 1: an event, 0: the end, negative errno with a text that names the offset. */
int trace_next(struct trace_reader *r, struct event *ret, struct error *err);
const struct trace_info *trace_info(const struct trace_reader *r);
/* 0..1000: how much of the input has been read, for progress. */
int trace_progress(const struct trace_reader *r);
struct trace_reader *trace_close(struct trace_reader *r);
