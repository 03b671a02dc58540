// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/cmd.h"
#include "cmd/compare_store.h"
#include "cmd/output.h"
#include "cmd/rerun.h"
#include "cmd/run_filter.h"
#include "base/array.h"
#include "base/spec.h"
#include "base/units.h"
#include "report/events_csv.h"
#include "report/html.h"
#include "report/perfetto.h"
#include "report/result_json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
	"Usage: corepace report --db FILE -o REPORT.html [OPTION]... [FILTER]... [RUN]...\n"
	"       corepace report -o REPORT.html [OPTION]... RESULTS.json...\n"
	"Writes runs as one HTML file that needs no network: overview, performance\n"
	"against energy, latencies, idle states and frequencies, time lines, notes, and\n"
	"how to repeat each run. Filters and ids of runs are as in corepace-runs(1).\n"
	"\n"
	"  --db FILE            a store of runs\n"
	"  -o FILE              the report\n" FILTER_HELP "\n"
	"  --timelines N        with time lines of the first run of the first N\n"
	"                       configurations, which are done again for it (4)\n"
	"  --window FROM,MS     the window of time lines: where it begins and how long it\n"
	"                       is, in ms (20 ms in the middle of the run)\n"
	"  --perfetto FILE      the first of the runs as a trace for the Perfetto UI; the\n"
	"                       whole run unless --window is given\n"
	"  --events FILE        the same as CSV\n"
	"  --plugins            run the plug-ins that runs name, where these are done\n"
	"                       again; without it they have no time line\n"
	"  --help               this text\n"
	"\n"
	"Exit status: 0 done, 1 failed, 2 usage.\n";

enum { TIMELINES = 4, TIMELINES_MAX = 64 };

struct options {
	const char *db, *html, *perfetto, *events;
	struct store_filter filter;
	unsigned long long timelines;
	bool window, plugins;
	int64_t from_ns, length_ns;
	char **files;
	int nr_files;
};

/* What is to be done again. */
struct report {
	const struct options *o;
	struct html *html;
	int nr_chosen;
	struct {
		int run; /* number in the report */
		char *config, *workload;
		struct rerun rerun;
	} chosen[TIMELINES_MAX];
	struct rerun first;
	int nr_runs;
	bool by_machine;
};

static bool chosen_already(
	const struct report *r, const char *config, const struct run_result *result)
{
	for (int i = 0; i < r->nr_chosen; i++)
		if (!strcmp(r->chosen[i].config, config) &&
			!strcmp(r->chosen[i].rerun.machine, result->machine) &&
			!strcmp(r->chosen[i].workload, result->workload))
			return true;
	return false;
}

static int choose(struct report *r, int run, const char *config, const struct run_result *result)
{
	if (r->nr_chosen == (int)r->o->timelines || chosen_already(r, config, result))
		return 0;
	r->chosen[r->nr_chosen].run = run;
	r->chosen[r->nr_chosen].rerun = rerun_of(result);
	r->chosen[r->nr_chosen].rerun.plugins = r->o->plugins;
	r->chosen[r->nr_chosen].config = strdup(config);
	r->chosen[r->nr_chosen].workload = strdup(result->workload);
	if (!r->chosen[r->nr_chosen].config || !r->chosen[r->nr_chosen].workload)
		return -ENOMEM;
	r->nr_chosen++;
	return 0;
}

static int add(void *ctx, const struct stored_run *run, struct run_result *result, const char *name,
	struct error *err)
{
	struct report *r = ctx;
	char *command = stored_run_command(run);
	struct html_run about = { .id = run->id,
		.version = run->version,
		.command = command,
		.config = name,
		.hashes = { run->key.code, run->key.machine_hash, run->key.workload_hash,
			run->key.preset_hash, run->key.plugin_hash } };
	int rc;

	if (!r->nr_runs && r->by_machine)
		html_by_machine(r->html);
	rc = command ? html_add(r->html, &about, result, err)
		     : error_set(err, ENOMEM, "out of memory");

	free(command);
	if (rc < 0)
		return rc;
	if (!r->nr_runs++) {
		r->first = rerun_of(result);
		r->first.plugins = r->o->plugins;
	}
	return choose(r, rc, name, result) ? error_set(err, ENOMEM, "out of memory") : 0;
}

/* ---- results in files ------------------------------------------------------------------------ */

static int add_results(
	struct report *r, const struct results *results, bool machines, struct error *err)
{
	char name[1100];
	int rc = 0;

	for (int i = 0; i < results->nr && !rc; i++) {
		struct run_result *result = &results->runs[i];
		struct stored_run run = {
			.key = { "", result->machine, result->workload, result->policy, "", "", "",
				"", *result->scaling ? result->scaling : "known", result->seed },
			.version = "",
			.iteration = result->iteration
		};

		snprintf(name, sizeof(name), "%s%s%s", machines ? result->machine : "",
			machines ? " " : "", result->policy);
		rc = add(r, &run, result, name, err);
	}
	return rc;
}

static int read_files(struct report *r, struct error *err)
{
	const struct options *o = r->o;
	struct results *all = calloc((size_t)o->nr_files, sizeof(*all));
	const char *machine = NULL;
	bool machines = false;
	int rc = all ? 0 : error_set(err, ENOMEM, "out of memory");

	for (int i = 0; i < o->nr_files && !rc; i++) {
		rc = results_read(o->files[i], &all[i], err);
		for (int k = 0; k < all[i].nr && !rc; k++) {
			machine = machine ? machine : all[i].runs[k].machine;
			machines |= strcmp(machine, all[i].runs[k].machine) != 0;
		}
	}
	for (int i = 0; i < o->nr_files && !rc; i++)
		rc = add_results(r, &all[i], machines, err);
	for (int i = 0; all && i < o->nr_files; i++)
		results_release(&all[i]);
	free(all);
	if (!rc && !r->nr_runs)
		rc = error_set(err, ENOENT, "%s: no run", o->files[0]);
	return rc;
}

/* ---- what is done again ---------------------------------------------------------------------- */

static void window_of(const struct options *o, const struct rerun *run, int64_t *from, int64_t *to)
{
	const int64_t length = 20 * NSEC_PER_MSEC;

	*from = max_i64(0, (int64_t)run->simulated_ns / 2 - length / 2);
	*to = *from + length;
	if (o->window) {
		*from = o->from_ns;
		*to = o->from_ns + o->length_ns;
	}
}

/* A run that cannot be repeated costs its time line, not the report. */
static int add_timelines(struct report *r, struct error *err)
{
	char note[1200] = "";

	for (int i = 0; i < r->nr_chosen; i++) {
		struct timeline_sink sink;
		struct error why = { "" };
		int64_t from, to;
		int rc;

		window_of(r->o, &r->chosen[i].rerun, &from, &to);
		if (from > (int64_t)r->chosen[i].rerun.simulated_ns)
			return error_set(err, ERANGE,
				"--window: begins at %g ms, but %s of %s ends at %g ms",
				(double)from / 1e6, r->chosen[i].rerun.policy,
				r->chosen[i].rerun.workload,
				(double)r->chosen[i].rerun.simulated_ns / 1e6);
		if (html_timeline(r->html, r->chosen[i].run, from, &sink))
			return error_set(err, ENOMEM, "out of memory");
		rc = rerun(&r->chosen[i].rerun, &sink, from, to, &why);
		if (!rc)
			continue;
		html_timeline_drop(r->html);
		fprintf(stderr, "corepace report: no time line: %s\n", why.text);
		if (!*note)
			snprintf(note, sizeof(note), "Not all time lines could be made: %s.",
				why.text);
	}
	return *note && html_timeline_note(r->html, note) ? error_set(err, ENOMEM, "out of memory")
							  : 0;
}

static int write_html(struct report *r, struct error *err)
{
	struct output out;
	int rc = add_timelines(r, err);

	rc = rc ? rc : output_open(&out, r->o->html, err);
	if (rc)
		return rc;
	rc = html_write(r->html, out.file, err);
	return output_close(&out, rc, err);
}

static void whole_or_window(const struct options *o, int64_t *from, int64_t *to)
{
	*from = o->window ? o->from_ns : 0;
	*to = o->window ? o->from_ns + o->length_ns : INT64_MAX;
}

static int write_perfetto(const struct report *r, struct error *err)
{
	char title[1600];
	struct timeline_sink sink;
	struct perfetto *p;
	struct output out;
	int64_t from, to;
	int rc = output_open(&out, r->o->perfetto, err);

	if (rc)
		return rc;
	whole_or_window(r->o, &from, &to);
	snprintf(title, sizeof(title), "%s on %s: %s", r->first.workload, r->first.machine,
		r->first.policy);
	p = perfetto_new(out.file, title);
	if (!p) {
		rc = error_set(err, ENOMEM, "out of memory");
	} else {
		sink = perfetto_sink(p);
		rc = rerun(&r->first, &sink, from, to, err);
		rc = rc ? rc : perfetto_finish(p, err);
	}
	perfetto_free(p);
	return output_close(&out, rc, err);
}

static int write_events(const struct report *r, struct error *err)
{
	struct timeline_sink sink;
	struct output out;
	int64_t from, to;
	int rc = output_open(&out, r->o->events, err);

	if (rc)
		return rc;
	whole_or_window(r->o, &from, &to);
	events_csv_begin(out.file);
	sink = events_csv_sink(out.file);
	rc = rerun(&r->first, &sink, from, to, err);
	return output_close(&out, rc, err);
}

static int write_all(struct report *r, struct error *err)
{
	int rc = r->o->html ? write_html(r, err) : 0;

	if (!rc && r->o->perfetto)
		rc = write_perfetto(r, err);
	if (!rc && r->o->events)
		rc = write_events(r, err);
	return rc;
}

/* ---- options --------------------------------------------------------------------------------- */

/* FROM,LENGTH in ms. */
static int parse_window(const char *text, struct options *o)
{
	char *end;
	double from = strtod(text, &end), length = 0;

	if (end != text && *end == ',') {
		text = end + 1;
		length = strtod(text, &end);
	}
	if (end == text || *end || !(from >= 0) || !(length > 0) || from > 1e9 || length > 1e9)
		return usage(
			"report", "--window: expected FROM,LENGTH in milliseconds, such as 10,2.5");
	o->window = true;
	o->from_ns = llround(from * NSEC_PER_MSEC);
	o->length_ns = max_i64(1, llround(length * NSEC_PER_MSEC));
	return 0;
}

static int parse_option(int c, char **argv, struct options *o)
{
	struct error err;
	int rc = run_filter_option(&o->filter, c, optarg, &err);

	if (rc < 0)
		return usage("report", "%s", err.text);
	if (rc)
		return 0;
	switch (c) {
	case 'D':
		o->db = optarg;
		return 0;
	case 'o':
		o->html = optarg;
		return 0;
	case 'P':
		o->perfetto = optarg;
		return 0;
	case 'E':
		o->events = optarg;
		return 0;
	case 'T':
		rc = parse_u64(optarg, 0, TIMELINES_MAX, "--timelines", &o->timelines, &err);
		return rc ? usage("report", "%s", err.text) : 0;
	case 'L':
		o->plugins = true;
		return 0;
	case 'W':
		return parse_window(optarg, o);
	default:
		return usage("report", "'%s' is no option, or lacks its value", argv[optind - 1]);
	}
}

static int parse(int argc, char **argv, struct options *o)
{
	static const struct option longs[] = { FILTER_LONG, { "db", required_argument, NULL, 'D' },
		{ "perfetto", required_argument, NULL, 'P' },
		{ "events", required_argument, NULL, 'E' },
		{ "timelines", required_argument, NULL, 'T' },
		{ "window", required_argument, NULL, 'W' }, { "plugins", no_argument, NULL, 'L' },
		{ 0 } };
	struct error err;
	int c, rc;

	o->timelines = TIMELINES;
	opterr = 0;
	while ((c = getopt_long(argc, argv, FILTER_SHORT "o:", longs, NULL)) != -1) {
		rc = parse_option(c, argv, o);
		if (rc)
			return rc;
	}
	if (!o->html && !o->perfetto && !o->events)
		return usage("report", "expected -o REPORT.html, --perfetto FILE or --events FILE");
	for (int i = optind; o->db && i < argc; i++)
		if (run_filter_id(&o->filter, argv[i], &err))
			return usage("report", "%s", err.text);
	o->files = argv + optind;
	o->nr_files = o->db ? 0 : argc - optind;
	if (!o->db && o->filter.nr)
		return usage("report", "a filter of runs: expected --db FILE with it");
	if (!o->db && !o->nr_files)
		return usage("report", "expected --db FILE, or files of results");
	return 0;
}

/* An output is neither what is read nor another output. */
static int check_outputs(const struct options *o)
{
	const char *outputs[] = { o->html, o->perfetto, o->events };

	for (size_t i = 0; i < ARRAY_LEN(outputs); i++) {
		bool over = outputs[i] && o->db && same_file(outputs[i], o->db);

		for (int k = 0; outputs[i] && k < o->nr_files; k++)
			over = over || same_file(outputs[i], o->files[k]);
		for (size_t k = 0; outputs[i] && k < i; k++)
			over = over || (outputs[k] && same_file(outputs[i], outputs[k]));
		if (over)
			return usage("report", "%s: would be written over", outputs[i]);
	}
	return 0;
}

static int report(const struct options *o, struct error *err)
{
	struct report *r = calloc(1, sizeof(*r));
	int rc;

	if (r)
		r->html = html_new();
	if (!r || !r->html) {
		free(r);
		return error_set(err, ENOMEM, "out of memory");
	}
	r->o = o;
	rc = o->db ? stored_named(o->db, &o->filter, add, r, &r->by_machine, err)
		   : read_files(r, err);
	rc = rc ? rc : write_all(r, err);
	for (int i = 0; i < r->nr_chosen; i++) {
		free(r->chosen[i].config);
		free(r->chosen[i].workload);
	}
	html_free(r->html);
	free(r);
	return rc;
}

static int run(int argc, char **argv)
{
	struct options *o = calloc(1, sizeof(*o));
	struct error err = { "" };
	int status;

	if (!o)
		return EXIT_FAILED;
	status = parse(argc, argv, o);
	status = status ? status : check_outputs(o);
	if (!status)
		status = report(o, &err) ? fail("report", &err) : EXIT_DONE;
	free(o);
	return status;
}

const struct verb verb_report = {
	.name = "report",
	.summary = "write runs as an HTML report, or as a Perfetto trace",
	.help = help,
	.run = run,
};
