// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Boosts beside a driver with its own algorithms on HWP: their hook is there under the powersave
 * policy, never under performance, and goes and comes with the switch (hwp_dynamic_boost), which
 * applies every policy anew. Applying a policy writes the request as it is without a boost: a
 * limit that a user sets in the middle of one wins until the next raise.
 */
#include "sim/internal.h"

#include <errno.h>
#include <stdlib.h>

int boost_init(struct sim *s)
{
	const struct boost *b = s->p->boost;

	s->boost_states = calloc((size_t)s->nr_cpus, b->state_size + 1);
	if (!s->boost_states)
		return error_set(s->err, ENOMEM, "out of memory");
	for (int n = 0; n < s->nr_cpus; n++) {
		struct sim_cpu *c = &s->cpus[n];

		c->boost_state = (char *)s->boost_states + (size_t)n * b->state_size;
		for (int i = 0; b->tune && i < s->p->nr_tunables; i++)
			b->tune(c->boost_state, s->p->tunables[i].key, s->p->tunables[i].value);
	}
	return 0;
}

void boost_hook_set(struct sim_freq *f, enum driver_policy policy)
{
	const struct sim *s = f->sim;
	bool hooked = s->p->boost->on_util && s->hwp_on && !s->boost_off && f->offer.own_policies &&
		      policy == DRIVER_POWERSAVE;

	for (int i = 0; i < f->nr_cpus; i++)
		f->cpus[i]->boost_hooked = hooked;
}

bool boost_hooked(const struct sim *s)
{
	for (int i = 0; i < s->nr_cpus; i++)
		if (s->cpus[i].boost_hooked)
			return true;
	return false;
}

int boost_switch(struct sim *s, bool on)
{
	int r = 0;

	s->boost_off = !on;
	for (int i = 0; i < s->nr_policies && !r; i++)
		r = driver_apply(&s->policies[i]);
	return r;
}
