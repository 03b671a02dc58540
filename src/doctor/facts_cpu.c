// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel and its command line; the processor by /proc/cpuinfo; which CPUs there are. */
#include "doctor/facts_internal.h"
#include "base/units.h"
#include "policy/registry.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "6.11.0-rc1-foo" */
static bool parse_release(const char *text, struct kernel_facts *k)
{
	int major, minor, sub = -1, n = 0;
	const char *rc;

	if (sscanf(text, "%d.%d%n", &major, &minor, &n) < 2 || major < 1 || major > 98 ||
		minor < 0 || minor > 999)
		return false;
	if (text[n] == '.' && (sscanf(text + n, ".%d", &sub) < 1 || sub < 0 || sub > 999))
		sub = -1;
	k->known = true;
	k->version = KERNEL(major, minor);
	k->sub = sub;
	snprintf(k->release, sizeof(k->release), "%.*s", (int)strcspn(text, " \t\n"), text);
	rc = strstr(k->release, "-rc");
	if (rc)
		k->rc = atoi(rc + 3);
	return true;
}

static void read_load(struct facts *f)
{
	char buf[128];
	double load;

	f->load_percent = -1;
	if (tree_read(f->tree, buf, sizeof(buf), "/proc/loadavg") <= 0 ||
		sscanf(buf, "%lf", &load) != 1 || load < 0 || load > 1e6)
		return;
	if (f->online.nr || f->present.nr)
		f->load_percent =
			(int64_t)(100 * load / (f->online.nr ? f->online.nr : f->present.nr));
}

/* Which drivers the kernel's configuration has, and one that it leaves out. */
static void read_config(struct facts *f)
{
	static const struct {
		const char *option;
		int driver; /* -1: none of its own */
	} options[] = { { "CONFIG_X86_INTEL_PSTATE", SELECT_INTEL_PSTATE },
		{ "CONFIG_X86_AMD_PSTATE", SELECT_AMD_PSTATE },
		{ "CONFIG_X86_ACPI_CPUFREQ", SELECT_ACPI_CPUFREQ }, { "CONFIG_CPU_FREQ", -1 } };
	char path[128], line[64], *text;
	size_t len;

	snprintf(path, sizeof(path), "/boot/config-%.80s", f->kernel.release);
	if (!f->kernel.known || strchr(f->kernel.release, '/') ||
		tree_read_all(f->tree, path, &text, &len) < 0)
		return;
	for (size_t i = 0; i < ARRAY_LEN(options); i++) {
		enum built built = BUILT_UNKNOWN;

		snprintf(line, sizeof(line), "%s=y\n", options[i].option);
		if (strstr(text, line))
			built = BUILT_IN;
		snprintf(line, sizeof(line), "%s=m\n", options[i].option);
		if (strstr(text, line))
			built = BUILT_MODULE;
		snprintf(line, sizeof(line), "# %s is not set", options[i].option);
		if (strstr(text, line)) {
			built = BUILT_NOT;
			if (!*f->config)
				snprintf(f->config, sizeof(f->config), "%s", line);
		}
		if (options[i].driver >= 0 && built != BUILT_UNKNOWN)
			f->machine.built[options[i].driver] = built;
	}
	free(text);
}

static void read_kernel(struct facts *f)
{
	static const char prefix[] = "Linux version ";
	char buf[512];
	const char *at;

	if (tree_read(f->tree, buf, sizeof(buf), "/proc/version") > 0) {
		strcpy(f->kernel.path, "/proc/version");
		at = strstr(buf, prefix);
		if (parse_release(at ? at + strlen(prefix) : buf, &f->kernel))
			return;
	}
	if (tree_read(f->tree, buf, sizeof(buf), "/proc/sys/kernel/osrelease") > 0 &&
		parse_release(buf, &f->kernel)) {
		strcpy(f->kernel.path, "/proc/sys/kernel/osrelease");
		return;
	}
	if (facts_log(f, prefix, buf, sizeof(buf))) {
		at = strstr(buf, prefix);
		if (at && parse_release(at + strlen(prefix), &f->kernel))
			strcpy(f->kernel.path, "dmesg");
	}
}

/* The command line; the kernel also logs it. */
static void read_cmdline(struct facts *f)
{
	static const char *const logged[] = { "Kernel command line: ", "Command line: " };
	char buf[4096];

	if (tree_read(f->tree, buf, sizeof(buf), "/proc/cmdline") > 0) {
		f->cmdline = strdup(buf);
		return;
	}
	for (int i = 0; i < 2 && !f->cmdline; i++) {
		if (facts_log(f, logged[i], buf, sizeof(buf)))
			f->cmdline = strdup(strstr(buf, logged[i]) + strlen(logged[i]));
	}
}

/* The value of "key\t: value" when line begins with key, or NULL. */
static const char *field(const char *line, const char *key)
{
	size_t len = strlen(key);

	if (strncmp(line, key, len))
		return NULL;
	line += len;
	line += strspn(line, " \t");
	if (*line != ':')
		return NULL;
	return line + 1 + strspn(line + 1, " \t");
}

static void take_vendor(struct facts *f, const char *v)
{
	f->machine.vendor_known = *v;
	if (!strncmp(v, "GenuineIntel", 12))
		f->machine.vendor = VENDOR_INTEL;
	else if (!strncmp(v, "AuthenticAMD", 12) || !strncmp(v, "HygonGenuine", 12))
		f->machine.vendor = VENDOR_AMD;
}

static void take_line(struct facts *f, char *line)
{
	const char *v;

	if ((v = field(line, "vendor_id"))) {
		take_vendor(f, v);
	} else if ((v = field(line, "cpu family"))) {
		f->machine.family = atoi(v);
	} else if ((v = field(line, "model name"))) {
		snprintf(f->model_name, sizeof(f->model_name), "%s", v);
	} else if ((v = field(line, "model"))) {
		f->machine.model = atoi(v);
	} else if ((v = field(line, "stepping"))) {
		f->stepping = atoi(v);
	} else if ((v = field(line, "microcode"))) {
		snprintf(f->microcode, sizeof(f->microcode), "%s", v);
	} else if ((v = field(line, "cpu MHz"))) {
		f->cpu_mhz = (int64_t)atof(v);
	} else if ((v = field(line, "flags"))) {
		free(f->flags);
		f->flags = strdup(v);
	}
}

/* Only the first CPU's block; the last byte tells whether the file is whole. */
static void read_cpuinfo(struct facts *f)
{
	char *text, *line, *save = NULL;
	size_t len;

	f->stepping = -1;
	if (tree_read_all(f->tree, "/proc/cpuinfo", &text, &len) < 0)
		return;
	f->cpuinfo = true;
	f->cpuinfo_cut = !len || text[len - 1] != '\n';
	line = strstr(text, "\n\n");
	if (line)
		*line = '\0';
	f->cpuinfo_partial = f->cpuinfo_cut && !line;
	for (line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		take_line(f, line);
	free(text);
}

/* Where the list of online CPUs was not captured. */
static void find_offline(struct facts *f)
{
	struct tree_names names;

	f->offline_cpu = -1;
	if (f->online.known || tree_list(f->tree, &names, CPU_DIR) < 0)
		return;
	for (size_t i = 0; i < names.nr && f->offline_cpu < 0; i++) {
		int cpu = number_after(names.name[i], "cpu");
		struct value v;

		if (cpu < 0)
			continue;
		read_value(f->tree, &v, CPU_DIR "/cpu%d/online", cpu);
		if (good(v) && !v.number)
			f->offline_cpu = cpu;
	}
	tree_names_release(&names);
}

static void read_cpu_sets(struct facts *f)
{
	read_cpus(f->tree, &f->present, CPU_DIR "/present");
	read_cpus(f->tree, &f->online, CPU_DIR "/online");
	read_cpus(f->tree, &f->possible, CPU_DIR "/possible");
	read_cpus(f->tree, &f->p_cores, "/sys/devices/cpu_core/cpus");
	read_cpus(f->tree, &f->e_cores, "/sys/devices/cpu_atom/cpus");
	find_offline(f);
	read_text(f->tree, &f->smt_control, CPU_DIR "/smt/control");
	read_value(f->tree, &f->smt_active, CPU_DIR "/smt/active");
}

int read_cpu_facts(struct facts *f)
{
	read_kernel(f);
	read_cmdline(f);
	read_cpuinfo(f);
	read_cpu_sets(f);
	read_load(f);
	read_config(f);
	return 0;
}
