// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/shell.h"
#include "cmd/bisect_report.h"

#include "report/json.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const marks[] = {
	[BISECT_UNTESTED] = "untested",
	[BISECT_GOOD] = "good",
	[BISECT_BAD] = "bad",
	[BISECT_SKIP] = "skip",
};

int report_open(struct bisect_report *r, struct error *err)
{
	if (!r->json) {
		fputs("git bisect start '--' ", stdout);
		shell_quote(stdout, r->path); /* for `git bisect replay` */
		putchar('\n');
		return 0;
	}
	r->root = json_schema();
	r->tested = json_array();
	if (!r->root || !r->tested || json_object_set_new(r->root, "path", json_string(r->path)) ||
		json_object_set_new(r->root, "metric", json_string(r->metric)) ||
		json_object_set_new(r->root, "worse_by", json_number(r->worse_by)) ||
		json_object_set_new(r->root, "tested", r->tested))
		return error_set(err, ENOMEM, "no JSON of '%s'", r->path);
	return 0;
}

static int append_number(char *buf, size_t size, const struct trial_outcome *o, int end)
{
	double worse = -o->ends[end].percent;
	int n = snprintf(buf, size, "%.4g %s", o->ends[end].value, o->unit);

	if (n < (int)size && !isnan(worse))
		n += worse == 0 ? snprintf(buf + n, size - (size_t)n, ", the same")
				: snprintf(buf + n, size - (size_t)n, ", %.1f %% %s", fabs(worse),
					  worse > 0 ? "worse" : "better");
	return n;
}

void outcome_text(const struct trial_outcome *o, const char *metric, char *buf, size_t size)
{
	int n = 0;

	if (o->nr_ends)
		n = snprintf(buf, size, "%s ", metric);
	for (int i = 0; i < o->nr_ends && n < (int)size; i++) {
		n += snprintf(buf + n, size - (size_t)n, "%s", i ? "; " : "");
		if (o->nr_ends > 1 && n < (int)size)
			n += snprintf(
				buf + n, size - (size_t)n, "(%s scales) ", o->ends[i].scaling);
		if (n < (int)size)
			n += append_number(buf + n, size - (size_t)n, o, i);
	}
	if (*o->why && n < (int)size)
		snprintf(buf + n, size - (size_t)n, "%s%s", n ? "; " : "", o->why);
}

static json_t *commit_json(const struct git_commit *c)
{
	return c ? json_pack("{s:s, s:s, s:s}", "commit", c->id, "date", c->date, "subject",
			   c->subject)
		 : json_pack("{s:n}", "commit");
}

static void add_tested(
	struct bisect_report *r, const struct git_commit *commit, const struct trial_outcome *o)
{
	json_t *it = commit_json(commit), *ends = json_array();

	if (!it)
		it = json_object();
	json_object_set_new(it, "outcome", json_string(marks[o->mark]));
	for (int i = 0; i < o->nr_ends; i++)
		json_array_append_new(
			ends, json_pack("{s:s, s:o, s:s, s:o}", "scaling", o->ends[i].scaling,
				      "value", json_number(o->ends[i].value), "unit", o->unit,
				      "percent", json_number(o->ends[i].percent)));
	json_object_set_new(it, "measured", ends);
	if (*o->why)
		json_object_set_new(it, "reason", json_string(o->why));
	json_array_append_new(r->tested, it);
}

void report_tested(
	struct bisect_report *r, const struct git_commit *commit, const struct trial_outcome *o)
{
	char text[1024] = "";

	if (r->json) {
		add_tested(r, commit, o);
		return;
	}
	outcome_text(o, r->metric, text, sizeof(text));
	printf("# %s: [%s] %s\n# %s\n", marks[o->mark], commit->id, commit->subject, text);
	printf("git bisect %s %s\n", marks[o->mark], commit->id);
}

void report_step(struct bisect_report *r, const struct git_commit *commit, int left, int steps)
{
	if (r->json)
		return;
	printf("Bisecting: %d revision%s left to test after this (roughly %d step%s)\n", left,
		left == 1 ? "" : "s", steps, steps == 1 ? "" : "s");
	printf("[%s] %s\n", commit->id, commit->subject);
}

static void print_first_bad(const struct git_commit *c)
{
	printf("# first bad commit: [%s] %s\n", c->id, c->subject);
	printf("%s is the first bad commit\n", c->id);
	printf("commit %s\nDate:   %s\n\n    %s\n\n", c->id, c->date, c->subject);
}

static void print_suspects(const struct git_log *log, const struct bisect_result *result)
{
	puts("There are only 'skip'ped commits left to test.\n"
	     "The first bad commit could be any of:");
	for (int i = 0; i < log->nr; i++)
		if (result->suspects[i])
			printf("%s %.10s %s\n", log->commits[i].id, log->commits[i].date,
				log->commits[i].subject);
	puts("We cannot bisect more!\n");
}

static json_t *suspects_json(const struct git_log *log, const struct bisect_result *result)
{
	json_t *list = json_array();

	for (int i = 0; i < log->nr; i++)
		if (result->suspects[i])
			json_array_append_new(list, commit_json(&log->commits[i]));
	return list;
}

void report_first_bad(
	struct bisect_report *r, const struct git_log *log, const struct bisect_result *result)
{
	int first = result->first_bad;

	if (r->json) {
		json_object_set_new(r->root, "first_bad",
			first < 0 ? json_null() : commit_json(&log->commits[first]));
		json_object_set_new(r->root, "suspects", suspects_json(log, result));
	} else if (first >= 0) {
		print_first_bad(&log->commits[first]);
	} else {
		print_suspects(log, result);
	}
}

static void outside_json(struct bisect_report *r, const struct git_log *outside)
{
	json_t *list = json_array();

	for (int i = 0; i < outside->nr; i++)
		json_array_append_new(list, commit_json(&outside->commits[i]));
	json_object_set_new(r->root, "outside", list);
}

void report_outside(struct bisect_report *r, int nr_searched, const char *const *paths,
	const struct git_log *outside)
{
	if (r->json) {
		outside_json(r, outside);
		return;
	}
	printf("Searched: the %d commit%s of this range that change%s %s.\n"
	       "\"First bad\" means the first bad one among these; a plug-in holds that file "
	       "alone.\n",
		nr_searched, nr_searched == 1 ? "" : "s", nr_searched == 1 ? "s" : "", r->path);
	if (outside->nr)
		printf("Not tested: %d commit%s of this range that change%s\n", outside->nr,
			outside->nr == 1 ? "" : "s", outside->nr == 1 ? "s" : "");
	else
		puts("Nor does any commit of this range change");
	for (; *paths; paths++)
		printf("  %s\n", *paths);
	for (int i = 0; i < outside->nr; i++)
		printf("%.12s %.10s %s\n", outside->commits[i].id, outside->commits[i].date,
			outside->commits[i].subject);
}

int report_close(struct bisect_report *r, struct error *err)
{
	return r->json ? json_write(r->root, stdout, err) : 0;
}
