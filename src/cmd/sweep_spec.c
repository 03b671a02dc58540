// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/sweep_spec.h"
#include "cmd/sweep_file.h"
#include "base/array.h"
#include "base/spec.h"
#include "machine/preset.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct seeds {
	int nr;
	uint64_t *list;
};

/* What one grid makes of its machines, workloads or policies: numbers of texts. */
struct axis {
	const char *of;
	struct sweep_texts *texts;
	int nr;
	int *list;
};

struct maker {
	const struct yaml *y;
	const char *path;
	struct sweep_spec spec;
	struct error *err;
};

static int no_memory(struct maker *m)
{
	return error_set(m->err, ENOMEM, "%s: out of memory", m->path);
}

/* ---- texts ----------------------------------------------------------------------------------- */

static int add_text(struct sweep_texts *t, const char *text)
{
	char **grown;

	for (int i = t->nr - 1; i >= 0; i--)
		if (!strcmp(t->list[i], text))
			return i;
	grown = array_grow(t->list, (size_t)t->nr, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	t->list = grown;
	t->list[t->nr] = strdup(text);
	return t->list[t->nr] ? t->nr++ : -ENOMEM;
}

static int add_to_axis(struct maker *m, struct axis *a, const char *text)
{
	int *grown = array_grow(a->list, (size_t)a->nr, sizeof(*grown)), k;

	if (!grown)
		return no_memory(m);
	a->list = grown;
	k = add_text(a->texts, text);
	if (k < 0)
		return no_memory(m);
	a->list[a->nr++] = k;
	return 0;
}

/* ---- keys ------------------------------------------------------------------------------------ */

/* Puts key=value at the end of a specification, behind its preset or its other keys. */
static int with_key(struct maker *m, const char *text, const char *key, const char *value,
	char ret[SPEC_TEXT_MAX])
{
	struct error why = { "" };
	struct spec spec;
	int n;

	if (policy_spec_parse(&spec, text, &why))
		return yaml_error(m->y, "grids", m->err, "%s", why.text);
	if (spec_get(&spec, key))
		return yaml_error(
			m->y, "grids.keys", m->err, "'%s' has a key '%s' already", text, key);
	n = snprintf(
		ret, SPEC_TEXT_MAX, "%s%c%s=%s", text, strchr(text, '=') ? ',' : ':', key, value);
	if (n < 0 || n >= SPEC_TEXT_MAX)
		return yaml_error(m->y, "grids.keys", m->err,
			"'%s' with %s: longer than %d characters", text, key, SPEC_TEXT_MAX - 1);
	/* A value that ends up as another key, or none, is a mistake. */
	if (policy_spec_parse(&spec, ret, &why) || !spec_get(&spec, key) ||
		strcmp(spec_get(&spec, key), value))
		return yaml_error(m->y, "grids.keys", m->err,
			"'%s=%s', expected a key and its value", key, value);
	return 0;
}

static int multiply(struct maker *m, struct axis *a, const struct sweep_file_key *key)
{
	struct axis more = { .of = a->of, .texts = a->texts };
	char text[SPEC_TEXT_MAX];
	int rc = 0;

	if ((uint64_t)a->nr * key->values_count > SWEEP_TEXTS_MAX)
		return yaml_error(
			m->y, "grids.keys", m->err, "more than %d combinations", SWEEP_TEXTS_MAX);
	for (int i = 0; i < a->nr && !rc; i++)
		for (uint32_t v = 0; v < key->values_count && !rc; v++) {
			rc = with_key(
				m, a->texts->list[a->list[i]], key->key, key->values[v], text);
			rc = rc ? rc : add_to_axis(m, &more, text);
		}
	free(a->list);
	*a = more;
	return rc;
}

static int make_axis(
	struct maker *m, const struct sweep_file_grid *g, char **texts, uint32_t nr, struct axis *a)
{
	int rc = 0;

	for (uint32_t i = 0; i < nr && !rc; i++)
		rc = add_to_axis(m, a, texts[i]);
	for (uint32_t i = 0; i < g->keys_count && !rc; i++)
		if (!strcmp(g->keys[i].of ? g->keys[i].of : "policy", a->of))
			rc = multiply(m, a, &g->keys[i]);
	return rc;
}

static int check_keys(struct maker *m, const struct sweep_file_grid *g)
{
	for (uint32_t i = 0; i < g->keys_count; i++) {
		const char *of = g->keys[i].of;

		if (of && strcmp(of, "machine") && strcmp(of, "workload") && strcmp(of, "policy"))
			return yaml_error(m->y, "grids.keys.of", m->err,
				"'%s', expected machine, workload or policy", of);
	}
	return 0;
}

/* ---- seeds ----------------------------------------------------------------------------------- */

static int add_seeds(struct seeds *s, uint64_t first, uint64_t last)
{
	if (last - first >= SWEEP_RUNS_MAX || s->nr + (int)(last - first) >= SWEEP_RUNS_MAX)
		return -E2BIG;
	for (uint64_t seed = first; seed <= last; seed++) {
		uint64_t *grown = array_grow(s->list, (size_t)s->nr, sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		s->list = grown;
		s->list[s->nr++] = seed;
	}
	return 0;
}

/* "1-10" or "7": where it ends, or NULL. */
static const char *parse_range(const char *p, uint64_t *first, uint64_t *last)
{
	char *end;

	if (*p < '0' || *p > '9')
		return NULL;
	errno = 0;
	*first = *last = strtoull(p, &end, 10);
	if (*end == '-') {
		p = end + 1;
		if (*p < '0' || *p > '9')
			return NULL;
		*last = strtoull(p, &end, 10);
	}
	return errno || *last < *first || *last >= LLONG_MAX ? NULL : end;
}

static int parse_seeds(struct maker *m, const char *field, const char *text, struct seeds *ret)
{
	const char *p = text ? text : "1";
	uint64_t first, last;

	for (;;) {
		const char *end = parse_range(p, &first, &last);
		int rc;

		while (end && *end == ' ')
			end++;
		if (!end || (*end && *end != ','))
			return yaml_error(
				m->y, field, m->err, "'%s', expected seeds such as 1-10,20", text);
		rc = add_seeds(ret, first, last);
		if (rc == -E2BIG)
			return yaml_error(
				m->y, field, m->err, "more than %d seeds", SWEEP_RUNS_MAX);
		if (rc)
			return no_memory(m);
		if (!*end)
			return 0;
		for (p = end + 1; *p == ' '; p++)
			;
	}
}

/* ---- runs ------------------------------------------------------------------------------------ */

static int add_run(struct maker *m, struct sweep_run run)
{
	struct sweep_spec *s = &m->spec;
	struct sweep_run *grown = array_grow(s->runs, (size_t)s->nr, sizeof(*grown));

	if (!grown)
		return no_memory(m);
	s->runs = grown;
	s->runs[s->nr++] = run;
	return 0;
}

static int add_product(struct maker *m, const struct axis *axes, const struct seeds *seeds)
{
	/* Each factor is at most 2^20. */
	unsigned __int128 nr = (unsigned __int128)axes[0].nr * (unsigned)axes[1].nr *
			       (unsigned)axes[2].nr * (unsigned)seeds->nr;
	int rc = 0;

	if (nr + (unsigned)m->spec.nr > SWEEP_RUNS_MAX)
		return yaml_error(m->y, "grids", m->err, "more than %d runs", SWEEP_RUNS_MAX);
	for (int i = 0; i < (int)nr && !rc; i++) {
		int seed = i % seeds->nr, policy = i / seeds->nr;
		int workload = policy / axes[2].nr, machine = workload / axes[1].nr;

		rc = add_run(m, (struct sweep_run){
					.machine = axes[0].list[machine],
					.workload = axes[1].list[workload % axes[1].nr],
					.policy = axes[2].list[policy % axes[2].nr],
					.seed = seeds->list[seed],
					.iteration = seed,
				});
	}
	return rc;
}

static int add_grid(struct maker *m, const struct sweep_file_grid *g)
{
	struct axis axes[] = { { "machine", &m->spec.machines, 0, NULL },
		{ "workload", &m->spec.workloads, 0, NULL },
		{ "policy", &m->spec.policies, 0, NULL } };
	struct seeds seeds = { 0, NULL };
	int rc = check_keys(m, g);

	rc = rc ? rc : make_axis(m, g, g->machines, g->machines_count, &axes[0]);
	rc = rc ? rc : make_axis(m, g, g->workloads, g->workloads_count, &axes[1]);
	rc = rc ? rc : make_axis(m, g, g->policies, g->policies_count, &axes[2]);
	rc = rc ? rc : parse_seeds(m, "grids.seeds", g->seeds, &seeds);
	rc = rc ? rc : add_product(m, axes, &seeds);
	for (int i = 0; i < 3; i++)
		free(axes[i].list);
	free(seeds.list);
	return rc;
}

static int add_single(struct maker *m, const struct sweep_file_run *r)
{
	struct sweep_spec *s = &m->spec;
	int machine = add_text(&s->machines, r->machine);
	int workload = add_text(&s->workloads, r->workload);
	int policy = add_text(&s->policies, r->policy);
	struct seeds seeds = { 0, NULL };
	int rc;

	if (machine < 0 || workload < 0 || policy < 0)
		return no_memory(m);
	rc = parse_seeds(m, "runs.seeds", r->seeds, &seeds);
	if (!rc && s->nr + seeds.nr > SWEEP_RUNS_MAX)
		rc = yaml_error(m->y, "runs", m->err, "more than %d runs", SWEEP_RUNS_MAX);
	for (int i = 0; i < seeds.nr && !rc; i++)
		rc = add_run(m, (struct sweep_run){ machine, workload, policy, seeds.list[i], i });
	free(seeds.list);
	return rc;
}

static int make(struct maker *m, const struct sweep_file *f)
{
	int rc = 0;

	if (strcmp(f->schema, "1"))
		return yaml_error(m->y, "schema", m->err, "'%s', expected 1", f->schema);
	if (f->scaling && scaling_choice_parse(f->scaling, &m->spec.scaling))
		return yaml_error(
			m->y, "scaling", m->err, "'%s', expected all, none or both", f->scaling);
	for (uint32_t i = 0; i < f->grids_count && !rc; i++)
		rc = add_grid(m, &f->grids[i]);
	for (uint32_t i = 0; i < f->runs_count && !rc; i++)
		rc = add_single(m, &f->runs[i]);
	if (!rc && !m->spec.nr)
		rc = error_set(
			m->err, EINVAL, "%s: no runs in it, expected grids or runs", m->path);
	return rc;
}

static int make_spec(const struct yaml *y, struct sweep_spec *ret, struct error *err)
{
	struct maker m = {
		.y = y, .path = y->path, .spec = { .scaling = SCALING_BOTH }, .err = err
	};
	int rc = make(&m, y->doc);

	if (rc)
		sweep_spec_release(&m.spec);
	else
		*ret = m.spec;
	return rc;
}

int sweep_spec_parse(
	const char *path, const char *text, size_t size, struct sweep_spec *ret, struct error *err)
{
	struct yaml y;
	int rc = yaml_parse(&y, path, text, size, &sweep_file_schema, err);

	if (rc)
		return rc;
	rc = make_spec(&y, ret, err);
	yaml_release(&y);
	return rc;
}

int sweep_spec_read(const char *path, struct sweep_spec *ret, struct error *err)
{
	struct yaml y;
	int rc = yaml_read(&y, path, &sweep_file_schema, err);

	if (rc)
		return rc;
	rc = make_spec(&y, ret, err);
	yaml_release(&y);
	return rc;
}

static void texts_release(struct sweep_texts *t)
{
	for (int i = 0; i < t->nr; i++)
		free(t->list[i]);
	free(t->list);
}

void sweep_spec_release(struct sweep_spec *spec)
{
	texts_release(&spec->machines);
	texts_release(&spec->workloads);
	texts_release(&spec->policies);
	free(spec->runs);
	*spec = (struct sweep_spec){ .nr = 0 };
}
