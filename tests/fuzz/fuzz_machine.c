// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Machine files. What loads must load again to the same bytes, be usable for what the simulator
 * asks of it, and print; what does not load must say why in one line. Fitted values get into any
 * text, or it is said why not.
 */
#include "machine/edit.h"
#include "machine/machine.h"

#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use(const struct machine *m)
{
	assert(m->nr_cpus > 0 && m->nr_cpus <= CPUS_MAX);
	assert(m->idle.nr_states > 0 && m->tick_ns > 0);
	for (int i = 0; i < m->nr_cpus; i++) {
		const struct machine_cpu *c = &m->cpus[i];

		assert(c->core >= 0 && c->core < m->nr_cores);
		assert(c->package >= 0 && c->package < m->nr_packages);
		assert(c->llc >= 0 && c->llc < m->nr_llcs);
	}
	for (int s = 0; s < m->idle.nr_states; s++) {
		assert(m->idle_real[s].core_power.nr > 0);
		machine_core_uw(m, (int[]){ s, THREAD_RUNS }, 2, m->max_khz);
		machine_core_uw(m, (int[]){ s, THREAD_OFFLINE }, 2, m->min_khz);
	}
	machine_uncore_uw(m, true, m->base_khz);
	for (int i = 0; i < m->nr_cores + 2; i++)
		assert(machine_turbo_khz(m, i) <= m->max_khz);
}

static void edit(const uint8_t *data, size_t size)
{
	static const struct edit edits[] = {
		{ "costs.tick_ns", "900", "fitted(T1)", "a source" },
		{ "idle.states.C1.wake_ns", "900", "fitted(T1)", "a source" },
		{ "power.uncore", "x1.5", "fitted(T1)", "a source" },
		{ "frequency.turbo_khz", "x0.9", "fitted(T1)", "a source" },
	};
	char *text = strndup((const char *)data, size);

	assert(text);
	for (size_t i = 0; i < sizeof(edits) / sizeof(edits[0]); i++) {
		struct error err = { "" };
		char *ret = NULL;

		if (edit_text("fuzz", text, &edits[i], &ret, &err))
			assert(*err.text && !strchr(err.text, '\n'));
		else
			assert(strstr(ret, "fitted(T1)"));
		free(ret);
	}
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct machine *m, *again;
	struct error err = { "" };
	char *text = NULL;
	size_t length;
	FILE *out;

	edit(data, size);
	if (machine_load_text("fuzz", (const char *)data, size, &m, &err)) {
		assert(*err.text && !strchr(err.text, '\n'));
		return 0;
	}
	assert(!machine_load_text("fuzz", (const char *)data, size, &again, &err));
	assert(!memcmp(m, again, sizeof(*m)));
	use(m);
	out = open_memstream(&text, &length);
	assert(out);
	machine_show(m, false, out);
	machine_show(m, true, out);
	fclose(out);
	free(text);
	machine_free(m);
	machine_free(again);
	return 0;
}
