// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * siege: web clients without pauses, each of which fetches pages from a web server on the same
 * machine.
 *
 * The real one in its benchmark mode (-b): a thread per client requests a page, reads the answer,
 * and asks for the next; a prefork server has a process per connection, which reads the file from
 * the page cache and sends it. Modelled: the pair of a client thread and its server process for
 * each client, work on both sides, wake-ups over TCP; a transaction is one request. Not modelled:
 * connecting and closing, the accept queue, logging, sizes of pages.
 *
 * Nothing is fitted: cycles are of the order of 60 us for a request.
 */
#include "base/units.h"
#include "workload/gen_pair.h"

enum { CLIENTS, TRANSACTIONS, SECONDS, CLIENT, SERVER, SPREAD, NR_KEYS };

static const struct gen_key keys[NR_KEYS] = {
	[CLIENTS] = { "clients", 8, 1, GEN_TASKS_MAX / 2 },
	[TRANSACTIONS] = { "transactions", 0, 1, 1000000000000 },
	[SECONDS] = { "seconds", 0, 1, WORKLOAD_SECONDS_MAX },
	[CLIENT] = { "client_cycles", 60000, 1, 1000000000 },
	[SERVER] = { "server_cycles", 160000, 1, 1000000000 },
	[SPREAD] = { "spread_permille", 500, 0, 1000 },
};

enum { SECONDS_DEFAULT = 1 };

static const struct pair_op client[] = { { OP_LATENCY, 0, 0 }, { OP_RUN, CLIENT, 0 },
	{ OP_SIGNAL, 0, 0 }, { OP_WAIT, 0, 1 }, { OP_LATENCY, 1, 0 }, { OP_COUNT, 0, 0 } };
static const struct pair_op server[] = { { OP_WAIT, 0, 0 }, { OP_RUN, SERVER, 0 },
	{ OP_SIGNAL, 0, 1 } };
static const struct pair_loop loops[2] = { { client, ARRAY_LEN(client) },
	{ server, ARRAY_LEN(server) } };

static void siege_step(const struct gen *g, int task, struct gen_task *t, struct op *ret)
{
	pair_step(g, loops, TRANSACTIONS, SPREAD, task, t, ret);
}

int gen_siege(const struct spec *spec, struct workload *w, struct error *err)
{
	uint64_t key[GEN_KEYS_MAX] = { 0 };
	int r = gen_keys(spec, keys, NR_KEYS, key, err);

	if (r)
		return r;
	gen_work_or_time(w, &key[TRANSACTIONS], &key[SECONDS], SECONDS_DEFAULT);
	r = gen_init(w, spec_get(spec, "pin"), 2 * (int)key[CLIENTS], key, siege_step, err);
	if (r)
		return r;
	pair_names(w, "siege", "httpd");
	w->nr_channels = w->nr_tasks;
	w->duration_ns = key[SECONDS] * NSEC_PER_SEC;
	snprintf(w->op_name, sizeof(w->op_name), "transaction");
	gen_metric(w, "tx_per_s", "1/s", METRIC_OPS_PER_S, true, 1);
	gen_metric(w, "latency_ms", "ms", METRIC_LATENCY_MS, false, 1);
	return 0;
}
