// SPDX-License-Identifier: GPL-2.0-or-later
#include "sim/pelt.h"

enum { HALF_LIFE = 32, CAPACITY_SHIFT = 10, DIVIDER_MIN = PELT_SUM_MAX - PELT_PERIOD };

/* 2^32 - 1 times 2^(-n/32), rounded down. */
static const uint32_t inverse[HALF_LIFE] = {
	4294967295,
	4202935002,
	4112874772,
	4024744346,
	3938502374,
	3854108390,
	3771522795,
	3690706838,
	3611622601,
	3534232977,
	3458501652,
	3384393093,
	3311872528,
	3240905929,
	3171459998,
	3103502150,
	3037000499,
	2971923841,
	2908241641,
	2845924020,
	2784941737,
	2725266178,
	2666869343,
	2609723833,
	2553802832,
	2499080104,
	2445529971,
	2393127306,
	2341847523,
	2291666560,
	2242560871,
	2194507416,
};

uint64_t pelt_decay(uint64_t value, uint64_t n)
{
	if (n > HALF_LIFE * 63)
		return 0;
	value >>= n / HALF_LIFE;
	return (uint64_t)((unsigned __int128)value * inverse[n % HALF_LIFE] >> 32);
}

/* What n full periods and the ends first and last of running add up to. */
static uint32_t run_sum(uint64_t n, uint32_t first, uint32_t last)
{
	uint32_t ends = (uint32_t)pelt_decay(first, n) + last;

	return ends + PELT_SUM_MAX - (uint32_t)pelt_decay(PELT_SUM_MAX, n) - PELT_PERIOD;
}

static uint32_t divider(const struct pelt *p)
{
	return DIVIDER_MIN + p->contrib;
}

static void decay_sums(struct pelt *p, uint64_t n)
{
	p->load_sum = pelt_decay(p->load_sum, n);
	p->runnable_sum = pelt_decay(p->runnable_sum, n);
	p->util_sum = (uint32_t)pelt_decay(p->util_sum, n);
}

/* delta: units of 1024 ns. Returns the periods that ended. */
static uint64_t accumulate(struct pelt *p, uint64_t delta, const struct pelt_add *add)
{
	uint32_t contrib = (uint32_t)delta;
	uint64_t n;

	delta += p->contrib;
	n = delta / PELT_PERIOD;
	if (n) {
		decay_sums(p, n);
		delta %= PELT_PERIOD;
		contrib = run_sum(n, PELT_PERIOD - p->contrib, (uint32_t)delta);
	}
	p->contrib = (uint32_t)delta;
	if (!add->load)
		return n;
	p->load_sum += (uint64_t)add->load * contrib;
	p->runnable_sum += (uint64_t)add->runnable * contrib << CAPACITY_SHIFT;
	if (add->running)
		p->util_sum += contrib << CAPACITY_SHIFT;
	return n;
}

bool pelt_update(struct pelt *p, uint64_t now_ns, const struct pelt_add *add, uint32_t weight)
{
	uint64_t delta = now_ns - p->last_ns;

	if ((int64_t)delta < 0) {
		p->last_ns = now_ns;
		return false;
	}
	delta >>= 10;
	if (!delta)
		return false;
	p->last_ns += delta << 10;
	if (!accumulate(p, delta, add))
		return false;
	p->load_avg = (uint32_t)(weight * p->load_sum / divider(p));
	p->runnable_avg = (uint32_t)(p->runnable_sum / divider(p));
	p->util_avg = p->util_sum / divider(p);
	return true;
}

bool pelt_run(struct pelt *p, uint64_t now_ns, bool running)
{
	const struct pelt_add add = { running, running, running };

	return pelt_update(p, now_ns, &add, 1);
}

void pelt_attach(struct pelt *cpu, struct pelt *task, uint32_t weight)
{
	uint32_t div = divider(cpu);
	uint64_t load_sum = (uint64_t)task->load_avg * div;

	task->last_ns = cpu->last_ns;
	task->contrib = cpu->contrib;
	task->util_sum = task->util_avg * div;
	task->runnable_sum = (uint64_t)task->runnable_avg * div;
	task->load_sum = weight < load_sum ? load_sum / weight : 1;
	cpu->load_avg += task->load_avg;
	cpu->load_sum += weight * task->load_sum;
	cpu->util_avg += task->util_avg;
	cpu->util_sum += task->util_sum;
	cpu->runnable_avg += task->runnable_avg;
	cpu->runnable_sum += task->runnable_sum;
}

/* Not below zero, and a sum not below what its average needs, for roundings differ. */
static void take(uint32_t *avg, uint64_t *sum, uint32_t less_avg, uint64_t less_sum)
{
	uint64_t least;

	*avg -= less_avg < *avg ? less_avg : *avg;
	*sum -= less_sum < *sum ? less_sum : *sum;
	least = (uint64_t)*avg * DIVIDER_MIN;
	*sum = *sum > least ? *sum : least;
}

static void take_all(struct pelt *cpu, const struct pelt *less, uint64_t load_sum)
{
	uint64_t util_sum = cpu->util_sum;

	take(&cpu->load_avg, &cpu->load_sum, less->load_avg, load_sum);
	take(&cpu->runnable_avg, &cpu->runnable_sum, less->runnable_avg, less->runnable_sum);
	take(&cpu->util_avg, &util_sum, less->util_avg, less->util_sum);
	cpu->util_sum = (uint32_t)util_sum;
}

void pelt_detach(struct pelt *cpu, const struct pelt *task, uint32_t weight)
{
	take_all(cpu, task, weight * task->load_sum);
}

void pelt_remove(struct pelt *cpu, uint32_t load, uint32_t runnable, uint32_t util)
{
	uint32_t div = divider(cpu);
	struct pelt gone = { .load_avg = load,
		.runnable_avg = runnable,
		.util_avg = util,
		.runnable_sum = (uint64_t)runnable * div,
		.util_sum = util * div };

	take_all(cpu, &gone, (uint64_t)load * div);
}
