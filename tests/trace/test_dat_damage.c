// SPDX-License-Identifier: GPL-2.0-or-later
/* Damaged trace.dat files: one clear line, or what can be read and the loss counted. */
#include "../cmocka_all.h"
#include "records.h"

#include "base/units.h"

#include <stdio.h>
#include <string.h>

enum { RECORD_MAX = 256, RECORDS = 5 };

/* One CPU, one page of RECORDS wakings at 100, 110, ...; returns where in it each begins. */
static void one_page(const struct dat_spec *s, struct bytes *cpu, size_t starts[RECORDS + 1])
{
	struct page p = page_begin(s, cpu, 100, LOST_NONE);
	uint8_t buf[RECORD_MAX];

	for (int i = 0; i < RECORDS; i++) {
		starts[i] = cpu->n;
		page_record(&p, i ? 10 : 0, buf, record_waking(s, buf, 0, 1, i));
	}
	starts[RECORDS] = cpu->n;
	page_end(&p);
}

static void read_cpu(struct dat_spec *s, const struct bytes *cpu, struct events *e)
{
	s->nr_cpus = 1;
	s->cpus = cpu;
	events_of_spec(s, e);
}

/* What is said of a whole record whose length is wrong: those before it, then a loss. */
static void test_record_length(void **state)
{
	static const struct {
		const char *name;
		bool big_endian;
		uint32_t type, length; /* of the third record */
	} rows[] = {
		{ "longer than the page", false, 0, 5000 },
		{ "as long as can be", false, 0, UINT32_MAX },
		{ "wraps around", false, 0, UINT32_MAX - 3 },
		{ "shorter than its own word", false, 0, 0 },
		{ "padding that wraps around", false, 29, (uint32_t)-8 },
		{ "padding beyond the page", false, 29, 4096 },
		{ "padding of odd length", false, 29, 6 },
		{ "big endian", true, 0, 5000 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct dat_spec s = test_spec();
		struct bytes cpu = { 0 };
		size_t starts[RECORDS + 1];
		uint32_t delta = 10;
		struct events e;

		s.big_endian = rows[i].big_endian;
		one_page(&s, &cpu, starts);
		put_int(&s, cpu.p + starts[2], 4,
			s.big_endian ? rows[i].type << 27 | delta : delta << 5 | rows[i].type);
		put_int(&s, cpu.p + starts[2] + 4, 4, rows[i].length);
		read_cpu(&s, &cpu, &e);
		if (e.rc < 0 || e.n != 3 || e.list[1].kind != EV_WAKING ||
			e.list[2].kind != EV_LOST || e.list[2].value || e.info.lost_regions != 1 ||
			e.info.damaged != 1)
			fail_msg("%s: rc %d, %zu events, %lu lost regions, %lu damaged",
				rows[i].name, e.rc, e.n, (unsigned long)e.info.lost_regions,
				(unsigned long)e.info.damaged);
		events_release(&e);
		bytes_release(&cpu);
	}
}

static void test_commit_too_big(void **state)
{
	struct dat_spec s = test_spec();
	struct bytes cpu = { 0 };
	size_t starts[RECORDS + 1];
	struct events e;

	one_page(&s, &cpu, starts);
	put_int(&s, cpu.p + 8, 8, 0x7ffffff);
	read_cpu(&s, &cpu, &e);
	/* Behind the records is zero: a record of no length, which cannot be. */
	assert_int_equal(e.rc, 0);
	assert_int_equal(e.n, RECORDS + 1);
	assert_int_equal(e.list[RECORDS].kind, EV_LOST);
	assert_int_equal(e.info.damaged, 1);
	events_release(&e);
	bytes_release(&cpu);
}

static void test_short_record(void **state)
{
	struct dat_spec s = test_spec();
	struct bytes cpu = { 0 };
	struct page p = page_begin(&s, &cpu, 100, LOST_NONE);
	uint8_t buf[RECORD_MAX];
	struct events e;

	record_waking(&s, buf, 0, 1, 2);
	page_record(&p, 0, buf, 32);
	page_record(&p, 0, buf, 4);
	page_record(&p, 0, buf, 36);
	page_end(&p);
	read_cpu(&s, &cpu, &e);
	assert_int_equal(e.rc, 0);
	assert_int_equal(e.n, 1);
	assert_int_equal(e.info.damaged, 2);
	events_release(&e);
	bytes_release(&cpu);
}

/* The file ends in the last page: what is whole is read, then a loss at the last time. */
static void test_cut_page(void **state)
{
	struct dat_spec s = test_spec();
	struct bytes cpu = { 0 }, file = { 0 };
	size_t starts[RECORDS + 1];

	one_page(&s, &cpu, starts);
	s.nr_cpus = 1;
	s.cpus = &cpu;
	dat_write(&s, &file);
	for (int whole = 0; whole <= RECORDS; whole++) {
		struct bytes cut = { .p = file.p, .n = file.n - s.page_size + starts[whole] + 7 };
		struct events e;

		events_of_bytes(&cut, &e);
		assert_int_equal(e.rc, 0);
		assert_int_equal(e.n, whole + 1);
		assert_int_equal(e.list[whole].kind, EV_LOST);
		assert_int_equal(e.list[whole].value, 0);
		assert_int_equal(e.list[whole].time_ns, whole ? 100 + 10 * (whole - 1) : 0);
		assert_int_equal(e.info.lost_regions, 1);
		assert_int_equal(e.info.damaged, 0);
		events_release(&e);
	}
	bytes_release(&cpu);
	bytes_release(&file);
}

/* Finds text in b and puts other bytes of the same number there. */
static void replace(struct bytes *b, const char *text, const char *with)
{
	uint8_t *p = memmem(b->p, b->n, text, strlen(text));

	assert_non_null(p);
	memcpy(p, with, strlen(text));
}

static void test_clear_errors(void **state)
{
	static const struct {
		const char *name;
		int version;
		const char *text, *with, *error;
	} rows[] = {
		{ "version", 6, "tracing6", "tracing9", "trace.dat version '9', expected 6 or 7" },
		{ "header_page", 6, "header_page", "footer_page", "expected header_page" },
		{ "commit", 6, "commit;\toffset:8;\tsize:8", "commit;\toffset:8;\tsize:3",
			"header_page: size of commit: expected 4 or 8" },
		{ "header_event", 7, "header_event", "footer_event", "expected header_event" },
		{ "flyrecord", 6, "flyrecord", "flyrecorx",
			"expected options, latency or flyrecord" },
		{ "latency", 6, "options  ", "latency  ", "holds a latency trace as text" },
		{ "no name", 6, "name: sched_waking", "nume: sched_waking",
			"expected a line 'name: EVENT'" },
		{ "id", 6, "sched_waking\nID: 7", "sched_waking\nID: 0",
			"format of sched_waking: ID" },
		{ "same id", 7, "sched_switch\nID: 300", "sched_switch\nID: 005",
			"is there twice" },
		{ "field", 6, "pid_t next_pid", "pid_t next_pit",
			"format of sched_switch: no field next_pid" },
		{ "field's type", 7, "char next_comm[16]", "char next_comm 16 ",
			"no field next_comm" },
		{ "compression", 7, "none", "lzma",
			"compression 'lzma', expected zstd, zlib or none" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct dat_spec s = test_spec();
		struct bytes cpu = { 0 }, file = { 0 };
		size_t starts[RECORDS + 1];
		struct events e;

		one_page(&s, &cpu, starts);
		s.version = rows[i].version;
		s.nr_cpus = 1;
		s.cpus = &cpu;
		dat_write(&s, &file);
		replace(&file, rows[i].text, rows[i].with);
		events_of_bytes(&file, &e);
		if (e.rc >= 0 || !strstr(e.err.text, rows[i].error) || strchr(e.err.text, '\n') ||
			!strstr(e.err.text, "test_trace."))
			fail_msg("%s: %d, '%s'", rows[i].name, e.rc, e.rc < 0 ? e.err.text : "");
		events_release(&e);
		bytes_release(&cpu);
		bytes_release(&file);
	}
}

static void test_damaged_chunk(void **state)
{
	struct dat_spec s = test_spec();
	struct bytes cpu = { 0 }, file = { 0 };
	size_t starts[RECORDS + 1];
	struct events e;

	one_page(&s, &cpu, starts);
	s.version = 7;
	s.compression = "zstd";
	s.nr_cpus = 1;
	s.cpus = &cpu;
	dat_write(&s, &file);
	memset(file.p + s.page_size * (file.n / s.page_size) + 12, 0xff, 8);
	events_of_bytes(&file, &e);
	assert_true(e.rc < 0);
	assert_non_null(strstr(e.err.text, "offset "));
	assert_non_null(strstr(e.err.text, "the compressed chunk is damaged"));
	events_release(&e);
	bytes_release(&cpu);
	bytes_release(&file);
}

static void test_not_a_recording(void **state)
{
	static const struct {
		const char *name, *bytes;
		size_t n;
		const char *error;
	} rows[] = {
		{ "empty", "", 0, "the file is empty" },
		{ "binary", "\0\1\2\3", 4, "expected trace.dat, perf.data or ftrace text" },
		{ "perf.data", "PERFILE2\0\0", 10, "offset 10: the file ends in its header" },
		{ "magic only", "\x17\x08\x44tracing", 10, "version" },
		{ "version only", "\x17\x08\x44tracing6\0", 12, "byte order and size of long" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct bytes b = { .p = (uint8_t *)rows[i].bytes, .n = rows[i].n };
		struct events e;

		events_of_bytes(&b, &e);
		if (e.rc >= 0 || !strstr(e.err.text, rows[i].error))
			fail_msg("%s: %d, '%s'", rows[i].name, e.rc, e.rc < 0 ? e.err.text : "");
	}
	struct events e;

	events_of_file("/nonexistent/trace.dat", &e);
	assert_string_equal(e.err.text, "/nonexistent/trace.dat: No such file or directory");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_record_length),
		cmocka_unit_test(test_commit_too_big),
		cmocka_unit_test(test_short_record),
		cmocka_unit_test(test_cut_page),
		cmocka_unit_test(test_clear_errors),
		cmocka_unit_test(test_damaged_chunk),
		cmocka_unit_test(test_not_a_recording),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
