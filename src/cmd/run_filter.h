/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which runs of a store a command means: the same options and arguments wherever there is --db. */
#pragma once

#include "store/store.h"

#include <getopt.h>

/* For getopt_long: the short options, and the long ones; values that no verb uses for its own. */
enum { FILTER_SCALING = 0x1000, FILTER_SEED, FILTER_VERSION };
#define FILTER_SHORT "m:w:p:"
#define FILTER_LONG                                                                                \
	{ "scaling", required_argument, NULL, FILTER_SCALING },                                    \
		{ "seed", required_argument, NULL, FILTER_SEED },                                  \
	{                                                                                          \
		"version", required_argument, NULL, FILTER_VERSION                                 \
	}

#define FILTER_HELP                                                                                \
	"  -m MACHINE           runs on this machine: its specification, or a pattern of\n"        \
	"                       it with * and ?\n"                                                 \
	"  -w WORKLOAD          of this workload, likewise\n"                                      \
	"  -p POLICY            under this policy, likewise\n"                                     \
	"  --scaling WHAT       with this end of frequency scaling: all, none or known\n"          \
	"  --seed S             with this seed\n"                                                  \
	"  --version V          done by this version, or by code whose hash begins so\n"

/* 1: c was one of these options and is in the filter; 0: it was not; or -errno. */
int run_filter_option(struct store_filter *filter, int c, const char *value, struct error *err);

/* An argument: the first digits of a run's id, at least 4. */
int run_filter_id(struct store_filter *filter, const char *text, struct error *err);
