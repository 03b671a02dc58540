// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Utilisation as the kernel's schedutil sees it: per task and per CPU (pelt.c), in time scaled by
 * the CPU's frequency, with the estimate that the scheduler keeps over sleeps (util_est). The hook
 * of the frequency governors is called where the kernel calls it: a wake-up from I/O wait before it
 * is counted; when a task comes to a CPU or leaves it while it waits to run; and whenever an update
 * ends a period: at enqueue, dequeue, switch and tick, also the tick of an idle CPU (the kernel's
 * balancing does that).
 *
 * A task that wakes on another CPU takes its averages along; the old CPU gives them up at its next
 * update only. A new task begins with half of what its CPU has left. Real-time tasks have an
 * average of their own, and while one is runnable the CPU counts as fully used.
 *
 * Left out: interrupts as a class of their own (their time is that of whom they interrupted), and
 * groups. The balancing of idle CPUs' averages every 32 ms is done by the CPU whose tick finds it
 * due, not by an idle one that it wakes for that.
 *
 * Source: fair.c, pelt.h and x86's aperfmperf.c of Linux 6.1.
 */
#include "sim/hw.h"
#include "sim/internal.h"

#include <stdlib.h>

enum {
	EWMA_SHIFT = 2,	 /* util_est: weight 1/4 for the newest sample */
	EST_MARGIN = 10, /* changes below 1 % of 1024 are not taken */
	CAPACITY = 1024,
	TURBO_CORES = 4, /* x86 takes the turbo frequency of so many for the highest */
	BLOCKED_NS = 32 * NSEC_PER_MSEC,
};

/* ---- time ------------------------------------------------------------------------------ */

/* A run queue's clock: real while it idles, else scaled; 0 is before all that it was asked for. */
static uint64_t clock_of(struct sim_cpu *c)
{
	struct cpu_util *u = &c->util;
	uint64_t now = (uint64_t)c->sim->now_ns, ns = now - u->clock_ns;

	u->clock_ns = now;
	if (u->idle) {
		u->pelt_ns = now;
		u->idle_clock_ns = now;
		u->idle_pelt_ns = now - u->lost_ns;
	} else {
		u->pelt_ns += ns * u->freq_scale >> 10;
	}
	return u->pelt_ns - u->lost_ns;
}

/* A CPU that was busy all the time has not gained idle time by running slowly. */
void util_idle(struct sim_cpu *c)
{
	const uint32_t full = ((PELT_SUM_MAX - PELT_PERIOD) << 10) - PELT_SUM_MAX;
	struct cpu_util *u = &c->util;

	if (!c->sim->hooks)
		return;
	clock_of(c);
	if (u->fair.util_sum + u->rt.util_sum >= full)
		u->lost_ns += u->clock_ns - u->pelt_ns;
	u->idle = true;
	clock_of(c);
	c->sim->has_blocked = true;
}

/* What the highest frequency is to the base frequency, of 1024. */
static uint32_t max_ratio(const struct machine *m)
{
	uint32_t khz = m->max_khz;
	uint64_t ratio;

	if (m->nr_turbo)
		khz = m->turbo_khz[m->nr_turbo < TURBO_CORES ? m->nr_turbo - 1 : TURBO_CORES - 1];
	ratio = m->base_khz ? (uint64_t)khz * CAPACITY / m->base_khz : CAPACITY;
	if (m->platform.vendor == VENDOR_AMD)
		ratio = (ratio + CAPACITY) / 2;
	return (uint32_t)ratio;
}

/* At the tick the kernel compares what the CPU did since the last one with the most it can. */
static void scale_tick(struct sim_cpu *c)
{
	struct sim *s = c->sim;
	struct cpu_util *u = &c->util;
	uint64_t aperf, mperf, scale;

	if (!s->invariant || msr_read(s, s->now_ns, c->id, MSR_IA32_APERF, &aperf) ||
		msr_read(s, s->now_ns, c->id, MSR_IA32_MPERF, &mperf))
		return;
	if (mperf != u->mperf) {
		scale = ((aperf - u->aperf) << 20) / ((mperf - u->mperf) * s->max_ratio);
		if (scale)
			u->freq_scale = scale < CAPACITY ? (uint32_t)scale : CAPACITY;
	}
	u->aperf = aperf;
	u->mperf = mperf;
}

/* ---- updates --------------------------------------------------------------------------- */

static bool is_fair(const struct sim_task *t)
{
	return t->def->sched_class != TASK_RT;
}

/* A governor's own thread is of the deadline class: neither. */
static bool is_rt(const struct sim_task *t)
{
	return !is_fair(t) && !t->works_for;
}

static uint32_t weight_of(const struct sim_task *t)
{
	return (uint32_t)t->weight;
}

static void update_task(struct sim_cpu *c, struct sim_task *t, uint64_t clock, bool queued)
{
	const struct pelt_add add = { queued, queued, c->curr == t };

	if (pelt_update(&t->util.pelt, clock, &add, weight_of(t)))
		t->util.unchanged = false;
}

static bool update_fair(struct sim_cpu *c, uint64_t clock)
{
	struct cpu_util *u = &c->util;
	const struct pelt_add add = { u->weight, u->nr_fair, c->curr && is_fair(c->curr) };
	bool removed = u->removed;

	if (removed)
		pelt_remove(&u->fair, u->removed_load, u->removed_runnable, u->removed_util);
	u->removed_load = u->removed_runnable = u->removed_util = 0;
	u->removed = false;
	return pelt_update(&u->fair, clock, &add, 1) || removed;
}

static bool update_rt(struct sim_cpu *c, uint64_t clock, bool running)
{
	return pelt_run(&c->util.rt, clock, running);
}

/* Task and CPU up to now; tells the governor when there is anything new. */
static void update(struct sim_cpu *c, struct sim_task *t, unsigned flags)
{
	uint64_t clock = clock_of(c);

	update_task(c, t, clock, true);
	if (update_fair(c, clock))
		freq_hook(c, c, flags);
}

/* ---- the estimate ---------------------------------------------------------------------- */

static uint32_t estimate(const struct sim_task *t)
{
	return t->util.est > t->util.ewma ? t->util.est : t->util.ewma;
}

static bool within_margin(int64_t diff)
{
	return diff > -EST_MARGIN && diff < EST_MARGIN;
}

/* What a task used in an activation that ends. */
static void learn_estimate(struct sim_task *t)
{
	struct util *u = &t->util;
	int64_t before = u->est, diff;

	if (u->unchanged)
		return;
	u->unchanged = true;
	u->est = u->pelt.util_avg;
	if (u->ewma < u->est) { /* it follows a rise at once */
		u->ewma = u->est;
		return;
	}
	diff = (int64_t)u->est - u->ewma;
	if (within_margin(diff)) {
		/* So small a change is forgotten, and the mark with it. */
		if (within_margin(before - (int64_t)u->est)) {
			u->est = (uint32_t)before;
			u->unchanged = false;
		}
		return;
	}
	u->ewma = (uint32_t)(((int64_t)u->ewma * (1 << EWMA_SHIFT) + diff) >> EWMA_SHIFT);
}

/* ---- what the scheduler does ----------------------------------------------------------- */

/* A new task: half of what is left, or by the load that it adds. */
static void begin(struct sim_cpu *c, struct sim_task *t)
{
	const struct pelt *cpu = &c->util.fair;
	int64_t cap = ((int64_t)CAPACITY - cpu->util_avg) / 2;
	struct pelt *p = &t->util.pelt;

	p->load_avg = weight_of(t);
	if (cap > 0) {
		/* The weight as the kernel has it there, times 1024: the cap is nearly always less.
		 */
		uint64_t by_load =
			(uint64_t)cpu->util_avg * (t->weight << 10) / (cpu->load_avg + 1);

		p->util_avg = (uint32_t)(cpu->util_avg && by_load < (uint64_t)cap ? by_load
										  : (uint64_t)cap);
	}
	p->runnable_avg = p->util_avg;
}

/* A sleeping task leaves for another CPU: up to the old CPU's clock, whose sum loses it later. */
static void leave(struct sim_task *t)
{
	static const struct pelt_add nothing;
	struct sim_cpu *from = t->util_cpu;
	struct cpu_util *u = &from->util;
	uint64_t clock = u->fair.last_ns;

	pelt_update(&t->util.pelt, clock, &nothing, weight_of(t));
	u->removed = true;
	u->removed_load += t->util.pelt.load_avg;
	u->removed_runnable += t->util.pelt.runnable_avg;
	u->removed_util += t->util.pelt.util_avg;
	if (!u->idle)
		return;
	/* An idle CPU's clock stands still: the time since then counts for the task. */
	if (u->idle_pelt_ns >= clock)
		clock = u->idle_pelt_ns + ((uint64_t)from->sim->now_ns - u->idle_clock_ns);
	pelt_update(&t->util.pelt, clock, &nothing, weight_of(t));
}

static void enqueue_fair(
	struct sim_cpu *c, struct sim_task *t, struct sim_cpu *here, unsigned flags)
{
	struct cpu_util *u = &c->util;
	uint64_t clock = clock_of(c);
	bool changed;

	if (!t->util_cpu)
		begin(c, t);
	else if (t->util_cpu != c && t->util.attached)
		leave(t);
	if (t->util_cpu != c)
		t->util.attached = false;
	t->util_cpu = c;
	u->est += estimate(t);
	if (flags & UTIL_IOWAIT) {
		freq_hook(c, here, flags | UTIL_ENQUEUE);
		flags = 0;
	}
	if (t->util.attached)
		update_task(c, t, clock, false);
	changed = update_fair(c, clock);
	if (!t->util.attached) {
		pelt_attach(&u->fair, &t->util.pelt, weight_of(t));
		t->util.attached = changed = true;
	}
	if (changed)
		freq_hook(c, here, flags | UTIL_ENQUEUE);
	u->weight += weight_of(t);
	u->nr_fair++;
}

void util_enqueue(struct sim_cpu *c, struct sim_task *t, struct sim_cpu *here, unsigned flags)
{
	if (!c->sim->hooks)
		return;
	if (is_fair(t)) {
		enqueue_fair(c, t, here, flags);
		return;
	}
	clock_of(c);
	if (!is_rt(t))
		return;
	c->util.nr_rt++;
	freq_hook(c, here, flags | UTIL_ENQUEUE);
}

/* It sleeps, ends, or (sleeps false) goes to another CPU's queue. */
void util_dequeue(struct sim_cpu *c, struct sim_task *t, bool sleeps)
{
	struct cpu_util *u = &c->util;
	uint32_t est = estimate(t);

	if (!c->sim->hooks)
		return;
	if (!is_fair(t)) {
		update_rt(c, clock_of(c), c->curr == t);
		u->nr_rt -= is_rt(t);
		return;
	}
	u->est -= est < u->est ? est : u->est;
	if (sleeps) {
		update(c, t, UTIL_DEQUEUE);
	} else {
		uint64_t clock = clock_of(c);

		update_task(c, t, clock, true);
		update_fair(c, clock);
		pelt_detach(&u->fair, &t->util.pelt, weight_of(t));
		t->util.attached = false;
		freq_hook(c, c, UTIL_DEQUEUE);
	}
	u->weight -= weight_of(t);
	u->nr_fair--;
	if (sleeps)
		learn_estimate(t);
	if (t->state == TASK_DONE)
		leave(t);
}

void util_switch(struct sim_cpu *c, struct sim_task *t)
{
	if (!c->sim->hooks)
		return;
	if (is_fair(t))
		update(c, t, 0);
	else
		update_rt(c, clock_of(c), false);
	c->util.idle = false;
}

void util_put(struct sim_cpu *c)
{
	if (!c->sim->hooks)
		return;
	if (is_fair(c->curr))
		update(c, c->curr, 0);
	else
		update_rt(c, clock_of(c), true);
}

/* ---- the tick -------------------------------------------------------------------------- */

/* An idle CPU's averages, which only decay. */
static bool update_blocked(struct sim_cpu *c, struct sim_cpu *here)
{
	uint64_t clock = clock_of(c);
	bool changed = update_rt(c, clock, false);

	changed |= update_fair(c, clock);
	if (changed)
		freq_hook(c, here, 0);
	return c->util.fair.util_avg || c->util.rt.util_avg;
}

/* Idle CPUs without a tick are looked after by others. */
static void update_others(struct sim_cpu *here)
{
	struct sim *s = here->sim;
	bool left = false;

	if (!s->has_blocked || s->now_ns < s->next_blocked_ns)
		return;
	s->next_blocked_ns = s->now_ns + BLOCKED_NS;
	for (int i = 0; i < s->nr_cpus; i++) {
		struct sim_cpu *c = &s->cpus[i];

		if (c != here && c->online && c->util.idle && c->tick_stopped)
			left |= update_blocked(c, here);
		else
			left |= c->util.idle;
	}
	s->has_blocked = left;
}

/*
 * On an idle CPU the hook is called from periodic balancing, which comes as often as the smallest
 * scheduling domain wants it: at most every 2 ms for each of its CPUs once nothing was found to
 * move.
 */
static bool balances(struct sim_cpu *c)
{
	int64_t tick_ns = c->sim->m->tick_ns, now = c->sim->now_ns / tick_ns;

	if (now < c->next_balance)
		return false;
	c->next_balance = now + (2 * NSEC_PER_MSEC * c->nr_domain_cpus + tick_ns - 1) / tick_ns;
	return true;
}

void util_tick(struct sim_cpu *c)
{
	if (!c->sim->hooks || (!c->curr && !balances(c)))
		return;
	scale_tick(c);
	if (c->util.idle)
		update_blocked(c, c);
	else if (c->curr && is_fair(c->curr))
		update(c, c->curr, UTIL_TICK);
	else if (c->curr)
		update_rt(c, clock_of(c), true);
	update_others(c);
}

/* ---- for governors --------------------------------------------------------------------- */

uint32_t util_cpu(const struct sim_cpu *c)
{
	const struct cpu_util *u = &c->util;
	uint32_t util = u->fair.util_avg > u->est ? u->fair.util_avg : u->est;

	if (u->nr_rt)
		return CAPACITY;
	util = (util < CAPACITY ? util : CAPACITY) + u->rt.util_avg;
	return util < CAPACITY ? util : CAPACITY;
}

void util_init(struct sim *s)
{
	const struct machine *m = s->m;

	s->max_ratio = max_ratio(m);
	s->invariant = s->p->invariant != INVARIANT_NO && m->platform.aperfmperf && m->base_khz &&
		       s->max_ratio && m->freq_domain != FREQ_DOMAIN_NONE;
	for (int i = 0; i < s->nr_cpus; i++) {
		s->cpus[i].util.freq_scale = CAPACITY;
		s->cpus[i].util.idle = true;
	}
}
