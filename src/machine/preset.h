/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Policy specifications with presets: policies/NAME.yaml, then the keys of the specification on
 * top. It stands here because policy/ itself is pure and reads no files.
 */
#pragma once

#include "base/error.h"
#include "policy/registry.h"

/* Sets a value that is the path of a plug-in (X.so or X.so:ARG): whoever loads plug-ins owns it. */
struct preset_resolver {
	int (*resolve)(void *ctx, struct policy *policy, const char *key, const char *value,
		struct error *err);
	void *ctx;
};

/*
 * Loads "PRESET[:key=value...]", or "key=value[,key=value...]" on top of the default policy, which
 * is also the preset "default". dir: folder with PRESET.yaml; a name with a '/' is taken as a path.
 * resolver may be NULL: then plug-ins are refused, as they are in a preset's own keys. -ENOENT
 * lists the presets that there are.
 */
int policy_load(const char *spec, const char *dir, const struct preset_resolver *resolver,
	struct policy *ret, struct error *err);

/* Cuts up such a specification; one without a preset has the name "default". */
int policy_spec_parse(struct spec *spec, const char *text, struct error *err);

enum { PRESET_DESCRIPTION_MAX = 200 };

/* What the preset in dir/NAME.yaml says it is. */
int preset_description(
	const char *name, const char *dir, char *ret, size_t size, struct error *err);

/* Sets a preset's keys from the text of a preset file; name stands in messages. */
int preset_apply_text(
	const char *name, const char *text, size_t size, struct policy *policy, struct error *err);

/* The keys a preset may give, beside description and tunables; NULL-terminated. */
extern const char *const preset_keys[];
