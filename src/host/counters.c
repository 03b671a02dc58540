// SPDX-License-Identifier: GPL-2.0-or-later
#include "host/counters.h"
#include "base/units.h"
#include "host/readfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { STAT_BYTES_MAX = 4 << 20 };

/* One state of one CPU. -errno when the CPU has no such state. */
static int read_state(const char *root, int cpu, int state, struct host_idle_state *sum)
{
	uint64_t usage, time_us, disabled;
	char dir[96], path[128];
	int code;

	snprintf(dir, sizeof(dir), "/sys/devices/system/cpu/cpu%d/cpuidle/state%d", cpu, state);
	snprintf(path, sizeof(path), "%s/usage", dir);
	code = host_read_u64(root, path, &usage);
	if (code)
		return code;
	snprintf(path, sizeof(path), "%s/time", dir);
	code = host_read_u64(root, path, &time_us);
	if (code)
		return code;
	sum->usage += usage;
	sum->time_us += time_us;
	snprintf(path, sizeof(path), "%s/disable", dir);
	if (!host_read_u64(root, path, &disabled) && disabled)
		sum->disabled = true;
	if (sum->name[0])
		return 0;
	snprintf(path, sizeof(path), "%s/name", dir);
	host_read_text(root, path, sum->name, sizeof(sum->name));
	snprintf(path, sizeof(path), "%s/latency", dir);
	host_read_u64(root, path, &sum->exit_latency_us);
	snprintf(path, sizeof(path), "%s/residency", dir);
	host_read_u64(root, path, &sum->target_residency_us);
	return 0;
}

static void read_states(const char *root, int nr_cpus, struct host_counters *c)
{
	for (int cpu = 0; cpu < nr_cpus; cpu++) {
		for (int state = 0; state < IDLE_STATES_MAX; state++) {
			if (read_state(root, cpu, state, &c->states[state]))
				break;
			if (state >= c->nr_states)
				c->nr_states = state + 1;
		}
	}
}

/*
 * Busy time is taken as what is not idle: user and system time are sampled at ticks, but the idle
 * loop keeps its time exactly.
 */
static int parse_stat(char *text, struct host_counters *c)
{
	char *line, *save;
	int highest = -1;

	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		unsigned long long idle, iowait;
		int cpu;

		if (sscanf(line, "cpu%d %*u %*u %*u %llu %llu", &cpu, &idle, &iowait) != 3)
			continue;
		if (cpu < 0 || cpu >= CPUS_MAX)
			continue;
		if (cpu > highest)
			highest = cpu;
		if (cpu < (int)ARRAY_LEN(c->idle_ticks))
			c->idle_ticks[cpu] = idle + iowait;
	}
	c->nr_cpus = highest + 1;
	return highest < 0 ? -EINVAL : 0;
}

int host_counters_read(const char *root, struct host_counters *ret, struct error *err)
{
	struct host_counters c = { 0 };
	struct timespec ts;
	char *text;
	size_t len;
	int code;

	code = host_read_all(root, "/proc/stat", STAT_BYTES_MAX, &text, &len);
	if (code)
		return error_set(err, -code, "%s/proc/stat: %s", root, strerror(-code));
	memset(c.idle_ticks, 0xff, sizeof(c.idle_ticks));
	code = parse_stat(text, &c);
	free(text);
	if (code)
		return error_set(err, -code,
			"%s/proc/stat: no line 'cpuN user nice system idle iowait ...'", root);
	if (!*root) {
		clock_gettime(CLOCK_MONOTONIC, &ts);
		c.time_ns = (uint64_t)ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
	}
	read_states(root, c.nr_cpus, &c);
	*ret = c;
	return 0;
}

void host_counters_difference(const struct host_counters *before, const struct host_counters *after,
	struct workload_truth *truth)
{
	uint64_t tick_ns = NSEC_PER_SEC / sysconf(_SC_CLK_TCK);
	int nr_cpus = after->nr_cpus;

	truth->elapsed_ns = after->time_ns - before->time_ns;
	if (nr_cpus > (int)ARRAY_LEN(truth->busy_ns))
		nr_cpus = ARRAY_LEN(truth->busy_ns);
	truth->nr_cpus = nr_cpus;
	for (int cpu = 0; cpu < nr_cpus; cpu++) {
		uint64_t from = before->idle_ticks[cpu], to = after->idle_ticks[cpu], idle;

		if (from == UINT64_MAX || to == UINT64_MAX || to < from)
			continue;
		idle = (to - from) * tick_ns;
		truth->busy_ns[cpu] = idle < truth->elapsed_ns ? truth->elapsed_ns - idle : 0;
	}
	truth->nr_states = after->nr_states;
	for (int i = 0; i < after->nr_states; i++) {
		const struct host_idle_state *a = &before->states[i], *b = &after->states[i];

		snprintf(truth->state_name[i], sizeof(truth->state_name[i]), "%s", b->name);
		truth->state_usage[i] = b->usage - a->usage;
		truth->state_time_ns[i] = (b->time_us - a->time_us) * NSEC_PER_USEC;
	}
}

void host_counters_settings(const struct host_counters *counters, struct workload_env *env)
{
	for (int i = 0; i < counters->nr_states; i++) {
		const struct host_idle_state *s = &counters->states[i];
		size_t len = strlen(env->settings), room = sizeof(env->settings) - len;
		char name[sizeof(s->name)];
		int n;

		snprintf(name, sizeof(name), "%s", s->name);
		for (char *c = name; *c; c++)
			*c = *c == ' ' ? '_' : *c;
		n = snprintf(env->settings + len, room, "idle.state%d=%s %llu %llu%s\n", i, name,
			(unsigned long long)s->exit_latency_us,
			(unsigned long long)s->target_residency_us, s->disabled ? " disabled" : "");
		if (n < 0 || (size_t)n >= room)
			env->settings[len] = '\0';
	}
}
