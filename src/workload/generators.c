// SPDX-License-Identifier: GPL-2.0-or-later
#include "workload/generator.h"

const struct generator generators[] = {
	{ "busy", "tasks that compute without a pause", gen_busy },
	{ "idle", "hardly anything: timers that wake tasks for a moment", gen_idle },
	{ "kernbench", "a kernel build by make with a number of jobs", gen_kernbench,
		.own_scale = true },
	{ "periodic", "tasks that run for a while at the beginning of each period", gen_periodic },
	{ "dbench4", "clients work on files as a file server's do, and sync them", gen_dbench4 },
	{ "gpu-frame-loop", "a task prepares frames that a GPU renders, two ahead",
		gen_gpu_frame_loop },
	{ "sqlite-insert", "a database inserts rows, each in a transaction of its own",
		gen_sqlite_insert },
	{ "tbench", "clients and servers exchange file operations over loopback", gen_tbench },
	{ "hackbench", "groups of senders and receivers pass messages", gen_hackbench },
	{ "pgbench-rw", "a database commits small transactions in groups", gen_pgbench_rw },
	{ "pgbench-ro", "a database selects rows", gen_pgbench_ro },
	{ "pipe-test", "two tasks hand a token back and forth over two pipes", gen_pipe_test },
	{ "nas-omp", "numerical kernels whose threads meet at barriers", gen_nas_omp },
	{ "nas-mpi", "the same by processes that wait for their neighbours", gen_nas_mpi },
	{ "kernel-compile-noop", "make with nothing to do, some times in a window of time",
		gen_compile_noop },
	{ NULL },
};
