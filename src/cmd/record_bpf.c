// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/record.h"
#include "host/tempfile.h"

int record_bpf_open(struct record *r, struct error *err)
{
	temp_dir_of(r->out_path, r->spool_dir, sizeof(r->spool_dir));
	return bpf_source_new(r->instance.buffer_kb, r->spool_dir, &r->bpf, err);
}

int record_bpf(struct record *r, struct error *err)
{
	return session_run(&r->session, &r->signals, bpf_source_base(r->bpf), &r->traced, err);
}

static int next(void *context, struct event *ret, struct error *err)
{
	return bpf_events_next(context, ret, err);
}

static int progress(void *context)
{
	return bpf_events_progress(context);
}

static const struct trace_info *info(void *context)
{
	return bpf_events_info(context);
}

int record_bpf_import(struct record *r, const struct build_options *options,
	struct import_result *ret, struct error *err)
{
	struct import_source source = {
		.name = "BPF", .next = next, .progress = progress, .info = info
	};
	struct bpf_events *events;
	int code = bpf_source_events(r->bpf, r->env.hz, &events, err);

	if (code)
		return code;
	source.context = events;
	code = import_events("record", &source, r->out_path, options, ret, err);
	if (!code) {
		r->losses.recorded = ret->stats.events;
		r->losses.lost = ret->info.lost_events;
		if (r->losses.lost)
			r->losses.enough_kb = enough_kb(
				bpf_source_buffer_kb(r->bpf), r->losses.recorded, r->losses.lost);
	}
	bpf_events_free(events);
	return code;
}
