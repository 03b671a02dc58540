// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Frequency policies: the governor, boost and driver of one CPU or of all CPUs of a frequency
 * domain, called where the kernel calls them, and what the kernel's cpufreq core does between them.
 *
 * Hooks run in the scheduler. What a governor cannot do there it leaves to an irq work, which runs
 * at once on that CPU and wakes a worker: a kworker of that CPU, or the governor's own thread. A
 * driver's call runs along its own time cursor, and its whole span is system time of the CPU that
 * made it, which nothing but interrupts gets in between.
 */
#include "policy/freq/governors.h"
#include "policy/freq/resolve.h"
#include "sim/hw.h"
#include "sim/internal.h"

#include <errno.h>
#include <stdlib.h>

enum {
	WORK_NS = 1000, /* what a worker does beside the governor and the driver */
	CAPACITY = 1024,
};

/* ---- what governors see ---------------------------------------------------------------- */

static bool is_idle(const struct sim_cpu *c)
{
	return c->act == ACT_IDLE_ENTER || c->act == ACT_IDLE || c->act == ACT_IDLE_WAKE ||
	       c->act == ACT_IDLE_EXIT;
}

static void read_load(const struct sim_cpu *c, struct cpu_load *ret)
{
	struct sim *s = c->sim;
	uint64_t open_ns = (uint64_t)(s->now_ns - c->since_ns);

	*ret = (struct cpu_load){
		.cpu = c->id,
		.util = util_cpu(c),
		.capacity = CAPACITY,
		.idle_calls = c->idle_calls,
		.wall_ns = (uint64_t)s->now_ns,
		.idle_ns = c->idle_ns,
		.iowait_ns = c->iowait_ns,
		.nice_ns = c->nice_ns,
	};
	if (is_idle(c) && c->nr_iowait)
		ret->iowait_ns += open_ns;
	else if (is_idle(c))
		ret->idle_ns += open_ns;
	else if (c->act == ACT_RUN && c->curr && c->curr->def->nice > 0 && !c->curr->def->kernel)
		ret->nice_ns += open_ns;
}

static const struct freq_snapshot *snapshot(struct sim_freq *f)
{
	struct freq_snapshot *snap = &f->snapshot;

	snap->now_ns = f->sim->now_ns;
	snap->cur_khz = f->cur_khz;
	snap->min_khz = f->limits.min_khz;
	snap->max_khz = f->limits.max_khz;
	snap->device_busy_permille = devices_busy_permille(f->sim, f->cpus[0]->core->package);
	snap->package_limited = budget_limits(f->sim, f->cpus[0]->core->package);
	for (int i = 0; i < f->nr_cpus; i++)
		read_load(f->cpus[i], &f->loads[i]);
	return snap;
}

/* ---- what they ask for ----------------------------------------------------------------- */

/* From process context: to a P-state of the driver, and nothing when that is in force already. */
static void target(struct sim_freq *f, int64_t *cursor, uint32_t khz, unsigned relation)
{
	const struct driver_info *driver = &f->offer.info;

	relation &= ~(unsigned)FREQ_EFFICIENT;
	khz = freq_resolve(driver, khz, f->limits.min_khz, f->limits.max_khz, relation);
	if (khz != f->cur_khz || driver->need_update_limits)
		driver_target(f, cursor, khz, (enum freq_relation)relation);
}

static void fast_switch(struct sim_freq *f, int64_t *cursor, uint32_t khz)
{
	khz = khz < f->limits.min_khz ? f->limits.min_khz : khz;
	khz = khz > f->limits.max_khz ? f->limits.max_khz : khz;
	driver_target(f, cursor, khz, FREQ_AT_LEAST);
}

static void adjust_perf(struct sim_freq *f, int64_t *cursor, uint64_t value)
{
	if (f->unit.driver->adjust_perf)
		f->unit.driver->adjust_perf(
			&f->unit, cursor, (uint32_t)(value >> 32), (uint32_t)value, CAPACITY);
}

/* A kworker for what the governor queued on this CPU, or its own thread, which may run on any. */
static struct sim_task *worker_for(struct sim_freq *f, struct sim_cpu *here, bool own_thread)
{
	static const struct workload_task kworker = {
		.name = "kworker", .kernel = true, .first_cpu = -1
	};
	static const struct workload_task thread = {
		.name = "sugov", .sched_class = TASK_RT, .kernel = true, .first_cpu = -1
	};
	struct sim_cpu *at = own_thread || here->freq != f ? f->cpus[0] : here;
	struct sim_task *t = &f->sim->workers[at->id];

	t->def = own_thread ? &thread : &kworker;
	for (int i = 0; i < f->nr_cpus; i++)
		bit_set(&t->allowed, f->cpus[i]->id, own_thread || f->cpus[i] == at);
	return t;
}

static void queue_work(struct sim_freq *f, struct sim_cpu *here, int64_t delay_ns, bool own_thread)
{
	if (f->work_pending)
		return;
	f->work_pending = true;
	f->worker = worker_for(f, here, own_thread);
	f->irq_cpu = here;
	queue_set(&f->sim->queue, &f->work, f->sim->now_ns + delay_ns);
}

/* Returns how long the drivers took. */
static int64_t act(
	struct sim_freq *f, struct sim_cpu *here, const struct freq_actions *actions, int cpu)
{
	struct sim *s = f->sim;
	int64_t cursor = s->now_ns;

	for (int i = 0; i < actions->nr; i++) {
		uint64_t value = actions->list[i].value;

		switch (actions->list[i].kind) {
		case FREQ_FAST_SWITCH:
			fast_switch(f, &cursor, (uint32_t)value);
			break;
		case FREQ_TARGET:
			target(f, &cursor, (uint32_t)value, actions->list[i].relation);
			break;
		case FREQ_ADJUST_PERF:
			adjust_perf(f, &cursor, value);
			break;
		case FREQ_HWP_WRITE:
			s->counters.boosts++;
			hw_wrmsr(s, &cursor, cpu, MSR_HWP_REQUEST, value);
			break;
		case FREQ_QUEUE_IRQ_WORK:
			queue_work(f, here, 0, value != 0);
			break;
		case FREQ_QUEUE_WORK:
			queue_work(f, here, (int64_t)value, false);
			break;
		}
	}
	return cursor - s->now_ns;
}

/* ---- hooks, workers, limits ------------------------------------------------------------ */

/* A governor without a thread of its own is deaf while a kworker does its work. */
static bool is_deaf(const struct sim_freq *f)
{
	return f->worker && f->worker->no_preempt && f->worker->def->sched_class != TASK_RT;
}

void freq_hook(struct sim_cpu *c, struct sim_cpu *here, unsigned flags)
{
	struct sim *s = c->sim;
	struct sim_freq *f = c->freq;
	const struct freq_snapshot *snap;
	struct freq_actions actions = { 0 };
	struct util_event event = { .now_ns = s->now_ns,
		.cpu = c->id,
		.this_cpu = here->id,
		.flags = flags,
		.index = c->freq_index };

	if (!f || !s->started)
		return;
	if (f->offer.own_policies)
		here->stolen_ns += driver_hook(f, &event);
	if (f->offer.own_policies && !c->boost_hooked)
		return;
	event.foreign = here->freq != f && !f->offer.info.any_cpu;
	snap = snapshot(f);
	if (!f->offer.own_policies && s->governor->on_util && !is_deaf(f))
		s->governor->on_util(f->governor, &event, snap, &actions);
	if (c->boost_hooked)
		s->p->boost->on_util(c->boost_state, &event, snap, c->hwp_cached,
			hw_capabilities(s, c->id), &actions);
	if (actions.nr)
		here->stolen_ns += act(f, here, &actions, c->id);
}

/* The irq work is raised; a worker that still runs sees by itself that there is more to do. */
void freq_work_due(struct sim_freq *f)
{
	if (f->worker->state == TASK_SLEEPS)
		irq_device(f->irq_cpu, &f->worker->irq);
}

bool freq_worker(struct sim_cpu *c)
{
	struct sim_task *t = c->curr;
	struct sim_freq *f = t->works_for;
	struct sim *s = c->sim;
	struct freq_actions actions = { 0 };
	const struct freq_snapshot *snap;

	t->no_preempt = false;
	if (!f->work_pending || f->worker != t) {
		t->state = TASK_SLEEPS;
		t->switch_due = true;
		return false;
	}
	f->work_pending = false;
	snap = snapshot(f);
	if (s->governor->work)
		s->governor->work(f->governor, snap, &actions);
	t->left_ns = WORK_NS;
	t->until_ns = s->now_ns + WORK_NS + act(f, c, &actions, f->cpus[0]->id);
	t->no_preempt = true;
	return true;
}

void freq_set_limits(struct sim_freq *f, const struct freq_limits *limits)
{
	const struct freq_governor *governor = f->sim->governor;
	struct freq_actions actions = { 0 };

	f->limits = *limits;
	if (governor->limits)
		governor->limits(f->governor, snapshot(f), &actions);
	f->cpus[0]->stolen_ns += act(f, f->cpus[0], &actions, f->cpus[0]->id);
}

/* ---- start ----------------------------------------------------------------------------- */

static int tune(struct sim *s, struct sim_freq *f)
{
	const struct freq_governor *governor = s->governor;

	for (int i = 0; governor->tune && i < s->p->nr_tunables; i++) {
		const char *key = s->p->tunables[i].key, *value = s->p->tunables[i].value;
		int r = governor->tune(f->governor, key, value);

		if (r < 0 && r != -ENOENT)
			return error_set(s->err, -r, "%s: bad value '%s' for governor %s", key,
				value, governor->name);
	}
	return 0;
}

static int join(struct sim *s, struct sim_freq *f, struct sim_cpu *c)
{
	size_t nr = (size_t)f->nr_cpus + 1;
	struct sim_cpu **cpus = realloc(f->cpus, nr * sizeof(*cpus));
	int *ids;

	if (!cpus)
		return error_set(s->err, ENOMEM, "out of memory");
	f->cpus = cpus;
	ids = realloc(f->ids, nr * sizeof(*ids));
	if (!ids)
		return error_set(s->err, ENOMEM, "out of memory");
	f->ids = ids;
	f->cpus[f->nr_cpus] = c;
	f->ids[f->nr_cpus] = c->id;
	c->freq_index = f->nr_cpus++;
	c->freq = f;
	f->unit.cpus = f->ids;
	f->unit.nr_cpus = f->nr_cpus;
	return 0;
}

/* The driver knows of more CPUs that share what it asks for: those of the package. */
static int join_shared(struct sim *s, struct sim_freq *f)
{
	int r = 0;

	for (int i = f->cpus[0]->id + 1; i < s->nr_cpus && !r; i++) {
		struct sim_cpu *c = &s->cpus[i];

		if (c->online && c->core->package == f->cpus[0]->core->package)
			r = join(s, f, c);
	}
	return r;
}

/* A worker sleeps on its CPU. */
static void init_worker(struct sim *s, struct sim_freq *f, struct sim_cpu *c)
{
	struct sim_task *t = &s->workers[c->id];

	*t = (struct sim_task){ .id = -1,
		.state = TASK_SLEEPS,
		.cpu = c,
		.switch_due = true,
		.works_for = f,
		.device = -1 };
	node_init(&t->node, NODE_TASK, t);
	t->irq.task = t;
	worker_for(f, c, false);
	sched_weigh(t);
}

/* The governor from its beginning to its first look at the limits. */
static int start_governor(struct sim *s, struct sim_freq *f)
{
	const struct freq_governor *governor = s->governor;
	struct freq_snapshot *snap = &f->snapshot;
	struct freq_actions actions = { 0 };
	int r;

	f->loads = calloc((size_t)f->nr_cpus, sizeof(*f->loads));
	f->governor =
		calloc(1, governor->state_size + (size_t)f->nr_cpus * governor->cpu_state_size + 1);
	if (!f->loads || !f->governor)
		return error_set(s->err, ENOMEM, "out of memory");
	*snap = (struct freq_snapshot){
		.tick_ns = s->m->tick_ns,
		.cpuinfo_min_khz = f->offer.range.min_khz,
		.cpuinfo_max_khz = f->offer.range.max_khz,
		.nr_cpus = f->nr_cpus,
		.cpus = f->loads,
		.invariant = s->invariant,
		.efficient_idle = s->m->platform.vendor != VENDOR_AMD,
		.driver = f->offer.info,
	};
	snapshot(f);
	if (f->offer.own_policies)
		return 0;
	if (governor->init)
		governor->init(governor, f->governor, snap);
	r = tune(s, f);
	if (r < 0)
		return r;
	if (governor->start)
		governor->start(f->governor, snap, &actions);
	act(f, f->cpus[0], &actions, f->cpus[0]->id);
	freq_set_limits(f, &f->limits);
	f->cpus[0]->stolen_ns = 0; /* before time begins */
	return 0;
}

/* As the kernel brings up the policy of a CPU that has none yet. */
static int start_policy(struct sim *s, struct sim_cpu *c)
{
	struct sim_freq *f = &s->policies[s->nr_policies++];
	int r;

	f->sim = s;
	f->unit.shared = s->driver_shared;
	f->unit.state = calloc(1, s->driver->state_size + 1);
	if (!f->unit.state)
		return error_set(s->err, ENOMEM, "out of memory");
	node_init(&f->work, NODE_WORK, f);
	r = join(s, f, c);
	if (r >= 0)
		r = driver_start(f);
	if (r >= 0 && !f->offer.range.max_khz) /* no driver: the hardware runs as it likes */
		c->freq = NULL;
	if (r < 0 || !f->offer.range.max_khz)
		return r;
	if (f->offer.no_dynamic && s->governor->on_util)
		s->governor = &freq_performance;
	if (f->offer.shared)
		r = join_shared(s, f);
	for (int i = 0; i < f->nr_cpus && r >= 0; i++)
		init_worker(s, f, f->cpus[i]);
	return r < 0 ? r : start_governor(s, f);
}

int freq_init(struct sim *s)
{
	const struct policy *p = s->p;
	size_t nr = (size_t)s->nr_cpus;

	s->policies = calloc(nr, sizeof(*s->policies));
	s->workers = calloc(nr, sizeof(*s->workers));
	driver_select(s);
	s->driver_shared = calloc(1, s->driver->shared_size + 1);
	if (!s->policies || !s->workers || !s->driver_shared)
		return error_set(s->err, ENOMEM, "out of memory");
	util_init(s);
	s->governor = p->governor;
	s->hooks = p->governor->on_util || p->boost->on_util || s->driver->on_util;
	return boost_init(s);
}

int freq_start(struct sim *s)
{
	int r;

	r = hw_init(s);
	if (r >= 0)
		r = driver_load(s);
	for (int i = 0; i < s->nr_cpus && r >= 0; i++)
		if (s->cpus[i].online && !s->cpus[i].freq)
			r = start_policy(s, &s->cpus[i]);
	if (r < 0)
		return r;
	for (int i = 0; i < s->m->nr_packages; i++)
		package_start(s, &s->packages[i]);
	pcc_started(s);
	s->started = true;
	return 0;
}

void freq_release(struct sim *s)
{
	for (int i = 0; i < s->nr_policies; i++) {
		struct sim_freq *f = &s->policies[i];

		free(f->cpus);
		free(f->ids);
		free(f->loads);
		free(f->governor);
		free(f->unit.state);
	}
	free(s->policies);
	free(s->workers);
	free(s->driver_shared);
	free(s->boost_states);
}
