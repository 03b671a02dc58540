// SPDX-License-Identifier: GPL-2.0-or-later
#include "doctor/findings.h"
#include "doctor/findings_text.h"

#include <string.h>

static const char *const names[FINDINGS_NR] = {
#define X(name, text) [FINDING_##name] = text,
	FINDINGS(X)
#undef X
};

static const char *const severities[] = {
	[SEVERITY_INFO] = "info",
	[SEVERITY_WARN] = "warn",
	[SEVERITY_PROBLEM] = "problem",
};

const char *finding_name(enum finding_id id)
{
	return names[id];
}

enum finding_id finding_by_name(const char *name)
{
	for (int i = 0; i < FINDINGS_NR; i++)
		if (!strcmp(names[i], name))
			return (enum finding_id)i;
	return FINDINGS_NR;
}

const char *severity_name(enum severity severity)
{
	return severities[severity];
}

const struct finding_text *finding_text(enum finding_id id)
{
	static const struct finding_text *const tables[] = { findings_driver, findings_limits,
		findings_idle, findings_input };

	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		if (tables[i][id].title)
			return &tables[i][id];
	return NULL;
}
