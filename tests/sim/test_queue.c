// SPDX-License-Identifier: GPL-2.0-or-later
#include "sim/queue.h"

#include "../cmocka_all.h"
#include "base/rng.h"

enum { NODES = 500, STEPS = 200000 };

/* Against the plain definition: the earliest time, of equal times the one set first. */
static int first_by_scan(const bool *used, const struct queue_key *key, int nr)
{
	int best = -1;

	for (int i = 0; i < nr; i++) {
		if (!used[i])
			continue;
		if (best < 0 || key[i].time_ns < key[best].time_ns ||
			(key[i].time_ns == key[best].time_ns && key[i].seq < key[best].seq))
			best = i;
	}
	return best;
}

static void test_order(void **state)
{
	struct node nodes[NODES];
	struct queue_key keys[NODES];
	bool used[NODES];
	struct queue q;
	struct rng rng;

	rng_init(&rng, 1, 0);
	assert_int_equal(queue_init(&q, NODES), 0);
	for (int i = 0; i < NODES; i++)
		node_init(&nodes[i], 0, NULL);
	for (int i = 0; i < STEPS; i++) {
		struct node *n = &nodes[rng_below(&rng, NODES)];
		int first;

		switch (rng_below(&rng, 4)) {
		case 0:
			queue_remove(&q, n);
			break;
		case 1:
			n = queue_first(&q);
			if (n)
				queue_remove(&q, n);
			break;
		default:
			queue_set(&q, n, (int64_t)rng_below(&rng, 100));
			keys[n - nodes] = (struct queue_key){ n->time_ns, q.seq };
		}
		if (i % 7)
			continue;
		for (int k = 0; k < NODES; k++)
			used[k] = node_queued(&nodes[k]);
		first = first_by_scan(used, keys, NODES);
		assert_ptr_equal(queue_first(&q), first < 0 ? NULL : &nodes[first]);
	}
	queue_release(&q);
}

static void slots_order(int nr)
{
	struct queue_key keys[NODES];
	bool used[NODES] = { false };
	struct slots s;
	struct rng rng;

	rng_init(&rng, 2, (uint64_t)nr);
	assert_int_equal(slots_init(&s, nr), 0);
	for (uint64_t i = 0; i < STEPS / 4; i++) {
		int slot = (int)rng_below(&rng, (uint64_t)nr), first;

		used[slot] = rng_below(&rng, 3);
		keys[slot] = (struct queue_key){ (int64_t)rng_below(&rng, 100), i };
		if (used[slot])
			slots_set(&s, slot, keys[slot]);
		else
			slots_clear(&s, slot);
		assert_int_equal(slots_used(&s, slot), used[slot]);
		if (i % 3)
			continue;
		first = first_by_scan(used, keys, nr);
		if (first < 0)
			assert_false(slots_used(&s, slots_first(&s)->slot));
		else
			assert_int_equal(slots_first(&s)->slot, first);
	}
	slots_release(&s);
}

static void test_slots(void **state)
{
	static const int numbers[] = { 1, 2, 3, 8, 120, NODES };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		slots_order(numbers[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_order),
		cmocka_unit_test(test_slots) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
