// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * hackbench: groups of 20 senders and 20 receivers; each sender sends a message of 100 bytes to
 * each receiver of its group, so many times, and each receiver reads until it has all of its
 * messages.
 *
 * The real one: a receiver has one pipe (or socket pair) that its 20 senders write to. A write that
 * finds the receiver asleep wakes it; a pipe holds 64 KB, a socket less, and a sender that finds it
 * full sleeps until the receiver has read. All tasks wait for a common start.
 *
 * Modelled: a sender's work per message, the wake-up, the receiver's work per message and its sleep
 * on an empty pipe. A sender sleeps when its receiver is as far behind as the pipe holds: that room
 * is a channel of its own. Sockets take more work per message (an skb each) and hold fewer
 * messages. Processes and threads differ by the switch of the address space only. Not modelled: the
 * forks before the start, contention for a pipe's lock, cache lines that travel.
 *
 * Fitted on T1's first row, one group over pipes: loops, which its authors do not say. Cycles are
 * estimated. That the boost makes this program slower, as T1 has it over pipes, does not come out:
 * it never waits for I/O, so that the boost does nothing, and the hook is called once in a period
 * of the utilisation average, which costs nothing to speak of.
 */
#include "base/units.h"
#include "workload/generator.h"

enum { MODE, IPC, GROUPS, LOOPS, SEND, RECEIVE, SPREAD, NR_KEYS };
enum { PROCESS, THREAD };
enum { PIPE, SOCKET };

/* More messages than these are simulated in part only, unless scale says otherwise. */
enum { MESSAGES = 200000 };

enum { HALF = 20, GROUP = 2 * HALF };

static const char *const mode_names[] = { "process", "thread", NULL };
static const char *const ipc_names[] = { "pipe", "socket", NULL };

static const struct gen_key keys[NR_KEYS] = {
	[MODE] = { .name = "mode", .words = mode_names },
	[IPC] = { .name = "ipc", .words = ipc_names },
	[GROUPS] = { "groups", 1, 1, GEN_TASKS_MAX / GROUP },
	[LOOPS] = { "loops", 4000, 1, 1000000000 },
	[SEND] = { "send_cycles", 6000, 1, 1000000000 },
	[RECEIVE] = { "receive_cycles", 5000, 1, 1000000000 },
	[SPREAD] = { "spread_permille", 300, 0, 1000 },
};

/* Of the cycles of a message through a pipe by a process, per mille. */
static const uint64_t cost_permille[2][2] = {
	[PROCESS] = { [PIPE] = 1000, [SOCKET] = 1800 },
	[THREAD] = { [PIPE] = 950, [SOCKET] = 1750 },
};

/* Messages that fit: a pipe's 16 pages of 40; a socket's buffer of 208 KB at some 770 bytes each.
 */
static const uint64_t room[] = { [PIPE] = 640, [SOCKET] = 270 };

/* A group's channels: messages and room of each of its receivers. */
enum { CHANNELS = 2 * HALF };

static uint64_t cycles(const struct gen *g, struct gen_task *t, int key)
{
	uint64_t permille = cost_permille[g->key[MODE]][g->key[IPC]];

	return gen_spread(&t->rng, g->key[key] * permille / 1000, g->key[SPREAD]);
}

/* Message after message to receiver after receiver; room is taken before the write. */
static void send(const struct gen *g, uint32_t base, struct gen_task *t, struct op *ret)
{
	uint32_t to = base + 2 * (uint32_t)(t->round % HALF);

	switch (t->step++) {
	case 0:
		if (t->round == g->key[LOOPS] * HALF)
			ret->kind = OP_EXIT;
		else
			*ret = (struct op){ .kind = OP_WAIT, .target = to + 1 };
		break;
	case 1:
		*ret = (struct op){ .kind = OP_RUN, .cycles = cycles(g, t, SEND) };
		break;
	default:
		*ret = (struct op){ .kind = OP_SIGNAL, .target = to };
		t->round++;
		t->step = 0;
		break;
	}
}

/* The receiver first makes room for as many messages as its pipe holds. */
static void receive(const struct gen *g, uint32_t own, struct gen_task *t, struct op *ret)
{
	if (t->due < room[g->key[IPC]]) {
		t->due++;
		*ret = (struct op){ .kind = OP_SIGNAL, .target = own + 1 };
		return;
	}
	switch (t->step++) {
	case 0:
		if (t->round++ == g->key[LOOPS] * HALF)
			ret->kind = OP_EXIT;
		else
			*ret = (struct op){ .kind = OP_WAIT, .target = own };
		break;
	case 1:
		*ret = (struct op){ .kind = OP_RUN, .cycles = cycles(g, t, RECEIVE) };
		break;
	case 2:
		*ret = (struct op){ .kind = OP_SIGNAL, .target = own + 1 };
		break;
	default:
		*ret = (struct op){ .kind = OP_COUNT, .cycles = 1 };
		t->step = 0;
		break;
	}
}

static void hackbench_step(const struct gen *g, int task, struct gen_task *t, struct op *ret)
{
	uint32_t base = (uint32_t)(task / GROUP * CHANNELS);
	int member = task % GROUP;

	if (member < HALF)
		send(g, base, t, ret);
	else
		receive(g, base + 2 * (uint32_t)(member - HALF), t, ret);
}

int gen_hackbench(const struct spec *spec, struct workload *w, struct error *err)
{
	uint64_t key[GEN_KEYS_MAX] = { 0 };
	int r = gen_keys(spec, keys, NR_KEYS, key, err);

	if (r)
		return r;
	gen_default_scale(w, (double)MESSAGES / (double)(HALF * HALF * key[GROUPS] * key[LOOPS]));
	key[LOOPS] = gen_scaled(w, key[LOOPS]);
	r = gen_init(w, spec_get(spec, "pin"), GROUP * (int)key[GROUPS], key, hackbench_step, err);
	if (r)
		return r;
	w->nr_channels = CHANNELS * (int)key[GROUPS];
	snprintf(w->op_name, sizeof(w->op_name), "message");
	gen_metric(w, "elapsed_s", "s", METRIC_ELAPSED_S, false, 1);
	return 0;
}
