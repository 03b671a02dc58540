// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * powersave of intel_pstate in active mode without hardware P-states, as of Linux 6.1. Each call of
 * the scheduler's hook on the CPU itself keeps the I/O-wait boost; once in 10 ms it takes a sample:
 * busy fraction = MPERF over TSC, at least the boost; target = 1.25 x highest P-state x busy
 * fraction; if the average P-state of the sample was above, half of the difference is added. All in
 * fixed point with 8 fractional bits, the average with 14.
 */
#include "policy/driver/intel_pstate.h"

#define SAMPLE_NS 10000000LL
enum { FRAC_BITS = 8, EXT_FRAC_BITS = 14, ONE = 1 << FRAC_BITS, ONE_EIGHTH = ONE / 8 };

/* Doubled with each wake-up from I/O wait, halved without one; begun anew after a tick of silence.
 */
static void update_boost(struct intel_cpu *c, int64_t delta_ns, bool iowait, int64_t tick_ns)
{
	if (iowait) {
		if (delta_ns > tick_ns || c->boost < ONE_EIGHTH)
			c->boost = ONE_EIGHTH;
		else
			c->boost = c->boost * 2 < ONE ? c->boost * 2 : ONE;
	} else if (delta_ns > tick_ns) {
		c->boost = 0;
	} else {
		c->boost >>= 1;
	}
}

struct sample {
	uint64_t aperf, mperf, tsc; /* since the last one */
};

/* False: there is no interval to judge by. */
static bool take_sample(struct driver_unit *u, int64_t *now_ns, int64_t time_ns, struct sample *ret)
{
	struct intel_cpu *c = u->state;
	bool first = !c->sample_ns;
	uint64_t aperf, mperf, tsc;

	if (intel_read(u, now_ns, MSR_IA32_APERF, &aperf) ||
		intel_read(u, now_ns, MSR_IA32_MPERF, &mperf) ||
		u->hw->rdtsc(u->hw->ctx, now_ns, u->cpus[0], &tsc))
		return false;
	if (mperf == c->mperf || tsc == c->tsc)
		return false;
	*ret = (struct sample){ aperf - c->aperf, mperf - c->mperf, tsc - c->tsc };
	c->aperf = aperf;
	c->mperf = mperf;
	c->tsc = tsc;
	c->sample_ns = time_ns;
	return !first;
}

static int target_pstate(
	const struct intel_global *g, const struct intel_cpu *c, const struct sample *s)
{
	int32_t busy = (int32_t)((int64_t)(s->mperf << FRAC_BITS) / (int64_t)s->tsc);
	int32_t average = (int32_t)((s->aperf << EXT_FRAC_BITS) / s->mperf);
	int target = g->turbo_off ? c->max_pstate : c->turbo_pstate;

	busy = busy < c->boost ? c->boost : busy;
	target += target >> 2;
	target = (int)(((int64_t)target * busy) >> FRAC_BITS);
	target = target < c->min_pstate ? c->min_pstate : target;
	average = (int32_t)(((uint64_t)c->max_physical * (uint64_t)average) >> EXT_FRAC_BITS);
	if (average > target)
		target += (average - target) >> 1;
	return target;
}

void intel_on_util(
	struct driver_unit *u, int64_t *now_ns, const struct util_event *event, int64_t tick_ns)
{
	struct intel_cpu *c = u->state;
	struct sample sample;
	int pstate;

	if (event->this_cpu != c->cpu)
		return;
	update_boost(c, event->now_ns - c->last_update_ns, event->flags & UTIL_IOWAIT, tick_ns);
	c->last_update_ns = event->now_ns;
	if (event->now_ns - c->sample_ns < SAMPLE_NS)
		return;
	if (!take_sample(u, now_ns, event->now_ns, &sample))
		return;
	pstate = intel_prepare(c, target_pstate(u->shared, c, &sample));
	if (pstate != c->current_pstate)
		intel_set_pstate(u, now_ns, pstate);
}
