// SPDX-License-Identifier: GPL-2.0-or-later
/* Whatever the events: signals and waits match, no run time is lost or made up. */
#include "../cmocka_all.h"
#include "base/rng.h"
#include "build_bytes.h"

enum { SEEDS = 1000, BYTES = 6000 };

static void test_random(void **state)
{
	static uint8_t data[BYTES];
	size_t ops = 0;

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct rng rng;

		rng_init(&rng, seed, 0);
		for (int i = 0; i < BYTES; i++)
			data[i] = (uint8_t)rng_next(&rng);
		if (seed % 2) /* only events that make sense */
			for (int i = 0; i < BYTES; i += 6) {
				data[i] |= 0x80;
				data[i + 1] |= 0x80;
			}
		if (seed % 100 == 1)
			print_message("seeds from %llu\n", (unsigned long long)seed);
		ops += build_bytes(data, BYTES);
	}
	/* Each seed has a thousand events: hardly any ops would mean that nothing was tested. */
	assert_true(ops > SEEDS * 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
