/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of facts_gather, each fills its own members. */
#pragma once

#include "doctor/facts.h"

#define CPU_DIR "/sys/devices/system/cpu"

void read_value(struct tree *tree, struct value *ret, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void read_text(struct tree *tree, struct text *ret, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* "0-3,7" into a set; what cannot be parsed ends it. */
void cpu_numbers_parse(const char *text, struct cpu_numbers *ret);
void read_cpus(struct tree *tree, struct cpu_numbers *ret, const char *path);

/* The number that follows prefix in a name ("policy12"), or -1. */
int number_after(const char *name, const char *prefix);

int read_cpu_facts(struct facts *f);
int read_frequency_facts(struct facts *f);
int read_cppc_facts(struct facts *f);
void read_idle_facts(struct facts *f);
void read_dma_latency(struct facts *f);
void read_power_facts(struct facts *f);
void read_platform_facts(struct facts *f);
void read_acpi_facts(struct facts *f);
void read_tool_facts(struct facts *f);

/* What the driver selection needs, from all the others. */
void fill_select_facts(struct facts *f);
