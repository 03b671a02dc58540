// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Devices: a queue, servers, power. One with a clock of its own (a GPU) serves in proportion to it;
 * a request in service goes on at the new speed when the clock changes.
 */
#include "sim/internal.h"

#include <errno.h>
#include <string.h>

uint64_t device_uw(const struct machine_device *def, bool busy, uint32_t khz)
{
	if (!busy)
		return 1000ULL * def->idle_mw;
	return 1000ULL * (def->power.nr ? curve_mw(&def->power, khz) : def->active_mw);
}

/* Takes served time off the requests in service. */
static void serve(struct sim_device *d, int64_t ns)
{
	for (struct sim_task *t = d->served; t; t = t->next_request) {
		uint64_t done = d->max_khz ? (uint64_t)ns * d->khz / d->max_khz : (uint64_t)ns;

		t->service_ns -= done < t->service_ns ? done : t->service_ns;
	}
}

void device_close(struct sim *s, struct sim_device *d)
{
	int64_t ns = s->now_ns - d->since_ns;

	if (!ns)
		return;
	add_energy(&d->uj, &d->rest, d->uw, ns);
	if (d->max_khz)
		serve(d, ns);
	d->since_ns = s->now_ns;
}

static void set_power(struct sim *s, struct sim_device *d)
{
	uint64_t uw = device_uw(d->def, d->busy > 0, d->khz);
	struct sim_package *p;

	device_close(s, d);
	if (d->def->package >= 0 && uw != d->uw) {
		p = &s->packages[d->def->package];
		package_close(s, p);
		p->devices_uw += uw - d->uw;
		d->uw = uw;
		budget_watch(s, p);
	}
	d->uw = uw;
}

static void set_busy(struct sim *s, struct sim_device *d, bool busy)
{
	pelt_run(&d->busy_share, (uint64_t)s->now_ns, !busy);
	if (busy)
		d->busy_since_ns = s->now_ns;
	else
		d->busy_ns += s->now_ns - d->busy_since_ns;
	/* It reaches memory through the uncore. */
	if (d->def->package >= 0)
		package_awake(s, &s->packages[d->def->package], busy);
	set_power(s, d);
}

static void schedule_end(struct sim *s, struct sim_device *d, struct sim_task *t)
{
	uint64_t ns = t->service_ns;

	if (d->max_khz)
		ns = (ns * d->max_khz + d->khz - 1) / d->khz;
	t->due_ns = cpu_time_ns(s) + (int64_t)ns;
	queue_set(&s->queue, &t->node, s->now_ns + (int64_t)ns);
}

void device_clock(struct sim *s, struct sim_device *d, uint32_t khz)
{
	if (!d->max_khz || d->khz == khz)
		return;
	device_close(s, d);
	d->khz = khz;
	set_power(s, d);
	for (struct sim_task *t = d->served; t; t = t->next_request)
		schedule_end(s, d, t);
}

static void begin_service(struct sim *s, struct sim_device *d, struct sim_task *t)
{
	device_close(s, d);
	t->next_request = d->served;
	d->served = t;
	if (!d->busy++)
		set_busy(s, d, true);
	t->node.kind = NODE_TASK;
	schedule_end(s, d, t);
}

/* A number, or the first of a kind; -1: there is none of that kind. */
static int find(const struct sim *s, uint32_t target)
{
	if (target < IO_KIND)
		return (int)(target % (uint32_t)s->m->nr_devices);
	for (int i = 0; i < s->m->nr_devices; i++)
		if (s->m->devices[i].kind == target - IO_KIND)
			return i;
	return -1;
}

bool device_request(struct sim_cpu *c, const struct op *op)
{
	static const char *const kinds[] = { "disk", "network card", "GPU", "other device" };
	struct sim *s = c->sim;
	struct sim_task *t = c->curr;
	struct sim_device *d;

	t->irq_cpu = NULL;
	t->device = find(s, op->target);
	if (t->device < 0) {
		s->status = error_set(s->err, ENODEV, "%s: machine %s has no %s", s->w->name,
			s->m->name, kinds[(op->target - IO_KIND) % 4]);
		return false;
	}
	d = &s->devices[t->device];
	t->service_ns = op->ns ? op->ns : (uint64_t)d->def->service_ns;
	if (op->flags & OP_EACH)
		t->service_ns *= t->taken;
	if (!strcmp(d->def->distribution, "exponential"))
		t->service_ns = rng_exponential(&d->rng, t->service_ns);
	t->next_request = NULL;
	if (d->busy < d->def->servers) {
		begin_service(s, d, t);
	} else if (d->first) {
		d->last->next_request = t;
		d->last = t;
	} else {
		d->first = d->last = t;
	}
	return true;
}

void device_done(struct sim *s, struct sim_task *t)
{
	struct sim_device *d = &s->devices[t->device];
	struct sim_task *next = d->first, **at = &d->served;

	device_close(s, d);
	while (*at != t)
		at = &(*at)->next_request;
	*at = t->next_request;
	if (!--d->busy && !next)
		set_busy(s, d, false);
	if (!next)
		return;
	d->first = next->next_request;
	next->next_request = d->served;
	d->served = next;
	d->busy++;
	schedule_end(s, d, next);
}

uint32_t devices_busy_permille(struct sim *s, int package)
{
	uint32_t most = 0;

	for (int i = 0; i < s->m->nr_devices; i++) {
		struct sim_device *d = &s->devices[i];

		if (d->def->package != package)
			continue;
		pelt_run(&d->busy_share, (uint64_t)s->now_ns, d->busy > 0);
		if (d->busy_share.util_avg > most)
			most = d->busy_share.util_avg;
	}
	return most * 1000 / 1024;
}

void device_init(struct sim *s)
{
	for (int i = 0; i < s->m->nr_devices; i++) {
		struct sim_device *d = &s->devices[i];

		d->def = &s->m->devices[i];
		rng_init(&d->rng, s->options->seed, 1000 + (uint64_t)i);
		if (d->def->power.nr)
			d->khz = d->max_khz = d->def->power.khz[d->def->power.nr - 1];
		set_power(s, d);
	}
}
