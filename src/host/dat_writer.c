// SPDX-License-Identifier: GPL-2.0-or-later
#include "host/dat_writer.h"
#include "host/readfile.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FORMAT_BYTES_MAX = 1 << 20 };

/* Numbers that the container gives to its options. */
enum { OPTION_CPUSTAT = 2, OPTION_CLOCK = 4, OPTION_UNAME = 5, OPTION_CPUCOUNT = 8 };

struct dat_cpu {
	uint64_t offset, size;
};

struct dat_writer {
	FILE *file; /* a duplicate of the caller's descriptor */
	size_t page_size;
	off_t table; /* where the offsets go */
	int nr_cpus, cpu;
	struct dat_cpu cpus[];
};

static int write_failed(struct error *err)
{
	int code = errno ? errno : EIO;

	return error_set(err, code, "writing the recording: %s", strerror(code));
}

int trace_page_size(const char *tracing_dir, size_t *ret, struct error *err)
{
	char text[1024], *line;
	unsigned offset, size;
	int code = host_read_text(tracing_dir, "/events/header_page", text, sizeof(text));

	if (code < 0)
		return error_set(
			err, -code, "%s/events/header_page: %s", tracing_dir, strerror(-code));
	line = strstr(text, "field: char data;");
	if (!line || sscanf(line, "field: char data; offset:%u; size:%u;", &offset, &size) != 2 ||
		offset < 8 || offset > 64 || size < 512 || size > 1 << 20)
		return error_set(err, EINVAL,
			"%s/events/header_page: data: no offset and size of the page's data",
			tracing_dir);
	*ret = offset + size;
	return 0;
}

static void put_bytes(struct dat_writer *d, const void *bytes, size_t len)
{
	fwrite(bytes, 1, len, d->file);
}

/* Little or big endian: the file says which, so numbers go out as they are. */
static void put_u32(struct dat_writer *d, uint32_t value)
{
	put_bytes(d, &value, sizeof(value));
}

static void put_u64(struct dat_writer *d, uint64_t value)
{
	put_bytes(d, &value, sizeof(value));
}

static void put_option(struct dat_writer *d, uint16_t id, const void *bytes, uint32_t len)
{
	put_bytes(d, &id, sizeof(id));
	put_u32(d, len);
	put_bytes(d, bytes, len);
}

/* A file of the tracing directory, after its 64-bit length. */
static int put_file(struct dat_writer *d, const char *dir, const char *path, struct error *err)
{
	char *text;
	size_t len;
	int code = host_read_all(dir, path, FORMAT_BYTES_MAX, &text, &len);

	if (code)
		return error_set(err, -code, "%s%s: %s", dir, path, strerror(-code));
	put_u64(d, len);
	put_bytes(d, text, len);
	free(text);
	return 0;
}

static int put_format(struct dat_writer *d, const char *dir, const char *system, const char *name,
	struct error *err)
{
	char path[256];

	snprintf(path, sizeof(path), "/events/%s/%s/format", system, name);
	return put_file(d, dir, path, err);
}

static bool same_system(const struct dat_header *h, int i, int j)
{
	return !strcmp(h->events[i]->system, h->events[j]->system);
}

static int put_systems(struct dat_writer *d, const struct dat_header *h, struct error *err)
{
	int nr_systems = 0, first, next, code;

	for (int i = 0; i < h->nr_events; i++)
		nr_systems += i == 0 || !same_system(h, i, i - 1);
	put_u32(d, nr_systems);
	for (first = 0; first < h->nr_events; first = next) {
		const char *system = h->events[first]->system;

		for (next = first; next < h->nr_events && same_system(h, first, next); next++)
			;
		put_bytes(d, system, strlen(system) + 1);
		put_u32(d, next - first);
		for (int i = first; i < next; i++) {
			code = put_format(d, h->tracing_dir, system, h->events[i]->name, err);
			if (code)
				return code;
		}
	}
	return 0;
}

static int put_formats(struct dat_writer *d, const struct dat_header *h, struct error *err)
{
	int code;

	put_bytes(d, "header_page", 12);
	code = put_file(d, h->tracing_dir, "/events/header_page", err);
	if (code)
		return code;
	put_bytes(d, "header_event", 13);
	code = put_file(d, h->tracing_dir, "/events/header_event", err);
	if (code)
		return code;
	/* Of ftrace's own events only what a write to trace_marker gives. */
	put_u32(d, 1);
	code = put_format(d, h->tracing_dir, "ftrace", "print", err);
	if (code)
		return code;
	return put_systems(d, h, err);
}

static void put_options(struct dat_writer *d, const struct dat_header *h)
{
	uint32_t nr_cpus = h->nr_cpus;
	char clock[64];
	uint16_t end = 0;

	put_bytes(d, "options  ", 10);
	snprintf(clock, sizeof(clock), "[%s]\n", h->clock);
	put_option(d, OPTION_CLOCK, clock, strlen(clock) + 1);
	put_option(d, OPTION_UNAME, h->uname, strlen(h->uname) + 1);
	put_option(d, OPTION_CPUCOUNT, &nr_cpus, sizeof(nr_cpus));
	for (int cpu = 0; h->cpu_stats && cpu < h->nr_cpus; cpu++) {
		char text[1024];
		int n = snprintf(text, sizeof(text), "CPU: %d\n%s\n", cpu,
			h->cpu_stats[cpu] ? h->cpu_stats[cpu] : "");

		if (n < (int)sizeof(text))
			put_option(d, OPTION_CPUSTAT, text, n + 1);
	}
	put_bytes(d, &end, sizeof(end));
}

static int put_header(struct dat_writer *d, const struct dat_header *h, struct error *err)
{
	static const unsigned char magic[] = { 0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g',
		'6', 0 };
	uint8_t big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__, long_size = sizeof(long);
	uint64_t len = strlen(h->cmdlines);
	int code;

	put_bytes(d, magic, sizeof(magic));
	put_bytes(d, &big_endian, 1);
	put_bytes(d, &long_size, 1);
	put_u32(d, d->page_size);
	code = put_formats(d, h, err);
	if (code)
		return code;
	put_u32(d, 0); /* kallsyms */
	put_u32(d, 0); /* trace_printk formats */
	put_u64(d, len);
	put_bytes(d, h->cmdlines, len);
	put_u32(d, h->nr_cpus);
	put_options(d, h);
	put_bytes(d, "flyrecord", 10);
	d->table = ftello(d->file);
	for (int cpu = 0; cpu < h->nr_cpus; cpu++)
		put_bytes(d, &d->cpus[cpu], sizeof(d->cpus[cpu]));
	return d->table < 0 || ferror(d->file) ? write_failed(err) : 0;
}

int dat_writer_new(
	int fd, const struct dat_header *header, struct dat_writer **ret, struct error *err)
{
	struct dat_writer *d = calloc(1, sizeof(*d) + header->nr_cpus * sizeof(d->cpus[0]));
	int code, copy;

	if (!d)
		return error_set(err, ENOMEM, "out of memory");
	d->nr_cpus = header->nr_cpus;
	d->cpu = -1;
	code = trace_page_size(header->tracing_dir, &d->page_size, err);
	if (code)
		goto fail;
	copy = dup(fd);
	d->file = copy < 0 ? NULL : fdopen(copy, "r+");
	if (!d->file) {
		code = write_failed(err);
		if (copy >= 0)
			close(copy);
		goto fail;
	}
	code = put_header(d, header, err);
	if (code)
		goto fail;
	*ret = d;
	return 0;
fail:
	dat_writer_abort(d);
	return code;
}

int dat_writer_cpu(struct dat_writer *d, struct error *err)
{
	off_t at = ftello(d->file), aligned;

	if (at < 0)
		return write_failed(err);
	aligned = (at + d->page_size - 1) / d->page_size * d->page_size;
	if (fseeko(d->file, aligned, SEEK_SET))
		return write_failed(err);
	d->cpus[++d->cpu].offset = aligned;
	return 0;
}

int dat_writer_append(struct dat_writer *d, const void *pages, size_t len, struct error *err)
{
	errno = 0;
	if (fwrite(pages, 1, len, d->file) != len)
		return write_failed(err);
	d->cpus[d->cpu].size += len;
	return 0;
}

int dat_writer_finish(struct dat_writer *d, struct error *err)
{
	int code = 0;

	errno = 0;
	/* The last CPU's padding exists only once something is written or the size is set. */
	if (fflush(d->file) ||
		(d->nr_cpus && ftruncate(fileno(d->file),
				       d->cpus[d->cpu].offset + d->cpus[d->cpu].size)) ||
		fseeko(d->file, d->table, SEEK_SET)) {
		code = write_failed(err);
	} else {
		for (int cpu = 0; cpu < d->nr_cpus; cpu++)
			put_bytes(d, &d->cpus[cpu], sizeof(d->cpus[cpu]));
		if (fflush(d->file) || ferror(d->file))
			code = write_failed(err);
	}
	dat_writer_abort(d);
	return code;
}

struct dat_writer *dat_writer_abort(struct dat_writer *d)
{
	if (d && d->file)
		fclose(d->file);
	free(d);
	return NULL;
}
