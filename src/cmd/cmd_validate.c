// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/cmd.h"
#include "cmd/run_options.h"
#include "cmd/story.h"
#include "cmd/validate_quick.h"
#include "cmd/validate_uncertain.h"
#include "published/floors.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
	"Usage: corepace validate [OPTION]... [TABLE]...\n"
	"       corepace validate --story [OPTION]... [boost|collapse|poll]...\n"
	"Predicts figures that others have published, and says how well: each row's ratio\n"
	"to its group's baseline beside the published one, and beside the null model's,\n"
	"that nothing ever changes. Without --rows and --claims: those that come along.\n"
	"\n"
	"  --rows FILE.csv   published rows, with what to run for each\n"
	"  --claims FILE.csv published verdicts: win, neutral or loss\n"
	"  -n ITER           runs of each configuration, with different seeds (1); where\n"
	"                    their spread is asked for, at least 5\n"
	"  --seed S          seed of the first (1)\n"
	"  -j JOBS           threads (one per CPU); the results do not depend on it\n"
	"  --db FILE         keep the runs in this store; those there are not done again\n"
	"  --quick           only a part of the rows, chosen by rule, and no claims\n"
	"  --story           instead: the three conflicts, each as a small table\n"
	"  --floors FILE     what the figures must reach, else exit status 3\n"
	"  --uncertain       also on ITER (20) plausible machines each, all that their\n"
	"                    files only estimate drawn from its range: which answers hold\n"
	"  --check           watch the simulator's invariants (slower)\n"
	"  --json            the results as JSON\n"
	"  --help            this text\n"
	"\n"
	"Exit status: 0 done, 1 failed, 2 usage, 3 below a floor.\n";

enum { DRAWS = 20 }; /* plausible machines of --uncertain */

struct options {
	const char *rows, *claims, *db, *floors;
	char **tables;
	int nr_tables;
	unsigned long long iterations, threads, seed;
	bool check, json, quick, story, uncertain;
};

/* ---- options --------------------------------------------------------------------------------- */

static int parse_option(int c, char **argv, struct options *o)
{
	switch (c) {
	case 'r':
		o->rows = optarg;
		return 0;
	case 'C':
		o->claims = optarg;
		return 0;
	case 'n':
		return option_iterations("validate", optarg, &o->iterations);
	case 'j':
		return option_threads("validate", optarg, &o->threads);
	case 's':
		return option_seed("validate", optarg, &o->seed);
	case 'd':
		o->db = optarg;
		return 0;
	case 'f':
		o->floors = optarg;
		return 0;
	case 'q':
		o->quick = true;
		return 0;
	case 'S':
		o->story = true;
		return 0;
	case 'u':
		o->uncertain = true;
		return 0;
	case 'c':
		o->check = true;
		return 0;
	case 'J':
		o->json = true;
		return 0;
	default:
		return usage("validate", "'%s' is no option, or lacks its value", argv[optind - 1]);
	}
}

static int parse_options(int argc, char **argv, struct options *o)
{
	static const struct option longs[] = { { "rows", required_argument, NULL, 'r' },
		{ "claims", required_argument, NULL, 'C' },
		{ "seed", required_argument, NULL, 's' }, { "db", required_argument, NULL, 'd' },
		{ "check", no_argument, NULL, 'c' }, { "json", no_argument, NULL, 'J' },
		{ "quick", no_argument, NULL, 'q' }, { "story", no_argument, NULL, 'S' },
		{ "uncertain", no_argument, NULL, 'u' }, { "floors", required_argument, NULL, 'f' },
		{ 0 } };
	int c, rc;

	*o = (struct options){ .seed = 1 };
	o->threads = threads_default();
	opterr = 0;
	while ((c = getopt_long(argc, argv, "n:j:", longs, NULL)) != -1) {
		rc = parse_option(c, argv, o);
		if (rc)
			return rc;
	}
	o->tables = argv + optind;
	o->nr_tables = argc - optind;
	if (o->uncertain && o->claims && !o->rows)
		return usage("validate",
			"--uncertain: expected --rows FILE.csv, claims have no runs of it");
	if (!o->iterations)
		o->iterations = o->uncertain ? DRAWS : 1;
	if (o->story && (o->rows || o->claims || o->quick || o->floors || o->uncertain))
		return usage("validate", "--story: expected no other choice of what to run");
	return 0;
}

/* ---- what to validate ------------------------------------------------------------------------ */

static bool is_wanted(const struct options *o, const char *table)
{
	for (int i = 0; i < o->nr_tables; i++)
		if (!strcmp(o->tables[i], table))
			return true;
	return !o->nr_tables;
}

static bool row_is_wanted(const struct published *p, int row, const void *ctx)
{
	return is_wanted(ctx, p->rows[row].table);
}

static void keep_claims(const struct options *o, struct claims *c)
{
	int nr = 0;

	for (int i = 0; i < c->nr; i++)
		if (is_wanted(o, c->claims[i].table))
			c->claims[nr++] = c->claims[i];
	c->nr = nr;
}

static bool has_table(const struct validation *v, const char *table)
{
	for (int i = 0; i < v->published.nr; i++)
		if (!strcmp(v->published.rows[i].table, table))
			return true;
	for (int i = 0; i < v->claims.nr; i++)
		if (!strcmp(v->claims.claims[i].table, table))
			return true;
	return false;
}

static int read_all(const struct options *o, struct validation *v, struct error *err)
{
	char dir[PATH_MAX], rows[PATH_MAX + 32], claims[PATH_MAX + 32];
	bool both = !o->rows && !o->claims;
	int rc = 0;

	data_dir("published", dir, sizeof(dir));
	snprintf(rows, sizeof(rows), "%s/seed-tables.csv", dir);
	snprintf(claims, sizeof(claims), "%s/claims.csv", dir);
	if (both || o->rows)
		rc = published_read(o->rows ? o->rows : rows, &v->published, err);
	if (!rc && !o->uncertain && ((both && !o->quick) || o->claims))
		rc = claims_read(o->claims ? o->claims : claims, &v->claims, err);
	for (int i = 0; i < o->nr_tables && !rc; i++)
		if (!has_table(v, o->tables[i]))
			rc = error_set(err, ENOENT, "no table '%s'", o->tables[i]);
	if (rc)
		return rc;
	keep_claims(o, &v->claims);
	rc = published_keep(&v->published, row_is_wanted, o, err);
	return rc || !o->quick ? rc : quick_choose(&v->published, err);
}

static int show_drawn(const struct options *o, const struct validation *v,
	struct measure_options *how, struct error *err)
{
	struct drawn d;
	int rc = validate_drawn(&d, v, how, (int)o->iterations, err);

	if (!rc)
		rc = o->json ? drawn_print_json(&d, err) : drawn_print(&d, err);
	drawn_release(&d);
	return rc;
}

/* ---- doing it -------------------------------------------------------------------------------- */

/* How many floors are not met; each is said. */
static int check_floors(const struct floors *floors, const struct validation *v)
{
	int nr = 0;

	for (int i = 0; i < floors->nr; i++) {
		const struct floor_line *line = &floors->lines[i];
		const char *table = strcmp(line->table, "total") ? line->table : NULL;
		struct tally t = validation_tally(v, ROW_PREDICTED, table);

		if (floor_met(line, &t))
			continue;
		fprintf(stderr, "corepace validate: below a floor: %s %s is %.4g, expected %.4g\n",
			line->table, floor_name(line->figure), floor_value(line->figure, &t),
			line->limit);
		nr++;
	}
	return nr;
}

/* Returns how many floors are not met, or a negative errno. */
static int validate(const struct options *o, struct validation *v, struct measure_options *how,
	struct error *err)
{
	struct floors floors = { 0 };
	int rc = o->floors ? floors_read(o->floors, &floors, err) : 0;

	rc = rc ? rc : read_all(o, v, err);
	rc = rc ? rc : validation_plan(v, o->uncertain ? 1 : (int)o->iterations, err);
	rc = rc ? rc : validation_run(v, how, err);
	if (!rc && o->uncertain)
		rc = show_drawn(o, v, how, err);
	else if (!rc)
		rc = o->json ? validation_print_json(v, err) : validation_print(v, err);
	return rc ? rc : check_floors(&floors, v);
}

static int run(int argc, char **argv)
{
	struct validation v = { .configurations = 0 };
	struct measure_options how = { .verb = "validate", .progress = isatty(STDERR_FILENO) };
	struct error err = { "" };
	struct options o;
	int rc = parse_options(argc, argv, &o);

	if (rc)
		return rc;
	how.db = o.db;
	how.seed = o.seed;
	how.threads = (int)o.threads;
	how.check = o.check;
	if (o.db)
		how.stop = watch_signals();
	if (o.story)
		rc = stories_tell(o.tables, o.nr_tables, &how, (int)o.iterations, o.json, &err);
	else
		rc = validate(&o, &v, &how, &err);
	validation_release(&v);
	if (rc < 0)
		return fail("validate", &err);
	return rc ? EXIT_AGAINST : EXIT_DONE;
}

const struct verb verb_validate = {
	.name = "validate",
	.summary = "predict published figures, and say how well",
	.help = help,
	.run = run,
};
