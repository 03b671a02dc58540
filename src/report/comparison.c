// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/comparison.h"
#include "stats/inference.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Work is equal when it differs by less than this share: the last operation may be cut off. */
static const double equal_work = 0.001;

const char *verdict_name(enum verdict verdict)
{
	switch (verdict) {
	case VERDICT_NO_SAMPLES:
		return "no samples";
	case VERDICT_UNEQUAL_WORK:
		return "unequal work";
	case VERDICT_INSIDE_BAND:
		return "inside the band of the power model";
	case VERDICT_ENDS_DISAGREE:
		return "the ends of frequency scaling disagree";
	default:
		return NULL;
	}
}

static bool is_energy_of_work(const struct sample_metric *m)
{
	return m->section == SECTION_ENERGY && (!strcmp(m->unit, "J") || !strcmp(m->unit, "W"));
}

static bool unequal_work(const struct sample_config *a, const struct sample_config *b)
{
	double x, y;

	if (!a->runs || !b->runs)
		return false;
	x = a->operations / (double)a->runs;
	y = b->operations / (double)b->runs;
	return fabs(x - y) > equal_work * fmax(x, y);
}

/* How far the ratio of two energies may be off, in per cent, when each may be off by its band. */
static double band_percent(const struct sample_config *a, const struct sample_config *b)
{
	return 100 * fmax(fmax(a->energy_band, b->energy_band), 0);
}

/* The samples of one configuration. */
struct cell {
	const double *values;
	size_t n;
};

/* What measured samples say beyond their summaries. */
static void infer(struct comparison *c, int config, const struct cell *first,
	const struct cell *cell, double detect_percent)
{
	struct compared *base = &c->configs[0], *it = &c->configs[config];

	it->welch_p = it->ratio_low = it->ratio_high = it->needed = NAN;
	it->measured = !c->group->configs[0].simulated && !c->group->configs[config].simulated;
	if (!it->measured)
		return;
	it->welch_p = welch_p(&base->s, &it->s);
	it->significant = clearly_different(&base->s, &it->s);
	it->needed = iterations_needed(&base->s, &it->s, detect_percent);
	bootstrap_ratio(first->values, first->n, cell->values, cell->n, c->metric->better,
		&it->ratio_low, &it->ratio_high);
}

static void judge(struct comparison *c, int config)
{
	const struct sample_config *base = &c->group->configs[0];
	const struct sample_config *other = &c->group->configs[config];
	struct compared *first = &c->configs[0], *it = &c->configs[config];

	it->percent =
		percent_better(summary_mean(&first->s), summary_mean(&it->s), c->metric->better);
	it->gmean_ratio = gmean_ratio(&first->s, &it->s);
	if (!it->s.n || !first->s.n) {
		it->verdict = VERDICT_NO_SAMPLES;
	} else if (is_energy_of_work(c->metric) && unequal_work(base, other)) {
		it->verdict = VERDICT_UNEQUAL_WORK;
		it->percent = NAN;
	} else if (c->metric->section == SECTION_ENERGY && config > 0 &&
		   fabs(it->percent) < band_percent(base, other)) {
		it->verdict = VERDICT_INSIDE_BAND;
	}
}

/* The samples of a group, put next to each other by metric and configuration. */
struct cells {
	double *values;
	size_t *begin; /* of each cell, one more at the end */
};

static void cells_release(struct cells *cells)
{
	free(cells->values);
	free(cells->begin);
}

static size_t cell_of(const struct sample_group *g, const struct sample *sample)
{
	return (size_t)sample->metric * (size_t)g->nr_configs + (size_t)sample->config;
}

/* A counting sort, which keeps the order inside a cell. */
static int cells_init(struct cells *cells, const struct sample_group *g)
{
	size_t nr = (size_t)g->nr_metrics * (size_t)g->nr_configs;

	cells->values = calloc(g->nr_samples + 1, sizeof(*cells->values));
	cells->begin = calloc(nr + 2, sizeof(*cells->begin));
	if (!cells->values || !cells->begin) {
		cells_release(cells);
		return -ENOMEM;
	}
	/* Counted two places on, so that placing the values leaves each begin where it belongs. */
	for (size_t i = 0; i < g->nr_samples; i++)
		cells->begin[cell_of(g, &g->samples[i]) + 2]++;
	for (size_t i = 2; i < nr + 2; i++)
		cells->begin[i] += cells->begin[i - 1];
	for (size_t i = 0; i < g->nr_samples; i++)
		cells->values[cells->begin[cell_of(g, &g->samples[i]) + 1]++] = g->samples[i].value;
	return 0;
}

static struct cell cell_at(const struct cells *cells, const struct sample_group *g, int m, int k)
{
	size_t i = (size_t)m * (size_t)g->nr_configs + (size_t)k;

	return (struct cell){ cells->values + cells->begin[i],
		cells->begin[i + 1] - cells->begin[i] };
}

static int compare_metric(const struct sample_group *g, int metric, struct cells *cells,
	double detect_percent, struct comparison *ret)
{
	struct cell first = cell_at(cells, g, metric, 0);

	struct comparison c = { .group = g, .metric = &g->metrics[metric] };

	c.configs = calloc((size_t)g->nr_configs, sizeof(*c.configs));
	if (!c.configs)
		return -ENOMEM;
	for (int k = 0; k < g->nr_configs; k++) {
		struct cell cell = cell_at(cells, g, metric, k);

		summarize((double *)cell.values, cell.n, c.metric->better, &c.configs[k].s);
	}
	for (int k = 0; k < g->nr_configs; k++) {
		struct cell cell = cell_at(cells, g, metric, k);

		judge(&c, k);
		infer(&c, k, &first, &cell, detect_percent);
	}
	*ret = c;
	return 0;
}

static int compare_group(const struct sample_group *g, struct comparisons *ret)
{
	struct cells cells;
	int rc = cells_init(&cells, g);

	if (rc)
		return rc;
	for (int m = 0; m < g->nr_metrics && !rc; m++) {
		rc = compare_metric(g, m, &cells, ret->detect_percent, &ret->list[ret->nr]);
		ret->nr += !rc;
	}
	cells_release(&cells);
	return rc;
}

/* The same metric at the other end of frequency scaling, or NULL. */
static struct comparison *other_end(struct comparisons *c, const struct comparison *one)
{
	for (int i = 0; i < c->nr; i++) {
		struct comparison *it = &c->list[i];

		if (it->group != one->group && !strcmp(it->group->workload, one->group->workload) &&
			(!c->samples->by_machine ||
				!strcmp(it->group->machine, one->group->machine)) &&
			!strcmp(it->metric->name, one->metric->name))
			return it;
	}
	return NULL;
}

static int config_named(const struct sample_group *g, const char *name)
{
	for (int i = 0; i < g->nr_configs; i++)
		if (!strcmp(g->configs[i].name, name))
			return i;
	return -1;
}

/* -1, 0, 1: less than a tenth of a per cent is no direction. */
static int direction(double percent)
{
	return (percent >= 0.1) - (percent <= -0.1);
}

static void judge_both_ends(struct comparisons *all, struct comparison *one)
{
	struct comparison *other = other_end(all, one);

	for (int k = 1; other && k < one->group->nr_configs; k++) {
		int match = config_named(other->group, one->group->configs[k].name);
		struct compared *a = &one->configs[k], *b;

		if (match < 0)
			continue;
		b = &other->configs[match];
		if (isnan(a->percent) || isnan(b->percent) ||
			direction(a->percent) * direction(b->percent) >= 0)
			continue;
		a->verdict = b->verdict = VERDICT_ENDS_DISAGREE;
	}
}

int compare_samples(const struct samples *samples, struct comparisons *ret, struct error *err)
{
	return compare_samples_detecting(samples, DETECT_PERCENT, ret, err);
}

int compare_samples_detecting(
	const struct samples *samples, double percent, struct comparisons *ret, struct error *err)
{
	struct comparisons c = { .samples = samples, .detect_percent = percent };
	int metrics = 0, rc = 0;

	for (int i = 0; i < samples->nr_groups; i++)
		metrics += samples->groups[i].nr_metrics;
	c.list = calloc((size_t)metrics + 1, sizeof(*c.list));
	if (!c.list)
		return error_set(err, ENOMEM, "out of memory");
	for (int i = 0; i < samples->nr_groups && !rc; i++)
		rc = compare_group(&samples->groups[i], &c);
	if (rc) {
		comparisons_release(&c);
		return error_set(err, -rc, "out of memory");
	}
	for (int i = 0; i < c.nr; i++)
		judge_both_ends(&c, &c.list[i]);
	*ret = c;
	return 0;
}

void comparisons_release(struct comparisons *c)
{
	for (int i = 0; i < c->nr; i++)
		free(c->list[i].configs);
	free(c->list);
	*c = (struct comparisons){ 0 };
}

struct group_ratio comparisons_gmean(
	const struct comparisons *c, const struct sample_group *group, int config, int better)
{
	struct group_ratio r = { 0, NAN };
	double sum = 0;

	for (int i = 0; i < c->nr; i++) {
		const struct comparison *it = &c->list[i];
		double base = summary_mean(&it->configs[0].s), mean;

		if (it->group != group || it->metric->better != better ||
			it->metric->section != SECTION_WORK)
			continue;
		mean = summary_mean(&it->configs[config].s);
		if (!(base > 0) || !(mean > 0))
			continue;
		sum += log(mean) - log(base);
		r.metrics++;
	}
	if (r.metrics)
		r.gmean = exp(sum / r.metrics);
	return r;
}

int compared_worse(const struct comparisons *c, const char *metric, double percent)
{
	int worse = 0;

	for (int i = 0; i < c->nr; i++) {
		const struct comparison *it = &c->list[i];

		if (metric && strcmp(metric, it->metric->name))
			continue;
		for (int k = 1; k < it->group->nr_configs; k++)
			worse += it->configs[k].verdict == VERDICT_GIVEN &&
				 it->configs[k].percent < -percent;
	}
	return worse;
}
