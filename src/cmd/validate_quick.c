// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/validate_quick.h"
#include "base/spec.h"
#include "cmd/cmd.h"
#include "workload/workload.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
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

static bool is_chosen(const struct published *p, int row)
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

/* The specification with a smaller scale; the same text where it is not long. */
static int cut_down(const char *spec, char ret[SPEC_TEXT_MAX])
{
	struct error err;
	struct workload *w;
	double scale;

	if (open_workload(spec, &w, &err))
		return -1; /* will be said where it is run */
	scale = w->recorded ? 1 : w->scale;
	workload_free(w);
	if (scale >= 1 || strstr(spec, "scale="))
		return -1;
	return snprintf(ret, SPEC_TEXT_MAX, "%s%cscale=%.9f", spec, strchr(spec, ':') ? ',' : ':',
		       scale / QUICK_PART) < SPEC_TEXT_MAX
		       ? 0
		       : -1;
}

static int cut_all_down(struct published *p, char **texts, int *ret_nr, struct error *err)
{
	char text[SPEC_TEXT_MAX];

	for (int i = 0; i < p->nr; i++) {
		const char *old = p->rows[i].run_workload;

		for (int k = 0; k < *ret_nr && old; k++)
			if (old == texts[k])
				old = NULL; /* done with an earlier row */
		if (!old || cut_down(old, text))
			continue;
		texts[*ret_nr] = strdup(text);
		if (!texts[*ret_nr])
			return error_set(err, ENOMEM, "out of memory");
		for (int k = p->nr - 1; k >= i; k--)
			if (!strcmp(p->rows[k].run_workload, old))
				p->rows[k].run_workload = texts[*ret_nr];
		++*ret_nr;
	}
	return 0;
}

int quick_choose(struct published *p, char ***ret_texts, int *ret_nr, struct error *err)
{
	bool *keep = calloc((size_t)p->nr + 1, sizeof(*keep));
	int rc;

	*ret_nr = 0;
	*ret_texts = calloc((size_t)p->nr + 1, sizeof(**ret_texts));
	for (int i = 0; keep && i < p->nr; i++)
		keep[i] = is_chosen(p, i);
	rc = keep && *ret_texts && !published_keep(p, keep) ? 0 : -ENOMEM;
	free(keep);
	if (rc)
		return error_set(err, ENOMEM, "out of memory");
	return cut_all_down(p, *ret_texts, ret_nr, err);
}
