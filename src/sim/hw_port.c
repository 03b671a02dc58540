// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * P-states asked for through an I/O port, as ACPI's _PSS of pss_space io gives it: the value is the
 * number of the entry, and asks for the CPU that executes the access. A value beyond the table is
 * kept and asks for nothing.
 */
#include "sim/hw.h"
#include "sim/internal.h"

#include <errno.h>

enum { PORT_NS = 1000 }; /* an access to a legacy port takes about a microsecond on any x86 */

static bool own(const struct platform *p, uint16_t port)
{
	return p->pss_space == PSS_IO && p->pss_port == port;
}

int pss_port_read(struct sim *s, int64_t *now_ns, int cpu, uint16_t port, uint32_t *value)
{
	if (!own(&s->m->platform, port))
		return -EIO;
	*now_ns += PORT_NS;
	*value = s->cpus[cpu].registers.pss_port;
	return 0;
}

int pss_port_write(struct sim *s, int64_t *now_ns, int cpu, uint16_t port, uint32_t value)
{
	const struct platform *p = &s->m->platform;

	if (!own(p, port))
		return -EIO;
	*now_ns += PORT_NS;
	s->cpus[cpu].registers.pss_port = value;
	if (value < (uint32_t)p->nr_pss)
		msr_request(s, *now_ns, cpu, machine_pss_khz(s->m, (int)value));
	return 0;
}
