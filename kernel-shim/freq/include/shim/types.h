/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cpufreq's structures, and those of the kernel's work, locks and attributes, with the members that
 * governors use, in our own layout: nothing outside a plug-in sees them.
 */
#pragma once

#include <linux/ktime.h>

#define container_of(pointer, type, member) ((type *)((char *)(pointer)-offsetof(type, member)))

/* Settings of a kernel for x86 with a tickless idle loop. */
#define CONFIG_X86 1
#define CONFIG_NO_HZ_COMMON 1

typedef long ssize_t;

/* ---- lists, locks ---- */

struct list_head {
	struct list_head *next, *prev;
};

/* Governors are called one at a time: nothing has to be locked. */
struct mutex {
	int none;
};

typedef struct {
	int none;
} raw_spinlock_t;

typedef struct {
	int counter;
} atomic_t;

/* ---- work ---- */

struct irq_work {
	void (*func)(struct irq_work *work);
};

struct work_struct {
	void (*func)(struct work_struct *work);
};

struct kthread_work {
	void (*func)(struct kthread_work *work);
};

struct kthread_worker {
	int none;
};

struct task_struct {
	int none;
};

/* ---- attributes: a governor's tunables ---- */

struct attribute {
	const char *name;
	unsigned short mode;
};

struct attribute_group {
	struct attribute **attrs;
};

struct kobject {
	int none;
};

struct sysfs_ops {
	ssize_t (*show)(struct kobject *kobj, struct attribute *attr, char *buf);
	ssize_t (*store)(
		struct kobject *kobj, struct attribute *attr, const char *buf, size_t count);
};

struct kobj_type {
	void (*release)(struct kobject *kobj);
	const struct sysfs_ops *sysfs_ops;
	const struct attribute_group **default_groups;
};

struct gov_attr_set {
	struct kobject kobj;
	struct list_head policy_list;
	struct mutex update_lock;
	int usage_count;
};

struct governor_attr {
	struct attribute attr;
	ssize_t (*show)(struct gov_attr_set *set, char *buf);
	ssize_t (*store)(struct gov_attr_set *set, const char *buf, size_t count);
};

/* ---- cpufreq ---- */

#define CPUFREQ_NAME_LEN 16

#define CPUFREQ_RELATION_L 0	  /* lowest frequency at or above the target */
#define CPUFREQ_RELATION_H 1	  /* highest frequency at or below it */
#define CPUFREQ_RELATION_C 2	  /* closest to it */
#define CPUFREQ_RELATION_E BIT(2) /* an efficient one, if the table tells which are */
#define CPUFREQ_RELATION_LE (CPUFREQ_RELATION_L | CPUFREQ_RELATION_E)
#define CPUFREQ_RELATION_HE (CPUFREQ_RELATION_H | CPUFREQ_RELATION_E)
#define CPUFREQ_RELATION_CE (CPUFREQ_RELATION_C | CPUFREQ_RELATION_E)

#define CPUFREQ_NEED_UPDATE_LIMITS BIT(0)
#define CPUFREQ_GOV_DYNAMIC_SWITCHING BIT(0)
#define CPUFREQ_GOV_STRICT_TARGET BIT(1)

/* A policy's CPUs are numbered from 0, so a set of them is how many there are. */
struct cpumask {
	unsigned int nr;
};

typedef struct cpumask cpumask_var_t[1];

struct cpufreq_frequency_table {
	unsigned int flags, driver_data, frequency;
};

struct cpufreq_cpuinfo {
	unsigned int max_freq, min_freq, transition_latency;
};

struct cpufreq_governor;

struct cpufreq_policy {
	cpumask_var_t cpus, related_cpus;
	unsigned int cpu;
	struct cpufreq_cpuinfo cpuinfo;
	unsigned int min, max, cur;
	unsigned int transition_delay_us;
	struct cpufreq_governor *governor;
	void *governor_data;
	struct cpufreq_frequency_table *freq_table;
	struct kobject kobj;
	bool fast_switch_possible, fast_switch_enabled;
	bool dvfs_possible_from_any_cpu;
};

struct cpufreq_governor {
	char name[CPUFREQ_NAME_LEN];
	int (*init)(struct cpufreq_policy *policy);
	void (*exit)(struct cpufreq_policy *policy);
	int (*start)(struct cpufreq_policy *policy);
	void (*stop)(struct cpufreq_policy *policy);
	void (*limits)(struct cpufreq_policy *policy);
	ssize_t (*show_setspeed)(struct cpufreq_policy *policy, char *buf);
	int (*store_setspeed)(struct cpufreq_policy *policy, unsigned int freq);
	void *owner;
	u8 flags;
};

/* What the scheduler calls; governors hold it inside a structure of their own. */
struct update_util_data {
	void (*func)(struct update_util_data *data, u64 time, unsigned int flags);
};
