// SPDX-License-Identifier: GPL-2.0-or-later
/* Vectors of the polling idle state: one poll per row, nothing is remembered between rows. */
#include "vectors/vectors.h"

#include "policy/idle/poll.h"

#include <errno.h>
#include <stdio.h>

enum { POLL_NS_MAX = 1000000000 }; /* a second: no input of a poll comes near */

struct poll_columns {
	int row, relax, clock_read, limit, resched_after, resched_at_entry;
	int elapsed, time_limit, relaxes, ret;
};

static int find_columns(const struct csv *csv, struct poll_columns *c, struct error *err)
{
	int r = csv_need(csv, "row", &c->row, err);

	if (!r)
		r = csv_need(csv, "relax_ns", &c->relax, err);
	if (!r)
		r = csv_need(csv, "clock_read_ns", &c->clock_read, err);
	if (!r)
		r = csv_need(csv, "limit_ns", &c->limit, err);
	if (!r)
		r = csv_need(csv, "resched_after_ns", &c->resched_after, err);
	if (!r)
		r = csv_need(csv, "resched_at_entry", &c->resched_at_entry, err);
	if (!r)
		r = csv_need(csv, "elapsed_ns", &c->elapsed, err);
	if (!r)
		r = csv_need(csv, "poll_time_limit", &c->time_limit, err);
	if (!r)
		r = csv_need(csv, "relaxes", &c->relaxes, err);
	c->ret = csv_find(csv, "ret");
	return r;
}

static int read_input(const struct csv *csv, const struct poll_columns *c, struct poll_input *in,
	struct error *err)
{
	int64_t at_entry;
	int r = csv_int(csv, c->relax, 0, POLL_NS_MAX, &in->relax_ns, err);

	if (!r)
		r = csv_int(csv, c->clock_read, 0, POLL_NS_MAX, &in->clock_read_ns, err);
	if (!r && !in->relax_ns && !in->clock_read_ns)
		r = csv_error(csv, c->relax, err, "0 as clock_read_ns is: the poll never ends");
	if (!r)
		r = csv_int(csv, c->limit, 0, POLL_NS_MAX, &in->limit_ns, err);
	if (!r)
		r = csv_int(csv, c->resched_after, -1, POLL_NS_MAX, &in->resched_after_ns, err);
	if (!r)
		r = csv_int(csv, c->resched_at_entry, 0, 1, &at_entry, err);
	if (!r)
		in->resched_at_entry = at_entry;
	return r;
}

int vectors_check_poll(struct csv *csv, const struct vectors_options *options,
	struct vectors_result *result, struct error *err)
{
	struct poll_columns c;
	struct poll_input in;
	struct poll_result out;
	struct vectors_row row;
	int64_t number;
	int r = find_columns(csv, &c, err);

	snprintf(result->policy, sizeof(result->policy), "poll_idle");
	while (!r && (r = csv_row(csv, err)) == 1) {
		r = csv_int(csv, c.row, 0, INT64_MAX, &number, err);
		if (!r)
			r = read_input(csv, &c, &in, err);
		if (r < 0)
			break;
		poll_run(&in, &out);
		vectors_row_begin(&row, result, number);
		vectors_compare_i64(&row, csv, c.elapsed, out.elapsed_ns);
		vectors_compare_i64(&row, csv, c.time_limit, out.timed_out);
		vectors_compare_i64(&row, csv, c.relaxes, (int64_t)out.relaxes);
		vectors_compare_i64(&row, csv, c.ret, 0);
		vectors_row_end(&row);
	}
	return r;
}
