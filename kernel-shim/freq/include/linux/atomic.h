/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Governors are called one at a time; what order of memory accesses is left is the compiler's. */
#pragma once

#include <shim/types.h>

#define barrier() __asm__ __volatile__("" ::: "memory")
#define smp_mb() barrier()
#define smp_rmb() barrier()
#define smp_wmb() barrier()

static inline int atomic_read(const atomic_t *v)
{
	return READ_ONCE(v->counter);
}

static inline void atomic_set(atomic_t *v, int value)
{
	WRITE_ONCE(v->counter, value);
}

/* Adds unless the value is `unless`; whether it did. */
static inline bool atomic_add_unless(atomic_t *v, int add, int unless)
{
	if (v->counter == unless)
		return false;
	v->counter += add;
	return true;
}
