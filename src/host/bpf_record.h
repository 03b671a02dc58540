/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the BPF programs hand to the recorder; included by both, so the types are the kernel's. */
#pragma once

#include <linux/types.h>

enum bpf_record_flags {
	RECORD_PREEMPTED = 1, /* SWITCH: prev still wants to run */
	RECORD_IOWAIT = 2,    /* SWITCH: prev waits for I/O, by its own account */
	RECORD_LONG = 4,      /* the part after value is there */
};

/* Only the events that need it have what comes after value. */
struct bpf_record {
	__u64 time_ns;
	__u32 pid; /* current */
	__u8 kind; /* enum event_kind */
	__u8 flags;
	__u16 lost; /* on this CPU since the record before; 65535: as many or more */
	__s32 pid2;
	__s16 prio;
	__s16 target_cpu;
	__u64 value;
	union {
		struct {
			__u64 object;
			__u64 ns;
		};
		char comm[16];
	};
};

#define BPF_RECORD_SHORT 32 /* up to and with value */

/* What the programs keep of each CPU. */
struct bpf_cpu_state {
	__u64 lost;   /* records since the last that found room */
	__u64 filled; /* bytes since the reader was woken */
};
