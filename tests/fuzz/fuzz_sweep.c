// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sweeps' files. What is read names runs by numbers that are in its lists, each text once; what is
 * not says why in one line.
 */
#include "cmd/sweep_spec.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_texts(const struct sweep_texts *t)
{
	int nr = t->nr < 100 ? t->nr : 100;

	for (int i = 0; i < nr; i++)
		for (int k = 0; k < i; k++)
			assert(strcmp(t->list[i], t->list[k]));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sweep_spec spec;
	struct error err = { "" };

	if (sweep_spec_parse("fuzz", (const char *)data, size, &spec, &err)) {
		assert(!strncmp(err.text, "fuzz:", 5) && !strchr(err.text, '\n'));
		return 0;
	}
	assert(spec.nr > 0 && spec.nr <= SWEEP_RUNS_MAX);
	for (int i = 0; i < spec.nr; i++) {
		const struct sweep_run *r = &spec.runs[i];

		assert(r->machine >= 0 && r->machine < spec.machines.nr);
		assert(r->workload >= 0 && r->workload < spec.workloads.nr);
		assert(r->policy >= 0 && r->policy < spec.policies.nr);
		assert(r->iteration >= 0 && r->iteration < SWEEP_RUNS_MAX);
	}
	check_texts(&spec.machines);
	check_texts(&spec.workloads);
	check_texts(&spec.policies);
	sweep_spec_release(&spec);
	return 0;
}
