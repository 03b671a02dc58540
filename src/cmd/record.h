/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The parts of `corepace record`: cmd_record.c reads the options and leads, record_tracefs.c
 * records, record_report.c says what happened.
 */
#pragma once

#include "cmd/import_file.h"
#include "host/instance.h"
#include "host/session.h"
#include "host/tracefs_source.h"

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
};

/* Records into raw_path or a nameless file; tracefs is as before when it returns. */
int record_tracefs(struct record *r, struct error *err);

void record_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* What is missing in the recording and what else happened. */
void record_report_instance(const struct instance *in);
void record_report_losses(const struct record *r);
void record_report_cost(const struct record *r);
/* How the command ended, EXIT_DONE or EXIT_FAILED. */
int record_report_command(const struct record *r, const struct session_result *res);
