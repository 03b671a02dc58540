/* SPDX-License-Identifier: GPL-2.0-or-later */
/* As in the kernel: no macros, so that `bool` survives as an argument of module_param. */
#pragma once

typedef _Bool bool;

enum { false = 0, true = 1 };
