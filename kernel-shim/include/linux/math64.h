/* SPDX-License-Identifier: GPL-2.0-or-later */
/* 64-bit divisions: functions in the kernel for the sake of 32-bit machines. */
#pragma once

#include <linux/kernel.h>

static inline u64 div_u64(u64 dividend, u32 divisor)
{
	return dividend / divisor;
}

static inline s64 div_s64(s64 dividend, s32 divisor)
{
	return dividend / divisor;
}

static inline u64 div64_u64(u64 dividend, u64 divisor)
{
	return dividend / divisor;
}

static inline s64 div64_s64(s64 dividend, s64 divisor)
{
	return dividend / divisor;
}

static inline u64 mul_u64_u32_shr(u64 a, u32 factor, unsigned int shift)
{
	return (u64)(((unsigned __int128)a * factor) >> shift);
}

/* Divides n in place by a 32-bit number; the value is the remainder. */
#define do_div(n, base)                                                                            \
	({                                                                                         \
		u32 shim_base_ = (base);                                                           \
		u32 shim_rest_ = (u64)(n) % shim_base_;                                            \
		(n) = (u64)(n) / shim_base_;                                                       \
		shim_rest_;                                                                        \
	})
