// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * powersave of intel_pstate in active mode without hardware P-states, as of Linux 6.1. Each call of
 * the scheduler's hook on the CPU itself keeps the I/O-wait boost; once in 10 ms it takes a sample:
 * busy fraction = MPERF over TSC, at least the boost; target = 1.25 x highest P-state x busy
 * fraction; if the average P-state of the sample was above, half of the difference is added. All in
 * fixed point with 8 fractional bits, the average with 14.
 *
 * Before 4.12 a controller held a figure that does not fall when a CPU sleeps: how many cycles it
 * had while awake of those that it could have had at what was asked for, APERF / MPERF x P-state
 * without turbo / current P-state. It asks for a fifth of the difference to 97 % more or less. Only
 * of a sample of more than 30 ms, before which nothing ran, it takes less. So any load of short
 * turns ends at the highest P-state.
 */
#include "policy/driver/intel_pstate.h"

#define SAMPLE_NS 10000000LL
enum { PID_SETPOINT = 97, PID_GAIN_PERCENT = 20 };
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
	int64_t ns;
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
	*ret = (struct sample){ aperf - c->aperf, mperf - c->mperf, tsc - c->tsc,
		time_ns - c->sample_ns };
	c->aperf = aperf;
	c->mperf = mperf;
	c->tsc = tsc;
	c->sample_ns = time_ns;
	return !first;
}

static int pid_pstate(const struct intel_cpu *c, const struct sample *s)
{
	int current = c->current_pstate > 0 ? c->current_pstate : 1;
	int64_t busy = (int64_t)((s->aperf * 100 << FRAC_BITS) / s->mperf), error;

	busy = busy * c->max_physical / current;
	if (s->ns > 3 * SAMPLE_NS)
		busy = busy * SAMPLE_NS / s->ns;
	error = (((int64_t)PID_SETPOINT << FRAC_BITS) - busy) * PID_GAIN_PERCENT / 100;
	return current - (int)((error + ONE / 2) >> FRAC_BITS);
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
	const struct intel_global *g = u->shared;
	int pstate;

	if (event->this_cpu != c->cpu)
		return;
	update_boost(c, event->now_ns - c->last_update_ns, event->flags & UTIL_IOWAIT, tick_ns);
	c->last_update_ns = event->now_ns;
	if (event->now_ns - c->sample_ns < SAMPLE_NS)
		return;
	if (!take_sample(u, now_ns, event->now_ns, &sample))
		return;
	pstate = g->pid ? pid_pstate(c, &sample) : target_pstate(g, c, &sample);
	pstate = intel_prepare(c, pstate);
	if (pstate != c->current_pstate)
		intel_set_pstate(u, now_ns, pstate);
}
