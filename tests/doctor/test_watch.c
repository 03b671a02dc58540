// SPDX-License-Identifier: GPL-2.0-or-later
/* What two snapshots prove, and what they say when nothing is wrong; two machines compared. */
#include "doctor/compare.h"
#include "doctor/watch.h"
#include "base/units.h"
#include "../cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 10 s of CPUs that are half busy, nothing else. */
static void quiet(struct snapshot *a, struct snapshot *b)
{
	*a = (struct snapshot){ .thermal = 5, .power = 2, .energy_uj = 0, .energy_range_uj = 1000 };
	*b = *a;
	b->now_ns = 10 * (int64_t)NSEC_PER_SEC;
	b->busy = b->idle = 2000;
	b->aperf = b->mperf = 1000000;
}

static void judge(const struct snapshot *a, const struct snapshot *b, enum finding_id before,
	struct diagnosis *d, char *other, size_t size)
{
	static struct facts f;

	memset(&f, 0, sizeof(f));
	memset(d, 0, sizeof(*d));
	d->facts = &f;
	if (before != FINDINGS_NR) {
		d->findings[0].id = before;
		d->nr = 1;
	}
	watch_judge(a, b, d, other, size);
}

#define NONE FINDINGS_NR

static void test_rows(void **state)
{
	static struct diagnosis d;
	struct snapshot a, b;
	char other[160];

	quiet(&a, &b);
	judge(&a, &b, NONE, &d, other, sizeof(other));
	assert_int_equal(d.nr, 0);
	assert_non_null(strstr(other, "no throttling"));

	quiet(&a, &b);
	b.thermal = 6;
	judge(&a, &b, NONE, &d, other, sizeof(other));
	assert_non_null(diagnosis_find(&d, FINDING_THERMAL));
	assert_string_equal(other, "");

	quiet(&a, &b);
	b.power = 3;
	judge(&a, &b, NONE, &d, other, sizeof(other));
	assert_non_null(diagnosis_find(&d, FINDING_POWER_THROTTLED));

	/* Busy and at a third of base: clamped, unless a limit asks for it. */
	quiet(&a, &b);
	b.aperf = 330000;
	judge(&a, &b, NONE, &d, other, sizeof(other));
	assert_non_null(diagnosis_find(&d, FINDING_CLAMPED));
	judge(&a, &b, FINDING_GOVERNOR_POWERSAVE, &d, other, sizeof(other));
	assert_null(diagnosis_find(&d, FINDING_CLAMPED));
	b.busy = 100; /* idle CPUs may be slow */
	judge(&a, &b, NONE, &d, other, sizeof(other));
	assert_null(diagnosis_find(&d, FINDING_CLAMPED));

	quiet(&a, &b);
	b.steal = 1000;
	judge(&a, &b, NONE, &d, other, sizeof(other));
	assert_non_null(strstr(other, "host"));

	quiet(&a, &b);
	b.psi_io_us = 5000000;
	judge(&a, &b, NONE, &d, other, sizeof(other));
	assert_non_null(strstr(other, "I/O 50 %"));

	/* Counters that cannot be read prove nothing. */
	quiet(&a, &b);
	a.thermal = b.thermal = a.mperf = b.mperf = -1;
	judge(&a, &b, NONE, &d, other, sizeof(other));
	assert_int_equal(d.nr, 0);
}

/* The energy counter wraps. */
static void test_energy(void **state)
{
	struct snapshot a, b;
	json_t *o;

	quiet(&a, &b);
	a.energy_uj = 900;
	b.energy_uj = 100;
	o = watch_json(&a, &b, "");
	assert_int_equal(json_integer_value(json_object_get(o, "energy_uj")), 200);
	assert_int_equal(json_integer_value(json_object_get(o, "busy_permille")), 500);
	json_decref(o);
}

static void test_compare(void **state)
{
	static struct facts f, g;
	static struct diagnosis a, b;
	char good_line[] = "root=/dev/sda1 quiet mitigations=off";
	char bad_line[] = "root=/dev/sdb1 mitigations=off idle=poll";
	char *text;
	size_t len;
	FILE *out = open_memstream(&text, &len);

	a.facts = &f;
	b.facts = &g;
	strcpy(a.driver, "intel_pstate");
	strcpy(b.driver, "intel_pstate");
	f.cmdline = good_line;
	g.cmdline = bad_line;
	f.max_perf_pct = (struct value){ VALUE_GOOD, 0, 100 };
	g.max_perf_pct = (struct value){ VALUE_GOOD, 0, 50 };
	g.no_turbo = (struct value){ VALUE_GOOD, 0, 1 }; /* not captured of the other */
	b.findings[0].id = FINDING_IDLE_POLL;
	b.findings[0].severity = SEVERITY_WARN;
	b.nr = 1;
	assert_int_equal(compare_text(&a, &b, out), 3);
	fclose(out);
	assert_non_null(strstr(text, "bad   50"));
	assert_non_null(strstr(text, "bad   idle=poll"));
	assert_null(strstr(text, "sda1"));
	assert_null(strstr(text, "no_turbo"));
	assert_non_null(strstr(text, "only bad: warn idle-poll-cmdline"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_energy),
		cmocka_unit_test(test_compare),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
