// SPDX-License-Identifier: GPL-2.0-or-later
#include "build_bytes.h"
#include "trace/build_internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CPUS = 4, PIDS = 8, EVENT_BYTES = 6 };

#define HOLDS(condition)                                                                           \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			fprintf(stderr, "does not hold: %s\n", #condition);                        \
			abort();                                                                   \
		}                                                                                  \
	} while (0)

/* ---- events ---- */

/* Often what makes sense: the task that the last switch says, contexts as entered. */
struct world {
	uint64_t now_ns;
	int current[CPUS];
	uint32_t context[CPUS];
};

static const uint8_t usual[] = { EV_SWITCH, EV_WAKING, EV_SWITCH, EV_WAKING, EV_SWITCH, EV_WAKING,
	EV_BLOCK_ISSUE, EV_BLOCK_COMPLETE, EV_SOFTIRQ_ENTRY, EV_SOFTIRQ_EXIT, EV_VECTOR_ENTRY,
	EV_VECTOR_EXIT, EV_CPU_IDLE, EV_HRTIMER_START, EV_HRTIMER_EXPIRE, EV_FORK };

static void follow(struct world *w, const struct event *ev)
{
	uint32_t *context = &w->context[ev->cpu];

	switch (ev->kind) {
	case EV_SWITCH:
		w->current[ev->cpu] = ev->pid2;
		break;
	case EV_IRQ_ENTRY:
	case EV_VECTOR_ENTRY:
		*context |= CTX_HARDIRQ;
		break;
	case EV_SOFTIRQ_ENTRY:
		*context |= CTX_SOFTIRQ;
		break;
	case EV_IRQ_EXIT:
	case EV_VECTOR_EXIT:
		*context &= ~(uint32_t)CTX_HARDIRQ;
		break;
	case EV_SOFTIRQ_EXIT:
		*context &= ~(uint32_t)CTX_SOFTIRQ;
		break;
	default:
		break;
	}
}

static void make_event(struct world *w, const uint8_t *b, struct event *ev)
{
	static const char *const markers[] = { "corepace:start pid=3", "corepace:end",
		"corepace:ops=7", "something else" };
	static const uint64_t states[] = { TASK_RUNNABLE, TASK_SLEEPS, TASK_SLEEPS_DISK,
		TASK_SLEEPS_IDLE, TASK_ZOMBIE, TASK_PREEMPTED, TASK_SLEEPS, TASK_SLEEPS };
	bool sensible = b[1] & 0x80;

	memset(ev, 0, sizeof(*ev));
	ev->kind = b[0] & 0x80 ? usual[b[0] % sizeof(usual)] : b[0] % EV_KINDS;
	w->now_ns += (uint64_t)b[2] << (b[3] & 7);
	ev->time_ns = w->now_ns - (b[3] & 0xf8 ? 0 : b[2]); /* seldom back */
	ev->cpu = b[1] % CPUS;
	ev->pid = sensible ? w->current[ev->cpu] : b[4] % PIDS;
	ev->context = sensible ? w->context[ev->cpu] : b[1] >> 2 & 7;
	ev->pid2 = b[5] % PIDS;
	ev->prio = b[4];
	ev->target_cpu = b[4] % (CPUS + 1) - (b[4] == 255);
	ev->object = b[5] >> 3;
	ev->value = b[5] >> 6;
	ev->ns = b[4] & 1 ? w->now_ns + b[5] * 100 : b[4] >> 1;
	if (ev->kind == EV_SWITCH)
		ev->value = states[b[4] % 8];
	if (ev->kind == EV_CPU_IDLE && b[4] & 1)
		ev->value = UINT32_MAX;
	if (ev->kind == EV_MARKER) {
		/* Seldom, else windows are short. */
		ev->text = markers[b[4] & 0xf0 ? 3 : b[4] % 4];
		ev->value = 3;
	}
	snprintf(ev->comm, sizeof(ev->comm), "t%d", ev->pid2);
	follow(w, ev);
}

/* ---- the workload ---- */

struct program {
	struct op *ops;
	size_t nr, size, at;
	bool started, waits;
};

struct kept {
	struct program *programs;
	int nr;
	size_t nr_ops;
	uint64_t idle_end;
	struct workload_truth truth;
};

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

static void forget(struct kept *k)
{
	for (int i = 0; i < k->nr; i++)
		free(k->programs[i].ops);
	free(k->programs);
	*k = (struct kept){ 0 };
}

static int keep_restart(void *ctx, struct error *err)
{
	forget(ctx);
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
	for (int c = 0; c < CPUS + 1; c++) {
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

			HOLDS(op->kind == OP_IO || (int)op->target < out->nr_channels);
		}
	}
	k->truth = *out->truth;
	check_signals(k);
	check_times(k, out->truth->elapsed_ns);
	return 0;
}

size_t build_bytes(const uint8_t *data, size_t size)
{
	static const struct build_options options = { .khz = 1000000 };
	struct world w = { .now_ns = 1000 };
	struct kept k = { 0 };
	struct op_sink sink = { &k, keep_op, keep_idle, keep_restart, keep_finish, keep_abort };
	struct builder *b;
	struct error err;
	size_t nr_ops;
	int rc;

	HOLDS(!builder_new_sink(&options, &sink, &b, &err));
	for (size_t i = 0; i + EVENT_BYTES <= size; i += EVENT_BYTES) {
		struct event ev;

		make_event(&w, data + i, &ev);
		HOLDS(!builder_event(b, &ev, &err));
	}
	rc = builder_finish(b, NULL, NULL, &err);
	HOLDS(!rc || rc == -ENODATA);
	nr_ops = k.nr_ops;
	forget(&k);
	return nr_ops;
}
