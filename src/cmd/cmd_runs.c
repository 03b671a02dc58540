// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/cmd.h"
#include "cmd/run_filter.h"
#include "cmd/runs.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char help[] =
	"Usage: corepace runs list --db FILE [FILTER]... [--json]\n"
	"       corepace runs show --db FILE [FILTER]... [--json]\n"
	"       corepace runs export --db FILE [FILTER]...\n"
	"       corepace runs delete --db FILE FILTER...|--all\n"
	"       corepace runs merge --db FILE OTHER...\n"
	"       corepace runs file --db FILE HASH...\n"
	"Looks into a store of runs: a line for each, all about each, their results as\n"
	"'run --json' prints them; deletes runs; puts the runs of other stores in; prints\n"
	"the machine's file or the preset that 'show' names by this SHA-256.\n"
	"\n"
	"Without a filter all runs are meant. A filter is the first digits of a run's\n"
	"id, or:\n" FILTER_HELP "\n"
	"  --all                delete: all runs\n"
	"  --json               the same as JSON\n"
	"  --help               this text\n"
	"\n"
	"Exit status: 0 done, 1 failed, 2 usage.\n";

static int open_and(const struct runs_request *r, enum store_mode mode,
	int (*act)(struct store *s, const struct runs_request *r, struct error *err),
	struct error *err)
{
	struct store *s;
	int rc = store_open(r->db, mode, &s, err);

	if (rc)
		return rc;
	rc = act(s, r, err);
	store_close(s);
	return rc;
}

static int delete (struct store *s, const struct runs_request *r, struct error *err)
{
	int64_t nr;
	int rc = store_delete(s, &r->filter, &nr, err);

	if (!rc)
		printf("%" PRId64 " run%s deleted\n", nr, nr == 1 ? "" : "s");
	return rc;
}

static int merge(struct store *s, const struct runs_request *r, struct error *err)
{
	for (int i = 0; i < r->nr_others; i++) {
		int64_t nr;
		int rc = store_merge(s, r->others[i], &nr, err);

		if (rc)
			return rc;
		printf("%s: %" PRId64 " new run%s\n", r->others[i], nr, nr == 1 ? "" : "s");
	}
	return 0;
}

static const struct action {
	const char *name;
	enum store_mode mode;
	int (*act)(struct store *s, const struct runs_request *r, struct error *err);
} actions[] = {
	{ "list", STORE_READ, runs_list },
	{ "show", STORE_READ, runs_show },
	{ "export", STORE_READ, runs_export },
	{ "delete", STORE_WRITE, delete },
	{ "merge", STORE_WRITE, merge },
	{ "file", STORE_READ, runs_file },
};

static int parse_option(int c, char **argv, struct runs_request *r)
{
	struct error err;
	int rc = run_filter_option(&r->filter, c, optarg, &err);

	if (rc < 0)
		return usage("runs", "%s", err.text);
	if (rc)
		return 0;
	switch (c) {
	case 'd':
		r->db = optarg;
		return 0;
	case 'a':
		r->all = true;
		return 0;
	case 'j':
		r->json = true;
		return 0;
	default:
		return usage("runs", "'%s' is no option, or lacks its value", argv[optind - 1]);
	}
}

static int check_hashes(const struct runs_request *r)
{
	struct store_filter unused = { 0 };
	struct error err;

	for (int i = 0; i < r->nr_others; i++)
		if (run_filter_id(&unused, r->others[i], &err))
			return usage("runs", "file: '%s', expected the first digits of a hash",
				r->others[i]);
	return 0;
}

/* What is left: names of stores for merge, hashes for file, ids for the others. */
static int parse_arguments(
	int argc, char **argv, const struct action *action, struct runs_request *r)
{
	struct error err;

	if (!r->db)
		return usage("runs", "expected --db FILE");
	if (action->act == merge || action->act == runs_file) {
		r->others = argv + optind;
		r->nr_others = argc - optind;
		if (r->filter.nr || !r->nr_others)
			return usage("runs", "%s: expected %s, and no filter", action->name,
				action->act == merge ? "names of stores" : "hashes of files");
		return action->act == merge ? 0 : check_hashes(r);
	}
	for (int i = optind; i < argc; i++)
		if (run_filter_id(&r->filter, argv[i], &err))
			return usage("runs", "%s", err.text);
	if (action->act == delete &&!r->all == !r->filter.nr)
		return usage("runs", "delete: expected a filter, or --all");
	return 0;
}

static int parse(int argc, char **argv, const struct action *action, struct runs_request *r)
{
	static const struct option longs[] = { FILTER_LONG, { "db", required_argument, NULL, 'd' },
		{ "all", no_argument, NULL, 'a' }, { "json", no_argument, NULL, 'j' }, { 0 } };
	int c, rc;

	opterr = 0;
	while ((c = getopt_long(argc, argv, FILTER_SHORT, longs, NULL)) != -1) {
		rc = parse_option(c, argv, r);
		if (rc)
			return rc;
	}
	return parse_arguments(argc, argv, action, r);
}

/* Before a store is made to merge into: what cannot be read leaves no empty one behind. */
static int check_others(const struct runs_request *r, struct error *err)
{
	for (int i = 0; i < r->nr_others; i++) {
		struct store *other;
		int rc = store_open(r->others[i], STORE_READ, &other, err);

		if (rc)
			return rc;
		store_close(other);
	}
	return 0;
}

static int act_on(struct runs_request *r, const struct action *action, struct error *err)
{
	int rc = action->act == merge ? check_others(r, err) : 0;

	return rc ? rc : open_and(r, action->mode, action->act, err);
}

static int run(int argc, char **argv)
{
	struct runs_request *r;
	struct error err = { "" };
	int status = EXIT_USAGE;

	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++) {
		if (argc < 2 || strcmp(argv[1], actions[i].name))
			continue;
		r = calloc(1, sizeof(*r));
		if (!r)
			return EXIT_FAILED;
		signal(SIGXFSZ, SIG_IGN);
		status = parse(argc - 1, argv + 1, &actions[i], r);
		if (!status)
			status = act_on(r, &actions[i], &err) ? fail("runs", &err) : EXIT_DONE;
		free(r);
		return status;
	}
	return usage("runs", "%s%s%sexpected list, show, export, delete, merge or file",
		argc > 1 ? "'" : "", argc > 1 ? argv[1] : "", argc > 1 ? "': " : "");
}

const struct verb verb_runs = {
	.name = "runs",
	.summary = "list, show, export, delete or merge stored runs",
	.help = help,
	.run = run,
};
