// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads a .cpw file, and what can be read is written again and must then read the same.
 *
 * An input that begins with 'F' is such a file. Since checksums stop nearly every change of one,
 * other inputs are contents of sections, which are framed here: one byte for the type, one for the
 * stream, one for the count of records, two for the length, then the content. What an input does
 * not bring itself (task table, index) is made to fit the rest.
 */
#include "sample.h"
#include "workload/cpw_file.h"
#include "workload/cpw_meta.h"
#include "workload/varint.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { OPS_MAX = 20000, STREAMS_MAX = 8, CHANNELS = 4 };

static const uint32_t types[] = { CPW_OPS, CPW_IDLE, CPW_TASKS, CPW_ENV, CPW_TRUTH, CPW_METRICS,
	CPW_INDEX };
enum { NR_TYPES = sizeof(types) / sizeof(types[0]) };

static void must(bool ok)
{
	if (!ok)
		abort();
}

/* ---- from contents of sections to a file ---- */

struct composer {
	struct section_out out;
	struct cpw_index index;
	struct cpw_chunk chunks[256];
	uint64_t records[STREAMS_MAX];
	uint32_t nr_streams;
	bool have_tasks;
	const uint8_t *given_index; /* content that the input brings itself */
	size_t given_length;
};

static void note_section(struct composer *c, uint32_t type)
{
	if (c->index.nr_sections == 8)
		return;
	c->index.sections[c->index.nr_sections].type = type;
	c->index.sections[c->index.nr_sections++].offset = c->out.offset;
}

static void put_part(struct composer *c, uint32_t type, uint32_t stream, uint32_t count,
	const uint8_t *raw, size_t len)
{
	bool chunk = type == CPW_OPS || type == CPW_IDLE;

	if (type == CPW_INDEX) {
		c->given_index = raw;
		c->given_length = len;
		return;
	}
	if (type == CPW_IDLE)
		stream = CPW_STREAM_IDLE;
	if (type == CPW_OPS && stream < CPW_STREAM_TASK0)
		stream = CPW_STREAM_TASK0;
	if (chunk && c->index.nr_chunks < 256) {
		c->chunks[c->index.nr_chunks++] = (struct cpw_chunk){ c->out.offset, stream };
		c->records[stream] += count;
		if (stream >= c->nr_streams)
			c->nr_streams = stream + 1;
	} else if (!chunk) {
		note_section(c, type);
		c->have_tasks |= type == CPW_TASKS;
	}
	must(!section_write(&c->out, type, chunk ? stream : 0, count, raw, len, NULL));
}

static void put_default_tasks(struct composer *c)
{
	int nr = (int)c->nr_streams - CPW_STREAM_TASK0;
	struct cpw_tasks table = { nr, CHANNELS, sample_tasks(nr) };
	struct buffer raw = { 0 };

	must(table.tasks && !cpw_put_tasks(&table, false, &raw, NULL));
	put_part(c, CPW_TASKS, 0, 0, raw.data, raw.len);
	buffer_release(&raw);
	free(table.tasks);
}

static void compose(int fd, const uint8_t *data, size_t size)
{
	struct composer c = { .nr_streams = CPW_STREAM_TASK0 + 1 };
	struct buffer raw = { 0 };
	uint64_t index;

	c.index.chunks = c.chunks;
	must(!section_out_init(&c.out, fd) && !section_write_header(&c.out, NULL));
	while (size >= 5) {
		size_t len = data[3] | (size_t)data[4] << 8;

		if (len > size - 5)
			len = size - 5;
		put_part(&c, types[data[0] % NR_TYPES], data[1] % STREAMS_MAX, data[2], data + 5,
			len);
		data += 5 + len;
		size -= 5 + len;
	}
	if (!c.have_tasks)
		put_default_tasks(&c);
	index = c.out.offset;
	if (!c.given_index)
		must(!cpw_index_put(&c.index, c.records, c.nr_streams, &raw));
	must(!section_write(&c.out, CPW_INDEX, 0, 0, c.given_index ? c.given_index : raw.data,
		c.given_index ? c.given_length : raw.len, NULL));
	must(!section_write_trailer(&c.out, index, NULL));
	section_out_release(&c.out);
	buffer_release(&raw);
}

/* ---- from what was read to a file again ---- */

static void copy_ops(struct workload *w, struct cpw_writer *writer)
{
	struct error err;
	struct op op;

	for (int t = 0; t < w->nr_tasks; t++)
		while (program_next(w, t, &op, &err) == 1)
			must(!cpw_add_op(writer, t, &op, &err));
}

static void copy_idle(const char *path, struct cpw_writer *writer)
{
	struct cpw_idle_reader *reader;
	struct idle_record rec;
	struct error err;

	must(!cpw_idle_open(path, &reader, &err));
	while (cpw_idle_next(reader, &rec, &err) == 1)
		must(!cpw_add_idle(writer, &rec, &err));
	cpw_idle_close(reader);
}

static void round_trip(const char *path, uint64_t digest)
{
	static char copy[64];
	struct cpw_writer *writer;
	struct workload *w;
	struct error err;
	uint64_t again;

	if (!copy[0]) {
		const char *shm = access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm";

		snprintf(copy, sizeof(copy), "%s/corepace-fuzz-%d.cpw", shm, (int)getpid());
	}
	must(!workload_open(path, &w, &err));
	must(!cpw_create(copy, &writer, &err));
	copy_ops(w, writer);
	copy_idle(path, writer);
	must(!cpw_finish(writer, w->tasks, w->nr_tasks, w->nr_channels, &w->env, &w->truth,
		w->metrics, w->nr_metrics, w->op_name, false, &err));
	workload_free(w);
	must(!walk(copy, OPS_MAX, &again, &err) && again == digest);
	unlink(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	char path[64];
	struct error err = { "" };
	uint64_t digest;
	int r;

	must(fd >= 0);
	if (size && data[0] == 'F')
		must(write(fd, data + 1, size - 1) == (ssize_t)size - 1);
	else
		compose(fd, data, size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	r = walk(path, OPS_MAX, &digest, &err);
	must(r ? err.text[0] && !strchr(err.text, '\n') : !err.text[0]);
	if (!r)
		round_trip(path, digest);
	close(fd);
	return 0;
}
