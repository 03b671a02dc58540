/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What all our JSON has in common: "schema" first, keys in the order in which they were set, whole
 * numbers as integers, others with at most 12 digits, so that equal results are equal bytes.
 */
#pragma once

#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

enum { JSON_DIGITS = 12 };

/* An object with "schema": 1. */
json_t *json_schema(void);

/* A number, or null when it is NaN or infinite. */
json_t *json_number(double value);

/* Can the text stand in JSON: is it UTF-8? */
bool json_text(const char *text);

json_t *json_count(unsigned long long value);

/* Writes the document and a line feed, and drops the reference. -EIO when not all was written. */
int json_write(json_t *json, FILE *out, struct error *err);
