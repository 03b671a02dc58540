// SPDX-License-Identifier: GPL-2.0-or-later
#include "workload/cpu_list.h"
#include "base/units.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

_Static_assert(CPU_LIST_WORDS * 64 == CPUS_MAX, "a list holds every CPU");

/* A number below CPUS_MAX; p moves behind it. -1: none there. */
static int number(const char **p)
{
	int v = 0;

	if (!isdigit((unsigned char)**p))
		return -1;
	for (; isdigit((unsigned char)**p); ++*p) {
		v = v * 10 + (**p - '0');
		if (v >= CPUS_MAX)
			return -1;
	}
	return v;
}

int cpu_list_parse(
	const char *text, const char *what, uint64_t allowed[CPU_LIST_WORDS], struct error *err)
{
	const char *p = text;

	do {
		int first = number(&p), last = first;

		if (first >= 0 && *p == '-') {
			p++;
			last = number(&p);
		}
		if (first < 0 || last < first || (*p && *p != ','))
			return error_set(err, EINVAL,
				"%s: '%s', expected a list of CPUs below %d such as 1 or 0,2-5",
				what, text, CPUS_MAX);
		for (int cpu = first; cpu <= last; cpu++)
			allowed[cpu / 64] |= 1ULL << (cpu % 64);
	} while (*p++ == ',');
	return 0;
}

void workload_pin(struct workload_task *t, const uint64_t allowed[CPU_LIST_WORDS])
{
	memcpy(t->allowed, allowed, sizeof(t->allowed));
	for (int i = 0; i < CPU_LIST_WORDS; i++) {
		if (!allowed[i])
			continue;
		if (t->first_cpu < 0 || !(allowed[t->first_cpu / 64] & 1ULL << (t->first_cpu % 64)))
			t->first_cpu = 64 * i + __builtin_ctzll(allowed[i]);
		return;
	}
}
