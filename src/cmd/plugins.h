/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plug-ins that were named on the command line. They stay loaded until the process ends. A crash
 * in one ends the process with one line, "corepace: plug-in X.so crashed (SIGSEGV) in select", and
 * exit status 1; so does a choice of a state that the machine does not have.
 *
 * Policies themselves stay pure: loading is here, above them.
 */
#pragma once

#include "base/error.h"
#include "host/plugin_compile.h"
#include "machine/preset.h"
#include "policy/registry.h"

/*
 * As idle_governor_find, but X.so[:ARG] is loaded. Each call loads an image of its own, so that two
 * policies with the same plug-in may have different parameters.
 */
int plugin_idle_find(const char *name, const struct idle_governor **ret, const char **ret_arg,
	struct error *err);

/* The frequency governor NAME or X.so. */
int plugin_freq_find(const char *name, const struct freq_governor **ret, struct error *err);

/* For policy_load: the value of `idle` and `governor` may be a plug-in. Takes no context. */
extern const struct preset_resolver plugin_resolver;

/* What came of a build. */
struct plugin_built {
	struct compile_report report;
	char idle[64];	   /* name of the idle governor in it, empty when there is none */
	char governor[64]; /* likewise: frequency governor */
	size_t state_size; /* per CPU, or per policy of one CPU */
};

/*
 * Compiles C files, up to a NULL, into the plug-in output, which appears only when it can be
 * loaded; the first one says of which kind. The report must be released with
 * compile_report_release, whatever is returned.
 */
int plugin_build(char *const *sources, const char *output, char *const *arguments,
	struct plugin_built *ret, struct error *err);
