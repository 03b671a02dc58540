// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Damaged .cpw files: cut short, bytes changed, and well-framed sections with bad content. Each
 * gives one line that names file and place, never a crash, a hang, or other content unnoticed.
 */
#include "folder.h"
#include "sample.h"
#include "workload/cpw_section.h"
#include "workload/varint.h"

#include "base/units.h"

#include "../cmocka_all.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_OPS = 100000, MUTATIONS = 1000 };

static uint8_t *load_sample(size_t *ret_size, uint64_t *ret_digest)
{
	struct sample s = { .tasks = 6, .channels = 9, .ops = 15000, .idle = 3000 };
	struct error err;
	uint8_t *data;
	FILE *f;

	if (sample_write(path, &s, NULL, &err) || walk(path, MAX_OPS, ret_digest, &err))
		fail_msg("%s", err.text);
	f = fopen(path, "rb");
	fseek(f, 0, SEEK_END);
	*ret_size = (size_t)ftell(f);
	rewind(f);
	data = test_malloc(*ret_size);
	assert_int_equal(fread(data, 1, *ret_size, f), *ret_size);
	fclose(f);
	return data;
}

static void store(const uint8_t *data, size_t size)
{
	FILE *f = fopen(path, "wb");

	assert_int_equal(fwrite(data, 1, size, f), size);
	fclose(f);
}

static void assert_one_line(const struct error *err, const char *what)
{
	if (strncmp(err->text, path, strlen(path)) || strchr(err->text, '\n') ||
		!strstr(err->text, "offset"))
		fail_msg("%s: '%s', expected the path and an offset", what, err->text);
}

static void truncated(void **state)
{
	size_t size;
	uint64_t digest;
	uint8_t *data = load_sample(&size, &digest);

	for (int percent = 0; percent < 100; percent++) {
		struct error err = { "" };
		uint64_t got;
		char what[32];

		snprintf(what, sizeof(what), "cut at %d %%", percent);
		store(data, size * (size_t)percent / 100);
		if (!walk(path, MAX_OPS, &got, &err))
			fail_msg("%s: read", what);
		assert_one_line(&err, what);
	}
	/* And every length around the end, where the index and the trailer are. */
	for (size_t cut = 1; cut < 200; cut++) {
		struct error err = { "" };
		uint64_t got;

		store(data, size - cut);
		if (!walk(path, MAX_OPS, &got, &err))
			fail_msg("cut by %zu: read", cut);
		assert_one_line(&err, "cut near the end");
	}
	test_free(data);
}

/* Every byte is under a checksum: what is changed is noticed, or the content is the same. */
static void mutated(void **state)
{
	size_t size;
	uint64_t digest, noticed = 0;
	uint8_t *data = load_sample(&size, &digest);
	struct rng rng;

	rng_init(&rng, 1, 1);
	for (int i = 0; i < MUTATIONS; i++) {
		size_t n = 1 + rng_below(&rng, 4), at[4];
		struct error err = { "" };
		uint8_t old[4];
		uint64_t got;

		for (size_t k = 0; k < n; k++) {
			/* Half of them where the headers, the index and the trailer are. */
			at[k] = rng_below(&rng, 2) ? rng_below(&rng, size)
						   : size - 1 - rng_below(&rng, 400);
			old[k] = data[at[k]];
			data[at[k]] = (uint8_t)rng_next(&rng);
		}
		store(data, size);
		if (walk(path, MAX_OPS, &got, &err)) {
			assert_one_line(&err, "mutated");
			noticed++;
		} else if (got != digest) {
			fail_msg("mutation %d at %zu: other content, unnoticed", i, at[0]);
		}
		while (n--)
			data[at[n]] = old[n];
	}
	assert_true(noticed > MUTATIONS * 9 / 10);
	test_free(data);
}

/* One byte of each fixed field, and the check that it must meet. */
static void fixed_fields(void **state)
{
	static const struct {
		const char *field;
		bool from_end;
		size_t at;
		const char *text;
	} rows[] = {
		{ "magic", false, 0, "offset 0: header: not a .cpw file" },
		{ "line end", false, 4, "offset 0: header: not a .cpw file" },
		{ "version", false, 8, "header: checksum" },
		{ "checksum of the header", false, 12, "header: checksum" },
		{ "type", false, 16, "header checksum" },
		{ "flags", false, 20, "header checksum" },
		{ "length", false, 24, "header checksum" },
		{ "length of the content", false, 28, "header checksum" },
		{ "stream", false, 32, "header checksum" },
		{ "count", false, 36, "header checksum" },
		{ "checksum of the section", false, 40, "header checksum" },
		{ "zstd magic", false, 44, "expected one zstd frame" },
		{ "offset of the index", true, 16, "no trailer" },
		{ "high byte of the offset", true, 9, "no trailer" },
		{ "checksum of the trailer", true, 8, "no trailer" },
		{ "end", true, 1, "no trailer" },
	};
	size_t size;
	uint64_t digest;
	uint8_t *data = load_sample(&size, &digest);

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		size_t at = rows[i].from_end ? size - rows[i].at : rows[i].at;
		struct error err = { "" };

		data[at] ^= 0x55;
		store(data, size);
		if (!walk(path, MAX_OPS, &digest, &err) || !strstr(err.text, rows[i].text))
			fail_msg("%s: '%s', expected '%s'", rows[i].field, err.text, rows[i].text);
		data[at] ^= 0x55;
	}
	test_free(data);
}

/* ---- well-framed sections with bad content ---- */

struct bytes {
	size_t len;
	uint8_t data[64];
};

/* A file of one task with two channels; NULL parts are the good ones. */
struct crafted {
	const char *name;
	const struct bytes *tasks, *env, *metrics, *ops, *index;
	int count;	  /* ops that the chunk's header claims, 0: 1 */
	const char *text; /* of the error */
};

#define BYTES(...) (&(const struct bytes){ sizeof((uint8_t[]){ __VA_ARGS__ }), { __VA_ARGS__ } })
#define TEXT(t) (&(const struct bytes){ sizeof(t) - 1, t })

/* The record of a task: no name, pid 0, starts, class 0, nice 0, CPU -1, start 0, no affinity. */
#define TASK 8, 0, 0, 2, 0, 0, 1, 0, 0
#define GOOD_TASKS BYTES(1, 2, TASK)
#define GOOD_OPS BYTES(OP_RUN)
#define BIG 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1
#define TOO_BIG 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2

static void put(struct section_out *out, uint32_t type, uint32_t stream, uint32_t count,
	const struct bytes *raw)
{
	struct error err;

	assert_int_equal(section_write(out, type, stream, count, raw->data, raw->len, &err), 0);
}

static uint8_t *put_section_entry(uint8_t *p, uint32_t type, uint64_t offset)
{
	return put_varint(put_varint(p, type), offset);
}

static void craft(const struct crafted *c)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	uint64_t ops, tasks, env, metrics, index;
	struct bytes good = { 0 };
	struct section_out out;
	struct error err;
	uint8_t *p = good.data;

	assert_int_equal(section_out_init(&out, fd), 0);
	assert_int_equal(section_write_header(&out, &err), 0);
	ops = out.offset;
	put(&out, CPW_OPS, 1, c->count ? (uint32_t)c->count : 1, c->ops ? c->ops : GOOD_OPS);
	tasks = out.offset;
	put(&out, CPW_TASKS, 0, 0, c->tasks ? c->tasks : GOOD_TASKS);
	env = out.offset;
	put(&out, CPW_ENV, 0, 0, c->env ? c->env : TEXT("{}"));
	metrics = out.offset;
	put(&out, CPW_METRICS, 0, 0, c->metrics ? c->metrics : TEXT("{}"));
	index = out.offset;
	*p++ = 4;
	p = put_section_entry(p, CPW_TASKS, tasks);
	p = put_section_entry(p, CPW_ENV, env);
	p = put_section_entry(p, CPW_METRICS, metrics);
	p = put_section_entry(p, CPW_TYPE('N', 'E', 'W', '!'), tasks);
	*p++ = 2; /* streams: idle log, one task */
	*p++ = 0;
	*p++ = 0;
	*p++ = 1; /* record */
	*p++ = 1; /* chunk */
	p = put_varint(p, ops);
	good.len = (size_t)(p - good.data);
	put(&out, CPW_INDEX, 0, 0, c->index ? c->index : &good);
	assert_int_equal(section_write_trailer(&out, index, &err), 0);
	section_out_release(&out);
	close(fd);
}

static void bad_content(void **state)
{
	const struct crafted rows[] = {
		{ "good" },
		{ "kind of op", .ops = BYTES(0x0f), .text = "section OPS of task 0: op 0" },
		{ "channel", .ops = BYTES(OP_WAIT | 0x20, 4), .text = "expected a channel" },
		{ "fork", .ops = BYTES(OP_FORK | 0x20, 2), .text = "expected a task" },
		{ "device", .ops = BYTES(OP_IO | 0x20, 0x80, 1), .text = "expected a device" },
		{ "cycles", .ops = BYTES(OP_RUN | 0x40, BIG), .text = "at most 2^60" },
		{ "varint too long", .ops = BYTES(OP_RUN | 0x40, TOO_BIG),
			.text = "expected an op" },
		{ "flags of 33 bits", .ops = BYTES(OP_RUN | 0x10, 0xff, 0xff, 0xff, 0xff, 0x1f),
			.text = "expected an op" },
		{ "op cut short", .ops = BYTES(OP_RUN | 0x80, 0x80), .text = "expected an op" },
		{ "no op", .ops = TEXT(""), .text = "expected an op" },
		{ "one op too many", .ops = BYTES(OP_RUN, OP_RUN), .text = "end of the chunk" },
		{ "fewer ops than the index says", .ops = BYTES(OP_RUN, OP_RUN), .count = 2,
			.text = "as the index says" },
		{ "no tasks", .tasks = BYTES(0, 0), .text = "section TASK: 0 tasks" },
		{ "too many tasks", .tasks = BYTES(BIG, 0), .text = "expected 1 to 262144" },
		{ "more tasks than bytes", .tasks = BYTES(200, 1, 2, TASK), .text = "200 tasks" },
		{ "too many channels", .tasks = BYTES(1, BIG, TASK), .text = "channels" },
		{ "channel count decides", .tasks = BYTES(1, 0, TASK), .ops = BYTES(OP_SIGNAL),
			.text = "expected a channel" },
		{ "record too long", .tasks = BYTES(1, 2, 9, 0, 0, 2, 0, 0, 1, 0, 0),
			.text = "record 0" },
		{ "name too long", .tasks = BYTES(1, 2, 9, 32, 0, 2, 0, 0, 1, 0, 0, 0),
			.text = "record 0" },
		{ "name past the record", .tasks = BYTES(1, 2, 8, 9, 0, 2, 0, 0, 1, 0, 0),
			.text = "record 0" },
		{ "class", .tasks = BYTES(1, 2, 8, 0, 0, 2, 3, 0, 1, 0, 0), .text = "record 0" },
		{ "nice", .tasks = BYTES(1, 2, 8, 0, 0, 2, 0, 40, 1, 0, 0), .text = "record 0" },
		{ "first CPU", .tasks = BYTES(1, 2, 9, 0, 0, 2, 0, 0, 0x80, 0x10, 0, 0),
			.text = "record 0" },
		{ "affinity", .tasks = BYTES(1, 2, 8, 0, 0, 2, 0, 0, 1, 0, 17),
			.text = "record 0" },
		{ "two tasks, one in the index", .tasks = BYTES(2, 2, TASK, TASK),
			.text = "2 tasks, expected the 1 of the index" },
		{ "fields of a later version",
			.tasks = BYTES(1, 2, 10, 0, 0, 2, 0, 0, 1, 0, 0, 7, 7) },
		{ "JSON", .env = TEXT("{"), .text = "section ENV: JSON: byte" },
		{ "no object", .env = TEXT("[]"), .text = "expected a JSON object" },
		{ "deep", .env = TEXT("[[[[[[[[[[[[[[[[[[[[[[[[["), .text = "JSON" },
		{ "hz", .env = TEXT("{\"hz\":-1}"), .text = "'hz': expected a number from 0 to" },
		{ "text", .env = TEXT("{\"kernel\":5}"), .text = "'kernel': expected a text" },
		{ "khz", .env = TEXT("{\"khz\":1e3}"), .text = "'khz': expected a number" },
		{ "unknown member", .env = TEXT("{\"new\":[1,2]}") },
		{ "metrics", .metrics = TEXT("{\"metrics\":5}"), .text = "'metrics'" },
		{ "five metrics", .metrics = TEXT("{\"metrics\":[{},{},{},{},{}]}"),
			.text = "5 metrics" },
		{ "metric kind", .metrics = TEXT("{\"metrics\":[{\"kind\":99}]}"),
			.text = "metric 0: 'kind'" },
		{ "no index", .index = TEXT(""), .text = "section INDX" },
		{ "no TASK in the index", .index = BYTES(0, 2, 0, 0, 0, 0),
			.text = "a section TASK" },
		{ "many streams", .index = BYTES(0, BIG), .text = "number of streams" },
		{ "many chunks", .index = BYTES(0, 2, 0, BIG, 0, 0), .text = "chunks as fit" },
		{ "chunk past the index", .index = BYTES(0, 2, 0, 0, 1, 1, 0xff, 0xff, 3),
			.text = "rising offsets" },
		{ "chunk that is none", .index = BYTES(0, 2, 0, 1, 16, 0, 0),
			.text = "a section TASK" },
		{ "section past the index", .index = BYTES(1, 1, 0xff, 0xff, 3, 1, 0, 0),
			.text = "sections before the index" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct error err = { "" };
		uint64_t digest;
		int r;

		craft(&rows[i]);
		r = walk(path, MAX_OPS, &digest, &err);
		if (r && !rows[i].text)
			fail_msg("%s: %s", rows[i].name, err.text);
		if (!rows[i].text)
			continue;
		if (!r || !strstr(err.text, rows[i].text))
			fail_msg("%s: '%s', expected '%s'", rows[i].name, err.text, rows[i].text);
		assert_one_line(&err, rows[i].name);
	}
}

/* A header that claims much more than is there must not cost memory. */
static void declared_sizes(void **state)
{
	struct section_out out;
	struct section_in in;
	struct section s;
	struct buffer raw = { 0 };
	struct error err;
	uint8_t zeros[1000] = { 0 };
	static const uint8_t large[CPW_CHUNK_RAW_MAX + 1];
	uint64_t offset;
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0666);

	assert_int_equal(section_out_init(&out, fd), 0);
	assert_int_equal(section_write_header(&out, &err), 0);
	offset = out.offset;
	assert_int_equal(section_write(&out, CPW_OPS, 1, 1, zeros, sizeof(zeros), &err), 0);
	assert_int_equal(section_write_trailer(&out, offset, &err), 0);
	assert_int_equal(section_in_init(&in, fd, &err), 0);
	assert_int_equal(section_read(&in, offset, CPW_OPS, 1, &s, &raw, &err), 0);
	assert_int_equal(raw.len, sizeof(zeros));
	/* Of another stream or type. */
	assert_true(section_read(&in, offset, CPW_OPS, 2, &s, &raw, &err) < 0);
	assert_true(section_read(&in, offset, CPW_IDLE, 0, &s, &raw, &err) < 0);
	assert_true(section_read(&in, offset + 1, CPW_OPS, 1, &s, &raw, &err) < 0);
	assert_true(section_read(&in, UINT64_MAX, CPW_OPS, 1, &s, &raw, &err) < 0);
	/* More than a chunk may hold, though other sections may; more than any may. */
	offset = out.offset;
	assert_int_equal(section_write(&out, CPW_OPS, 1, 1, large, sizeof(large), &err), 0);
	assert_int_equal(section_write_trailer(&out, offset, &err), 0);
	section_in_release(&in);
	assert_int_equal(section_in_init(&in, fd, &err), 0);
	assert_true(section_read(&in, offset, CPW_OPS, 1, &s, &raw, &err) < 0);
	assert_non_null(strstr(err.text, "content of 65537 bytes, expected at most 65536"));
	assert_true(section_write(&out, CPW_OPS, 1, 1, zeros, CPW_TABLE_RAW_MAX + 1, &err) < 0);
	section_in_release(&in);
	section_out_release(&out);
	buffer_release(&raw);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(truncated),
		cmocka_unit_test(mutated),
		cmocka_unit_test(fixed_fields),
		cmocka_unit_test(bad_content),
		cmocka_unit_test(declared_sizes),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
