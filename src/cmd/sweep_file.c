// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/sweep_file.h"

static const cyaml_schema_value_t text = {
	CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 1, CYAML_UNLIMITED),
};

#define TEXT(name, type, member, flags)                                                            \
	CYAML_FIELD_STRING_PTR(name, CYAML_FLAG_POINTER | (flags), type, member, 1, CYAML_UNLIMITED)
#define LIST(name, type, member, entry, flags)                                                     \
	CYAML_FIELD_SEQUENCE(                                                                      \
		name, CYAML_FLAG_POINTER | (flags), type, member, entry, 1, CYAML_UNLIMITED)

static const cyaml_schema_field_t key_fields[] = {
	TEXT("key", struct sweep_file_key, key, 0),
	TEXT("of", struct sweep_file_key, of, CYAML_FLAG_OPTIONAL),
	LIST("values", struct sweep_file_key, values, &text, 0),
	CYAML_FIELD_END,
};

static const cyaml_schema_value_t key = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct sweep_file_key, key_fields),
};

static const cyaml_schema_field_t grid_fields[] = {
	LIST("machines", struct sweep_file_grid, machines, &text, 0),
	LIST("workloads", struct sweep_file_grid, workloads, &text, 0),
	LIST("policies", struct sweep_file_grid, policies, &text, 0),
	LIST("keys", struct sweep_file_grid, keys, &key, CYAML_FLAG_OPTIONAL),
	TEXT("seeds", struct sweep_file_grid, seeds, CYAML_FLAG_OPTIONAL),
	CYAML_FIELD_END,
};

static const cyaml_schema_value_t grid = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct sweep_file_grid, grid_fields),
};

static const cyaml_schema_field_t run_fields[] = {
	TEXT("machine", struct sweep_file_run, machine, 0),
	TEXT("workload", struct sweep_file_run, workload, 0),
	TEXT("policy", struct sweep_file_run, policy, 0),
	TEXT("seeds", struct sweep_file_run, seeds, CYAML_FLAG_OPTIONAL),
	CYAML_FIELD_END,
};

static const cyaml_schema_value_t run = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct sweep_file_run, run_fields),
};

static const cyaml_schema_field_t file_fields[] = {
	TEXT("schema", struct sweep_file, schema, 0),
	TEXT("description", struct sweep_file, description, CYAML_FLAG_OPTIONAL),
	TEXT("scaling", struct sweep_file, scaling, CYAML_FLAG_OPTIONAL),
	LIST("grids", struct sweep_file, grids, &grid, CYAML_FLAG_OPTIONAL),
	LIST("runs", struct sweep_file, runs, &run, CYAML_FLAG_OPTIONAL),
	CYAML_FIELD_END,
};

const cyaml_schema_value_t sweep_file_schema = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct sweep_file, file_fields),
};
