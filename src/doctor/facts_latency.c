// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The latency limit that all CPUs are under. Live it is what reading the device gives; opening it
 * adds no limit, for nothing is written. In captures it is a file of text, or those four bytes.
 */
#include "doctor/facts_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEVICE "/dev/cpu_dma_latency"

static void read_device(struct value *ret)
{
	int fd = open(DEVICE, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	int32_t us;

	if (fd < 0) {
		ret->state = errno == ENOENT ? VALUE_ABSENT : VALUE_UNREADABLE;
		ret->error = errno;
		return;
	}
	if (read(fd, &us, sizeof(us)) == sizeof(us))
		*ret = (struct value){ VALUE_GOOD, 0, us };
	close(fd);
}

static void from_bytes(struct tree *tree, struct value *ret)
{
	char *bytes;
	size_t len;
	int32_t us;

	if (tree_read_all(tree, DEVICE, &bytes, &len) < 0)
		return;
	if (len == sizeof(us)) {
		memcpy(&us, bytes, sizeof(us));
		*ret = (struct value){ VALUE_GOOD, 0, us };
	}
	free(bytes);
}

void read_dma_latency(struct facts *f)
{
	struct value *v = &f->dma_latency_us;

	if (tree_is_live(f->tree)) {
		read_device(v);
		return;
	}
	read_value(f->tree, v, DEVICE);
	if (v->state == VALUE_BAD)
		from_bytes(f->tree, v);
	if (!good(*v))
		read_value(f->tree, v, "/sys/kernel/debug/pm_qos/cpu_dma_latency");
}
