// SPDX-License-Identifier: GPL-2.0-or-later
#include "corepace/policy.h"

static void null_select(
	struct idle_cpu *cpu, const struct idle_snapshot *s, struct idle_choice *choice)
{
	choice->state = 0;
}

static const struct idle_governor idle = { .select = null_select };

const struct corepace_plugin corepace_plugin = { .abi = COREPACE_ABI, .idle = &idle };
