// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Frequencies and limits of a model. Turbo bins: Intel SDM volume 4, 0x1ad and 0x1ae; where the
 * latter holds counts of cores its bytes rise, where it holds further ratios they fall.
 */
#include "doctor/acpi.h"
#include "doctor/model.h"
#include "doctor/registers.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { BUS_KHZ = 100000, TURBO_KHZ_MAX = 7000000 };

void model_note(struct model *m, const char *fmt, ...)
{
	va_list ap;

	if (m->nr_notes == MODEL_NOTES_MAX)
		return;
	va_start(ap, fmt);
	vsnprintf(m->notes[m->nr_notes++], sizeof(m->notes[0]), fmt, ap);
	va_end(ap);
}

/* Sets a value that is not yet known and can be true. */
static void tell(struct model_value *value, int64_t v, int64_t min, int64_t max, const char *source)
{
	if (*value->source || v < min || v > max)
		return;
	value->v = v;
	snprintf(value->source, sizeof(value->source), "%s", source);
}

static void tell_khz(struct model_value *value, int64_t khz, const char *source)
{
	tell(value, khz, 1000, 20000000, source);
}

static void tell_file(struct model_value *value, struct value v, const char *file)
{
	if (good(v))
		tell_khz(value, v.number, file);
}

/* ---- turbo ------------------------------------------------------------------------------- */

/* Groups that are not used are 0. */
static bool rises(uint64_t counts)
{
	uint64_t last = counts & 0xff;

	for (counts >>= 8; counts; counts >>= 8) {
		if ((counts & 0xff) < last)
			return false;
		last = counts & 0xff;
	}
	return last < 0x80;
}

/* Only bins that fall, as ratios of this part: other formats there are, too. */
static void add_bin(struct model *m, unsigned ratio, int cores)
{
	uint32_t khz = ratio * BUS_KHZ;

	if (!ratio || (m->nr_turbo && khz > m->turbo_khz[m->nr_turbo - 1]))
		return;
	while (m->nr_turbo < cores && m->nr_turbo < 64)
		m->turbo_khz[m->nr_turbo++] = khz;
}

static void read_turbo(struct model *m)
{
	uint64_t ratios, counts = 0;
	int cpu;

	if (!facts_msr(m->facts, MSR_TURBO_RATIO_LIMIT, &cpu, &ratios))
		return;
	if (facts_msr(m->facts, MSR_TURBO_RATIO_LIMIT1, &cpu, &counts) && counts && rises(counts) &&
		(counts & 0xff) < (ratios & 0xff)) {
		for (int i = 0; i < 8; i++)
			add_bin(m, ratios >> 8 * i & 0xff, (int)(counts >> 8 * i & 0xff));
	} else {
		for (int i = 0; i < 8; i++)
			add_bin(m, ratios >> 8 * i & 0xff, i + 1);
		for (int i = 0; i < 8; i++)
			add_bin(m, counts >> 8 * i & 0xff, i + 9);
	}
	if (m->nr_turbo > m->cores)
		m->nr_turbo = m->cores;
	snprintf(m->turbo_source, sizeof(m->turbo_source), "MSR 0x1ad%s", counts ? ", 0x1ae" : "");
}

/* Bins below the base frequency, or beyond what the driver offers, are none. */
static void check_turbo(struct model *m)
{
	if (!m->nr_turbo)
		return;
	if (m->turbo_khz[m->nr_turbo - 1] >= m->base_khz.v && m->turbo_khz[0] <= TURBO_KHZ_MAX)
		return;
	model_note(m, "turbo bins of MSR 0x1ad are in a format that is not known");
	m->nr_turbo = 0;
}

/* ---- frequencies ------------------------------------------------------------------------- */

static void read_available(struct tree *tree, struct model *m)
{
	const struct acpi_tables *tables = tree_acpi(tree);
	char text[1024], *next = text, *word;

	if (!m->facts->nr_policies ||
		tree_read(tree, text, sizeof(text), "%s/scaling_available_frequencies",
			m->facts->policies[0].dir) <= 0)
		text[0] = '\0';
	while ((word = strsep(&next, " \n")) && m->nr_pss < 64) {
		unsigned long khz = strtoul(word, NULL, 10);

		if (khz >= 1000 && khz <= 20000000 &&
			(!m->nr_pss || khz < m->pss_khz[m->nr_pss - 1]))
			m->pss_khz[m->nr_pss++] = (uint32_t)khz;
	}
	for (int i = 0; i < tables->nr_pss && !*text && m->nr_pss < 64; i++) {
		uint32_t khz = tables->pss[i].mhz * 1000;

		if (khz >= 1000 && khz <= 20000000 &&
			(!m->nr_pss || khz < m->pss_khz[m->nr_pss - 1]))
			m->pss_khz[m->nr_pss++] = khz;
	}
}

/* "Xeon(R) CPU E5-2699A v4 @ 2.40GHz": its base, in kHz; 0: it is not in the name. */
static int64_t khz_in_name(const char *name)
{
	const char *at = strrchr(name, '@');
	double ghz = at ? atof(at + 1) : 0;

	return at && strstr(at, "GHz") ? (int64_t)(ghz * 1000 + 0.5) * 1000 : 0;
}

/* The table's highest entry that is no mark for turbo (one MHz above nominal). */
static int64_t nominal_of_table(const struct model *m)
{
	if (m->nr_pss > 1 && m->pss_khz[0] % BUS_KHZ == 1000)
		return m->pss_khz[1];
	return m->nr_pss ? m->pss_khz[0] : 0;
}

static void read_base(struct model *m)
{
	const struct facts *f = m->facts;
	uint64_t info;
	int cpu;

	if (f->nr_policies)
		tell_file(&m->base_khz, f->policies[0].base, "cpufreq/policy*/base_frequency");
	if (facts_msr(f, MSR_PLATFORM_INFO, &cpu, &info))
		tell_khz(&m->base_khz, (int64_t)(info >> 8 & 0xff) * BUS_KHZ, "MSR 0xce");
	tell_khz(
		&m->base_khz, nominal_of_table(m), "cpufreq/policy*/scaling_available_frequencies");
	if (f->nr_cppc && good(f->cppc[0].nominal_mhz))
		tell_khz(&m->base_khz, f->cppc[0].nominal_mhz.number * 1000,
			"acpi_cppc/nominal_freq");
	tell_khz(&m->base_khz, khz_in_name(f->model_name), "the processor's name");
	tell_khz(&m->base_khz, f->cpu_mhz * 1000, "/proc/cpuinfo, cpu MHz");
}

static void read_range(struct model *m)
{
	const struct facts *f = m->facts;
	bool marks_turbo = m->nr_pss && m->pss_khz[0] % BUS_KHZ == 1000;

	if (m->nr_turbo)
		tell_khz(&m->max_khz, m->turbo_khz[0], m->turbo_source);
	if (f->nr_policies && !marks_turbo)
		tell_file(&m->max_khz, f->policies[0].cpuinfo_max,
			"cpufreq/policy*/cpuinfo_max_freq");
	if (f->nr_policies)
		tell_file(&m->min_khz, f->policies[0].cpuinfo_min,
			"cpufreq/policy*/cpuinfo_min_freq");
	/* A limit that was lowered for the time being is not the machine. */
	if (*m->max_khz.source && *m->base_khz.source && m->max_khz.v < m->base_khz.v) {
		model_note(m, "highest frequency, %lld kHz, below the base frequency: left out",
			(long long)m->max_khz.v);
		*m->max_khz.source = '\0';
	}
	if (*m->min_khz.source && *m->base_khz.source && m->min_khz.v > m->base_khz.v)
		*m->min_khz.source = '\0';
}

static void read_hwp(struct model *m)
{
	const struct facts *f = m->facts;
	const struct cppc_facts *c = f->nr_cppc ? &f->cppc[0] : NULL;
	uint64_t caps;
	int cpu;

	m->hwp = facts_flag(f, "hwp") && !m->guest;
	if (!m->hwp)
		return;
	if (facts_msr(f, MSR_HWP_CAPABILITIES, &cpu, &caps)) {
		tell(&m->highest, caps & 0xff, 1, 255, "MSR 0x771");
		tell(&m->guaranteed, caps >> 8 & 0xff, 1, 255, "MSR 0x771");
		tell(&m->efficient, caps >> 16 & 0xff, 1, 255, "MSR 0x771");
		tell(&m->lowest, caps >> 24 & 0xff, 1, 255, "MSR 0x771");
	}
	if (!c)
		return;
	tell(&m->highest, c->highest.number, 1, 255, "acpi_cppc/highest_perf");
	tell(&m->guaranteed, c->guaranteed.number, 1, 255, "acpi_cppc/guaranteed_perf");
	tell(&m->efficient, c->lowest_nonlinear.number, 1, 255, "acpi_cppc/lowest_nonlinear_perf");
	tell(&m->lowest, c->lowest.number, 1, 255, "acpi_cppc/lowest_perf");
}

/* _CPC as sysfs shows it, all of it and in its order, or nothing. */
static void read_cpc(struct tree *tree, struct model *m)
{
	static const char *const files[6] = { "highest_perf", "nominal_perf",
		"lowest_nonlinear_perf", "lowest_perf", "nominal_freq", "lowest_freq" };
	int64_t v[6];

	if (m->facts->machine.vendor != VENDOR_AMD || !m->facts->nr_cppc)
		return;
	for (int i = 0; i < 6; i++) {
		if (tree_read_number(tree, &v[i], "/sys/devices/system/cpu/cpu%d/acpi_cppc/%s",
			    m->facts->cppc[0].cpu, files[i]) ||
			v[i] < 1 || v[i] > (i < 4 ? 255 : 20000) || (i && i < 4 && v[i] > v[i - 1]))
			return;
	}
	for (int i = 0; i < 6; i++)
		m->cpc[i] = (int)v[i];
}

void model_read_frequency(struct tree *tree, struct model *m)
{
	int64_t ns;

	read_available(tree, m);
	read_turbo(m);
	read_base(m);
	check_turbo(m);
	read_range(m);
	read_hwp(m);
	read_cpc(tree, m);
	/* 0, and a number that means for ever, are no times. */
	if (m->facts->nr_policies && !tree_read_number(tree, &ns, "%s/cpuinfo_transition_latency",
					     m->facts->policies[0].dir))
		tell(&m->transition_ns, ns, 1, 100000000,
			"cpufreq/policy*/cpuinfo_transition_latency");
}

/* ---- power ------------------------------------------------------------------------------- */

/* A time of a limit register: (1 + Z/4) * 2^Y units of 2^-unit s. */
static int64_t tau_ns(uint64_t field, unsigned unit)
{
	double units = (1 + (double)(field >> 5 & 3) / 4) * (double)(1ULL << (field & 0x1f));

	return (int64_t)(units * 1e9 / (double)(1ULL << unit));
}

static void from_registers(struct model *m)
{
	uint64_t units, limit;
	int cpu;

	if (!facts_msr(m->facts, MSR_RAPL_POWER_UNIT, &cpu, &units)) {
		if (facts_msr(m->facts, MSR_AMD_RAPL_POWER_UNIT, &cpu, &units))
			tell(&m->rapl_unit_nj, 1000000000LL >> (units >> 8 & 0x1f), 1, 1000000000,
				"MSR 0xc0010299");
		return;
	}
	tell(&m->rapl_unit_nj, 1000000000LL >> (units >> 8 & 0x1f), 1, 1000000000, "MSR 0x606");
	if (!facts_msr(m->facts, MSR_PKG_POWER_LIMIT, &cpu, &limit))
		return;
	tell(&m->pl1_mw, (int64_t)(limit & 0x7fff) * 1000 >> (units & 0xf), 1, 10000000,
		"MSR 0x610");
	tell(&m->pl2_mw, (int64_t)(limit >> 32 & 0x7fff) * 1000 >> (units & 0xf), 1, 10000000,
		"MSR 0x610");
	tell(&m->pl1_tau_ns, tau_ns(limit >> 17 & 0x7f, units >> 16 & 0xf), 1, 100000000000LL,
		"MSR 0x610");
}

static void from_powercap(struct tree *tree, struct model *m, const struct power_domain *d)
{
	int64_t range;

	/* The counter has 32 bits: its range tells its unit. */
	if (!tree_read_number(tree, &range, "%s/max_energy_range_uj", d->dir) && range > 0 &&
		range < INT64_MAX / 1000)
		tell(&m->rapl_unit_nj, (int64_t)(((uint64_t)range * 1000 + (1ULL << 31)) >> 32), 1,
			1000000000, "powercap, max_energy_range_uj");
	for (int i = 0; i < CONSTRAINTS_MAX; i++) {
		struct model_value *limit = NULL;

		if (text_is(&d->constraint[i].name, "long_term"))
			limit = &m->pl1_mw;
		else if (text_is(&d->constraint[i].name, "short_term"))
			limit = &m->pl2_mw;
		if (limit && good(d->constraint[i].limit_uw))
			tell(limit, d->constraint[i].limit_uw.number / 1000, 1, 10000000,
				"powercap, constraint_*_power_limit_uw");
		if (limit == &m->pl1_mw && good(d->constraint[i].window_us))
			tell(&m->pl1_tau_ns, d->constraint[i].window_us.number * 1000, 1,
				100000000000LL, "powercap, constraint_*_time_window_us");
	}
}

void model_read_limits(struct tree *tree, struct model *m)
{
	const struct facts *f = m->facts;

	for (size_t i = 0; i < f->nr_domains; i++) {
		if (!f->domains[i].mmio && !strncmp(f->domains[i].name.s, "package", 7))
			from_powercap(tree, m, &f->domains[i]);
	}
	from_registers(m);
	if (*m->pl1_mw.source && *m->pl2_mw.source && m->pl2_mw.v < m->pl1_mw.v)
		*m->pl2_mw.source = '\0';
}

/* ---- all --------------------------------------------------------------------------------- */

/* Only the kernel's configuration tells how often it ticks. */
static void read_hz(struct tree *tree, struct model *m)
{
	static const char option[] = "\nCONFIG_HZ=";
	char path[160], *text, *at;
	size_t len;

	snprintf(path, sizeof(path), "/boot/config-%.80s", m->facts->kernel.release);
	if (!m->facts->kernel.known || strchr(m->facts->kernel.release, '/') ||
		tree_read_all(tree, path, &text, &len))
		return;
	at = strstr(text, option);
	if (at)
		tell(&m->hz, atoi(at + strlen(option)), 10, 10000, "/boot/config, CONFIG_HZ");
	free(text);
}

static void describe(struct model *m)
{
	const struct facts *f = m->facts;
	char product[100] = "";

	if (has(&f->sys_vendor) && has(&f->product))
		snprintf(product, sizeof(product), ", %s %s", f->sys_vendor.s, f->product.s);
	snprintf(m->description, sizeof(m->description), "%s%s, %d cores, %d CPUs%s, imported",
		*f->model_name ? f->model_name : "processor without a name", product,
		m->packages * m->cores, m->packages * m->cores * m->threads,
		m->guest ? ", guest" : "");
}

int model_read(struct tree *tree, const struct facts *facts, struct model *ret, struct error *err)
{
	int code;

	memset(ret, 0, sizeof(*ret));
	ret->facts = facts;
	ret->guest = facts->machine.hypervisor != HYPERVISOR_NONE && !facts->nr_policies;
	code = model_read_topology(tree, ret, err);
	if (code)
		return code;
	model_read_frequency(tree, ret);
	model_read_limits(tree, ret);
	read_hz(tree, ret);
	if (facts->p_cores.nr && facts->e_cores.nr)
		model_note(ret, "hybrid: its cores are modelled as alike, as the first of them");
	describe(ret);
	return 0;
}
