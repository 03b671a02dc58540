// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Power and energy. Power is piecewise constant between changes, so energy is integrated exactly.
 * A package holds its cores, its uncore and the devices that share its limit. What its energy
 * counters read is the energy at the last end of their period.
 */
#include "sim/internal.h"

void add_energy(uint64_t *uj, uint64_t *rest, uint64_t uw, int64_t ns)
{
	unsigned __int128 sum = (unsigned __int128)uw * (uint64_t)ns + *rest;

	if (!(sum >> 64)) {
		*uj += (uint64_t)sum / NSEC_PER_SEC;
		*rest = (uint64_t)sum % NSEC_PER_SEC;
		return;
	}
	*uj += (uint64_t)(sum / NSEC_PER_SEC);
	*rest = (uint64_t)(sum % NSEC_PER_SEC);
}

/* The counters' view: energy at the last end of a period that lies in what is being closed. */
static void latch(struct sim *s, struct sim_package *p)
{
	int64_t period = s->m->rapl_period_ns, ns;

	if (!period || s->now_ns < p->latch_ns + period)
		return;
	p->latch_ns = s->now_ns / period * period;
	ns = max_i64(p->latch_ns - p->since_ns, 0);
	p->latched[METER_CORES] = p->cores_uj + p->cores_uw * (uint64_t)ns / NSEC_PER_SEC;
	p->latched[METER_DEVICES] = p->devices_uj + p->devices_uw * (uint64_t)ns / NSEC_PER_SEC;
	p->latched[METER_PACKAGE] = p->latched[METER_CORES] + p->latched[METER_DEVICES] +
				    p->uncore_uj + p->uncore_uw * (uint64_t)ns / NSEC_PER_SEC;
}

void package_close(struct sim *s, struct sim_package *p)
{
	int64_t ns = s->now_ns - p->since_ns;

	if (!ns)
		return;
	latch(s, p);
	add_energy(&p->cores_uj, &p->cores_rest, p->cores_uw, ns);
	add_energy(&p->uncore_uj, &p->uncore_rest, p->uncore_uw, ns);
	add_energy(&p->devices_uj, &p->devices_rest, p->devices_uw, ns);
	p->since_ns = s->now_ns;
}

void package_lump(struct sim_package *p, uint64_t uw, int64_t ns)
{
	add_energy(&p->cores_uj, &p->cores_rest, uw, ns);
	p->lump_uj += (double)uw * (double)ns / 1e9;
}

uint64_t package_uw(const struct sim_package *p)
{
	return p->cores_uw + p->uncore_uw + p->devices_uw;
}

static int thread_power_state(const struct sim_cpu *c)
{
	switch (c->act) {
	case ACT_OFF:
		return THREAD_OFFLINE;
	case ACT_IDLE:
	case ACT_IDLE_WAKE:
		return c->state;
	default:
		return THREAD_RUNS;
	}
}

/* Of the threads that run: the mean of what their tasks' code takes against ordinary code. */
uint32_t core_permille(const struct sim_core *core)
{
	uint32_t sum = 0, nr = 0;

	for (int i = 0; i < core->nr_threads; i++) {
		const struct sim_cpu *c = core->threads[i];

		if (thread_power_state(c) != THREAD_RUNS)
			continue;
		sum += c->power_permille ? c->power_permille : 1000;
		nr++;
	}
	return nr ? sum / nr : 1000;
}

/* Where a core keeps it for these states; one that has other states or clocks is overwritten. */
static struct power_memo *memo_of(struct sim_core *core, const int *threads)
{
	unsigned i = (unsigned)(threads[0] + 2) * 4 + (unsigned)(threads[1] + 2);

	return &core->power[i % ARRAY_LEN(core->power)];
}

/* What a core takes, remembered for the last pairs of what its threads did. */
static uint64_t core_power(struct sim *s, struct sim_core *core)
{
	int threads[4] = { THREAD_OFFLINE, THREAD_OFFLINE };
	uint32_t permille = s->special_power ? core_permille(core) : 1000;
	struct power_memo *memo;

	for (int i = 0; i < core->nr_threads; i++)
		threads[i] = thread_power_state(core->threads[i]);
	if (permille != 1000) {
		core->heat_permille = permille;
		return machine_core_busy_uw(s->m, threads, core->nr_threads, core->khz, permille);
	}
	if (core->nr_threads > 2)
		return machine_core_uw(s->m, threads, core->nr_threads, core->khz);
	memo = memo_of(core, threads);
	if (memo->valid && memo->khz == core->khz && memo->threads[0] == threads[0] &&
		memo->threads[1] == threads[1])
		return memo->uw;
	*memo = (struct power_memo){
		machine_core_uw(s->m, threads, core->nr_threads, core->khz),
		core->khz,
		{ (int8_t)threads[0], (int8_t)threads[1] },
		true,
	};
	return memo->uw;
}

bool uncore_up(const struct sim *s, const struct sim_package *p)
{
	bool up = p->nr_awake > 0;

	for (int i = 0; i < s->m->nr_packages && s->m->uncore_together; i++)
		up |= s->packages[i].nr_awake > 0;
	return up;
}

/* Its cores' frequency; of uncores that go together, that of the fastest package. */
static uint32_t uncore_khz(const struct sim *s, const struct sim_package *p)
{
	uint32_t khz = 0;

	for (int i = 0; i < s->m->nr_packages && s->m->uncore_together; i++)
		if (s->packages[i].nr_cores_voting && s->packages[i].khz > khz)
			khz = s->packages[i].khz;
	return khz ? khz : p->khz;
}

static void uncore_power(struct sim *s, struct sim_package *p)
{
	uint64_t uw = machine_uncore_uw(s->m, uncore_up(s, p), uncore_khz(s, p));

	if (uw == p->uncore_uw)
		return;
	package_close(s, p);
	p->uncore_uw = uw;
	budget_watch(s, p);
	log_power(s, p);
}

void package_power(struct sim *s, struct sim_package *p)
{
	uncore_power(s, p);
	for (int i = 0; i < s->m->nr_packages && s->m->uncore_together; i++)
		uncore_power(s, &s->packages[i]);
}

static void count_awake(struct sim *s, struct sim_package *p, bool up)
{
	if (!up)
		p->budget.awake_ns += s->now_ns - p->budget.awake_since_ns;
	p->budget.awake_since_ns = s->now_ns;
}

/* One more of what keeps the uncore up, or one less. */
void package_awake(struct sim *s, struct sim_package *p, bool awake)
{
	bool before = uncore_up(s, p);

	p->nr_awake += awake ? 1 : -1;
	if (uncore_up(s, p) == before)
		return;
	for (int i = 0; i < s->m->nr_packages; i++)
		if (&s->packages[i] == p || s->m->uncore_together)
			count_awake(s, &s->packages[i], !before);
	package_power(s, p);
}

void core_power_update(struct sim *s, struct sim_core *core)
{
	struct sim_package *p = &s->packages[core->package];
	uint64_t old = core->uw;

	core->uw = core_power(s, core);
	if (core->uw == old)
		return;
	package_close(s, p);
	p->cores_uw += core->uw - old;
	budget_watch(s, p);
	log_power(s, p);
}
