// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace/build_median.h"

void median_add(struct median *m, uint64_t ns)
{
	uint64_t i = ns / MEDIAN_STEP_NS;

	if (i >= MEDIAN_BUCKETS)
		i = MEDIAN_BUCKETS - 1;
	m->bucket[i]++;
	m->count++;
	m->below += i < m->middle;
	while (m->below > m->count / 2)
		m->below -= m->bucket[--m->middle];
	while (m->below + m->bucket[m->middle] <= m->count / 2 && m->middle < MEDIAN_BUCKETS - 1)
		m->below += m->bucket[m->middle++];
}

uint64_t median_get(const struct median *m)
{
	return m->count ? (uint64_t)m->middle * MEDIAN_STEP_NS + MEDIAN_STEP_NS / 2 : 0;
}
