// SPDX-License-Identifier: GPL-2.0-or-later
#include "published/claims.h"
#include "stats/summary.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * The authors' words (MMTests' names of configurations) and what is run for them. A name that ends
 * in '-' takes a word after it, which becomes the value of the last key. Where the authors ran
 * several sizes, one in the middle of what T1 shows stands for all.
 */
static const struct {
	const char *name, *workload, *metric;
} workloads[] = {
	{ "dbench4-", "dbench4:clients=4,fs=", "latency_ms" },
	{ "sqlite-insert-", "sqlite-insert:fs=", "tx_per_s" },
	{ "pgbench-rw-", "pgbench-rw:threads=4,fs=", "tx_per_s" },
	{ "pgbench-ro-", "pgbench-ro:threads=4,fs=", "tx_per_s" },
	{ "sockperf-under-load-", "sockperf:mode=under-load,protocol=", "latency_us" },
	{ "sockperf-throughput-", "sockperf:mode=throughput,protocol=", "mb_per_s" },
	{ "netperf-", "netperf:mode=", "mb_per_s" },
	{ "tbench4", "tbench:clients=4", "mb_per_s" },
	{ "tbench", "tbench:clients=4", "mb_per_s" },
	{ "hackbench-process-pipes", "hackbench:mode=process,ipc=pipe,groups=7", "elapsed_s" },
	{ "hackbench-process-sockets", "hackbench:mode=process,ipc=socket,groups=7", "elapsed_s" },
	{ "hackbench-thread-pipes", "hackbench:mode=thread,ipc=pipe,groups=7", "elapsed_s" },
	{ "hackbench-thread-sockets", "hackbench:mode=thread,ipc=socket,groups=7", "elapsed_s" },
	{ "pipe-test", "pipe-test", "usecs_per_loop" },
	{ "kernbench", "kernbench:jobs=4", "elapsed_s" },
	{ "gitsource", "gitsource", "elapsed_s" },
	{ "fio-rand-read", "fio-rand-read", "mb_per_s" },
	{ "tiobench", "tiobench", "mb_per_s" },
	{ "nas-c-omp", "nas-omp:kernel=sp.C", "elapsed_s" },
	{ "nas-c-mpi", "nas-mpi:kernel=sp.C", "elapsed_s" },
	{ "x264", "x264", "elapsed_s" },
	{ "siege", "siege", "tx_per_s" },
	{ "schbench", "schbench", "latency_us" },
	{ "specpower", "specpower", "ops_per_w" },
};

/* The policies' names; the kernel is the one of T1. */
static const struct {
	const char *name, *spec;
} policies[] = {
	{ "hwp", "powersave-hwp:idle=menu@4.16,tick=stop-first" },
	{ "hwp+boost", "powersave-hwp:boost=hwp-dynamic,idle=menu@4.16,tick=stop-first" },
};

static void find_workload(struct claim *c)
{
	*c->run_workload = 0;
	c->run_metric = "";
	for (size_t i = 0; i < sizeof(workloads) / sizeof(workloads[0]); i++) {
		const char *name = workloads[i].name;
		size_t length = strlen(name);
		const char *word = c->workload + length;
		int room = (int)(sizeof(c->run_workload) - strlen(workloads[i].workload) - 1);

		if (strncmp(c->workload, name, length))
			continue;
		if (name[length - 1] == '-' ? !*word || (int)strlen(word) > room : *word != 0)
			continue;
		snprintf(c->run_workload, sizeof(c->run_workload), "%s%s", workloads[i].workload,
			word);
		c->run_metric = workloads[i].metric;
		return;
	}
}

static const char *find_policy(const char *name)
{
	for (size_t i = 0; i < sizeof(policies) / sizeof(policies[0]); i++)
		if (!strcmp(policies[i].name, name))
			return policies[i].spec;
	return "";
}

/* ---- the file -------------------------------------------------------------------------------- */

enum field { TABLE, MACHINE, WORKLOAD, BASELINE, CANDIDATE, VERDICT, SIZE, NOTE, NR_FIELDS };

static const struct {
	const char *name;
	bool need;
} fields[NR_FIELDS] = {
	[TABLE] = { "table", true },
	[MACHINE] = { "machine", true },
	[WORKLOAD] = { "workload", true },
	[BASELINE] = { "baseline", true },
	[CANDIDATE] = { "candidate", true },
	[VERDICT] = { "verdict", true },
	[SIZE] = { "size_pct", false },
	[NOTE] = { "note", false },
};

static int parse_verdict(const struct published_file *file, const struct published_line *line,
	int column, enum claimed *ret, struct error *err)
{
	for (int v = CLAIMED_LOSS; v <= CLAIMED_WIN; v++)
		if (!strcmp(published_field(line, column), claimed_name((enum claimed)v))) {
			*ret = (enum claimed)v;
			return 0;
		}
	return published_wrong(file, line, column, "win, neutral or loss", err);
}

static int parse_claim(const struct published_file *file, const struct published_line *line,
	const int column[NR_FIELDS], struct claim *c, struct error *err)
{
	int rc;

	*c = (struct claim){
		.line = line->number,
		.table = published_field(line, column[TABLE]),
		.machine = published_field(line, column[MACHINE]),
		.workload = published_field(line, column[WORKLOAD]),
		.baseline = published_field(line, column[BASELINE]),
		.candidate = published_field(line, column[CANDIDATE]),
		.note = published_field(line, column[NOTE]),
		.size_pct = NAN,
	};
	for (int i = TABLE; i <= CANDIDATE; i++)
		if (!*published_field(line, column[i]))
			return published_wrong(file, line, column[i], "a name", err);
	rc = parse_verdict(file, line, column[VERDICT], &c->verdict, err);
	if (!rc && *published_field(line, column[SIZE]))
		rc = published_number(file, line, column[SIZE], &c->size_pct, err);
	find_workload(c);
	c->run_baseline = find_policy(c->baseline);
	c->run_candidate = find_policy(c->candidate);
	return rc;
}

int claims_parse(const char *path, FILE *f, struct claims *ret, struct error *err)
{
	struct claims c = { 0 };
	int column[NR_FIELDS];
	int rc = published_file_read(path, f, &c.file, err);

	if (rc)
		return rc;
	for (int i = 0; i < NR_FIELDS && !rc; i++)
		rc = published_column(&c.file, fields[i].name, fields[i].need, &column[i], err);
	c.claims = calloc((size_t)c.file.nr, sizeof(*c.claims));
	if (!rc && !c.claims)
		rc = error_set(err, ENOMEM, "%s: out of memory", path);
	for (; c.nr < c.file.nr && !rc; c.nr++)
		rc = parse_claim(&c.file, &c.file.lines[c.nr], column, &c.claims[c.nr], err);
	if (rc)
		claims_release(&c);
	else
		*ret = c;
	return rc;
}

int claims_read(const char *path, struct claims *ret, struct error *err)
{
	FILE *f = fopen(path, "r");
	int rc;

	if (!f)
		return error_set(err, errno, "%s: %s", path, strerror(errno));
	rc = claims_parse(path, f, ret, err);
	fclose(f);
	return rc;
}

void claims_release(struct claims *c)
{
	free(c->claims);
	published_file_release(&c->file);
	*c = (struct claims){ 0 };
}

/* ---- verdicts -------------------------------------------------------------------------------- */

enum { ONE_RUN_PERMILLE = 20, SMALLEST_PERMILLE = 5 };

const char *claimed_name(enum claimed v)
{
	return v == CLAIMED_WIN ? "win" : v == CLAIMED_LOSS ? "loss" : "neutral";
}

enum claimed claim_verdict(double *base, double *candidate, int n, int better, double *ret_percent)
{
	struct summary a, b;
	double percent, band = ONE_RUN_PERMILLE / 10.0;

	summarize(base, (size_t)n, better, &a);
	summarize(candidate, (size_t)n, better, &b);
	percent = percent_better(summary_mean(&a), summary_mean(&b), better);
	*ret_percent = percent;
	if (n > 1) {
		band = 200 * fmax(summary_deviation(&a), summary_deviation(&b)) / summary_mean(&a);
		band = fmax(band, SMALLEST_PERMILLE / 10.0);
	}
	if (isnan(percent) || fabs(percent) <= band)
		return CLAIMED_NEUTRAL;
	return percent > 0 ? CLAIMED_WIN : CLAIMED_LOSS;
}
