// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * sockperf and netperf: messages from one program to another on the same machine, over TCP or UDP
 * on the loopback device.
 *
 * The real ones. sockperf under-load: a thread sends messages at a fixed rate, spinning between
 * them; a server sends each back; another thread of the client receives the answers, and the mean
 * of half their round trips is the latency. sockperf throughput and netperf's streams: one sends as
 * fast as it can, the other receives. sockperf ping-pong and netperf's request/response: one
 * message at a time. Sending runs the receive path in a soft interrupt on the sender's CPU, and
 * wakes the receiver.
 *
 * Modelled: these tasks, work per message on each side, wake-ups, and that a stream's sender sleeps
 * when the receiver's buffer is full. Latency is the whole round trip, from the moment a message is
 * due; of under-load every answer is measured, not a sample. Not modelled: acknowledgements,
 * batching by the network stack, datagrams that are lost (a UDP sender waits for room instead).
 *
 * Nothing is fitted: cycles of a message are of the order of a loopback exchange of 10 us.
 */
#include "base/units.h"
#include "workload/generator.h"

#include <errno.h>

enum { MODE, PROTOCOL, RATE, MESSAGES, SECONDS, CYCLES, BYTES, SPREAD, NR_KEYS };
enum { UNDER_LOAD, STREAM, PING_PONG };
enum { TCP, UDP };

static const char *const sockperf_modes[] = { "under-load", "throughput", "ping-pong", NULL };
static const char *const netperf_modes[] = { "tcp", "udp", "tcp-rr", "udp-rr", NULL };
static const char *const protocols[] = { "tcp", "udp", NULL };

static const struct gen_key sockperf_keys[NR_KEYS] = {
	[MODE] = { .name = "mode", .words = sockperf_modes },
	[PROTOCOL] = { .name = "protocol", .words = protocols },
	[RATE] = { "rate", 10000, 1, 10000000 },
	[MESSAGES] = { "messages", 0, 1, 1000000000000 },
	[SECONDS] = { "seconds", 0, 1, WORKLOAD_SECONDS_MAX },
	[CYCLES] = { "message_cycles", 7000, 1, 1000000000 },
	[BYTES] = { "message_bytes", 100, 1, 1000000000 },
	[SPREAD] = { "spread_permille", 300, 0, 1000 },
};

static const struct gen_key netperf_keys[NR_KEYS] = {
	[MODE] = { .name = "mode", .words = netperf_modes },
	[PROTOCOL] = { .name = "protocol", .words = protocols },
	[RATE] = { "rate", 10000, 1, 10000000 },
	[MESSAGES] = { "messages", 0, 1, 1000000000000 },
	[SECONDS] = { "seconds", 0, 1, WORKLOAD_SECONDS_MAX },
	[CYCLES] = { "message_cycles", 9000, 1, 1000000000 },
	[BYTES] = { "message_bytes", 16384, 1, 1000000000 },
	[SPREAD] = { "spread_permille", 300, 0, 1000 },
};

enum { SECONDS_DEFAULT = 1 };
enum { TO_SERVER, TO_CLIENT, CHANNELS }; /* of a stream the second is room in the buffer */
enum { SENDER, SERVER, RECEIVER };

/* A datagram takes less than a segment of a connection; messages that a buffer of 208 KB holds. */
enum { UDP_PERMILLE = 800, BUFFER_BYTES = 212992, OVERHEAD_BYTES = 700 };

static void work(const struct gen *g, struct gen_task *t, struct op *ret)
{
	uint64_t cycles = g->key[CYCLES];

	if (g->key[PROTOCOL] == UDP)
		cycles = cycles * UDP_PERMILLE / 1000;
	*ret = (struct op){ .kind = OP_RUN, .cycles = gen_spread(&t->rng, cycles, g->key[SPREAD]) };
}

static void wait_on(uint32_t channel, struct op *ret)
{
	*ret = (struct op){ .kind = OP_WAIT, .target = channel };
}

static void signal_to(uint32_t channel, struct op *ret)
{
	*ret = (struct op){ .kind = OP_SIGNAL, .target = channel };
}

static void count(struct gen_task *t, struct op *ret)
{
	*ret = (struct op){ .kind = OP_COUNT, .cycles = 1 };
	t->round++;
	t->step = 0;
}

/* All messages of its own done: true, and the program ends. */
static bool over(const struct gen *g, const struct gen_task *t, struct op *ret)
{
	if (t->step || !g->key[MESSAGES] || t->round < g->key[MESSAGES])
		return false;
	ret->kind = OP_EXIT;
	return true;
}

static uint64_t due_ns(const struct gen *g, uint64_t message)
{
	return (message + 1) * NSEC_PER_SEC / g->key[RATE];
}

static void under_load(const struct gen *g, int task, struct gen_task *t, struct op *ret)
{
	int step = t->step++;

	if (task == SENDER && step == 0) {
		*ret = (struct op){ .kind = OP_RUN, .flags = OP_UNTIL, .ns = due_ns(g, t->round) };
	} else if (task == RECEIVER && step == 2) {
		*ret = (struct op){ .kind = OP_LATENCY, .ns = due_ns(g, t->round) };
	} else if (task == RECEIVER && step == 3) {
		*ret = (struct op){ .kind = OP_LATENCY, .ns = 1 };
	} else if (task == RECEIVER && step == 4) {
		count(t, ret);
	} else if (step == 0) {
		wait_on(task == SERVER ? TO_SERVER : TO_CLIENT, ret);
	} else if (step == 1) {
		work(g, t, ret);
	} else {
		signal_to(task == SENDER ? TO_SERVER : TO_CLIENT, ret);
		t->round++;
		t->step = 0;
	}
}

/* The receiver first makes room for what its buffer holds. */
static void stream(const struct gen *g, int task, struct gen_task *t, struct op *ret)
{
	uint64_t room = BUFFER_BYTES / (g->key[BYTES] + OVERHEAD_BYTES) + 1;
	int step;

	if (task == SERVER && t->due < room) {
		t->due++;
		t->step = 0;
		signal_to(TO_CLIENT, ret);
		return;
	}
	step = t->step++;
	if (step == 0) {
		wait_on(task == SENDER ? TO_CLIENT : TO_SERVER, ret);
	} else if (step == 1) {
		work(g, t, ret);
	} else if (step == 2) {
		signal_to(task == SENDER ? TO_SERVER : TO_CLIENT, ret);
		if (task == SENDER) {
			t->round++;
			t->step = 0;
		}
	} else {
		count(t, ret);
	}
}

static void ping_pong(const struct gen *g, int task, struct gen_task *t, struct op *ret)
{
	int step = t->step++;

	if (task == SERVER && step < 3) {
		if (step == 0)
			wait_on(TO_SERVER, ret);
		else if (step == 1)
			work(g, t, ret);
		else
			signal_to(TO_CLIENT, ret);
		t->round += step == 2;
		t->step = step == 2 ? 0 : t->step;
	} else if (step == 0 || step == 4) {
		*ret = (struct op){ .kind = OP_LATENCY, .ns = step ? 1 : 0 };
	} else if (step == 1) {
		work(g, t, ret);
	} else if (step == 2) {
		signal_to(TO_SERVER, ret);
	} else if (step == 3) {
		wait_on(TO_CLIENT, ret);
	} else {
		count(t, ret);
	}
}

static void loopback_step(const struct gen *g, int task, struct gen_task *t, struct op *ret)
{
	if (over(g, t, ret))
		return;
	if (g->key[MODE] == UNDER_LOAD)
		under_load(g, task, t, ret);
	else if (g->key[MODE] == STREAM)
		stream(g, task, t, ret);
	else
		ping_pong(g, task, t, ret);
}

static int open_loopback(
	const struct spec *spec, struct workload *w, uint64_t *key, struct error *err)
{
	int r;

	gen_work_or_time(w, &key[MESSAGES], &key[SECONDS], SECONDS_DEFAULT);
	r = gen_init(w, spec_get(spec, "pin"), key[MODE] == UNDER_LOAD ? RECEIVER + 1 : SERVER + 1,
		key, loopback_step, err);
	if (r)
		return r;
	w->nr_channels = CHANNELS;
	w->duration_ns = key[SECONDS] * NSEC_PER_SEC;
	snprintf(w->op_name, sizeof(w->op_name), "message");
	if (key[MODE] != STREAM)
		gen_metric(w, "latency_us", "us", METRIC_LATENCY_US, false, 1);
	gen_metric(w, "mb_per_s", "MB/s", METRIC_MB_PER_S, true, (int)key[BYTES]);
	gen_metric(w, "messages_per_s", "1/s", METRIC_OPS_PER_S, true, 1);
	return 0;
}

int gen_sockperf(const struct spec *spec, struct workload *w, struct error *err)
{
	uint64_t key[GEN_KEYS_MAX] = { 0 };
	int r = gen_keys(spec, sockperf_keys, NR_KEYS, key, err);

	return r ? r : open_loopback(spec, w, key, err);
}

/* Its modes name the protocol as well. */
int gen_netperf(const struct spec *spec, struct workload *w, struct error *err)
{
	uint64_t key[GEN_KEYS_MAX] = { 0 };
	int r;

	if (spec_get(spec, "protocol") || spec_get(spec, "rate"))
		return error_set(err, EINVAL,
			"unknown key '%s', expected one of pin, scale, mode, messages, seconds, "
			"message_cycles, message_bytes, spread_permille",
			spec_get(spec, "rate") ? "rate" : "protocol");
	r = gen_keys(spec, netperf_keys, NR_KEYS, key, err);
	if (r)
		return r;
	key[PROTOCOL] = key[MODE] % 2 ? UDP : TCP;
	key[MODE] = key[MODE] < 2 ? STREAM : PING_PONG;
	return open_loopback(spec, w, key, err);
}
