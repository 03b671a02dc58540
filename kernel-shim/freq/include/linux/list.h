/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Doubly linked rings with a head. */
#pragma once

#include <shim/types.h>

static inline void INIT_LIST_HEAD(struct list_head *list)
{
	list->next = list->prev = list;
}

static inline void list_add(struct list_head *entry, struct list_head *head)
{
	entry->prev = head;
	entry->next = head->next;
	head->next->prev = entry;
	head->next = entry;
}

static inline void list_del(struct list_head *entry)
{
	entry->prev->next = entry->next;
	entry->next->prev = entry->prev;
}

#define list_for_each_entry(entry, head, member)                                                   \
	for ((entry) = container_of((head)->next, __typeof__(*(entry)), member);                   \
		&(entry)->member != (head);                                                        \
		(entry) = container_of((entry)->member.next, __typeof__(*(entry)), member))
