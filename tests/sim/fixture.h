/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A made-up machine with round numbers, and workloads from arrays of ops. */
#pragma once

#include "../cmocka_all.h"

#include "sim/sim.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { TASKS_MAX = 512 };

struct ops_task {
	const struct op *ops;
	int nr, times; /* the ops, so many times over */
	int at, round;
};

struct ops_workload {
	struct workload w;
	struct workload_task defs[TASKS_MAX];
	struct ops_task tasks[TASKS_MAX];
};

static int ops_next(struct workload *w, int task, struct op *ret, struct error *err)
{
	struct ops_workload *o = w->impl;
	struct ops_task *t = &o->tasks[task];

	if (t->at == t->nr) {
		t->at = 0;
		t->round++;
	}
	if (t->round >= t->times)
		return 0;
	*ret = t->ops[t->at++];
	return 1;
}

static int ops_rewind(struct workload *w, uint64_t seed, struct error *err)
{
	struct ops_workload *o = w->impl;

	for (int i = 0; i < w->nr_tasks; i++)
		o->tasks[i].at = o->tasks[i].round = 0;
	return 0;
}

static inline struct ops_workload *ops_new(int channels)
{
	struct ops_workload *o = calloc(1, sizeof(*o));

	assert_non_null(o);
	strcpy(o->w.name, "made-up");
	strcpy(o->w.text, "made-up");
	o->w.tasks = o->defs;
	o->w.nr_channels = channels;
	o->w.next = ops_next;
	o->w.rewind = ops_rewind;
	o->w.impl = o;
	return o;
}

static inline struct workload_task *ops_add(
	struct ops_workload *o, const struct op *ops, int nr, int times)
{
	int i = o->w.nr_tasks++;

	assert_true(i < TASKS_MAX);
	o->tasks[i] = (struct ops_task){ .ops = ops, .nr = nr, .times = times };
	o->defs[i].starts = true;
	o->defs[i].first_cpu = -1;
	return &o->defs[i];
}

static const struct curve flat_1w = { .nr = 1, .khz = { 1000000 }, .mw = { 1000 } };
static const struct curve flat_2w = { .nr = 1, .khz = { 1000000 }, .mw = { 2000 } };
static const struct curve flat_100mw = { .nr = 1, .khz = { 1000000 }, .mw = { 100 } };

/* 1 GHz fixed, one package, states POLL, C1 (wakes in 10 us), C2 (100 us). */
static inline struct machine *machine_new(int cpus)
{
	struct machine *m = calloc(1, sizeof(*m));

	assert_non_null(m);
	strcpy(m->name, "made-up");
	strcpy(m->text, "made-up");
	strcpy(m->idle_driver_name, "intel_idle");
	m->nr_cpus = m->nr_cores = cpus;
	m->nr_packages = m->nr_llcs = 1;
	for (int i = 0; i < cpus; i++)
		m->cpus[i] = (struct machine_cpu){ .core = i, .online = true };
	m->hz = 250;
	m->tick_ns = m->idle.tick_ns = 4000000;
	m->freq_domain = FREQ_DOMAIN_CORE;
	m->min_khz = m->base_khz = m->max_khz = m->step_khz = 1000000;
	m->ipc_permille = m->smt_permille = 1000;
	m->idle.nr_states = 3;
	m->idle.states[0] = (struct idle_state){ .name = "POLL", .polling = true };
	m->idle.states[1] = (struct idle_state){ "C1", 10000, 20000, false };
	m->idle.states[2] = (struct idle_state){ "C2", 100000, 400000, false };
	m->idle_real[0] = (struct machine_idle_state){ 0, false, true, true, flat_2w };
	m->idle_real[1] = (struct machine_idle_state){ 10000, false, true, true, flat_1w };
	m->idle_real[2] = (struct machine_idle_state){ 100000, false, false, false, flat_100mw };
	m->poll_relax_ns = 10;
	m->poll_clock_read_ns = 20;
	m->uncore = flat_2w;
	m->floor_mw = 1000;
	m->core_active = flat_2w;
	m->core_active_smt = flat_2w;
	m->costs = (struct machine_costs){
		.context_switch_ns = 1000,
		.tick_ns = 2000,
		.tick_stop_ns = 500,
		.tick_restart_ns = 500,
		.idle_entry_ns = 300,
		.idle_exit_ns = 200,
		.ipi_send_ns = 400,
		.ipi_deliver_ns = 600,
		.poll_react_ns = 100,
		.irq_ns = 700,
		.timer_irq_ns = 800,
		.migration_cost_ns = 500000,
	};
	return m;
}

static inline void policy_make(struct policy *p, const char *idle)
{
	struct error err;

	policy_defaults(p);
	assert_int_equal(policy_set(p, "idle", idle, &err), 0);
	strcpy(p->text, idle);
}

/* Runs with the invariants watched; fails the test with the simulator's own words. */
static inline struct run_result run_checked(
	const struct machine *m, struct ops_workload *o, const struct policy *p)
{
	struct sim_options options = { .seed = 1, .check = true };
	struct run_result r;
	struct error err = { "" };

	if (sim_run(m, &o->w, p, &options, &r, &err) < 0)
		fail_msg("%s", err.text);
	return r;
}
