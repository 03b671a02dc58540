/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What benches that let contenders alternate have in common. */
#pragma once

#include <stdlib.h>
#include <time.h>

/*
 * Who plays the same events in turns: a governor that does nothing, a kernel file that does nothing
 * (the shim's glue), ours, and the kernel's.
 */
enum { LOOP, EMPTY, OURS, KERNELS, CONTENDERS };

static inline double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static inline int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Sorts ns. */
static inline double median(double *ns, int nr)
{
	qsort(ns, (size_t)nr, sizeof(*ns), compare_doubles);
	return ns[nr / 2];
}
