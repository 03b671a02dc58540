/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Machine and policy files of the tree as text, for tests that spoil them. */
#pragma once

#include <stddef.h>

/* The whole file, NUL-terminated; the caller frees. Ends the test when it cannot be read. */
char *file_text(const char *path);

/* text with the first old replaced by new; the caller frees. old must be there. */
char *text_with(const char *text, const char *old, const char *new);
