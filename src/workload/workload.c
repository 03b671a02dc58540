// SPDX-License-Identifier: GPL-2.0-or-later
#include "workload/cpw.h"
#include "workload/generator.h"
#include "base/units.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *op_kind_name(enum op_kind kind)
{
	static const char *const names[OP_KINDS] = {
		[OP_RUN] = "run",
		[OP_SLEEP_FOR] = "sleep-for",
		[OP_SLEEP_UNTIL] = "sleep-until",
		[OP_WAIT] = "wait",
		[OP_SIGNAL] = "signal",
		[OP_IO] = "io",
		[OP_EXTERNAL] = "external",
		[OP_FORK] = "fork",
		[OP_COUNT] = "count",
		[OP_LATENCY] = "latency",
		[OP_EXIT] = "exit",
	};

	return (unsigned)kind < OP_KINDS ? names[kind] : "?";
}

static bool is_path(const char *name)
{
	size_t len = strlen(name);

	return strchr(name, '/') || (len > 4 && !strcmp(name + len - 4, ".cpw"));
}

static int unknown_generator(const char *name, struct error *err)
{
	char known[768] = "";
	size_t len = 0;

	for (const struct generator *g = generators; g->name && len < sizeof(known); g++)
		len += (size_t)snprintf(
			known + len, sizeof(known) - len, "%s%s", len ? ", " : "", g->name);
	return error_set(
		err, ENOENT, "no workload '%s': expected a .cpw file or one of %s", name, known);
}

/* The keys of a recording. */
static int recording_key(struct workload *w, const char *key, const char *value, struct error *err)
{
	uint64_t allowed[CPU_LIST_WORDS] = { 0 };
	unsigned long long seconds;
	bool commanded = false;
	int r;

	if (!strcmp(key, "seconds")) {
		r = parse_u64(value, 1, WORKLOAD_SECONDS_MAX, "seconds", &seconds, err);
		if (!r)
			w->duration_ns = seconds * NSEC_PER_SEC;
		return r;
	}
	if (strcmp(key, "pin"))
		return error_set(
			err, EINVAL, "unknown key '%s', a recording has pin, seconds", key);
	if (strcmp(value, "off")) {
		r = cpu_list_parse(value, "pin", allowed, err);
		if (r)
			return r;
	}
	/* What else ran on the machine stays where it may run; only a recording of the whole
	 * system has no command of its own. */
	for (int i = 0; i < w->nr_tasks; i++)
		commanded |= w->tasks[i].command;
	for (int i = 0; i < w->nr_tasks; i++)
		if (w->tasks[i].command || !commanded)
			workload_pin(&w->tasks[i], allowed);
	return 0;
}

static int open_recording(const struct spec *spec, struct workload *w, struct error *err)
{
	int r = cpw_open(spec->name, w, err);

	w->scale = 1;
	for (int i = 0; !r && i < spec->nr_keys; i++) {
		r = recording_key(w, spec->keys[i].key, spec->keys[i].value, err);
		if (r)
			error_prefix(err, r, "%s", spec->name);
	}
	return r;
}

static int open_generator(const struct spec *spec, struct workload *w, struct error *err)
{
	for (const struct generator *g = generators; g->name; g++) {
		int r;

		if (strcmp(g->name, spec->name))
			continue;
		snprintf(w->name, sizeof(w->name), "%s", g->name);
		r = gen_open(g, spec, w, err);
		if (!r)
			r = workload_rewind(w, 0, err);
		return r ? error_prefix(err, r, "%s", g->name) : 0;
	}
	return unknown_generator(spec->name, err);
}

int workload_open(const char *text, struct workload **ret, struct error *err)
{
	struct workload *w;
	struct spec spec;
	int r = spec_parse(&spec, text, err);

	if (r)
		return r;
	w = calloc(1, sizeof(*w));
	if (!w)
		return error_set(err, ENOMEM, "out of memory");
	snprintf(w->text, sizeof(w->text), "%s", text);
	r = is_path(spec.name) ? open_recording(&spec, w, err) : open_generator(&spec, w, err);
	if (r) {
		workload_free(w);
		return r;
	}
	*ret = w;
	return 0;
}

int program_next(struct workload *w, int task, struct op *ret, struct error *err)
{
	return w->next(w, task, ret, err);
}

int workload_rewind(struct workload *w, uint64_t seed, struct error *err)
{
	w->seed = seed;
	return w->rewind(w, seed, err);
}

struct workload *workload_free(struct workload *w)
{
	if (!w)
		return NULL;
	if (w->release)
		w->release(w);
	free(w->tasks);
	free(w);
	return NULL;
}
