// SPDX-License-Identifier: GPL-2.0-or-later
/* Version 6: one part after the other, CPU data behind the head. */
#include "trace/dat.h"
#include "base/units.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	INSTANCES_MAX = 16,
	TYPE_LEN = 10, /* "options  ", "latency  ", "flyrecord", each with its NUL */
};

/* kallsyms and printk formats have 32-bit sizes, the command lines 64 bits. We need none. */
static int skip_names(struct dat_cursor *c, struct error *err)
{
	uint32_t size;
	uint64_t long_size;
	int rc = cursor_u32(c, &size, "size of kallsyms", err);

	if (rc == 0)
		rc = cursor_skip(c, size, "kallsyms", err);
	if (rc == 0)
		rc = cursor_u32(c, &size, "size of printk formats", err);
	if (rc == 0)
		rc = cursor_skip(c, size, "printk formats", err);
	if (rc == 0)
		rc = cursor_u64(c, &long_size, "size of command lines", err);
	return rc < 0 ? rc : cursor_skip(c, long_size, "command lines", err);
}

/* Further instances, in case the top one is empty; of many only the first are remembered. */
struct instances {
	int nr;
	struct {
		uint64_t offset;
		char name[64];
	} list[INSTANCES_MAX];
};

static void note_instance(struct dat *d, struct instances *in, const char *data, uint32_t size)
{
	if (size < 9)
		return;
	d->other_buffers++;
	if (in->nr == INSTANCES_MAX)
		return;
	in->list[in->nr].offset = dat_u64(d, data);
	snprintf(in->list[in->nr].name, sizeof(in->list[0].name), "%s", data + 8);
	in->nr++;
}

static int read_options(
	struct dat *d, struct dat_cursor *c, struct instances *in, struct error *err)
{
	for (;;) {
		uint16_t raw;
		uint32_t size;
		char *data;
		int rc = cursor_read(c, &raw, sizeof(raw), "an option", err);
		unsigned int id;

		if (rc < 0)
			return rc;
		id = dat_u16(d, &raw);
		if (id == OPTION_DONE)
			return 0;
		rc = cursor_u32(c, &size, "size of an option", err);
		if (rc == 0)
			rc = cursor_bytes(c, size, "an option", &data, err);
		if (rc < 0)
			return rc;
		if (id == OPTION_BUFFER)
			note_instance(d, in, data, size);
		else
			dat_option(d, id, data, size);
		free(data);
	}
}

static int read_type(struct dat_cursor *c, char type[TYPE_LEN], struct error *err)
{
	int rc = cursor_read(c, type, TYPE_LEN, "type of the data", err);

	type[TYPE_LEN - 1] = '\0';
	return rc;
}

static int read_cpus(struct dat *d, struct dat_cursor *c, uint64_t *ret_bytes, struct error *err)
{
	*ret_bytes = 0;
	for (int i = 0; i < d->buffer.nr_cpus; i++) {
		struct dat_cpu *cpu = &d->buffer.cpus[i];
		int rc;

		cpu->cpu = i;
		rc = cursor_u64(c, &cpu->offset, "offset of a CPU's data", err);
		if (rc == 0)
			rc = cursor_u64(c, &cpu->size, "size of a CPU's data", err);
		if (rc < 0)
			return rc;
		*ret_bytes += cpu->size;
	}
	return 0;
}

static int read_instance(struct dat *d, uint64_t offset, uint64_t *ret_bytes, struct error *err)
{
	struct dat_cursor c = { .dat = d, .pos = offset, .end = d->file_size };
	char type[TYPE_LEN];
	int rc;

	if (c.pos > c.end)
		return error_set(
			err, EINVAL, "option BUFFER: offset %" PRIu64 " is behind the end", offset);
	rc = read_type(&c, type, err);
	if (rc < 0)
		return rc;
	if (strcmp(type, "flyrecord"))
		return cursor_error(&c, err, "expected the flyrecord of an instance");
	return read_cpus(d, &c, ret_bytes, err);
}

/* trace-cmd record -B: the top instance is there, but empty. Then the first that is not. */
static int read_data_tables(
	struct dat *d, struct dat_cursor *c, const struct instances *in, struct error *err)
{
	uint64_t bytes;
	int rc = read_cpus(d, c, &bytes, err);

	for (int i = 0; rc == 0 && !bytes && i < in->nr; i++) {
		rc = read_instance(d, in->list[i].offset, &bytes, err);
		if (bytes)
			memcpy(d->buffer.name, in->list[i].name, sizeof(d->buffer.name));
	}
	return rc;
}

int dat_open_v6(struct dat *d, struct dat_cursor *c, struct error *err)
{
	struct instances in = { 0 };
	char type[TYPE_LEN];
	uint32_t cpus;
	int rc = dat_headers(d, c, err);

	if (rc == 0)
		rc = dat_ftrace_formats(d, c, err);
	if (rc == 0)
		rc = dat_event_formats(d, c, err);
	if (rc == 0)
		rc = skip_names(c, err);
	if (rc == 0)
		rc = cursor_u32(c, &cpus, "number of CPUs", err);
	if (rc < 0)
		return rc;
	if (!cpus || cpus > CPUS_MAX)
		return cursor_error(c, err, "%u CPUs, expected 1 to %d", cpus, CPUS_MAX);
	d->buffer.page_size = d->page_size;
	d->buffer.nr_cpus = (int)cpus;
	d->buffer.cpus = calloc(cpus, sizeof(*d->buffer.cpus));
	if (!d->buffer.cpus)
		return error_set(err, ENOMEM, "out of memory");
	rc = read_type(c, type, err);
	if (rc == 0 && !strcmp(type, "options  ")) {
		rc = read_options(d, c, &in, err);
		if (rc == 0)
			rc = read_type(c, type, err);
	}
	if (rc < 0)
		return rc;
	if (!strcmp(type, "latency  "))
		return cursor_error(
			c, err, "holds a latency trace as text, expected flyrecord data");
	if (strcmp(type, "flyrecord"))
		return cursor_error(c, err, "expected options, latency or flyrecord");
	memcpy(d->buffer.clock, d->clock, sizeof(d->clock));
	return read_data_tables(d, c, &in, err);
}
