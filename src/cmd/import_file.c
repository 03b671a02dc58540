// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/import_file.h"
#include "base/units.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
	KHZ_EVENTS_MAX = 1 << 20, /* how far we look ahead for a frequency */
	PROGRESS_EVENTS = 1 << 16,
	OUTSIDE_PERCENT = 20, /* above: throughput is an input, not a result */
};

/* ---- progress ---- */

struct progress {
	const char *verb;
	bool on, shown;
	struct timespec since;
};

static double seconds_since(const struct timespec *t)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)(now.tv_sec - t->tv_sec) + (double)(now.tv_nsec - t->tv_nsec) / 1e9;
}

static void progress_show(struct progress *p, const struct import_source *source)
{
	/* Only when it lasts. */
	if (!p->on || seconds_since(&p->since) < 0.5)
		return;
	clock_gettime(CLOCK_MONOTONIC, &p->since);
	p->shown = true;
	fprintf(stderr, "\rcorepace %s: %3d %%", p->verb, source->progress(source->context) / 10);
}

static void progress_end(struct progress *p)
{
	if (p->shown)
		fprintf(stderr, "\r\033[K");
}

/* ---- frequency ---- */

static bool tells_khz(const struct event *ev, uint64_t *ret)
{
	if (ev->kind == EV_CPU_FREQUENCY ||
		(ev->kind == EV_MARKER && ev->text && !strncmp(ev->text, "corepace:khz=", 13)))
		*ret = ev->value;
	return *ret;
}

/* The first frequency that the recording tells, for what runs before it. */
static int find_khz(const char *path, struct workload_env *env, struct error *err)
{
	struct trace_reader *r;
	struct event ev;
	uint64_t khz = 0;
	int rc, nr;

	rc = trace_open(path, &r, err);
	if (rc < 0)
		return rc;
	for (nr = 0; nr < KHZ_EVENTS_MAX && !khz; nr++) {
		rc = trace_next(r, &ev, err);
		if (rc <= 0)
			break;
		tells_khz(&ev, &khz);
	}
	trace_close(r);
	if (rc < 0)
		return rc;
	if (!khz)
		return error_set(err, ENODATA,
			"%s: frequency: not told in the first %d events (cpu_frequency), expected "
			"--khz N",
			path, nr);
	env->khz = khz;
	return 0;
}

static int settle_khz(const char *path, const struct trace_info *info,
	struct build_options *options, struct error *err)
{
	struct workload_env *env = &options->env;
	struct stat st;

	if (options->khz || env->khz)
		return 0;
	if (info->tsc_khz) {
		env->khz = info->tsc_khz;
		snprintf(env->khz_source, sizeof(env->khz_source), "tsc");
		return 0;
	}
	/* What can be read once only must tell it by itself, in time. */
	if (stat(path, &st) || !S_ISREG(st.st_mode))
		return 0;
	return find_khz(path, env, err);
}

/* ---- import ---- */

static int read_events(const struct import_source *source, struct builder *b, struct progress *p,
	struct error *err)
{
	struct event ev;
	int rc;

	for (uint64_t n = 1; (rc = source->next(source->context, &ev, err)) > 0; n++) {
		rc = builder_event(b, &ev, err);
		if (rc < 0)
			return error_prefix(err, rc, "%s", source->name);
		if (n % PROGRESS_EVENTS == 0)
			progress_show(p, source);
	}
	return rc;
}

int import_events(const char *verb, const struct import_source *source, const char *out_path,
	const struct build_options *options, struct import_result *ret, struct error *err)
{
	struct progress p = { .verb = verb, .on = isatty(STDERR_FILENO) };
	struct build_options filled = *options;
	struct builder *b;
	int rc;

	clock_gettime(CLOCK_MONOTONIC, &p.since);
	if (!filled.env.hz)
		filled.env.hz = source->info(source->context)->hz;
	if (!filled.env.clock[0])
		snprintf(filled.env.clock, sizeof(filled.env.clock), "%s",
			source->info(source->context)->clock);
	rc = builder_new(&filled, out_path, &b, err);
	if (rc < 0)
		return rc;
	rc = read_events(source, b, &p, err);
	progress_end(&p);
	if (rc < 0) {
		builder_abort(b);
		return rc;
	}
	ret->info = *source->info(source->context);
	ret->stats = *builder_stats(b);
	rc = builder_finish(b, &ret->info, &ret->truth, err);
	if (rc == -ENODATA)
		error_prefix(err, rc, "%s", source->name);
	return rc;
}

static int next_of_file(void *context, struct event *ret, struct error *err)
{
	return trace_next(context, ret, err);
}

static int progress_of_file(void *context)
{
	return trace_progress(context);
}

static const struct trace_info *info_of_file(void *context)
{
	return trace_info(context);
}

int import_file(const char *verb, const char *in_path, const char *out_path,
	const struct build_options *options, struct import_result *ret, struct error *err)
{
	struct import_source source = {
		.name = in_path,
		.next = next_of_file,
		.progress = progress_of_file,
		.info = info_of_file,
	};
	struct build_options filled = *options;
	struct trace_reader *r;
	int rc;

	rc = trace_open(in_path, &r, err);
	if (rc < 0)
		return rc;
	source.context = r;
	rc = settle_khz(in_path, trace_info(r), &filled, err);
	if (!rc)
		rc = import_events(verb, &source, out_path, &filled, ret, err);
	trace_close(r);
	return rc;
}

static void warn(const char *verb, const char *path, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

static void warn(const char *verb, const char *path, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "corepace %s: %s: ", verb, path);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

void import_warn(const char *verb, const char *in_path, const struct import_result *r)
{
	const struct workload_truth *t = &r->truth;

	if (r->info.lost_events || r->info.lost_regions)
		warn(verb, in_path,
			"events are lost: %llu, and an unknown number in %llu more places",
			(unsigned long long)r->info.lost_events,
			(unsigned long long)r->info.lost_regions);
	if (r->info.damaged)
		warn(verb, in_path, "%llu lines or records made no sense and are left out",
			(unsigned long long)r->info.damaged);
	if (r->info.clock_jumps)
		warn(verb, in_path, "the clock went back %llu times",
			(unsigned long long)r->info.clock_jumps);
	if (r->info.other_instances)
		warn(verb, in_path, "%d further trace buffers in the file are not read",
			r->info.other_instances);
	if (t->own_waits_outside * 100 > t->own_waits * OUTSIDE_PERCENT)
		warn(verb, in_path,
			"%.1f %% of the waits ended from outside or for no reason that could be "
			"told: throughput is an input here, not a result; read latency and energy "
			"only",
			100.0 * (double)t->own_waits_outside / (double)t->own_waits);
}
