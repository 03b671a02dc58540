// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The hardware's own choice, as far as it is known from outside.
 *
 * Once in a window the processor looks at the share of it in which a core executed instructions,
 * and takes it into a running average, whose memory halves in the halving time. The choice is the
 * frequency in force times that average, over the busy share that the energy preference (EPP) is
 * content with: a core that is busy all the time climbs by that factor per window, which is the
 * ramp that one can measure, and a periodic load settles where it is as busy as that. The choice is
 * bounded by the request's minimum and maximum, replaced by its desired performance when that is
 * not 0, and takes effect when the machine changes frequencies (grid and transition), or at once
 * while the core sleeps. History belongs to the core: a task that moves finds another one's.
 *
 * Under light load the choice stays at a floor: what the processor takes for its most efficient
 * speed, since below it the rest of the chip stays awake longer than the core saves. Clients
 * compute it as they run, and it shows in the capabilities; it can be far above the lowest
 * frequency.
 *
 * A window that software gives in the request (activity window) replaces the processor's own.
 * Threads of a core are resolved to their highest minimum, maximum and desired performance and
 * their lowest EPP; a thread that sleeps so deep that its core releases its vote does not count
 * while its sibling runs.
 *
 * Sources: register layout from the Intel SDM, volume 4; what is known of the behaviour from
 * measured ramps and equilibria, which the machine files cite with their values.
 */
#include "sim/hwp.h"

#include "sim/hw.h"
#include "sim/internal.h"

#include <errno.h>

/* The gap quirk, measured on an i5-9600K (kernel list, 2020-06-06). */
enum {
	GAP_MIN_NS = 747000,
	GAP_MAX_NS = 950000,
	GAP_PERMILLE = 170,
	GAP_LOCK_NS = 29800000,
	GAP_STATE = 2,
};

enum { EFFICIENT_STEPS = 4, PELT_HALVING = 32 };

enum { ONE = 1 << 16 }; /* utilisation and performance are counted in such parts */

static uint32_t rounded(uint32_t perf)
{
	return (perf + ONE / 2) / ONE;
}

static uint32_t field(uint64_t value, int shift)
{
	return (uint32_t)(value >> shift & 0xff);
}

/* Bits 41:32 of a request: mantissa times a power of ten, in us; 0: the processor's own. */
static int64_t activity_window_ns(uint64_t request)
{
	int64_t ns = (int64_t)(request >> 32 & 0x7f) * NSEC_PER_USEC;

	for (int i = (int)(request >> 39 & 7); i > 0; i--)
		ns *= 10;
	return ns;
}

/* ---- the request that counts ----------------------------------------------------------- */

static uint64_t request_of(const struct sim_cpu *c)
{
	bool by_package = c->hwp_request >> HWP_PACKAGE_CONTROL_BIT & 1;

	return by_package ? c->sim->packages[c->core->package].hwp_request : c->hwp_request;
}

static bool counts(const struct sim_cpu *c, bool core_votes)
{
	if (!c->online)
		return false;
	if (!core_votes || c->act == ACT_OFF || c->state < 0)
		return true;
	return c->sim->m->idle_real[c->state].keeps_vote;
}

static bool votes(const struct sim_core *core)
{
	for (int i = 0; i < core->nr_threads; i++) {
		const struct sim_cpu *c = core->threads[i];

		if (c->act != ACT_OFF && counts(c, true))
			return true;
	}
	return false;
}

static void resolve(struct sim_core *core)
{
	struct core_hwp *h = &core->hwp;
	bool core_votes = votes(core), any = false;
	uint64_t first = 0;

	h->mixed = false;
	for (int i = 0; i < core->nr_threads; i++) {
		const struct sim_cpu *c = core->threads[i];
		uint64_t r = request_of(c);

		if (!c->online)
			continue;
		first = first ? first : r;
		h->mixed |= r != first;
		if (!counts(c, core_votes))
			continue;
		if (!any) {
			h->min = h->max = h->desired = 0;
			h->epp = 255;
			h->window_ns = 0;
		}
		any = true;
		h->min = h->min > field(r, 0) ? h->min : field(r, 0);
		h->max = h->max > field(r, 8) ? h->max : field(r, 8);
		h->desired = h->desired > field(r, 16) ? h->desired : field(r, 16);
		h->epp = h->epp < field(r, 24) ? h->epp : field(r, 24);
		h->window_ns = max_i64(h->window_ns, activity_window_ns(r));
	}
	if (h->window_ns <= 0)
		h->window_ns = core->threads[0]->sim->m->hwp.window_ns;
}

/* ---- the choice ------------------------------------------------------------------------ */

/* Linear between the three preferences that the machine file gives. */
static uint32_t busy_target_permille(const struct machine_hwp *m, uint32_t epp)
{
	if (epp < 128)
		return m->epp0_permille + (m->epp128_permille - m->epp0_permille) * epp / 128;
	return m->epp128_permille + (m->epp255_permille - m->epp128_permille) * (epp - 128) / 127;
}

/* Takes a window's busy share into the average. */
static void average(struct sim_core *core, uint32_t busy, int64_t length_ns)
{
	const struct sim *s = core->threads[0]->sim;
	struct core_hwp *h = &core->hwp;
	uint64_t periods = (uint64_t)(length_ns * PELT_HALVING / s->m->hwp.halving_ns);

	if (busy >= h->util)
		h->util = busy - (uint32_t)pelt_decay(busy - h->util, periods);
	else
		h->util = busy + (uint32_t)pelt_decay(h->util - busy, periods);
}

/* The next choice, from the performance in force. */
static void choose(struct sim_core *core, uint32_t in_force)
{
	const struct sim *s = core->threads[0]->sim;
	const struct machine_hwp *m = &s->m->hwp;
	struct core_hwp *h = &core->hwp;
	uint64_t wanted =
		(uint64_t)in_force * h->util / ONE * 1000 / busy_target_permille(m, h->epp);

	if (wanted < m->floor * ONE)
		wanted = m->floor * ONE;
	if (s->now_ns < h->locked_until_ns)
		wanted = m->lowest * ONE;
	h->wanted = wanted < m->highest * ONE ? (uint32_t)wanted : m->highest * ONE;
}

/* What the core runs at, with the fraction of its own choice when that is in force. */
static uint32_t in_force(const struct sim_core *core)
{
	const struct machine_hwp *m = &core->threads[0]->sim->m->hwp;
	uint32_t perf = core->khz / m->unit_khz;

	return perf == rounded(core->hwp.wanted) ? core->hwp.wanted : perf * ONE;
}

/* The choice within the request's limits, as a frequency that the machine has. */
static uint32_t chosen_khz(const struct sim_core *core)
{
	const struct machine *m = core->threads[0]->sim->m;
	const struct core_hwp *h = &core->hwp;
	uint32_t max = h->max < m->hwp.highest ? h->max : m->hwp.highest;
	uint32_t perf = h->desired ? h->desired : rounded(h->wanted), khz;
	uint32_t top = m->max_khz;

	perf = perf > h->min ? perf : h->min;
	perf = perf < max ? perf : max;
	khz = perf * m->hwp.unit_khz;
	khz = khz > m->min_khz ? khz : m->min_khz;
	for (int i = 0; i < core->nr_threads; i++)
		if (core->threads[i]->registers.misc_enable & MISC_ENABLE_TURBO_DISABLE)
			top = m->base_khz;
	return khz < top ? khz : top;
}

/* A change that is on its way takes the new value along. */
static void ask(struct sim_core *core, int64_t now_ns)
{
	struct sim *s = core->threads[0]->sim;
	uint32_t khz = chosen_khz(core);

	core->next_khz = khz;
	if (node_queued(&core->node))
		return;
	if (!s->started)
		core_request(core, khz);
	else if (khz != core->request_khz)
		queue_set(&s->queue, &core->node, msr_change_ns(s, core, now_ns));
}

/* ---- activity -------------------------------------------------------------------------- */

static bool executes(const struct sim_cpu *c)
{
	if (c->act == ACT_OFF)
		return false;
	return c->state < 0 || c->sim->m->idle.states[c->state].polling;
}

static bool core_executes(const struct sim_core *core)
{
	for (int i = 0; i < core->nr_threads; i++)
		if (executes(core->threads[i]))
			return true;
	return false;
}

/* Shallowest state of the threads. */
static int halt_state(const struct sim_core *core)
{
	int state = IDLE_STATES_MAX;

	for (int i = 0; i < core->nr_threads; i++)
		if (core->threads[i]->act != ACT_OFF && core->threads[i]->state < state)
			state = core->threads[i]->state;
	return state;
}

static void gap_quirk(struct sim_core *core)
{
	struct sim *s = core->threads[0]->sim;
	struct core_hwp *h = &core->hwp;
	int64_t gap = s->now_ns - h->halted_ns;

	if (h->halt_state == GAP_STATE && h->halt_wanted == s->m->hwp.highest &&
		gap >= GAP_MIN_NS && gap <= GAP_MAX_NS &&
		rng_below(&s->hwp_rng, 1000) < GAP_PERMILLE)
		h->locked_until_ns = s->now_ns + GAP_LOCK_NS;
}

/* The windows that passed while the core slept are made up for; at the bottom they are all alike.
 */
static void sleep_over(struct sim_core *core, int64_t ns)
{
	struct core_hwp *h = &core->hwp;
	uint32_t bottom = core->threads[0]->sim->m->hwp.floor * ONE;

	for (; ns > 0 && h->wanted > bottom; ns -= h->window_ns) {
		average(core, 0, min_i64(ns, h->window_ns));
		choose(core, h->wanted);
	}
	if (ns > 0)
		average(core, 0, ns);
}

static void wake(struct sim_core *core)
{
	struct sim *s = core->threads[0]->sim;
	struct core_hwp *h = &core->hwp;

	if (s->m->hwp.quirk_gap)
		gap_quirk(core);
	h->active_since_ns = s->now_ns;
	if (node_queued(&h->window))
		return;
	sleep_over(core, s->now_ns - h->window_start_ns);
	h->window_start_ns = s->now_ns;
	h->active_ns = 0;
	queue_set(&s->queue, &h->window, s->now_ns + h->window_ns);
}

static void halt(struct sim_core *core)
{
	struct sim *s = core->threads[0]->sim;
	struct core_hwp *h = &core->hwp;

	h->active_ns += s->now_ns - h->active_since_ns;
	h->active_since_ns = -1;
	h->halted_ns = s->now_ns;
	h->halt_state = halt_state(core);
	h->halt_wanted = rounded(h->wanted);
}

bool hwp_activity(struct sim_core *core)
{
	struct sim *s = core->threads[0]->sim;
	bool active = core_executes(core), asleep = core->hwp.active_since_ns < 0;
	uint32_t khz;

	if (core->hwp.mixed)
		resolve(core);
	if (active && asleep)
		wake(core);
	else if (!active && !asleep)
		halt(core);
	else if (!core->hwp.mixed)
		return false;
	khz = chosen_khz(core);
	if (khz == core->request_khz)
		return false;
	if (!asleep || !active) {
		ask(core, s->now_ns);
		return false;
	}
	queue_remove(&s->queue, &core->node);
	core->request_khz = core->next_khz = khz;
	return true;
}

void hwp_window_end(struct sim_core *core)
{
	struct sim *s = core->threads[0]->sim;
	struct core_hwp *h = &core->hwp;
	int64_t length = s->now_ns - h->window_start_ns;
	bool active = h->active_since_ns >= 0;

	if (!s->hwp_on || length <= 0)
		return;
	if (active) {
		h->active_ns += s->now_ns - h->active_since_ns;
		h->active_since_ns = s->now_ns;
	}
	average(core, (uint32_t)(h->active_ns * ONE / length), length);
	h->window_start_ns = s->now_ns;
	h->active_ns = 0;
	choose(core, in_force(core));
	ask(core, s->now_ns);
	/* A core that sleeps and has no vote is looked at when it wakes. */
	if (active || (votes(core) && rounded(h->wanted) > s->m->hwp.floor))
		queue_set(&s->queue, &h->window, s->now_ns + h->window_ns);
}

/* ---- registers ------------------------------------------------------------------------- */

static uint64_t capabilities(struct sim *s)
{
	const struct machine_hwp *m = &s->m->hwp;
	uint32_t efficient = m->efficient;

	if (m->quirk_efficient)
		efficient += (uint32_t)rng_below(&s->hwp_rng, EFFICIENT_STEPS);
	return (uint64_t)m->lowest << 24 | (uint64_t)efficient << 16 |
	       (uint64_t)m->guaranteed << 8 | m->highest;
}

static void reresolve(struct sim *s, int package, int64_t now_ns)
{
	for (int i = 0; i < s->m->nr_cores; i++) {
		if (s->cores[i].package != package)
			continue;
		resolve(&s->cores[i]);
		ask(&s->cores[i], now_ns);
	}
}

/* Nothing but a reset turns HWP off again. */
static void enable(struct sim *s, int64_t now_ns)
{
	if (s->hwp_on)
		return;
	s->hwp_on = true;
	for (int i = 0; i < s->m->nr_cores; i++) {
		struct core_hwp *h = &s->cores[i].hwp;

		h->window_start_ns = s->now_ns;
		h->active_since_ns = core_executes(&s->cores[i]) ? s->now_ns : -1;
		if (h->active_since_ns >= 0)
			queue_set(&s->queue, &h->window, s->now_ns + s->m->hwp.window_ns);
	}
	for (int i = 0; i < s->m->nr_packages; i++)
		reresolve(s, i, now_ns);
}

/* The rest is there only once HWP is on. */
static bool before_on(uint32_t reg)
{
	return reg == MSR_PM_ENABLE || reg == MSR_HWP_INTERRUPT || reg == MSR_HWP_STATUS;
}

int hwp_rdmsr(struct sim *s, int cpu, uint32_t reg, uint64_t *value)
{
	const struct sim_cpu *c = &s->cpus[cpu];

	if (!s->m->hwp.present || !(s->hwp_on || before_on(reg)))
		return -EIO;
	switch (reg) {
	case MSR_PM_ENABLE:
		*value = s->hwp_on;
		return 0;
	case MSR_HWP_CAPABILITIES:
		*value = capabilities(s);
		return 0;
	case MSR_HWP_REQUEST_PKG:
		*value = s->packages[c->core->package].hwp_request;
		return 0;
	case MSR_HWP_INTERRUPT:
		*value = c->hwp_interrupt;
		return 0;
	case MSR_HWP_REQUEST:
		*value = c->hwp_request;
		return 0;
	case MSR_HWP_STATUS:
		*value = 0;
		return 0;
	default:
		return -EIO;
	}
}

int hwp_wrmsr(struct sim *s, int64_t now_ns, int cpu, uint32_t reg, uint64_t value)
{
	struct sim_cpu *c = &s->cpus[cpu];

	if (!s->m->hwp.present || !(s->hwp_on || before_on(reg)))
		return -EIO;
	switch (reg) {
	case MSR_PM_ENABLE:
		if (value & 1)
			enable(s, now_ns);
		return 0;
	case MSR_HWP_REQUEST_PKG:
		s->packages[c->core->package].hwp_request = value;
		reresolve(s, c->core->package, now_ns);
		return 0;
	case MSR_HWP_INTERRUPT:
		c->hwp_interrupt = value & 3;
		return 0;
	case MSR_HWP_REQUEST:
		c->hwp_request = value;
		resolve(c->core);
		ask(c->core, now_ns);
		return 0;
	case MSR_HWP_STATUS:
		return 0;
	default:
		return -EIO;
	}
}

void hwp_init(struct sim *s)
{
	const struct machine_hwp *m = &s->m->hwp;
	uint64_t request = (uint64_t)m->default_epp << 24 | m->highest << 8 | m->lowest;

	rng_init(&s->hwp_rng, s->options->seed, 2000);
	for (int i = 0; i < s->nr_cpus; i++)
		s->cpus[i].hwp_request = s->cpus[i].hwp_cached = m->present ? request : 0;
	for (int i = 0; i < s->m->nr_packages; i++)
		s->packages[i].hwp_request = m->present ? request : 0;
	for (int i = 0; i < s->m->nr_cores; i++) {
		struct core_hwp *h = &s->cores[i].hwp;

		node_init(&h->window, NODE_HWP, &s->cores[i]);
		h->active_since_ns = -1;
		h->window_ns = m->window_ns;
		h->wanted = m->floor * ONE;
	}
}

uint64_t hw_capabilities(const struct sim *s, int cpu)
{
	const struct machine_hwp *m = &s->m->hwp;

	if (!s->hwp_on)
		return 0;
	return (uint64_t)m->lowest << 24 | (uint64_t)m->efficient << 16 |
	       (uint64_t)m->guaranteed << 8 | m->highest;
}
