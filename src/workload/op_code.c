// SPDX-License-Identifier: GPL-2.0-or-later
#include "workload/op_code.h"

enum {
	KIND_MASK = 0x0f,
	HAS_FLAGS = 0x10,
	HAS_TARGET = 0x20,
	HAS_CYCLES = 0x40,
	HAS_NS = 0x80,
};

_Static_assert(OP_KINDS <= KIND_MASK + 1, "kinds fit the first byte");

static bool is_absolute(enum op_kind kind)
{
	return kind == OP_SLEEP_UNTIL || kind == OP_EXTERNAL;
}

uint8_t *op_encode(struct op_coder *c, const struct op *op, uint8_t *p)
{
	uint32_t target = op->target - c->last_target[op->kind];
	uint64_t ns = op->ns;
	uint8_t *first = p++;

	if (is_absolute(op->kind)) {
		ns = zigzag(op->ns - c->last_time);
		c->last_time = op->ns;
	}
	c->last_target[op->kind] = op->target;
	*first = (uint8_t)op->kind;
	if (op->flags) {
		*first |= HAS_FLAGS;
		p = put_varint(p, op->flags);
	}
	if (target) {
		*first |= HAS_TARGET;
		p = put_varint(p, (uint32_t)((target << 1) ^ (uint32_t)((int32_t)target >> 31)));
	}
	if (op->cycles) {
		*first |= HAS_CYCLES;
		p = put_varint(p, op->cycles);
	}
	if (ns) {
		*first |= HAS_NS;
		p = put_varint(p, ns);
	}
	return p;
}

static uint32_t get_varint32(struct bytes_in *in)
{
	uint64_t v = get_varint(in);

	if (v > UINT32_MAX)
		in->bad = true;
	return (uint32_t)v;
}

bool op_decode(struct op_coder *c, struct bytes_in *in, struct op *ret)
{
	struct op op = { 0 };
	uint8_t first;

	if (in->p == in->end)
		return false;
	first = *in->p++;
	if ((first & KIND_MASK) >= OP_KINDS)
		return false;
	op.kind = first & KIND_MASK;
	op.target = c->last_target[op.kind];
	if (first & HAS_FLAGS)
		op.flags = get_varint32(in);
	if (first & HAS_TARGET) {
		uint32_t v = get_varint32(in);

		op.target += (v >> 1) ^ -(v & 1);
	}
	if (first & HAS_CYCLES)
		op.cycles = get_varint(in);
	if (first & HAS_NS)
		op.ns = get_varint(in);
	if (in->bad)
		return false;
	if (is_absolute(op.kind)) {
		op.ns = c->last_time + unzigzag(op.ns);
		c->last_time = op.ns;
	}
	c->last_target[op.kind] = op.target;
	*ret = op;
	return true;
}

const char *op_check(const struct op *op, uint32_t nr_tasks, uint32_t nr_channels)
{
	if ((unsigned)op->kind >= OP_KINDS)
		return "expected a known kind of op";
	if (op->cycles > OP_VALUE_MAX || op->ns > OP_VALUE_MAX)
		return "expected cycles and ns of at most 2^60";
	switch (op->kind) {
	case OP_WAIT:
	case OP_SIGNAL:
		return op->target < nr_channels ? NULL : "expected a channel of the workload";
	case OP_FORK:
		return op->target < nr_tasks ? NULL : "expected a task of the workload";
	case OP_IO:
		return op->target < OP_DEVICES_MAX ? NULL : "expected a device below 64";
	default:
		return NULL;
	}
}
