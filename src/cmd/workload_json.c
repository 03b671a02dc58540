// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/workload_json.h"
#include "report/json.h"
#include "workload/cpw_meta.h"

#include <errno.h>
#include <jansson.h>

static json_t *number(uint64_t v)
{
	return json_integer((json_int_t)v);
}

static json_t *waits_json(const struct task_summary *t)
{
	json_t *o = json_object();

	for (const enum op_kind *k = wait_kinds; *k != OP_KINDS; k++)
		json_object_set_new(o, op_kind_name(*k), number(t->waits[*k]));
	json_object_set_new(o, "unknown", number(t->waits_unknown));
	return o;
}

static json_t *task_json(const struct workload *w, int i, const struct task_summary *s)
{
	static const char *const classes[] = { "normal", "rt", "idle" };
	const struct workload_task *t = &w->tasks[i];
	json_t *o = json_pack("{s:i,s:s,s:i,s:s,s:i,s:b,s:b,s:i,s:I}", "task", i, "name", t->name,
		"pid", t->pid, "class", classes[t->sched_class], "nice", t->nice, "kernel",
		t->kernel, "starts", t->starts, "first_cpu", t->first_cpu, "start_ns",
		(json_int_t)t->start_ns);

	/* Names are bytes; what is not UTF-8 is refused above. */
	if (!o)
		o = json_pack("{s:i,s:s}", "task", i, "name", "?");
	if (!s)
		return o;
	json_object_set_new(o, "ops", number(s->ops));
	json_object_set_new(o, "run_cycles", number(s->cycles));
	json_object_set_new(o, "run_ns", number(s->ns));
	json_object_set_new(o, "operations", number(s->operations));
	json_object_set_new(o, "waits", waits_json(s));
	return o;
}

/* Environment and truth as they stand in the file. */
static json_t *part_json(struct buffer *raw)
{
	json_t *j = json_loadb((const char *)raw->data, raw->len, 0, NULL);

	buffer_release(raw);
	return j;
}

static void add_recorded(json_t *o, const struct workload *w, const struct workload_summary *s,
	const struct idle_log_summary *log)
{
	struct buffer env = { 0 }, truth = { 0 };

	if (!cpw_put_env(&w->env, false, &env, NULL))
		json_object_set_new(o, "environment", part_json(&env));
	if (!cpw_put_truth(&w->truth, &truth, NULL))
		json_object_set_new(o, "truth", part_json(&truth));
	json_object_set_new(o, "waits", waits_json(&s->total));
	json_object_set_new(o, "ops", number(s->total.ops));
	json_object_set_new(o, "idle_log",
		json_pack("{s:I,s:I,s:I}", "records", (json_int_t)log->records, "inferred",
			(json_int_t)log->inferred, "picked", (json_int_t)log->picked));
}

static json_t *metrics_json(const struct workload *w)
{
	json_t *list = json_array();

	for (int i = 0; i < w->nr_metrics; i++) {
		const struct workload_metric *m = &w->metrics[i];

		json_array_append_new(
			list, json_pack("{s:s,s:s,s:s}", "name", m->name, "unit", m->unit, "better",
				      m->higher_is_better ? "higher" : "lower"));
	}
	return list;
}

int workload_json(const struct workload *w, const struct workload_summary *s,
	const struct idle_log_summary *log, struct error *err)
{
	json_t *o = json_pack("{s:i,s:s,s:b,s:s,s:i,s:I}", "schema", 1, "workload", w->text,
		"recorded", w->recorded, "operation", w->op_name, "channels", w->nr_channels,
		"duration_ns", (json_int_t)w->duration_ns);
	json_t *tasks = json_array();
	int r = 0;

	if (!o || !tasks) {
		json_decref(o);
		json_decref(tasks);
		return error_set(err, EINVAL, "%s: expected names in UTF-8", w->text);
	}
	json_object_set_new(o, "scale", json_number(w->scale));
	json_object_set_new(o, "metrics", metrics_json(w));
	if (s)
		add_recorded(o, w, s, log);
	for (int i = 0; i < w->nr_tasks; i++)
		json_array_append_new(tasks, task_json(w, i, s ? &s->tasks[i] : NULL));
	json_object_set_new(o, "tasks", tasks);
	if (json_dumpf(o, stdout, JSON_INDENT(1)))
		r = error_set(err, EIO, "writing to standard output failed");
	putchar('\n');
	json_decref(o);
	return r;
}
