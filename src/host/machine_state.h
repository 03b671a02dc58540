/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the live machine tells beside files: its kernel log and its model-specific registers. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The kernel's log, NUL-terminated, to be freed. 0 or -errno: -EPERM when only root may read it. */
int host_kernel_log(char **ret, size_t *ret_len);

/* A descriptor for host_msr(), or -errno: -ENOENT without the msr module, -EACCES. */
int host_msr_open(int cpu);

/* 0 or -errno: -EIO when the CPU has no such register. */
int host_msr(int fd, uint32_t reg, uint64_t *ret);
