/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an import found out, for people and for programs, on stdout. */
#pragma once

#include "cmd/import_file.h"

/* out_path may be NULL. */
void import_print_stats(const char *in_path, const char *out_path, const struct import_result *r);

/* 0, or -1 when stdout could not take it. */
int import_print_json(const char *in_path, const char *out_path, const struct import_result *r);
