/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a case of the doctor must find: CASE/expect.yaml. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct expect_finding {
	char *id, *severity, *about;
	bool optional;
};

struct expect_advice {
	char *setting, *where, *value;
};

struct expect {
	char *driver, *mode, *hwp, *kind, *source, *confidence, *note;
	struct expect_finding *findings;
	unsigned findings_count;
	struct expect_advice *advice;
	unsigned advice_count;
	char **must_not;
	unsigned must_not_count;
	char **implied;
	unsigned implied_count;
};

/* NULL with a message on stderr. */
struct expect *expect_load(const char *path);
void expect_free(struct expect *e);
