/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the parts of intel_pstate share: intel_pstate.c the driver's ops,
 * intel_tune.c its parameters, intel_ratio.c the ratios a
 * CPU has and the limits in them, intel_hwp.c the request register of hardware P-states,
 * intel_sample.c the algorithm without them.
 */
#pragma once

#include "corepace/policy.h"
#include "policy/driver/registers.h"

enum { INTEL_SCALING_KHZ = 100000 };

enum { TURBO_ASKED_OFF = 1, TURBO_ASKED_ON = 2 };

enum intel_status { STATUS_DEFAULT, STATUS_ACTIVE, STATUS_PASSIVE, STATUS_OFF };

/* Parameters and what the driver found out when it registered. */
struct intel_global {
	enum intel_status status;
	bool no_hwp, per_cpu_limits, support_ppc;
	bool pid;			/* powersave without HWP as before 4.12 */
	int max_perf_pct, min_perf_pct; /* as stored; 0: not yet */
	int no_turbo;			/* asked for: 0 nothing, 1 off, 2 on */
	bool epp_given, epb_given;
	int preferences;   /* how often they were given */
	int epp, epp_bias; /* asked for; where there is no EPP, the bias; EPP_NONE: the default */
	int epb;

	bool loaded;
	bool hwp;	     /* in use */
	bool turbo_disabled; /* by firmware, or not there */
	bool turbo_off;	     /* no_turbo in force */
	int min_pct, max_pct;
	int lowest_pct; /* the least that min_perf_pct may be */
};

enum { EPP_NONE = -1 };

/* The names that energy_performance_preference takes; ends with a NULL. */
struct energy_preference {
	const char *name;
	int epp, bias;
};
extern const struct energy_preference energy_preferences[];

struct intel_cpu {
	int cpu;
	bool up;       /* once brought up */
	int preferred; /* which of the preferences are written */
	/* ratios, or performance levels under HWP */
	int min_pstate, max_pstate, max_physical, turbo_pstate;
	int current_pstate;
	int min_ratio, max_ratio; /* limits */
	enum driver_policy policy;

	/* HWP */
	uint64_t request, capabilities; /* cached */
	int epp_default, epp_cached, epp_powersave;
	int epp_policy; /* the policy EPP was set for, plus 1; 0: none */

	/* without HWP */
	int64_t sample_ns, last_update_ns;
	uint64_t aperf, mperf, tsc; /* at the last sample */
	int32_t boost;		    /* I/O-wait boost: fraction of 256 */
};

/* intel_tune.c */
extern const struct driver_parameter intel_parameters[];
int intel_tune(void *shared, const char *key, const char *value);

/* intel_ratio.c */
int intel_find_ratios(struct driver_unit *u, int64_t *now_ns);
int intel_max_ratio(const struct hardware *hw, int64_t *now_ns, int cpu, bool hwp, int *ret);
int intel_turbo_ratio(const struct hardware *hw, int64_t *now_ns, int cpu, bool hwp, int *ret);
void intel_update_limits(struct driver_unit *u, const struct freq_limits *limits);
int intel_prepare(const struct intel_cpu *c, int pstate);
uint64_t intel_ctl_value(const struct intel_global *g, int pstate);
int intel_set_pstate(struct driver_unit *u, int64_t *now_ns, int pstate);

/* intel_hwp.c */
int intel_hwp_enable(struct driver_unit *u, int64_t *now_ns);
int intel_hwp_read_capabilities(struct driver_unit *u, int64_t *now_ns);
int intel_hwp_set(struct driver_unit *u, int64_t *now_ns);
int intel_hwp_set_epp(struct driver_unit *u, int64_t *now_ns, int epp);
int intel_hwp_set_preference(struct driver_unit *u, int64_t *now_ns);
int intel_hwp_update(struct driver_unit *u, int64_t *now_ns, int min, int max, int desired);
int intel_hwp_offline(struct driver_unit *u, int64_t *now_ns);
int intel_hwp_online(struct driver_unit *u, int64_t *now_ns);
/* EPP of a request register, or the bias where the processor has no EPP; negative errno. */
int intel_hwp_get_epp(struct driver_unit *u, int64_t *now_ns, uint64_t request);
int intel_set_epb(struct driver_unit *u, int64_t *now_ns, int epb);

/* intel_sample.c */
void intel_on_util(
	struct driver_unit *u, int64_t *now_ns, const struct util_event *event, int64_t tick_ns);

static inline int intel_read(struct driver_unit *u, int64_t *now_ns, uint32_t reg, uint64_t *value)
{
	return u->hw->rdmsr(u->hw->ctx, now_ns, u->cpus[0], reg, value);
}

static inline int intel_write(struct driver_unit *u, int64_t *now_ns, uint32_t reg, uint64_t value)
{
	return u->hw->wrmsr(u->hw->ctx, now_ns, u->cpus[0], reg, value);
}
