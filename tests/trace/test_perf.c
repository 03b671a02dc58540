// SPDX-License-Identifier: GPL-2.0-or-later
/* perf.data as written by hand, for what real recordings hold seldom, and what is refused. */
#include "../cmocka_all.h"
#include "records.h"

#include "base/units.h"

#include <stdio.h>
#include <string.h>

enum {
	TYPE_LOST = 2,
	TYPE_SAMPLE = 9,
	TYPE_LOST_SAMPLES = 13,
	TYPE_ATTR = 64,
	TYPE_TRACING = 66,
	TYPE_ROUND = 68,
	TYPE_AUXTRACE = 71,
	TYPE_TIME_CONV = 79,
	/* IDENTIFIER, RAW, PERIOD, CPU, TIME, TID, IP */
	SAMPLE_TYPE = 0x10000 | 0x400 | 0x100 | 0x80 | 0x4 | 0x2 | 0x1,
	WITH_READ = 0x10,
	WITH_CALLCHAIN = 0x20,
	NO_TIME = SAMPLE_TYPE & ~0x4,
	FLAG_SAMPLE_ID_ALL = 1 << 18,
	ID = 77,
};

static void add(struct bytes *b, size_t size, uint64_t value)
{
	bytes_add(b, &value, size); /* tests run on little-endian machines, as perf.data here */
}

static void add_head(struct bytes *b, uint32_t type, size_t size)
{
	add(b, 4, type);
	add(b, 2, 0);
	add(b, 2, size);
}

static void add_string(struct bytes *b, const char *text)
{
	bytes_add(b, text, strlen(text) + 1);
}

static void add_attr(struct bytes *b, uint64_t sample_type, uint64_t read_format, uint64_t flags)
{
	add_head(b, TYPE_ATTR, 8 + 64 + 8);
	add(b, 4, 2);
	add(b, 4, 64);
	add(b, 8, ID_WAKING);
	add(b, 8, 1);
	add(b, 8, sample_type);
	add(b, 8, read_format);
	add(b, 8, flags);
	bytes_zero(b, 16);
	add(b, 8, ID);
}

static void add_tracing(struct bytes *b)
{
	static const char page[] = "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n";
	struct bytes t = { 0 };

	bytes_add(&t, "\x17\x08\x44tracing0.6\0\0\x08\0\x10\0\0header_page", 31);
	add_string(&t, "");
	add(&t, 8, sizeof(page) - 1);
	bytes_add(&t, page, sizeof(page) - 1);
	add_string(&t, "header_event");
	add(&t, 8, 0);
	add(&t, 4, 0);
	add(&t, 4, (uint64_t)nr_test_formats);
	for (int i = 0; i < nr_test_formats; i++) {
		add_string(&t, test_formats[i].system);
		add(&t, 4, 1);
		add(&t, 8, strlen(test_formats[i].text));
		bytes_add(&t, test_formats[i].text, strlen(test_formats[i].text));
	}
	add_head(b, TYPE_TRACING, 12);
	add(b, 4, t.n);
	bytes_add(b, t.p, t.n);
	bytes_release(&t);
}

static void begin(struct bytes *b)
{
	bytes_add(b, "PERFILE2", 8);
	add(b, 8, 16);
}

static void begin_plain(struct bytes *b)
{
	begin(b);
	add_attr(b, SAMPLE_TYPE, 0, FLAG_SAMPLE_ID_ALL);
	add_tracing(b);
}

/* Between the fixed fields and RAW stands middle. */
static void add_sample(
	struct bytes *b, uint64_t time, uint32_t cpu, int wakee, const struct bytes *middle)
{
	struct dat_spec s = test_spec();
	uint8_t raw[256];
	size_t n = record_waking(&s, raw, 0, 1, wakee), inner = middle ? middle->n : 0;

	add_head(b, TYPE_SAMPLE, 8 + 48 + inner + 4 + n);
	add(b, 8, ID);
	add(b, 8, 0xffff);
	add(b, 8, 1);
	add(b, 8, time);
	add(b, 8, cpu);
	add(b, 8, 1);
	if (inner)
		bytes_add(b, middle->p, inner);
	add(b, 4, n);
	bytes_add(b, raw, n);
}

/* The trailer: TID, TIME, CPU, IDENTIFIER. */
static void add_loss(struct bytes *b, uint32_t type, uint64_t count, uint64_t time, uint32_t cpu)
{
	add_head(b, type, 8 + (type == TYPE_LOST ? 16 : 8) + 32);
	if (type == TYPE_LOST)
		add(b, 8, ID);
	add(b, 8, count);
	add(b, 8, 1);
	add(b, 8, time);
	add(b, 8, cpu);
	add(b, 8, ID);
}

static void read_ok(struct bytes *b, struct events *e, size_t n)
{
	events_of_bytes(b, e);
	if (e->rc < 0)
		fail_msg("%s", e->err.text);
	assert_int_equal(e->n, n);
	bytes_release(b);
}

/* The record says 200, but stands before the sample at 150 of its CPU, and is told before it. */
static void test_loss(void **state)
{
	struct bytes b = { 0 };
	struct events e;

	begin_plain(&b);
	add_sample(&b, 100, 1, 5, NULL);
	add_loss(&b, TYPE_LOST, 7, 200, 1);
	add_sample(&b, 150, 1, 6, NULL);
	add_head(&b, TYPE_ROUND, 8);
	add_loss(&b, TYPE_LOST_SAMPLES, 2, 300, 0);
	add_head(&b, TYPE_ROUND, 8);
	/* What perf counted in all: those 9, and 4 more that were lost at the very end. */
	add_loss(&b, TYPE_LOST_SAMPLES, 13, 0, 0);
	read_ok(&b, &e, 4);
	assert_int_equal(e.list[0].kind, EV_WAKING);
	assert_int_equal(e.list[0].pid2, 5);
	assert_int_equal(e.list[1].kind, EV_LOST);
	assert_int_equal(e.list[1].time_ns, 150);
	assert_int_equal(e.list[1].cpu, 1);
	assert_int_equal(e.list[1].value, 7);
	assert_int_equal(e.list[2].pid2, 6);
	assert_int_equal(e.list[3].kind, EV_LOST);
	assert_int_equal(e.list[3].time_ns, 300);
	assert_int_equal(e.list[3].cpu, 0);
	assert_int_equal(e.info.lost_events, 13);
	assert_int_equal(e.info.lost_regions, 0);
	events_release(&e);
}

static void test_order(void **state)
{
	static const struct {
		uint64_t time;
		uint32_t cpu;
		bool round; /* behind it */
	} rows[] = { { 100, 0 }, { 140, 0 }, { 130, 0 }, { 90, 1 }, { 140, 1, true }, { 150, 0 },
		{ 145, 1, true }, { 80, 0, true }, { 200, 1 } };
	struct bytes b = { 0 };
	struct events e;

	begin_plain(&b);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		add_sample(&b, rows[i].time, rows[i].cpu, (int)i, NULL);
		if (rows[i].round)
			add_head(&b, TYPE_ROUND, 8);
	}
	read_ok(&b, &e, ARRAY_LEN(rows));
	for (size_t i = 1; i < e.n; i++)
		assert_true(e.list[i].time_ns >= e.list[i - 1].time_ns);
	assert_int_equal(e.list[0].time_ns, 90);
	assert_int_equal(e.list[3].pid2, 1); /* of equal times CPU 0 first */
	assert_int_equal(e.list[4].pid2, 4);
	/* 80 came when 140 had been told. */
	assert_int_equal(e.info.clock_jumps, 1);
	assert_int_equal(e.info.nr_cpus, 2);
	events_release(&e);
}

static void test_fields_between(void **state)
{
	struct bytes b = { 0 }, middle = { 0 };
	struct events e;

	begin(&b);
	/* TIME_ENABLED, TIME_RUNNING, ID, GROUP, LOST */
	add_attr(&b, SAMPLE_TYPE | WITH_READ | WITH_CALLCHAIN, 0x1f, FLAG_SAMPLE_ID_ALL);
	add_tracing(&b);
	add(&middle, 8, 2);
	bytes_zero(&middle, 16 + 2 * 24);
	add(&middle, 8, 3);
	bytes_zero(&middle, 24);
	add_sample(&b, 100, 0, 42, &middle);
	/* More in the chain than there is room for. */
	middle.p[8 + 16 + 48] = 200;
	add_sample(&b, 110, 0, 43, &middle);
	read_ok(&b, &e, 1);
	assert_int_equal(e.list[0].pid2, 42);
	assert_string_equal(e.list[0].comm, "wakee");
	assert_int_equal(e.info.damaged, 1);
	bytes_release(&middle);
	events_release(&e);
}

static void test_passed_over(void **state)
{
	struct bytes b = { 0 };
	struct events e;

	begin_plain(&b);
	add_head(&b, TYPE_AUXTRACE, 48);
	add(&b, 8, 70000);
	bytes_zero(&b, 32 + 70000);
	add_head(&b, TYPE_TIME_CONV, 32); /* 2.5 GHz: 0.4 ns a cycle */
	add(&b, 8, 10);
	add(&b, 8, 410);
	add(&b, 8, 0);
	add_sample(&b, 100, 0, 1, NULL);
	read_ok(&b, &e, 1);
	assert_int_equal(e.info.tsc_khz, 1000000ULL * 1024 / 410);
	assert_string_equal(e.info.format, "perf.data pipe");
	assert_string_equal(e.info.clock, "perf");
	events_release(&e);
}

/* Cut within the last record: the rest is there, and a loss at its end. */
static void test_cut(void **state)
{
	struct bytes b = { 0 };
	struct events e;

	begin_plain(&b);
	add_sample(&b, 100, 0, 1, NULL);
	add_sample(&b, 110, 0, 2, NULL);
	b.n -= 5;
	read_ok(&b, &e, 2);
	assert_int_equal(e.list[1].kind, EV_LOST);
	assert_int_equal(e.list[1].value, 0);
	assert_int_equal(e.list[1].time_ns, 100);
	assert_int_equal(e.info.lost_regions, 1);
	events_release(&e);
}

static void no_time(struct bytes *b)
{
	begin(b);
	add_attr(b, NO_TIME, 0, FLAG_SAMPLE_ID_ALL);
}

static void no_sample_id(struct bytes *b)
{
	begin(b);
	add_attr(b, SAMPLE_TYPE, 0, 0);
}

static void no_formats(struct bytes *b)
{
	begin(b);
	add_attr(b, SAMPLE_TYPE, 0, FLAG_SAMPLE_ID_ALL);
	add_sample(b, 100, 0, 1, NULL);
}

static void nothing(struct bytes *b)
{
	begin(b);
}

static void no_size(struct bytes *b)
{
	begin_plain(b);
	add_head(b, TYPE_ROUND, 0);
}

static void formats_twice(struct bytes *b)
{
	begin_plain(b);
	add_tracing(b);
}

static void not_zstd(struct bytes *b)
{
	begin_plain(b);
	add_head(b, 81, 16);
	bytes_zero(b, 8);
}

static void other_order(struct bytes *b)
{
	bytes_add(b, "2ELIFREP\0\0\0\0\0\0\0\x10", 16);
}

static void old_header(struct bytes *b)
{
	bytes_add(b, "PERFILE2", 8);
	add(b, 8, 72);
}

static void unfinished(struct bytes *b)
{
	bytes_add(b, "PERFILE2", 8);
	add(b, 8, 104);
	bytes_zero(b, 200);
}

static void test_refused(void **state)
{
	static const struct {
		const char *name;
		void (*make)(struct bytes *b);
		const char *error;
	} rows[] = {
		{ "no time", no_time, "expected TIME, CPU and RAW" },
		{ "no sample_id_all", no_sample_id, "sample_id_all is not set" },
		{ "no formats", no_formats, "a sample, expected tracing_data before it" },
		{ "nothing", nothing, "offset 16: the file ends before the events' formats" },
		{ "record without size", no_size, "record 68 of 0 bytes, expected at least 8" },
		{ "formats twice", formats_twice, "tracing_data of" },
		{ "not zstd", not_zstd, "compressed record: damaged" },
		{ "byte order", other_order, "offset 0: perf.data of a machine with the other" },
		{ "old header", old_header, "offset 8: header of 72 bytes" },
		{ "unfinished", unfinished, "perf record was not finished" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct bytes b = { 0 };
		struct events e;

		rows[i].make(&b);
		events_of_bytes(&b, &e);
		if (e.rc >= 0 || !strstr(e.err.text, rows[i].error) ||
			!strstr(e.err.text, ": offset ") || strchr(e.err.text, '\n'))
			fail_msg("%s: %d, '%s'", rows[i].name, e.rc, e.rc < 0 ? e.err.text : "");
		events_release(&e);
		bytes_release(&b);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_loss),
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_fields_between),
		cmocka_unit_test(test_passed_over),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
