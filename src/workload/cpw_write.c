// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes a .cpw file. Each stream (the idle log, each task) has a small buffer of encoded records
 * that becomes a chunk when it is full; when all buffers together pass BUFFERED_MAX, the larger
 * ones become chunks early. So memory depends on the number of tasks, not on the length of the
 * recording. The file grows under another name in the same folder and is renamed at the end.
 */
#include "workload/cpw.h"
#include "base/outfile.h"
#include "workload/cpw_file.h"
#include "workload/cpw_meta.h"
#include "workload/idle_code.h"
#include "workload/op_code.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	BUFFERED_MAX = 16 << 20, /* bytes of all streams' buffers */
};

struct stream {
	struct buffer raw;
	uint64_t records;
	uint32_t in_chunk;
	union { /* allocated with the first record of a chunk: most tasks of a build are short */
		struct op_coder *op;
		struct idle_coder *idle;
		void *any;
	} coder;
};

struct cpw_writer {
	struct out_file file;
	struct section_out out;
	struct cpw_index index;
	struct stream *streams; /* by stream number */
	uint32_t nr_streams, room;
	size_t buffered;		/* room of all raw buffers */
	uint64_t max_channel, max_fork; /* one more than the highest target; 0: none */
};

static int out_of_memory(struct error *err)
{
	return error_set(err, ENOMEM, "out of memory");
}

int cpw_create(const char *path, struct cpw_writer **ret, struct error *err)
{
	struct cpw_writer *w;
	int r;

	w = calloc(1, sizeof(*w));
	if (!w)
		return out_of_memory(err);
	r = out_file_open(&w->file, path, err);
	if (r) {
		free(w);
		return r;
	}
	if (section_out_init(&w->out, w->file.fd))
		r = out_of_memory(err);
	if (!r)
		r = section_write_header(&w->out, err);
	if (r) {
		cpw_abort(w);
		return error_prefix(err, r, "%s", path);
	}
	*ret = w;
	return 0;
}

struct cpw_writer *cpw_abort(struct cpw_writer *w)
{
	if (!w)
		return NULL;
	if (w->file.fd >= 0)
		out_file_drop(&w->file);
	for (uint32_t i = 0; i < w->nr_streams; i++) {
		buffer_release(&w->streams[i].raw);
		free(w->streams[i].coder.any);
	}
	free(w->streams);
	free(w->index.chunks);
	section_out_release(&w->out);
	free(w);
	return NULL;
}

/* ---- chunks ---- */

static int note_chunk(struct cpw_index *x, uint32_t stream, uint64_t offset)
{
	if (x->nr_chunks == x->room) {
		size_t room = x->room ? 2 * x->room : 256;
		struct cpw_chunk *chunks = realloc(x->chunks, room * sizeof(*chunks));

		if (!chunks)
			return -ENOMEM;
		x->chunks = chunks;
		x->room = room;
	}
	x->chunks[x->nr_chunks++] = (struct cpw_chunk){ offset, stream };
	return 0;
}

static size_t coder_size(uint32_t stream)
{
	return stream == CPW_STREAM_IDLE ? sizeof(struct idle_coder) : sizeof(struct op_coder);
}

/* Makes a chunk of what is buffered. The next record begins one with a fresh coder. */
static int flush(struct cpw_writer *w, uint32_t stream, struct error *err)
{
	struct stream *s = &w->streams[stream];
	int r;

	if (!s->in_chunk)
		return 0;
	if (note_chunk(&w->index, stream, w->out.offset))
		return out_of_memory(err);
	r = section_write(&w->out, cpw_stream_type(stream), stream, s->in_chunk, s->raw.data,
		s->raw.len, err);
	if (r)
		return r;
	s->raw.len = 0;
	s->in_chunk = 0;
	memset(s->coder.any, 0, coder_size(stream));
	return 0;
}

static void drop_buffer(struct cpw_writer *w, uint32_t stream)
{
	struct stream *s = &w->streams[stream];

	w->buffered -= s->raw.room + (s->coder.any ? coder_size(stream) : 0);
	buffer_release(&s->raw);
	free(s->coder.any);
	s->coder.any = NULL;
}

/*
 * Half of the average and larger: those hold more than half of all bytes, so that the scan costs
 * a constant time per byte freed.
 */
static int flush_larger(struct cpw_writer *w, struct error *err)
{
	size_t limit = w->buffered / w->nr_streams / 2;

	for (uint32_t i = 0; i < w->nr_streams; i++) {
		int r;

		if (w->streams[i].raw.room < limit)
			continue;
		r = flush(w, i, err);
		if (r)
			return r;
		drop_buffer(w, i);
	}
	return 0;
}

static int add_stream(struct cpw_writer *w, uint32_t stream)
{
	if (stream >= w->room) {
		uint32_t room = w->room ? w->room : 64;
		struct stream *streams;

		while (room <= stream)
			room *= 2;
		streams = realloc(w->streams, room * sizeof(*streams));
		if (!streams)
			return -ENOMEM;
		memset(streams + w->room, 0, (room - w->room) * sizeof(*streams));
		w->streams = streams;
		w->room = room;
	}
	if (stream >= w->nr_streams)
		w->nr_streams = stream + 1;
	return 0;
}

/* Room for one more record of at most max bytes. */
static int make_room(struct cpw_writer *w, uint32_t stream, size_t max, struct error *err)
{
	struct stream *s;
	size_t before;
	int r;

	if (stream >= w->nr_streams && add_stream(w, stream))
		return out_of_memory(err);
	s = &w->streams[stream];
	if (s->raw.room - s->raw.len >= max && s->raw.len + max <= CPW_CHUNK_FILL)
		return 0;
	if (s->raw.len + max > CPW_CHUNK_FILL) {
		r = flush(w, stream, err);
		if (r)
			return r;
	}
	if (w->buffered > BUFFERED_MAX) {
		r = flush_larger(w, err);
		if (r)
			return r;
	}
	if (!s->coder.any) {
		s->coder.any = calloc(1, coder_size(stream));
		if (!s->coder.any)
			return out_of_memory(err);
		w->buffered += coder_size(stream);
	}
	before = s->raw.room;
	if (buffer_reserve(&s->raw, max))
		return out_of_memory(err);
	w->buffered += s->raw.room - before;
	return 0;
}

static void count(struct stream *s, const uint8_t *end)
{
	s->raw.len = (size_t)(end - s->raw.data);
	s->in_chunk++;
	s->records++;
}

int cpw_add_op(struct cpw_writer *w, int task, const struct op *op, struct error *err)
{
	const char *expected = op_check(op, CPW_TASKS_MAX, CPW_CHANNELS_MAX);
	uint32_t stream = (uint32_t)task + CPW_STREAM_TASK0;
	struct stream *s;
	int r;

	if (task < 0 || task >= CPW_TASKS_MAX)
		return error_set(err, EINVAL, "%s: task %d, expected one of at most %d",
			w->file.path, task, CPW_TASKS_MAX);
	if (expected)
		return error_set(err, EINVAL, "%s: task %d: op %s, target %u: %s", w->file.path,
			task, op_kind_name(op->kind), op->target, expected);
	r = make_room(w, stream, OP_CODE_MAX, err);
	if (r)
		return error_prefix(err, r, "%s", w->file.path);
	if ((op->kind == OP_WAIT || op->kind == OP_SIGNAL) && op->target >= w->max_channel)
		w->max_channel = (uint64_t)op->target + 1;
	if (op->kind == OP_FORK && op->target >= w->max_fork)
		w->max_fork = (uint64_t)op->target + 1;
	s = &w->streams[stream];
	count(s, op_encode(s->coder.op, op, s->raw.data + s->raw.len));
	return 0;
}

int cpw_add_idle(struct cpw_writer *w, const struct idle_record *rec, struct error *err)
{
	const char *expected = idle_check(rec);
	struct stream *s;
	int r;

	if (expected)
		return error_set(err, EINVAL, "%s: idle record of CPU %u: %s", w->file.path,
			rec->cpu, expected);
	r = make_room(w, CPW_STREAM_IDLE, IDLE_CODE_MAX, err);
	if (r)
		return error_prefix(err, r, "%s", w->file.path);
	s = &w->streams[CPW_STREAM_IDLE];
	count(s, idle_encode(s->coder.idle, rec, s->raw.data + s->raw.len));
	return 0;
}

/* ---- the end ---- */

/* One section that is no chunk; raw is emptied. */
static int put_section(struct cpw_writer *w, uint32_t type, struct buffer *raw, struct error *err)
{
	int n = w->index.nr_sections++;

	w->index.sections[n].type = type;
	w->index.sections[n].offset = w->out.offset;
	return section_write(&w->out, type, 0, 0, raw->data, raw->len, err);
}

static int put_index(struct cpw_writer *w, uint32_t nr_streams, struct error *err)
{
	uint64_t *records = calloc(nr_streams, sizeof(*records));
	uint64_t offset = w->out.offset;
	struct buffer raw = { 0 };
	int r;

	for (uint32_t i = 0; records && i < w->nr_streams; i++)
		records[i] = w->streams[i].records;
	if (!records || cpw_index_put(&w->index, records, nr_streams, &raw))
		r = out_of_memory(err);
	else
		r = section_write(&w->out, CPW_INDEX, 0, 0, raw.data, raw.len, err);
	free(records);
	buffer_release(&raw);
	return r ? r : section_write_trailer(&w->out, offset, err);
}

static int check_targets(
	const struct cpw_writer *w, int nr_tasks, int nr_channels, struct error *err)
{
	if (nr_tasks <= 0 || nr_tasks > CPW_TASKS_MAX || nr_channels < 0 ||
		nr_channels > CPW_CHANNELS_MAX)
		return error_set(err, EINVAL,
			"%d tasks and %d channels, expected 1 to %d and 0 to %d", nr_tasks,
			nr_channels, CPW_TASKS_MAX, CPW_CHANNELS_MAX);
	if (w->nr_streams > (uint32_t)nr_tasks + CPW_STREAM_TASK0)
		return error_set(err, EINVAL, "ops of task %u, but only %d tasks",
			w->nr_streams - 1 - CPW_STREAM_TASK0, nr_tasks);
	if (w->max_fork > (uint64_t)nr_tasks || w->max_channel > (uint64_t)nr_channels)
		return error_set(err, EINVAL,
			"an op has task %lld or channel %lld as its target, but there are %d and "
			"%d",
			(long long)w->max_fork - 1, (long long)w->max_channel - 1, nr_tasks,
			nr_channels);
	return 0;
}

int cpw_finish(struct cpw_writer *w, const struct workload_task *tasks, int nr_tasks,
	int nr_channels, const struct workload_env *env, const struct workload_truth *truth,
	const struct workload_metric *metrics, int nr_metrics, const char *op_name, bool anonymous,
	struct error *err)
{
	struct cpw_tasks table = { nr_tasks, nr_channels, (struct workload_task *)tasks };
	struct buffer raw = { 0 };
	int r = check_targets(w, nr_tasks, nr_channels, err);

	for (uint32_t i = 0; !r && i < w->nr_streams; i++)
		r = flush(w, i, err);
	if (!r)
		r = cpw_put_tasks(&table, anonymous, &raw, err);
	if (!r)
		r = put_section(w, CPW_TASKS, &raw, err);
	raw.len = 0;
	if (!r)
		r = cpw_put_env(env, anonymous, &raw, err);
	if (!r)
		r = put_section(w, CPW_ENV, &raw, err);
	raw.len = 0;
	if (!r)
		r = cpw_put_truth(truth, &raw, err);
	if (!r)
		r = put_section(w, CPW_TRUTH, &raw, err);
	raw.len = 0;
	if (!r)
		r = cpw_put_metrics(metrics, nr_metrics, op_name, &raw, err);
	if (!r)
		r = put_section(w, CPW_METRICS, &raw, err);
	buffer_release(&raw);
	if (!r)
		r = put_index(w, (uint32_t)nr_tasks + CPW_STREAM_TASK0, err);
	if (r)
		error_prefix(err, r, "%s", w->file.path);
	else
		r = out_file_keep(&w->file, err);
	cpw_abort(w);
	return r;
}
