// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tbench: dbench's load without its disk. Each client sends the operations of the load file to a
 * server process of its own over TCP on the loopback device, one after the other, and waits for
 * the answer of each.
 *
 * The real one (dbench 4.0's tbench and tbench_srv): a request is a header and, for writes, data;
 * the answer is a header and, for reads, data; the server does nothing with files. The throughput
 * that it reports counts the data of reads and writes. Sending over loopback runs the receive path
 * as a soft interrupt on the sender's CPU, which wakes the peer before send returns.
 *
 * Modelled: per operation the client's work from its wake-up until the server is woken (receive,
 * next request, send), the server's likewise, and what each does after it has woken the other
 * (return from send, receive until it blocks), which overlaps. Data are an average per operation.
 * Not modelled: the sizes of single operations, acknowledgements, cache lines that travel between
 * cores, memory bandwidth.
 *
 * Fitted on T11's rows for one client (752, 735 and 816 MB/s): client_cycles and server_cycles
 * together, and op_bytes with them. That they are equal, and return_cycles, are estimated.
 */
#include "base/units.h"
#include "workload/gen_pair.h"

enum { CLIENTS, OPERATIONS, SECONDS, CLIENT, SERVER, RETURN, BYTES, SPREAD, NR_KEYS };

static const struct gen_key keys[NR_KEYS] = {
	[CLIENTS] = { "clients", 1, 1, GEN_TASKS_MAX / 2 },
	[OPERATIONS] = { "operations", 0, 1, 1000000000000 },
	[SECONDS] = { "seconds", 0, 1, WORKLOAD_SECONDS_MAX },
	[CLIENT] = { "client_cycles", 9700, 1, 1000000000 },
	[SERVER] = { "server_cycles", 9700, 1, 1000000000 },
	[RETURN] = { "return_cycles", 2000, 0, 1000000000 },
	[BYTES] = { "op_bytes", 4230, 1, 1000000000 },
	[SPREAD] = { "spread_permille", 300, 0, 1000 },
};

enum { SECONDS_DEFAULT = 1 };

/* One operation. */
static const struct pair_op client[] = { { OP_RUN, CLIENT, 0 }, { OP_SIGNAL, 0, 0 },
	{ OP_RUN, RETURN, 0 }, { OP_WAIT, 0, 1 }, { OP_COUNT, 0, 0 } };
static const struct pair_op server[] = { { OP_WAIT, 0, 0 }, { OP_RUN, SERVER, 0 },
	{ OP_SIGNAL, 0, 1 }, { OP_RUN, RETURN, 0 } };
static const struct pair_loop loops[2] = { { client, ARRAY_LEN(client) },
	{ server, ARRAY_LEN(server) } };

static void tbench_step(const struct gen *g, int task, struct gen_task *t, struct op *ret)
{
	pair_step(g, loops, OPERATIONS, SPREAD, task, t, ret);
}

int gen_tbench(const struct spec *spec, struct workload *w, struct error *err)
{
	uint64_t key[GEN_KEYS_MAX] = { 0 };
	int r = gen_keys(spec, keys, NR_KEYS, key, err);

	if (r)
		return r;
	gen_work_or_time(w, &key[OPERATIONS], &key[SECONDS], SECONDS_DEFAULT);
	r = gen_init(w, spec_get(spec, "pin"), 2 * (int)key[CLIENTS], key, tbench_step, err);
	if (r)
		return r;
	pair_names(w, "tbench", "tbench_srv");
	w->nr_channels = w->nr_tasks;
	w->duration_ns = key[SECONDS] * NSEC_PER_SEC;
	snprintf(w->op_name, sizeof(w->op_name), "operation");
	gen_metric(w, "mb_per_s", "MB/s", METRIC_MB_PER_S, true, (int)key[BYTES]);
	gen_metric(w, "ops_per_s", "1/s", METRIC_OPS_PER_S, true, 1);
	return 0;
}
