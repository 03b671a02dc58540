/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

typedef __SIZE_TYPE__ size_t;

#define NULL ((void *)0)
#define offsetof(type, member) __builtin_offsetof(type, member)
