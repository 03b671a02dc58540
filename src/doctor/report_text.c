// SPDX-License-Identifier: GPL-2.0-or-later
/* The page: what a reader needs first stands first. */
#include "doctor/report.h"

#include <string.h>

enum { WIDTH = 80, INDENT = 14 };

static const char *colour(bool on, const char *code)
{
	return on ? code : "";
}

/* Words of text, wrapped; continued lines are indented. column: where the cursor is. */
static void wrap(FILE *out, const char *text, int column, int indent)
{
	while (*text) {
		int len;

		text += strspn(text, " ");
		len = (int)strcspn(text, " ");
		if (!len)
			break;
		if (column > indent && column + len + 1 >= WIDTH) {
			fprintf(out, "\n%*s", indent, "");
			column = indent;
		}
		column += fprintf(out, "%s%.*s", column > indent ? " " : "", len, text);
		text += len;
	}
	fputc('\n', out);
}

static void line(FILE *out, const char *name, const char *text)
{
	fprintf(out, "%-*s", INDENT, name);
	wrap(out, text, INDENT, INDENT);
}

void report_verdict(const struct diagnosis *d, char *buf, size_t size)
{
	int problems = diagnosis_count(d, SEVERITY_PROBLEM),
	    warns = diagnosis_count(d, SEVERITY_WARN);
	const char *first = d->nr ? finding_text(d->findings[0].id)->title : "";

	if (problems > 1)
		snprintf(buf, size, "%d problems, first: %s", problems, first);
	else if (problems)
		snprintf(buf, size, "One problem: %s", first);
	else if (warns)
		snprintf(buf, size, "No problem proven; worth a look: %s", first);
	else if (!strcmp(d->driver, "none") && (d->facts->guest || d->facts->xen_dom0))
		snprintf(buf, size,
			"A guest without a frequency driver: the host decides, nothing is "
			"wrong here");
	else
		snprintf(buf, size, "Nothing wrong");
}

/* ---- state ----------------------------------------------------------------------------- */

static void show_machine(const struct diagnosis *d, FILE *out)
{
	const struct facts *f = d->facts;
	char text[320], cpus[32] = "";

	if (f->present.known)
		snprintf(cpus, sizeof(cpus), ", %d CPUs", f->present.nr);
	snprintf(text, sizeof(text), "%s%s%s",
		*f->model_name ? f->model_name : "processor not captured", cpus,
		f->guest      ? ", a guest"
		: f->xen_dom0 ? ", Xen's dom0"
			      : "");
	line(out, "Machine", text);
	if (f->kernel.known)
		line(out, "Kernel", f->kernel.release);
}

/* Drivers that never got to look: one line for all. */
static void show_skipped(const struct selection *s, FILE *out)
{
	char text[160] = "";
	size_t n = 0;

	for (int i = 0; i < s->nr_tries; i++)
		if (s->tries[i].reason == REASON_OTHER_REGISTERED && n < sizeof(text))
			n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s", n ? ", " : "",
				select_driver_name(s->tries[i].driver));
	if (n && n < sizeof(text))
		snprintf(text + n, sizeof(text) - n, ": %s",
			select_reason_text(REASON_OTHER_REGISTERED));
	if (n)
		line(out, "", text);
}

static void show_driver(const struct diagnosis *d, FILE *out)
{
	const struct selection *s = &d->predicted;
	char text[400];

	if (!strcmp(d->driver, "unknown"))
		snprintf(text, sizeof(text), "not captured");
	else if (!strcmp(d->driver, "none"))
		snprintf(text, sizeof(text), "none");
	else
		snprintf(text, sizeof(text), "%s, mode %s%s", d->driver, d->mode,
			d->hwp == FACT_YES  ? ", HWP on"
			: d->hwp == FACT_NO ? ", no HWP"
					    : "");
	line(out, "Driver", text);
	if (!d->facts->machine.vendor_known)
		return;
	for (int i = 0; i < s->nr_tries; i++) {
		const struct select_try *t = &s->tries[i];

		if (t->reason == REASON_OTHER_VENDOR || t->reason == REASON_OTHER_REGISTERED)
			continue;
		snprintf(text, sizeof(text), "%s: %s%s", select_driver_name(t->driver),
			select_reason_text(t->reason),
			t->certain ? "" : " (not all facts are known)");
		line(out, "", text);
	}
	show_skipped(s, out);
	if (d->assumption) {
		snprintf(text, sizeof(text), "that fits what is loaded if %s", d->assumption);
		line(out, "", text);
	} else if (!d->agrees && strcmp(d->driver, "unknown")) {
		snprintf(text, sizeof(text),
			"these rules lead to %s (%s), which is not what is loaded",
			s->scaling_driver, s->mode);
		line(out, "", text);
	}
}

static void show_governor(const struct diagnosis *d, FILE *out)
{
	char text[200];
	const struct policy_facts *p = d->facts->nr_policies ? &d->facts->policies[0] : NULL;

	if (!*d->governor)
		return;
	snprintf(text, sizeof(text), "%s%s%s%s%s", d->governor,
		!strcmp(d->mode, "active") ? ", the driver's own" : "",
		p && has(&p->epp) ? ", EPP " : "", p && has(&p->epp) ? p->epp.s : "",
		diagnosis_find(d, FINDING_DISAGREE) ? "; policies differ" : "");
	line(out, "Governor", text);
}

static void megahertz(char *buf, size_t size, struct value v)
{
	if (good(v))
		snprintf(buf, size, "%lld", (long long)v.number / 1000);
	else
		snprintf(buf, size, "?");
}

static void show_limits(const struct diagnosis *d, FILE *out)
{
	const struct facts *f = d->facts;
	const struct policy_facts *p = f->nr_policies ? &f->policies[0] : NULL;
	char text[256], min[24], max[24], hwmin[24], hwmax[24];

	if (!p)
		return;
	megahertz(min, sizeof(min), p->min);
	megahertz(max, sizeof(max), p->max);
	megahertz(hwmin, sizeof(hwmin), p->cpuinfo_min);
	megahertz(hwmax, sizeof(hwmax), p->cpuinfo_max);
	snprintf(text, sizeof(text), "%s to %s MHz of %s to %s (policy %d of %zu)", min, max, hwmin,
		hwmax, p->number, f->nr_policies);
	line(out, "Limits", text);
	if (good(f->max_perf_pct) && f->max_perf_pct.number < 100) {
		snprintf(
			text, sizeof(text), "max_perf_pct %lld", (long long)f->max_perf_pct.number);
		line(out, "", text);
	}
	if (good(p->bios_limit)) {
		snprintf(text, sizeof(text), "firmware's limit %lld MHz",
			(long long)p->bios_limit.number / 1000);
		line(out, "", text);
	}
}

static void show_boost(const struct diagnosis *d, FILE *out)
{
	const struct facts *f = d->facts;
	char text[160];

	if (!good(f->no_turbo) && !good(f->boost))
		return;
	snprintf(text, sizeof(text), "%s%s",
		(good(f->no_turbo) ? !f->no_turbo.number : !!f->boost.number) ? "on" : "off",
		!good(f->dynamic_boost)	  ? ""
		: f->dynamic_boost.number ? ", HWP dynamic boost on"
					  : ", HWP dynamic boost off");
	line(out, "Boost", text);
}

static void show_power(const struct diagnosis *d, FILE *out)
{
	const struct facts *f = d->facts;
	char text[200];

	for (size_t i = 0; i < f->nr_domains; i++) {
		const struct power_domain *p = &f->domains[i];
		size_t n;

		n = (size_t)snprintf(text, sizeof(text), "%s%s%s:", p->name.s,
			p->mmio ? " (mmio)" : "",
			good(p->enabled) && !p->enabled.number ? " (off)" : "");
		for (int c = 0; c < CONSTRAINTS_MAX && n < sizeof(text); c++)
			if (good(p->constraint[c].limit_uw))
				n += (size_t)snprintf(text + n, sizeof(text) - n, " %s %.1f W",
					has(&p->constraint[c].name) ? p->constraint[c].name.s
								    : "limit",
					(double)p->constraint[c].limit_uw.number / 1e6);
		line(out, i ? "" : "Power limits", text);
	}
}

static void show_idle(const struct diagnosis *d, FILE *out)
{
	const struct idle_facts *idle = &d->facts->idle;
	char text[400];
	size_t n;

	if (!has(&idle->driver) && !has(&idle->governor) && !idle->nr)
		return;
	n = (size_t)snprintf(text, sizeof(text), "driver %s, governor %s;",
		has(&idle->driver) ? idle->driver.s : "not captured",
		has(&idle->governor) ? idle->governor.s : "not captured");
	for (int s = 0; s < idle->nr && n < sizeof(text); s++)
		n += (size_t)snprintf(text + n, sizeof(text) - n, " %s%s", idle->states[s].name.s,
			good(idle->states[s].disable) && idle->states[s].disable.number ? " (off)"
											: "");
	if (!idle->nr && n < sizeof(text))
		snprintf(text + n, sizeof(text) - n, " no states");
	line(out, "Idle", text);
	if (text_is(&idle->driver, "none"))
		line(out, "",
			"no cpuidle driver: the kernel just halts whatever the governor, and "
			"how deep that goes is up to the hardware or the host");
}

static void show_latency(const struct diagnosis *d, FILE *out)
{
	static const char *const keys[] = { "nohz", "nohz_full", "isolcpus", "highres", "skew_tick",
		"threadirqs" };
	const struct facts *f = d->facts;
	char text[320], word[64];
	size_t n = 0;

	text[0] = '\0';
	if (good(f->dma_latency_us))
		n = (size_t)snprintf(text, sizeof(text), "latency limit %s",
			f->dma_latency_us.number >= 2000000000 ? "none" : "");
	if (good(f->dma_latency_us) && f->dma_latency_us.number < 2000000000)
		n += (size_t)snprintf(
			text + n, sizeof(text) - n, "%lld us", (long long)f->dma_latency_us.number);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]) && n < sizeof(text); i++)
		if (facts_param(f, keys[i], word, sizeof(word)))
			n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s=%s", n ? ", " : "",
				keys[i], word);
	if (n)
		line(out, "Tick, latency", text);
}

/* ---- findings -------------------------------------------------------------------------- */

static const char *severity_colour(enum severity severity)
{
	return severity == SEVERITY_PROBLEM ? "\033[1;31m"
	       : severity == SEVERITY_WARN  ? "\033[1;33m"
					    : "\033[1m";
}

static void show_advice(FILE *out, const char *setting, const char *where, const char *value)
{
	char text[360];

	snprintf(text, sizeof(text), "[%s] %s: %s", where, setting, value);
	fprintf(out, "    change  ");
	wrap(out, text, 12, 12);
}

static void show_finding(const struct finding *g, bool colours, FILE *out)
{
	const struct finding_text *t = finding_text(g->id);
	bool more = g->severity != SEVERITY_INFO;
	char text[320];

	fprintf(out, "\n%s%s%s %s\n    ", colour(colours, severity_colour(g->severity)),
		severity_name(g->severity), colour(colours, "\033[0m"), finding_name(g->id));
	wrap(out, t->title, 4, 4);
	if (*g->detail) {
		fprintf(out, "    here    ");
		wrap(out, g->detail, 12, 12);
	}
	for (int i = 0; i < g->nr_evidence; i++) {
		snprintf(text, sizeof(text), "%s: %s", g->evidence[i].path, g->evidence[i].value);
		fprintf(out, "    seen    ");
		wrap(out, text, 12, 12);
	}
	if (more) {
		fprintf(out, "    costs   ");
		wrap(out, t->costs, 12, 12);
	}
	for (int i = 0; i < g->nr_advice; i++)
		show_advice(out, g->advice[i].setting, g->advice[i].where, g->advice[i].value);
	for (int i = 0; !g->own_advice && i < TABLE_ADVICE_MAX; i++)
		if (t->advice[i].setting)
			show_advice(
				out, t->advice[i].setting, t->advice[i].where, t->advice[i].value);
	if (more && t->verify) {
		fprintf(out, "    verify  ");
		wrap(out, t->verify, 12, 12);
	}
}

void report_text(const struct diagnosis *d, bool colours, FILE *out)
{
	char verdict[256];

	report_verdict(d, verdict, sizeof(verdict));
	fprintf(out, "%s%s%s\n\n",
		colour(colours, diagnosis_count(d, SEVERITY_PROBLEM) ? "\033[1;31m" : "\033[1m"),
		verdict, colour(colours, "\033[0m"));
	show_machine(d, out);
	show_driver(d, out);
	show_governor(d, out);
	show_limits(d, out);
	show_boost(d, out);
	show_power(d, out);
	show_idle(d, out);
	show_latency(d, out);
	for (int i = 0; i < d->nr; i++)
		show_finding(&d->findings[i], colours, out);
}

/* ---- the table ------------------------------------------------------------------------- */

void report_explain(enum finding_id id, FILE *out)
{
	const struct finding_text *t = finding_text(id);

	fprintf(out, "%s\n", finding_name(id));
	line(out, "What", t->title);
	line(out, "Background", t->background);
	line(out, "Costs", t->costs);
	for (int i = 0; i < TABLE_ADVICE_MAX; i++) {
		char text[300];

		if (!t->advice[i].setting)
			continue;
		snprintf(text, sizeof(text), "[%s] %s: %s", t->advice[i].where,
			t->advice[i].setting, t->advice[i].value);
		line(out, i ? "" : "Change", text);
	}
	if (t->verify)
		line(out, "Verify", t->verify);
	line(out, "Sources", t->source);
}

void report_markdown(FILE *out)
{
	fprintf(out, "<!-- SPDX-License-Identifier: GPL-2.0-or-later -->\n"
		     "<!-- Printed by `corepace doctor --explain all`; edit "
		     "src/doctor/findings_*.c. -->\n"
		     "# Findings of `corepace doctor`\n\n"
		     "An id names what is observed. A problem is the answer to \"why does it not "
		     "do what "
		     "I expect\";\na warn contributes, or is not proven by the capture; an info is "
		     "state "
		     "worth saying.\n");
	for (int i = 0; i < FINDINGS_NR; i++) {
		const struct finding_text *t = finding_text((enum finding_id)i);

		fprintf(out, "\n## %s\n\n**%s.** %s\n\n- Costs: %s\n",
			finding_name((enum finding_id)i), t->title, t->background, t->costs);
		for (int k = 0; k < TABLE_ADVICE_MAX; k++)
			if (t->advice[k].setting)
				fprintf(out, "- Change (%s): %s: %s\n", t->advice[k].where,
					t->advice[k].setting, t->advice[k].value);
		if (t->verify)
			fprintf(out, "- Verify: %s\n", t->verify);
		fprintf(out, "- Sources: %s\n", t->source);
	}
}
