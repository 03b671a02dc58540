// SPDX-License-Identifier: GPL-2.0-or-later
/* Every parameter that a driver lists is one that it takes, and auto takes those of all. */
#include "record.h"

#include "policy/registry.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *example(const struct driver_parameter *p, char *buf, size_t size)
{
	if (!strncmp(p->values, "NAME", 4))
		return "performance";
	assert_true(strcspn(p->values, "|.") < size);
	memcpy(buf, p->values, strcspn(p->values, "|."));
	buf[strcspn(p->values, "|.")] = 0;
	return buf;
}

static int try_on(const struct driver *d, const char *name, const char *value)
{
	void *shared = calloc(1, d->shared_size + 1);
	int r = d->tune(shared, name, value);

	free(shared);
	return r;
}

static void test_listed(void **state)
{
	int seen = 0;

	for (const struct driver *const *d = drivers; *d; d++) {
		const struct driver_parameter *p = (*d)->parameters;

		if ((*d)->tune && *d != &driver_auto)
			assert_non_null(p);
		for (; p && p->name; p++, seen++) {
			char buf[16];
			const char *value = example(p, buf, sizeof(buf));

			print_message("%s %s=%s\n", (*d)->name, p->name, value);
			assert_int_equal(try_on(*d, p->name, value), 0);
			assert_int_equal(try_on(&driver_auto, p->name, value), 0);
			assert_int_equal(try_on(*d, p->name, "no-such-value"), -EINVAL);
		}
	}
	assert_true(seen > 15);
	assert_int_equal(try_on(&driver_auto, "no-such-key", "1"), -ENOENT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_listed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
