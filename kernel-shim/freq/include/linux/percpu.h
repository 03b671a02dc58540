/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Variables per CPU, see shim/policy.h; CPUs are those of the policy. */
#pragma once

#include <shim/policy.h>

#define SHIM_PERCPU_SECTION __attribute__((section("shim_percpu")))

#define DEFINE_PER_CPU(type, name) SHIM_PERCPU_SECTION __typeof__(type) name
#define DECLARE_PER_CPU(type, name) extern SHIM_PERCPU_SECTION __typeof__(type) name

/* The empty asm hides where the pointer came from: the copy is not the variable that is known. */
#define per_cpu_ptr(variable, cpu)                                                                 \
	({                                                                                         \
		uintptr_t shim_address_;                                                           \
		__asm__("" : "=r"(shim_address_) : "0"(variable));                                 \
		(__typeof__(variable))(shim_address_ + (uintptr_t)shim_policy->percpu_offset +     \
				       (cpu)*shim_policy->percpu_stride);                          \
	})
#define per_cpu(variable, cpu) (*per_cpu_ptr(&(variable), cpu))
#define this_cpu_ptr(variable) per_cpu_ptr(variable, shim_policy->cpu)
#define this_cpu_read(variable) (*this_cpu_ptr(&(variable)))
#define this_cpu_write(variable, value) ((void)(*this_cpu_ptr(&(variable)) = (value)))
