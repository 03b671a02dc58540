// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How fast .cpw files are written and read. Ops as a recording has them (runs of random length,
 * signals and waits over a few channels of each task, timers, I/O) of TASKS tasks, interleaved at
 * random. bench_cpw FILE [OPS [TASKS]] leaves FILE behind; the producer's own time is subtracted.
 */
#include "base/units.h"
#include "workload/cpw.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

enum { CHANNELS_PER_TASK = 4 };

struct producer {
	int nr_tasks;
	struct rng rng;
	uint64_t now_ns;
};

static double now_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void print_peak(const char *what, double took, uint64_t ops)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	printf("%s: %.3f s, %.2f M ops/s, %ld kB peak memory so far\n", what, took,
		(double)ops / took / 1e6, usage.ru_maxrss);
}

static int produce(struct producer *p, struct op *op)
{
	uint64_t r = rng_next(&p->rng);
	int task = (int)((r >> 32) % (uint64_t)p->nr_tasks);
	uint32_t channel = (uint32_t)task * CHANNELS_PER_TASK + (r >> 8) % CHANNELS_PER_TASK;

	p->now_ns += 1 + (r >> 16) % 4096;
	*op = (struct op){ .kind = OP_RUN, .cycles = 500 + (r >> 12) % (1 << ((r >> 4) % 20)) };
	switch (r % 8) {
	case 0:
	case 1:
		*op = (struct op){ .kind = OP_WAIT, .target = channel };
		break;
	case 2:
	case 3:
		*op = (struct op){ .kind = OP_SIGNAL, .target = channel };
		break;
	case 4:
		if (r & 8)
			*op = (struct op){ .kind = OP_SLEEP_UNTIL,
				.ns = p->now_ns + (r >> 20) % NSEC_PER_MSEC };
		else
			*op = (struct op){
				.kind = OP_IO, .flags = OP_IOWAIT, .ns = 50000 + (r >> 20) % 100000
			};
		break;
	}
	return task;
}

static struct producer producer(int nr_tasks)
{
	struct producer p = { .nr_tasks = nr_tasks };

	rng_init(&p.rng, 1, 1);
	return p;
}

static double time_of_producer(uint64_t ops, int nr_tasks)
{
	struct producer p = producer(nr_tasks);
	uint64_t sum = 0;
	double start = now_s();
	struct op op;

	for (uint64_t i = 0; i < ops; i++)
		sum += (uint64_t)produce(&p, &op) + op.cycles;
	start = now_s() - start;
	/* Keeps the loop: the sum is never zero. */
	return sum ? start : 0;
}

static int write_file(const char *path, uint64_t ops, int nr_tasks, struct error *err)
{
	struct workload_task *tasks = calloc((size_t)nr_tasks, sizeof(*tasks));
	struct workload_truth truth = { 0 };
	struct workload_env env = { 0 };
	struct producer p = producer(nr_tasks);
	struct cpw_writer *w;
	int r = tasks ? cpw_create(path, &w, err) : error_set(err, 12, "out of memory");

	for (uint64_t i = 0; !r && i < ops; i++) {
		struct op op;
		int task = produce(&p, &op);

		r = cpw_add_op(w, task, &op, err);
		if (r)
			cpw_abort(w);
	}
	if (!r)
		r = cpw_finish(w, tasks, nr_tasks, nr_tasks * CHANNELS_PER_TASK, &env, &truth, NULL,
			0, "", false, err);
	free(tasks);
	return r;
}

/* Round robin over the tasks: as a simulator would, many tasks are under way at once. */
static int read_file(struct workload *w, uint64_t *ret_ops, struct error *err)
{
	int left = w->nr_tasks, r;
	uint64_t ops = 0;

	while (left) {
		left = 0;
		for (int t = 0; t < w->nr_tasks; t++) {
			struct op op;

			r = program_next(w, t, &op, err);
			if (r < 0)
				return r;
			ops += (uint64_t)r;
			left += r;
		}
	}
	*ret_ops = ops;
	return 0;
}

int main(int argc, char **argv)
{
	uint64_t ops = argc > 2 ? strtoull(argv[2], NULL, 10) : 5000000, got = 0;
	int nr_tasks = argc > 3 ? atoi(argv[3]) : 300;
	struct workload *w = NULL;
	double start, producing;
	struct error err;
	struct stat st;

	if (argc < 2 || !ops || nr_tasks < 1) {
		fprintf(stderr, "usage: bench_cpw FILE [OPS [TASKS]]\n");
		return 2;
	}
	producing = time_of_producer(ops, nr_tasks);
	start = now_s();
	if (write_file(argv[1], ops, nr_tasks, &err))
		goto failed;
	print_peak("write, compress, fsync", now_s() - start - producing, ops);
	if (!stat(argv[1], &st))
		printf("file: %lld bytes, %.2f bytes an op\n", (long long)st.st_size,
			(double)st.st_size / (double)ops);
	start = now_s();
	if (workload_open(argv[1], &w, &err) || read_file(w, &got, &err))
		goto failed;
	print_peak("read, round robin over the tasks", now_s() - start, got);
	workload_free(w);
	return got != ops;
failed:
	workload_free(w);
	fprintf(stderr, "bench_cpw: %s\n", err.text);
	return 1;
}
