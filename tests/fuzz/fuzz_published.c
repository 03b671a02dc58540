// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Published rows, claims and floors: what was read can be judged, whatever the figures; a refusal
 * names the line. The first byte tells which it is.
 */
#include "published/claims.h"
#include "published/floors.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_error(const struct error *err)
{
	if (strncmp(err->text, "input:", 6) || strchr(err->text, '\n'))
		abort();
}

static void check_tally(const struct tally *t)
{
	if (t->direction_rows + t->neutral_rows != t->rows || t->failed_rows > t->rows ||
		t->direction_right > t->direction_rows || t->neutral_right > t->neutral_rows)
		abort();
	if (t->rows && (isnan(t->mean_error) || t->median_error > t->p90_error))
		abort();
}

static bool two_of_three(const struct published *p, int row, const void *ctx)
{
	return row % 3;
}

static void judge_all(struct published *p)
{
	struct judgement *j = calloc((size_t)p->nr, sizeof(*j));
	double *figures = calloc((size_t)p->nr, sizeof(*figures));
	double *scratch = calloc((size_t)p->nr, sizeof(*scratch));
	struct tally t;
	struct error err;

	if (!j || !figures || !scratch)
		abort();
	for (int i = 0; i < p->nr; i++) {
		if (p->rows[i].base >= 0 && p->rows[p->rows[i].base].base != p->rows[i].base)
			abort();
		figures[i] = i % 7 ? p->rows[i].value * (1 + i % 3) : NAN;
	}
	judge(p, figures, j);
	for (int kind = 0; kind < ROW_KINDS; kind++) {
		tally_rows(p, j, (enum row_kind)kind, NULL, scratch, &t);
		check_tally(&t);
	}
	if (published_keep(p, two_of_three, NULL, &err))
		abort();
	judge(p, figures, j);
	free(j);
	free(figures);
	free(scratch);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct published p;
	struct claims c;
	struct error err = { "" };
	FILE *f;

	if (size < 2)
		return 0;
	f = fmemopen((void *)(data + 1), size - 1, "r");
	if (!f)
		abort();
	if (*data == 'c') {
		if (claims_parse("input", f, &c, &err))
			check_error(&err);
		else
			claims_release(&c);
	} else if (*data == 'f') {
		static struct floors floors;

		if (floors_parse("input", f, &floors, &err))
			check_error(&err);
		else if (floors.nr < 1 || floors.nr > FLOORS_MAX)
			abort();
	} else if (published_parse("input", f, &p, &err)) {
		check_error(&err);
	} else {
		judge_all(&p);
		published_release(&p);
	}
	fclose(f);
	return 0;
}
