// SPDX-License-Identifier: GPL-2.0-or-later
#include "policy/idle/private.h"

#include "policy/idle/menu.h"

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

bool idle_private(const struct idle_cpu *cpu, int column, char *buf, size_t size)
{
	if (!strncmp(cpu->governor->name, "menu@", 5))
		return menu_private(cpu->state, column, buf, size);
	return false;
}
