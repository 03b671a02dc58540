/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmocka with the headers that it needs before it. */
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
