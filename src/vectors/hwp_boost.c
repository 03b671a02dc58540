// SPDX-License-Identifier: GPL-2.0-or-later
/* Vectors of the HWP boost: one hook call per row, state carried from row to row. */
#include "vectors/vectors.h"

#include "policy/boost/hwp.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct hwp_columns {
	int row, reset, request, capabilities, time, flags, remote;
	int write, min, last_update, last_io, pending, sample;
};

static int find_columns(const struct csv *csv, struct hwp_columns *c, struct error *err)
{
	const struct {
		const char *name;
		int *column;
	} needed[] = {
		{ "row", &c->row },
		{ "reset", &c->reset },
		{ "hwp_req_cached", &c->request },
		{ "hwp_cap_cached", &c->capabilities },
		{ "time_ns", &c->time },
		{ "flags", &c->flags },
		{ "remote", &c->remote },
		{ "msr_write", &c->write },
		{ "hwp_boost_min_after", &c->min },
		{ "last_update_after", &c->last_update },
		{ "last_io_update_after", &c->last_io },
		{ "sched_flags_after", &c->pending },
		{ "sample_time_after", &c->sample },
	};
	int r = 0;

	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]) && !r; i++)
		r = csv_need(csv, needed[i].name, needed[i].column, err);
	return r;
}

static int param_ns(const struct csv *csv, const char *key, uint64_t *ret, struct error *err)
{
	char text[24], *end;

	if (!csv_param(csv, key, text, sizeof(text)))
		return csv_error(csv, -1, err, "no parameter %s= in the first line", key);
	errno = 0;
	*ret = strtoull(text, &end, 10);
	if (errno || end == text || *end || *text == '-')
		return csv_error(csv, -1, err, "%s=%s, expected nanoseconds", key, text);
	return 0;
}

struct hwp_row {
	int64_t number, reset, flags, remote;
};

static int read_row(const struct csv *csv, const struct hwp_columns *c, struct hwp_row *row,
	struct hwp_boost_input *in, struct error *err)
{
	int r = csv_int(csv, c->row, 0, INT64_MAX, &row->number, err);

	if (!r)
		r = csv_int(csv, c->reset, 0, 1, &row->reset, err);
	if (!r)
		r = csv_u64(csv, c->request, &in->request, err);
	if (!r)
		r = csv_u64(csv, c->capabilities, &in->capabilities, err);
	if (!r)
		r = csv_u64(csv, c->time, &in->now_ns, err);
	if (!r)
		r = csv_int(csv, c->flags, 0, UINT32_MAX, &row->flags, err);
	if (!r)
		r = csv_int(csv, c->remote, 0, 1, &row->remote, err);
	return r;
}

static void compare_u64(struct vectors_row *row, const struct csv *csv, int column, uint64_t got)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, got);
	vectors_compare(row, csv, column, text);
}

static void compare_row(struct vectors_row *row, const struct csv *csv, const struct hwp_columns *c,
	const struct hwp_boost *b, bool written, uint64_t request)
{
	char text[24] = "none";

	if (written)
		snprintf(text, sizeof(text), "0x%016" PRIx64, request);
	vectors_compare(row, csv, c->write, text);
	compare_u64(row, csv, c->min, b->min);
	compare_u64(row, csv, c->last_update, b->last_update_ns);
	compare_u64(row, csv, c->last_io, b->last_io_ns);
	compare_u64(row, csv, c->pending, b->flags);
	compare_u64(row, csv, c->sample, b->sample_ns);
}

int vectors_check_hwp_boost(struct csv *csv, const struct vectors_options *options,
	struct vectors_result *result, struct error *err)
{
	struct hwp_boost_input in = { 0 };
	struct hwp_boost boost = { 0 };
	struct hwp_columns c;
	struct hwp_row row;
	struct vectors_row compared;
	uint64_t request = 0;
	bool written;
	int r = find_columns(csv, &c, err);

	snprintf(result->policy, sizeof(result->policy), "hwp-dynamic");
	if (!r)
		r = param_ns(csv, "hold_ns", &in.hold_ns, err);
	if (!r)
		r = param_ns(csv, "io_window_ns", &in.window_ns, err);
	while (!r && (r = csv_row(csv, err)) == 1) {
		r = read_row(csv, &c, &row, &in, err);
		if (r < 0)
			break;
		if (row.reset)
			boost = (struct hwp_boost){ 0 };
		written = hwp_boost_update(&boost, &in, (uint32_t)row.flags, !row.remote, &request);
		vectors_row_begin(&compared, result, row.number);
		compare_row(&compared, csv, &c, &boost, written, request);
		vectors_row_end(&compared);
	}
	return r;
}
