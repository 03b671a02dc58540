// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Utilisation as the kernel's schedutil sees it: per task and per CPU (pelt.c), in time scaled by
 * the CPU's frequency, with the estimate that the scheduler keeps over sleeps (util_est). The
 * hook of the frequency governors is called when the kernel calls it: when a period has ended, on
 * the tick, and at once for a wake-up from I/O wait.
 */
#include "sim/internal.h"

enum {
	EWMA_SHIFT = 2,	 /* util_est: weight 1/4 for the newest sample */
	EST_MARGIN = 10, /* changes below 1 % of 1024 are not taken */
	CAPACITY = 1024,
};

/* Time scaled by what the CPU can do now against its highest; an idle CPU's clock catches up. */
static uint64_t pelt_clock(struct sim_cpu *c)
{
	const struct sim *s = c->sim;
	uint64_t ns = (uint64_t)s->now_ns - c->pelt_task_ns;

	c->pelt_task_ns = (uint64_t)s->now_ns;
	if (!c->curr)
		c->pelt_clock_ns = (uint64_t)s->now_ns;
	else if (s->m->max_khz)
		c->pelt_clock_ns += ns *
				    (c->core->khz < s->m->max_khz ? c->core->khz : s->m->max_khz) /
				    s->m->max_khz;
	else
		c->pelt_clock_ns += ns;
	return c->pelt_clock_ns;
}

static bool update(struct sim_cpu *c)
{
	uint64_t clock = pelt_clock(c);

	if (c->curr)
		pelt_update(&c->curr->util.pelt, clock, true);
	return pelt_update(&c->util.pelt, clock, c->curr != NULL);
}

void util_update(struct sim_cpu *c)
{
	if (c->sim->hooks)
		update(c);
}

void util_switch(struct sim_cpu *c, struct sim_task *t)
{
	if (!c->sim->hooks)
		return;
	update(c);
	pelt_update(&t->util.pelt, c->pelt_clock_ns, false); /* it waited in the queue */
}

static void attach(struct sim_cpu *c, struct sim_task *t)
{
	t->util.pelt.last_ns = c->util.pelt.last_ns;
	t->util.pelt.contrib = c->util.pelt.contrib;
	t->util.pelt.util_sum = pelt_sum_of(&t->util.pelt, t->util.pelt.util_avg);
	c->util.pelt.util_avg += t->util.pelt.util_avg;
	c->util.pelt.util_sum += t->util.pelt.util_sum;
	t->util_cpu = c;
}

static void detach(struct sim_cpu *c, struct sim_task *t)
{
	struct pelt *p = &c->util.pelt;

	update(c);
	pelt_update(&t->util.pelt, c->util.pelt.last_ns, false);
	p->util_avg -= t->util.pelt.util_avg < p->util_avg ? t->util.pelt.util_avg : p->util_avg;
	p->util_sum = pelt_sum_of(p, p->util_avg);
}

void util_enqueue(struct sim_cpu *c, struct sim_task *t, struct sim_cpu *here, unsigned flags)
{
	bool period;

	if (!c->sim->hooks)
		return;
	period = update(c);
	if (t->util_cpu != c) {
		if (t->util_cpu)
			detach(t->util_cpu, t);
		attach(c, t);
		period = true; /* the kernel tells at once when an entity arrives */
	} else {
		pelt_update(&t->util.pelt, c->pelt_clock_ns, false);
	}
	c->util.est += t->util.est > t->util.ewma ? t->util.est : t->util.ewma;
	if (period || (flags & UTIL_IOWAIT))
		freq_hook(c, here, flags | UTIL_ENQUEUE);
}

static void learn_estimate(struct sim_task *t)
{
	uint32_t sample = t->util.pelt.util_avg;
	int64_t diff = (int64_t)sample - t->util.ewma;

	t->util.est = sample;
	if (diff > 0) /* the estimate follows a rise at once */
		t->util.ewma = sample;
	else if (diff < -EST_MARGIN)
		t->util.ewma =
			(uint32_t)((t->util.ewma * ((1 << EWMA_SHIFT) - 1) + sample) >> EWMA_SHIFT);
}

void util_dequeue(struct sim_cpu *c, struct sim_task *t, bool sleeps)
{
	uint32_t est = t->util.est > t->util.ewma ? t->util.est : t->util.ewma;
	bool period;

	if (!c->sim->hooks)
		return;
	period = update(c);
	c->util.est -= est < c->util.est ? est : c->util.est;
	if (!sleeps)
		return;
	learn_estimate(t);
	if (period)
		freq_hook(c, c, UTIL_DEQUEUE);
}

void util_tick(struct sim_cpu *c)
{
	if (!c->sim->hooks)
		return;
	update(c);
	freq_hook(c, c, UTIL_TICK);
}

uint32_t util_cpu(const struct sim_cpu *c)
{
	uint32_t util = c->util.pelt.util_avg > c->util.est ? c->util.pelt.util_avg : c->util.est;

	return util < CAPACITY ? util : CAPACITY;
}
