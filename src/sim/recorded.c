// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sched=recorded: tasks run on the CPUs where they were recorded, and give way where they did. The
 * scheduler asks for a waking task's CPU, and moves one that went on elsewhere without a wait.
 */
#include "sim/internal.h"

int recorded_cpu(struct sim *s, struct sim_task *t)
{
	int r = t->has_next || t->id < 0 ? 1 : program_next(s->w, t->id, &t->next_op, s->err);

	if (r < 0)
		s->status = r;
	if (r <= 0 || t->id < 0)
		return -1;
	t->has_next = true;
	return t->next_op.kind == OP_RUN ? OP_RUN_CPU(&t->next_op) : -1;
}

/* It ran on without a wait, but on another CPU, or after another task. */
void recorded_go_on(struct sim_cpu *c, const struct op *op)
{
	struct sim *s = c->sim;
	int cpu = OP_RUN_CPU(op);

	c->curr->gives_way = op->flags & OP_GAVE_WAY && c->nr_rq;
	if (cpu >= 0 && cpu != c->id && cpu < s->nr_cpus && s->cpus[cpu].online &&
		bit_get(&c->curr->allowed, cpu))
		c->curr->move_to = &s->cpus[cpu];
}
