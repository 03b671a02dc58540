/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `corepace runs` shows of a store. */
#pragma once

#include "store/store.h"

#include <stdbool.h>

struct runs_request {
	const char *db;
	struct store_filter filter;
	char **others; /* stores to merge, or hashes of files */
	int nr_others;
	bool all, json;
};

/* On stdout. */
int runs_list(struct store *s, const struct runs_request *r, struct error *err);
int runs_show(struct store *s, const struct runs_request *r, struct error *err);
int runs_export(struct store *s, const struct runs_request *r, struct error *err);
int runs_file(struct store *s, const struct runs_request *r, struct error *err);
