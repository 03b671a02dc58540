// SPDX-License-Identifier: GPL-2.0-or-later
/* The parts of the container that are the same in both versions: headers, formats, options. */
#include "trace/dat.h"
#include "base/units.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const uint8_t magic[] = { 0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g' };

/* The size of local_t in the kernel that recorded: kbuffer needs it, and it is not user space's. */
static int kernel_long_size(const char *header_page)
{
	const char *commit = strstr(header_page, "commit;"), *size;

	size = commit ? strstr(commit, "size:") : NULL;
	return size ? atoi(size + 5) : 0;
}

int dat_headers(struct dat *d, struct dat_cursor *c, struct error *err)
{
	char name[16], *text;
	uint64_t size;
	int rc;

	rc = cursor_string(c, name, sizeof(name), "header_page", err);
	if (rc < 0)
		return rc;
	if (strcmp(name, "header_page"))
		return cursor_error(c, err, "expected header_page");
	rc = cursor_u64(c, &size, "size of header_page", err);
	if (rc == 0)
		rc = cursor_bytes(c, size, "header_page", &text, err);
	if (rc < 0)
		return rc;
	d->long_size = kernel_long_size(text);
	free(text);
	if (d->long_size != 4 && d->long_size != 8)
		return cursor_error(c, err, "header_page: size of commit: expected 4 or 8");
	rc = cursor_string(c, name, sizeof(name), "header_event", err);
	if (rc < 0)
		return rc;
	if (strcmp(name, "header_event"))
		return cursor_error(c, err, "expected header_event");
	rc = cursor_u64(c, &size, "size of header_event", err);
	return rc < 0 ? rc : cursor_skip(c, size, "header_event", err);
}

static int read_formats(struct dat *d, struct dat_cursor *c, const char *system, struct error *err)
{
	uint32_t count;
	int rc = cursor_u32(c, &count, "number of formats", err);

	for (uint32_t i = 0; rc == 0 && i < count; i++) {
		uint64_t at = c->pos, size;
		char *text;

		rc = cursor_u64(c, &size, "size of a format", err);
		if (rc == 0)
			rc = cursor_bytes(c, size, "a format", &text, err);
		if (rc < 0)
			return rc;
		rc = layouts_add(d->layouts, system, text, size, err);
		if (rc < 0)
			error_prefix(err, rc, "offset %" PRIu64, c->mem ? c->base : at);
		free(text);
	}
	return rc;
}

int dat_ftrace_formats(struct dat *d, struct dat_cursor *c, struct error *err)
{
	return read_formats(d, c, "ftrace", err);
}

int dat_event_formats(struct dat *d, struct dat_cursor *c, struct error *err)
{
	uint32_t systems;
	int rc = cursor_u32(c, &systems, "number of event systems", err);

	for (uint32_t i = 0; rc == 0 && i < systems; i++) {
		char system[64];

		rc = cursor_string(c, system, sizeof(system), "name of an event system", err);
		if (rc == 0)
			rc = read_formats(d, c, system, err);
	}
	return rc;
}

void dat_clock_name(char clock[16], const char *text)
{
	const char *open = strchr(text, '[');
	size_t len = open ? strcspn(open + 1, "]") : strcspn(text, " \n");

	if (len > 15)
		len = 15;
	memset(clock, 0, 16);
	memcpy(clock, open ? open + 1 : text, len);
}

/* The number after KEY in the text of per_cpu/cpuN/stats. */
static uint64_t stat_value(const char *text, const char *key)
{
	const char *p = strstr(text, key);

	return p ? strtoull(p + strlen(key), NULL, 10) : 0;
}

void dat_option(struct dat *d, unsigned int id, const char *data, uint32_t size)
{
	switch (id) {
	case OPTION_CPUSTAT:
		d->overruns += stat_value(data, "\noverrun:") +
			       stat_value(data, "commit overrun:") +
			       stat_value(data, "dropped events:");
		break;
	case OPTION_CLOCK:
		dat_clock_name(d->clock, data);
		break;
	case OPTION_UNAME:
		snprintf(d->uname, sizeof(d->uname), "%s", data);
		break;
	case OPTION_TSC2NSEC:
		if (size < 8)
			break;
		d->tsc_mult = dat_u32(d, data);
		d->tsc_shift = dat_u32(d, data + 4);
		break;
	}
}

static int read_version(struct dat *d, struct dat_cursor *c, struct error *err)
{
	char text[8];
	int rc = cursor_string(c, text, sizeof(text), "version", err);

	if (rc < 0)
		return rc;
	d->version = atoi(text);
	if (d->version != 6 && d->version != 7)
		return cursor_error(c, err, "trace.dat version '%s', expected 6 or 7", text);
	return 0;
}

static int read_initial(struct dat *d, struct dat_cursor *c, struct error *err)
{
	uint8_t head[sizeof(magic)], order[2];
	uint16_t one = 1;
	bool host_big = !*(uint8_t *)&one;
	int rc = cursor_read(c, head, sizeof(head), "the magic of a trace.dat", err);

	if (rc == 0 && memcmp(head, magic, sizeof(magic)))
		rc = error_set(err, EINVAL, "offset 0: not a trace.dat");
	if (rc == 0)
		rc = read_version(d, c, err);
	if (rc == 0)
		rc = cursor_read(c, order, sizeof(order), "byte order and size of long", err);
	if (rc < 0)
		return rc;
	if (order[0] > 1)
		return cursor_error(c, err, "byte order %u, expected 0 or 1", order[0]);
	d->big_endian = order[0];
	d->swap = d->big_endian != host_big;
	rc = layouts_new(d->swap, &d->layouts, err);
	return rc < 0 ? rc : cursor_u32(c, &d->page_size, "page size", err);
}

static int check(const struct dat *d, struct error *err)
{
	uint32_t page = d->buffer.page_size;

	if (page < DAT_PAGE_MIN || page > DAT_PAGE_MAX || page % 8)
		return error_set(err, EINVAL, "page size %u, expected %d to %d", page, DAT_PAGE_MIN,
			DAT_PAGE_MAX);
	if (d->tsc_shift > 63)
		return error_set(err, EINVAL, "option TSC2NSEC: shift %u, expected at most 63",
			d->tsc_shift);
	return layouts_ready(d->layouts, err);
}

int dat_open(int fd, struct dat *ret, struct error *err)
{
	struct dat_cursor c = { .dat = ret };
	struct stat st;
	int rc;

	memset(ret, 0, sizeof(*ret));
	ret->fd = fd;
	if (fstat(fd, &st))
		return error_set(err, errno, "%s", strerror(errno));
	if (!S_ISREG(st.st_mode))
		return error_set(err, EINVAL, "a trace.dat is read from a regular file only");
	ret->file_size = (uint64_t)st.st_size;
	c.end = ret->file_size;
	rc = read_initial(ret, &c, err);
	if (rc == 0)
		rc = ret->version == 6 ? dat_open_v6(ret, &c, err) : dat_open_v7(ret, &c, err);
	if (rc == 0)
		rc = check(ret, err);
	if (rc < 0)
		dat_release(ret);
	return rc;
}

void dat_release(struct dat *d)
{
	d->layouts = layouts_free(d->layouts);
	free(d->buffer.cpus);
	d->buffer.cpus = NULL;
}
