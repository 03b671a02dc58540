// SPDX-License-Identifier: GPL-2.0-or-later
/* corepace governor: policies of one's own. */
#include "cmd/cmd.h"
#include "cmd/plugins.h"
#include "base/outfile.h"

#include <getopt.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SOURCES_MAX = 16 };

static const char help[] =
	"Usage: corepace governor build [-o X.so] [--json] SOURCE.c... [-- CC_ARG...]\n"
	"Compiles a governor into a plug-in, which runs wherever a built-in one does:\n"
	"corepace run -p POLICY:idle=./X.so, or governor=./X.so\n"
	"\n"
	"SOURCE.c is one of these:\n"
	"  - a kernel's own governor file (drivers/cpuidle/governors/menu.c,\n"
	"    kernel/sched/cpufreq_schedutil.c and the like), unmodified or with a\n"
	"    patch; compiled against kernel-shim\n"
	"  - a file that includes corepace/policy.h and exports corepace_plugin\n"
	"Files that it needs follow: cpufreq_ondemand.c cpufreq_governor.c\n"
	"\n"
	"  -o, --output X.so  where to (default: SOURCE.so in the current folder)\n"
	"      --json         the result as JSON\n"
	"\n"
	"The compiler is $CC, or cc. On failure its messages are shown, and the names\n"
	"that the shim does not have. The plug-in appears only when it can be loaded.\n";

/* SOURCE.so, in the current folder. */
static int default_output(const char *source, char *buf, size_t size)
{
	const char *name = strrchr(source, '/');
	size_t length;

	name = name ? name + 1 : source;
	length = strlen(name);
	if (length < 3 || strcmp(name + length - 2, ".c"))
		return usage("governor", "'%s' is no C file: expected SOURCE.c", source);
	if (snprintf(buf, size, "%.*s.so", (int)length - 2, name) >= (int)size)
		return usage("governor", "'%s': name too long", source);
	return EXIT_DONE;
}

static int print_json(const char *output, const struct plugin_built *built)
{
	json_t *root = json_pack("{s:i, s:s}", "schema", 1, "plugin", output);

	if (root && built->idle[0])
		json_object_set_new(root, "idle",
			json_pack("{s:s, s:I}", "name", built->idle, "state_bytes",
				(json_int_t)built->state_size));
	if (root && built->governor[0])
		json_object_set_new(root, "governor",
			json_pack("{s:s, s:I}", "name", built->governor, "state_bytes",
				(json_int_t)built->state_size));
	json_dumpf(root, stdout, JSON_INDENT(2));
	putchar('\n');
	json_decref(root);
	return EXIT_DONE;
}

static int print_text(const char *output, const struct plugin_built *built)
{
	if (built->idle[0])
		printf("%s: idle governor %s, %zu bytes of state per CPU\n", output, built->idle,
			built->state_size);
	else if (built->governor[0])
		printf("%s: governor %s, %zu bytes of state per policy of one CPU\n", output,
			built->governor, built->state_size);
	else
		printf("%s: a plug-in without a governor\n", output);
	return EXIT_DONE;
}

static int build(char *const *sources, const char *output, char *const *arguments, bool json)
{
	struct plugin_built built;
	struct error err = { "" };
	int r;

	for (char *const *source = sources; *source; source++)
		if (same_file(output, *source))
			return usage("governor", "%s: would be written over", output);
	r = plugin_build(sources, output, arguments, &built, &err);

	if (built.report.messages)
		fputs(built.report.messages, stderr);
	compile_report_release(&built.report);
	if (r)
		return fail("governor", &err);
	return json ? print_json(output, &built) : print_text(output, &built);
}

static int governor_run(int argc, char **argv)
{
	static const struct option options[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "json", no_argument, NULL, 'j' },
		{ NULL, 0, NULL, 0 },
	};
	static char *none[] = { NULL };
	char buf[4096], **arguments = none, *sources[SOURCES_MAX + 1];
	const char *output = NULL;
	bool json = false;
	int c, nr = argc;

	/* What follows "--" is the compiler's. */
	for (int i = 1; i < nr; i++) {
		if (!strcmp(argv[i], "--")) {
			arguments = argv + i + 1;
			nr = i;
		}
	}
	while ((c = getopt_long(nr, argv, "o:", options, NULL)) != -1) {
		if (c == 'o')
			output = optarg;
		else if (c == 'j')
			json = true;
		else
			return usage("governor", "see the options above");
	}
	if (optind == nr || strcmp(argv[optind], "build"))
		return usage("governor", "expected 'build'");
	if (nr - optind < 2)
		return usage("governor", "expected SOURCE.c");
	if (nr - optind - 1 > SOURCES_MAX)
		return usage("governor", "more than %d files", SOURCES_MAX);
	memset(sources, 0, sizeof(sources));
	memcpy(sources, argv + optind + 1, (size_t)(nr - optind - 1) * sizeof(*sources));
	if (!output) {
		int status = default_output(sources[0], buf, sizeof(buf));

		if (status)
			return status;
		output = buf;
	}
	return build(sources, output, arguments, json);
}

const struct verb verb_governor = {
	.name = "governor",
	.summary = "builds a governor's source into a plug-in",
	.help = help,
	.run = governor_run,
};
