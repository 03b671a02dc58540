// SPDX-License-Identifier: GPL-2.0-or-later
/* ftrace text as a whole: the same stream as from the trace.dat, losses, and what makes no sense.
 */
#include "../cmocka_all.h"
#include "records.h"

#include "base/units.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void events_of_text(const char *text, struct events *e)
{
	struct bytes b = { .p = (uint8_t *)text, .n = strlen(text) };

	events_of_bytes(&b, e);
}

struct layout_row {
	const char *file;
	uint64_t tolerance_ns; /* times are cut or rounded */
	bool flags;	       /* so the context is told */
	bool hashed;	       /* pointers are not the real ones */
	bool plugin;	       /* report's plug-in prints no preempted state, no timer mode */
	size_t least;
};

static bool same(const struct event *a, const struct event *b, const struct layout_row *row)
{
	uint64_t apart =
		a->time_ns > b->time_ns ? a->time_ns - b->time_ns : b->time_ns - a->time_ns;
	bool timer = a->kind >= EV_HRTIMER_START && a->kind <= EV_TIMER_EXPIRE;

	if (apart > row->tolerance_ns || a->kind != b->kind || a->cpu != b->cpu ||
		a->pid != b->pid || a->pid2 != b->pid2 || a->prio != b->prio ||
		strcmp(a->comm, b->comm))
		return false;
	if (a->target_cpu != b->target_cpu)
		return false;
	/* The samples are too short to tell the tick rate. */
	if (a->ns != (a->kind == EV_TIMER_START ? 0 : b->ns))
		return false;
	if (row->flags && a->context != b->context)
		return false;
	if (!(row->hashed && timer) && a->object != b->object)
		return false;
	if (row->plugin && a->kind == EV_HRTIMER_START)
		return true;
	if (row->plugin && a->kind == EV_SWITCH && b->value == TASK_PREEMPTED)
		return a->value == TASK_RUNNABLE;
	return a->value == b->value;
}

/* A text is a stretch of the recording: find where it begins, then event by event. */
static void check_layout(const struct layout_row *row)
{
	struct events text, dat;
	char path[512];
	size_t from = 0;

	events_of_file(DATA_DIR "/v6.dat", &dat);
	snprintf(path, sizeof(path), "%s/%s", DATA_DIR, row->file);
	events_of_file(path, &text);
	if (text.rc < 0)
		fail_msg("%s", text.err.text);
	assert_string_equal(text.info.format, "ftrace text");
	if (text.n < row->least || text.info.damaged || text.info.hz || text.info.nr_cpus != 2)
		fail_msg("%s: %zu events, %lu damaged, hz %d", row->file, text.n,
			(unsigned long)text.info.damaged, text.info.hz);
	while (from < dat.n && !same(&text.list[0], &dat.list[from], row))
		from++;
	if (from + text.n > dat.n)
		fail_msg("%s: its begin is not in the recording", row->file);
	for (size_t i = 0; i < text.n; i++)
		if (!same(&text.list[i], &dat.list[from + i], row))
			fail_msg("%s: event %zu (kind %d at %lu) is not that of the recording "
				 "(kind %d at %lu)",
				row->file, i, text.list[i].kind,
				(unsigned long)text.list[i].time_ns, dat.list[from + i].kind,
				(unsigned long)dat.list[from + i].time_ns);
	events_release(&text);
	events_release(&dat);
}

static void test_layouts(void **state)
{
	static const struct layout_row rows[] = {
		{ "kernel.txt", 1000, true, true, false, 600 },
		{ "report-t.txt", 0, false, false, true, 600 },
		{ "report-l.txt", 1000, true, false, true, 200 },
		{ "report-R.txt", 1000, false, false, false, 400 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		check_layout(&rows[i]);
}

/* Jiffies against time; timers before the rate can be known have their distance too. */
static void test_tick_rate(void **state)
{
	char text[16384];
	size_t at = 0;
	struct events e;

	for (int i = 0; i < 60; i++)
		at += (size_t)sprintf(text + at,
			"a-1 [000] %d.%03d: timer_start: timer=ff function=f expires=%d "
			"[timeout=3] cpu=0\n"
			"a-1 [000] %d.%03d: timer_expire_entry: timer=ff function=f now=%d "
			"baseclk=1\n",
			i / 100, i * 10 % 1000, 5003 + i, i / 100, i * 10 % 1000, 5000 + i);
	events_of_text(text, &e);
	assert_int_equal(e.rc, 0);
	assert_int_equal(e.n, 120);
	assert_int_equal(e.info.hz, 100);
	assert_int_equal(e.list[0].kind, EV_TIMER_START);
	/* Three jiffies off, and the wheel runs it in the one behind. */
	assert_int_equal(e.list[0].ns, 40000000);
	events_release(&e);
}

#define SOME "  a-1 [000] d.s2.  1.000010: sched_waking: comm=b pid=2 prio=120 target_cpu=001\n"
#define MORE "  a-1 [001] d.h2.  1.000020: sched_waking: comm=b pid=2 prio=120 target_cpu=001\n"

static void test_losses(void **state)
{
	struct events e;

	events_of_text("# entries-in-buffer/entries-written: 100/130   #P:4\n" SOME
		       "CPU:0 [LOST 12 EVENTS]\n" MORE "CPU:1 [LOST EVENTS]\n",
		&e);
	assert_int_equal(e.rc, 0);
	assert_int_equal(e.n, 4);
	assert_int_equal(e.list[1].kind, EV_LOST);
	assert_int_equal(e.list[1].cpu, 0);
	assert_int_equal(e.list[1].value, 12);
	assert_int_equal(e.list[1].time_ns, 1000010000);
	assert_int_equal(e.list[3].kind, EV_LOST);
	assert_int_equal(e.list[3].value, 0);
	assert_int_equal(e.info.lost_events, 30);
	assert_int_equal(e.info.lost_regions, 1);
	assert_int_equal(e.info.nr_cpus, 4);
	events_release(&e);
}

static void test_bad_lines(void **state)
{
	struct events e;

	events_of_text("rubbish\n" SOME
		       "more rubbish\n\n  a-1 [000] d.s2.  1.5: sched_waking: nothing\n"
		       "  a-1 [000] d.s2.  1.6: sched_stat_runtime: x\n",
		&e);
	assert_int_equal(e.rc, 0);
	assert_int_equal(e.n, 1);
	assert_int_equal(e.info.damaged, 3);
	assert_int_equal(e.info.skipped, 1);
	events_release(&e);
}

static void test_errors(void **state)
{
	static const struct {
		const char *text, *error;
	} rows[] = {
		{ "# a comment\n\nrubbish\nmore\n",
			": line 3: 'rubbish': expected TASK-PID [CPU] TIME: EVENT: " },
		{ SOME "  a-1 [000] d.s2.  123456: cpu_idle: state=1 cpu_id=0\n",
			": line 2: time 123456 is a bare number (clock counter, uptime or "
			"x86-tsc)" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct events e;

		events_of_text(rows[i].text, &e);
		if (e.rc >= 0 || !strstr(e.err.text, rows[i].error) || strchr(e.err.text, '\n'))
			fail_msg("row %zu: %d, '%s'", i, e.rc, e.rc < 0 ? e.err.text : "");
		events_release(&e);
	}
}

static void test_no_events(void **state)
{
	struct events e;

	events_of_text("# tracer: nop\n#\n# entries-in-buffer/entries-written: 0/0   #P:2\n", &e);
	assert_int_equal(e.rc, 0);
	assert_int_equal(e.n, 0);
	assert_int_equal(e.info.nr_cpus, 2);
	events_release(&e);
}

static void test_clock_jumps(void **state)
{
	struct events e;

	events_of_text(MORE SOME MORE "  a-1 [001] d.h2.  0.5: cpu_idle: state=1 cpu_id=1\n", &e);
	assert_int_equal(e.n, 4);
	for (size_t i = 0; i < e.n; i++)
		assert_int_equal(e.list[i].time_ns, 1000020000);
	/* CPU 0 was never behind itself. */
	assert_int_equal(e.info.clock_jumps, 1);
	events_release(&e);
}

/* Real-time kernels have a column more, which the header draws. */
static void test_flag_columns(void **state)
{
	static const char line[] = "  a-1 [000] d.s2.  1.5: cpu_idle: state=1 cpu_id=0\n"
				   "  a-1 [000] d..h2. 1.6: cpu_idle: state=1 cpu_id=0\n";
	static const struct {
		const char *header;
		uint32_t first, second;
	} rows[] = {
		{ "", CTX_SOFTIRQ, 0 },
		{ "#  _-----=> irqs-off\n# / _----=> need-resched\n# | / _---=> hardirq/softirq\n",
			CTX_SOFTIRQ, 0 },
		{ "#  _------=> CPU#\n# / _-----=> irqs-off\n# | / _----=> need-resched\n# || / "
		  "_---=> hardirq/softirq\n",
			CTX_SOFTIRQ, 0 },
		{ "#  _-----=> irqs-off\n# / _----=> need-resched\n# |/ _---=> "
		  "need-resched-lazy\n# ||/ _--=> hardirq/softirq\n",
			0, CTX_HARDIRQ },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char text[1024];
		struct events e;

		snprintf(text, sizeof(text), "# tracer: nop\n%s%s", rows[i].header, line);
		events_of_text(text, &e);
		assert_int_equal(e.n, 2);
		if (e.list[0].context != rows[i].first || e.list[1].context != rows[i].second)
			fail_msg("header %zu: contexts %u, %u", i, e.list[0].context,
				e.list[1].context);
		events_release(&e);
	}
}

/* Without flags the context is that of the interrupts that are open on the CPU. */
static void test_context_inferred(void **state)
{
	static const uint32_t want[] = { 0, CTX_SOFTIRQ, CTX_SOFTIRQ | CTX_HARDIRQ,
		CTX_SOFTIRQ | CTX_HARDIRQ, 0, CTX_SOFTIRQ | CTX_HARDIRQ, CTX_SOFTIRQ, 0, 0 };
	struct events e;

	events_of_text("a-1 [000] 1.1: cpu_idle: state=1 cpu_id=0\n"
		       "a-1 [000] 1.2: softirq_entry: vec=1\n"
		       "a-1 [000] 1.3: local_timer_entry: vector=236\n"
		       "a-1 [000] 1.4: sched_waking: comm=b pid=2 prio=120 target_cpu=001\n"
		       "a-1 [001] 1.5: sched_waking: comm=b pid=2 prio=120 target_cpu=001\n"
		       "a-1 [000] 1.6: local_timer_exit: vector=236\n"
		       "a-1 [000] 1.7: sched_waking: comm=b pid=2 prio=120 target_cpu=001\n"
		       "CPU:0 [LOST EVENTS]\n"
		       "a-1 [000] 1.8: sched_waking: comm=b pid=2 prio=120 target_cpu=001\n",
		&e);
	assert_int_equal(e.n, ARRAY_LEN(want));
	for (size_t i = 0; i < e.n; i++)
		if (e.list[i].context != want[i])
			fail_msg("event %zu: context %u, expected %u", i, e.list[i].context,
				want[i]);
	events_release(&e);
}

/* A line longer than any buffer, without a newline at the end. */
static void test_long_line(void **state)
{
	static char text[600000];
	struct events e;
	size_t at = 0;

	at += (size_t)sprintf(text, "%s", SOME);
	memset(text + at, 'x', 500000);
	at += 500000;
	sprintf(text + at, "\n%s", MORE);
	text[strlen(text) - 1] = '\0';
	events_of_text(text, &e);
	assert_int_equal(e.rc, 0);
	assert_int_equal(e.n, 2);
	assert_true(e.info.damaged > 0);
	events_release(&e);
}

struct pipe_writer {
	const char *path, *source;
};

static void *write_pipe(void *arg)
{
	struct pipe_writer *w = arg;
	struct bytes b = { 0 };
	FILE *f = fopen(w->path, "w");

	file_to_bytes(w->source, &b);
	if (f) {
		fwrite(b.p, 1, b.n, f);
		fclose(f);
	}
	bytes_release(&b);
	return NULL;
}

/* trace_pipe through a pipe: nothing can be read twice. */
static void test_pipe(void **state)
{
	char dir[] = "/tmp/test_text.XXXXXX", path[64];
	struct pipe_writer w = { .path = path, .source = DATA_DIR "/kernel.txt" };
	struct events piped, file;
	pthread_t thread;

	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof(path), "%s/pipe", dir);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(pthread_create(&thread, NULL, write_pipe, &w), 0);
	events_of_file(path, &piped);
	pthread_join(thread, NULL);
	unlink(path);
	rmdir(dir);
	events_of_file(w.source, &file);
	assert_int_equal(piped.rc, 0);
	assert_int_equal(piped.n, file.n);
	events_release(&piped);
	events_release(&file);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_layouts),
		cmocka_unit_test(test_tick_rate),
		cmocka_unit_test(test_losses),
		cmocka_unit_test(test_bad_lines),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_no_events),
		cmocka_unit_test(test_clock_jumps),
		cmocka_unit_test(test_flag_columns),
		cmocka_unit_test(test_context_inferred),
		cmocka_unit_test(test_long_line),
		cmocka_unit_test(test_pipe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
