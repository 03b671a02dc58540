// SPDX-License-Identifier: GPL-2.0-or-later
#include "sim/queue.h"

#include "../cmocka_all.h"
#include "base/rng.h"

enum { NODES = 500, STEPS = 200000 };

/* Against the plain definition: the earliest time, of equal times the one set first. */
static struct node *first_by_scan(struct node *nodes)
{
	struct node *best = NULL;

	for (int i = 0; i < NODES; i++) {
		struct node *n = &nodes[i];

		if (!node_queued(n))
			continue;
		if (!best || n->time_ns < best->time_ns ||
			(n->time_ns == best->time_ns && n->seq < best->seq))
			best = n;
	}
	return best;
}

static void test_order(void **state)
{
	struct node nodes[NODES];
	struct queue q;
	struct rng rng;

	rng_init(&rng, 1, 0);
	assert_int_equal(queue_init(&q, NODES), 0);
	for (int i = 0; i < NODES; i++)
		node_init(&nodes[i], 0, NULL);
	for (int i = 0; i < STEPS; i++) {
		struct node *n = &nodes[rng_below(&rng, NODES)];

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
		}
		if (i % 7 == 0)
			assert_ptr_equal(queue_first(&q), first_by_scan(nodes));
	}
	queue_release(&q);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_order) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
