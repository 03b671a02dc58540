// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/units.h"
#include "workload/idle_code.h"

/* The first byte. */
enum {
	WAKE_MASK = 0x07,
	STOPPED_SHIFT = 3,
	STOPPED_MASK = 0x18,
	IS_INFERRED = 0x20,
	HAS_SLEEP_LENGTH = 0x40,
	HAS_DELTA_TICK = 0x80,
};

uint8_t *idle_encode(struct idle_coder *c, const struct idle_record *rec, uint8_t *p)
{
	uint8_t first = (uint8_t)(rec->wake | rec->tick_stopped << STOPPED_SHIFT);

	if (rec->inferred)
		first |= IS_INFERRED;
	if (rec->sleep_length_ns != INT64_MIN)
		first |= HAS_SLEEP_LENGTH;
	if (rec->delta_tick_ns != INT64_MIN)
		first |= HAS_DELTA_TICK;
	*p++ = first;
	*p++ = (uint8_t)(rec->picked + 1);
	p = put_varint(p, rec->cpu);
	p = put_varint(p, zigzag(rec->entry_ns - c->last_entry));
	/* One more, so that "not known" (all ones) is the shortest. */
	p = put_varint(p, rec->residency_ns + 1);
	p = put_varint(p, rec->nr_iowait);
	if (first & HAS_SLEEP_LENGTH)
		p = put_varint(p, zigzag((uint64_t)rec->sleep_length_ns));
	if (first & HAS_DELTA_TICK)
		p = put_varint(p, zigzag((uint64_t)rec->delta_tick_ns));
	c->last_entry = rec->entry_ns;
	return p;
}

bool idle_decode(struct idle_coder *c, struct bytes_in *in, struct idle_record *ret)
{
	struct idle_record rec = { .sleep_length_ns = INT64_MIN, .delta_tick_ns = INT64_MIN };
	uint64_t cpu, nr_iowait;
	uint8_t first;

	if (in->end - in->p < 2)
		return false;
	first = *in->p++;
	rec.wake = first & WAKE_MASK;
	rec.tick_stopped = (first & STOPPED_MASK) >> STOPPED_SHIFT;
	rec.inferred = !!(first & IS_INFERRED);
	rec.picked = (int8_t)(*in->p++ - 1);
	cpu = get_varint(in);
	rec.entry_ns = c->last_entry + unzigzag(get_varint(in));
	rec.residency_ns = get_varint(in) - 1;
	nr_iowait = get_varint(in);
	if (first & HAS_SLEEP_LENGTH)
		rec.sleep_length_ns = (int64_t)unzigzag(get_varint(in));
	if (first & HAS_DELTA_TICK)
		rec.delta_tick_ns = (int64_t)unzigzag(get_varint(in));
	if (in->bad || cpu > UINT16_MAX || nr_iowait > UINT16_MAX)
		return false;
	rec.cpu = (uint16_t)cpu;
	rec.nr_iowait = (uint16_t)nr_iowait;
	c->last_entry = rec.entry_ns;
	if (idle_check(&rec))
		return false;
	*ret = rec;
	return true;
}

const char *idle_check(const struct idle_record *rec)
{
	if (rec->cpu >= CPUS_MAX)
		return "expected a CPU below 1024";
	if (rec->wake > IDLE_WAKE_IRQ)
		return "expected a known wake source";
	if (rec->tick_stopped > 2)
		return "expected a tick that is running, stopped or unknown";
	if (rec->picked < -1)
		return "expected a state or -1";
	return NULL;
}
