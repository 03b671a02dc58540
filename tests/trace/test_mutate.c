// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Recordings cut off at every hundredth and changed at random: one clear line or a result, never a
 * crash, a hang, or time that goes back. A failure names the seed.
 */
#include "../cmocka_all.h"
#include "records.h"

#include "base/rng.h"
#include "base/units.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MUTATIONS = 2400, SECONDS_MAX = 60 };

/*
 * least: so many of the 101 cuts can be read. Version 7 and perf's file mode have what describes
 * the recording last, a pipe's has it first.
 */
static const struct {
	const char *name;
	int least;
} files[] = { { "v6.dat", 70 }, { "v7.dat", 1 }, { "v7-zstd.dat", 1 }, { "kernel.txt", 70 },
	{ "report-l.txt", 70 }, { "perf-sched.data", 1 }, { "perf-zstd.data", 1 },
	{ "perf-pipe.data", 50 } };

static void load(const char *name, struct bytes *ret)
{
	char path[512];

	snprintf(path, sizeof(path), "%s/%s", DATA_DIR, name);
	file_to_bytes(path, ret);
}

/* Reads it all through memory; the outcome is the last trace_next's. */
static int check(const char *what, const uint8_t *p, size_t n)
{
	char path[64];
	struct events e;
	int fd = memfd_create("mutated", MFD_CLOEXEC), rc;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, p, n), n);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	alarm(SECONDS_MAX); /* a hang ends the test */
	events_of_file(path, &e);
	alarm(0);
	close(fd);
	rc = e.rc;
	if (rc < 0 && (!e.err.text[0] || strchr(e.err.text, '\n') ||
			      strncmp(e.err.text, path, strlen(path))))
		fail_msg("%s: '%s' is no clear line", what, e.err.text);
	for (size_t i = 0; i < e.n; i++)
		if (e.list[i].cpu < 0 || e.list[i].cpu >= CPUS_MAX || e.list[i].kind >= EV_KINDS ||
			(i && e.list[i].time_ns < e.list[i - 1].time_ns))
			fail_msg("%s: event %zu is impossible", what, i);
	events_release(&e);
	return rc;
}

static void test_truncated(void **state)
{
	for (size_t f = 0; f < ARRAY_LEN(files); f++) {
		struct bytes b = { 0 };
		int read = 0;

		load(files[f].name, &b);
		for (size_t percent = 0; percent <= 100; percent++) {
			char what[64];

			snprintf(what, sizeof(what), "%s cut at %zu %%", files[f].name, percent);
			read += check(what, b.p, b.n * percent / 100) == 0;
		}
		if (read < files[f].least)
			fail_msg("%s: only %d of 101 cuts could be read", files[f].name, read);
		bytes_release(&b);
	}
}

static void mutate(struct rng *rng, struct bytes *b)
{
	uint64_t changes = 1 + rng_below(rng, 16), from, to, len;

	while (changes--) {
		/* Half of the changes hit what describes the recording. */
		size_t room = rng_below(rng, 2) && b->n > 32768 ? 32768 : b->n;

		from = rng_below(rng, room);
		switch (rng_below(rng, 4)) {
		case 0:
			b->p[from] ^= (uint8_t)(1u << rng_below(rng, 8));
			break;
		case 1:
			b->p[from] = (uint8_t)rng_next(rng);
			break;
		case 2: /* numbers at the edge */
			memset(b->p + from, rng_below(rng, 2) ? 0xff : 0, b->n - from < 8 ? 1 : 8);
			break;
		default: /* a stretch from elsewhere */
			to = rng_below(rng, b->n);
			len = rng_below(rng, 64);
			if (from + len <= b->n && to + len <= b->n)
				memmove(b->p + to, b->p + from, len);
			break;
		}
	}
}

static void test_mutated(void **state)
{
	int good = 0, bad = 0;

	for (size_t f = 0; f < ARRAY_LEN(files); f++) {
		struct bytes whole = { 0 }, b = { 0 };

		load(files[f].name, &whole);
		for (uint64_t seed = f; seed < MUTATIONS; seed += ARRAY_LEN(files)) {
			struct rng rng;
			char what[64];

			b.n = 0;
			bytes_add(&b, whole.p, whole.n);
			rng_init(&rng, seed, 0);
			mutate(&rng, &b);
			snprintf(what, sizeof(what), "%s with seed %lu", files[f].name,
				(unsigned long)seed);
			*(check(what, b.p, b.n) ? &bad : &good) += 1;
		}
		bytes_release(&whole);
		bytes_release(&b);
	}
	print_message("%d read, %d refused\n", good, bad);
	assert_int_equal(good + bad, MUTATIONS);
	assert_true(good > 0 && bad > 0);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_truncated),
		cmocka_unit_test(test_mutated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
