// SPDX-License-Identifier: GPL-2.0-or-later
#include "records.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIELD(decl, offset, size, sign)                                                            \
	"\tfield:" decl ";\toffset:" #offset ";\tsize:" #size ";\tsigned:" #sign ";\n"

/* The common fields do not stand where they usually do. */
#define COMMON                                                                                     \
	FIELD("int common_pid", 0, 4, 1)                                                           \
	FIELD("unsigned short common_type", 4, 2, 0)                                               \
	FIELD("unsigned char common_preempt_count", 6, 1, 0)                                       \
	FIELD("unsigned char common_flags", 7, 1, 0) "\n"

const struct format_spec test_formats[] = {
	{ "ftrace", "name: print\nID: 5\nformat:\n" COMMON FIELD("unsigned long ip", 8, 8, 0)
			    FIELD("char buf[]", 16, 0, 0) "\nprint fmt: \"%s\", REC->buf\n" },
	{ "sched", "name: sched_switch\nID: 300\nformat:\n" COMMON FIELD(
			   "pid_t next_pid", 8, 4, 1) FIELD("char next_comm[16]", 12, 16,
			   0) FIELD("long prev_state", 28, 8, 1) FIELD("int next_prio", 36, 2,
			   1) FIELD("char prev_comm[16]", 38, 16, 0) FIELD("pid_t prev_pid", 54, 4,
			   1) "\nprint fmt: \"field:int next_pid;\toffset:0;\tsize:4;\"\n" },
	{ "sched", "name: sched_waking\nID: 7\nformat:\n" COMMON FIELD("int target_cpu", 8, 4, 1)
			   FIELD("char comm[16]", 12, 16, 0) FIELD("pid_t pid", 28, 4, 1)
				   FIELD("int prio", 32, 4, 1) "\nprint fmt: \"\"\n" },
	{ "kmem", "name: kfree\nID: 8\nformat:\n" COMMON FIELD("void * ptr", 8, 8, 0) "\n" },
	{ "timer", "name: timer_start\nID: 40\nformat:\n" COMMON FIELD("void * timer", 8, 8, 0)
			   FIELD("unsigned long expires", 16, 8, 0)
				   FIELD("unsigned long now", 24, 8, 0) "\n" },
	{ "sched", "name: sched_process_fork\nID: 41\nformat:\n" COMMON FIELD("pid_t child_pid", 8,
			   4, 1) FIELD("__data_loc char[] child_comm", 12, 4, 0) "\n" },
	{ "cpuhp", "name: cpuhp_enter\nID: 42\nformat:\n" COMMON FIELD("unsigned int cpu", 8, 4, 0)
			   FIELD("int target", 12, 4, 1) FIELD("int idx", 16, 4, 1) "\n" },
	{ "block", "name: block_rq_complete\nID: 43\nformat:\n" COMMON FIELD("dev_t dev", 8, 4, 0)
			   FIELD("sector_t sector", 16, 8, 0) "\n" },
};
const int nr_test_formats = sizeof(test_formats) / sizeof(test_formats[0]);

static void common(const struct dat_spec *s, uint8_t *buf, int id, uint8_t flags, int pid)
{
	memset(buf, 0, 256);
	put_int(s, buf, 4, (uint32_t)pid);
	put_int(s, buf + 4, 2, (uint64_t)id);
	buf[7] = flags;
}

size_t record_switch(const struct dat_spec *s, uint8_t *buf, int pid, uint64_t prev_state,
	int next_pid, const char *next_comm)
{
	common(s, buf, ID_SWITCH, 0, pid);
	put_int(s, buf + 8, 4, (uint32_t)next_pid);
	strncpy((char *)buf + 12, next_comm, 16);
	put_int(s, buf + 28, 8, prev_state);
	put_int(s, buf + 36, 2, 120);
	put_int(s, buf + 54, 4, (uint32_t)pid);
	return 58;
}

size_t record_waking(const struct dat_spec *s, uint8_t *buf, uint8_t flags, int pid, int wakee)
{
	common(s, buf, ID_WAKING, flags, pid);
	put_int(s, buf + 8, 4, 1);
	strcpy((char *)buf + 12, "wakee");
	put_int(s, buf + 28, 4, (uint32_t)wakee);
	put_int(s, buf + 32, 4, 98);
	return 36;
}

size_t record_other(const struct dat_spec *s, uint8_t *buf, size_t len)
{
	common(s, buf, ID_OTHER, 0, 1);
	return len;
}

size_t record_print(const struct dat_spec *s, uint8_t *buf, const char *text)
{
	common(s, buf, ID_PRINT, 0, 9);
	strcpy((char *)buf + 16, text);
	return 16 + strlen(text) + 1;
}

size_t record_timer(const struct dat_spec *s, uint8_t *buf, uint64_t expires, uint64_t now)
{
	common(s, buf, ID_TIMER, 0, 3);
	put_int(s, buf + 8, 8, 0xffff888800001000);
	put_int(s, buf + 16, 8, expires);
	put_int(s, buf + 24, 8, now);
	return 32;
}

size_t record_fork(const struct dat_spec *s, uint8_t *buf, int child, const char *comm)
{
	common(s, buf, ID_FORK, 0, 4);
	put_int(s, buf + 8, 4, (uint32_t)child);
	put_int(s, buf + 12, 4, (strlen(comm) + 1) << 16 | 16);
	strcpy((char *)buf + 16, comm);
	return 16 + strlen(comm) + 1;
}

size_t record_hotplug(const struct dat_spec *s, uint8_t *buf, int cpu, int target, int step)
{
	common(s, buf, ID_HOTPLUG, 0, 5);
	put_int(s, buf + 8, 4, (uint32_t)cpu);
	put_int(s, buf + 12, 4, (uint32_t)target);
	put_int(s, buf + 16, 4, (uint32_t)step);
	return 20;
}

size_t record_rq(const struct dat_spec *s, uint8_t *buf, uint32_t dev, uint64_t sector)
{
	common(s, buf, ID_RQ, 0, 6);
	put_int(s, buf + 8, 4, dev);
	put_int(s, buf + 16, 8, sector);
	return 24;
}

struct dat_spec test_spec(void)
{
	return (struct dat_spec){ .version = 6,
		.long_size = 8,
		.page_size = 4096,
		.compression = "none",
		.clock = "local [mono] boot\n",
		.formats = test_formats,
		.nr_formats = nr_test_formats };
}

void events_of_file(const char *path, struct events *ret)
{
	struct trace_reader *r = NULL;
	struct event ev;

	memset(ret, 0, sizeof(*ret));
	ret->rc = trace_open(path, &r, &ret->err);
	if (ret->rc < 0)
		return;
	while ((ret->rc = trace_next(r, &ev, &ret->err)) > 0) {
		if (ret->n == ret->capacity) {
			ret->capacity = ret->capacity ? 2 * ret->capacity : 64;
			ret->list = realloc(ret->list, ret->capacity * sizeof(ev));
			assert(ret->list);
		}
		ev.text = NULL;
		ret->list[ret->n++] = ev;
	}
	ret->info = *trace_info(r);
	trace_close(r);
}

void events_of_bytes(const struct bytes *b, struct events *ret)
{
	char path[64];

	bytes_to_file(b, path);
	events_of_file(path, ret);
	unlink(path);
}

void events_of_spec(const struct dat_spec *s, struct events *ret)
{
	struct bytes b = { 0 };

	dat_write(s, &b);
	events_of_bytes(&b, ret);
	bytes_release(&b);
}

void events_release(struct events *e)
{
	free(e->list);
	e->list = NULL;
}
