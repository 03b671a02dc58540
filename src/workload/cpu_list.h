/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of CPUs such as 0,2-5, and pinning tasks to them. */
#pragma once

#include "workload/workload.h"

enum { CPU_LIST_WORDS = 16 };
enum { WORKLOAD_SECONDS_MAX = 86400 };

/* Sets bits of allowed, which the caller zeroed. what: name for the error. */
int cpu_list_parse(
	const char *text, const char *what, uint64_t allowed[CPU_LIST_WORDS], struct error *err);

/* All zero lifts a restriction. The task begins on the first CPU of the list. */
void workload_pin(struct workload_task *t, const uint64_t allowed[CPU_LIST_WORDS]);
