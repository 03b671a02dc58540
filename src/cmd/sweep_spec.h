/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sweep's file (corepace-sweep(5)) and the runs it names, as texts: nothing that they name is
 * looked at here.
 */
#pragma once

#include "base/error.h"
#include "cmd/run_jobs.h"

#include <stddef.h>
#include <stdint.h>

enum {
	SWEEP_RUNS_MAX = 1000000,
	SWEEP_TEXTS_MAX = 10000, /* machines, workloads or policies of one grid */
};

/* Specifications, each once, in the order in which they were first named. */
struct sweep_texts {
	int nr;
	char **list;
};

struct sweep_run {
	int machine, workload, policy; /* numbers in the lists below */
	uint64_t seed;
	int iteration; /* the seed's place among its seeds */
};

struct sweep_spec {
	enum scaling_choice scaling;
	struct sweep_texts machines, workloads, policies;
	/*
	 * Grids in the file's order, then single runs. In a grid seeds change fastest, then
	 * policies, workloads, machines. Runs may be named twice.
	 */
	int nr;
	struct sweep_run *runs;
};

/* ret needs a release after success only. */
int sweep_spec_read(const char *path, struct sweep_spec *ret, struct error *err);

/* The same from memory; path only stands in messages. */
int sweep_spec_parse(
	const char *path, const char *text, size_t size, struct sweep_spec *ret, struct error *err);

void sweep_spec_release(struct sweep_spec *spec);
