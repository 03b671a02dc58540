// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/run_options.h"
#include "base/spec.h"
#include "cmd/cmd.h"
#include "cmd/run_jobs.h"

#include <limits.h>
#include <unistd.h>

static volatile sig_atomic_t stop;

int option_number(const char *verb, const char *text, unsigned long long min,
	unsigned long long max, const char *what, unsigned long long *ret)
{
	struct error err;

	return parse_u64(text, min, max, what, ret, &err) ? usage(verb, "%s", err.text) : 0;
}

int option_iterations(const char *verb, const char *text, unsigned long long *ret)
{
	return option_number(verb, text, 1, ITERATIONS_MAX, "-n", ret);
}

int option_threads(const char *verb, const char *text, unsigned long long *ret)
{
	return option_number(verb, text, 1, JOBS_MAX, "-j", ret);
}

int option_seed(const char *verb, const char *text, unsigned long long *ret)
{
	return option_number(verb, text, 0, LLONG_MAX - ITERATIONS_MAX, "--seed", ret);
}

unsigned long long threads_default(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	return cpus < 1 ? 1 : cpus > JOBS_MAX ? JOBS_MAX : (unsigned long long)cpus;
}

static void on_signal(int number)
{
	stop = number;
}

const volatile sig_atomic_t *watch_signals(void)
{
	struct sigaction action = { .sa_handler = on_signal,
		.sa_flags = SA_RESETHAND | SA_RESTART };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	return &stop;
}
