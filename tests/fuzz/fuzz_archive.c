// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Archives with a machine in them. One that is refused says why in one line; in one that is not,
 * every file that may be read can be asked for, links or not, and nothing outside is reached.
 */
#include "doctor/tree.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_some(struct tree *tree)
{
	static const char *const files[] = {
		"/proc/cpuinfo",
		"/proc/version",
		"/sys/class/dmi/id/sys_vendor",
		"/sys/devices/system/cpu/present",
		"/sys/devices/system/cpu/cpu0/online",
		"/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver",
		"/sys/devices/system/cpu/cpufreq/policy0/scaling_driver",
		"/sys/class/powercap/intel-rapl:0:0/name",
	};
	char buf[4096];

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		int len = tree_read(tree, buf, sizeof(buf), "%s", files[i]);

		if (len >= 0)
			assert(strlen(buf) == (size_t)len);
		tree_exists(tree, "%s", files[i]);
	}
}

static void list_some(struct tree *tree)
{
	static const char *const folders[] = {
		"/sys/devices/system/cpu",
		"/sys/devices/system/cpu/cpu0",
		"/sys/class/powercap",
		"/etc/tlp.d",
	};

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
		struct tree_names names;

		if (tree_list(tree, &names, "%s", folders[i]))
			continue;
		for (size_t k = 0; k < names.nr; k++)
			assert(*names.name[k] && !strchr(names.name[k], '/'));
		tree_names_release(&names);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = memfd_create("archive", MFD_CLOEXEC);
	struct tree_sources from = { 0 };
	struct error err = { "" };
	struct tree *tree;
	char name[32];

	if (fd < 0 || write(fd, data, size) != (ssize_t)size || lseek(fd, 0, SEEK_SET))
		abort();
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	from.where = name;
	if (tree_open(&from, &tree, &err)) {
		assert(*err.text && !strchr(err.text, '\n'));
	} else {
		const char *log;
		uint64_t value;
		size_t len;

		read_some(tree);
		list_some(tree);
		tree_dmesg(tree, &log, &len);
		tree_msr(tree, 0, 0x1aa, &value);
		tree_free(tree);
	}
	close(fd);
	return 0;
}
