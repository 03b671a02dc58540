/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records with the kernel's own trace events, through an instance of our own, into a trace.dat.
 *
 * Order of calls: tracefs_source_open, a session over .source, tracefs_source_write,
 * tracefs_source_close. After the session the instance exists until it is closed.
 */
#pragma once

#include "host/drain.h"
#include "host/instance.h"
#include "host/source.h"

struct tracefs_source {
	struct source source; /* first: what the session gets */
	struct instance instance;
	struct drain drain;
};

struct tracefs_losses {
	uint64_t recorded, lost;
	int worst_cpu; /* where most were lost */
	uint64_t worst_lost;
	uint64_t enough_kb; /* per CPU, to try next time; 0: nothing was lost */
};

/*
 * The size in kB, in whole MB, with which a recording would have fitted of which a buffer of kb
 * kept some events and lost others; a quarter more, and at least twice as much.
 */
uint64_t enough_kb(uint64_t kb, uint64_t kept, uint64_t lost);
int tracefs_source_open(struct tracefs_source *s, const struct instance_options *options,
	const char *spool_dir, struct error *err);
/* Writes the recording to fd and tells what was lost. */
int tracefs_source_write(
	struct tracefs_source *s, int fd, struct tracefs_losses *ret, struct error *err);
void tracefs_source_close(struct tracefs_source *s);
