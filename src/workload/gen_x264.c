// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * x264: a video is encoded by threads that each work on a frame of their own, the rows of which
 * need those of the frame before.
 *
 * The real one (frame threads, its default): a thread may encode a row when the frame before it is
 * done as far below as motion is searched; one thread looks ahead and decides on the frames' types,
 * up to some tens of frames before they are encoded. Modelled: frames of GROUPS groups of rows; a
 * group waits for the one below it in the frame before; the thread that looks ahead is at most
 * AHEAD frames before what is encoded. Sizes of frames vary: one in KEY_FRAMES is twice as much
 * work, two of three others are less than the third, as B and P frames are.
 *
 * Nothing is fitted, and all figures are estimates of 1080p at some tens of frames a second: the
 * work of a frame, what looking ahead takes, and the memory's share, which does not scale with
 * frequency. Not modelled: the order of B frames, rate control, the reading and writing of files.
 */
#include "base/units.h"
#include "workload/generator.h"

enum { THREADS, FRAMES, CYCLES, SPREAD, NR_KEYS };
enum { THREADS_MAX = 256, GROUPS = 17, AHEAD = 40, KEY_FRAMES = 250, MEMORY_PERMILLE = 100 };
enum { LOOK_PERMILLE = 80, KHZ = 3000000 };

static const struct gen_key keys[NR_KEYS] = {
	[THREADS] = { "threads", 12, 1, THREADS_MAX },
	[FRAMES] = { "frames", 2000, 1, 1000000000 },
	[CYCLES] = { "frame_cycles", 120000000, 1000, 1000000000000 },
	[SPREAD] = { "spread_permille", 200, 0, 1000 },
};

enum { SIMULATED_FRAMES = 500 }; /* unless scale says otherwise */

/* Channels: for each thread its rows and its permission to begin, then the frames that are through.
 */
static uint32_t rows_of(uint64_t thread)
{
	return (uint32_t)(2 * thread);
}

static uint32_t begin_of(uint64_t thread)
{
	return (uint32_t)(2 * thread + 1);
}

static uint32_t through(const struct gen *g)
{
	return (uint32_t)(2 * g->key[THREADS]);
}

/* Of the cycles of a mean frame. */
static uint64_t frame_permille(uint64_t frame)
{
	if (frame % KEY_FRAMES == 0)
		return 2000;
	return frame % 3 ? 850 : 1300;
}

static struct op work(const struct gen *g, struct gen_task *t, uint64_t cycles)
{
	uint64_t n = gen_spread(&t->rng, cycles, g->key[SPREAD]);

	return (struct op){ .kind = OP_RUN,
		.cycles = n - n * MEMORY_PERMILLE / 1000 + 1,
		.ns = cycles_to_ns(n * MEMORY_PERMILLE / 1000, KHZ) };
}

/* round: the frame. */
static struct op look_step(const struct gen *g, struct gen_task *t)
{
	enum { ROOM, LOOK, PASS };

	switch (t->step++) {
	case ROOM:
		if (t->round == g->key[FRAMES])
			return (struct op){ .kind = OP_EXIT };
		return (struct op){ .kind = t->round < AHEAD ? OP_COUNT : OP_WAIT,
			.target = t->round < AHEAD ? 0 : through(g) };
	case LOOK:
		return work(g, t, g->key[CYCLES] * LOOK_PERMILLE / 1000);
	default:
		t->step = ROOM;
		return (struct op){ .kind = OP_SIGNAL,
			.target = begin_of(t->round++ % g->key[THREADS]) };
	}
}

/* Steps of a frame: beginning, three for each group of rows, end. */
enum { NEED, ENCODE, TELL, GROUP_STEPS };
enum { STEP_BEGIN, STEP_GROUPS, STEP_COUNT = STEP_GROUPS + GROUPS * GROUP_STEPS, STEP_THROUGH };

static struct op group_step(const struct gen *g, uint64_t frame, struct gen_task *t)
{
	uint64_t thread = frame % g->key[THREADS];
	uint64_t group = (uint64_t)(t->step - STEP_GROUPS) / GROUP_STEPS;
	uint64_t need = !frame ? 0 : group + 2 < GROUPS ? group + 2 : GROUPS;

	switch ((t->step - STEP_GROUPS) % GROUP_STEPS) {
	case NEED: /* due: groups of the frame before that it has waited for */
		if (t->due < need) {
			t->step += ++t->due == need;
			return (struct op){ .kind = OP_WAIT, .target = rows_of(thread) };
		}
		t->step++;
		return group_step(g, frame, t);
	case ENCODE:
		t->step++;
		return work(g, t, g->key[CYCLES] * frame_permille(frame) / 1000 / GROUPS);
	default:
		t->step++;
		if (frame + 1 == g->key[FRAMES]) /* nobody waits for the last one's */
			return (struct op){ .kind = OP_COUNT };
		return (struct op){ .kind = OP_SIGNAL,
			.target = rows_of((thread + 1) % g->key[THREADS]) };
	}
}

/* round: frames that the thread has done. */
static struct op encode_step(const struct gen *g, uint64_t thread, struct gen_task *t)
{
	uint64_t frame = t->round * g->key[THREADS] + thread;

	switch (t->step) {
	case STEP_BEGIN:
		if (frame >= g->key[FRAMES])
			return (struct op){ .kind = OP_EXIT };
		t->due = 0;
		t->step++;
		return (struct op){ .kind = OP_WAIT, .target = begin_of(thread) };
	case STEP_COUNT:
		t->step++;
		return (struct op){ .kind = OP_COUNT, .cycles = 1 };
	case STEP_THROUGH:
		t->step = STEP_BEGIN;
		t->round++;
		return (struct op){ .kind = OP_SIGNAL, .target = through(g) };
	default:
		return group_step(g, frame, t);
	}
}

static void x264_step(const struct gen *g, int task, struct gen_task *t, struct op *ret)
{
	*ret = task ? encode_step(g, (uint64_t)task - 1, t) : look_step(g, t);
}

int gen_x264(const struct spec *spec, struct workload *w, struct error *err)
{
	uint64_t key[GEN_KEYS_MAX] = { 0 };
	int r = gen_keys(spec, keys, NR_KEYS, key, err);

	if (r)
		return r;
	gen_default_scale(w, (double)SIMULATED_FRAMES / (double)key[FRAMES]);
	key[FRAMES] = gen_scaled(w, key[FRAMES]);
	r = gen_init(w, spec_get(spec, "pin"), 1 + (int)key[THREADS], key, x264_step, err);
	if (r)
		return r;
	w->nr_channels = 2 * (int)key[THREADS] + 1;
	snprintf(w->op_name, sizeof(w->op_name), "frame");
	gen_metric(w, "frames_per_s", "1/s", METRIC_OPS_PER_S, true, 1);
	gen_metric(w, "elapsed_s", "s", METRIC_ELAPSED_S, false, 1);
	return 0;
}
