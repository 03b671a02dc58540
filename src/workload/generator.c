// SPDX-License-Identifier: GPL-2.0-or-later
#include "workload/generator.h"
#include "base/units.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double SCALE_MIN = 1e-9;

/* Frequencies rise within a quarter of a second, the slowest by one P-state every 10 ms. */
static const uint64_t WARM_UP_NS = 300 * (uint64_t)NSEC_PER_MSEC;

static int unknown_key(const struct gen_key *keys, int nr, const char *key, struct error *err)
{
	char known[256] = "pin, scale";
	size_t len = strlen(known);

	for (int i = 0; i < nr && len < sizeof(known); i++)
		len += (size_t)snprintf(known + len, sizeof(known) - len, ", %s", keys[i].name);
	return error_set(err, EINVAL, "unknown key '%s', expected one of %s", key, known);
}

static int parse_word(
	const struct gen_key *key, const char *value, unsigned long long *ret, struct error *err)
{
	char list[128] = "";
	size_t len = 0;

	for (int i = 0; key->words[i]; i++) {
		if (!strcmp(key->words[i], value)) {
			*ret = (unsigned long long)i;
			return 0;
		}
		if (len < sizeof(list))
			len += (size_t)snprintf(list + len, sizeof(list) - len, "%s%s",
				i ? ", " : "", key->words[i]);
	}
	return error_set(err, EINVAL, "%s: '%s', expected one of %s", key->name, value, list);
}

int gen_keys(const struct spec *spec, const struct gen_key *keys, int nr, uint64_t *ret,
	struct error *err)
{
	uint64_t values[GEN_KEYS_MAX];

	for (int i = 0; i < nr; i++)
		values[i] = keys[i].value;
	for (int k = 0; k < spec->nr_keys; k++) {
		const char *key = spec->keys[k].key;
		unsigned long long v;
		int i, r;

		for (i = 0; i < nr && strcmp(key, keys[i].name); i++)
			;
		if (i == nr && (!strcmp(key, "pin") || !strcmp(key, "scale")))
			continue;
		if (i == nr)
			return unknown_key(keys, nr, key, err);
		if (keys[i].words)
			r = parse_word(&keys[i], spec->keys[k].value, &v, err);
		else
			r = parse_u64(spec->keys[k].value, keys[i].min, keys[i].max, key, &v, err);
		if (r)
			return r;
		values[i] = v;
	}
	memcpy(ret, values, (size_t)nr * sizeof(*values));
	return 0;
}

/* No exponents, no infinities, and the point is a point whatever the locale. */
static int parse_scale(const char *text, double *ret, struct error *err)
{
	double value = 0, unit = 1;
	bool digits = false, point = false;
	const char *p = text;

	for (; (*p >= '0' && *p <= '9') || (*p == '.' && !point); p++) {
		point |= *p == '.';
		digits |= *p != '.';
		unit /= point && *p != '.' ? 10 : 1;
		if (*p != '.')
			value = point ? value + unit * (*p - '0') : 10 * value + (*p - '0');
	}
	if (*p || !digits || value < SCALE_MIN || value > 1)
		return error_set(err, EINVAL,
			"scale: '%s', expected a share from %g to 1, such as 0.02", text,
			SCALE_MIN);
	*ret = value;
	return 0;
}

void gen_default_scale(struct workload *w, double scale)
{
	if (!w->scale)
		w->scale = scale < 1 ? scale : 1;
}

uint64_t gen_scaled(struct workload *w, uint64_t n)
{
	uint64_t scaled = w->scale ? (uint64_t)llround((double)n * w->scale) : n;

	if (!scaled)
		scaled = 1;
	if (!n || scaled >= n)
		scaled = n;
	if (w->scale && n)
		w->scale = (double)scaled / (double)n;
	return scaled;
}

void gen_work_or_time(
	struct workload *w, uint64_t *work, uint64_t *seconds, uint64_t default_seconds)
{
	if (!*work && !*seconds)
		*seconds = default_seconds;
	*work = gen_scaled(w, *work);
}

void gen_warm_up(struct workload *w)
{
	if (w->scale && w->scale < 1)
		w->warm_up_ns = WARM_UP_NS;
}

int gen_open(
	const struct generator *g, const struct spec *spec, struct workload *w, struct error *err)
{
	const char *scale = spec_get(spec, "scale");
	int r = scale ? parse_scale(scale, &w->scale, err) : 0;

	r = r ? r : g->open(spec, w, err);
	if (r)
		return r;
	gen_default_scale(w, 1);
	if (w->duration_ns && w->scale < 1)
		w->duration_ns = (uint64_t)llround((double)w->duration_ns * w->scale);
	return 0;
}

static int gen_next(struct workload *w, int task, struct op *ret, struct error *err)
{
	struct gen *g = w->impl;
	struct gen_task *t = &g->tasks[task];

	if (t->done)
		return 0;
	*ret = (struct op){ 0 };
	g->step(g, task, t, ret);
	t->done = ret->kind == OP_EXIT;
	return 1;
}

static int gen_rewind(struct workload *w, uint64_t seed, struct error *err)
{
	struct gen *g = w->impl;

	for (int i = 0; i < w->nr_tasks; i++) {
		g->tasks[i] = (struct gen_task){ 0 };
		rng_init(&g->tasks[i].rng, seed, (uint64_t)i);
	}
	return 0;
}

static void gen_release(struct workload *w)
{
	struct gen *g = w->impl;

	if (g)
		free(g->tasks);
	free(g);
}

static void name_tasks(struct workload *w)
{
	for (int i = 0; i < w->nr_tasks; i++) {
		struct workload_task *t = &w->tasks[i];

		snprintf(t->name, sizeof(t->name), w->nr_tasks > 1 ? "%.24s/%d" : "%.24s", w->name,
			i);
		t->starts = true;
		t->first_cpu = -1;
	}
}

int gen_init(struct workload *w, const char *pin, int nr, const uint64_t *keys,
	void (*step)(const struct gen *g, int task, struct gen_task *t, struct op *ret),
	struct error *err)
{
	uint64_t allowed[CPU_LIST_WORDS] = { 0 };
	struct gen *g;
	int r;

	if (pin && strcmp(pin, "none")) {
		r = cpu_list_parse(pin, "pin", allowed, err);
		if (r)
			return r;
	}
	g = calloc(1, sizeof(*g));
	w->impl = g;
	w->release = gen_release;
	w->next = gen_next;
	w->rewind = gen_rewind;
	w->tasks = calloc((size_t)nr, sizeof(*w->tasks));
	if (g)
		g->tasks = calloc((size_t)nr, sizeof(*g->tasks));
	if (!g || !g->tasks || !w->tasks)
		return error_set(err, ENOMEM, "out of memory");
	w->nr_tasks = nr;
	memcpy(g->key, keys, sizeof(g->key));
	g->step = step;
	name_tasks(w);
	for (int i = 0; i < nr; i++)
		workload_pin(&w->tasks[i], allowed);
	return 0;
}

void gen_metric(struct workload *w, const char *name, const char *unit, enum metric_kind kind,
	bool higher_is_better, int per_op)
{
	struct workload_metric *m = &w->metrics[w->nr_metrics++];

	snprintf(m->name, sizeof(m->name), "%s", name);
	snprintf(m->unit, sizeof(m->unit), "%s", unit);
	m->kind = kind;
	m->higher_is_better = higher_is_better;
	m->per_op = per_op;
}

uint64_t gen_spread(struct rng *rng, uint64_t value, uint64_t permille)
{
	uint64_t half = (uint64_t)((unsigned __int128)value * permille / 1000);

	return half ? value - half + rng_below(rng, 2 * half + 1) : value;
}
