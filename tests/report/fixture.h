/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A result with something in every field, to be changed by each test. */
#pragma once

#include "corepace/result.h"

#include <stdlib.h>
#include <string.h>

static inline struct run_result make_result(const char *policy, double usecs, uint64_t package_uj)
{
	struct run_result r = {
		.machine = "m4",
		.workload = "pipe-test",
		.seed = 7,
		.iteration = 2,
		.scaling = "known",
		.elapsed_ns = 2000000000,
		.operations = 1000,
		.package_uj = package_uj,
		.cores_uj = package_uj / 2,
		.gpu_uj = 5,
		.devices_uj = 6,
		.energy_band = 0.25,
		.nr_idle = 2,
		.idle = { { "POLL", 100000000, 10, 1, 2, 3 }, { "C1", 900000000, 20, 4, 5, 6 } },
		.nr_freqs = 2,
		.freqs = { { 1600000, 250000000 }, { 3400000, 750000000 } },
		.nr_cpus = 1,
		.wake_p50_ns = 1500,
		.wake_p90_ns = 2500,
		.wake_p99_ns = 4500,
		.wake_p999_ns = 5500,
		.wake_max_ns = 6000,
		.wake_count = 30,
		.counters = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 },
	};

	strcpy(r.policy, policy);
	r.wake_buckets[11] = 20;
	r.wake_buckets[13] = 10;
	r.cpus = calloc(1, sizeof(*r.cpus));
	r.cpus[0] = (struct result_cpu){ 1000000000, 600000000, 300000000, 100000000, { { "" } } };
	memcpy(r.cpus[0].idle, r.idle, sizeof(r.idle));
	result_metric(&r, "usecs_per_loop", "us", usecs, -1);
	result_derive(&r);
	result_note(&r, "a note");
	return r;
}
