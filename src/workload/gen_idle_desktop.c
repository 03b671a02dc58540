// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * idle-desktop: a desktop at which nobody sits: a compositor that draws a clock and a blinking
 * cursor, a browser with a page open, a sound server that is silent, and daemons in the background.
 *
 * Modelled: a table of tasks, each of which wakes up on its own timer, regularly or at random, and
 * works for a moment; the compositor also waits for the GPU's or the panel's answer, a millisecond,
 * for I/O. Beside them the kernel's own timers on each CPU. Nothing is fitted: rates and times are
 * estimates of what powertop lists on such a desktop, some sixty wake-ups a second. Its energy and
 * its idle states are what it is run for. Not modelled: the display and the GPU's own power.
 */
#include "base/units.h"
#include "workload/generator.h"

enum { SECONDS, DAEMONS, BACKGROUND, NR_KEYS };

static const struct gen_key keys[NR_KEYS] = {
	[SECONDS] = { "seconds", 60, 1, WORKLOAD_SECONDS_MAX },
	[DAEMONS] = { "daemons", 20, 0, GEN_TASKS_MAX / 2 },
	[BACKGROUND] = { "background", 3, 0, 1000 },
};

enum { SIMULATED_SECONDS = 60 }; /* unless scale says otherwise */

static const struct desktop_task {
	const char *name;
	uint64_t period_us, work_us; /* work at 3 GHz */
	bool random, draws;
} desktop[] = {
	{ "compositor", 500000, 2500, false, true },
	{ "browser", 100000, 300, false, false },
	{ "browser-page", 1000000, 4000, false, false },
	{ "panel", 1000000, 1500, false, false },
	{ "sound", 250000, 100, false, false },
	{ "terminal", 500000, 400, false, true },
	{ "network", 200000, 80, true, false },
}, background = { "daemon", 1000000, 150, true, false };

enum { KHZ = 3000000, ANSWER_NS = 1000000 };

static const struct desktop_task *desktop_task(int task)
{
	return task < (int)ARRAY_LEN(desktop) ? &desktop[task] : &background;
}

static void desktop_step(const struct gen *g, int task, struct gen_task *t, struct op *ret)
{
	enum { SLEEP, BEGIN, WORK, DRAW, ANSWER, END, COUNT };
	const struct desktop_task *d = desktop_task(task);
	uint64_t period = d->period_us * NSEC_PER_USEC;

	switch (t->step++) {
	case SLEEP:
		t->due += d->random ? rng_exponential(&t->rng, period) + 1
			  : t->due  ? period
				    : 1 + rng_below(&t->rng, period);
		*ret = (struct op){ .kind = OP_SLEEP_UNTIL, .ns = t->due };
		break;
	case BEGIN:
		*ret = (struct op){ .kind = OP_LATENCY, .ns = t->due };
		break;
	case WORK:
		*ret = (struct op){ .kind = OP_RUN,
			.cycles = rng_exponential(&t->rng, d->work_us * (KHZ / 1000)) + 1 };
		t->step = d->draws ? DRAW : END;
		break;
	case DRAW:
		*ret = (struct op){ .kind = OP_SIGNAL,
			.flags = OP_IOWAIT,
			.target = (uint32_t)task,
			.ns = ANSWER_NS };
		break;
	case ANSWER:
		*ret = (struct op){ .kind = OP_WAIT, .flags = OP_IOWAIT, .target = (uint32_t)task };
		break;
	case END:
		*ret = (struct op){ .kind = OP_LATENCY, .ns = 1 };
		break;
	default:
		*ret = (struct op){ .kind = OP_COUNT, .cycles = 1 };
		t->step = SLEEP;
	}
}

int gen_idle_desktop(const struct spec *spec, struct workload *w, struct error *err)
{
	uint64_t key[GEN_KEYS_MAX] = { 0 };
	int r = gen_keys(spec, keys, NR_KEYS, key, err);
	int tasks;

	if (r)
		return r;
	gen_default_scale(w, (double)SIMULATED_SECONDS / (double)key[SECONDS]);
	tasks = (int)ARRAY_LEN(desktop) + (int)key[DAEMONS];
	r = gen_init(w, spec_get(spec, "pin"), tasks, key, desktop_step, err);
	if (r)
		return r;
	for (int i = 0; i < tasks; i++)
		snprintf(w->tasks[i].name, sizeof(w->tasks[i].name), "%s", desktop_task(i)->name);
	w->nr_channels = (int)ARRAY_LEN(desktop);
	w->background_hz = (uint32_t)key[BACKGROUND];
	w->duration_ns = key[SECONDS] * NSEC_PER_SEC;
	snprintf(w->op_name, sizeof(w->op_name), "wake-up");
	gen_metric(w, "latency_ms", "ms", METRIC_LATENCY_MS, false, 1);
	return 0;
}
