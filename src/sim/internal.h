/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The simulator's own functions, by file; its structures are in state.h. What a CPU does changes in
 * one place only, cpu_set (cpu.c): it closes the running segment and accounts work done, energy,
 * residency and busy time.
 *
 *   run.c    set-up, main loop, end          sched.c  run queues, balance; place.c placement
 *   cpu.c    the choke point, power, speed   idle.c   the idle loop and the tick's stop
 *   freq.c   frequency policies, governors  driver.c their drivers
 *   hw.c     hardware behind registers: hw_msr.c P-states and counters, hwp.c HWP
 *   irq.c    interrupts, clock events, IPIs  task.c   programs: ops, devices, timers
 *   hw_pcc.c firmware's mailbox              stall.c  the firmware stops all CPUs
 *   log.c    the event log                   signal.c channels: waits and signals
 *   tally.c  what a run gives back           check.c  invariants, from outside
 */
#pragma once

#include "sim/state.h"

/* stall.c */
void stall_begin(struct sim *s, int64_t ns);
void stall_over(struct sim *s); /* NODE_STALL */
bool stall_postpones(struct sim *s, struct node *n, int clock);

/* How long CPUs have stood still until now. */
static inline int64_t stall_ns(const struct sim *s)
{
	return s->stalled_ns - max_i64(s->stall_end_ns - s->now_ns, 0);
}

/* It stands still in a stall. */
static inline int64_t cpu_time_ns(const struct sim *s)
{
	return s->stalled_ns ? s->now_ns - stall_ns(s) : s->now_ns;
}

static inline void done_cancel(struct sim_cpu *c)
{
	if (!c->done_outside) {
		slots_clear(&c->sim->work, c->id);
		return;
	}
	queue_remove(&c->sim->queue, &c->done);
	c->done_outside = false;
}

/* NODE_DONE after ns of CPU time. */
static inline void done_in(struct sim_cpu *c, int64_t ns)
{
	struct sim *s = c->sim;

	if (c->done_outside)
		done_cancel(c);
	slots_set(&s->work, c->id, (struct queue_key){ cpu_time_ns(s) + ns, ++s->queue.seq });
}

/* NODE_DONE at that time, whatever the CPU gets done. */
static inline void done_at(struct sim_cpu *c, int64_t at_ns)
{
	done_cancel(c);
	c->done_outside = true;
	queue_set(&c->sim->queue, &c->done, at_ns);
}

static inline bool bit_get(const struct cpu_set_bits *s, int i)
{
	return s->word[i / 64] >> (i % 64) & 1;
}

static inline void bit_set(struct cpu_set_bits *s, int i, bool on)
{
	uint64_t m = 1ULL << (i % 64);

	s->word[i / 64] = on ? s->word[i / 64] | m : s->word[i / 64] & ~m;
}

/* cpu.c */
void cpu_set(struct sim_cpu *c, enum activity act, int state);
void cpu_start(struct sim_cpu *c, enum activity act, int64_t ns); /* timed: NODE_DONE after ns */
void cpu_close(struct sim_cpu *c);	/* account up to now, change nothing */
void cpu_resume_run(struct sim_cpu *c); /* ACT_RUN until curr's current run is done */
void core_request(struct sim_core *core, uint32_t khz);
void package_start(struct sim *s, struct sim_package *p);

void core_run_close(struct sim_core *core); /* account how long it ran, for the budget */
void package_limit(struct sim *s, struct sim_package *p, uint32_t khz); /* 0: no ceiling */

/* power.c */
void add_energy(uint64_t *uj, uint64_t *rest, uint64_t uw, int64_t ns);
void package_close(struct sim *s, struct sim_package *p); /* account up to now */
bool uncore_up(const struct sim *s, const struct sim_package *p);
void package_power(struct sim *s, struct sim_package *p);
void package_awake(
	struct sim *s, struct sim_package *p, bool awake); /* its uncore's power may be another */
uint32_t core_permille(const struct sim_core *core);
void core_power_update(struct sim *s, struct sim_core *core);
uint64_t package_uw(const struct sim_package *p);
/* Energy of the cores that is booked in one piece, beside their power. */
void package_lump(struct sim_package *p, uint64_t uw, int64_t ns);

/* budget.c */
void budget_init(struct sim *s);
void budget_watch(struct sim *s, struct sim_package *p); /* the package's power is another */
void budget_look(struct sim_package *p);		 /* NODE_BUDGET */
bool budget_limits(const struct sim *s, int package);

/* device.c */
void device_init(struct sim *s);
void device_close(struct sim *s, struct sim_device *d);
void device_clock(struct sim *s, struct sim_device *d, uint32_t khz);
bool device_request(struct sim_cpu *c, const struct op *op); /* false: the task sleeps */
void device_done(struct sim *s, struct sim_task *t);
uint64_t device_uw(const struct machine_device *def, bool busy, uint32_t khz);
uint32_t devices_busy_permille(struct sim *s, int package); /* of the busiest */

/* freq.c */
int freq_init(struct sim *s);
int freq_start(struct sim *s);
void freq_release(struct sim *s);
/* New limits in force: within what the driver offers. */
void freq_set_limits(struct sim_freq *f, const struct freq_limits *limits);
void freq_hook(struct sim_cpu *c, struct sim_cpu *here, unsigned flags);
void freq_work_due(struct sim_freq *f);
bool freq_worker(struct sim_cpu *c); /* curr is a worker; false: it sleeps */

/* driver.c */
int driver_load(struct sim *s);
void driver_select(struct sim *s); /* select.c */
void driver_change_due(struct sim *s);
int driver_start(struct sim_freq *f); /* offer.range.max_khz 0: there is nothing to ask */
int driver_apply(struct sim_freq *f); /* own policies: takes over within limits, again */
int64_t driver_hook(struct sim_freq *f, const struct util_event *event); /* what it cost, ns */
void driver_target(struct sim_freq *f, int64_t *cursor, uint32_t khz, enum freq_relation relation);

/* boost.c */
int boost_init(struct sim *s);
void boost_hook_set(struct sim_freq *f, enum driver_policy policy); /* a policy was applied */
bool boost_hooked(const struct sim *s);				    /* on any CPU */
int boost_switch(struct sim *s, bool on); /* hwp_dynamic_boost is written */

/* util.c */
void util_init(struct sim *s);
void util_put(struct sim_cpu *c);			 /* curr goes back into the queue */
void util_switch(struct sim_cpu *c, struct sim_task *t); /* t becomes curr */
void util_idle(struct sim_cpu *c);			 /* nothing does */
void util_enqueue(struct sim_cpu *c, struct sim_task *t, struct sim_cpu *here, unsigned flags);
void util_dequeue(struct sim_cpu *c, struct sim_task *t, bool sleeps);
void util_tick(struct sim_cpu *c);
uint32_t util_cpu(const struct sim_cpu *c);

/* sched.c */
/* Wakes t from waker's CPU. True: an interrupt had to be sent to another CPU. */
bool sched_wake(struct sim_task *t, struct sim_cpu *waker, bool sync);
struct sim_cpu *sched_place(struct sim_task *t, struct sim_cpu *waker, bool sync); /* place.c */
void sched_tick(struct sim_cpu *c);
void sched_charge(struct sim_cpu *c, uint64_t ns);
void schedule(struct sim_cpu *c); /* curr may go on, give way or have gone to sleep */
void sched_weigh(struct sim_task *t);
void sched_init(struct sim *s);

/* idle.c */
void idle_warm_up(struct sim_cpu *c);
void idle_enter(struct sim_cpu *c);
void idle_done(struct sim_cpu *c); /* NODE_DONE in an idle activity */
void idle_after_irq(struct sim_cpu *c);
void idle_wake(struct sim_cpu *c);    /* something ends the idle state */
void idle_disturb(struct sim_cpu *c); /* without any reason for the kernel */
void idle_poll_on(struct sim_cpu *c);
bool idle_host_left(const struct sim_cpu *c);
void tick_restart(struct sim_cpu *c);

/* irq.c */
void clock_program(struct sim_cpu *c);
void irq_clock(struct sim_cpu *c);
void irq_device(struct sim_cpu *c, struct irq_item *item);
void irq_resched(struct sim_cpu *c);
void irq_done(struct sim_cpu *c);
void irq_next(struct sim_cpu *c); /* starts the next pending interrupt, if any */
bool irq_pending(const struct sim_cpu *c);

/* task.c */
/* Runs curr's program. True: it takes time now; false: it sleeps, ended, or has to give way. */
bool task_step(struct sim_cpu *c);
void task_event(struct sim_task *t);			 /* NODE_TASK */
void task_irq(struct sim_cpu *c, struct irq_item *item); /* its interrupt is handled */
int keepers_start(struct sim *s);

/* signal.c */
void channel_wait(struct sim *s, uint32_t channel, struct sim_task *t); /* t waits on it */
/* A token, or who waits longest is woken from c. True: by an interrupt to another CPU. */
bool signal_channel(struct sim *s, uint32_t channel, struct sim_cpu *c, bool sync);
void signal_send(struct sim_cpu *c, const struct op *op); /* curr does, now */
struct delayed_signal *signal_new(struct sim *s);	  /* NULL: s->status says why */
void signal_event(struct delayed_signal *d);		  /* NODE_SIGNAL of a device */
void signal_due(struct sim_cpu *c, struct delayed_signal *d);

/* turn.c */
bool turn_begin(struct sim_cpu *c, const struct op *op); /* false: the task sleeps */
int turn_end(struct sim_cpu *c, uint32_t channel);	 /* interrupts sent */

/* log.c */
void log_cpu(struct sim_cpu *c); /* there is a timeline */
void log_khz(struct sim *s, const struct sim_core *core);
void log_power(struct sim *s, const struct sim_package *p);
void log_end(struct sim *s);

/* recorded.c */
int recorded_cpu(struct sim *s, struct sim_task *t); /* of what it runs next; -1 not known */
void recorded_go_on(struct sim_cpu *c, const struct op *op); /* curr begins a run */

/* tally.c */
void wake_count(struct wake_histogram *h, uint64_t ns);
int tally(struct sim *s, struct run_result *ret);
/* Of r: operations, CPUs, energy and counters so far; closes all that is open. */
int tally_counts(struct sim *s, struct run_result *r);

/* warm.c. warm_take_off: which share of the work simulated is left. */
int warm_end(struct sim *s);
double warm_take_off(struct sim *s, struct run_result *r);
void warm_release(struct sim *s);

/* check_power.c */
const char *check_power_step(struct sim *s, struct sim_package *p); /* what is wrong, or NULL */
int check_power_end(struct sim *s, struct error *err);

/* check.c */
void check_step(struct sim *s);
int check_end(struct sim *s, const struct run_result *r, struct error *err);
