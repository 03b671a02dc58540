// SPDX-License-Identifier: GPL-2.0-or-later
/* The tables that end a workload: tasks, environment, truth, metrics. */
#include "trace/build_internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PRIO_RT_END = 100, PRIO_OF_NICE_0 = 120, NICE_MIN = -20, NICE_MAX = 19 };

static const uint64_t ns_per_day = 86400ull * NSEC_PER_SEC, days_max = 366;

/* Threads of the kernel, for recordings that did not see kthreadd start them. */
static const char *const kernel_names[] = {
	"kthreadd",
	"kworker/",
	"ksoftirqd/",
	"migration/",
	"cpuhp/",
	"idle_inject/",
	"watchdog/",
	"rcu_",
	"rcuc/",
	"rcuog/",
	"rcuos/",
	"rcuop/",
	"rcub/",
	"irq/",
	"kswapd",
	"kcompactd",
	"ksmd",
	"khugepaged",
	"kauditd",
	"khungtaskd",
	"khvcd",
	"oom_reaper",
	"writeback",
	"kblockd",
	"kdevtmpfs",
	"kintegrityd",
	"kthrotld",
	"jbd2/",
	"ext4-",
	"xfs-",
	"xfsaild/",
	"btrfs-",
	"nvme-",
	"scsi_eh_",
	"scsi_tmf_",
	"md_",
	"raid",
	"dm_",
	"dmcrypt_",
	"loop",
	"napi/",
	"netns",
	"mld",
	"ipv6_addrconf",
	"inet_frag_wq",
	"vmstat",
	"hwrng",
	"psimon",
	"kpsmoused",
	"ata_sff",
	"edac-poller",
	"devfreq_wq",
	"acpi_thermal",
	"card0-crtc",
	"kvm-",
	"vhost-",
	"iou-",
	"zswap",
	"cryptd",
	"sched_ext",
	"ecryptfs",
	"tpm_dev_wq",
	"kdamond",
};

/* Threads that belong to the CPU whose number follows the first '/'. */
static const char *const bound_names[] = {
	"kworker/",
	"ksoftirqd/",
	"migration/",
	"cpuhp/",
	"idle_inject/",
	"watchdog/",
	"rcuc/",
};

static bool begins_with_any(const char *comm, const char *const *names, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (!strncmp(comm, names[i], strlen(names[i])))
			return true;
	return false;
}

/* The CPU that the name ties it to, or -1: kworker/u8:3 and jbd2/vda-8 are tied to none. */
static int bound_cpu(const struct task *t)
{
	char comm[sizeof(t->comm) + 1] = "";
	const char *number;
	char *end;
	long cpu;

	memcpy(comm, t->comm, sizeof(t->comm));
	if (!begins_with_any(comm, bound_names, ARRAY_LEN(bound_names)))
		return -1;
	number = strchr(comm, '/') + 1;
	cpu = strtol(number, &end, 10);
	if (*number < '0' || *number > '9' || (*end && *end != ':') || cpu >= CPUS_MAX)
		return -1;
	return (int)cpu;
}

static bool is_kernel(const struct task *t)
{
	return !t->user &&
	       (t->kernel || begins_with_any(t->comm, kernel_names, ARRAY_LEN(kernel_names)));
}

static bool command_known(const struct builder *b)
{
	for (int i = 0; i < b->nr_indexed; i++)
		if (b->indexed[i]->command)
			return true;
	return false;
}

static void fill_task(const struct task *t, struct workload_task *ret)
{
	int nice = t->prio - PRIO_OF_NICE_0, bound;

	memcpy(ret->name, t->comm, sizeof(t->comm));
	ret->pid = t->pid > 0 ? t->pid : 0;
	ret->sched_class = t->prio < PRIO_RT_END ? TASK_RT : TASK_NORMAL;
	if (ret->sched_class == TASK_NORMAL)
		ret->nice = nice < NICE_MIN ? NICE_MIN : nice > NICE_MAX ? NICE_MAX : nice;
	ret->kernel = is_kernel(t);
	ret->starts = !t->forked;
	ret->command = t->command;
	ret->first_cpu = t->forked ? -1 : t->first_cpu;
	ret->start_ns = (int64_t)t->start_ns;
	bound = bound_cpu(t);
	if (ret->kernel && bound >= 0 && (t->only_cpu == bound || t->only_cpu == -1)) {
		ret->allowed[bound / 64] |= 1ULL << bound % 64;
		ret->first_cpu = bound;
		ret->follows_waker = !strncmp(ret->name, "kworker/", 8);
	}
}

/* The likelier to have done the work: of the command, of user space, who ran longer. */
static bool likelier(const struct task *a, const struct task *b)
{
	if (a->command != b->command)
		return a->command;
	if (is_kernel(a) != is_kernel(b))
		return is_kernel(b);
	return a->total_cycles > b->total_cycles;
}

/* Who of the command ended last, else who is likeliest. */
static struct task *worker(struct builder *b)
{
	struct task *best = b->last_ended;

	for (int i = 0; i < b->nr_indexed && !b->last_ended; i++)
		if (!best || likelier(b->indexed[i], best))
			best = b->indexed[i];
	return best;
}

static void end_programs(struct builder *b)
{
	struct task *last;

	for (int i = 0; i < b->nr_cpus; i++) {
		if (b->cpus[i] && b->cpus[i]->state >= CPU_IDLE)
			cpu_account(b, b->cpus[i], b->end_ns);
		if (b->cpus[i])
			build_idle_finish(b, b->cpus[i]);
		if (b->cpus[i])
			cpu_chain_over(b, b->cpus[i]);
	}
	for (uint32_t i = 0; i < b->nr_tasks; i++) {
		struct task *t = b->tasks[i];

		emit_run(b, t);
		hold_finish(b, t);
	}
	last = b->options.truth.operations ? worker(b) : NULL;
	if (last)
		emit(b, last,
			&(struct op){ .kind = OP_COUNT, .cycles = b->options.truth.operations });
	for (int i = 0; i < b->nr_indexed; i++)
		if (b->indexed[i]->ended)
			emit(b, b->indexed[i], &(struct op){ .kind = OP_EXIT });
}

static void fill_text(char *text, size_t size, const char *from)
{
	if (!text[0])
		snprintf(text, size, "%s", from);
}

static int cpus_seen(const struct builder *b, const struct trace_info *info)
{
	return info && info->nr_cpus > b->nr_cpus ? info->nr_cpus : b->nr_cpus;
}

static void fill_env(
	const struct builder *b, const struct trace_info *info, struct workload_env *env)
{
	if (b->khz_events)
		snprintf(env->khz_source, sizeof(env->khz_source), "cpu_frequency");
	else
		fill_text(env->khz_source, sizeof(env->khz_source), b->khz_fixed ? "--khz" : "tsc");
	env->khz = b->run_ns ? (uint64_t)(b->khz_ns / b->run_ns) : b->khz;
	env->device_irq_ns = b->device_irqs ? b->device_irq_ns / b->device_irqs : 0;
	if (!env->hz)
		env->hz = info && info->hz ? info->hz
			  : b->tick_ns	   ? (int)(NSEC_PER_SEC / b->tick_ns)
					   : 0;
	if (!env->nr_cpus)
		env->nr_cpus = cpus_seen(b, info);
	if (!info)
		return;
	fill_text(env->kernel, sizeof(env->kernel), info->uname);
	fill_text(env->clock, sizeof(env->clock), info->clock);
}

/* More than half of the time, with fewer than ten waits in a second of it. */
static bool runs_on(const struct task *t, uint64_t elapsed_ns)
{
	return t->run_ns > elapsed_ns / 2 && t->waits < t->run_ns / (NSEC_PER_SEC / 10);
}

static void fill_truth(
	const struct builder *b, const struct trace_info *info, struct workload_truth *truth)
{
	const struct build_stats *s = &b->stats;
	bool known = command_known(b);

	if (!truth->elapsed_ns)
		truth->elapsed_ns = b->end_ns - b->start_ns;
	if (truth->nr_cpus < cpus_seen(b, info))
		truth->nr_cpus = cpus_seen(b, info);
	for (int i = 0; i < b->nr_cpus && i < (int)ARRAY_LEN(truth->busy_ns); i++) {
		const struct build_cpu *c = b->cpus[i];

		if (!c)
			continue;
		/* A recorder brings the kernel's account: that has the idle loop in it, and coarse
		 * steps. */
		truth->busy_ns[i] = c->busy_ns;
		truth->irq_ns[i] = c->irq_ns;
		truth->idle_entries[i] = c->idle_entries + (c->idle.open && c->idle.recorded);
	}
	truth->events = s->events;
	/* The kernel counts also what it lost before the first event of a CPU. */
	truth->lost_events = s->lost_events;
	if (info && info->lost_events > truth->lost_events)
		truth->lost_events = info->lost_events;
	memcpy(truth->waits, s->waits, sizeof(truth->waits));
	truth->waits_unknown = s->waits_unknown;
	for (int i = 0; i < b->nr_indexed; i++) {
		const struct task *t = b->indexed[i];

		if (known ? !t->command : is_kernel(t))
			continue;
		truth->own_waits += t->waits;
		truth->own_waits_outside += t->waits_outside;
		truth->own_run_on += runs_on(t, truth->elapsed_ns);
	}
	truth->switches = s->switches;
	truth->switches_inferred = s->switches_inferred;
}

static int write_tables(struct builder *b, const struct workload_env *env,
	const struct workload_truth *truth, struct error *err)
{
	static const struct workload_metric metrics[] = {
		{ "ops_per_s", "ops/s", true, METRIC_OPS_PER_S },
		{ "elapsed_s", "s", false, METRIC_ELAPSED_S },
	};
	int first = b->options.truth.operations ? 0 : 1, rc;
	struct workload_task *tasks = calloc((size_t)b->nr_indexed, sizeof(*tasks));
	struct build_output out = {
		.tasks = tasks,
		.nr_tasks = b->nr_indexed,
		.nr_channels = b->nr_indexed,
		.env = env,
		.truth = truth,
		.metrics = metrics + first,
		.nr_metrics = (int)ARRAY_LEN(metrics) - first,
		.op_name = b->options.truth.operations ? "operation" : "",
		.anonymous = b->options.anonymous,
	};

	if (!tasks) {
		b->sink.abort(b->sink.ctx);
		return error_set(err, ENOMEM, "out of memory");
	}
	for (int i = 0; i < b->nr_indexed; i++)
		fill_task(b->indexed[i], &tasks[i]);
	rc = b->sink.finish(b->sink.ctx, &out, err);
	free(tasks);
	return rc;
}

int build_output(struct builder *b, const struct trace_info *info, struct workload_truth *ret_truth,
	struct error *err)
{
	struct workload_env env = b->options.env;
	struct workload_truth truth = b->options.truth;
	int rc;

	if (!b->ended)
		b->end_ns = b->now_ns;
	if (!b->status)
		end_programs(b);
	if (b->khz_missing)
		fail_with(b, ENODATA,
			"the recording does not tell the frequency of its CPUs, expected a "
			"cpu_frequency event before they run, or a frequency given by hand");
	if (!b->status && !b->nr_indexed)
		fail_with(b, ENODATA,
			"no task did anything in %llu events, expected sched_switch and "
			"sched_waking events",
			(unsigned long long)b->stats.events);
	if (!b->status && b->end_ns - b->start_ns > days_max * ns_per_day)
		fail_with(b, ENODATA,
			"its events are %.0f days apart, expected a recording of at most %llu",
			(double)(b->end_ns - b->start_ns) / (double)ns_per_day,
			(unsigned long long)days_max);
	if (b->status) {
		b->sink.abort(b->sink.ctx);
		if (err)
			*err = b->error;
		return b->status;
	}
	fill_env(b, info, &env);
	fill_truth(b, info, &truth);
	rc = write_tables(b, &env, &truth, err);
	if (!rc && ret_truth)
		*ret_truth = truth;
	return rc;
}
