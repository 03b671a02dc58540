// SPDX-License-Identifier: GPL-2.0-or-later
/* The choke point: what a CPU does and at which speed; what it costs in power is in power.c. */
#include "sim/hw.h"
#include "sim/internal.h"

#include <assert.h>

static void account_freq(struct sim *s, uint32_t khz, uint64_t ns)
{
	int i = s->nr_freqs - 1;

	while (i >= 0 && s->freqs[i].khz != khz)
		i--;
	if (i < 0) {
		if (s->nr_freqs == RESULT_FREQS_MAX)
			return;
		i = s->nr_freqs++;
		s->freqs[i].khz = khz;
	}
	s->freqs[i].time_ns += ns;
}

/* A power limit grants frequencies between the steps: they count for the nearest one. */
static uint32_t listed_khz(const struct sim_cpu *c)
{
	const struct machine *m = c->sim->m;
	uint32_t khz = c->core->khz;

	if (!c->sim->packages[c->core->package].budget.khz || !m->step_khz)
		return khz;
	return (khz + m->step_khz / 2) / m->step_khz * m->step_khz;
}

/*
 * Of ns in the current run, done were not stalled: takes them off, first what does not scale, then
 * cycles.
 */
static void account_run(struct sim_cpu *c, int64_t ns, int64_t done)
{
	struct sim_task *t = c->curr;
	int64_t fixed = min_i64(done, t->left_ns);
	uint64_t cycles;

	t->left_ns -= fixed;
	cycles = ns_to_cycles((uint64_t)(done - fixed), c->khz);
	t->left_cycles -= cycles < t->left_cycles ? cycles : t->left_cycles;
	if (t->def->kernel || t->in_kernel)
		c->system_ns += (uint64_t)ns;
	else
		c->user_ns += (uint64_t)ns;
	if (!t->def->kernel && t->in_kernel)
		c->sim->task_system_ns += (uint64_t)ns;
	else if (!t->def->kernel)
		c->sim->task_user_ns += (uint64_t)ns;
	if (t->def->nice > 0 && !t->def->kernel)
		c->nice_ns += (uint64_t)ns;
	c->busy_ns += (uint64_t)ns;
	sched_charge(c, (uint64_t)ns);
	account_freq(c->sim, listed_khz(c), (uint64_t)ns);
}

/* As the kernel tells it to governors: by whether a task waits for I/O when the time is counted. */
static void account_idle(struct sim_cpu *c, uint64_t ns)
{
	if (c->nr_iowait)
		c->iowait_ns += ns;
	else
		c->idle_ns += ns;
}

void cpu_close(struct sim_cpu *c)
{
	int64_t ns = c->sim->now_ns - c->since_ns, done = ns;

	if (!ns)
		return;
	assert(ns > 0);
	c->since_ns = c->sim->now_ns;
	if (c->sim->stalled_ns) {
		int64_t stalled = stall_ns(c->sim);

		done -= stalled - c->stall_mark;
		c->stall_mark = stalled;
	}
	switch (c->act) {
	case ACT_RUN:
		account_run(c, ns, done);
		break;
	case ACT_SWITCH:
		c->left_ns -= done;
		c->system_ns += (uint64_t)ns;
		c->busy_ns += (uint64_t)ns;
		break;
	case ACT_IRQ:
		c->left_ns -= done;
		c->irq_ns += (uint64_t)ns;
		c->busy_ns += (uint64_t)ns;
		break;
	case ACT_IDLE_ENTER:
	case ACT_IDLE_EXIT:
		c->left_ns -= done;
		c->idle_loop_ns += (uint64_t)ns;
		account_idle(c, (uint64_t)ns);
		break;
	case ACT_IDLE:
	case ACT_IDLE_WAKE:
		c->state_ns[c->state] += (uint64_t)ns;
		account_idle(c, (uint64_t)ns);
		break;
	case ACT_OFF:
		c->off_ns += (uint64_t)ns;
		break;
	}
}

/* ---- frequency ------------------------------------------------------------------------- */

static uint32_t speed_khz(const struct sim_cpu *c)
{
	const struct sim *s = c->sim;
	uint64_t khz = s->recorded_khz ? s->recorded_khz : c->core->khz;

	khz = khz * s->m->ipc_permille / 1000;
	if (c->core->nr_run > 1 && s->m->smt_permille)
		khz = khz * s->m->smt_permille / 1000;
	return khz ? (uint32_t)khz : 1;
}

static void schedule_done(struct sim_cpu *c)
{
	struct sim_task *t = c->curr;
	int64_t ns = t->left_ns + (int64_t)cycles_to_ns(t->left_cycles, c->khz);

	if (t->until_ns > c->sim->now_ns + ns)
		done_at(c, t->until_ns);
	else
		done_in(c, ns);
}

/* Threads of the core that run get their new speed; work done so far counts at the old one. */
static void core_update_speed(struct sim_core *core)
{
	for (int i = 0; i < core->nr_threads; i++) {
		struct sim_cpu *c = core->threads[i];
		uint32_t khz = speed_khz(c);

		if (c->khz == khz)
			continue;
		if (c->act == ACT_RUN)
			cpu_close(c);
		c->khz = khz;
		if (c->act == ACT_RUN)
			schedule_done(c);
	}
}

/*
 * Where cores have frequencies of their own, the uncore follows the highest of those that vote;
 * when none does, it stays. before: what the core counted with, 0: it did not vote.
 */
static void uncore_follow(struct sim *s, struct sim_core *core, uint32_t before)
{
	struct sim_package *p = &s->packages[core->package];
	uint32_t khz = core->votes ? core->khz : 0;

	if (s->m->freq_domain == FREQ_DOMAIN_PACKAGE || khz == before)
		return;
	if (khz < before && before == p->khz)
		for (int i = 0; i < p->nr_cores; i++)
			if (p->cores[i]->votes && p->cores[i]->khz > khz)
				khz = p->cores[i]->khz;
	if (!khz || khz == p->khz)
		return;
	if (khz < p->khz && before < p->khz && p->nr_cores_voting > 1)
		return;
	p->khz = khz;
	package_power(s, p);
}

static void core_grant(struct sim *s, struct sim_core *core, uint32_t khz)
{
	uint32_t before = core->votes ? core->khz : 0;

	if (core->khz == khz)
		return;
	for (int i = 0; i < core->nr_threads; i++) {
		cpu_close(core->threads[i]);
		msr_count(core->threads[i]);
	}
	core->khz = khz;
	s->counters.freq_changes++;
	core_update_speed(core);
	core_power_update(s, core);
	uncore_follow(s, core, before);
	log_khz(s, core);
}

/* The highest request of the cores that vote; 0 when none does. */
static uint32_t package_vote(struct sim_package *p)
{
	uint32_t vote = 0, first = 0;

	p->same_requests = true;
	for (int i = 0; i < p->nr_cores; i++) {
		const struct sim_core *core = p->cores[i];

		first = first ? first : core->request_khz;
		if (core->request_khz != first)
			p->same_requests = false;
		if (core->votes && core->request_khz > vote)
			vote = core->request_khz;
	}
	return vote;
}

/* The turbo table's ceiling, or that of the power limit. */
static uint32_t package_cap(const struct sim *s, const struct sim_package *p)
{
	uint32_t cap = machine_turbo_khz(s->m, p->nr_cores_voting);

	return p->budget.khz && p->budget.khz < cap ? p->budget.khz : cap;
}

/* Turbo ceiling, and in a package domain the highest vote wins. */
static void package_grant(struct sim *s, struct sim_package *p, bool new_request)
{
	uint32_t cap = package_cap(s, p);
	bool package = s->m->freq_domain == FREQ_DOMAIN_PACKAGE;
	uint32_t vote = 0;

	if (!new_request && cap == p->cap_khz && (!package || p->same_requests))
		return;
	p->cap_khz = cap;
	if (package) {
		vote = package_vote(p);
		/* Nobody votes: the clock is stopped, and the next to vote is asked anew. */
		if (!vote) {
			vote = p->khz;
			p->same_requests = false;
		}
		vote = vote < cap ? vote : cap;
	}
	for (int i = 0; i < p->nr_cores; i++) {
		struct sim_core *core = p->cores[i];
		uint32_t own = core->request_khz < cap ? core->request_khz : cap;

		core_grant(s, core, vote ? vote : own);
	}
	if (package && p->khz != vote) {
		p->khz = vote;
		package_power(s, p);
	}
}

void package_start(struct sim *s, struct sim_package *p)
{
	/* Nobody votes yet: what wakes up first finds the highest request. */
	p->khz = s->m->base_khz;
	for (int i = 0; i < p->nr_cores; i++)
		if (!i || p->cores[i]->request_khz > p->khz)
			p->khz = p->cores[i]->request_khz;
	package_grant(s, p, true);
	package_power(s, p);
}

void package_limit(struct sim *s, struct sim_package *p, uint32_t khz)
{
	if (p->budget.khz == khz)
		return;
	p->budget.khz = khz;
	package_grant(s, p, true);
}

void core_request(struct sim_core *core, uint32_t khz)
{
	struct sim *s = core->threads[0]->sim;
	struct sim_package *p = &s->packages[core->package];

	if (core->request_khz == khz)
		return;
	core->request_khz = khz;
	if (s->m->freq_domain != FREQ_DOMAIN_PACKAGE && p->cap_khz)
		core_grant(s, core, khz < p->cap_khz ? khz : p->cap_khz);
	else
		package_grant(s, &s->packages[core->package], true);
}

/* ---- the choke point ------------------------------------------------------------------- */

static bool act_runs(enum activity act)
{
	return act != ACT_OFF && act != ACT_IDLE && act != ACT_IDLE_WAKE;
}

void core_run_close(struct sim_core *core)
{
	int64_t now_ns = core->threads[0]->sim->now_ns;

	if (core->nr_run)
		core->run_ns[core->nr_run > 1] += now_ns - core->run_since_ns;
	core->run_since_ns = now_ns;
}

/* Does the core count as awake and voting? Its shallowest thread decides. */
static void core_update_state(struct sim *s, struct sim_core *core)
{
	struct sim_package *p = &s->packages[core->package];
	bool awake = false, votes = false, asked = false;
	int nr_run = 0;

	for (int i = 0; i < core->nr_threads; i++) {
		const struct sim_cpu *c = core->threads[i];

		if (act_runs(c->act)) {
			awake = votes = true;
			nr_run++;
		} else if (c->act != ACT_OFF) {
			awake |= s->m->idle_real[c->state].keeps_uncore;
			votes |= s->m->idle_real[c->state].keeps_vote;
		}
	}
	if (nr_run != core->nr_run) {
		if (p->budget.possible)
			core_run_close(core);
		core->nr_run = nr_run;
		core_update_speed(core);
	}
	if (awake != core->awake) {
		core->awake = awake;
		package_awake(s, p, awake);
	}
	if (s->hwp_on)
		asked = hwp_activity(core);
	if (votes != core->votes) {
		core->votes = votes;
		p->nr_cores_voting += votes ? 1 : -1;
		uncore_follow(s, core, votes ? 0 : core->khz);
		if (s->m->uncore_together) /* its clock counts no longer, or does again */
			package_power(s, p);
		if (s->m->nr_turbo || s->m->freq_domain == FREQ_DOMAIN_PACKAGE || asked)
			package_grant(s, p, asked);
	} else if (asked) {
		package_grant(s, p, true);
	}
	core_power_update(s, core);
}

/*
 * Going into a state takes its time: a core does not draw less at once. Charged when it runs again,
 * unless its other threads kept it up anyway.
 */
static void charge_settling(struct sim_cpu *c)
{
	struct sim *s = c->sim;
	struct sim_package *p = &s->packages[c->core->package];
	int64_t ns = min_i64(s->now_ns - c->settle_from_ns, s->m->idle_real[c->state].settle_ns);
	uint64_t uw;
	const int poll = 0;

	if (!ns)
		return;
	if (c->core->poll_khz != c->core->khz) {
		c->core->poll_uw = machine_core_uw(s->m, &poll, 1, c->core->khz);
		c->core->poll_khz = c->core->khz;
	}
	uw = c->core->poll_uw;
	if (uw > c->core->uw)
		package_lump(p, uw - c->core->uw, ns);
}

void cpu_set(struct sim_cpu *c, enum activity act, int state)
{
	bool ran = act_runs(c->act), idled = !ran && c->act != ACT_OFF;
	bool power = act_runs(act) != act_runs(c->act) || state != c->state || act == ACT_OFF ||
		     c->act == ACT_OFF;
	uint32_t permille = act == ACT_RUN ? (uint32_t)c->curr->def->power_permille : 0;

	cpu_close(c);
	done_cancel(c);
	if (act == ACT_IDLE && ran)
		c->settle_from_ns = c->sim->now_ns;
	else if (idled && act_runs(act) && c->state >= 0) /* -1: an interrupt ended it before */
		charge_settling(c);
	c->act = act;
	c->state = state;
	power |= c->power_permille != permille;
	c->power_permille = permille;
	if (power)
		core_update_state(c->sim, c->core);
	if (c->sim->options->timeline)
		log_cpu(c);
}

void cpu_start(struct sim_cpu *c, enum activity act, int64_t ns)
{
	cpu_set(c, act, act == ACT_IDLE_WAKE ? c->state : -1);
	c->left_ns = ns;
	done_in(c, ns);
}

void cpu_resume_run(struct sim_cpu *c)
{
	cpu_set(c, ACT_RUN, -1);
	c->khz = speed_khz(c);
	schedule_done(c);
}
