// SPDX-License-Identifier: GPL-2.0-or-later
#include "build_kept.h"

/* Tasks get their numbers in order, but their first op may be held: let there be room. */
static struct program *program_of(struct kept *k, int task)
{
	while (task >= k->nr) {
		k->programs = realloc(k->programs, sizeof(struct program) * (size_t)(k->nr + 1));
		k->programs[k->nr++] = (struct program){ 0 };
	}
	return &k->programs[task];
}

static int keep_op(void *ctx, int task, const struct op *op, struct error *err)
{
	struct kept *k = ctx;
	struct program *p;

	HOLDS(task >= 0 && task < 1 << 20);
	HOLDS(op->kind < OP_KINDS);
	p = program_of(k, task);
	if (p->nr == p->size) {
		p->size = p->size ? p->size * 2 : 16;
		p->ops = realloc(p->ops, p->size * sizeof(*op));
	}
	p->ops[p->nr++] = *op;
	k->nr_ops++;
	return 0;
}

static int keep_idle(void *ctx, const struct idle_record *rec, struct error *err)
{
	struct kept *k = ctx;

	HOLDS(rec->residency_ns < (uint64_t)1 << 60 && rec->entry_ns < (uint64_t)1 << 60);
	if (rec->entry_ns + rec->residency_ns > k->idle_end)
		k->idle_end = rec->entry_ns + rec->residency_ns;
	return 0;
}

void kept_release(struct kept *k)
{
	for (int i = 0; i < k->nr; i++)
		free(k->programs[i].ops);
	free(k->programs);
	*k = (struct kept){ 0 };
}

static int keep_restart(void *ctx, struct error *err)
{
	kept_release(ctx);
	return 0;
}

static void keep_abort(void *ctx)
{
}

/* One task as far as it gets. Whether it got anywhere. */
static bool go_on(struct kept *k, struct program *p, uint64_t *tokens)
{
	bool moved = false;

	for (; p->started && p->at < p->nr; p->at++, moved = true) {
		const struct op *op = &p->ops[p->at];

		if (op->kind == OP_SIGNAL)
			tokens[op->target]++;
		if (op->kind == OP_FORK)
			k->programs[op->target].started = true;
		if (op->kind == OP_WAIT && !tokens[op->target]--) {
			tokens[op->target] = 0;
			return moved;
		}
	}
	return moved;
}

/* Without time: each wait must find its signal, and none may be left. */
static void check_signals(struct kept *k)
{
	uint64_t *tokens = calloc((size_t)k->nr + 1, sizeof(*tokens));
	bool moved;

	do {
		moved = false;
		for (int i = 0; i < k->nr; i++)
			moved |= go_on(k, &k->programs[i], tokens);
	} while (moved);
	for (int i = 0; i < k->nr; i++) {
		HOLDS(k->programs[i].at == k->programs[i].nr);
		HOLDS(!tokens[i]);
	}
	free(tokens);
}

static void check_times(const struct kept *k, uint64_t elapsed)
{
	uint64_t run = 0, busy = 0, irq = 0;

	for (int i = 0; i < k->nr; i++)
		for (size_t n = 0; n < k->programs[i].nr; n++) {
			const struct op *op = &k->programs[i].ops[n];

			run += op->kind == OP_RUN ? op->cycles : 0;
			HOLDS(op->kind != OP_EXTERNAL || op->ns <= elapsed);
			HOLDS(op->kind == OP_SLEEP_UNTIL || op->ns <= elapsed);
			HOLDS(op->kind != OP_EXIT || n == k->programs[i].nr - 1);
			HOLDS(op->kind != OP_RUN || (op->cycles && !op->ns));
		}
	for (int c = 0; c < (int)ARRAY_LEN(k->truth.busy_ns); c++) {
		HOLDS(k->truth.busy_ns[c] <= elapsed);
		HOLDS(k->truth.irq_ns[c] <= k->truth.busy_ns[c]);
		busy += k->truth.busy_ns[c];
		irq += k->truth.irq_ns[c];
	}
	/* At 1 GHz a cycle is a ns: nothing is lost or added on the way. */
	HOLDS(run == busy - irq);
	HOLDS(k->idle_end <= elapsed);
}

static int keep_finish(void *ctx, const struct build_output *out, struct error *err)
{
	struct kept *k = ctx;

	HOLDS(k->nr <= out->nr_tasks);
	program_of(k, out->nr_tasks - 1);
	for (int i = 0; i < k->nr; i++) {
		k->programs[i].started = out->tasks[i].starts;
		for (size_t n = 0; n < k->programs[i].nr; n++) {
			const struct op *op = &k->programs[i].ops[n];

			HOLDS(op->kind == OP_IO || op->kind == OP_RUN ||
				(int)op->target < out->nr_channels);
		}
	}
	k->truth = *out->truth;
	check_signals(k);
	check_times(k, out->truth->elapsed_ns);
	return 0;
}

struct op_sink kept_sink(struct kept *k)
{
	return (struct op_sink){ k, keep_op, keep_idle, keep_restart, keep_finish, keep_abort };
}
