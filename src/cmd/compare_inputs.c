// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/compare_inputs.h"
#include "base/array.h"
#include "cmd/compare_trace.h"
#include "report/others.h"
#include "report/result_json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct input {
	const char *path, *name; /* name: NULL when none was given */
	enum input_kind kind;
	int first, end; /* its runs, of INPUT_RESULTS */
};

struct inputs {
	int nr, nr_runs;
	struct input *list;
	struct run_result *runs; /* of all inputs, and for each the file that it came from */
	const char **files;
};

static int append_results(struct inputs *in, const char *path, const char *name, struct error *err)
{
	struct results results = { 0 };
	int rc = results_read(path, &results, err);

	if (rc)
		return rc;
	for (int i = 0; i < results.nr && !rc; i++) {
		void *runs = array_grow(in->runs, (size_t)in->nr_runs, sizeof(*in->runs));
		void *files;

		if (runs)
			in->runs = runs;
		files = array_grow(in->files, (size_t)in->nr_runs, sizeof(*in->files));
		if (files)
			in->files = files;
		if (!runs || !files) {
			rc = error_set(err, ENOMEM, "%s: out of memory", path);
			break;
		}
		in->runs[in->nr_runs] = results.runs[i];
		results.runs[i].cpus = NULL; /* moved */
		in->files[in->nr_runs++] = name ? name : path;
	}
	results_release(&results);
	return rc;
}

/* [NAME=]PATH; a file that is really called so, or a path in front of the '=', is no name. */
static void split_name(char *text, struct input *ret)
{
	char *equals = strchr(text, '='), *slash = strchr(text, '/');

	*ret = (struct input){ .path = text };
	if (!equals || equals == text || (slash && slash < equals) || !access(text, F_OK))
		return;
	*equals = 0;
	ret->name = text;
	ret->path = equals + 1;
}

/* What each input is; results of runs are read, since they say which workloads there are. */
static int look_at_inputs(char **texts, struct inputs *in, struct error *err)
{
	in->list = calloc((size_t)in->nr, sizeof(*in->list));
	if (!in->list)
		return error_set(err, ENOMEM, "out of memory");
	for (int i = 0; i < in->nr; i++) {
		struct input *it = &in->list[i];
		int rc;

		split_name(texts[i], it);
		rc = input_kind(it->path, err);
		if (rc < 0)
			return rc;
		it->kind = (enum input_kind)rc;
		it->first = in->nr_runs;
		if (it->kind == INPUT_CSV && it->name)
			return error_set(err, EINVAL,
				"%s: a .csv names its configurations itself, '%s=' is one too many",
				it->path, it->name);
		rc = it->kind == INPUT_RESULTS ? append_results(in, it->path, it->name, err) : 0;
		if (rc)
			return rc;
		it->end = in->nr_runs;
	}
	return 0;
}

/* Samples without a workload belong to that of the runs, when these all have the same. */
static void place_anonymous(const struct inputs *in, struct samples *samples)
{
	for (int i = 1; i < in->nr_runs; i++)
		if (strcmp(in->runs[i].workload, in->runs[0].workload) ||
			strcmp(in->runs[i].scaling, in->runs[0].scaling))
			return;
	if (in->nr_runs) {
		samples->anonymous = in->runs[0].workload;
		samples->anonymous_scaling = in->runs[0].scaling;
	}
}

static int read_input(
	const struct inputs *in, const struct input *it, struct samples *samples, struct error *err)
{
	switch (it->kind) {
	case INPUT_CSV:
		return samples_read_csv(samples, it->path, err);
	case INPUT_FIO:
		return fio_read(samples, it->path, it->name, err);
	case INPUT_HYPERFINE:
		return hyperfine_read(samples, it->path, it->name, err);
	case INPUT_TURBOSTAT:
		return turbostat_read(samples, it->path, it->name, err);
	case INPUT_MMTESTS:
		return mmtests_read(samples, it->path, it->name, compare_trace, NULL, err);
	default:
		return samples_add_some_results(
			samples, in->runs, in->nr_runs, in->files, it->first, it->end, err);
	}
}

int compare_inputs(char **texts, int nr, struct samples *samples, struct error *err)
{
	struct inputs in = { .nr = nr };
	int rc = look_at_inputs(texts, &in, err);

	place_anonymous(&in, samples);
	for (int i = 0; i < nr && !rc; i++)
		rc = read_input(&in, &in.list[i], samples, err);
	samples->anonymous = samples->anonymous_scaling = NULL;
	for (int i = 0; i < in.nr_runs; i++)
		result_release(&in.runs[i]);
	free(in.list);
	free(in.runs);
	free(in.files);
	return rc;
}
