// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Loads for a guest.
 *   load SECONDS DISK  picks of idle states vary: sleeps of many lengths, bursts, pairs that wake
 * each other, and readers of a disk whose waits count as I/O waits load pair N        two tasks on
 * two CPUs hand a byte to each other through pipes, N times load timer N       one task works for
 * 100 us and sleeps for 150 us, N times
 */
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BLOCK = 4096, DISK_BLOCKS = 1024, READERS = 12 };

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void pause_us(long us)
{
	struct timespec t = { .tv_sec = us / 1000000, .tv_nsec = us % 1000000 * 1000 };

	nanosleep(&t, NULL);
}

static void work_us(uint64_t us)
{
	uint64_t end = now_ns() + us * 1000;

	while (now_ns() < end)
		;
}

static void pin(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

/* A hundred milliseconds of each length in turn. */
static void timers(int cpu)
{
	static const long lengths_us[] = { 90, 2500, 380, 12000, 110, 420, 40000, 1500 };

	pin(cpu);
	prctl(PR_SET_TIMERSLACK, 1000);
	for (size_t i = 0;; i++) {
		uint64_t end = now_ns() + 100000000;

		while (now_ns() < end)
			pause_us(lengths_us[i % (sizeof(lengths_us) / sizeof(lengths_us[0]))]);
	}
}

/* Some short sleeps in a row, then a long one. Slack is left as it is: 50 us. */
static void bursts(int cpu)
{
	static const long short_us[] = { 80, 100, 360, 1400 };

	pin(cpu);
	srand(1);
	for (;;) {
		for (int i = rand() % 20; i >= 0; i--) {
			work_us(50);
			pause_us(short_us[rand() % 4]);
		}
		pause_us(5000 + rand() % 30000);
	}
}

/* A byte there and back, times times; a pause now and then where pause is not 0. */
static void ping_pong(long times, long pause)
{
	int there[2], back[2];
	char c = 0;

	if (pipe(there) || pipe(back))
		exit(1);
	if (!fork()) {
		pin(1);
		close(there[1]);
		while (read(there[0], &c, 1) == 1 && write(back[1], &c, 1) == 1)
			;
		exit(0);
	}
	pin(0);
	for (long n = 0; n < times; n++) {
		if (write(there[1], &c, 1) != 1 || read(back[0], &c, 1) != 1)
			exit(1);
		if (pause && n % 200 == 199)
			pause_us(pause);
	}
	close(there[1]);
	wait(NULL);
}

static void work_and_sleep(long times)
{
	prctl(PR_SET_TIMERSLACK, 1000);
	while (times-- > 0) {
		work_us(100);
		pause_us(150);
	}
}

static void reader(const char *disk, int seed)
{
	int fd = open(disk, O_RDONLY | O_DIRECT);
	void *buf = aligned_alloc(BLOCK, BLOCK);

	if (fd < 0 || !buf)
		exit(1);
	srand((unsigned int)seed);
	for (;;)
		if (pread(fd, buf, BLOCK, (off_t)(rand() % DISK_BLOCKS) * BLOCK) != BLOCK)
			exit(1);
}

static void phase(double seconds, void (*start)(const char *disk), const char *disk)
{
	pid_t group = fork();
	int status;

	if (!group) {
		setpgid(0, 0);
		start(disk);
		for (;;)
			pause();
	}
	setpgid(group, group);
	pause_us((long)(seconds * 1e6));
	kill(-group, SIGKILL);
	while (wait(&status) > 0)
		;
}

static void start_timers(const char *disk)
{
	(void)disk;
	for (int cpu = 0; cpu < 2; cpu++)
		if (!fork())
			timers(cpu);
}

static void start_bursts(const char *disk)
{
	(void)disk;
	for (int cpu = 0; cpu < 2; cpu++)
		if (!fork())
			bursts(cpu);
}

static void start_readers(const char *disk)
{
	for (int i = 0; i < READERS; i++)
		if (!fork())
			reader(disk, i);
}

static void start_mixed(const char *disk)
{
	if (!fork())
		ping_pong(LONG_MAX, 20000);
	if (!fork())
		bursts(1);
	if (!fork())
		reader(disk, 99);
}

static void vary(double part, const char *disk)
{
	phase(part, start_timers, disk);
	phase(part, start_bursts, disk);
	phase(part, start_readers, disk);
	phase(part, start_mixed, disk);
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	if (!strcmp(argv[1], "pair"))
		ping_pong(atol(argv[2]), 0);
	else if (!strcmp(argv[1], "timer"))
		work_and_sleep(atol(argv[2]));
	else
		vary(atof(argv[1]) / 4, argv[2]);
	return 0;
}
