// SPDX-License-Identifier: GPL-2.0-or-later
/* Limits that a power tool's configuration explains. */
#include "base/units.h"
#include "doctor/judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What a setting of a tool would show up as. */
enum effect {
	EFFECT_NONE,
	EFFECT_MAX_FREQ,
	EFFECT_MAX_PERF,
	EFFECT_TURBO,
	EFFECT_GOVERNOR,
	EFFECT_EPP,
	EFFECT_PROFILE,
};

static const struct {
	const char *key; /* a part of it, any case */
	enum effect effect;
} keys[] = {
	{ "SCALING_MAX_FREQ", EFFECT_MAX_FREQ },
	{ "CPU_MAXFREQ", EFFECT_MAX_FREQ },
	{ "MAX_SPEED", EFFECT_MAX_FREQ },
	{ "max_freq", EFFECT_MAX_FREQ },
	{ "CPU_MAX_PERF", EFFECT_MAX_PERF },
	{ "max_perf_pct", EFFECT_MAX_PERF },
	{ "CPU_BOOST", EFFECT_TURBO },
	{ "no_turbo", EFFECT_TURBO },
	{ "turbo", EFFECT_TURBO },
	{ "cpufreq/boost", EFFECT_TURBO },
	{ "GOVERNOR", EFFECT_GOVERNOR },
	{ "ENERGY_PERF_POLICY", EFFECT_EPP },
	{ "energy_performance_preference", EFFECT_EPP },
	{ "PLATFORM_PROFILE", EFFECT_PROFILE },
};

static enum effect effect_of(const struct tool_setting *s)
{
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (strcasestr(s->key, keys[i].key))
			return keys[i].effect;
	return EFFECT_NONE;
}

/* The setting asks for less than all. */
static bool restricts(const struct tool_setting *s, enum effect effect)
{
	switch (effect) {
	case EFFECT_MAX_FREQ:
		return true;
	case EFFECT_MAX_PERF:
		return atoi(s->value) < 100;
	case EFFECT_TURBO:
		if (strcasestr(s->key, "no_turbo"))
			return !strcmp(s->value, "1");
		return !strcmp(s->value, "0") || !strcasecmp(s->value, "never");
	case EFFECT_GOVERNOR:
		return !strcmp(s->value, "powersave");
	case EFFECT_EPP:
		return strstr(s->value, "power");
	case EFFECT_PROFILE:
		return !strcmp(s->value, "low-power") || !strcmp(s->value, "quiet");
	case EFFECT_NONE:
		break;
	}
	return false;
}

/* The finding that shows what the setting does, FINDINGS_NR if nothing does. */
static enum finding_id shown_by(const struct judge *j, enum effect effect)
{
	static const struct {
		enum effect effect;
		enum finding_id id;
	} shows[] = {
		{ EFFECT_MAX_FREQ, FINDING_SCALING_MAX },
		{ EFFECT_MAX_FREQ, FINDING_PINNED },
		{ EFFECT_MAX_PERF, FINDING_MAX_PERF_PCT },
		{ EFFECT_MAX_PERF, FINDING_SCALING_MAX },
		{ EFFECT_TURBO, FINDING_NO_TURBO },
		{ EFFECT_TURBO, FINDING_BOOST_OFF },
		{ EFFECT_GOVERNOR, FINDING_GOVERNOR_POWERSAVE },
		{ EFFECT_EPP, FINDING_ENERGY_BIAS },
		{ EFFECT_PROFILE, FINDING_PLATFORM_PROFILE },
	};

	for (size_t i = 0; i < ARRAY_LEN(shows); i++)
		if (shows[i].effect == effect && found(j, shows[i].id))
			return shows[i].id;
	return FINDINGS_NR;
}

/* A frequency in MHz or GHz where the file wants kHz: the kernel clamps it to the minimum. */
static bool wrong_unit(const struct tool_setting *s, int64_t *khz)
{
	double number = atof(s->value);

	if (!strcmp(s->tool, "cpupower") || number <= 0)
		return false; /* takes units */
	*khz = number < 10 ? (int64_t)(number * 1000000) : (int64_t)(number * 1000);
	return number < 50000;
}

static void add_tool(
	struct judge *j, const struct tool_setting *s, enum effect effect, enum finding_id id)
{
	enum severity shown = diagnosis_find(j->d, id)->severity;
	struct finding *g;
	int64_t khz;
	bool unit = effect == EFFECT_MAX_FREQ && wrong_unit(s, &khz);

	g = add(j, FINDING_LEFT_BY_TOOL,
		unit			 ? SEVERITY_PROBLEM
		: shown == SEVERITY_INFO ? SEVERITY_INFO
					 : SEVERITY_WARN);
	evidence(g, s->path, "%s=%s", s->key, s->value);
	if (unit) {
		detail(g, "%s: the unit is kHz, so the kernel clamps it to the minimum", s->tool);
		advise(g, s->key, "tool", "%lld (kHz), or remove it", (long long)khz);
	} else {
		detail(g, "%s sets it", s->tool);
		advise(g, s->key, "tool",
			effect == EFFECT_MAX_PERF ? "100"
			: effect == EFFECT_TURBO  ? "1"
						  : "remove it, or raise it");
	}
}

/* Only settings whose effect is there: a configuration alone may be for another power source. */
void judge_tools(struct judge *j)
{
	for (int i = 0; i < j->f->nr_settings; i++) {
		const struct tool_setting *s = &j->f->settings[i];
		enum effect effect = effect_of(s);
		enum finding_id id;

		if (effect == EFFECT_NONE || !restricts(s, effect))
			continue;
		id = shown_by(j, effect);
		if (id != FINDINGS_NR)
			add_tool(j, s, effect, id);
	}
}
