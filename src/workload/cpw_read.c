// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads a .cpw file as a workload. Each task has at most one chunk in memory; when all chunks
 * together pass BUFFERED_MAX, other tasks' chunks are dropped and read again when their turn comes.
 */
#include "workload/cpw.h"
#include "workload/cpw_file.h"
#include "workload/cpw_meta.h"
#include "workload/op_code.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BUFFERED_MAX = 32 << 20 };

/* Where a task is. Its current chunk is number `chunk` of the task; raw is empty when not read. */
struct cursor {
	struct buffer raw;
	size_t pos; /* in the chunk */
	uint32_t chunk;
	uint32_t left; /* records of the chunk not yet taken */
	uint64_t done; /* records taken */
	struct op_coder coder;
};

struct recording {
	struct cpw_file *file;
	struct cursor *cursors;
	size_t buffered; /* room of all cursors' buffers */
	int hand;	 /* whose chunk is dropped next */
};

static void drop(struct recording *rec, struct cursor *c)
{
	rec->buffered -= c->raw.room;
	buffer_release(&c->raw);
}

/* Reads the current chunk of a task, again or for the first time. */
static int load(struct workload *w, int task, struct error *err)
{
	struct recording *rec = w->impl;
	struct cursor *c = &rec->cursors[task];
	uint32_t stream = (uint32_t)task + CPW_STREAM_TASK0;
	struct section s;
	size_t before = c->raw.room;
	int r;

	r = cpw_file_chunk(
		rec->file, stream, rec->file->first[stream] + c->chunk, &s, &c->raw, err);
	rec->buffered += c->raw.room - before;
	if (!r && c->pos > c->raw.len)
		r = error_set(err, EBADMSG, "%s: task %d: the file changed while it was read",
			rec->file->path, task);
	if (r) {
		drop(rec, c);
		return r;
	}
	if (!c->pos)
		c->left = s.count;
	while (rec->buffered > BUFFERED_MAX) {
		rec->hand = (rec->hand + 1) % w->nr_tasks;
		if (rec->hand != task)
			drop(rec, &rec->cursors[rec->hand]);
		else if (rec->buffered == c->raw.room)
			break;
	}
	return 0;
}

static int content_error(struct recording *rec, int task, struct error *err, const char *expected)
{
	const struct cursor *c = &rec->cursors[task];
	const struct cpw_file *f = rec->file;
	uint32_t stream = (uint32_t)task + CPW_STREAM_TASK0;
	uint32_t i = f->first[stream] + c->chunk;
	uint64_t offset = i < f->first[stream + 1] ? f->offset[i] : f->end;
	int r = section_error(offset, CPW_OPS, stream, err, "op %llu, byte %zu of the content: %s",
		(unsigned long long)c->done, c->pos, expected);

	return error_prefix(err, r, "%s", f->path);
}

/* 1: at a chunk with records left, 0: the end of the program. */
static int find_chunk(struct workload *w, int task, struct error *err)
{
	struct recording *rec = w->impl;
	struct cursor *c = &rec->cursors[task];
	uint32_t stream = (uint32_t)task + CPW_STREAM_TASK0;
	uint32_t nr = rec->file->first[stream + 1] - rec->file->first[stream];
	int r;

	while (c->chunk < nr) {
		if (!c->raw.len) {
			r = load(w, task, err);
			if (r)
				return r;
		}
		if (c->left)
			return 1;
		if (c->pos != c->raw.len)
			return content_error(rec, task, err, "expected the end of the chunk");
		c->chunk++;
		c->pos = 0;
		c->raw.len = 0;
		c->coder = (struct op_coder){ 0 };
	}
	drop(rec, c);
	if (c->done != rec->file->records[stream])
		return content_error(rec, task, err, "expected as many ops as the index says");
	return 0;
}

static int recording_next(struct workload *w, int task, struct op *ret, struct error *err)
{
	struct recording *rec = w->impl;
	struct cursor *c = &rec->cursors[task];
	const char *expected;
	struct bytes_in in;
	struct op op;

	if (!c->left || !c->raw.len) {
		int r = find_chunk(w, task, err);

		if (r <= 0)
			return r;
	}
	in = (struct bytes_in){ c->raw.data + c->pos, c->raw.data + c->raw.len, false };
	if (!op_decode(&c->coder, &in, &op))
		return content_error(rec, task, err, "expected an op");
	expected = op_check(&op, (uint32_t)w->nr_tasks, (uint32_t)w->nr_channels);
	if (expected)
		return content_error(rec, task, err, expected);
	c->pos = (size_t)(in.p - c->raw.data);
	c->left--;
	c->done++;
	*ret = op;
	return 1;
}

static int recording_rewind(struct workload *w, uint64_t seed, struct error *err)
{
	struct recording *rec = w->impl;

	for (int i = 0; i < w->nr_tasks; i++) {
		struct cursor *c = &rec->cursors[i];

		drop(rec, c);
		*c = (struct cursor){ 0 };
	}
	return 0;
}

static void recording_release(struct workload *w)
{
	struct recording *rec = w->impl;

	if (!rec)
		return;
	for (int i = 0; rec->cursors && i < w->nr_tasks; i++)
		buffer_release(&rec->cursors[i].raw);
	free(rec->cursors);
	cpw_file_close(rec->file);
	free(rec);
}

/* ---- opening ---- */

static int read_tasks(struct cpw_file *f, struct workload *w, struct buffer *raw, struct error *err)
{
	struct cpw_tasks table;
	struct section s;
	int r;

	if (!f->tasks)
		return section_error(f->end, CPW_INDEX, 0, err, "expected a section TASK");
	r = section_read(&f->in, f->tasks, CPW_TASKS, 0, &s, raw, err);
	if (r)
		return r;
	r = cpw_get_tasks(raw, &table, err);
	if (r)
		return error_prefix(
			err, r, "offset %llu: section TASK", (unsigned long long)f->tasks);
	w->tasks = table.tasks;
	w->nr_tasks = table.nr_tasks;
	w->nr_channels = table.nr_channels;
	if ((uint32_t)w->nr_tasks + CPW_STREAM_TASK0 != f->nr_streams)
		return section_error(f->tasks, CPW_TASKS, 0, err,
			"%d tasks, expected the %u of the index", w->nr_tasks,
			f->nr_streams - CPW_STREAM_TASK0);
	return 0;
}

static int get_env(const struct buffer *raw, struct workload *w, struct error *err)
{
	return cpw_get_env(raw, &w->env, err);
}

static int get_truth(const struct buffer *raw, struct workload *w, struct error *err)
{
	return cpw_get_truth(raw, &w->truth, err);
}

static int read_json(struct cpw_file *f, uint64_t offset, uint32_t type, struct workload *w,
	int (*get)(const struct buffer *raw, struct workload *w, struct error *err),
	struct buffer *raw, struct error *err)
{
	struct section s;
	char name[5];
	int r;

	if (!offset)
		return 0;
	r = section_read(&f->in, offset, type, 0, &s, raw, err);
	if (r)
		return r;
	r = get(raw, w, err);
	if (!r)
		return 0;
	section_name(type, name);
	return error_prefix(err, r, "offset %llu: section %s", (unsigned long long)offset, name);
}

static int read_tables(struct cpw_file *f, struct workload *w, struct error *err)
{
	struct buffer raw = { 0 };
	int r = read_tasks(f, w, &raw, err);

	if (!r)
		r = read_json(f, f->env, CPW_ENV, w, get_env, &raw, err);
	if (!r)
		r = read_json(f, f->truth, CPW_TRUTH, w, get_truth, &raw, err);
	if (!r)
		r = read_json(f, f->metrics, CPW_METRICS, w, cpw_get_metrics, &raw, err);
	buffer_release(&raw);
	return r ? error_prefix(err, r, "%s", f->path) : 0;
}

int cpw_open(const char *path, struct workload *w, struct error *err)
{
	const char *base = strrchr(path, '/');
	struct recording *rec = calloc(1, sizeof(*rec));
	int r;

	if (!rec)
		return error_set(err, ENOMEM, "out of memory");
	w->impl = rec;
	w->release = recording_release;
	w->next = recording_next;
	w->rewind = recording_rewind;
	w->recorded = true;
	snprintf(w->name, sizeof(w->name), "%s", base ? base + 1 : path);
	r = cpw_file_open(path, &rec->file, err);
	if (!r)
		r = read_tables(rec->file, w, err);
	if (!r) {
		rec->cursors = calloc((size_t)w->nr_tasks, sizeof(*rec->cursors));
		if (!rec->cursors)
			r = error_set(err, ENOMEM, "out of memory");
	}
	if (r) {
		recording_release(w);
		free(w->tasks);
		w->tasks = NULL;
		w->impl = NULL;
		w->release = NULL;
	}
	return r;
}
