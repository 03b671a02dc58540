// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/ring.h"

#include <errno.h>
#include <string.h>

/*
 * The page's second word: bytes in use, and whether events are missing before this page. Where
 * their number is known it stands behind the data.
 */
enum { COMMIT_BYTES = (1 << 27) - 1 };
static const uint64_t commit_missing = 1ULL << 31;

enum { TYPE_LONG = 0 }; /* a record whose length stands in a word of its own */

int ring_init(struct ring *r, const struct dat *d, const struct dat_cpu *cpu, struct inflater *in,
	struct trace_info *info, struct error *err)
{
	struct kbuffer *kbuf = r->kbuf;
	struct pages pages = r->pages;

	memset(r, 0, sizeof(*r));
	r->pages = pages;
	r->cpu = cpu->cpu;
	r->info = info;
	r->kbuf = kbuf ? kbuf
		       : kbuffer_alloc(d->long_size == 8 ? KBUFFER_LSIZE_8 : KBUFFER_LSIZE_4,
				 d->big_endian ? KBUFFER_ENDIAN_BIG : KBUFFER_ENDIAN_LITTLE);
	if (!r->kbuf)
		return error_set(err, ENOMEM, "out of memory");
	return pages_init(&r->pages, d, cpu, in, err);
}

void ring_release(struct ring *r)
{
	if (r->kbuf)
		kbuffer_free(r->kbuf);
	r->kbuf = NULL;
	pages_release(&r->pages);
}

/*
 * kbuffer believes every length. So each page is walked once before it sees it; returns the bytes
 * that hold whole records, *ret_whole tells whether these are all.
 */
static uint32_t whole_records(
	const struct dat *d, const uint8_t *data, uint32_t len, bool *ret_whole)
{
	uint32_t at = 0;

	while (len - at >= 4) {
		uint32_t word = dat_u32(d, data + at), need = 4, extra = 0, type;

		type = d->big_endian ? word >> 27 : word & 31;
		if (type == TYPE_LONG || type >= KBUFFER_TYPE_PADDING)
			need = 8;
		if (len - at < need)
			break;
		if (type == TYPE_LONG || type == KBUFFER_TYPE_PADDING) {
			extra = dat_u32(d, data + at + 4);
			/* Padding without a time: the rest of the page is empty. */
			if (type == KBUFFER_TYPE_PADDING &&
				!(d->big_endian ? word << 5 : word >> 5)) {
				*ret_whole = true;
				return at;
			}
			/* kbuffer rounds a record's length up, but not that of padding. */
			if (extra < 4 || extra > len || (type == KBUFFER_TYPE_PADDING && extra % 4))
				break;
			need = 4 + ((extra + 3) & ~3u);
		} else if (type < KBUFFER_TYPE_PADDING) {
			need = 4 + type * 4;
		}
		if (len - at < need)
			break;
		at += need;
	}
	*ret_whole = at == len;
	return at;
}

static void store_long(const struct dat *d, uint8_t *p, uint64_t value)
{
	unsigned int size = (unsigned int)d->long_size;

	for (unsigned int i = 0; i < size; i++)
		p[d->big_endian ? size - 1 - i : i] = (uint8_t)(value >> (8 * i));
}

static uint64_t load_long(const struct dat *d, const uint8_t *p)
{
	return d->long_size == 8 ? dat_u64(d, p) : dat_u32(d, p);
}

/* Puts a loss at the head. count 0: nobody knows how many. */
static void tell_loss(struct ring *r, uint64_t count)
{
	r->lost = true;
	r->nr_lost = count;
	if (count)
		r->info->lost_events += count;
	else
		r->info->lost_regions++;
}

static uint64_t to_ns(const struct dat *d, uint64_t raw)
{
	if (!d->tsc_mult)
		return raw;
	return (uint64_t)(((unsigned __int128)raw * d->tsc_mult) >> d->tsc_shift);
}

/* Time of the head; on one CPU it never goes back, whatever the recording says. */
static void take_time(struct ring *r, uint64_t raw)
{
	uint64_t ns = to_ns(r->pages.dat, raw);

	if (raw < r->raw)
		r->info->clock_jumps++;
	r->raw = raw;
	if (ns > r->time)
		r->time = ns;
}

/* How many events are missing before the loaded page: 0 none, -1 nobody knows. */
static int missing(struct ring *r, uint64_t commit, size_t room)
{
	int count;

	if (r->damaged) /* the number's place is gone */
		return commit & commit_missing ? -1 : 0;
	count = kbuffer_missed_events(r->kbuf);
	if (count < 0 || (commit & COMMIT_BYTES) + (unsigned int)r->pages.dat->long_size > room)
		return count ? -1 : 0;
	return count;
}

/* Hands a page to kbuffer; where it is damaged or cut off, up to there. */
static void load_page(struct ring *r, uint8_t *page, size_t len)
{
	const struct dat *d = r->pages.dat;
	size_t head = 8 + (size_t)d->long_size, room;
	uint64_t commit;
	uint32_t use;
	bool whole;
	int count;

	if (len < head)
		return;
	room = len - head;
	commit = load_long(d, page + 8);
	use = (commit & COMMIT_BYTES) < room ? commit & COMMIT_BYTES : (uint32_t)room;
	use = whole_records(d, page + head, use, &whole);
	r->damaged = !whole || (commit & COMMIT_BYTES) > room;
	if (use != (commit & COMMIT_BYTES))
		store_long(
			d, page + 8, r->damaged ? use : (commit & ~(uint64_t)COMMIT_BYTES) | use);
	kbuffer_load_subbuffer(r->kbuf, page);
	r->loaded = r->fresh = true;
	count = missing(r, commit, room);
	if (count) {
		take_time(r, kbuffer_subbuf_timestamp(r->kbuf, page));
		tell_loss(r, count > 0 ? (uint64_t)count : 0);
	}
	if (r->damaged && len < d->buffer.page_size)
		r->damaged = false; /* the end of the file, which is told once */
	r->info->damaged += r->damaged;
}

/* 1: a page is loaded (r->lost: with a loss before it), 0: the end. */
static int next_page(struct ring *r, struct error *err)
{
	uint8_t *page;
	size_t len;
	int rc = pages_next(&r->pages, &page, &len, err);

	r->loaded = false;
	if (rc <= 0) {
		if (rc == 0 && r->pages.truncated && !r->cut) {
			r->cut = true;
			tell_loss(r, 0);
		}
		return rc;
	}
	load_page(r, page, len);
	return 1;
}

int ring_advance(struct ring *r, struct error *err)
{
	const struct layouts *layouts = r->pages.dat->layouts;

	r->lost = false;
	for (;;) {
		unsigned long long raw;
		bool damaged;
		int rc;

		if (!r->loaded) {
			rc = next_page(r, err);
			if (rc < 0)
				return rc;
			if (r->lost)
				return 1;
			if (!rc)
				return 0;
			continue;
		}
		r->record = r->fresh ? kbuffer_read_event(r->kbuf, &raw)
				     : kbuffer_next_event(r->kbuf, &raw);
		r->fresh = false;
		if (!r->record) {
			r->loaded = false;
			if (!r->damaged)
				continue;
			r->damaged = false;
			tell_loss(r, 0);
			return 1;
		}
		r->size = (uint32_t)kbuffer_event_size(r->kbuf);
		take_time(r, raw);
		r->layout = layout_of(layouts, r->record, r->size, &damaged);
		if (r->layout)
			return 1;
		if (damaged)
			r->info->damaged++;
		else
			r->info->skipped++;
	}
}

void ring_event(const struct ring *r, struct event *ret, uint64_t *ret_aux)
{
	memset(ret, 0, sizeof(*ret));
	*ret_aux = 0;
	ret->time_ns = r->time;
	ret->cpu = r->cpu;
	if (r->lost) {
		ret->kind = EV_LOST;
		ret->value = r->nr_lost;
		return;
	}
	layout_decode(r->pages.dat->layouts, r->layout, r->record, r->size, ret, ret_aux);
}
