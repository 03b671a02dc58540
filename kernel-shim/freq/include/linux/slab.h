/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory of the policy: its state holds all that a governor asks for, once. */
#pragma once

#include <shim/policy.h>

#define GFP_KERNEL 0

/* Zeroed, as the whole state is. */
static inline void *kzalloc(size_t size, int flags)
{
	size_t used = shim_policy->arena_used;

	size = (size + 15) & ~(size_t)15;
	if (size > SHIM_ARENA - used)
		return NULL;
	shim_policy->arena_used = used + size;
	return shim_policy->arena + used;
}

#define kfree(memory) ((void)(memory))
