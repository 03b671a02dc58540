// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/run_writer.h"
#include "base/units.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
	WAITING_MAX = 1024, /* runs handed over and not written */
	GROUP_MAX = 256,    /* so many are written without waiting for more */
	GROUP_NS = 50 * NSEC_PER_MSEC,
	LOG_NS = 200 * NSEC_PER_MSEC, /* what is left at the end nobody else works beside */
};

struct run_writer {
	struct store *store;
	const char *path;
	bool replace;
	pthread_t writer, log;
	bool has_log;
	pthread_mutex_t lock;
	pthread_cond_t more, less, ended;
	struct stored_run group[WAITING_MAX]; /* the writer's */
	/* Under the lock: */
	struct stored_run waiting[WAITING_MAX];
	int nr, done, status;
	bool end;
	struct error err;
};

static struct timespec in(int64_t ns)
{
	struct timespec at;

	clock_gettime(CLOCK_REALTIME, &at);
	ns += at.tv_nsec;
	at.tv_sec += ns / NSEC_PER_SEC;
	at.tv_nsec = ns % NSEC_PER_SEC;
	return at;
}

static void drop(struct stored_run *runs, int nr)
{
	for (int i = 0; i < nr; i++)
		free((char *)runs[i].result);
}

/* ret_written: how many of the first are in. Where a group has no room, single runs may have. */
static int write_group(
	struct run_writer *w, const struct stored_run *runs, int nr, int *ret_written)
{
	struct error *err = &w->err;
	int rc = store_begin(w->store, err);

	*ret_written = 0;
	if (rc)
		return rc;
	for (int i = 0; i < nr && !rc; i++)
		rc = store_put(w->store, &runs[i], w->replace, err);
	rc = rc ? rc : store_commit(w->store, err);
	if (!rc) {
		*ret_written = nr;
		return 0;
	}
	store_rollback(w->store);
	for (rc = 0; !rc && *ret_written < nr; *ret_written += !rc)
		rc = store_put(w->store, &runs[*ret_written], w->replace, err);
	return rc;
}

/* Waits until a group is complete. The runs that there are, 0 at the end. */
static int take_group(struct run_writer *w)
{
	struct timespec until;
	int nr;

	while (!w->nr && !w->end)
		pthread_cond_wait(&w->more, &w->lock);
	until = in(GROUP_NS);
	while (w->nr < GROUP_MAX && !w->end)
		if (pthread_cond_timedwait(&w->more, &w->lock, &until) == ETIMEDOUT)
			break;
	nr = w->nr;
	memcpy(w->group, w->waiting, (size_t)nr * sizeof(*w->group));
	w->nr = 0;
	pthread_cond_broadcast(&w->less);
	return nr;
}

static void *write_runs(void *arg)
{
	struct run_writer *w = arg;
	int nr;

	pthread_mutex_lock(&w->lock);
	while ((nr = take_group(w))) {
		int rc = w->status, written = 0;

		pthread_mutex_unlock(&w->lock);
		rc = rc ? rc : write_group(w, w->group, nr, &written);
		drop(w->group, nr);
		pthread_mutex_lock(&w->lock);
		w->status = rc;
		w->done += written;
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

/* The disk makes this thread wait. */
static void *write_log(void *arg)
{
	struct run_writer *w = arg;
	struct store *s = NULL;

	if (store_open(w->path, STORE_WRITE, &s, NULL))
		return NULL;
	pthread_mutex_lock(&w->lock);
	while (!w->end) {
		struct timespec until = in(LOG_NS);

		while (!w->end && pthread_cond_timedwait(&w->ended, &w->lock, &until) != ETIMEDOUT)
			;
		if (w->end)
			break;
		pthread_mutex_unlock(&w->lock);
		store_checkpoint(s);
		pthread_mutex_lock(&w->lock);
	}
	pthread_mutex_unlock(&w->lock);
	store_close(s);
	return NULL;
}

int run_writer_start(
	struct store *s, const char *path, bool replace, struct run_writer **ret, struct error *err)
{
	struct run_writer *w = calloc(1, sizeof(*w));
	int rc = w ? store_defer_checkpoints(s, err) : error_set(err, ENOMEM, "out of memory");

	if (rc) {
		free(w);
		return rc;
	}
	w->store = s;
	w->path = path;
	w->replace = replace;
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->more, NULL);
	pthread_cond_init(&w->less, NULL);
	pthread_cond_init(&w->ended, NULL);
	rc = pthread_create(&w->writer, NULL, write_runs, w);
	if (rc) {
		free(w);
		return error_set(err, rc, "no thread: %s", strerror(rc));
	}
	w->has_log = !pthread_create(&w->log, NULL, write_log, w);
	*ret = w;
	return 0;
}

int run_writer_put(struct run_writer *w, const struct stored_run *run, struct error *err)
{
	int rc;

	pthread_mutex_lock(&w->lock);
	while (w->nr == WAITING_MAX && !w->status)
		pthread_cond_wait(&w->less, &w->lock);
	rc = w->status;
	if (rc) {
		*err = w->err;
		free((char *)run->result);
	} else {
		w->waiting[w->nr++] = *run;
		if (w->nr == 1 || w->nr == GROUP_MAX)
			pthread_cond_signal(&w->more);
	}
	pthread_mutex_unlock(&w->lock);
	return rc;
}

int run_writer_end(struct run_writer *w, int *ret_done, struct error *err)
{
	int rc;

	pthread_mutex_lock(&w->lock);
	w->end = true;
	pthread_cond_signal(&w->more);
	pthread_cond_signal(&w->ended);
	pthread_mutex_unlock(&w->lock);
	pthread_join(w->writer, NULL);
	if (w->has_log)
		pthread_join(w->log, NULL);
	rc = w->status;
	*ret_done = w->done;
	if (rc)
		*err = w->err;
	pthread_cond_destroy(&w->more);
	pthread_cond_destroy(&w->less);
	pthread_cond_destroy(&w->ended);
	pthread_mutex_destroy(&w->lock);
	free(w);
	return rc;
}
