/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a simulation consists of: tasks, cores, packages, CPUs, frequency policies, devices. */
#pragma once

#include "base/rng.h"
#include "policy/idle/idle.h"
#include "sim/hwp.h"
#include "sim/pelt.h"
#include "sim/queue.h"
#include "sim/sim.h"

enum node_kind {
	NODE_DONE,     /* what the CPU does is done */
	NODE_CLOCK,    /* the CPU's clock event device: tick or next timer */
	NODE_IPI,      /* a wake-up reaches the CPU */
	NODE_TASK,     /* an outside event or a device wakes a task */
	NODE_WORK,     /* a frequency policy's worker is due */
	NODE_CHANGE,   /* a setting is changed while the system runs */
	NODE_FREQ,     /* a requested frequency takes effect */
	NODE_BUDGET,   /* a package's power limit is looked at */
	NODE_HWP,      /* the hardware looks at a core's activity */
	NODE_STALL,    /* the firmware lets the CPUs go on */
	NODE_DOORBELL, /* of the firmware was rung by a CPU */
	NODE_ANSWER,   /* the firmware has set a CPU's frequency */
	NODE_TIMER,    /* in a CPU's timer heap: a task's own timer */
	NODE_SIGNAL,   /* a delayed signal: of a device, or in a CPU's timer heap */
};

enum activity {
	ACT_OFF,
	ACT_IDLE_ENTER, /* idle loop: selection, tick stop */
	ACT_IDLE,	/* in idle state cpu->state */
	ACT_IDLE_WAKE,	/* the hardware comes back */
	ACT_IDLE_EXIT,	/* idle loop: tick restart, way to the scheduler */
	ACT_SWITCH,	/* context switch to curr */
	ACT_RUN,	/* curr's program */
	ACT_IRQ,
};

enum task_state { TASK_NEW, TASK_QUEUED, TASK_RUNNING, TASK_SLEEPS, TASK_DONE };

enum { LOCK_PCC, LOCKS }; /* as drivers number them */

struct sim_cpu;
struct sim_freq;

/* A device's interrupt that waits for its CPU: wakes the task, or gives the signal. */
struct irq_item {
	struct irq_item *next;
	struct sim_task *task;
	struct delayed_signal *signal;
};

/* A task's utilisation as the scheduler tracks it, see util.c. */
struct util {
	struct pelt pelt;
	uint32_t est, ewma; /* util_est: of the last activation, and its moving average */
	bool unchanged;	    /* pelt has not changed since the estimate was taken */
	bool attached;	    /* part of its CPU's sum */
};

/* A CPU's. Clocks in ns: real, scaled, the scaled time that was no idle time. */
struct cpu_util {
	struct pelt fair, rt;
	uint32_t weight, nr_fair, nr_rt;		       /* of those on the run queue */
	uint32_t est;					       /* sum of their estimates */
	uint32_t removed_load, removed_runnable, removed_util; /* of tasks that have gone */
	bool removed;
	bool idle; /* the idle task runs */
	uint64_t clock_ns, pelt_ns, lost_ns;
	uint64_t idle_clock_ns, idle_pelt_ns; /* at the last look in idle */
	uint32_t freq_scale;		      /* of 1024, by the last tick */
	uint64_t aperf, mperf;		      /* then */
};

struct sim_task {
	int id;
	const struct workload_task *def;
	enum task_state state;
	struct sim_cpu *cpu; /* where it runs, is queued, or ran last */
	struct cpu_set_bits allowed;
	uint64_t vruntime, weight;
	int64_t left_ns;      /* of the current run: does not scale */
	uint64_t left_cycles; /* of the current run: scales */
	int64_t owed_ns;      /* added to the next run; negative: already in the recording */
	bool switch_due;      /* the next switch-in costs a context switch */
	bool iowait;
	bool migrated;
	bool in_kernel;	  /* the current run is system time */
	bool new_process; /* what it wakes up to is: placed as on fork and exec */
	bool no_preempt;  /* in a driver's call: nothing else runs before it is over */
	bool ends_wait;	  /* a wake-up that is not measured yet */
	bool has_next;	  /* its next op has been read ahead */
	struct op next_op;
	bool gives_way;		      /* as recorded: to who else is queued */
	struct sim_cpu *move_to;      /* as recorded; NULL: stays */
	int64_t wake_ns;	      /* when it was woken */
	int64_t last_ran_ns;	      /* when it last left a CPU */
	uint64_t slice_ns;	      /* run since the switch-in */
	uint32_t wait_channel, taken; /* tokens, since the last OP_ALL signal */
	enum op_kind wait_kind;
	bool shares_turn;	      /* of the channel it waits for */
	uint64_t skip_ops;	      /* left out when it goes on */
	struct sim_task *next_waiter; /* of the same channel */
	struct irq_item irq;
	struct util util;
	struct sim_cpu *util_cpu;   /* whose utilisation it is part of */
	struct sim_freq *works_for; /* a frequency policy's worker: no program */
	bool keeps_house;	    /* a CPU's own timers, without a program either */
	struct rng rng;		    /* of its sleeps */
	int64_t until_ns;    /* a worker in a driver's call: when that returns, stalls and all */
	struct node node;    /* own timer, outside event or device */
	int64_t op_start_ns; /* OP_LATENCY */
	int device;
	struct sim_cpu *irq_cpu;       /* takes the interrupt that ends the wait */
	struct sim_task *next_request; /* waits for a server of the device, or is served too */
	uint64_t service_ns;	       /* left, at the device's full speed */
	bool stalls;		       /* OP_STALLS */
	int64_t due_ns;		       /* then, in CPU time */
};

struct channel {
	uint32_t tokens;
	bool in_turn;		       /* a task has the turn, see turn.c */
	struct sim_task *first, *last; /* waiters */
};

struct delayed_signal {
	struct node node;
	struct irq_item irq;
	struct sim_cpu *cpu;
	uint32_t channel;
	struct delayed_signal *next_free, *all_next;
};

/* A core under hardware P-states, see hwp.c. */
struct core_hwp {
	struct node window;
	int64_t window_start_ns, window_ns;
	int64_t active_since_ns; /* -1: halted */
	int64_t active_ns;	 /* in this window, before active_since_ns */
	uint32_t util;		 /* running average of the busy share, of 65536 */
	uint32_t wanted;	 /* its own choice before the request's limits, 1/65536 units */
	uint32_t min, max, desired, epp;    /* of the requests that count */
	bool mixed;			    /* requests of the threads differ */
	int64_t halted_ns, locked_until_ns; /* quirk */
	int halt_state;
	uint32_t halt_wanted;
};

/* What a core takes with its threads in these states; valid: it was worked out. */
struct power_memo {
	uint64_t uw;
	uint32_t khz;
	int8_t threads[2];
	bool valid;
};

struct sim_core {
	int id, package;
	int nr_threads;
	struct sim_cpu *threads[4];
	uint32_t request_khz; /* what the governor asked for */
	uint32_t next_khz;    /* what takes effect at node's time */
	struct node node;
	struct core_hwp hwp;
	uint32_t khz; /* granted; 0 before the start */
	uint64_t uw;
	struct power_memo power[16]; /* of what its threads did of late */
	uint32_t poll_khz;	     /* of poll_uw: what it takes with one thread that polls */
	uint64_t poll_uw;
	uint32_t heat_permille; /* of what ran there last, where that was not ordinary; else 0 */
	int64_t run_since_ns, run_ns[2]; /* one thread ran, several; since the budget's last look */
	bool awake;			 /* runs or is in a state that keeps the uncore up */
	bool votes;			 /* counts for turbo and for the package's frequency */
	int nr_run;			 /* threads that execute instructions */
};

/* Energy counters of a package. */
enum meter { METER_PACKAGE, METER_CORES, METER_DEVICES, METERS };

/* A package's power limit, see budget.c. */
struct budget {
	struct sim *sim;
	bool possible; /* the package can take more than PL1 */
	struct node node;
	int64_t since_ns; /* last look */
	uint64_t since_uj, since_cores_uj;
	int64_t awake_since_ns, awake_ns; /* a core was awake, since the last look */
	double average_uw;		  /* running, over PL1's time constant */
	double allowed_uw;		  /* until the next look */
	uint32_t khz;			  /* ceiling of the cores, 0: none */
	int64_t limited_since_ns, limited_ns;
};

/* The checker's own books of a package. */
struct check_power {
	int64_t since_ns;
	double uw, uj, average_uw, short_uw;
};

struct sim_package {
	int id;
	struct sim_core **cores;
	int nr_cores;
	uint64_t hwp_request; /* the package's register */
	int64_t grid_ns;      /* of the grid of frequency changes: where in it time 0 lies */
	int nr_awake;	      /* its cores and devices that keep the uncore up */
	int nr_cores_voting;
	uint32_t khz;	    /* package domain: granted to all */
	uint32_t cap_khz;   /* turbo ceiling at the last grant */
	bool same_requests; /* all cores ask for the same: no vote to count */
	uint64_t cores_uw, uncore_uw, devices_uw;
	int64_t since_ns;
	uint64_t cores_uj, uncore_uj, devices_uj; /* and what is below one uJ: */
	uint64_t cores_rest, uncore_rest, devices_rest;
	int64_t latch_ns;
	uint64_t latched[METERS]; /* what the energy counters show, uJ */
	double lump_uj;		  /* of cores_uj, see package_lump */
	struct budget budget;
	struct check_power check;
};

/* Registers that hold what was written, and counters; see hw_msr.c. */
struct cpu_registers {
	uint64_t perf_ctl, misc_enable, energy_bias;
	uint64_t amd_perf_ctl, hwcr;
	uint32_t pss_port;
	unsigned __int128 aperf; /* 1e-6 cycles up to c0_ns */
	uint64_t c0_ns;
};

struct sim_cpu {
	/* What cpu_set and cpu_close need lies together. */
	int id;
	enum activity act, paused; /* paused: what the interrupt interrupted */
	int state;		   /* >= 0 in ACT_IDLE */
	uint32_t khz;		   /* speed of ACT_RUN: work per time */
	uint32_t power_permille;   /* of what it runs, 0: ordinary */
	struct sim *sim;
	struct sim_core *core;
	struct sim_task *curr;		 /* is not in the run queue */
	int64_t since_ns;		 /* start of the open segment */
	int64_t left_ns, paused_left_ns; /* of a timed activity other than ACT_RUN */
	int64_t settle_from_ns;		 /* out of the running activities since */
	int64_t stall_mark;		 /* stall_ns at since_ns */
	bool done_outside;		 /* done is in real time, see stall.c */
	bool online, need_resched;
	uint32_t nr_iowait;
	uint64_t busy_ns, user_ns, system_ns, irq_ns, idle_loop_ns, off_ns;
	uint64_t idle_ns, iowait_ns; /* as governors see it: idle loop and states, by nr_iowait */
	uint64_t nice_ns;	     /* of user_ns: tasks with a positive nice level */

	const struct machine_cpu *def;
	struct node done, ipi;

	/* run queue: sorted by class, then vruntime */
	struct sim_task **rq;
	int nr_rq, size_rq;
	uint64_t min_vruntime;
	int64_t step_ns; /* ops without time at step_ns: a program may not loop in them for ever */
	uint32_t steps;

	/* tick and timers */
	bool tick_stopped, got_tick;
	int64_t next_tick_ns;
	struct queue timers;
	int nr_domain_cpus;   /* online ones of its smallest scheduling domain */
	int64_t next_balance; /* tick of an idle CPU's next one */
	int balance_in;	      /* ticks to the next periodic balance */
	int balance_failed;   /* tries to hand a task over */

	/* interrupts that wait */
	bool irq_clock, irq_resched, irq_is_clock, irq_is_resched;
	struct irq_item *irq_first, *irq_last, *irq_item;

	/* idle */
	struct idle_unit idle;
	struct idle_choice choice;
	int64_t idle_start_ns, idle_stamp_ns, poll_end_ns, residency_ns;
	bool timed_out; /* the last poll */
	uint64_t avg_idle_ns;
	int64_t latency_limit_ns;
	int64_t host_poll_ns; /* a guest: how long its host polls now */

	/* utilisation and frequency */
	struct cpu_util util;
	uint64_t idle_calls;
	struct sim_freq *freq;
	int freq_index; /* in its list of CPUs */
	struct cpu_registers registers;
	uint32_t request_khz; /* of its P-state register; 0: never asked, as it was never online */
	void *boost_state;
	bool boost_hooked;		     /* its utilisation hook is installed */
	uint64_t hwp_request, hwp_interrupt; /* registers */
	uint64_t hwp_cached;	      /* what its driver wrote last: what a boost starts from */
	int64_t stolen_ns;	      /* driver work in hooks, owed by what runs next */
	struct node doorbell, answer; /* of the firmware's mailbox, see hw_pcc.c */
	int64_t stall_ns;
	uint32_t answer_khz;

	/* accounting */
	uint64_t state_ns[IDLE_STATES_MAX];
	struct result_idle idle_count[IDLE_STATES_MAX];
};

/* A frequency policy: CPUs that share one request, their governor and driver. See freq.c. */
struct sim_freq {
	struct sim *sim;
	int nr_cpus;
	struct sim_cpu **cpus;
	int *ids; /* of cpus */
	void *governor;
	struct driver_unit unit;
	struct driver_offer offer;
	struct freq_limits limits;
	uint32_t cur_khz;
	bool work_pending;
	struct node work;	 /* the irq work, or a delayed work */
	struct sim_cpu *irq_cpu; /* where it was queued */
	struct sim_task *worker; /* that it wakes */
	struct freq_snapshot snapshot;
	struct cpu_load *loads;
};

/* A lock that drivers spin on. Calls run one after the other: free_ns is all there is to know. */
struct sim_lock {
	int owner; /* CPU, -1: none */
	int64_t free_ns;
};

struct sim_pcc {
	uint8_t *memory;
	uint64_t doorbell; /* its register */
	bool busy;
	uint16_t answer; /* the status from answer_ns on */
	int64_t answer_ns;
	int intruder; /* a CPU that used what it does not own, -1: none */
	struct rng rng;
};

struct sim_device {
	const struct machine_device *def;
	int busy;
	struct sim_task *first, *last; /* queued requests */
	struct sim_task *served;
	uint32_t khz, max_khz; /* speed; 0: it has no clock of its own */
	uint64_t uw, uj, rest;
	int64_t since_ns;	/* of power and of what is served */
	int64_t busy_ns;	/* since the budget's last look */
	int64_t busy_since_ns;	/* while busy */
	struct pelt busy_share; /* of 1024, for policies */
	struct rng rng;
};

struct wake_histogram {
	uint64_t count, max_ns;
	uint64_t bucket[64 * 16]; /* 16 per power of two */
};

struct sim {
	const struct machine *m;
	struct workload *w;
	const struct policy *p;
	const struct sim_options *options;
	struct error *err;
	int64_t now_ns;
	struct queue queue;
	struct slots clocks; /* the CPUs' clock event devices */
	struct slots work;   /* what CPUs do, in CPU time, see stall.c */
	int64_t stalled_ns, stall_end_ns;
	struct node stall;
	bool stall_last; /* nothing else is due at its end */
	int nr_cpus;
	struct sim_cpu *cpus;
	struct sim_core *cores;
	struct sim_package *packages;
	struct sim_core **package_cores; /* of all packages, one block */
	int nr_tasks;
	struct sim_task *tasks;
	struct channel *channels;
	struct sim_device devices[DEVICES_MAX];
	struct delayed_signal *free_signals, *all_signals;
	int nr_signals, queue_room; /* delayed signals there are; room of the rest */
	int halt_state;		    /* the first that does not poll */
	int64_t halt_wake_ns;	    /* its */
	bool cpuidle;		    /* the kernel has a driver of idle states */
	uint64_t sched_scale;	    /* of the scheduler's times, by the number of CPUs */
	int nr_live;		    /* tasks not done that run or will be started */
	int nr_active; /* of them and of delayed signals: those that do not wait for a signal */
	int nr_queued; /* runnable, not running */
	struct cpu_set_bits idle_cpus, idle_cores, online, queued; /* queued: tasks wait there */
	uint32_t *nr_running;					   /* by CPU */
	int *llc;						   /* by CPU */
	uint32_t disable_mask;
	bool stopped; /* the workload is over */
	int status;   /* negative errno that stops the run */
	int64_t end_ns, checked_ns;
	int stranded;			       /* recorded tasks that wait for ever at the end */
	uint64_t task_user_ns, task_system_ns; /* of the workload's own tasks */
	uint64_t operations, latency_ns, latency_count;
	uint64_t recorded_khz; /* not 0: the machine has no frequency of its own */
	int64_t last_done_ns;
	struct wake_histogram wake;
	struct sim_warm *warm; /* what was counted when the warm-up ended; NULL: none, or not yet */
	struct result_counters counters;
	struct {
		uint32_t khz;
		uint64_t time_ns;
	} freqs[RESULT_FREQS_MAX];
	int nr_freqs;
	void *idle_states; /* of all governors, one block */
	struct sim_freq *policies;
	int nr_policies;
	struct sim_task *workers; /* by CPU */
	struct sim_task *keepers; /* by CPU; NULL: the workload wants none */
	struct hardware hw;
	struct sim_lock locks[LOCKS];
	struct sim_pcc pcc;
	const struct driver *driver;	      /* the policy's, or what auto stands for */
	const struct freq_governor *governor; /* the policy's, or what it fell back to */
	const char *driver_mode;	      /* that auto found; NULL: the driver's own choice */
	char driver_note[160];
	struct freq_limits user; /* limits as set now */
	int ppc;		 /* likewise _PPC; -1: there is none */
	struct node change;
	int next_change; /* of the policy */
	void *driver_shared;
	void *boost_states; /* by CPU */
	bool special_power; /* a task's code takes other than ordinary power */
	bool hwp_on;	    /* IA32_PM_ENABLE */
	bool boost_off;	    /* hwp_dynamic_boost is 0 */
	struct rng hwp_rng;
	bool invariant;	    /* utilisation is scaled by frequency */
	uint32_t max_ratio; /* highest to base frequency, of 1024 */
	bool has_blocked;   /* idle CPUs may have utilisation left */
	int64_t next_blocked_ns;
	bool hooks; /* a governor, boost or driver listens to utilisation */
	bool started;
};
