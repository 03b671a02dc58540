/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <shim/types.h>

#define DEFINE_MUTEX(name) struct mutex name __attribute__((unused))
#define mutex_init(mutex) ((void)(mutex))
#define mutex_destroy(mutex) ((void)(mutex))
#define mutex_lock(mutex) ((void)(mutex))
#define mutex_unlock(mutex) ((void)(mutex))

#define raw_spin_lock_init(lock) ((void)(lock))
#define raw_spin_lock(lock) ((void)(lock))
#define raw_spin_unlock(lock) ((void)(lock))
#define raw_spin_lock_irqsave(lock, flags) ((void)(lock), (void)((flags) = 0))
#define raw_spin_unlock_irqrestore(lock, flags) ((void)(lock), (void)(flags))
#define synchronize_rcu() ((void)0)
