// SPDX-License-Identifier: GPL-2.0-or-later
/* Drivers that are shut out: on the command line, in modprobe's configuration. */
#include "base/units.h"
#include "doctor/judge.h"

#include <stdio.h>
#include <string.h>

static bool driver_is(const struct judge *j, const char *name)
{
	return !strcmp(j->d->driver, name);
}

static const struct {
	const char *key, *item;
} blacklists[] = {
	{ "initcall_blacklist", "acpi_cpufreq_init" },
	{ "initcall_blacklist", "intel_pstate_init" },
	{ "initcall_blacklist", "amd_pstate_init" },
	{ "initcall_blacklist", "pcc_cpufreq_init" },
	{ "modprobe.blacklist", "acpi_cpufreq" },
	{ "modprobe.blacklist", "acpi-cpufreq" },
	{ "modprobe.blacklist", "amd_pstate" },
	{ "modprobe.blacklist", "amd-pstate" },
	{ "module_blacklist", "acpi_cpufreq" },
	{ "module_blacklist", "acpi-cpufreq" },
	{ "module_blacklist", "amd_pstate" },
	{ "module_blacklist", "amd-pstate" },
};

static bool in_list(const char *list, const char *item)
{
	size_t len = strlen(item);

	for (const char *s = list; (s = strstr(s, item)); s += len)
		if ((s == list || s[-1] == ',') && (!s[len] || s[len] == ','))
			return true;
	return false;
}

/* Blocked drivers matter when nothing else took their place. */
static void add_blacklist(struct judge *j, const char *path, const char *text)
{
	bool none = driver_is(j, "none") && !j->f->xen_dom0;
	struct finding *g = add(j, FINDING_BLACKLISTED, none ? SEVERITY_PROBLEM : SEVERITY_INFO);

	evidence(g, path, "%s", text);
	detail(g, none ? "the driver that would have registered is shut out"
		       : "another driver took the place of the one that is shut out");
}

/* modprobe.d: "blacklist acpi_cpufreq", "install acpi_cpufreq /bin/false". */
static bool modprobe_blocks(const char *text, const char **line)
{
	static const char *const names[] = { "acpi_cpufreq", "acpi-cpufreq", "amd_pstate",
		"amd-pstate", "pcc_cpufreq", "pcc-cpufreq" };

	for (*line = text; **line; *line += strcspn(*line, "\n"), *line += **line == '\n') {
		char word[16], name[32];

		if (sscanf(*line, "%15s %31s", word, name) != 2)
			continue;
		if (strcmp(word, "blacklist") && strcmp(word, "install"))
			continue;
		for (size_t i = 0; i < ARRAY_LEN(names); i++)
			if (!strcmp(name, names[i]))
				return true;
	}
	return false;
}

static void judge_modprobe(struct judge *j)
{
	struct tree_names names;
	char text[8192], path[160], shown[96];
	const char *line;

	if (tree_list(j->f->tree, &names, "/etc/modprobe.d") < 0)
		return;
	for (size_t i = 0; i < names.nr; i++) {
		snprintf(path, sizeof(path), "/etc/modprobe.d/%.96s", names.name[i]);
		if (tree_read(j->f->tree, text, sizeof(text), "%s", path) <= 0 ||
			!modprobe_blocks(text, &line))
			continue;
		snprintf(shown, sizeof(shown), "%.*s", (int)strcspn(line, "\n"), line);
		add_blacklist(j, path, shown);
	}
	tree_names_release(&names);
}

void judge_blacklists(struct judge *j)
{
	char list[256], shown[300];

	for (size_t i = 0; i < ARRAY_LEN(blacklists); i++) {
		if (!facts_param(j->f, blacklists[i].key, list, sizeof(list)) ||
			!in_list(list, blacklists[i].item))
			continue;
		snprintf(shown, sizeof(shown), "%s=%s", blacklists[i].key, list);
		add_blacklist(j, "/proc/cmdline", shown);
	}
	if (facts_param(j->f, "cpufreq.off", list, sizeof(list)) && !strcmp(list, "1"))
		add_blacklist(j, "/proc/cmdline", "cpufreq.off=1");
	judge_modprobe(j);
}
