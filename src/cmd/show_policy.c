// SPDX-License-Identifier: GPL-2.0-or-later
/* `show policy`: a specification resolved into its choices. */
#include "cmd/cmd.h"
#include "cmd/plugins.h"
#include "cmd/show.h"
#include "base/units.h"
#include "machine/preset.h"

#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { ROWS_MAX = 48 };

struct rows {
	int nr;
	struct {
		char key[40], value[96];
		const char *summary;
	} row[ROWS_MAX];
};

static void add(struct rows *rows, const char *key, const char *summary, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

static void add(struct rows *rows, const char *key, const char *summary, const char *fmt, ...)
{
	va_list ap;

	if (rows->nr == ROWS_MAX)
		return;
	snprintf(rows->row[rows->nr].key, sizeof(rows->row[0].key), "%s", key);
	va_start(ap, fmt);
	vsnprintf(rows->row[rows->nr].value, sizeof(rows->row[0].value), fmt, ap);
	va_end(ap);
	rows->row[rows->nr++].summary = summary ? summary : "";
}

static const char *yes_no(bool value)
{
	return value ? "yes" : "no";
}

/* As the key takes it. */
static void add_latency(struct rows *rows, const char *key, const char *summary, int64_t ns)
{
	if (ns == LATENCY_NO_LIMIT_NS)
		add(rows, key, summary, "none");
	else
		add(rows, key, summary, "%" PRId64 "ns", ns);
}

static void add_resume_latencies(struct rows *rows, const struct policy *p)
{
	char text[96] = "";
	size_t n = 0;

	for (int i = 0; i < p->nr_resume_latencies && n < sizeof(text); i++) {
		n += (size_t)snprintf(text + n, sizeof(text) - n, "%s", i ? "+" : "");
		if (p->resume_latency[i].cpu >= 0 && n < sizeof(text))
			n += (size_t)snprintf(
				text + n, sizeof(text) - n, "%d:", p->resume_latency[i].cpu);
		if (n < sizeof(text))
			n += (size_t)snprintf(text + n, sizeof(text) - n, "%" PRId64 "ns",
				p->resume_latency[i].ns);
	}
	add(rows, "resume-latency", "per CPU, as set through sysfs", "%s", n ? text : "none");
}

static void add_khz(struct rows *rows, const char *key, uint32_t khz)
{
	if (khz)
		add(rows, key, "the user's limit, kHz", "%u", khz);
	else
		add(rows, key, "the user's limit, kHz", "none");
}

static void collect(struct rows *rows, const struct policy *p)
{
	add(rows, "driver", p->driver->summary, "%s", p->driver->name);
	add(rows, "governor", p->governor->summary, "%s", p->governor->name);
	add(rows, "boost", p->boost->summary, "%s", p->boost->name);
	add(rows, "idle", p->idle->summary, "%s%s%s", p->idle->name, *p->idle_arg ? ":" : "",
		p->idle_arg);
	add(rows, "tick", p->tick->summary, "%s", p->tick->name);
	add(rows, "sched", p->sched.summary, "%s", p->sched.name);
	add(rows, "select-idle-sibling", "wake-ups look for an idle CPU nearby", "%s",
		yes_no(p->sched.select_idle_sibling));
	add(rows, "smt-aware", "and prefer one whose core is idle", "%s",
		yes_no(p->sched.smt_aware));
	add(rows, "balance", "tasks are moved between CPUs from time to time", "%s",
		yes_no(p->sched.balance));
	add(rows, "poll-limit", "longest poll", "%s", poll_limit_name(policy_poll_limit_kind(p)));
	add(rows, "tick-rate-limit", "the tick is kept while the CPU idles briefly", "%s",
		yes_no(p->tick_rate_limit));
	add_latency(rows, "latency-limit", "for all CPUs, as set through /dev/cpu_dma_latency",
		p->latency_limit_ns);
	add_resume_latencies(rows, p);
	add(rows, "disable-states", "as disabled through sysfs", "%s",
		*p->disable_states ? p->disable_states : "none");
	add(rows, "freq-invariant", "utilisation is scaled by frequency where that can be told",
		"%s", yes_no(p->invariant != INVARIANT_NO));
	add_khz(rows, "scaling-min-freq", p->user.min_khz);
	add_khz(rows, "scaling-max-freq", p->user.max_khz);
	for (int i = 0; i < p->nr_changes; i++)
		add(rows, "at", "changed while the system runs", "%" PRId64 "ms:%s=%s",
			p->changes[i].ns / NSEC_PER_MSEC, p->changes[i].key, p->changes[i].value);
	add(rows, "kernel", "whose choice driver=auto is", "%d.%d", p->kernel / 1000,
		p->kernel % 1000);
	add(rows, "cmdline", "of that kernel", "%s", *p->cmdline ? p->cmdline : "none");
	for (int i = 0; i < p->nr_tunables; i++)
		add(rows, p->tunables[i].key, "tunable", "%s", p->tunables[i].value);
}

static void print_text(const struct policy *p, const struct rows *rows)
{
	char note[256];

	printf("%s\n\n", p->text);
	for (int i = 0; i < rows->nr; i++)
		printf("%-20s %-16s %s\n", rows->row[i].key, rows->row[i].value,
			rows->row[i].summary);
	for (int i = 0; policy_note(p, i, note, sizeof(note)); i++)
		printf("%snote: %s\n", i ? "" : "\n", note);
}

static void print_json(const struct policy *p, const struct rows *rows)
{
	json_t *values = json_object(), *notes = json_array(), *root;
	char note[256];

	for (int i = 0; i < rows->nr; i++)
		json_object_set_new(values, rows->row[i].key, json_string(rows->row[i].value));
	for (int i = 0; policy_note(p, i, note, sizeof(note)); i++)
		json_array_append_new(notes, json_string(note));
	root = json_pack("{s:i,s:s,s:o,s:o}", "schema", 1, "policy", p->text, "values", values,
		"notes", notes);
	json_dumpf(root, stdout, JSON_INDENT(1));
	putchar('\n');
	json_decref(root);
}

int show_policy(const char *spec, const struct show_options *options)
{
	struct rows rows = { 0 };
	char dir[PATH_MAX];
	struct policy policy;
	struct error err;

	if (policy_load(
		    spec, data_dir("policies", dir, sizeof(dir)), &plugin_resolver, &policy, &err))
		return fail("show", &err);
	collect(&rows, &policy);
	if (options->json)
		print_json(&policy, &rows);
	else
		print_text(&policy, &rows);
	return EXIT_DONE;
}
