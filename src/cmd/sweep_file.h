/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sweep's file as libcyaml reads it, between its schema and what is made of it. */
#pragma once

#include "machine/yaml.h"

#include <stdint.h>

/* One key that takes each of the values, in each machine, workload or policy of its grid. */
struct sweep_file_key {
	char *key;
	char *of; /* NULL: policy */
	char **values;
	uint32_t values_count;
};

struct sweep_file_grid {
	char **machines, **workloads, **policies;
	uint32_t machines_count, workloads_count, policies_count;
	struct sweep_file_key *keys;
	uint32_t keys_count;
	char *seeds; /* NULL: 1 */
};

struct sweep_file_run {
	char *machine, *workload, *policy, *seeds;
};

struct sweep_file {
	char *schema, *description, *scaling;
	struct sweep_file_grid *grids;
	struct sweep_file_run *runs;
	uint32_t grids_count, runs_count;
};

extern const cyaml_schema_value_t sweep_file_schema;
