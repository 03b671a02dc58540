// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/fit_report.h"
#include "base/shell.h"
#include "cmd/output.h"
#include "report/json.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char objective_text[] = "sum of the squares of ln(model / published), of the ratio to "
				     "a baseline that is fitted on too, "
				     "else of the figure itself";

/* ---- command and source ---------------------------------------------------------------------- */

static void print_command(FILE *f, const struct fit_report *r, char **tables, int nr)
{
	const struct fit *fit = r->fit;

	fprintf(f, "corepace fit --rows ");
	shell_word(f, r->rows);
	if (fit->iterations != 1)
		fprintf(f, " -n %d", fit->iterations);
	if (fit->options.seed != 1)
		fprintf(f, " --seed %llu", (unsigned long long)fit->options.seed);
	for (int k = 0; k < fit->nr_parameters; k++)
		fprintf(f, " --free %s:%s=%.10g..%.10g", fit->parameters[k].name,
			fit->parameters[k].key, fit->parameters[k].low, fit->parameters[k].high);
	for (int i = 0; i < nr; i++) {
		fputc(' ', f);
		shell_word(f, tables[i]);
	}
}

/* Others that were free too: one value is not worth much without them. */
static void print_source(FILE *f, const struct fit_report *r)
{
	const struct fit *fit = r->fit;
	bool any = false;

	fprintf(f, "fit on %d rows of %s, %d free, root mean square of ln(model / published) %.4f",
		fit->nr_rows, r->tables, fit->nr_parameters, fit_rms(fit, fit->objective));
	for (int k = 0; k < fit->nr_parameters; k++) {
		const struct fit_parameter *p = &fit->parameters[k];

		if (p->of_machine)
			continue;
		fprintf(f, "%s %s:%s=%s", any ? "," : "; with", p->name, p->key, p->value);
		any = true;
	}
	fprintf(f, "; %s", r->command);
}

static void name_tables(struct fit_report *r, char **tables, int nr)
{
	size_t n = 0;

	for (int i = 0; i < nr && n < sizeof(r->tables); i++) {
		int len = (int)strcspn(tables[i], ":");
		bool seen = false;

		for (int k = 0; k < i; k++)
			seen |= (int)strcspn(tables[k], ":") == len &&
				!strncmp(tables[k], tables[i], (size_t)len);
		if (!seen)
			n += (size_t)snprintf(r->tables + n, sizeof(r->tables) - n, "%s%.*s",
				n ? "," : "", len, tables[i]);
	}
}

int fit_report_init(struct fit_report *r, char **tables, int nr, struct error *err)
{
	size_t size;
	FILE *f = open_memstream(&r->command, &size);

	r->source = NULL;
	name_tables(r, tables, nr);
	if (!f)
		return error_set(err, ENOMEM, "out of memory");
	print_command(f, r, tables, nr);
	fclose(f);
	f = open_memstream(&r->source, &size);
	if (!f) {
		free(r->command);
		return error_set(err, ENOMEM, "out of memory");
	}
	print_source(f, r);
	fclose(f);
	return 0;
}

void fit_report_release(struct fit_report *r)
{
	free(r->command);
	free(r->source);
}

/* ---- text ------------------------------------------------------------------------------------ */

static void print_parameters(const struct fit *f)
{
	int width = 9;

	for (int k = 0; k < f->nr_parameters; k++) {
		int n = (int)(strlen(f->parameters[k].name) + strlen(f->parameters[k].key)) + 1;

		width = n > width ? n : width;
	}
	printf("%-*s  %12s  %12s  %s\n", width, "parameter", "start", "best", "range");
	for (int k = 0; k < f->nr_parameters; k++) {
		const struct fit_parameter *p = &f->parameters[k];
		char name[2 * FIT_NAME_MAX + 1];

		snprintf(name, sizeof(name), "%s:%s", p->name, p->key);
		printf("%-*s  %12.10g  %12s  %.10g..%.10g %s%s\n", width, name, p->start, p->value,
			p->low, p->high, p->unit, fit_at_bound(p) ? " (at its end)" : "");
	}
}

static void print_rows(const struct fit *f)
{
	int policy = 6, workload = 8, metric = 6;

	for (int i = 0; i < f->nr_rows; i++) {
		const struct published_row *row = f->rows[i].row;
		int a = (int)strlen(row->run_policy), b = (int)strlen(row->run_workload),
		    c = (int)strlen(row->run_metric);

		policy = a > policy ? a : policy;
		workload = b > workload ? b : workload;
		metric = c > metric ? c : metric;
	}
	printf("\n%-6s %-*s  %-*s  %-*s  %10s %10s %10s  %-8s %8s %8s\n", "table", workload,
		"workload", policy, "policy", metric, "metric", "published", "before", "best",
		"term", "before", "best");
	for (int i = 0; i < f->nr_rows; i++) {
		const struct fit_row *r = &f->rows[i];

		printf("%-6s %-*s  %-*s  %-*s  %10.5g %10.5g %10.5g  %-8s %+8.4f %+8.4f\n",
			r->row->table, workload, r->row->run_workload, policy, r->row->run_policy,
			metric, r->row->run_metric, r->row->value, r->before, r->fitted,
			r->base >= 0 ? "ratio" : "figure", r->before_error, r->error);
	}
}

static void print_end(const struct fit_report *r)
{
	const struct fit *f = r->fit;

	printf("\nroot mean square of the terms %.4f, before %.4f; %d evaluations%s\n",
		fit_rms(f, f->objective), fit_rms(f, f->before), f->evaluations,
		f->converged ? "" : ", the search had not come to its end");
	if (f->nr_parameters == f->nr_rows)
		printf("as many parameters as rows: that it fits says nothing about the model\n");
	if (!r->better) {
		printf("no better than before: nothing written\n");
		return;
	}
	for (int k = 0; k < f->nr_parameters; k++) {
		const struct fit_parameter *p = &f->parameters[k];

		if (!p->of_machine)
			printf("to be set by hand, a default of workload %s: %s %s\n", p->name,
				p->key, p->value);
		else
			printf("%s machine %s: %s %s\n",
				r->written   ? "written to"
				: r->dry_run ? "would be written to"
					     : "not written to",
				p->name, p->key, p->value);
	}
	printf("%s\n", r->source);
}

int fit_report_print(const struct fit_report *r, struct error *err)
{
	const struct fit *f = r->fit;

	printf("%s: %d rows, free parameters: %d\nobjective: %s\n\n", r->tables, f->nr_rows,
		f->nr_parameters, objective_text);
	print_parameters(f);
	print_rows(f);
	print_end(r);
	return output_printed(err);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *parameters_json(const struct fit *f)
{
	json_t *list = json_array();

	for (int k = 0; k < f->nr_parameters; k++) {
		const struct fit_parameter *p = &f->parameters[k];

		json_array_append_new(
			list, json_pack("{s:s,s:s,s:s,s:s,s:b,s:o,s:o,s:o,s:o,s:b}", "of",
				      p->of_machine ? "machine" : "workload", "name", p->name,
				      "key", p->key, "unit", p->unit, "factor", p->factor, "start",
				      json_number(p->start), "best",
				      json_number(strtod(p->value + (*p->value == 'x'), NULL)),
				      "low", json_number(p->low), "high", json_number(p->high),
				      "at_end", fit_at_bound(p)));
	}
	return list;
}

static json_t *rows_json(const struct fit *f)
{
	json_t *list = json_array();

	for (int i = 0; i < f->nr_rows; i++) {
		const struct fit_row *r = &f->rows[i];
		json_t *row = json_pack("{s:s,s:I,s:s,s:s,s:s,s:s,s:s}", "table", r->row->table,
			"line", (json_int_t)r->row->line, "machine", r->row->run_machine,
			"workload", r->row->run_workload, "policy", r->row->run_policy, "metric",
			r->row->run_metric, "term", r->base >= 0 ? "ratio" : "figure");

		json_object_set_new(row, "published", json_number(r->row->value));
		json_object_set_new(row, "before", json_number(r->before));
		json_object_set_new(row, "best", json_number(r->fitted));
		json_object_set_new(row, "ln_error_before", json_number(r->before_error));
		json_object_set_new(row, "ln_error", json_number(r->error));
		json_array_append_new(list, row);
	}
	return list;
}

int fit_report_json(const struct fit_report *r, struct error *err)
{
	const struct fit *f = r->fit;
	json_t *document = json_schema();

	json_object_set_new(document, "tables", json_string(r->tables));
	json_object_set_new(document, "objective", json_string(objective_text));
	json_object_set_new(document, "parameters", parameters_json(f));
	json_object_set_new(document, "rows", rows_json(f));
	json_object_set_new(document, "rms_before", json_number(fit_rms(f, f->before)));
	json_object_set_new(document, "rms", json_number(fit_rms(f, f->objective)));
	json_object_set_new(document, "evaluations", json_integer(f->evaluations));
	json_object_set_new(document, "converged", json_boolean(f->converged));
	json_object_set_new(document, "written", json_boolean(r->written));
	json_object_set_new(document, "command", json_string(r->command));
	return json_write(document, stdout, err);
}
