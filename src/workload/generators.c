// SPDX-License-Identifier: GPL-2.0-or-later
#include "workload/generator.h"

const struct generator generators[] = {
	{ "busy", "tasks that compute without a pause", gen_busy },
	{ "idle", "hardly anything: timers that wake tasks for a moment", gen_idle },
	{ "periodic", "tasks that run for a while at the beginning of each period", gen_periodic },
	{ "pipe-test", "two tasks hand a token back and forth over two pipes", gen_pipe_test },
	{ NULL },
};
