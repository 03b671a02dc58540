// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/run_identity.h"
#include "cmd/cmd.h"
#include "code_hash.h"
#include "machine/names.h"
#include "machine/preset.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

int machine_file(const char *text, char *path, size_t size, struct error *err)
{
	char dir[PATH_MAX];
	struct spec spec;
	int rc = spec_parse(&spec, text, err);

	return rc ? rc
		  : names_path("machine", spec.name, data_dir("machines", dir, sizeof(dir)), path,
			    size, err);
}

int preset_file(const char *text, char *path, size_t size, struct error *err)
{
	char dir[PATH_MAX];
	struct spec spec;
	int rc = policy_spec_parse(&spec, text, err);

	*path = 0;
	if (rc || !strcmp(spec.name, "default"))
		return rc;
	return names_path(
		"policy", spec.name, data_dir("policies", dir, sizeof(dir)), path, size, err);
}

int identify_machine(const char *text, char ret[HASH_SIZE], struct error *err)
{
	char path[PATH_MAX];
	int rc = machine_file(text, path, sizeof(path), err);

	return rc ? rc : hash_file(path, ret, err);
}

int identify_workload(const char *text, char ret[HASH_SIZE], struct error *err)
{
	char path[PATH_MAX];
	int rc = workload_file(text, path, sizeof(path), err);

	if (rc || *path)
		return rc ? rc : hash_file(path, ret, err);
	*ret = 0;
	return 0;
}

static int add_plugin(
	struct policy_identity *id, const char *path, size_t length, int nr, struct error *err)
{
	char name[SPEC_TEXT_MAX], hash[HASH_SIZE];
	int rc;

	if (nr == PLUGIN_HASHES_MAX)
		return error_set(err, E2BIG, "more than %d plug-ins", PLUGIN_HASHES_MAX);
	snprintf(name, sizeof(name), "%.*s", (int)length, path);
	rc = hash_file(name, hash, err);
	if (rc)
		return rc;
	if (nr)
		strcat(id->plugins, " ");
	strcat(id->plugins, hash);
	return 0;
}

int identify_policy(const char *text, struct policy_identity *ret, struct error *err)
{
	char path[PATH_MAX];
	struct policy_identity id = { "", "" };
	struct spec spec;
	int nr = 0, rc = policy_spec_parse(&spec, text, err);

	rc = rc ? rc : preset_file(text, path, sizeof(path), err);
	if (!rc && *path)
		rc = hash_file(path, id.preset, err);
	for (int i = 0; !rc && i < spec.nr_keys; i++) {
		size_t length = spec_plugin_length(spec.keys[i].value);

		if (length)
			rc = add_plugin(&id, spec.keys[i].value, length, nr++, err);
	}
	if (!rc)
		*ret = id;
	return rc;
}

struct run_key job_key(const struct run_job *job, bool recorded, const char *machine_hash,
	const char *workload_hash, const struct policy_identity *policy)
{
	return (struct run_key){
		.code = CODE_HASH,
		.machine = job->machine->text,
		.workload = job->workload,
		.policy = job->policy->text,
		.machine_hash = machine_hash,
		.workload_hash = workload_hash,
		.preset_hash = policy->preset,
		.plugin_hash = policy->plugins,
		.scaling = !recorded || job->ends_coincide ? "known"
			   : job->scaling == SCALE_ALL	   ? "all"
							   : "none",
		.seed = job->seed,
	};
}
