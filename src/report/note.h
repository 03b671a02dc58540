/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdio.h>

/* One entry of a list of notes, wrapped at 100 columns. */
void note_print(const char *text, FILE *out);
