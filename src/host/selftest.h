/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether tracefs records everything here. On some virtual machines events of the idle task are
 * lost on some CPUs, and nothing says so: a short test on each CPU finds out.
 */
#pragma once

#include "base/error.h"

enum selftest_verdict {
	SELFTEST_COMPLETE,
	SELFTEST_LOSES,	   /* a CPU went idle and came back, and only the one was recorded */
	SELFTEST_NOT_TOLD, /* a CPU was hardly ever idle meanwhile */
};

struct selftest {
	enum selftest_verdict verdict;
	int cpu;      /* the first that loses or tells nothing */
	int nr_stale; /* left-over instances that were removed on the way */
};

/* Needs root. Takes some 10 ms per CPU, more where CPUs are busy. */
int selftest_tracefs(struct selftest *ret, struct error *err);
