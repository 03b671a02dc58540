// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gpu-frame-loop: a task prepares work for the GPU, hands it over, and goes on until it is two
 * batches ahead; then it waits for the older one's fence, which counts as waiting for I/O.
 *
 * The real thing: games and desktops under OpenGL or Vulkan; a frame is made of several command
 * buffers (batches), and the wait for a fence in the GPU's driver is io_schedule's. Modelled: one
 * such task, frames of equal batches, one GPU engine that renders them in order at a speed that
 * goes with its clock. The GPU's interrupt wakes a kernel thread that signals the fence; the real
 * driver does most of that in the interrupt. Not modelled: the display's refresh, other engines,
 * memory bandwidth that CPU and GPU share.
 *
 * Nothing is fitted. frame_cycles, render_us and batches are estimates of a game that is bound by
 * an integrated GPU: the CPU keeps up at a low frequency.
 */
#include "base/units.h"
#include "workload/generator.h"

#include <stdio.h>

enum { FRAMES, SECONDS, CYCLES, RENDER, BATCHES, SPREAD, NR_KEYS };

static const struct gen_key keys[NR_KEYS] = {
	[FRAMES] = { "frames", 0, 1, 1000000000 },
	[SECONDS] = { "seconds", 0, 1, WORKLOAD_SECONDS_MAX },
	[CYCLES] = { "frame_cycles", 8000000, 1, 1000000000000 },
	[RENDER] = { "render_us", 12000, 1, 10000000 },
	[BATCHES] = { "batches", 4, 1, 1000 },
	[SPREAD] = { "spread_permille", 200, 0, 1000 },
};

enum { SECONDS_DEFAULT = 10 };
enum { DEPTH = 2 }; /* batches that the task may be ahead */

/* Channels: for each place, handed over and rendered. */
enum { SUBMITTED = 0, FENCE = DEPTH, CHANNELS = 2 * DEPTH };

static void app_step(const struct gen *g, struct gen_task *t, struct op *ret)
{
	uint32_t place = (uint32_t)(t->round % DEPTH);

	switch (t->step++) {
	case 0: /* the first batches find their places free */
		if (g->key[FRAMES] && t->round == g->key[FRAMES] * g->key[BATCHES])
			ret->kind = OP_EXIT;
		else if (t->round < DEPTH)
			ret->kind = OP_RUN;
		else
			*ret = (struct op){
				.kind = OP_WAIT, .flags = OP_IOWAIT, .target = FENCE + place
			};
		break;
	case 1:
		ret->kind = OP_RUN;
		ret->cycles = gen_spread(&t->rng, g->key[CYCLES] / g->key[BATCHES], g->key[SPREAD]);
		break;
	case 2:
		*ret = (struct op){ .kind = OP_SIGNAL, .target = SUBMITTED + place };
		t->step = ++t->round % g->key[BATCHES] ? 0 : 3;
		break;
	default:
		*ret = (struct op){ .kind = OP_COUNT, .cycles = 1 };
		t->step = 0;
		break;
	}
}

static void gpu_step(const struct gen *g, uint32_t place, struct gen_task *t, struct op *ret)
{
	uint64_t ns = g->key[RENDER] * NSEC_PER_USEC / g->key[BATCHES];

	switch (t->step) {
	case 0:
		*ret = (struct op){ .kind = OP_WAIT, .target = SUBMITTED + place };
		break;
	case 1:
		*ret = (struct op){ .kind = OP_IO, .target = IO_GPU };
		ret->ns = gen_spread(&t->rng, ns ? ns : 1, g->key[SPREAD]);
		break;
	default:
		*ret = (struct op){ .kind = OP_SIGNAL, .target = FENCE + place };
		break;
	}
	t->step = (t->step + 1) % 3;
}

static void frame_step(const struct gen *g, int task, struct gen_task *t, struct op *ret)
{
	if (task)
		gpu_step(g, (uint32_t)task - 1, t, ret);
	else
		app_step(g, t, ret);
}

int gen_gpu_frame_loop(const struct spec *spec, struct workload *w, struct error *err)
{
	uint64_t key[GEN_KEYS_MAX] = { 0 };
	int r = gen_keys(spec, keys, NR_KEYS, key, err);

	if (r)
		return r;
	gen_work_or_time(w, &key[FRAMES], &key[SECONDS], SECONDS_DEFAULT);
	r = gen_init(w, spec_get(spec, "pin"), 1 + DEPTH, key, frame_step, err);
	if (r)
		return r;
	for (int i = 1; i <= DEPTH; i++) {
		snprintf(w->tasks[i].name, sizeof(w->tasks[i].name), "gpu/%d", i - 1);
		w->tasks[i].kernel = w->tasks[i].service = true;
	}
	w->nr_channels = CHANNELS;
	w->duration_ns = key[SECONDS] * NSEC_PER_SEC;
	snprintf(w->op_name, sizeof(w->op_name), "frame");
	gen_metric(w, "frames_per_s", "1/s", METRIC_OPS_PER_S, true, 1);
	return 0;
}
