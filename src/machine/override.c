// SPDX-License-Identifier: GPL-2.0-or-later
#include "machine/override.h"
#include "machine/check.h"
#include "machine/fields.h"
#include "machine/provenance.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double factor_max = 1000;

/* One replacement on its way through the values. */
struct overriding {
	struct machine *m;
	const char *path, *text;
	struct error *err;
	int at; /* number of the value, as in provenance */
	bool done;
};

bool override_is(const char *key)
{
	return strchr(key, '.') != NULL;
}

static void scale(struct number *number, double factor)
{
	snprintf(number->text, sizeof(number->text), "%lld",
		llround(factor * (double)number->value));
}

/* "x1.25" */
static int multiply(const struct overriding *o, const struct doc_value *v)
{
	struct doc_point *points = v->data;
	struct number *numbers = v->data;
	char *end = NULL;
	double factor = 0;

	if (*o->text == 'x' && isdigit((unsigned char)o->text[1]))
		factor = strtod(o->text + 1, &end);
	if (!end || *end || !(factor > 0 && factor <= factor_max))
		return error_set(o->err, EINVAL,
			"%s: '%s', expected x and a factor up to %g, for it is a %s", o->path,
			o->text, factor_max, v->field->kind == DOC_CURVE ? "curve" : "list");
	for (int i = 0; i < v->nr; i++)
		scale(v->field->kind == DOC_CURVE ? &points[i].mw : &numbers[i], factor);
	return 0;
}

static int replace(const struct overriding *o, const struct doc_value *v)
{
	struct number *number = v->data;

	switch (v->field->kind) {
	case DOC_CURVE:
	case DOC_KHZ_LIST:
		return multiply(o, v);
	case DOC_NUMBER:
		if (strlen(o->text) >= sizeof(number->text))
			return error_set(o->err, EINVAL, "%s: '%s', expected a whole number",
				o->path, o->text);
		strcpy(number->text, o->text);
		return 0;
	default:
		return error_set(o->err, EINVAL,
			"%s: expected the path of a number, a list or a curve", o->path);
	}
}

static int visit(const struct doc_value *v, void *ctx)
{
	struct overriding *o = ctx;
	struct provenance *p = &o->m->provenance[o->at++];
	int r;

	if (strcmp(p->path, o->path))
		return 0;
	r = replace(o, v);
	if (r)
		return r;
	provenance_specified(p, v);
	o->done = true;
	return 0;
}

int override_document(struct machine *m, const struct yaml *y, struct doc_machine *doc,
	const struct spec *spec, struct error *err)
{
	int r = 0;

	for (int i = 0; i < spec->nr_keys && !r; i++) {
		struct overriding o = { .m = m, .path = spec->keys[i].key, .err = err };

		if (!override_is(o.path))
			continue;
		o.text = spec->keys[i].value;
		r = fields_walk(doc, visit, &o);
		if (!r && !o.done)
			r = error_set(err, EINVAL,
				"key '%s': no value of the file, expected a path as 'corepace show "
				"machine' prints it, section first",
				o.path);
		r = r ? r : machine_check(y, doc, err);
	}
	return r;
}
