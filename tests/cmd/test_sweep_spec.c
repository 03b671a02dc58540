// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/progress.h"
#include "cmd/sweep_spec.h"

#include "../cmocka_all.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define GRID(rest) "grids: [{machines: [a, b], workloads: [w], policies: [p]" rest "}]\n"

/* Each run as MACHINE,WORKLOAD,POLICY,SEED/ITERATION. */
static const struct {
	const char *name, *text, *expected;
} rows[] = {
	{ "grid", GRID(""), "a,w,p,1/0 b,w,p,1/0 " },
	{ "seeds", GRID(", seeds: \"3-4, 9\""),
		"a,w,p,3/0 a,w,p,4/1 a,w,p,9/2 b,w,p,3/0 b,w,p,4/1 b,w,p,9/2 " },
	{ "key of policies", GRID(", keys: [{key: k, values: [1, 2]}]"),
		"a,w,p:k=1,1/0 a,w,p:k=2,1/0 b,w,p:k=1,1/0 b,w,p:k=2,1/0 " },
	{ "key of machines", GRID(", keys: [{key: k, of: machine, values: [1, 2]}]"),
		"a:k=1,w,p,1/0 a:k=2,w,p,1/0 b:k=1,w,p,1/0 b:k=2,w,p,1/0 " },
	{ "two keys",
		GRID(", keys: [{key: k, of: workload, values: [1]}, "
		     "{key: l, of: workload, values: [2, 3]}]"),
		"a,w:k=1,l=2,p,1/0 a,w:k=1,l=3,p,1/0 b,w:k=1,l=2,p,1/0 b,w:k=1,l=3,p,1/0 " },
	{ "policy without preset",
		"grids: [{machines: [a], workloads: [w], policies: ['idle=state:1'], "
		"keys: [{key: k, values: [1]}]}]\n",
		"a,w,idle=state:1,k=1,1/0 " },
	{ "value with a comma",
		"grids: [{machines: [a], workloads: [w], policies: [p], "
		"keys: [{key: online, of: machine, values: ['0,2-3']}]}]\n",
		"a:online=0,2-3,w,p,1/0 " },
	{ "runs",
		"runs: [{machine: a, workload: w, policy: p, seeds: 7}, "
		"{machine: a, workload: v, policy: p}]\n",
		"a,w,p,7/0 a,v,p,1/0 " },
	{ "grids before runs", "runs: [{machine: z, workload: w, policy: p}]\n" GRID(""),
		"a,w,p,1/0 b,w,p,1/0 z,w,p,1/0 " },
	{ "more than a million runs",
		"grids: [{machines: [a, b], workloads: [w], policies: [p], seeds: 1-500001}]\n",
		"s.yaml:2: grids: more than 1000000 runs" },
	{ "key twice", GRID(", keys: [{key: k, values: [1]}, {key: k, values: [1]}]"),
		"s.yaml:2: grids.keys: 'p:k=1' has a key 'k' already" },
	{ "seeds backwards", GRID(", seeds: 4-3"),
		"s.yaml:2: grids.seeds: '4-3', expected seeds such as 1-10,20" },
	{ "seed too large", GRID(", seeds: 9223372036854775807"),
		"s.yaml:2: grids.seeds: '9223372036854775807', expected seeds such as 1-10,20" },
	{ "seeds with an end", GRID(", seeds: '1,'"),
		"s.yaml:2: grids.seeds: '1,', expected seeds such as 1-10,20" },
};

static const char *runs_of(const struct sweep_spec *spec)
{
	static char text[1024];
	size_t n = 0;

	text[0] = 0;
	for (int i = 0; i < spec->nr && n < sizeof(text); i++) {
		const struct sweep_run *r = &spec->runs[i];

		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s,%s,%s,%llu/%d ",
			spec->machines.list[r->machine], spec->workloads.list[r->workload],
			spec->policies.list[r->policy], (unsigned long long)r->seed, r->iteration);
	}
	return text;
}

static void test_runs(void **state)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct sweep_spec spec;
		struct error err = { "" };
		char text[512];
		const char *got;
		int rc;

		snprintf(text, sizeof(text), "schema: 1\n%s", rows[i].text);
		rc = sweep_spec_parse("s.yaml", text, strlen(text), &spec, &err);
		got = rc ? err.text : runs_of(&spec);
		if (strcmp(got, rows[i].expected))
			fail_msg("%s: '%s', expected '%s'", rows[i].name, got, rows[i].expected);
		if (!rc)
			sweep_spec_release(&spec);
	}
}

static void test_progress(void **state)
{
	static const struct {
		int done, total;
		double seconds;
		const char *expected;
	} lines[] = {
		{ 0, 10, 3, "[                              ] 0 of 10 runs" },
		{ 5, 10, 3, "[###############               ] 5 of 10 runs, 4 s left" },
		{ 10, 10, 3, "[##############################] 10 of 10 runs, 0 s left" },
		{ 1, 100, 2, "[                              ] 1 of 100 runs, 3 min 19 s left" },
		{ 1, 10001, 1,
			"[                              ] 1 of 10001 runs, 2 h 46 min left" },
		{ 999999, 1000000, 1e6,
			"[############################# ] 999999 of 1000000 runs, 2 s left" },
	};
	char buf[160];

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
		assert_string_equal(progress_line(lines[i].done, lines[i].total,
					    (int64_t)(lines[i].seconds * 1e9), buf, sizeof(buf)),
			lines[i].expected);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_progress),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
