/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A conclusion over many plausible machines: each gives the ratio of a candidate's figure to the
 * baseline's on that same machine. No probability of the world: the share of the draws from the
 * ranges that the machine's file gives. No state.
 */
#pragma once

#include <stddef.h>

/* Figures within this share of each other are no difference. */
#define PLAUSIBLE_THRESHOLD 0.02

enum conclusion { CONCLUSION_SAME, CONCLUSION_BETTER, CONCLUSION_WORSE, CONCLUSIONS };

struct plausible {
	size_t n;
	size_t count[CONCLUSIONS];
	enum conclusion conclusion; /* that of most machines; of equally many the first */
	double share;		    /* of the machines, that it holds on */
	double median, p5, p95;	    /* of the ratios; linear between neighbours */
};

/* candidate / base; 1 for nothing by nothing. */
double plausible_ratio(double base, double candidate);

/* better: -1 lower, 1 higher, of the figures. */
enum conclusion plausible_conclude(double ratio, int better);

/* Sorts ratios. With n 0 all is 0 or NaN. */
void plausible_summarize(double *ratios, size_t n, int better, struct plausible *ret);

/* "better", "worse", "no difference". */
const char *conclusion_name(enum conclusion conclusion);
