// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/story.h"
#include "cmd/output.h"
#include "report/comparison.h"
#include "report/json.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct scene {
	const char *machine, *workload;
	const char *metric; /* what the work is known for */
};

struct story {
	const char *name, *title;
	const char *base, *base_name, *other, *other_name; /* policies */
	const struct scene *scenes;
};

#define HWP "powersave-hwp"
#define KERNEL_417 "idle=menu@4.17,tick=select-first"
#define SANDY "powersave-pstate:tick=stop-first,tick-rate-limit=0,idle="

static const struct scene boost[] = {
	{ "xeon-e3-1240v5", "dbench4:fs=ext4,clients=4", "latency_ms" },
	{ "skylake-1-socket", "sqlite-insert", "tx_per_s" },
	{ "skylake-2-socket", "dbench4:clients=4", "latency_ms" },
	/* At the package's limit, short windows: it is reached in the first second. */
	{ "skylake-gpu-desktop:pl1_mw=20000,pl1_tau_ns=500000000", "gpu-frame-loop",
		"frames_per_s" },
	{ "skylake-gpu-gt4e:pl1_tau_ns=500000000", "gpu-frame-loop", "frames_per_s" },
	{ "skylake-104cpu", "server-tdp", "requests_per_s" },
	{ NULL },
};

static const struct scene collapse[] = {
	{ "dl580-gen8:online=N0/15", "kernbench:node=0,jobs=8", "elapsed_s" },
	{ "dl580-gen8:online=N0/30", "kernbench:node=0,jobs=8", "elapsed_s" },
	{ "dl580-gen8:online=N0123/120", "kernbench:node=0,jobs=8", "elapsed_s" },
	{ NULL },
};

static const struct scene poll[] = {
	{ "i7-2600k", "pipe-test", "usecs_per_loop" },
	{ "haswell-8cpu", "pipe-test:pin=2cores", "usecs_per_loop" },
	{ "i7-2600k", "kernel-compile-noop:times=9,window=2000", NULL },
	{ NULL },
};

static const struct story stories[] = {
	{ "boost", "A. Boost after I/O: gains where latency counts, losses at the power limit",
		HWP ":" KERNEL_417, "without", HWP ":boost=hwp-dynamic," KERNEL_417, "boost",
		boost },
	{ "collapse", "B. One mailbox for 120 CPUs: pcc-cpufreq with ondemand collapses",
		"powersave-pstate:" KERNEL_417, "intel_pstate",
		"pcc-ondemand:force-dynamic=1," KERNEL_417, "pcc", collapse },
	{ "poll", "C. Polling or C1 for short idle times: speed against energy", SANDY "menu@4.6",
		"C1", SANDY "menu@4.6-trusted", "poll", poll },
};

enum { NR_STORIES = sizeof(stories) / sizeof(stories[0]) };

/* ---- one scene ------------------------------------------------------------------------------- */

struct figure {
	bool there;
	char name[48];
	double base, other, percent; /* of means; NaN: none may be given */
	enum verdict verdict;
};

struct told {
	struct error failure; /* "" when there are figures */
	int fixed_time;
	double energy_band;
	struct figure work, joules, per_joule;
};

static void take(struct figure *f, const struct comparison *c)
{
	*f = (struct figure){
		.there = true,
		.base = summary_mean(&c->configs[0].s),
		.other = summary_mean(&c->configs[1].s),
		.percent = c->configs[1].percent,
		.verdict = c->configs[1].verdict,
	};
	snprintf(f->name, sizeof(f->name), "%s", c->metric->name);
}

static void take_comparisons(const struct scene *s, const struct comparisons *c, struct told *ret)
{
	for (int i = 0; i < c->nr; i++) {
		const struct comparison *it = &c->list[i];

		if (it->group->nr_configs != 2)
			continue;
		ret->fixed_time = it->group->fixed_time;
		ret->energy_band =
			fmax(it->group->configs[0].energy_band, it->group->configs[1].energy_band);
		if (s->metric && !strcmp(it->metric->name, s->metric))
			take(&ret->work, it);
		else if (!strcmp(it->metric->name, "package_j"))
			take(&ret->joules, it);
		else if (!strcmp(it->metric->name, "ops_per_j"))
			take(&ret->per_joule, it);
	}
}

/* Through the same comparison as `corepace run` prints, so the same rules hold for energy. */
static int tell(const struct scene *s, const struct measure_config *base,
	const struct measure_config *other, struct told *ret, struct error *err)
{
	struct samples samples = { 0 };
	struct comparisons c;
	int rc = 0;

	*ret = (struct told){ .fixed_time = -1 };
	if (!base->results || !other->results) {
		ret->failure = base->results ? other->failure : base->failure;
		return 0;
	}
	for (int i = 0; i < base->iterations && !rc; i++)
		rc = samples_add_result(&samples, &base->results[i], "base", err);
	for (int i = 0; i < other->iterations && !rc; i++)
		rc = samples_add_result(&samples, &other->results[i], "other", err);
	rc = rc ? rc : compare_samples(&samples, &c, err);
	if (!rc) {
		take_comparisons(s, &c, ret);
		comparisons_release(&c);
	}
	samples_release(&samples);
	return rc;
}

/* ---- text ------------------------------------------------------------------------------------ */

static void print_figure(const struct figure *f)
{
	char change[32] = "";

	if (!f->there)
		return;
	if (f->verdict == VERDICT_INSIDE_BAND)
		snprintf(change, sizeof(change), "~%+.1f %%~", f->percent);
	else if (!isnan(f->percent))
		snprintf(change, sizeof(change), "%+.1f %%", f->percent);
	else
		snprintf(change, sizeof(change), "%s",
			verdict_name(f->verdict) ? verdict_name(f->verdict) : "");
	printf("    %-34s %12.5g %12.5g  %s\n", f->name, f->base, f->other, change);
}

static void print_scene(const struct scene *s, const struct told *t)
{
	if (*t->failure.text) {
		printf("%s on %s\n    failed: %s\n", s->workload, s->machine, t->failure.text);
		return;
	}
	printf("%s on %s, %s\n", s->workload, s->machine,
		t->fixed_time ? "fixed time" : "fixed work");
	print_figure(&t->work);
	print_figure(&t->joules);
	print_figure(&t->per_joule);
}

static void print_head(const struct story *s)
{
	printf("%s\n\n%-38s %12s %12s\n", s->title, "", s->base_name, s->other_name);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *figure_json(const struct figure *f)
{
	json_t *o;

	if (!f->there)
		return json_null();
	o = json_object();
	json_object_set_new(o, "base", json_number(f->base));
	json_object_set_new(o, "other", json_number(f->other));
	json_object_set_new(o, "percent", json_number(f->percent));
	if (verdict_name(f->verdict))
		json_object_set_new(o, "verdict", json_string(verdict_name(f->verdict)));
	return o;
}

static json_t *scene_json(const struct scene *s, const struct told *t)
{
	json_t *o = json_pack("{s:s,s:s}", "machine", s->machine, "workload", s->workload);

	if (*t->failure.text) {
		json_object_set_new(o, "failed", json_string(t->failure.text));
		return o;
	}
	json_object_set_new(o, "fixed", json_string(t->fixed_time ? "time" : "work"));
	json_object_set_new(o, "energy_band", json_number(t->energy_band));
	if (s->metric)
		json_object_set_new(o, s->metric, figure_json(&t->work));
	json_object_set_new(o, "package_j", figure_json(&t->joules));
	json_object_set_new(o, "ops_per_j", figure_json(&t->per_joule));
	return o;
}

/* ---- all of them ----------------------------------------------------------------------------- */

static int choose(char *const *names, int nr, bool chosen[NR_STORIES], struct error *err)
{
	for (int i = 0; i < NR_STORIES; i++)
		chosen[i] = !nr;
	for (int k = 0; k < nr; k++) {
		int i = 0;

		while (i < NR_STORIES && strcmp(stories[i].name, names[k]))
			i++;
		if (i == NR_STORIES)
			return error_set(err, ENOENT,
				"no story '%s': expected boost, collapse or poll", names[k]);
		chosen[i] = true;
	}
	return 0;
}

static int add_story(
	struct measure *m, const struct story *story, int iterations, struct error *err)
{
	int rc = 0;

	for (const struct scene *s = story->scenes; s->machine && rc >= 0; s++) {
		rc = measure_add(m, s->machine, s->workload, story->base, iterations, err);
		if (rc >= 0)
			rc = measure_add(m, s->machine, s->workload, story->other, iterations, err);
	}
	return rc < 0 ? rc : 0;
}

static int tell_story(
	const struct story *story, struct measure *m, int *next, json_t *list, struct error *err)
{
	json_t *scenes = json_array();

	if (!list)
		print_head(story);
	for (const struct scene *s = story->scenes; s->machine; s++, *next += 2) {
		struct told t;
		int rc = tell(s, &m->configs[*next], &m->configs[*next + 1], &t, err);

		if (rc) {
			json_decref(scenes);
			return rc;
		}
		if (list)
			json_array_append_new(scenes, scene_json(s, &t));
		else
			print_scene(s, &t);
	}
	if (list)
		json_array_append_new(
			list, json_pack("{s:s,s:s,s:s,s:O}", "story", story->name, "base",
				      story->base, "other", story->other, "scenes", scenes));
	else
		printf("\n");
	json_decref(scenes);
	return 0;
}

static int finish(json_t *list, struct error *err)
{
	json_t *document;

	if (list) {
		document = json_schema();
		json_object_set(document, "stories", list);
		return json_write(document, stdout, err);
	}
	printf("Percentages are positive where the second policy is better; none is given for the\n"
	       "joules of unequal work, and ~ ~ is inside what the power model may be off.\n");
	return output_printed(err);
}

int stories_tell(char *const *names, int nr, struct measure_options *options, int iterations,
	bool json, struct error *err)
{
	struct measure m = { 0 };
	bool chosen[NR_STORIES];
	json_t *list = json ? json_array() : NULL;
	int next = 0, rc = choose(names, nr, chosen, err);

	for (int i = 0; i < NR_STORIES && !rc; i++)
		if (chosen[i])
			rc = add_story(&m, &stories[i], iterations, err);
	rc = rc ? rc : measure_run(&m, options, err);
	for (int i = 0; i < NR_STORIES && !rc; i++)
		if (chosen[i])
			rc = tell_story(&stories[i], &m, &next, list, err);
	rc = rc ? rc : finish(list, err);
	json_decref(list);
	measure_release(&m);
	return rc;
}
