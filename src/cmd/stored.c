// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/stored.h"
#include "report/result_json.h"

#include <stdio.h>

static int read_one(const struct stored_run *run, stored_each_fn each, void *ctx, struct error *err)
{
	char where[STORE_ID_SIZE + 4];
	struct run_result result;
	int rc;

	snprintf(where, sizeof(where), "run %s", run->id);
	rc = result_parse_text(where, run->result, &result, err);
	if (rc)
		return rc;
	rc = each(ctx, run, &result, err);
	result_release(&result);
	return rc;
}

int stored_each(struct store *s, const struct store_filter *filter, stored_each_fn each, void *ctx,
	struct error *err)
{
	struct store_query *q;
	struct stored_run run;
	int rc = store_query(s, filter, &q, err);

	if (rc)
		return rc;
	while ((rc = store_next(q, &run, err)) == 1) {
		rc = read_one(&run, each, ctx, err);
		if (rc)
			break;
	}
	store_query_free(q);
	return rc;
}
