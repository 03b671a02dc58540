// SPDX-License-Identifier: GPL-2.0-or-later
/* A .cpw file gives back what was written, in any interleaving, and appears only when finished. */
#include "workload/cpw.h"
#include "workload/op_code.h"

#include "base/units.h"

#include "../cmocka_all.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/corepace-cpw-XXXXXX";

static void path_of(const char *name, char *buf, size_t size)
{
	snprintf(buf, size, "%s/%s", folder, name);
}

/* A random op that a workload of that many tasks and channels may hold. */
static struct op random_op(struct rng *rng, uint32_t nr_tasks, uint32_t nr_channels)
{
	struct op op = { .kind = (enum op_kind)rng_below(rng, OP_KINDS) };
	int bits = (int)rng_below(rng, 60);

	op.cycles = rng_below(rng, 3) ? rng_next(rng) & ((1ULL << bits) - 1) : 0;
	op.ns = rng_below(rng, 3) ? rng_next(rng) & ((1ULL << bits) - 1) : 0;
	op.flags = rng_below(rng, 8) ? 0 : (uint32_t)rng_next(rng);
	if (op.kind == OP_WAIT || op.kind == OP_SIGNAL)
		op.target = (uint32_t)rng_below(rng, nr_channels);
	else if (op.kind == OP_FORK)
		op.target = (uint32_t)rng_below(rng, nr_tasks);
	else if (op.kind == OP_IO)
		op.target = (uint32_t)rng_below(rng, OP_DEVICES_MAX);
	else
		op.target = rng_below(rng, 8) ? 0 : (uint32_t)rng_next(rng);
	return op;
}

static bool same_op(const struct op *a, const struct op *b)
{
	return a->kind == b->kind && a->flags == b->flags && a->target == b->target &&
	       a->cycles == b->cycles && a->ns == b->ns;
}

static struct workload_task *make_tasks(int nr)
{
	struct workload_task *tasks = test_calloc((size_t)nr, sizeof(*tasks));

	for (int i = 0; i < nr; i++) {
		snprintf(tasks[i].name, sizeof(tasks[i].name), "task-%d", i);
		tasks[i].pid = 100 + i;
		tasks[i].sched_class = (enum task_class)(i % 3);
		tasks[i].nice = i % 40 - 20;
		tasks[i].kernel = i & 1;
		tasks[i].starts = !(i & 2);
		tasks[i].first_cpu = i % 5 - 1;
		tasks[i].allowed[i % 16] = i % 3 ? 0 : 0x8000000000000001ULL;
		tasks[i].start_ns = (i - 3) * 1000000007LL;
	}
	return tasks;
}

static void assert_tasks(const struct workload *w, const struct workload_task *tasks, int nr)
{
	assert_int_equal(w->nr_tasks, nr);
	for (int i = 0; i < nr; i++) {
		const struct workload_task *a = &w->tasks[i], *b = &tasks[i];

		assert_string_equal(a->name, b->name);
		assert_int_equal(a->pid, b->pid);
		assert_int_equal(a->sched_class, b->sched_class);
		assert_int_equal(a->nice, b->nice);
		assert_int_equal(a->kernel, b->kernel);
		assert_int_equal(a->starts, b->starts);
		assert_int_equal(a->first_cpu, b->first_cpu);
		assert_int_equal(a->start_ns, b->start_ns);
		assert_memory_equal(a->allowed, b->allowed, sizeof(a->allowed));
	}
}

/* Two generators per task with the same seed: one writes, one checks what is read. */
static struct rng *make_streams(uint64_t seed, int nr)
{
	struct rng *rng = test_calloc((size_t)nr, sizeof(*rng));

	for (int i = 0; i < nr; i++)
		rng_init(&rng[i], seed, (uint64_t)i);
	return rng;
}

struct shape {
	const char *name;
	int tasks, channels, ops;
};

static void write_random(
	const char *path, const struct shape *shape, uint64_t seed, uint64_t *counts)
{
	struct workload_env env = { .kernel = "6.18.0", .hz = 1000, .khz = 2000000 };
	struct workload_truth truth = { .elapsed_ns = 5, .busy_ns = { 1, 2, 3 } };
	struct workload_metric metric = { "usecs_per_loop", "us", false, METRIC_USECS_PER_OP, 0 };
	struct workload_task *tasks = make_tasks(shape->tasks);
	struct rng *rng = make_streams(seed, shape->tasks), order;
	struct cpw_writer *w;
	struct error err;

	rng_init(&order, seed, 1000000);
	assert_int_equal(cpw_create(path, &w, &err), 0);
	for (int i = 0; i < shape->ops; i++) {
		int t = (int)rng_below(&order, (uint64_t)shape->tasks);
		struct op op =
			random_op(&rng[t], (uint32_t)shape->tasks, (uint32_t)shape->channels);

		assert_int_equal(cpw_add_op(w, t, &op, &err), 0);
		counts[t]++;
	}
	assert_int_equal(cpw_finish(w, tasks, shape->tasks, shape->channels, &env, &truth, &metric,
				 1, "loop", false, &err),
		0);
	test_free(tasks);
	test_free(rng);
}

/* Reads all tasks in a random interleaving and compares with the streams of the writer. */
static void read_random(
	struct workload *w, const struct shape *shape, uint64_t seed, const uint64_t *counts)
{
	struct rng *rng = make_streams(seed, shape->tasks), order;
	uint64_t *got = test_calloc((size_t)shape->tasks, sizeof(*got));
	int open = shape->tasks;
	struct error err;

	rng_init(&order, seed, 2000000);
	while (open) {
		int t = (int)rng_below(&order, (uint64_t)shape->tasks);
		struct op op, want;
		int r;

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
		want = random_op(&rng[t], (uint32_t)shape->tasks, (uint32_t)shape->channels);
		if (!same_op(&op, &want))
			fail_msg("%s: task %d op %llu differs", shape->name, t,
				(unsigned long long)got[t]);
		got[t]++;
	}
	test_free(got);
	test_free(rng);
}

static void round_trip(void **state)
{
	static const struct shape shapes[] = {
		{ "one op", 1, 1, 1 },
		{ "no op at all", 3, 1, 0 },
		{ "one task, several chunks", 1, 5, 50000 },
		{ "many tasks", 300, 1000, 100000 },
		{ "many small tasks", 5000, 70000, 20000 },
	};

	for (size_t i = 0; i < ARRAY_LEN(shapes); i++) {
		const struct shape *shape = &shapes[i];
		uint64_t *counts = test_calloc((size_t)shape->tasks, sizeof(*counts));
		struct workload_task *tasks = make_tasks(shape->tasks);
		struct workload *w;
		struct error err;
		char path[128];

		path_of("round.cpw", path, sizeof(path));
		write_random(path, shape, i, counts);
		if (workload_open(path, &w, &err))
			fail_msg("%s: %s", shape->name, err.text);
		assert_tasks(w, tasks, shape->tasks);
		assert_int_equal(w->nr_channels, shape->channels);
		assert_string_equal(w->op_name, "loop");
		assert_int_equal(w->nr_metrics, 1);
		assert_string_equal(w->env.kernel, "6.18.0");
		assert_int_equal(w->truth.busy_ns[2], 3);
		assert_true(w->recorded);
		read_random(w, shape, i, counts);
		assert_int_equal(workload_rewind(w, 7, &err), 0);
		read_random(w, shape, i, counts);
		workload_free(w);
		test_free(tasks);
		test_free(counts);
	}
}

static int make_folder(void **state)
{
	return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
	char path[128];

	path_of("round.cpw", path, sizeof(path));
	unlink(path);
	return rmdir(folder);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(round_trip),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
