// SPDX-License-Identifier: GPL-2.0-or-later
#include "sim/pelt.h"

enum { HALF_LIFE = 32, PERIOD = 1024, SUM_MAX = 47742, CAPACITY_SHIFT = 10 };

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
	uint64_t ends = pelt_decay(first, n) + last;

	return (uint32_t)(ends + SUM_MAX - pelt_decay(SUM_MAX, n) - PERIOD);
}

static uint32_t divider(const struct pelt *p)
{
	return SUM_MAX - PERIOD + p->contrib;
}

bool pelt_update(struct pelt *p, uint64_t now_ns, bool running)
{
	uint64_t delta = (now_ns - p->last_ns) >> 10, n;
	uint32_t contrib = (uint32_t)delta;

	if ((int64_t)(now_ns - p->last_ns) < 0) {
		p->last_ns = now_ns;
		return false;
	}
	if (!delta)
		return false;
	p->last_ns += delta << 10;
	delta += p->contrib;
	n = delta / PERIOD;
	if (n) {
		p->util_sum = pelt_decay(p->util_sum, n);
		delta %= PERIOD;
		contrib = run_sum(n, PERIOD - p->contrib, (uint32_t)delta);
	}
	p->contrib = (uint32_t)delta;
	if (running)
		p->util_sum += (uint64_t)contrib << CAPACITY_SHIFT;
	if (n)
		p->util_avg = (uint32_t)(p->util_sum / divider(p));
	return n != 0;
}

uint64_t pelt_sum_of(const struct pelt *p, uint32_t util_avg)
{
	return (uint64_t)util_avg * divider(p);
}
