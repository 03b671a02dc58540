// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/cmd.h"
#include "cmd/show.h"

#include <getopt.h>
#include <string.h>

static const struct {
	const char *kind;
	int (*list)(bool json);
} kinds[] = {
	{ "drivers", list_drivers },
	{ "governors", list_governors },
	{ "machines", list_machines },
	{ "policies", list_policies },
	{ "workloads", list_workloads },
	{ NULL, NULL },
};

static int list(int argc, char **argv)
{
	static const struct option longs[] = { { "json", no_argument, NULL, 'j' },
		{ NULL, 0, NULL, 0 } };
	bool json = false;
	int opt;

	opterr = 0;
	while ((opt = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		if (opt != 'j')
			return usage("list", "'%s' is no option", argv[optind - 1]);
		json = true;
	}
	if (argc - optind != 1)
		return usage("list", "expected what to list");
	for (int i = 0; kinds[i].kind; i++)
		if (!strcmp(argv[optind], kinds[i].kind))
			return kinds[i].list(json);
	return usage("list", "nothing called '%s' to list", argv[optind]);
}

const struct verb verb_list = {
	.name = "list",
	.summary = "list what there is by name",
	.help = "Usage: corepace list drivers|governors|machines|policies|workloads [--json]\n"
		"Lists what can be named: frequency drivers; governors (of idle states and of\n"
		"frequency); machine models; policies (presets, then what each choice of a\n"
		"policy can be); workloads (generators, then the recordings in the data "
		"folder).\n\n"
		"  --json  print JSON\n",
	.run = list,
};
