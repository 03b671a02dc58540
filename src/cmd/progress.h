/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line on the terminal while work lasts: how much is done, how long the rest may take. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * "[#####     ] 50 of 100 runs, 2 min 5 s left". The time left is guessed from the pace so far,
 * and not said before the first run is done. elapsed_ns: since the first began.
 */
const char *progress_line(int done, int total, int64_t elapsed_ns, char *buf, size_t size);
