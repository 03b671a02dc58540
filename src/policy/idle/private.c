// SPDX-License-Identifier: GPL-2.0-or-later
#include "policy/idle/private.h"

#include "policy/idle/menu.h"
#include "policy/idle/teo.h"
#include "policy/registry.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { BUCKET, FACTOR, NEXT, INTERVALS, TOTAL, BINS };

const char *const idle_private_columns[IDLE_PRIVATE_COLUMNS] = {
	[BUCKET] = "dbg_bucket",
	[FACTOR] = "dbg_cf",
	[NEXT] = "dbg_next_timer",
	[INTERVALS] = "dbg_intervals",
	[TOTAL] = "dbg_total",
	[BINS] = "dbg_bins",
};

static bool menu_private(const struct menu *m, int column, char *buf, size_t size)
{
	size_t len = 0;

	switch (column) {
	case BUCKET:
		snprintf(buf, size, "%" PRIu32, m->bucket);
		return true;
	case FACTOR:
		snprintf(buf, size, "%" PRIu32, m->factor[m->bucket]);
		return true;
	case NEXT:
		snprintf(buf, size, "%" PRIu64, m->next);
		return true;
	case INTERVALS: /* oldest first */
		for (int i = 0; i < MENU_INTERVALS && len < size; i++)
			len += (size_t)snprintf(buf + len, size - len, "%s%" PRIu32, i ? ";" : "",
				m->interval[(m->slot + (uint32_t)i) % MENU_INTERVALS]);
		return true;
	default:
		return false;
	}
}

static bool teo_private(const struct idle_cpu *cpu, int column, char *buf, size_t size)
{
	const struct teo *t = cpu->state;
	const struct teo_variant *v = cpu->governor->variant;
	size_t len = 0;

	if (column == TOTAL)
		snprintf(buf, size, "%" PRIu32, t->total);
	if (column != BINS)
		return column == TOTAL;
	for (int i = 0; i < cpu->driver->nr_states && len < size; i++) {
		const struct teo_bin *bin = &t->bins[i];

		len += (size_t)snprintf(buf + len, size - len, "%s%" PRIu32 ":%" PRIu32,
			i ? ";" : "", bin->intercepts, bin->hits);
		if (v->ask_timer == TEO_ASK_FIRST && len < size)
			len += (size_t)snprintf(buf + len, size - len, ":%" PRIu32, bin->recent);
	}
	return true;
}

bool idle_private(const struct idle_cpu *cpu, int column, char *buf, size_t size)
{
	if (!idle_governor_is_builtin(cpu->governor))
		return false;
	if (!strncmp(cpu->governor->name, "menu@", 5))
		return menu_private(cpu->state, column, buf, size);
	if (!strncmp(cpu->governor->name, "teo@", 4))
		return teo_private(cpu, column, buf, size);
	return false;
}
