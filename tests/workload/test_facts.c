// SPDX-License-Identifier: GPL-2.0-or-later
/* Facts as lines of text: what is written is read back, and what is known already stands. */
#include "workload/facts.h"

#include "base/units.h"

#include "../cmocka_all.h"

#include <errno.h>
#include <string.h>

struct copy {
	struct workload_env env;
	struct workload_truth truth;
	int lines;
};

static void read_back(void *context, const char *line)
{
	struct copy *c = context;
	char with_newline[FACT_LINE_MAX + 1];
	struct error err;

	assert_true(strlen(line) < FACT_LINE_MAX);
	snprintf(with_newline, sizeof(with_newline), "%s\n", line);
	if (facts_read(with_newline, &c->env, &c->truth, &err) != 1)
		fail_msg("'%s' not taken", line);
	c->lines++;
}

static const struct workload_env env = {
	.kernel = "6.1.0",
	.cpuidle_driver = "haltpoll",
	.cpuidle_governor = "menu",
	.machine = "AMD EPYC = fast",
	.command = "sh -c 'a=1; b'",
	.hz = 250,
	.nr_cpus = 2,
	.khz = 2096000,
	.khz_source = "tsc",
	.settings = "haltpoll.x=1\ncmdline=quiet a=b\n",
};

static const struct workload_truth truth = {
	.elapsed_ns = 5000000000,
	.operations = 123456,
	.untraced_elapsed_ns = 4900000000,
	.nr_cpus = 2,
	.busy_ns = { 111, 222 },
	.state_usage = { 3, 9000000000 },
	.state_time_ns = { 0, 1234 },
	.nr_states = 2,
	.state_name = { "POLL", "haltpoll idle" },
};

static void round_trip(void **state)
{
	struct copy c = { 0 };

	facts_write(&env, &truth, read_back, &c);
	assert_memory_equal(&c.env, &env, sizeof(env));
	/* A name is one word. */
	assert_string_equal(c.truth.state_name[1], "haltpoll");
	memcpy(c.truth.state_name[1], truth.state_name[1], sizeof(truth.state_name[1]));
	assert_memory_equal(&c.truth, &truth, sizeof(truth));
	assert_int_equal(c.lines, 9 + 2 + 3 + 2 + 2);
}

static void known_stands(void **state)
{
	struct copy c = { .env.hz = 1000,
		.env.settings = "haltpoll.x=5\n",
		.truth.operations = 7,
		.truth.busy_ns = { 0, 5 } };

	facts_write(&env, &truth, read_back, &c);
	assert_int_equal(c.env.hz, 1000);
	assert_string_equal(c.env.settings, "haltpoll.x=5\ncmdline=quiet a=b\n");
	assert_int_equal(c.truth.operations, 7);
	assert_int_equal(c.truth.busy_ns[0], 111);
	assert_int_equal(c.truth.busy_ns[1], 5);
}

static void lines(void **state)
{
	static const struct {
		const char *line;
		int code;
	} rows[] = {
		{ "corepace:hz=250", 1 },
		{ "corepace:ops=18446744073709551615\n", 1 },
		{ "corepace:kernel=", 1 },
		{ "corepace:start pid=5", 0 },
		{ "corepace:end\n", 0 },
		{ "corepace:new_in_a_later_version=5", 0 },
		{ "corepace:", 0 },
		{ "somebody else's marker", 0 },
		{ "", 0 },
		{ "corepace:hz=fast", -EINVAL },
		{ "corepace:hz=-1", -EINVAL },
		{ "corepace:ops=", -EINVAL },
		{ "corepace:busy=64 1", -EINVAL },
		{ "corepace:busy=-1 1", -EINVAL },
		{ "corepace:busy=1", -EINVAL },
		{ "corepace:state=10 1 1 C", -EINVAL },
		{ "corepace:state=1 1", -EINVAL },
		{ "corepace:setting=novalue", -EINVAL },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct copy c = { 0 }, zero = { 0 };
		struct error err = { "" };
		int code = facts_read(rows[i].line, &c.env, &c.truth, &err);

		if ((code < 0 ? -EINVAL : code) != rows[i].code)
			fail_msg("'%s': %d", rows[i].line, code);
		if (code <= 0 && memcmp(&c, &zero, sizeof(c)))
			fail_msg("'%s': refused, yet it changed something", rows[i].line);
		if (code < 0 && !strstr(err.text, "marker 'corepace:"))
			fail_msg("'%s': '%s' does not name it", rows[i].line, err.text);
	}
}

/* A hostile recording repeats itself and sends long lines: the fields' sizes hold. */
static void bounded(void **state)
{
	struct copy c = { 0 };
	char line[4096];
	struct error err;

	memset(line, 'x', sizeof(line) - 1);
	line[sizeof(line) - 1] = '\0';
	memcpy(line, "corepace:kernel=", 16);
	assert_int_equal(facts_read(line, &c.env, &c.truth, &err), 1);
	assert_int_equal(strlen(c.env.kernel), sizeof(c.env.kernel) - 1);
	for (int i = 0; i < 1000; i++) {
		snprintf(line, sizeof(line), "corepace:setting=key%d=%0200d", i, i);
		assert_int_equal(facts_read(line, &c.env, &c.truth, &err), 1);
	}
	assert_true(strlen(c.env.settings) < sizeof(c.env.settings));
	assert_int_equal(c.env.settings[strlen(c.env.settings) - 1], '\n');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(round_trip),
		cmocka_unit_test(known_stands),
		cmocka_unit_test(lines),
		cmocka_unit_test(bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
