/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An open .cpw file: its sections by way of the index, its streams chunk by chunk. Both the
 * workload and the idle log read through this.
 */
#pragma once

#include "workload/cpw_section.h"

struct cpw_file {
	char path[512];
	struct section_in in;
	uint64_t end;	     /* where the index begins */
	uint32_t nr_streams; /* the idle log and one per task */
	uint64_t *records;   /* by stream */
	uint32_t *first;     /* by stream, of nr_streams + 1: its first chunk in offset[] */
	uint64_t *offset;    /* of each chunk, grouped by stream */
	uint64_t tasks, env, truth, metrics; /* offsets of these sections, 0: none */
};

/* On failure nothing is left open. Errors begin with the path. */
int cpw_file_open(const char *path, struct cpw_file **ret, struct error *err);
struct cpw_file *cpw_file_close(struct cpw_file *f);

/* Reads chunk number i (an index into offset[]) of a stream; as section_read, path first. */
int cpw_file_chunk(struct cpw_file *f, uint32_t stream, uint32_t i, struct section *ret,
	struct buffer *raw, struct error *err);

static inline uint32_t cpw_stream_type(uint32_t stream)
{
	return stream == CPW_STREAM_IDLE ? CPW_IDLE : CPW_OPS;
}

/* The writer's side of the index. */
struct cpw_chunk {
	uint64_t offset;
	uint32_t stream;
};

struct cpw_index {
	struct cpw_chunk *chunks; /* in file order */
	size_t nr_chunks, room;
	struct {
		uint32_t type;
		uint64_t offset;
	} sections[8];
	int nr_sections;
};

/* records: by stream. Appends the content of the index section to out; 0 or -ENOMEM. */
int cpw_index_put(const struct cpw_index *x, const uint64_t *records, uint32_t nr_streams,
	struct buffer *out);
