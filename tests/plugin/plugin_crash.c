// SPDX-License-Identifier: GPL-2.0-or-later
/* Crashes in the hook and in the way that its argument says: "select-segv". */
#include "corepace/policy.h"

#include <stdlib.h>
#include <string.h>

struct crash {
	char hook[16], way[16];
	int zero;
	void (*nothing)(void);
};

static int *volatile nowhere;

/* Deep enough for any stack. */
static int overflow(volatile char *below, int depth)
{
	volatile char frame[4096];

	frame[0] = *below;
	return depth ? overflow(frame, depth - 1) + frame[0] : 0;
}

static void crash_in(const struct crash *c, const char *hook)
{
	volatile char start = 1;

	if (strcmp(c->hook, hook))
		return;
	if (!strcmp(c->way, "segv"))
		*nowhere = 1;
	else if (!strcmp(c->way, "call"))
		c->nothing();
	else if (!strcmp(c->way, "fpe"))
		exit(100 / c->zero);
	else if (!strcmp(c->way, "trap"))
		__builtin_trap();
	else if (!strcmp(c->way, "abort"))
		abort();
	else if (!strcmp(c->way, "stack"))
		exit(overflow(&start, 1 << 30));
}

static int crash_init(struct idle_cpu *cpu, const char *arg)
{
	struct crash *c = cpu->state;
	const char *dash = arg ? strchr(arg, '-') : NULL;

	if (!dash)
		return -1;
	memcpy(c->hook, arg, (size_t)(dash - arg));
	strcpy(c->way, dash + 1);
	crash_in(c, "init");
	return 0;
}

static void crash_select(
	struct idle_cpu *cpu, const struct idle_snapshot *s, struct idle_choice *choice)
{
	const struct crash *c = cpu->state;

	crash_in(c, "select");
	choice->state = strcmp(c->way, "state") ? 0 : cpu->driver->nr_states;
}

static void crash_reflect(struct idle_cpu *cpu, const struct idle_outcome *outcome)
{
	crash_in(cpu->state, "reflect");
}

static int crash_tune(struct idle_cpu *cpu, const char *key, const char *value)
{
	crash_in(cpu->state, "tune");
	return 0;
}

static const struct idle_governor idle = {
	.name = "crash",
	.state_size = sizeof(struct crash),
	.init = crash_init,
	.tune = crash_tune,
	.select = crash_select,
	.reflect = crash_reflect,
};

const struct corepace_plugin corepace_plugin = { .abi = COREPACE_ABI, .idle = &idle };
