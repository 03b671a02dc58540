// SPDX-License-Identifier: GPL-2.0-or-later
#include "machine/check.h"
#include "machine/names.h"
#include "machine/platform.h"
#include "machine/provenance.h"
#include "machine/topology.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICE_BIAS_PERMILLE = 500 }; /* where the file does not say: no preference */

static void build_curve(struct curve *curve, const struct doc_point *points, int nr)
{
	curve->nr = nr;
	for (int i = 0; i < nr; i++) {
		curve->khz[i] = (uint32_t)points[i].khz.value;
		curve->mw[i] = (uint32_t)points[i].mw.value;
	}
}

static void build_frequency(struct machine *m, const struct doc_frequency *f)
{
	m->freq_domain = !strcmp(f->domain, "core")	 ? FREQ_DOMAIN_CORE
			 : !strcmp(f->domain, "package") ? FREQ_DOMAIN_PACKAGE
							 : FREQ_DOMAIN_NONE;
	m->min_khz = (uint32_t)f->min_khz.value;
	m->base_khz = (uint32_t)f->base_khz.value;
	m->max_khz = (uint32_t)f->max_khz.value;
	m->step_khz = (uint32_t)f->step_khz.value;
	m->transition_ns = f->transition_ns.value;
	m->change_grid_ns = f->change_grid_ns.value;
	m->platform.tsc_khz = *f->tsc_khz.text ? (uint32_t)f->tsc_khz.value : m->base_khz;
	m->ipc_permille = (uint32_t)f->work_per_cycle_permille.value;
	m->smt_permille = (uint32_t)f->smt_permille.value;
	m->nr_turbo = (int)f->turbo_khz_count;
	for (int i = 0; i < m->nr_turbo; i++)
		m->turbo_khz[i] = (uint32_t)f->turbo_khz[i].value;
}

static void build_hwp(struct machine_hwp *m, const struct doc_hwp *h)
{
	*m = (struct machine_hwp){
		.present = *h->section.source,
		.unit_khz = (uint32_t)h->unit_khz.value,
		.lowest = (uint32_t)h->lowest.value,
		.efficient = (uint32_t)h->efficient.value,
		.guaranteed = (uint32_t)h->guaranteed.value,
		.highest = (uint32_t)h->highest.value,
		.default_epp = (uint32_t)h->default_epp.value,
		.window_ns = h->window_ns.value,
		.halving_ns = h->halving_ns.value,
		.epp0_permille = (uint32_t)h->epp0_permille.value,
		.epp128_permille = (uint32_t)h->epp128_permille.value,
		.epp255_permille = (uint32_t)h->epp255_permille.value,
	};
}

static void build_idle(struct machine *m, const struct doc_idle *idle)
{
	snprintf(m->idle_driver_name, sizeof(m->idle_driver_name), "%s", idle->driver);
	m->poll_relax_ns = idle->poll_relax_ns.value;
	m->poll_clock_read_ns = idle->poll_clock_read_ns.value;
	m->idle.nr_states = idle->states_count;
	for (uint32_t i = 0; i < idle->states_count; i++) {
		const struct doc_state *from = &idle->states[i];
		struct idle_state *state = &m->idle.states[i];
		struct machine_idle_state *real = &m->idle_real[i];

		memcpy(state->name, from->name, sizeof(state->name));
		state->exit_latency_ns = from->exit_latency_ns.value;
		state->target_residency_ns = from->target_residency_ns.value;
		state->polling = from->polling;
		real->wake_ns = from->wake_ns.value;
		real->settle_ns = from->settle_ns.value;
		real->monitors = from->monitors;
		real->keeps_vote = from->keeps_vote;
		real->keeps_uncore = from->keeps_uncore;
	}
}

static void build_power(struct machine *m, const struct doc_machine *doc)
{
	const struct doc_power *p = &doc->power;

	m->floor_mw = (uint32_t)p->floor_mw.value;
	build_curve(&m->uncore, p->uncore, p->uncore_count);
	build_curve(&m->core_active, p->core_active, p->core_active_count);
	build_curve(&m->core_active_smt, p->core_active_smt, p->core_active_smt_count);
	for (uint32_t i = 0; i < p->core_idle_count; i++)
		build_curve(&m->idle_real[i].core_power, p->core_idle[i].mw_by_khz,
			p->core_idle[i].mw_by_khz_count);
	m->pl1_mw = (uint32_t)doc->limits.pl1_mw.value;
	m->pl2_mw = (uint32_t)doc->limits.pl2_mw.value;
	m->pl1_tau_ns = doc->limits.pl1_tau_ns.value;
	m->device_bias_permille = DEVICE_BIAS_PERMILLE;
	if (*doc->limits.device_bias_permille.text)
		m->device_bias_permille = (uint32_t)doc->limits.device_bias_permille.value;
	m->rapl_unit_nj = (uint32_t)doc->rapl.unit_nj.value;
	m->rapl_period_ns = doc->rapl.period_ns.value;
}

static void build_devices(struct machine *m, const struct doc_devices *devices)
{
	static const char *const kinds[] = {
		[DEVICE_DISK] = "disk", [DEVICE_NET] = "net", [DEVICE_GPU] = "gpu"
	};

	m->nr_devices = devices->list_count;
	for (uint32_t i = 0; i < devices->list_count; i++) {
		const struct doc_device *from = &devices->list[i];
		struct machine_device *d = &m->devices[i];

		memcpy(d->name, from->name, sizeof(d->name));
		memcpy(d->distribution, from->distribution, sizeof(d->distribution));
		d->kind = DEVICE_OTHER;
		for (size_t k = 0; k < ARRAY_LEN(kinds); k++)
			if (!strcmp(from->kind, kinds[k]))
				d->kind = k;
		d->servers = (int)from->servers.value;
		d->service_ns = from->service_ns.value;
		d->irq_cpu = (int)from->irq_cpu.value;
		d->active_mw = (uint32_t)from->active_mw.value;
		d->idle_mw = (uint32_t)from->idle_mw.value;
		d->package = (int)from->package.value;
		build_curve(&d->power, from->active_mw_by_khz, (int)from->active_mw_by_khz_count);
	}
}

static const char *const bios_modes[] = {
	[BIOS_OSCM] = "oscm", [BIOS_DPSM] = "dpsm", [BIOS_STATIC] = "static"
};

static enum bios_mode find_bios(const char *name)
{
	for (enum bios_mode i = BIOS_OSCM; i <= BIOS_STATIC; i++)
		if (!strcmp(bios_modes[i], name))
			return i;
	return BIOS_NONE;
}

static void build_firmware(struct machine *m, const struct doc_firmware *f)
{
	m->firmware = (struct machine_firmware){
		.bios = find_bios(f->bios),
		.doorbell = !strcmp(f->pcc_doorbell, "port") ? DOORBELL_PORT : DOORBELL_MEMORY,
		.behaviour = !strcmp(f->pcc_behaviour, "never")	  ? MAILBOX_NEVER
			     : !strcmp(f->pcc_behaviour, "error") ? MAILBOX_ERROR
								  : MAILBOX_COMPLETES,
		.distribution = !strcmp(f->pcc_distribution, "exponential") ? SERVICE_EXPONENTIAL
				: !strcmp(f->pcc_distribution, "uniform")   ? SERVICE_UNIFORM
									    : SERVICE_FIXED,
		.minimum_khz = (uint32_t)f->pcc_minimum_khz.value,
		.service_ns = f->pcc_service_ns.value,
		.spread_permille = (uint32_t)f->pcc_spread_permille.value,
		.stall_ns = f->pcc_stall_ns.value,
		.access_ns = f->pcc_access_ns.value,
	};
}

/* PCCH and PCCP: a page for the header and the buffers, as far as that holds all CPUs. */
static void build_pcc(struct machine *m)
{
	enum { BASE = 0x7b7f0000, BUFFERS = 64, STRIDE = 8, PAGE = 4096, SMI_PORT = 0xb2 };
	bool port = m->firmware.doorbell == DOORBELL_PORT;

	m->platform.nr_present = m->nr_cpus;
	m->platform.pcc = (struct acpi_pcc){ 0 };
	if (m->firmware.bios != BIOS_DPSM && m->firmware.bios != BIOS_STATIC)
		return;
	m->platform.pcc = (struct acpi_pcc){
		.base = BASE,
		.size = (BUFFERS + STRIDE * (uint64_t)m->nr_cpus + PAGE - 1) / PAGE * PAGE,
		.doorbell_in_ports = port,
		.doorbell = port ? SMI_PORT : BASE - PAGE,
		.doorbell_width = port ? 8 : 32,
		.preserve = port ? 0 : ~1ULL,
		.write = port ? 0xcc : 1,
		.input = BUFFERS,
		.output = BUFFERS + STRIDE / 2,
		.stride = STRIDE,
	};
}

static void set_hz(struct machine *m, int hz)
{
	m->hz = hz;
	m->tick_ns = NSEC_PER_SEC / hz;
	m->idle.tick_ns = m->tick_ns;
}

#define SET_COST(member) m->costs.member = doc->costs.member.value;

static void build(struct machine *m, const struct doc_machine *doc)
{
	memcpy(m->description, doc->description, sizeof(m->description));
	topology_build(m, &doc->topology);
	build_frequency(m, &doc->frequency);
	platform_build(m, &doc->platform);
	build_hwp(&m->hwp, &doc->hwp);
	m->platform.hwp |= m->hwp.present;
	m->platform.hwp_epp |= m->hwp.present;
	build_idle(m, &doc->idle);
	build_power(m, doc);
	COSTS(SET_COST)
	build_devices(m, &doc->devices);
	build_firmware(m, &doc->firmware);
	set_hz(m, (int)doc->tick.hz.value);
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
	enum bios_mode mode = find_bios(value);

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

static int apply_keys(
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
				set_hz(m, hz);
				provenance_override(m, "tick.hz", "Hz", hz, "hz");
			}
		} else if (strcmp(key, "cpus") && strcmp(key, "online")) {
			r = error_set(err, EINVAL,
				"key '%s', expected cpus, online, khz, speed, hz, cpuidle, "
				"hwp-quirk, pl1_mw, pl2_mw, pl1_tau_ns or bios",
				key);
		}
	}
	return r;
}

/* Only OS Control shows _PSS; the others rename it, so that nobody finds it. */
static void hide_pss(struct machine *m)
{
	if (m->firmware.bios != BIOS_DPSM && m->firmware.bios != BIOS_STATIC)
		return;
	m->platform.nr_pss = 0;
	m->platform.pss_space = PSS_NONE;
	m->ppc = -1;
}

static int build_checked(
	const struct yaml *y, const struct spec *spec, struct machine **ret, struct error *err)
{
	struct machine *m;
	int r;

	r = machine_check(y, y->doc, err);
	if (r)
		return r;
	m = calloc(1, sizeof(*m));
	if (!m)
		return error_set(err, ENOMEM, "%s: out of memory", y->path);
	build(m, y->doc);
	r = provenance_build(m, y, y->doc, err);
	if (!r && spec) {
		r = apply_keys(m, y->doc, spec, err);
		if (r)
			error_prefix(err, r, "machine '%s'", spec->text);
	}
	build_pcc(m);
	hide_pss(m);
	if (r) {
		free(m);
		return r;
	}
	*ret = m;
	return 0;
}

static void set_name(struct machine *m, const char *name, const char *text)
{
	const char *base = strrchr(name, '/');
	size_t len;

	snprintf(m->name, sizeof(m->name), "%s", base ? base + 1 : name);
	len = strlen(m->name);
	if (len > 5 && !strcmp(m->name + len - 5, ".yaml"))
		m->name[len - 5] = 0;
	snprintf(m->text, sizeof(m->text), "%s", text);
}

int machine_load(const char *text, const char *dir, struct machine **ret, struct error *err)
{
	struct spec spec;
	struct yaml y;
	char path[512];
	int r;

	r = spec_parse(&spec, text, err);
	if (!r)
		r = names_path("machine", spec.name, dir, path, sizeof(path), err);
	if (!r)
		r = yaml_read(&y, path, &doc_machine_schema, err);
	if (r)
		return r;
	r = build_checked(&y, &spec, ret, err);
	yaml_release(&y);
	if (!r)
		set_name(*ret, spec.name, text);
	return r;
}

int machine_load_text(
	const char *name, const char *text, size_t size, struct machine **ret, struct error *err)
{
	struct yaml y;
	int r = yaml_parse(&y, name, text, size, &doc_machine_schema, err);

	if (r)
		return r;
	r = build_checked(&y, NULL, ret, err);
	yaml_release(&y);
	if (!r)
		set_name(*ret, name, name);
	return r;
}

struct machine *machine_free(struct machine *m)
{
	free(m);
	return NULL;
}
