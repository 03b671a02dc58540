/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Processor Clocking Control: layout of the shared memory and its commands. The driver and the
 * firmware model both speak it. Little endian; words are 16 bits, buffers and the rest 32.
 */
#pragma once

/* Offsets in the header. */
enum {
	PCC_SIGNATURE = 0,
	PCC_LENGTH = 4, /* 16 bits, then major and minor version, 8 each */
	PCC_MAJOR = 6,
	PCC_MINOR = 7,
	PCC_FEATURES = 8,
	PCC_COMMAND = 12,
	PCC_STATUS = 14,
	PCC_LATENCY = 16,      /* us */
	PCC_MINIMUM_TIME = 20, /* us between commands */
	PCC_MAXIMUM_TIME = 24,
	PCC_NOMINAL = 28,   /* MHz */
	PCC_THROTTLED = 32, /* lowest, MHz, with throttling */
	PCC_MINIMUM = 36,   /* and without */
	PCC_HEADER = 40,
};

/* Commands; they are for every CPU whose input buffer is valid. */
enum { PCC_GET_AVERAGE = 0, PCC_SET_FREQUENCY = 1 };

enum { PCC_COMPLETE = 1 }; /* the only status that is a success */

/* Input buffer: bit 0, and in 15:8 the percentage of nominal asked for. */
enum { PCC_VALID = 1, PCC_PERCENT_SHIFT = 8 };

/* Output buffer: 7:0 the average in percent of nominal, 15:8 the cap in force. */
enum { PCC_PERCENT_MASK = 0xff, PCC_CAP_SHIFT = 8, PCC_NO_CAP = 0xff };

enum { PCC_POLLS_MAX = 300 };	   /* reads of the status before the driver gives up */
enum { PCC_DYNAMIC_CPUS_MAX = 4 }; /* more CPUs than that: no dynamic governors */
