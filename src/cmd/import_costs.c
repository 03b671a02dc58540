// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/import_file.h"
#include "trace/costs.h"

#include <errno.h>
#include <stdlib.h>

int import_costs(const char *in_path, struct error *err)
{
	struct costs *costs = calloc(1, sizeof(*costs));
	struct trace_reader *r;
	struct event ev;
	int rc;

	if (!costs)
		return error_set(err, ENOMEM, "out of memory");
	rc = trace_open(in_path, &r, err);
	if (rc < 0) {
		free(costs);
		return rc;
	}
	while ((rc = trace_next(r, &ev, err)) > 0) {
		rc = costs_event(costs, &ev);
		if (rc < 0) {
			error_set(err, -rc, "%s: out of memory", in_path);
			break;
		}
	}
	if (!rc)
		costs_print(costs, in_path, stdout);
	trace_close(r);
	costs_release(costs);
	free(costs);
	return rc;
}
