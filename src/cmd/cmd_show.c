// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/cmd.h"
#include "cmd/show.h"

#include <getopt.h>
#include <string.h>

static const struct {
	const char *kind;
	int (*show)(const char *spec, const struct show_options *options);
} kinds[] = {
	{ "driver", show_driver },
	{ "governor", show_governor },
	{ "machine", show_machine },
	{ "policy", show_policy },
	{ "workload", show_workload },
	{ NULL, NULL },
};

static int show(int argc, char **argv)
{
	static const struct option longs[] = { { "json", no_argument, NULL, 'j' },
		{ "all", no_argument, NULL, 'a' }, { "ops", required_argument, NULL, 'o' },
		{ "against", required_argument, NULL, 'g' }, { NULL, 0, NULL, 0 } };
	struct show_options options = { 0 };
	int opt;

	opterr = 0;
	while ((opt = getopt_long(argc, argv, "", longs, NULL)) != -1) {
		if (opt == 'j')
			options.json = true;
		else if (opt == 'a')
			options.all = true;
		else if (opt == 'o')
			options.ops = optarg;
		else if (opt == 'g')
			options.against = optarg;
		else
			return usage("show", "'%s' is no option", argv[optind - 1]);
	}
	/* One argument alone is a file. */
	if (argc - optind == 1)
		return show_workload(argv[optind], &options);
	if (argc - optind != 2)
		return usage("show", "expected FILE.cpw, or a kind and a name");
	for (int i = 0; kinds[i].kind; i++)
		if (!strcmp(argv[optind], kinds[i].kind))
			return kinds[i].show(argv[optind + 1], &options);
	return usage("show", "nothing called '%s' to show", argv[optind]);
}

const struct verb verb_show = {
	.name = "show",
	.summary = "show a workload, a machine, a policy, a driver or a governor",
	.help = "Usage: corepace show FILE.cpw [--ops TASK] [--all] [--json]\n"
		"       corepace show workload NAME[:KEY=VALUE...] [--ops TASK] [--json]\n"
		"       corepace show machine NAME[:KEY=VALUE...] [--against FILE.csv] [--json]\n"
		"       corepace show policy SPEC [--json]\n"
		"       corepace show driver NAME [--json]\n"
		"       corepace show governor NAME [--against NAME] [--json]\n"
		"Shows what a workload holds: where it was recorded, what happened in that\n"
		"run, its tasks with their run time and what they wait for; or every value of\n"
		"a machine with its range, confidence and source; or what each choice of a\n"
		"policy comes to; or the parameters of a frequency driver; or the rules that an\n"
		"idle governor follows.\n\n"
		"  --ops TASK  print the first ops of that task (a number) instead\n"
		"  --all       all tasks (ops with --ops), not only the first\n"
		"  --against NAME  only the rules that differ from that governor's\n"
		"  --against FILE  figures of FILE, measured and as the machine's model has "
		"them\n"
		"  --json      print JSON\n",
	.run = show,
};
