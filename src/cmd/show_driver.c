// SPDX-License-Identifier: GPL-2.0-or-later
/* `show driver`: what a frequency driver takes, and what changed between kernels. */
#include "cmd/cmd.h"
#include "cmd/show.h"

#include "policy/registry.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

static const struct driver *find(const char *name, struct error *err)
{
	struct policy policy;

	policy_defaults(&policy);
	return policy_set(&policy, "driver", name, err) ? NULL : policy.driver;
}

static void print_text(const struct driver *d)
{
	printf("%s: %s\n", d->name, d->summary);
	for (const struct driver_parameter *p = d->parameters; p && p->name; p++)
		printf("%s%-30s %-30s %s\n", p == d->parameters ? "\n" : "", p->name, p->values,
			p->summary);
	for (const char *const *h = d->history; h && *h; h++)
		printf("%s%s\n", h == d->history ? "\n" : "", *h);
}

static void print_json(const struct driver *d)
{
	json_t *parameters = json_array(), *history = json_array(), *root;

	for (const struct driver_parameter *p = d->parameters; p && p->name; p++)
		json_array_append_new(
			parameters, json_pack("{s:s,s:s,s:s}", "name", p->name, "values", p->values,
					    "summary", p->summary));
	for (const char *const *h = d->history; h && *h; h++)
		json_array_append_new(history, json_string(*h));
	root = json_pack("{s:i,s:s,s:s,s:o,s:o}", "schema", 1, "driver", d->name, "summary",
		d->summary, "parameters", parameters, "history", history);
	json_dumpf(root, stdout, JSON_INDENT(1));
	putchar('\n');
	json_decref(root);
}

int show_driver(const char *name, const struct show_options *options)
{
	struct error err;
	const struct driver *d = find(name, &err);

	if (!d)
		return fail("show", &err);
	if (options->json)
		print_json(d);
	else
		print_text(d);
	return EXIT_DONE;
}
