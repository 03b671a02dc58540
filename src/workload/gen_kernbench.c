// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kernbench: a build of the kernel by make with a number of jobs.
 *
 * The real one runs make -jN on a clean tree again and again and reports user, system and elapsed
 * time. For each file make starts a shell, which starts the compiler driver, the compiler and the
 * assembler and others: chains of short processes, each placed anew, that wait for one another.
 *
 * Modelled: FILES files, the same number for each job, which it compiles one after the other: a
 * shell starts PROCESSES processes in turn, each of which runs in PIECES pieces with waits between
 * them. The size of a file is half fixed (the headers that every one reads) and half exponentially
 * distributed. The system's own timers and threads wake every CPU beside that.
 *
 * What is waited for is not known, but that it is no device: in T5 and T8 the CPU time of all jobs
 * is the same share of elapsed times jobs (two thirds with 2 jobs, two fifths with 8) on every CPU
 * set and under every policy, though the time itself grows tenfold. So a wait here is for something
 * that CPUs do, and stands still when the firmware stops them.
 *
 * Fitted on the rows of T5 and T7 that are meant for it: the cycles of a file (600 s of user and
 * 172 s of system time at two jobs, T7), the waiting per file (elapsed times jobs less CPU time in
 * T5 online=N0/15 at 2, 8 and 30 jobs; 4 and 16 lie between) and that at 30 jobs a file costs the
 * kernel less than half (ditto; why is not known); background and node_background, together with
 * the times of dl580-gen8's firmware, on T5 at two jobs online=N0/15 and N0123/120, but with an eye
 * on all CPU sets of T5 and T6, as the number of processes and pieces was: neither table is a blind
 * prediction. Estimated: the number of files, and the processes' shares.
 * Not modelled: the final link, which runs alone, and the order in which make finds its targets.
 *
 * By default so much is simulated that each job compiles FILES_MIN files; of a suite, in which all
 * numbers of jobs have the same share done, about one file of each job where there are most of
 * them. The five builds of a suite's numbers of jobs are one that counts five times.
 */
#include "base/units.h"
#include "workload/generator.h"

#include <math.h>

enum { JOBS, NODE, SUITE, SPREAD, BACKGROUND, NODE_BACKGROUND, NR_KEYS };
enum { FILES_DONE = NR_KEYS }; /* beside the keys: in each phase, five builds of a suite in one */
enum { JOBS_MAX = 256, NODES_MAX = 64, ANYWHERE = 1000 };

static const struct gen_key keys[NR_KEYS] = {
	[JOBS] = { "jobs", 2, 1, JOBS_MAX },
	[NODE] = { "node", ANYWHERE, 0, NODES_MAX - 1 },
	[SUITE] = { "suite", 0, 0, 1 },
	[BACKGROUND] = { "background", 36, 0, 1000 },
	[NODE_BACKGROUND] = { "node_background", 120, 0, 1000 },
	[SPREAD] = { "spread_permille", 100, 0, 1000 },
};

enum {
	FILES = 1800,
	FILES_MIN = 3, /* of a job, unless scale says otherwise */
	SUITE_FILES = 30,
	ITERATIONS = 5, /* of each number of jobs in a suite */
	KHZ = 3000000,	/* that cycles below are stated at */
	USER_US = 340000,
};

static const int suite_jobs[] = { 2, 4, 8, 16, 30 };

/* By jobs: kernel time and waiting of one file. Linear between. */
static const struct {
	int jobs;
	int64_t system_us, wait_us;
} per_file[] = {
	{ 1, 97000, 150000 },
	{ 2, 97000, 175000 },
	{ 8, 97000, 510000 },
	{ 16, 97000, 340000 },
	{ 30, 40000, 150000 },
};

/*
 * The processes of one file: the compiler, the assembler, and before and after them short ones
 * (shells, the compiler driver, what checks and moves the output). Shares of the file in permille.
 */
enum { PROCESSES = 24, PIECES = 12, COMPILER = 7, ASSEMBLER = 8, FORK_SHARE = 4 };
static const struct process {
	int user, system;
} compiler = { 780, 330 }, assembler = { 88, 90 }, other = { 6, 22 };

static const struct process *process(int i)
{
	return i == COMPILER ? &compiler : i == ASSEMBLER ? &assembler : &other;
}

/* Channels: one for what is done, then two for each job. */
enum { DONE };

/* What a job's two tasks wait for: the shell for make, the process for the shell. */
static uint32_t go_channel(int job, bool process)
{
	return (uint32_t)(1 + 3 * job + process);
}

static uint32_t end_channel(int job)
{
	return (uint32_t)(3 + 3 * job);
}

static int nr_phases(const struct gen *g)
{
	return g->key[SUITE] ? (int)ARRAY_LEN(suite_jobs) : 1;
}

/* Also asked for when all phases are through. */
static int phase_jobs(const struct gen *g, int phase)
{
	if (phase == nr_phases(g))
		return 1;
	return g->key[SUITE] ? suite_jobs[phase] : (int)g->key[JOBS];
}

static int64_t interpolate(int jobs, bool system)
{
	const int last = (int)ARRAY_LEN(per_file) - 1;
	int i = 0;
	int64_t a, b, from, to;

	while (i < last - 1 && jobs > per_file[i + 1].jobs)
		i++;
	a = system ? per_file[i].system_us : per_file[i].wait_us;
	b = system ? per_file[i + 1].system_us : per_file[i + 1].wait_us;
	from = per_file[i].jobs;
	to = per_file[i + 1].jobs;
	jobs = jobs > to ? (int)to : jobs;
	return a + (b - a) * (jobs - from) / (to - from);
}

static int64_t system_us(int jobs)
{
	return interpolate(jobs, true);
}

static int64_t wait_us(int jobs)
{
	return interpolate(jobs, false);
}

/* Where a job's task is in its program, kept in gen_task.due: phase, file, process. */
struct place {
	int phase, file, process;
};

/* Files of each job in a phase. */
static int job_files(const struct gen *g, int phase)
{
	int jobs = phase_jobs(g, phase), files = ((int)g->key[FILES_DONE] + jobs / 2) / jobs;

	return files ? files : 1;
}

static int gcd(int a, int b)
{
	return b ? gcd(b, a % b) : a;
}

/* Of an exponential distribution of mean 1, what lies above its quantile q adds so much to the
 * mean. */
static double mean_above(double q)
{
	return q < 1 ? (1 - q) * (1 - log(1 - q)) : 0;
}

/*
 * A job's files are the means of as many equal parts of the distribution, so that jobs have the
 * same to do however few files there are; each comes to them in another order. What the number of
 * files was rounded by is made up for by their size.
 */
static double file_size(const struct gen *g, struct place p, int job)
{
	int files = job_files(g, p.phase), step = (int)(0.618 * files) + 1;
	double rest = (double)g->key[FILES_DONE] / (files * phase_jobs(g, p.phase));
	double q;

	while (gcd(step, files) > 1)
		step++;
	q = (double)(((int64_t)p.file * step + job) % files) / files;
	return rest * (0.5 + 0.5 * files * (mean_above(q) - mean_above(q + 1.0 / files)));
}

/* ---- programs -------------------------------------------------------------------------- */

/* make: has each job start its share, and waits until all have done theirs. */
static void make_step(const struct gen *g, struct gen_task *t, struct op *ret)
{
	int phase = (int)t->round, jobs;

	if (phase == nr_phases(g)) {
		ret->kind = OP_EXIT;
		return;
	}
	jobs = phase_jobs(g, phase);
	*ret = (struct op){ .kind = t->step < jobs ? OP_SIGNAL : OP_WAIT, .target = DONE };
	if (ret->kind == OP_SIGNAL)
		ret->target = go_channel(t->step, false);
	if (++t->step == 2 * jobs) {
		t->step = 0;
		t->round++;
	}
}

static struct place unpack(uint64_t due)
{
	return (struct place){ (int)(due >> 48), (int)(due >> 8 & 0xffffffff), (int)(due & 0xff) };
}

static uint64_t pack(struct place p)
{
	return (uint64_t)p.phase << 48 | (uint64_t)p.file << 8 | (uint64_t)p.process;
}

/* To the next place that there is work at, beginning with p itself. */
static struct place settle(const struct gen *g, struct place p, int job)
{
	if (p.process == PROCESSES) {
		p.process = 0;
		p.file++;
	}
	while (p.phase < nr_phases(g) &&
		(job >= phase_jobs(g, p.phase) || p.file >= job_files(g, p.phase))) {
		p.phase++;
		p.file = 0;
	}
	return p;
}

/* A share of a file in permille, spread a little; in us. */
static uint64_t file_share(
	const struct gen *g, struct gen_task *t, struct place p, int job, int64_t us, int share)
{
	us = (int64_t)(file_size(g, p, job) * (double)(us * share) / 1000);
	return gen_spread(&t->rng, (uint64_t)us, g->key[SPREAD]);
}

static struct op run_for(uint64_t us, uint32_t flags)
{
	return (struct op){ .kind = OP_RUN, .flags = flags, .cycles = us * (KHZ / 1000) + 1 };
}

/* One of the waits of a file: one before each process, the others between its pieces. */
static struct op pause(const struct gen *g, struct gen_task *t, struct place p, int job)
{
	int64_t us = wait_us(phase_jobs(g, p.phase)) / PIECES;

	return (struct op){ .kind = OP_IO,
		.flags = OP_STALLS,
		.ns = 1 + NSEC_PER_USEC * file_share(g, t, p, job, us, 1000 / PROCESSES) };
}

/* The shell: waits for whatever there is to wait for, forks, and waits for the process. */
static void shell_step(const struct gen *g, int job, struct gen_task *t, struct op *ret)
{
	enum { GO, PAUSE, FORK, START, END, COUNT, LAST };
	struct place p = settle(g, unpack(t->due), job);
	int jobs = phase_jobs(g, p.phase);

	switch (t->step) {
	case GO:
		ret->kind = p.phase == nr_phases(g) ? OP_EXIT : OP_WAIT;
		ret->target = go_channel(job, false);
		break;
	case PAUSE:
		*ret = pause(g, t, p, job);
		break;
	case FORK:
		*ret = run_for(file_share(g, t, p, job, system_us(jobs), FORK_SHARE), OP_SYSTEM);
		break;
	case START:
		*ret = (struct op){ .kind = OP_SIGNAL, .target = go_channel(job, true) };
		break;
	case END:
		*ret = (struct op){ .kind = OP_WAIT, .target = end_channel(job) };
		if (++p.process < PROCESSES)
			t->step = PAUSE - 1;
		break;
	case COUNT:
		*ret = (struct op){ .kind = OP_COUNT, .cycles = 1 };
		if (p.file) /* else that was the last one of its phase */
			t->step = PAUSE - 1;
		break;
	default:
		*ret = (struct op){ .kind = OP_SIGNAL, .target = DONE };
		t->step = GO - 1;
	}
	t->step++;
	t->due = pack(p);
}

/* A process: comes into being on some CPU, runs in pieces with waits between them, exits. */
static void process_step(const struct gen *g, int job, struct gen_task *t, struct op *ret)
{
	enum { BEGIN, USER, SYSTEM, PAUSE, END };
	struct place p = settle(g, unpack(t->due), job);
	int jobs = phase_jobs(g, p.phase);
	const struct process *me = process(p.process);

	switch (t->step) {
	case BEGIN:
		ret->kind = p.phase == nr_phases(g) ? OP_EXIT : OP_WAIT;
		ret->flags = OP_NEW;
		ret->target = go_channel(job, true);
		t->round = 0;
		break;
	case USER:
		*ret = run_for(file_share(g, t, p, job, USER_US / PIECES, me->user), 0);
		break;
	case SYSTEM:
		*ret = run_for(
			file_share(g, t, p, job, system_us(jobs) / PIECES, me->system), OP_SYSTEM);
		t->step += ++t->round == PIECES; /* then no pause */
		break;
	case PAUSE:
		*ret = pause(g, t, p, job);
		t->step = USER - 1;
		break;
	default:
		*ret = (struct op){ .kind = OP_SIGNAL, .target = end_channel(job) };
		p.process++;
		t->step = BEGIN - 1;
	}
	t->step++;
	t->due = pack(p);
}

static void kernbench_step(const struct gen *g, int task, struct gen_task *t, struct op *ret)
{
	if (!task)
		make_step(g, t, ret);
	else if (task % 2)
		shell_step(g, (task - 1) / 2, t, ret);
	else
		process_step(g, (task - 1) / 2, t, ret);
}

int gen_kernbench(const struct spec *spec, struct workload *w, struct error *err)
{
	uint64_t key[GEN_KEYS_MAX] = { 0 };
	int r = gen_keys(spec, keys, NR_KEYS, key, err);
	uint64_t files;
	int jobs;

	if (r)
		return r;
	files = (uint64_t)FILES * (key[SUITE] ? ITERATIONS : 1);
	jobs = key[SUITE] ? suite_jobs[ARRAY_LEN(suite_jobs) - 1] : (int)key[JOBS];
	gen_default_scale(w, key[SUITE] ? (double)SUITE_FILES / (double)files
					: (double)FILES_MIN * jobs / (double)files);
	key[FILES_DONE] = gen_scaled(w, files);
	r = gen_init(w, spec_get(spec, "pin"), 1 + 2 * jobs, key, kernbench_step, err);
	if (r)
		return r;
	for (int i = 0; i < w->nr_tasks; i++) {
		struct workload_task *t = &w->tasks[i];

		t->node = key[NODE] == ANYWHERE ? 0 : 1 + (int)key[NODE];
		if (i)
			snprintf(t->name, sizeof(t->name), "%s/%d", i % 2 ? "sh" : "cc",
				(i - 1) / 2);
		else
			snprintf(t->name, sizeof(t->name), "make");
	}
	w->background_hz = (uint32_t)key[BACKGROUND];
	w->node_background_hz = (uint32_t)key[NODE_BACKGROUND];
	w->nr_channels = (int)go_channel(jobs, false);
	snprintf(w->op_name, sizeof(w->op_name), "file");
	gen_metric(w, "user_s", "s", METRIC_USER_S, false, 1);
	gen_metric(w, "system_s", "s", METRIC_SYSTEM_S, false, 1);
	gen_metric(w, "elapsed_s", "s", METRIC_ELAPSED_S, false, 1);
	return 0;
}
