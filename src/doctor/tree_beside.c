// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel log and the registers of a tree: from the live machine or from texts beside it. */
#include "base/array.h"
#include "doctor/registers.h"
#include "doctor/tree_internal.h"
#include "host/machine_state.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char tells_log[] = "why drivers were refused and what the kernel saw throttled";
static const char tells_msr[] = "what the firmware locked or switched off, and what limits now";

/* ---- kernel log ------------------------------------------------------------------------ */

int tree_dmesg(struct tree *tree, const char **ret, size_t *ret_len)
{
	if (tree->dmesg_code > 0 && !tree->dmesg.text) {
		tree->dmesg_code = host_kernel_log(&tree->dmesg.text, &tree->dmesg.len);
		if (tree->dmesg_code)
			tree_note_text(tree, "/dev/kmsg", tells_log, tree->dmesg_code);
	}
	if (!tree->dmesg.text)
		return tree->dmesg_code;
	*ret = tree->dmesg.text;
	*ret_len = tree->dmesg.len;
	return 0;
}

int tree_dmesg_line(struct tree *tree, const char *needle, char *buf, size_t size)
{
	const char *text, *end, *hit;
	size_t len;
	int code = tree_dmesg(tree, &text, &len), n;

	if (code)
		return code;
	end = text + len;
	hit = memmem(text, len, needle, strlen(needle));
	if (!hit)
		return -ENODATA;
	while (hit > text && hit[-1] != '\n')
		hit--;
	for (n = 0; hit + n < end && hit[n] != '\n' && n + 1 < (int)size; n++)
		buf[n] = isprint((unsigned char)hit[n]) || hit[n] == '\t' ? hit[n] : '?';
	buf[n] = '\0';
	return n;
}

/* ---- registers ------------------------------------------------------------------------- */

struct msr_value {
	uint32_t reg;
	int cpu;
	uint64_t value;
};

enum { MSR_VALUES_MAX = 1 << 20 };

static int add_value(struct tree *tree, uint32_t reg, int cpu, uint64_t value)
{
	struct msr_value *values;

	if (tree->nr_msrs >= MSR_VALUES_MAX)
		return -EFBIG;
	values = array_grow(tree->msrs, tree->nr_msrs, sizeof(*values));
	if (!values)
		return -ENOMEM;
	tree->msrs = values;
	values[tree->nr_msrs++] = (struct msr_value){ reg, cpu, value };
	return 0;
}

/* A number that ends at stop; *at moves behind stop. */
static bool take_number(
	const char **at, int base, char stop, unsigned long long max, unsigned long long *ret)
{
	char *end;

	if (!isxdigit((unsigned char)**at))
		return false;
	errno = 0;
	*ret = strtoull(*at, &end, base);
	if (errno || end == *at || *ret > max || (stop && *end != stop))
		return false;
	*at = end + (stop != 0);
	return true;
}

/* "REG:CPU|VALUE[ CPU|VALUE]...", all hexadecimal but the CPU. */
static int take_msr_line(struct tree *tree, const char *line)
{
	unsigned long long reg, cpu, value;
	const char *at = line;
	int code = 0;

	if (!take_number(&at, 16, ':', UINT32_MAX, &reg))
		return -EINVAL;
	while (!code && *at) {
		if (!take_number(&at, 10, '|', 65535, &cpu) ||
			!take_number(&at, 16, 0, UINT64_MAX, &value) ||
			(*at && !isspace((unsigned char)*at)))
			return -EINVAL;
		code = add_value(tree, reg, cpu, value);
		while (isspace((unsigned char)*at))
			at++;
	}
	return code;
}

static int compare_values(const void *a, const void *b)
{
	const struct msr_value *x = a, *y = b;

	if (x->reg != y->reg)
		return x->reg < y->reg ? -1 : 1;
	return (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

/* The text is cut into lines in place. */
int tree_take_msrs(struct tree *tree)
{
	char *next = tree->msr.text, *line;

	for (int nr = 1; next && (line = strsep(&next, "\n")); nr++) {
		char name[32];
		int code;

		line += strspn(line, " \t\r");
		if (!*line || *line == '#')
			continue;
		code = take_msr_line(tree, line);
		if (code == -ENOMEM)
			return code;
		snprintf(name, sizeof(name), "msr.txt:%d", nr);
		if (code)
			tree_note_text(tree, name, tells_msr, code);
	}
	if (tree->nr_msrs)
		qsort(tree->msrs, tree->nr_msrs, sizeof(*tree->msrs), compare_values);
	return 0;
}

static int live_msr(struct tree *tree, int cpu, uint32_t reg, uint64_t *ret)
{
	if (tree->msr_fd >= 0 && tree->msr_cpu != cpu) {
		close(tree->msr_fd);
		tree->msr_fd = -1;
	}
	if (tree->msr_code)
		return tree->msr_code;
	if (tree->msr_fd < 0) {
		tree->msr_fd = host_msr_open(cpu);
		tree->msr_cpu = cpu;
	}
	if (tree->msr_fd >= 0)
		return host_msr(tree->msr_fd, reg, ret);
	/* No right for one is no right for all; a CPU that is offline says nothing of others. */
	if (tree->msr_fd == -EACCES || tree->msr_fd == -EPERM) {
		tree->msr_code = tree->msr_fd;
		tree_note_text(tree, "/dev/cpu/*/msr", tells_msr, tree->msr_code);
	}
	return tree->msr_fd;
}

int tree_msr(struct tree *tree, int cpu, uint32_t reg, uint64_t *ret)
{
	const struct msr_value key = { .reg = reg, .cpu = cpu }, *found = NULL;

	assert(register_is_listed(reg));
	if (tree->nr_msrs)
		found = bsearch(&key, tree->msrs, tree->nr_msrs, sizeof(key), compare_values);
	if (found) {
		*ret = found->value;
		return 0;
	}
	return tree->live && !tree->nr_msrs ? live_msr(tree, cpu, reg, ret) : -ENOENT;
}
