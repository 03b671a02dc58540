// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/cmd.h"
#include "doctor/model.h"
#include "base/outfile.h"

#include <dirent.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char import_machine_help[] =
	"Usage: corepace import-machine -o FILE.yaml [OPTION]... [ROOT]\n"
	"Write the model of this machine (or of ROOT: a folder or an archive, as\n"
	"corepace capture makes it): what its files tell as measured, all else carried\n"
	"over from the machine model that is nearest to it.\n"
	"\n"
	"  -o FILE.yaml    write this file; -: standard output\n"
	"      --near NAME carry over from this machine instead\n"
	"      --msr FILE  registers, where ROOT has none\n"
	"      --acpi FILE ACPI tables, where ROOT has none\n"
	"      --help      show this\n"
	"\n"
	"Exit status: 0 done, 1 failed, 2 usage.\n";

struct arguments {
	struct tree_sources from;
	const char *out, *near;
};

enum { OPT_NEAR = 256, OPT_MSR, OPT_ACPI };

static const struct option long_options[] = {
	{ "output", required_argument, NULL, 'o' },
	{ "near", required_argument, NULL, OPT_NEAR },
	{ "msr", required_argument, NULL, OPT_MSR },
	{ "acpi", required_argument, NULL, OPT_ACPI },
	{ NULL, 0, NULL, 0 },
};

static int take_arguments(struct arguments *a, int argc, char **argv)
{
	int opt;

	opterr = 0;
	while ((opt = getopt_long(argc, argv, "o:", long_options, NULL)) >= 0) {
		switch (opt) {
		case 'o':
			a->out = optarg;
			break;
		case OPT_NEAR:
			a->near = optarg;
			break;
		case OPT_MSR:
			a->from.msr = optarg;
			break;
		case OPT_ACPI:
			a->from.acpi = optarg;
			break;
		default:
			return usage("import-machine", "unknown option or missing argument");
		}
	}
	if (optind < argc)
		a->from.where = argv[optind++];
	if (optind < argc)
		return usage("import-machine", "expected one ROOT at most");
	if (!a->out)
		return usage("import-machine", "expected -o FILE.yaml");
	return 0;
}

/* ---- the nearest machine ----------------------------------------------------------------- */

struct near {
	struct machine *best, *best_hwp;
	int distance, distance_hwp;
};

static void offer(struct near *near, const struct model *model, struct machine *m)
{
	int distance = model_distance(model, m);
	bool kept = false;

	if (!near->best || distance < near->distance) {
		if (near->best != near->best_hwp)
			machine_free(near->best);
		near->best = m;
		near->distance = distance;
		kept = true;
	}
	if (m->hwp.present && (!near->best_hwp || distance < near->distance_hwp)) {
		if (near->best_hwp != near->best)
			machine_free(near->best_hwp);
		near->best_hwp = m;
		near->distance_hwp = distance;
		kept = true;
	}
	if (!kept)
		machine_free(m);
}

static int is_model(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return dot && !strcmp(dot, ".yaml");
}

static int find_near(
	struct near *near, const struct model *model, const char *dir, struct error *err)
{
	struct dirent **entries;
	int nr = scandir(dir, &entries, is_model, alphasort), code = 0;

	if (nr < 0)
		return error_set(err, errno, "%s: %m", dir);
	for (int i = 0; i < nr; i++) {
		struct machine *m;

		*strrchr(entries[i]->d_name, '.') = '\0';
		if (!code)
			code = machine_load(entries[i]->d_name, dir, &m, err);
		if (!code)
			offer(near, model, m);
		free(entries[i]);
	}
	free(entries);
	if (!code && !near->best)
		code = error_set(err, ENOENT, "%s: holds no machine", dir);
	return code;
}

static void drop_near(struct near *near)
{
	if (near->best_hwp != near->best)
		machine_free(near->best_hwp);
	machine_free(near->best);
}

/* ---- the file ----------------------------------------------------------------------------- */

/* What is written must load: what does not is our fault, and no file appears. */
static int write_text(const char *path, const char *text, size_t len, struct error *err)
{
	struct out_file file;
	int code;

	if (!strcmp(path, "-"))
		return fwrite(text, 1, len, stdout) == len && !fflush(stdout)
			       ? 0
			       : error_set(err, EIO, "standard output: %m");
	code = out_file_open(&file, path, err);
	if (code)
		return code;
	for (size_t done = 0; done < len;) {
		ssize_t n = write(file.fd, text + done, len - done);

		if (n < 0 && errno != EINTR) {
			code = error_set(err, errno, "%s: %m", path);
			out_file_drop(&file);
			return code;
		}
		done += n > 0 ? (size_t)n : 0;
	}
	return out_file_keep(&file, err);
}

static int write_model(const struct model *model, const char *path, struct error *err)
{
	struct machine *check;
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);
	int code;

	if (!f)
		return error_set(err, ENOMEM, "out of memory");
	model_write(model, f);
	if (fclose(f)) {
		free(text);
		return error_set(err, ENOMEM, "out of memory");
	}
	code = machine_load_text(path, text, len, &check, err);
	if (!code) {
		machine_free(check);
		code = write_text(path, text, len, err);
	}
	free(text);
	return code;
}

static int import(const struct arguments *a, struct tree *tree, struct facts *facts)
{
	struct near near = { NULL };
	struct model *model = malloc(sizeof(*model));
	struct error err;
	char dir[4096];
	int code;

	if (!model)
		return fail("import-machine", (error_set(&err, ENOMEM, "out of memory"), &err));
	code = model_read(tree, facts, model, &err);
	if (!code)
		code = find_near(&near, model, data_dir("machines", dir, sizeof(dir)), &err);
	if (!code && a->near) {
		struct machine *m;

		code = machine_load(a->near, dir, &m, &err);
		if (!code && near.best != near.best_hwp)
			machine_free(near.best);
		if (!code)
			near.best = m;
	}
	if (!code) {
		model->nearest = near.best;
		model->nearest_hwp = near.best_hwp;
		code = write_model(model, a->out, &err);
	}
	for (int i = 0; i < model->nr_notes && !code; i++)
		fprintf(stderr, "corepace import-machine: %s\n", model->notes[i]);
	if (!code)
		fprintf(stderr,
			"corepace import-machine: what is not told is carried over from %s\n",
			near.best->name);
	drop_near(&near);
	free(model);
	return code ? fail("import-machine", &err) : EXIT_DONE;
}

static int run(int argc, char **argv)
{
	struct arguments a = { { NULL } };
	struct tree *tree;
	struct facts *facts;
	struct error err;
	int status = take_arguments(&a, argc, argv);

	if (status)
		return status;
	if (tree_open(&a.from, &tree, &err))
		return fail("import-machine", &err);
	facts = calloc(1, sizeof(*facts));
	if (!facts || facts_gather(tree, facts, &err)) {
		error_set(&err, ENOMEM, "out of memory");
		status = fail("import-machine", &err);
	} else {
		status = import(&a, tree, facts);
		facts_drop(facts);
	}
	free(facts);
	tree_free(tree);
	return status;
}

const struct verb verb_import_machine = {
	.name = "import-machine",
	.summary = "write the model of a machine from its files",
	.help = import_machine_help,
	.run = run,
};
