// SPDX-License-Identifier: GPL-2.0-or-later
/* The event log (base/timeline.h): told from the choke point, changes nothing. */
#include "sim/internal.h"

static void tell(struct sim *s, struct timeline_event ev)
{
	ev.time_ns = s->now_ns;
	if (!ev.name)
		ev.name = "";
	timeline_event(s->options->timeline, &ev);
}

void log_cpu(struct sim_cpu *c)
{
	static const enum timeline_state states[] = {
		[ACT_OFF] = TIMELINE_OFF,
		[ACT_IDLE_ENTER] = TIMELINE_IDLE_LOOP,
		[ACT_IDLE] = TIMELINE_IDLE,
		[ACT_IDLE_WAKE] = TIMELINE_IDLE,
		[ACT_IDLE_EXIT] = TIMELINE_IDLE_LOOP,
		[ACT_SWITCH] = TIMELINE_SWITCH,
		[ACT_RUN] = TIMELINE_RUN,
		[ACT_IRQ] = TIMELINE_IRQ,
	};
	struct timeline_event ev = { .kind = TIMELINE_CPU, .id = c->id, .state = states[c->act] };

	if (ev.state == TIMELINE_IDLE)
		ev.name = c->sim->m->idle.states[c->state].name;
	else if (ev.state != TIMELINE_IDLE_LOOP && ev.state != TIMELINE_IRQ && c->curr)
		ev.name = c->curr->def->name;
	tell(c->sim, ev);
}

void log_khz(struct sim *s, const struct sim_core *core)
{
	if (!s->options->timeline)
		return;
	for (int i = 0; i < core->nr_threads; i++)
		tell(s, (struct timeline_event){ .kind = TIMELINE_KHZ,
				.id = core->threads[i]->id,
				.value = core->khz });
}

void log_power(struct sim *s, const struct sim_package *p)
{
	if (s->options->timeline)
		tell(s, (struct timeline_event){ .kind = TIMELINE_POWER,
				.id = p->id,
				.value = p->cores_uw + p->uncore_uw });
}

void log_end(struct sim *s)
{
	if (s->options->timeline)
		timeline_end(s->options->timeline, s->end_ns);
}
