// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * fio-rand-read: random reads of 4 KB past the page cache, many of them on their way at once.
 *
 * The real one (fio with libaio, direct=1, rw=randread): a process per job submits reads, waits in
 * io_getevents until one or more are done, and submits as many again. That wait is no wait for I/O
 * to the kernel's accounting, so that the process gets no boost for it. Modelled: these; each job
 * begins with its depth of requests, and submits one for each that is done. A request takes its own
 * time, whatever the machine's disk: a flash disk serves its queue in parallel. Not modelled:
 * several completions by one interrupt, the block layer's locks.
 *
 * Nothing is fitted: request_us and depth are those of a flash disk under load.
 */
#include "base/units.h"
#include "workload/generator.h"

enum { JOBS, DEPTH, REQUEST_US, READS, SECONDS, CYCLES, SPREAD, NR_KEYS };

static const struct gen_key keys[NR_KEYS] = {
	[JOBS] = { "jobs", 1, 1, GEN_TASKS_MAX },
	[DEPTH] = { "depth", 16, 1, 1024 },
	[REQUEST_US] = { "request_us", 250, 1, 10000000 },
	[READS] = { "reads", 0, 1, 1000000000000 },
	[SECONDS] = { "seconds", 0, 1, WORKLOAD_SECONDS_MAX },
	[CYCLES] = { "read_cycles", 14000, 1, 1000000000 },
	[SPREAD] = { "spread_permille", 300, 0, 1000 },
};

enum { SECONDS_DEFAULT = 1, BLOCK = 4096 };

/* Of read_cycles, per mille: before the request; the rest after its completion. */
enum { SUBMIT_SHARE = 600 };

static void run(const struct gen *g, struct gen_task *t, uint64_t permille, struct op *ret)
{
	uint64_t cycles = g->key[CYCLES] * permille / 1000;

	*ret = (struct op){ .kind = OP_RUN, .cycles = gen_spread(&t->rng, cycles, g->key[SPREAD]) };
}

/* t->due: reads submitted; t->round: done. Each job has the channel of its number. */
static void fio_step(const struct gen *g, int task, struct gen_task *t, struct op *ret)
{
	switch (t->step++) {
	case 0:
		if (g->key[READS] && t->round == g->key[READS]) {
			ret->kind = OP_EXIT;
		} else if (g->key[READS] && t->due == g->key[READS]) {
			t->step = 3;
			*ret = (struct op){ .kind = OP_WAIT, .target = (uint32_t)task };
		} else {
			run(g, t, SUBMIT_SHARE, ret);
		}
		break;
	case 1:
		*ret = (struct op){ .kind = OP_SIGNAL,
			.flags = OP_IOWAIT,
			.target = (uint32_t)task,
			.ns = gen_spread(
				&t->rng, g->key[REQUEST_US] * NSEC_PER_USEC, g->key[SPREAD]) };
		if (++t->due < g->key[DEPTH] && (!g->key[READS] || t->due < g->key[READS]))
			t->step = 0;
		break;
	case 2:
		*ret = (struct op){ .kind = OP_WAIT, .target = (uint32_t)task };
		break;
	case 3:
		run(g, t, 1000 - SUBMIT_SHARE, ret);
		break;
	default:
		*ret = (struct op){ .kind = OP_COUNT, .cycles = 1 };
		t->round++;
		t->step = 0;
		break;
	}
}

int gen_fio_rand_read(const struct spec *spec, struct workload *w, struct error *err)
{
	uint64_t key[GEN_KEYS_MAX] = { 0 };
	int r = gen_keys(spec, keys, NR_KEYS, key, err);

	if (r)
		return r;
	gen_work_or_time(w, &key[READS], &key[SECONDS], SECONDS_DEFAULT);
	r = gen_init(w, spec_get(spec, "pin"), (int)key[JOBS], key, fio_step, err);
	if (r)
		return r;
	w->nr_channels = w->nr_tasks;
	w->duration_ns = key[SECONDS] * NSEC_PER_SEC;
	snprintf(w->op_name, sizeof(w->op_name), "read");
	gen_metric(w, "mb_per_s", "MB/s", METRIC_MB_PER_S, true, BLOCK);
	gen_metric(w, "reads_per_s", "1/s", METRIC_OPS_PER_S, true, 1);
	return 0;
}
