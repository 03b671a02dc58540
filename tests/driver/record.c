// SPDX-License-Identifier: GPL-2.0-or-later
#include "record.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TICK_NS = 4000000 };

__attribute__((format(printf, 2, 3))) static void note(struct record *r, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	r->len += (size_t)vsnprintf(r->log + r->len, sizeof(r->log) - r->len, fmt, ap);
	va_end(ap);
	assert_true(r->len < sizeof(r->log));
}

static uint64_t *find(struct record *r, int cpu, uint32_t reg)
{
	for (int i = 0; i < r->nr; i++)
		if (r->regs[i].cpu == cpu && r->regs[i].reg == reg)
			return &r->regs[i].value;
	return NULL;
}

static int rdmsr(void *ctx, int64_t *now_ns, int cpu, uint32_t reg, uint64_t *value)
{
	struct record *r = ctx;
	const uint64_t *at = find(r, cpu, reg);

	*now_ns += 100;
	if (!at) {
		note(r, "%d rd %x fault\n", cpu, reg);
		return -EIO;
	}
	*value = *at;
	note(r, "%d rd %x %llx\n", cpu, reg, (unsigned long long)*at);
	return 0;
}

static int wrmsr(void *ctx, int64_t *now_ns, int cpu, uint32_t reg, uint64_t value)
{
	struct record *r = ctx;
	uint64_t *at = find(r, cpu, reg);

	*now_ns += 100;
	note(r, "%d wr %x %llx%s\n", cpu, reg, (unsigned long long)value, at ? "" : " fault");
	if (!at)
		return -EIO;
	*at = value;
	return 0;
}

static int rdtsc(void *ctx, int64_t *now_ns, int cpu, uint64_t *value)
{
	struct record *r = ctx;

	note(r, "%d tsc %llx\n", cpu, (unsigned long long)r->tsc);
	*value = r->tsc;
	return 0;
}

static int port_read(void *ctx, int64_t *now_ns, int cpu, uint16_t port, int width, uint32_t *value)
{
	struct record *r = ctx;

	note(r, "%d in %x:%d %x\n", cpu, port, width, r->port_value);
	*value = r->port_value;
	return 0;
}

static int port_write(void *ctx, int64_t *now_ns, int cpu, uint16_t port, int width, uint32_t value)
{
	struct record *r = ctx;

	note(r, "%d out %x:%d %x\n", cpu, port, width, value);
	if (!r->port_stuck)
		r->port_value = value;
	return 0;
}

void record_init(struct record *r, const struct driver *driver)
{
	memset(r, 0, sizeof(*r));
	r->driver = driver;
	r->shared = calloc(1, driver->shared_size + 1);
	r->hw = (struct hardware){ .ctx = r,
		.platform = &r->platform,
		.rdmsr = rdmsr,
		.wrmsr = wrmsr,
		.rdtsc = rdtsc,
		.port_read = port_read,
		.port_write = port_write };
	for (int i = 0; i < UNITS_MAX; i++) {
		r->cpus[i] = i;
		r->units[i] = (struct driver_unit){ .driver = driver,
			.hw = &r->hw,
			.shared = r->shared,
			.state = calloc(1, driver->state_size + 1),
			.nr_cpus = 1,
			.cpus = &r->cpus[i] };
	}
}

void record_release(struct record *r)
{
	for (int i = 0; i < UNITS_MAX; i++)
		free(r->units[i].state);
	free(r->shared);
}

void record_set(struct record *r, int cpu, uint32_t reg, uint64_t value)
{
	uint64_t *at = find(r, cpu, reg);

	if (at) {
		*at = value;
		return;
	}
	assert_true(r->nr < REGISTERS_MAX);
	r->regs[r->nr].cpu = cpu;
	r->regs[r->nr].reg = reg;
	r->regs[r->nr++].value = value;
}

void record_expect(struct record *r, const char *what, const char *want)
{
	size_t same = 0, line = 1;

	while (want[same] && want[same] == r->log[same])
		line += want[same++] == '\n';
	if (want[same] || r->log[same]) {
		printf("--- expected\n%s--- logged\n%s", want, r->log);
		fail_msg("%s: logs differ in line %zu", what, line);
	}
	r->len = 0;
	r->log[0] = 0;
}

void driver_tune(struct record *r, const char *key, const char *value)
{
	assert_int_equal(r->driver->tune(r->shared, key, value), 0);
}

void driver_load(struct record *r)
{
	if (r->driver->load)
		assert_int_equal(r->driver->load(r->shared, &r->hw, &r->now_ns, 0), 0);
}

void driver_init(struct record *r, int cpu)
{
	memset(&r->offers[cpu], 0, sizeof(r->offers[cpu]));
	assert_int_equal(r->driver->init(&r->units[cpu], &r->now_ns, &r->offers[cpu]), 0);
}

struct freq_limits driver_limits(struct record *r, int cpu)
{
	struct freq_limits l = r->offers[cpu].range;

	if (r->user.max_khz)
		l = r->user;
	if (r->driver->verify)
		assert_int_equal(r->driver->verify(&r->units[cpu], &r->now_ns, &l), 0);
	return l;
}

void driver_set_policy(struct record *r, int cpu, enum driver_policy policy)
{
	struct freq_limits l = driver_limits(r, cpu);

	assert_int_equal(r->driver->set_policy(&r->units[cpu], &r->now_ns, policy, &l), 0);
}

uint32_t driver_target(struct record *r, int cpu, uint32_t khz, enum freq_relation relation)
{
	struct freq_limits l = r->user.max_khz ? r->user : r->offers[cpu].range;
	uint32_t got = 0;

	assert_int_equal(r->driver->target(&r->units[cpu], &r->now_ns, khz, relation, &l, &got), 0);
	return got;
}

void driver_util(struct record *r, int cpu, int64_t now_ns, unsigned flags)
{
	struct util_event event = { .now_ns = now_ns, .cpu = cpu, .this_cpu = cpu, .flags = flags };

	if (r->units[cpu].hooked)
		r->driver->on_util(&r->units[cpu], &r->now_ns, &event, TICK_NS);
}
