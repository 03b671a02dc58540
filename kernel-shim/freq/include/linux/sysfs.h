/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Attributes. Those of a governor are the tunables of the policy, by the same names. */
#pragma once

#include <linux/list.h>
#include <linux/mutex.h>
#include <shim/policy.h>

/* Of the C library, for what attributes print and read: one unsigned number each. */
int sprintf(char *buf, const char *format, ...);
int sscanf(const char *buf, const char *format, ...);

int kstrtouint(const char *text, unsigned int base, unsigned int *ret) SHIM_HIDDEN;

#define __ATTR_RO(name)                                                                            \
	{                                                                                          \
		{ #name, 0444 }, name##_show, NULL                                                 \
	}
#define __ATTR_RW(name)                                                                            \
	{                                                                                          \
		{ #name, 0644 }, name##_show, name##_store                                         \
	}
#define ATTRIBUTE_GROUPS(name)                                                                     \
	static const struct attribute_group name##_group = { name##_attrs };                       \
	static const struct attribute_group *name##_groups[] = { &name##_group, NULL }

/* The set of attributes that the kobject is in becomes the policy's tunables. */
#define kobject_init_and_add(kobject, type, parent, ...)                                           \
	((void)(parent), shim_policy->tunables = (type),                                           \
		shim_policy->attr_set = container_of(kobject, struct gov_attr_set, kobj), 0)
#define kobject_put(kobject) ((void)(kobject))

extern const struct sysfs_ops governor_sysfs_ops SHIM_HIDDEN;

static inline struct gov_attr_set *to_gov_attr_set(struct kobject *kobj)
{
	return container_of(kobj, struct gov_attr_set, kobj);
}

static inline void gov_attr_set_init(struct gov_attr_set *set, struct list_head *node)
{
	INIT_LIST_HEAD(&set->policy_list);
	set->usage_count = 1;
	list_add(node, &set->policy_list);
}

static inline void gov_attr_set_get(struct gov_attr_set *set, struct list_head *node)
{
	set->usage_count++;
	list_add(node, &set->policy_list);
}

static inline unsigned int gov_attr_set_put(struct gov_attr_set *set, struct list_head *node)
{
	list_del(node);
	return (unsigned int)--set->usage_count;
}
