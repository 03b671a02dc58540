// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/compare_store.h"
#include "cmd/stored.h"
#include "base/array.h"
#include "base/units.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAMED_DIGITS = 8 };

/* What runs of one specification can differ in. */
static const struct {
	size_t offset;
	const char *name;
} contents[] = {
	{ offsetof(struct run_key, code), "code" },
	{ offsetof(struct run_key, machine_hash), "machine" },
	{ offsetof(struct run_key, workload_hash), "workload" },
	{ offsetof(struct run_key, preset_hash), "preset" },
	{ offsetof(struct run_key, plugin_hash), "plug-in" },
};

/* One specification with one set of contents. */
struct variant {
	char *machine, *workload, *policy;
	char *content[ARRAY_LEN(contents)];
};

struct naming {
	bool machines, policies;	   /* there are several; of one machine there are several */
	bool content[ARRAY_LEN(contents)]; /* runs of one specification differ in it */
	size_t nr;
	struct variant *variants;
};

struct reading {
	stored_named_fn each;
	void *ctx;
	struct naming naming;
	int nr;
};

static const char *content(const struct run_key *key, size_t i)
{
	const char *value;

	memcpy(&value, (const char *)key + contents[i].offset, sizeof(value));
	return value;
}

static bool same_specification(const struct variant *v, const struct run_key *key)
{
	return !strcmp(v->policy, key->policy) && !strcmp(v->workload, key->workload) &&
	       !strcmp(v->machine, key->machine);
}

/* Whether the variant is the run's own; notes in what it differs when only that tells them apart.
 */
static bool compare_contents(struct naming *n, const struct variant *v, const struct run_key *key)
{
	bool same = true;

	for (size_t i = 0; i < ARRAY_LEN(contents); i++)
		if (strcmp(v->content[i], content(key, i))) {
			n->content[i] = true;
			same = false;
		}
	return same;
}

static int add_variant(struct naming *n, const struct run_key *key)
{
	struct variant *grown = array_grow(n->variants, n->nr, sizeof(*grown)), *v;
	bool whole;

	if (!grown)
		return -ENOMEM;
	n->variants = grown;
	v = &n->variants[n->nr++];
	v->machine = strdup(key->machine);
	v->workload = strdup(key->workload);
	v->policy = strdup(key->policy);
	whole = v->machine && v->workload && v->policy;
	for (size_t i = 0; whole && i + 1 < n->nr; i++) {
		bool same = !strcmp(n->variants[i].machine, v->machine);

		n->machines |= !same;
		n->policies |= same && strcmp(n->variants[i].policy, v->policy);
	}
	for (size_t i = 0; i < ARRAY_LEN(contents); i++) {
		v->content[i] = strdup(content(key, i));
		whole &= v->content[i] != NULL;
	}
	return whole ? 0 : -ENOMEM;
}

static int learn_run(struct naming *n, const struct run_key *key)
{
	/* Runs of one variant mostly follow each other. */
	for (size_t i = n->nr; i-- > 0;)
		if (same_specification(&n->variants[i], key) &&
			compare_contents(n, &n->variants[i], key))
			return 0;
	return add_variant(n, key);
}

static void naming_release(struct naming *n)
{
	for (size_t i = 0; i < n->nr; i++) {
		struct variant *v = &n->variants[i];

		free(v->machine);
		free(v->workload);
		free(v->policy);
		for (size_t k = 0; k < ARRAY_LEN(contents); k++)
			free(v->content[k]);
	}
	free(n->variants);
}

static int learn(
	struct store *s, const struct store_filter *filter, struct naming *n, struct error *err)
{
	struct store_query *q;
	struct stored_run run;
	int rc = store_query_keys(s, filter, &q, err);

	if (rc)
		return rc;
	while ((rc = store_next(q, &run, err)) == 1) {
		rc = learn_run(n, &run.key);
		if (rc) {
			error_set(err, -rc, "out of memory");
			break;
		}
	}
	store_query_free(q);
	return rc;
}

/* "MACHINE POLICY [code 1234abcd]", each where it is needed. */
static char *config_name(const struct naming *n, const struct run_key *key)
{
	const char *before = " [";
	char *name = NULL;
	size_t size;
	FILE *f = open_memstream(&name, &size);

	if (!f)
		return NULL;
	if (n->machines && !n->policies)
		fprintf(f, "%s ", key->machine);
	fputs(key->policy, f);
	for (size_t i = 0; i < ARRAY_LEN(contents); i++) {
		if (!n->content[i])
			continue;
		fprintf(f, "%s%s %.*s", before, contents[i].name, NAMED_DIGITS, content(key, i));
		before = ", ";
	}
	if (*before == ',')
		fputc(']', f);
	if (!fclose(f))
		return name;
	free(name);
	return NULL;
}

static int add(void *ctx, const struct stored_run *run, struct run_result *r, struct error *err)
{
	struct reading *reading = ctx;
	char *name = config_name(&reading->naming, &run->key);
	int rc;

	if (!name)
		return error_set(err, ENOMEM, "out of memory");
	rc = reading->each(reading->ctx, run, r, name, err);
	free(name);
	reading->nr++;
	return rc;
}

int stored_named(const char *path, const struct store_filter *filter, stored_named_fn each,
	void *ctx, bool *ret_by_machine, struct error *err)
{
	struct reading reading = { .each = each, .ctx = ctx };
	struct store *s;
	int rc = store_open(path, STORE_READ, &s, err);

	if (rc)
		return rc;
	rc = learn(s, filter, &reading.naming, err);
	*ret_by_machine = reading.naming.machines && reading.naming.policies;
	rc = rc ? rc : stored_each(s, filter, add, &reading, err);
	if (!rc && !reading.nr)
		rc = error_set(err, ENOENT, "%s: no %srun", path, filter->nr ? "such " : "");
	naming_release(&reading.naming);
	store_close(s);
	return rc;
}

static int add_sample(void *ctx, const struct stored_run *run, struct run_result *result,
	const char *name, struct error *err)
{
	return samples_add_result(ctx, result, name, err);
}

int compare_store(struct samples *samples, const char *path, const struct store_filter *filter,
	struct error *err)
{
	return stored_named(path, filter, add_sample, samples, &samples->by_machine, err);
}
