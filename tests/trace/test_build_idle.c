// SPDX-License-Identifier: GPL-2.0-or-later
/* The idle log: recorded, rebuilt, and what is known at each entry. */
#include "../cmocka_all.h"
#include "build_script.h"

#include <stdlib.h>
#include <string.h>

static const struct script_row periods[] = {
	{
		.name = "periods between two cpu_idle events",
		.events = "1000 0 10 switch 0 S\n"
			  "1010 0 0 idle 1\n"
			  "1100 0 0/h ipi+\n"
			  "1105 0 0/h ipi-\n"
			  "1110 0 0 idle -1\n"
			  "1120 0 0 idle 2\n"
			  "1200 0 0/h irq+\n"
			  "1202 0 0/h waking 10 0\n"
			  "1205 0 0/h irq-\n"
			  "1206 0 0 idle -1\n"
			  "1210 0 0 switch 10 R\n"
			  "1300 0 10 switch 0 S\n",
		.idle = "0 10+100 state=1 wake=3\n"
			"0 120+86 state=2 wake=4\n",
	},
	{
		.name = "rebuilt: an interrupt ends a period, and what follows begins at its end",
		.events = "1000 0 10 switch 0 S\n"
			  "1100 0 0/h ipi+\n"
			  "1105 0 0/h ipi-\n"
			  "1200 0 0/h irq+\n"
			  "1202 0 0/h waking 10 0\n"
			  "1205 0 0/h irq-\n"
			  "1206 0 0/s softirq+\n"
			  "1208 0 0/s softirq-\n"
			  "1210 0 10 mark x\n"
			  "1300 0 10 switch 0 S\n",
		.idle = "0 0+105 state=-1 wake=3 inferred\n"
			"0 105+103 state=-1 wake=4 inferred\n",
		.counts = { .inferred = 1 },
	},
	{
		.name = "a period that began before the recording is left out",
		.events = "1000 0 0/h ipi+\n"
			  "1000 1 10 mark x\n"
			  "1005 0 0/h ipi-\n"
			  "1010 0 0 idle -1\n"
			  "1020 0 0 idle 1\n"
			  "1030 0 0 idle -1\n",
		.idle = "0 20+10 state=1\n",
	},
	{
		.name = "the kernel's own account goes before the events' times",
		.events = "1000 0 0 idle 1\n"
			  "1001 0 0 idle -1\n"
			  "1008 0 0 tickstop 1\n"
			  "1009 0 0 idledone 5000 0 0\n"
			  "1009 0 0 idleseen 900 1002 9000 1 3\n"
			  "1010 0 0 idle 1\n"
			  "1100 0 0/h timer+\n"
			  "1105 0 0/h timer-\n"
			  "1110 0 0 idle -1\n"
			  "1119 0 0 idledone 5090 0 0\n"
			  "1119 0 0 idleseen 780 1106 9000 1 0\n"
			  "1120 0 0 idle 2\n"
			  "1206 0 0 idle -1\n"
			  "1209 0 0 idledone 5170 1 0\n"
			  "1209 0 0 idle 0\n"
			  "1220 0 0 idle -1\n"
			  "1221 0 0 idledone 5180 0 1\n"
			  "1222 0 0 idle 0\n"
			  "1240 0 0 idle -1\n"
			  "1241 0 0 idledone 5195 0 0\n"
			  "1250 0 0 switch 10 R\n"
			  "1300 0 10 switch 0 S\n",
		.idle = "0 0+1 state=1\n"
			"0 10+90 state=1 next=900 tick=7998 wake=2 stopped=0 io=3\n"
			"0 120+80 state=2 next=780 tick=7894 wake=1 stopped=1\n"
			"0 209+10 state=0 wake=5 stopped=1\n"
			"0 222+15 state=0 wake=3 stopped=1\n",
	},
	{
		.name = "nor is the time that a CPU was away a period",
		.events = "1000 1 10 mark x\n"
			  "1000 0 0 idle 1\n"
			  "9000 1 10 online 0 1\n"
			  "9100 0 0 idle -1\n"
			  "9200 0 0 idle 1\n"
			  "9300 0 0 idle -1\n",
		.idle = "0 8200+100 state=1\n",
	},
	{
		.name = "I/O waiters count where they fell asleep, until they are woken",
		.events = "1000 0 10 switch 11 D\n"
			  "1000 1 12 mark x\n"
			  "1010 0 11 switch 0 S\n"
			  "1020 0 0 idle 1\n"
			  "1030 0 0 idle -1\n"
			  "1040 1 12 waking 10 1\n"
			  "1050 0 0 idle 1\n"
			  "1060 0 0 idle -1\n",
		.idle = "0 20+10 state=1 io=1\n"
			"0 50+10 state=1\n",
	},
	{
		.name = "interrupts do not take a polling CPU out of an idle state",
		.events = "1000 0 10 issue 8 64 4096\n"
			  "1010 0 10 switch 0 D\n"
			  "1020 0 0 idle 0\n"
			  "1100 0 0/h irq+\n"
			  "1106 0 0/h complete 8 64\n"
			  "1107 0 0/h waking 10 0\n"
			  "1110 0 0/h irq-\n"
			  "1112 0 0 idle -1\n"
			  "1115 0 0 switch 10 R\n"
			  "1200 0 10 switch 0 S\n",
		.ops = "10: run 10, io 0 90i, run 85\n",
		.idle = "0 20+92 state=0 wake=4 io=1\n",
	},
	{
		.name = "nothing is known of a period with lost events",
		.events = "1000 0 0 idle 1\n"
			  "1010 1 10 mark x\n"
			  "1100 0 0 lost 1\n"
			  "1200 0 0 idle -1\n",
		.idle = "",
	},
};

static void test_periods(void **state)
{
	script_check(periods, ARRAY_LEN(periods));
}

enum { TICK = 4000000, OFFSET = 500, TICKS = 6, BASE = 20001000 };

/* Timers' clock is 500 ns behind the recording's. Ticks at 1000 + n * 4 ms, the last at BASE. */
static char *put_ticks(char *p)
{
	for (int k = 0; k < TICKS; k++) {
		long t = 1000 + (long)k * TICK;

		p += sprintf(p,
			"%ld 0 10/h timer+\n"
			"%ld 0 10/h hrexpire 0x77 %ld\n"
			"%ld 0 10/h hrstart 0x77 %ld abs\n"
			"%ld 0 10/h timer-\n",
			t, t + 5, t + 5 - OFFSET, t + 6, t + TICK - OFFSET, t + 9);
	}
	return p;
}

static void check_idle(const char *name, const char *events, const char *idle)
{
	char text[8192];
	struct script_result r;

	print_message("%s\n", name);
	strcpy(put_ticks(text), events);
	assert_int_equal(script_run(text, NULL, &r), 0);
	assert_string_equal(r.idle, idle);
	script_release(&r);
}

static void test_next_timer(void **state)
{
	check_idle("a task's timer, the tick apart",
		"20002000 0 10 hrstart 0xa 20301500 rel\n"
		"20003000 0 10 switch 0 S\n"
		"20003500 0 0 idle 1\n"
		"20302010 0 0/h timer+\n"
		"20302015 0 0/h hrexpire 0xa 20301515\n"
		"20302020 0 0/h timer-\n"
		"20302025 0 0 idle -1\n",
		"0 20002500+298525 state=1 next=299000 tick=299000 wake=2\n");
	check_idle("the earliest that is still set",
		"20002000 0 10 hrstart 0xa 20301500 rel\n"
		"20002000 0 10 hrstart 0xb 20201500 rel\n"
		"20002000 0 10 tstart 0xc 250000\n"
		"20002000 0 10 hrstart 0xd 20101500 rel\n"
		"20002100 0 10 hrcancel 0xd\n"
		"20002200 0 10 hrstart 0xb 20401500 rel\n"
		"20003000 0 10 switch 0 S\n"
		"20003500 0 0 idle 1\n"
		"20003600 0 0 idle -1\n",
		"0 20002500+100 state=1 next=248000 tick=248000\n");
	check_idle("timers of another CPU and of another clock do not count",
		"20002000 1 11 hrstart 0xa 20301500 rel\n"
		"20002000 0 10 hrstart 0xb 1700000000000000000 abs\n"
		"20003000 0 10 switch 0 S\n"
		"20003500 0 0 idle 1\n"
		"20003600 0 0 idle -1\n",
		"0 20002500+100 state=1 tick=3998000\n");
}

static void test_tick(void **state)
{
	check_idle("woken by the tick, then with the tick stopped",
		"20003000 0 10 switch 0 S\n"
		"20003500 0 0 idle 1\n"
		"24001000 0 0/h timer+\n"
		"24001005 0 0/h hrexpire 0x77 24000505\n"
		"24001006 0 0/h hrstart 0x77 28000500 abs\n"
		"24001009 0 0/h timer-\n"
		"24001010 0 0 idle -1\n"
		"24001015 0 0 tickstop 1\n"
		"24001016 0 0 hrstart 0x77 40000500 abs\n"
		"24001020 0 0 idle 1\n"
		"24001030 0 0 idle -1\n"
		"24001035 0 0 hrstart 0x77 28000500 abs\n"
		"24001040 0 0 idle 1\n"
		"24001050 0 0 idle -1\n",
		"0 20002500+3997510 state=1 tick=3998000 wake=1\n"
		"0 24000020+10 state=1 tick=3999991 stopped=0\n"
		"0 24000040+10 state=1 tick=3999991 stopped=0\n");
}

/* The tick wakes in its own name; a timer that is set by hand to a grid is somebody's. */
static void test_periodic(void **state)
{
	char text[4096], *p = text;
	struct script_result r;

	for (int k = 0; k < 5; k++) {
		long t = 10000 + k * 1000;

		p += sprintf(p,
			"%ld 0 10 hrstart 0xa %ld abs\n"
			"%ld 0 10 switch 0 S\n"
			"%ld 0 0/h timer+\n"
			"%ld 0 0/h hrexpire 0xa %ld\n"
			"%ld 0 0/h waking 10 0\n"
			"%ld 0 0/h timer-\n"
			"%ld 0 0 switch 10 R\n",
			t, t + 900, t + 100, t + 1003, t + 1005, t + 900 + 4, t + 1006, t + 1008,
			t + 1010);
		/* The switch to the idle task comes before the timer, as it is printed. */
	}
	sprintf(p, "20000 0 10 switch 0 S\n");
	assert_int_equal(script_run(text, NULL, &r), 0);
	assert_non_null(strstr(r.ops, "sleep 901"));
	/* The fourth and the fifth: at 14001 and 15001, less the beginning at 10000. */
	assert_non_null(strstr(r.ops, "until 4001"));
	assert_non_null(strstr(r.ops, "until 5001"));
	assert_int_equal(r.stats.waits[OP_SLEEP_FOR], 3);
	assert_int_equal(r.stats.waits[OP_SLEEP_UNTIL], 2);
	script_release(&r);
}

static void test_tick_wakes(void **state)
{
	char text[8192], *p = put_ticks(text);
	struct script_result r;

	sprintf(p, "20003000 0 10 switch 0 S\n"
		   "24001000 0 0/h timer+\n"
		   "24001005 0 0/h hrexpire 0x77 24000505\n"
		   "24001006 0 0/h waking 10 0\n"
		   "24001009 0 0/h timer-\n"
		   "24001010 0 0 switch 10 R\n");
	assert_int_equal(script_run(text, NULL, &r), 0);
	assert_non_null(strstr(r.ops, "out 24000006"));
	script_release(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_periods),
		cmocka_unit_test(test_next_timer),
		cmocka_unit_test(test_tick),
		cmocka_unit_test(test_periodic),
		cmocka_unit_test(test_tick_wakes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
