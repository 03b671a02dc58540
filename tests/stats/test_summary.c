// SPDX-License-Identifier: GPL-2.0-or-later
/* The summaries of sets.txt against expected.txt, both written by expected.py, to 6 digits. */
#include "stats/inference.h"

#include "../cmocka_all.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SETS_MAX = 64, SAMPLES_MAX = 256 };

struct pair {
	char name[48];
	struct summary base, s;
	double base_values[SAMPLES_MAX], values[SAMPLES_MAX];
};

struct sets {
	int nr;
	struct pair pairs[SETS_MAX];
};

static FILE *open_data(const char *name)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", TEST_DIR, name);
	f = fopen(path, "r");
	assert_non_null(f);
	return f;
}

static struct pair *find_pair(struct sets *sets, const char *name, bool add)
{
	for (int i = 0; i < sets->nr; i++)
		if (!strcmp(sets->pairs[i].name, name))
			return &sets->pairs[i];
	assert_true(add && sets->nr < SETS_MAX);
	snprintf(sets->pairs[sets->nr].name, sizeof(sets->pairs[0].name), "%s", name);
	return &sets->pairs[sets->nr++];
}

/* NAME lower|higher base|new VALUE... */
static void add_set(struct sets *sets, char *line)
{
	const char *name = strtok(line, " \n"), *better = strtok(NULL, " \n");
	const char *which = strtok(NULL, " \n"), *word;
	struct pair *pair = find_pair(sets, name, true);
	bool base = !strcmp(which, "base");
	double *values = base ? pair->base_values : pair->values;
	size_t n = 0;

	while ((word = strtok(NULL, " \n"))) {
		assert_true(n < SAMPLES_MAX);
		values[n++] = strtod(word, NULL);
	}
	summarize(values, n, strcmp(better, "higher") ? -1 : 1, base ? &pair->base : &pair->s);
}

static int setup(void **state)
{
	struct sets *sets = calloc(1, sizeof(*sets));
	FILE *f = open_data("sets.txt");
	char *line = NULL;
	size_t size = 0;

	while (getline(&line, &size, f) > 0)
		if (*line != '#')
			add_set(sets, line);
	free(line);
	fclose(f);
	*state = sets;
	return 0;
}

static int teardown(void **state)
{
	free(*state);
	return 0;
}

static double by_percent(const double *values, const int *percents, int nr, int percent)
{
	for (int i = 0; i < nr; i++)
		if (percents[i] == percent)
			return values[i];
	fail_msg("no figure for %d %%", percent);
	return NAN;
}

static double figure(const struct pair *p, const char *key)
{
	const struct summary *s = &p->s;
	const struct {
		const char *key;
		double value;
	} simple[] = {
		{ "n", (double)s->n },
		{ "min", s->min },
		{ "max", s->max },
		{ "amean", s->amean },
		{ "hmean", s->hmean },
		{ "stddev", s->stddev },
		{ "hstddev", s->hstddev },
		{ "coeffvar", s->coeffvar },
		{ "percent", percent_better(summary_mean(&p->base), summary_mean(s), s->better) },
		{ "percent_stddev", percent_better(p->base.stddev, s->stddev, -1) },
		{ "significant", clearly_different(&p->base, s) },
		{ "gmean_ratio", gmean_ratio(&p->base, s) },
		{ "welch_p", welch_p(&p->base, s) },
		{ "needed_2", iterations_needed(&p->base, s, 2) },
	};
	double low, high;
	int percent;

	if (!strncmp(key, "ratio_", 6)) {
		bootstrap_ratio(p->base_values, p->base.n, p->values, s->n, s->better, &low, &high);
		return strcmp(key, "ratio_low") ? high : low;
	}
	for (size_t i = 0; i < sizeof(simple) / sizeof(simple[0]); i++)
		if (!strcmp(simple[i].key, key))
			return simple[i].value;
	if (sscanf(key, "bmean_%d", &percent) == 1)
		return by_percent(s->best_mean, best_fractions, BEST_FRACTIONS, percent);
	if (sscanf(key, "pctile_%d", &percent) == 1)
		return by_percent(s->percentile, percentiles, PERCENTILES, percent);
	fail_msg("no figure '%s'", key);
	return NAN;
}

static bool equal_to_6_digits(double want, double got)
{
	if (isnan(want) || isnan(got))
		return isnan(want) && isnan(got);
	if (isinf(want) || isinf(got))
		return want == got;
	return fabs(want - got) <= 1e-6 * fmax(fabs(want), fabs(got)) ||
	       /* Percentages of nearly equal means lose digits; probabilities below have none. */
	       fabs(want - got) < 1e-9;
}

static void test_figures_equal_the_independent_ones(void **state)
{
	struct sets *sets = *state;
	FILE *f = open_data("expected.txt");
	int compared = 0, wrong = 0;
	char line[256];

	while (fgets(line, sizeof(line), f)) {
		char name[48], key[24];
		double want, got;

		if (*line == '#')
			continue;
		assert_int_equal(sscanf(line, "%47s %23s %lf", name, key, &want), 3);
		got = figure(find_pair(sets, name, false), key);
		if (!equal_to_6_digits(want, got)) {
			print_error("%s %s: expected %.12g, got %.12g\n", name, key, want, got);
			wrong++;
		}
		compared++;
	}
	fclose(f);
	assert_int_equal(wrong, 0);
	assert_int_equal(compared, sets->nr * 25);
	assert_true(sets->nr >= 40);
}

static void test_nothing_is_not_a_number(void **state)
{
	struct summary s;

	summarize(NULL, 0, 1, &s);
	assert_int_equal(s.n, 0);
	assert_true(isnan(s.amean) && isnan(s.min) && isnan(s.best_mean[0]));
	assert_true(isnan(welch_p(&s, &s)));
	assert_false(clearly_different(&s, &s));
}

/* Variances and their squares beyond what a double holds. */
static void test_squares_do_not_overflow(void **state)
{
	double huge[] = { 1e300, -1e300 }, large[] = { 1e100, 3e100 }, more[] = { 5e100, 7e100 };
	struct summary a, b;

	summarize(huge, 2, -1, &a);
	assert_true(equal_to_6_digits(1, welch_p(&a, &a)));
	summarize(large, 2, -1, &a);
	summarize(more, 2, -1, &b);
	assert_true(equal_to_6_digits(0.105572809, welch_p(&a, &b)));
}

static const struct {
	const char *name;
	double base, value;
	int better;
	double percent;
} percents[] = {
	{ "higher, more", 10, 15, 1, 50 },
	{ "higher, less", 10, 5, 1, -50 },
	{ "higher, nothing left", 10, 0, 1, -100 },
	{ "lower, less", 10, 5, -1, 50 },
	{ "lower, more", 10, 15, -1, -50 },
	{ "lower, nothing left", 10, 0, -1, 100 },
	{ "equal", 7, 7, 1, 0 },
	{ "both zero", 0, 0, -1, 0 },
	{ "base zero, lower", 0, 1, -1, NAN },
	{ "base zero, higher", 0, 1, 1, NAN },
	{ "base undefined", NAN, 1, 1, NAN },
	{ "value undefined", 1, NAN, 1, NAN },
	{ "no direction", 1, 2, 0, NAN },
};

static void test_percent(void **state)
{
	for (size_t i = 0; i < sizeof(percents) / sizeof(percents[0]); i++) {
		double got =
			percent_better(percents[i].base, percents[i].value, percents[i].better);

		print_message("%s\n", percents[i].name);
		assert_true(equal_to_6_digits(percents[i].percent, got));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_figures_equal_the_independent_ones),
		cmocka_unit_test(test_nothing_is_not_a_number),
		cmocka_unit_test(test_squares_do_not_overflow),
		cmocka_unit_test(test_percent),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
