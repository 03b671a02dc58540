// SPDX-License-Identifier: GPL-2.0-or-later
#include "doctor/facts_internal.h"
#include "policy/registry.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool text_is(const struct text *t, const char *word)
{
	return t->state == VALUE_GOOD && !strcmp(t->s, word);
}

bool cpu_numbers_has(const struct cpu_numbers *set, int cpu)
{
	return cpu >= 0 && cpu < CPU_NUMBERS_MAX && set->word[cpu / 64] >> cpu % 64 & 1;
}

static enum value_state state_of(int code, int *error)
{
	*error = 0;
	if (code == -ENOENT || code == -ENOTDIR)
		return VALUE_ABSENT;
	if (code == -EINVAL || code == -EILSEQ || code == -ERANGE || code == -EFBIG)
		return VALUE_BAD;
	if (code < 0) {
		*error = -code;
		return VALUE_UNREADABLE;
	}
	return VALUE_GOOD;
}

/* What stands at a path. */
static enum value_state read_path(
	struct tree *tree, char *buf, size_t size, int *error, const char *fmt, va_list ap)
{
	char path[128];
	enum value_state state;
	int len;

	vsnprintf(path, sizeof(path), fmt, ap);
	len = tree_read(tree, buf, size, "%s", path);
	state = state_of(len, error);
	return state == VALUE_GOOD && !len ? VALUE_EMPTY : state;
}

void read_value(struct tree *tree, struct value *ret, const char *fmt, ...)
{
	char buf[64], *end;
	va_list ap;

	*ret = (struct value){ 0 };
	va_start(ap, fmt);
	ret->state = read_path(tree, buf, sizeof(buf), &ret->error, fmt, ap);
	va_end(ap);
	if (ret->state != VALUE_GOOD)
		return;
	errno = 0;
	ret->number = strtoll(buf, &end, 10);
	if (end == buf || *end || errno)
		ret->state = VALUE_BAD;
}

void read_text(struct tree *tree, struct text *ret, const char *fmt, ...)
{
	char buf[256];
	va_list ap;

	*ret = (struct text){ 0 };
	va_start(ap, fmt);
	ret->state = read_path(tree, buf, sizeof(buf), &ret->error, fmt, ap);
	va_end(ap);
	if (ret->state != VALUE_GOOD)
		return;
	buf[strcspn(buf, "\n")] = '\0';
	snprintf(ret->s, sizeof(ret->s), "%s", buf);
}

static void set_cpu(struct cpu_numbers *set, long cpu)
{
	if (cpu < 0 || cpu >= CPU_NUMBERS_MAX || cpu_numbers_has(set, (int)cpu))
		return;
	set->word[cpu / 64] |= 1ULL << cpu % 64;
	set->nr++;
}

void cpu_numbers_parse(const char *text, struct cpu_numbers *ret)
{
	memset(ret, 0, sizeof(*ret));
	while (*text) {
		char *end;
		long first = strtol(text, &end, 10), last = first;

		if (end == text || first < 0)
			return;
		if (*end == '-') {
			text = end + 1;
			last = strtol(text, &end, 10);
			if (end == text)
				return;
		}
		ret->known = true;
		for (long c = first; c <= last && c < CPU_NUMBERS_MAX; c++)
			set_cpu(ret, c);
		text = *end == ',' ? end + 1 : end + strcspn(end, ",");
	}
}

void read_cpus(struct tree *tree, struct cpu_numbers *ret, const char *path)
{
	char buf[4096];

	memset(ret, 0, sizeof(*ret));
	if (tree_read(tree, buf, sizeof(buf), "%s", path) > 0)
		cpu_numbers_parse(buf, ret);
}

int number_after(const char *name, const char *prefix)
{
	size_t len = strlen(prefix);
	char *end;
	long n;

	if (strncmp(name, prefix, len) || name[len] < '0' || name[len] > '9')
		return -1;
	n = strtol(name + len, &end, 10);
	return *end || n > 99999 ? -1 : (int)n;
}

bool facts_msr(const struct facts *f, uint32_t reg, int *ret_cpu, uint64_t *ret)
{
	int last = f->present.known ? f->present.nr : 8;

	/* Captures often hold one CPU's registers only; it is among the first. */
	for (int cpu = 0; cpu < last && cpu < 64; cpu++) {
		int code = tree_msr(f->tree, cpu, reg, ret);

		if (!code) {
			*ret_cpu = cpu;
			return true;
		}
		if (tree_is_live(f->tree))
			return false;
	}
	return false;
}

bool facts_flag(const struct facts *f, const char *flag)
{
	size_t len = strlen(flag);
	const char *at = f->flags;

	while (at && (at = strstr(at, flag))) {
		bool begins = at == f->flags || at[-1] == ' ';

		if (begins && (!at[len] || at[len] == ' '))
			return true;
		at += len;
	}
	return false;
}

bool facts_param(const struct facts *f, const char *key, char *buf, size_t size)
{
	size_t len = strlen(key);
	const char *s = f->cmdline;
	bool found = false;

	while (s && *s) {
		size_t word;

		s += strspn(s, " \t\n");
		word = strcspn(s, " \t\n");
		if (word >= len && !strncmp(s, key, len) && (word == len || s[len] == '=')) {
			found = true;
			snprintf(buf, size, "%.*s", word > len ? (int)(word - len - 1) : 0,
				s + len + (word > len));
		}
		s += word;
	}
	return found;
}

int64_t kernel_number(int major, int minor, int sub)
{
	return (int64_t)KERNEL(major, minor) * 1000 + sub;
}

bool facts_kernel_in(const struct facts *f, int64_t from, int64_t to)
{
	int64_t n = (int64_t)f->kernel.version * 1000 + (f->kernel.sub > 0 ? f->kernel.sub : 0);

	return f->kernel.known && n >= from && n < to;
}

bool facts_log(const struct facts *f, const char *needle, char *buf, size_t size)
{
	return tree_dmesg_line(f->tree, needle, buf, size) > 0;
}

int facts_gather(struct tree *tree, struct facts *f, struct error *err)
{
	int r;

	memset(f, 0, sizeof(*f));
	f->tree = tree;
	r = read_cpu_facts(f);
	if (!r)
		r = read_frequency_facts(f);
	if (!r)
		r = read_cppc_facts(f);
	if (r) {
		facts_drop(f);
		return error_set(err, ENOMEM, "%s: out of memory", tree_name(tree));
	}
	read_idle_facts(f);
	read_power_facts(f);
	read_platform_facts(f);
	read_acpi_facts(f);
	read_tool_facts(f);
	fill_select_facts(f);
	return 0;
}

void facts_drop(struct facts *f)
{
	free(f->cmdline);
	free(f->flags);
	free(f->policies);
	free(f->cppc);
	f->cmdline = f->flags = NULL;
	f->policies = NULL;
	f->cppc = NULL;
}
