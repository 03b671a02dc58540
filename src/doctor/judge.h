/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the judging files share. Each judge_* looks at facts and adds findings; later ones may look
 * at what earlier ones found. An id is there once: adding it again raises its severity and appends
 * evidence.
 */
#pragma once

#include "doctor/diagnosis.h"

#define CPU_PRESENT "/sys/devices/system/cpu/present"

struct judge {
	const struct facts *f;
	struct diagnosis *d;
	bool guest;	 /* bare metal otherwise, as far as known */
	bool own_policy; /* the driver's own powersave and performance */
	bool generic;	 /* governors are the kernel's */
	bool server;	 /* by profile, or by the processor */
};

struct finding *add(struct judge *j, enum finding_id id, enum severity severity);

/* The sentence, the first one given stays. */
void detail(struct finding *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void evidence(struct finding *g, const char *path, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void evidence_number(struct finding *g, const char *dir, const char *file, int64_t number);
void evidence_msr(struct finding *g, uint32_t reg, int cpu, uint64_t value);
/* The value in dir/file is what it should be: advice in place of the table's. */
void advise(struct finding *g, const char *setting, const char *where, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

bool found(const struct judge *j, enum finding_id id);

/* A log line as evidence; adds the finding when the line is there. NULL otherwise. */
struct finding *add_logged(
	struct judge *j, enum finding_id id, enum severity severity, const char *needle);

/* The policy's limits are both there and make sense. */
bool policy_plausible(const struct policy_facts *p);
bool is_turbo_marker(int64_t khz);

/*
 * What limits are compared with, kHz: acpi-cpufreq's table, whose highest entry stands for boost
 * too (cpuinfo_max_freq may name the boost frequency, which no limit can ask for); else the
 * hardware's maximum. 0: not known.
 */
int64_t policy_top(const struct judge *j, const struct policy_facts *p);

void judge_driver(struct judge *j);
void judge_blacklists(struct judge *j);
void judge_amd(struct judge *j);
void judge_not_built(struct judge *j); /* after what else explains a missing driver */
void judge_firmware(struct judge *j);
void judge_prediction(struct judge *j);
void judge_limits(struct judge *j);
void judge_turbo(struct judge *j);
void judge_frequency(struct judge *j);
void judge_power(struct judge *j);
void judge_idle(struct judge *j);
void judge_latency(struct judge *j);
void judge_tools(struct judge *j);
void judge_hybrid(struct judge *j);
void judge_input(struct judge *j);
void judge_kernel(struct judge *j);
void judge_missing(struct judge *j);
