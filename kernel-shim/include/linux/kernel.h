/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits, small helpers and compiler words that every kernel file takes for granted. */
#pragma once

#include <linux/types.h>

#define INT_MAX __INT_MAX__
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX (INT_MAX * 2U + 1U)
#define LONG_MAX __LONG_MAX__
#define LONG_MIN (-LONG_MAX - 1L)
#define ULONG_MAX (LONG_MAX * 2UL + 1UL)
#define U32_MAX UINT_MAX
#define S32_MAX INT_MAX
#define U64_MAX ((u64)-1)
#define S64_MAX ((s64)(U64_MAX >> 1))
#define S64_MIN (-S64_MAX - 1)

#define EPERM 1
#define ENOENT 2
#define ENOMEM 12
#define EBUSY 16
#define EEXIST 17
#define ENODEV 19
#define EINVAL 22

#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)
#define noinline __attribute__((noinline))
#define __always_inline inline __attribute__((always_inline))
#define __maybe_unused __attribute__((unused))
#define fallthrough __attribute__((fallthrough))

/* Where the kernel puts things in its image; of no meaning here. */
#define __init
#define __exit
#define __initdata
#define __read_mostly
#define __ro_after_init
#define __cpuidle

#define BIT(n) (1UL << (n))
#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

#define min(a, b)                                                                                  \
	({                                                                                         \
		__typeof__(a) shim_a_ = (a);                                                       \
		__typeof__(b) shim_b_ = (b);                                                       \
		shim_a_ < shim_b_ ? shim_a_ : shim_b_;                                             \
	})
#define max(a, b)                                                                                  \
	({                                                                                         \
		__typeof__(a) shim_a_ = (a);                                                       \
		__typeof__(b) shim_b_ = (b);                                                       \
		shim_a_ > shim_b_ ? shim_a_ : shim_b_;                                             \
	})
#define min_t(type, a, b) min((type)(a), (type)(b))
#define max_t(type, a, b) max((type)(a), (type)(b))
#define clamp(value, low, high) min(max(value, low), high)
#define clamp_t(type, value, low, high) clamp((type)(value), (type)(low), (type)(high))

#define READ_ONCE(x) (*(const volatile __typeof__(x) *)&(x))
#define WRITE_ONCE(x, value) ((void)(*(volatile __typeof__(x) *)&(x) = (value)))

/* A plug-in neither prints nor stops on a warning; a bug traps, and the command says where. */
#define WARN_ON(condition) (!!(condition))
#define WARN_ON_ONCE(condition) WARN_ON(condition)
#define BUG_ON(condition) ((condition) ? __builtin_trap() : (void)0)
#define BUILD_BUG_ON(condition) _Static_assert(!(condition), #condition)
#define pr_debug(...) ((void)0)
#define pr_info(...) ((void)0)
#define pr_warn(...) ((void)0)
#define pr_err(...) ((void)0)

/* Builtins, for the compiler is told that there is no C library. */
#define memset __builtin_memset
#define memcpy __builtin_memcpy
#define memcmp __builtin_memcmp
