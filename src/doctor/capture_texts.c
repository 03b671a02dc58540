// SPDX-License-Identifier: GPL-2.0-or-later
#include "doctor/capture_texts.h"
#include "doctor/acpi.h"
#include "doctor/filter.h"
#include "doctor/registers.h"

#include <errno.h>
#include <inttypes.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CPU_NUMBERS = 8192, MISSING_CPUS = 8 };

/* Ends the text and adds it, unless it is empty. */
static int add_text(struct capture *capture, const char *name, FILE *f, char **text, size_t *len)
{
	if (fclose(f)) {
		free(*text);
		return -ENOMEM;
	}
	if (!*len) {
		free(*text);
		return 0;
	}
	return capture_add(capture, name, *text, *len, false);
}

static int add_log(struct tree *tree, struct capture *capture)
{
	const char *log;
	size_t len, kept_len;
	char *kept;

	if (tree_dmesg(tree, &log, &len))
		return 0;
	kept = filter_text(FILTER_LOG, log, len, &kept_len);
	return capture_add(capture, "dmesg.txt", kept, kept_len, false);
}

/*
 * One register of all CPUs in a line. Numbers may have gaps (offline); live, a register that the
 * first CPUs do not have is not asked for on all the others.
 */
static void print_register(struct tree *tree, uint32_t reg, int nr_cpus, FILE *f)
{
	uint64_t value;
	bool any = false;

	for (int cpu = 0, missing = 0; cpu < nr_cpus; cpu++) {
		if (tree_msr(tree, cpu, reg, &value)) {
			missing++;
			if (tree_is_live(tree) && !any && missing == MISSING_CPUS)
				return;
			continue;
		}
		if (any)
			fprintf(f, " ");
		else
			fprintf(f, "%" PRIx32 ":", reg);
		fprintf(f, "%d|%" PRIx64, cpu, value);
		any = true;
	}
	if (any)
		fprintf(f, "\n");
}

/* One more than the highest number of a CPU; of a capture, which may know more, of any. */
static int count_cpus(struct tree *tree)
{
	struct tree_names names;
	int nr = 1, n;

	if (!tree_is_live(tree))
		return CPU_NUMBERS;
	if (tree_list(tree, &names, "/sys/devices/system/cpu"))
		return nr;
	for (size_t i = 0; i < names.nr; i++) {
		if (sscanf(names.name[i], "cpu%d", &n) == 1 && n >= nr && n < CPU_NUMBERS)
			nr = n + 1;
	}
	tree_names_release(&names);
	return nr;
}

static int add_registers(struct tree *tree, struct capture *capture)
{
	int nr_cpus = count_cpus(tree);
	const uint32_t *regs;
	size_t nr, len = 0;
	char *text = NULL;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return -ENOMEM;
	regs = register_list(&nr);
	for (size_t i = 0; i < nr; i++)
		print_register(tree, regs[i], nr_cpus, f);
	return add_text(capture, "msr.txt", f, &text, &len);
}

static void print_tables(const struct acpi_tables *t, FILE *f)
{
	for (int i = 0; i < ACPI_OBJECTS; i++) {
		const struct acpi_found *found = &t->object[i];

		if (found->present)
			fprintf(f, "present %s\n",
				*found->path ? found->path : acpi_object_name(i));
		else if (found->absent)
			fprintf(f, "absent %s\n", acpi_object_name(i));
	}
	if (t->fadt_known)
		fprintf(f, "fadt_oem %s %s\n", t->oem_id, t->oem_table_id);
	if (t->pm_profile >= 0)
		fprintf(f, "pm_profile %d\n", t->pm_profile);
	for (int i = 0; i < t->nr_pss; i++)
		fprintf(f, "pss %u %u %u\n", t->pss[i].mhz, t->pss[i].mw, t->pss[i].latency_us);
	for (int i = 0; i < t->nr_cst; i++)
		fprintf(f, "cst %u %u %u\n", t->cst[i].type, t->cst[i].latency_us, t->cst[i].mw);
}

static int add_acpi(struct tree *tree, struct capture *capture)
{
	size_t len = 0;
	char *text = NULL;
	FILE *f = open_memstream(&text, &len);

	if (!f)
		return -ENOMEM;
	print_tables(tree_acpi(tree), f);
	return add_text(capture, "acpi.txt", f, &text, &len);
}

int capture_add_texts(struct tree *tree, struct capture *capture)
{
	int code = add_log(tree, capture);

	if (!code)
		code = add_registers(tree, capture);
	return code ? code : add_acpi(tree, capture);
}

/* The latency limit in force: reading the device gives four bytes, opening it adds no limit. */
int capture_read_special(struct tree *tree, const char *path, char **ret, size_t *ret_len)
{
	int32_t us;
	ssize_t n;
	int fd;

	if (!tree_is_live(tree) || strcmp(path, "/dev/cpu_dma_latency"))
		return -ENOSYS;
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	n = read(fd, &us, sizeof(us));
	close(fd);
	if (n != sizeof(us))
		return -EIO;
	n = asprintf(ret, "%" PRId32 "\n", us);
	if (n < 0)
		return -ENOMEM;
	*ret_len = (size_t)n;
	return 0;
}
