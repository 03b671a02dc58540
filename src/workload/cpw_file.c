// SPDX-License-Identifier: GPL-2.0-or-later
#include "workload/cpw_file.h"
#include "workload/varint.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- writing ---- */

static int put(struct buffer *out, uint64_t v)
{
	if (buffer_reserve(out, VARINT_MAX))
		return -ENOMEM;
	out->len = (size_t)(put_varint(out->data + out->len, v) - out->data);
	return 0;
}

/* Chunk numbers grouped by stream, in file order within each: a counting sort. */
static uint32_t *group(const struct cpw_index *x, uint32_t nr_streams, uint32_t *first)
{
	uint32_t *order = malloc((x->nr_chunks ? x->nr_chunks : 1) * sizeof(*order));

	if (!order)
		return NULL;
	for (size_t i = 0; i < x->nr_chunks; i++)
		first[x->chunks[i].stream + 1]++;
	for (uint32_t s = 0; s < nr_streams; s++)
		first[s + 1] += first[s];
	for (size_t i = 0; i < x->nr_chunks; i++)
		order[first[x->chunks[i].stream]++] = (uint32_t)i;
	for (uint32_t s = nr_streams; s > 0; s--)
		first[s] = first[s - 1];
	first[0] = 0;
	return order;
}

static int put_streams(const struct cpw_index *x, const uint64_t *records, uint32_t nr_streams,
	const uint32_t *first, const uint32_t *order, struct buffer *out)
{
	int r = put(out, nr_streams);

	for (uint32_t s = 0; !r && s < nr_streams; s++) {
		uint64_t last = 0;

		r = put(out, records[s]);
		if (!r)
			r = put(out, first[s + 1] - first[s]);
		for (uint32_t i = first[s]; !r && i < first[s + 1]; i++) {
			uint64_t offset = x->chunks[order[i]].offset;

			r = put(out, offset - last);
			last = offset;
		}
	}
	return r;
}

int cpw_index_put(
	const struct cpw_index *x, const uint64_t *records, uint32_t nr_streams, struct buffer *out)
{
	uint32_t *first = calloc((size_t)nr_streams + 1, sizeof(*first));
	uint32_t *order = first ? group(x, nr_streams, first) : NULL;
	int r = order ? 0 : -ENOMEM;

	if (!r)
		r = put(out, (uint64_t)x->nr_sections);
	for (int i = 0; !r && i < x->nr_sections; i++) {
		r = put(out, x->sections[i].type);
		if (!r)
			r = put(out, x->sections[i].offset);
	}
	if (!r)
		r = put_streams(x, records, nr_streams, first, order, out);
	free(order);
	free(first);
	return r;
}

/* ---- reading ---- */

static int index_error(const struct cpw_file *f, struct error *err, const char *text)
{
	return section_error(f->end, CPW_INDEX, 0, err, "%s", text);
}

static int get_sections(struct cpw_file *f, struct bytes_in *in, struct error *err)
{
	for (uint64_t n = get_varint(in); n && !in->bad; n--) {
		uint64_t type = get_varint(in), offset = get_varint(in);

		if (in->bad || offset < CPW_HEADER_SIZE || offset >= f->end)
			return index_error(f, err, "expected sections before the index");
		switch (type) {
		case CPW_TASKS:
			f->tasks = offset;
			break;
		case CPW_ENV:
			f->env = offset;
			break;
		case CPW_TRUTH:
			f->truth = offset;
			break;
		case CPW_METRICS:
			f->metrics = offset;
			break;
		}
	}
	if (in->bad)
		return index_error(f, err, "expected a list of sections");
	return 0;
}

static int get_stream(
	struct cpw_file *f, struct bytes_in *in, uint32_t s, uint32_t max_chunks, struct error *err)
{
	uint64_t nr, offset = 0;

	f->records[s] = get_varint(in);
	nr = get_varint(in);
	if (in->bad || nr > max_chunks - f->first[s])
		return index_error(f, err, "expected as many chunks as fit into the file");
	for (uint64_t i = 0; i < nr; i++) {
		uint64_t delta = get_varint(in);

		if (in->bad || delta < CPW_HEADER_SIZE || delta >= f->end - offset)
			return index_error(f, err, "expected rising offsets before the index");
		offset += delta;
		f->offset[f->first[s] + i] = offset;
	}
	f->first[s + 1] = f->first[s] + (uint32_t)nr;
	return 0;
}

static int get_streams(struct cpw_file *f, struct bytes_in *in, struct error *err)
{
	uint64_t nr = get_varint(in), left = (uint64_t)(in->end - in->p);
	/* A chunk takes a header in the file and a byte here, a stream two bytes here. */
	uint64_t max_chunks = f->end / CPW_SECTION_SIZE < left ? f->end / CPW_SECTION_SIZE : left;

	if (in->bad || nr < CPW_STREAM_TASK0 || nr > CPW_TASKS_MAX + CPW_STREAM_TASK0 ||
		nr > left / 2)
		return index_error(f, err, "expected a number of streams that fit");
	f->nr_streams = (uint32_t)nr;
	f->records = calloc(nr, sizeof(*f->records));
	f->first = calloc(nr + 1, sizeof(*f->first));
	f->offset = malloc((max_chunks ? max_chunks : 1) * sizeof(*f->offset));
	if (!f->records || !f->first || !f->offset)
		return error_set(err, ENOMEM, "out of memory");
	for (uint32_t s = 0; s < nr; s++) {
		int r = get_stream(f, in, s, (uint32_t)max_chunks, err);

		if (r)
			return r;
	}
	return 0;
}

static int read_index(struct cpw_file *f, struct error *err)
{
	struct buffer raw = { 0 };
	struct section s;
	int r;

	r = section_read_ends(&f->in, &f->end, err);
	if (!r)
		r = section_read(&f->in, f->end, CPW_INDEX, 0, &s, &raw, err);
	if (!r) {
		struct bytes_in in = { raw.data, raw.data + raw.len, false };

		r = get_sections(f, &in, err);
		if (!r)
			r = get_streams(f, &in, err);
	}
	buffer_release(&raw);
	return r;
}

int cpw_file_open(const char *path, struct cpw_file **ret, struct error *err)
{
	struct cpw_file *f = calloc(1, sizeof(*f));
	int fd, r;

	if (!f)
		return error_set(err, ENOMEM, "out of memory");
	snprintf(f->path, sizeof(f->path), "%s", path);
	/* Not blocking: a FIFO is refused below, not waited for. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0) {
		r = error_set(err, errno, "%s: %s", path, strerror(errno));
		free(f);
		return r;
	}
	f->in.fd = fd;
	r = section_in_init(&f->in, fd, err);
	if (!r)
		r = read_index(f, err);
	if (r) {
		cpw_file_close(f);
		return error_prefix(err, r, "%s", path);
	}
	*ret = f;
	return 0;
}

struct cpw_file *cpw_file_close(struct cpw_file *f)
{
	if (!f)
		return NULL;
	close(f->in.fd);
	section_in_release(&f->in);
	free(f->records);
	free(f->first);
	free(f->offset);
	free(f);
	return NULL;
}

int cpw_file_chunk(struct cpw_file *f, uint32_t stream, uint32_t i, struct section *ret,
	struct buffer *raw, struct error *err)
{
	int r = section_read(&f->in, f->offset[i], cpw_stream_type(stream), stream, ret, raw, err);

	return r ? error_prefix(err, r, "%s", f->path) : 0;
}
