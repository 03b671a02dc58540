// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Power, watched from outside: what each package takes is worked out anew from what its CPUs and
 * devices do after each event, integrated, and held against the simulator's own books; the limit
 * holds, and devices and cores are cut only when it binds.
 */
#include "sim/internal.h"

#include <errno.h>
#include <math.h>

/*
 * The average over PL1's time constant may lie so far above PL1, and that over SHORT_NS above PL2:
 * a limit acts a period after what it limits, and a load that comes and goes faster is cut for its
 * mean.
 */
static const double margin = 1.03, short_margin = 1.15;
enum { SHORT_NS = 20000000 };

static uint64_t cores_uw(const struct sim *s, int package)
{
	uint64_t uw = 0;

	for (int i = 0; i < s->m->nr_cores; i++) {
		const struct sim_core *core = &s->cores[i];
		int threads[ARRAY_LEN(core->threads)];

		if (core->package != package)
			continue;
		for (int n = 0; n < core->nr_threads; n++) {
			const struct sim_cpu *c = core->threads[n];

			threads[n] = c->act == ACT_OFF ? THREAD_OFFLINE
				     : c->act == ACT_IDLE || c->act == ACT_IDLE_WAKE ? c->state
										     : THREAD_RUNS;
		}
		uw += machine_core_busy_uw(
			s->m, threads, core->nr_threads, core->khz, core_permille(core));
	}
	return uw;
}

static bool counts(const struct sim *s, const struct sim_package *p, int package)
{
	return package == p->id || s->m->uncore_together;
}

static uint64_t uncore_uw(const struct sim *s, const struct sim_package *p)
{
	uint32_t khz = 0;
	bool awake = false;

	for (int i = 0; i < s->nr_cpus; i++) {
		const struct sim_cpu *c = &s->cpus[i];

		if (!counts(s, p, c->core->package) || c->act == ACT_OFF)
			continue;
		awake |= c->state < 0 || s->m->idle_real[c->state].keeps_uncore;
	}
	for (int i = 0; i < s->m->nr_devices; i++)
		awake |= s->m->devices[i].package >= 0 && counts(s, p, s->m->devices[i].package) &&
			 s->devices[i].served;
	for (int i = 0; i < s->m->nr_packages; i++)
		if (counts(s, p, i) && s->packages[i].nr_cores_voting && s->packages[i].khz > khz)
			khz = s->packages[i].khz;
	return machine_uncore_uw(s->m, awake, khz ? khz : p->khz);
}

static uint64_t devices_uw(const struct sim *s, int package)
{
	uint64_t uw = 0;

	for (int i = 0; i < s->m->nr_devices; i++) {
		const struct sim_device *d = &s->devices[i];

		if (d->def->package == package)
			uw += device_uw(d->def, d->served != NULL, d->khz);
	}
	return uw;
}

static const char *fault_of_limit(const struct sim *s, const struct sim_package *p)
{
	const struct check_power *c = &p->check;
	double pl1 = 1000.0 * s->m->pl1_mw, pl2 = 1000.0 * s->m->pl2_mw;
	bool lowest = p->budget.khz && p->budget.khz <= s->m->min_khz;

	if (!p->budget.possible || lowest)
		return NULL;
	if (c->average_uw > pl1 * margin && c->short_uw > pl1 * margin)
		return "more than PL1 for its time in package";
	if (c->short_uw > pl2 * short_margin)
		return "more than PL2 in package";
	return NULL;
}

static const char *fault_of_sharing(const struct sim *s, const struct sim_package *p)
{
	for (int i = 0; i < s->m->nr_devices; i++) {
		const struct sim_device *d = &s->devices[i];

		if (d->def->package != p->id || !d->max_khz)
			continue;
		if (d->khz < d->def->power.khz[0] || d->khz > d->max_khz)
			return "a device's clock is out of range in package";
		if (d->khz < d->max_khz && !budget_limits(s, p->id))
			return "a device is cut without need in package";
	}
	if (p->budget.khz && !budget_limits(s, p->id))
		return "cores are cut without need in package";
	return NULL;
}

static void advance(const struct sim *s, struct check_power *c, int64_t ns)
{
	double tau = (double)s->m->pl1_tau_ns;
	double keeps = tau > 0 ? exp(-(double)ns / tau) : 0;
	double keeps_short = exp(-(double)ns / SHORT_NS);

	c->average_uw = c->uw + (c->average_uw - c->uw) * keeps;
	c->short_uw = c->uw + (c->short_uw - c->uw) * keeps_short;
	c->uj += c->uw * (double)ns / 1e9;
}

const char *check_power_step(struct sim *s, struct sim_package *p)
{
	struct check_power *c = &p->check;
	uint64_t cores = cores_uw(s, p->id), uncore = uncore_uw(s, p);
	uint64_t devices = devices_uw(s, p->id);
	const char *fault;

	if (s->now_ns > c->since_ns)
		advance(s, c, s->now_ns - c->since_ns);
	c->since_ns = s->now_ns;
	c->uw = (double)(cores + uncore + devices);
	if (cores != p->cores_uw)
		return "power of the cores is not what they do in package";
	if (uncore != p->uncore_uw)
		return "power of the uncore is not what it does in package";
	if (devices != p->devices_uw)
		return "power of the devices is not what they do in package";
	fault = fault_of_limit(s, p);
	return fault ? fault : fault_of_sharing(s, p);
}

int check_power_end(struct sim *s, struct error *err)
{
	for (int i = 0; i < s->m->nr_packages; i++) {
		struct sim_package *p = &s->packages[i];
		double booked = (double)(p->cores_uj + p->uncore_uj + p->devices_uj), devices = 0;
		double took;

		advance(s, &p->check, s->end_ns - p->check.since_ns);
		for (int n = 0; n < s->m->nr_devices; n++)
			if (s->m->devices[n].package == i)
				devices += (double)s->devices[n].uj;
		took = p->check.uj + p->lump_uj;
		if (fabs(booked - took) > 4 + 1e-9 * booked) /* what is below 1 uJ is not booked */
			return error_set(err, EPROTO,
				"simulator fault: package %d took %.0f uJ, %.0f are booked", i,
				took, booked);
		if (fabs(devices - (double)p->devices_uj) > 1 + DEVICES_MAX)
			return error_set(err, EPROTO,
				"simulator fault: devices of package %d took %.0f uJ, it has "
				"%llu for them",
				i, devices, (unsigned long long)p->devices_uj);
	}
	return 0;
}
