// SPDX-License-Identifier: GPL-2.0-or-later
#include "../cmocka_all.h"
#include "build_script.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TASKS_MAX = 64, OPS_MAX = 4096 };

static char names[TASKS_MAX][24]; /* "PID NAME" */
static int nr_names;

/* ---- events ---- */

static void name_of(int pid, char comm[16])
{
	char key[16], text[24];

	snprintf(key, sizeof(key), "%d ", pid);
	snprintf(text, sizeof(text), "t%d", pid);
	for (int i = 0; i < nr_names; i++)
		if (!strncmp(names[i], key, strlen(key)))
			snprintf(text, sizeof(text), "%s", names[i] + strlen(key));
	memset(comm, 0, 16);
	memcpy(comm, text, strnlen(text, 15));
}

static uint64_t state_of(const char *text)
{
	uint64_t state = 0;

	switch (text[0]) {
	case 'S':
		state = TASK_SLEEPS;
		break;
	case 'D':
		state = TASK_SLEEPS_DISK;
		break;
	case 'I':
		state = TASK_SLEEPS_IDLE;
		break;
	case 'Z':
		state = TASK_ZOMBIE;
		break;
	default:
		assert(text[0] == 'R');
	}
	return state | (text[1] == '+' ? TASK_PREEMPTED : 0);
}

static const struct {
	const char *name;
	enum event_kind kind;
	uint64_t value;
	const char *arguments; /* p pid2, s state, c target cpu, v value, o object, n ns, m mode */
} kinds[] = {
	{ "switch", EV_SWITCH, 0, "ps" },
	{ "waking", EV_WAKING, 0, "pc" },
	{ "new", EV_WAKEUP_NEW, 0, "p" },
	{ "fork", EV_FORK, 0, "p" },
	{ "exec", EV_EXEC, 0, "" },
	{ "exit", EV_EXIT, 0, "p" },
	{ "migrate", EV_MIGRATE, 0, "pc" },
	{ "irq+", EV_IRQ_ENTRY, 0, "" },
	{ "irq-", EV_IRQ_EXIT, 0, "" },
	{ "softirq+", EV_SOFTIRQ_ENTRY, 0, "" },
	{ "softirq-", EV_SOFTIRQ_EXIT, 0, "" },
	{ "timer+", EV_VECTOR_ENTRY, VEC_LOCAL_TIMER, "" },
	{ "timer-", EV_VECTOR_EXIT, VEC_LOCAL_TIMER, "" },
	{ "ipi+", EV_VECTOR_ENTRY, VEC_RESCHEDULE, "" },
	{ "ipi-", EV_VECTOR_EXIT, VEC_RESCHEDULE, "" },
	{ "hrstart", EV_HRTIMER_START, 0, "onm" },
	{ "hrcancel", EV_HRTIMER_CANCEL, 0, "o" },
	{ "hrexpire", EV_HRTIMER_EXPIRE, 0, "on" },
	{ "tstart", EV_TIMER_START, 0, "on" },
	{ "tcancel", EV_TIMER_CANCEL, 0, "o" },
	{ "texpire", EV_TIMER_EXPIRE, 0, "o" },
	{ "issue", EV_BLOCK_ISSUE, 0, "von" },
	{ "complete", EV_BLOCK_COMPLETE, 0, "vo" },
	{ "idle", EV_CPU_IDLE, 0, "v" },
	{ "idledone", EV_IDLE_DONE, 0, "viw" },
	{ "idleseen", EV_IDLE_SEEN, 0, "voniw" },
	{ "freq", EV_CPU_FREQUENCY, 0, "cv" },
	{ "tickstop", EV_TICK_STOP, 0, "v" },
	{ "lost", EV_LOST, 0, "v" },
	{ "online", EV_CPU_ONLINE, 0, "cv" },
};

static void take_argument(char what, const char *text, struct event *ev)
{
	switch (what) {
	case 'p':
		ev->pid2 = atoi(text);
		name_of(ev->pid2, ev->comm);
		ev->prio = strncmp(ev->comm, "rt", 2) ? 120 : 49;
		break;
	case 's':
		ev->value = state_of(text);
		break;
	case 'c':
		ev->target_cpu = atoi(text);
		break;
	case 'v':
		ev->value = text[0] == '-' ? UINT32_MAX : strtoull(text, NULL, 0);
		break;
	case 'i':
		ev->prio = atoi(text);
		break;
	case 'w':
		ev->pid2 = atoi(text);
		break;
	case 'o':
		ev->object = strtoull(text, NULL, 0);
		break;
	case 'n':
		ev->ns = strtoull(text, NULL, 0);
		break;
	default:
		ev->value = !strcmp(text, "rel");
	}
}

static void take_marker(const char *line, struct event *ev)
{
	const char *text = strstr(line, "mark ") + 5, *number = strchr(text, '=');

	ev->kind = EV_MARKER;
	ev->text = text;
	ev->value = number ? strtoull(number + 1, NULL, 10) : 0;
	memcpy(ev->comm, text, strnlen(text, 15));
}

bool script_event(const char *line, struct event *ret)
{
	char copy[256], *save, *word, *context;
	size_t k;

	snprintf(copy, sizeof(copy), "%s", line);
	copy[strcspn(copy, "#")] = '\0';
	word = strtok_r(copy, " \t", &save);
	if (!word)
		return false;
	if (!strcmp(word, "name")) {
		assert(nr_names < TASKS_MAX);
		snprintf(names[nr_names++], sizeof(names[0]), "%s", save);
		return false;
	}
	memset(ret, 0, sizeof(*ret));
	ret->time_ns = strtoull(word, NULL, 10);
	ret->cpu = atoi(strtok_r(NULL, " \t", &save));
	word = strtok_r(NULL, " \t", &save);
	ret->pid = (int)strtol(word, &context, 10);
	ret->context = (strstr(context, "/h") ? CTX_HARDIRQ : 0) |
		       (strstr(context, "/s") ? CTX_SOFTIRQ : 0) |
		       (strstr(context, "/n") ? CTX_NMI : 0);
	word = strtok_r(NULL, " \t", &save);
	if (!strcmp(word, "mark")) {
		take_marker(line, ret);
		return true;
	}
	for (k = 0; k < ARRAY_LEN(kinds) && strcmp(kinds[k].name, word); k++)
		;
	if (k == ARRAY_LEN(kinds)) {
		fprintf(stderr, "no event '%s' in '%s'\n", word, line);
		abort();
	}
	ret->kind = kinds[k].kind;
	ret->value = kinds[k].value;
	for (const char *a = kinds[k].arguments; *a; a++)
		take_argument(*a, strtok_r(NULL, " \t", &save), ret);
	if (ret->kind == EV_EXEC) {
		ret->pid2 = ret->pid;
		memcpy(ret->comm, save, strnlen(save, 15));
	}
	return true;
}

/* ---- ops ---- */

struct memory {
	struct script_result *result;
	struct op ops[OPS_MAX];
	int task_of[OPS_MAX];
	int nr;
};

static int memory_op(void *ctx, int task, const struct op *op, struct error *err)
{
	struct memory *m = ctx;

	assert(m->nr < OPS_MAX);
	m->task_of[m->nr] = task;
	m->ops[m->nr++] = *op;
	return 0;
}

static void put_known(char *text, size_t size, const char *key, int64_t value)
{
	size_t len = strlen(text);

	if (value != INT64_MIN)
		snprintf(text + len, size - len, " %s=%lld", key, (long long)value);
}

static int memory_idle(void *ctx, const struct idle_record *rec, struct error *err)
{
	struct memory *m = ctx;
	char *text = m->result->idle;
	size_t size = sizeof(m->result->idle), len = strlen(text);

	snprintf(text + len, size - len, "%d %llu+%llu state=%d", rec->cpu,
		(unsigned long long)rec->entry_ns, (unsigned long long)rec->residency_ns,
		rec->picked);
	put_known(text, size, "next", rec->sleep_length_ns);
	put_known(text, size, "tick", rec->delta_tick_ns);
	put_known(text, size, "wake", rec->wake ? rec->wake : INT64_MIN);
	put_known(text, size, "stopped", rec->tick_stopped < 2 ? rec->tick_stopped : INT64_MIN);
	put_known(text, size, "io", rec->nr_iowait ? rec->nr_iowait : INT64_MIN);
	len = strlen(text);
	snprintf(text + len, size - len, "%s\n", rec->inferred ? " inferred" : "");
	return 0;
}

static int memory_restart(void *ctx, struct error *err)
{
	struct memory *m = ctx;

	m->nr = 0;
	m->result->idle[0] = '\0';
	return 0;
}

static void memory_abort(void *ctx)
{
	free(ctx);
}

static int print_op(char *p, const struct op *op, const struct workload_task *tasks)
{
	static const char *const words[] = { "run", "sleep", "until", "wait", "signal", "io", "out",
		"fork", "count", "latency", "exit" };
	int n = sprintf(p, "%s", words[op->kind]);

	if (op->kind == OP_WAIT || op->kind == OP_SIGNAL || op->kind == OP_FORK)
		n += sprintf(p + n, " %d", tasks[op->target].pid);
	if (op->kind == OP_IO)
		n += sprintf(p + n, " %u", op->target);
	if (op->kind == OP_RUN || op->kind == OP_COUNT)
		n += sprintf(p + n, " %llu", (unsigned long long)op->cycles);
	else if (op->kind == OP_SIGNAL && op->ns)
		n += sprintf(p + n, "+%llu", (unsigned long long)op->ns);
	else if (op->kind != OP_WAIT && op->kind != OP_SIGNAL && op->kind != OP_FORK &&
		 op->kind != OP_EXIT)
		n += sprintf(p + n, " %llu", (unsigned long long)op->ns);
	if (op->flags & OP_IOWAIT)
		n += sprintf(p + n, "i");
	if (op->flags & OP_GAVE_WAY)
		n += sprintf(p + n, "^");
	if (op->flags & OP_UNKNOWN)
		n += sprintf(p + n, "?");
	if (op->flags & OP_REMOTE)
		n += sprintf(p + n, "r");
	if (op->flags & OP_NOSWITCH)
		n += sprintf(p + n, "=");
	if (op->flags & OP_FROM_IDLE)
		n += sprintf(p + n, "z");
	return n;
}

static int memory_finish(void *ctx, const struct build_output *out, struct error *err)
{
	struct memory *m = ctx;
	struct script_result *r = m->result;
	char *p = r->ops;

	for (int t = 0; t < out->nr_tasks; t++) {
		const char *separator = ": ";

		p += sprintf(p, "%d", out->tasks[t].pid);
		for (int i = 0; i < m->nr; i++) {
			if (m->task_of[i] != t)
				continue;
			p += sprintf(p, "%s", separator);
			p += print_op(p, &m->ops[i], out->tasks);
			separator = ", ";
		}
		p += sprintf(p, "\n");
	}
	r->nr_tasks = out->nr_tasks;
	r->nr_channels = out->nr_channels;
	r->nr_metrics = out->nr_metrics;
	r->env = *out->env;
	snprintf(r->op_name, sizeof(r->op_name), "%s", out->op_name);
	r->tasks = calloc((size_t)out->nr_tasks, sizeof(*r->tasks));
	memcpy(r->tasks, out->tasks, (size_t)out->nr_tasks * sizeof(*r->tasks));
	free(m);
	return 0;
}

static int feed(struct builder *b, const char *events, struct error *err)
{
	char line[256];

	for (const char *at = events; *at;) {
		size_t len = strcspn(at, "\n");
		struct event ev;
		int rc;

		assert(len < sizeof(line));
		memcpy(line, at, len);
		line[len] = '\0';
		at += len + (at[len] == '\n');
		if (!script_event(line, &ev))
			continue;
		rc = builder_event(b, &ev, err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

int script_run(const char *events, const struct build_options *options, struct script_result *ret)
{
	static const struct build_options plain = { .khz = 1000000 };
	struct memory *m = calloc(1, sizeof(*m));
	struct op_sink sink = { m, memory_op, memory_idle, memory_restart, memory_finish,
		memory_abort };
	struct builder *b;
	int rc;

	memset(ret, 0, sizeof(*ret));
	m->result = ret;
	nr_names = 0;
	rc = builder_new_sink(options ? options : &plain, &sink, &b, &ret->err);
	if (rc < 0)
		return rc;
	rc = feed(b, events, &ret->err);
	if (rc < 0) {
		builder_abort(b);
		return rc;
	}
	ret->stats = *builder_stats(b);
	return builder_finish(b, NULL, &ret->truth, &ret->err);
}

void script_release(struct script_result *r)
{
	free(r->tasks);
	r->tasks = NULL;
}

/* ---- rows ---- */

static void check_counts(const struct script_row *row, const struct build_stats *s)
{
	const struct script_counts got = {
		.inferred = s->switches_inferred,
		.unknown = s->waits_unknown,
		.missing = s->waits_missing,
		.gap = s->waits_gap,
		.timer_of_other = s->timer_of_other,
		.io_of_other = s->io_of_other,
		.raced = s->raced,
		.twice = s->woken_twice,
		.reused = s->pids_reused,
		.unmatched = s->completions_unmatched,
		.unbalanced = s->interrupts_unbalanced,
	};

	assert_memory_equal(&got, &row->counts, sizeof(got));
}

void script_check(const struct script_row *rows, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		struct script_result r;

		print_message("%s\n", rows[i].name);
		assert_int_equal(script_run(rows[i].events, NULL, &r), 0);
		if (rows[i].ops)
			assert_string_equal(r.ops, rows[i].ops);
		if (rows[i].idle)
			assert_string_equal(r.idle, rows[i].idle);
		check_counts(&rows[i], &r.stats);
		script_release(&r);
	}
}
