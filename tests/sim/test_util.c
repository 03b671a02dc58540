// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a governor sees of utilisation and idle time, and where its work runs: a governor and a
 * driver that write down how they are called.
 */
#include "fixture.h"

#include "sim/internal.h"

#include <math.h>

enum { CALLS_MAX = 20000, MS = 1000000 };

struct call {
	char kind; /* 'h'ook, 'w'ork, 'd'river */
	int64_t now_ns;
	int cpu, this_cpu, nr_cpus;
	unsigned flags;
	bool foreign;
	uint32_t khz;
	struct cpu_load loads[4];
};

static struct {
	int nr;
	struct call calls[CALLS_MAX];
	bool queue_work; /* the hook asks for work each time there is none */
	bool own_thread, pending;
	bool shared;
	uint32_t start_khz;
	int64_t driver_ns;
} seen;

static void note(char kind, const struct freq_snapshot *s, const struct util_event *e)
{
	struct call *c = &seen.calls[seen.nr];

	assert_true(seen.nr < CALLS_MAX);
	seen.nr++;
	*c = (struct call){ .kind = kind, .now_ns = s->now_ns, .nr_cpus = s->nr_cpus };
	if (e) {
		assert_int_equal(e->now_ns, s->now_ns);
		assert_int_equal(s->cpus[e->index].cpu, e->cpu);
		c->cpu = e->cpu;
		c->this_cpu = e->this_cpu;
		c->flags = e->flags;
		c->foreign = e->foreign;
	}
	for (int i = 0; i < s->nr_cpus && i < 4; i++) {
		const struct cpu_load *l = &s->cpus[i];

		c->loads[i] = *l;
		assert_int_equal(l->wall_ns, s->now_ns);
		assert_true(l->idle_ns + l->iowait_ns <= l->wall_ns);
		assert_true(l->util <= 1024);
	}
}

static void log_start(void *state, const struct freq_snapshot *s, struct freq_actions *actions)
{
	actions->list[actions->nr].kind = FREQ_TARGET;
	actions->list[actions->nr++].value = seen.start_khz;
}

static void log_on_util(void *state, const struct util_event *event, const struct freq_snapshot *s,
	struct freq_actions *actions)
{
	note('h', s, event);
	if (!seen.queue_work || seen.pending)
		return;
	seen.pending = true;
	actions->list[actions->nr].kind = FREQ_QUEUE_IRQ_WORK;
	actions->list[actions->nr++].value = seen.own_thread;
}

static void log_work(void *state, const struct freq_snapshot *s, struct freq_actions *actions)
{
	note('w', s, NULL);
	seen.pending = false;
	actions->list[actions->nr].kind = FREQ_TARGET;
	actions->list[actions->nr++].value = seen.start_khz == 500000 ? 1000000 : 500000;
	seen.start_khz = (uint32_t)actions->list[0].value;
}

static const struct freq_governor log_governor = {
	.name = "log",
	.start = log_start,
	.on_util = log_on_util,
	.work = log_work,
};

static int log_init(struct driver_unit *u, int64_t *now_ns, struct driver_offer *ret)
{
	ret->range = (struct freq_limits){ 500000, 1000000 };
	ret->shared = seen.shared;
	ret->cur_khz = 1000000;
	return 0;
}

static int log_target(struct driver_unit *u, int64_t *now_ns, uint32_t khz,
	enum freq_relation relation, const struct freq_limits *limits, uint32_t *ret_khz)
{
	struct sim *s = u->hw->ctx;

	for (int i = 0; i < u->nr_cpus; i++)
		core_request(s->cpus[u->cpus[i]].core, khz);
	*now_ns += seen.driver_ns;
	*ret_khz = khz;
	return 0;
}

static const struct driver log_driver = {
	.name = "log",
	.init = log_init,
	.target = log_target,
};

static struct machine *scaled_machine(int cpus)
{
	struct machine *m = machine_new(cpus);

	m->min_khz = 500000;
	m->platform.aperfmperf = true;
	return m;
}

static void play(struct machine *m, struct ops_workload *o, const char *idle)
{
	struct run_result r;
	struct policy p;

	policy_make(&p, idle);
	p.governor = &log_governor;
	p.driver = &log_driver;
	r = run_checked(m, o, &p);
	result_release(&r);
	free(o);
	free(m);
}

static void begin(uint32_t khz)
{
	memset(&seen, 0, sizeof(seen));
	seen.start_khz = khz;
}

/* The last call of a kind at or before a time. */
static const struct call *last(char kind, int64_t ns)
{
	const struct call *found = NULL;

	for (int i = 0; i < seen.nr && seen.calls[i].now_ns <= ns; i++)
		if (seen.calls[i].kind == kind)
			found = &seen.calls[i];
	assert_non_null(found);
	return found;
}

static long double ramp(long double from, long double ms)
{
	return 1024 - (1024 - from) * powl(0.5L, ms / 1.048576L / 32);
}

/* A new task on an idle CPU begins with half of it, then grows as time passes at full speed. */
static void test_new_task(void **state)
{
	static const struct op ops[] = { { OP_RUN, .ns = 100 * MS } };
	struct ops_workload *o = ops_new(0);

	begin(1000000);
	ops_add(o, ops, 1, 1);
	play(scaled_machine(1), o, "deepest");
	assert_int_equal(seen.calls[0].flags & UTIL_ENQUEUE, UTIL_ENQUEUE);
	assert_int_equal(seen.calls[0].loads[0].util, 512);
	for (int ms = 8; ms <= 96; ms += 8) {
		const struct call *c = last('h', ms * MS + 100000);

		assert_int_equal(c->flags, UTIL_TICK);
		assert_true(fabsl(c->loads[0].util - ramp(512, (long double)c->now_ns / MS)) < 3);
	}
}

/* At half the frequency utilisation rises at half the speed, unless it is not scaled. */
static void test_invariance(void **state)
{
	static const struct op ops[] = { { OP_RUN, .ns = 100 * MS } };

	for (int scaled = 0; scaled < 2; scaled++) {
		struct machine *m = scaled_machine(1);
		struct ops_workload *o = ops_new(0);
		const struct call *c;

		begin(500000);
		m->platform.aperfmperf = scaled;
		ops_add(o, ops, 1, 1);
		play(m, o, "deepest");
		c = last('h', 96 * MS + 100000);
		/* The first tick, which comes at 4 ms, is the first to know of the frequency. */
		assert_true(fabsl(c->loads[0].util -
				    (scaled ? ramp(ramp(512, 4), 46) : ramp(512, 96))) < 12);
	}
}

/* What sleeps keeps its estimate from before while it is queued again, and idle time is told. */
static void test_estimate(void **state)
{
	static const struct op ops[] = { { OP_RUN, .ns = 30 * MS },
		{ OP_SLEEP_FOR, .ns = 200 * MS }, { OP_RUN, .ns = 1 * MS } };
	struct ops_workload *o = ops_new(0);
	const struct call *c, *asleep;

	begin(1000000);
	ops_add(o, ops, 3, 1);
	play(scaled_machine(1), o, "deepest");
	asleep = last('h', 32 * MS);
	assert_int_equal(asleep->flags, UTIL_DEQUEUE);
	c = last('h', 231 * MS);
	assert_int_equal(c->flags & UTIL_ENQUEUE, UTIL_ENQUEUE);
	/* By itself it would have fallen to less than 20. */
	assert_true(c->loads[0].util > 700 && c->loads[0].util <= asleep->loads[0].util + 800);
	assert_true(c->loads[0].idle_ns > 198 * MS && c->loads[0].idle_ns < 201 * MS);
	assert_int_equal(c->loads[0].iowait_ns, 0);
}

/* A sleeper takes its average along; its old CPU gives it up at its next update. */
static void test_migration(void **state)
{
	static const struct op moves[] = { { OP_RUN, .ns = 50 * MS }, { OP_WAIT, .target = 0 },
		{ OP_RUN, .ns = 8 * MS } };
	static const struct op holds[] = { { OP_SLEEP_FOR, .ns = 60 * MS },
		{ OP_SIGNAL, .target = 0 }, { OP_RUN, .ns = 30 * MS } };
	struct ops_workload *o = ops_new(1);
	const struct call *c = NULL;
	struct workload_task *t;
	uint32_t before;

	begin(1000000);
	seen.shared = true;
	t = ops_add(o, moves, 3, 1);
	t->first_cpu = 0;
	t = ops_add(o, holds, 3, 1);
	t->allowed[0] = 1; /* takes CPU 0 while the other one is to run */
	play(scaled_machine(2), o, "deepest");
	before = last('h', 52 * MS)->loads[0].util;
	assert_true(before > 800);
	for (int i = 0; i < seen.nr && !c; i++)
		if (seen.calls[i].kind == 'h' && seen.calls[i].cpu == 1)
			c = &seen.calls[i];
	assert_non_null(c);
	assert_int_equal(c->nr_cpus, 2);
	assert_int_equal(c->this_cpu, 0);
	assert_false(c->foreign); /* of the same policy */
	assert_true(c->flags & UTIL_MIGRATED);
	assert_true(c->loads[1].util > 500);
	/* CPU 0 has both for a moment, then only its own task's, which is new. */
	c = last('h', 80 * MS);
	assert_true(c->loads[0].util < 850);
}

/* While a real-time task is runnable the CPU counts as full. */
static void test_real_time(void **state)
{
	static const struct op ops[] = { { OP_SLEEP_FOR, .ns = 50 * MS },
		{ OP_RUN, .ns = 5 * MS } };
	static const struct op other[] = { { OP_SLEEP_FOR, .ns = 52 * MS },
		{ OP_RUN, .ns = 9 * MS } };
	struct ops_workload *o = ops_new(0);

	begin(1000000);
	ops_add(o, ops, 2, 1)->sched_class = TASK_RT;
	ops_add(o, other, 2, 1);
	play(scaled_machine(1), o, "deepest");
	assert_int_equal(last('h', 53 * MS)->loads[0].util, 1024);
	assert_true(last('h', 70 * MS)->loads[0].util < 1024);
}

/* Each policy of its own: a wake-up from elsewhere is foreign. */
static void test_foreign(void **state)
{
	static const struct op waits[] = { { OP_WAIT, .target = 0 }, { OP_RUN, .ns = MS } };
	static const struct op wakes[] = { { OP_RUN, .ns = 5 * MS }, { OP_SIGNAL, .target = 0 },
		{ OP_RUN, .ns = 5 * MS } };
	struct ops_workload *o = ops_new(1);
	bool found = false;

	begin(1000000);
	ops_add(o, waits, 2, 1)->allowed[0] = 2;
	ops_add(o, wakes, 3, 1)->allowed[0] = 1;
	play(scaled_machine(2), o, "deepest");
	for (int i = 0; i < seen.nr; i++) {
		const struct call *c = &seen.calls[i];

		assert_int_equal(c->nr_cpus, 1);
		assert_int_equal(c->foreign, c->kind == 'h' && c->cpu != c->this_cpu);
		found |= c->foreign && c->cpu == 1 && c->this_cpu == 0;
	}
	assert_true(found);
}

/*
 * An irq work and a worker: soon after the hook that asked for it, on that CPU; the driver's time
 * is spent there as system time.
 */
static void test_work(void **state)
{
	static const struct op ops[] = { { OP_RUN, .ns = 60 * MS } };

	for (int own = 0; own < 2; own++) {
		struct ops_workload *o = ops_new(0);
		struct machine *m = scaled_machine(1);
		struct run_result r;
		struct policy p;
		int64_t asked_ns = -1, worked_ns = 0;
		int works = 0;

		begin(1000000);
		seen.queue_work = true;
		seen.own_thread = own;
		seen.driver_ns = 300000;
		ops_add(o, ops, 1, 1);
		policy_make(&p, "deepest");
		p.governor = &log_governor;
		p.driver = &log_driver;
		r = run_checked(m, o, &p);
		for (int i = 0; i < seen.nr; i++) {
			const struct call *c = &seen.calls[i];

			/* A kworker's policy hears nothing while the driver is at it. */
			if (c->kind == 'h' && !own)
				assert_true(!works || c->now_ns >= worked_ns + 300000);
			if (c->kind == 'h' && asked_ns < 0)
				asked_ns = c->now_ns;
			if (c->kind != 'w')
				continue;
			works++;
			worked_ns = c->now_ns;
			/* The interrupt and the switch. At first a kworker has to wait for its
			 * turn, until the tick; the thread has not. */
			assert_true(asked_ns >= 0);
			if (works > 1 || own)
				assert_true(c->now_ns - asked_ns < 5000);
			else
				assert_true(c->now_ns - asked_ns > 4 * MS);
			asked_ns = -1;
		}
		assert_true(works >= 10);
		assert_true(r.cpus[0].system_ns >= (uint64_t)works * 300000);
		assert_true(r.cpus[0].system_ns < (uint64_t)works * 310000);
		result_release(&r);
		free(o);
		free(m);
	}
}

/* A CPU that sleeps without a tick calls no hook: nobody samples it. */
static void test_idle_is_not_sampled(void **state)
{
	static const struct op ops[] = { { OP_RUN, .ns = 2 * MS }, { OP_SLEEP_FOR, .ns = 300 * MS },
		{ OP_RUN, .ns = 2 * MS } };
	struct ops_workload *o = ops_new(0);
	int during = 0;

	begin(1000000);
	ops_add(o, ops, 3, 1);
	play(scaled_machine(1), o, "deepest");
	for (int i = 0; i < seen.nr; i++)
		during += seen.calls[i].now_ns > 10 * MS && seen.calls[i].now_ns < 300 * MS;
	assert_int_equal(during, 0);
	/* With the tick kept running it is. */
	o = ops_new(0);
	begin(1000000);
	ops_add(o, ops, 3, 1);
	play(scaled_machine(1), o, "poll");
	for (int i = 0; i < seen.nr; i++)
		during += seen.calls[i].now_ns > 10 * MS && seen.calls[i].now_ns < 300 * MS;
	assert_true(during > 60);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_new_task),
		cmocka_unit_test(test_invariance),
		cmocka_unit_test(test_estimate),
		cmocka_unit_test(test_migration),
		cmocka_unit_test(test_real_time),
		cmocka_unit_test(test_foreign),
		cmocka_unit_test(test_work),
		cmocka_unit_test(test_idle_is_not_sampled),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
