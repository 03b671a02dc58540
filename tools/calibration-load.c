// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a machine is calibrated with: short sleeps and hand-overs on known CPUs, so that a
 * recording of it shows what wake-ups, idle entries, ticks and interrupts cost.
 *
 *   corepace record --raw calibration.dat -- calibration-load [MILLISECONDS A PART]
 *   corepace import calibration.dat --costs
 *
 * Parts: hand-overs between CPUs 0 and 1 with work between them long enough for the other one to
 * be idle for a short and for a long time, hand-overs on one CPU, and sleeps on a timer.
 */
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

enum { WORK_NS = 40000, LONG_NS = 1000000, SLEEP_NS = 700000 };

struct player {
	int cpu, from, to;
	int64_t work_ns, until_ns;
};

static int64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

static void work(int64_t ns)
{
	for (int64_t end = now_ns() + ns; now_ns() < end;)
		;
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		perror("calibration-load: sched_setaffinity");
}

/* Takes the token, works, gives it back; the last token says that it is over. */
static void *play(void *arg)
{
	const struct player *p = arg;
	uint64_t token;

	pin(p->cpu);
	while (read(p->from, &token, sizeof(token)) == sizeof(token)) {
		uint64_t next = now_ns() < p->until_ns && token == 1 ? 1 : 2;

		work(p->work_ns);
		if (write(p->to, &next, sizeof(next)) != sizeof(next) || next == 2)
			break;
	}
	return NULL;
}

static void hand_over(int cpu_a, int cpu_b, int64_t work_ns, int64_t ns)
{
	int ab = eventfd(0, 0), ba = eventfd(0, 0);
	struct player a = { cpu_a, ba, ab, work_ns, now_ns() + ns };
	struct player b = { cpu_b, ab, ba, work_ns, a.until_ns };
	uint64_t token = 1;
	pthread_t thread;

	if (ab < 0 || ba < 0 || pthread_create(&thread, NULL, play, &b)) {
		perror("calibration-load");
		exit(1);
	}
	if (write(ba, &token, sizeof(token)) == sizeof(token))
		play(&a);
	pthread_join(thread, NULL);
	close(ab);
	close(ba);
}

static void *sleeper(void *arg)
{
	const struct player *p = arg;
	struct timespec ts = { 0, SLEEP_NS };

	pin(p->cpu);
	while (now_ns() < p->until_ns) {
		nanosleep(&ts, NULL);
		work(p->work_ns);
	}
	return NULL;
}

static void sleeps(int cpu_a, int cpu_b, int64_t ns)
{
	struct player a = { cpu_a, 0, 0, WORK_NS, now_ns() + ns };
	struct player b = { cpu_b, 0, 0, WORK_NS, a.until_ns };
	pthread_t thread;

	if (pthread_create(&thread, NULL, sleeper, &b)) {
		perror("calibration-load");
		exit(1);
	}
	sleeper(&a);
	pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
	int64_t ns = 1000000LL * (argc > 1 ? atoi(argv[1]) : 500);

	hand_over(0, 1, WORK_NS, ns);
	hand_over(0, 1, LONG_NS, ns);
	hand_over(0, 0, 0, ns);
	hand_over(1, 1, 0, ns);
	sleeps(0, 1, ns);
	return 0;
}
