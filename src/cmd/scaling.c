// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/run_jobs.h"

#include <errno.h>
#include <string.h>

/* Nothing on this machine changes a CPU's speed, so recorded run time is what it was. */
static bool ends_coincide(const struct machine *m)
{
	return m->freq_domain == FREQ_DOMAIN_NONE && m->ipc_permille == 1000 &&
	       (!m->smt_permille || m->smt_permille == 1000);
}

int scaling_choice_parse(const char *text, enum scaling_choice *ret)
{
	static const char *const names[] = { "both", "all", "none" };

	for (int i = 0; i < 3; i++)
		if (!strcmp(text, names[i])) {
			*ret = (enum scaling_choice)i;
			return 0;
		}
	return -EINVAL;
}

int choose_scalings(const struct machine *m, bool recorded, enum scaling_choice choice,
	enum sim_scaling ret[2], bool *ret_coincide)
{
	ret[0] = choice == SCALING_NONE ? SCALE_NONE : SCALE_ALL;
	ret[1] = SCALE_NONE;
	*ret_coincide = recorded && ends_coincide(m);
	return recorded && !*ret_coincide && choice == SCALING_BOTH ? 2 : 1;
}
