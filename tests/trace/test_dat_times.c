// SPDX-License-Identifier: GPL-2.0-or-later
/* trace.dat files of the tests' own making: times, clocks, losses. */
#include "../cmocka_all.h"
#include "records.h"

#include "base/units.h"

#include <string.h>

enum { RECORD_MAX = 256 };

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

static void test_times(void **state)
{
	static const uint64_t want[] = { 100, 100 + (1ULL << 30) + 5, (1ULL << 31) + 3,
		(1ULL << 31) + 24, (1ULL << 31) + 24 };
	struct dat_spec s = test_spec();
	struct bytes cpu = { 0 };
	struct page p = page_begin(&s, &cpu, 100, LOST_NONE);
	uint8_t buf[RECORD_MAX];
	struct events e;

	page_record(&p, 0, buf, record_waking(&s, buf, 0, 1, 2));
	page_time_extend(&p, 1ULL << 30);
	page_record(&p, 5, buf, record_waking(&s, buf, 0, 1, 2));
	page_time_stamp(&p, 1ULL << 31);
	page_record(&p, 3, buf, record_waking(&s, buf, 0, 1, 2));
	page_discarded(&p, 10, 40);
	page_record(&p, 11, buf, record_waking(&s, buf, 0, 1, 2));
	page_record(&p, 0, buf, record_other(&s, buf, 200)); /* a length word of its own */
	page_record(&p, 0, buf, record_waking(&s, buf, 0, 1, 2));
	page_end(&p);
	read_one(&s, &cpu, &e);
	assert_int_equal(e.n, ARRAY_LEN(want));
	for (size_t i = 0; i < e.n; i++)
		assert_int_equal(e.list[i].time_ns, want[i]);
	events_release(&e);
}

/* A TIME_STAMP has 59 bits; the page's own time gives the rest. */
static void test_time_stamp_top_bits(void **state)
{
	uint64_t top = 0x1aULL << 59;
	struct dat_spec s = test_spec();
	struct bytes cpu = { 0 };
	struct page p = page_begin(&s, &cpu, top + 1000, LOST_NONE);
	uint8_t buf[RECORD_MAX];
	struct events e;

	page_time_stamp(&p, top + 123456);
	page_record(&p, 7, buf, record_waking(&s, buf, 0, 1, 2));
	page_end(&p);
	read_one(&s, &cpu, &e);
	assert_int_equal(e.n, 1);
	assert_int_equal(e.list[0].time_ns, top + 123456 + 7);
	events_release(&e);
}

static void test_losses(void **state)
{
	static const struct {
		enum event_kind kind;
		uint64_t time, value;
	} want[] = { { EV_WAKING, 100, 0 }, { EV_LOST, 200, 7 }, { EV_WAKING, 200, 0 },
		{ EV_LOST, 300, 0 }, { EV_WAKING, 300, 0 } };
	struct dat_spec s = test_spec();

	for (int long_size = 4; long_size <= 8; long_size += 4) {
		struct bytes cpu = { 0 };
		struct events e;
		uint8_t buf[RECORD_MAX];

		s.long_size = long_size;
		for (int i = 0; i < 3; i++) {
			struct page p = page_begin(&s, &cpu, 100 + 100 * (uint64_t)i,
				i == 1	 ? 7
				: i == 2 ? LOST_SOME
					 : LOST_NONE);

			page_record(&p, 0, buf, record_waking(&s, buf, 0, 1, 2));
			page_end(&p);
		}
		read_one(&s, &cpu, &e);
		assert_int_equal(e.n, ARRAY_LEN(want));
		for (size_t i = 0; i < e.n; i++) {
			assert_int_equal(e.list[i].kind, want[i].kind);
			assert_int_equal(e.list[i].time_ns, want[i].time);
			assert_int_equal(e.list[i].value, want[i].value);
			assert_int_equal(e.list[i].cpu, 0);
		}
		assert_int_equal(e.info.lost_events, 7);
		assert_int_equal(e.info.lost_regions, 1);
		events_release(&e);
	}
}

/* What was dropped behind the last page is in the CPUs' statistics only. */
static void test_overruns(void **state)
{
	struct dat_spec s = test_spec();
	struct bytes cpu = { 0 };
	struct page p = page_begin(&s, &cpu, 100, 7);
	uint8_t buf[RECORD_MAX];
	struct events e;

	page_record(&p, 0, buf, record_waking(&s, buf, 0, 1, 2));
	page_end(&p);
	s.cpustat = "CPU: 0\nentries: 1\noverrun: 30\ncommit overrun: 2\nbytes: 9\ndropped events: "
		    "10\n";
	read_one(&s, &cpu, &e);
	assert_int_equal(e.info.lost_events, 42);
	events_release(&e);
}

static void test_clock_jumps(void **state)
{
	static const uint64_t want[] = { 1000, 1100, 1100, 1100, 1150 };
	static const uint64_t starts[] = { 1000, 900, 1150 };
	struct dat_spec s = test_spec();
	struct bytes cpu = { 0 };
	uint8_t buf[RECORD_MAX];
	struct events e;

	for (int i = 0; i < 3; i++) {
		struct page p = page_begin(&s, &cpu, starts[i], LOST_NONE);

		page_record(&p, 0, buf, record_waking(&s, buf, 0, 1, 2));
		if (i < 2)
			page_record(&p, 100, buf, record_waking(&s, buf, 0, 1, 2));
		page_end(&p);
	}
	read_one(&s, &cpu, &e);
	assert_int_equal(e.n, ARRAY_LEN(want));
	for (size_t i = 0; i < e.n; i++)
		assert_int_equal(e.list[i].time_ns, want[i]);
	assert_int_equal(e.info.clock_jumps, 1);
	events_release(&e);
}

static void test_clocks(void **state)
{
	static const struct {
		const char *option, *clock;
		uint32_t mult, shift;
		uint64_t first; /* of a recorded 1000 */
		const char *error;
	} rows[] = {
		{ "[local] global counter", "local", 0, 0, 1000, NULL },
		{ "local [global]", "global", 0, 0, 1000, NULL },
		{ "local [boot] x86-tsc\n", "boot", 5, 1, 1000, NULL },
		{ "mono_raw", "mono_raw", 0, 0, 1000, NULL },
		{ NULL, "", 0, 0, 1000, NULL },
		{ "local [counter]", NULL, 0, 0, 0, "trace clock 'counter': no time in it" },
		{ "[uptime]", NULL, 0, 0, 0, "trace clock 'uptime': no time in it" },
		{ "[x86-tsc]", NULL, 0, 0, 0, "trace clock 'x86-tsc' without its rate" },
		{ "local [x86-tsc]", "x86-tsc", 3, 1, 1500, NULL },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct dat_spec s = test_spec();
		struct bytes cpu = { 0 };
		struct page p = page_begin(&s, &cpu, 1000, LOST_NONE);
		uint8_t buf[RECORD_MAX];
		struct events e;

		page_record(&p, 0, buf, record_waking(&s, buf, 0, 1, 2));
		page_end(&p);
		s.clock = rows[i].option;
		s.tsc_mult = rows[i].mult;
		s.tsc_shift = rows[i].shift;
		s.nr_cpus = 1;
		s.cpus = &cpu;
		events_of_spec(&s, &e);
		if (rows[i].error) {
			if (e.rc >= 0 || !strstr(e.err.text, rows[i].error))
				fail_msg("%s: %d, '%s'", rows[i].option, e.rc, e.err.text);
		} else {
			if (e.rc < 0 || e.n != 1 || e.list[0].time_ns != rows[i].first)
				fail_msg("%s: %s", rows[i].option,
					e.rc < 0 ? e.err.text : "wrong time");
			assert_string_equal(e.info.clock, rows[i].clock);
		}
		if (rows[i].mult == 3)
			assert_int_equal(e.info.tsc_khz, 666666);
		events_release(&e);
		bytes_release(&cpu);
	}
}

/* The tick rate from jiffies, or from our recorder; distances of timers in ns. */
static void test_tick_rate(void **state)
{
	static const struct {
		const char *name, *marker;
		uint64_t step_ns;
		int hz;
	} rows[] = {
		{ "250", NULL, 4000000, 250 },
		{ "1000", NULL, 1000000, 1000 },
		{ "none that is built", NULL, 1500000, 0 },
		{ "told", "corepace:hz=300\n", 1500000, 300 },
		{ "another marker", "my:hz=300\n", 1500000, 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct dat_spec s = test_spec();
		struct bytes cpu = { 0 };
		struct page p = page_begin(&s, &cpu, 1000, LOST_NONE);
		uint8_t buf[RECORD_MAX];
		struct events e;
		size_t first = rows[i].marker ? 1 : 0;

		if (rows[i].marker)
			page_record(&p, 0, buf, record_print(&s, buf, rows[i].marker));
		for (uint64_t k = 0; k < 61; k++) {
			page_time_extend(&p, rows[i].step_ns);
			page_record(&p, 0, buf, record_timer(&s, buf, 5000 + k + 3, 5000 + k));
		}
		page_end(&p);
		read_one(&s, &cpu, &e);
		if (e.info.hz != rows[i].hz || e.n != 61 + first)
			fail_msg("%s: hz %d, %zu events", rows[i].name, e.info.hz, e.n);
		if (e.list[first].ns !=
			(rows[i].hz ? 4ULL * NSEC_PER_SEC / (uint64_t)rows[i].hz : 0))
			fail_msg("%s: first timer in %lu ns", rows[i].name,
				(unsigned long)e.list[first].ns);
		events_release(&e);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_times),
		cmocka_unit_test(test_time_stamp_top_bits),
		cmocka_unit_test(test_losses),
		cmocka_unit_test(test_overruns),
		cmocka_unit_test(test_clock_jumps),
		cmocka_unit_test(test_clocks),
		cmocka_unit_test(test_tick_rate),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
