// SPDX-License-Identifier: GPL-2.0-or-later
#include "corepace/policy.h"

const struct corepace_plugin corepace_plugin = { .abi = COREPACE_ABI + 1 };
