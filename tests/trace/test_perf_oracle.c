// SPDX-License-Identifier: GPL-2.0-or-later
/* Real recordings, each read by perf script too: every event must be the same as ours. */
#include "../cmocka_all.h"
#include "records.h"

#include "base/units.h"
#include "trace/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_MAX = 20000, SKIPPED = 77 };

static int by_time(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return x->cpu - y->cpu;
}

/* One line "PID/TID [CPU] S.NS: SYSTEM:NAME: FIELDS". 1: one of ours, 0: not needed. */
static int parse_line(char *line, struct event *ret)
{
	const struct event_type *type;
	char system[64], name[64];
	uint64_t s, ns, aux;
	int pid, tid, cpu, at = 0;

	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, " %d/%d [%d] %" SCNu64 ".%9" SCNu64 ": %63[^:]:%63[^:]: %n", &pid, &tid,
		    &cpu, &s, &ns, system, name, &at) < 7)
		fail_msg("perf script: '%s'", line);
	type = event_type_find(system, name);
	if (!type)
		return 0;
	memset(ret, 0, sizeof(*ret));
	if (!text_event(type, line + at, ret, &aux))
		fail_msg("perf script: '%s': fields", line);
	ret->time_ns = s * NSEC_PER_SEC + ns;
	ret->cpu = cpu;
	ret->pid = tid;
	return 1;
}

static void read_peer(const char *command, struct events *ret)
{
	FILE *f = popen(command, "r");
	char line[1024];

	assert_non_null(f);
	memset(ret, 0, sizeof(*ret));
	ret->list = calloc(LINES_MAX, sizeof(*ret->list));
	assert_non_null(ret->list);
	while (fgets(line, sizeof(line), f)) {
		assert_true(ret->n < LINES_MAX);
		ret->n += (size_t)parse_line(line, &ret->list[ret->n]);
	}
	assert_int_equal(pclose(f), 0);
	for (size_t i = 1; i < ret->n; i++)
		assert_true(ret->list[i].time_ns >= ret->list[i - 1].time_ns);
	/* perf leaves equal times in the file's order, we in that of the CPUs. */
	qsort(ret->list, ret->n, sizeof(*ret->list), by_time);
}

/*
 * What text does not tell: a timer's mode, flags and distance, that a task was preempted. A task
 * that exits has no tid any more, but is still named in the event.
 */
static bool same(const struct event *a, const struct event *b)
{
	bool timer = a->kind == EV_TIMER_START;
	bool value = timer || a->value == b->value || a->kind == EV_HRTIMER_START ||
		     (a->kind == EV_SWITCH && a->value == TASK_PREEMPTED);
	bool ns = timer || a->ns == b->ns;

	return a->kind == b->kind && a->time_ns == b->time_ns && a->cpu == b->cpu &&
	       (a->pid == b->pid || b->pid == -1) && a->pid2 == b->pid2 && a->prio == b->prio &&
	       (timer || a->target_cpu == b->target_cpu) && a->object == b->object && value && ns &&
	       !strcmp(a->comm, b->comm);
}

static void check(const char *file, const char *arguments, size_t least)
{
	char path[512], command[1024];
	struct events ours, theirs;

	snprintf(path, sizeof(path), "%s/%s", DATA_DIR, file);
	snprintf(command, sizeof(command),
		"perf script -f --ns -F pid,tid,cpu,time,event,trace %s '%s' 2>/dev/null",
		arguments, path);
	events_of_file(path, &ours);
	if (ours.rc < 0)
		fail_msg("%s", ours.err.text);
	read_peer(command, &theirs);
	if (ours.n != theirs.n || ours.n < least)
		fail_msg("%s: %zu events, perf script has %zu", file, ours.n, theirs.n);
	for (size_t i = 0; i < ours.n; i++)
		if (!same(&ours.list[i], &theirs.list[i]))
			fail_msg("%s: event %zu: kind %d at %" PRIu64 " of pid %d on CPU %d, perf "
				 "script has kind %d at %" PRIu64 " of pid %d on CPU %d",
				file, i, ours.list[i].kind, ours.list[i].time_ns, ours.list[i].pid,
				ours.list[i].cpu, theirs.list[i].kind, theirs.list[i].time_ns,
				theirs.list[i].pid, theirs.list[i].cpu);
	events_release(&ours);
	events_release(&theirs);
}

static void test_sched(void **state)
{
	check("perf-sched.data", "-i", 150);
}

static void test_zstd(void **state)
{
	check("perf-zstd.data", "-i", 800);
}

static void test_pipe(void **state)
{
	check("perf-pipe.data", "-i - <", 60);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sched),
		cmocka_unit_test(test_zstd),
		cmocka_unit_test(test_pipe),
	};

	if (system("perf --version >/dev/null 2>&1")) {
		printf("no perf\n");
		return SKIPPED;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
