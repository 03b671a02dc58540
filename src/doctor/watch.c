// SPDX-License-Identifier: GPL-2.0-or-later
#include "doctor/watch.h"

#include "base/units.h"
#include "doctor/facts_internal.h"
#include "doctor/judge.h"

#include <stdlib.h>
#include <string.h>

enum { MSR_MPERF = 0xe7, MSR_APERF = 0xe8 };

/* ---- reading --------------------------------------------------------------------------- */

static void read_stat(struct tree *tree, struct snapshot *s)
{
	long long user, nice, system, idle, iowait, irq, softirq, steal, n;
	char *text, *at;
	size_t len;

	if (tree_read_all(tree, "/proc/stat", &text, &len) < 0)
		return;
	if (sscanf(text, "cpu %lld %lld %lld %lld %lld %lld %lld %lld", &user, &nice, &system,
		    &idle, &iowait, &irq, &softirq, &steal) == 8) {
		s->busy = user + nice + system + irq + softirq;
		s->idle = idle;
		s->iowait = iowait;
		s->irq = irq + softirq;
		s->steal = steal;
	}
	at = strstr(text, "\nintr ");
	if (at && sscanf(at, "\nintr %lld", &n) == 1)
		s->interrupts = n;
	at = strstr(text, "\nctxt ");
	if (at && sscanf(at, "\nctxt %lld", &n) == 1)
		s->context_switches = n;
	free(text);
}

static int64_t read_pressure(struct tree *tree, const char *path)
{
	char buf[256], *at;
	long long us;

	if (tree_read(tree, buf, sizeof(buf), "%s", path) <= 0)
		return -1;
	at = strstr(buf, "total=");
	return !strncmp(buf, "some", 4) && at && sscanf(at, "total=%lld", &us) == 1 ? us : -1;
}

static void add_up(int64_t *sum, struct value v)
{
	if (good(v))
		*sum = (*sum < 0 ? 0 : *sum) + v.number;
}

static void read_state(struct tree *tree, int cpu, int state, struct snapshot *s)
{
	struct value usage, time, above, below;
	struct text name;

	if (!s->states[state].name[0]) {
		read_text(tree, &name, CPU_DIR "/cpu%d/cpuidle/state%d/name", cpu, state);
		snprintf(s->states[state].name, sizeof(s->states[state].name), "%s", name.s);
	}
	read_value(tree, &usage, CPU_DIR "/cpu%d/cpuidle/state%d/usage", cpu, state);
	read_value(tree, &time, CPU_DIR "/cpu%d/cpuidle/state%d/time", cpu, state);
	read_value(tree, &above, CPU_DIR "/cpu%d/cpuidle/state%d/above", cpu, state);
	read_value(tree, &below, CPU_DIR "/cpu%d/cpuidle/state%d/below", cpu, state);
	s->states[state].usage += usage.number;
	s->states[state].time_us += time.number;
	s->states[state].above += above.number;
	s->states[state].below += below.number;
}

static void read_cpu(const struct facts *f, int cpu, struct snapshot *s)
{
	static const char *const thermal[] = { "core_throttle_count", "package_throttle_count" };
	static const char *const power[] = { "core_power_limit_count",
		"package_power_limit_count" };
	struct value v;
	uint64_t aperf, mperf;

	for (int i = 0; i < f->idle.nr && i < WATCH_STATES_MAX; i++)
		read_state(f->tree, cpu, i, s);
	for (int i = 0; i < 2; i++) {
		read_value(f->tree, &v, CPU_DIR "/cpu%d/thermal_throttle/%s", cpu, thermal[i]);
		add_up(&s->thermal, v);
		read_value(f->tree, &v, CPU_DIR "/cpu%d/thermal_throttle/%s", cpu, power[i]);
		add_up(&s->power, v);
	}
	if (tree_msr(f->tree, cpu, MSR_APERF, &aperf) || tree_msr(f->tree, cpu, MSR_MPERF, &mperf))
		return;
	/* In units of 1024, for years of a thousand CPUs to fit. */
	s->aperf = (s->aperf < 0 ? 0 : s->aperf) + (int64_t)(aperf >> 10);
	s->mperf = (s->mperf < 0 ? 0 : s->mperf) + (int64_t)(mperf >> 10);
}

static void read_energy(const struct facts *f, struct snapshot *s)
{
	for (size_t i = 0; i < f->nr_domains; i++) {
		struct value v, range;

		if (f->domains[i].mmio || strncmp(f->domains[i].name.s, "package", 7))
			continue;
		read_value(f->tree, &v, "%s/energy_uj", f->domains[i].dir);
		read_value(f->tree, &range, "%s/max_energy_range_uj", f->domains[i].dir);
		add_up(&s->energy_uj, v);
		add_up(&s->energy_range_uj, range);
	}
}

static void read_frequency(const struct facts *f, struct snapshot *s)
{
	int64_t sum = 0, nr = 0;

	for (size_t i = 0; i < f->nr_policies; i++) {
		struct value v;

		read_value(f->tree, &v, "%s/scaling_cur_freq", f->policies[i].dir);
		sum += good(v) ? v.number : 0;
		nr += good(v);
	}
	if (nr)
		s->cur_khz = sum / nr;
}

void watch_read(const struct facts *f, int64_t now_ns, struct snapshot *ret)
{
	*ret = (struct snapshot){ .now_ns = now_ns,
		.busy = -1,
		.idle = -1,
		.iowait = -1,
		.irq = -1,
		.steal = -1,
		.interrupts = -1,
		.context_switches = -1,
		.thermal = -1,
		.power = -1,
		.energy_uj = -1,
		.energy_range_uj = -1,
		.aperf = -1,
		.mperf = -1,
		.cur_khz = -1,
		.nr_states = f->idle.nr };
	read_stat(f->tree, ret);
	ret->psi_cpu_us = read_pressure(f->tree, "/proc/pressure/cpu");
	ret->psi_io_us = read_pressure(f->tree, "/proc/pressure/io");
	for (int cpu = 0; cpu < CPU_NUMBERS_MAX; cpu++)
		if (cpu_numbers_has(&f->online, cpu))
			read_cpu(f, cpu, ret);
	read_energy(f, ret);
	read_frequency(f, ret);
}

/* ---- what lies between ----------------------------------------------------------------- */

static int64_t between(int64_t a, int64_t b)
{
	return a < 0 || b < 0 ? -1 : b - a;
}

/* Share of all CPU time, permille; -1: not known. */
static int64_t share(const struct snapshot *a, const struct snapshot *b, int64_t from, int64_t to)
{
	int64_t all;

	if (a->idle < 0 || b->idle < 0)
		return -1;
	all = b->busy - a->busy + b->idle - a->idle + b->iowait - a->iowait + b->steal - a->steal;
	return all > 0 ? 1000 * (to - from) / all : 0;
}

static int64_t busy_share(const struct snapshot *a, const struct snapshot *b)
{
	return share(a, b, a->busy, b->busy);
}

static int64_t energy(const struct snapshot *a, const struct snapshot *b)
{
	int64_t uj = between(a->energy_uj, b->energy_uj);

	if (uj < 0 && a->energy_uj >= 0 && b->energy_uj >= 0 && b->energy_range_uj > 0)
		uj += b->energy_range_uj;
	return uj;
}

/* Speed while not halted against the TSC-rate clock, permille; -1: not readable. */
static int64_t speed(const struct snapshot *a, const struct snapshot *b)
{
	int64_t aperf = b->aperf - a->aperf, mperf = b->mperf - a->mperf;

	if (a->mperf < 0 || b->mperf < 0 || mperf <= 0 || aperf < 0)
		return -1;
	return (int64_t)((__int128)aperf * 1000 / mperf);
}

static void judge_throttling(struct judge *j, const struct snapshot *a, const struct snapshot *b)
{
	int64_t thermal = between(a->thermal, b->thermal), power = between(a->power, b->power);
	struct finding *g;

	if (thermal > 0) {
		g = add(j, FINDING_THERMAL, SEVERITY_PROBLEM);
		evidence(g, "thermal_throttle, between", "%lld events", (long long)thermal);
	}
	if (power > 0) {
		g = add(j, FINDING_POWER_THROTTLED, SEVERITY_PROBLEM);
		evidence(g, "power limit, between", "%lld events", (long long)power);
	}
}

/* Busy CPUs that run at less than half of the base clock although nothing here asks for it. */
static void judge_speed(struct judge *j, const struct snapshot *a, const struct snapshot *b)
{
	int64_t permille = speed(a, b);
	bool asked = found(j, FINDING_GOVERNOR_POWERSAVE) || found(j, FINDING_SCALING_MAX) ||
		     found(j, FINDING_MAX_PERF_PCT) || found(j, FINDING_PINNED);
	struct finding *g;

	if (j->guest || permille < 0 || permille > 500 || busy_share(a, b) < 500 || asked)
		return;
	g = add(j, FINDING_CLAMPED, SEVERITY_PROBLEM);
	evidence(g, "APERF/MPERF, between", "%lld %% of base, %lld %% busy",
		(long long)permille / 10, (long long)busy_share(a, b) / 10);
}

static int64_t pressure(
	const struct snapshot *a, const struct snapshot *b, int64_t from, int64_t to)
{
	int64_t us = between(from, to);

	return us < 0 ? -1 : 1000 * us * NSEC_PER_USEC / (b->now_ns - a->now_ns);
}

static void explain(const struct snapshot *a, const struct snapshot *b, char *ret, size_t size)
{
	int64_t steal = share(a, b, a->steal, b->steal), busy = busy_share(a, b);
	int64_t cpu = pressure(a, b, a->psi_cpu_us, b->psi_cpu_us);
	int64_t io = pressure(a, b, a->psi_io_us, b->psi_io_us);

	if (steal > 50)
		snprintf(ret, size, "the host gave %lld %% of the CPU time to others",
			(long long)steal / 10);
	else if (cpu > 200 && busy > 700)
		snprintf(ret, size,
			"tasks waited for a CPU %lld %% of the time: more work than CPUs",
			(long long)cpu / 10);
	else if (io > 200)
		snprintf(ret, size, "tasks waited for I/O %lld %% of the time", (long long)io / 10);
	else if (busy >= 0 && busy < 50)
		snprintf(ret, size, "the CPUs were %lld %% idle; watch while the work runs",
			(long long)(1000 - busy) / 10);
	else
		snprintf(ret, size, "no throttling, no limit and no lost time was seen");
}

void watch_judge(const struct snapshot *a, const struct snapshot *b, struct diagnosis *d, char *ret,
	size_t size)
{
	struct judge j = { .f = d->facts, .d = d, .guest = d->facts->guest || d->facts->xen_dom0 };

	judge_throttling(&j, a, b);
	judge_speed(&j, a, b);
	diagnosis_sort(d);
	*ret = '\0';
	if (!diagnosis_count(d, SEVERITY_PROBLEM))
		explain(a, b, ret, size);
}

/* ---- printing -------------------------------------------------------------------------- */

static void print_permille(FILE *out, const char *name, int64_t permille)
{
	if (permille >= 0)
		fprintf(out, "  %-14s %lld.%lld %%\n", name, (long long)permille / 10,
			(long long)permille % 10);
}

static void print_states(
	const struct snapshot *a, const struct snapshot *b, int64_t cpu_ns, FILE *out)
{
	if (!b->nr_states)
		return;
	fprintf(out, "  %-14s %10s %9s %9s %9s\n", "idle state", "entered", "time", "too deep",
		"shallow");
	for (int i = 0; i < b->nr_states && i < WATCH_STATES_MAX; i++) {
		int64_t usage = b->states[i].usage - a->states[i].usage;
		int64_t us = b->states[i].time_us - a->states[i].time_us;

		fprintf(out, "  %-14s %10lld %7.1f %% %9lld %9lld\n", b->states[i].name,
			(long long)usage, 100.0 * (double)us * 1000 / (double)cpu_ns,
			(long long)(b->states[i].above - a->states[i].above),
			(long long)(b->states[i].below - a->states[i].below));
	}
}

void watch_text(const struct snapshot *a, const struct snapshot *b, const char *other, FILE *out)
{
	double seconds = (double)(b->now_ns - a->now_ns) / 1e9;
	int64_t ticks =
		b->busy - a->busy + b->idle - a->idle + b->iowait - a->iowait + b->steal - a->steal;

	fprintf(out, "\nBetween two snapshots, %.1f s apart\n", seconds);
	print_permille(out, "busy", busy_share(a, b));
	print_permille(out, "steal", share(a, b, a->steal, b->steal));
	print_permille(out, "I/O wait", share(a, b, a->iowait, b->iowait));
	print_permille(out, "PSI cpu", pressure(a, b, a->psi_cpu_us, b->psi_cpu_us));
	print_permille(out, "PSI io", pressure(a, b, a->psi_io_us, b->psi_io_us));
	print_permille(out, "APERF/MPERF", speed(a, b));
	if (b->cur_khz >= 0)
		fprintf(out, "  %-14s %lld MHz\n", "frequency", (long long)b->cur_khz / 1000);
	if (energy(a, b) >= 0)
		fprintf(out, "  %-14s %.1f W\n", "packages", (double)energy(a, b) / 1e6 / seconds);
	if (between(a->interrupts, b->interrupts) >= 0)
		fprintf(out, "  %-14s %.0f per s\n", "interrupts",
			(double)(b->interrupts - a->interrupts) / seconds);
	if (between(a->thermal, b->thermal) >= 0)
		fprintf(out, "  %-14s %lld thermal, %lld power limit\n", "throttled",
			(long long)(b->thermal - a->thermal),
			(long long)(between(a->power, b->power) > 0 ? b->power - a->power : 0));
	print_states(a, b, ticks > 0 ? ticks * 10000000 : 1, out);
	if (*other)
		fprintf(out, "  Not power management, because %s.\n", other);
}

json_t *watch_json(const struct snapshot *a, const struct snapshot *b, const char *other)
{
	const struct {
		const char *name;
		int64_t value;
	} counts[] = { { "elapsed_ns", b->now_ns - a->now_ns },
		{ "busy_permille", busy_share(a, b) },
		{ "steal_permille", share(a, b, a->steal, b->steal) },
		{ "iowait_permille", share(a, b, a->iowait, b->iowait) },
		{ "psi_cpu_permille", pressure(a, b, a->psi_cpu_us, b->psi_cpu_us) },
		{ "psi_io_permille", pressure(a, b, a->psi_io_us, b->psi_io_us) },
		{ "aperf_mperf_permille", speed(a, b) }, { "energy_uj", energy(a, b) },
		{ "interrupts", between(a->interrupts, b->interrupts) },
		{ "thermal_events", between(a->thermal, b->thermal) },
		{ "power_limit_events", between(a->power, b->power) } };
	json_t *o = json_object(), *states = json_array();

	for (size_t i = 0; i < ARRAY_LEN(counts); i++)
		json_object_set_new(o, counts[i].name,
			counts[i].value < 0 ? json_null() : json_integer(counts[i].value));
	for (int i = 0; i < b->nr_states && i < WATCH_STATES_MAX; i++) {
		json_t *s = json_object();

		json_object_set_new(s, "state", json_string(b->states[i].name));
		json_object_set_new(
			s, "usage", json_integer(b->states[i].usage - a->states[i].usage));
		json_object_set_new(s, "time_ns",
			json_integer(
				(b->states[i].time_us - a->states[i].time_us) * NSEC_PER_USEC));
		json_object_set_new(
			s, "above", json_integer(b->states[i].above - a->states[i].above));
		json_object_set_new(
			s, "below", json_integer(b->states[i].below - a->states[i].below));
		json_array_append_new(states, s);
	}
	json_object_set_new(o, "idle", states);
	json_object_set_new(o, "not_power_management", *other ? json_string(other) : json_null());
	return o;
}
