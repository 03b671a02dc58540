// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/run_jobs.h"
#include "cmd/cmd.h"
#include "cmd/progress.h"
#include "cmd/run_notes.h"
#include "base/units.h"
#include "workload/workload.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

struct jobs {
	const struct run_list *list;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	/* Under the lock: */
	int next, done, running; /* running: threads */
	int failed;		 /* the first job that failed, -1: none */
	int status;
	struct error err;
};

/* A thread keeps the workload of its last job, for the next one is often of the same. */
struct opened {
	const char *spec;
	struct workload *w;
};

static int open_for(struct opened *o, const char *spec, struct error *err)
{
	int rc;

	if (o->w && !strcmp(o->spec, spec))
		return 0;
	o->w = workload_free(o->w);
	rc = open_workload(spec, &o->w, err);
	if (!rc)
		o->spec = spec;
	return rc;
}

static int do_job(const struct run_list *list, const struct run_job *job, struct opened *o,
	struct run_result *r, struct error *err)
{
	struct sim_options options = {
		.seed = job->seed,
		.iteration = job->iteration,
		.scaling = job->scaling,
		.check = list->check,
	};
	int rc = open_for(o, job->workload, err);

	if (rc)
		return rc;
	rc = sim_run(job->machine, o->w, job->policy, &options, r, err);
	if (rc)
		return error_prefix(err, rc, "%s", job->policy->text);
	/* As it was asked for, wherever the data folder is. */
	snprintf(r->workload, sizeof(r->workload), "%s", job->workload);
	if (job->ends_coincide)
		strcpy(r->scaling, "known");
	run_notes(r, job->machine, o->w);
	return 0;
}

/* The next job, or -1 when there is none, an earlier one has failed, or it was told to stop. */
static int take_job(struct jobs *jobs)
{
	int job = -1;

	pthread_mutex_lock(&jobs->lock);
	if (jobs->next < jobs->list->nr && jobs->failed < 0 &&
		!(jobs->list->stop && *jobs->list->stop))
		job = jobs->next++;
	pthread_mutex_unlock(&jobs->lock);
	return job;
}

/*
 * Jobs begin in order, so every job before one that failed has begun too and will be done: which
 * failure is reported does not depend on the threads.
 */
static void finish_job(struct jobs *jobs, int job, int rc, const struct error *err)
{
	pthread_mutex_lock(&jobs->lock);
	jobs->done++;
	if (rc && (jobs->failed < 0 || job < jobs->failed)) {
		jobs->failed = job;
		jobs->status = rc;
		jobs->err = *err;
	}
	pthread_mutex_unlock(&jobs->lock);
}

static void *work(void *arg)
{
	struct jobs *jobs = arg;
	const struct run_list *list = jobs->list;
	struct opened opened = { NULL, NULL };
	int job;

	while ((job = take_job(jobs)) >= 0) {
		struct run_result r = { .seed = 0 };
		struct error err = { "" };
		int rc = do_job(list, &list->jobs[job], &opened, &r, &err);

		if (rc)
			result_release(&r);
		rc = list->done(list->ctx, job, rc, &r, &err);
		finish_job(jobs, job, rc, &err);
	}
	workload_free(opened.w);
	pthread_mutex_lock(&jobs->lock);
	jobs->running--;
	pthread_cond_signal(&jobs->changed);
	pthread_mutex_unlock(&jobs->lock);
	return NULL;
}

/* Returns when all threads are through; a line on the terminal when that lasts. */
static void wait_for_all(struct jobs *jobs)
{
	bool shown = false;
	char line[160];
	int64_t elapsed_ns = 0;
	struct timespec at;

	clock_gettime(CLOCK_REALTIME, &at);
	at.tv_sec++;
	pthread_mutex_lock(&jobs->lock);
	while (jobs->running) {
		if (!jobs->list->progress) {
			pthread_cond_wait(&jobs->changed, &jobs->lock);
			continue;
		}
		if (pthread_cond_timedwait(&jobs->changed, &jobs->lock, &at) != ETIMEDOUT)
			continue;
		elapsed_ns += NSEC_PER_SEC;
		fprintf(stderr, "\r\033[K%s",
			progress_line(jobs->done, jobs->list->nr, elapsed_ns, line, sizeof(line)));
		fflush(stderr);
		shown = true;
		at.tv_sec++;
	}
	pthread_mutex_unlock(&jobs->lock);
	if (shown)
		fprintf(stderr, "\r\033[K");
}

int run_list(const struct run_list *list, struct error *err)
{
	struct jobs jobs = { .list = list, .failed = -1 };
	int nr = list->threads < list->nr ? list->threads : list->nr;
	pthread_t threads[JOBS_MAX];
	int started, rc = 0;

	if (!nr)
		return 0;
	pthread_mutex_init(&jobs.lock, NULL);
	pthread_cond_init(&jobs.changed, NULL);
	jobs.running = nr;
	for (started = 0; started < nr && !rc; started += !rc)
		rc = pthread_create(&threads[started], NULL, work, &jobs);
	pthread_mutex_lock(&jobs.lock);
	jobs.running -= nr - started;
	pthread_mutex_unlock(&jobs.lock);
	wait_for_all(&jobs);
	for (int i = 0; i < started; i++)
		pthread_join(threads[i], NULL);
	pthread_cond_destroy(&jobs.changed);
	pthread_mutex_destroy(&jobs.lock);
	if (!started)
		return error_set(err, rc, "no thread: %s", strerror(rc));
	if (jobs.failed >= 0) {
		*err = jobs.err;
		return jobs.status;
	}
	return 0; /* fewer threads than asked for did all the work */
}
