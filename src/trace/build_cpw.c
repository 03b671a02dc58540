// SPDX-License-Identifier: GPL-2.0-or-later
/* The builder's way into a .cpw file, or, for statistics only, to nowhere. */
#include "trace/build_internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

struct cpw_sink {
	char *path;
	struct cpw_writer *writer;
};

static int file_op(void *ctx, int task, const struct op *op, struct error *err)
{
	return cpw_add_op(((struct cpw_sink *)ctx)->writer, task, op, err);
}

static int file_idle(void *ctx, const struct idle_record *rec, struct error *err)
{
	return cpw_add_idle(((struct cpw_sink *)ctx)->writer, rec, err);
}

static int file_restart(void *ctx, struct error *err)
{
	struct cpw_sink *s = ctx;

	s->writer = cpw_abort(s->writer);
	return cpw_create(s->path, &s->writer, err);
}

static void file_abort(void *ctx)
{
	struct cpw_sink *s = ctx;

	cpw_abort(s->writer);
	free(s->path);
	free(s);
}

static int file_finish(void *ctx, const struct build_output *out, struct error *err)
{
	struct cpw_sink *s = ctx;
	int rc = cpw_finish(s->writer, out->tasks, out->nr_tasks, out->nr_channels, out->env,
		out->truth, out->metrics, out->nr_metrics, out->op_name, out->anonymous, err);

	s->writer = NULL;
	file_abort(s);
	return rc;
}

static int no_op(void *ctx, int task, const struct op *op, struct error *err)
{
	return 0;
}

static int no_idle(void *ctx, const struct idle_record *rec, struct error *err)
{
	return 0;
}

static int no_restart(void *ctx, struct error *err)
{
	return 0;
}

static int no_finish(void *ctx, const struct build_output *out, struct error *err)
{
	return 0;
}

static void no_abort(void *ctx)
{
}

int builder_new(const struct build_options *options, const char *out_path, struct builder **ret,
	struct error *err)
{
	static const struct op_sink nowhere = { NULL, no_op, no_idle, no_restart, no_finish,
		no_abort };
	struct op_sink file = { NULL, file_op, file_idle, file_restart, file_finish, file_abort };
	struct cpw_sink *s;
	int rc;

	if (!out_path)
		return builder_new_sink(options, &nowhere, ret, err);
	s = calloc(1, sizeof(*s));
	if (s && asprintf(&s->path, "%s", out_path) < 0)
		s->path = NULL;
	if (!s || !s->path) {
		free(s);
		return error_set(err, ENOMEM, "out of memory");
	}
	rc = cpw_create(s->path, &s->writer, err);
	if (rc) {
		free(s->path);
		free(s);
		return rc;
	}
	file.ctx = s;
	return builder_new_sink(options, &file, ret, err);
}
