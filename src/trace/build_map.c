// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/build_map.h"

#include <errno.h>
#include <stdlib.h>

enum { MAP_SIZE_MIN = 64 };

static uint32_t place(const struct map *m, uint64_t key)
{
	/* Keys are often multiples of a power of two: the high bits of the product are mixed best.
	 */
	return (uint32_t)(key * 0x9e3779b97f4a7c15ULL >> 32) & (m->size - 1);
}

/* The slot of key, or the empty one where it would go. */
static struct map_slot *find(const struct map *m, uint64_t key)
{
	uint32_t i = place(m, key);

	while (m->slots[i].value != MAP_NONE && m->slots[i].key != key)
		i = (i + 1) & (m->size - 1);
	return &m->slots[i];
}

uint32_t map_get(const struct map *m, uint64_t key)
{
	return m->size ? find(m, key)->value : MAP_NONE;
}

static int grow(struct map *m)
{
	struct map old = *m;
	uint32_t size = old.size ? old.size * 2 : MAP_SIZE_MIN;
	struct map_slot *slots = malloc(size * sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	for (uint32_t i = 0; i < size; i++)
		slots[i].value = MAP_NONE;
	m->slots = slots;
	m->size = size;
	for (uint32_t i = 0; i < old.size; i++)
		if (old.slots[i].value != MAP_NONE)
			*find(m, old.slots[i].key) = old.slots[i];
	free(old.slots);
	return 0;
}

int map_set(struct map *m, uint64_t key, uint32_t value)
{
	struct map_slot *s;

	/* At most half full: probes stay short. */
	if (m->used >= m->size / 2 && grow(m))
		return -ENOMEM;
	s = find(m, key);
	if (s->value == MAP_NONE)
		m->used++;
	s->key = key;
	s->value = value;
	return 0;
}

void map_remove(struct map *m, uint64_t key)
{
	uint32_t hole, i;

	if (!m->size || find(m, key)->value == MAP_NONE)
		return;
	hole = i = (uint32_t)(find(m, key) - m->slots);
	m->used--;
	/* Those behind move up, unless that would put them before their place. */
	for (;;) {
		uint32_t home;

		i = (i + 1) & (m->size - 1);
		if (m->slots[i].value == MAP_NONE)
			break;
		home = place(m, m->slots[i].key);
		if (((i - home) & (m->size - 1)) >= ((i - hole) & (m->size - 1))) {
			m->slots[hole] = m->slots[i];
			hole = i;
		}
	}
	m->slots[hole].value = MAP_NONE;
}

void map_release(struct map *m)
{
	free(m->slots);
	*m = (struct map){ 0 };
}
