// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Cases of the doctor, graded: driver and mode as expected; every problem that is not optional
 * reported; nothing that must not be; no problem beside the expected ones; warn and info ids there,
 * severity within one step; the first advice's place among those given.
 * Usage: test_cases FOLDER... (each holds case folders); one that is not there is skipped.
 */
#include "doctor/report.h"
#include "expect.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int bad, cases;

#define FAIL(...)                                                                                  \
	do {                                                                                       \
		printf("FAIL %s: ", name);                                                         \
		printf(__VA_ARGS__);                                                               \
		printf("\n");                                                                      \
		bad++;                                                                             \
	} while (0)

static int level(const char *severity)
{
	return !strcmp(severity, "problem") ? SEVERITY_PROBLEM
	       : !strcmp(severity, "warn")  ? SEVERITY_WARN
					    : SEVERITY_INFO;
}

static const struct expect_finding *expected(const struct expect *e, const char *id)
{
	for (unsigned i = 0; i < e->findings_count; i++)
		if (!strcmp(e->findings[i].id, id))
			return &e->findings[i];
	return NULL;
}

static bool gives(const struct diagnosis *d, const char *where)
{
	for (int i = 0; i < d->nr; i++) {
		const struct finding *g = &d->findings[i];
		const struct finding_text *t = finding_text(g->id);

		for (int k = 0; k < g->nr_advice; k++)
			if (!strcmp(g->advice[k].where, where))
				return true;
		if (g->own_advice)
			continue;
		for (int k = 0; k < TABLE_ADVICE_MAX; k++)
			if (t->advice[k].setting && !strcmp(t->advice[k].where, where))
				return true;
	}
	return false;
}

static void grade_findings(const char *name, const struct expect *e, const struct diagnosis *d)
{
	for (unsigned i = 0; i < e->findings_count; i++) {
		const struct expect_finding *x = &e->findings[i];
		enum finding_id id = finding_by_name(x->id);
		const struct finding *g = id == FINDINGS_NR ? NULL : diagnosis_find(d, id);

		if (!g && !x->optional)
			FAIL("%s (%s) is not reported", x->id, x->severity);
		if (g && abs((int)g->severity - level(x->severity)) > 1)
			FAIL("%s is %s, expected %s", x->id, severity_name(g->severity),
				x->severity);
	}
	for (unsigned i = 0; i < e->must_not_count; i++) {
		enum finding_id id = finding_by_name(e->must_not[i]);

		if (id == FINDINGS_NR)
			FAIL("%s is no finding", e->must_not[i]);
		else if (diagnosis_find(d, id))
			FAIL("%s is reported and must not be", e->must_not[i]);
	}
	for (int i = 0; i < d->nr; i++) {
		const char *id = finding_name(d->findings[i].id);

		if (!expected(e, id) && d->findings[i].severity == SEVERITY_PROBLEM)
			FAIL("%s is a problem that is not there", id);
		else if (!expected(e, id) && d->findings[i].severity == SEVERITY_WARN)
			printf("note %s: also warns of %s\n", name, id);
	}
}

static void grade(const char *name, const struct expect *e, const struct diagnosis *d)
{
	if (e->driver && strcmp(e->driver, d->driver))
		FAIL("driver %s, expected %s", d->driver, e->driver);
	if (e->mode && strcmp(e->mode, d->mode))
		FAIL("mode %s, expected %s", d->mode, e->mode);
	if (e->hwp && d->hwp != (strcmp(e->hwp, "on") ? FACT_NO : FACT_YES))
		FAIL("hwp is not %s", e->hwp);
	grade_findings(name, e, d);
	if (e->advice_count && !gives(d, e->advice[0].where))
		FAIL("no advice for %s", e->advice[0].where);
}

static void one(const char *folder, const char *name)
{
	static struct facts facts;
	static struct diagnosis diagnosis;
	char path[512], where[400];
	struct tree_sources from = { .where = where };
	struct error err;
	struct expect *e;
	struct tree *tree;

	snprintf(where, sizeof(where), "%s/%s", folder, name);
	snprintf(path, sizeof(path), "%s/expect.yaml", where);
	cases++;
	e = expect_load(path);
	if (!e || tree_open(&from, &tree, &err)) {
		FAIL("%s", e ? err.text : "no expect.yaml");
		expect_free(e);
		return;
	}
	if (facts_gather(tree, &facts, &err)) {
		FAIL("%s", err.text);
	} else {
		diagnose(&facts, &diagnosis);
		grade(name, e, &diagnosis);
		facts_drop(&facts);
	}
	tree_free(tree);
	expect_free(e);
}

static int visible(const struct dirent *d)
{
	return d->d_name[0] != '.' && !strchr(d->d_name, '.');
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		struct dirent **names;
		int nr = scandir(argv[i], &names, visible, alphasort);

		for (int k = 0; k < nr; k++) {
			one(argv[i], names[k]->d_name);
			free(names[k]);
		}
		if (nr >= 0)
			free(names);
	}
	printf("%d cases, %d faults\n", cases, bad);
	return cases ? !!bad : 77;
}
