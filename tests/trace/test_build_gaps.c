// SPDX-License-Identifier: GPL-2.0-or-later
/* What was not recorded, and where tasks and the window begin and end: one rule a row. */
#include "../cmocka_all.h"
#include "build_script.h"

static const struct script_row missing[] = {
	{
		.name = "missing switch from idle: at the end of the interrupt",
		.events = "1000 1 0 mark x\n"
			  "1000 0 10 waking 11 1\n"
			  "1010 1 0/h ipi+\n"
			  "1020 1 0/h ipi-\n"
			  "1025 0 10 switch 0 S\n"
			  "1030 1 11 waking 10 0\n"
			  "1050 1 11 switch 0 S\n",
		.ops = "10: signal 11r, run 25, wait 10\n"
		       "11: wait 11, run 10, signal 10r, run 20\n",
		.counts = { .inferred = 1 },
	},
	{
		.name = "and as long behind it as where it was recorded",
		.events = "1000 0 0 mark x\n"
			  "1000 1 0 mark x\n"
			  "1000 0 0/h irq+\n"
			  "1100 0 0/h waking 12 0\n"
			  "1200 0 0/h irq-\n"
			  "2200 0 0 switch 12 R\n" /* 1000: the middle of its bucket is 960 */
			  "2300 0 12 waking 11 1\n"
			  "2310 1 0/h ipi+\n"
			  "2320 1 0/h ipi-\n"
			  "4000 1 11 switch 0 S\n",
		.ops = "12: out 100, run 100, signal 11r, run 1700\n"
		       "11: wait 11, run 720\n",
		.counts = { .inferred = 1 },
	},
	{
		.name = "a CPU that polled: as long behind the waking as where it was recorded",
		.events = "1000 0 0 mark x\n"
			  "1000 1 0 mark x\n"
			  "1000 2 10 mark x\n"
			  "1100 2 10 waking 12 0\n"
			  "2100 0 0 switch 12 R\n"
			  "2300 0 12 waking 11 1\n"
			  "4000 1 11 switch 0 S\n",
		.ops = "10: run 100, signal 12r, run 2900\n"
		       "12: wait 12, run 200, signal 11r, run 1700\n"
		       "11: wait 11, run 740\n",
		.counts = { .inferred = 1 },
	},
	{
		.name = "nothing to go by: at its own first event",
		.events = "1000 1 0 mark x\n"
			  "1000 0 10 waking 11 1\n"
			  "1050 1 11 mark y\n"
			  "1060 1 11 switch 0 S\n",
		.ops = "10: signal 11r, run 60\n"
		       "11: wait 11, run 10\n",
		.counts = { .inferred = 1 },
	},
	{
		.name = "from one task to another, and to the idle task",
		.events = "1000 0 10 mark x\n"
			  "1100 0 11 mark y\n"
			  "1200 0 0 mark z\n"
			  "1300 0 0 switch 10 R\n"
			  "1400 0 10 switch 0 S\n",
		.ops = "10: run 200\n"
		       "11: run 100\n",
		.counts = { .inferred = 2 },
	},
	{
		.name = "out of sight, then woken: it was asleep",
		.events = "1000 0 10 mark x\n"
			  "1100 0 11 mark y\n"
			  "1150 0 11 waking 10 0\n"
			  "1200 0 11 switch 10 S\n"
			  "1300 0 10 switch 0 S\n",
		.ops = "11: run 50, signal 10, run 50\n"
		       "10: run 100, wait 10, run 100\n",
		.counts = { .inferred = 1 },
	},
	{
		.name = "seen on another CPU while it should run here",
		.events = "1000 0 10 mark x\n"
			  "1000 1 0 mark x\n"
			  "1100 0 10 mark y\n"
			  "1500 1 10 mark y\n"
			  "1600 1 10 switch 0 S\n",
		.ops = "10: run 100, run 100\n",
		.counts = { .inferred = 1 },
	},
	{
		.name = "lost events: a sleep that spans them ends for an unknown reason",
		.events = "1000 0 10 mark x\n"
			  "1100 0 10 switch 0 S\n"
			  "1200 0 0 lost 5\n"
			  "1300 0 0/h irq+\n"
			  "1310 0 0/h waking 10 0\n"
			  "1320 0 0/h irq-\n"
			  "1330 0 0 switch 10 R\n"
			  "1400 0 10 switch 0 S\n",
		.ops = "10: run 100, out 310?, run 70\n",
		.counts = { .unknown = 1, .gap = 1 },
	},
	{
		.name = "lost events: who ran is not known to have run on",
		.events = "1000 0 10 mark x\n"
			  "1100 0 10 mark y\n"
			  "2000 0 0 lost 0\n"
			  "2100 0 10 mark z\n"
			  "2200 0 10 switch 0 S\n",
		.ops = "10: run 100, out 1100?, run 100\n",
		.counts = { .unknown = 1, .gap = 1 },
	},
	{
		.name = "lost events on another CPU hide nothing of a sleep here",
		.events = "1000 0 10 mark x\n"
			  "1000 1 11 mark x\n"
			  "1100 0 10 switch 0 S\n"
			  "1200 1 0 lost 5\n"
			  "1300 0 0/h irq+\n"
			  "1310 0 0/h waking 10 0\n"
			  "1320 0 0/h irq-\n"
			  "1330 0 0 switch 10 R\n"
			  "1400 0 10 switch 0 S\n",
		.ops = "10: run 100, out 310, run 70\n",
	},
};

static const struct script_row lives[] = {
	{
		.name = "fork, exit, and the pid again",
		.events = "1000 0 10 fork 11\n"
			  "1010 0 10 new 11\n"
			  "1020 0 10 switch 11 S\n"
			  "1100 0 11 exit 11\n"
			  "1110 0 11 waking 10 0\n"
			  "1120 0 11 switch 10 Z\n"
			  "1200 0 10 fork 11\n"
			  "1210 0 10 new 11\n"
			  "1220 0 10 switch 11 S\n"
			  "1300 0 11 switch 0 S\n",
		.ops = "10: fork 11, run 20, wait 10, run 80, fork 11, run 20\n"
		       "11: run 90, signal 10, run 10, exit\n"
		       "11: run 80\n",
	},
	{
		.name = "the pid again, without a last switch",
		.events = "1000 0 10 fork 11\n"
			  "1010 0 10 new 11\n"
			  "1020 1 11 exit 11\n"
			  "1030 0 10 fork 11\n"
			  "1040 0 10 switch 11 S\n"
			  "1100 0 11 switch 0 S\n",
		.ops = "10: fork 11, run 30, fork 11, run 10\n"
		       "11: exit\n"
		       "11: run 60\n",
		.counts = { .reused = 1, .inferred = 1 },
	},
	{
		.name = "the window, its command and its operations",
		.events = "1000 0 10 waking 11 0\n"
			  "1050 0 10 issue 8 64 4096\n"
			  "1100 0 10 mark corepace:start pid=12\n"
			  "1200 0 10 fork 12\n"
			  "1210 0 10 new 12\n"
			  "1220 0 10 switch 12 S\n"
			  "1300 0 12 exit 12\n"
			  "1310 0 12 waking 10 0\n"
			  "1320 0 12 switch 10 Z\n"
			  "1400 0 10 mark corepace:end\n"
			  "1500 0 10 switch 11 S\n"
			  "1600 0 11 mark corepace:ops=7\n",
		.ops = "10: run 100, fork 12, run 20, wait 10, run 80\n"
		       "12: run 90, signal 10, run 10, count 7, exit\n",
	},
	{
		.name = "asleep since before the window",
		.events = "1000 0 10 switch 11 S\n"
			  "1100 0 11 mark corepace:start\n"
			  "1200 0 11/h timer+\n"
			  "1201 0 11/h hrexpire 0xa 5000\n"
			  "1202 0 11/h waking 10 0\n"
			  "1210 0 11/h timer-\n"
			  "1300 0 11 switch 10 S\n"
			  "1400 0 10 switch 0 S\n",
		.ops = "10: sleep 102, run 100\n"
		       "11: run 190\n",
		.counts = { .timer_of_other = 1 },
	},
};

static void test_missing(void **state)
{
	script_check(missing, ARRAY_LEN(missing));
}

static void test_lives(void **state)
{
	script_check(lives, ARRAY_LEN(lives));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_missing),
		cmocka_unit_test(test_lives),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
