/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Events made of arbitrary bytes, and what must hold of any workload that is built of any events.
 * Both the fuzzer and a test over random numbers use it.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Aborts with a text when something does not hold. Returns the number of ops that came out. */
size_t build_bytes(const uint8_t *data, size_t size);
