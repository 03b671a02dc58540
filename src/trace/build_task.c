// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/build_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { KTHREADD_PID = 2, PRIO_OF_NICE_0 = 120 };

struct task *task_new(struct builder *b, int pid)
{
	struct task *t;

	if (b->nr_tasks == b->size_tasks) {
		uint32_t size = b->size_tasks ? b->size_tasks * 2 : 256;
		struct task **tasks = realloc(b->tasks, size * sizeof(struct task *));

		if (!tasks)
			goto no_memory;
		b->tasks = tasks;
		b->size_tasks = size;
	}
	t = calloc(1, sizeof(*t));
	if (!t)
		goto no_memory;
	if (map_set(&b->pids, (uint32_t)pid, b->nr_tasks)) {
		free(t);
		goto no_memory;
	}
	t->pid = pid;
	t->index = -1;
	t->prio = PRIO_OF_NICE_0;
	t->cpu = t->first_cpu = t->only_cpu = t->iowait_cpu = t->run_cpu = -1;
	t->kernel = pid == KTHREADD_PID;
	b->tasks[b->nr_tasks++] = t;
	return t;
no_memory:
	fail_with(b, ENOMEM, "out of memory");
	return NULL;
}

struct task *task_get(struct builder *b, int pid)
{
	uint32_t i = map_get(&b->pids, (uint32_t)pid);

	return i == MAP_NONE ? task_new(b, pid) : b->tasks[i];
}

void task_name(struct task *t, const char *comm, int prio)
{
	t->prio = prio;
	if (comm[0] && memcmp(t->comm, comm, sizeof(t->comm)))
		memcpy(t->comm, comm, sizeof(t->comm));
}

int task_index(struct builder *b, struct task *t)
{
	if (t->index >= 0)
		return t->index;
	if (b->nr_indexed == b->size_indexed) {
		int size = b->size_indexed ? b->size_indexed * 2 : 256;
		struct task **indexed = realloc(b->indexed, (size_t)size * sizeof(struct task *));

		if (!indexed) {
			fail_with(b, ENOMEM, "out of memory");
			return 0;
		}
		b->indexed = indexed;
		b->size_indexed = size;
	}
	b->indexed[b->nr_indexed] = t;
	t->index = b->nr_indexed++;
	return t->index;
}

void task_run(struct builder *b, struct task *t, uint64_t ns, uint64_t khz)
{
	enum { PARTS = 1000000 }; /* kHz times ns in a cycle */
	uint64_t cycles;

	b->khz_missing |= !khz && ns;
	if (ns <= INT32_MAX && khz <= UINT32_MAX) { /* nearly always, and much faster */
		uint64_t parts = ns * khz + t->part;

		cycles = parts / PARTS;
		t->part = parts % PARTS;
	} else {
		unsigned __int128 parts = (unsigned __int128)ns * khz + t->part;

		cycles = (uint64_t)(parts / PARTS);
		t->part = (uint64_t)(parts % PARTS);
	}
	t->cycles += cycles;
	t->total_cycles += cycles;
	t->run_ns += ns;
	b->run_ns += ns;
	b->khz_ns += (unsigned __int128)ns * khz;
}

void task_set(struct builder *b, struct task *t, enum presence presence, uint64_t ns)
{
	if (t->iowait_cpu >= 0) {
		b->cpus[t->iowait_cpu]->nr_iowait--;
		t->iowait_cpu = -1;
	}
	t->presence = presence;
	t->since_ns = ns;
	if (presence == TASK_IS_ASLEEP && t->disk) {
		t->iowait_cpu = t->cpu;
		b->cpus[t->cpu]->nr_iowait++;
	}
}

void task_end(struct builder *b, struct task *t)
{
	uint32_t owner = map_get(&b->pids, (uint32_t)t->pid);

	race_over(b, t, false);
	emit_run(b, t);
	task_set(b, t, TASK_IS_GONE, b->now_ns);
	t->ended = true;
	if (t->command || (!b->marked && !t->kernel))
		b->last_ended = t;
	if (owner != MAP_NONE && b->tasks[owner] == t)
		map_remove(&b->pids, (uint32_t)t->pid);
}

void task_release(struct task *t)
{
	free(t->held.ring);
	free(t);
}

void emit(struct builder *b, struct task *t, const struct op *op)
{
	task_index(b, t);
	hold_emit(b, t, op);
}

void emit_run(struct builder *b, struct task *t)
{
	if (!t->cycles)
		return;
	emit(b, t,
		&(struct op){ .kind = OP_RUN,
			.flags = t->run_flags,
			.cycles = t->cycles,
			.target = (uint32_t)(t->run_cpu + 1) });
	t->cycles = 0;
	t->run_flags = 0;
}
