// SPDX-License-Identifier: GPL-2.0-or-later
#include "policy/registry.h"

#include "base/units.h"
#include "policy/idle/rules.h"

#include "../cmocka_all.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const struct {
	const char *name;
	const char *found; /* NULL: not known */
	const char *arg;
} finds[] = {
	{ "menu@6.1", "menu@6.1", NULL },
	{ "menu@4.6", "menu@4.6", NULL },
	{ "menu@4.6-trusted", "menu@4.6-trusted", NULL },
	{ "menu", "menu@7.1", NULL },
	{ "teo", "teo@7.1", NULL },
	{ "ladder", "ladder@6.1", NULL },
	{ "state:1", "state", "1" },
	{ "state:C1E", "state", "C1E" },
	{ "state:", "state", "" },
	{ "poll", "poll", NULL },
	{ "menu@4.60", NULL, NULL },
	{ "menu@4", NULL, NULL },
	{ "men", NULL, NULL },
	{ "Menu", NULL, NULL },
	{ "", NULL, NULL },
	{ ":1", NULL, NULL },
};

static void test_find(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(finds); i++) {
		const struct idle_governor *found = NULL;
		const char *arg = NULL;
		struct error err = { "" };
		int r = idle_governor_find(finds[i].name, &found, &arg, &err);

		print_message("'%s'\n", finds[i].name);
		if (!finds[i].found) {
			assert_int_equal(r, -ENOENT);
			assert_null(found);
			assert_non_null(strstr(err.text, "menu@4.4"));
			continue;
		}
		assert_int_equal(r, 0);
		assert_string_equal(found->name, finds[i].found);
		if (finds[i].arg)
			assert_string_equal(arg, finds[i].arg);
		else
			assert_null(arg);
	}
}

/* Every list is well-formed: names given once, versions of a governor in the order of kernels. */
static void test_lists(void **state)
{
	int nr = 0;

	for (const struct idle_governor *const *g = idle_governors; *g; g++, nr++) {
		const struct idle_governor *found;
		struct idle_rule rules[IDLE_RULES_MAX];
		int nr_rules;
		const char *arg, *at = strchr((*g)->name, '@');

		print_message("%s\n", (*g)->name);
		assert_non_null((*g)->select);
		assert_true(strlen((*g)->summary) > 0 && strlen((*g)->summary) <= 60);
		assert_int_equal(idle_governor_find((*g)->name, &found, &arg, NULL), 0);
		assert_ptr_equal(found, *g);
		nr_rules = idle_governor_rules(*g, rules);
		assert_in_range(nr_rules, 3, IDLE_RULES_MAX);
		for (int i = 0; i < nr_rules; i++) {
			assert_true(rules[i].value[0] && rules[i].value[0] != '(');
			assert_true(strlen(rules[i].value) <= 51); /* 80 columns */
		}
		if (g[1] && at && !strncmp((*g)->name, g[1]->name, (size_t)(at - (*g)->name) + 1))
			assert_true(idle_governor_kernel(*g) <= idle_governor_kernel(g[1]));
	}
	assert_int_equal(nr, 16 + 4 + 2 + 4);
	assert_non_null(freq_governors[0]);
	assert_non_null(boosts[0]);
	assert_non_null(drivers[0]);
	assert_non_null(tick_policies[0]);
	assert_non_null(sched_policies[0]->select_cpu);
}

static const struct {
	const char *key, *value;
	int rc;
	const char *says; /* part of the message */
} sets[] = {
	{ "driver", "table", 0, NULL },
	{ "kernel", "6", -EINVAL, "kernel: '6', expected a version such as 6.1" },
	{ "kernel", "6.1x", -EINVAL, "kernel: '6.1x', expected a version such as 6.1" },
	{ "scaling-max-freq", "0", -EINVAL, "scaling-max-freq: '0', expected a number from 1" },
	{ "driver", "tables", -ENOENT, "driver: no 'tables', known are none, auto, table" },
	{ "governor", "powersave", 0, NULL },
	{ "governor", "", -ENOENT, "performance" },
	{ "boost", "none", 0, NULL },
	{ "idle", "teo@6.6", 0, NULL },
	{ "idle", "state:1", 0, NULL },
	{ "idle", "state:a-name-too-long-to-be-one", -EINVAL, "longer" },
	{ "idle", "mneu", -ENOENT, "no governor 'mneu', known are" },
	{ "tick", "stop-first", 0, NULL },
	{ "tick", "never", -ENOENT, "periodic" },
	{ "sched", "fair", 0, NULL },
	{ "sched", "cfs", -ENOENT, "fair" },
	{ "poll-limit", "3of8", 0, NULL },
	{ "poll-limit", "tick/16", 0, NULL },
	{ "poll-limit", "4of8", -EINVAL, "expected one of default, none, tick/16" },
	{ "tick-rate-limit", "yes", 0, NULL },
	{ "tick-rate-limit", "maybe", -EINVAL, "expected yes or no" },
	{ "latency-limit", "20", 0, NULL },
	{ "latency-limit", "20us", 0, NULL },
	{ "latency-limit", "500ns", 0, NULL },
	{ "latency-limit", "none", 0, NULL },
	{ "latency-limit", "", -EINVAL, "expected microseconds" },
	{ "latency-limit", "-1", -EINVAL, "expected microseconds" },
	{ "latency-limit", "20ms", -EINVAL, "expected microseconds" },
	{ "latency-limit", "99999999999", -EINVAL, "expected a number from 0 to 2000000000" },
	{ "latency-limit", "123456789012345678901234567890", -EINVAL, "expected" },
	{ "resume-latency", "50", 0, NULL },
	{ "resume-latency", "0:50+3:70us", 0, NULL },
	{ "resume-latency", "0:", -EINVAL, "expected microseconds" },
	{ "resume-latency", "x:50", -EINVAL, "CPU: 'x'" },
	{ "resume-latency", "5000:50", -EINVAL, "0 to 1023" },
	{ "select-idle-sibling", "0", 0, NULL },
	{ "smt-aware", "off", 0, NULL },
	{ "balance", "x", -EINVAL, "balance: 'x'" },
	{ "disable-states", "C1+3", 0, NULL },
	{ "sampling_down_factor", "10", 0, NULL },
	{ "a_key_that_is_much_too_long_for_anybody", "1", -EINVAL, "longer" },
};

static void test_set(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(sets); i++) {
		struct policy policy, before;
		struct error err = { "" };

		print_message("%s=%s\n", sets[i].key, sets[i].value);
		policy_defaults(&policy);
		before = policy;
		assert_int_equal(policy_set(&policy, sets[i].key, sets[i].value, &err), sets[i].rc);
		if (sets[i].rc) {
			assert_memory_equal(&before, &policy, sizeof(policy));
			assert_non_null(strstr(err.text, sets[i].says));
			assert_null(strchr(err.text, '\n'));
		}
	}
}

static void test_set_takes(void **state)
{
	struct policy p;

	policy_defaults(&p);
	assert_string_equal(p.idle->name, "menu@6.1");
	assert_string_equal(p.tick->name, "select-first");
	assert_int_equal(p.latency_limit_ns, LATENCY_NO_LIMIT_NS);
	assert_true(p.sched.select_idle_sibling && p.sched.smt_aware && p.sched.balance);
	assert_int_equal(policy_set(&p, "smt-aware", "no", NULL), 0);
	assert_false(p.sched.smt_aware);
	assert_int_equal(policy_set(&p, "idle", "state:C1", NULL), 0);
	assert_string_equal(p.idle_arg, "C1");
	assert_int_equal(policy_set(&p, "idle", "poll", NULL), 0);
	assert_string_equal(p.idle_arg, "");
	assert_int_equal(policy_set(&p, "up_threshold", "80", NULL), 0);
	assert_int_equal(policy_set(&p, "up_threshold", "90", NULL), 0);
	assert_int_equal(p.nr_tunables, 1);
	assert_string_equal(p.tunables[0].value, "90");
	for (int i = 1; i < 16; i++) {
		char key[8];

		snprintf(key, sizeof(key), "k%d", i);
		assert_int_equal(policy_set(&p, key, "1", NULL), 0);
	}
	assert_int_equal(policy_set(&p, "one_more", "1", NULL), -EINVAL);
}

/* The order of tick and selection is the kernel's own unless it is given, before or after. */
static const struct {
	const char *sets[5];
	const char *tick;
	const char *note; /* part of policy_note, NULL none */
} ticks[] = {
	{ { "idle", "menu@4.6" }, "stop-first", NULL },
	{ { "idle", "menu@4.16" }, "stop-first", NULL },
	{ { "idle", "menu@4.17" }, "select-first", NULL },
	{ { "idle", "poll" }, "select-first", NULL },
	{ { "idle", "menu@4.6", "tick", "select-first" }, "select-first", "menu@4.6" },
	{ { "tick", "select-first", "idle", "menu@4.6" }, "select-first", "menu@4.6" },
	{ { "tick", "stop-first", "idle", "menu@6.1" }, "stop-first", "menu@6.1" },
	{ { "tick", "periodic", "idle", "menu@6.1" }, "periodic", NULL },
};

static void test_tick(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(ticks); i++) {
		struct policy p;
		char note[200] = "";
		int len;

		policy_defaults(&p);
		for (const char *const *s = ticks[i].sets; *s; s += 2) {
			print_message("%s=%s ", s[0], s[1]);
			assert_int_equal(policy_set(&p, s[0], s[1], NULL), 0);
		}
		print_message("\n");
		assert_string_equal(p.tick->name, ticks[i].tick);
		len = policy_note(&p, 0, note, sizeof(note));
		assert_int_equal(len > 0, ticks[i].note != NULL);
		if (ticks[i].note)
			assert_non_null(strstr(note, ticks[i].note));
		assert_int_equal(policy_note(&p, 1, note, sizeof(note)), 0);
	}
}

static const struct idle_driver hsw = {
	.nr_states = 5,
	.tick_ns = 4000000,
	.states = { { "POLL", 0, 0, true }, { "C1", 2000, 2000, false },
		{ "C1E", 10000, 20000, false }, { "C3", 33000, 100000, false },
		{ "C6", 133000, 400000, false } },
};

static const struct {
	const char *text;
	int rc;
	uint32_t mask;
} masks[] = {
	{ "", 0, 0 },
	{ "C1", 0, 2 },
	{ "c1e+C6", 0, 20 },
	{ "0+3", 0, 9 },
	{ "C1+1", 0, 2 },
	{ "C2", -EINVAL, 0 },
	{ "5", -EINVAL, 0 },
	{ "-1", -EINVAL, 0 },
	{ "01", -EINVAL, 0 },
};

static void test_disable_mask(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(masks); i++) {
		struct error err = { "" };
		struct policy p;
		uint32_t mask = 77;

		print_message("'%s'\n", masks[i].text);
		policy_defaults(&p);
		assert_int_equal(policy_set(&p, "disable-states", masks[i].text, NULL), 0);
		assert_int_equal(policy_disable_mask(&p, &hsw, &mask, &err), masks[i].rc);
		assert_int_equal(mask, masks[i].rc ? 77 : masks[i].mask);
		if (masks[i].rc)
			assert_non_null(strstr(err.text, "2=C1E"));
	}
}

static const struct {
	const char *idle, *limit;
	uint32_t disabled;
	int64_t ns;
} limits[] = {
	{ "menu@4.4", "default", 0, INT64_MAX },
	{ "menu@4.16", "default", 0, INT64_MAX },
	{ "menu@4.17", "default", 0, 250000 },
	{ "menu@4.19", "default", 0, 250000 },
	{ "menu@4.20", "default", 0, 2000 },
	{ "menu@4.20", "default", 2, 2000 },
	{ "menu@5.4", "default", 0, 2000 },
	{ "menu@5.4", "default", 2, 20000 },
	{ "menu@5.4", "default", 30, 4000000 },
	{ "menu@5.12", "default", 0, 20000 },
	{ "menu@6.1", "default", 0, 20000 },
	{ "menu@6.1", "default", 4, 100000 },
	{ "menu@6.1", "default", 12, 250000 }, /* 400 us, but a sixteenth of the tick at most */
	{ "menu@6.1", "default", 30, 250000 },
	{ "teo@7.1", "default", 0, 20000 },
	{ "poll", "default", 0, INT64_MAX },
	{ "poll", "6.1", 0, 20000 },
	{ "menu@4.4", "tick/16", 0, 250000 },
	{ "menu@6.1", "none", 0, INT64_MAX },
	{ "menu@6.1", "3of8", 0, 4000 },
	{ "menu@6.1", "state-1", 0, 2000 },
};

static void test_poll_limit(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(limits); i++) {
		struct policy p;

		print_message("%s poll-limit=%s disabled %x\n", limits[i].idle, limits[i].limit,
			limits[i].disabled);
		policy_defaults(&p);
		assert_int_equal(policy_set(&p, "idle", limits[i].idle, NULL), 0);
		assert_int_equal(policy_set(&p, "poll-limit", limits[i].limit, NULL), 0);
		assert_int_equal(policy_poll_limit_ns(&p, &hsw, limits[i].disabled), limits[i].ns);
	}
}

static void test_latency(void **state)
{
	struct policy p;

	policy_defaults(&p);
	assert_int_equal(policy_latency_ns(&p, 3), LATENCY_NO_LIMIT_NS);
	assert_int_equal(policy_set(&p, "resume-latency", "3:50+4:7", NULL), 0);
	assert_int_equal(policy_latency_ns(&p, 2), LATENCY_NO_LIMIT_NS);
	assert_int_equal(policy_latency_ns(&p, 3), 50000);
	assert_int_equal(policy_set(&p, "latency-limit", "20", NULL), 0);
	assert_int_equal(policy_latency_ns(&p, 2), 20000);
	assert_int_equal(policy_latency_ns(&p, 3), 20000);
	assert_int_equal(policy_latency_ns(&p, 4), 7000);
	assert_int_equal(policy_set(&p, "resume-latency", "0", NULL), 0);
	assert_int_equal(policy_latency_ns(&p, 9), 0);
}

static void test_check(void **state)
{
	struct error err = { "" };
	struct policy p;

	policy_defaults(&p);
	assert_int_equal(policy_check(&p, &err), 0);
	assert_int_equal(policy_set(&p, "guest_halt_poll_ns", "0", NULL), 0);
	assert_int_equal(policy_check(&p, &err), -ENOENT);
	assert_non_null(strstr(err.text, "no key 'guest_halt_poll_ns'"));
	assert_int_equal(policy_set(&p, "idle", "haltpoll", NULL), 0);
	assert_int_equal(policy_check(&p, &err), 0);
	assert_int_equal(policy_set(&p, "guest_halt_poll_ns", "much", NULL), 0);
	assert_int_equal(policy_check(&p, &err), -EINVAL);
	assert_non_null(strstr(err.text, "guest_halt_poll_ns: bad value 'much'"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_set),
		cmocka_unit_test(test_set_takes),
		cmocka_unit_test(test_tick),
		cmocka_unit_test(test_disable_mask),
		cmocka_unit_test(test_poll_limit),
		cmocka_unit_test(test_latency),
		cmocka_unit_test(test_check),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
