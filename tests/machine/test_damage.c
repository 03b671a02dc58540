// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Damaged files: cut off at every 1 %, and 1,000 random changes of each. Each gives one clear line
 * or a result, and never a crash, a hang or a second line. Under the sanitizers it also finds
 * leaks.
 */
#include "base/rng.h"
#include "base/units.h"
#include "machine/machine.h"
#include "machine/preset.h"
#include "../cmocka_all.h"
#include "files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MUTATIONS = 1000, SEED = 20261130 };

static int load_machine(const char *text, size_t size, struct error *err)
{
	struct machine *m = NULL;
	int r = machine_load_text("f", text, size, &m, err);

	assert_true(r ? !m : m->nr_cpus > 0);
	machine_free(m);
	return r;
}

static int load_preset(const char *text, size_t size, struct error *err)
{
	struct policy p;

	policy_defaults(&p);
	return preset_apply_text("f", text, size, &p, err);
}

static const struct {
	const char *path;
	int (*load)(const char *text, size_t size, struct error *err);
} files[] = {
	{ MACHINES_DIR "/i7-2600k.yaml", load_machine },
	{ MACHINES_DIR "/epyc-guest.yaml", load_machine },
	{ MACHINES_DIR "/haswell-8cpu.yaml", load_machine },
	{ POLICIES_DIR "/performance.yaml", load_preset },
	{ POLICIES_DIR "/guest-haltpoll.yaml", load_preset },
};

/* What one attempt must hold. 1: refused. */
static int attempt(int i, const char *text, size_t size)
{
	struct error err = { "" };
	int r = files[i].load(text, size, &err);

	if (!r)
		return 0;
	assert_int_equal(r, -EINVAL);
	assert_int_equal(strncmp(err.text, "f:", 2), 0);
	assert_null(strchr(err.text, '\n'));
	return 1;
}

static void test_truncation(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		char *text = file_text(files[i].path);
		size_t size = strlen(text);
		int refused = 0;

		for (size_t percent = 0; percent < 100; percent++)
			refused += attempt((int)i, text, size * percent / 100);
		printf("%s: %d of 100 refused\n", files[i].path, refused);
		assert_true(refused > (files[i].load == load_machine ? 90 : 0));
		free(text);
	}
}

static size_t mutate(struct rng *rng, char *text, size_t size)
{
	size_t at = rng_below(rng, size), len = 1 + rng_below(rng, 8);

	if (len > size - at)
		len = size - at;
	switch (rng_below(rng, 4)) {
	case 0:
		text[at] = (char)rng_below(rng, 256);
		break;
	case 1:
		text[at] ^= (char)(1 << rng_below(rng, 8));
		break;
	case 2: /* take out */
		memmove(text + at, text + at + len, size - at - len);
		size -= len;
		break;
	default: /* copy a piece elsewhere over */
		memmove(text + rng_below(rng, size - len + 1), text + at, len);
	}
	return size;
}

static void test_mutation(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		char *text = file_text(files[i].path);
		size_t size = strlen(text);
		char *copy = malloc(size + 1);
		int refused = 0;

		printf("%s: seed %d\n", files[i].path, SEED);
		for (int n = 0; n < MUTATIONS; n++) {
			struct rng rng;
			size_t left = size;

			rng_init(&rng, SEED, (uint64_t)n);
			memcpy(copy, text, size);
			for (uint64_t k = 1 + rng_below(&rng, 4); k; k--)
				left = mutate(&rng, copy, left);
			refused += attempt((int)i, copy, left);
		}
		printf("%s: %d of %d refused\n", files[i].path, refused, MUTATIONS);
		assert_true(refused > MUTATIONS / 4);
		free(copy);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_truncation),
		cmocka_unit_test(test_mutation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
