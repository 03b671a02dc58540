// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the idle log of a .cpw file, one chunk in memory. */
#include "workload/cpw_file.h"
#include "workload/idle_code.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct cpw_idle_reader {
	struct cpw_file *file;
	struct buffer raw;
	size_t pos;
	uint32_t chunk; /* the next to read */
	uint32_t left;
	uint64_t done;
	struct idle_coder coder;
};

int cpw_idle_open(const char *path, struct cpw_idle_reader **ret, struct error *err)
{
	struct cpw_idle_reader *r = calloc(1, sizeof(*r));
	int ret_code;

	if (!r)
		return error_set(err, ENOMEM, "out of memory");
	ret_code = cpw_file_open(path, &r->file, err);
	if (ret_code) {
		free(r);
		return ret_code;
	}
	*ret = r;
	return 0;
}

static int content_error(struct cpw_idle_reader *r, struct error *err, const char *expected)
{
	uint64_t offset = r->chunk ? r->file->offset[r->chunk - 1] : r->file->end;
	int code =
		section_error(offset, CPW_IDLE, 0, err, "record %llu, byte %zu of the content: %s",
			(unsigned long long)r->done, r->pos, expected);

	return error_prefix(err, code, "%s", r->file->path);
}

/* The idle log is stream 0: its chunks are the first of offset[]. */
static int next_chunk(struct cpw_idle_reader *r, struct error *err)
{
	struct section s;
	int code;

	if (r->pos != r->raw.len)
		return content_error(r, err, "expected the end of the chunk");
	if (r->chunk == r->file->first[CPW_STREAM_TASK0]) {
		if (r->done != r->file->records[CPW_STREAM_IDLE])
			return content_error(r, err, "expected as many records as the index says");
		return 0;
	}
	code = cpw_file_chunk(r->file, CPW_STREAM_IDLE, r->chunk, &s, &r->raw, err);
	if (code)
		return code;
	r->chunk++;
	r->pos = 0;
	r->left = s.count;
	memset(&r->coder, 0, sizeof(r->coder));
	return 1;
}

int cpw_idle_next(struct cpw_idle_reader *r, struct idle_record *ret, struct error *err)
{
	struct bytes_in in;

	while (!r->left) {
		int code = next_chunk(r, err);

		if (code <= 0)
			return code;
	}
	in = (struct bytes_in){ r->raw.data + r->pos, r->raw.data + r->raw.len, false };
	if (!idle_decode(&r->coder, &in, ret))
		return content_error(r, err, "expected an idle record");
	r->pos = (size_t)(in.p - r->raw.data);
	r->left--;
	r->done++;
	return 1;
}

struct cpw_idle_reader *cpw_idle_close(struct cpw_idle_reader *r)
{
	if (!r)
		return NULL;
	cpw_file_close(r->file);
	buffer_release(&r->raw);
	free(r);
	return NULL;
}
