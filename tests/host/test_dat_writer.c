// SPDX-License-Identifier: GPL-2.0-or-later
/* The container as other programs see it: trace-cmd reads what is written from made-up parts. */
#include "host/cmdlines.h"
#include "host/dat_writer.h"
#include "host/instance.h"
#include "host/tempfile.h"

#include "base/units.h"

#include "../cmocka_all.h"
#include "tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PAGE = 4096, ID_IDLE = 321, ID_PRINT = 5 };

static const char header_page[] = "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
				  "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
				  "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
				  "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n";

static const char header_event[] = "# compressed entry header\n"
				   "\ttype_len    :    5 bits\n"
				   "\ttime_delta  :   27 bits\n"
				   "\tarray       :   32 bits\n\n"
				   "\tpadding     : type == 29\n"
				   "\ttime_extend : type == 30\n"
				   "\ttime_stamp : type == 31\n"
				   "\tdata max type_len  == 28\n";

#define COMMON_FIELDS                                                                              \
	"format:\n"                                                                                \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"                     \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"             \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

static const char print_format[] = "name: print\nID: 5\n" COMMON_FIELDS
				   "\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n"
				   "\tfield:char buf[];\toffset:16;\tsize:0;\tsigned:0;\n\n"
				   "print fmt: \"%ps: %s\", (void *)REC->ip, REC->buf\n";

static const char idle_format[] = "name: cpu_idle\nID: 321\n" COMMON_FIELDS
				  "\tfield:u32 state;\toffset:8;\tsize:4;\tsigned:0;\n"
				  "\tfield:u32 cpu_id;\toffset:12;\tsize:4;\tsigned:0;\n\n"
				  "print fmt: \"state=%lu cpu_id=%lu\", (unsigned "
				  "long)REC->state, (unsigned long)REC->cpu_id\n";

static const struct recorded_event cpu_idle = { "power", "cpu_idle", false };

struct page {
	uint8_t bytes[PAGE];
	size_t len; /* of the data behind the 16 bytes of header */
};

static void page_start(struct page *p, uint64_t time)
{
	memset(p, 0, sizeof(*p));
	memcpy(p->bytes, &time, sizeof(time));
}

/* One event of words 32-bit words, delta ns after the one before. */
static void page_add(struct page *p, uint32_t delta, const void *record, uint32_t words)
{
	uint32_t head = words | delta << 5;

	memcpy(p->bytes + 16 + p->len, &head, sizeof(head));
	memcpy(p->bytes + 16 + p->len + 4, record, words * 4);
	p->len += 4 + words * 4;
	memcpy(p->bytes + 8, &p->len, sizeof(uint64_t));
}

static void page_idle(struct page *p, uint32_t delta, uint32_t state, uint32_t cpu)
{
	struct {
		uint16_t type;
		uint8_t flags, preempt;
		int32_t pid;
		uint32_t state, cpu;
	} record = { ID_IDLE, 0, 0, 42, state, cpu };

	page_add(p, delta, &record, sizeof(record) / 4);
}

static void put_tracing_dir(struct tree *t)
{
	tree_put(t, "/events/header_page", header_page);
	tree_put(t, "/events/header_event", header_event);
	tree_put(t, "/events/ftrace/print/format", print_format);
	tree_put(t, "/events/power/cpu_idle/format", idle_format);
}

static int write_file(struct tree *t, const char *path, struct error *err)
{
	char *stats[] = { "entries: 2\noverrun: 0", NULL };
	struct dat_header header = {
		.tracing_dir = t->root,
		.events = { &cpu_idle },
		.nr_events = 1,
		.clock = "mono",
		.uname = "Linux made-up 1.2.3 x86_64",
		.cmdlines = "42 someone\n",
		.nr_cpus = 2,
		.cpu_stats = stats,
	};
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600), code;
	struct dat_writer *w;
	struct page page;

	assert_true(fd >= 0);
	code = dat_writer_new(fd, &header, &w, err);
	if (code) {
		close(fd);
		return code;
	}
	page_start(&page, 1000000000);
	page_idle(&page, 0, 1, 0);
	page_idle(&page, 5000, -1, 0);
	code = dat_writer_cpu(w, err);
	if (!code)
		code = dat_writer_append(w, page.bytes, PAGE, err);
	page_start(&page, 2000000000);
	page_idle(&page, 0, 2, 0);
	if (!code)
		code = dat_writer_append(w, page.bytes, PAGE, err);
	if (!code)
		code = dat_writer_cpu(w, err);
	if (!code)
		code = dat_writer_finish(w, err);
	else
		dat_writer_abort(w);
	close(fd);
	return code;
}

static void read_by_trace_cmd(void **state)
{
	char path[128], command[256], text[4096];
	struct error err;
	struct tree t;
	FILE *out;
	size_t len;

	if (system("command -v trace-cmd >/dev/null")) {
		print_message("no trace-cmd\n");
		skip();
	}
	tree_make(&t);
	put_tracing_dir(&t);
	snprintf(path, sizeof(path), "%s/f.dat", t.root);
	if (write_file(&t, path, &err))
		fail_msg("%s", err.text);
	snprintf(command, sizeof(command), "trace-cmd report %s 2>&1", path);
	out = popen(command, "r");
	assert_non_null(out);
	len = fread(text, 1, sizeof(text) - 1, out);
	text[len] = '\0';
	assert_int_equal(pclose(out), 0);
	if (!strstr(text, "cpus=2") || !strstr(text, "someone-42") ||
		!strstr(text, "1.000000: cpu_idle:             state=1 cpu_id=0") ||
		!strstr(text, "1.000005: cpu_idle:             state=4294967295 cpu_id=0") ||
		!strstr(text, "2.000000: cpu_idle:             state=2 cpu_id=0"))
		fail_msg("trace-cmd report says:\n%s", text);

	snprintf(command, sizeof(command), "trace-cmd report --stat %s 2>&1", path);
	out = popen(command, "r");
	assert_non_null(out);
	len = fread(text, 1, sizeof(text) - 1, out);
	text[len] = '\0';
	assert_int_equal(pclose(out), 0);
	if (!strstr(text, "entries: 2"))
		fail_msg("trace-cmd report --stat says:\n%s", text);
	tree_remove(&t);
}

static void page_sizes(void **state)
{
	static const struct {
		const char *name, *text;
		int code;
		size_t size;
	} rows[] = {
		{ "4 KB", header_page, 0, 4096 },
		{ "64 KB", "\tfield: char data;\toffset:16;\tsize:65520;\tsigned:0;\n", 0, 65536 },
		{ "empty", "", -EINVAL, 0 },
		{ "no numbers", "\tfield: char data;\toffset:x;\n", -EINVAL, 0 },
		{ "far too big", "\tfield: char data;\toffset:16;\tsize:99999999;\n", -EINVAL, 0 },
		{ "no file", NULL, -ENOENT, 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct error err = { "" };
		size_t size = 0;
		struct tree t;
		int code;

		tree_make(&t);
		if (rows[i].text)
			tree_put(&t, "/events/header_page", rows[i].text);
		code = trace_page_size(t.root, &size, &err);
		if (code != rows[i].code || size != rows[i].size)
			fail_msg("%s: %d, %zu", rows[i].name, code, size);
		if (code && !strstr(err.text, "header_page"))
			fail_msg("%s: '%s'", rows[i].name, err.text);
		tree_remove(&t);
	}
}

/* Each file that the container needs, taken away, is named. */
static void missing_parts(void **state)
{
	static const char *const parts[] = { "/events/header_page", "/events/header_event",
		"/events/ftrace/print/format", "/events/power/cpu_idle/format" };

	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		struct error err = { "" };
		char path[128];
		struct tree t;

		tree_make(&t);
		put_tracing_dir(&t);
		snprintf(path, sizeof(path), "%s%s", t.root, parts[i]);
		unlink(path);
		snprintf(path, sizeof(path), "%s/f.dat", t.root);
		if (write_file(&t, path, &err) != -ENOENT || !strstr(err.text, parts[i]))
			fail_msg("%s: '%s'", parts[i], err.text);
		tree_remove(&t);
	}
}

static void full_disk(void **state)
{
	struct error err = { "" };
	struct tree t;

	tree_make(&t);
	put_tracing_dir(&t);
	assert_int_equal(write_file(&t, "/dev/full", &err), -ENOSPC);
	assert_non_null(strstr(err.text, "No space left"));
	tree_remove(&t);
}

static void cmdlines(void **state)
{
	struct error err;
	struct tree t;
	char *text;

	tree_make(&t);
	tree_put(&t, "/proc/7/task/7/comm", "seven\n");
	tree_put(&t, "/proc/7/task/30/comm", "two words\n");
	tree_put(&t, "/proc/self/task/9/comm", "not a number\n");
	tree_put(&t, "/proc/8/comm", "no task folder\n");
	tree_put(&t, "/saved_cmdlines", "7 older\n5 gone\n-3 bad\nx bad\n31 a\001b\n\n6\n");
	assert_int_equal(cmdlines_collect(t.root, t.root, &text, &err), 0);
	assert_string_equal(text, "5 gone\n7 seven\n30 two words\n31 a?b\n");
	free(text);
	tree_remove(&t);
}

static void instance_numbers(void **state)
{
	static const struct {
		const char *name;
		uint64_t available_kb;
		int nr_cpus;
		uint64_t kb;
	} rows[] = {
		{ "plenty", 24000000, 2, 65536 },
		{ "many CPUs", 24000000, 120, 25000 },
		{ "little", 100000, 8, 1562 },
		{ "too little", 1000, 8, 1408 },
		{ "not known", 0, 4, 1408 },
	};
	struct instance_stats st;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		uint64_t kb = instance_default_kb(rows[i].available_kb, rows[i].nr_cpus);

		if (kb != rows[i].kb)
			fail_msg("%s: %llu", rows[i].name, (unsigned long long)kb);
	}
	instance_parse_stats("entries: 661431\noverrun: 100\ncommit overrun: 20\nbytes: 5\n"
			     "oldest event ts:  1677.305469\nnow ts:  1679.712379\n"
			     "dropped events: 3\nread events: 77\n",
		&st);
	assert_int_equal(st.entries, 661431);
	assert_int_equal(st.lost, 123);
	assert_int_equal(st.read, 77);
	instance_parse_stats("", &st);
	assert_int_equal(st.entries + st.lost + st.read, 0);
}

static void nameless_files(void **state)
{
	char dir[64], back[4] = "";
	struct tree t;
	int fd;

	tree_make(&t);
	fd = temp_file(t.root);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "abc", 3), 3);
	assert_int_equal(pread(fd, back, 3, 0), 3);
	assert_string_equal(back, "abc");
	assert_int_equal(rmdir(t.root), 0); /* nothing in it */
	close(fd);
	assert_int_equal(temp_file("/no/such/folder"), -ENOENT);
	assert_string_equal(temp_dir_of("a/b/c.dat", dir, sizeof(dir)), "a/b");
	assert_string_equal(temp_dir_of("c.dat", dir, sizeof(dir)), ".");
	assert_string_equal(temp_dir_of("/c.dat", dir, sizeof(dir)), "/");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(read_by_trace_cmd),
		cmocka_unit_test(page_sizes),
		cmocka_unit_test(missing_parts),
		cmocka_unit_test(full_disk),
		cmocka_unit_test(cmdlines),
		cmocka_unit_test(instance_numbers),
		cmocka_unit_test(nameless_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
