// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Requests of block devices between issue and completion. A cache flush has no sector: its
 * completion shows the highest one, and a device works on one at a time.
 */
#include "trace/build_internal.h"

#include <errno.h>
#include <stdlib.h>

struct request {
	uint64_t issue_ns;
	struct task *issuer; /* NULL: not a task */
	uint64_t hold;
	uint32_t next_free;
};

#define SECTOR_MASK (((uint64_t)1 << 56) - 1)

/* At the first request: many recordings have none. */
static int io_init(struct builder *b)
{
	b->requests = calloc(REQUESTS_MAX, sizeof(*b->requests));
	if (!b->requests) {
		fail_with(b, ENOMEM, "out of memory");
		return -ENOMEM;
	}
	for (uint32_t i = 0; i < REQUESTS_MAX; i++)
		b->requests[i].next_free = i + 1;
	b->requests[REQUESTS_MAX - 1].next_free = MAP_NONE;
	b->free_request = 0;
	return 0;
}

static uint32_t device_index(struct builder *b, uint64_t dev)
{
	for (uint32_t i = 0; i < b->nr_devices; i++)
		if (b->devices[i] == dev)
			return i;
	if (b->nr_devices == DEVICES_MAX)
		return DEVICES_MAX - 1;
	b->devices[b->nr_devices] = dev;
	return b->nr_devices++;
}

static uint64_t request_key(uint32_t device, uint64_t sector)
{
	return (uint64_t)device << 56 | (sector & SECTOR_MASK);
}

void io_issue(struct builder *b, struct build_cpu *c, const struct event *ev)
{
	static const struct op nothing = { .kind = OP_RUN };
	bool flush = !ev->ns && !ev->object;
	uint64_t key = request_key(device_index(b, ev->value), flush ? UINT64_MAX : ev->object);
	uint32_t i = map_get(&b->request_map, key);
	struct request *r;

	if (!b->requests && io_init(b))
		return;
	if (i == MAP_NONE) {
		i = b->free_request;
		if (i == MAP_NONE) {
			b->stats.requests_dropped++;
			return;
		}
		if (map_set(&b->request_map, key, i)) {
			fail_with(b, ENOMEM, "out of memory");
			return;
		}
		b->free_request = b->requests[i].next_free;
	} else if (b->requests[i].issuer) {
		/* Issued again, after the device or the queue turned it down. */
		hold_resolve(b, b->requests[i].issuer, b->requests[i].hold, NULL);
	}
	r = &b->requests[i];
	r->issue_ns = b->now_ns;
	r->issuer = NULL;
	if (!ev->context && c->current) {
		r->issuer = c->current;
		cpu_account(b, c, b->now_ns);
		r->hold = hold_place(b, c->current, &nothing);
	}
}

void io_complete(struct builder *b, struct build_cpu *c, const struct event *ev)
{
	struct cause *cause = cause_of(c, ev);
	bool interrupt = ev->context && in_interrupt(c);
	uint64_t time_ns = interrupt ? c->chain_ns : b->now_ns;
	bool from_idle = interrupt && c->chain_from_idle;
	uint32_t device = device_index(b, ev->value);
	uint64_t key = request_key(device, ev->object);
	uint32_t i = map_get(&b->request_map, key);
	struct request *r;

	c->completions += interrupt;
	if (i == MAP_NONE) {
		/* The empty write behind a flush, say: it belongs to what came just before. */
		if (cause->kind != CAUSE_BLOCK || cause->device != device) {
			b->stats.completions_unmatched++;
			cause_clear(b, cause);
			*cause = (struct cause){ .kind = CAUSE_BLOCK, .device = device };
		}
		cause->time_ns = time_ns;
		cause->from_idle = from_idle;
		return;
	}
	cause_clear(b, cause);
	r = &b->requests[i];
	*cause = (struct cause){
		.kind = CAUSE_BLOCK,
		.time_ns = time_ns,
		.from_idle = from_idle,
		.device = device,
		.issue_seen = true,
		.issue_ns = r->issue_ns,
		.issuer = r->issuer,
		.hold = r->hold,
	};
	r->next_free = b->free_request;
	b->free_request = i;
	map_remove(&b->request_map, key);
}
