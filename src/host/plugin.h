/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loads policies compiled into a shared object that exports `corepace_plugin` (corepace/policy.h),
 * and checks that it can be used. Order of calls: plugin_load; use;
 * plugin_unload when no CPU has state of it any more.
 *
 * Each load gives an image of its own, also of the same file or of a file that was replaced under
 * the same name: parameters set in one are not seen in the other.
 */
#pragma once

#include "base/error.h"
#include "corepace/policy.h"

enum { PLUGIN_STATE_MAX = 16 << 20 }; /* bytes per CPU: more is a mistake */

/*
 * -ENOENT and the like when the file cannot be read, -ENOEXEC when it is no plug-in or was built
 * for another interface, -EINVAL when a hook is missing. Runs the plug-in's constructors: what
 * crashes there crashes here.
 */
int plugin_load(
	const char *path, const struct corepace_plugin **ret, void **ret_handle, struct error *err);

/* Takes NULL. */
void plugin_unload(void *handle);
