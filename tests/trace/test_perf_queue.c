// SPDX-License-Identifier: GPL-2.0-or-later
/* Rounds of several CPUs' events: all come out once, in order, and never more is held than may be.
 */
#include "../cmocka_all.h"

#include "base/rng.h"
#include "base/units.h"
#include "trace/perf_queue.h"

enum { CPUS = 5, ROUNDS = 40, EVENTS_MAX = 20000 };

struct taken {
	size_t n, back; /* back: times that went back */
	uint64_t last, last_cpu;
	uint8_t seen[EVENTS_MAX];
};

static void add(struct perf_queue *q, uint64_t time, uint32_t cpu, size_t number)
{
	struct queued *e = perf_queue_add(q, time, cpu);

	assert_non_null(e);
	assert_true(number < EVENTS_MAX);
	e->ev.object = number;
}

static void take_all(struct perf_queue *q, struct taken *t)
{
	const struct queued *e;

	while ((e = perf_queue_take(q))) {
		uint64_t time = e->ev.time_ns, cpu = (uint64_t)e->ev.cpu;

		if (time < t->last || (time == t->last && cpu < t->last_cpu))
			t->back++;
		t->last = time;
		t->last_cpu = cpu;
		assert_int_equal(t->seen[e->ev.object]++, 0);
		t->n++;
	}
}

/*
 * Each CPU's buffer is emptied in turn while time goes on, so a round holds events that are later
 * than some of the next; a step back within a CPU is an interrupt's event.
 */
static size_t random_rounds(struct perf_queue *q, uint64_t seed, struct taken *t)
{
	uint64_t now = 1000, done[CPUS] = { 0 };
	struct rng rng;
	size_t n = 0;

	rng_init(&rng, seed, 0);
	for (int round = 0; round < ROUNDS; round++) {
		for (uint32_t cpu = 0; cpu < CPUS; cpu++) {
			uint64_t at = done[cpu] ? done[cpu] : 1000;

			now += rng_below(&rng, 500);
			while (at < now && n + 2 < EVENTS_MAX) {
				if (!rng_below(&rng, 10))
					add(q, at + 3, cpu, n++);
				add(q, at, cpu, n++);
				at += 4 + rng_below(&rng, 60);
			}
			done[cpu] = at;
		}
		assert_int_equal(perf_queue_round(q), 0);
		take_all(q, t);
	}
	assert_int_equal(perf_queue_end(q), 0);
	take_all(q, t);
	return n;
}

static void test_rounds(void **state)
{
	for (uint64_t seed = 0; seed < 20; seed++) {
		struct taken t = { 0 };
		struct perf_queue q;
		size_t n;

		perf_queue_init(&q, PERF_QUEUE_MAX);
		n = random_rounds(&q, seed, &t);
		if (t.n != n || n < 1000 || t.back)
			fail_msg("seed %lu: %zu of %zu events, %zu out of order",
				(unsigned long)seed, t.n, n, t.back);
		perf_queue_release(&q);
	}
}

/* What a round's end lets go is what is not later than the round before it. */
static void test_limit(void **state)
{
	struct perf_queue q;
	const struct queued *e;

	perf_queue_init(&q, PERF_QUEUE_MAX);
	add(&q, 10, 0, 0);
	add(&q, 30, 0, 1);
	assert_int_equal(perf_queue_round(&q), 0);
	assert_null(perf_queue_take(&q));
	add(&q, 20, 1, 2);
	add(&q, 31, 1, 3);
	assert_int_equal(perf_queue_round(&q), 0);
	for (uint64_t want = 10; want <= 30; want += 10) {
		e = perf_queue_take(&q);
		assert_non_null(e);
		assert_int_equal(e->ev.time_ns, want);
	}
	assert_null(perf_queue_take(&q));
	assert_int_equal(perf_queue_end(&q), 0);
	e = perf_queue_take(&q);
	assert_non_null(e);
	assert_int_equal(e->ev.object, 3);
	perf_queue_release(&q);
}

/* A round without an end: memory stays, nothing is lost, and what is in order stays so. */
static void test_bound(void **state)
{
	enum { MAX = 100 };
	struct perf_queue q;
	struct taken t = { 0 };

	perf_queue_init(&q, MAX);
	for (size_t i = 0; i < 5000; i++) {
		add(&q, 1000 + i, i % CPUS, i);
		assert_true(q.in.nr <= MAX);
		if (!perf_queue_full(&q))
			continue;
		assert_int_equal(perf_queue_half(&q), 0);
		take_all(&q, &t);
	}
	assert_true(t.n > 4800);
	assert_int_equal(perf_queue_end(&q), 0);
	take_all(&q, &t);
	assert_int_equal(t.n, 5000);
	assert_int_equal(t.back, 0);
	assert_true(q.in.capacity <= 1024 && q.out.capacity <= 1024);
	perf_queue_release(&q);
}

/* perf record --overwrite writes the newest first. */
static void test_backward(void **state)
{
	struct perf_queue q;
	struct taken t = { 0 };

	perf_queue_init(&q, PERF_QUEUE_MAX);
	for (size_t i = 0; i < EVENTS_MAX; i++)
		add(&q, EVENTS_MAX - i, 0, i);
	assert_int_equal(perf_queue_end(&q), 0);
	take_all(&q, &t);
	assert_int_equal(t.n, EVENTS_MAX);
	assert_int_equal(t.back, 0);
	perf_queue_release(&q);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rounds),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_bound),
		cmocka_unit_test(test_backward),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
