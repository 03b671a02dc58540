// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A model as a machine file. Each section is carried over from the nearest machine, with a wide
 * range; what the machine's own files told is listed among the section's facts as measured.
 */
#include "doctor/model_section.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void write_topology(const struct model *m, FILE *out)
{
	static const char source[] = "/proc/cpuinfo, cpu*/topology, cpu*/cache, node*/cpulist";

	fprintf(out, "\ntopology:\n  source: \"%s%s\"\n", source,
		m->irregular ? "; no regular machine, each CPU is taken as a core" : "");
	fprintf(out, "  confidence: %s\n", m->irregular ? "estimated" : "measured");
	if (m->irregular)
		fprintf(out, "  spread_percent: 100\n");
	fprintf(out, "  packages: %d\n  cores_per_package: %d\n  threads_per_core: %d\n",
		m->packages, m->cores, m->threads);
	fprintf(out, "  cores_per_llc: %d\n  nodes_per_package: %d\n  numbering: %s\n",
		m->cores_per_llc, m->nodes_per_package, m->numbering);
}

static const char *domain_of(const struct model *m)
{
	if (m->guest)
		return "none";
	return m->nearest->freq_domain == FREQ_DOMAIN_CORE ? "core" : "package";
}

/* The three bounds in order, whatever was told of them and whatever was carried over. */
static void bounds(const struct model *m, int64_t *min, int64_t *base, int64_t *max)
{
	*base = *m->base_khz.source ? m->base_khz.v : m->nearest->base_khz;
	*max = *m->max_khz.source ? m->max_khz.v : *base;
	if (*max < *base)
		*base = *max;
	*min = *m->min_khz.source ? m->min_khz.v : m->nearest->min_khz;
	if (m->guest || *min > *base)
		*min = *base;
	if (m->guest)
		*max = *base;
}

static void write_frequency(const struct model *m, FILE *out)
{
	const struct machine *n = m->nearest;
	int64_t min, base, max;
	struct section s;

	bounds(m, &min, &base, &max);
	section_begin(&s, out, "frequency", n->name);
	fprintf(out, "  domain: %s\n", domain_of(m));
	section_number(&s, "min_khz", min);
	section_number(&s, "base_khz", base);
	section_number(&s, "max_khz", max);
	if (*m->min_khz.source && min == m->min_khz.v)
		section_measured(&s, "min_khz", m->min_khz.source);
	else
		section_estimated(&s, "min_khz", "not told", min / 2, base);
	if (*m->base_khz.source && base == m->base_khz.v)
		section_measured(&s, "base_khz", m->base_khz.source);
	if (*m->max_khz.source)
		section_measured(&s, "max_khz", m->max_khz.source);
	else
		section_estimated(&s, "max_khz", "not told; the base frequency", max, 2 * max);
	section_number(&s, "step_khz", n->step_khz);
	section_list(out, "turbo_khz", m->turbo_khz, m->nr_turbo);
	if (m->nr_turbo)
		section_measured(&s, "turbo_khz", m->turbo_source);
	section_number_or(&s, "transition_ns", &m->transition_ns, n->transition_ns);
	if (n->change_grid_ns)
		section_number(&s, "change_grid_ns", n->change_grid_ns);
	section_number(&s, "work_per_cycle_permille", n->ipc_permille);
	section_number(&s, "smt_permille",
		m->threads > 1 && n->smt_permille < 1000 ? n->smt_permille
		: m->threads > 1			 ? 620
							 : 1000);
	section_end(&s);
}

/* Performance levels in their order, for that is what a model must have. */
static void write_hwp(const struct model *m, FILE *out)
{
	const struct machine *n = m->nearest_hwp;
	const struct model_value *level[] = { &m->highest, &m->guaranteed, &m->efficient,
		&m->lowest };
	static const char *const names[] = { "highest", "guaranteed", "efficient", "lowest" };
	int64_t min, base, max, value[4], unit = 100000;
	struct section s;

	if (!m->hwp || !n)
		return;
	bounds(m, &min, &base, &max);
	section_begin(&s, out, "hwp", n->name);
	if (*m->highest.source && llabs(m->highest.v * unit - max) * 50 > max)
		unit = max / m->highest.v; /* a hybrid part has units of its own */
	value[0] = (max + unit / 2) / unit;
	value[1] = (base + unit / 2) / unit;
	value[2] = value[3] = (min + unit / 2) / unit;
	section_number(&s, "unit_khz", unit);
	section_measured(&s, "unit_khz", "highest frequency by highest performance");
	for (int i = 0; i < 4; i++) {
		int64_t most = i ? value[i - 1] : 255, told = *level[i]->source ? level[i]->v : 0;

		if (told)
			value[i] = told;
		if (value[i] > most)
			value[i] = most;
		if (value[i] < 1)
			value[i] = 1;
		section_number(&s, names[i], value[i]);
		if (told == value[i])
			section_measured(&s, names[i], level[i]->source);
	}
	section_number(&s, "default_epp", n->hwp.default_epp);
	section_number(&s, "window_ns", n->hwp.window_ns);
	section_number(&s, "halving_ns", n->hwp.halving_ns);
	section_number(&s, "epp0_permille", n->hwp.epp0_permille);
	section_number(&s, "epp128_permille", n->hwp.epp128_permille);
	section_number(&s, "epp255_permille", n->hwp.epp255_permille);
	section_end(&s);
}

static void write_tick(const struct model *m, FILE *out)
{
	struct section s;

	section_begin(&s, out, "tick", m->nearest->name);
	section_number_or(&s, "hz", &m->hz, m->nearest->hz);
	if (!*m->hz.source)
		section_estimated(&s, "hz", "no file tells CONFIG_HZ", 100, 1000);
	section_end(&s);
}

static void write_rapl(const struct model *m, FILE *out)
{
	const struct machine *n = m->nearest;
	struct section s;

	section_begin(&s, out, "rapl", n->name);
	section_number_or(&s, "unit_nj", &m->rapl_unit_nj, n->rapl_unit_nj);
	section_number(&s, "period_ns", n->rapl_period_ns);
	section_end(&s);
}

static void write_limits(const struct model *m, FILE *out)
{
	const struct machine *n = m->nearest;
	int their_cores = n->nr_cores / n->nr_packages;
	int64_t pl1, pl2;
	struct section s;

	/* Two machines of one kind differ by their cores. */
	pl1 = *m->pl1_mw.source ? m->pl1_mw.v : (int64_t)n->pl1_mw * m->cores / their_cores;
	pl2 = *m->pl2_mw.source ? m->pl2_mw.v : (int64_t)n->pl2_mw * m->cores / their_cores;
	section_begin(&s, out, "limits", n->name);
	section_number_or(&s, "pl1_mw", &m->pl1_mw, pl1 ? pl1 : 1);
	if (pl2 >= pl1)
		section_number_or(&s, "pl2_mw", &m->pl2_mw, pl2 ? pl2 : 1);
	else
		section_number(&s, "pl2_mw", pl1);
	section_number_or(&s, "pl1_tau_ns", &m->pl1_tau_ns, n->pl1_tau_ns);
	section_end(&s);
}

static void write_costs(const struct model *m, FILE *out)
{
	const struct machine_costs *c = &m->nearest->costs;
	const struct {
		const char *name;
		int64_t ns;
	} costs[] = {
		{ "context_switch_ns", c->context_switch_ns },
		{ "tick_ns", c->tick_ns },
		{ "tick_stop_ns", c->tick_stop_ns },
		{ "tick_restart_ns", c->tick_restart_ns },
		{ "idle_entry_ns", c->idle_entry_ns },
		{ "idle_exit_ns", c->idle_exit_ns },
		{ "ipi_send_ns", c->ipi_send_ns },
		{ "ipi_deliver_ns", c->ipi_deliver_ns },
		{ "poll_react_ns", c->poll_react_ns },
		{ "irq_ns", c->irq_ns },
		{ "timer_irq_ns", c->timer_irq_ns },
		{ "timer_late_ns", c->timer_late_ns },
		{ "host_poll_ns", m->guest ? c->host_poll_ns : 0 },
		{ "host_wake_ns", m->guest ? c->host_wake_ns : 0 },
		{ "migration_ns", c->migration_ns },
		{ "migration_cost_ns", c->migration_cost_ns },
	};
	struct section s;

	section_begin(&s, out, "costs", m->nearest->name);
	for (size_t i = 0; i < ARRAY_LEN(costs); i++)
		section_number(&s, costs[i].name, costs[i].ns);
	section_end(&s);
}

/* A disk and a network card every machine has; what else the other one has tells nothing of this.
 */
static bool is_usual(const struct machine_device *d)
{
	return d->kind == DEVICE_DISK || d->kind == DEVICE_NET;
}

static void write_devices(const struct model *m, FILE *out)
{
	const struct machine *n = m->nearest;
	struct section s;
	int nr = 0;

	section_begin(&s, out, "devices", n->name);
	for (int i = 0; i < n->nr_devices; i++) {
		const struct machine_device *d = &n->devices[i];

		if (!is_usual(d))
			continue;
		if (!nr++)
			fprintf(out, "  list:\n");
		fprintf(out, "    - name: %s\n      kind: %s\n      servers: %d\n", d->name,
			d->kind == DEVICE_DISK ? "disk" : "net", d->servers);
		fprintf(out, "      service_ns: %" PRId64 "\n      distribution: %s\n",
			d->service_ns, d->distribution);
		fprintf(out, "      irq_cpu: -1\n      package: -1\n");
		fprintf(out, "      active_mw: %u\n      idle_mw: %u\n", d->active_mw, d->idle_mw);
	}
	if (!nr) {
		fprintf(out, "  list: []\n");
	} else {
		section_estimated(&s, "list.*.irq_cpu", "-1: the CPU that submitted", -1, -1);
		section_estimated(&s, "list.*.package", "-1: outside the package", -1, -1);
	}
	section_end(&s);
}

static void write_platform(const struct model *m, FILE *out)
{
	static const char *const flags[] = { "aperfmperf", "cpb", "cppc", "epb", "est", "hw_pstate",
		"hwp", "hwp_epp", "hwp_notify", "ida" };
	static const char *const profiles[] = { "unspecified", "desktop", "mobile", "workstation",
		"enterprise-server", "soho-server", "appliance-pc", "performance-server",
		"tablet" };
	const struct select_facts *f = &m->facts->machine;
	char found[160] = "";

	for (size_t i = 0; i < ARRAY_LEN(flags); i++) {
		if (facts_flag(m->facts, flags[i]))
			snprintf(found + strlen(found), sizeof(found) - strlen(found), "%s%s",
				*found ? " " : "", flags[i]);
	}
	if (!f->vendor_known || f->family < 1 || f->family > 255 || f->model < 0 ||
		f->model > 255 || !*found)
		return;
	fprintf(out, "\nplatform:\n  source: /proc/cpuinfo, FADT, cpufreq's list of frequencies\n"
		     "  confidence: measured\n");
	fprintf(out, "  vendor: %s\n  family: %d\n  model: %d\n  cpu_flags: %s\n",
		f->vendor == VENDOR_AMD ? "amd" : "intel", f->family, f->model, found);
	if (f->pm_profile >= 0 && f->pm_profile < (int)ARRAY_LEN(profiles))
		fprintf(out, "  pm_profile: %s\n", profiles[f->pm_profile]);
	if (m->nr_pss > 1) {
		fprintf(out, "  pss_space: msr\n");
		section_list(out, "pss_khz", m->pss_khz, m->nr_pss);
		if (*m->transition_ns.source)
			fprintf(out, "  pss_latency_ns: %" PRId64 "\n", m->transition_ns.v);
	}
	if (m->cpc[0]) {
		fprintf(out, "  cppc_highest: %d\n  cppc_nominal: %d\n", m->cpc[0], m->cpc[1]);
		fprintf(out, "  cppc_lowest_nonlinear: %d\n  cppc_lowest: %d\n", m->cpc[2],
			m->cpc[3]);
		fprintf(out, "  cppc_nominal_khz: %d\n  cppc_lowest_khz: %d\n", m->cpc[4] * 1000,
			m->cpc[5] * 1000);
	}
}

void model_write(const struct model *m, FILE *out)
{
	fprintf(out,
		"# Written by corepace import-machine. Beside what is measured here, all is "
		"carried over\n# from %s.\nschema: 1\ndescription: ",
		m->nearest->name);
	section_text(out, m->description);
	fputc('\n', out);
	write_topology(m, out);
	write_frequency(m, out);
	write_hwp(m, out);
	model_write_idle(m, out);
	write_tick(m, out);
	write_rapl(m, out);
	write_limits(m, out);
	write_costs(m, out);
	write_devices(m, out);
	write_platform(m, out);
}
