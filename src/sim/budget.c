// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The power limit of a package. Once in a period the processor looks at what the package took,
 * keeps a running average with PL1's time constant, and allows for the next period what brings the
 * average to PL1 and no further, at most PL2. When what cores and devices did in the last period
 * would take more than that, both are cut: each gets what it takes at its lowest clock, and of the
 * rest the devices their bias and the cores what is left; what one of them does not need the other
 * one gets. The cores' part becomes a ceiling under the turbo table's, the devices' part the clock
 * of those that have one; no core goes below the machine's lowest frequency.
 *
 * The look is left out while the package takes less than PL1 and nothing is cut: then the average
 * only falls, or rises towards less than PL1.
 *
 * Sources: running average power limits as the Intel SDM (volume 3, power and thermal management)
 * describes them; the period is of the order of the energy counters' update.
 */
#include "sim/internal.h"

#include <math.h>

enum { PERIOD_NS = 1000000, STEP_KHZ = 1000 };

static uint64_t total_uj(const struct sim_package *p)
{
	return p->cores_uj + p->uncore_uj + p->devices_uj;
}

static uint64_t highest_mw(const struct curve *c)
{
	uint64_t mw = 0;

	for (int i = 0; i < c->nr; i++)
		mw = c->mw[i] > mw ? c->mw[i] : mw;
	return mw;
}

/* Whether all that a package holds could ever take more than its limit. */
static bool can_exceed(const struct sim *s, int package)
{
	const struct machine *m = s->m;
	uint64_t core = highest_mw(&m->core_active), smt = highest_mw(&m->core_active_smt);
	uint64_t mw = highest_mw(&m->uncore);

	for (int i = 0; i < m->nr_cores; i++)
		if (s->cores[i].package == package)
			mw += core > smt ? core : smt;
	for (int i = 0; i < m->nr_devices; i++)
		if (m->devices[i].package == package)
			mw += m->devices[i].power.nr ? highest_mw(&m->devices[i].power)
						     : m->devices[i].active_mw;
	return mw > m->pl1_mw;
}

void budget_init(struct sim *s)
{
	for (int i = 0; i < s->m->nr_packages; i++) {
		struct budget *b = &s->packages[i].budget;

		node_init(&b->node, NODE_BUDGET, &s->packages[i]);
		b->sim = s;
		b->possible = s->m->pl1_mw && can_exceed(s, i);
	}
}

void budget_watch(struct sim *s, struct sim_package *p)
{
	struct budget *b = &p->budget;

	if (b->possible && !node_queued(&b->node) && package_uw(p) > 1000ULL * s->m->pl1_mw)
		queue_set(&s->queue, &b->node, s->now_ns + PERIOD_NS);
}

bool budget_limits(const struct sim *s, int package)
{
	return s->packages[package].budget.limited_since_ns > 0;
}

/* ---- what the last period would have taken --------------------------------------------- */

/* What a core takes with one thread busy, or two: most cores run at one frequency. */
struct busy_memo {
	uint32_t khz, permille;
	double uw;
};

struct demand {
	struct busy_memo *memo; /* of two */
	struct sim *s;
	const struct sim_package *p;
	double ns;	/* length of the period */
	double idle_uw; /* of cores that do not run */
	uint32_t vote_khz;
};

static uint32_t core_wish(const struct demand *d, const struct sim_core *core)
{
	return d->s->m->freq_domain == FREQ_DOMAIN_PACKAGE ? d->vote_khz : core->request_khz;
}

static double busy_uw(const struct demand *d, int nr, uint32_t khz, uint32_t permille)
{
	static const int runs[] = { THREAD_RUNS, THREAD_RUNS };
	struct busy_memo *memo = &d->memo[nr - 1];

	if (memo->khz != khz || memo->permille != permille)
		*memo = (struct busy_memo){ khz, permille,
			(double)machine_core_busy_uw(d->s->m, runs, nr, khz, permille) };
	return memo->uw;
}

static double core_uw(const struct demand *d, const struct sim_core *core, uint32_t khz)
{
	uint32_t permille = core->heat_permille ? core->heat_permille : 1000;
	double uw = 0;

	for (int i = 0; i < 2; i++)
		if (core->run_ns[i])
			uw += (double)core->run_ns[i] * busy_uw(d, i + 1, khz, permille);
	return uw / d->ns;
}

/* Cores and uncore with this ceiling. */
static double cores_uw(const struct demand *d, uint32_t ceiling)
{
	const struct machine *m = d->s->m;
	double uw = d->idle_uw, awake = (double)d->p->budget.awake_ns / d->ns;
	uint32_t turbo = machine_turbo_khz(m, d->p->nr_cores_voting);
	uint32_t top = ceiling < turbo ? ceiling : turbo;

	for (int i = 0; i < d->p->nr_cores; i++) {
		const struct sim_core *core = d->p->cores[i];
		uint32_t wish = core_wish(d, core);

		if (core->run_ns[0] || core->run_ns[1])
			uw += core_uw(d, core, wish < top ? wish : top);
	}
	if (m->freq_domain == FREQ_DOMAIN_PACKAGE && d->vote_khz < top)
		top = d->vote_khz;
	return uw + 1000.0 * (awake * curve_mw(&m->uncore, top) + (1 - awake) * m->floor_mw);
}

/* The package's devices, those with a clock at no more than ceiling. */
static double devices_uw(const struct demand *d, uint32_t ceiling)
{
	double uw = 0;

	for (int i = 0; i < d->s->m->nr_devices; i++) {
		const struct sim_device *dev = &d->s->devices[i];
		double busy = (double)dev->busy_ns / d->ns;
		uint32_t khz = ceiling < dev->max_khz ? ceiling : dev->max_khz;

		if (dev->def->package == d->p->id)
			uw += busy * (double)device_uw(dev->def, true, khz) +
			      (1 - busy) * (double)device_uw(dev->def, false, khz);
	}
	return uw;
}

static void measure(struct demand *d)
{
	double at_present = 0;

	d->vote_khz = 0;
	for (int i = 0; i < d->p->nr_cores; i++) {
		struct sim_core *core = d->p->cores[i];

		core_run_close(core);
		if (!core->run_ns[0] && !core->run_ns[1])
			continue;
		at_present += core_uw(d, core, core->khz);
		if (core->request_khz > d->vote_khz)
			d->vote_khz = core->request_khz;
	}
	d->idle_uw = (double)(d->p->cores_uj - d->p->budget.since_cores_uj) * 1e9 / d->ns;
	d->idle_uw = d->idle_uw > at_present ? d->idle_uw - at_present : 0;
	for (int i = 0; i < d->s->m->nr_devices; i++) {
		struct sim_device *dev = &d->s->devices[i];

		if (dev->busy) {
			dev->busy_ns += d->s->now_ns - dev->busy_since_ns;
			dev->busy_since_ns = d->s->now_ns;
		}
	}
}

static void forget(struct sim *s, struct sim_package *p)
{
	struct budget *b = &p->budget;

	for (int i = 0; i < p->nr_cores; i++)
		p->cores[i]->run_ns[0] = p->cores[i]->run_ns[1] = 0;
	for (int i = 0; i < s->m->nr_devices; i++)
		if (s->devices[i].def->package == p->id)
			s->devices[i].busy_ns = 0;
	b->awake_ns = 0;
	b->since_ns = s->now_ns;
	b->since_uj = total_uj(p);
	b->since_cores_uj = p->cores_uj;
}

/* ---- cutting --------------------------------------------------------------------------- */

/* The highest clock, in steps, that takes no more than uw; at_high: what the high one takes. */
static uint32_t fits(const struct demand *d, double (*take)(const struct demand *, uint32_t),
	uint32_t low, uint32_t high, double at_high, double uw)
{
	uint32_t steps = (high - low) / STEP_KHZ;

	if (at_high <= uw)
		return high;
	while (steps) {
		uint32_t half = (steps + 1) / 2;

		if (take(d, low + half * STEP_KHZ) <= uw) {
			low += half * STEP_KHZ;
			steps -= half;
		} else {
			steps = half - 1;
		}
	}
	return low;
}

static uint32_t lowest_device_khz(const struct demand *d, uint32_t *ret_high)
{
	uint32_t low = UINT32_MAX;

	*ret_high = 0;
	for (int i = 0; i < d->s->m->nr_devices; i++) {
		const struct sim_device *dev = &d->s->devices[i];

		if (dev->def->package != d->p->id || !dev->max_khz)
			continue;
		low = dev->def->power.khz[0] < low ? dev->def->power.khz[0] : low;
		*ret_high = dev->max_khz > *ret_high ? dev->max_khz : *ret_high;
	}
	return *ret_high ? low : 0;
}

static void set_clocks(struct sim *s, struct sim_package *p, uint32_t ceiling, uint32_t devices_khz)
{
	bool cut = ceiling < s->m->max_khz;

	for (int i = 0; i < s->m->nr_devices; i++) {
		struct sim_device *dev = &s->devices[i];
		uint32_t low, khz;

		if (dev->def->package != p->id || !dev->max_khz)
			continue;
		low = dev->def->power.khz[0];
		khz = devices_khz < dev->max_khz ? devices_khz : dev->max_khz;
		khz = khz < low ? low : khz;
		cut |= khz < dev->max_khz;
		device_clock(s, dev, khz);
	}
	if (cut && !p->budget.limited_since_ns)
		p->budget.limited_since_ns = s->now_ns;
	if (!cut && p->budget.limited_since_ns) {
		p->budget.limited_ns += s->now_ns - p->budget.limited_since_ns;
		p->budget.limited_since_ns = 0;
	}
	package_limit(s, p, ceiling < s->m->max_khz ? ceiling : 0);
}

static void share(struct demand *d, double allowed)
{
	const struct machine *m = d->s->m;
	uint32_t device_high, device_low = lowest_device_khz(d, &device_high);
	uint32_t ceiling, device_khz;
	double cores_low = cores_uw(d, m->min_khz), cores_high = cores_uw(d, m->max_khz);
	double dev_low = devices_uw(d, device_low), dev_high = devices_uw(d, device_high);
	double rest = allowed - cores_low - dev_low, for_devices, for_cores;

	rest = rest > 0 ? rest : 0;
	for_devices = rest * m->device_bias_permille / 1000;
	for_cores = rest - for_devices;
	if (for_devices > dev_high - dev_low) {
		for_devices = dev_high - dev_low;
		for_cores = rest - for_devices;
	} else if (for_cores > cores_high - cores_low) {
		for_cores = cores_high - cores_low;
		for_devices = rest - for_cores;
	}
	ceiling = fits(d, cores_uw, m->min_khz, m->max_khz, cores_high, cores_low + for_cores);
	device_khz = fits(d, devices_uw, device_low, device_high, dev_high, dev_low + for_devices);
	set_clocks(d->s, (struct sim_package *)d->p, ceiling, device_khz);
}

void budget_look(struct sim_package *p)
{
	struct budget *b = &p->budget;
	struct sim *s = b->sim;
	double tau = (double)s->m->pl1_tau_ns, pl1 = 1000.0 * s->m->pl1_mw, mean, decay;
	struct busy_memo memo[2] = { 0 };
	struct demand d = { .s = s, .p = p, .memo = memo };

	package_close(s, p);
	d.ns = (double)(s->now_ns - b->since_ns);
	if (uncore_up(s, p)) {
		b->awake_ns += s->now_ns - b->awake_since_ns;
		b->awake_since_ns = s->now_ns;
	}
	measure(&d);
	mean = (double)(total_uj(p) - b->since_uj) * 1e9 / d.ns;
	decay = tau > 0 ? exp(-d.ns / tau) : 0;
	b->average_uw = mean + (b->average_uw - mean) * decay;
	decay = tau > 0 ? exp(-PERIOD_NS / tau) : 0;
	b->allowed_uw = (pl1 - b->average_uw * decay) / (1 - decay);
	if (b->allowed_uw > 1000.0 * s->m->pl2_mw)
		b->allowed_uw = 1000.0 * s->m->pl2_mw;
	share(&d, b->allowed_uw);
	forget(s, p);
	if (b->limited_since_ns || (double)package_uw(p) > pl1 || mean > pl1)
		queue_set(&s->queue, &b->node, s->now_ns + PERIOD_NS);
}
