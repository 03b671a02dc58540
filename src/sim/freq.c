// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Frequency policies: governor, boost and driver of one CPU, called where the kernel calls them.
 * Hooks run in the scheduler; what a governor cannot do there goes through irq work to a worker,
 * a kernel task of its own. A driver's call runs along its own time cursor, and its whole span is
 * system time of the CPU that made it.
 */
#include "sim/hw.h"
#include "sim/internal.h"

#include <stdlib.h>

enum { WORK_NS = 1000 }; /* what a worker does beside the governor and the driver */

static void make_snapshot(struct sim_freq *f, struct freq_snapshot *snap)
{
	struct sim *s = f->sim;

	*snap = (struct freq_snapshot){
		.now_ns = s->now_ns,
		.tick_ns = s->m->tick_ns,
		.cur_khz = f->cur_khz,
		.min_khz = f->limits.min_khz,
		.max_khz = f->limits.max_khz,
		.cpuinfo_min_khz = f->offer.range.min_khz,
		.cpuinfo_max_khz = f->offer.range.max_khz,
		.nr_cpus = f->nr_cpus,
		.cpus = f->loads,
	};
	for (int i = 0; i < f->nr_cpus; i++) {
		struct sim_cpu *c = f->cpus[i];
		uint64_t busy = c->busy_ns;

		if (c->curr && c->since_ns < s->now_ns)
			busy += (uint64_t)(s->now_ns - c->since_ns);
		f->loads[i] = (struct cpu_load){
			.cpu = c->id,
			.util = util_cpu(c),
			.capacity = 1024,
			.idle_calls = c->idle_calls,
			.wall_ns = (uint64_t)s->now_ns,
			.idle_ns = (uint64_t)s->now_ns - busy,
		};
	}
}

/* Drivers run when the governor says so; a hook's cost is owed by what its CPU runs next. */
static int64_t act(struct sim_freq *f, struct sim_cpu *here, const struct freq_actions *actions)
{
	struct sim *s = f->sim;
	int64_t cursor = s->now_ns;

	for (int i = 0; i < actions->nr; i++) {
		uint64_t value = actions->list[i].value;

		switch (actions->list[i].kind) {
		case FREQ_FAST_SWITCH:
		case FREQ_TARGET:
			driver_target(f, &cursor, (uint32_t)value, actions->list[i].relation);
			break;
		case FREQ_HWP_WRITE:
			s->counters.boosts++;
			hw_wrmsr(s, &cursor, f->cpus[0]->id, MSR_HWP_REQUEST, value);
			break;
		case FREQ_QUEUE_IRQ_WORK:
			if (f->work_pending)
				break;
			f->work_pending = true;
			queue_set(&s->queue, &f->work, s->now_ns + s->m->costs.irq_ns);
			break;
		case FREQ_QUEUE_WORK:
			f->work_pending = true;
			queue_set(&s->queue, &f->work, s->now_ns + (int64_t)value);
			break;
		}
	}
	return cursor - s->now_ns;
}

void freq_hook(struct sim_cpu *c, struct sim_cpu *here, unsigned flags)
{
	struct sim *s = c->sim;
	struct sim_freq *f = c->freq;
	struct freq_actions actions = { 0 };
	struct freq_snapshot snap;
	struct util_event event = {
		.now_ns = s->now_ns, .cpu = c->id, .this_cpu = here->id, .flags = flags
	};

	if (!f || !s->started)
		return;
	if (f->offer.own_policies)
		here->stolen_ns += driver_hook(f, &event);
	if (f->offer.own_policies && !s->p->boost->on_util)
		return;
	make_snapshot(f, &snap);
	if (!f->offer.own_policies && s->p->governor->on_util)
		s->p->governor->on_util(f->governor, &event, &snap, &actions);
	if (s->p->boost->on_util)
		s->p->boost->on_util(c->boost_state, &event, &snap, c->hwp_request,
			hw_capabilities(s, c->id), &actions);
	if (actions.nr)
		here->stolen_ns += act(f, here, &actions);
}

void freq_work_due(struct sim_freq *f)
{
	if (f->worker->state == TASK_SLEEPS)
		irq_device(f->worker->cpu, &f->worker->irq);
}

bool freq_worker(struct sim_cpu *c)
{
	struct sim_task *t = c->curr;
	struct sim_freq *f = t->works_for;
	struct sim *s = c->sim;
	struct freq_actions actions = { 0 };
	struct freq_snapshot snap;

	if (!f->work_pending) {
		t->state = TASK_SLEEPS;
		t->switch_due = true;
		return false;
	}
	f->work_pending = false;
	make_snapshot(f, &snap);
	if (s->p->governor->work)
		s->p->governor->work(f->governor, &snap, &actions);
	t->left_ns = WORK_NS + act(f, c, &actions);
	return true;
}

/* ---- start ----------------------------------------------------------------------------- */

static int start_policy(struct sim *s, struct sim_freq *f)
{
	const struct freq_governor *governor = s->p->governor;
	struct freq_actions actions = { 0 };
	struct freq_snapshot snap;
	int r = driver_start(f);

	if (r < 0)
		return r;
	if (!f->offer.range.max_khz) /* no driver: the hardware runs as it likes */
		f->cpus[0]->freq = NULL;
	if (!f->offer.range.max_khz || f->offer.own_policies)
		return 0;
	make_snapshot(f, &snap);
	for (int i = 0; governor->tune && i < s->p->nr_tunables; i++)
		governor->tune(f->governor, s->p->tunables[i].key, s->p->tunables[i].value);
	if (governor->start)
		governor->start(f->governor, &snap, &actions);
	act(f, f->cpus[0], &actions);
	return 0;
}

/* A worker sleeps on the CPU of its policy, ahead of all ordinary tasks, as sugov's does. */
static void init_worker(struct sim *s, struct sim_freq *f, struct sim_task *t)
{
	static const struct workload_task def = {
		.name = "cpufreq worker", .sched_class = TASK_RT, .kernel = true, .first_cpu = -1
	};

	*t = (struct sim_task){ .id = -1,
		.def = &def,
		.state = TASK_SLEEPS,
		.cpu = f->cpus[0],
		.switch_due = true,
		.works_for = f,
		.device = -1 };
	node_init(&t->node, NODE_TASK, t);
	t->irq.task = t;
	bit_set(&t->allowed, f->cpus[0]->id, true);
	sched_weigh(t);
	f->worker = t;
}

int freq_init(struct sim *s)
{
	const struct policy *p = s->p;
	size_t nr = (size_t)s->nr_cpus;

	s->policies = calloc(nr, sizeof(*s->policies));
	s->workers = calloc(nr, sizeof(*s->workers));
	s->driver_shared = calloc(1, p->driver->shared_size + 1);
	s->driver_states = calloc(nr, p->driver->state_size + 1);
	s->governor_states = calloc(nr, p->governor->state_size + 1);
	s->boost_states = calloc(nr, p->boost->state_size + 1);
	if (!s->policies || !s->workers || !s->driver_shared || !s->driver_states ||
		!s->governor_states || !s->boost_states)
		return error_set(s->err, 12, "out of memory");
	s->hooks = p->governor->on_util || p->boost->on_util || p->driver->on_util;
	for (int i = 0; i < s->nr_cpus; i++) {
		struct sim_freq *f = &s->policies[i];
		struct sim_cpu *c = &s->cpus[i];

		f->sim = s;
		f->nr_cpus = 1;
		f->cpus[0] = c;
		f->governor = (char *)s->governor_states + (size_t)i * p->governor->state_size;
		f->unit.shared = s->driver_shared;
		f->unit.state = (char *)s->driver_states + (size_t)i * p->driver->state_size;
		c->boost_state = (char *)s->boost_states + (size_t)i * p->boost->state_size;
		node_init(&f->work, NODE_WORK, f);
		init_worker(s, f, &s->workers[i]);
		c->freq = f;
	}
	return 0;
}

int freq_start(struct sim *s)
{
	int r;

	hw_init(s);
	r = driver_load(s);
	for (int i = 0; i < s->nr_cpus && r >= 0; i++)
		if (s->cpus[i].online)
			r = start_policy(s, &s->policies[i]);
	if (r < 0)
		return r;
	for (int i = 0; i < s->m->nr_packages; i++)
		package_start(s, &s->packages[i]);
	s->started = true;
	return 0;
}
