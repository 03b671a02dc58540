// SPDX-License-Identifier: GPL-2.0-or-later
/* Files that cannot be checked: each gives one line that names the place and what was expected. */
#include "vectors/vectors.h"

#include "base/units.h"

#include "../cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD                                                                                       \
	"# governor=menu kernel=6.1.192(x) table=t tick_ns=4000000 states=POLL:0:0:1;C1:2:2:0\n"
#define NAMES                                                                                      \
	"row,gen,enable,cpu,now_ns,sleep_length_ns,latency_req_ns,tick_stopped,disable_mask,"      \
	"sel_state,entered,residency_ns,reflect_now_ns,delta_tick_ns\n"
#define ROW "0,g,1,0,1000,5000000,2000000000000,0,0,0,1,3000,4000,3000000\n"

#define BOOST                                                                                      \
	"row,reset,hwp_req_cached,hwp_cap_cached,time_ns,flags,remote,msr_write,"                  \
	"hwp_boost_min_after,last_update_after,last_io_update_after,sched_flags_after,"            \
	"sample_time_after\n"

#define SCHEDUTIL                                                                                  \
	"row,cpu,time_ns,flags,util0,dl0,cap0,idle_calls0,util1,dl1,cap1,idle_calls1,"             \
	"limits_event,policy_min,policy_max,set_freq_khz\n"
#define SCHEDUTIL_HEAD                                                                             \
	"# schedutil cpus=1 cpuinfo_khz=800000..3600000 rate_limit_us=1000 tick_ns=4000000 "       \
	"need_update_limits=0 freq_invariant=1\n"
#define ONDEMAND                                                                                   \
	"row,wall_us,idle0_us,idle1_us,cur_before_khz,policy_min,policy_max,target_khz,relation,"  \
	"next_delay_us,rate_mult\n"
#define ONDEMAND_HEAD                                                                              \
	"# ondemand cpus=1 cpuinfo_khz=800000..3600000 sampling_rate_us=10000 up_threshold=95 "    \
	"sampling_down_factor=1 start_wall_us=1000 start_idle_us=0,0\n"

static const struct {
	const char *name;
	const char *text;
	const char *says; /* NULL: one good row */
} rows[] = {
	{ "good", HEAD NAMES ROW, NULL },
	{ "carriage returns", HEAD NAMES ROW "\r\n", ":4: 1 fields, expected 14" },
	{ "empty", "", ":1: expected a decision-vector file" },
	{ "no comment", NAMES ROW, ":1: expected a decision-vector file" },
	{ "no names", HEAD, ":2: expected the column names" },
	{ "other columns", HEAD "a,b\n1,2\n", ":2: no kind of vectors that is known" },
	{ "a column is missing", HEAD "row,sel_state\n0,0\n", ":2: no column 'enable'" },
	{ "too few fields", HEAD NAMES "0,g,1\n", ":3: 3 fields, expected 14" },
	{ "no number", HEAD NAMES "0,g,1,0,1000,x,0,0,0,1,1,3000,4000,3\n",
		":3: sleep_length_ns: 'x', expected a whole number" },
	{ "an empty field", HEAD NAMES "0,g,1,0,1000,,0,0,0,1,1,3000,4000,3\n",
		":3: sleep_length_ns: '', expected a whole number" },
	{ "too large", HEAD NAMES "0,g,1,0,1000,9223372036854775808,0,0,0,1,1,3000,4000,3\n",
		":3: sleep_length_ns: '9223372036854775808', expected a whole number" },
	{ "a state that is not there", HEAD NAMES "0,g,1,0,1000,5,0,0,0,1,2,3000,4000,3\n",
		":3: entered: '2', expected a number from -1 to 1" },
	{ "a CPU too far", HEAD NAMES "0,g,1,64,1000,5,0,0,0,1,1,3000,4000,3\n",
		":3: cpu: '64', expected a number from 0 to 63" },
	{ "no newline", HEAD NAMES "0,g,1,0", ":3: ends without a newline" },
	{ "unknown kernel",
		"# governor=menu kernel=3.2.1 tick_ns=4000000 states=POLL:0:0:1\n" NAMES ROW,
		"no governor 'menu@3.2', known are menu@4.4" },
	{ "no states", "# governor=menu kernel=6.1.192 tick_ns=4000000\n" NAMES ROW,
		":2: expected states= in line 1" },
	{ "no tick", "# governor=menu kernel=6.1.192 states=POLL:0:0:1\n" NAMES ROW,
		":2: expected tick_ns= in line 1" },
	{ "a bad state", "# governor=menu kernel=6.1.192 tick_ns=1 states=POLL:0:0\n" NAMES ROW,
		"states: 'POLL:0:0', expected name:exit_latency_us" },
	{ "too many states",
		"# governor=menu kernel=6.1.192 tick_ns=1 states=A:0:0:1;B:0:0:0;C:0:0:0;D:0:0:0;"
		"E:0:0:0;F:0:0:0;G:0:0:0;H:0:0:0;I:0:0:0;J:0:0:0;K:0:0:0\n" NAMES ROW,
		"states: more than 10" },
	{ "schedutil: good",
		SCHEDUTIL_HEAD SCHEDUTIL
		"0,0,1000000,0,512,0,1024,1,0,0,1024,0,0,800000,3600000,2300000\n",
		NULL },
	{ "schedutil: a CPU too many",
		SCHEDUTIL_HEAD SCHEDUTIL
		"0,1,1000000,0,512,0,1024,1,0,0,1024,0,0,800000,3600000,2300000\n",
		":3: cpu: '1', expected a number from 0 to 0" },
	{ "schedutil: no rate limit",
		"# cpus=1 cpuinfo_khz=800000..3600000 need_update_limits=0 "
		"freq_invariant=1\n" SCHEDUTIL,
		":2: expected rate_limit_us= in line 1" },
	{ "schedutil: range", "# cpus=1 cpuinfo_khz=3600000..800000 tick_ns=4000000\n" SCHEDUTIL,
		":2: expected cpuinfo_khz=MIN..MAX in line 1" },
	{ "schedutil: no capacity",
		SCHEDUTIL_HEAD SCHEDUTIL
		"0,0,1000000,0,512,0,0,1,0,0,1024,0,0,800000,3600000,2300000\n",
		":3: cap0: '0', expected a number from 1 to" },
	{ "ondemand: good",
		ONDEMAND_HEAD ONDEMAND "0,11000,5000,0,800000,800000,3600000,2200000,6,10000,1\n",
		NULL },
	{ "ondemand: refused by the governor",
		"# cpus=1 cpuinfo_khz=800000..3600000 sampling_rate_us=10000 up_threshold=101 "
		"sampling_down_factor=1 start_wall_us=1000 start_idle_us=0,0\n" ONDEMAND,
		":2: governor ondemand does not take up_threshold=101" },
	{ "ondemand: one CPU's idle time",
		"# cpus=1 cpuinfo_khz=800000..3600000 sampling_rate_us=10000 up_threshold=95 "
		"sampling_down_factor=1 start_wall_us=1000 start_idle_us=0\n" ONDEMAND,
		":2: expected start_idle_us=US,US in line 1" },
	{ "ondemand: no delay",
		ONDEMAND_HEAD ONDEMAND "0,11000,5000,0,800000,800000,3600000,2200000,6,0,1\n",
		":3: next_delay_us: '0', expected a number from 1 to" },
	{ "boost: no window", "# hold_ns=3000000\n" BOOST, ":2: no parameter io_window_ns=" },
	{ "boost: no time", "# hold_ns=-3 io_window_ns=8\n" BOOST,
		":2: hold_ns=-3, expected nanoseconds" },
	{ "boost: good", "# hold_ns=3 io_window_ns=8\n" BOOST "0,1,0x1,0x2,4,0,0,none,0,4,0,0,4\n",
		NULL },
	{ "boost: flags",
		"# hold_ns=3 io_window_ns=8\n" BOOST "0,1,0x1,0x2,4,-1,0,none,0,4,0,0,4\n",
		":3: flags: '-1', expected a number from 0" },
	{ "poll: no end",
		"# poll\nrow,relax_ns,clock_read_ns,limit_ns,resched_after_ns,resched_at_entry,"
		"elapsed_ns,poll_time_limit,relaxes\n0,0,0,1,-1,0,0,0,0\n",
		":3: relax_ns: 0 as clock_read_ns is" },
};

static int check(const void *data, size_t size, struct vectors_result *ret, struct error *err)
{
	const struct vectors_options options = { 0 };
	char path[] = "/tmp/corepace-csv-XXXXXX";
	int fd = mkstemp(path), r;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, data, size), (ssize_t)size);
	close(fd);
	r = vectors_check(path, &options, ret, err);
	unlink(path);
	return r;
}

static void test_rows(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct vectors_result result;
		struct error err = { "" };
		int r = check(rows[i].text, strlen(rows[i].text), &result, &err);

		print_message("%s: %s\n", rows[i].name, err.text);
		if (rows[i].says) {
			assert_true(r < 0);
			assert_non_null(strstr(err.text, rows[i].says));
		} else {
			assert_int_equal(r, 0);
			assert_int_equal(result.rows, 1);
			assert_int_equal(result.mismatches, 0);
		}
	}
}

static void test_bytes(void **state)
{
	static const char nul[] = HEAD NAMES "0,g,1\0,0\n";
	char *line = malloc(CSV_LINE_MAX + 100);
	struct vectors_result result;
	struct error err;

	assert_true(check(nul, sizeof(nul) - 1, &result, &err) < 0);
	assert_non_null(strstr(err.text, "NUL"));
	memset(line, '#', CSV_LINE_MAX + 99);
	line[CSV_LINE_MAX + 99] = '\n';
	assert_true(check(line, CSV_LINE_MAX + 100, &result, &err) < 0);
	assert_non_null(strstr(err.text, "longer than"));
	free(line);
	assert_true(
		vectors_check("/nonexistent", &(struct vectors_options){ 0 }, &result, &err) < 0);
	assert_string_equal(err.text, "/nonexistent: No such file or directory");
	assert_true(vectors_check("/", &(struct vectors_options){ 0 }, &result, &err) < 0);
}

/* The first wrong column of the first wrong row is kept, rows are counted once. */
static void test_mismatch(void **state)
{
	static const char text[] =
		HEAD NAMES "7,g,1,0,1000,5000000,2000000000000,0,0,1,1,3000,4000,3000000\n"
			   "8,g,1,0,1000,5000000,2000000000000,0,0,1,1,3000,4000,3000000\n"
			   "9,g,1,0,1000,5000000,2000000000000,0,0,0,1,3000,4000,3000000\n";
	struct vectors_result result;
	struct error err;

	assert_int_equal(check(text, strlen(text), &result, &err), 0);
	assert_int_equal(result.rows, 3);
	assert_int_equal(result.mismatches, 2);
	assert_int_equal(result.first.row, 7);
	assert_string_equal(result.first.column, "sel_state");
	assert_string_equal(result.first.want, "1");
	assert_string_equal(result.first.got, "0");
	assert_string_equal(result.policy, "menu@6.1");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_mismatch),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
