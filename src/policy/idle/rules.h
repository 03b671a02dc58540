/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an idle governor does, as a list of named rules, read from the data that it runs on. */
#pragma once

#include "corepace/policy.h"

/* A rule fits a line of 80 columns beside its step and name. */
enum { IDLE_RULES_MAX = 24, IDLE_RULE_TEXT = 56 };

struct idle_rule {
	const char *step; /* the part of the algorithm it belongs to */
	const char *name;
	char value[IDLE_RULE_TEXT];
};

/* Writes the rules in the order of the algorithm and returns how many there are; 0: none known. */
int idle_governor_rules(const struct idle_governor *governor, struct idle_rule *ret);
