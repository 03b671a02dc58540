// SPDX-License-Identifier: GPL-2.0-or-later
/* trace.dat as a trace_format: the CPUs' records merged by time. */
#include "trace/reader.h"
#include "trace/finish.h"
#include "trace/ring.h"
#include "base/units.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How far we look ahead for the tick rate. */
enum { HZ_EVENTS_MAX = 200000 };

struct dat_reader {
	struct dat dat;
	struct inflater *inflater;
	int nr_rings;
	struct ring *rings;
	struct ring **heap; /* earliest first; equal times in CPU order */
	int nr_heap;
	bool started; /* the heap's top was handed out and must go on */
	struct finisher finisher;
};

static bool dat_probe(const struct trace_head *head)
{
	static const uint8_t magic[] = { 0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g' };

	return head->len >= sizeof(magic) && !memcmp(head->bytes, magic, sizeof(magic));
}

static bool before(const struct ring *a, const struct ring *b)
{
	return a->time != b->time ? a->time < b->time : a->cpu < b->cpu;
}

static void sift_down(struct dat_reader *d, int i)
{
	struct ring *moved = d->heap[i];

	for (;;) {
		int child = 2 * i + 1;

		if (child >= d->nr_heap)
			break;
		if (child + 1 < d->nr_heap && before(d->heap[child + 1], d->heap[child]))
			child++;
		if (!before(d->heap[child], moved))
			break;
		d->heap[i] = d->heap[child];
		i = child;
	}
	d->heap[i] = moved;
}

/* Puts every ring at its first record. */
static int start(struct dat_reader *d, struct trace_info *info, struct error *err)
{
	uint64_t first = UINT64_MAX;

	d->nr_heap = 0;
	d->started = false;
	info->lost_events = info->lost_regions = info->skipped = info->damaged = 0;
	info->clock_jumps = 0;
	for (int i = 0; i < d->nr_rings; i++) {
		struct ring *ring = &d->rings[i];
		int rc = ring_init(ring, &d->dat, &d->dat.buffer.cpus[i], d->inflater, info, err);

		if (rc == 0)
			rc = ring_advance(ring, err);
		if (rc < 0)
			return rc;
		if (rc && ring->time && ring->time < first)
			first = ring->time;
		if (rc)
			d->heap[d->nr_heap++] = ring;
	}
	info->first_ns = info->last_ns = first == UINT64_MAX ? 0 : first;
	/* A CPU of which nothing is left has no time of its own. */
	for (int i = 0; i < d->nr_heap; i++)
		if (!d->heap[i]->time)
			d->heap[i]->time = info->first_ns;
	for (int i = d->nr_heap / 2 - 1; i >= 0; i--)
		sift_down(d, i);
	return 0;
}

/* 1: heap[0] is the next record, 0: the end. */
static int merge_next(struct dat_reader *d, struct error *err)
{
	if (d->started) {
		int rc = ring_advance(d->heap[0], err);

		if (rc < 0)
			return rc;
		if (!rc)
			d->heap[0] = d->heap[--d->nr_heap];
		if (d->nr_heap)
			sift_down(d, 0);
	}
	d->started = d->nr_heap > 0;
	return d->started;
}

static int find_hz(struct dat_reader *d, struct trace_info *info, struct error *err)
{
	for (int i = 0; i < HZ_EVENTS_MAX && !info->hz; i++) {
		struct event ev;
		uint64_t aux;
		int rc = merge_next(d, err);

		if (rc <= 0)
			return rc;
		ring_event(d->heap[0], &ev, &aux);
		finish_hz(&d->finisher, info, &ev, aux);
	}
	return 0;
}

static int dat_next(struct trace_reader *r, struct event *ret, struct error *err)
{
	struct dat_reader *d = r->impl;
	uint64_t aux;
	int rc;

	do {
		rc = merge_next(d, err);
		if (rc <= 0)
			break;
		ring_event(d->heap[0], ret, &aux);
		r->info.last_ns = ret->time_ns;
	} while (!finish_event(&d->finisher, &r->info, ret, aux));
	/* What the kernel counted, where the pages do not tell more. */
	if (rc == 0 && d->dat.overruns > r->info.lost_events)
		r->info.lost_events = d->dat.overruns;
	return rc;
}

static int dat_progress(const struct trace_reader *r)
{
	const struct dat_reader *d = r->impl;
	uint64_t done = 0, all = 0;

	for (int i = 0; i < d->nr_rings; i++) {
		const struct pages *p = &d->rings[i].pages;

		done += p->pos - p->begin;
		all += p->stop - p->begin;
	}
	return all ? (int)(done * 1000 / all) : 1000;
}

static void dat_close(struct trace_reader *r)
{
	struct dat_reader *d = r->impl;

	if (!d)
		return;
	for (int i = 0; d->rings && i < d->nr_rings; i++)
		ring_release(&d->rings[i]);
	free(d->rings);
	free(d->heap);
	inflater_free(d->inflater);
	dat_release(&d->dat);
	free(d);
	r->impl = NULL;
}

/* Clocks whose numbers are no time cannot be used, whatever else the file holds. */
static int check_clock(const struct dat *d, struct error *err)
{
	const char *clock = d->buffer.clock;

	if (!strcmp(clock, "counter") || !strcmp(clock, "uptime"))
		return error_set(err, EINVAL,
			"trace clock '%s': no time in it, expected local, global, mono, mono_raw, "
			"boot, tai, perf or x86-tsc",
			clock);
	if ((!strcmp(clock, "x86-tsc") || !strcmp(clock, "tsc2nsec")) && !d->tsc_mult)
		return error_set(err, EINVAL,
			"trace clock '%s' without its rate: expected an option TSC2NSEC", clock);
	return 0;
}

static void describe(const struct dat *d, struct trace_info *info)
{
	snprintf(info->format, sizeof(info->format), "trace.dat v%d", d->version);
	snprintf(info->clock, sizeof(info->clock), "%s", d->buffer.clock);
	snprintf(info->uname, sizeof(info->uname), "%s", d->uname);
	snprintf(info->instance, sizeof(info->instance), "%s", d->buffer.name);
	info->other_instances = d->other_buffers;
	if (d->tsc_mult)
		info->tsc_khz = (uint64_t)(((unsigned __int128)NSEC_PER_MSEC << d->tsc_shift) /
					   d->tsc_mult);
	for (int i = 0; i < d->buffer.nr_cpus; i++)
		if (d->buffer.cpus[i].cpu >= info->nr_cpus)
			info->nr_cpus = d->buffer.cpus[i].cpu + 1;
}

static int dat_start(struct trace_reader *r, struct dat_reader *d, struct error *err)
{
	int rc = check_clock(&d->dat, err);

	if (rc == 0)
		rc = inflater_new(d->dat.compression, &d->inflater, err);
	if (rc < 0)
		return rc;
	d->nr_rings = d->dat.buffer.nr_cpus;
	d->rings = calloc((size_t)d->nr_rings + 1, sizeof(*d->rings));
	d->heap = calloc((size_t)d->nr_rings + 1, sizeof(struct ring *));
	if (!d->rings || !d->heap)
		return error_set(err, ENOMEM, "out of memory for %d CPUs", d->nr_rings);
	/* The clock of x86-tsc counts only if its rate was used. */
	if (strcmp(d->dat.buffer.clock, "x86-tsc") && strcmp(d->dat.buffer.clock, "tsc2nsec"))
		d->dat.tsc_mult = 0;
	d->finisher.short_jiffies = d->dat.long_size == 4;
	describe(&d->dat, &r->info);
	rc = start(d, &r->info, err);
	if (rc == 0)
		rc = find_hz(d, &r->info, err);
	return rc < 0 ? rc : start(d, &r->info, err);
}

static int dat_open_reader(struct trace_reader *r, const struct trace_head *head, struct error *err)
{
	struct dat_reader *d = calloc(1, sizeof(*d));
	int rc;

	(void)head;
	if (!d)
		return error_set(err, ENOMEM, "out of memory");
	rc = dat_open(r->fd, &d->dat, err);
	if (rc < 0) {
		free(d);
		return rc;
	}
	r->impl = d;
	rc = dat_start(r, d, err);
	if (rc < 0)
		dat_close(r);
	return rc;
}

const struct trace_format trace_format_dat = {
	.name = "trace.dat",
	.probe = dat_probe,
	.open = dat_open_reader,
	.next = dat_next,
	.progress = dat_progress,
	.close = dat_close,
};
