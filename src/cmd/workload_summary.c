// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/workload_summary.h"
#include "base/units.h"
#include "workload/cpw.h"

#include <errno.h>
#include <stdlib.h>

const enum op_kind wait_kinds[] = { OP_WAIT, OP_SLEEP_FOR, OP_SLEEP_UNTIL, OP_IO, OP_EXTERNAL,
	OP_KINDS };

static bool waits(enum op_kind kind)
{
	for (const enum op_kind *k = wait_kinds; *k != OP_KINDS; k++)
		if (*k == kind)
			return true;
	return false;
}

static void add_op(struct task_summary *t, const struct op *op)
{
	t->ops++;
	if (op->kind == OP_RUN) {
		t->cycles += op->cycles;
		t->ns += op->ns;
	} else if (op->kind == OP_COUNT) {
		t->operations += op->cycles;
	} else if (waits(op->kind)) {
		/* It did not sleep in the recording: no wait of that run. */
		if (op->flags & OP_NOSWITCH)
			return;
		if (op->flags & OP_UNKNOWN)
			t->waits_unknown++;
		else
			t->waits[op->kind]++;
	}
}

static void add_summary(struct task_summary *sum, const struct task_summary *t)
{
	sum->ops += t->ops;
	sum->cycles += t->cycles;
	sum->ns += t->ns;
	sum->waits_unknown += t->waits_unknown;
	sum->operations += t->operations;
	for (int k = 0; k < OP_KINDS; k++)
		sum->waits[k] += t->waits[k];
}

int workload_summarise(struct workload *w, struct workload_summary *ret, struct error *err)
{
	struct workload_summary s = { calloc((size_t)w->nr_tasks, sizeof(*s.tasks)), { 0 } };
	int r = s.tasks ? workload_rewind(w, w->seed, err)
			: error_set(err, ENOMEM, "out of memory");

	for (int i = 0; !r && i < w->nr_tasks; i++) {
		struct op op;

		while ((r = program_next(w, i, &op, err)) == 1)
			add_op(&s.tasks[i], &op);
		add_summary(&s.total, &s.tasks[i]);
	}
	if (r) {
		workload_summary_release(&s);
		return r;
	}
	*ret = s;
	return 0;
}

void workload_summary_release(struct workload_summary *s)
{
	free(s->tasks);
	s->tasks = NULL;
}

uint64_t task_summary_waits(const struct task_summary *t)
{
	uint64_t sum = t->waits_unknown;

	for (int k = 0; k < OP_KINDS; k++)
		sum += t->waits[k];
	return sum;
}

uint64_t task_summary_run_ns(const struct task_summary *t, uint64_t khz)
{
	return t->ns + (khz ? cycles_to_ns(t->cycles, khz) : 0);
}

const char *wait_cause(enum op_kind kind)
{
	switch (kind) {
	case OP_WAIT:
		return "another task";
	case OP_SLEEP_FOR:
		return "timer, relative";
	case OP_SLEEP_UNTIL:
		return "timer, absolute";
	case OP_IO:
		return "device";
	case OP_EXTERNAL:
		return "outside world";
	default:
		return "?";
	}
}

static int compare_ranks(const void *a, const void *b)
{
	const struct task_rank *x = a, *y = b;

	if (x->run_ns != y->run_ns)
		return x->run_ns < y->run_ns ? 1 : -1;
	return x->task - y->task;
}

struct task_rank *rank_tasks(const struct workload *w, const struct workload_summary *s)
{
	struct task_rank *ranks = calloc((size_t)w->nr_tasks, sizeof(*ranks));

	if (!ranks)
		return NULL;
	for (int i = 0; i < w->nr_tasks; i++)
		ranks[i] = (struct task_rank){ i, task_summary_run_ns(&s->tasks[i], w->env.khz) };
	qsort(ranks, (size_t)w->nr_tasks, sizeof(*ranks), compare_ranks);
	return ranks;
}

int idle_log_summarise(const char *path, struct idle_log_summary *ret, struct error *err)
{
	struct idle_log_summary s = { 0 };
	struct cpw_idle_reader *reader;
	struct idle_record rec;
	int r = cpw_idle_open(path, &reader, err);

	if (r)
		return r;
	while ((r = cpw_idle_next(reader, &rec, err)) == 1) {
		s.records++;
		s.inferred += rec.inferred;
		s.picked += rec.picked >= 0;
	}
	cpw_idle_close(reader);
	if (!r)
		*ret = s;
	return r;
}
