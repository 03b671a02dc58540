/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Specifications as they stand on the command line, for machines, workloads and policies alike:
 * NAME[:key=value[,key=value]...]. A value runs to the next comma that is followed by "key=".
 */
#pragma once

#include "base/error.h"

#include <stddef.h>

enum { SPEC_KEYS_MAX = 32, SPEC_TEXT_MAX = 512 };

struct spec {
	char text[SPEC_TEXT_MAX]; /* as given */
	char buf[SPEC_TEXT_MAX];  /* cut up; the pointers below point here */
	const char *name;
	int nr_keys;
	struct {
		const char *key;
		const char *value;
	} keys[SPEC_KEYS_MAX];
};

/* Cuts text up. -EINVAL with a text that names the faulty part. A spec must not be copied. */
int spec_parse(struct spec *spec, const char *text, struct error *err);

/* The value of key, or NULL. */
const char *spec_get(const struct spec *spec, const char *key);

/* Length of the path in a value that names a plug-in, X.so or X.so:ARG; 0 when it names none. */
size_t spec_plugin_length(const char *value);

/* Whole decimal numbers with a range check; what is the name to use in the error. */
int parse_u64(const char *text, unsigned long long min, unsigned long long max, const char *what,
	unsigned long long *ret, struct error *err);
