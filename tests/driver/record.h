/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hardware that holds values in a list and writes down every access, and the order in which the
 * kernel's cpufreq core calls a driver. A log line is "CPU kind REGISTER VALUE", numbers in
 * hexadecimal:
 *
 *   0 rd ce 100022
 *   0 wr 199 1000
 *   0 tsc 5f5e100
 *   0 in 880:16 3
 *   0 out 880:16 2
 *
 * Order of calls: record_init, record_set for each register that is there, driver_load, then the
 * rest; record_expect compares what was logged since the last time and begins anew.
 */
#pragma once

#include "corepace/policy.h"
#include "policy/driver/drivers.h"
#include "policy/driver/registers.h"

#include "../cmocka_all.h"

enum { REGISTERS_MAX = 64, UNITS_MAX = 4, LOG_MAX = 8192 };

struct record {
	struct platform platform;
	struct hardware hw;
	int64_t now_ns;
	uint64_t tsc;
	int nr;
	struct {
		int cpu;
		uint32_t reg;
		uint64_t value;
	} regs[REGISTERS_MAX];
	uint32_t port_value;
	bool port_stuck; /* keeps its value */
	char log[LOG_MAX];
	size_t len;

	const struct driver *driver;
	void *shared;
	int cpus[UNITS_MAX];
	struct driver_unit units[UNITS_MAX];
	struct driver_offer offers[UNITS_MAX];
	struct freq_limits user; /* max 0: none set */
};

void record_init(struct record *r, const struct driver *driver);
void record_release(struct record *r);

/* The register of one CPU. */
void record_set(struct record *r, int cpu, uint32_t reg, uint64_t value);

void record_expect(struct record *r, const char *what, const char *want);

/* Fails the test where the driver refuses. */
void driver_tune(struct record *r, const char *key, const char *value);
void driver_load(struct record *r);
void driver_init(struct record *r, int cpu);

/* cpufreq_set_policy: what is asked for goes through verify. */
struct freq_limits driver_limits(struct record *r, int cpu);
void driver_set_policy(struct record *r, int cpu, enum driver_policy policy);
uint32_t driver_target(struct record *r, int cpu, uint32_t khz, enum freq_relation relation);
void driver_util(struct record *r, int cpu, int64_t now_ns, unsigned flags);
