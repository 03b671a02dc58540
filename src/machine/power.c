// SPDX-License-Identifier: GPL-2.0-or-later
#include "machine/machine.h"

#include <assert.h>

uint32_t curve_mw(const struct curve *curve, uint32_t khz)
{
	assert(curve->nr > 0);
	if (khz <= curve->khz[0])
		return curve->mw[0];
	for (int i = 1; i < curve->nr; i++) {
		int64_t width = curve->khz[i] - curve->khz[i - 1];
		int64_t rise = (int64_t)curve->mw[i] - curve->mw[i - 1];

		if (khz <= curve->khz[i])
			return curve->mw[i - 1] + rise * (khz - curve->khz[i - 1]) / width;
	}
	return curve->mw[curve->nr - 1];
}

uint32_t machine_turbo_khz(const struct machine *m, int active_cores)
{
	int i = active_cores < 1 ? 0 : active_cores - 1;

	if (!m->nr_turbo)
		return m->max_khz;
	return m->turbo_khz[i < m->nr_turbo ? i : m->nr_turbo - 1];
}

/*
 * One running thread costs core_active whatever its sibling halts in; a sibling that polls beside
 * it adds nothing of its own, for a pause loop takes few of the core's resources: the core then
 * costs the dearer of the two. A core all of whose threads are offline rests in the deepest state,
 * as Linux parks offline CPUs.
 */
uint64_t machine_core_uw(const struct machine *m, const int *threads, int nr, uint32_t khz)
{
	int running = 0, shallowest = m->idle.nr_states;
	uint64_t active, idle;

	for (int i = 0; i < nr; i++) {
		if (threads[i] == THREAD_RUNS)
			running++;
		else if (threads[i] >= 0 && threads[i] < shallowest)
			shallowest = threads[i];
	}
	if (running >= 2)
		return 1000ULL * curve_mw(&m->core_active_smt, khz);
	if (shallowest == m->idle.nr_states)
		shallowest--;
	idle = 1000ULL * curve_mw(&m->idle_real[shallowest].core_power, khz);
	if (!running)
		return idle;
	active = 1000ULL * curve_mw(&m->core_active, khz);
	return m->idle.states[shallowest].polling && idle > active ? idle : active;
}

uint64_t machine_core_busy_uw(
	const struct machine *m, const int *threads, int nr, uint32_t khz, uint32_t permille)
{
	uint64_t uw = machine_core_uw(m, threads, nr, khz), halted = 0;

	if (permille == 1000)
		return uw;
	for (int i = m->idle.nr_states - 1; i >= 0; i--)
		if (!m->idle.states[i].polling)
			halted = 1000ULL * curve_mw(&m->idle_real[i].core_power, khz);
	return uw > halted ? halted + (uw - halted) * permille / 1000 : uw;
}

uint64_t machine_uncore_uw(const struct machine *m, bool awake, uint32_t khz)
{
	return 1000ULL * (awake ? curve_mw(&m->uncore, khz) : m->floor_mw);
}
