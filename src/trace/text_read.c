// SPDX-License-Identifier: GPL-2.0-or-later
/* ftrace text as a trace_format: lines in their own order, which is that of time. */
#include "trace/reader.h"
#include "trace/finish.h"
#include "trace/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	TEXT_BUFFER = 1 << 18,
	TEXT_LINE_MAX = 1 << 16, /* what is longer is damaged */
	HZ_LINES_MAX = 100000,	 /* how far we look ahead for the tick rate */
	CONTEXT_COLUMN = 2,	 /* of hardirq/softirq in the flags, if no header says otherwise */
};

/* What a CPU is in the middle of, where no column of flags tells it. */
struct text_cpu {
	uint64_t raw_ns;
	uint32_t handler, vector, softirq; /* context bits, or 0 */
};

struct text_reader {
	char *buf;
	size_t at, len;
	bool eof;
	uint64_t size, done; /* bytes of the file; size 0: not known */
	uint64_t line;	     /* number of the last one, from 1 */
	uint64_t bad_line;   /* the first that made no sense */
	char bad_text[64];
	uint64_t events; /* lines with task, CPU and time */
	unsigned int column, header_column;
	uint64_t last_ns, overwritten;
	struct finisher finisher;
	struct text_cpu cpus[CPUS_MAX];
};

static bool text_probe(const struct trace_head *head)
{
	return head->len && !memchr(head->bytes, '\0', head->len);
}

static int fill(struct trace_reader *r, struct text_reader *t, struct error *err)
{
	ssize_t n;

	memmove(t->buf, t->buf + t->at, t->len - t->at);
	t->len -= t->at;
	t->at = 0;
	do {
		n = read(r->fd, t->buf + t->len, TEXT_BUFFER - t->len);
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		return error_set(err, errno, "line %" PRIu64 ": %s", t->line + 1, strerror(errno));
	t->eof = !n;
	t->len += (size_t)n;
	t->done += (uint64_t)n;
	return 0;
}

/* 1: a line, NUL in place of its newline, 0: the end. A line too long is cut in pieces. */
static int next_line(struct trace_reader *r, struct text_reader *t, char **ret, struct error *err)
{
	for (;;) {
		char *start = t->buf + t->at, *newline;
		size_t left = t->len - t->at;
		int rc;

		newline = memchr(start, '\n', left);
		if (newline || left >= TEXT_LINE_MAX || (t->eof && left)) {
			size_t len = newline		    ? (size_t)(newline - start)
				     : left < TEXT_LINE_MAX ? left
							    : TEXT_LINE_MAX - 1;

			start[len] = '\0';
			t->at += len + (newline || left >= TEXT_LINE_MAX);
			t->line++;
			*ret = start;
			return 1;
		}
		if (t->eof)
			return 0;
		rc = fill(r, t, err);
		if (rc < 0)
			return rc;
	}
}

static void bad_line(struct trace_reader *r, struct text_reader *t, const char *line)
{
	r->info.damaged++;
	if (t->bad_line)
		return;
	t->bad_line = t->line;
	snprintf(t->bad_text, sizeof(t->bad_text), "%s", line);
}

/* The kernel draws its columns as "# | / _---=> hardirq/softirq", one line each. */
static void take_header(struct trace_reader *r, struct text_reader *t, const char *line)
{
	if (!strncmp(line, "# tracer:", 9))
		t->header_column = 0;
	if (strstr(line, "hardirq/softirq"))
		t->column = t->header_column;
	if (strstr(line, "-=> ") && !strstr(line, "CPU#"))
		t->header_column++;
	text_header(line, &t->overwritten, &r->info.nr_cpus);
}

/* Without flags the entries and exits of interrupts say what context a CPU is in. */
static uint32_t context_of(
	struct text_reader *t, const struct text_line *line, const struct event *ev)
{
	struct text_cpu *cpu = &t->cpus[line->cpu];
	uint32_t context;

	if (ev->kind == EV_IRQ_ENTRY)
		cpu->handler = CTX_HARDIRQ;
	else if (ev->kind == EV_VECTOR_ENTRY)
		cpu->vector = CTX_HARDIRQ;
	else if (ev->kind == EV_SOFTIRQ_ENTRY)
		cpu->softirq = CTX_SOFTIRQ;
	context = cpu->handler | cpu->vector | cpu->softirq;
	if (ev->kind == EV_IRQ_EXIT)
		cpu->handler = 0;
	else if (ev->kind == EV_VECTOR_EXIT)
		cpu->vector = 0;
	else if (ev->kind == EV_SOFTIRQ_EXIT)
		cpu->softirq = 0;
	return line->flags ? text_context(line, t->column) : context;
}

static void take_time(struct trace_reader *r, struct text_reader *t, const struct text_line *line)
{
	struct text_cpu *cpu = &t->cpus[line->cpu];

	if (line->ns < cpu->raw_ns)
		r->info.clock_jumps++;
	cpu->raw_ns = line->ns;
	if (line->ns > t->last_ns)
		t->last_ns = line->ns;
	if (!t->events++)
		r->info.first_ns = line->ns;
	r->info.last_ns = t->last_ns;
	if (line->cpu >= r->info.nr_cpus)
		r->info.nr_cpus = line->cpu + 1;
}

static void take_loss(struct trace_reader *r, struct text_reader *t, const struct text_line *line,
	struct event *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->kind = EV_LOST;
	ret->cpu = line->cpu;
	ret->value = line->lost;
	ret->time_ns = t->last_ns;
	t->cpus[line->cpu] = (struct text_cpu){ .raw_ns = t->cpus[line->cpu].raw_ns };
	if (line->lost)
		r->info.lost_events += line->lost;
	else
		r->info.lost_regions++;
}

/* True: ret is an event, before finish_event. */
static bool take_event(struct trace_reader *r, struct text_reader *t, const char *text,
	const struct text_line *line, struct event *ret, uint64_t *ret_aux)
{
	const struct event_type *type = text_type(line->name);

	take_time(r, t, line);
	if (!type) {
		r->info.skipped++;
		return false;
	}
	memset(ret, 0, sizeof(*ret));
	if (!text_event(type, line->rest, ret, ret_aux)) {
		bad_line(r, t, text);
		return false;
	}
	ret->time_ns = t->last_ns;
	ret->cpu = line->cpu;
	ret->pid = line->pid;
	ret->context = context_of(t, line, ret);
	return true;
}

static int at_end(struct trace_reader *r, struct text_reader *t, struct error *err)
{
	if (!t->events && t->bad_line)
		return error_set(err, EINVAL,
			"line %" PRIu64 ": '%s': expected TASK-PID [CPU] TIME: EVENT: ..., and no "
			"other line has it",
			t->bad_line, t->bad_text);
	if (t->overwritten > r->info.lost_events)
		r->info.lost_events = t->overwritten;
	return 0;
}

/* As trace_next, but before finish_event. */
static int read_event(struct trace_reader *r, struct text_reader *t, struct event *ret,
	uint64_t *ret_aux, struct error *err)
{
	for (;;) {
		struct text_line line;
		char *text;
		int rc = next_line(r, t, &text, err);

		if (rc <= 0)
			return rc < 0 ? rc : at_end(r, t, err);
		switch (text_parse(text, &line)) {
		case LINE_EVENT:
			if (take_event(r, t, text, &line, ret, ret_aux))
				return 1;
			break;
		case LINE_OTHER:
			take_time(r, t, &line);
			r->info.skipped++;
			break;
		case LINE_LOST:
			take_loss(r, t, &line, ret);
			*ret_aux = 0;
			return 1;
		case LINE_HEADER:
			take_header(r, t, text);
			break;
		case LINE_NO_UNIT:
			return error_set(err, EINVAL,
				"line %" PRIu64 ": time %" PRIu64
				" is a bare number (clock counter, uptime or x86-tsc), expected "
				"SECONDS.FRACTION",
				t->line, line.ns);
		case LINE_BAD:
			bad_line(r, t, text);
			break;
		}
	}
}

static int text_next(struct trace_reader *r, struct event *ret, struct error *err)
{
	struct text_reader *t = r->impl;
	uint64_t aux;
	int rc;

	do {
		rc = read_event(r, t, ret, &aux, err);
		if (rc > 0)
			finish_hz(&t->finisher, &r->info, ret, aux);
	} while (rc > 0 && !finish_event(&t->finisher, &r->info, ret, aux));
	return rc;
}

static int text_progress(const struct trace_reader *r)
{
	const struct text_reader *t = r->impl;

	return t->size ? (int)(t->done * 1000 / t->size) : 0;
}

static void text_close(struct trace_reader *r)
{
	struct text_reader *t = r->impl;

	if (t)
		free(t->buf);
	free(t);
	r->impl = NULL;
}

/* Everything as before the first line, but for what the first pass found. */
static void rewind_text(struct trace_reader *r, struct text_reader *t)
{
	struct trace_info info = {
		.hz = r->info.hz, .nr_cpus = r->info.nr_cpus, .first_ns = r->info.first_ns
	};
	struct text_reader fresh = { .buf = t->buf, .size = t->size, .column = CONTEXT_COLUMN };

	snprintf(info.format, sizeof(info.format), "ftrace text");
	r->info = info;
	*t = fresh;
}

/* A file is read ahead for the tick rate and for a first sensible line; a pipe cannot be. */
static int look_ahead(struct trace_reader *r, struct text_reader *t, struct error *err)
{
	struct event ev;
	uint64_t aux;

	for (int i = 0; i < HZ_LINES_MAX && !r->info.hz; i++) {
		int rc = read_event(r, t, &ev, &aux, err);

		if (rc < 0)
			return rc;
		if (!rc)
			break;
		finish_hz(&t->finisher, &r->info, &ev, aux);
	}
	if (lseek(r->fd, 0, SEEK_SET) < 0)
		return error_set(err, errno, "%s", strerror(errno));
	rewind_text(r, t);
	return 0;
}

static int text_open(struct trace_reader *r, const struct trace_head *head, struct error *err)
{
	struct text_reader *t = calloc(1, sizeof(*t));
	struct stat st;
	int rc = 0;

	if (t)
		t->buf = malloc(TEXT_BUFFER + 1);
	if (!t || !t->buf) {
		free(t);
		return error_set(err, ENOMEM, "out of memory");
	}
	r->impl = t;
	rewind_text(r, t);
	memcpy(t->buf, head->bytes, head->len);
	t->len = head->len;
	t->done = head->len;
	if (!fstat(r->fd, &st) && S_ISREG(st.st_mode)) {
		t->size = (uint64_t)st.st_size;
		rc = look_ahead(r, t, err);
	}
	if (rc < 0)
		text_close(r);
	return rc;
}

const struct trace_format trace_format_text = {
	.name = "ftrace text",
	.probe = text_probe,
	.open = text_open,
	.next = text_next,
	.progress = text_progress,
	.close = text_close,
};
