// SPDX-License-Identifier: GPL-2.0-or-later
/* Plausible machines: what is drawn, from where, and that what is drawn is a machine. */
#include "machine/machine.h"
#include "../cmocka_all.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DRAWS = 15 };

static struct machine *load(const char *format, const char *name, int seed)
{
	struct machine *m;
	struct error err;
	char spec[128];

	snprintf(spec, sizeof(spec), format, name, seed);
	if (machine_load(spec, MACHINES_DIR, &m, &err))
		fail_msg("%s: %s", spec, err.text);
	return m;
}

static bool estimated(const struct provenance *p)
{
	return !strncmp(p->confidence, "estimated", 9) && p->kind != PROVENANCE_TEXT &&
	       p->low < p->high;
}

static const struct provenance *find(const struct machine *m, const char *path)
{
	for (int i = 0; i < m->nr_provenance; i++)
		if (!strcmp(m->provenance[i].path, path))
			return &m->provenance[i];
	fail_msg("no %s", path);
	return NULL;
}

static double number(const struct machine *m, const char *path)
{
	return strtod(find(m, path)->value, NULL);
}

/* The first number of a curve's or list's entries: its power, or its frequency. */
static double first(const struct provenance *p)
{
	const char *text = strchr(p->value, ':');

	return strtod(text ? text + 1 : p->value, NULL);
}

/* step: drawn frequencies are multiples of it. */
static void check_range(const struct provenance *file, const struct provenance *p, double step)
{
	double x = first(p), old = first(file), rounding;

	if (file->kind == PROVENANCE_NUMBER) {
		rounding = strcmp(p->unit, "kHz") ? 0 : step / 2;
		assert_true(x >= file->low - rounding && x <= file->high + rounding);
		return;
	}
	rounding = file->kind == PROVENANCE_LIST ? step / 2 : 0.5;
	assert_true(x >= old * file->low - rounding && x <= old * file->high + rounding);
}

static void check_draw(const struct machine *file, const struct machine *m, int *ret_moved)
{
	assert_int_equal(file->nr_provenance, m->nr_provenance);
	for (int i = 0; i < m->nr_provenance; i++) {
		const struct provenance *old = &file->provenance[i], *p = &m->provenance[i];

		assert_string_equal(old->path, p->path);
		if (strcmp(p->confidence, "drawn")) {
			assert_string_equal(old->value, p->value);
			assert_string_equal(old->confidence, p->confidence);
			continue;
		}
		assert_true(estimated(old));
		check_range(old, p, m->step_khz);
		*ret_moved += strcmp(old->value, p->value) != 0;
	}
}

/* Deeper states wake up later, and take less power; what the file has in order only. */
static void check_order(const struct machine *file, const struct machine *m)
{
	for (int i = 1; i < m->idle.nr_states; i++) {
		const struct machine_idle_state *a = &m->idle_real[i - 1], *b = &m->idle_real[i];
		const struct curve *old = &file->idle_real[i - 1].core_power,
				   *deep = &file->idle_real[i].core_power;

		if (file->idle_real[i].wake_ns >= file->idle_real[i - 1].wake_ns)
			assert_true(b->wake_ns >= a->wake_ns);
		if (curve_mw(old, 0) >= curve_mw(deep, 0) &&
			curve_mw(old, UINT32_MAX) >= curve_mw(deep, UINT32_MAX) && deep->nr == 1)
			assert_true(curve_mw(&a->core_power, 0) >= curve_mw(&b->core_power, 0));
	}
	assert_true(m->floor_mw <= curve_mw(&m->uncore, 0));
	assert_true(m->pl1_mw <= m->pl2_mw);
}

static void test_every_machine(void **state)
{
	DIR *dir = opendir(MACHINES_DIR);
	int machines = 0;

	assert_non_null(dir);
	for (struct dirent *e; (e = readdir(dir));) {
		char name[64];
		struct machine *file;
		int moved = 0;

		if (sscanf(e->d_name, "%63[^.].yaml", name) != 1)
			continue;
		file = load("%s", name, 0);
		for (int seed = 0; seed < DRAWS; seed++) {
			struct machine *m = load("%s:draw=%d", name, seed);

			check_draw(file, m, &moved);
			check_order(file, m);
			machine_free(m);
		}
		if (moved < DRAWS)
			fail_msg("%s: %d values moved in %d draws", name, moved, DRAWS);
		machine_free(file);
		machines++;
	}
	closedir(dir);
	assert_true(machines > 5);
}

/* Each estimated value moves, and ranges are filled: uniform below fourfold, else its logarithm. */
static void test_distribution(void **state)
{
	enum { MANY = 400 };
	struct machine *file = load("%s", "i7-2600k", 0);
	int below_uniform = 0, below_log = 0, hz = 0;

	for (int seed = 0; seed < MANY; seed++) {
		struct machine *m = load("%s:draw=%d", "i7-2600k", seed);

		/* 750 to 2250: half below 1500. 500 to 20000: half below 3162. */
		below_uniform += number(m, "costs.tick_ns") < 1500;
		below_log += number(m, "costs.migration_ns") < 3162;
		hz += m->hz == file->hz;
		machine_free(m);
	}
	assert_in_range(below_uniform, MANY * 0.42, MANY * 0.58);
	assert_in_range(below_log, MANY * 0.42, MANY * 0.58);
	assert_int_equal(hz, MANY); /* its range is one point */
	machine_free(file);
}

static void test_rates(void **state)
{
	int seen[1001] = { 0 };

	for (int seed = 0; seed < DRAWS; seed++) {
		struct machine *m = load("%s:draw=%d", "haswell-8cpu", seed);

		assert_int_equal(m->tick_ns, NSEC_PER_SEC / m->hz);
		seen[m->hz]++;
		machine_free(m);
	}
	assert_int_equal(seen[250] + seen[300] + seen[1000], DRAWS);
	assert_true(seen[250] && seen[300] && seen[1000]);
}

/* A curve moves by one factor, and its range is told as factors of what it is now. */
static void test_curve(void **state)
{
	struct machine *file = load("%s", "i7-2600k", 0), *m = load("%s:draw=%d", "i7-2600k", 7);
	const struct provenance *old = find(file, "power.uncore"), *p = find(m, "power.uncore");
	double factor = (double)m->uncore.mw[0] / file->uncore.mw[0];

	assert_true(fabs(factor - 1) > 0.005);
	for (int i = 0; i < m->uncore.nr; i++) {
		assert_int_equal(m->uncore.khz[i], file->uncore.khz[i]);
		assert_true(fabs(m->uncore.mw[i] - factor * file->uncore.mw[i]) <= 2);
	}
	assert_true(fabs(p->low * factor - old->low) < 1e-3);
	assert_true(fabs(p->high * factor - old->high) < 1e-3);
	machine_free(file);
	machine_free(m);
}

/* What a path sets is not drawn, and what must not pass it does not. */
static void test_paths(void **state)
{
	for (int seed = 0; seed < DRAWS; seed++) {
		struct machine *m =
			load("%s:idle.states.C3.wake_ns=30000,draw=%d", "i7-2600k", seed);

		assert_int_equal(m->idle_real[3].wake_ns, 30000);
		assert_true(m->idle_real[2].wake_ns <= 30000 && m->idle_real[4].wake_ns >= 30000);
		assert_string_equal(find(m, "idle.states.C3.wake_ns")->confidence, "specified");
		machine_free(m);
	}
}

/* Other keys have the last word, and take nothing from the others' draws. */
static void test_keys(void **state)
{
	struct machine *m = load("%s:draw=%d,hz=100", "haswell-8cpu", 3),
		       *plain = load("%s:draw=%d", "haswell-8cpu", 3);

	assert_int_equal(m->hz, 100);
	assert_string_equal(find(m, "tick.hz")->confidence, "specified");
	assert_string_equal(find(m, "costs.tick_ns")->value, find(plain, "costs.tick_ns")->value);
	machine_free(m);
	machine_free(plain);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_machine),
		cmocka_unit_test(test_distribution),
		cmocka_unit_test(test_rates),
		cmocka_unit_test(test_curve),
		cmocka_unit_test(test_paths),
		cmocka_unit_test(test_keys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
