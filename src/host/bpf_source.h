/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records with BPF programs on the kernel's tracepoints: the same events as tracefs gives, also
 * where that loses the idle task's, and whether who sleeps waits for I/O.
 *
 * Order of calls: bpf_source_new, a session over bpf_source_base, bpf_source_events, which the
 * caller reads to the end and frees, bpf_source_free.
 */
#pragma once

#include "host/bpf_events.h"
#include "host/source.h"

struct bpf_source;

/*
 * buffer_kb is per CPU, 0: as instance_open takes it. -ENOTSUP when the program was built without
 * BPF, or a text that says what the kernel refuses.
 */
int bpf_source_new(
	uint64_t buffer_kb, const char *spool_dir, struct bpf_source **ret, struct error *err);
struct source *bpf_source_base(struct bpf_source *s);
int bpf_source_events(struct bpf_source *s, int hz, struct bpf_events **ret, struct error *err);
/* What of it the kernel lacks: names of tracepoints, NULL at the end. */
const char *const *bpf_source_missing(const struct bpf_source *s);
uint64_t bpf_source_buffer_kb(const struct bpf_source *s);
struct bpf_source *bpf_source_free(struct bpf_source *s);
