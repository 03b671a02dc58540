/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What runs are made of beside their specifications: hashes of the files that these name. Each is
 * read once.
 */
#pragma once

#include "cmd/run_jobs.h"
#include "store/store.h"

enum { PLUGIN_HASHES_MAX = 4 };

/* The files; "" for a policy without a preset. size: at least 1. */
int machine_file(const char *spec, char *path, size_t size, struct error *err);
int preset_file(const char *spec, char *path, size_t size, struct error *err);

/* Of a machine's file, or of a recording ("" for a generator). */
int identify_machine(const char *spec, char ret[HASH_SIZE], struct error *err);
int identify_workload(const char *spec, char ret[HASH_SIZE], struct error *err);

struct policy_identity {
	char preset[HASH_SIZE]; /* "" for none */
	char plugins[PLUGIN_HASHES_MAX * HASH_SIZE];
};

int identify_policy(const char *spec, struct policy_identity *ret, struct error *err);

/* The key of a job. What it points to must outlive it. */
struct run_key job_key(const struct run_job *job, bool recorded, const char *machine_hash,
	const char *workload_hash, const struct policy_identity *policy);
