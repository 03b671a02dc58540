/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a fit came to, as text and JSON, and as the source of the values that it gives. */
#pragma once

#include "cmd/fit.h"

struct fit_report {
	const struct fit *fit;
	const char *rows; /* the file */
	bool dry_run;
	/* Made by fit_report_init: */
	char tables[64]; /* "T9,T10" */
	char *command;	 /* that repeats it */
	char *source;	 /* for the files */
	/* Set by the caller, for the rest: */
	bool better, written;
};

/* tables: as given, TABLE[:WORKLOAD]. */
int fit_report_init(struct fit_report *r, char **tables, int nr, struct error *err);
void fit_report_release(struct fit_report *r);

/* On stdout. */
int fit_report_print(const struct fit_report *r, struct error *err);
int fit_report_json(const struct fit_report *r, struct error *err);
