// SPDX-License-Identifier: GPL-2.0-or-later
/* A .cpw file gives back what was written, in any interleaving, and appears only when finished. */
#include "folder.h"
#include "sample.h"

#include "base/units.h"

#include "../cmocka_all.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void write_ok(const struct sample *s, uint64_t *counts)
{
	struct error err;

	if (sample_write(path, s, counts, &err))
		fail_msg("%d tasks: %s", s->tasks, err.text);
}

static struct workload *open_ok(const char *spec)
{
	struct workload *w;
	struct error err;

	if (workload_open(spec, &w, &err))
		fail_msg("%s: %s", spec, err.text);
	return w;
}

static void assert_tasks(const struct workload *w, const struct sample *s)
{
	struct workload_task *tasks = sample_tasks(s->tasks);

	assert_int_equal(w->nr_tasks, s->tasks);
	assert_int_equal(w->nr_channels, s->channels);
	for (int i = 0; i < s->tasks; i++) {
		const struct workload_task *a = &w->tasks[i], *b = &tasks[i];

		assert_string_equal(a->name, s->anonymous ? "" : b->name);
		assert_int_equal(a->pid, s->anonymous ? 0 : b->pid);
		assert_int_equal(a->sched_class, b->sched_class);
		assert_int_equal(a->nice, b->nice);
		assert_int_equal(a->kernel, b->kernel);
		assert_int_equal(a->starts, b->starts);
		assert_int_equal(a->follows_waker, b->follows_waker);
		assert_int_equal(a->command, b->command);
		assert_int_equal(a->first_cpu, b->first_cpu);
		assert_int_equal(a->start_ns, b->start_ns);
		assert_memory_equal(a->allowed, b->allowed, sizeof(a->allowed));
	}
	free(tasks);
}

/* Reads all tasks in a random interleaving and compares with the streams of the writer. */
static void read_random(struct workload *w, const struct sample *s, const uint64_t *counts)
{
	struct rng *streams = test_calloc((size_t)s->tasks, sizeof(*streams)), order;
	uint64_t *got = test_calloc((size_t)s->tasks, sizeof(*got));
	int open = s->tasks;
	struct error err;

	for (int i = 0; i < s->tasks; i++)
		rng_init(&streams[i], s->seed, (uint64_t)i);
	rng_init(&order, s->seed, 99);
	while (open) {
		int t = (int)rng_below(&order, (uint64_t)s->tasks), r;
		struct op op, want;

		if (got[t] == UINT64_MAX)
			continue;
		r = program_next(w, t, &op, &err);
		if (!r) {
			assert_int_equal(got[t], counts[t]);
			assert_int_equal(program_next(w, t, &op, &err), 0);
			got[t] = UINT64_MAX;
			open--;
			continue;
		}
		assert_int_equal(r, 1);
		want = random_op(&streams[t], (uint32_t)s->tasks, (uint32_t)s->channels);
		if (!same_op(&op, &want))
			fail_msg("%d tasks: task %d op %llu differs", s->tasks, t,
				(unsigned long long)got[t]);
		got[t]++;
	}
	test_free(got);
	test_free(streams);
}

static void read_idle(const struct sample *s)
{
	struct cpw_idle_reader *reader;
	struct idle_record got, want;
	struct rng rng;
	struct error err;

	rng_init(&rng, s->seed, 1 << 20);
	assert_int_equal(cpw_idle_open(path, &reader, &err), 0);
	for (int i = 0; i < s->idle; i++) {
		want = random_idle(&rng);
		assert_int_equal(cpw_idle_next(reader, &got, &err), 1);
		if (got.entry_ns != want.entry_ns || got.residency_ns != want.residency_ns ||
			got.sleep_length_ns != want.sleep_length_ns ||
			got.delta_tick_ns != want.delta_tick_ns || got.cpu != want.cpu ||
			got.picked != want.picked || got.wake != want.wake ||
			got.tick_stopped != want.tick_stopped || got.inferred != want.inferred ||
			got.nr_iowait != want.nr_iowait)
			fail_msg("idle record %d differs", i);
	}
	assert_int_equal(cpw_idle_next(reader, &got, &err), 0);
	cpw_idle_close(reader);
}

static void round_trip(void **state)
{
	static const struct sample samples[] = {
		{ .tasks = 1, .channels = 1, .ops = 1 },
		{ .tasks = 3, .channels = 1 },
		{ .tasks = 1, .channels = 1, .idle = 1 },
		{ .tasks = 1, .channels = 5, .ops = 50000, .idle = 30000 },
		{ .tasks = 300, .channels = 1000, .ops = 100000, .idle = 1000 },
		{ .tasks = 5000, .channels = 70000, .ops = 20000 },
	};

	for (size_t i = 0; i < ARRAY_LEN(samples); i++) {
		struct sample s = samples[i];
		uint64_t *counts = test_calloc((size_t)s.tasks, sizeof(*counts));
		struct workload *w;
		struct error err;

		s.seed = i;
		write_ok(&s, counts);
		w = open_ok(path);
		assert_tasks(w, &s);
		assert_true(w->recorded);
		read_random(w, &s, counts);
		/* Again, from the beginning and from the middle. */
		assert_int_equal(workload_rewind(w, 7, &err), 0);
		for (int k = 0; k < 1000; k++) {
			struct op op;

			program_next(w, k % s.tasks, &op, &err);
		}
		assert_int_equal(workload_rewind(w, 7, &err), 0);
		read_random(w, &s, counts);
		workload_free(w);
		read_idle(&s);
		test_free(counts);
	}
}

/* Targets and times at their bounds, and differences that wrap. */
static void extreme_values(void **state)
{
	static const struct op ops[] = {
		{ .kind = OP_SLEEP_UNTIL, .ns = 1ULL << 60 },
		{ .kind = OP_EXTERNAL, .ns = 0 },
		{ .kind = OP_SLEEP_UNTIL, .ns = 1 },
		{ .kind = OP_RUN, .target = UINT32_MAX, .flags = UINT32_MAX, .cycles = 1ULL << 60 },
		{ .kind = OP_RUN, .target = 0, .ns = 1ULL << 60 },
		{ .kind = OP_RUN, .target = 1U << 31 },
		{ .kind = OP_WAIT, .target = (1 << 24) - 1 },
		{ .kind = OP_IO, .target = 63 },
		{ .kind = OP_FORK, .target = 0 },
	};
	struct workload_task task = { .first_cpu = 1023, .nice = 19, .start_ns = -(1LL << 60) };
	struct workload_truth truth = { 0 };
	struct workload_env env = { 0 };
	struct cpw_writer *writer;
	struct workload *w;
	struct error err;
	struct op op;

	memset(task.name, 'x', sizeof(task.name) - 1);
	memset(task.allowed, 0xff, sizeof(task.allowed));
	assert_int_equal(cpw_create(path, &writer, &err), 0);
	for (size_t i = 0; i < ARRAY_LEN(ops); i++)
		assert_int_equal(cpw_add_op(writer, 0, &ops[i], &err), 0);
	assert_int_equal(
		cpw_finish(writer, &task, 1, 1 << 24, &env, &truth, NULL, 0, NULL, false, &err), 0);
	w = open_ok(path);
	for (size_t i = 0; i < ARRAY_LEN(ops); i++) {
		assert_int_equal(program_next(w, 0, &op, &err), 1);
		assert_true(same_op(&op, &ops[i]));
	}
	assert_int_equal(program_next(w, 0, &op, &err), 0);
	assert_string_equal(w->tasks[0].name, task.name);
	assert_memory_equal(w->tasks[0].allowed, task.allowed, sizeof(task.allowed));
	assert_int_equal(w->tasks[0].start_ns, task.start_ns);
	workload_free(w);
}

static void tables(void **state)
{
	struct sample s = { .tasks = 2, .channels = 1, .ops = 10 };
	struct workload *w;

	write_ok(&s, NULL);
	w = open_ok(path);
	assert_string_equal(w->name, "sample.cpw");
	assert_string_equal(w->text, path);
	assert_string_equal(w->env.kernel, "6.18.0");
	assert_string_equal(w->env.command, "secret --word");
	assert_string_equal(w->env.settings, "a=1\ncmdline=root=/dev/secret\nb=2\n");
	assert_int_equal(w->env.khz, 2000000);
	assert_int_equal(w->truth.busy_ns[1], 0);
	assert_int_equal(w->truth.busy_ns[2], 3);
	assert_string_equal(w->truth.state_name[1], "C1");
	assert_int_equal(w->nr_metrics, 1);
	assert_string_equal(w->metrics[0].name, "loops_khz");
	assert_true(w->metrics[0].higher_is_better);
	assert_int_equal(w->metrics[0].kind, METRIC_KHZ);
	assert_int_equal(w->metrics[0].per_op, 2);
	assert_string_equal(w->op_name, "loop");
	workload_free(w);
}

static bool file_holds(const char *text)
{
	static char content[1 << 16];
	FILE *f = fopen(path, "rb");
	size_t n = fread(content, 1, sizeof(content), f);

	fclose(f);
	return memmem(content, n, text, strlen(text));
}

static void anonymous(void **state)
{
	struct sample s = { .tasks = 3, .channels = 1, .ops = 10, .anonymous = true };
	struct workload *w;

	write_ok(&s, NULL);
	w = open_ok(path);
	assert_tasks(w, &s);
	assert_string_equal(w->env.command, "");
	assert_string_equal(w->env.settings, "a=1\nb=2\n");
	workload_free(w);
	assert_false(file_holds("secret"));
	assert_false(file_holds("task-"));
}

/* Opens the sample with keys and tells for each task whether its affinity is that mask alone. */
static void assert_pinned(const char *with, uint64_t mask, const bool *pinned, int nr)
{
	struct workload_task *recorded = sample_tasks(nr);
	char spec[128];
	struct workload *w;

	snprintf(spec, sizeof(spec), "%s:%s", path, with);
	w = open_ok(spec);
	assert_string_equal(w->text, spec);
	for (int i = 0; i < nr; i++) {
		uint64_t want[16] = { mask };

		if (!pinned[i])
			memcpy(want, recorded[i].allowed, sizeof(want));
		if (memcmp(w->tasks[i].allowed, want, sizeof(want)))
			fail_msg("%s: task %d", spec, i);
		if (pinned[i] && mask &&
			!(w->tasks[i].first_cpu >= 0 && mask >> w->tasks[i].first_cpu & 1))
			fail_msg("%s: task %d begins on CPU %d", spec, i, w->tasks[i].first_cpu);
	}
	workload_free(w);
	free(recorded);
}

static void pins(void **state)
{
	static const bool command[6] = { [0] = true, [5] = true };
	static const bool all[6] = { true, true, true, true, true, true };
	struct sample s = { .tasks = 6, .channels = 1, .ops = 10 };

	write_ok(&s, NULL);
	assert_pinned("pin=2-3", 0xc, command, 6);
	assert_pinned("pin=off", 0, command, 6);
	s.system = true;
	write_ok(&s, NULL);
	assert_pinned("pin=2-3", 0xc, all, 6);
	assert_pinned("pin=off", 0, all, 6);
}

static void other_keys(void **state)
{
	static const struct {
		const char *keys, *text;
	} bad[] = {
		{ "seconds=0", "seconds: '0', expected a number" },
		{ "pin=x", "pin: 'x', expected a list of CPUs" },
		{ "pni=1", "unknown key 'pni', a recording has pin, seconds" },
	};
	struct sample s = { .tasks = 1, .channels = 1, .ops = 10 };
	char spec[128];
	struct workload *w;
	struct error err;

	write_ok(&s, NULL);
	snprintf(spec, sizeof(spec), "%s:seconds=4", path);
	w = open_ok(spec);
	assert_int_equal(w->duration_ns, 4000000000);
	workload_free(w);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		snprintf(spec, sizeof(spec), "%s:%s", path, bad[i].keys);
		if (!workload_open(spec, &w, &err) || !strstr(err.text, bad[i].text))
			fail_msg("%s: '%s', expected '%s'", spec, err.text, bad[i].text);
	}
}

static int files_in_folder(void)
{
	DIR *dir = opendir(folder);
	int nr = 0;

	while (readdir(dir))
		nr++;
	closedir(dir);
	return nr - 2;
}

/* The name holds nothing, or the old file, until the new one is complete. */
static void appears_when_finished(void **state)
{
	struct sample s = { .tasks = 2, .channels = 1, .ops = 10 };
	struct op run = { .kind = OP_RUN, .cycles = 1 };
	struct cpw_writer *w;
	uint64_t before, after;
	struct error err;

	unlink(path);
	assert_int_equal(cpw_create(path, &w, &err), 0);
	assert_int_equal(cpw_add_op(w, 0, &run, &err), 0);
	assert_int_equal(access(path, F_OK), -1);
	assert_null(cpw_abort(w));
	assert_int_equal(files_in_folder(), 0);
	assert_null(cpw_abort(NULL));

	write_ok(&s, NULL);
	assert_int_equal(walk(path, 1000, &before, &err), 0);
	assert_int_equal(cpw_create(path, &w, &err), 0);
	cpw_abort(w);
	assert_int_equal(walk(path, 1000, &after, &err), 0);
	assert_int_equal(before, after);
	assert_int_equal(files_in_folder(), 1);
}

static int finish(struct cpw_writer *w, int nr_tasks, int nr_channels, struct error *err)
{
	struct workload_task *tasks = sample_tasks(nr_tasks > 0 ? nr_tasks : 1);
	struct workload_truth truth = { 0 };
	struct workload_env env = { 0 };
	int r = cpw_finish(w, tasks, nr_tasks, nr_channels, &env, &truth, NULL, 0, "", false, err);

	free(tasks);
	return r;
}

/* What the writer refuses, and that nothing is left of it. */
static void refused(void **state)
{
	static const struct {
		const char *name;
		int task;
		struct op op;
		int nr_tasks, nr_channels;
		const char *text;
	} rows[] = {
		{ "no task", 0, { .kind = OP_RUN }, 0, 0, "expected 1 to" },
		{ "task out of range", 2, { .kind = OP_RUN }, 2, 0, "only 2 tasks" },
		{ "negative task", -1, { .kind = OP_RUN }, 1, 0, "task -1" },
		{ "channel", 0, { .kind = OP_WAIT, .target = 3 }, 1, 3, "channel 3" },
		{ "no channel", 0, { .kind = OP_SIGNAL }, 1, 0, "channel 0" },
		{ "fork", 0, { .kind = OP_FORK, .target = 1 }, 1, 0, "task 1" },
		{ "kind", 0, { .kind = OP_KINDS }, 1, 0, "known kind" },
		{ "device", 0, { .kind = OP_IO, .target = 64 }, 1, 0, "device below 64" },
		{ "time", 0, { .kind = OP_RUN, .ns = (1ULL << 60) + 1 }, 1, 0, "2^60" },
	};

	unlink(path);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct cpw_writer *w;
		struct error err = { "" };

		assert_int_equal(cpw_create(path, &w, &err), 0);
		if (cpw_add_op(w, rows[i].task, &rows[i].op, &err))
			cpw_abort(w);
		else if (!finish(w, rows[i].nr_tasks, rows[i].nr_channels, &err))
			fail_msg("%s: not refused", rows[i].name);
		if (!strstr(err.text, rows[i].text) || strncmp(err.text, path, strlen(path)))
			fail_msg("%s: '%s', expected '%s'", rows[i].name, err.text, rows[i].text);
		assert_int_equal(files_in_folder(), 0);
	}
}

static void cannot_create(void **state)
{
	struct cpw_writer *w;
	struct error err;

	assert_true(cpw_create("/nonexistent/x.cpw", &w, &err) < 0);
	assert_non_null(strstr(err.text, "/nonexistent/x.cpw: No such file"));
	assert_true(cpw_create("/dev/null", &w, &err) < 0);
	assert_non_null(strstr(err.text, "not a regular file"));
	assert_true(cpw_create("", &w, &err) < 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(round_trip),
		cmocka_unit_test(extreme_values),
		cmocka_unit_test(tables),
		cmocka_unit_test(anonymous),
		cmocka_unit_test(pins),
		cmocka_unit_test(other_keys),
		cmocka_unit_test(appears_when_finished),
		cmocka_unit_test(refused),
		cmocka_unit_test(cannot_create),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
