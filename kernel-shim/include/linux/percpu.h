/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Variables per CPU (see shim/cpu.h). A governor can name no CPU but its own: the shim offers no
 * list of CPUs. So the CPU number that some accessors take is evaluated and not used.
 */
#pragma once

#include <shim/cpu.h>

#define SHIM_PERCPU_SECTION __attribute__((section("shim_percpu")))

#define DEFINE_PER_CPU(type, name) SHIM_PERCPU_SECTION __typeof__(type) name
#define DECLARE_PER_CPU(type, name) extern SHIM_PERCPU_SECTION __typeof__(type) name
#define DEFINE_PER_CPU_ALIGNED(type, name) DEFINE_PER_CPU(type, name) __attribute__((aligned(64)))
#define DEFINE_PER_CPU_SHARED_ALIGNED(type, name) DEFINE_PER_CPU_ALIGNED(type, name)

/*
 * The empty asm hides where the pointer came from: a compiler that saw it could conclude that the
 * copy is never the variable it knows, and cache or drop accesses.
 */
#define this_cpu_ptr(variable)                                                                     \
	({                                                                                         \
		uintptr_t shim_address_;                                                           \
		__asm__("" : "=r"(shim_address_) : "0"(variable));                                 \
		(__typeof__(variable))(shim_address_ + shim_this->percpu_offset);                  \
	})
#define raw_cpu_ptr(variable) this_cpu_ptr(variable)
#define per_cpu_ptr(variable, cpu) ((void)(cpu), this_cpu_ptr(variable))
#define per_cpu(variable, cpu) (*per_cpu_ptr(&(variable), cpu))
#define this_cpu_read(variable) (*this_cpu_ptr(&(variable)))
#define __this_cpu_read(variable) this_cpu_read(variable)
#define this_cpu_write(variable, value) ((void)(*this_cpu_ptr(&(variable)) = (value)))
#define __this_cpu_write(variable, value) this_cpu_write(variable, value)
