// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes the governor that a kernel file registers a frequency governor of policy.h. Compiled
 * together with that file (and others beside it) into one plug-in; see shim/policy.h for how the
 * state is kept per policy and CPU.
 *
 * Order: the file's initcall registers the governor when the plug-in is loaded; then per policy
 * init, tune, start, limits, and hooks and work.
 */
#include <linux/cpufreq.h>
#include <linux/irq_work.h>
#include <linux/kthread.h>
#include <linux/sched/cpufreq.h>

__thread struct shim_policy *shim_policy __attribute__((tls_model("initial-exec")));

/* Ends of the section; the anchor aligns it. */
extern SHIM_HIDDEN char __start_shim_percpu[], __stop_shim_percpu[];

enum { PERCPU_ALIGN = 64 };

static SHIM_PERCPU_SECTION char percpu_anchor[PERCPU_ALIGN]
	__attribute__((used, aligned(PERCPU_ALIGN)));
SHIM_PERCPU_SECTION struct update_util_data *shim_hook;

/* Nobody reads attributes through the file system here. */
const struct sysfs_ops governor_sysfs_ops;

static struct cpufreq_governor *registered;

static size_t percpu_stride(void)
{
	size_t size = (size_t)(__stop_shim_percpu - __start_shim_percpu);

	return (size + PERCPU_ALIGN - 1) & -(size_t)PERCPU_ALIGN;
}

/* Where the CPUs' parts begin: behind the policy's, aligned. */
static uintptr_t percpu_of(const struct shim_policy *shim)
{
	return ((uintptr_t)(shim + 1) + PERCPU_ALIGN - 1) & -(uintptr_t)PERCPU_ALIGN;
}

static void percpu_init(struct shim_policy *shim, int nr_cpus)
{
	uintptr_t start = (uintptr_t)__start_shim_percpu, copy = percpu_of(shim);

	shim->percpu_stride = percpu_stride();
	shim->percpu_offset = (intptr_t)(copy - start);
	for (int i = 0; i < nr_cpus; i++)
		memcpy((void *)(copy + (size_t)i * shim->percpu_stride), __start_shim_percpu,
			(size_t)(__stop_shim_percpu - __start_shim_percpu));
}

int cpufreq_frequency_table_target(struct cpufreq_policy *policy, unsigned int target,
	unsigned int min, unsigned int max, unsigned int relation)
{
	const struct cpufreq_frequency_table *table = policy->freq_table;
	int nr = shim_policy->snapshot->driver.nr_khz, above;

	target = clamp(target, min, max);
	for (above = 0; above < nr; above++)
		if (table[above].frequency >= target)
			break;
	if (above == nr)
		return nr - 1;
	if (above == 0 || table[above].frequency == target)
		return above;
	switch (relation & ~CPUFREQ_RELATION_E) {
	case CPUFREQ_RELATION_H:
		return above - 1;
	case CPUFREQ_RELATION_C:
		return target - table[above - 1].frequency > table[above].frequency - target
			       ? above
			       : above - 1;
	default:
		return above;
	}
}

int kstrtouint(const char *text, unsigned int base, unsigned int *ret)
{
	unsigned long number = 0;

	if (!*text)
		return -EINVAL;
	for (; *text; text++) {
		if (*text < '0' || *text > '9' || number > UINT_MAX)
			return -EINVAL;
		number = number * 10 + (unsigned long)(*text - '0');
	}
	if (number > UINT_MAX)
		return -EINVAL;
	*ret = (unsigned int)number;
	return 0;
}

/* ---- calls ---- */

static __always_inline struct shim_policy *enter(
	void *state, const struct freq_snapshot *s, struct freq_actions *actions)
{
	struct shim_policy *shim = state;

	shim_policy = shim;
	shim->snapshot = s;
	shim->actions = actions;
	shim->policy.cur = s->cur_khz;
	shim->policy.min = s->min_khz;
	shim->policy.max = s->max_khz;
	return shim;
}

static void set_table(struct shim_policy *shim, const struct driver_info *driver)
{
	if (!driver->nr_khz)
		return;
	BUG_ON(driver->nr_khz > SHIM_PSTATES_MAX);
	for (int i = 0; i < driver->nr_khz; i++)
		shim->table[i].frequency = driver->khz[i];
	shim->policy.freq_table = shim->table;
}

static void shim_init(
	const struct freq_governor *governor, void *state, const struct freq_snapshot *s)
{
	struct shim_policy *shim = enter(state, s, NULL);
	struct cpufreq_policy *policy = &shim->policy;
	u32 delay_us = s->driver.transition_delay_us;

	percpu_init(shim, s->nr_cpus);
	policy->cpus->nr = policy->related_cpus->nr = (unsigned int)s->nr_cpus;
	policy->cpuinfo.min_freq = s->cpuinfo_min_khz;
	policy->cpuinfo.max_freq = s->cpuinfo_max_khz;
	policy->transition_delay_us = delay_us ? delay_us : USEC_PER_MSEC;
	policy->fast_switch_possible = s->driver.fast_switch;
	policy->dvfs_possible_from_any_cpu = s->driver.any_cpu;
	policy->governor = registered;
	set_table(shim, &s->driver);
	if (registered->init)
		BUG_ON(registered->init(policy));
}

static bool same(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

static size_t length(const char *text)
{
	size_t n = 0;

	while (text[n])
		n++;
	return n;
}

/* The kernel's own store function takes the text, as from sysfs. */
static int shim_tune(void *state, const char *key, const char *value)
{
	struct shim_policy *shim = state;

	shim_policy = shim;
	if (registered->store_setspeed && same(key, "scaling_setspeed"))
		return kstrtouint(value, 10, &shim->setspeed);
	if (!shim->tunables)
		return -ENOENT;
	for (const struct attribute_group **g = shim->tunables->default_groups; g && *g; g++) {
		for (struct attribute **a = (*g)->attrs; *a; a++) {
			struct governor_attr *attr = container_of(*a, struct governor_attr, attr);

			if (!same((*a)->name, key))
				continue;
			if (!attr->store || value[0] < '0' || value[0] > '9')
				return -EINVAL;
			return attr->store(shim->attr_set, value, length(value)) < 0 ? -EINVAL : 0;
		}
	}
	return -ENOENT;
}

static void shim_start(void *state, const struct freq_snapshot *s, struct freq_actions *actions)
{
	struct shim_policy *shim = enter(state, s, actions);

	if (registered->start)
		BUG_ON(registered->start(&shim->policy));
	/* As if it had been set before: the look at the limits, which follows, asks for it. */
	shim->actions = NULL;
	if (registered->store_setspeed && shim->setspeed)
		registered->store_setspeed(&shim->policy, shim->setspeed);
}

static void shim_stop(void *state)
{
	struct shim_policy *shim = state;

	shim_policy = shim;
	if (registered->stop)
		registered->stop(&shim->policy);
}

static void shim_limits(void *state, const struct freq_snapshot *s, struct freq_actions *actions)
{
	struct shim_policy *shim = enter(state, s, actions);

	if (registered->limits)
		registered->limits(&shim->policy);
}

static void shim_on_util(void *state, const struct util_event *event, const struct freq_snapshot *s,
	struct freq_actions *actions)
{
	struct shim_policy *shim = enter(state, s, actions);
	struct update_util_data *hook;

	shim->cpu = (unsigned int)event->index;
	shim->foreign = event->foreign;
	hook = per_cpu(shim_hook, shim->cpu);
	if (hook)
		hook->func(hook, (u64)event->now_ns,
			event->flags & UTIL_IOWAIT ? SCHED_CPUFREQ_IOWAIT : 0);
}

/* The irq work, and what it queues. */
static void shim_work(void *state, const struct freq_snapshot *s, struct freq_actions *actions)
{
	struct shim_policy *shim = enter(state, s, actions);
	struct irq_work *irq_work = shim->irq_work;
	struct kthread_work *thread_work;
	struct work_struct *work;

	shim->irq_work = NULL;
	if (irq_work)
		irq_work->func(irq_work);
	work = shim->work;
	thread_work = shim->thread_work;
	shim->work = NULL;
	shim->thread_work = NULL;
	if (work)
		work->func(work);
	if (thread_work)
		thread_work->func(thread_work);
}

static char name[CPUFREQ_NAME_LEN + sizeof("@source")];

static struct freq_governor governor = {
	.name = name,
	.summary = "a kernel's own governor file, compiled against kernel-shim",
	.init = shim_init,
	.tune = shim_tune,
	.start = shim_start,
	.stop = shim_stop,
	.limits = shim_limits,
	.on_util = shim_on_util,
	.work = shim_work,
};

__attribute__((visibility("default"))) struct corepace_plugin corepace_plugin = {
	.abi = COREPACE_ABI,
};

int cpufreq_register_governor(struct cpufreq_governor *kernel_governor)
{
	static const char suffix[] = "@source";
	size_t n = 0;

	if (!kernel_governor)
		return -EINVAL;
	if (registered)
		return -EEXIST;
	registered = kernel_governor;
	while (n < CPUFREQ_NAME_LEN && kernel_governor->name[n])
		n++;
	memcpy(name, kernel_governor->name, n);
	memcpy(name + n, suffix, sizeof(suffix));
	governor.state_size = sizeof(struct shim_policy) + PERCPU_ALIGN;
	governor.cpu_state_size = percpu_stride();
	corepace_plugin.governor = &governor;
	return 0;
}
