// SPDX-License-Identifier: GPL-2.0-or-later
/* In place of bpf_source.c where libbpf or clang was missing when this was built. */
#include "host/bpf_source.h"

#include <errno.h>

int bpf_source_new(
	uint64_t buffer_kb, const char *spool_dir, struct bpf_source **ret, struct error *err)
{
	return error_set(err, ENOTSUP, "this corepace was built without BPF");
}

struct source *bpf_source_base(struct bpf_source *s)
{
	return NULL;
}

int bpf_source_events(struct bpf_source *s, int hz, struct bpf_events **ret, struct error *err)
{
	return error_set(err, ENOTSUP, "this corepace was built without BPF");
}

const char *const *bpf_source_missing(const struct bpf_source *s)
{
	static const char *const none[] = { NULL };

	return none;
}

uint64_t bpf_source_buffer_kb(const struct bpf_source *s)
{
	return 0;
}

struct bpf_source *bpf_source_free(struct bpf_source *s)
{
	return NULL;
}
