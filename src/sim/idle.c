// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The idle loop as the kernel walks it: select, stop or keep the tick, enter, wake, account,
 * reflect; again while nothing is to run. With tick=stop-first the tick goes before the
 * selection, which is how kernels up to 4.16 did it.
 */
#include "policy/idle/poll.h"
#include "sim/internal.h"

enum {
	HOST_POLL_START_NS = 10000,
	/* No CPU is without any timer: the kernel's own (vmstat, watchdogs) come every second. */
	HOUSEKEEPING_NS = NSEC_PER_SEC,
	WARM_UP = 16,	       /* idle periods before the start: twice what menu remembers */
	HOST_LEAVE_NS = 15000, /* what the host takes to leave: recordings say 12 to 26 us */
};

static int64_t next_timer_ns(const struct sim_cpu *c)
{
	const struct node *n = queue_first(&c->timers);

	return n ? n->time_ns : INT64_MAX;
}

static bool may_stop_tick(const struct sim_cpu *c)
{
	const struct sim *s = c->sim;

	if (s->p->tick->periodic || c->tick_stopped)
		return false;
	/* A timer within the next tick: nothing is won. */
	if (next_timer_ns(c) - s->now_ns <= s->m->tick_ns)
		return false;
	if (s->p->tick_rate_limit && c->avg_idle_ns < (uint64_t)s->m->costs.migration_cost_ns)
		return false;
	return true;
}

static void stop_tick(struct sim_cpu *c)
{
	c->tick_stopped = true;
	c->sim->counters.ticks_stopped++;
	clock_program(c);
}

void tick_restart(struct sim_cpu *c)
{
	int64_t tick = c->sim->m->tick_ns;

	if (!c->tick_stopped)
		return;
	c->tick_stopped = false;
	c->next_tick_ns += (c->sim->now_ns - c->next_tick_ns) / tick * tick;
	if (c->next_tick_ns <= c->sim->now_ns)
		c->next_tick_ns += tick;
	clock_program(c);
}

static void make_snapshot(const struct sim_cpu *c, struct idle_snapshot *snap)
{
	const struct sim *s = c->sim;
	int64_t timer = next_timer_ns(c);

	*snap = (struct idle_snapshot){
		.now_ns = s->now_ns,
		.sleep_length_ns = min_i64(timer - s->now_ns, HOUSEKEEPING_NS),
		.latency_req_ns = c->latency_limit_ns,
		.nr_iowait = c->nr_iowait,
		.disable_mask = s->disable_mask,
		.tick_stopped = c->tick_stopped,
	};
	snap->delta_tick_ns = snap->sleep_length_ns;
	if (!c->tick_stopped)
		snap->delta_tick_ns = min_i64(snap->delta_tick_ns, c->next_tick_ns - s->now_ns);
	/* A tick that cannot be stopped is a timer like any other. */
	if (s->p->tick->periodic || (!s->p->tick->select_first && !c->tick_stopped))
		snap->sleep_length_ns = snap->delta_tick_ns;
}

void idle_enter(struct sim_cpu *c)
{
	struct sim *s = c->sim;
	int64_t cost = s->m->costs.idle_entry_ns;
	struct idle_snapshot snap;
	bool stop = false;

	/* What the kernel counts are its tries to stop the tick: schedutil takes a CPU without
	 * any since its last look for busy. */
	if (!s->p->tick->select_first && !s->p->tick->periodic)
		c->idle_calls++;
	if (!s->p->tick->select_first && may_stop_tick(c)) {
		stop_tick(c);
		stop = true;
	}
	make_snapshot(c, &snap);
	/*
	 * A kernel without a cpuidle driver halts, whatever the governor. It stops the tick only
	 * when the last halt was ended by a tick with nothing to do (seen in recordings
	 * of 6.18.44).
	 */
	c->choice = (struct idle_choice){ .state = s->halt_state, .stop_tick = c->got_tick };
	if (s->cpuidle) {
		c->choice.stop_tick = true;
		idle_unit_select(&c->idle, &snap, &c->choice);
	}
	if (s->p->tick->select_first && !s->p->tick->periodic &&
		(c->choice.stop_tick || c->tick_stopped))
		c->idle_calls++;
	if (s->p->tick->select_first && c->choice.stop_tick && may_stop_tick(c)) {
		stop_tick(c);
		stop = true;
	}
	if (stop)
		cost += s->m->costs.tick_stop_ns;
	c->got_tick = false;
	cpu_start(c, ACT_IDLE_ENTER, cost);
}

/*
 * A machine does not begin at time 0: its governors have seen long idle periods. Without that menu
 * would take its empty memory for sleeps of no length, and a CPU that nothing wakes would poll.
 */
void idle_warm_up(struct sim_cpu *c)
{
	for (int i = WARM_UP; i > 0 && c->sim->cpuidle; i--) {
		struct idle_choice choice = { .stop_tick = true };
		struct idle_outcome outcome;
		struct idle_snapshot snap;

		make_snapshot(c, &snap);
		snap.now_ns = -i * (int64_t)HOUSEKEEPING_NS;
		snap.sleep_length_ns = snap.delta_tick_ns = HOUSEKEEPING_NS;
		idle_unit_select(&c->idle, &snap, &choice);
		outcome =
			(struct idle_outcome){ snap.now_ns + HOUSEKEEPING_NS, choice.state, false };
		idle_unit_outcome(&c->idle, &outcome, HOUSEKEEPING_NS, false);
	}
}

static void idle_leave(struct sim_cpu *c)
{
	struct sim *s = c->sim;
	int64_t cost = s->m->costs.idle_exit_ns;

	if (c->tick_stopped)
		cost += s->m->costs.tick_restart_ns;
	cpu_start(c, ACT_IDLE_EXIT, cost);
}

/* When this poll ends if nothing comes: the kernel looks at the clock now and then only. */
static void limit_poll(struct sim_cpu *c)
{
	struct sim *s = c->sim;
	struct poll_input in = {
		.relax_ns = max_i64(s->m->poll_relax_ns, 1),
		.clock_read_ns = s->m->poll_clock_read_ns,
		.limit_ns = idle_unit_poll_limit_ns(&c->idle, s->disable_mask),
		.resched_after_ns = -1,
	};
	struct poll_result poll;

	poll_run(&in, &poll);
	if (poll.elapsed_ns == INT64_MAX)
		return;
	c->poll_end_ns = s->now_ns + poll.elapsed_ns;
	done_in(c, poll.elapsed_ns);
}

static void enter_state(struct sim_cpu *c)
{
	struct sim *s = c->sim;
	int state = c->choice.state;

	if (c->need_resched) { /* on the way: rejected */
		struct idle_outcome outcome = { .now_ns = s->now_ns, .entered = -1 };

		if (s->cpuidle)
			idle_unit_outcome(&c->idle, &outcome, 0, false);
		c->idle_count[state].rejected++;
		idle_leave(c);
		return;
	}
	c->idle_start_ns = s->now_ns;
	c->idle_count[state].usage++;
	cpu_set(c, ACT_IDLE, state);
	c->poll_end_ns = INT64_MAX;
	if (c->idle.cpu.driver->states[state].polling)
		limit_poll(c);
}

/* Was the choice right? As the kernel counts it in its idle states' above and below. */
static void count_choice(struct sim_cpu *c, int state, int64_t ns)
{
	const struct idle_state *st = c->idle.cpu.driver->states;
	uint32_t disabled = c->sim->disable_mask;

	if (ns < st[state].target_residency_ns) {
		for (int i = state - 1; i >= 0; i--) {
			if (disabled >> i & 1)
				continue;
			c->idle_count[state].above++;
			break;
		}
		return;
	}
	for (int i = state + 1; i < c->idle.cpu.driver->nr_states; i++) {
		if (disabled >> i & 1)
			continue;
		if (ns - st[state].exit_latency_ns >= st[i].target_residency_ns)
			c->idle_count[state].below++;
		break;
	}
}

/* The state is left: account it, let interrupts in, then reflect. */
static void leave_state(struct sim_cpu *c, bool timed_out)
{
	int64_t ns = c->sim->now_ns - c->idle_start_ns;
	int state = c->choice.state;

	cpu_close(c);
	c->residency_ns = ns;
	c->timed_out = timed_out;
	count_choice(c, state, ns);
	c->act = ACT_IDLE_WAKE;
	if (irq_pending(c))
		irq_next(c);
	else
		idle_after_irq(c);
}

void idle_after_irq(struct sim_cpu *c)
{
	struct idle_outcome outcome = {
		.now_ns = c->sim->now_ns,
		.entered = c->choice.state,
		.got_tick = c->got_tick,
	};

	if (c->sim->cpuidle)
		idle_unit_outcome(&c->idle, &outcome, c->residency_ns, c->timed_out);
	if (c->need_resched)
		idle_leave(c);
	else
		idle_enter(c);
}

/*
 * A guest's host polls for a halted CPU for a while before it gives the core to others: KVM's
 * rule, which doubles that while after halts that polling for longer would have caught, up to
 * host_poll_ns, and drops it after a halt longer than that. From then on waking takes longer, and
 * the guest's kernel hears that the CPU is preempted and does not take it for idle.
 */
bool idle_host_left(const struct sim_cpu *c)
{
	const struct sim *s = c->sim;

	return s->m->costs.host_poll_ns && c->act == ACT_IDLE &&
	       !s->m->idle.states[c->state].polling &&
	       s->now_ns - c->idle_start_ns > c->host_poll_ns;
}

static void host_learn(struct sim_cpu *c)
{
	int64_t halted_ns = c->sim->now_ns - c->idle_start_ns;
	int64_t max_ns = c->sim->m->costs.host_poll_ns;

	if (halted_ns <= c->host_poll_ns)
		return;
	if (halted_ns > max_ns)
		c->host_poll_ns = 0;
	else if (c->host_poll_ns)
		c->host_poll_ns = min_i64(2 * c->host_poll_ns, max_ns);
	else
		c->host_poll_ns = min_i64(HOST_POLL_START_NS, max_ns);
}

/* A poll loop after an interrupt that came in between. */
void idle_poll_on(struct sim_cpu *c)
{
	if (c->need_resched) {
		leave_state(c, false);
		return;
	}
	cpu_set(c, ACT_IDLE, c->choice.state);
	if (c->poll_end_ns != INT64_MAX)
		done_in(c, max_i64(c->poll_end_ns - c->sim->now_ns, 0));
}

/* A package sleeps as deeply as the shallowest of its cores lets it. */
static int64_t package_wake_ns(const struct sim_cpu *c)
{
	const struct sim *s = c->sim;
	const struct sim_package *p = &s->packages[c->core->package];
	int64_t ns = s->m->idle_real[c->state].package_wake_ns;

	if (!ns || uncore_up(s, p))
		return 0;
	for (int i = 0; i < p->nr_cores; i++) {
		const struct sim_core *core = p->cores[i];

		for (int k = 0; k < core->nr_threads; k++)
			if (core->threads[k]->act != ACT_OFF)
				ns = min_i64(ns,
					s->m->idle_real[core->threads[k]->state].package_wake_ns);
	}
	return ns;
}

void idle_wake(struct sim_cpu *c)
{
	struct sim *s = c->sim;
	int64_t ns;

	if (c->act != ACT_IDLE)
		return;
	if (c->idle.cpu.driver->states[c->state].polling) {
		leave_state(c, false);
		return;
	}
	ns = s->m->idle_real[c->state].wake_ns;
	ns += package_wake_ns(c);
	/* How late the host's own timers come is timer_late_ns. */
	if (idle_host_left(c) && !c->irq_clock)
		ns += s->m->costs.host_wake_ns;
	host_learn(c);
	cpu_start(c, ACT_IDLE_WAKE, ns);
}

void idle_disturb(struct sim_cpu *c)
{
	if (c->act == ACT_IDLE && c->sim->m->idle_real[c->state].monitors)
		leave_state(c, false);
}

void idle_done(struct sim_cpu *c)
{
	struct sim *s = c->sim;

	switch (c->act) {
	case ACT_IDLE_ENTER:
		enter_state(c);
		break;
	case ACT_IDLE: /* the poll's limit */
		leave_state(c, true);
		break;
	case ACT_IDLE_WAKE:
		leave_state(c, false);
		break;
	case ACT_IDLE_EXIT:
		tick_restart(c);
		if (c->nr_rq) {
			uint64_t idle_ns = (uint64_t)(s->now_ns - c->idle_stamp_ns);

			c->avg_idle_ns += (uint64_t)((int64_t)(idle_ns - c->avg_idle_ns) / 8);
			if (c->avg_idle_ns > 2 * (uint64_t)s->m->costs.migration_cost_ns)
				c->avg_idle_ns = 2 * (uint64_t)s->m->costs.migration_cost_ns;
		}
		schedule(c);
		break;
	default:
		break;
	}
}
