// SPDX-License-Identifier: GPL-2.0-or-later
/* Environment, truth and metrics as JSON, each struct described by one table of its fields. */
#include "base/units.h"
#include "workload/cpw_meta.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum field_type {
	FIELD_TEXT,
	FIELD_LINES,
	FIELD_TEXTS,
	FIELD_INT,
	FIELD_BOOL,
	FIELD_U64,
	FIELD_U64S
};

struct field {
	enum field_type type;
	int max; /* int: largest value; texts: bytes of each */
	size_t offset, size;
	const char *name;
};

#define FIELD(type, s, member, max)                                                                \
	{                                                                                          \
		FIELD_##type, max, offsetof(struct s, member), sizeof(((struct s *)0)->member),    \
			#member                                                                    \
	}
#define END                                                                                        \
	{                                                                                          \
		.name = NULL                                                                       \
	}

enum {
	HZ_MAX = 100000,
	METRICS_MAX = ARRAY_LEN(((struct workload *)0)->metrics),
	TEXT_MAX = 2048, /* the longest text of any struct */
	STATES_MAX = ARRAY_LEN(((struct workload_truth *)0)->state_usage),
};

static const struct field env_fields[] = {
	FIELD(TEXT, workload_env, kernel, 0),
	FIELD(TEXT, workload_env, cpuidle_driver, 0),
	FIELD(TEXT, workload_env, cpuidle_governor, 0),
	FIELD(TEXT, workload_env, machine, 0),
	FIELD(TEXT, workload_env, command, 0),
	FIELD(INT, workload_env, hz, HZ_MAX),
	FIELD(INT, workload_env, nr_cpus, CPUS_MAX),
	FIELD(U64, workload_env, khz, 0),
	FIELD(TEXT, workload_env, khz_source, 0),
	FIELD(TEXT, workload_env, clock, 0),
	FIELD(U64, workload_env, device_irq_ns, 0),
	FIELD(LINES, workload_env, settings, 0),
	END,
};

static const struct field truth_fields[] = {
	FIELD(U64, workload_truth, elapsed_ns, 0),
	FIELD(U64, workload_truth, operations, 0),
	FIELD(U64, workload_truth, untraced_elapsed_ns, 0),
	FIELD(INT, workload_truth, nr_cpus, CPUS_MAX),
	FIELD(U64S, workload_truth, busy_ns, 0),
	FIELD(U64S, workload_truth, irq_ns, 0),
	FIELD(U64S, workload_truth, idle_entries, 0),
	FIELD(U64S, workload_truth, state_usage, 0),
	FIELD(U64S, workload_truth, state_time_ns, 0),
	FIELD(INT, workload_truth, nr_states, STATES_MAX),
	FIELD(U64, workload_truth, events, 0),
	FIELD(U64, workload_truth, lost_events, 0),
	FIELD(U64S, workload_truth, waits, 0),
	FIELD(U64, workload_truth, waits_unknown, 0),
	FIELD(U64, workload_truth, own_waits, 0),
	FIELD(U64, workload_truth, own_waits_outside, 0),
	FIELD(U64, workload_truth, own_run_on, 0),
	FIELD(U64, workload_truth, switches, 0),
	FIELD(U64, workload_truth, switches_inferred, 0),
	FIELD(TEXTS, workload_truth, state_name,
		sizeof(((struct workload_truth *)0)->state_name[0])),
	END,
};

static const struct field metric_fields[] = {
	FIELD(TEXT, workload_metric, name, 0),
	FIELD(TEXT, workload_metric, unit, 0),
	FIELD(BOOL, workload_metric, higher_is_better, 0),
	FIELD(INT, workload_metric, kind, METRIC_SYSTEM_S),
	FIELD(INT, workload_metric, per_op, 1000),
	END,
};

/* Texts come from outside (command lines, CPU names): what is not UTF-8 becomes '?'. */
static json_t *text_json(const char *text, size_t size)
{
	char copy[TEXT_MAX];
	json_t *j;

	snprintf(copy, sizeof(copy), "%.*s", (int)size - 1, text);
	j = json_string(copy);
	if (j)
		return j;
	for (char *c = copy; *c; c++)
		if (*c & 0x80)
			*c = '?';
	return json_string(copy);
}

static json_t *texts_json(const char *texts, size_t each, size_t nr)
{
	json_t *j = json_array();

	while (nr && !texts[(nr - 1) * each])
		nr--;
	for (size_t i = 0; i < nr; i++)
		json_array_append_new(j, text_json(texts + i * each, each));
	return j;
}

static json_t *numbers_json(const uint64_t *v, size_t nr)
{
	json_t *j = json_array();

	while (nr && !v[nr - 1])
		nr--;
	for (size_t i = 0; i < nr; i++)
		json_array_append_new(j, json_integer((json_int_t)v[i]));
	return j;
}

/* NULL: the field is zero and left out. */
static json_t *field_json(const struct field *f, const char *p)
{
	switch (f->type) {
	case FIELD_TEXT:
	case FIELD_LINES:
		return *p ? text_json(p, f->size) : NULL;
	case FIELD_TEXTS:
		return texts_json(p, (size_t)f->max, f->size / (size_t)f->max);
	case FIELD_INT:
		return *(const int *)p ? json_integer(*(const int *)p) : NULL;
	case FIELD_BOOL:
		return json_boolean(*(const bool *)p);
	case FIELD_U64:
		return *(const uint64_t *)p ? json_integer((json_int_t)(*(const uint64_t *)p))
					    : NULL;
	case FIELD_U64S:
		return numbers_json((const uint64_t *)p, f->size / sizeof(uint64_t));
	}
	return NULL;
}

static json_t *object_json(const struct field *f, const void *s)
{
	json_t *o = json_object();

	for (; f->name; f++) {
		json_t *value = field_json(f, (const char *)s + f->offset);

		if (value)
			json_object_set_new(o, f->name, value);
	}
	return o;
}

static int put_json(json_t *j, struct buffer *out, struct error *err)
{
	char *text = json_dumps(j, JSON_COMPACT);
	size_t len = text ? strlen(text) : 0;

	json_decref(j);
	if (!text || buffer_reserve(out, len)) {
		free(text);
		return error_set(err, ENOMEM, "out of memory");
	}
	memcpy(out->data + out->len, text, len);
	out->len += len;
	free(text);
	return 0;
}

/* The kernel's command line may name hosts and disks. */
static void drop_command_line(char *settings)
{
	static const char key[] = "cmdline=";

	for (char *line = settings; *line;) {
		size_t len = strcspn(line, "\n");

		len += line[len] == '\n';
		if (strncmp(line, key, sizeof(key) - 1))
			line += len;
		else
			memmove(line, line + len, strlen(line + len) + 1);
	}
}

int cpw_put_env(
	const struct workload_env *env, bool anonymous, struct buffer *out, struct error *err)
{
	struct workload_env copy = *env;

	if (anonymous) {
		copy.command[0] = 0;
		drop_command_line(copy.settings);
	}
	return put_json(object_json(env_fields, &copy), out, err);
}

int cpw_put_truth(const struct workload_truth *truth, struct buffer *out, struct error *err)
{
	return put_json(object_json(truth_fields, truth), out, err);
}

int cpw_put_metrics(const struct workload_metric *metrics, int nr, const char *op_name,
	struct buffer *out, struct error *err)
{
	json_t *o = json_object(), *list = json_array();

	for (int i = 0; i < nr; i++)
		json_array_append_new(list, object_json(metric_fields, &metrics[i]));
	json_object_set_new(o, "operation", text_json(op_name ? op_name : "", 16));
	json_object_set_new(o, "metrics", list);
	return put_json(o, out, err);
}

/* ---- reading ---- */

static int get_u64s(const struct field *f, const json_t *value, uint64_t *p, struct error *err)
{
	const json_t *v;
	size_t i;

	if (!json_is_array(value))
		return error_set(err, EBADMSG, "'%s': expected an array", f->name);
	json_array_foreach(value, i, v)
	{
		if (!json_is_integer(v) || json_integer_value(v) < 0)
			return error_set(
				err, EBADMSG, "'%s': element %zu: expected a number", f->name, i);
		if (i < f->size / sizeof(*p))
			p[i] = (uint64_t)json_integer_value(v);
	}
	return 0;
}

/* A text that is too long ends between two characters, not within one: it stays UTF-8. */
static void copy_text(const char *text, char *p, size_t size)
{
	size_t len = strnlen(text, size);

	if (len == size)
		for (len = size - 1; len && (text[len] & 0xc0) == 0x80;)
			len--;
	memcpy(p, text, len);
	p[len] = 0;
}

/* What is printed one day must not hold control characters. */
static void get_text(const char *text, bool lines, char *p, size_t size)
{
	copy_text(text, p, size);
	for (; *p; p++)
		if (((unsigned char)*p < 0x20 && !(lines && *p == '\n')) || *p == 0x7f)
			*p = '?';
}

static int get_texts(const struct field *f, const json_t *value, char *p, struct error *err)
{
	size_t each = (size_t)f->max, i;
	const json_t *v;

	if (!json_is_array(value))
		return error_set(err, EBADMSG, "'%s': expected an array", f->name);
	json_array_foreach(value, i, v)
	{
		if (!json_is_string(v))
			return error_set(
				err, EBADMSG, "'%s': element %zu: expected a text", f->name, i);
		if (i < f->size / each)
			get_text(json_string_value(v), false, p + i * each, each);
	}
	return 0;
}

static int get_field(const struct field *f, const json_t *value, char *p, struct error *err)
{
	json_int_t n = json_integer_value(value);

	switch (f->type) {
	case FIELD_TEXT:
	case FIELD_LINES:
		if (!json_is_string(value))
			return error_set(err, EBADMSG, "'%s': expected a text", f->name);
		get_text(json_string_value(value), f->type == FIELD_LINES, p, f->size);
		return 0;
	case FIELD_BOOL:
		if (!json_is_boolean(value))
			return error_set(err, EBADMSG, "'%s': expected true or false", f->name);
		*(bool *)p = json_is_true(value);
		return 0;
	case FIELD_INT:
		if (!json_is_integer(value) || n < 0 || n > f->max)
			return error_set(err, EBADMSG, "'%s': expected a number from 0 to %d",
				f->name, f->max);
		*(int *)p = (int)n;
		return 0;
	case FIELD_U64:
		if (!json_is_integer(value) || n < 0)
			return error_set(err, EBADMSG, "'%s': expected a number", f->name);
		*(uint64_t *)p = (uint64_t)n;
		return 0;
	case FIELD_U64S:
		return get_u64s(f, value, (uint64_t *)p, err);
	case FIELD_TEXTS:
		return get_texts(f, value, p, err);
	}
	return 0;
}

static int get_object(const struct field *f, const json_t *o, void *s, struct error *err)
{
	if (!json_is_object(o))
		return error_set(err, EBADMSG, "expected a JSON object");
	for (; f->name; f++) {
		const json_t *value = json_object_get(o, f->name);
		int r = value ? get_field(f, value, (char *)s + f->offset, err) : 0;

		if (r)
			return r;
	}
	return 0;
}

/* NULL: no JSON, err is set. */
static json_t *load(const struct buffer *in, struct error *err)
{
	json_error_t e;
	json_t *j = json_loadb((const char *)in->data, in->len, 0, &e);

	if (!j)
		error_set(err, EBADMSG, "JSON: byte %d: %s", e.position, e.text);
	return j;
}

int cpw_get_env(const struct buffer *in, struct workload_env *ret, struct error *err)
{
	struct workload_env env = { 0 };
	json_t *j = load(in, err);
	int r;

	if (!j)
		return -EBADMSG;
	r = get_object(env_fields, j, &env, err);
	json_decref(j);
	if (!r)
		*ret = env;
	return r;
}

int cpw_get_truth(const struct buffer *in, struct workload_truth *ret, struct error *err)
{
	struct workload_truth truth = { 0 };
	json_t *j = load(in, err);
	int r;

	if (!j)
		return -EBADMSG;
	r = get_object(truth_fields, j, &truth, err);
	json_decref(j);
	if (!r)
		*ret = truth;
	return r;
}

static int get_metric_list(const json_t *list, struct workload *w, struct error *err)
{
	size_t nr = json_array_size(list);

	if (list && !json_is_array(list))
		return error_set(err, EBADMSG, "'metrics': expected an array");
	if (nr > METRICS_MAX)
		return error_set(err, EBADMSG, "%zu metrics, expected at most %d", nr, METRICS_MAX);
	for (size_t i = 0; i < nr; i++) {
		int r = get_object(metric_fields, json_array_get(list, i), &w->metrics[i], err);

		if (r)
			return error_prefix(err, r, "metric %zu", i);
	}
	w->nr_metrics = (int)nr;
	return 0;
}

int cpw_get_metrics(const struct buffer *in, struct workload *w, struct error *err)
{
	const char *op_name;
	json_t *j = load(in, err);
	int r;

	if (!j)
		return -EBADMSG;
	op_name = json_string_value(json_object_get(j, "operation"));
	get_text(op_name ? op_name : "", false, w->op_name, sizeof(w->op_name));
	r = get_metric_list(json_object_get(j, "metrics"), w, err);
	json_decref(j);
	return r;
}
