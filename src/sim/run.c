// SPDX-License-Identifier: GPL-2.0-or-later
#include "sim/hw.h"
#include "sim/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const int64_t default_max_ns = 86400LL * NSEC_PER_SEC;

static int out_of_memory(struct sim *s)
{
	return error_set(s->err, ENOMEM, "out of memory");
}

/* Online CPUs of its core if there is another one, else of its cache domain. */
static int domain_cpus(const struct sim *s, int cpu)
{
	const struct machine_cpu *me = &s->m->cpus[cpu];
	int core = 0, llc = 0;

	for (int i = 0; i < s->nr_cpus; i++) {
		const struct machine_cpu *c = &s->m->cpus[i];

		core += c->online && c->core == me->core;
		llc += c->online && c->llc == me->llc;
	}
	return core > 1 ? core : llc;
}

static int init_cpu(struct sim *s, int i)
{
	struct sim_cpu *c = &s->cpus[i];
	const struct machine_cpu *def = &s->m->cpus[i];
	struct sim_core *core = &s->cores[def->core];

	c->id = i;
	c->sim = s;
	c->def = def;
	c->core = core;
	c->online = def->online;
	c->act = ACT_OFF;
	c->state = -1;
	c->khz = 1;
	c->next_tick_ns = s->m->tick_ns;
	c->avg_idle_ns = 2 * (uint64_t)s->m->costs.migration_cost_ns;
	c->latency_limit_ns = policy_latency_ns(s->p, i);
	node_init(&c->done, NODE_DONE, c);
	node_init(&c->ipi, NODE_IPI, c);
	node_init(&c->doorbell, NODE_DOORBELL, c);
	node_init(&c->answer, NODE_ANSWER, c);
	if (core->nr_threads == (int)ARRAY_LEN(core->threads))
		return error_set(s->err, EINVAL, "%s: core %d has more than %zu threads",
			s->m->name, def->core, ARRAY_LEN(core->threads));
	core->id = def->core;
	core->package = def->package;
	core->threads[core->nr_threads++] = c;
	bit_set(&s->online, i, c->online);
	bit_set(&s->idle_cpus, i, c->online);
	bit_set(&s->idle_cores, i, c->online);
	s->llc[i] = def->llc;
	c->nr_domain_cpus = domain_cpus(s, i);
	return idle_unit_init(&c->idle, s->p, &s->m->idle,
		(char *)s->idle_states + (size_t)i * s->p->idle->state_size, s->err);
}

static void init_task(struct sim *s, int i)
{
	struct sim_task *t = &s->tasks[i];
	bool none = true, any = false;
	int first;

	t->id = i;
	t->def = &s->w->tasks[i];
	s->special_power |= t->def->power_permille && t->def->power_permille != 1000;
	t->device = -1;
	node_init(&t->node, NODE_TASK, t);
	t->irq.task = t;
	sched_weigh(t);
	for (int w = 0; w < PLACE_WORDS; w++)
		none &= !t->def->allowed[w] || t->def->follows_waker;
	for (int w = 0; w < PLACE_WORDS; w++) {
		t->allowed.word[w] = s->online.word[w] & (none ? ~0ULL : t->def->allowed[w]);
		any |= t->allowed.word[w] != 0;
	}
	for (int n = 0; t->def->node && n < s->nr_cpus; n++)
		if (s->m->cpus[n].node != t->def->node - 1)
			bit_set(&t->allowed, n, false);
	for (int w = 0; w < PLACE_WORDS && t->def->node; w++)
		any = w ? any || t->allowed.word[w] : t->allowed.word[w];
	if (!any) /* its CPUs are not there: the kernel too lets it run anywhere then */
		t->allowed = s->online;
	first = t->def->first_cpu;
	if (first < 0 || first >= s->nr_cpus || !bit_get(&t->allowed, first)) {
		/* Spread over the CPUs, by number: a start must not depend on chance. */
		first = first < 0 ? i : first;
		for (first %= s->nr_cpus; !bit_get(&t->allowed, first);)
			first = (first + 1) % s->nr_cpus;
	}
	t->cpu = &s->cpus[first];
}

/* A machine's cores need not be numbered by package. */
static void list_cores(struct sim *s)
{
	struct sim_core **list = s->package_cores;

	for (int i = 0; i < s->m->nr_packages; i++) {
		struct sim_package *p = &s->packages[i];

		p->cores = list;
		for (int n = 0; n < s->m->nr_cores; n++)
			if (s->cores[n].package == i)
				p->cores[p->nr_cores++] = &s->cores[n];
		list += p->nr_cores;
	}
}

static int init(struct sim *s)
{
	size_t cpus = (size_t)s->m->nr_cpus, tasks = (size_t)s->w->nr_tasks;
	int r;

	s->nr_cpus = s->m->nr_cpus;
	s->queue_room = (int)(10 * cpus + tasks + 8);
	for (int i = s->m->idle.nr_states - 1; i >= 0; i--)
		if (!s->m->idle.states[i].polling)
			s->halt_state = i;
	if (s->m->idle.nr_states && !s->m->idle.states[s->halt_state].polling)
		s->halt_wake_ns = s->m->idle_real[s->halt_state].wake_ns;
	s->cpuidle = strcmp(s->m->idle_driver_name, "none") != 0;
	sched_init(s);
	node_init(&s->stall, NODE_STALL, s);
	s->nr_tasks = s->w->nr_tasks;
	s->cpus = calloc(cpus, sizeof(*s->cpus));
	s->cores = calloc((size_t)s->m->nr_cores, sizeof(*s->cores));
	s->packages = calloc((size_t)s->m->nr_packages, sizeof(*s->packages));
	s->package_cores = calloc((size_t)s->m->nr_cores, sizeof(*s->package_cores));
	s->tasks = calloc(tasks + 1, sizeof(*s->tasks));
	s->channels = calloc((size_t)s->w->nr_channels + 1, sizeof(*s->channels));
	s->nr_running = calloc(cpus, sizeof(*s->nr_running));
	s->llc = calloc(cpus, sizeof(*s->llc));
	s->idle_states = calloc(cpus, s->p->idle->state_size + 1);
	if (!s->cpus || !s->cores || !s->packages || !s->package_cores || !s->tasks ||
		!s->channels || !s->nr_running || !s->llc || !s->idle_states ||
		queue_init(&s->queue, s->queue_room) || slots_init(&s->clocks, (int)cpus) ||
		slots_init(&s->work, (int)cpus))
		return out_of_memory(s);
	r = policy_disable_mask(s->p, &s->m->idle, &s->disable_mask, s->err);
	if (r < 0)
		return r;
	for (int i = 0; i < s->m->nr_packages; i++)
		s->packages[i].id = i;
	for (int i = 0; i < s->nr_cpus && r >= 0; i++)
		r = init_cpu(s, i);
	list_cores(s);
	budget_init(s);
	device_init(s);
	for (int i = 0; i < s->nr_tasks && r >= 0; i++)
		init_task(s, i);
	if (r >= 0)
		r = freq_init(s);
	if (s->w->recorded && s->m->freq_domain == FREQ_DOMAIN_NONE)
		s->recorded_khz = s->w->env.khz;
	return r;
}

static void release(struct sim *s)
{
	for (int i = 0; s->cpus && i < s->nr_cpus; i++) {
		free(s->cpus[i].rq);
		queue_release(&s->cpus[i].timers);
	}
	while (s->all_signals) {
		struct delayed_signal *d = s->all_signals;

		s->all_signals = d->all_next;
		free(d);
	}
	queue_release(&s->queue);
	slots_release(&s->clocks);
	slots_release(&s->work);
	free(s->pcc.memory);
	free(s->cpus);
	free(s->cores);
	free(s->packages);
	free(s->package_cores);
	free(s->tasks);
	free(s->channels);
	free(s->nr_running);
	free(s->llc);
	free(s->idle_states);
	freq_release(s);
	warm_release(s);
	free(s->keepers);
}

/* All CPUs begin in the idle loop, then the tasks that run from the beginning wake up. */
static int begin(struct sim *s)
{
	int r = freq_start(s);

	if (r < 0)
		return r;
	r = keepers_start(s);
	if (r < 0)
		return r;
	for (int i = 0; i < s->nr_tasks; i++) {
		struct sim_task *t = &s->tasks[i];

		if (!t->def->starts) /* OP_FORK may start it */
			continue;
		s->nr_live += !t->def->service;
		s->nr_active++;
		queue_set(&s->queue, &t->node, max_i64(t->def->start_ns, 0));
	}
	for (int i = 0; i < s->nr_cpus; i++) {
		if (!s->cpus[i].online)
			continue;
		clock_program(&s->cpus[i]);
		idle_warm_up(&s->cpus[i]);
		idle_enter(&s->cpus[i]);
	}
	return 0;
}

static void done(struct sim_cpu *c)
{
	switch (c->act) {
	case ACT_RUN:
		cpu_close(c);
		c->curr->left_ns = 0;
		c->curr->left_cycles = 0;
		if (!task_step(c))
			schedule(c);
		break;
	case ACT_SWITCH:
		cpu_close(c);
		if (c->need_resched || !task_step(c))
			schedule(c);
		break;
	case ACT_IRQ:
		irq_done(c);
		break;
	default:
		idle_done(c);
	}
}

static void ipi(struct sim_cpu *c)
{
	bool by_flag = c->act == ACT_IDLE && (c->sim->m->idle_real[c->state].monitors ||
						     c->idle.cpu.driver->states[c->state].polling);

	if (by_flag)
		idle_wake(c);
	else if (c->need_resched)
		irq_resched(c);
}

/* What is due next: a queue's node, or a slot of the CPU that is its owner. */
struct event {
	int64_t time_ns;
	int kind; /* enum node_kind */
	void *owner;
	struct node *node;
};

/* False: nothing. */
static bool next_event(struct sim *s, struct event *ret)
{
	const struct match *work = slots_first(&s->work), *clock;
	struct queue_key in = work->key, out;
	struct node *n;

	if (s->stalled_ns && in.time_ns != INT64_MAX)
		in.time_ns += s->stalled_ns;
	do {
		clock = slots_first(&s->clocks);
		out = clock->key;
		n = queue_first(&s->queue);
		if (n && key_before(s->queue.heap[0].key, out))
			out = s->queue.heap[0].key;
		else
			n = NULL;
	} while (out.time_ns < s->stall_end_ns && stall_postpones(s, n, clock->slot));
	if (key_before(in, out))
		*ret = (struct event){ in.time_ns, NODE_DONE, &s->cpus[work->slot], NULL };
	else if (n)
		*ret = (struct event){ out.time_ns, n->kind, n->owner, n };
	else
		*ret = (struct event){ out.time_ns, NODE_CLOCK, &s->cpus[clock->slot], NULL };
	return ret->time_ns != INT64_MAX;
}

static void take_event(struct sim *s, const struct event *e)
{
	if (e->node)
		queue_remove(&s->queue, e->node);
	else
		slots_clear(e->kind == NODE_DONE ? &s->work : &s->clocks,
			((struct sim_cpu *)e->owner)->id);
	if (e->kind == NODE_DONE)
		((struct sim_cpu *)e->owner)->done_outside = false;
}

static void dispatch(struct sim *s, const struct event *n)
{
	switch (n->kind) {
	case NODE_DONE:
		done(n->owner);
		break;
	case NODE_CLOCK:
		irq_clock(n->owner);
		break;
	case NODE_IPI:
		ipi(n->owner);
		break;
	case NODE_SIGNAL:
		signal_event(n->owner);
		break;
	case NODE_CHANGE:
		driver_change_due(n->owner);
		break;
	case NODE_WORK:
		freq_work_due(n->owner);
		break;
	case NODE_BUDGET:
		budget_look(n->owner);
		break;
	case NODE_HWP:
		hwp_window_end(n->owner);
		break;
	case NODE_FREQ: {
		struct sim_core *core = n->owner;

		core_request(core, core->next_khz);
		break;
	}
	case NODE_STALL:
		stall_over(s);
		break;
	case NODE_DOORBELL:
		pcc_doorbell(n->owner);
		break;
	case NODE_ANSWER:
		pcc_answer(n->owner);
		break;
	default:
		task_event(n->owner);
	}
}

static int deadlock(struct sim *s)
{
	for (int i = 0; i < s->nr_tasks; i++) {
		const struct sim_task *t = &s->tasks[i];

		if (t->state == TASK_SLEEPS)
			return error_set(s->err, EDEADLK,
				"%s: %d tasks wait for signals that nobody sends any more, "
				"the first is task %d (%s) on channel %u at %lld ns",
				s->w->name, s->nr_live, i, t->def->name, t->wait_channel,
				(long long)s->now_ns);
	}
	return error_set(s->err, EDEADLK, "%s: no task can go on", s->w->name);
}

static int loop(struct sim *s)
{
	int64_t max_ns = s->options->max_ns ? (int64_t)s->options->max_ns : default_max_ns;
	bool fixed_time = s->w->duration_ns && (int64_t)s->w->duration_ns <= max_ns;
	int64_t warm_ns = (int64_t)s->w->warm_up_ns, limit_ns;
	struct event e;

	if (fixed_time)
		max_ns = (int64_t)s->w->duration_ns + warm_ns;
	limit_ns = warm_ns && warm_ns < max_ns ? warm_ns : max_ns;
	while (!s->stopped && !s->status) {
		if (!s->nr_live && !fixed_time)
			break;
		if (!s->nr_active && !fixed_time) {
			if (!s->w->recorded)
				return deadlock(s);
			s->stranded = s->nr_live;
			break;
		}
		if (!next_event(s, &e) || e.time_ns > limit_ns) {
			if (limit_ns < max_ns) {
				s->status = warm_end(s);
				limit_ns = max_ns;
				continue;
			}
			s->end_ns = s->now_ns = max_ns;
			s->stopped = true;
			break;
		}
		s->now_ns = e.time_ns;
		s->counters.events++;
		take_event(s, &e);
		dispatch(s, &e);
		if (s->options->check)
			check_step(s);
	}
	if (!s->stopped)
		s->end_ns = s->now_ns;
	return s->status;
}

int sim_run(const struct machine *m, struct workload *w, const struct policy *p,
	const struct sim_options *options, struct run_result *ret, struct error *err)
{
	struct run_result result = { 0 };
	struct sim s = { .m = m, .w = w, .p = p, .options = options, .err = err };
	int r;

	r = machine_simulable(m, err);
	if (r >= 0)
		r = workload_rewind(w, options->seed, err);
	if (r >= 0)
		r = init(&s);
	if (r >= 0)
		r = begin(&s);
	if (r >= 0)
		r = loop(&s);
	if (r >= 0)
		log_end(&s);
	if (r == -ENOMEM)
		out_of_memory(&s);
	if (r >= 0)
		r = tally(&s, &result);
	if (r >= 0 && options->check)
		r = check_end(&s, &result, err);
	release(&s);
	if (r < 0) {
		result_release(&result);
		return r;
	}
	*ret = result;
	return 0;
}
