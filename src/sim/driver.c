// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The driver of each frequency policy, called where the kernel's cpufreq core calls it: it comes
 * up, limits are brought into what it can do, and with drivers that have algorithms of their own
 * (the kernel's setpolicy) no governor runs beside them.
 */
#include "sim/hw.h"
#include "sim/internal.h"

#include <errno.h>
#include <string.h>

/* The idle governor's kernel is the policy's; which of them had another algorithm, see the driver.
 */
static const char *driver_algorithm(const struct policy *p)
{
	int kernel = idle_governor_kernel(p->idle);

	return kernel && kernel < KERNEL(4, 12) ? "pid" : "load";
}

int driver_load(struct sim *s)
{
	const struct driver *d = s->driver;
	int64_t cursor = s->now_ns;
	int first = 0, r = 0;

	if (d->tune && s->driver_mode)
		d->tune(s->driver_shared, "status", s->driver_mode);
	if (d->tune)
		d->tune(s->driver_shared, "algorithm", driver_algorithm(s->p));
	for (int i = 0; d->tune && i < s->p->nr_tunables; i++)
		d->tune(s->driver_shared, s->p->tunables[i].key, s->p->tunables[i].value);
	while (first < s->nr_cpus - 1 && !s->cpus[first].online)
		first++;
	s->user = s->p->user;
	s->ppc = s->m->ppc;
	node_init(&s->change, NODE_CHANGE, s);
	if (s->p->nr_changes)
		queue_set(&s->queue, &s->change, s->p->changes[0].ns);
	if (d->load)
		r = d->load(s->driver_shared, &s->hw, &cursor, first);
	if (r < 0)
		return error_set(s->err, -r, "driver %s does not load on machine %s: %s", d->name,
			s->m->name, strerror(-r));
	return 0;
}

static int own_policy(struct sim_freq *f, enum driver_policy *ret)
{
	struct sim *s = f->sim;
	const char *name = s->p->governor->name;

	if (strcmp(name, "powersave") && strcmp(name, "performance"))
		return error_set(s->err, EINVAL,
			"governor %s: driver %s runs its own algorithms on machine %s, expected "
			"powersave or performance",
			name, s->driver->name, s->m->name);
	*ret = strcmp(name, "powersave") ? DRIVER_PERFORMANCE : DRIVER_POWERSAVE;
	return 0;
}

/* The user's limits, as scaling_min_freq and scaling_max_freq, and firmware's, as possible. */
static int find_limits(struct sim_freq *f, int64_t *cursor)
{
	const struct sim *s = f->sim;
	struct freq_limits l = f->offer.range;
	uint32_t max_khz = s->user.max_khz ? s->user.max_khz : l.max_khz;
	uint32_t ppc_khz = s->ppc > 0 ? s->m->platform.pss[s->ppc].mhz * 1000 : max_khz;
	int r = 0;

	if (f->offer.follows_ppc && ppc_khz < max_khz)
		max_khz = ppc_khz;
	if (max_khz < l.max_khz)
		l.max_khz = max_khz > l.min_khz ? max_khz : l.min_khz;
	if (s->user.min_khz > l.min_khz)
		l.min_khz = s->user.min_khz < l.max_khz ? s->user.min_khz : l.max_khz;
	if (f->unit.driver->verify)
		r = f->unit.driver->verify(&f->unit, cursor, &l);
	if (r < 0)
		return error_set(f->sim->err, -r, "driver %s, CPU %d: a parameter is refused: %s",
			f->unit.driver->name, f->ids[0], strerror(-r));
	f->limits = l;
	return 0;
}

int driver_apply(struct sim_freq *f)
{
	struct sim *s = f->sim;
	enum driver_policy policy = DRIVER_POWERSAVE;
	int64_t cursor = s->now_ns;
	int r = own_policy(f, &policy);

	if (r < 0)
		return r;
	r = f->unit.driver->set_policy(&f->unit, &cursor, policy, &f->limits);
	if (r < 0)
		return error_set(s->err, -r, "driver %s, CPU %d: %s refused: %s",
			f->unit.driver->name, f->ids[0], s->p->governor->name, strerror(-r));
	boost_hook_set(f, policy);
	return 0;
}

/* The governors that mean the frequency they ask for, and no least (CPUFREQ_GOV_STRICT_TARGET). */
static bool governor_is_strict(const struct freq_governor *g)
{
	return !strcmp(g->name, "performance") || !strcmp(g->name, "powersave") ||
	       !strcmp(g->name, "userspace");
}

int driver_start(struct sim_freq *f)
{
	struct sim *s = f->sim;
	const struct driver *d = s->driver;
	int64_t cursor = s->now_ns;
	int r;

	f->unit.driver = d;
	f->unit.hw = &s->hw;
	f->unit.strict = governor_is_strict(s->governor);
	memset(&f->offer, 0, sizeof(f->offer));
	r = d->init(&f->unit, &cursor, &f->offer);
	if (r < 0)
		return error_set(s->err, -r, "driver %s does not run on CPU %d of machine %s: %s",
			d->name, f->ids[0], s->m->name, strerror(-r));
	if (!f->offer.range.max_khz)
		return 0;
	f->cur_khz = f->offer.cur_khz ? f->offer.cur_khz : f->cpus[0]->request_khz;
	r = find_limits(f, &cursor);
	return !r && f->offer.own_policies ? driver_apply(f) : r;
}

/* All policies are applied anew, as the kernel does it after a write to sysfs or ACPI's notice. */
static int apply_changes(struct sim *s)
{
	int r = 0;

	for (int i = 0; i < s->nr_policies && !r; i++) {
		struct sim_freq *f = &s->policies[i];
		int64_t cursor = s->now_ns;

		if (!f->offer.range.max_khz)
			continue;
		r = find_limits(f, &cursor);
		f->cpus[0]->stolen_ns += cursor - s->now_ns;
		if (!r && f->offer.own_policies)
			r = driver_apply(f);
		else if (!r)
			freq_set_limits(f, &f->limits);
	}
	return r;
}

void driver_change_due(struct sim *s)
{
	const struct policy_change *change = &s->p->changes[s->next_change++];
	int r = policy_change_limits(change, &s->user, &s->ppc, s->err);

	if (r == -ENOENT && s->driver->tune)
		r = s->driver->tune(s->driver_shared, change->key, change->value);
	if (r == -ENOENT)
		r = error_set(s->err, ENOENT, "at: driver %s does not take '%s'", s->driver->name,
			change->key);
	if (!r && s->ppc > 0 && s->ppc >= s->m->platform.nr_pss)
		r = error_set(s->err, EINVAL, "at: ppc=%d, but _PSS of machine %s has %d entries",
			s->ppc, s->m->name, s->m->platform.nr_pss);
	if (!r)
		r = apply_changes(s);
	if (r < 0 && !s->status)
		s->status = r;
	if (s->next_change < s->p->nr_changes)
		queue_set(&s->queue, &s->change, s->p->changes[s->next_change].ns);
}

int64_t driver_hook(struct sim_freq *f, const struct util_event *event)
{
	int64_t cursor = event->now_ns;

	if (f->unit.hooked)
		f->unit.driver->on_util(&f->unit, &cursor, event, f->sim->m->tick_ns);
	return cursor - event->now_ns;
}

void driver_target(struct sim_freq *f, int64_t *cursor, uint32_t khz, enum freq_relation relation)
{
	uint32_t got;

	if (!f->unit.driver->target(&f->unit, cursor, khz, relation, &f->limits, &got))
		f->cur_khz = got;
}
