// SPDX-License-Identifier: GPL-2.0-or-later
#include "host/tracefs_source.h"
#include "host/cmdlines.h"
#include "host/dat_writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

enum { STATS_BYTES_MAX = 1024 };

static struct tracefs_source *of(struct source *source)
{
	return (struct tracefs_source *)source;
}

static int start(struct source *source, struct error *err)
{
	return instance_on(&of(source)->instance, err);
}

/* Without buffer_percent poll() wakes for each event: then only the end drains. */
static int watch(struct source *source, struct pollfd *fds, int max)
{
	struct tracefs_source *s = of(source);
	int nr = 0;

	if (!s->instance.waits_for_fill)
		return 0;
	while (nr < s->drain.nr_cpus && nr < max) {
		fds[nr] = (struct pollfd){ .fd = s->drain.cpus[nr].fd, .events = POLLIN };
		nr++;
	}
	return nr;
}

static int drain(struct source *source, const struct pollfd *fds, int nr, struct error *err)
{
	int code = 0;

	for (int cpu = 0; cpu < nr && !code; cpu++)
		if (fds[cpu].revents & POLLIN)
			code = drain_some(&of(source)->drain, cpu, err);
	return code;
}

static void mark(struct source *source, const char *text)
{
	instance_mark(&of(source)->instance, text);
}

static int stop(struct source *source, struct error *err)
{
	return instance_off(&of(source)->instance, err);
}

static const struct source_ops tracefs_ops = { start, watch, drain, mark, stop };

int tracefs_source_open(struct tracefs_source *s, const struct instance_options *options,
	const char *spool_dir, struct error *err)
{
	int code;

	*s = (struct tracefs_source){ .source.ops = &tracefs_ops };
	code = instance_open(&s->instance, options, err);
	if (code)
		return code;
	code = drain_open(&s->drain, s->instance.dir, s->instance.nr_cpus, s->instance.page_size,
		s->instance.buffer_kb, spool_dir, err);
	if (code)
		instance_close(&s->instance);
	return code;
}

uint64_t enough_kb(uint64_t kb, uint64_t kept, uint64_t lost)
{
	uint64_t need = kept ? kb * (kept + lost) / kept : kb * (1 + lost);

	need += need / 4;
	if (need < 2 * kb)
		need = 2 * kb;
	return (need + 1023) / 1024 * 1024;
}

/* Reads the statistics of all CPUs: the texts for the file, the sums for the caller. */
static int read_stats(
	struct tracefs_source *s, char **texts, struct tracefs_losses *losses, struct error *err)
{
	*losses = (struct tracefs_losses){ 0 };
	for (int cpu = 0; cpu < s->instance.nr_cpus; cpu++) {
		struct instance_stats st;

		texts[cpu] = malloc(STATS_BYTES_MAX);
		if (!texts[cpu])
			return error_set(err, ENOMEM, "out of memory");
		texts[cpu][0] = '\0';
		if (instance_stats(&s->instance, cpu, &st, texts[cpu], STATS_BYTES_MAX))
			continue; /* offline */
		losses->recorded += st.entries + st.read;
		losses->lost += st.lost;
		if (st.lost > losses->worst_lost) {
			losses->worst_cpu = cpu;
			losses->worst_lost = st.lost;
			losses->enough_kb = enough_kb(s->instance.buffer_kb, st.entries, st.lost);
		}
	}
	return 0;
}

static int append(void *context, const void *pages, size_t len, struct error *err)
{
	return dat_writer_append(context, pages, len, err);
}

static int write_dat(
	struct tracefs_source *s, int fd, char **stats, const char *cmdlines, struct error *err)
{
	struct utsname uts;
	char uname_text[sizeof(uts)];
	struct dat_header header = {
		.tracing_dir = s->instance.tracing_dir,
		.nr_events = s->instance.nr_events,
		.clock = "mono",
		.uname = uname_text,
		.cmdlines = cmdlines,
		.nr_cpus = s->instance.nr_cpus,
		.cpu_stats = stats,
	};
	struct dat_writer *d;
	int code;

	memcpy(header.events, s->instance.events, sizeof(header.events));
	uname(&uts);
	snprintf(uname_text, sizeof(uname_text), "%s %s %s %s", uts.sysname, uts.nodename,
		uts.release, uts.machine);
	code = dat_writer_new(fd, &header, &d, err);
	if (code)
		return code;
	for (int cpu = 0; cpu < s->instance.nr_cpus && !code; cpu++) {
		code = dat_writer_cpu(d, err);
		if (!code)
			code = drain_rest(&s->drain, cpu, append, d, err);
	}
	if (!code)
		return dat_writer_finish(d, err);
	dat_writer_abort(d);
	return code;
}

int tracefs_source_write(
	struct tracefs_source *s, int fd, struct tracefs_losses *ret, struct error *err)
{
	char **stats = calloc(s->instance.nr_cpus, sizeof(*stats));
	struct tracefs_losses losses;
	char *cmdlines = NULL;
	int code;

	if (!stats)
		return error_set(err, ENOMEM, "out of memory");
	code = read_stats(s, stats, &losses, err);
	if (!code)
		code = cmdlines_collect("", s->instance.tracing_dir, &cmdlines, err);
	if (!code)
		code = write_dat(s, fd, stats, cmdlines, err);
	for (int cpu = 0; cpu < s->instance.nr_cpus; cpu++)
		free(stats[cpu]);
	free(stats);
	free(cmdlines);
	if (!code)
		*ret = losses;
	return code;
}

void tracefs_source_close(struct tracefs_source *s)
{
	drain_close(&s->drain);
	instance_close(&s->instance);
}
