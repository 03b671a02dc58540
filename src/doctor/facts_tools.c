// SPDX-License-Identifier: GPL-2.0-or-later
/* Configuration of power tools: which of their keys set a frequency limit, governor or latency. */
#include "base/units.h"
#include "doctor/facts_internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const struct {
	const char *path, *tool;
} files[] = {
	{ "/etc/tlp.conf", "TLP" },
	{ "/etc/auto-cpufreq.conf", "auto-cpufreq" },
	{ "/etc/laptop-mode/laptop-mode.conf", "laptop-mode-tools" },
	{ "/etc/default/cpufrequtils", "cpufrequtils" },
	{ "/etc/default/cpupower", "cpupower" },
	{ "/etc/sysconfig/cpupower", "cpupower" },
	{ "/etc/sysconfig/cpuspeed", "cpuspeed" },
	{ "/etc/sysfs.conf", "sysfsutils" },
	{ "/etc/throttled.conf", "throttled" },
};

static const struct {
	const char *dir, *tool;
} folders[] = {
	{ "/etc/tlp.d", "TLP" },
	{ "/etc/laptop-mode/conf.d", "laptop-mode-tools" },
};

/* Words in a key that make it ours. */
static const char *const words[] = { "freq", "perf", "boost", "turbo", "governor", "speed",
	"energy", "epp", "cstate", "latency", "profile", "cpu", "pl1", "pl2" };

static bool ours(const char *key)
{
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (strcasestr(key, words[i]))
			return true;
	return false;
}

/* Cuts blanks and one pair of quotes at both ends; returns the new begin. */
static char *trim(char *s)
{
	size_t len;

	s += strspn(s, " \t\"'");
	len = strlen(s);
	while (len && strchr(" \t\r\"'", s[len - 1]))
		s[--len] = '\0';
	return s;
}

static void take_setting(struct facts *f, const char *tool, const char *path, char *line)
{
	struct tool_setting *s = &f->settings[f->nr_settings];
	char *equals = strchr(line, '='), *key, *value;

	line += strspn(line, " \t");
	if (*line == '#' || *line == ';' || !equals || f->nr_settings == TOOL_SETTINGS_MAX)
		return;
	*equals = '\0';
	value = equals + 1;
	value[strcspn(value, "#")] = '\0';
	key = trim(line);
	value = trim(value);
	if (!*key || !*value || !ours(key))
		return;
	s->tool = tool;
	snprintf(s->path, sizeof(s->path), "%s", path);
	snprintf(s->key, sizeof(s->key), "%s", key);
	snprintf(s->value, sizeof(s->value), "%s", value);
	f->nr_settings++;
}

static void read_settings(struct facts *f, const char *tool, const char *path)
{
	char *text, *line, *save = NULL;
	size_t len;

	if (tree_read_all(f->tree, path, &text, &len) < 0)
		return;
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		take_setting(f, tool, path, line);
	free(text);
}

void read_tool_facts(struct facts *f)
{
	struct tree_names names;
	char path[160];

	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		read_settings(f, files[i].tool, files[i].path);
	for (size_t i = 0; i < ARRAY_LEN(folders); i++) {
		if (tree_list(f->tree, &names, "%s", folders[i].dir) < 0)
			continue;
		for (size_t k = 0; k < names.nr; k++) {
			snprintf(path, sizeof(path), "%s/%.96s", folders[i].dir, names.name[k]);
			read_settings(f, folders[i].tool, path);
		}
		tree_names_release(&names);
	}
	read_text(f->tree, &f->tuned_profile, "/etc/tuned/active_profile");
}
