/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of `corepace record`: cmd_record.c reads the options and leads, record_tracefs.c
 * and record_bpf.c record, record_report.c says what happened.
 */
#pragma once

#include "cmd/import_file.h"
#include "host/bpf_source.h"
#include "host/instance.h"
#include "host/session.h"
#include "host/tracefs_source.h"

#include <limits.h>

enum record_source { SOURCE_AUTO, SOURCE_TRACEFS, SOURCE_BPF };

struct record {
	struct session_options session;
	struct instance_options instance;
	const char *out_path; /* .cpw, or NULL */
	const char *raw_path; /* trace.dat, or NULL */
	bool calibrate, anonymous;
	regex_t ops_from;
	bool has_ops_from;

	struct session_signals signals;
	struct workload_env env;
	struct session_result untraced, traced;
	struct tracefs_losses losses;
	int dat_fd;	   /* the recording, nameless; -1: it is raw_path */
	char dat_path[64]; /* to open it by */

	enum record_source source;
	struct bpf_source *bpf; /* NULL: tracefs records */
	char spool_dir[PATH_MAX];
};

/* Records into raw_path or a nameless file; tracefs is as before when it returns. */
int record_tracefs(struct record *r, struct error *err);

/*
 * With BPF programs, from loading them to the workload file. Nothing is recorded before
 * record_bpf; the caller frees r->bpf.
 */
int record_bpf_open(struct record *r, struct error *err);
int record_bpf(struct record *r, struct error *err);
int record_bpf_import(struct record *r, const struct build_options *options,
	struct import_result *ret, struct error *err);

void record_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* What is missing in the recording and what else happened. */
void record_report_stale(int nr);
void record_report_instance(const struct instance *in);
void record_report_losses(const struct record *r);
void record_report_operations(const struct record *r);
void record_report_cost(const struct record *r);
/* How the command ended, EXIT_DONE or EXIT_FAILED. */
int record_report_command(const struct record *r, const struct session_result *res);
