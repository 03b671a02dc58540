// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The text table: a column per configuration, a row per figure, and behind each figure by how many
 * per cent it is better than the first column's. The brackets around a percentage tell its weight:
 * (  ) as it is, *  * clearly different, ~  ~ and ?  ? no verdict.
 */
#include "report/comparison.h"
#include "report/note.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	LABEL_WIDTH = 10,
	VALUE_WIDTH = 12,
	PERCENT_WIDTH = 12, /* " (  -12.34%)" */
	CELL_WIDTH = VALUE_WIDTH + PERCENT_WIDTH,
	PERCENT_MAX = 9999,
	HEADER_LINES_MAX = 12,
};

struct table {
	const struct comparisons *all;
	const struct sample_group *group;
	FILE *out;
	int label_width; /* of the figure's name; 0: only one figure, no name */
	int name_width, column_width;
	bool used[VERDICT_ENDS_DISAGREE + 1], marked;
};

/* Where the next line of a column's header ends: after the ':' of NAME:key=value, ',' or ' '. */
static size_t header_part(const char *name, bool first)
{
	size_t n = strcspn(name, ":=, ");

	if (!first || name[n] == '=')
		n = strcspn(name, ", ");
	n += name[n] != 0;
	while (name[n] == ' ')
		n++;
	return n;
}

static const char *header_line(const char *name, int line, int *ret_length)
{
	bool first = true;

	while (line-- > 0 && *name) {
		size_t n = header_part(name, first);

		first = first && name[strcspn(name, ":, ")] != ':';
		name += n;
	}
	*ret_length = (int)header_part(name, first);
	while (*ret_length && name[*ret_length - 1] == ' ')
		--*ret_length;
	return name;
}

static bool has_spread(const struct comparison *c)
{
	for (int k = 0; k < c->group->nr_configs; k++)
		if (c->configs[k].s.n > 1)
			return true;
	return false;
}

static void measure(struct table *t, const char *metric)
{
	const struct sample_group *g = t->group;
	int length;

	t->column_width = CELL_WIDTH;
	for (int k = 0; k < g->nr_configs; k++)
		for (int line = 0; line < HEADER_LINES_MAX; line++) {
			header_line(g->configs[k].name, line, &length);
			if (length > t->column_width)
				t->column_width = length;
		}
	t->label_width = t->name_width = 0;
	for (int i = 0; i < t->all->nr; i++)
		if (t->all->list[i].group == g && has_spread(&t->all->list[i]))
			t->label_width = LABEL_WIDTH;
	for (int m = 0; m < g->nr_metrics; m++) {
		length = (int)strlen(g->metrics[m].name);
		if (length > t->name_width && (!metric || !strcmp(metric, g->metrics[m].name)))
			t->name_width = length;
	}
}

static void print_header(const struct table *t)
{
	const struct sample_group *g = t->group;

	for (int line = 0; line < HEADER_LINES_MAX; line++) {
		bool any = false;
		int length;

		for (int k = 0; k < g->nr_configs; k++)
			any |= *header_line(g->configs[k].name, line, &length) != 0;
		if (!any)
			return;
		fprintf(t->out, "%*s", t->label_width + t->name_width, "");
		for (int k = 0; k < g->nr_configs; k++) {
			const char *part = header_line(g->configs[k].name, line, &length);

			fprintf(t->out, " %*.*s", t->column_width, length, part);
		}
		fputc('\n', t->out);
	}
}

/* Enough digits for four figures of the smallest value of the row, and at least two. */
static int decimals(const double *values, int nr)
{
	double least = INFINITY;
	int digits;

	for (int k = 0; k < nr; k++)
		if (values[k] != 0 && fabs(values[k]) < least)
			least = fabs(values[k]);
	if (!isfinite(least))
		return 2;
	digits = 3 - (int)floor(log10(least));
	return digits < 2 ? 2 : digits > 6 ? 6 : digits;
}

static char bracket(struct table *t, const struct compared *it, bool mean, bool left)
{
	t->used[it->verdict] = true;
	t->marked |= mean && it->significant;
	switch (it->verdict) {
	case VERDICT_INSIDE_BAND:
		return '~';
	case VERDICT_ENDS_DISAGREE:
		return '?';
	default:
		return mean && it->significant ? '*' : left ? '(' : ')';
	}
}

/* The percentage behind a figure; mean: the one that the marker is about. */
static void print_percent(struct table *t, const struct compared *it, double percent, bool mean)
{
	char left, right;

	if (isnan(percent)) {
		fprintf(t->out, " (        -)");
		return;
	}
	left = bracket(t, it, mean, true);
	right = bracket(t, it, mean, false);
	percent = percent_shown(percent);
	if (fabs(percent) > PERCENT_MAX)
		fprintf(t->out, " %c%8s%%%c", left, percent < 0 ? "< -9999" : "> 9999", right);
	else
		fprintf(t->out, " %c%8.2f%%%c", left, percent, right);
}

static void print_value(const struct table *t, double value, int digits)
{
	int width = t->column_width - PERCENT_WIDTH;

	if (isnan(value))
		fprintf(t->out, " %*s", width, "-");
	else
		fprintf(t->out, " %*.*f", width, digits, value);
}

/* One row of a figure that pick takes out of the summary. */
struct row {
	const char *label;
	double (*pick)(const struct summary *s, int index);
	int index;
	int better; /* 0: as the metric, else this rule */
};

static double pick_mean(const struct summary *s, int index)
{
	return summary_mean(s);
}

static double pick_deviation(const struct summary *s, int index)
{
	return summary_deviation(s);
}

static double pick_coeffvar(const struct summary *s, int index)
{
	return s->coeffvar;
}

static double pick_min(const struct summary *s, int index)
{
	return s->min;
}

static double pick_max(const struct summary *s, int index)
{
	return s->max;
}

static double pick_best(const struct summary *s, int index)
{
	return s->best_mean[index];
}

static void print_row(struct table *t, const struct comparison *c, const struct row *row)
{
	int nr = c->group->nr_configs;
	int better = row->better ? row->better : c->metric->better;
	double values[CONFIGS_MAX];
	int digits;

	for (int k = 0; k < nr; k++)
		values[k] = row->pick(&c->configs[k].s, row->index);
	digits = c->metric->section == SECTION_CPU ? 2 : decimals(values, nr);
	if (t->label_width)
		fprintf(t->out, "%-*s", t->label_width, row->label);
	fprintf(t->out, "%-*s", t->name_width, c->metric->name);
	for (int k = 0; k < nr; k++) {
		const struct compared *it = &c->configs[k];
		bool none = it->verdict == VERDICT_UNEQUAL_WORK;
		double percent = none ? NAN : percent_better(values[0], values[k], better);

		if (none)
			t->used[it->verdict] = true;
		print_value(t, values[k], digits);
		if (c->metric->better)
			print_percent(t, it, percent, row->pick == pick_mean);
		else
			fprintf(t->out, "%*s", PERCENT_WIDTH, "");
	}
	fputc('\n', t->out);
}

static void print_metric(struct table *t, const struct comparison *c, bool all_rows)
{
	bool higher = c->metric->better > 0;
	struct row rows[] = {
		{ "Min", pick_min, 0, 0 },
		{ higher ? "Hmean" : "Amean", pick_mean, 0, 0 },
		{ higher ? "HStddev" : "Stddev", pick_deviation, 0, -1 },
		{ "CoeffVar", pick_coeffvar, 0, -1 },
		{ "Max", pick_max, 0, 0 },
		{ higher ? "BHmean-50" : "BAmean-50", pick_best, 0, 0 },
		{ higher ? "BHmean-95" : "BAmean-95", pick_best, 3, 0 },
		{ higher ? "BHmean-99" : "BAmean-99", pick_best, 4, 0 },
	};
	enum { MEAN = 1, DEVIATION = 2 };

	if (!has_spread(c)) {
		rows[MEAN].label = "";
		print_row(t, c, &rows[MEAN]);
		return;
	}
	if (all_rows && c->metric->section <= SECTION_ENERGY) {
		for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
			print_row(t, c, &rows[i]);
		return;
	}
	print_row(t, c, &rows[MEAN]);
	if (c->metric->section <= SECTION_ENERGY)
		print_row(t, c, &rows[DEVIATION]);
}

static void print_energy_title(const struct table *t)
{
	const struct sample_group *g = t->group;
	bool known = true, measured = true;
	double band = 0;

	for (int k = 0; k < g->nr_configs; k++) {
		measured &= !g->configs[k].simulated;
		known &= g->configs[k].energy_band >= 0;
		band = fmax(band, g->configs[k].energy_band);
	}
	fprintf(t->out, "Energy, %s, ",
		g->fixed_time > 0    ? "fixed time"
		: g->fixed_time == 0 ? "fixed work"
				     : "neither work nor time known to be fixed");
	if (measured)
		fprintf(t->out, "measured\n");
	else if (!known)
		fprintf(t->out, "how far the power model is off is not known\n");
	else if (band > 0)
		fprintf(t->out, "power estimated within %.0f %%\n", 100 * band);
	else
		fprintf(t->out, "power measured or specified\n");
}

static void print_section_title(const struct table *t, enum sample_section section)
{
	fputc('\n', t->out);
	switch (section) {
	case SECTION_ENERGY:
		print_energy_title(t);
		break;
	case SECTION_WAKE:
		fprintf(t->out, "Wake-up latency\n");
		break;
	case SECTION_CPU:
		fprintf(t->out, "CPU time and idle residency\n");
		break;
	default:
		break;
	}
}

static void print_section(
	struct table *t, enum sample_section section, const char *metric, bool all_rows)
{
	bool titled = section == SECTION_WORK;

	for (int i = 0; i < t->all->nr; i++) {
		const struct comparison *c = &t->all->list[i];

		if (c->group != t->group || c->metric->section != section ||
			(metric && strcmp(metric, c->metric->name)))
			continue;
		if (!titled)
			print_section_title(t, section);
		titled = true;
		print_metric(t, c, all_rows);
	}
}

static void print_group_title(const struct sample_group *g, FILE *out)
{
	if (!*g->workload)
		return;
	fprintf(out, "%s%s%s", g->workload, *g->machine ? " on " : "", g->machine);
	if (!strcmp(g->scaling, "all"))
		fprintf(out, ", if all recorded run time scales with frequency");
	else if (!strcmp(g->scaling, "none"))
		fprintf(out, ", if no recorded run time scales with frequency");
	fprintf(out, "\n\n");
}

static void print_legend(const struct table *t)
{
	static const char *const legend[] = {
		[VERDICT_UNEQUAL_WORK] = "(-) unequal work: its energies have no percentage",
		[VERDICT_INSIDE_BAND] = "~ ~ no verdict: inside what the power model may be off",
		[VERDICT_ENDS_DISAGREE] =
			"? ? no verdict: the two ends of frequency scaling disagree",
	};
	bool any = t->marked;

	for (int i = 0; i <= VERDICT_ENDS_DISAGREE; i++)
		any |= legend[i] && t->used[i];
	if (any)
		fputc('\n', t->out);
	if (t->marked)
		fprintf(t->out,
			"* * the means differ by more than 1.96 times both deviations together\n");
	for (int i = 0; i <= VERDICT_ENDS_DISAGREE; i++)
		if (legend[i] && t->used[i])
			fprintf(t->out, "%s\n", legend[i]);
}

static void print_all(const struct comparisons *c, const char *metric, bool all_rows, FILE *out)
{
	struct table t = { .all = c, .out = out };

	for (int i = 0; i < c->samples->nr_groups; i++) {
		t.group = &c->samples->groups[i];
		if (i)
			fputc('\n', out);
		measure(&t, metric);
		print_group_title(t.group, out);
		print_header(&t);
		for (int section = 0; section < SECTIONS; section++)
			print_section(&t, section, metric, all_rows);
	}
	print_legend(&t);
	if (c->samples->nr_notes)
		fprintf(out, "\nNotes\n");
	for (int i = 0; i < c->samples->nr_notes; i++)
		note_print(c->samples->notes[i], out);
}

/* Columns are padded; what is handed out has no blanks at the ends of lines. */
static void print_trimmed(const char *text, FILE *out)
{
	while (*text) {
		size_t n = strcspn(text, "\n"), end = n;

		while (end && text[end - 1] == ' ')
			end--;
		fprintf(out, "%.*s\n", (int)end, text);
		text += n + (text[n] != 0);
	}
}

int comparisons_print(const struct comparisons *c, const char *metric, bool all_rows, FILE *out,
	struct error *err)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return error_set(err, ENOMEM, "out of memory");
	print_all(c, metric, all_rows, f);
	if (fclose(f)) {
		free(text);
		return error_set(err, ENOMEM, "out of memory");
	}
	print_trimmed(text, out);
	free(text);
	if (fflush(out) || ferror(out))
		return error_set(err, EIO, "writing the table: %s", strerror(errno ? errno : EIO));
	return 0;
}
