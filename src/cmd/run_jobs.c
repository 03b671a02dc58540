// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/run_jobs.h"
#include "cmd/cmd.h"
#include "cmd/run_notes.h"
#include "workload/workload.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct jobs {
	const struct run_plan *plan;
	struct run_result *results;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	/* Under the lock: */
	int next, done, running; /* running: threads */
	int failed;		 /* the first job that failed, -1: none */
	int status;
	struct error err;
};

/* Nothing on this machine changes a CPU's speed, so recorded run time is what it was. */
static bool ends_coincide(const struct machine *m)
{
	return m->freq_domain == FREQ_DOMAIN_NONE && m->ipc_permille == 1000 &&
	       (!m->smt_permille || m->smt_permille == 1000);
}

int run_plan_scalings(struct run_plan *plan, enum scaling_choice choice, struct error *err)
{
	struct workload *w;
	int rc = open_workload(plan->workload, &w, err);

	if (rc)
		return rc;
	plan->scalings[0] = choice == SCALING_NONE ? SCALE_NONE : SCALE_ALL;
	plan->scalings[1] = SCALE_NONE;
	plan->ends_coincide = w->recorded && ends_coincide(plan->machine);
	plan->nr_scalings = w->recorded && !plan->ends_coincide && choice == SCALING_BOTH ? 2 : 1;
	workload_free(w);
	return 0;
}

int run_plan_size(const struct run_plan *plan)
{
	return plan->nr_scalings * plan->nr_policies * plan->iterations;
}

static int do_job(const struct jobs *jobs, int job, struct workload *w, struct error *err)
{
	const struct run_plan *plan = jobs->plan;
	int iteration = job % plan->iterations;
	int policy = job / plan->iterations % plan->nr_policies;
	struct sim_options options = {
		.seed = plan->seed + (uint64_t)iteration,
		.iteration = iteration,
		.scaling = plan->scalings[job / plan->iterations / plan->nr_policies],
		.check = plan->check,
	};
	struct run_result *r = &jobs->results[job];
	int rc = sim_run(plan->machine, w, &plan->policies[policy], &options, r, err);

	if (rc)
		return error_prefix(err, rc, "%s", plan->policies[policy].text);
	if (plan->ends_coincide)
		strcpy(r->scaling, "known");
	run_notes(r, plan->machine, w);
	return 0;
}

/* The next job, or -1 when there is none or an earlier one has failed. */
static int take_job(struct jobs *jobs)
{
	int job = -1;

	pthread_mutex_lock(&jobs->lock);
	if (jobs->next < run_plan_size(jobs->plan) && jobs->failed < 0)
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
	pthread_cond_signal(&jobs->changed);
	pthread_mutex_unlock(&jobs->lock);
}

static void *work(void *arg)
{
	struct jobs *jobs = arg;
	struct workload *w = NULL;
	struct error err = { "" };
	int job;

	while ((job = take_job(jobs)) >= 0) {
		int rc = w ? 0 : open_workload(jobs->plan->workload, &w, &err);

		if (!rc)
			rc = do_job(jobs, job, w, &err);
		finish_job(jobs, job, rc, &err);
	}
	workload_free(w);
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
	struct timespec at;

	clock_gettime(CLOCK_REALTIME, &at);
	at.tv_sec++;
	pthread_mutex_lock(&jobs->lock);
	while (jobs->running) {
		if (!jobs->plan->progress) {
			pthread_cond_wait(&jobs->changed, &jobs->lock);
			continue;
		}
		if (pthread_cond_timedwait(&jobs->changed, &jobs->lock, &at) != ETIMEDOUT)
			continue;
		fprintf(stderr, "\r%d of %d runs", jobs->done, run_plan_size(jobs->plan));
		fflush(stderr);
		shown = true;
		at.tv_sec++;
	}
	pthread_mutex_unlock(&jobs->lock);
	if (shown)
		fprintf(stderr, "\r\033[K");
}

int run_jobs(const struct run_plan *plan, struct run_result *results, struct error *err)
{
	struct jobs jobs = { .plan = plan, .results = results, .failed = -1 };
	int nr = plan->threads < run_plan_size(plan) ? plan->threads : run_plan_size(plan);
	pthread_t threads[JOBS_MAX];
	int started, rc = 0;

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
