// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/mmtests.h"
#include "base/array.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int add(struct log *log, struct mmtests_values *ret, const char *workload,
	const char *metric, const char *unit, int better, double value)
{
	void *grown = array_grow(ret->list, ret->nr, sizeof(*ret->list));
	struct mmtests_value *v;

	if (!grown)
		return error_set(log->err, ENOMEM, "%s: out of memory", log->path);
	ret->list = grown;
	v = &ret->list[ret->nr++];
	snprintf(v->workload, sizeof(v->workload), "%s", workload);
	v->metric = metric;
	v->unit = unit;
	v->better = better;
	v->value = value;
	return 0;
}

void mmtests_values_release(struct mmtests_values *values)
{
	free(values->list);
	*values = (struct mmtests_values){ 0 };
}

/* "12.3user": the number in front of a word that ends in suffix. */
static int number_before(struct log *log, char *word, const char *suffix, double *ret)
{
	size_t n = strlen(word), m = strlen(suffix);

	if (n <= m || strcmp(word + n - m, suffix))
		return -ENOENT;
	word[n - m] = 0;
	return log_number(log, suffix, word, ret);
}

/* [HOURS:]MINUTES:SECONDS */
static int clock_before(struct log *log, char *word, const char *suffix, double *ret)
{
	size_t n = strlen(word), m = strlen(suffix);
	double sum = 0, part;

	if (n <= m || strcmp(word + n - m, suffix))
		return -ENOENT;
	word[n - m] = 0;
	for (char *next = word; next;) {
		char *colon = strchr(next, ':');

		if (colon)
			*colon++ = 0;
		if (log_number(log, suffix, next, &part))
			return -EINVAL;
		sum = sum * 60 + part;
		next = colon;
	}
	*ret = sum;
	return 0;
}

/* GNU time: "1.23user 0.45system 0:02.34elapsed 71%CPU (...". The lines of the command may precede.
 */
static int parse_time(struct log *log, const char *workload, struct mmtests_values *ret)
{
	char *line, *words[LOG_WORDS_MAX];
	double user, system, elapsed;
	int rc, found = 0;

	while ((line = log_line(log))) {
		if (!strstr(line, "elapsed") || log_words(line, words) < 3)
			continue;
		rc = number_before(log, words[0], "user", &user);
		rc = rc ? rc : number_before(log, words[1], "system", &system);
		rc = rc ? rc : clock_before(log, words[2], "elapsed", &elapsed);
		if (rc == -ENOENT)
			continue;
		rc = rc ? rc : add(log, ret, workload, "user_s", "s", -1, user);
		rc = rc ? rc : add(log, ret, workload, "system_s", "s", -1, system);
		rc = rc ? rc : add(log, ret, workload, "elapsed_s", "s", -1, elapsed);
		if (rc)
			return rc;
		found++;
	}
	return found ? 0
		     : error_set(log->err, EINVAL,
			       "%s:%lu: expected a line of time(1), ...user ...system ...elapsed",
			       log->path, log->line + 1);
}

/* perf bench sched messaging, hackbench: "Total time: 1.234 [sec]" */
static int parse_hackbench(struct log *log, const char *workload, struct mmtests_values *ret)
{
	static const char key[] = "Total time:", old[] = "Time:";
	char *line, *words[LOG_WORDS_MAX];
	double value;
	int rc, found = 0;

	while ((line = log_line(log))) {
		char *at = strstr(line, key);

		at = at					    ? at + sizeof(key) - 1
		     : !strncmp(line, old, sizeof(old) - 1) ? line + sizeof(old) - 1
							    : NULL;
		if (!at)
			continue;
		if (!log_words(at, words))
			return log_wrong(log, "Total time", "", "a number of seconds");
		rc = log_number(log, "Total time", words[0], &value);
		rc = rc ? rc : add(log, ret, workload, "elapsed_s", "s", -1, value);
		if (rc)
			return rc;
		found++;
	}
	return found ? 0
		     : error_set(log->err, EINVAL, "%s:%lu: expected a line 'Total time: SECONDS'",
			       log->path, log->line + 1);
}

/* "execute RATE" every second, "warmup RATE" before. */
static int parse_sqlite(struct log *log, const char *workload, struct mmtests_values *ret)
{
	char *line, *words[LOG_WORDS_MAX];
	double value;
	int rc;

	while ((line = log_line(log))) {
		int nr = log_words(line, words);

		if (!nr || !strcmp(words[0], "warmup"))
			continue;
		if (nr < 2 || strcmp(words[0], "execute"))
			return log_wrong(log, "line", words[0], "'execute RATE' or 'warmup RATE'");
		rc = log_number(log, "execute", words[1], &value);
		rc = rc ? rc : add(log, ret, workload, "tx_per_s", "1/s", 1, value);
		if (rc)
			return rc;
	}
	return 0;
}

/*
 * pgbench --aggregate-interval=1: TIME TRANSACTIONS LATENCY_SUM ... with times in us. The first
 * nine lines are warm-up, four make a sample.
 */
static int parse_pgbench(struct log *log, const char *workload, struct mmtests_values *ret)
{
	enum { WARM_UP = 9, BATCH = 4 };
	char *line, *words[LOG_WORDS_MAX];
	double count, latency, counts = 0, latencies = 0;
	int rc = 0, nr_line = 0;

	while (!rc && (line = log_line(log))) {
		int nr = log_words(line, words);

		if (!nr)
			continue;
		if (nr < 3)
			return log_wrong(log, "line", words[0],
				"time, transactions and the sum of their latencies");
		rc = log_number(log, "transactions", words[1], &count);
		rc = rc ? rc : log_number(log, "latency", words[2], &latency);
		if (rc || ++nr_line <= WARM_UP)
			continue;
		counts += count;
		latencies += latency;
		if ((nr_line - WARM_UP) % BATCH)
			continue;
		rc = add(log, ret, workload, "tx_per_s", "1/s", 1, counts / BATCH);
		if (!rc && counts > 0)
			rc = add(log, ret, workload, "latency_ms", "ms", -1,
				latencies / counts / 1000);
		counts = latencies = 0;
	}
	return rc;
}

/* dbench, tbench: "CLIENTS OPS RATE MB/sec  execute  N sec  latency MS ms" */
static int parse_dbench(struct log *log, const char *workload, struct mmtests_values *ret)
{
	enum { RATE = 2, UNIT = 3, PHASE = 4, LATENCY = 8 };
	char *line, *words[LOG_WORDS_MAX];
	double value;
	int rc = 0;

	while (!rc && (line = log_line(log))) {
		int nr = log_words(line, words);

		if (nr <= PHASE || strcmp(words[UNIT], "MB/sec") || strcmp(words[PHASE], "execute"))
			continue;
		rc = log_number(log, "MB/sec", words[RATE], &value);
		rc = rc ? rc : add(log, ret, workload, "mb_per_s", "MB/s", 1, value);
		if (rc || nr <= LATENCY)
			continue;
		rc = log_number(log, "latency", words[LATENCY], &value);
		rc = rc ? rc : add(log, ret, workload, "latency_ms", "ms", -1, value);
	}
	return rc;
}

/* dbench 4 of MMTests: "WORKER completed in MS ms at ..." for each pass through the load file. */
static int parse_loadfile(struct log *log, const char *workload, struct mmtests_values *ret)
{
	char *line, *words[LOG_WORDS_MAX];
	double value;
	int rc = 0;

	while (!rc && (line = log_line(log))) {
		int nr = log_words(line, words);

		if (nr < 4 || strcmp(words[1], "completed") || strcmp(words[2], "in"))
			continue;
		rc = log_number(log, "completed in", words[3], &value);
		rc = rc ? rc : add(log, ret, workload, "loadfile_ms", "ms", -1, value);
	}
	return rc;
}

/* pgbench's own summary, for runs too short for the above: "tps = RATE (...". */
static int parse_tps(struct log *log, const char *workload, struct mmtests_values *ret)
{
	char *line, *words[LOG_WORDS_MAX];
	double value;
	int rc = 0;

	while (!rc && (line = log_line(log))) {
		bool other = strstr(line, "excluding") != NULL;
		int nr = log_words(line, words);

		if (nr < 3 || strcmp(words[0], "tps") || strcmp(words[1], "=") || other)
			continue;
		rc = log_number(log, "tps", words[2], &value);
		rc = rc ? rc : add(log, ret, workload, "tx_per_s", "1/s", 1, value);
	}
	return rc;
}

/* fixed_time, fallback */
const struct mmtests_format mmtests_formats[] = {
	{ "kernbench", "kernbench-", ".time", "kernbench", "jobs", 0, 0, parse_time },
	{ "kernbench", "time", "", "kernbench", NULL, 0, 1, parse_time },
	{ "gitsource", "gitsource-", ".time", "gitsource", NULL, 0, 0, parse_time },
	{ "gitsource", "time", "", "gitsource", NULL, 0, 1, parse_time },
	{ "hackbench", "hackbench-", "", "hackbench", "groups", 0, 0, parse_hackbench },
	{ "sqlite", "sqlite.log", "", "sqlite-insert", NULL, 0, 0, parse_sqlite },
	{ "pgbench", "pgbench-transactions-", "", "pgbench", "clients", 1, 0, parse_pgbench },
	{ "pgbench", "pgbench-raw-", "", "pgbench", "clients", 1, 1, parse_tps },
	{ "tbench", "tbench-", ".log", "tbench", "clients", 1, 0, parse_dbench },
	{ "dbench", "dbench-loadfile-", ".log", "dbench4", "clients", 1, 0, parse_loadfile },
	{ "dbench", "dbench-", ".log", "dbench4", "clients", 1, 0, parse_dbench },
	{ NULL },
};
