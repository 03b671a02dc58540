// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The other text style: one row per metric and configuration. A change carries its bootstrap
 * interval and p-value, or the reason why there is none.
 */
#include "report/comparison.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CONFIG_WIDTH_MIN = 13, CONFIG_WIDTH_MAX = 48 };

static int config_width(const struct sample_group *g)
{
	int width = CONFIG_WIDTH_MIN;

	for (int k = 0; k < g->nr_configs; k++) {
		int length = (int)strlen(g->configs[k].name);

		if (length > width)
			width = length;
	}
	return width < CONFIG_WIDTH_MAX ? width : CONFIG_WIDTH_MAX;
}

static void print_number(FILE *out, int width, double value)
{
	if (isnan(value))
		fprintf(out, " %*s", width, "-");
	else
		fprintf(out, " %*.5g", width, value);
}

/* The interval as per cent of better, in the order low, high. */
static void interval(const struct compared *it, int better, double *low, double *high)
{
	double a = percent_better(1, it->ratio_low, better);
	double b = percent_better(1, it->ratio_high, better);

	*low = fmin(a, b);
	*high = fmax(a, b);
}

static void print_change(FILE *out, const struct comparison *c, const struct compared *it)
{
	double low, high;

	if (isnan(it->percent))
		fprintf(out, " %9s", "-");
	else
		fprintf(out, " %+8.2f%%", percent_shown(it->percent));
	interval(it, c->metric->better, &low, &high);
	if (isnan(low))
		fprintf(out, " %18s", "");
	else
		fprintf(out, " [%+7.2f..%+7.2f]", low, high);
	if (isnan(it->welch_p))
		fprintf(out, " %8s", "-");
	else
		fprintf(out, " %8.2g", it->welch_p);
	print_number(out, 7, it->needed);
	if (verdict_name(it->verdict))
		fprintf(out, "  no verdict: %s", verdict_name(it->verdict));
	else if (it->significant)
		fprintf(out, "  clear");
	else if (!it->measured)
		fprintf(out, "  simulated");
}

static void print_metric(FILE *out, const struct comparison *c, int width)
{
	const struct sample_metric *m = c->metric;

	fprintf(out, "%s%s%s%s\n", m->name, *m->unit ? ", " : "", m->unit,
		m->better < 0	? ", lower is better"
		: m->better > 0 ? ", higher is better"
				: "");
	for (int k = 0; k < c->group->nr_configs; k++) {
		const struct compared *it = &c->configs[k];

		fprintf(out, "  %-*.*s %6zu", width, width, c->group->configs[k].name, it->s.n);
		print_number(out, 12, summary_mean(&it->s));
		print_number(out, 11, summary_deviation(&it->s));
		if (k && m->better)
			print_change(out, c, it);
		fputc('\n', out);
	}
}

static void print_gmeans(FILE *out, const struct comparisons *c, const struct sample_group *g)
{
	static const char *const names[] = { "higher", "lower" };

	for (int i = 0; i < 2; i++)
		for (int k = 1; k < g->nr_configs; k++) {
			struct group_ratio r = comparisons_gmean(c, g, k, i ? -1 : 1);

			if (r.metrics)
				fprintf(out,
					"Gmean of ratios, %s is better, %d metric%s: %.4f (%s)\n",
					names[i], r.metrics, r.metrics > 1 ? "s" : "", r.gmean,
					g->configs[k].name);
		}
}

static void print_group(
	FILE *out, const struct comparisons *c, const struct sample_group *g, const char *metric)
{
	int width = config_width(g);

	if (*g->workload)
		fprintf(out, "%s%s%s%s%s\n", g->workload, *g->machine ? " on " : "", g->machine,
			*g->scaling && strcmp(g->scaling, "known") ? ", run time that scales: "
								   : "",
			*g->scaling && strcmp(g->scaling, "known") ? g->scaling : "");
	fprintf(out, "  %-*s %6s %12s %11s %9s %18s %8s %7s\n", width, "", "n", "mean", "deviation",
		"change", "95 % interval", "Welch p", "needed");
	for (int section = 0; section < SECTIONS; section++)
		for (int i = 0; i < c->nr; i++) {
			const struct comparison *it = &c->list[i];

			if (it->group == g && (int)it->metric->section == section &&
				(!metric || !strcmp(metric, it->metric->name)))
				print_metric(out, it, width);
		}
	if (!metric)
		print_gmeans(out, c, g);
}

int comparisons_print_plain(
	const struct comparisons *c, const char *metric, FILE *out, struct error *err)
{
	for (int i = 0; i < c->samples->nr_groups; i++) {
		if (i)
			fputc('\n', out);
		print_group(out, c, &c->samples->groups[i], metric);
	}
	fprintf(out,
		"\nchange: better is positive; needed: samples of each that would show %g %%\n",
		c->detect_percent);
	for (int i = 0; i < c->samples->nr_notes; i++)
		fprintf(out, "- %s\n", c->samples->notes[i]);
	if (fflush(out) || ferror(out))
		return error_set(err, EIO, "writing the table: %s", strerror(errno ? errno : EIO));
	return 0;
}
