// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * `show governor`: what an idle governor does, as the list of its rules; with --against only what
 * another one does differently. The rules are read from the data that the governors run on. Of a
 * frequency governor, its tunables.
 */
#include "cmd/cmd.h"
#include "cmd/plugins.h"
#include "cmd/show.h"

#include "policy/freq/tunables.h"
#include "policy/idle/rules.h"
#include "policy/registry.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

struct side {
	const char *name, *summary;
	struct idle_rule rules[IDLE_RULES_MAX];
	int nr;
};

/* A built-in one's tunables: range, what it is unless set, what it does. */
static void take_tunables(struct side *side)
{
	for (const struct freq_tunable *t = freq_tunables; t->name; t++) {
		struct idle_rule *rule = &side->rules[side->nr];

		if (strcmp(t->governor, side->name) || side->nr == IDLE_RULES_MAX)
			continue;
		rule->step = "tunable";
		rule->name = t->name;
		snprintf(rule->value, sizeof(rule->value), "%s; %s", t->initial, t->summary);
		side->nr++;
	}
}

static int take(struct side *side, const char *name, struct error *err)
{
	const struct freq_governor *freq;
	const struct idle_governor *idle;
	int r;

	if (!plugin_freq_find(name, &freq, err)) {
		*side = (struct side){ .name = freq->name, .summary = freq->summary };
		take_tunables(side);
		return 0;
	}
	r = plugin_idle_find(name, &idle, NULL, err);
	if (r < 0)
		return r;
	side->name = idle->name;
	side->summary = idle->summary;
	side->nr = idle_governor_rules(idle, side->rules);
	return 0;
}

static const struct idle_rule *same_rule(const struct side *side, const struct idle_rule *rule)
{
	for (int i = 0; i < side->nr; i++)
		if (!strcmp(side->rules[i].step, rule->step) &&
			!strcmp(side->rules[i].name, rule->name))
			return &side->rules[i];
	return NULL;
}

/* Of the column of names. */
static int name_width(const struct side *side)
{
	int width = 16;

	for (int i = 0; i < side->nr; i++)
		if ((int)strlen(side->rules[i].name) > width)
			width = (int)strlen(side->rules[i].name);
	return width;
}

/* The step is printed where it begins. */
static void print_rule(
	const struct idle_rule *rule, const char *value, int width, const char **step)
{
	bool begins = !*step || strcmp(*step, rule->step);

	*step = rule->step;
	printf("%-8s %-*s %s\n", begins ? rule->step : "", width, rule->name, value);
}

static void print_governor(const struct side *side)
{
	const char *step = NULL;

	printf("%s: %s\n%s", side->name, side->summary, side->nr ? "\n" : "");
	for (int i = 0; i < side->nr; i++)
		print_rule(&side->rules[i], side->rules[i].value, name_width(side), &step);
}

static void print_against(const struct side *a, const struct side *b)
{
	const char *step = NULL;
	int differ = 0, width = name_width(a) > name_width(b) ? name_width(a) : name_width(b);

	printf("%s: %s\n", a->name, a->summary);
	printf("%s: %s\n\n", b->name, b->summary);
	printf("%-8s %-*s %s\n", "", width, "", "+ the first, - the second");
	for (int i = 0; i < a->nr; i++) {
		const struct idle_rule *other = same_rule(b, &a->rules[i]);
		char line[128];

		if (other && !strcmp(other->value, a->rules[i].value))
			continue;
		differ++;
		snprintf(line, sizeof(line), "+ %s", a->rules[i].value);
		print_rule(&a->rules[i], line, width, &step);
		if (other)
			printf("%-8s %-*s - %s\n", "", width, "", other->value);
	}
	for (int i = 0; i < b->nr; i++) {
		char line[128];

		if (same_rule(a, &b->rules[i]))
			continue;
		differ++;
		snprintf(line, sizeof(line), "- %s", b->rules[i].value);
		print_rule(&b->rules[i], line, width, &step);
	}
	printf("\n%d %s\n", differ, differ == 1 ? "rule differs" : "rules differ");
}

static json_t *rules_json(const struct side *side)
{
	json_t *rules = json_array();

	for (int i = 0; i < side->nr; i++)
		json_array_append_new(
			rules, json_pack("{s:s, s:s, s:s}", "step", side->rules[i].step, "rule",
				       side->rules[i].name, "value", side->rules[i].value));
	return json_pack("{s:s, s:s, s:o}", "governor", side->name, "summary", side->summary,
		"rules", rules);
}

static void print_json(const struct side *a, const struct side *b)
{
	json_t *list = json_array(), *out;

	json_array_append_new(list, rules_json(a));
	if (b)
		json_array_append_new(list, rules_json(b));
	out = json_pack("{s:i, s:o}", "schema", 1, "governors", list);
	json_dumpf(out, stdout, JSON_INDENT(2));
	putchar('\n');
	json_decref(out);
}

int show_governor(const char *spec, const struct show_options *options)
{
	struct side a, b;
	struct error err;

	if (take(&a, spec, &err) || (options->against && take(&b, options->against, &err)))
		return fail("show", &err);
	if (options->json)
		print_json(&a, options->against ? &b : NULL);
	else if (options->against)
		print_against(&a, &b);
	else
		print_governor(&a);
	return EXIT_DONE;
}
