// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/cmd.h"
#include "doctor/capture.h"
#include "base/outfile.h"
#include "report/json.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>

static const char capture_help[] =
	"Usage: corepace capture -o FILE.tar.zst [OPTION]... [ROOT]\n"
	"Collect what corepace doctor and corepace import-machine read of this machine\n"
	"(or of ROOT: a folder or an archive) into an archive for somebody else: exactly\n"
	"those files, without host name, serial numbers and addresses.\n"
	"\n"
	"  -o FILE.tar.zst write this file\n"
	"      --dry-run   print the list of files, write none\n"
	"      --json      print the list as JSON\n"
	"      --help      show this\n"
	"\n"
	"Exit status: 0 done, 1 failed, 2 usage.\n";

struct arguments {
	const char *out, *where;
	bool dry_run, json;
};

enum { OPT_DRY_RUN = 256, OPT_JSON };

static const struct option long_options[] = {
	{ "output", required_argument, NULL, 'o' },
	{ "dry-run", no_argument, NULL, OPT_DRY_RUN },
	{ "json", no_argument, NULL, OPT_JSON },
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
		case OPT_DRY_RUN:
			a->dry_run = true;
			break;
		case OPT_JSON:
			a->json = true;
			break;
		default:
			return usage("capture", "unknown option or missing argument");
		}
	}
	if (optind < argc)
		a->where = argv[optind++];
	if (optind < argc)
		return usage("capture", "expected one ROOT at most");
	if (!a->out && !a->dry_run)
		return usage("capture", "expected -o FILE.tar.zst or --dry-run");
	return 0;
}

static int write_archive(const struct capture *capture, const char *path, struct error *err)
{
	struct out_file file;
	int code = out_file_open(&file, path, err);

	if (code)
		return code;
	code = capture_write(capture, file.fd, err);
	if (code) {
		out_file_drop(&file);
		return error_prefix(err, code, "%s", path);
	}
	return out_file_keep(&file, err);
}

static int print_json(const struct capture *capture, const char *out)
{
	json_t *root = json_schema(), *files = json_array();
	struct error err;

	for (size_t i = 0; i < capture->nr; i++) {
		const struct capture_file *f = &capture->files[i];

		json_array_append_new(files,
			json_pack("{s:s, s:o}", "path", f->path, "bytes", json_count(f->len)));
	}
	json_object_set_new(root, "output", out ? json_string(out) : json_null());
	json_object_set_new(root, "files", files);
	return json_write(root, stdout, &err) ? fail("capture", &err) : EXIT_DONE;
}

static void print_list(const struct capture *capture)
{
	for (size_t i = 0; i < capture->nr; i++) {
		const struct capture_file *f = &capture->files[i];

		if (f->link)
			printf("%8s  %s -> %s\n", "link", f->path, f->text);
		else
			printf("%8zu  %s\n", f->len, f->path);
	}
}

/* What rights were missing for, with what it would have told: once for what tells the same. */
static void say_refused(const struct tree *tree)
{
	const struct tree_failure *failures;
	size_t nr;

	failures = tree_failures(tree, &nr);
	for (size_t i = 0; i < nr; i++) {
		const struct tree_failure *f = &failures[i];
		bool said = false;

		if ((f->error != EACCES && f->error != EPERM) || !f->tells)
			continue;
		for (size_t k = 0; k < i && !said; k++)
			said = failures[k].tells == f->tells;
		if (!said)
			fprintf(stderr, "corepace capture: %s: %s; it would have told %s\n",
				f->path, strerror(f->error), f->tells);
	}
}

static int capture_tree(const struct arguments *a, struct tree *tree)
{
	struct capture capture;
	struct error err;
	int status = EXIT_DONE;

	if (capture_collect(tree, &capture, &err))
		return fail("capture", &err);
	if (!a->dry_run && write_archive(&capture, a->out, &err))
		status = fail("capture", &err);
	else if (a->json)
		status = print_json(&capture, a->dry_run ? NULL : a->out);
	else if (a->dry_run)
		print_list(&capture);
	if (status == EXIT_DONE)
		say_refused(tree);
	capture_release(&capture);
	return status;
}

static int run(int argc, char **argv)
{
	struct arguments a = { NULL };
	struct tree *tree;
	struct error err;
	int status = take_arguments(&a, argc, argv);

	if (status)
		return status;
	if (tree_open(&(struct tree_sources){ .where = a.where }, &tree, &err))
		return fail("capture", &err);
	status = capture_tree(&a, tree);
	tree_free(tree);
	return status;
}

const struct verb verb_capture = {
	.name = "capture",
	.summary = "collect what tells about power management",
	.help = capture_help,
	.run = run,
};
