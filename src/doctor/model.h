/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The model (corepace-machine(5)) of the machine that a tree shows. What its files tell is
 * measured; what they cannot tell is carried over from the machine model that is nearest to it,
 * and says so. Order: model_read, model_find_nearest, model_write.
 */
#pragma once

#include "doctor/facts.h"
#include "machine/machine.h"

#include <stdio.h>

/* A number that the files told. source "": they did not. */
struct model_value {
	int64_t v;
	char source[80];
};

enum { MODEL_NOTES_MAX = 16 };

struct model {
	const struct facts *facts;
	char description[160];
	bool guest; /* its frequency is the host's */

	/* Regular: packages of alike cores of alike threads, and nothing else. */
	int packages, cores, threads, cores_per_llc, nodes_per_package;
	const char *numbering;
	bool irregular; /* it is not: cores are CPUs here */

	struct model_value min_khz, base_khz, max_khz, transition_ns;
	int nr_turbo;
	uint32_t turbo_khz[64];
	char turbo_source[80];
	struct model_value lowest, efficient, guaranteed, highest; /* hardware P-states */
	bool hwp;

	struct model_value hz, rapl_unit_nj, pl1_mw, pl2_mw, pl1_tau_ns;
	int nr_pss;
	uint32_t pss_khz[64];
	/* _CPC: highest, nominal, lowest nonlinear, lowest, and MHz of nominal and lowest; 0:
	 * none. */
	int cpc[6];

	const struct machine *nearest, *nearest_hwp; /* the latter: with an hwp section */
	int nr_notes;
	char notes[MODEL_NOTES_MAX][160]; /* what a user should know of it */
};

/* 0; -EOVERFLOW: more CPUs than a model can have; -ENODATA: nothing tells of any CPU. */
int model_read(struct tree *tree, const struct facts *facts, struct model *ret, struct error *err);

void model_note(struct model *model, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Parts of model_read. */
int model_read_topology(struct tree *tree, struct model *model, struct error *err);
void model_read_frequency(struct tree *tree, struct model *model);
void model_read_limits(struct tree *tree, struct model *model);

/* How far a machine model is from it; less is nearer. */
int model_distance(const struct model *model, const struct machine *machine);

/* YAML. nearest is set; nearest_hwp too when hwp is. */
void model_write(const struct model *model, FILE *out);
