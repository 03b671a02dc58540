// SPDX-License-Identifier: GPL-2.0-or-later
/* What ends a wait: one rule a row. The texts are explained in build_script.h. */
#include "../cmocka_all.h"
#include "build_script.h"

static const struct script_row causes[] = {
	{
		.name = "a task signals another on the same CPU",
		.events = "1000 0 10 waking 11 0\n"
			  "1100 0 10 switch 11 S\n"
			  "1300 0 11 waking 10 0\n"
			  "1400 0 11 switch 10 S\n"
			  "1450 0 10 switch 0 S\n",
		.ops = "10: signal 11, run 100, wait 10, run 50\n"
		       "11: wait 11, run 200, signal 10, run 100\n",
	},
	{
		.name = "a task signals another on an idle CPU: the IPI lies in its run",
		.events = "1000 1 0 idle 1\n"
			  "1000 0 10 waking 11 1\n"
			  "1010 0 10 switch 0 S\n"
			  "1015 1 0 switch 11 R\n"
			  "1100 1 11 switch 0 S\n",
		.ops = "10: signal 11r, run 10\n"
		       "11: wait 11, run 85\n",
	},
	{
		.name = "no IPI to a CPU that is busy",
		.events = "1000 1 12 mark x\n"
			  "1000 0 10 waking 11 1\n"
			  "1010 0 10 switch 0 S\n"
			  "1015 1 12 switch 11 R+\n"
			  "1100 1 11 switch 0 S\n",
		.ops = "10: signal 11, run 10\n"
		       "11: wait 11, run 85\n"
		       "12: run 15\n",
	},
	{
		.name = "preempted or giving way: no wait",
		.events = "1000 0 10 switch 11 R+\n"
			  "1200 0 11 switch 10 R\n"
			  "1500 0 10 switch 11 S\n"
			  "1600 0 11 switch 0 S\n",
		.ops = "11: run 200, run 100^\n"
		       "10: run 300^\n",
	},
	{
		.name = "time in nested interrupts is not run time",
		.events = "1000 0 10 mark x\n"
			  "1100 0 10/h timer+\n"
			  "1150 0 10/h timer-\n"
			  "1150 0 10/s softirq+\n"
			  "1180 0 10/s/h irq+\n"
			  "1190 0 10/s/h irq-\n"
			  "1200 0 10/s softirq-\n"
			  "1400 0 10 switch 0 S\n",
		.ops = "10: run 300\n",
	},
	{
		.name = "an exit that was not recorded ends at the next event of a task",
		.events = "1000 0 10 mark x\n"
			  "1100 0 10/h timer+\n"
			  "1150 0 10 mark y\n"
			  "1400 0 10 switch 0 S\n",
		.ops = "10: run 350\n",
		.counts = { .unbalanced = 1 },
	},
	{
		.name = "own high-resolution timer: from falling asleep to when it was due",
		.events = "1000 0 10 hrstart 0xa 50200 rel\n"
			  "1010 0 10 switch 0 S\n"
			  "1200 0 0/h timer+\n"
			  "1205 0 0/h hrexpire 0xa 50203\n"
			  "1206 0 0/h waking 10 0\n"
			  "1208 0 0/h timer-\n"
			  "1210 0 0 switch 10 R\n"
			  "1300 0 10 switch 0 S\n",
		.ops = "10: run 10, sleep 192, run 90\n",
	},
	{
		.name = "own timer of the wheel: from falling asleep to its expiry",
		.events = "1000 0 10 tstart 0xb 300\n"
			  "1010 0 10 switch 0 D\n"
			  "1310 0 0/s softirq+\n"
			  "1315 0 0/s texpire 0xb\n"
			  "1316 0 0/s waking 10 0\n"
			  "1320 0 0/s softirq-\n"
			  "1330 0 0 switch 10 R\n"
			  "1400 0 10 switch 0 S\n",
		.ops = "10: run 10, sleep 305i, run 70\n",
	},
	{
		.name = "another's timer: as long as the sleep was",
		.events = "1000 0 10 tstart 0xb 300\n"
			  "1010 0 10 switch 11 S\n"
			  "1020 0 11 switch 0 S\n"
			  "1315 0 0/s softirq+\n"
			  "1320 0 0/s texpire 0xb\n"
			  "1325 0 0/s waking 11 0\n"
			  "1330 0 0/s softirq-\n"
			  "1340 0 0 switch 11 R\n"
			  "1400 0 11 switch 0 S\n",
		.ops = "11: run 10, sleep 305, run 60\n"
		       "10: run 10\n",
		.counts = { .timer_of_other = 1 },
	},
	{
		.name = "own timer of an earlier time awake counts as another's",
		.events = "1000 0 10 tstart 0xb 900\n"
			  "1010 0 10 switch 11 S\n"
			  "1100 0 11 waking 10 0\n"
			  "1110 0 11 switch 10 S\n"
			  "1200 0 10 switch 0 S\n"
			  "1900 0 0/s softirq+\n"
			  "1900 0 0/s texpire 0xb\n"
			  "1925 0 0/s waking 10 0\n"
			  "1930 0 0/s softirq-\n"
			  "1940 0 0 switch 10 R\n"
			  "2000 0 10 switch 0 S\n",
		.ops = "11: run 90, signal 10, run 10\n"
		       "10: run 10, wait 10, run 90, sleep 725, run 60\n",
		.counts = { .timer_of_other = 1 },
	},
	{
		.name = "a timer of before the recording",
		.events = "1000 0 0/h timer+\n"
			  "1001 0 0/h hrexpire 0xa 5000\n"
			  "1002 0 0/h waking 10 0\n"
			  "1003 0 0/h timer-\n"
			  "1005 0 0 switch 10 R\n"
			  "1050 0 10 switch 0 S\n",
		.ops = "10: sleep 2, run 45\n",
		.counts = { .timer_of_other = 1 },
	},
	{
		.name = "own request made before the sleep: until the interrupt, on an idle CPU",
		.events = "1000 0 10 issue 8 64 4096\n"
			  "1010 0 10 switch 0 D\n"
			  "1100 0 0/h irq+\n"
			  "1105 0 0/h irq-\n"
			  "1105 0 0/s softirq+\n"
			  "1106 0 0/s complete 8 64\n"
			  "1107 0 0/s waking 10 0\n"
			  "1110 0 0/s softirq-\n"
			  "1115 0 0 switch 10 R\n"
			  "1200 0 10 switch 0 S\n",
		.ops = "10: run 10, io 0 90iz, run 85\n",
	},
	{
		.name = "interruptible I/O does not count as I/O wait; devices have numbers",
		.events = "1000 0 10 issue 8 64 4096\n"
			  "1000 0 10 issue 9 64 4096\n"
			  "1010 0 10 switch 0 S\n"
			  "1105 0 0/s softirq+\n"
			  "1106 0 0/s complete 9 64\n"
			  "1107 0 0/s waking 10 0\n"
			  "1110 0 0/s softirq-\n"
			  "1115 0 0 switch 10 R\n"
			  "1200 0 10 switch 0 S\n",
		.ops = "10: run 10, io 1 95, run 85\n",
	},
	{
		.name = "another's request made during the sleep: its maker signals, later",
		.events = "1000 0 10 waking 11 0\n"
			  "1010 0 10 switch 11 D\n"
			  "1020 0 11 issue 8 64 4096\n"
			  "1050 0 11 switch 0 I\n"
			  "1105 0 0/s softirq+\n"
			  "1106 0 0/s complete 8 64\n"
			  "1107 0 0/s waking 10 0\n"
			  "1110 0 0/s softirq-\n"
			  "1115 0 0 switch 10 R\n"
			  "1200 0 10 switch 0 S\n",
		.ops = "10: signal 11, run 10, wait 10i, run 85\n"
		       "11: wait 11, run 10, signal 10+85i, run 30\n",
		.counts = { .io_of_other = 1 },
	},
	{
		.name = "a worker that was asleep anyway waits for the request's maker",
		.events = "1000 0 11 switch 10 I\n"
			  "1010 0 10 issue 8 64 4096\n"
			  "1020 0 10 switch 0 D\n"
			  "1105 0 0/s softirq+\n"
			  "1106 0 0/s complete 8 64\n"
			  "1107 0 0/s waking 11 0\n"
			  "1110 0 0/s softirq-\n"
			  "1115 0 0 switch 11 R\n"
			  "1120 0 11 waking 10 0\n"
			  "1125 0 11 switch 10 I\n"
			  "1200 0 10 switch 0 S\n",
		.ops = "10: run 10, signal 11+95i, run 10, wait 10i, run 75\n"
		       "11: wait 11, run 5, signal 10, run 5\n",
		.counts = { .io_of_other = 1 },
	},
	{
		.name = "a request that wakes nobody leaves no trace",
		.events = "1000 0 10 mark x\n"
			  "1010 0 10 issue 8 64 4096\n"
			  "1020 0 10/s softirq+\n"
			  "1025 0 10/s complete 8 64\n"
			  "1030 0 10/s softirq-\n"
			  "1040 0 10 switch 0 S\n",
		.ops = "10: run 30\n",
	},
	{
		.name = "a flush has no sector, and ends with an empty write",
		.events = "1000 0 10 issue 8 0 0\n"
			  "1010 0 10 switch 0 D\n"
			  "1105 0 0/s softirq+\n"
			  "1106 0 0/s complete 8 18446744073709551615\n"
			  "1107 0 0/s complete 8 0\n"
			  "1108 0 0/s waking 10 0\n"
			  "1110 0 0/s softirq-\n"
			  "1115 0 0 switch 10 R\n"
			  "1200 0 10 switch 0 S\n",
		.ops = "10: run 10, io 0 95i, run 85\n",
	},
	{
		.name = "a request of before the recording",
		.events = "1000 0 10 switch 0 D\n"
			  "1105 0 0/s softirq+\n"
			  "1106 0 0/s complete 8 64\n"
			  "1107 0 0/s waking 10 0\n"
			  "1110 0 0/s softirq-\n"
			  "1115 0 0 switch 10 R\n"
			  "1200 0 10 switch 0 S\n",
		.ops = "10: io 0 105i, run 85\n",
		.counts = { .unmatched = 1 },
	},
	{
		.name = "a completion explains no waking of another interrupt",
		.events = "1000 0 10 switch 0 D\n"
			  "1105 0 0/s softirq+\n"
			  "1106 0 0/s complete 8 64\n"
			  "1110 0 0/s softirq-\n"
			  "1111 0 0/s softirq+\n"
			  "1112 0 0/s waking 10 0\n"
			  "1113 0 0/s softirq-\n"
			  "1115 0 0 switch 10 R\n"
			  "1200 0 10 switch 0 S\n",
		.ops = "10: out 112i, run 85\n",
		.counts = { .unmatched = 1 },
	},
	{
		.name = "other interrupts are the outside world",
		.events = "1000 0 10 switch 0 S\n"
			  "1105 0 0/h irq+\n"
			  "1106 0 0/h waking 10 0\n"
			  "1110 0 0/h irq-\n"
			  "1115 0 0 switch 10 R\n"
			  "1200 0 10 switch 0 S\n"
			  "1300 0 0/h ipi+\n"
			  "1301 0 0/h waking 10 0\n"
			  "1302 0 0/h ipi-\n"
			  "1305 0 0 switch 10 R\n"
			  "1400 0 10 switch 0 S\n",
		.ops = "10: out 106, run 85, out 301, run 95\n",
	},
	{
		.name = "so is what the idle task wakes",
		.events = "1000 0 10 switch 0 S\n"
			  "1106 0 0 waking 10 0\n"
			  "1115 0 0 switch 10 R\n"
			  "1200 0 10 switch 0 S\n",
		.ops = "10: out 106, run 85\n",
	},
	{
		.name = "switched in without a waking",
		.events = "1000 0 10 switch 0 S\n"
			  "1115 0 0 switch 10 R\n"
			  "1200 0 10 switch 0 S\n",
		.ops = "10: out 115?, run 85\n",
		.counts = { .unknown = 1, .missing = 1 },
	},
	{
		.name = "recordings without interrupt context: it is what was entered",
		.events = "1000 0 10 switch 0 S\n"
			  "1105 0 0 irq+\n"
			  "1106 0 0 waking 10 0\n"
			  "1110 0 0 irq-\n"
			  "1115 0 0 switch 10 R\n"
			  "1120 0 10 timer+\n"
			  "1121 0 10 waking 11 0\n"
			  "1130 0 10 timer-\n"
			  "1200 0 10 switch 11 S\n"
			  "1210 0 11 switch 0 S\n",
		.ops = "10: out 106, run 75\n"
		       "11: out 121, run 10\n",
	},
};

static const struct script_row races[] = {
	{
		.name = "woken while it runs, sleeps all the same: it was asleep a little before",
		.events = "1000 0 10 mark x\n"
			  "1000 1 11 mark y\n"
			  "5000 0 10 waking 11 1\n"
			  "5100 1 11 switch 0 S\n"
			  "5200 1 0/h ipi+\n"
			  "5210 1 0/h ipi-\n"
			  "5215 1 0 switch 11 R\n"
			  "5300 1 11 switch 0 S\n",
		.ops = "10: run 4000, signal 11, run 300\n"
		       "11: run 3500, wait 11, run 685\n",
		.counts = { .raced = 1 },
	},
	{
		.name = "woken while it runs, preempted: no sleep",
		.events = "1000 0 10 mark x\n"
			  "1000 1 11 mark y\n"
			  "5000 0 10 waking 11 1\n"
			  "5100 1 11 switch 0 R\n",
		.ops = "10: run 4000, signal 11, run 100\n"
		       "11: run 4000, wait 11=, run 100\n",
		.counts = { .raced = 1 },
	},
	{
		.name = "woken while it runs, goes on, sleeps later: both wakings count",
		.events = "1000 0 10 mark x\n"
			  "1000 1 11 mark y\n"
			  "5000 0 10 waking 11 1\n"
			  "6000 1 11 switch 0 S\n"
			  "7000 0 10 waking 11 1\n"
			  "7010 1 0 switch 11 R\n"
			  "7100 1 11 switch 0 S\n",
		.ops = "10: run 4000, signal 11, run 2000, signal 11r, run 100\n"
		       "11: run 4000, wait 11=, run 1000, wait 11, run 90\n",
		.counts = { .raced = 1 },
	},
	{
		.name = "woken after it was preempted on its way to sleep",
		.events = "1000 0 10 mark x\n"
			  "1000 1 11 switch 12 R+\n"
			  "1100 0 10 waking 11 1\n"
			  "1200 1 12 switch 11 S\n"
			  "1300 1 11 switch 0 S\n",
		.ops = "10: run 100, signal 11, run 200\n"
		       "11: wait 11=, run 100^\n"
		       "12: run 200\n",
		.counts = { .raced = 1 },
	},
	{
		.name = "an interrupt that comes before the sleep ends no wait",
		.events = "1000 0 10 issue 8 64 4096\n"
			  "1010 0 10/s softirq+\n"
			  "1015 0 10/s complete 8 64\n"
			  "1016 0 10/s waking 10 0\n"
			  "1020 0 10/s softirq-\n"
			  "1050 0 10 switch 0 R\n",
		.ops = "10: run 40\n",
		.counts = { .raced = 1 },
	},
	{
		.name = "woken twice: once",
		.events = "1000 0 10 waking 11 0\n"
			  "1010 0 10 waking 11 0\n"
			  "1100 0 10 switch 11 S\n"
			  "1300 0 11 switch 0 S\n",
		.ops = "10: signal 11, run 100\n"
		       "11: wait 11, run 200\n",
		.counts = { .twice = 1 },
	},
};

static void test_causes(void **state)
{
	script_check(causes, ARRAY_LEN(causes));
}

static void test_races(void **state)
{
	script_check(races, ARRAY_LEN(races));
}

/* What a completed request takes in interrupts: two in one chain, one in another, none in a
 * timer's. */
static void test_device_irq(void **state)
{
	static const char events[] = "1000 0 10 issue 8 64 4096\n"
				     "1001 0 10 issue 8 65 4096\n"
				     "1002 0 10 switch 0 D\n"
				     "1100 0 0/h irq+\n"
				     "1110 0 0/h irq-\n"
				     "1112 0 0/s softirq+\n"
				     "1114 0 0/s complete 8 64\n"
				     "1115 0 0/s complete 8 65\n"
				     "1116 0 0/s waking 10 0\n"
				     "1122 0 0/s softirq-\n"
				     "1130 0 0 switch 10 R\n"
				     "1200000 0 10 issue 8 66 4096\n"
				     "1200002 0 10 switch 0 D\n"
				     "1200100 0 0/h irq+\n"
				     "1200105 0 0/h complete 8 66\n"
				     "1200106 0 0/h waking 10 0\n"
				     "1200110 0 0/h irq-\n"
				     "1200130 0 0 switch 10 R\n"
				     "2200000 0 10/h timer+\n"
				     "2200090 0 10/h timer-\n"
				     "2300000 0 10 switch 0 S\n";
	struct script_result r;

	assert_int_equal(script_run(events, NULL, &r), 0);
	assert_int_equal(r.env.device_irq_ns, (10 + 10 + 10) / 3);
	script_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_device_irq),
		cmocka_unit_test(test_causes),
		cmocka_unit_test(test_races),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
