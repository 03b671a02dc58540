// SPDX-License-Identifier: GPL-2.0-or-later
#include "machine/figure.h"

#include <errno.h>
#include <string.h>

struct asking {
	const struct machine *m;
	const struct spec *spec;
	struct error *err;
};

/* A number that may be left out. */
static int number(const struct asking *a, const char *key, unsigned long long min,
	unsigned long long max, unsigned long long fallback, unsigned long long *ret)
{
	const char *value = spec_get(a->spec, key);

	*ret = fallback;
	return value ? parse_u64(value, min, max, key, ret, a->err) : 0;
}

static int state(const struct asking *a, const char *key, int *ret)
{
	const char *name = spec_get(a->spec, key);

	for (*ret = 0; name && *ret < a->m->idle.nr_states; ++*ret)
		if (!strcmp(a->m->idle.states[*ret].name, name))
			return 0;
	return error_set(a->err, EINVAL, "%s: '%s', expected an idle state of %s", key,
		name ? name : "", a->m->name);
}

struct load {
	unsigned long long busy, threads, cores, khz;
	int idle;
};

static uint64_t cores_uw(const struct machine *m, const struct load *load)
{
	uint64_t uw = 0;

	for (unsigned long long i = 0; i < load->cores; i++) {
		int threads[THREADS_MAX];

		for (int j = 0; j < THREADS_MAX; j++)
			threads[j] =
				i < load->busy && j < (int)load->threads ? THREAD_RUNS : load->idle;
		uw += machine_core_uw(m, threads, THREADS_MAX, (uint32_t)load->khz);
	}
	return uw;
}

static int power(const struct asking *a, double *ret)
{
	const struct machine *m = a->m;
	unsigned long long packages, only;
	struct load load;
	uint64_t uw = 0;
	bool up;
	int r = state(a, "idle", &load.idle);

	r = r ? r : number(a, "khz", 1, 20000000, m->min_khz, &load.khz);
	r = r ? r : number(a, "cores", 1, CPUS_MAX, m->nr_cores / m->nr_packages, &load.cores);
	r = r ? r : number(a, "busy", 0, load.cores, 0, &load.busy);
	r = r ? r : number(a, "threads", 1, THREADS_MAX, 1, &load.threads);
	r = r ? r : number(a, "packages", 1, PACKAGES_MAX, 1, &packages);
	r = r ? r : number(a, "only", 1, packages, packages, &only);
	if (r)
		return r;
	up = m->idle_real[load.idle].keeps_uncore;
	up |= load.busy && (only == packages || m->uncore_together);
	for (unsigned long long i = 0; i < packages; i++) {
		if (i == only)
			load.busy = 0;
		uw += machine_uncore_uw(m, up || load.busy, (uint32_t)load.khz) +
		      cores_uw(m, &load);
	}
	*ret = (double)uw * 1e-6;
	return 0;
}

static int turbo(const struct asking *a, double *ret)
{
	unsigned long long cores;
	int r = number(a, "cores", 1, CPUS_MAX, 1, &cores);

	*ret = r ? 0 : machine_turbo_khz(a->m, (int)cores) / 1e3;
	return r;
}

static int wake(const struct asking *a, double *ret)
{
	unsigned long long package;
	int i, r = state(a, "state", &i);

	r = r ? r : number(a, "package", 0, 1, 0, &package);
	if (r)
		return r;
	*ret = (double)a->m->idle_real[i].wake_ns / 1e3;
	if (package)
		*ret += (double)a->m->idle_real[i].package_wake_ns / 1e3;
	return 0;
}

/* Requests come at any time of the grid on which the hardware looks at them. */
static int transition(const struct asking *a, double *ret)
{
	unsigned long long percent;
	int r = number(a, "percent", 0, 100, 50, &percent);

	*ret = ((double)a->m->transition_ns +
		       (double)a->m->change_grid_ns * (double)percent / 100) /
	       1e3;
	return r;
}

static int wrap(const struct asking *a, double *ret)
{
	unsigned long long mw;
	int r = number(a, "mw", 1, 10000000, 100000, &mw);

	if (!r && !a->m->rapl_unit_nj)
		r = error_set(a->err, EINVAL, "%s has no energy counter", a->m->name);
	*ret = r ? 0 : (double)a->m->rapl_unit_nj * 4294967296.0 / 1e6 / (double)mw;
	return r;
}

static const struct {
	const char *name, *unit, *keys;
	int (*work_out)(const struct asking *a, double *ret);
} figures[] = {
	{ "power", "W", " idle khz cores busy threads packages only ", power },
	{ "turbo", "MHz", " cores ", turbo },
	{ "wake", "us", " state package ", wake },
	{ "transition", "us", " percent ", transition },
	{ "wrap", "s", " mw ", wrap },
};

static int check_keys(const struct spec *spec, const char *known, struct error *err)
{
	char word[64];

	for (int i = 0; i < spec->nr_keys; i++) {
		snprintf(word, sizeof(word), " %s ", spec->keys[i].key);
		if (!strstr(known, word))
			return error_set(err, EINVAL, "key '%s', expected one of%s",
				spec->keys[i].key, known);
	}
	return 0;
}

int machine_figure(const struct machine *m, const char *text, double *ret, const char **unit,
	struct error *err)
{
	struct spec spec;
	struct asking a = { m, &spec, err };
	int r = spec_parse(&spec, text, err);

	for (size_t i = 0; i < ARRAY_LEN(figures) && !r; i++) {
		if (strcmp(spec.name, figures[i].name))
			continue;
		*unit = figures[i].unit;
		r = check_keys(&spec, figures[i].keys, err);
		r = r ? r : figures[i].work_out(&a, ret);
		return r ? error_prefix(err, r, "'%s'", text) : 0;
	}
	return r ? r
		 : error_set(err, EINVAL,
			   "figure '%s', expected power, turbo, wake, transition or wrap",
			   spec.name);
}
