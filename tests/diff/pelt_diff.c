// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * pelt-diff X.so UPDATES: our load tracking against the kernel's own pelt.c, over random updates of
 * a task, of a CPU and of a CPU's real-time class. All that it keeps must be the same after each.
 * Exit 0: it is; 3: it is not.
 */
#include "base/rng.h"
#include "base/units.h"
#include "pelt_kernel.h"
#include "sim/pelt.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct kernel {
	int (*update_se)(u64 now, struct cfs_rq *cfs_rq, struct sched_entity *se);
	int (*update_cfs_rq)(u64 now, struct cfs_rq *cfs_rq);
	int (*update_rt)(u64 now, struct rq *rq, int running);
};

/* Lengths of all magnitudes, whole periods and what is next to them. */
static u64 draw_step(struct rng *rng)
{
	u64 period = 1024 * 1024 * (1 + rng_below(rng, 70));

	switch (rng_below(rng, 6)) {
	case 0:
		return rng_below(rng, 3000);
	case 1:
		return period + rng_below(rng, 3) - 1;
	case 2:
		return period + 1024 * (rng_below(rng, 3) - 1);
	case 3: /* so long that all is forgotten, or nearly */
		return 1024 * 1024 * (32 * 62 + rng_below(rng, 32 * 3));
	default:
		return rng_next(rng) >> (34 + rng_below(rng, 24));
	}
}

static bool same(const char *what, const struct pelt *ours, const struct sched_avg *theirs,
	bool ended, int kernel_ended, long n)
{
	if (ours->last_ns == theirs->last_update_time && ours->contrib == theirs->period_contrib &&
		ours->load_sum == theirs->load_sum && ours->runnable_sum == theirs->runnable_sum &&
		ours->util_sum == theirs->util_sum && ours->load_avg == theirs->load_avg &&
		ours->runnable_avg == theirs->runnable_avg && ours->util_avg == theirs->util_avg &&
		ended == !!kernel_ended)
		return true;
	printf("update %ld, %s: ours %" PRIu64 " %u: sums %" PRIu64 " %" PRIu64
	       " %u, averages %u %u %u; the kernel's %" PRIu64 " %u: %" PRIu64 " %" PRIu64
	       " %u, %lu %lu %lu\n",
		n, what, ours->last_ns, ours->contrib, ours->load_sum, ours->runnable_sum,
		ours->util_sum, ours->load_avg, ours->runnable_avg, ours->util_avg,
		theirs->last_update_time, theirs->period_contrib, theirs->load_sum,
		theirs->runnable_sum, theirs->util_sum, theirs->load_avg, theirs->runnable_avg,
		theirs->util_avg);
	return false;
}

static int compare(const struct kernel *k, long updates)
{
	/* What the kernel gives nice levels -20, 0, 10, 19. */
	static const uint32_t weights[] = { 88761, 1024, 110, 15 };
	struct sched_entity se = { 0 };
	struct pelt task = { 0 }, cpu = { 0 }, rt = { 0 };
	struct rq rq = { 0 };
	struct pelt_add add;
	struct rng rng;
	u64 now = 1;

	rng_init(&rng, 1, 0);
	for (long n = 0; n < updates; n++) {
		uint32_t weight = weights[n / 1000 % (long)ARRAY_LEN(weights)];
		bool queued = rng_below(&rng, 3), running = queued && rng_below(&rng, 2);
		int ended;

		now += draw_step(&rng);
		if (!rng_below(&rng, 1000) && now > 5000)
			now -= rng_below(&rng, 5000);
		se.load.weight = (unsigned long)weight << 10;
		se.on_rq = queued;
		rq.cfs.curr = running ? &se : NULL;
		ended = k->update_se(now, &rq.cfs, &se);
		add = (struct pelt_add){ queued, queued, running };
		if (!same("task", &task, &se.avg, pelt_update(&task, now, &add, weight), ended, n))
			return 3;
		rq.cfs.h_nr_running = queued ? 1 + (unsigned)rng_below(&rng, 5) : 0;
		rq.cfs.load.weight = (unsigned long)rq.cfs.h_nr_running * weight << 10;
		ended = k->update_cfs_rq(now, &rq.cfs);
		add = (struct pelt_add){ rq.cfs.h_nr_running * weight, rq.cfs.h_nr_running,
			running };
		if (!same("CPU", &cpu, &rq.cfs.avg, pelt_update(&cpu, now, &add, 1), ended, n))
			return 3;
		ended = k->update_rt(now, &rq, running);
		add = (struct pelt_add){ running, running, running };
		if (!same("real time", &rt, &rq.avg_rt, pelt_update(&rt, now, &add, 1), ended, n))
			return 3;
	}
	printf("%ld updates: the same\n", updates);
	return 0;
}

int main(int argc, char **argv)
{
	void *library = argc == 3 ? dlopen(argv[1], RTLD_NOW) : NULL;
	struct kernel k;

	if (!library) {
		fprintf(stderr, "usage: pelt-diff ./X.so UPDATES\n");
		return 2;
	}
	k.update_se = (int (*)(u64, struct cfs_rq *, struct sched_entity *))dlsym(
		library, "__update_load_avg_se");
	k.update_cfs_rq = (int (*)(u64, struct cfs_rq *))dlsym(library, "__update_load_avg_cfs_rq");
	k.update_rt = (int (*)(u64, struct rq *, int))dlsym(library, "update_rt_rq_load_avg");
	if (!k.update_se || !k.update_cfs_rq || !k.update_rt)
		return 2;
	return compare(&k, atol(argv[2]));
}
