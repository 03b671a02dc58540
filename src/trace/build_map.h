/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers found by a 64-bit key (pid, address of a timer, sector): open addressing, linear
 * probing, so that a look-up touches one or two cache lines. A zeroed map is an empty one.
 */
#pragma once

#include <stdint.h>

#define MAP_NONE UINT32_MAX

struct map {
	struct map_slot {
		uint64_t key;
		uint32_t value; /* MAP_NONE: empty */
	} * slots;
	uint32_t size; /* a power of two, or 0 */
	uint32_t used;
};

/* MAP_NONE if key is not there. */
uint32_t map_get(const struct map *m, uint64_t key);

/* Adds key or replaces its value, which must not be MAP_NONE. 0 or -ENOMEM. */
int map_set(struct map *m, uint64_t key, uint32_t value);

void map_remove(struct map *m, uint64_t key);
void map_release(struct map *m);
