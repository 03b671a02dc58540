// SPDX-License-Identifier: GPL-2.0-or-later
#include "doctor/compare.h"

#include "base/units.h"
#include "report/json.h"

#include <string.h>

enum { SHOWN_MAX = 256 };

/* ---- what is compared ------------------------------------------------------------------ */

typedef void (*show)(const struct diagnosis *d, char *buf);

static void put(char *buf, const char *text)
{
	snprintf(buf, SHOWN_MAX, "%s", text);
}

static void put_text(char *buf, const struct text *t)
{
	if (has(t))
		put(buf, t->s);
}

static void put_value(char *buf, struct value v)
{
	if (good(v))
		snprintf(buf, SHOWN_MAX, "%lld", (long long)v.number);
}

static void show_model(const struct diagnosis *d, char *buf)
{
	put(buf, d->facts->model_name);
}

static void show_microcode(const struct diagnosis *d, char *buf)
{
	put(buf, d->facts->microcode);
}

static void show_kernel(const struct diagnosis *d, char *buf)
{
	put(buf, d->facts->kernel.release);
}

static void show_bios(const struct diagnosis *d, char *buf)
{
	put_text(buf, &d->facts->bios_version);
}

static void show_driver(const struct diagnosis *d, char *buf)
{
	snprintf(buf, SHOWN_MAX, "%s, %s", d->driver, d->mode);
}

static void show_governor(const struct diagnosis *d, char *buf)
{
	put(buf, d->governor);
}

static void show_hwp(const struct diagnosis *d, char *buf)
{
	put(buf, d->hwp == FACT_YES ? "on" : d->hwp == FACT_NO ? "off" : "");
}

static const struct policy_facts *first(const struct diagnosis *d)
{
	return d->facts->nr_policies ? &d->facts->policies[0] : NULL;
}

/* The lowest of all policies: one slow CPU is enough. */
static struct value lowest(const struct diagnosis *d, size_t offset)
{
	struct value least = { 0 };

	for (size_t i = 0; i < d->facts->nr_policies; i++) {
		const struct value *v =
			(const struct value *)((const char *)&d->facts->policies[i] + offset);

		if (good(*v) && (!good(least) || v->number < least.number))
			least = *v;
	}
	return least;
}

static void show_min(const struct diagnosis *d, char *buf)
{
	put_value(buf, lowest(d, offsetof(struct policy_facts, min)));
}

static void show_max(const struct diagnosis *d, char *buf)
{
	put_value(buf, lowest(d, offsetof(struct policy_facts, max)));
}

static void show_hardware_max(const struct diagnosis *d, char *buf)
{
	put_value(buf, lowest(d, offsetof(struct policy_facts, cpuinfo_max)));
}

static void show_bios_limit(const struct diagnosis *d, char *buf)
{
	put_value(buf, lowest(d, offsetof(struct policy_facts, bios_limit)));
}

static void show_epp(const struct diagnosis *d, char *buf)
{
	if (first(d))
		put_text(buf, &first(d)->epp);
}

static void show_epb(const struct diagnosis *d, char *buf)
{
	put_value(buf, d->facts->epb);
}

static void show_no_turbo(const struct diagnosis *d, char *buf)
{
	put_value(buf, d->facts->no_turbo);
}

static void show_pct(const struct diagnosis *d, char *buf)
{
	put_value(buf, d->facts->max_perf_pct);
}

static void show_boost(const struct diagnosis *d, char *buf)
{
	put_value(buf, d->facts->boost);
}

static void show_dynamic_boost(const struct diagnosis *d, char *buf)
{
	put_value(buf, d->facts->dynamic_boost);
}

static void show_profile(const struct diagnosis *d, char *buf)
{
	put_text(buf, &d->facts->platform_profile);
}

static void show_tuned(const struct diagnosis *d, char *buf)
{
	put_text(buf, &d->facts->tuned_profile);
}

static void show_power(const struct diagnosis *d, char *buf)
{
	size_t n = 0;

	for (size_t i = 0; i < d->facts->nr_domains && n < SHOWN_MAX; i++) {
		const struct power_domain *p = &d->facts->domains[i];

		if (good(p->constraint[0].limit_uw))
			n += (size_t)snprintf(buf + n, SHOWN_MAX - n, "%s%s%s %.1f W",
				n ? ", " : "", p->name.s, p->mmio ? " (mmio)" : "",
				(double)p->constraint[0].limit_uw.number / 1e6);
	}
}

static void show_idle(const struct diagnosis *d, char *buf)
{
	const struct idle_facts *idle = &d->facts->idle;
	size_t n;

	if (!has(&idle->driver) && !idle->nr)
		return;
	n = (size_t)snprintf(buf, SHOWN_MAX, "%s, %s:", idle->driver.s, idle->governor.s);
	for (int s = 0; s < idle->nr && n < SHOWN_MAX; s++)
		n += (size_t)snprintf(buf + n, SHOWN_MAX - n, " %s%s", idle->states[s].name.s,
			good(idle->states[s].disable) && idle->states[s].disable.number ? "(off)"
											: "");
}

static void show_latency(const struct diagnosis *d, char *buf)
{
	put_value(buf, d->facts->dma_latency_us);
}

static void show_cpus(const struct diagnosis *d, char *buf)
{
	if (d->facts->online.known)
		snprintf(buf, SHOWN_MAX, "%d", d->facts->online.nr);
}

static void show_smt(const struct diagnosis *d, char *buf)
{
	put_text(buf, &d->facts->smt_control);
}

static void show_cmdline(const struct diagnosis *d, char *buf)
{
	if (d->facts->cmdline)
		put(buf, d->facts->cmdline);
}

static const struct {
	const char *name;
	show show;
} compared[] = {
	{ "processor", show_model },
	{ "microcode", show_microcode },
	{ "BIOS", show_bios },
	{ "kernel", show_kernel },
	{ "driver", show_driver },
	{ "HWP", show_hwp },
	{ "governor", show_governor },
	{ "EPP", show_epp },
	{ "energy bias", show_epb },
	{ "scaling_min_freq (lowest)", show_min },
	{ "scaling_max_freq (lowest)", show_max },
	{ "cpuinfo_max_freq (lowest)", show_hardware_max },
	{ "bios_limit (lowest)", show_bios_limit },
	{ "max_perf_pct", show_pct },
	{ "no_turbo", show_no_turbo },
	{ "boost", show_boost },
	{ "hwp_dynamic_boost", show_dynamic_boost },
	{ "power limits", show_power },
	{ "platform_profile", show_profile },
	{ "TuneD profile", show_tuned },
	{ "idle", show_idle },
	{ "latency limit, us", show_latency },
	{ "CPUs online", show_cpus },
	{ "SMT", show_smt },
	{ "command line", show_cmdline },
};

/* ---- the command lines, word by word --------------------------------------------------- */

/* Words that say nothing of power: where the kernel came from, consoles. */
static bool indifferent(const char *word, size_t len)
{
	static const char *const keys[] = { "BOOT_IMAGE=", "root=", "initrd=", "resume=",
		"console=", "quiet", "splash", "ro", "rw", "rhgb" };

	for (size_t i = 0; i < ARRAY_LEN(keys); i++) {
		size_t n = strlen(keys[i]);

		if (len >= n && !strncmp(word, keys[i], n) && (keys[i][n - 1] == '=' || len == n))
			return true;
	}
	return false;
}

static bool has_word(const char *line, const char *word, size_t len)
{
	for (const char *s = line; (s = strstr(s, word)) && *s; s++) {
		if ((s == line || s[-1] == ' ') && (!s[len] || s[len] == ' ' || s[len] == '\n'))
			return true;
	}
	return false;
}

/* Words of a that b does not have, in place of the whole line. */
static void only_words(const char *a, const char *b, char *ret)
{
	size_t n = 0;

	*ret = '\0';
	while (*a) {
		char word[SHOWN_MAX];
		size_t len;

		a += strspn(a, " \n");
		len = strcspn(a, " \n");
		snprintf(word, sizeof(word), "%.*s", (int)len, a);
		if (len && !indifferent(a, len) && !has_word(b, word, strlen(word)) &&
			n < SHOWN_MAX)
			n += (size_t)snprintf(ret + n, SHOWN_MAX - n, "%s%s", n ? " " : "", word);
		a += len;
	}
}

/* Both values of one thing; false when they are the same, or one is not captured. */
static bool differ(const struct diagnosis *a, const struct diagnosis *b, size_t i, char *shown_a,
	char *shown_b)
{
	*shown_a = *shown_b = '\0';
	compared[i].show(a, shown_a);
	compared[i].show(b, shown_b);
	if (!*shown_a || !*shown_b)
		return false;
	if (compared[i].show == show_cmdline) {
		only_words(a->facts->cmdline, b->facts->cmdline, shown_a);
		only_words(b->facts->cmdline, a->facts->cmdline, shown_b);
		return *shown_a || *shown_b;
	}
	return strcmp(shown_a, shown_b);
}

static int only_in(
	const struct diagnosis *a, const struct diagnosis *b, const char *whose, FILE *out)
{
	int nr = 0;

	for (int i = 0; i < a->nr; i++) {
		const struct finding *g = &a->findings[i];

		if (g->severity == SEVERITY_INFO || diagnosis_find(b, g->id))
			continue;
		nr++;
		if (out)
			fprintf(out, "only %s: %s %s: %s\n", whose, severity_name(g->severity),
				finding_name(g->id), finding_text(g->id)->title);
	}
	return nr;
}

int compare_text(const struct diagnosis *a, const struct diagnosis *b, FILE *out)
{
	char shown_a[SHOWN_MAX], shown_b[SHOWN_MAX];
	int nr = 0;

	for (size_t i = 0; i < ARRAY_LEN(compared); i++) {
		if (!differ(a, b, i, shown_a, shown_b))
			continue;
		nr++;
		fprintf(out, "%s\n    good  %s\n    bad   %s\n", compared[i].name,
			*shown_a ? shown_a : "-", *shown_b ? shown_b : "-");
	}
	nr += only_in(b, a, "bad", out) + only_in(a, b, "good", out);
	if (!nr)
		fprintf(out, "Nothing that matters differs.\n");
	return nr;
}

static json_t *ids_only_in(const struct diagnosis *a, const struct diagnosis *b)
{
	json_t *list = json_array();

	for (int i = 0; i < a->nr; i++)
		if (a->findings[i].severity != SEVERITY_INFO &&
			!diagnosis_find(b, a->findings[i].id))
			json_array_append_new(list, json_string(finding_name(a->findings[i].id)));
	return list;
}

int compare_json(const struct diagnosis *a, const struct diagnosis *b, int *ret_nr, FILE *out,
	struct error *err)
{
	json_t *o = json_schema(), *list = json_array();
	char shown_a[SHOWN_MAX], shown_b[SHOWN_MAX];

	*ret_nr = only_in(b, a, "bad", NULL) + only_in(a, b, "good", NULL);
	for (size_t i = 0; i < ARRAY_LEN(compared); i++) {
		json_t *one;

		if (!differ(a, b, i, shown_a, shown_b))
			continue;
		(*ret_nr)++;
		one = json_object();
		json_object_set_new(one, "name", json_string(compared[i].name));
		json_object_set_new(one, "good", json_string(shown_a));
		json_object_set_new(one, "bad", json_string(shown_b));
		json_array_append_new(list, one);
	}
	json_object_set_new(o, "differences", list);
	json_object_set_new(o, "only_good", ids_only_in(a, b));
	json_object_set_new(o, "only_bad", ids_only_in(b, a));
	return json_write(o, out, err);
}
