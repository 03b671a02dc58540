// SPDX-License-Identifier: GPL-2.0-or-later
/* The task table of a .cpw file: layout in corepace-cpw(5). */
#include "base/units.h"
#include "workload/cpw_meta.h"
#include "workload/varint.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	TASK_KERNEL = 1,
	TASK_STARTS = 2,
	TASK_FOLLOWS_WAKER = 4,
	TASK_COMMAND = 8,
	NAME_MAX_BYTES = sizeof(((struct workload_task *)0)->name) - 1,
	WORDS_MAX = sizeof(((struct workload_task *)0)->allowed) / sizeof(uint64_t),
	/* Length byte(s), name, seven numbers, affinity. */
	TASK_BYTES_MAX = 2 + 1 + NAME_MAX_BYTES + (7 + WORDS_MAX) * VARINT_MAX,
	TASK_BYTES_MIN = 9,
};

static uint8_t *put_task(uint8_t *p, const struct workload_task *t, bool anonymous)
{
	size_t name = anonymous ? 0 : strnlen(t->name, NAME_MAX_BYTES);
	uint64_t words = WORDS_MAX;

	while (words && !t->allowed[words - 1])
		words--;
	p = put_varint(p, name);
	memcpy(p, t->name, name);
	p += name;
	p = put_varint(p, anonymous ? 0 : zigzag((uint64_t)t->pid));
	p = put_varint(p, (t->kernel ? TASK_KERNEL : 0) | (t->starts ? TASK_STARTS : 0) |
				  (t->follows_waker ? TASK_FOLLOWS_WAKER : 0) |
				  (t->command ? TASK_COMMAND : 0));
	p = put_varint(p, t->sched_class);
	p = put_varint(p, zigzag((uint64_t)t->nice));
	p = put_varint(p, zigzag((uint64_t)t->first_cpu));
	p = put_varint(p, zigzag((uint64_t)t->start_ns));
	p = put_varint(p, words);
	for (uint64_t i = 0; i < words; i++)
		p = put_varint(p, t->allowed[i]);
	return p;
}

int cpw_put_tasks(const struct cpw_tasks *t, bool anonymous, struct buffer *out, struct error *err)
{
	if (buffer_reserve(out, 2 * VARINT_MAX))
		return error_set(err, ENOMEM, "out of memory");
	out->len = (size_t)(put_varint(put_varint(out->data + out->len, (uint64_t)t->nr_tasks),
				    (uint64_t)t->nr_channels) -
			    out->data);
	for (int i = 0; i < t->nr_tasks; i++) {
		uint8_t rec[TASK_BYTES_MAX], *p;
		size_t len = (size_t)(put_task(rec, &t->tasks[i], anonymous) - rec);

		if (buffer_reserve(out, VARINT_MAX + len))
			return error_set(err, ENOMEM, "out of memory");
		p = put_varint(out->data + out->len, len);
		memcpy(p, rec, len);
		out->len = (size_t)(p + len - out->data);
	}
	return 0;
}

/* A signed number that must lie in low..high. */
static int64_t get_signed(struct bytes_in *in, int64_t low, int64_t high)
{
	int64_t v = (int64_t)unzigzag(get_varint(in));

	if (v < low || v > high)
		in->bad = true;
	return v;
}

static uint64_t get_below(struct bytes_in *in, uint64_t bound)
{
	uint64_t v = get_varint(in);

	if (v >= bound) {
		in->bad = true;
		return 0;
	}
	return v;
}

static bool get_task(struct bytes_in *in, struct workload_task *t)
{
	uint64_t name, flags, words;

	name = get_below(in, NAME_MAX_BYTES + 1);
	if (in->bad || (size_t)(in->end - in->p) < name)
		return false;
	memcpy(t->name, in->p, name);
	in->p += name;
	for (char *c = t->name; *c; c++)
		if ((unsigned char)*c < 0x20 || *c == 0x7f)
			*c = '?';
	t->pid = (int)get_signed(in, 0, INT32_MAX);
	flags = get_varint(in);
	t->kernel = flags & TASK_KERNEL;
	t->starts = flags & TASK_STARTS;
	t->follows_waker = flags & TASK_FOLLOWS_WAKER;
	t->command = flags & TASK_COMMAND;
	t->sched_class = (enum task_class)get_below(in, TASK_IDLE_CLASS + 1);
	t->nice = (int)get_signed(in, -20, 19);
	t->first_cpu = (int)get_signed(in, -1, CPUS_MAX - 1);
	t->start_ns = get_signed(in, -((int64_t)1 << 60), (int64_t)1 << 60);
	words = get_below(in, WORDS_MAX + 1);
	for (uint64_t i = 0; i < words; i++)
		t->allowed[i] = get_varint(in);
	/* Bytes that are left belong to fields of a later version. */
	return !in->bad;
}

int cpw_get_tasks(const struct buffer *raw, struct cpw_tasks *ret, struct error *err)
{
	struct bytes_in in = { raw->data, raw->data + raw->len, false };
	uint64_t nr = get_varint(&in), channels = get_varint(&in);
	struct workload_task *tasks;

	if (in.bad || !nr || nr > CPW_TASKS_MAX || nr > raw->len / TASK_BYTES_MIN + 1)
		return error_set(err, EBADMSG, "%llu tasks in %zu bytes, expected 1 to %d that fit",
			(unsigned long long)nr, raw->len, CPW_TASKS_MAX);
	if (channels > CPW_CHANNELS_MAX)
		return error_set(err, EBADMSG, "%llu channels, expected at most %d",
			(unsigned long long)channels, CPW_CHANNELS_MAX);
	tasks = calloc(nr, sizeof(*tasks));
	if (!tasks)
		return error_set(err, ENOMEM, "out of memory");
	for (uint64_t i = 0; i < nr; i++) {
		uint64_t len = get_varint(&in);
		bool fits = !in.bad && len <= (uint64_t)(in.end - in.p);
		struct bytes_in rec = { in.p, fits ? in.p + len : in.p, false };

		if (!fits || !get_task(&rec, &tasks[i])) {
			free(tasks);
			return error_set(err, EBADMSG,
				"record %llu: expected a task of valid fields",
				(unsigned long long)i);
		}
		in.p += len;
	}
	*ret = (struct cpw_tasks){ (int)nr, (int)channels, tasks };
	return 0;
}
