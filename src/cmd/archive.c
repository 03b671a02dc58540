// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/archive.h"
#include "cmd/cmd.h"
#include "cmd/stored.h"
#include "corepace/version.h"
#include "report/result_json.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int archive_open(struct archive *a, const char *path, enum store_mode mode, const char *verb,
	struct error *err)
{
	*a = (struct archive){ .verb = verb, .path = path };
	signal(SIGXFSZ, SIG_IGN);
	pthread_mutex_init(&a->lock, NULL);
	pthread_cond_init(&a->ended, NULL);
	return store_open(path, mode, &a->store, err);
}

void archive_close(struct archive *a)
{
	a->store = store_close(a->store);
	pthread_cond_destroy(&a->ended);
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
	int rc;

	if (!run.result)
		return error_set(err, ENOMEM, "out of memory");
	pthread_mutex_lock(&a->lock);
	rc = store_put(a->store, &run, a->again, err);
	a->done += !rc;
	pthread_mutex_unlock(&a->lock);
	free((char *)run.result);
	return rc;
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

/* The disk makes this thread wait, and not those that run. */
static void *write_log(void *arg)
{
	struct archive *a = arg;
	struct store *s = NULL;
	struct timespec at;

	if (store_open(a->path, STORE_WRITE, &s, NULL))
		return NULL;
	clock_gettime(CLOCK_REALTIME, &at);
	pthread_mutex_lock(&a->lock);
	while (!a->end) {
		at.tv_sec++;
		if (pthread_cond_timedwait(&a->ended, &a->lock, &at) != ETIMEDOUT)
			continue;
		pthread_mutex_unlock(&a->lock);
		store_checkpoint(s);
		clock_gettime(CLOCK_REALTIME, &at);
		pthread_mutex_lock(&a->lock);
	}
	pthread_mutex_unlock(&a->lock);
	store_close(s);
	return NULL;
}

static int run_beside_log(struct archive *a, const struct run_list *list, struct error *err)
{
	pthread_t thread;
	bool started;
	int rc = store_defer_checkpoints(a->store, err);

	if (rc || !list->nr)
		return rc;
	a->end = false;
	started = !pthread_create(&thread, NULL, write_log, a);
	rc = run_list(list, err);
	pthread_mutex_lock(&a->lock);
	a->end = true;
	pthread_cond_signal(&a->ended);
	pthread_mutex_unlock(&a->lock);
	if (started)
		pthread_join(thread, NULL);
	return rc;
}

static int run_missing(
	struct archive *a, struct run_job *jobs, const struct run_list *options, struct error *err)
{
	struct run_list list = *options;
	int rc = 0;

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
	list.jobs = jobs;
	list.done = on_done;
	list.ctx = a;
	return rc || a->dry_run ? rc : run_beside_log(a, &list, err);
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
