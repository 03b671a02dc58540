// SPDX-License-Identifier: GPL-2.0-or-later
#include "freq_play.h"

#include "policy/freq/resolve.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static size_t size_of(const struct freq_pair *p, const struct freq_governor *g)
{
	return g->state_size + (size_t)p->setup->nr_cpus * g->cpu_state_size;
}

static void set_driver(struct freq_pair *p)
{
	const struct freq_setup *setup = p->setup;
	struct driver_info *driver = &p->snapshot.driver;

	*driver = (struct driver_info){ .transition_delay_us = setup->transition_delay_us,
		.fast_switch = setup->fast_switch,
		.adjust_perf = setup->adjust_perf,
		.need_update_limits = setup->need_update_limits };
	if (!setup->step_khz)
		return;
	driver->khz = p->khz;
	for (uint32_t khz = setup->min_khz;
		khz <= setup->max_khz && driver->nr_khz < FREQ_DIFF_PSTATES; khz += setup->step_khz)
		p->khz[driver->nr_khz++] = khz;
}

int freq_pair_init(struct freq_pair *p, const struct freq_governor *ours,
	const struct freq_governor *reference, const struct freq_setup *setup,
	const struct freq_tunable *tunables, struct error *err)
{
	memset(p, 0, sizeof(*p));
	p->setup = setup;
	p->side[0].governor = ours;
	p->side[1].governor = reference;
	memcpy(p->tunables, tunables, sizeof(p->tunables));
	for (int i = 0; i < 2; i++) {
		p->side[i].state =
			aligned_alloc(64, (size_of(p, p->side[i].governor) + 63) & ~63UL);
		if (!p->side[i].state)
			return error_set(err, ENOMEM, "out of memory");
	}
	set_driver(p);
	return 0;
}

void freq_pair_release(struct freq_pair *p)
{
	free(p->side[0].state);
	free(p->side[1].state);
}

/* What the driver made of it; a policy of one frequency, so the last word counts. */
static void obey(struct freq_pair *p, const struct freq_actions *actions)
{
	struct freq_snapshot *s = &p->snapshot;

	for (int i = 0; i < actions->nr; i++)
		if (actions->list[i].kind == FREQ_FAST_SWITCH ||
			actions->list[i].kind == FREQ_TARGET)
			s->cur_khz = freq_resolve(&s->driver, (uint32_t)actions->list[i].value,
				s->min_khz, s->max_khz, actions->list[i].relation);
}

static bool same(const struct freq_actions *a, const struct freq_actions *b)
{
	if (a->nr != b->nr)
		return false;
	for (int i = 0; i < a->nr; i++)
		if (a->list[i].kind != b->list[i].kind || a->list[i].value != b->list[i].value ||
			(a->list[i].kind == FREQ_TARGET &&
				a->list[i].relation != b->list[i].relation))
			return false;
	return true;
}

/* Start and the first look at the limits. */
static bool start(struct freq_pair *p, struct freq_actions ret[2])
{
	bool equal = true;

	for (int i = 0; i < 2; i++) {
		const struct freq_governor *g = p->side[i].governor;

		p->side[i].work = false;
		if (g->start)
			g->start(p->side[i].state, &p->snapshot, &ret[i]);
	}
	equal = same(&ret[0], &ret[1]);
	obey(p, &ret[1]);
	ret[0].nr = ret[1].nr = 0;
	for (int i = 0; i < 2; i++)
		if (p->side[i].governor->limits)
			p->side[i].governor->limits(p->side[i].state, &p->snapshot, &ret[i]);
	return equal;
}

int freq_pair_begin(struct freq_pair *p, struct error *err)
{
	struct freq_snapshot *s = &p->snapshot;
	struct driver_info driver = s->driver;
	struct freq_actions actions[2] = { 0 };

	*s = (struct freq_snapshot){ .tick_ns = p->setup->tick_ns,
		.cur_khz = p->setup->max_khz,
		.min_khz = p->setup->min_khz,
		.max_khz = p->setup->max_khz,
		.cpuinfo_min_khz = p->setup->min_khz,
		.cpuinfo_max_khz = p->setup->max_khz,
		.nr_cpus = p->setup->nr_cpus,
		.cpus = p->loads,
		.invariant = p->setup->invariant,
		.efficient_idle = p->setup->efficient_idle,
		.driver = driver };
	for (int i = 0; i < FREQ_DIFF_CPUS; i++)
		p->loads[i] = (struct cpu_load){ .cpu = i, .capacity = 1024 };
	for (int i = 0; i < 2; i++) {
		const struct freq_governor *g = p->side[i].governor;
		void *state = p->side[i].state;

		memset(state, 0, size_of(p, g));
		if (g->init)
			g->init(g, state, s);
		for (const struct freq_tunable *t = p->tunables; t->key; t++)
			if (!g->tune || g->tune(state, t->key, t->value))
				return error_set(err, EINVAL, "%s does not take %s=%s", g->name,
					t->key, t->value);
	}
	start(p, actions);
	obey(p, &actions[1]);
	return 0;
}

static void play_side(struct freq_pair *p, struct freq_side *side, const struct freq_event *event,
	struct freq_actions *actions)
{
	const struct freq_governor *g = side->governor;
	struct util_event util = { .now_ns = event->now_ns,
		.cpu = event->cpu,
		.this_cpu = event->cpu,
		.flags = event->flags,
		.index = event->cpu,
		.foreign = event->foreign };

	if (event->kind == FREQ_EVENT_LIMITS && g->limits)
		g->limits(side->state, &p->snapshot, actions);
	if (event->kind == FREQ_EVENT_HOOK && g->on_util)
		g->on_util(side->state, &util, &p->snapshot, actions);
	if (event->kind == FREQ_EVENT_WORK && side->work && g->work) {
		side->work = false;
		g->work(side->state, &p->snapshot, actions);
	}
	for (int i = 0; i < actions->nr; i++)
		if (actions->list[i].kind == FREQ_QUEUE_IRQ_WORK)
			side->work = true;
}

bool freq_pair_play(struct freq_pair *p, const struct freq_event *event, struct freq_actions ret[2])
{
	struct freq_snapshot *s = &p->snapshot;
	bool equal = true;

	s->now_ns = event->now_ns;
	s->min_khz = event->min_khz;
	s->max_khz = event->max_khz;
	memcpy(p->loads, event->loads, sizeof(p->loads));
	ret[0].nr = ret[1].nr = 0;
	if (event->kind == FREQ_EVENT_RESTART) {
		for (int i = 0; i < 2; i++)
			if (p->side[i].governor->stop)
				p->side[i].governor->stop(p->side[i].state);
		equal = start(p, ret);
	} else {
		for (int i = 0; i < 2; i++)
			play_side(p, &p->side[i], event, &ret[i]);
	}
	equal &= same(&ret[0], &ret[1]);
	obey(p, &ret[1]);
	return equal;
}

void freq_event_print(const struct freq_pair *p, const struct freq_event *event, FILE *out)
{
	static const char *const kinds[] = { "hook", "work", "limits", "restart" };

	fprintf(out, "%" PRId64 " ns: %s", event->now_ns, kinds[event->kind]);
	if (event->kind == FREQ_EVENT_HOOK)
		fprintf(out, " cpu %d%s%s", event->cpu, event->flags & UTIL_IOWAIT ? " io" : "",
			event->foreign ? " foreign" : "");
	fprintf(out, ", limits %u..%u kHz", event->min_khz, event->max_khz);
	for (int i = 0; i < p->setup->nr_cpus; i++) {
		const struct cpu_load *l = &event->loads[i];

		fprintf(out,
			"; cpu %d: util %u of %u, dl %u%s, idle calls %" PRIu64 ", wall %" PRIu64
			" idle %" PRIu64 " iowait %" PRIu64 " nice %" PRIu64,
			i, l->util, l->capacity, l->dl_bw, l->util_capped ? " capped" : "",
			l->idle_calls, l->wall_ns, l->idle_ns, l->iowait_ns, l->nice_ns);
	}
}

void freq_actions_print(const struct freq_actions *actions, FILE *out)
{
	static const char *const kinds[] = { "fast switch", "target", "hwp write", "irq work",
		"work", "adjust perf" };

	for (int i = 0; i < actions->nr; i++)
		fprintf(out, "%s%s %" PRIu64 " relation %u", i ? ", " : "",
			kinds[actions->list[i].kind], actions->list[i].value,
			actions->list[i].kind == FREQ_TARGET ? actions->list[i].relation : 0);
	fprintf(out, "%s\n", actions->nr ? "" : "nothing");
}
