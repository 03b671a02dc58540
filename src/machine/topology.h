/* SPDX-License-Identifier: GPL-2.0-or-later */
/* CPUs of a machine: their numbers, what they share, and which are online. */
#pragma once

#include "machine/document.h"

/* Lays out the CPUs that the checked document describes, all online. */
void topology_build(struct machine *m, const struct doc_topology *t);

/*
 * cpus=N: the first N CPUs are online. More than there are: each package grows by whole cores,
 * with everything else as it is; N must then be a multiple of packages and threads.
 */
int topology_set_cpus(
	struct machine *m, struct doc_topology *t, const char *value, struct error *err);

/*
 * online=LIST: CPU numbers and ranges ("0-3,6"), or NODES/COUNT ("N0123/75"): the first threads of
 * the nodes' cores, then their further threads beginning with the highest node, COUNT in all.
 */
int topology_set_online(struct machine *m, const char *value, struct error *err);
