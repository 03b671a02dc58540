// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/timeline.h"

#include "../cmocka_all.h"

#include <stdio.h>
#include <string.h>

struct heard {
	char text[1024];
};

static void hear(void *ctx, const struct timeline_event *ev)
{
	struct heard *h = ctx;
	size_t n = strlen(h->text);

	if (ev->kind == TIMELINE_END)
		snprintf(h->text + n, sizeof(h->text) - n, "%lld end", (long long)ev->time_ns);
	else
		snprintf(h->text + n, sizeof(h->text) - n, "%lld %d %s%s%llu; ",
			(long long)ev->time_ns, ev->id,
			ev->kind == TIMELINE_CPU ? timeline_state_name(ev->state) : "", ev->name,
			(unsigned long long)ev->value);
}

static void cpu(struct timeline *t, int64_t ns, int id, enum timeline_state state, const char *name)
{
	struct timeline_event ev = { ns, TIMELINE_CPU, id, state, name, 0 };

	timeline_event(t, &ev);
}

static void khz(struct timeline *t, int64_t ns, int id, uint64_t value)
{
	struct timeline_event ev = { ns, TIMELINE_KHZ, id, TIMELINE_OFF, "", value };

	timeline_event(t, &ev);
}

/* A little run: what is heard of it through the window. */
static void play(int64_t from, int64_t to, struct heard *h)
{
	struct timeline_sink sink = { hear, h };
	struct timeline *t = timeline_new(&sink, from, to);

	assert_non_null(t);
	h->text[0] = 0;
	cpu(t, 0, 0, TIMELINE_IDLE, "C1");
	khz(t, 0, 0, 100);
	cpu(t, 10, 0, TIMELINE_IDLE_LOOP, ""); /* for no time at all */
	cpu(t, 10, 0, TIMELINE_RUN, "a");
	khz(t, 10, 0, 200);
	khz(t, 10, 0, 100); /* as before */
	cpu(t, 20, 1, TIMELINE_RUN, "b");
	cpu(t, 30, 0, TIMELINE_RUN, "a"); /* goes on */
	cpu(t, 40, 0, TIMELINE_IDLE, "C6");
	timeline_end(t, 50);
	assert_null(timeline_free(t));
}

static const struct {
	const char *name;
	int64_t from, to;
	const char *heard;
} windows[] = {
	{ "whole", 0, INT64_MAX,
		"0 0 idleC10; 0 0 100; 10 0 runa0; 20 1 runb0; 40 0 idleC60; 50 end" },
	{ "from between", 15, INT64_MAX, "15 0 runa0; 15 0 100; 20 1 runb0; 40 0 idleC60; 50 end" },
	{ "from a change", 10, INT64_MAX,
		"10 0 runa0; 10 0 100; 20 1 runb0; 40 0 idleC60; 50 end" },
	{ "to between", 0, 25, "0 0 idleC10; 0 0 100; 10 0 runa0; 20 1 runb0; 25 end" },
	{ "to a change", 15, 20, "15 0 runa0; 15 0 100; 20 end" },
	{ "at the end", 50, 60, "50 0 idleC60; 50 1 runb0; 50 0 100; 50 end" },
	{ "behind the end", 60, 70, "50 end" },
};

static void test_windows(void **state)
{
	for (size_t i = 0; i < sizeof(windows) / sizeof(windows[0]); i++) {
		struct heard h;

		print_message("%s\n", windows[i].name);
		play(windows[i].from, windows[i].to, &h);
		assert_string_equal(h.text, windows[i].heard);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_windows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
