// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The idle log. Where cpu_idle events were recorded, a period is what lies between two of them.
 * Where they were not, periods are rebuilt from the switch to the idle task and from interrupts:
 * each interrupt ends one, and when no task is switched in after it, the next begins at its end.
 */
#include "trace/build_internal.h"
#include <stdio.h>

static const struct idle_record nothing_known = {
	.sleep_length_ns = INT64_MIN,
	.delta_tick_ns = INT64_MIN,
	.picked = -1,
	.wake = IDLE_WAKE_UNKNOWN,
};

/*
 * Times to the next timer count from when the CPU went idle or the last interrupt let it go on
 * idling: when a poll ends at its limit and the next state is picked, the kernel looks at no clock.
 */
static uint64_t idle_since(const struct builder *b, const struct build_cpu *c)
{
	uint64_t ns =
		c->idle_since_ns > c->interrupt_exit_ns ? c->idle_since_ns : c->interrupt_exit_ns;

	return c->idle_since_ns ? ns : b->now_ns;
}

/* Since 4.17 the tick is stopped behind the choice of a state, which saw it running. */
static bool selects_first(const struct builder *b)
{
	int major, minor;

	if (sscanf(b->options.env.kernel, "%d.%d", &major, &minor) != 2)
		return true;
	return major > 4 || (major == 4 && minor >= 17);
}

void build_idle_tick_stop(struct builder *b, struct build_cpu *c, bool success)
{
	c->tick_stopping = success && !c->tick_stopped && !c->idle.open;
	c->tick_stopping_ns = c->tick_stopping ? timer_tick_ns(b, c) : 0;
	c->tick_stop_seen = true;
	c->tick_stopped = success;
}

static void hand_on(struct builder *b, struct build_cpu *c)
{
	struct idle_period *p = &c->idle;
	int rc;

	p->over = false;
	c->idle_entries++;
	b->stats.idle_periods++;
	b->stats.idle_inferred += p->rec.inferred;
	if (b->status)
		return;
	rc = b->sink.idle(b->sink.ctx, &p->rec, &b->error);
	if (rc)
		b->status = rc;
}

/* When the timers that the period may wait for come, rebuilt from their own events. */
static void rebuild_timers(struct builder *b, struct build_cpu *c)
{
	struct idle_record *rec = &c->idle.rec;
	uint64_t since_ns = idle_since(b, c);

	rec->sleep_length_ns = timer_next(b, c, since_ns);
	rec->delta_tick_ns = timer_next_tick(b, c, since_ns);
	if (!rec->tick_stopped && c->tick_stopping_ns)
		rec->delta_tick_ns = (int64_t)(c->tick_stopping_ns - since_ns);
	/* The tick is one of the events that are programmed; others may come first. */
	if (rec->sleep_length_ns != INT64_MIN && rec->sleep_length_ns < rec->delta_tick_ns)
		rec->delta_tick_ns = rec->sleep_length_ns;
	rec->nr_iowait = c->nr_iowait;
}

/* The same as the governor saw them. A tick that was stopped behind its choice still ran then. */
static void take_view(struct build_cpu *c)
{
	struct idle_record *rec = &c->idle.rec;
	const struct event *view = &c->idle_view;
	uint64_t next_ns = view->ns;

	if (!rec->tick_stopped && c->tick_stopping_ns && c->tick_stopping_ns < next_ns)
		next_ns = c->tick_stopping_ns;
	rec->sleep_length_ns = (int64_t)view->value;
	rec->delta_tick_ns = (int64_t)(next_ns - view->object);
	rec->nr_iowait = view->pid2 > 0 ? (uint16_t)view->pid2 : 0;
	c->idle_view.time_ns = 0;
}

static void begin(struct builder *b, struct build_cpu *c, bool recorded, int picked)
{
	struct idle_period *p = &c->idle;

	if (p->over)
		hand_on(b, c);
	p->open = true;
	p->recorded = recorded;
	p->exit_ns = 0;
	p->rec = nothing_known;
	p->rec.entry_ns = b->now_ns;
	p->rec.cpu = (uint16_t)c->id;
	p->rec.picked = (int8_t)picked;
	p->rec.inferred = !recorded;
	p->rec.tick_stopped = 2;
	if (c->tick_stop_seen)
		p->rec.tick_stopped = c->tick_stopped;
	else if (recorded && c->idle_view.time_ns)
		p->rec.tick_stopped = c->idle_view.prio;
	if (c->tick_stopping && selects_first(b))
		p->rec.tick_stopped = 0;
	else
		c->tick_stopping_ns = 0;
	if (recorded && c->idle_view.time_ns)
		take_view(c);
	else
		rebuild_timers(b, c);
	c->tick_stopping = false;
	c->tick_stopping_ns = 0;
}

static void end(struct builder *b, struct build_cpu *c, uint64_t ns)
{
	struct idle_period *p = &c->idle;
	struct idle_record *rec = &p->rec;

	if (!p->open)
		return;
	p->open = false;
	if (rec->entry_ns < b->start_ns || ns < rec->entry_ns)
		return;
	rec->residency_ns = ns - rec->entry_ns;
	rec->entry_ns -= b->start_ns;
	if (p->recorded && c->idle_told)
		p->over = true;
	else
		hand_on(b, c);
}

void build_idle_done(struct builder *b, struct build_cpu *c, const struct event *ev)
{
	struct idle_period *p = &c->idle;

	uint64_t ns = ev->value - c->idle_told_ns;
	bool told = c->idle_told;

	c->idle_told = true;
	c->idle_told_ns = ev->value;
	if (!p->over)
		return;
	/* Counted between the two events. */
	if (told && ns <= p->rec.residency_ns)
		p->rec.residency_ns = ns;
	if (ev->prio)
		p->rec.wake = IDLE_WAKE_TICK;
	else if (!p->rec.picked && ev->pid2)
		p->rec.wake = IDLE_WAKE_LIMIT;
	else if (p->rec.wake == IDLE_WAKE_TICK)
		p->rec.wake = IDLE_WAKE_TIMER;
	else if (!p->rec.picked && p->rec.wake == IDLE_WAKE_UNKNOWN)
		p->rec.wake = IDLE_WAKE_IPI;
	hand_on(b, c);
}

void build_idle_enter(struct builder *b, struct build_cpu *c)
{
	c->idle_since_ns = b->now_ns;
	if (!c->idle_seen)
		begin(b, c, false, -1);
}

void build_idle_leave(struct builder *b, struct build_cpu *c, uint64_t ns)
{
	struct idle_period *p = &c->idle;

	c->tick_stopped = c->tick_stopping = false;
	/* After an interrupt that a switch follows there was no further entry. */
	end(b, c, p->recorded || !p->exit_ns ? ns : p->exit_ns);
	if (p->over)
		hand_on(b, c);
}

void build_idle_event(struct builder *b, struct build_cpu *c, const struct event *ev)
{
	c->idle_seen = true;
	if (ev->value != UINT32_MAX)
		begin(b, c, true, ev->value < INT8_MAX ? (int)ev->value : -1);
	else if (c->idle.recorded)
		end(b, c, b->now_ns);
	else
		c->idle.open = false; /* entered before the window, or unseen */
}

void build_idle_interrupt(struct builder *b, struct build_cpu *c, const struct event *ev)
{
	struct idle_period *p = &c->idle;

	if (!p->open)
		return;
	if (!p->recorded && p->exit_ns) {
		uint64_t now = b->now_ns;
		uint64_t entry = p->exit_ns;

		end(b, c, entry);
		b->now_ns = entry; /* the next one began there */
		begin(b, c, false, -1);
		b->now_ns = now;
	}
	if (p->rec.wake != IDLE_WAKE_UNKNOWN)
		return;
	if (ev->kind == EV_IRQ_ENTRY)
		p->rec.wake = IDLE_WAKE_IRQ;
	else if (ev->value == VEC_LOCAL_TIMER)
		p->rec.wake = IDLE_WAKE_TICK; /* until another timer than the tick expires in it */
	else if (ev->value == VEC_OTHER)
		p->rec.wake = IDLE_WAKE_IRQ;
	else
		p->rec.wake = IDLE_WAKE_IPI;
}

void build_idle_interrupt_end(struct build_cpu *c, uint64_t ns)
{
	if (c->idle.open)
		c->idle.exit_ns = ns;
}

void build_idle_timer(struct build_cpu *c, bool tick)
{
	if (c->idle.open && c->idle.rec.wake == IDLE_WAKE_TICK && !c->idle.exit_ns && !tick)
		c->idle.rec.wake = IDLE_WAKE_TIMER;
}

void build_idle_finish(struct builder *b, struct build_cpu *c)
{
	if (c->idle.over)
		hand_on(b, c);
}

bool build_idle_polls(const struct build_cpu *c)
{
	return c->idle.open && c->idle.recorded && !c->idle.rec.picked;
}
