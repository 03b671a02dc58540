// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/events_csv.h"

#include <inttypes.h>
#include <string.h>

static void put_name(FILE *out, const char *name)
{
	if (!name[strcspn(name, ",\"")]) {
		fputs(name, out);
		return;
	}
	fputc('"', out);
	for (; *name; name++) {
		if (*name == '"')
			fputc('"', out);
		fputc(*name, out);
	}
	fputc('"', out);
}

static void take(void *ctx, const struct timeline_event *ev)
{
	static const char *const what[] = { "cpu", "khz", "uw", "end" };
	FILE *out = ctx;

	fprintf(out, "%" PRId64 ",%s,", ev->time_ns, what[ev->kind]);
	if (ev->kind == TIMELINE_END) {
		fputs(",,,\n", out);
		return;
	}
	fprintf(out, "%d,", ev->id);
	if (ev->kind == TIMELINE_CPU) {
		fprintf(out, "%s,", timeline_state_name(ev->state));
		put_name(out, ev->name);
		fputs(",\n", out);
	} else {
		fprintf(out, ",,%" PRIu64 "\n", ev->value);
	}
}

void events_csv_begin(FILE *out)
{
	fputs("time_ns,what,id,state,name,value\n", out);
}

struct timeline_sink events_csv_sink(FILE *out)
{
	return (struct timeline_sink){ take, out };
}
