/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Module parameters and initcalls. Parameters are collected in a linker section, where the glue's
 * tune finds them by name; initcalls run when the plug-in is loaded. Parameters are plain
 * variables, so they belong to the loaded image: who needs two settings at once loads it twice
 * (plugin_load makes every load an image of its own).
 */
#pragma once

#include <linux/kernel.h>

enum shim_param_type {
	shim_param_bool,
	shim_param_int,
	shim_param_uint,
	shim_param_long,
	shim_param_ulong
};

struct shim_param {
	const char *name;
	enum shim_param_type type;
	void *value;
};

#define module_param_named(label, variable, kind, mode)                                            \
	static struct shim_param shim_param_of_##label __attribute__((section("shim_params"),      \
		used, aligned(8))) = { #label, shim_param_##kind, &(variable) }
#define module_param(variable, kind, mode) module_param_named(variable, variable, kind, mode)

#define MODULE_PARM_DESC(name, text) _Static_assert(1, "")
#define MODULE_LICENSE(text) _Static_assert(1, "")
#define MODULE_AUTHOR(text) _Static_assert(1, "")
#define MODULE_DESCRIPTION(text) _Static_assert(1, "")
#define EXPORT_SYMBOL(name) _Static_assert(1, "")
#define EXPORT_SYMBOL_GPL(name) _Static_assert(1, "")

#define SHIM_INITCALL(function)                                                                    \
	static __attribute__((constructor)) void shim_initcall_##function(void)                    \
	{                                                                                          \
		(void)function();                                                                  \
	}                                                                                          \
	_Static_assert(1, "")
#define core_initcall(function) SHIM_INITCALL(function)
#define postcore_initcall(function) SHIM_INITCALL(function)
#define subsys_initcall(function) SHIM_INITCALL(function)
#define late_initcall(function) SHIM_INITCALL(function)
#define module_init(function) SHIM_INITCALL(function)
#define module_exit(function)                                                                      \
	static __attribute__((unused)) void (*const shim_exit_##function)(void) = (function)
