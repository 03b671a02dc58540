// SPDX-License-Identifier: GPL-2.0-or-later
/* Small workloads whose time line can be worked out by hand. */
#include "fixture.h"

/* The task wakes at time 0, when the CPU is on its way into idle: entry with the tick's stop,
 * exit with its restart, and the switch. */
enum { START_NS = 300 + 500 + 200 + 500 + 1000 };

static void test_run_alone(void **state)
{
	static const struct op ops[] = { { OP_RUN, .cycles = 5000000, .ns = 1000000 } };
	struct machine *m = machine_new(1);
	struct ops_workload *o = ops_new(0);
	struct run_result r;
	struct policy p;

	policy_make(&p, "deepest");
	ops_add(o, ops, 1, 1);
	r = run_checked(m, o, &p);
	/* Then 5 ms of cycles and 1 ms that do not scale, and one tick of 2 us. */
	assert_int_equal(r.elapsed_ns, START_NS + 6000000 + 2000);
	assert_int_equal(r.cpus[0].user_ns, 6000000);
	assert_int_equal(r.cpus[0].system_ns, 1000);
	assert_int_equal(r.cpus[0].irq_ns, 2000);
	assert_int_equal(r.counters.ticks, 1);
	result_release(&r);
	free(o);
	free(m);
}

static void test_speed(void **state)
{
	static const struct op ops[] = { { OP_RUN, .cycles = 50000000, .ns = 1000000 } };
	struct machine *m = machine_new(1);
	struct ops_workload *o = ops_new(0);
	struct run_result r;
	struct policy p;

	policy_make(&p, "deepest");
	m->costs.tick_ns = 0;
	m->ipc_permille = 2000;
	ops_add(o, ops, 1, 1);
	r = run_checked(m, o, &p);
	assert_int_equal(r.elapsed_ns, START_NS + 25000000 + 1000000);
	result_release(&r);
	free(o);
	free(m);
}

/* One sleep of each kind on an idle machine: which state, how long until the task runs again. */
static void test_sleep(void **state)
{
	static const struct {
		const char *name;
		struct op op;
		const char *idle;
		uint64_t extra_ns; /* elapsed beyond start-up, run and sleep */
	} rows[] = {
		/* idle entry lies inside the sleep; C2 wakes in 100 us; then handler and exit */
		{ "timer, C2", { OP_SLEEP_FOR, .ns = 3000000 }, "deepest",
			100000 + 800 + 200 + 1000 },
		{ "timer, C1", { OP_SLEEP_FOR, .ns = 3000000 }, "state:1",
			10000 + 800 + 200 + 1000 },
		/* polling keeps the tick: the start is shorter by its stop and restart */
		{ "timer, poll", { OP_SLEEP_FOR, .ns = 3000000 }, "poll", 800 + 200 + 1000 - 1000 },
		{ "until", { OP_SLEEP_UNTIL, .ns = 3000000 }, "state:1", 0 },
		{ "device, C1", { OP_IO, .ns = 3000000 }, "state:1",
			10000 + 700 + 200 + 500 + 1000 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct op ops[] = { { OP_RUN, .cycles = 100000 }, rows[i].op,
			{ OP_RUN, .cycles = 100000 } };
		struct machine *m = machine_new(1);
		struct ops_workload *o = ops_new(0);
		struct run_result r;
		struct policy p;
		uint64_t want = START_NS + 200000 + 3000000 + rows[i].extra_ns;

		m->costs.tick_ns = 0;
		policy_make(&p, rows[i].idle);
		p.poll_limit = POLL_LIMIT_NONE;
		if (rows[i].op.kind == OP_SLEEP_UNTIL)
			want = 3000000 + 10000 + 800 + 200 + 1000 + 100000;
		ops_add(o, ops, 3, 1);
		r = run_checked(m, o, &p);
		if (r.elapsed_ns != want)
			fail_msg("%s: elapsed %llu, expected %llu", rows[i].name,
				(unsigned long long)r.elapsed_ns, (unsigned long long)want);
		result_release(&r);
		free(o);
		free(m);
	}
}

/* Two tasks on two CPUs: signal, wait, and back. */
static struct ops_workload *pingpong(int loops)
{
	static const struct op a[] = { { OP_RUN, .cycles = 1000 }, { OP_SIGNAL, .target = 0 },
		{ OP_WAIT, .target = 1 }, { OP_COUNT, .cycles = 1 } };
	static const struct op b[] = { { OP_WAIT, .target = 0 }, { OP_RUN, .cycles = 1000 },
		{ OP_SIGNAL, .target = 1 } };
	struct ops_workload *o = ops_new(2);

	ops_add(o, a, 4, loops)->first_cpu = 0;
	ops_add(o, b, 3, loops)->first_cpu = 1;
	o->w.nr_metrics = 1;
	o->w.metrics[0] =
		(struct workload_metric){ "usecs_per_loop", "us", false, METRIC_USECS_PER_OP };
	return o;
}

/* sched=recorded: the second task starts where it was recorded, moves in the middle of its run, and
 * the first, which then runs there, gives way to it as it did. */
static void test_as_recorded(void **state)
{
	static const struct op a[] = { { OP_RUN, .cycles = 1000000, .target = 2 },
		{ OP_RUN, .flags = OP_GAVE_WAY, .cycles = 1000000, .target = 2 } };
	static const struct op b[] = { { OP_RUN, .cycles = 500000, .target = 1 },
		{ OP_RUN, .cycles = 700000, .target = 2 } };
	struct machine *m = machine_new(2);
	struct ops_workload *o = ops_new(0);
	struct run_result r;
	struct error err;
	struct policy p;

	policy_make(&p, "deepest");
	assert_int_equal(policy_set(&p, "sched", "recorded", &err), 0);
	ops_add(o, a, 2, 1)->first_cpu = 1;
	ops_add(o, b, 2, 1)->first_cpu = 0;
	r = run_checked(m, o, &p);
	assert_int_equal(r.cpus[0].user_ns, 500000);
	assert_int_equal(r.cpus[1].user_ns, 2700000);
	assert_int_equal(r.counters.migrations, 1);
	/* In, to the second at the first's end of run, back, and out on both. */
	assert_int_equal(r.counters.switches, 2 + 1 + 1 + 2);
	result_release(&r);
	free(o);
	free(m);
}

/* A state that takes 50 us to settle costs 50 us of the power of polling each time, less when left
 * earlier. */
static void test_settling(void **state)
{
	static const struct op ops[] = { { OP_RUN, .cycles = 100000 },
		{ OP_SLEEP_FOR, .ns = 200000 }, { OP_RUN, .cycles = 100000 },
		{ OP_SLEEP_FOR, .ns = 30000 } };
	uint64_t uj[2];

	for (int i = 0; i < 2; i++) {
		struct machine *m = machine_new(1);
		struct ops_workload *o = ops_new(0);
		struct run_result r;
		struct policy p;

		m->idle_real[1].settle_ns = i ? 50000 : 0;
		policy_make(&p, "state:1");
		ops_add(o, ops, 4, 10);
		r = run_checked(m, o, &p);
		uj[i] = r.package_uj;
		result_release(&r);
		free(o);
		free(m);
	}
	/* 1 W more for 50 us, ten times, and for what is left of 30 us; and once before the start.
	 */
	assert_in_range(uj[1] - uj[0], 10 * (50 + 20), 10 * (50 + 40) + 50);
}

/* The package's own way back is added when all of its cores sleep, and not while one runs. */
static void test_package_wake(void **state)
{
	static const struct op sleeps[] = { { OP_SLEEP_FOR, .ns = 3000000 },
		{ OP_RUN, .cycles = 700000 } };
	static const struct op runs[] = { { OP_RUN, .cycles = 100000000 } };
	uint64_t ns[2][2];

	for (int i = 0; i < 4; i++) {
		struct machine *m = machine_new(2);
		struct ops_workload *o = ops_new(0);
		struct run_result r;
		struct policy p;

		m->idle_real[2].package_wake_ns = i & 1 ? 50000 : 0;
		policy_make(&p, "deepest");
		ops_add(o, sleeps, 2, 10)->allowed[0] = 1;
		if (i & 2) {
			struct workload_task *t = ops_add(o, runs, 1, 1);

			t->allowed[0] = 2;
			t->service = true; /* the end does not wait for it */
		}
		r = run_checked(m, o, &p);
		ns[i / 2][i & 1] = r.elapsed_ns;
		result_release(&r);
		free(o);
		free(m);
	}
	assert_in_range(ns[0][1] - ns[0][0], 10 * 50000 - 5000, 11 * 50000);
	assert_int_equal(ns[1][1], ns[1][0]);
}

static void test_poll_beats_halt(void **state)
{
	static const char *const idle[] = { "poll", "state:1", "deepest" };
	uint64_t last = 0;

	for (size_t i = 0; i < ARRAY_LEN(idle); i++) {
		struct machine *m = machine_new(2);
		struct ops_workload *o = pingpong(1000);
		struct run_result r;
		struct policy p;

		policy_make(&p, idle[i]);
		r = run_checked(m, o, &p);
		assert_int_equal(r.operations, 1000);
		assert_true(r.elapsed_ns > last);
		last = r.elapsed_ns;
		if (i == 0)
			assert_true(r.idle[0].usage > 1900);
		else
			assert_true(r.counters.ipis > 1900);
		result_release(&r);
		free(o);
		free(m);
	}
}

static void test_pinned_to_one_cpu(void **state)
{
	struct machine *m = machine_new(2);
	struct ops_workload *o = pingpong(1000);
	struct run_result r;
	struct policy p;

	policy_make(&p, "state:1");
	o->defs[0].allowed[0] = o->defs[1].allowed[0] = 2;
	m->costs.tick_ns = 0;
	r = run_checked(m, o, &p);
	/* Two runs of 1 us and two switches of 1 us per loop; starting costs a little. */
	assert_true(r.elapsed_ns >= 4000000 && r.elapsed_ns < 4010000);
	assert_int_equal(r.counters.ipis, 0);
	assert_int_equal(r.cpus[0].busy_ns, 0);
	result_release(&r);
	free(o);
	free(m);
}

static void test_fair_share(void **state)
{
	static const struct op ops[] = { { OP_RUN, .cycles = 1000000000 } };
	struct machine *m = machine_new(1);
	struct ops_workload *o = ops_new(0);
	struct run_result r;
	struct policy p;

	policy_make(&p, "deepest");
	m->costs.tick_ns = 0;
	for (int i = 0; i < 4; i++)
		ops_add(o, ops, 1, 1)->nice = i == 3 ? 5 : 0;
	r = run_checked(m, o, &p);
	assert_true(r.elapsed_ns > 4000000000 && r.elapsed_ns < 4010000000);
	assert_true(r.counters.switches > 500); /* slices of some ms */
	result_release(&r);
	free(o);
	free(m);
}

static void test_balance(void **state)
{
	static const struct op ops[] = { { OP_RUN, .cycles = 1000000000 } };
	struct machine *m = machine_new(4);
	struct ops_workload *o = ops_new(0);
	struct run_result r;
	struct policy p;

	policy_make(&p, "deepest");
	m->costs.tick_ns = 0;
	for (int i = 0; i < 4; i++)
		ops_add(o, ops, 1, 1)->first_cpu = 0;
	r = run_checked(m, o, &p);
	/* Placement or balance spreads them: four CPUs do four times the work. */
	assert_true(r.elapsed_ns < 1050000000);
	result_release(&r);
	free(o);
	free(m);
}

static void test_tick_while_idle(void **state)
{
	static const struct op ops[] = { { OP_SLEEP_FOR, .ns = 1000000000 } };
	static const struct {
		const char *tick;
		uint64_t low, high;
	} rows[] = { { "select-first", 0, 2 }, { "stop-first", 0, 2 }, { "periodic", 499, 501 } };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct machine *m = machine_new(2);
		struct ops_workload *o = ops_new(0);
		struct run_result r;
		struct policy p;
		struct error err;

		policy_make(&p, "deepest");
		assert_int_equal(policy_set(&p, "tick", rows[i].tick, &err), 0);
		ops_add(o, ops, 1, 1);
		r = run_checked(m, o, &p);
		if (r.counters.ticks < rows[i].low || r.counters.ticks > rows[i].high)
			fail_msg("%s: %llu ticks", rows[i].tick,
				(unsigned long long)r.counters.ticks);
		result_release(&r);
		free(o);
		free(m);
	}
}

static void test_energy(void **state)
{
	/* One second of running on one CPU of two, the other one in C2. */
	static const struct op ops[] = { { OP_RUN, .cycles = 1000000000 } };
	struct machine *m = machine_new(2);
	struct ops_workload *o = ops_new(0);
	struct run_result r;
	struct policy p;
	double want = 2000 + 100 + 2000; /* mW: core 0, core 1, uncore */

	policy_make(&p, "deepest");
	m->costs.tick_ns = 0;
	ops_add(o, ops, 1, 1)->first_cpu = 0;
	r = run_checked(m, o, &p);
	assert_true((double)r.package_uj > want * 1000 * 0.999);
	assert_true((double)r.package_uj < want * 1000 * 1.001);
	result_release(&r);
	free(o);
	free(m);
}

static void test_deadlock_is_named(void **state)
{
	static const struct op ops[] = { { OP_WAIT, .target = 0 } };
	struct machine *m = machine_new(1);
	struct ops_workload *o = ops_new(1);
	struct sim_options options = { .seed = 1, .check = true };
	struct run_result r;
	struct error err;
	struct policy p;

	policy_make(&p, "deepest");
	strcpy(ops_add(o, ops, 1, 1)->name, "waiter");
	assert_int_equal(sim_run(m, &o->w, &p, &options, &r, &err), -EDEADLK);
	assert_non_null(strstr(err.text, "waiter"));
	free(o);
	free(m);
}

static void test_endless_program_is_named(void **state)
{
	static const struct op ops[] = { { OP_SIGNAL, .target = 0 } };
	struct machine *m = machine_new(1);
	struct ops_workload *o = ops_new(1);
	struct sim_options options = { .seed = 1 };
	struct run_result r;
	struct error err;
	struct policy p;

	policy_make(&p, "deepest");
	ops_add(o, ops, 1, INT32_MAX);
	assert_int_equal(sim_run(m, &o->w, &p, &options, &r, &err), -ELOOP);
	free(o);
	free(m);
}

static void test_same_seed_same_result(void **state)
{
	struct machine *m = machine_new(2);
	struct ops_workload *o = pingpong(500);
	struct run_result a, b;
	struct policy p;

	policy_make(&p, "haltpoll@6.1");
	a = run_checked(m, o, &p);
	b = run_checked(m, o, &p);
	assert_int_equal(a.elapsed_ns, b.elapsed_ns);
	assert_int_equal(a.package_uj, b.package_uj);
	assert_memory_equal(&a.counters, &b.counters, sizeof(a.counters));
	assert_memory_equal(a.idle, b.idle, sizeof(a.idle));
	result_release(&a);
	result_release(&b);
	free(o);
	free(m);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_run_alone),
		cmocka_unit_test(test_speed),
		cmocka_unit_test(test_sleep),
		cmocka_unit_test(test_as_recorded),
		cmocka_unit_test(test_settling),
		cmocka_unit_test(test_package_wake),
		cmocka_unit_test(test_poll_beats_halt),
		cmocka_unit_test(test_pinned_to_one_cpu),
		cmocka_unit_test(test_fair_share),
		cmocka_unit_test(test_balance),
		cmocka_unit_test(test_tick_while_idle),
		cmocka_unit_test(test_energy),
		cmocka_unit_test(test_deadlock_is_named),
		cmocka_unit_test(test_endless_program_is_named),
		cmocka_unit_test(test_same_seed_same_result),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
