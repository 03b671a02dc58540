/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A diagnosis, a finding's background or the whole table of findings, as text, JSON or Markdown. */
#pragma once

#include "doctor/diagnosis.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* One page, top-down: verdict, driver, governor, limits ... then findings by severity. */
void report_text(const struct diagnosis *d, bool colours, FILE *out);

/*
 * As docs describe: driver, mode, governor, findings, advice; watched (may be NULL, is taken over)
 * under that name. -EIO with one line.
 */
int report_json(const struct diagnosis *d, json_t *watched, FILE *out, struct error *err);

void report_explain(enum finding_id id, FILE *out);

/* docs/FINDINGS.md. */
void report_markdown(FILE *out);

/* The verdict in one line, without a line feed. */
void report_verdict(const struct diagnosis *d, char *buf, size_t size);
