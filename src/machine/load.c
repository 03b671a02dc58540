// SPDX-License-Identifier: GPL-2.0-or-later
#include "machine/check.h"
#include "machine/draw.h"
#include "machine/keys.h"
#include "machine/names.h"
#include "machine/override.h"
#include "machine/platform.h"
#include "machine/provenance.h"
#include "machine/topology.h"

#include <errno.h>
#include <limits.h>
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
		.floor = (uint32_t)(h->floor.value ? h->floor.value : h->lowest.value),
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
		real->package_wake_ns = from->package_wake_ns.value;
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
	m->uncore_together = !strcmp(p->uncore_sleeps, "together");
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

static void build_firmware(struct machine *m, const struct doc_firmware *f)
{
	m->firmware = (struct machine_firmware){
		.bios = keys_bios(f->bios),
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

#define SET_COST(member) m->costs.member = doc->costs.member.value;

static void build(struct machine *m, const struct doc_machine *doc)
{
	memcpy(m->description, doc->description, sizeof(m->description));
	topology_build(m, &doc->topology);
	build_frequency(m, &doc->frequency);
	m->efficiency_cores =
		(int)(doc->hybrid.efficiency_cores.value * doc->topology.packages.value);
	platform_build(m, &doc->platform);
	build_hwp(&m->hwp, &doc->hwp);
	m->platform.hwp |= m->hwp.present;
	m->platform.hwp_epp |= m->hwp.present;
	build_idle(m, &doc->idle);
	build_power(m, doc);
	COSTS(SET_COST)
	build_devices(m, &doc->devices);
	build_firmware(m, &doc->firmware);
	machine_set_hz(m, (int)doc->tick.hz.value);
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

/* Paths and draw= change the document; the other keys the machine, and have the last word. */
static int change_document(
	struct machine *m, const struct yaml *y, const struct spec *spec, struct error *err)
{
	const char *text = spec_get(spec, "draw");
	unsigned long long seed;
	int r = override_document(m, y, y->doc, spec, err);

	if (r || !text)
		return r;
	r = parse_u64(text, 0, LLONG_MAX, "draw", &seed, err);
	return r ? r : draw_document(m, y, y->doc, seed, err);
}

static int build_for(
	struct machine *m, const struct yaml *y, const struct spec *spec, struct error *err)
{
	int r = spec ? change_document(m, y, spec, err) : 0;

	if (!r)
		build(m, y->doc);
	if (!r && spec)
		r = keys_apply(m, y->doc, spec, err);
	return r ? error_prefix(err, r, "machine '%s'", spec->text) : 0;
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
	r = provenance_build(m, y, y->doc, err);
	r = r ? r : build_for(m, y, spec, err);
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

int machine_simulable(const struct machine *m, struct error *err)
{
	if (!m->efficiency_cores)
		return 0;
	return error_set(err, EOPNOTSUPP,
		"machine '%s' is hybrid: placement of tasks among unlike cores is not modelled, "
		"expected a machine without section hybrid",
		m->text);
}

struct machine *machine_free(struct machine *m)
{
	free(m);
	return NULL;
}
