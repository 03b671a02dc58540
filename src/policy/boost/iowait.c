// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * boost=iowait: one of the doubling rules (iowait.h) as a floor under the HWP minimum, with the
 * quarter of headroom that both governors add: HWP has neither rule of its own. The floor is
 * renewed as often as the rule's owner renews its frequency: schedutil at its rate limit,
 * intel_pstate at its 10 ms sample.
 */
#include "policy/boost/iowait.h"

#include "policy/boost/boosts.h"
#include "policy/boost/hwp.h"

#include "base/spec.h"

#include <errno.h>
#include <string.h>

enum { SAMPLE_NS = 10000000, RATE_LIMIT_US = 1000, RATE_LIMIT_MAX_US = 1000000 };

static bool restarts(struct iowait_boost *b, int64_t now_ns, int64_t tick_ns, bool io)
{
	if (now_ns - b->last_ns <= tick_ns)
		return false;
	b->boost = io ? IOWAIT_MIN : 0;
	b->pending = io;
	return true;
}

static uint32_t doubled(uint32_t boost)
{
	if (boost < IOWAIT_MIN)
		return IOWAIT_MIN;
	return boost < IOWAIT_FULL / 2 ? 2 * boost : IOWAIT_FULL;
}

void iowait_schedutil(struct iowait_boost *b, int64_t now_ns, int64_t tick_ns, bool io)
{
	if (!(b->boost && restarts(b, now_ns, tick_ns, io)) && io && !b->pending) {
		b->pending = true;
		b->boost = doubled(b->boost);
	}
	b->last_ns = now_ns;
}

uint32_t iowait_schedutil_apply(struct iowait_boost *b, int64_t now_ns, int64_t tick_ns)
{
	if (!b->boost || restarts(b, now_ns, tick_ns, false))
		return 0;
	if (!b->pending) {
		b->boost /= 2;
		if (b->boost < IOWAIT_MIN)
			b->boost = 0;
	}
	b->pending = false;
	return b->boost;
}

void iowait_intel_pstate(struct iowait_boost *b, int64_t now_ns, int64_t tick_ns, bool io)
{
	bool late = now_ns - b->last_ns > tick_ns;

	if (io)
		b->boost = late ? IOWAIT_MIN : doubled(b->boost);
	else if (late)
		b->boost = 0;
	else
		b->boost /= 2;
	b->last_ns = now_ns;
}

/* ---- the boost ------------------------------------------------------------------------- */

struct iowait {
	struct iowait_boost rule;
	bool intel_pstate; /* whose rule */
	bool rate_limit_given;
	uint32_t rate_limit_us;
	int64_t renewed_ns;
	uint32_t min; /* written last, 0: the request as it is */
};

static int iowait_tune(void *state, const char *key, const char *value)
{
	struct iowait *w = state;
	unsigned long long v;

	if (!strcmp(key, "rule")) {
		w->intel_pstate = !strcmp(value, "intel_pstate");
		return w->intel_pstate || !strcmp(value, "schedutil") ? 0 : -EINVAL;
	}
	if (strcmp(key, "rate_limit_us"))
		return -ENOENT;
	if (parse_u64(value, 0, RATE_LIMIT_MAX_US, key, &v, NULL))
		return -EINVAL;
	w->rate_limit_us = (uint32_t)v;
	w->rate_limit_given = true;
	return 0;
}

/* What the request's minimum has to be for a floor on utilisation. */
static uint32_t floor_perf(uint32_t boost, uint64_t request, uint64_t capabilities)
{
	uint32_t min = hwp_min(request), max = hwp_max(request);
	uint32_t highest = (uint32_t)(capabilities & 0xff);
	uint32_t perf = (boost + boost / 4) * highest / IOWAIT_FULL;

	perf = perf < max ? perf : max;
	return perf > min ? perf : min;
}

static bool renews(struct iowait *w, int64_t now_ns)
{
	uint32_t limit_us = w->rate_limit_given ? w->rate_limit_us : RATE_LIMIT_US;
	int64_t least = w->intel_pstate ? SAMPLE_NS : (int64_t)limit_us * 1000;

	if (now_ns - w->renewed_ns < least)
		return false;
	w->renewed_ns = now_ns;
	return true;
}

static void iowait_on_util(void *state, const struct util_event *event,
	const struct freq_snapshot *s, uint64_t request, uint64_t capabilities,
	struct freq_actions *actions)
{
	struct iowait *w = state;
	bool io = event->flags & UTIL_IOWAIT;
	uint32_t boost, min;

	if (event->this_cpu != event->cpu)
		return;
	if (w->intel_pstate)
		iowait_intel_pstate(&w->rule, event->now_ns, s->tick_ns, io);
	else
		iowait_schedutil(&w->rule, event->now_ns, s->tick_ns, io);
	if (!renews(w, event->now_ns) || actions->nr == FREQ_ACTIONS_MAX)
		return;
	boost = w->intel_pstate ? w->rule.boost
				: iowait_schedutil_apply(&w->rule, event->now_ns, s->tick_ns);
	min = boost ? floor_perf(boost, request, capabilities) : 0;
	if (min == w->min)
		return;
	w->min = min;
	actions->list[actions->nr].kind = FREQ_HWP_WRITE;
	actions->list[actions->nr++].value = min ? hwp_with_min(request, min) : request;
}

const struct boost boost_iowait = {
	.name = "iowait",
	.summary = "raises the HWP minimum by schedutil's or intel_pstate's doubling rule",
	.state_size = sizeof(struct iowait),
	.tune = iowait_tune,
	.on_util = iowait_on_util,
};
