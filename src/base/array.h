/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrays that grow by one: the capacity follows from the count, so it need not be kept. */
#pragma once

#include <stdlib.h>

/*
 * Room for element number nr. The array has grown by this function alone, from NULL. NULL when out
 * of memory: the array is then as it was.
 */
static inline void *array_grow(void *array, size_t nr, size_t element_size)
{
	if (nr & (nr - 1)) /* not a power of two: there is room */
		return array;
	return reallocarray(array, nr ? 2 * nr : 1, element_size);
}
