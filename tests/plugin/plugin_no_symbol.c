// SPDX-License-Identifier: GPL-2.0-or-later
#include "corepace/policy.h"

extern const int something_else;
const int something_else = 1;
