// SPDX-License-Identifier: GPL-2.0-or-later
/* What stands before an event's own text: "TASK-PID [CPU] FLAGS TIME: EVENT:". */
#include "trace/text.h"
#include "base/units.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_space(const char *p)
{
	while (*p == ' ' || *p == '\t')
		p++;
	return p;
}

/* Digits only, at most below limit. NULL if there are none or too many. */
static const char *number(const char *p, uint64_t limit, uint64_t *ret)
{
	uint64_t value = 0;

	if (!isdigit((unsigned char)*p))
		return NULL;
	for (; isdigit((unsigned char)*p); p++) {
		value = value * 10 + (uint64_t)(*p - '0');
		if (value >= limit)
			return NULL;
	}
	*ret = value;
	return p;
}

/* "SECONDS.FRACTION", "Nus" with a mark of delay, or a bare number. NULL if it is none of these. */
static const char *parse_time(const char *p, struct text_line *ret, bool *ret_unit)
{
	uint64_t value, scale = NSEC_PER_SEC / 10;
	const char *end = number(p, UINT64_MAX / 20, &value);

	if (!end)
		return NULL;
	*ret_unit = true;
	if (*end == '.') {
		if (value > UINT64_MAX / NSEC_PER_SEC - 1)
			return NULL;
		ret->ns = value * NSEC_PER_SEC;
		for (end++; isdigit((unsigned char)*end); end++, scale /= 10)
			ret->ns += (uint64_t)(*end - '0') * scale;
		return end;
	}
	if (!strncmp(end, "us", 2)) {
		if (value > UINT64_MAX / NSEC_PER_USEC)
			return NULL;
		ret->ns = value * NSEC_PER_USEC;
		return end + 2 + strspn(end + 2, " +!#*@$");
	}
	*ret_unit = false;
	ret->ns = value;
	return end;
}

static bool is_flag(char c)
{
	return c && !isspace((unsigned char)c) && c != ':' && c != '[' && c != '(';
}

/* The time, with or without a column of flags before it. */
static const char *parse_flags_time(const char *p, struct text_line *ret, bool *ret_unit)
{
	const char *time, *end = p;

	while (is_flag(*end))
		end++;
	if (*end == ' ' && end - p >= 3 && end - p <= 10) {
		time = parse_time(skip_space(end), ret, ret_unit);
		if (time && *skip_space(time) == ':') {
			ret->flags = p;
			ret->nr_flags = (size_t)(end - p);
			return skip_space(time) + 1;
		}
	}
	ret->flags = NULL;
	ret->nr_flags = 0;
	time = parse_time(p, ret, ret_unit);
	return time && *skip_space(time) == ':' ? skip_space(time) + 1 : NULL;
}

/* "[CPU] FLAGS TIME:" or the latency layout's "CPUFLAGS TIME:". */
static const char *parse_cpu(const char *p, struct text_line *ret, bool *ret_unit)
{
	bool bracket = *p == '[';
	uint64_t cpu;
	const char *end = number(p + bracket, CPUS_MAX, &cpu);

	if (!end)
		return NULL;
	if (bracket) {
		if (*end != ']')
			return NULL;
		end = skip_space(end + 1);
	}
	ret->cpu = (int)cpu;
	/* Without brackets nothing but the flags may follow the CPU. */
	if (!bracket && !is_flag(*end))
		return NULL;
	end = parse_flags_time(end, ret, ret_unit);
	return end && (bracket || ret->flags) ? end : NULL;
}

/* "PID", perhaps a thread group "(TGID)", then the CPU. */
static const char *parse_pid(const char *p, struct text_line *ret, bool *ret_unit)
{
	uint64_t pid;

	p = number(p, INT32_MAX, &pid);
	if (!p || *p != ' ')
		return NULL;
	ret->pid = (int)pid;
	p = skip_space(p);
	if (*p == '(') {
		p = strchr(p, ')');
		if (!p)
			return NULL;
		p = skip_space(p + 1);
	}
	return parse_cpu(p, ret, ret_unit);
}

static enum line_kind parse_name(const char *p, struct text_line *ret)
{
	size_t len = 0;

	p = skip_space(p);
	while (isalnum((unsigned char)p[len]) || p[len] == '_' || p[len] == '.')
		len++;
	if (!len || p[len] != ':' || len >= sizeof(ret->name))
		return LINE_OTHER;
	memcpy(ret->name, p, len);
	ret->name[len] = '\0';
	ret->rest = skip_space(p + len + 1);
	return LINE_EVENT;
}

/* "CPU:N [LOST M EVENTS]", "CPU:N [LOST EVENTS]", and report's "[M EVENTS DROPPED]". */
static bool parse_lost(const char *p, struct text_line *ret)
{
	const char *digits;
	uint64_t cpu;

	if (strncmp(p, "CPU:", 4))
		return false;
	p = number(p + 4, CPUS_MAX, &cpu);
	if (!p)
		return false;
	p = skip_space(p);
	if (*p != '[' || !strstr(p, "EVENTS") || (!strstr(p, "LOST") && !strstr(p, "DROPPED")))
		return false;
	ret->cpu = (int)cpu;
	digits = strpbrk(p, "0123456789");
	ret->lost = digits ? strtoull(digits, NULL, 10) : 0;
	return true;
}

static bool is_header(const char *p)
{
	static const char *const starts[] = { "#", "cpus=", "version", "CPU ", "trace.dat", "=> " };

	if (!*p)
		return true;
	for (size_t i = 0; i < ARRAY_LEN(starts); i++)
		if (!strncmp(p, starts[i], strlen(starts[i])))
			return true;
	return false;
}

enum line_kind text_parse(const char *line, struct text_line *ret)
{
	const char *start = skip_space(line), *dash, *p;
	bool unit;

	memset(ret, 0, sizeof(*ret));
	if (parse_lost(start, ret))
		return LINE_LOST;
	/* A task's name may hold anything, dashes too: the first that leads to a time is the one.
	 */
	for (dash = strchr(start, '-'); dash; dash = strchr(dash + 1, '-')) {
		p = parse_pid(dash + 1, ret, &unit);
		if (p)
			return unit ? parse_name(p, ret) : LINE_NO_UNIT;
	}
	return is_header(start) ? LINE_HEADER : LINE_BAD;
}

void text_header(const char *line, uint64_t *ret_overwritten, int *ret_cpus)
{
	const char *entries = strstr(line, "entries-in-buffer/entries-written:");
	const char *cpus = strstr(line, "#P:");
	uint64_t held, written, nr;

	if (entries) {
		const char *p =
			number(skip_space(strchr(entries, ':') + 1), UINT64_MAX / 20, &held);

		if (p && *p == '/' && number(p + 1, UINT64_MAX / 20, &written) && written > held)
			*ret_overwritten = written - held;
	}
	if (cpus && number(cpus + 3, CPUS_MAX + 1, &nr))
		*ret_cpus = (int)nr;
	else if (!strncmp(line, "cpus=", 5) && number(line + 5, CPUS_MAX + 1, &nr))
		*ret_cpus = (int)nr;
}

uint32_t text_context(const struct text_line *line, unsigned int column)
{
	if (!line->flags || column >= line->nr_flags)
		return 0;
	switch (line->flags[column]) {
	case 'Z':
		return CTX_NMI | CTX_HARDIRQ;
	case 'z':
		return CTX_NMI;
	case 'H':
		return CTX_HARDIRQ | CTX_SOFTIRQ;
	case 'h':
		return CTX_HARDIRQ;
	case 's':
		return CTX_SOFTIRQ;
	default:
		return 0;
	}
}
