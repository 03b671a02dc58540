/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One simulated CPU as kernel code sees it, and how that code gets at it.
 *
 * Kernel governors take no context: they ask "this CPU" for its variables, its clock and its next
 * timer. Here "this CPU" is a thread-local pointer that the glue sets on each call. So any number
 * of CPUs, plug-ins and simulations run side by side, also in several threads: nothing that
 * differs between CPUs is at a fixed address. The pointer is 8 bytes of static TLS (initial-exec),
 * one load from a segment register, so that reads through it cost what they cost in the kernel; the
 * price is that a process can hold only so many plug-ins at once (some 200 with glibc 2.36).
 *
 * Variables declared with DEFINE_PER_CPU are put in a linker section of their own. The section as
 * loaded is only the template: each CPU has a copy in its policy state, and an address in the
 * section plus the CPU's percpu_offset is the address in the copy, which is how the kernel itself
 * does it.
 */
#pragma once

#include <corepace/policy.h>
#include <shim/cpuidle.h>

struct shim_cpu {
	const struct idle_snapshot *snapshot; /* of this call */
	int64_t tick_ns;
	intptr_t percpu_offset;
	bool got_tick;	       /* the tick woke the CPU and nobody asked yet */
	bool timer_read;       /* the governor asked for the sleep length */
	uint32_t disable_mask; /* what device.states_usage says */
	struct cpuidle_device device;
	struct cpuidle_driver driver;
	struct idle_snapshot quiet; /* what a hook other than select sees */
};

#define SHIM_HIDDEN __attribute__((visibility("hidden")))

extern SHIM_HIDDEN __thread struct shim_cpu *shim_this __attribute__((tls_model("initial-exec")));
