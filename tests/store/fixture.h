/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A folder of its own for each test, and runs to put into stores. */
#pragma once

#include "store/store.h"

#include "../cmocka_all.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct folder {
	char path[64], file[80], other[80];
};

static inline int make_folder(void **state)
{
	struct folder *f = calloc(1, sizeof(*f));

	strcpy(f->path, "/tmp/corepace-store-XXXXXX");
	assert_non_null(mkdtemp(f->path));
	snprintf(f->file, sizeof(f->file), "%s/runs.db", f->path);
	snprintf(f->other, sizeof(f->other), "%s/other.db", f->path);
	*state = f;
	return 0;
}

static inline int remove_folder(void **state)
{
	struct folder *f = *state;
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", f->path);
	free(f);
	return system(command);
}

static inline struct stored_run make_run(const char *policy, uint64_t seed)
{
	return (struct stored_run){
		.key = { .code = "c0de",
			.machine = "m4",
			.workload = "pipe-test",
			.policy = policy,
			.machine_hash = "a1",
			.workload_hash = "",
			.preset_hash = "",
			.plugin_hash = "",
			.scaling = "known",
			.seed = seed },
		.version = "0.1.0",
		.result = "{\"metrics\":{\"tx\":{\"value\":1.5,\"unit\":\"1/s\",\"better\":"
			  "\"higher\"}}}",
	};
}

static inline struct store *must_open(const char *path, enum store_mode mode)
{
	struct store *s = NULL;
	struct error err = { "" };

	if (store_open(path, mode, &s, &err))
		fail_msg("%s", err.text);
	return s;
}

static inline void must_put(struct store *s, const struct stored_run *run)
{
	struct error err = { "" };

	if (store_put(s, run, false, &err))
		fail_msg("%s", err.text);
}

/* "POLICY/SEED " of each run, in the query's order. */
static inline const char *listing(struct store *s, const struct store_filter *filter)
{
	static char text[4096];
	struct store_query *q = NULL;
	struct stored_run run;
	struct error err = { "" };
	size_t n = 0;
	int rc;

	text[0] = 0;
	assert_int_equal(store_query(s, filter, &q, &err), 0);
	while ((rc = store_next(q, &run, &err)) == 1)
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s/%llu ", run.key.policy,
			(unsigned long long)run.key.seed);
	assert_int_equal(rc, 0);
	store_query_free(q);
	return text;
}
