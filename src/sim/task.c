// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Programs of tasks: what each op does. A recorded task's run time holds its context switches
 * and the IPIs that it sent; where the replay needs fewer or more of them, the difference is
 * owed to the next run.
 */
#include "sim/internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 1000000 }; /* ops without time in a row */
enum { KEEPER_NS = 20000, KEEPER_STREAM = 100000 };

/* Room in a timer heap for one more; a failure stops the simulation. */
static bool timer_room(struct sim_cpu *c)
{
	int r = queue_grow(
		&c->timers, c->timers.nr + 1 > c->timers.size ? 2 * c->timers.nr + 8 : 0);

	if (r)
		c->sim->status = r;
	return !r;
}

static bool falls_asleep(struct sim_cpu *c, const struct op *op)
{
	struct sim_task *t = c->curr;

	t->state = TASK_SLEEPS;
	t->wait_kind = op->kind;
	t->new_process = op->kind == OP_WAIT && (op->flags & OP_NEW);
	t->switch_due = !c->sim->w->recorded;
	if (op->flags & OP_IOWAIT) {
		t->iowait = true;
		c->nr_iowait++;
	}
	return false;
}

/* A wait that was over before it began: no switch, though the recording holds one. */
static void no_sleep(struct sim_cpu *c, const struct op *op)
{
	if (c->sim->w->recorded && !(op->flags & OP_NOSWITCH))
		c->curr->owed_ns -= c->sim->m->costs.context_switch_ns;
}

static bool sleep_on_timer(struct sim_cpu *c, const struct op *op, int64_t until_ns)
{
	struct sim_task *t = c->curr;

	if (until_ns <= c->sim->now_ns) {
		no_sleep(c, op);
		return true;
	}
	if (!timer_room(c))
		return false;
	t->node.kind = NODE_TIMER;
	queue_set(&c->timers, &t->node, until_ns);
	clock_program(c);
	return falls_asleep(c, op);
}

/* The CPU that took the interrupt when recorded, if there is one of that number; else this one. */
static struct sim_cpu *interrupt_cpu(struct sim_cpu *c, const struct op *op)
{
	uint32_t cpu = op->flags >> OP_CPU_SHIFT & OP_CPU_MASK;

	if (!cpu || (int)cpu > c->sim->nr_cpus || !c->sim->cpus[cpu - 1].online)
		return c;
	return &c->sim->cpus[cpu - 1];
}

static bool sleep_until_event(struct sim_cpu *c, const struct op *op, int64_t until_ns)
{
	struct sim_task *t = c->curr;

	if (until_ns <= c->sim->now_ns) {
		no_sleep(c, op);
		return true;
	}
	t->node.kind = NODE_TASK;
	t->irq_cpu = interrupt_cpu(c, op);
	queue_set(&c->sim->queue, &t->node, until_ns);
	return falls_asleep(c, op);
}

/* ---- devices --------------------------------------------------------------------------- */

/*
 * What the device itself took: a recorded time holds the way out of idle of the CPU that took the
 * interrupt, which the simulator adds again on a machine of the recording's kind.
 */
static int64_t device_ns(const struct sim *s, const struct op *op)
{
	int64_t ns = (int64_t)op->ns;

	if (s->recorded_khz && (op->flags & OP_FROM_IDLE))
		ns -= s->halt_wake_ns;
	return max_i64(ns, 0);
}

static bool request(struct sim_cpu *c, const struct op *op)
{
	struct sim *s = c->sim;
	struct sim_task *t = c->curr;

	s->counters.io_requests++;
	t->device = -1;
	t->stalls = op->flags & OP_STALLS;
	t->due_ns = 0;
	/* A recorded request's time holds its queueing: no queue a second time. */
	t->due_ns = cpu_time_ns(s) + device_ns(s, op);
	if (s->w->recorded || !s->m->nr_devices)
		return sleep_until_event(c, op, s->now_ns + device_ns(s, op));
	if (!device_request(c, op))
		return false;
	return falls_asleep(c, op);
}

/* ---- signals --------------------------------------------------------------------------- */

/* A timer that another task set, or (OP_IOWAIT) a request that another task waits for. */
static void delay_signal(struct sim_cpu *c, const struct op *op)
{
	struct sim *s = c->sim;
	struct delayed_signal *d = timer_room(c) ? signal_new(s) : NULL;

	if (!d)
		return;
	d->channel = op->target;
	d->cpu = interrupt_cpu(c, op);
	s->nr_active++;
	if (op->flags & OP_IOWAIT) {
		queue_set(&s->queue, &d->node, s->now_ns + device_ns(s, op));
		return;
	}
	queue_set(&c->timers, &d->node, s->now_ns + (int64_t)op->ns);
	clock_program(c);
}

static bool wait_signal(struct sim_cpu *c, const struct op *op)
{
	struct sim *s = c->sim;
	struct channel *ch = &s->channels[op->target];
	struct sim_task *t = c->curr;

	if (op->flags & OP_TURN)
		return turn_begin(c, op) || falls_asleep(c, op);
	if (op->flags & OP_ALL) {
		t->taken += ch->tokens;
		ch->tokens = 0;
		return true;
	}
	if (ch->tokens) {
		ch->tokens--;
		t->taken++;
		no_sleep(c, op);
		return true;
	}
	channel_wait(s, op->target, t);
	return falls_asleep(c, op);
}

/* ---- life ------------------------------------------------------------------------------ */

static void start(struct sim_task *t, struct sim_cpu *near)
{
	if (t->state != TASK_NEW)
		return;
	t->vruntime = near->min_vruntime;
	t->switch_due = true;
	sched_wake(t, near, false);
}

/* Tasks that run from the beginning are counted then, the others here. */
static void fork_task(struct sim_task *t, struct sim_cpu *near)
{
	if (t->state == TASK_NEW && !t->def->starts) {
		near->sim->nr_live++;
		near->sim->nr_active++;
		start(t, near);
	}
}

static bool ends(struct sim_cpu *c)
{
	struct sim *s = c->sim;

	c->curr->state = TASK_DONE;
	s->nr_live--;
	s->nr_active--;
	if (!c->curr->def->kernel)
		s->last_done_ns = s->now_ns;
	return false;
}

/* What is waited for stood still with the CPUs, and is not done yet. */
static bool stalled_meanwhile(struct sim_task *t)
{
	struct sim *s = t->cpu->sim;
	int64_t left = t->due_ns - cpu_time_ns(s);

	if (t->wait_kind != OP_IO || !t->stalls || left <= 0)
		return false;
	queue_set(&s->queue, &t->node, s->now_ns + left);
	return true;
}

void task_event(struct sim_task *t)
{
	struct sim *s = t->cpu->sim;

	if (t->state == TASK_NEW) {
		start(t, t->cpu);
		return;
	}
	if (stalled_meanwhile(t))
		return;
	if (t->wait_kind == OP_IO && t->device >= 0) {
		struct sim_device *d = &s->devices[t->device];

		device_done(s, t);
		if (d->def->irq_cpu >= 0 && d->def->irq_cpu < s->nr_cpus &&
			s->cpus[d->def->irq_cpu].online) {
			irq_device(&s->cpus[d->def->irq_cpu], &t->irq);
			return;
		}
	}
	irq_device(t->irq_cpu ? t->irq_cpu : t->cpu, &t->irq);
}

void task_irq(struct sim_cpu *c, struct irq_item *item)
{
	if (item->task)
		sched_wake(item->task, c, false);
	else
		signal_due(c, item->signal);
}

static void begin_run(struct sim_cpu *c, const struct op *op)
{
	struct sim *s = c->sim;
	struct sim_task *t = c->curr;
	int64_t owed = t->owed_ns;
	uint64_t cycles;

	t->in_kernel = op->flags & OP_SYSTEM;
	t->left_cycles = op->flags & OP_EACH ? op->cycles * t->taken : op->cycles;
	t->left_ns = (int64_t)op->ns;
	if (op->flags & OP_UNTIL)
		t->left_ns = max_i64(t->left_ns - s->now_ns, 0);
	if (s->p->sched.as_recorded)
		recorded_go_on(c, op);
	if (s->w->recorded && s->options->scaling == SCALE_NONE) {
		t->left_ns += (int64_t)cycles_to_ns(op->cycles, s->w->env.khz);
		t->left_cycles = 0;
	}
	t->owed_ns = 0;
	if (owed >= 0 || -owed <= t->left_ns) {
		t->left_ns += owed;
		return;
	}
	owed += t->left_ns;
	t->left_ns = 0;
	cycles = ns_to_cycles((uint64_t)-owed, c->khz);
	t->left_cycles -= cycles < t->left_cycles ? cycles : t->left_cycles;
}

static void count_operations(struct sim *s, uint64_t n)
{
	s->operations += n;
	if (s->w->recorded && s->w->truth.operations && s->operations >= s->w->truth.operations) {
		s->end_ns = s->now_ns;
		s->stopped = true;
	}
}

static void latency(struct sim_cpu *c, const struct op *op)
{
	struct sim *s = c->sim;

	if (op->ns != 1) {
		c->curr->op_start_ns = op->ns ? (int64_t)op->ns : s->now_ns;
		return;
	}
	s->latency_ns += (uint64_t)(s->now_ns - c->curr->op_start_ns);
	s->latency_count++;
}

/* One op. True: go on with the next one. */
static bool do_op(struct sim_cpu *c, const struct op *op)
{
	struct sim *s = c->sim;

	switch (op->kind) {
	case OP_RUN:
		begin_run(c, op);
		return true;
	case OP_SLEEP_FOR:
		return sleep_on_timer(c, op, s->now_ns + (int64_t)op->ns);
	case OP_SLEEP_UNTIL:
		return sleep_on_timer(c, op, (int64_t)op->ns);
	case OP_WAIT:
		return wait_signal(c, op);
	case OP_SIGNAL:
		if (op->ns && !(op->flags & (OP_TURN | OP_ALL)))
			delay_signal(c, op);
		else
			signal_send(c, op);
		return true;
	case OP_IO:
		return request(c, op);
	case OP_EXTERNAL:
		return sleep_until_event(c, op, (int64_t)op->ns);
	case OP_FORK:
		fork_task(&s->tasks[op->target], c);
		return true;
	case OP_COUNT:
		count_operations(s, op->cycles);
		return true;
	case OP_LATENCY:
		latency(c, op);
		return true;
	default:
		return ends(c);
	}
}

/* ---- the system's own timers ------------------------------------------------------------ */

/* Of a CPU: run for a moment, sleep on a timer. */
static bool keep_house(struct sim_cpu *c)
{
	const struct op sleep = { .kind = OP_SLEEP_FOR };
	struct sim_task *t = c->curr;

	t->op_start_ns = !t->op_start_ns;
	if (!t->op_start_ns)
		return sleep_on_timer(c, &sleep,
			c->sim->now_ns + 1 + (int64_t)rng_exponential(&t->rng, t->service_ns));
	t->left_ns = KEEPER_NS;
	return true;
}

int keepers_start(struct sim *s)
{
	static const struct workload_task def = { .name = "system", .kernel = true };
	const struct workload *w = s->w;

	if (!w->background_hz && !w->node_background_hz)
		return 0;
	s->keepers = calloc((size_t)s->nr_cpus, sizeof(*s->keepers));
	if (!s->keepers)
		return -ENOMEM;
	for (int i = 0; i < s->nr_cpus; i++) {
		bool bound = w->tasks[0].node && w->tasks[0].node - 1 == s->m->cpus[i].node;
		uint32_t hz = bound ? w->node_background_hz : w->background_hz;
		struct sim_task *t = &s->keepers[i];

		if (!s->cpus[i].online || !hz)
			continue;
		*t = (struct sim_task){ .id = -1, .def = &def, .device = -1, .keeps_house = true };
		t->cpu = &s->cpus[i];
		t->service_ns = NSEC_PER_SEC / hz;
		rng_init(&t->rng, s->options->seed, KEEPER_STREAM + (uint64_t)i);
		node_init(&t->node, NODE_TASK, t);
		t->irq.task = t;
		bit_set(&t->allowed, i, true);
		sched_weigh(t);
		queue_set(&s->queue, &t->node, (int64_t)rng_exponential(&t->rng, t->service_ns));
	}
	return 0;
}

bool task_step(struct sim_cpu *c)
{
	struct sim *s = c->sim;
	struct sim_task *t = c->curr;
	struct op op;
	int r;

	if (c->step_ns != s->now_ns) {
		c->step_ns = s->now_ns;
		c->steps = 0;
	}
	for (;;) {
		if (s->stopped || s->status)
			return true;
		if (t->move_to || t->gives_way)
			return false;
		if (t->left_ns || t->left_cycles) {
			t->left_ns += c->stolen_ns;
			c->stolen_ns = 0;
			cpu_resume_run(c);
			return true;
		}
		if (c->need_resched)
			return false;
		if (t->keeps_house) {
			if (!keep_house(c))
				return false;
			continue;
		}
		if (t->works_for) {
			if (!freq_worker(c))
				return false;
			continue;
		}
		for (; t->skip_ops; t->skip_ops--)
			program_next(s->w, t->id, &op, s->err);
		if (t->has_next) {
			op = t->next_op;
			t->has_next = false;
			r = 1;
		} else {
			r = program_next(s->w, t->id, &op, s->err);
		}
		if (r < 0 || ++c->steps > STEPS_MAX) {
			s->status = r < 0 ? r
					  : error_set(s->err, ELOOP,
						    "%s: task %d: more than %d ops in a row that "
						    "take no time",
						    s->w->name, t->id, STEPS_MAX);
			return true;
		}
		if (!r)
			op.kind = OP_EXIT;
		if (!do_op(c, &op))
			return false;
	}
}
