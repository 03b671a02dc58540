// SPDX-License-Identifier: GPL-2.0-or-later
#include "../cmocka_all.h"

#include "base/units.h"
#include "host/plugin_compile.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *name, *messages, *missing;
} rows[] = {
	{ "nothing", "", "" },
	{ "gcc function", "x.c:1:2: error: implicit declaration of function 'cpu_rq' [-Werror]\n",
		"cpu_rq" },
	{ "gcc variable", "x.c:1:2: error: 'nr_cpu_ids' undeclared (first use in this function)\n",
		"nr_cpu_ids" },
	{ "gcc type", "x.c:7:9: error: unknown type name 'cpumask_t'\n", "cpumask_t" },
	{ "gcc member", "x.c:8:55: error: 'struct cpuidle_device' has no member named 'kobjs'\n",
		"kobjs" },
	{ "gcc header",
		"x.c:1:10: fatal error: linux/pm_qos.h: No such file or directory\n"
		"compilation terminated.\n",
		"linux/pm_qos.h" },
	{ "gcc structure", "x.c:9:1: error: invalid use of undefined type 'struct rq'\n",
		"struct rq" },
	{ "gcc macro",
		"x.c:3:8: error: type defaults to 'int' in declaration of 'DEFINE_MUTEX' [-W]\n",
		"DEFINE_MUTEX" },
	{ "clang function",
		"x.c:8:20: error: implicit declaration of function 'cpu_rq' is invalid in C99\n",
		"cpu_rq" },
	{ "newer clang function",
		"x.c:8:20: error: call to undeclared function 'cpu_rq'; ISO C99 and later\n",
		"cpu_rq" },
	{ "clang variable", "x.c:6:23: error: use of undeclared identifier 'nr_cpu_ids'\n",
		"nr_cpu_ids" },
	{ "clang member", "x.c:8:5: error: no member named 'kobjs' in 'struct cpuidle_device'\n",
		"kobjs" },
	{ "clang header", "x.c:1:10: fatal error: 'linux/pm_qos.h' file not found\n",
		"linux/pm_qos.h" },
	{ "clang structure", "x.c:1:3: error: incomplete definition of type 'struct rq'\n",
		"struct rq" },
	{ "linker", "ld: /tmp/x.o: in function `f':\nx.c:(.text+0x1): undefined reference to `g'\n",
		"g" },
	{ "several, each once",
		"x.c:1:2: error: 'a' undeclared (first use in this function)\n"
		"x.c:2:2: error: 'b' undeclared (first use in this function)\n"
		"x.c:3:2: error: 'a' undeclared (first use in this function)\n",
		"a, b" },
	{ "one name inside another",
		"x.c:1:2: error: 'cpu_rq' undeclared (first use in this function)\n"
		"x.c:2:2: error: 'cpu' undeclared (first use in this function)\n",
		"cpu_rq, cpu" },
	{ "a syntax error is nothing missing", "x.c:1:2: error: expected ';' before '}' token\n",
		"" },
	{ "cut off", "x.c:1:2: error: 'a' undecl", "" },
};

static void names_what_is_missing(void **state)
{
	int failed = 0;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char missing[512];

		compile_missing(rows[i].messages, missing, sizeof(missing));
		if (!strcmp(missing, rows[i].missing))
			continue;
		print_error("%s: '%s'\n", rows[i].name, missing);
		failed++;
	}
	assert_int_equal(failed, 0);
}

static void list_has_a_bound(void **state)
{
	char messages[4096] = "", missing[64];

	for (int i = 0; i < 60; i++)
		snprintf(messages + strlen(messages), sizeof(messages) - strlen(messages),
			"x.c: error: 'name%d' undeclared\n", i);
	compile_missing(messages, missing, sizeof(missing));
	assert_int_equal(strlen(missing), sizeof(missing) - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_what_is_missing),
		cmocka_unit_test(list_has_a_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
