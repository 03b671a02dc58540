// SPDX-License-Identifier: GPL-2.0-or-later
#include "build_bytes.h"
#include "build_kept.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CPUS = 4, PIDS = 8, EVENT_BYTES = 6 };

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

size_t build_bytes(const uint8_t *data, size_t size)
{
	static const struct build_options options = { .khz = 1000000 };
	struct world w = { .now_ns = 1000 };
	struct kept k = { 0 };
	struct op_sink sink = kept_sink(&k);
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
	kept_release(&k);
	return nr_ops;
}
