/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a recording has to know of the machine that it was made on: kernel, tick rate, idle driver
 * and governor, CPU model, settings.
 *
 * Order of calls: host_env_read (files only), then, on the live system, host_env_measure for what
 * no file told; host_env_read_cmdline.
 */
#pragma once

#include "workload/workload.h"

/* Fills what the files under root tell and leaves the rest zero: a missing file is no error. */
void host_env_read(const char *root, struct workload_env *env);

/* The kernel's command line: long, and last for that reason, and not for strangers' eyes. */
void host_env_read_cmdline(const char *root, struct workload_env *env);

/* Tick rate and TSC rate of the running machine, each only where the field is still zero. */
void host_env_measure(struct workload_env *env);
