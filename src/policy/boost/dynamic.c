// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hwp-dynamic and its relatives that raise on other signs.
 *
 * hwp-dynamic: the kernel's own (hwp.h): two wake-ups from I/O wait less than the window apart.
 * migrate: also when a task arrives from another CPU, as earlier forms of the boost did; once is
 * enough. idle-placement: instead when a task is placed on a CPU that was idle, as one
 * distribution's kernel does. All three go up and down by the same levels and hold times; that the
 * last two do is this laboratory's choice, for no kernel file of theirs is at hand.
 */
#include "policy/boost/boosts.h"
#include "policy/boost/hwp.h"

#include "base/error.h"
#include "base/spec.h"

#include <errno.h>
#include <string.h>

enum { TIME_MAX_NS = 1000000000, SCALES = 4 };

struct dynamic {
	struct hwp_boost boost;
	uint64_t hold_ns, window_ns; /* 0: the kernel's */
	bool hold_given;
	uint32_t pending; /* flags that raise at once, gathered like the kernel's */
};

/* A time with its unit: 3ms, 500us, 2000ns; a bare number is ns, as in the kernel's variable. */
static int parse_time(const char *text, uint64_t *ret)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[SCALES] = { { "", 1 }, { "ns", 1 }, { "us", 1000 }, { "ms", 1000000 } };
	size_t digits = strspn(text, "0123456789");
	unsigned long long v;
	char number[16];

	if (!digits || digits >= sizeof(number))
		return -EINVAL;
	memcpy(number, text, digits);
	number[digits] = 0;
	for (size_t i = 0; i < SCALES; i++) {
		if (strcmp(text + digits, units[i].name))
			continue;
		if (parse_u64(number, 0, TIME_MAX_NS / units[i].ns, "time", &v, NULL))
			return -EINVAL;
		*ret = v * units[i].ns;
		return 0;
	}
	return -EINVAL;
}

static int dynamic_tune(void *state, const char *key, const char *value)
{
	struct dynamic *d = state;
	uint64_t ns;

	if (strcmp(key, "hold") && strcmp(key, "window"))
		return -ENOENT;
	if (parse_time(value, &ns))
		return -EINVAL;
	if (!strcmp(key, "hold")) {
		d->hold_ns = ns;
		d->hold_given = true;
	} else if (ns) {
		d->window_ns = ns;
	} else {
		return -EINVAL;
	}
	return 0;
}

static void write_request(struct freq_actions *actions, uint64_t request)
{
	if (actions->nr == FREQ_ACTIONS_MAX)
		return;
	actions->list[actions->nr].kind = FREQ_HWP_WRITE;
	actions->list[actions->nr++].value = request;
}

/* io: whether wake-ups from I/O wait count. at_once: flags of which one is enough. */
static void update(struct dynamic *d, const struct util_event *event, const struct freq_snapshot *s,
	struct hwp_boost_input in, bool io, unsigned at_once, struct freq_actions *actions)
{
	bool here = event->this_cpu == event->cpu, write;
	uint32_t flags = io && (event->flags & UTIL_IOWAIT) ? HWP_BOOST_IO : 0;
	uint64_t request = 0;

	in.now_ns = (uint64_t)event->now_ns;
	in.hold_ns = d->hold_given ? d->hold_ns : HWP_BOOST_HOLD_NS;
	in.window_ns =
		d->window_ns ? d->window_ns : (uint64_t)(HWP_BOOST_WINDOW_TICKS * s->tick_ns);
	d->pending |= event->flags & at_once;
	if (here && d->pending) {
		d->pending = 0;
		d->boost.sample_ns = in.now_ns;
		write = hwp_boost_up(&d->boost, &in, &request);
	} else {
		write = hwp_boost_update(&d->boost, &in, flags, here, &request);
	}
	if (write)
		write_request(actions, request);
}

static void dynamic_on_util(void *state, const struct util_event *event,
	const struct freq_snapshot *s, uint64_t request, uint64_t capabilities,
	struct freq_actions *actions)
{
	struct hwp_boost_input in = { .request = request, .capabilities = capabilities };

	update(state, event, s, in, true, 0, actions);
}

static void migrate_on_util(void *state, const struct util_event *event,
	const struct freq_snapshot *s, uint64_t request, uint64_t capabilities,
	struct freq_actions *actions)
{
	struct hwp_boost_input in = { .request = request, .capabilities = capabilities };

	update(state, event, s, in, true, UTIL_MIGRATED, actions);
}

static void placement_on_util(void *state, const struct util_event *event,
	const struct freq_snapshot *s, uint64_t request, uint64_t capabilities,
	struct freq_actions *actions)
{
	struct hwp_boost_input in = { .request = request, .capabilities = capabilities };

	update(state, event, s, in, false, UTIL_IDLE_PLACEMENT, actions);
}

const struct boost boost_hwp_dynamic = {
	.name = "hwp-dynamic",
	.summary = "intel_pstate's: raises the HWP minimum after I/O wake-ups in a row",
	.state_size = sizeof(struct dynamic),
	.tune = dynamic_tune,
	.on_util = dynamic_on_util,
};

const struct boost boost_migrate = {
	.name = "migrate",
	.summary = "hwp-dynamic, and also when a task arrives from another CPU",
	.state_size = sizeof(struct dynamic),
	.tune = dynamic_tune,
	.on_util = migrate_on_util,
};

const struct boost boost_idle_placement = {
	.name = "idle-placement",
	.summary = "raises the HWP minimum when a task is placed on an idle CPU",
	.state_size = sizeof(struct dynamic),
	.tune = dynamic_tune,
	.on_util = placement_on_util,
};
