// SPDX-License-Identifier: GPL-2.0-or-later
/* perf.data as a trace_format: records into events, brought into order round by round. */
#include "trace/perf.h"
#include "trace/finish.h"
#include "base/units.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORD_HEAD = 8, HZ_EVENTS_MAX = 200000 };

/* Behind the shared part, for its size. */
struct perf_impl {
	struct perf_reader reader;
	struct finisher finisher;
	bool started;
};

static bool perf_probe(const struct trace_head *head)
{
	return head->len >= 8 &&
	       (!memcmp(head->bytes, "PERFILE2", 8) || !memcmp(head->bytes, "2ELIFREP", 8));
}

static int queue_add(struct perf_reader *p, const struct queued *event, struct error *err)
{
	struct queued *q = perf_queue_add(&p->queue, event->ev.time_ns, (uint32_t)event->ev.cpu);

	if (!q)
		return error_set(err, ENOMEM, "out of memory for the events of a round");
	*q = *event;
	return 0;
}

static int tell_loss(struct perf_reader *p, struct error *err)
{
	if (!p->loss)
		return 0;
	p->loss = false;
	return queue_add(p, &p->loss_event, err);
}

/*
 * The kernel writes a loss just before the next record that fits, but takes its time after that
 * record's. It belongs before it.
 */
static int settle_loss(struct perf_reader *p, const struct perf_sample *next, struct error *err)
{
	struct event *ev = &p->loss_event.ev;

	if (p->loss && next && (int)next->cpu == ev->cpu && next->time < ev->time_ns)
		ev->time_ns = next->time;
	return tell_loss(p, err);
}

static void note_cpu(struct trace_reader *r, uint32_t cpu)
{
	if ((int)cpu >= r->info.nr_cpus)
		r->info.nr_cpus = (int)cpu + 1;
}

static int take_sample(struct trace_reader *r, const struct perf_record *rec, struct error *err)
{
	struct perf_reader *p = r->impl;
	const struct perf_attr *attr = perf_attr_of(&p->attrs, rec);
	const struct layout *layout;
	struct perf_sample s;
	struct queued *q;
	bool damaged;
	int rc;

	if (attr && !attr->is_tracepoint) {
		r->info.skipped++;
		return 0;
	}
	if (!attr || !perf_sample_parse(attr, rec, &s) || s.cpu >= CPUS_MAX || !s.raw) {
		r->info.damaged++;
		return 0;
	}
	rc = settle_loss(p, &s, err);
	if (rc < 0)
		return rc;
	if (!p->formats)
		return error_set(err, EINVAL,
			"offset %" PRIu64 ": a sample, expected tracing_data before it",
			rec->offset);
	note_cpu(r, s.cpu);
	layout = layout_of(p->layouts, s.raw, s.raw_size, &damaged);
	/* A marker's text would have to live as long as the queue; perf cannot record it. */
	if (!layout || layout->type->text == TEXT_MARKER) {
		*(damaged ? &r->info.damaged : &r->info.skipped) += 1;
		return 0;
	}
	q = perf_queue_add(&p->queue, s.time, s.cpu);
	if (!q)
		return error_set(err, ENOMEM, "out of memory for the events of a round");
	layout_decode(p->layouts, layout, s.raw, s.raw_size, &q->ev, &q->aux);
	return 0;
}

static int take_loss(struct trace_reader *r, const struct perf_record *rec, struct error *err)
{
	struct perf_reader *p = r->impl;
	size_t at = rec->type == PERF_LOST ? 16 : 8; /* LOST has the event's id before */
	const struct perf_attr *attr = p->attrs.list;
	struct perf_sample s;
	uint64_t count;
	int rc = tell_loss(p, err);

	if (rc < 0)
		return rc;
	if (rec->type == PERF_LOST && rec->size >= at)
		attr = perf_attr_find(&p->attrs, perf_u64(rec->bytes + 8));
	if (rec->size < at + 8 || !attr || !perf_trailer_parse(attr, rec, &s) ||
		s.cpu >= CPUS_MAX) {
		r->info.damaged++;
		return 0;
	}
	count = perf_u64(rec->bytes + at);
	/* What perf itself counted at the end is the sum over all, without a time. */
	if (rec->type == PERF_LOST_SAMPLES && !s.time) {
		p->lost_counted += count;
		return 0;
	}
	note_cpu(r, s.cpu);
	memset(&p->loss_event, 0, sizeof(p->loss_event));
	p->loss_event.ev = (struct event){
		.kind = EV_LOST, .time_ns = s.time, .cpu = (int)s.cpu, .value = count
	};
	p->loss = true;
	return 0;
}

/* All that was read may go: in the file's middle only if the queue is full. */
static int end_of_file(struct trace_reader *r, struct error *err)
{
	struct perf_reader *p = r->impl;
	int rc = tell_loss(p, err);

	p->ended = true;
	if (rc < 0)
		return rc;
	if (!p->formats)
		return error_set(err, EINVAL,
			"offset %" PRIu64 ": the file ends before the events' formats",
			p->input.base + p->input.at);
	if (p->input.truncated) {
		struct queued loss = { .ev = { .kind = EV_LOST, .time_ns = p->queue.latest } };

		rc = queue_add(p, &loss, err);
		if (rc < 0)
			return rc;
	}
	rc = perf_queue_end(&p->queue);
	return rc < 0 ? error_set(err, ENOMEM, "out of memory for the events of a round") : 0;
}

static int take_record(struct trace_reader *r, const struct perf_record *rec, struct error *err)
{
	struct perf_reader *p = r->impl;
	int rc;

	switch (rec->type) {
	case PERF_SAMPLE:
		rc = take_sample(r, rec, err);
		break;
	case PERF_LOST:
	case PERF_LOST_SAMPLES:
		rc = take_loss(r, rec, err);
		break;
	case PERF_FINISHED_ROUND:
		rc = tell_loss(p, err);
		if (rc == 0 && perf_queue_round(&p->queue) < 0)
			rc = error_set(err, ENOMEM, "out of memory for the events of a round");
		return rc;
	default:
		rc = perf_head_record(r, rec, err);
		return rc == 0 ? end_of_file(r, err) : rc < 0 ? rc : 0;
	}
	if (rc == 0 && perf_queue_full(&p->queue) && perf_queue_half(&p->queue) < 0)
		rc = error_set(err, ENOMEM, "out of memory for the events of a round");
	return rc;
}

/* 1: *ret is the next in order, 0: the end. */
static int next_queued(struct trace_reader *r, const struct queued **ret, struct error *err)
{
	struct perf_reader *p = r->impl;

	for (;;) {
		struct perf_record rec;
		int rc;

		*ret = perf_queue_take(&p->queue);
		if (*ret)
			return 1;
		if (p->ended)
			return 0;
		rc = perf_input_next(&p->input, &rec, err);
		if (rc == 0)
			rc = end_of_file(r, err);
		else if (rc == 1)
			rc = take_record(r, &rec, err);
		if (rc < 0)
			return rc;
	}
}

static int perf_next(struct trace_reader *r, struct event *ret, struct error *err)
{
	struct perf_impl *impl = r->impl;
	struct perf_reader *p = &impl->reader;
	const struct queued *q;
	struct trace_info *info = &r->info;
	int rc;

	do {
		rc = next_queued(r, &q, err);
		if (rc <= 0)
			break;
		*ret = q->ev;
		if (!impl->started)
			info->first_ns = info->last_ns = ret->time_ns;
		impl->started = true;
		/* It came later than a round's end allows, or than the queue can hold. */
		if (ret->time_ns < info->last_ns) {
			ret->time_ns = info->last_ns;
			info->clock_jumps++;
		}
		info->last_ns = ret->time_ns;
		if (ret->kind == EV_LOST) {
			*(ret->value ? &info->lost_events : &info->lost_regions) +=
				ret->value ? ret->value : 1;
			p->lost_told += ret->value;
		}
		impl->finisher.short_jiffies = p->long_size == 4;
		finish_hz(&impl->finisher, info, ret, q->aux);
	} while (!finish_event(&impl->finisher, info, ret, q->aux));
	/* What was counted and has no place among the records: lost at the very end. */
	if (rc == 0 && p->lost_counted > p->lost_told) {
		info->lost_events += p->lost_counted - p->lost_told;
		p->lost_counted = p->lost_told;
	}
	return rc;
}

static int perf_progress(const struct trace_reader *r)
{
	const struct perf_input *in = &((const struct perf_reader *)r->impl)->input;
	uint64_t end = in->end < in->file_size ? in->end : in->file_size, at = in->base + in->at;

	return !end ? 0 : at < end ? (int)(at * 1000 / end) : 1000;
}

static void perf_close(struct trace_reader *r)
{
	struct perf_reader *p = r->impl;

	if (!p)
		return;
	perf_input_release(&p->input);
	perf_attrs_release(&p->attrs);
	perf_queue_release(&p->queue);
	p->layouts = layouts_free(p->layouts);
	free(p->scratch);
	free(p);
	r->impl = NULL;
}

static void describe(struct trace_reader *r)
{
	static const struct {
		int id;
		const char *name;
	} clocks[] = { { -1, "perf" }, { 0, "realtime" }, { 1, "mono" }, { 4, "mono_raw" },
		{ 7, "boot" }, { 11, "tai" } };
	const struct perf_reader *p = r->impl;
	int clock = p->attrs.nr ? p->attrs.list[0].clock : -1;

	snprintf(r->info.format, sizeof(r->info.format), "perf.data%s%s", p->pipe ? " pipe" : "",
		p->input.zstd ? " zstd" : "");
	for (size_t i = 0; i < ARRAY_LEN(clocks); i++)
		if (clocks[i].id == clock)
			snprintf(r->info.clock, sizeof(r->info.clock), "%s", clocks[i].name);
}

/* Back to the first record; what was learnt of the recording stays. */
static int start_again(struct trace_reader *r, struct error *err)
{
	struct perf_impl *impl = r->impl;
	struct perf_reader *p = &impl->reader;
	struct trace_info *info = &r->info;

	info->lost_events = info->lost_regions = info->skipped = info->damaged = 0;
	info->clock_jumps = 0;
	p->lost_told = p->lost_counted = 0;
	p->loss = p->ended = impl->started = false;
	if (p->pipe) {
		perf_attrs_release(&p->attrs);
		memset(p->layouts, 0, sizeof(*p->layouts));
		p->formats = false;
	}
	perf_queue_reset(&p->queue);
	memset(&impl->finisher, 0, sizeof(impl->finisher));
	return perf_input_seek(&p->input, p->data_offset, err);
}

/* Only the timers' events tell the tick rate. */
static bool tells_hz(const struct layouts *l)
{
	for (int i = 0; i < l->nr; i++)
		if (l->of[i].type->kind == EV_TIMER_START || l->of[i].type->kind == EV_TIMER_EXPIRE)
			return true;
	return false;
}

/* Ahead for the tick rate, and in a pipe at least to the first event. */
static int look_ahead(struct trace_reader *r, struct error *err)
{
	const struct layouts *layouts = ((struct perf_reader *)r->impl)->layouts;
	struct event ev;
	int rc = 1;

	for (int i = 0; rc > 0 && i < HZ_EVENTS_MAX && !r->info.hz && (!i || tells_hz(layouts));
		i++)
		rc = perf_next(r, &ev, err);
	describe(r);
	if (rc < 0)
		return rc;
	return start_again(r, err);
}

static int perf_start(struct trace_reader *r, const struct trace_head *head, struct error *err)
{
	struct perf_reader *p = r->impl;
	int rc;

	perf_queue_init(&p->queue, PERF_QUEUE_MAX);
	rc = perf_input_new(r->fd, head, &p->input, err);
	if (rc < 0)
		return rc;
	p->scratch = malloc(PERF_RECORD_MAX);
	if (!p->scratch)
		return error_set(err, ENOMEM, "out of memory");
	rc = layouts_new(false, &p->layouts, err);
	if (rc == 0)
		rc = perf_head_read(r, head, err);
	if (rc < 0)
		return rc;
	describe(r);
	if (!p->input.seekable)
		return 0;
	rc = perf_input_seek(&p->input, p->data_offset, err);
	return rc < 0 ? rc : look_ahead(r, err);
}

static int perf_open(struct trace_reader *r, const struct trace_head *head, struct error *err)
{
	int rc;

	r->impl = calloc(1, sizeof(struct perf_impl));
	if (!r->impl)
		return error_set(err, ENOMEM, "out of memory");
	rc = perf_start(r, head, err);
	if (rc < 0)
		perf_close(r);
	return rc;
}

const struct trace_format trace_format_perf = {
	.name = "perf.data",
	.probe = perf_probe,
	.open = perf_open,
	.next = perf_next,
	.progress = perf_progress,
	.close = perf_close,
};
