/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fields of the kernel's structs that record.bpf.c reads, found by name in the running
 * kernel's BTF when the programs are loaded. Not the structs themselves.
 */
#pragma once

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct thread_info {
	unsigned int cpu;
};

struct task_struct {
	struct thread_info thread_info;
	int pid;
	int prio;
	int exit_state;
	unsigned in_iowait : 1;
	char comm[16];
};

/* Before 5.16 the CPU stood here. */
struct task_struct___with_cpu {
	unsigned int cpu;
};

struct timerqueue_node {
	long long expires;
};

struct hrtimer {
	struct timerqueue_node node;
};

struct timer_list {
	unsigned long expires;
};

struct gendisk {
	int major;
	int first_minor;
};

struct request_queue {
	struct gendisk *disk;
};

struct request {
	struct request_queue *q;
	unsigned int __data_len;
	unsigned long long __sector;
};

struct cpuidle_state_usage {
	unsigned long long time_ns;
};

struct cpuidle_device {
	unsigned poll_time_limit : 1;
	struct cpuidle_state_usage states_usage[10];
};

/* The menu governor's, of one CPU. */
struct menu_device {
	int tick_wakeup;
	unsigned long long next_timer_ns;
};

struct clock_event_device {
	long long next_event;
};

struct tick_device {
	struct clock_event_device *evtdev;
};

struct tick_sched {
	unsigned tick_stopped : 1;
	long long idle_entrytime;
};

struct atomic {
	int counter;
};

struct rq {
	struct atomic nr_iowait;
};

#pragma clang attribute pop
