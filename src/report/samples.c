// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/samples.h"
#include "base/array.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int samples_group(struct samples *samples, const char *machine, const char *workload,
	const char *scaling, struct sample_group **ret)
{
	struct sample_group *group;
	void *grown;

	for (int i = 0; i < samples->nr_groups; i++) {
		group = &samples->groups[i];
		if (strcmp(group->workload, workload) || strcmp(group->scaling, scaling))
			continue;
		if (strcmp(group->machine, machine))
			*group->machine = 0;
		*ret = group;
		return 0;
	}
	grown = array_grow(samples->groups, (size_t)samples->nr_groups, sizeof(*group));
	if (!grown)
		return -ENOMEM;
	samples->groups = grown;
	group = &samples->groups[samples->nr_groups];
	*group = (struct sample_group){ .machine = strdup(machine), .workload = strdup(workload) };
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
	group->configs[group->nr_configs] =
		(struct sample_config){ .name = strdup(name), .energy_band = -1 };
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
