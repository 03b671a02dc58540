// SPDX-License-Identifier: GPL-2.0-or-later
#include "corepace/policy.h"

/* The tunable is a variable of the image, so that the test sees which image it is in. */
static int step = 1;

static int good_tune(struct idle_cpu *cpu, const char *key, const char *value)
{
	step = value[0] - '0';
	return 0;
}

static void good_select(
	struct idle_cpu *cpu, const struct idle_snapshot *s, struct idle_choice *choice)
{
	int *count = cpu->state;

	*count += step;
	choice->state = *count;
}

static const struct idle_governor idle = {
	.name = "good",
	.state_size = sizeof(int),
	.tune = good_tune,
	.select = good_select,
};

const struct corepace_plugin corepace_plugin = { .abi = COREPACE_ABI, .idle = &idle };
