// SPDX-License-Identifier: GPL-2.0-or-later
#include "workload/gen_pair.h"

#include <stdio.h>

void pair_step(const struct gen *g, const struct pair_loop loops[2], int rounds, int spread,
	int task, struct gen_task *t, struct op *ret)
{
	int role = task % 2;
	const struct pair_op *op;

	if (t->step == loops[role].nr) {
		t->step = 0;
		t->round++;
	}
	if (g->key[rounds] && t->round == g->key[rounds]) {
		ret->kind = OP_EXIT;
		return;
	}
	op = &loops[role].ops[t->step++];
	ret->kind = op->kind;
	if (op->kind == OP_SIGNAL || op->kind == OP_WAIT)
		ret->target = (uint32_t)(task - role) + op->channel;
	else if (op->kind == OP_RUN)
		ret->cycles = gen_spread(&t->rng, g->key[op->key], g->key[spread]);
	else if (op->kind == OP_LATENCY)
		ret->ns = (uint64_t)op->key;
	else
		ret->cycles = 1;
}

void pair_names(struct workload *w, const char *client, const char *server)
{
	for (int i = 0; i < w->nr_tasks; i++)
		snprintf(w->tasks[i].name, sizeof(w->tasks[i].name), "%s/%d",
			i % 2 ? server : client, i / 2);
}
