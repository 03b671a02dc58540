// SPDX-License-Identifier: GPL-2.0-or-later
#include "dat_writer.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

enum { CHUNK_PAGES = 4, TIME_BITS = 27 };

void bytes_add(struct bytes *b, const void *data, size_t n)
{
	if (b->n + n > b->capacity) {
		b->capacity = (b->n + n) * 2;
		b->p = realloc(b->p, b->capacity);
		assert(b->p);
	}
	if (n)
		memcpy(b->p + b->n, data, n);
	b->n += n;
}

void bytes_zero(struct bytes *b, size_t n)
{
	static const uint8_t zeros[64];

	for (; n > sizeof(zeros); n -= sizeof(zeros))
		bytes_add(b, zeros, sizeof(zeros));
	bytes_add(b, zeros, n);
}

void bytes_release(struct bytes *b)
{
	free(b->p);
	*b = (struct bytes){ 0 };
}

void put_int(const struct dat_spec *s, uint8_t *p, size_t size, uint64_t value)
{
	for (size_t i = 0; i < size; i++)
		p[s->big_endian ? size - 1 - i : i] = (uint8_t)(value >> (8 * i));
}

static void add_int(const struct dat_spec *s, struct bytes *b, size_t size, uint64_t value)
{
	uint8_t raw[8];

	put_int(s, raw, size, value);
	bytes_add(b, raw, size);
}

static void add_string(struct bytes *b, const char *text)
{
	bytes_add(b, text, strlen(text) + 1);
}

/* ---- pages ------------------------------------------------------------------------------ */

struct page page_begin(const struct dat_spec *s, struct bytes *out, uint64_t ts, int lost)
{
	struct page p = { .spec = s, .out = out, .start = out->n, .lost = lost };

	add_int(s, out, 8, ts);
	bytes_zero(out, (size_t)s->long_size);
	return p;
}

static void add_head(struct page *p, uint32_t type, uint32_t delta)
{
	uint32_t word = p->spec->big_endian ? type << TIME_BITS | delta : delta << 5 | type;

	assert(delta < 1u << TIME_BITS);
	add_int(p->spec, p->out, 4, word);
}

void page_record(struct page *p, uint32_t delta, const void *data, size_t len)
{
	size_t padded = (len + 3) & ~(size_t)3;

	if (padded && padded <= 28 * 4) {
		add_head(p, (uint32_t)padded / 4, delta);
	} else {
		add_head(p, 0, delta);
		add_int(p->spec, p->out, 4, padded + 4);
	}
	bytes_add(p->out, data, len);
	bytes_zero(p->out, padded - len);
}

void page_time_extend(struct page *p, uint64_t delta)
{
	add_head(p, 30, delta & ((1u << TIME_BITS) - 1));
	add_int(p->spec, p->out, 4, delta >> TIME_BITS);
}

void page_time_stamp(struct page *p, uint64_t ts)
{
	add_head(p, 31, ts & ((1u << TIME_BITS) - 1));
	add_int(p->spec, p->out, 4, (ts & ((1ULL << 59) - 1)) >> TIME_BITS);
}

void page_discarded(struct page *p, uint32_t delta, size_t len)
{
	size_t padded = (len + 3) & ~(size_t)3;

	add_head(p, 29, delta);
	add_int(p->spec, p->out, 4, padded + 4);
	bytes_zero(p->out, padded);
}

void page_end(struct page *p)
{
	const struct dat_spec *s = p->spec;
	size_t head = 8 + (size_t)s->long_size, used = p->out->n - p->start - head;
	uint64_t commit = used;

	if (p->lost)
		commit |= 1ULL << 31;
	if (p->lost > 0) {
		commit |= 1ULL << 30;
		add_int(s, p->out, (size_t)s->long_size, (uint64_t)p->lost);
	}
	assert(p->out->n - p->start <= s->page_size);
	bytes_zero(p->out, s->page_size - (p->out->n - p->start));
	put_int(s, p->out->p + p->start + 8, (size_t)s->long_size, commit);
}

/* ---- what both versions have ------------------------------------------------------------ */

static void add_headers(const struct dat_spec *s, struct bytes *b)
{
	char text[256];
	int n = snprintf(text, sizeof(text),
		"\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		"\tfield: local_t commit;\toffset:8;\tsize:%d;\tsigned:1;\n",
		s->long_size);

	add_string(b, "header_page");
	add_int(s, b, 8, (uint64_t)n);
	bytes_add(b, text, (size_t)n);
	add_string(b, "header_event");
	add_int(s, b, 8, 4);
	bytes_add(b, "text", 4);
}

static void add_formats(const struct dat_spec *s, struct bytes *b, bool ftrace)
{
	int systems = 0, ftrace_events = 0;

	for (int i = 0; i < s->nr_formats; i++)
		*(strcmp(s->formats[i].system, "ftrace") ? &systems : &ftrace_events) += 1;
	add_int(s, b, 4, (uint64_t)(ftrace ? ftrace_events : systems));
	for (int i = 0; i < s->nr_formats; i++) {
		if (!strcmp(s->formats[i].system, "ftrace") != ftrace)
			continue;
		if (!ftrace) { /* a system for each event: they may come more than once */
			add_string(b, s->formats[i].system);
			add_int(s, b, 4, 1);
		}
		add_int(s, b, 8, strlen(s->formats[i].text));
		bytes_add(b, s->formats[i].text, strlen(s->formats[i].text));
	}
}

static void add_option(
	const struct dat_spec *s, struct bytes *b, int id, const void *data, size_t n)
{
	add_int(s, b, 2, (uint64_t)id);
	add_int(s, b, 4, n);
	bytes_add(b, data, n);
}

static void add_common_options(const struct dat_spec *s, struct bytes *b)
{
	uint8_t tsc[16] = { 0 };

	if (s->clock)
		add_option(s, b, 4, s->clock, strlen(s->clock) + 1);
	if (s->cpustat)
		add_option(s, b, 2, s->cpustat, strlen(s->cpustat) + 1);
	add_option(s, b, 5, "Linux test", sizeof("Linux test"));
	add_option(s, b, 999, "of no meaning", 13);
	if (!s->tsc_mult)
		return;
	put_int(s, tsc, 4, s->tsc_mult);
	put_int(s, tsc + 4, 4, s->tsc_shift);
	add_option(s, b, 14, tsc, sizeof(tsc));
}

static void add_initial(const struct dat_spec *s, struct bytes *b)
{
	uint8_t order[2] = { s->big_endian, (uint8_t)s->long_size };

	bytes_add(b, "\x17\x08\x44tracing", 10);
	add_string(b, s->version == 6 ? "6" : "7");
	bytes_add(b, order, sizeof(order));
	add_int(s, b, 4, s->page_size);
}

static void align(struct bytes *b, size_t to)
{
	bytes_zero(b, (to - b->n % to) % to);
}

/* ---- version 6 -------------------------------------------------------------------------- */

/* The table of one buffer and behind it, page-aligned, its data. */
static void add_v6_data(const struct dat_spec *s, struct bytes *b, const struct bytes *cpus)
{
	size_t table, at;

	add_string(b, "flyrecord");
	table = b->n;
	bytes_zero(b, 16 * (size_t)s->nr_cpus);
	align(b, s->page_size);
	for (int i = 0; i < s->nr_cpus; i++) {
		at = table + 16 * (size_t)i;
		put_int(s, b->p + at, 8, b->n);
		put_int(s, b->p + at + 8, 8, cpus[i].n);
		bytes_add(b, cpus[i].p, cpus[i].n);
	}
}

static void write_v6(const struct dat_spec *s, struct bytes *b)
{
	size_t offsets[8];

	add_headers(s, b);
	add_formats(s, b, true);
	add_formats(s, b, false);
	add_int(s, b, 4, 7); /* kallsyms */
	bytes_add(b, "0 t abc", 7);
	add_int(s, b, 4, 0); /* printk formats */
	add_int(s, b, 8, 6); /* command lines */
	bytes_add(b, "1 init", 6);
	add_int(s, b, 4, (uint64_t)s->nr_cpus);
	bytes_add(b, "options  ", 10);
	add_common_options(s, b);
	for (int i = 0; i < s->nr_instances; i++) {
		struct bytes data = { 0 };

		bytes_zero(&data, 8);
		add_string(&data, s->instances[i].name);
		add_option(s, b, 3, data.p, data.n);
		offsets[i] = b->n - data.n;
		bytes_release(&data);
	}
	add_int(s, b, 2, 0);
	add_v6_data(s, b, s->cpus);
	for (int i = 0; i < s->nr_instances; i++) {
		put_int(s, b->p + offsets[i], 8, b->n);
		add_v6_data(s, b, s->instances[i].cpus);
	}
}

/* ---- version 7 -------------------------------------------------------------------------- */

static size_t pack(const struct dat_spec *s, const void *data, size_t n, uint8_t *out, size_t room)
{
	uLongf zlib_n = room;
	size_t rc;

	if (!strcmp(s->compression, "zlib")) {
		assert(compress(out, &zlib_n, data, n) == Z_OK);
		return zlib_n;
	}
	rc = ZSTD_compress(out, room, data, n, 1);
	assert(!ZSTD_isError(rc));
	return rc;
}

static void add_packed(const struct dat_spec *s, struct bytes *b, const void *data, size_t n)
{
	size_t room = n * 2 + 1024, packed;
	uint8_t *out = malloc(room);

	assert(out);
	packed = pack(s, data, n, out, room);
	add_int(s, b, 4, packed);
	add_int(s, b, 4, n);
	bytes_add(b, out, packed);
	free(out);
}

/* Returns the section's offset. */
static size_t add_section(
	const struct dat_spec *s, struct bytes *b, int id, const struct bytes *content)
{
	size_t at = b->n;
	bool packed = s->pack_sections && strcmp(s->compression, "none");

	add_int(s, b, 2, (uint64_t)id);
	add_int(s, b, 2, packed);
	add_int(s, b, 4, 0);
	add_int(s, b, 8, content->n);
	if (packed)
		add_packed(s, b, content->p, content->n);
	else
		bytes_add(b, content->p, content->n);
	put_int(s, b->p + at + 8, 8, b->n - at - 16);
	return at;
}

/* As trace-cmd does it, the size leaves out the word with the number of chunks. */
static size_t add_v7_cpu(const struct dat_spec *s, struct bytes *b, const struct bytes *cpu)
{
	size_t chunk = (size_t)s->page_size * CHUNK_PAGES, start = b->n;

	if (!strcmp(s->compression, "none")) {
		bytes_add(b, cpu->p, cpu->n);
		return cpu->n;
	}
	if (!cpu->n)
		return 0;
	add_int(s, b, 4, (cpu->n + chunk - 1) / chunk);
	for (size_t at = 0; at < cpu->n; at += chunk)
		add_packed(s, b, cpu->p + at, cpu->n - at < chunk ? cpu->n - at : chunk);
	return b->n - start - 4;
}

/* The data's section, and its option into options. */
static void add_v7_buffer(const struct dat_spec *s, struct bytes *b, struct bytes *options,
	const char *name, const char *clock, const struct bytes *cpus)
{
	struct bytes option = { 0 };
	size_t section = b->n;

	add_int(s, b, 2, 3);
	add_int(s, b, 2, strcmp(s->compression, "none") != 0);
	bytes_zero(b, 12);
	add_int(s, &option, 8, section);
	add_string(&option, name);
	add_string(&option, clock ? clock : "local");
	add_int(s, &option, 4, s->page_size);
	add_int(s, &option, 4, (uint64_t)s->nr_cpus);
	for (int i = 0; i < s->nr_cpus; i++) {
		size_t at, n;

		align(b, s->page_size);
		at = b->n;
		n = add_v7_cpu(s, b, &cpus[i]);
		add_int(s, &option, 4, (uint64_t)i);
		add_int(s, &option, 8, at);
		add_int(s, &option, 8, n);
	}
	put_int(s, b->p + section + 8, 8, b->n - section - 16);
	add_option(s, options, 3, option.p, option.n);
	bytes_release(&option);
}

static void add_offset_option(
	const struct dat_spec *s, struct bytes *options, int id, size_t offset)
{
	uint8_t raw[8];

	put_int(s, raw, 8, offset);
	add_option(s, options, id, raw, 8);
}

static void write_v7(const struct dat_spec *s, struct bytes *b)
{
	struct bytes content = { 0 }, options = { 0 }, more = { 0 };
	struct bytes *second = s->split_options ? &more : &options;
	size_t pointer, at;

	add_string(b, s->compression);
	add_string(b, "1.0");
	pointer = b->n;
	bytes_zero(b, 8);
	add_headers(s, &content);
	add_offset_option(s, &options, 16, add_section(s, b, 16, &content));
	content.n = 0;
	add_formats(s, &content, true);
	add_offset_option(s, &options, 17, add_section(s, b, 17, &content));
	content.n = 0;
	add_formats(s, &content, false);
	add_offset_option(s, second, 18, add_section(s, b, 18, &content));
	add_common_options(s, &options);
	for (int i = 0; i < s->nr_instances; i++)
		add_v7_buffer(s, b, second, s->instances[i].name, s->instances[i].clock,
			s->instances[i].cpus);
	add_v7_buffer(s, b, second, "", s->clock, s->cpus);
	at = 0;
	if (s->split_options) {
		add_offset_option(s, &more, 0, 0);
		at = add_section(s, b, 0, &more);
	}
	add_offset_option(s, &options, 0, at);
	at = add_section(s, b, 0, &options);
	put_int(s, b->p + pointer, 8, at);
	bytes_release(&content);
	bytes_release(&options);
	bytes_release(&more);
}

void dat_write(const struct dat_spec *s, struct bytes *ret)
{
	add_initial(s, ret);
	if (s->version == 6)
		write_v6(s, ret);
	else
		write_v7(s, ret);
}

/* ---- files ------------------------------------------------------------------------------ */

void bytes_to_file(const struct bytes *b, char path[64])
{
	const char *tmp = getenv("TMPDIR");
	size_t done = 0;
	int fd;

	if (!tmp || strlen(tmp) > 40)
		tmp = "/tmp";
	snprintf(path, 64, "%s/test_trace.XXXXXX", tmp);
	fd = mkstemp(path);
	assert(fd >= 0);
	while (done < b->n) {
		ssize_t n = write(fd, b->p + done, b->n - done);

		assert(n > 0);
		done += (size_t)n;
	}
	close(fd);
}

void file_to_bytes(const char *path, struct bytes *ret)
{
	uint8_t block[65536];
	FILE *f = fopen(path, "rb");
	size_t n;

	assert(f);
	while ((n = fread(block, 1, sizeof(block), f)) > 0)
		bytes_add(ret, block, n);
	fclose(f);
}
