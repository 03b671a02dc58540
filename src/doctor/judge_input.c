// SPDX-License-Identifier: GPL-2.0-or-later
/* The state of the input: what could not be read, is cut off or cannot be true; CPUs that are off.
 */
#include "base/units.h"
#include "doctor/judge.h"

#include <stdio.h>
#include <string.h>

enum { KHZ_MAX = 7500000 }; /* no processor runs faster */

static void judge_unreadable(struct judge *j)
{
	size_t nr;
	const struct tree_failure *failures = tree_failures(j->f->tree, &nr);

	for (size_t i = 0; i < nr; i++) {
		struct finding *g = add(j, FINDING_UNREADABLE, SEVERITY_INFO);

		evidence(g, failures[i].path, "%s%s%s", strerror(failures[i].error),
			failures[i].tells ? "; would tell " : "",
			failures[i].tells ? failures[i].tells : "");
	}
	if (tree_is_live(j->f->tree) && j->f->dma_latency_us.state == VALUE_UNREADABLE)
		evidence(add(j, FINDING_UNREADABLE, SEVERITY_INFO), "/dev/cpu_dma_latency",
			"%s; would tell whether a latency limit is held",
			strerror(j->f->dma_latency_us.error));
	if (nr > EVIDENCE_MAX) {
		struct finding *g = add(j, FINDING_UNREADABLE, SEVERITY_INFO);

		detail(g, "%zu files in all", nr + tree_failures_left_out(j->f->tree));
	}
}

static void cut(struct judge *j, const char *path, const char *why)
{
	struct finding *g = add(j, FINDING_TRUNCATED, SEVERITY_WARN);

	evidence(g, path, "%s", why);
}

static void odd(struct judge *j, const char *dir, const char *file, const char *why)
{
	struct finding *g = add(j, FINDING_IMPLAUSIBLE, SEVERITY_WARN);
	char path[160];

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	evidence(g, path, "%s", why);
}

static void check_value(struct judge *j, const char *dir, const char *file, const struct value *v)
{
	char path[160], why[64];

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	if (v->state == VALUE_EMPTY)
		cut(j, path, "empty");
	else if (v->state == VALUE_BAD)
		odd(j, dir, file, "not a number");
	else if (v->state == VALUE_GOOD && (v->number < 0 || v->number > KHZ_MAX)) {
		snprintf(why, sizeof(why), "%lld kHz", (long long)v->number);
		odd(j, dir, file, why);
	}
}

static void check_text(struct judge *j, const char *dir, const char *file, const struct text *t)
{
	char path[160];

	snprintf(path, sizeof(path), "%s/%s", dir, file);
	if (t->state == VALUE_EMPTY)
		cut(j, path, "empty");
	else if (t->state == VALUE_BAD || (has(t) && *t->s == '<'))
		odd(j, dir, file, has(t) ? t->s : "no text");
}

static void check_policy(struct judge *j, const struct policy_facts *p)
{
	const struct {
		const char *file;
		const struct value *v;
	} numbers[] = { { "scaling_min_freq", &p->min }, { "scaling_max_freq", &p->max },
		{ "cpuinfo_min_freq", &p->cpuinfo_min }, { "cpuinfo_max_freq", &p->cpuinfo_max },
		{ "scaling_cur_freq", &p->cur }, { "cpuinfo_cur_freq", &p->cpuinfo_cur },
		{ "bios_limit", &p->bios_limit }, { "base_frequency", &p->base } };
	char path[160], why[96];

	for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
		check_value(j, p->dir, numbers[i].file, numbers[i].v);
	check_text(j, p->dir, "scaling_driver", &p->driver);
	check_text(j, p->dir, "scaling_governor", &p->governor);
	if (good(p->max) && good(p->cpuinfo_min) && p->max.number < p->cpuinfo_min.number) {
		snprintf(path, sizeof(path), "%s/scaling_max_freq", p->dir);
		snprintf(why, sizeof(why), "%lld, below cpuinfo_min_freq: digits are missing",
			(long long)p->max.number);
		cut(j, path, why);
	}
	if (good(p->min) && good(p->cpuinfo_min) && p->min.number &&
		p->min.number < p->cpuinfo_min.number / 2) {
		snprintf(path, sizeof(path), "%s/scaling_min_freq", p->dir);
		snprintf(why, sizeof(why), "%lld, below cpuinfo_min_freq: digits are missing",
			(long long)p->min.number);
		cut(j, path, why);
	}
	if (good(p->cpuinfo_max) && !p->cpuinfo_max.number)
		odd(j, p->dir, "cpuinfo_max_freq", "0");
	else if (good(p->cpuinfo_max) && good(p->cpuinfo_min) &&
		 p->cpuinfo_max.number < p->cpuinfo_min.number)
		odd(j, p->dir, "cpuinfo_max_freq", "below cpuinfo_min_freq");
	if (policy_plausible(p) && good(p->min) && p->min.number > p->max.number)
		odd(j, p->dir, "scaling_min_freq", "above scaling_max_freq");
	/* The mailbox's own reading; table drivers read above their table when boost runs. */
	if (!strcmp(j->d->driver, "pcc-cpufreq") && good(p->cpuinfo_cur) && good(p->cpuinfo_max) &&
		p->cpuinfo_cur.number > p->cpuinfo_max.number) {
		snprintf(why, sizeof(why), "%lld, above cpuinfo_max_freq",
			(long long)p->cpuinfo_cur.number);
		odd(j, p->dir, "cpuinfo_cur_freq", why);
	}
}

/* Files of the kernel that are never empty. */
static void check_whole(struct judge *j, const char *path)
{
	char buf[4096];

	if (!tree_read(j->f->tree, buf, sizeof(buf), "%s", path))
		cut(j, path, "empty");
}

static void judge_values(struct judge *j)
{
	static const char intel[] = "/sys/devices/system/cpu/intel_pstate";
	const struct facts *f = j->f;
	const struct {
		const char *file;
		const struct value *v;
		int64_t max;
	} numbers[] = { { "num_pstates", &f->num_pstates, 255 },
		{ "max_perf_pct", &f->max_perf_pct, 100 },
		{ "min_perf_pct", &f->min_perf_pct, 100 }, { "turbo_pct", &f->turbo_pct, 100 },
		{ "no_turbo", &f->no_turbo, 1 } };
	char why[64], path[160];

	for (size_t i = 0; i < ARRAY_LEN(numbers); i++) {
		const struct value *v = numbers[i].v;

		snprintf(path, sizeof(path), "%s/%s", intel, numbers[i].file);
		if (v->state == VALUE_EMPTY)
			cut(j, path, "empty");
		else if (v->state == VALUE_BAD)
			odd(j, intel, numbers[i].file, "not a number");
		if (!good(*v) || (v->number >= 0 && v->number <= numbers[i].max))
			continue;
		if (v->number > INT32_MAX && v->number <= UINT32_MAX)
			snprintf(why, sizeof(why), "%lld, which is %d as a signed number",
				(long long)v->number, (int32_t)(uint32_t)v->number);
		else
			snprintf(why, sizeof(why), "%lld", (long long)v->number);
		odd(j, intel, numbers[i].file, why);
	}
	for (size_t i = 0; i < f->nr_policies; i++)
		check_policy(j, &f->policies[i]);
	check_whole(j, "/proc/version");
	check_whole(j, "/proc/cmdline");
	check_whole(j, CPU_PRESENT);
	check_whole(j, "/sys/devices/system/cpu/online");
	if (f->cpuinfo_cut)
		cut(j, "/proc/cpuinfo", "ends within a line");
}

static void judge_offline(struct judge *j)
{
	const struct facts *f = j->f;
	struct finding *g;
	int missing = 0, first = -1;

	if (f->offline_cpu >= 0) {
		g = add(j, FINDING_OFFLINE, SEVERITY_INFO);
		evidence(g, "/sys/devices/system/cpu", "cpu%d/online 0", f->offline_cpu);
	}
	if (!f->present.known || !f->online.known)
		return;
	for (int cpu = 0; cpu < CPU_NUMBERS_MAX; cpu++) {
		if (!cpu_numbers_has(&f->present, cpu) || cpu_numbers_has(&f->online, cpu))
			continue;
		first = first < 0 ? cpu : first;
		missing++;
	}
	if (!missing)
		return;
	g = add(j, FINDING_OFFLINE, SEVERITY_INFO);
	evidence(g, CPU_PRESENT, "%d CPUs", f->present.nr);
	evidence(g, "/sys/devices/system/cpu/online", "%d CPUs, CPU %d is not among them",
		f->online.nr, first);
	advise(g, "cpuN/online", "sysfs", "1 for CPU %d (if not wanted offline)", first);
}

/* Siblings that were never started: by the command line, or by the control file. */
static void judge_smt(struct judge *j)
{
	static const char *const keys[] = { "nosmt", "nr_cpus", "maxcpus", "possible_cpus" };
	const struct facts *f = j->f;
	bool off = text_is(&f->smt_control, "off") || text_is(&f->smt_control, "forceoff");
	bool side = found(j, FINDING_CPC_MISSING) || found(j, FINDING_CUR_ABOVE) ||
		    found(j, FINDING_CLAMPED) || found(j, FINDING_LIMITS_STALE);
	char word[32], line[256];
	struct finding *g;

	if (j->guest)
		return;
	if (off) {
		g = add(j, FINDING_SMT, side ? SEVERITY_PROBLEM : SEVERITY_WARN);
		evidence(g, "/sys/devices/system/cpu/smt/control", "%s", f->smt_control.s);
	}
	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		if (!facts_param(f, keys[i], word, sizeof(word)))
			continue;
		g = add(j, FINDING_SMT, side ? SEVERITY_PROBLEM : SEVERITY_WARN);
		evidence(g, "/proc/cmdline", "%s%s%s", keys[i], *word ? "=" : "", word);
	}
	if (facts_log(f, "SMT: Force disabled", line, sizeof(line)) ||
		facts_log(f, "SMT: disabled", line, sizeof(line))) {
		g = add(j, FINDING_SMT, side ? SEVERITY_PROBLEM : SEVERITY_WARN);
		evidence(g, "dmesg", "%s", line);
	}
}

void judge_input(struct judge *j)
{
	judge_values(j);
	judge_offline(j);
	judge_smt(j);
	judge_unreadable(j);
}
