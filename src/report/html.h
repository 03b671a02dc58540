/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report: one HTML file that needs nothing else. What came from outside stands in it as JSON
 * data, which the page's script puts into text nodes; a content security policy lets nothing run
 * but the scripts that were built in.
 *
 * Order of calls: html_new, html_by_machine or not, html_add for each run, html_timeline,
 * html_write, html_free.
 */
#pragma once

#include "base/timeline.h"
#include "report/json.h"
#include "report/samples.h"

struct html;

enum { HTML_HASHES = 5, HTML_TIMELINE_CHANGES = 20000 };

/* Beside its result: where a run is from and how to repeat it. "" where it is not known. */
struct html_run {
	const char *id, *version, *command;
	const char *config;		 /* the configuration's name */
	const char *hashes[HTML_HASHES]; /* of code, machine, workload, preset, plug-ins */
};

struct html *html_new(void);
struct html *html_free(struct html *h);

/* Runs on different machines are not compared. Before the first run is added. */
void html_by_machine(struct html *h);

/* Index of the run, or a negative errno. Nothing is kept of its arguments. */
int html_add(struct html *h, const struct html_run *run, const struct run_result *result,
	struct error *err);

/*
 * A time line of run number `run`: a sink for its events between from_ns and the TIMELINE_END that
 * comes at the end. At most HTML_TIMELINE_CHANGES changes are kept, then it is cut, and says so.
 */
int html_timeline(struct html *h, int run, int64_t from_ns, struct timeline_sink *ret);

/* Takes the last one back. */
void html_timeline_drop(struct html *h);

/* Said beside the time lines, or in their place. */
int html_timeline_note(struct html *h, const char *text);

/* -ENOTSUP when chart.js was not there when this program was built. */
int html_write(struct html *h, FILE *out, struct error *err);
