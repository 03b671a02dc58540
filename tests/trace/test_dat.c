// SPDX-License-Identifier: GPL-2.0-or-later
/* trace.dat files of the tests' own making: containers, fields, instances. */
#include "../cmocka_all.h"
#include "records.h"

#include "base/units.h"

#include <stdio.h>
#include <string.h>

enum { RECORD_MAX = 256 };

/* Two CPUs, two pages each, whose events fall between each other's; times 1000, 1010, 1020, ... */
static void two_cpus(const struct dat_spec *s, struct bytes cpus[2])
{
	uint8_t buf[RECORD_MAX];

	for (int cpu = 0; cpu < 2; cpu++) {
		for (int half = 0; half < 2; half++) {
			struct page p =
				page_begin(s, &cpus[cpu], 1000 + 10 * cpu + 40 * half, LOST_NONE);

			page_record(&p, 0, buf, record_switch(s, buf, 1 + cpu, 2, 77, "next task"));
			page_record(&p, 5, buf, record_other(s, buf, 16));
			page_record(&p, 15, buf, record_waking(s, buf, 0x18, -1, 88));
			page_end(&p);
		}
	}
}

static void check_two_cpus(const char *name, const struct events *e)
{
	if (e->rc < 0 || e->n != 8)
		fail_msg("%s: %zu events, %s", name, e->n, e->rc < 0 ? e->err.text : "8 expected");
	for (size_t i = 0; i < e->n; i++) {
		const struct event *ev = &e->list[i];
		bool waking = i / 2 % 2;

		if (ev->time_ns != 1000 + 10 * i || ev->cpu != (int)(i % 2) ||
			ev->kind != (waking ? EV_WAKING : EV_SWITCH))
			fail_msg("%s: event %zu: kind %d, cpu %d, time %lu", name, i, ev->kind,
				ev->cpu, (unsigned long)ev->time_ns);
		if (waking ? ev->pid != -1 || ev->pid2 != 88 || ev->prio != 98 ||
					ev->target_cpu != 1 ||
					ev->context != (CTX_HARDIRQ | CTX_SOFTIRQ) ||
					strcmp(ev->comm, "wakee")
			   : ev->pid != 1 + ev->cpu || ev->pid2 != 77 || ev->prio != 120 ||
					ev->value != TASK_SLEEPS_DISK || ev->context ||
					strcmp(ev->comm, "next task"))
			fail_msg("%s: event %zu: wrong fields", name, i);
	}
	if (e->info.skipped != 4 || e->info.damaged || e->info.lost_events ||
		e->info.lost_regions || e->info.clock_jumps || e->info.nr_cpus != 2 ||
		e->info.first_ns != 1000 || e->info.last_ns != 1070 ||
		strcmp(e->info.clock, "mono") || strcmp(e->info.uname, "Linux test"))
		fail_msg("%s: wrong info", name);
}

static void test_containers(void **state)
{
	static const struct {
		const char *name, *format;
		int version;
		bool big_endian;
		int long_size;
		uint32_t page_size;
		const char *compression;
		bool pack, split;
	} rows[] = {
		{ "6", "trace.dat v6", 6, false, 8, 4096, "none", false, false },
		{ "6, big endian", "trace.dat v6", 6, true, 8, 4096, "none", false, false },
		{ "6, 32 bits", "trace.dat v6", 6, false, 4, 4096, "none", false, false },
		{ "6, big endian, 32 bits, 64k pages", "trace.dat v6", 6, true, 4, 65536, "none",
			false, false },
		{ "7", "trace.dat v7", 7, false, 8, 4096, "none", false, false },
		{ "7, big endian", "trace.dat v7", 7, true, 8, 4096, "none", false, true },
		{ "7, zstd", "trace.dat v7", 7, false, 8, 4096, "zstd", false, false },
		{ "7, zstd everywhere, chain", "trace.dat v7", 7, false, 8, 4096, "zstd", true,
			true },
		{ "7, zlib everywhere", "trace.dat v7", 7, false, 8, 8192, "zlib", true, false },
		{ "7, zstd, big endian, 32 bits", "trace.dat v7", 7, true, 4, 4096, "zstd", true,
			true },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct dat_spec s = test_spec();
		struct bytes cpus[2] = { { 0 } };
		struct events e;

		s.version = rows[i].version;
		s.big_endian = rows[i].big_endian;
		s.long_size = rows[i].long_size;
		s.page_size = rows[i].page_size;
		s.compression = rows[i].compression;
		s.pack_sections = rows[i].pack;
		s.split_options = rows[i].split;
		s.nr_cpus = 2;
		s.cpus = cpus;
		two_cpus(&s, cpus);
		events_of_spec(&s, &e);
		check_two_cpus(rows[i].name, &e);
		assert_string_equal(e.info.format, rows[i].format);
		events_release(&e);
		bytes_release(&cpus[0]);
		bytes_release(&cpus[1]);
	}
}

/* What one CPU's pages give; the caller releases e. */
static void read_one(struct dat_spec *s, struct bytes *cpu, struct events *e)
{
	s->nr_cpus = 1;
	s->cpus = cpu;
	events_of_spec(s, e);
	bytes_release(cpu);
	if (e->rc < 0)
		fail_msg("%s", e->err.text);
}

static void test_instances(void **state)
{
	static const struct {
		const char *name;
		int version;
		bool top_full, first_full, second_full;
		uint64_t time; /* of the only event that is to be read */
		const char *instance;
	} rows[] = {
		{ "6, the top one", 6, true, true, false, 100, "" },
		{ "6, top empty", 6, false, true, false, 200, "first" },
		{ "6, only the second", 6, false, false, true, 300, "second" },
		{ "7, the top one", 7, true, true, true, 100, "" },
		{ "7, top empty", 7, false, true, true, 200, "first" },
		{ "7, only the second", 7, false, false, true, 300, "second" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct dat_spec s = test_spec();
		struct bytes cpu[3] = { { 0 } };
		struct instance_spec instances[2] = { { "first", "mono", &cpu[1] },
			{ "second", "mono", &cpu[2] } };
		bool full[3] = { rows[i].top_full, rows[i].first_full, rows[i].second_full };
		uint8_t buf[RECORD_MAX];
		struct events e;

		for (int k = 0; k < 3; k++) {
			struct page p;

			if (!full[k])
				continue;
			p = page_begin(&s, &cpu[k], 100 + 100 * (uint64_t)k, LOST_NONE);
			page_record(&p, 0, buf, record_waking(&s, buf, 0, 1, 2));
			page_end(&p);
		}
		s.version = rows[i].version;
		s.instances = instances;
		s.nr_instances = 2;
		s.nr_cpus = 1;
		s.cpus = cpu;
		events_of_spec(&s, &e);
		if (e.rc < 0 || e.n != 1 || e.list[0].time_ns != rows[i].time ||
			strcmp(e.info.instance, rows[i].instance) || e.info.other_instances != 2)
			fail_msg("%s: %s: %zu events of instance '%s', %d others", rows[i].name,
				e.rc < 0 ? e.err.text : "read", e.n, e.info.instance,
				e.info.other_instances);
		events_release(&e);
		for (int k = 0; k < 3; k++)
			bytes_release(&cpu[k]);
	}
}

static void test_states(void **state)
{
	static const struct {
		uint64_t recorded, want;
	} rows[] = { { 0, TASK_RUNNABLE }, { 1, TASK_SLEEPS }, { 2, TASK_SLEEPS_DISK },
		{ 0x80, TASK_SLEEPS_IDLE }, { 0x100, TASK_PREEMPTED }, { 4096, TASK_PREEMPTED },
		{ 2049, TASK_PREEMPTED }, { 0x10, TASK_DEAD } };
	struct dat_spec s = test_spec();
	struct bytes cpu = { 0 };
	struct page p = page_begin(&s, &cpu, 100, LOST_NONE);
	uint8_t buf[RECORD_MAX];
	struct events e;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		page_record(&p, 1, buf,
			record_switch(&s, buf, 1, rows[i].recorded, 2, "sixteen letters!"));
	page_end(&p);
	read_one(&s, &cpu, &e);
	assert_int_equal(e.n, ARRAY_LEN(rows));
	for (size_t i = 0; i < e.n; i++) {
		assert_int_equal(e.list[i].value, rows[i].want);
		assert_string_equal(e.list[i].comm, "sixteen letters");
	}
	events_release(&e);
}

static void test_marker_text(void **state)
{
	struct dat_spec s = test_spec();
	struct bytes cpu = { 0 }, file = { 0 };
	struct page p = page_begin(&s, &cpu, 100, LOST_NONE);
	uint8_t buf[RECORD_MAX];
	struct trace_reader *r;
	struct error err;
	struct event ev;
	char path[64];

	page_record(&p, 0, buf, record_print(&s, buf, "corepace:operations=12345 and more\n"));
	page_end(&p);
	s.nr_cpus = 1;
	s.cpus = &cpu;
	dat_write(&s, &file);
	bytes_to_file(&file, path);
	assert_int_equal(trace_open(path, &r, &err), 0);
	assert_int_equal(trace_next(r, &ev, &err), 1);
	assert_int_equal(ev.kind, EV_MARKER);
	assert_string_equal(ev.text, "corepace:operations=12345 and more");
	assert_string_equal(ev.comm, "corepace:operat");
	assert_int_equal(ev.value, 12345);
	assert_int_equal(trace_next(r, &ev, &err), 0);
	assert_int_equal(trace_progress(r), 1000);
	trace_close(r);
	remove(path);
	bytes_release(&cpu);
	bytes_release(&file);
}

static void test_hotplug_and_others(void **state)
{
	struct dat_spec s = test_spec();
	struct bytes cpu = { 0 };
	struct page p = page_begin(&s, &cpu, 100, LOST_NONE);
	uint8_t buf[RECORD_MAX];
	struct events e;

	for (int step = 230; step > 100; step -= 50)
		page_record(&p, 1, buf, record_hotplug(&s, buf, 3, 0, step));
	for (int step = 1; step < 235; step += 50)
		page_record(&p, 1, buf, record_hotplug(&s, buf, 3, 235, step));
	page_record(&p, 1, buf, record_fork(&s, buf, 99, "a child's long name"));
	page_record(&p, 1, buf, record_rq(&s, buf, 254 << 20 | 3, 1ULL << 40));
	page_end(&p);
	read_one(&s, &cpu, &e);
	assert_int_equal(e.n, 4);
	assert_int_equal(e.list[0].kind, EV_CPU_ONLINE);
	assert_int_equal(e.list[0].target_cpu, 3);
	assert_int_equal(e.list[0].value, 0);
	assert_int_equal(e.list[1].kind, EV_CPU_ONLINE);
	assert_int_equal(e.list[1].value, 1);
	assert_int_equal(e.list[2].kind, EV_FORK);
	assert_int_equal(e.list[2].pid2, 99);
	assert_string_equal(e.list[2].comm, "a child's long ");
	assert_int_equal(e.list[3].kind, EV_BLOCK_COMPLETE);
	assert_int_equal(e.list[3].value, 254 << 20 | 3);
	assert_int_equal(e.list[3].object, 1ULL << 40);
	events_release(&e);
}

/* The most that there can be: order by time, equal times by CPU, whatever their order in the file.
 */
static void test_many_cpus(void **state)
{
	static struct bytes cpus[CPUS_MAX];
	struct dat_spec s = test_spec();
	uint8_t buf[RECORD_MAX];
	struct events e;

	for (int cpu = 0; cpu < CPUS_MAX; cpu++) {
		struct page p =
			page_begin(&s, &cpus[cpu], 1000 + (uint64_t)(cpu * 7919 % 16), LOST_NONE);

		for (int i = 0; i < 3; i++)
			page_record(&p, (uint32_t)(cpu % 3 + i), buf,
				record_waking(&s, buf, 0, cpu, i));
		page_end(&p);
	}
	s.nr_cpus = CPUS_MAX;
	s.cpus = cpus;
	events_of_spec(&s, &e);
	assert_int_equal(e.rc, 0);
	assert_int_equal(e.n, 3 * CPUS_MAX);
	for (size_t i = 1; i < e.n; i++) {
		const struct event *a = &e.list[i - 1], *b = &e.list[i];

		assert_true(
			a->time_ns < b->time_ns || (a->time_ns == b->time_ns && a->cpu <= b->cpu));
	}
	events_release(&e);
	for (int cpu = 0; cpu < CPUS_MAX; cpu++)
		bytes_release(&cpus[cpu]);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_containers),
		cmocka_unit_test(test_instances),
		cmocka_unit_test(test_states),
		cmocka_unit_test(test_marker_text),
		cmocka_unit_test(test_hotplug_and_others),
		cmocka_unit_test(test_many_cpus),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
