// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/runs.h"
#include "cmd/output.h"
#include "cmd/stored.h"
#include "corepace/version.h"
#include "report/json.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN_DIGITS = 10, COLUMNS = 6 };

/* Nothing found is said, for a filter that meets nothing is mostly a mistake. */
static int none(const struct runs_request *r, struct error *err)
{
	return r->filter.nr ? error_set(err, ENOENT, "%s: no such run", r->db)
			    : error_set(err, ENOENT, "%s: no run in it", r->db);
}

/* ---- list ------------------------------------------------------------------------------------ */

static void cells(const struct stored_run *run, char seed[24], const char *ret[COLUMNS])
{
	snprintf(seed, 24, "%" PRIu64, run->key.seed);
	ret[0] = run->id;
	ret[1] = run->key.machine;
	ret[2] = run->key.workload;
	ret[3] = run->key.scaling;
	ret[4] = seed;
	ret[5] = run->key.policy;
}

static int measure(void *ctx, const struct stored_run *run, struct error *err)
{
	int *width = ctx;
	const char *cell[COLUMNS];
	char seed[24];

	cells(run, seed, cell);
	for (int i = 0; i < COLUMNS; i++)
		if ((int)strlen(cell[i]) > width[i])
			width[i] = (int)strlen(cell[i]);
	return 0;
}

static int print_line(void *ctx, const struct stored_run *run, struct error *err)
{
	const int *width = ctx;
	const char *cell[COLUMNS];
	char seed[24];

	cells(run, seed, cell);
	printf("%-.*s  %-*s  %-*s  %-*s  %*s  %s\n", SHOWN_DIGITS, cell[0], width[1], cell[1],
		width[2], cell[2], width[3], cell[3], width[4], cell[4], cell[5]);
	return 0;
}

static json_t *about(const struct stored_run *run)
{
	const struct run_key *k = &run->key;
	char *command = stored_run_command(run);
	json_t *o = json_pack("{s:s,s:s,s:s,s:s,s:s,s:s,s:s,s:s,s:s,s:s,s:s,s:o,s:i,s:I,s:s*}",
		"id", run->id, "version", run->version, "code", k->code, "machine", k->machine,
		"machine_sha256", k->machine_hash, "workload", k->workload, "workload_sha256",
		k->workload_hash, "policy", k->policy, "preset_sha256", k->preset_hash,
		"plugin_sha256", k->plugin_hash, "scaling", k->scaling, "seed", json_count(k->seed),
		"iteration", run->iteration, "rank", (json_int_t)run->rank, "command", command);

	free(command);
	return o;
}

static int add_json(void *ctx, const struct stored_run *run, struct error *err)
{
	json_t *o = about(run);

	return json_array_append_new(ctx, o)
		       ? error_set(err, EINVAL, "run %s: not in UTF-8", run->id)
		       : 0;
}

/* Without their results, which listing does not need. */
static int each(struct store *s, const struct runs_request *r,
	int (*fn)(void *ctx, const struct stored_run *run, struct error *err), void *ctx,
	int *ret_nr, struct error *err)
{
	struct store_query *q;
	struct stored_run run;
	int nr = 0, rc = store_query_keys(s, &r->filter, &q, err);

	if (rc)
		return rc;
	while ((rc = store_next(q, &run, err)) == 1) {
		rc = fn(ctx, &run, err);
		if (rc)
			break;
		nr++;
	}
	store_query_free(q);
	*ret_nr = nr;
	return rc;
}

static int list_json(struct store *s, const struct runs_request *r, struct error *err)
{
	json_t *document = json_schema(), *list = json_array();
	int nr, rc = each(s, r, add_json, list, &nr, err);

	json_object_set_new(document, "runs", list);
	if (!rc)
		return json_write(document, stdout, err);
	json_decref(document);
	return rc;
}

int runs_list(struct store *s, const struct runs_request *r, struct error *err)
{
	static const char *const titles[COLUMNS] = { "id", "machine", "workload", "scaling", "seed",
		"policy" };
	int width[COLUMNS], nr, rc;

	if (r->json)
		return list_json(s, r, err);
	for (int i = 0; i < COLUMNS; i++)
		width[i] = (int)strlen(titles[i]);
	rc = each(s, r, measure, width, &nr, err);
	if (rc || !nr)
		return rc ? rc : none(r, err);
	printf("%-*s  %-*s  %-*s  %-*s  %*s  %s\n", SHOWN_DIGITS, titles[0], width[1], titles[1],
		width[2], titles[2], width[3], titles[3], width[4], titles[4], titles[5]);
	rc = each(s, r, print_line, width, &nr, err);
	return rc ? rc : output_printed(err);
}

/* ---- show ------------------------------------------------------------------------------------ */

static void print_fact(const char *name, const char *value)
{
	if (*value)
		printf("  %-16s %s\n", name, value);
}

static int show_one(
	void *ctx, const struct stored_run *run, struct run_result *r, struct error *err)
{
	int *nr = ctx;
	char *command = stored_run_command(run);

	printf("%srun %s\n", (*nr)++ ? "\n" : "", run->id);
	print_fact("machine", run->key.machine);
	print_fact("  SHA-256", run->key.machine_hash);
	print_fact("workload", run->key.workload);
	print_fact("  SHA-256", run->key.workload_hash);
	print_fact("policy", run->key.policy);
	print_fact("  preset SHA-256", run->key.preset_hash);
	print_fact("  plug-in SHA-256", run->key.plugin_hash);
	print_fact("scaling", run->key.scaling);
	printf("  %-16s %" PRIu64 ", iteration %d\n", "seed", run->key.seed, run->iteration);
	printf("  %-16s %s, code %.16s\n", "done by", run->version, run->key.code);
	print_fact("repeat it with", command ? command : "");
	free(command);
	printf("\n");
	for (int i = 0; i < r->nr_metrics; i++)
		printf("  %-16s %.12g %s\n", r->metrics[i].name, r->metrics[i].value,
			r->metrics[i].unit);
	for (int i = 0; i < r->nr_notes; i++)
		printf("%s  - %s\n", i ? "" : "\n", r->notes[i]);
	return 0;
}

/* The result with what the store says beside it. */
static int print_json(const struct stored_run *run, const char *before, struct error *err)
{
	json_error_t json_err;
	json_t *o = json_loads(run->result, JSON_REJECT_DUPLICATES, &json_err);
	char *text = NULL;

	if (o && !json_object_set_new(o, "store", about(run)))
		text = json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(JSON_DIGITS));
	json_decref(o);
	if (!text)
		return error_set(err, EINVAL, "run %s: no result in JSON", run->id);
	printf("%s\n%s", before, text);
	free(text);
	return 0;
}

/* One after the other: a store may hold more than memory does. */
static int show_json(struct store *s, const struct runs_request *r, struct error *err)
{
	struct store_query *q;
	struct stored_run run;
	int nr = 0, rc = store_query(s, &r->filter, &q, err);

	if (rc)
		return rc;
	printf("{\"schema\":1,\"version\":\"%s\",\"runs\":[", COREPACE_VERSION);
	while ((rc = store_next(q, &run, err)) == 1) {
		rc = print_json(&run, nr++ ? "," : "", err);
		if (rc)
			break;
	}
	store_query_free(q);
	if (rc)
		return rc;
	printf("\n]}\n");
	return output_printed(err);
}

int runs_show(struct store *s, const struct runs_request *r, struct error *err)
{
	int nr = 0, rc;

	if (r->json)
		return show_json(s, r, err);
	rc = stored_each(s, &r->filter, show_one, &nr, err);
	if (rc || !nr)
		return rc ? rc : none(r, err);
	return output_printed(err);
}

/* ---- export ---------------------------------------------------------------------------------- */

int runs_export(struct store *s, const struct runs_request *r, struct error *err)
{
	int64_t nr = 0;
	int rc = store_count(s, &r->filter, &nr, err);

	if (rc || !nr)
		return rc ? rc : none(r, err);
	return show_json(s, r, err);
}

/* ---- file ------------------------------------------------------------------------------------ */

int runs_file(struct store *s, const struct runs_request *r, struct error *err)
{
	for (int i = 0; i < r->nr_others; i++) {
		char *name, *content;
		size_t size;
		int rc = store_file(s, r->others[i], &name, &content, &size, err);

		if (rc)
			return rc;
		fwrite(content, 1, size, stdout);
		free(name);
		free(content);
	}
	return output_printed(err);
}
