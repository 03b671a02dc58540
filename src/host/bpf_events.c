// SPDX-License-Identifier: GPL-2.0-or-later
#include "host/bpf_events.h"
#include "trace/finish.h"
#include "trace/kinds.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

/* One CPU's records, or (the last of the inputs) the markers. */
struct input {
	bool has;	 /* ev is the next event of this input */
	bool has_record; /* record comes after ev, which tells of losses before it */
	struct event ev;
	struct bpf_record record;
	uint64_t last_ns;
	uint64_t lost_at_end;
	int hardirqs, softirqs; /* how deep the CPU is in them */
};

struct bpf_events {
	struct bpf_events_input in;
	struct trace_info info;
	struct finisher finisher;
	int next_marker;
	uint64_t total, done; /* bytes of records */
	int nr_inputs;
	int *heap; /* inputs that have an event, the earliest first */
	int nr_heap;
	struct input inputs[];
};

/* ---- one record ------------------------------------------------------------------------ */

/*
 * The state as trace events tell it: the highest of the bits that are reported, with an idle
 * kernel thread's wait told apart from an uninterruptible one.
 */
static uint64_t reported_state(const struct bpf_record *r)
{
	enum { NOLOAD = 0x400, RTLOCK_WAIT = 0x1000, FROZEN = 0x8000, REPORTED = 0x7f };
	uint64_t state = r->value & REPORTED;

	if (r->flags & RECORD_PREEMPTED)
		return TASK_PREEMPTED;
	if (r->value & (RTLOCK_WAIT | FROZEN))
		return TASK_SLEEPS_DISK;
	if ((r->value & (NOLOAD | TASK_SLEEPS_DISK)) == (NOLOAD | TASK_SLEEPS_DISK))
		return TASK_SLEEPS_IDLE;
	return state ? 1ull << (63 - __builtin_clzll(state)) : TASK_RUNNABLE;
}

static uint32_t context_of(const struct input *in)
{
	return (in->hardirqs ? CTX_HARDIRQ : 0) | (in->softirqs ? CTX_SOFTIRQ : 0);
}

/* An interrupt's own events belong to it, so the depth changes before its first, after its last. */
static void follow_context(struct input *in, struct event *ev)
{
	switch (ev->kind) {
	case EV_IRQ_ENTRY:
	case EV_VECTOR_ENTRY:
		in->hardirqs++;
		break;
	case EV_SOFTIRQ_ENTRY:
		in->softirqs++;
		break;
	case EV_SWITCH: /* never inside one, whatever was missed */
		in->hardirqs = in->softirqs = 0;
		break;
	default:
		break;
	}
	ev->context = context_of(in);
	if ((ev->kind == EV_IRQ_EXIT || ev->kind == EV_VECTOR_EXIT) && in->hardirqs)
		in->hardirqs--;
	if (ev->kind == EV_SOFTIRQ_EXIT && in->softirqs)
		in->softirqs--;
}

static void convert(struct bpf_events *e, int cpu)
{
	struct input *in = &e->inputs[cpu];
	const struct bpf_record *r = &in->record;
	struct event *ev = &in->ev;

	*ev = (struct event){
		.kind = r->kind,
		.time_ns = r->time_ns,
		.cpu = cpu,
		.pid = r->pid,
		.pid2 = r->pid2,
		.prio = r->prio,
		.target_cpu = r->target_cpu,
		.value = r->value,
	};
	switch (ev->kind) {
	case EV_SWITCH:
		ev->value = reported_state(r);
		ev->iowait = r->flags & RECORD_IOWAIT ? IOWAIT_YES : IOWAIT_NO;
		memcpy(ev->comm, r->comm, sizeof(ev->comm));
		break;
	case EV_WAKING:
	case EV_WAKEUP_NEW:
	case EV_FORK:
	case EV_EXEC:
	case EV_EXIT:
	case EV_MIGRATE:
		memcpy(ev->comm, r->comm, sizeof(ev->comm));
		break;
	default:
		ev->object = r->object;
		ev->ns = r->ns;
	}
	ev->comm[sizeof(ev->comm) - 1] = '\0';
	follow_context(in, ev);
	finish_event(&e->finisher, &e->info, ev, 0);
}

/* ---- inputs ---------------------------------------------------------------------------- */

static void tell_losses(struct bpf_events *e, int cpu, uint64_t time_ns, uint64_t lost)
{
	struct input *in = &e->inputs[cpu];

	in->ev = (struct event){ .kind = EV_LOST, .time_ns = time_ns, .cpu = cpu, .value = lost };
	in->has = true;
	in->hardirqs = in->softirqs = 0;
	e->info.lost_events += lost;
}

static int fetch_record(struct bpf_events *e, int cpu, struct error *err)
{
	struct input *in = &e->inputs[cpu];
	int code;

	in->has = false;
	if (in->has_record) {
		in->has_record = false;
		convert(e, cpu);
		in->has = true;
		return 0;
	}
	code = bpf_spool_next(e->in.spools[cpu], &in->record, err);
	if (code < 0)
		return code;
	if (code == 0) {
		if (in->lost_at_end)
			tell_losses(e, cpu, in->last_ns, in->lost_at_end);
		in->lost_at_end = 0;
		return 0;
	}
	e->done += in->record.flags & RECORD_LONG ? sizeof(in->record) : BPF_RECORD_SHORT;
	if (in->record.kind >= EV_KINDS)
		return error_set(
			err, EINVAL, "a BPF record of CPU %d has kind %d", cpu, in->record.kind);
	/* An interrupt between reading the clock and reserving the place. */
	if (in->record.time_ns < in->last_ns)
		in->record.time_ns = in->last_ns;
	in->last_ns = in->record.time_ns;
	if (in->record.lost) {
		tell_losses(e, cpu, in->record.time_ns, in->record.lost);
		in->has_record = true;
		return 0;
	}
	convert(e, cpu);
	in->has = true;
	return 0;
}

static int fetch_marker(struct bpf_events *e)
{
	struct input *in = &e->inputs[e->nr_inputs - 1];
	const struct bpf_marker *m = &e->in.markers[e->next_marker];

	in->has = e->next_marker < e->in.nr_markers;
	if (!in->has)
		return 0;
	in->ev = (struct event){
		.kind = EV_MARKER, .time_ns = m->time_ns, .cpu = m->cpu, .pid = m->pid
	};
	event_marker(&in->ev, m->text);
	e->next_marker++;
	return 0;
}

static int fetch(struct bpf_events *e, int input, struct error *err)
{
	return input == e->nr_inputs - 1 ? fetch_marker(e) : fetch_record(e, input, err);
}

/* ---- merging --------------------------------------------------------------------------- */

/* Equal times in the order of the inputs. */
static bool earlier(const struct bpf_events *e, int a, int b)
{
	uint64_t ta = e->inputs[a].ev.time_ns, tb = e->inputs[b].ev.time_ns;

	return ta != tb ? ta < tb : a < b;
}

static void sift_down(struct bpf_events *e, int at)
{
	for (;;) {
		int child = 2 * at + 1, top = e->heap[at];

		if (child >= e->nr_heap)
			return;
		if (child + 1 < e->nr_heap && earlier(e, e->heap[child + 1], e->heap[child]))
			child++;
		if (!earlier(e, e->heap[child], top))
			return;
		e->heap[at] = e->heap[child];
		e->heap[child] = top;
		at = child;
	}
}

static int fill_heap(struct bpf_events *e, struct error *err)
{
	for (int i = 0; i < e->nr_inputs; i++) {
		int code = 0;

		if (i < e->in.nr_cpus) {
			e->inputs[i].lost_at_end = e->in.lost_at_end[i];
			e->total += bpf_spool_bytes(e->in.spools[i]);
			code = bpf_spool_rewind(e->in.spools[i], err);
		}
		if (!code)
			code = fetch(e, i, err);
		if (code)
			return code;
		if (e->inputs[i].has)
			e->heap[e->nr_heap++] = i;
	}
	for (int i = e->nr_heap / 2; i-- > 0;)
		sift_down(e, i);
	return 0;
}

int bpf_events_new(const struct bpf_events_input *input, struct bpf_events **ret, struct error *err)
{
	int nr = input->nr_cpus + 1, code;
	struct bpf_events *e = calloc(1, sizeof(*e) + nr * sizeof(e->inputs[0]));
	struct utsname uts;

	if (e)
		e->heap = calloc(nr, sizeof(*e->heap));
	if (!e || !e->heap) {
		bpf_events_free(e);
		return error_set(err, ENOMEM, "out of memory");
	}
	e->in = *input;
	e->nr_inputs = nr;
	uname(&uts);
	snprintf(e->info.uname, sizeof(e->info.uname), "%.31s %.63s %.31s", uts.sysname,
		uts.release, uts.machine);
	snprintf(e->info.format, sizeof(e->info.format), "bpf");
	snprintf(e->info.clock, sizeof(e->info.clock), "mono");
	e->info.nr_cpus = input->nr_cpus;
	e->info.hz = input->hz;
	code = fill_heap(e, err);
	if (code) {
		bpf_events_free(e);
		return code;
	}
	*ret = e;
	return 0;
}

int bpf_events_next(struct bpf_events *e, struct event *ret, struct error *err)
{
	int input, code;

	if (!e->nr_heap)
		return 0;
	input = e->heap[0];
	*ret = e->inputs[input].ev;
	if (!e->info.first_ns)
		e->info.first_ns = ret->time_ns;
	e->info.last_ns = ret->time_ns;
	code = fetch(e, input, err);
	if (code)
		return code;
	if (!e->inputs[input].has)
		e->heap[0] = e->heap[--e->nr_heap];
	sift_down(e, 0);
	return 1;
}

int bpf_events_progress(const struct bpf_events *e)
{
	return e->total ? e->done * 1000 / e->total : 1000;
}

const struct trace_info *bpf_events_info(const struct bpf_events *e)
{
	return &e->info;
}

struct bpf_events *bpf_events_free(struct bpf_events *e)
{
	if (e)
		free(e->heap);
	free(e);
	return NULL;
}
