// SPDX-License-Identifier: GPL-2.0-or-later
/* `show FILE.cpw`: environment and truth of a recording, its tasks, or the ops of one task. */
#include "base/units.h"
#include "cmd/cmd.h"
#include "cmd/show.h"
#include "cmd/workload_json.h"
#include "cmd/workload_summary.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS_MAX = 30, OPS_MAX = 60 };

static void print_text(const char *what, const char *text)
{
	if (*text)
		printf("  %-18s %s\n", what, text);
}

static void print_env(const struct workload_env *e)
{
	printf("Recorded on\n");
	print_text("command", e->command);
	print_text("kernel", e->kernel);
	print_text("machine", e->machine);
	print_text("idle driver", e->cpuidle_driver);
	print_text("idle governor", e->cpuidle_governor);
	print_text("clock", e->clock);
	if (e->nr_cpus)
		printf("  %-18s %d\n", "CPUs", e->nr_cpus);
	if (e->hz)
		printf("  %-18s %d\n", "HZ", e->hz);
	if (e->khz)
		printf("  %-18s %" PRIu64 " kHz (%s)\n", "cycles refer to", e->khz,
			*e->khz_source ? e->khz_source : "source not known");
	if (e->settings[0])
		printf("  settings\n");
	for (const char *line = e->settings; *line;) {
		size_t len = strcspn(line, "\n");

		printf("    %.*s\n", (int)len, line);
		line += len + (line[len] == '\n');
	}
}

static void print_states(const struct workload_truth *t)
{
	if (!t->nr_states)
		return;
	printf("  %-18s %12s %14s\n", "idle state", "entries", "time s");
	for (int i = 0; i < t->nr_states; i++) {
		char name[32];

		snprintf(name, sizeof(name), "%d %s", i, t->state_name[i]);
		printf("    %-16s %12" PRIu64 " %14.3f\n", name, t->state_usage[i],
			(double)t->state_time_ns[i] / NSEC_PER_SEC);
	}
}

static void print_cpus(const struct workload_truth *t)
{
	int nr = t->nr_cpus < (int)ARRAY_LEN(t->busy_ns) ? t->nr_cpus : (int)ARRAY_LEN(t->busy_ns);

	if (!nr)
		return;
	printf("  %-18s %12s %14s %14s\n", "CPU", "busy s", "interrupts s", "idle entries");
	for (int i = 0; i < nr; i++)
		printf("    %-16d %12.3f %14.3f %14" PRIu64 "\n", i,
			(double)t->busy_ns[i] / NSEC_PER_SEC, (double)t->irq_ns[i] / NSEC_PER_SEC,
			t->idle_entries[i]);
}

static void print_truth(const struct workload *w)
{
	const struct workload_truth *t = &w->truth;

	printf("What happened then\n");
	printf("  %-18s %.6f s\n", "elapsed", (double)t->elapsed_ns / NSEC_PER_SEC);
	if (t->untraced_elapsed_ns && t->elapsed_ns)
		printf("  %-18s %.6f s (recording cost %.1f %%)\n", "elapsed, untraced",
			(double)t->untraced_elapsed_ns / NSEC_PER_SEC,
			100.0 * ((double)t->elapsed_ns / (double)t->untraced_elapsed_ns - 1));
	if (t->operations)
		printf("  %-18s %" PRIu64 " %s\n", "operations", t->operations, w->op_name);
	printf("  %-18s %" PRIu64 ", %" PRIu64 " lost\n", "events", t->events, t->lost_events);
	printf("  %-18s %" PRIu64 ", %" PRIu64 " more inferred\n", "switches", t->switches,
		t->switches_inferred);
	print_cpus(t);
	print_states(t);
}

static void print_tasks(const struct workload *w, const struct workload_summary *s, bool all)
{
	int nr = all || w->nr_tasks <= ROWS_MAX ? w->nr_tasks : ROWS_MAX;
	struct task_rank *ranks = rank_tasks(w, s);

	printf("Tasks: %d, channels: %d\n", w->nr_tasks, w->nr_channels);
	printf("%6s %-20s %7s %12s %10s %10s %9s %9s %9s %9s\n", "task", "name", "pid", "ops",
		"run ms", "signal", "timer", "io", "outside", "unknown");
	for (int i = 0; ranks && i < nr; i++) {
		int n = ranks[i].task;
		const struct task_summary *t = &s->tasks[n];

		printf("%6d %-20.20s %7d %12" PRIu64 " %10.3f %10" PRIu64 " %9" PRIu64 " %9" PRIu64
		       " %9" PRIu64 " %9" PRIu64 "\n",
			n, w->tasks[n].name, w->tasks[n].pid, t->ops,
			(double)ranks[i].run_ns / NSEC_PER_MSEC, t->waits[OP_WAIT],
			t->waits[OP_SLEEP_FOR] + t->waits[OP_SLEEP_UNTIL], t->waits[OP_IO],
			t->waits[OP_EXTERNAL], t->waits_unknown);
	}
	free(ranks);
	if (nr < w->nr_tasks)
		printf("  and %d with less run time (--all shows them)\n", w->nr_tasks - nr);
}

static void print_waits(const struct task_summary *total)
{
	uint64_t all = task_summary_waits(total);

	printf("Waits: %" PRIu64 "\n", all);
	for (const enum op_kind *k = wait_kinds; all && *k != OP_KINDS; k++)
		printf("  %-18s %12" PRIu64 " %6.1f %%\n", wait_cause(*k), total->waits[*k],
			100.0 * (double)total->waits[*k] / (double)all);
	if (all)
		printf("  %-18s %12" PRIu64 " %6.1f %%\n", "unknown", total->waits_unknown,
			100.0 * (double)total->waits_unknown / (double)all);
}

static void print_idle_log(const struct idle_log_summary *log)
{
	printf("Idle log: %" PRIu64 " periods", log->records);
	if (log->records)
		printf(", %" PRIu64 " inferred, %" PRIu64 " with the kernel's pick", log->inferred,
			log->picked);
	printf("\n");
}

static void print_op_flags(uint32_t flags)
{
	static const char *const names[] = { "iowait", "unknown", "remote", "noswitch",
		"from-idle" };

	static const struct {
		uint32_t flag;
		const char *name;
	} more[] = { { OP_EACH, "each" }, { OP_TURN, "turn" }, { OP_UNTIL, "until" } };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (flags & 1U << i)
			printf(" %s", names[i]);
	for (size_t i = 0; i < ARRAY_LEN(more); i++) {
		if (flags & more[i].flag)
			printf(" %s", more[i].name);
		flags &= ~more[i].flag;
	}
	if (flags >> ARRAY_LEN(names))
		printf(" flags %#x", flags);
}

static bool has_time(const struct op *op)
{
	return op->kind == OP_SLEEP_UNTIL || op->kind == OP_EXTERNAL || op->kind == OP_LATENCY;
}

static void print_op(uint64_t n, const struct op *op)
{
	bool ends = op->kind == OP_LATENCY && op->ns == 1;

	printf("%8" PRIu64 "  %-12s", n, op_kind_name(op->kind));
	if (op->kind == OP_WAIT || op->kind == OP_SIGNAL)
		printf(" channel %u", op->target);
	else if (op->kind == OP_IO)
		printf(" device %u", op->target);
	else if (op->kind == OP_FORK)
		printf(" task %u", op->target);
	else if (op->kind == OP_LATENCY)
		printf(ends ? " end" : " begin");
	if (op->cycles)
		printf(" %" PRIu64 "%s", op->cycles, op->kind == OP_COUNT ? "" : " cycles");
	if (op->ns && !ends)
		printf(" %s%" PRIu64 " ns", has_time(op) ? "at " : "", op->ns);
	print_op_flags(op->flags);
	putchar('\n');
}

static int print_ops(struct workload *w, const struct show_options *options, struct error *err)
{
	unsigned long long task;
	uint64_t n = 0;
	struct op op;
	int r = parse_u64(options->ops, 0, (unsigned)w->nr_tasks - 1, "--ops", &task, err);

	if (r)
		return r;
	printf("Task %llu %s\n", task, w->tasks[task].name);
	while ((options->all && w->recorded) || n < OPS_MAX) {
		r = program_next(w, (int)task, &op, err);
		if (r <= 0)
			return r;
		print_op(n++, &op);
	}
	return 0;
}

static int show_recording(struct workload *w, const struct show_options *options, struct error *err)
{
	struct idle_log_summary log;
	struct workload_summary s;
	struct spec spec;
	int r = spec_parse(&spec, w->text, err);

	if (!r)
		r = idle_log_summarise(spec.name, &log, err);
	if (!r)
		r = workload_summarise(w, &s, err);
	if (r)
		return r;
	if (options->json) {
		r = workload_json(w, &s, &log, err);
	} else {
		printf("%s\n", w->text);
		print_env(&w->env);
		print_truth(w);
		print_waits(&s.total);
		print_idle_log(&log);
		print_tasks(w, &s, options->all);
	}
	workload_summary_release(&s);
	return r;
}

/* A program may have no end: what is known without reading it. */
static int show_generated(
	const struct workload *w, const struct show_options *options, struct error *err)
{
	if (options->json)
		return workload_json(w, NULL, NULL, err);
	printf("%s\n  %-18s %d\n  %-18s %d\n", w->text, "tasks", w->nr_tasks, "channels",
		w->nr_channels);
	if (w->duration_ns)
		printf("  %-18s %.6g s\n", "fixed time",
			(double)w->duration_ns / NSEC_PER_SEC / w->scale);
	if (w->scale < 1)
		printf("  %-18s %.3g %%\n", "simulated", 100 * w->scale);
	for (int i = 0; i < w->nr_metrics; i++)
		printf("  %-18s %s (%s), %s is better\n", i ? "" : "metrics", w->metrics[i].name,
			w->metrics[i].unit, w->metrics[i].higher_is_better ? "higher" : "lower");
	return 0;
}

int show_workload(const char *text, const struct show_options *options)
{
	struct workload *w;
	struct error err;
	int r = open_workload(text, &w, &err);

	if (r)
		return fail("show", &err);
	if (options->ops)
		r = print_ops(w, options, &err);
	else if (w->recorded)
		r = show_recording(w, options, &err);
	else
		r = show_generated(w, options, &err);
	workload_free(w);
	return r < 0 ? fail("show", &err) : EXIT_DONE;
}
