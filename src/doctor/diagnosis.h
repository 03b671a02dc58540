/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The judgement of a machine's facts: which driver, mode and governor are at work, why each other
 * driver is not, and findings with evidence and advice. Pure: facts in, diagnosis out.
 */
#pragma once

#include "doctor/facts.h"
#include "doctor/findings.h"

enum { EVIDENCE_MAX = 6, ADVICE_MAX = 4 };

struct evidence {
	char path[160], value[120];
};

struct finding {
	enum finding_id id;
	enum severity severity;
	char detail[240]; /* what it means here, one sentence */
	int nr_evidence;
	struct evidence evidence[EVIDENCE_MAX];
	int nr_advice; /* beside the table's; the value in text */
	struct {
		const char *setting, *where;
		char value[120];
	} advice[ADVICE_MAX];
	bool own_advice; /* leave the table's out */
};

struct diagnosis {
	const struct facts *facts;
	char driver[TEXT_MAX];	 /* as the kernel prints it, none, unknown */
	char mode[16];		 /* active, passive, guided, table, firmware, none, unknown */
	char governor[TEXT_MAX]; /* "" unknown */
	enum fact hwp;
	struct selection predicted;
	bool agrees;		/* the prediction is what is there */
	const char *assumption; /* what had to be assumed for that, or NULL */
	int nr;
	struct finding findings[FINDINGS_NR]; /* by severity, problems first */
};

void diagnose(const struct facts *facts, struct diagnosis *ret);

const struct finding *diagnosis_find(const struct diagnosis *d, enum finding_id id);
/* By severity, problems first. */
void diagnosis_sort(struct diagnosis *d);
int diagnosis_count(const struct diagnosis *d, enum severity severity);
