// SPDX-License-Identifier: GPL-2.0-or-later
#include "machine/draw.h"
#include "base/rng.h"
#include "machine/check.h"
#include "machine/fields.h"
#include "machine/provenance.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TRIES = 100, CHAIN_MAX = IDLE_STATES_MAX + 2, CHAIN_PATH = 128 };

/* One value on its way: the number itself, or the factor of a curve or list. */
struct drawn {
	struct provenance *p;
	const struct doc_field *field;
	void *data;
	int nr;
	double file; /* what the file says: the number, or 1 */
	double low, high;
	double x;
};

struct drawing {
	struct machine *m;
	int nr;
	struct drawn values[PROVENANCE_MAX];
};

/* Values that the file has in rising order, by their index. */
struct chain {
	int nr;
	int index[CHAIN_MAX];
};

static bool is_factor(const struct drawn *v)
{
	return v->field->kind == DOC_CURVE || v->field->kind == DOC_KHZ_LIST;
}

static bool is_free(const struct drawn *v)
{
	return v->low < v->high;
}

/* Visits in the order in which provenance_build did. */
static int collect(const struct doc_value *value, void *ctx)
{
	struct drawing *d = ctx;
	struct drawn *v = &d->values[d->nr];

	v->p = &d->m->provenance[d->nr++];
	v->field = value->field;
	v->data = value->data;
	v->nr = value->nr;
	v->file = 1;
	if (v->field->kind == DOC_NUMBER)
		v->file = (double)((const struct number *)v->data)->value;
	v->low = v->high = v->x = v->file;
	if (v->p->low < v->p->high && confidence_estimated(v->p->confidence)) {
		v->low = v->p->low;
		v->high = v->p->high;
	}
	return 0;
}

static int find(const struct drawing *d, const char *path)
{
	for (int i = 0; i < d->nr; i++)
		if (!strcmp(d->values[i].p->path, path))
			return i;
	return -1;
}

/* ---- order ----------------------------------------------------------------------------------- */

static double between(const struct doc_point *a, const struct doc_point *b, double khz)
{
	double share = (khz - (double)a->khz.value) / (double)(b->khz.value - a->khz.value);

	return (double)a->mw.value + share * (double)(b->mw.value - a->mw.value);
}

/* The file's curve at khz; 1 for a number, which is its own factor. */
static double shape(const struct drawn *v, double khz)
{
	const struct doc_point *p = v->data;

	if (v->field->kind != DOC_CURVE)
		return 1;
	if (khz <= (double)p[0].khz.value)
		return (double)p[0].mw.value;
	for (int i = 1; i < v->nr; i++)
		if (khz <= (double)p[i].khz.value)
			return between(&p[i - 1], &p[i], khz);
	return (double)p[v->nr - 1].mw.value;
}

/* Lists hold no rise: the first entry is the highest. */
static double list_end(const struct drawn *v, bool highest)
{
	const struct number *numbers = v->data;

	return v->field->kind == DOC_KHZ_LIST ? (double)numbers[highest ? 0 : v->nr - 1].value : 1;
}

static double ratio_at(const struct drawn *a, const struct drawn *b, double khz)
{
	double below = shape(a, khz) * list_end(a, true);
	double above = shape(b, khz) * list_end(b, false);

	return below > 0 ? above / below : INFINITY;
}

/* The order is a->x <= b->x * reach. Between points of both the ratio has no extremes. */
static double reach(const struct drawn *a, const struct drawn *b)
{
	const struct drawn *both[] = { a, b };
	double least = ratio_at(a, b, 0);

	for (int k = 0; k < 2; k++)
		for (int i = 0; both[k]->field->kind == DOC_CURVE && i < both[k]->nr; i++) {
			const struct doc_point *p = both[k]->data;

			least = fmin(least, ratio_at(a, b, (double)p[i].khz.value));
		}
	return least;
}

/* An order that the file itself does not keep is none. */
static bool ordered(const struct drawn *a, const struct drawn *b, double *ret_reach)
{
	*ret_reach = reach(a, b);
	return isfinite(*ret_reach) && a->file <= b->file * *ret_reach;
}

static void cut_ranges(struct drawing *d, const struct chain *c)
{
	double r;

	for (int i = c->nr - 2; i >= 0; i--) {
		struct drawn *a = &d->values[c->index[i]], *b = &d->values[c->index[i + 1]];

		if (ordered(a, b, &r))
			a->high = fmin(a->high, b->high * r);
	}
}

static void raise_values(struct drawing *d, const struct chain *c)
{
	double r;

	for (int i = 1; i < c->nr; i++) {
		struct drawn *a = &d->values[c->index[i - 1]], *b = &d->values[c->index[i]];

		if (ordered(a, b, &r))
			b->x = fmax(b->x, a->x / r);
	}
}

typedef void (*chain_fn)(struct drawing *d, const struct chain *c);

static void add(const struct drawing *d, struct chain *c, const char *path)
{
	int i = find(d, path);

	if (i >= 0 && !(d->values[i].field->kind == DOC_KHZ_LIST && !d->values[i].nr))
		c->index[c->nr++] = i;
}

static void each_state_chain(struct drawing *d, const struct doc_machine *doc, chain_fn fn)
{
	static const char *const fields[] = { "exit_latency_ns", "target_residency_ns", "wake_ns" };
	struct chain power = { 0 };
	char path[CHAIN_PATH];

	for (size_t k = 0; k < ARRAY_LEN(fields); k++) {
		struct chain c = { 0 };

		for (uint32_t i = 0; i < doc->idle.states_count; i++) {
			snprintf(path, sizeof(path), "idle.states.%s.%s", doc->idle.states[i].name,
				fields[k]);
			add(d, &c, path);
		}
		fn(d, &c);
	}
	for (uint32_t i = doc->power.core_idle_count; i-- > 0;) {
		snprintf(path, sizeof(path), "power.core_idle.%s.mw_by_khz",
			doc->power.core_idle[i].state);
		add(d, &power, path);
	}
	add(d, &power, "power.core_active");
	add(d, &power, "power.core_active_smt");
	fn(d, &power);
}

static void each_chain(struct drawing *d, const struct doc_machine *doc, chain_fn fn)
{
	static const char *const chains[][4] = {
		{ "frequency.min_khz", "frequency.base_khz", "frequency.max_khz" },
		{ "frequency.min_khz", "frequency.turbo_khz", "frequency.max_khz" },
		{ "hwp.lowest", "hwp.efficient", "hwp.guaranteed", "hwp.highest" },
		{ "hwp.epp0_permille", "hwp.epp128_permille", "hwp.epp255_permille" },
		{ "power.floor_mw", "power.uncore" },
		{ "limits.pl1_mw", "limits.pl2_mw" },
		{ "firmware.pcc_stall_ns", "firmware.pcc_service_ns" },
		{ "platform.cppc_lowest", "platform.cppc_lowest_nonlinear", "platform.cppc_nominal",
			"platform.cppc_highest" },
	};

	for (size_t k = 0; k < ARRAY_LEN(chains); k++) {
		struct chain c = { 0 };

		for (size_t i = 0; i < ARRAY_LEN(chains[k]) && chains[k][i]; i++)
			add(d, &c, chains[k][i]);
		fn(d, &c);
	}
	each_state_chain(d, doc, fn);
}

/* ---- draw ------------------------------------------------------------------------------------ */

/* FNV-1a: each value has a stream of its own. */
static uint64_t stream_of(const char *path)
{
	uint64_t hash = 0xcbf29ce484222325ULL;

	for (; *path; path++)
		hash = (hash ^ (unsigned char)*path) * 0x100000001b3ULL;
	return hash;
}

/* CONFIG_HZ knows these. */
static double draw_hz(const struct drawn *v, double u)
{
	static const int rates[] = { 100, 250, 300, 1000 };
	int in[ARRAY_LEN(rates)], nr = 0;

	for (size_t i = 0; i < ARRAY_LEN(rates); i++)
		if (rates[i] >= v->low && rates[i] <= v->high)
			in[nr++] = rates[i];
	return nr ? in[(int)(u * nr)] : v->file;
}

/* Whole numbers have equal chances, also the first and the last. */
static double draw_number(const struct drawn *v, double u)
{
	double low = ceil(v->low), high = floor(v->high);

	if (low > 0 && high >= DRAW_WIDE * low)
		return fmin(floor(low * pow((high + 1) / low, u)), high);
	return fmin(low + floor(u * (high + 1 - low)), high);
}

static double draw_factor(const struct drawn *v, double u)
{
	if (v->low > 0 && v->high >= DRAW_WIDE * v->low)
		return v->low * pow(v->high / v->low, u);
	return v->low + u * (v->high - v->low);
}

static double draw(const struct drawn *v, uint64_t seed, int try)
{
	struct rng rng;
	double u;

	rng_init(&rng, seed, stream_of(v->p->path) + (uint64_t)try);
	u = (double)(rng_next(&rng) >> 11) * 0x1.0p-53;
	if (is_factor(v))
		return draw_factor(v, u);
	return !strcmp(v->p->path, "tick.hz") ? draw_hz(v, u) : draw_number(v, u);
}

static void set(struct number *number, double value, double step)
{
	number->value = llround(value / step) * llround(step);
	snprintf(number->text, sizeof(number->text), "%lld", (long long)number->value);
}

static void store(struct drawn *v, double step_khz)
{
	struct number *numbers = v->data;
	struct doc_point *points = v->data;
	bool frequency = !strncmp(v->p->path, "frequency.", 10) && !strcmp(v->field->unit, "kHz");
	double step = frequency ? step_khz : 1;

	switch (v->field->kind) {
	case DOC_CURVE:
		for (int i = 0; i < v->nr; i++)
			set(&points[i].mw, v->x * (double)points[i].mw.value, 1);
		break;
	case DOC_KHZ_LIST:
		for (int i = 0; i < v->nr; i++)
			set(&numbers[i], v->x * (double)numbers[i].value, step);
		break;
	default:
		set(numbers, v->x, step);
	}
}

static void draw_all(struct drawing *d, struct doc_machine *doc, uint64_t seed, int try)
{
	double step = (double)doc->frequency.step_khz.value;

	for (int i = 0; i < d->nr; i++)
		if (is_free(&d->values[i]))
			d->values[i].x = draw(&d->values[i], seed, try);
	each_chain(d, doc, raise_values);
	for (int i = 0; i < d->nr; i++)
		if (d->values[i].x != d->values[i].file)
			store(&d->values[i], step);
}

static void tell(struct drawing *d)
{
	for (int i = 0; i < d->nr; i++) {
		const struct drawn *v = &d->values[i];
		struct doc_value value = { .field = v->field, .data = v->data, .nr = v->nr };

		if (is_free(v))
			provenance_drawn(v->p, &value, v->x);
	}
}

static int draw_checked(struct drawing *d, const struct yaml *y, struct doc_machine *doc,
	const struct doc_machine *file, uint64_t seed, struct error *err)
{
	struct error why;
	int r = -EINVAL;

	fields_walk(doc, collect, d);
	each_chain(d, doc, cut_ranges);
	for (int try = 0; try < TRIES && r; try++) {
		*doc = *file;
		draw_all(d, doc, seed, try);
		r = machine_check(y, doc, &why);
	}
	if (r)
		return error_set(err, EINVAL,
			"%s: draw: no valid machine in %d tries, the last: %s", y->path, TRIES,
			why.text);
	tell(d);
	return 0;
}

int draw_document(struct machine *m, const struct yaml *y, struct doc_machine *doc, uint64_t seed,
	struct error *err)
{
	struct drawing *d = calloc(1, sizeof(*d));
	struct doc_machine *file = malloc(sizeof(*file));
	int r = 0;

	if (d && file) {
		*file = *doc;
		d->m = m;
		r = draw_checked(d, y, doc, file, seed, err);
	} else {
		r = error_set(err, ENOMEM, "%s: out of memory", y->path);
	}
	free(d);
	free(file);
	return r;
}

int machine_drawn_spec(
	const char *text, unsigned long long seed, char ret[SPEC_TEXT_MAX], struct error *err)
{
	struct spec spec;
	int n, r = spec_parse(&spec, text, err);

	if (r)
		return r;
	if (spec_get(&spec, "draw"))
		return error_set(err, EINVAL, "machine '%s': has the key draw", text);
	n = snprintf(ret, SPEC_TEXT_MAX, "%s%sdraw=%llu", text, spec.nr_keys ? "," : ":", seed);
	return n < SPEC_TEXT_MAX ? 0 : error_set(err, E2BIG, "machine '%s': too long", text);
}
