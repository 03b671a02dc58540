// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/samples.h"
#include "base/array.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int samples_group(struct samples *samples, const char *machine, const char *workload,
	const char *scaling, struct sample_group **ret)
{
	struct sample_group *group;
	void *grown;

	if (samples->one_table) {
		workload = scaling = "";
	} else if (!*workload && samples->anonymous) {
		workload = samples->anonymous;
		scaling = samples->anonymous_scaling;
	}
	for (int i = 0; i < samples->nr_groups; i++) {
		group = &samples->groups[i];
		if (strcmp(group->workload, workload) || strcmp(group->scaling, scaling))
			continue;
		if (samples->by_machine && !samples->one_table && strcmp(group->machine, machine))
			continue;
		if (*machine && strcmp(group->machine, machine))
			*group->machine = 0;
		*ret = group;
		return 0;
	}
	grown = array_grow(samples->groups, (size_t)samples->nr_groups, sizeof(*group));
	if (!grown)
		return -ENOMEM;
	samples->groups = grown;
	group = &samples->groups[samples->nr_groups];
	*group = (struct sample_group){
		.machine = strdup(machine), .workload = strdup(workload), .fixed_time = -1
	};
	if (!group->machine || !group->workload) {
		free(group->machine);
		free(group->workload);
		return -ENOMEM;
	}
	strncpy(group->scaling, scaling, sizeof(group->scaling) - 1);
	samples->nr_groups++;
	*ret = group;
	return 0;
}

int group_config(struct sample_group *group, const char *name)
{
	void *grown;

	/* Samples of one configuration mostly follow each other. */
	for (int i = group->nr_configs - 1; i >= 0; i--)
		if (!strcmp(group->configs[i].name, name))
			return i;
	if (group->nr_configs == CONFIGS_MAX)
		return -E2BIG;
	grown = array_grow(group->configs, (size_t)group->nr_configs, sizeof(*group->configs));
	if (!grown)
		return -ENOMEM;
	group->configs = grown;
	group->configs[group->nr_configs] = (struct sample_config){ .name = strdup(name) };
	if (!group->configs[group->nr_configs].name)
		return -ENOMEM;
	return group->nr_configs++;
}

int group_metric(struct sample_group *group, const struct sample_metric *metric)
{
	void *grown;

	for (int i = 0; i < group->nr_metrics; i++) {
		const struct sample_metric *m = &group->metrics[i];

		if (strcmp(m->name, metric->name))
			continue;
		return strcmp(m->unit, metric->unit) || m->better != metric->better ? -EEXIST : i;
	}
	if (group->nr_metrics == METRICS_MAX)
		return -E2BIG;
	grown = array_grow(group->metrics, (size_t)group->nr_metrics, sizeof(*metric));
	if (!grown)
		return -ENOMEM;
	group->metrics = grown;
	group->metrics[group->nr_metrics] = *metric;
	return group->nr_metrics++;
}

int group_add(struct sample_group *group, int metric, int config, double value)
{
	void *grown = array_grow(group->samples, group->nr_samples, sizeof(*group->samples));

	if (!grown)
		return -ENOMEM;
	group->samples = grown;
	group->samples[group->nr_samples++] = (struct sample){ metric, config, value };
	return 0;
}

int samples_note(struct samples *samples, const char *text)
{
	void *grown;

	for (int i = 0; i < samples->nr_notes; i++)
		if (!strcmp(samples->notes[i], text))
			return 0;
	grown = array_grow(samples->notes, (size_t)samples->nr_notes, sizeof(*samples->notes));
	if (!grown)
		return -ENOMEM;
	samples->notes = grown;
	samples->notes[samples->nr_notes] = strdup(text);
	if (!samples->notes[samples->nr_notes])
		return -ENOMEM;
	samples->nr_notes++;
	return 0;
}

enum sample_section section_of_metric(const char *name, const char *unit)
{
	static const char *const names[] = { "ops_per_j", "ops_per_w", "mb_per_j" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(name, names[i]))
			return SECTION_ENERGY;
	if (!strncmp(name, "wake_p", 6))
		return SECTION_WAKE;
	if (!strcmp(unit, "%") || !strcmp(unit, "MHz") || !strcmp(name, "switches_per_s"))
		return SECTION_CPU;
	return !strcmp(unit, "J") || !strcmp(unit, "W") ? SECTION_ENERGY : SECTION_WORK;
}

/* Other tools' names may be commands of several lines, and are printed in tables: one line. */
static char *one_line(const char *text)
{
	char *line = strdup(text);

	for (char *c = line; c && *c; c++)
		if (iscntrl((unsigned char)*c))
			*c = ' ';
	return line;
}

int samples_measured(struct samples *samples, const char *workload, const char *config,
	const char *metric, const char *unit, int better, double value)
{
	struct sample_metric m = { .better = better, .section = section_of_metric(metric, unit) };
	char *workload_line = one_line(workload), *config_line = one_line(config);
	struct sample_group *group;
	int rc = -ENOMEM, k = -ENOMEM;

	if (workload_line && config_line)
		rc = samples_group(samples, "", workload_line, "", &group);
	if (!rc)
		k = group_config(group, config_line);
	free(workload_line);
	free(config_line);
	if (rc)
		return rc;
	strncpy(m.name, metric, sizeof(m.name) - 1);
	strncpy(m.unit, unit, sizeof(m.unit) - 1);
	rc = group_metric(group, &m);
	if (k < 0 || rc < 0)
		return k < 0 ? k : rc;
	return isnan(value) ? 0 : group_add(group, rc, k, value);
}

void samples_release(struct samples *samples)
{
	for (int i = 0; i < samples->nr_groups; i++) {
		struct sample_group *group = &samples->groups[i];

		for (int k = 0; k < group->nr_configs; k++)
			free(group->configs[k].name);
		free(group->machine);
		free(group->workload);
		free(group->metrics);
		free(group->configs);
		free(group->samples);
	}
	for (int i = 0; i < samples->nr_notes; i++)
		free(samples->notes[i]);
	free(samples->groups);
	free(samples->notes);
	*samples = (struct samples){ 0 };
}
