// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Energy counters and the power limit of Intel's kind: 32 bits in the machine's unit, which wrap,
 * with the energy at the last end of the update period. The limit can only be read: it is the
 * machine's.
 */
#include "sim/hw.h"
#include "sim/internal.h"

#include <errno.h>
#include <math.h>

enum { POWER_UNIT = 3, TIME_UNIT = 10 }; /* 1/8 W, 1/1024 s: as on all Intel parts known here */

static uint64_t counter(struct sim *s, struct sim_package *p, enum meter meter)
{
	package_close(s, p);
	return (uint64_t)((unsigned __int128)p->latched[meter] * 1000 / s->m->rapl_unit_nj) &
	       0xffffffff;
}

/* Bits 7:0 of a limit's window: 2^y (1 + f/4) time units. */
static uint64_t window(int64_t tau_ns)
{
	double units = (double)tau_ns / 1e9 * (1 << TIME_UNIT);
	int y = units >= 1 ? (int)log2(units) : 0, f;

	y = y < 31 ? y : 31;
	f = (int)(4 * (units / pow(2, y) - 1));
	f = f < 0 ? 0 : f > 3 ? 3 : f;
	return (uint64_t)(f << 5 | y);
}

static uint64_t limits(const struct machine *m)
{
	uint64_t pl1 = (uint64_t)m->pl1_mw * (1 << POWER_UNIT) / 1000;
	uint64_t pl2 = (uint64_t)m->pl2_mw * (1 << POWER_UNIT) / 1000;
	uint64_t on = 1ULL << 15 | 1ULL << 16;

	return pl1 | on | window(m->pl1_tau_ns) << 17 | (pl2 | on) << 32;
}

int rapl_read(struct sim *s, int cpu, uint32_t reg, uint64_t *value)
{
	struct sim_package *p = &s->packages[s->cpus[cpu].core->package];
	const struct machine *m = s->m;

	if (!m->rapl_unit_nj || m->platform.vendor == VENDOR_AMD)
		return -EIO;
	switch (reg) {
	case MSR_RAPL_POWER_UNIT:
		*value = POWER_UNIT | (uint64_t)lround(log2(1e9 / m->rapl_unit_nj)) << 8 |
			 TIME_UNIT << 16;
		return 0;
	case MSR_PKG_POWER_LIMIT:
		*value = limits(m);
		return 0;
	case MSR_PKG_ENERGY_STATUS:
		*value = counter(s, p, METER_PACKAGE);
		return 0;
	case MSR_PP0_ENERGY_STATUS:
		*value = counter(s, p, METER_CORES);
		return 0;
	case MSR_PP1_ENERGY_STATUS:
		*value = counter(s, p, METER_DEVICES);
		return 0;
	default:
		return -EIO;
	}
}
