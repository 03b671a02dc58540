// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/validate_quick.h"

#include <string.h>

static bool same_program(const struct published_row *a, const struct published_row *b)
{
	size_t length = strcspn(a->run_workload, ":");

	return !strcmp(a->table, b->table) && strcspn(b->run_workload, ":") == length &&
	       !strncmp(a->run_workload, b->run_workload, length);
}

static bool same_workload(const struct published_row *a, const struct published_row *b)
{
	return !strcmp(a->table, b->table) && !strcmp(a->run_workload, b->run_workload);
}

static bool same_runs(const struct published_row *a, const struct published_row *b)
{
	return same_workload(a, b) && !strcmp(a->run_machine, b->run_machine) &&
	       !strcmp(a->run_policy, b->run_policy);
}

/* Among rows before this one that are `like` it, how many differ in what `same` looks at? */
static int place(const struct published *p, int row,
	bool (*like)(const struct published_row *, const struct published_row *),
	bool (*same)(const struct published_row *, const struct published_row *))
{
	int nr = 0;

	for (int i = 0; i < row; i++) {
		bool first = like(&p->rows[i], &p->rows[row]);

		if (same(&p->rows[i], &p->rows[row]))
			return -1; /* its place is that of an earlier row */
		for (int k = 0; k < i && first; k++)
			first = !same(&p->rows[k], &p->rows[i]);
		nr += first;
	}
	return nr;
}

static bool is_chosen(const struct published *p, int row, const void *ctx)
{
	int first_workload = 0, first_runs = 0;

	if (published_spread(&p->rows[row]))
		return false;
	while (!same_workload(&p->rows[first_workload], &p->rows[row]))
		first_workload++;
	while (!same_runs(&p->rows[first_runs], &p->rows[row]))
		first_runs++;
	return place(p, first_workload, same_program, same_workload) < QUICK_WORKLOADS &&
	       place(p, first_runs, same_workload, same_runs) < QUICK_CONFIGURATIONS;
}

int quick_choose(struct published *p, struct error *err)
{
	return published_keep(p, is_chosen, NULL, err);
}
