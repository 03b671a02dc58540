// SPDX-License-Identifier: GPL-2.0-or-later
#include "corepace/policy.h"

static int *volatile nowhere;

__attribute__((constructor)) static void begin(void)
{
	*nowhere = 1;
}

const struct corepace_plugin corepace_plugin = { .abi = COREPACE_ABI };
