// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/cmd.h"
#include "cmd/record.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

void record_say(const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "corepace record: ");
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
}

int record_report_command(const struct record *r, const struct session_result *res)
{
	const char *name = r->session.argv ? r->session.argv[0] : "";

	if (res->signal) {
		record_say("ended early by signal %d (%s)", res->signal, strsignal(res->signal));
		return EXIT_FAILED;
	}
	if (res->timed_out)
		return EXIT_DONE;
	if (WIFSIGNALED(res->status)) {
		record_say("%s was ended by signal %d (%s)", name, WTERMSIG(res->status),
			strsignal(WTERMSIG(res->status)));
		return EXIT_FAILED;
	}
	if (WEXITSTATUS(res->status)) {
		record_say("%s failed with status %d", name, WEXITSTATUS(res->status));
		return EXIT_FAILED;
	}
	return EXIT_DONE;
}

void record_report_stale(int nr)
{
	if (nr)
		record_say("removed %d tracing instance(s) that a killed recorder had left", nr);
}

void record_report_instance(const struct instance *in)
{
	char list[1024] = "";
	size_t len = 0;

	record_report_stale(in->nr_stale);
	for (int i = 0; i < in->nr_missing && len < sizeof(list); i++)
		len += snprintf(list + len, sizeof(list) - len, " %s:%s", in->missing[i]->system,
			in->missing[i]->name);
	if (in->nr_missing)
		record_say("this kernel lacks events, what depends on them stays unknown:%s", list);
}

void record_report_losses(const struct record *r)
{
	const struct tracefs_losses *l = &r->losses;
	char where[64] = "";

	if (!l->lost)
		return;
	if (l->worst_lost)
		snprintf(where, sizeof(where), ", most on CPU %d", l->worst_cpu);
	record_say("buffers overran: %llu of %llu events lost%s; try -b %llu",
		(unsigned long long)l->lost, (unsigned long long)(l->lost + l->recorded), where,
		(unsigned long long)l->enough_kb);
}

void record_report_operations(const struct record *r)
{
	if (r->has_ops_from && !r->traced.truth.operations)
		record_say("--ops-from: no number of operations in the output");
}

/* Both for the same number of operations, if the runs told them. */
void record_report_cost(const struct record *r)
{
	const struct workload_truth *truth = &r->traced.truth;
	double percent;

	if (!r->calibrate || !truth->untraced_elapsed_ns)
		return;
	percent = ((double)truth->elapsed_ns / (double)truth->untraced_elapsed_ns - 1) * 100;
	record_say("tracing cost %.1f %% (%.3f s, untraced %.3f s)%s", percent,
		truth->elapsed_ns / 1e9, truth->untraced_elapsed_ns / 1e9,
		percent > 10 ? ": above 10 %, the workload is not fit for it" : "");
}
