// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Two small loads for counterfactuals in a guest.
 *   handover pair N    two tasks on two CPUs hand a byte to each other through pipes, N times
 *   handover timer N   one task works for 100 us and sleeps for 150 us, N times
 */
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static int64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static int pair(long n)
{
	int there[2], back[2];
	char byte = 0;

	if (pipe(there) || pipe(back))
		return 1;
	if (!fork()) {
		pin(1);
		while (n-- > 0)
			if (read(there[0], &byte, 1) != 1 || write(back[1], &byte, 1) != 1)
				_exit(1);
		_exit(0);
	}
	pin(0);
	while (n-- > 0)
		if (write(there[1], &byte, 1) != 1 || read(back[0], &byte, 1) != 1)
			return 1;
	return wait(NULL) < 0;
}

static int timer(long n)
{
	struct timespec pause = { .tv_nsec = 150000 };

	prctl(PR_SET_TIMERSLACK, 1000);
	while (n-- > 0) {
		int64_t end = now_ns() + 100000;

		while (now_ns() < end)
			;
		nanosleep(&pause, NULL);
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	return strcmp(argv[1], "pair") ? timer(atol(argv[2])) : pair(atol(argv[2]));
}
