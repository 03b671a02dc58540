/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <linux/kernel.h>

/* haltpoll registers only inside a guest: whoever builds it here wants it. */
static inline bool kvm_para_available(void)
{
	return true;
}
