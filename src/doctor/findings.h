/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of findings: what the doctor can say. Ids are stable; each names what is observed,
 * never the machine or the tool that showed it. docs/FINDINGS.md is printed from this table.
 */
#pragma once

#include <stddef.h>

/* X(NAME, "id"): in the order of reports within one severity. */
#define FINDINGS(X)                                                                                \
	X(PCC_IN_USE, "pcc-cpufreq-in-use")                                                        \
	X(REGULATOR, "bios-power-regulator-not-os-control")                                        \
	X(PCC_TOO_MANY, "pcc-too-many-cpus")                                                       \
	X(NO_DRIVER, "no-cpufreq-driver")                                                          \
	X(BLACKLISTED, "cpufreq-driver-blacklisted")                                               \
	X(HYPERVISOR, "hypervisor-owns-pstates")                                                   \
	X(INTEL_DISABLED, "intel-pstate-disabled-cmdline")                                         \
	X(HWP_HIDDEN, "hwp-hidden-by-bios")                                                        \
	X(INTEL_UNSUPPORTED, "intel-pstate-cpu-not-supported")                                     \
	X(HWP_FORCED, "hwp-forced-by-bios")                                                        \
	X(OUT_OF_BAND, "pstates-oob-platform-controlled")                                          \
	X(OEM_FIRMWARE, "oem-firmware-owns-pstates")                                               \
	X(XPSS_ONLY, "acpi-xpss-only")                                                             \
	X(PSS_MISSING, "acpi-pss-missing")                                                         \
	X(MODULE_MISSING, "driver-module-missing")                                                 \
	X(CPPC_DISABLED, "amd-cppc-disabled-in-bios")                                              \
	X(CPC_MISSING, "amd-cpc-missing")                                                          \
	X(CPPC_UNSUPPORTED, "amd-cppc-unsupported-cpu")                                            \
	X(AMD_PARAM, "amd-pstate-mode-param-needed")                                               \
	X(CAPS_INVALID, "amd-cppc-caps-invalid")                                                   \
	X(ACPI_FALLBACK, "acpi-cpufreq-fallback")                                                  \
	X(PASSIVE_NO_HWP, "passive-mode-no-hwp")                                                   \
	X(CONTRADICTED, "driver-selection-contradicted")                                           \
	X(PROCHOT, "prochot-external-asserted")                                                    \
	X(CLAMPED, "freq-clamped-below-os-limits")                                                 \
	X(LIMITS_STALE, "limits-stale")                                                            \
	X(CUR_ABOVE, "cur-freq-above-policy-max")                                                  \
	X(MAX_PERF_PCT, "max-perf-pct-below-100")                                                  \
	X(PINNED, "policy-pinned-min-equals-max")                                                  \
	X(BIOS_LIMIT, "bios-limit-below-max")                                                      \
	X(SCALING_MAX, "scaling-max-below-hardware-max")                                           \
	X(LEFT_BY_TOOL, "limit-left-by-tool")                                                      \
	X(NO_TURBO, "no-turbo-set")                                                                \
	X(TURBO_BIOS, "turbo-disabled-by-bios")                                                    \
	X(BOOST_OFF, "boost-disabled")                                                             \
	X(GOVERNOR_POWERSAVE, "governor-powersave-pins-min")                                       \
	X(EPP_LOCKED, "epp-locked-by-performance-governor")                                        \
	X(POWER_MMIO, "power-limit-mmio-lower-than-msr")                                           \
	X(POWER_LOW, "power-limit-low")                                                            \
	X(POWER_THROTTLED, "power-limit-throttled")                                                \
	X(THERMAL, "thermal-throttled")                                                            \
	X(PLATFORM_PROFILE, "platform-profile-low-power")                                          \
	X(HYBRID_MISMATCH, "hybrid-scaling-mismatch")                                              \
	X(BOOST_CEILING, "boost-ceiling-understated")                                              \
	X(ENERGY_BIAS, "energy-bias-favours-power")                                                \
	X(DYNAMIC_BOOST, "hwp-dynamic-boost-off")                                                  \
	X(LATENCY_QOS, "latency-qos-caps-idle")                                                    \
	X(TUNED, "tuned-latency-profile")                                                          \
	X(STATE_OFF_DEFAULT, "idle-state-disabled-by-default")                                     \
	X(STATE_OFF_USER, "idle-state-disabled-by-user")                                           \
	X(MAX_CSTATE, "max-cstate-limited-cmdline")                                                \
	X(IDLE_POLL, "idle-poll-cmdline")                                                          \
	X(DEPTH_TURBO, "idle-depth-limits-turbo")                                                  \
	X(IDLE_ACPI, "idle-states-from-acpi")                                                      \
	X(HALTPOLL, "haltpoll-guest-idle")                                                         \
	X(SMT, "smt-siblings-not-onlined")                                                         \
	X(DISAGREE, "policies-disagree")                                                           \
	X(KERNEL_ISSUE, "known-kernel-issue")                                                      \
	X(TRUNCATED, "file-truncated")                                                             \
	X(IMPLAUSIBLE, "value-implausible")                                                        \
	X(UNREADABLE, "value-unreadable")                                                          \
	X(OFFLINE, "cpus-offline")                                                                 \
	X(HYBRID, "hybrid-core-types")                                                             \
	X(EVIDENCE, "evidence-missing")

enum finding_id {
#define X(name, text) FINDING_##name,
	FINDINGS(X)
#undef X
		FINDINGS_NR
};

enum severity { SEVERITY_INFO, SEVERITY_WARN, SEVERITY_PROBLEM };

struct advice {
	const char *setting, *where, *value; /* where: bios, cmdline, sysfs, module, tool */
};

enum { TABLE_ADVICE_MAX = 3 };

struct finding_text {
	const char *title;	/* one line */
	const char *background; /* what it is and where it comes from */
	const char *costs;
	const char *verify; /* how to see that the change worked; NULL: nothing to change */
	const char *source;
	struct advice advice[TABLE_ADVICE_MAX]; /* ends at a NULL setting */
};

const char *finding_name(enum finding_id id);
const struct finding_text *finding_text(enum finding_id id);

/* FINDINGS_NR when there is no such id. */
enum finding_id finding_by_name(const char *name);

const char *severity_name(enum severity severity);
