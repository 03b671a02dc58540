// SPDX-License-Identifier: GPL-2.0-or-later
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

static void remember_end(struct idle_coder *c, const struct idle_record *rec)
{
	c->end[rec->cpu] =
		rec->entry_ns + (rec->residency_ns == UINT64_MAX ? 0 : rec->residency_ns);
}

/* ns after entry as the difference to the time that was known last. */
static uint8_t *put_expiry(uint8_t *p, uint64_t *last, uint64_t entry, int64_t ns)
{
	uint64_t time = entry + (uint64_t)ns;

	p = put_varint(p, zigzag(time - *last));
	*last = time;
	return p;
}

static int64_t get_expiry(struct bytes_in *in, uint64_t *last, uint64_t entry)
{
	*last += unzigzag(get_varint(in));
	return (int64_t)(*last - entry);
}

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
	p = put_varint(p, zigzag(rec->entry_ns - c->end[rec->cpu]));
	/* One more, so that "not known" (all ones) is the shortest. */
	p = put_varint(p, rec->residency_ns + 1);
	p = put_varint(p, rec->nr_iowait);
	if (first & HAS_SLEEP_LENGTH)
		p = put_expiry(p, &c->timer[rec->cpu], rec->entry_ns, rec->sleep_length_ns);
	if (first & HAS_DELTA_TICK)
		p = put_expiry(p, &c->tick[rec->cpu], rec->entry_ns, rec->delta_tick_ns);
	remember_end(c, rec);
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
	if (cpu >= CPUS_MAX)
		return false;
	rec.cpu = (uint16_t)cpu;
	rec.entry_ns = c->end[cpu] + unzigzag(get_varint(in));
	rec.residency_ns = get_varint(in) - 1;
	nr_iowait = get_varint(in);
	if (first & HAS_SLEEP_LENGTH)
		rec.sleep_length_ns = get_expiry(in, &c->timer[cpu], rec.entry_ns);
	if (first & HAS_DELTA_TICK)
		rec.delta_tick_ns = get_expiry(in, &c->tick[cpu], rec.entry_ns);
	rec.nr_iowait = (uint16_t)nr_iowait;
	if (in->bad || nr_iowait > UINT16_MAX || idle_check(&rec))
		return false;
	remember_end(c, &rec);
	*ret = rec;
	return true;
}

const char *idle_check(const struct idle_record *rec)
{
	if (rec->cpu >= CPUS_MAX)
		return "expected a CPU below 1024";
	if (rec->wake > IDLE_WAKE_LIMIT)
		return "expected a known wake source";
	if (rec->tick_stopped > 2)
		return "expected a tick that is running, stopped or unknown";
	if (rec->picked < -1)
		return "expected a state or -1";
	return NULL;
}
