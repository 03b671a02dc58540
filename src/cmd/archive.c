// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/archive.h"
#include "cmd/cmd.h"
#include "cmd/run_writer.h"
#include "cmd/stored.h"
#include "corepace/version.h"
#include "report/result_json.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int archive_open(struct archive *a, const char *path, enum store_mode mode, const char *verb,
	struct error *err)
{
	*a = (struct archive){ .verb = verb, .path = path };
	signal(SIGXFSZ, SIG_IGN);
	pthread_mutex_init(&a->lock, NULL);
	return store_open(path, mode, &a->store, err);
}

void archive_close(struct archive *a)
{
	a->store = store_close(a->store);
	pthread_mutex_destroy(&a->lock);
}

int archive_keep_machine(struct archive *a, const char *spec, const char *hash, struct error *err)
{
	char path[PATH_MAX];
	int rc = machine_file(spec, path, sizeof(path), err);

	return rc ? rc : store_keep_file(a->store, hash, path, err);
}

int archive_keep_preset(struct archive *a, const char *spec, const char *hash, struct error *err)
{
	char path[PATH_MAX];
	int rc = preset_file(spec, path, sizeof(path), err);

	return rc || !*path ? rc : store_keep_file(a->store, hash, path, err);
}

static int put(struct archive *a, int index, const struct run_result *r, struct error *err)
{
	struct stored_run run = {
		.key = a->list->keys[index],
		.version = COREPACE_VERSION,
		.iteration = r->iteration,
		.rank = a->list->ranks ? a->list->ranks[index] : index,
		.result = result_text(r),
	};

	if (!run.result)
		return error_set(err, ENOMEM, "out of memory");
	return run_writer_put(a->writer, &run, err);
}

/* Failures are said in full, but not by the thousand. */
static int count_failure(struct archive *a, int index, int rc, struct error *err)
{
	enum { SAID_MAX = 10 };
	const struct run_job *job = &a->list->jobs[index];

	if (!a->keep_going)
		return rc;
	if (a->on_failure)
		a->on_failure(a->ctx, index, err);
	pthread_mutex_lock(&a->lock);
	if (a->failed++ < SAID_MAX && !a->on_failure)
		fprintf(stderr, "corepace %s: %s on %s, seed %llu: %s\n", a->verb, job->workload,
			job->machine->text, (unsigned long long)job->seed, err->text);
	pthread_mutex_unlock(&a->lock);
	return 0;
}

static int on_done(void *ctx, int job, int rc, struct run_result *r, struct error *err)
{
	struct archive *a = ctx;
	int index = a->todo[job];

	if (rc)
		return count_failure(a, index, rc, err);
	rc = put(a, index, r, err);
	if (a->drop_cpus)
		result_release(r);
	if (!rc && a->results)
		a->results[index] = *r;
	else
		result_release(r);
	return rc;
}

/* The same run may have been another iteration then. */
static int take(void *ctx, const struct stored_run *run, struct run_result *r, struct error *err)
{
	struct run_result *ret = ctx;

	*ret = *r;
	*r = (struct run_result){ .seed = 0 };
	return 0;
}

static int look_up(struct archive *a, int index, bool *ret_there, struct error *err)
{
	struct store_filter filter = { 0 };
	char id[STORE_ID_SIZE];
	int rc;

	*ret_there = false;
	if (a->again)
		return 0;
	run_key_id(&a->list->keys[index], id);
	rc = store_has(a->store, id, ret_there, err);
	if (rc || !*ret_there || !a->results)
		return rc;
	store_filter_add(&filter, STORE_ID, id, err);
	rc = stored_each(a->store, &filter, take, &a->results[index], err);
	a->results[index].iteration = a->list->jobs[index].iteration;
	if (a->drop_cpus)
		result_release(&a->results[index]);
	return rc;
}

static int run_and_write(struct archive *a, const struct run_list *list, struct error *err)
{
	struct error failure;
	int rc, written;

	if (!list->nr)
		return 0;
	rc = run_writer_start(a->store, a->path, a->again, &a->writer, err);
	if (rc)
		return rc;
	rc = run_list(list, err);
	written = run_writer_end(a->writer, &a->done, &failure);
	a->writer = NULL;
	if (!rc && written)
		*err = failure;
	return rc ? rc : written;
}

static int run_missing(
	struct archive *a, struct run_job *jobs, const struct run_list *options, struct error *err)
{
	struct run_list list = *options;
	int rc = store_begin_reading(a->store, err);

	list.nr = 0;
	for (int i = 0; i < a->list->nr && !rc; i++) {
		bool there;

		rc = look_up(a, i, &there, err);
		a->present += there;
		if (there)
			continue;
		a->todo[list.nr] = i;
		jobs[list.nr++] = a->list->jobs[i];
	}
	rc = rc ? rc : store_commit(a->store, err);
	list.jobs = jobs;
	list.done = on_done;
	list.ctx = a;
	return rc || a->dry_run ? rc : run_and_write(a, &list, err);
}

int archive_run(struct archive *a, const struct archive_list *list, const struct run_list *options,
	struct run_result *results, struct error *err)
{
	struct run_job *jobs = calloc((size_t)list->nr + 1, sizeof(*jobs));
	int rc;

	a->todo = calloc((size_t)list->nr + 1, sizeof(*a->todo));
	a->list = list;
	a->results = results;
	a->present = a->done = a->failed = 0;
	rc = jobs && a->todo ? run_missing(a, jobs, options, err)
			     : error_set(err, ENOMEM, "out of memory for %d runs", list->nr);
	free(jobs);
	free(a->todo);
	a->todo = NULL;
	return rc;
}
