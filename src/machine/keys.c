// SPDX-License-Identifier: GPL-2.0-or-later
#include "machine/keys.h"

#include "machine/override.h"
#include "machine/provenance.h"
#include "machine/topology.h"

#include <errno.h>
#include <string.h>

void machine_set_hz(struct machine *m, int hz)
{
	m->hz = hz;
	m->tick_ns = NSEC_PER_SEC / hz;
	m->idle.tick_ns = m->tick_ns;
}

static const char *const bios_modes[] = {
	[BIOS_OSCM] = "oscm", [BIOS_DPSM] = "dpsm", [BIOS_STATIC] = "static"
};

enum bios_mode keys_bios(const char *name)
{
	for (enum bios_mode i = BIOS_OSCM; i <= BIOS_STATIC; i++)
		if (!strcmp(bios_modes[i], name))
			return i;
	return BIOS_NONE;
}

/* All of the machine at one frequency, with no turbo beside it. */
static int set_khz(struct machine *m, const char *value, struct error *err)
{
	unsigned long long khz;
	int r = parse_u64(value, m->min_khz, m->max_khz, "khz", &khz, err);

	if (r)
		return r;
	m->min_khz = m->base_khz = m->max_khz = khz;
	m->nr_turbo = 0;
	provenance_override(m, "frequency.min_khz", "kHz", khz, "khz");
	provenance_override(m, "frequency.base_khz", "kHz", khz, "khz");
	provenance_override(m, "frequency.max_khz", "kHz", khz, "khz");
	provenance_override_text(m, "frequency.turbo_khz", "none", "khz");
	return 0;
}

static int set_speed(struct machine *m, const char *value, struct error *err)
{
	unsigned long long permille;
	int r = parse_u64(value, 1, 100000, "speed", &permille, err);

	if (r)
		return r;
	m->ipc_permille = m->ipc_permille * permille / 1000;
	if (!m->ipc_permille)
		m->ipc_permille = 1;
	provenance_override(
		m, "frequency.work_per_cycle_permille", "permille", m->ipc_permille, "speed");
	return 0;
}

static int set_cpuidle(struct machine *m, const char *value, struct error *err)
{
	if (!strcmp(value, m->idle_driver_name))
		return 0;
	if (strcmp(value, "none"))
		return error_set(err, EINVAL, "cpuidle: '%s', expected %s or none", value,
			m->idle_driver_name);
	if (m->idle.nr_states < 2)
		return error_set(
			err, EINVAL, "cpuidle: '%s', expected a machine with two states", value);
	snprintf(m->idle_driver_name, sizeof(m->idle_driver_name), "none");
	provenance_override_text(m, "idle.driver", "none", "cpuidle");
	return 0;
}

/* PL1, and PL2 in the proportion that the file gives. */
static int set_pl1(struct machine *m, const char *value, struct error *err)
{
	unsigned long long mw;
	int r = parse_u64(value, 1, 10000000, "pl1_mw", &mw, err);

	if (r)
		return r;
	m->pl2_mw = (uint32_t)(mw * m->pl2_mw / m->pl1_mw);
	m->pl1_mw = (uint32_t)mw;
	provenance_override(m, "limits.pl1_mw", "mW", m->pl1_mw, "pl1_mw");
	provenance_override(m, "limits.pl2_mw", "mW", m->pl2_mw, "pl1_mw");
	return 0;
}

static int set_pl2(struct machine *m, const char *value, struct error *err)
{
	unsigned long long mw;
	int r = parse_u64(value, m->pl1_mw, 10000000, "pl2_mw", &mw, err);

	if (r)
		return r;
	m->pl2_mw = (uint32_t)mw;
	provenance_override(m, "limits.pl2_mw", "mW", m->pl2_mw, "pl2_mw");
	return 0;
}

static int set_tau(struct machine *m, const char *value, struct error *err)
{
	unsigned long long ns;
	int r = parse_u64(value, 0, 100ULL * NSEC_PER_SEC, "pl1_tau_ns", &ns, err);

	if (r)
		return r;
	m->pl1_tau_ns = (int64_t)ns;
	provenance_override(m, "limits.pl1_tau_ns", "ns", m->pl1_tau_ns, "pl1_tau_ns");
	return 0;
}

/* Names with '+' between: oddities seen on some processor, off unless asked for. */
static int set_hwp_quirk(struct machine *m, const char *value, struct error *err)
{
	const struct {
		const char *name;
		bool *flag;
	} quirks[] = { { "gap", &m->hwp.quirk_gap }, { "efficient", &m->hwp.quirk_efficient } };
	const char *p = value;

	if (!m->hwp.present)
		return error_set(
			err, EINVAL, "hwp-quirk: '%s', expected a machine with HWP", value);
	for (;;) {
		size_t len = strcspn(p, "+"), i;

		for (i = 0; i < ARRAY_LEN(quirks); i++)
			if (strlen(quirks[i].name) == len && !strncmp(quirks[i].name, p, len))
				break;
		if (i == ARRAY_LEN(quirks))
			return error_set(err, EINVAL,
				"hwp-quirk: '%s', expected gap, efficient or both with a + between",
				value);
		*quirks[i].flag = true;
		if (!p[len])
			break;
		p += len + 1;
	}
	provenance_override_text(m, "hwp.quirk", value, "hwp-quirk");
	return 0;
}

static int set_bios(struct machine *m, const char *value, struct error *err)
{
	enum bios_mode mode = keys_bios(value);

	if (!m->firmware.bios)
		return error_set(err, EINVAL,
			"bios: '%s', expected a machine with a firmware section", value);
	if (!mode)
		return error_set(err, EINVAL, "bios: '%s', expected oscm, dpsm or static", value);
	m->firmware.bios = mode;
	provenance_override_text(m, "firmware.bios", value, "bios");
	return 0;
}

/* cpus= may lay the CPUs out anew, so it comes before what numbers them. */
static int apply_cpus(
	struct machine *m, struct doc_machine *doc, const struct spec *spec, struct error *err)
{
	const char *cpus = spec_get(spec, "cpus"), *online = spec_get(spec, "online");
	int64_t cores = doc->topology.cores_per_package.value;
	int count = 0, r = 0;

	if (cpus && online)
		return error_set(err, EINVAL, "cpus and online together, expected one of them");
	if (cpus)
		r = topology_set_cpus(m, &doc->topology, cpus, err);
	if (!r && online)
		r = topology_set_online(m, online, err);
	if (r || (!cpus && !online))
		return r;
	for (int i = 0; i < m->nr_cpus; i++)
		count += m->cpus[i].online;
	if (doc->topology.cores_per_package.value != cores) {
		cores = doc->topology.cores_per_package.value;
		provenance_override(m, "topology.cores_per_package", "", cores, "cpus");
		provenance_override(m, "topology.cores_per_llc", "", cores, "cpus");
	}
	provenance_override(m, "topology.online_cpus", "", count, cpus ? "cpus" : "online");
	return 0;
}

int keys_apply(
	struct machine *m, struct doc_machine *doc, const struct spec *spec, struct error *err)
{
	int r = 0;

	for (int i = 0; i < spec->nr_keys; i++)
		if (spec_get(spec, spec->keys[i].key) != spec->keys[i].value)
			return error_set(
				err, EINVAL, "key '%s' twice, expected once", spec->keys[i].key);
	r = apply_cpus(m, doc, spec, err);
	for (int i = 0; i < spec->nr_keys && !r; i++) {
		const char *key = spec->keys[i].key, *value = spec->keys[i].value;
		unsigned long long hz;

		if (!strcmp(key, "khz")) {
			r = set_khz(m, value, err);
		} else if (!strcmp(key, "speed")) {
			r = set_speed(m, value, err);
		} else if (!strcmp(key, "cpuidle")) {
			r = set_cpuidle(m, value, err);
		} else if (!strcmp(key, "pl1_mw")) {
			r = set_pl1(m, value, err);
		} else if (!strcmp(key, "pl2_mw")) {
			r = set_pl2(m, value, err);
		} else if (!strcmp(key, "pl1_tau_ns")) {
			r = set_tau(m, value, err);
		} else if (!strcmp(key, "hwp-quirk")) {
			r = set_hwp_quirk(m, value, err);
		} else if (!strcmp(key, "bios")) {
			r = set_bios(m, value, err);
		} else if (!strcmp(key, "hz")) {
			r = parse_u64(value, 10, 10000, "hz", &hz, err);
			if (!r) {
				machine_set_hz(m, hz);
				provenance_override(m, "tick.hz", "Hz", hz, "hz");
			}
		} else if (strcmp(key, "cpus") && strcmp(key, "online") && strcmp(key, "draw") &&
			   !override_is(key)) {
			r = error_set(err, EINVAL,
				"key '%s', expected cpus, online, khz, speed, hz, cpuidle, "
				"hwp-quirk, pl1_mw, pl2_mw, pl1_tau_ns, bios, draw or a path",
				key);
		}
	}
	return r;
}
