// SPDX-License-Identifier: GPL-2.0-or-later
#include "policy/boost/hwp.h"

/* Times wrap as the kernel's do. */
static bool before(uint64_t a, uint64_t b)
{
	return (int64_t)(a - b) < 0;
}

bool hwp_boost_up(struct hwp_boost *b, const struct hwp_boost_input *in, uint64_t *ret_request)
{
	uint32_t min = hwp_min(in->request), max = hwp_max(in->request);
	uint32_t p1 = hwp_guaranteed(in->capabilities);
	uint32_t halfway = (min + p1) / 2;

	if (min == max || b->min >= max)
		return false;
	if (!b->min)
		b->min = min;
	if (b->min < halfway)
		b->min = halfway;
	else if (b->min < p1)
		b->min = p1;
	else if (b->min == p1 && p1 != max)
		b->min = max;
	else
		return false;
	b->last_update_ns = b->sample_ns;
	*ret_request = hwp_with_min(in->request, b->min);
	return true;
}

bool hwp_boost_down(struct hwp_boost *b, const struct hwp_boost_input *in, uint64_t *ret_request)
{
	bool ends = b->min && before(b->last_update_ns + in->hold_ns, b->sample_ns);

	b->last_update_ns = b->sample_ns;
	if (!ends)
		return false;
	b->min = 0;
	*ret_request = in->request;
	return true;
}

bool hwp_boost_update(struct hwp_boost *b, const struct hwp_boost_input *in, uint32_t flags,
	bool here, uint64_t *ret_request)
{
	bool again;

	b->flags |= flags;
	if (!here)
		return false;
	b->sample_ns = in->now_ns;
	if (!(b->flags & HWP_BOOST_IO))
		return hwp_boost_down(b, in, ret_request);
	b->flags = 0;
	again = before(in->now_ns, b->last_io_ns + in->window_ns);
	b->last_io_ns = in->now_ns;
	return again && hwp_boost_up(b, in, ret_request);
}
