/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks in pairs, a client and its server, that go round a loop each and wake one another. */
#pragma once

#include "workload/generator.h"

/* key: of the cycles of OP_RUN, of OP_LATENCY 0 begins, 1 ends. channel: 0 or 1 of the pair's. */
struct pair_op {
	enum op_kind kind;
	int key;
	uint32_t channel;
};

struct pair_loop {
	const struct pair_op *ops;
	int nr;
};

/* loops: the client's, the server's. rounds, spread: keys; rounds 0 for ever. */
void pair_step(const struct gen *g, const struct pair_loop loops[2], int rounds, int spread,
	int task, struct gen_task *t, struct op *ret);

/* Names the tasks. */
void pair_names(struct workload *w, const char *client, const char *server);
