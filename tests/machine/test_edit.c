// SPDX-License-Identifier: GPL-2.0-or-later
/* Fitted values in the text of a machine's file: what changes, and that nothing else does. */
#include "machine/edit.h"
#include "machine/machine.h"
#include "../cmocka_all.h"
#include "files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *edited(const char *text, const char *path, const char *value)
{
	struct edit edit = { path, value, "fitted(T9)", "a fit of two rows, with a command" };
	struct error err;
	char *ret;

	if (edit_text("m.yaml", text, &edit, &ret, &err))
		fail_msg("%s", err.text);
	return ret;
}

static void check_text(const char *have, const char *want)
{
	if (strcmp(have, want))
		fail_msg("have:\n%s\nwant:\n%s", have, want);
}

static const char small[] = "# \303\244 remark of two bytes\n"
			    "costs:\n"
			    "  source: a book # said so\n"
			    "  confidence: estimated\n"
			    "  tick_ns:   900   # odd blanks stay\n"
			    "  irq_ns: 70\n"
			    "  facts:\n"
			    "    # about the tick\n"
			    "    - field: tick_ns\n"
			    "      source: >-\n"
			    "        several\n"
			    "        lines\n"
			    "      low: 500\n"
			    "\n"
			    "    - {field: irq_ns, low: 60,\n"
			    "       high: 80}\n"
			    "# about power\n"
			    "power:\n"
			    "  source: none\n"
			    "  uncore: [[1000, 10], [2000,\n"
			    "      30]]\n"
			    "\n"
			    "# the end\n";

#define FACT(field, blanks)                                                                        \
	blanks "- field: " field "\n" blanks "  source: >-\n" blanks                               \
	       "    a fit of two rows, with a command\n" blanks "  confidence: fitted(T9)\n"

static void test_fact_replaced(void **state)
{
	char *have = edited(small, "costs.tick_ns", "12345");
	char *one = text_with(small, "tick_ns:   900 ", "tick_ns:   12345 ");
	char *want = text_with(one,
		"    - field: tick_ns\n      source: >-\n        several\n        lines\n      "
		"low: 500\n",
		FACT("tick_ns", "    "));

	check_text(have, want);
	free(have);
	free(one);
	free(want);
}

static void test_flow_fact_replaced(void **state)
{
	char *have = edited(small, "costs.irq_ns", "5");
	char *one = text_with(small, "irq_ns: 70", "irq_ns: 5");
	char *want = text_with(
		one, "    - {field: irq_ns, low: 60,\n       high: 80}\n", FACT("irq_ns", "    "));

	check_text(have, want);
	free(have);
	free(one);
	free(want);
}

/* A curve by its factor; its section gets its first facts. */
static void test_curve(void **state)
{
	char *have = edited(small, "power.uncore", "x1.25");
	char *one = text_with(small, "[[1000, 10], [2000,\n      30]]\n",
		"[[1000, 13], [2000,\n      38]]\n  facts:\n" FACT("uncore", "    "));

	check_text(have, one);
	free(have);
	free(one);
}

static void test_refusals(void **state)
{
	static const struct {
		const char *text, *path, *value;
		int code;
		const char *says;
	} rows[] = {
		{ small, "costs.tock_ns", "1", ENOENT, "m.yaml: costs.tock_ns: no such value" },
		{ small, "costs", "1", ENOENT, "no such value" },
		{ small, "power.uncore", "12", EINVAL, "expected a factor" },
		{ "a: {b: 1, facts: []}\n", "a.b", "2", EINVAL, "with a line for each" },
		{ "a: [\n", "a.b", "2", EINVAL, "m.yaml:2: " },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct edit edit = { rows[i].path, rows[i].value, "fitted(T1)", "x" };
		struct error err = { "" };
		char *ret = NULL;

		assert_int_equal(
			edit_text("m.yaml", rows[i].text, &edit, &ret, &err), -rows[i].code);
		if (!strstr(err.text, rows[i].says))
			fail_msg("'%s', expected '%s'", err.text, rows[i].says);
		assert_null(ret);
	}
}

/* Every number and curve of every machine can be put in, and then is what the machine loads. */
static void test_machines(void **state)
{
	static const struct {
		const char *name, *path, *value, *says;
	} rows[] = {
		{ "xeon-e3-1240v5", "devices.list.disk.service_ns", "71234", "71234" },
		{ "xeon-e3-1240v5", "costs.tick_ns", "901", "901" },
		{ "xeon-e3-1240v5", "idle.states.C1.wake_ns", "261", "261" },
		{ "i7-2600k", "power.core_active", "x1", NULL },
		{ "i7-2600k", "power.core_idle.C1.mw_by_khz", "x1", NULL },
		{ "dl580-gen8", "firmware.pcc_stall_ns", "100000", "100000" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char path[512], *text, *new;
		struct machine *m;
		struct error err;
		int k = 0;

		snprintf(path, sizeof(path), MACHINES_DIR "/%s.yaml", rows[i].name);
		text = file_text(path);
		new = edited(text, rows[i].path, rows[i].value);
		if (machine_load_text("m", new, strlen(new), &m, &err))
			fail_msg("%s %s: %s", rows[i].name, rows[i].path, err.text);
		while (strcmp(m->provenance[k].path, rows[i].path))
			k++;
		assert_string_equal(m->provenance[k].confidence, "fitted(T9)");
		assert_string_equal(m->provenance[k].source, "a fit of two rows, with a command");
		if (rows[i].says)
			assert_string_equal(m->provenance[k].value, rows[i].says);
		machine_free(m);
		free(text);
		free(new);
	}
}

/* Twice the same gives the same. */
static void test_again(void **state)
{
	char *once = edited(small, "costs.tick_ns", "7"),
	     *twice = edited(once, "costs.tick_ns", "7");

	check_text(twice, once);
	free(once);
	free(twice);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fact_replaced),
		cmocka_unit_test(test_flow_fact_replaced),
		cmocka_unit_test(test_curve),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_machines),
		cmocka_unit_test(test_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
