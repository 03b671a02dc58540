// SPDX-License-Identifier: GPL-2.0-or-later
#include "sample.h"
#include "workload/op_code.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { IDLE_STREAM = 1 << 20, ORDER_STREAM };

static uint64_t random_bits(struct rng *rng)
{
	return rng_next(rng) & ((1ULL << rng_below(rng, 61)) - 1);
}

struct op random_op(struct rng *rng, uint32_t nr_tasks, uint32_t nr_channels)
{
	struct op op = { .kind = (enum op_kind)rng_below(rng, OP_KINDS) };

	op.cycles = rng_below(rng, 3) ? random_bits(rng) : 0;
	op.ns = rng_below(rng, 3) ? random_bits(rng) : 0;
	op.flags = rng_below(rng, 8) ? 0 : (uint32_t)rng_next(rng);
	if (op.kind == OP_WAIT || op.kind == OP_SIGNAL)
		op.target = (uint32_t)rng_below(rng, nr_channels);
	else if (op.kind == OP_FORK)
		op.target = (uint32_t)rng_below(rng, nr_tasks);
	else if (op.kind == OP_IO)
		op.target = (uint32_t)rng_below(rng, OP_DEVICES_MAX);
	else
		op.target = rng_below(rng, 8) ? 0 : (uint32_t)rng_next(rng);
	return op;
}

bool same_op(const struct op *a, const struct op *b)
{
	return a->kind == b->kind && a->flags == b->flags && a->target == b->target &&
	       a->cycles == b->cycles && a->ns == b->ns;
}

struct idle_record random_idle(struct rng *rng)
{
	struct idle_record rec = { 0 };

	rec.entry_ns = rng_below(rng, 16) ? random_bits(rng) : UINT64_MAX;
	rec.residency_ns = rng_below(rng, 16) ? random_bits(rng) : UINT64_MAX;
	rec.sleep_length_ns = rng_below(rng, 4) ? (int64_t)rng_next(rng) : INT64_MIN;
	rec.delta_tick_ns = rng_below(rng, 4) ? (int64_t)random_bits(rng) : INT64_MIN;
	rec.cpu = (uint16_t)rng_below(rng, 1024);
	rec.picked = (int8_t)((int)rng_below(rng, 129) - 1);
	rec.wake = (uint8_t)rng_below(rng, IDLE_WAKE_LIMIT + 1);
	rec.tick_stopped = (uint8_t)rng_below(rng, 3);
	rec.inferred = (uint8_t)rng_below(rng, 2);
	rec.nr_iowait = (uint16_t)rng_next(rng);
	return rec;
}

struct workload_task *sample_tasks(int nr)
{
	struct workload_task *tasks = calloc((size_t)nr, sizeof(*tasks));

	for (int i = 0; tasks && i < nr; i++) {
		snprintf(tasks[i].name, sizeof(tasks[i].name), "task-%d", i);
		tasks[i].pid = 100 + i;
		tasks[i].sched_class = (enum task_class)(i % 3);
		tasks[i].nice = i % 40 - 20;
		tasks[i].kernel = i & 1;
		tasks[i].starts = !(i & 2);
		tasks[i].follows_waker = i & 4;
		tasks[i].command = !(i % 5);
		tasks[i].first_cpu = i % 5 - 1;
		tasks[i].allowed[i % 16] = i % 3 ? 0 : 0x8000000000000001ULL;
		tasks[i].start_ns = (i - 3) * 1000000007LL;
	}
	return tasks;
}

static int add_random(struct cpw_writer *w, const struct sample *s, struct rng *streams,
	uint64_t *counts, struct error *err)
{
	struct rng order, idle;
	int idle_left = s->idle, r = 0;

	rng_init(&order, s->seed, ORDER_STREAM);
	rng_init(&idle, s->seed, IDLE_STREAM);
	for (int i = 0; !r && i < s->ops; i++) {
		int t = (int)rng_below(&order, (uint64_t)s->tasks);
		struct op op = random_op(&streams[t], (uint32_t)s->tasks, (uint32_t)s->channels);

		r = cpw_add_op(w, t, &op, err);
		if (counts)
			counts[t]++;
		if (!r && idle_left > 0 && rng_below(&order, 2)) {
			struct idle_record rec = random_idle(&idle);

			r = cpw_add_idle(w, &rec, err);
			idle_left--;
		}
	}
	for (; !r && idle_left > 0; idle_left--) {
		struct idle_record rec = random_idle(&idle);

		r = cpw_add_idle(w, &rec, err);
	}
	return r;
}

int sample_write(const char *path, const struct sample *s, uint64_t *counts, struct error *err)
{
	struct workload_env env = { .kernel = "6.18.0",
		.command = "secret --word",
		.hz = 1000,
		.khz = 2000000,
		.settings = "a=1\ncmdline=root=/dev/secret\nb=2\n" };
	struct workload_truth truth = { .elapsed_ns = 5,
		.busy_ns = { 1, 0, 3 },
		.nr_states = 2,
		.state_name = { "POLL", "C1" } };
	struct workload_metric metric = { "loops_khz", "kHz", true, METRIC_KHZ, 2 };
	struct workload_task *tasks = sample_tasks(s->tasks);
	struct rng *streams = calloc((size_t)s->tasks, sizeof(*streams));
	struct cpw_writer *w;
	int r = tasks && streams ? cpw_create(path, &w, err) : -ENOMEM;

	for (int i = 0; !r && i < s->tasks; i++)
		rng_init(&streams[i], s->seed, (uint64_t)i);
	for (int i = 0; !r && s->system && i < s->tasks; i++)
		tasks[i].command = false;
	if (!r) {
		r = add_random(w, s, streams, counts, err);
		if (r)
			cpw_abort(w);
		else
			r = cpw_finish(w, tasks, s->tasks, s->channels, &env, &truth, &metric, 1,
				"loop", s->anonymous, err);
	}
	free(tasks);
	free(streams);
	return r;
}

/* ---- reading whatever there is ---- */

static void mix(uint64_t *digest, uint64_t v)
{
	*digest = (*digest ^ v) * 0x100000001b3ULL;
	*digest ^= *digest >> 29;
}

static void mix_text(uint64_t *digest, const char *text)
{
	for (; *text; text++)
		mix(digest, (unsigned char)*text);
	mix(digest, 256);
}

static void mix_op(uint64_t *digest, const struct op *op)
{
	mix(digest, op->kind);
	mix(digest, op->flags);
	mix(digest, op->target);
	mix(digest, op->cycles);
	mix(digest, op->ns);
}

static void mix_tables(uint64_t *digest, const struct workload *w)
{
	for (int i = 0; i < w->nr_tasks; i++) {
		const struct workload_task *t = &w->tasks[i];

		mix_text(digest, t->name);
		mix(digest, (uint64_t)t->pid);
		mix(digest, t->sched_class);
		mix(digest, (uint64_t)t->nice);
		mix(digest, t->kernel + 2U * t->starts + 4U * t->follows_waker + 8U * t->command);
		mix(digest, (uint64_t)t->first_cpu);
		mix(digest, (uint64_t)t->start_ns);
		for (int k = 0; k < 16; k++)
			mix(digest, t->allowed[k]);
	}
	mix_text(digest, w->env.kernel);
	mix_text(digest, w->env.settings);
	mix(digest, w->env.khz);
	mix(digest, w->truth.elapsed_ns);
	mix(digest, w->truth.busy_ns[2]);
	mix(digest, (uint64_t)w->nr_metrics);
	mix_text(digest, w->op_name);
}

static int walk_ops(struct workload *w, uint64_t max_ops, uint64_t *digest, struct error *err)
{
	int left = w->nr_tasks;
	uint64_t ops = 0;

	while (left) {
		left = 0;
		for (int t = 0; t < w->nr_tasks; t++) {
			struct op op;
			int r = program_next(w, t, &op, err);

			if (r < 0)
				return r;
			if (!r)
				continue;
			mix(digest, (uint64_t)t);
			mix_op(digest, &op);
			left++;
			if (++ops > max_ops)
				return error_set(err, E2BIG, "more than %llu ops",
					(unsigned long long)max_ops);
		}
	}
	return 0;
}

static int walk_idle(const char *path, uint64_t max, uint64_t *digest, struct error *err)
{
	struct cpw_idle_reader *reader;
	struct idle_record rec;
	int r = cpw_idle_open(path, &reader, err);

	if (r)
		return r;
	while ((r = cpw_idle_next(reader, &rec, err)) == 1 && max--) {
		mix(digest, rec.entry_ns);
		mix(digest, rec.residency_ns);
		mix(digest, (uint64_t)rec.sleep_length_ns);
		mix(digest, (uint64_t)rec.delta_tick_ns);
		mix(digest, rec.cpu);
		mix(digest, (uint8_t)rec.picked);
		mix(digest, rec.wake + 8U * rec.tick_stopped + 32U * rec.inferred);
		mix(digest, rec.nr_iowait);
	}
	cpw_idle_close(reader);
	if (r > 0)
		return error_set(err, E2BIG, "too many idle records");
	return r;
}

int walk(const char *path, uint64_t max_ops, uint64_t *ret_digest, struct error *err)
{
	uint64_t digest = 0xcbf29ce484222325ULL;
	struct workload *w;
	int r = workload_open(path, &w, err);

	if (r)
		return r;
	mix_tables(&digest, w);
	r = walk_ops(w, max_ops, &digest, err);
	workload_free(w);
	if (!r)
		r = walk_idle(path, max_ops, &digest, err);
	if (!r)
		*ret_digest = digest;
	return r;
}
