// SPDX-License-Identifier: GPL-2.0-or-later
/* `show machine` and `list machines`. */
#include "cmd/cmd.h"
#include "cmd/show.h"
#include "machine/machine.h"
#include "machine/names.h"

#include <jansson.h>
#include <limits.h>
#include <stdio.h>

int show_machine(const char *spec, const struct show_options *options)
{
	char dir[PATH_MAX];
	struct machine *m;
	struct error err;
	int code = EXIT_DONE;

	if (machine_load(spec, data_dir("machines", dir, sizeof(dir)), &m, &err))
		return fail("show", &err);
	if (options->against)
		code = show_machine_against(m, options->against, options->json);
	else
		machine_show(m, options->json, stdout);
	machine_free(m);
	return code;
}

/* A list does not fail for one bad file. */
static void describe(const char *name, const char *dir, char *ret, size_t size)
{
	struct machine *m;
	struct error err;

	if (machine_load(name, dir, &m, &err)) {
		snprintf(ret, size, "unreadable: %s", err.text);
		return;
	}
	snprintf(ret, size, "%s", m->description);
	machine_free(m);
}

int list_machines(bool json)
{
	json_t *list = json ? json_array() : NULL;
	char dir[PATH_MAX], summary[600];
	struct names names;

	names_read(&names, data_dir("machines", dir, sizeof(dir)));
	for (int i = 0; i < names.nr; i++) {
		describe(names.name[i], dir, summary, sizeof(summary));
		if (json)
			json_array_append_new(list,
				json_pack("{s:s,s:s}", "name", names.name[i], "summary", summary));
		else
			printf("%-20s %s\n", names.name[i], summary);
	}
	if (json) {
		json_t *o = json_pack("{s:i,s:o}", "schema", 1, "machines", list);

		json_dumpf(o, stdout, JSON_INDENT(1));
		putchar('\n');
		json_decref(o);
	}
	return EXIT_DONE;
}
