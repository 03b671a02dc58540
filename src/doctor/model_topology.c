// SPDX-License-Identifier: GPL-2.0-or-later
/* Packages, cores, threads, caches and nodes: from /proc/cpuinfo, and sysfs where that is silent.
 */
#include "doctor/model.h"
#include "doctor/facts_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* -1: not told. */
struct place {
	int cpu, package, die, core;
};

struct places {
	int nr;
	struct place cpu[CPUS_MAX];
};

static int number_in(struct tree *tree, int cpu, const char *file)
{
	int64_t value;

	if (tree_read_number(tree, &value, CPU_DIR "/cpu%d/topology/%s", cpu, file) || value < 0 ||
		value > INT32_MAX)
		return -1;
	return (int)value;
}

static struct place *add_place(struct places *p, int cpu)
{
	if (p->nr == CPUS_MAX)
		return NULL;
	p->cpu[p->nr] = (struct place){ cpu, -1, -1, -1 };
	return &p->cpu[p->nr++];
}

/* "key : value" of one CPU. */
static int take_line(struct places *p, const char *line)
{
	const char *colon = strchr(line, ':');
	struct place *last = p->nr ? &p->cpu[p->nr - 1] : NULL;
	int value = colon ? atoi(colon + 1) : -1;

	if (!colon)
		return 0;
	if (!strncmp(line, "processor\t", 10))
		return add_place(p, value) ? 0 : -EOVERFLOW;
	if (last && !strncmp(line, "physical id\t", 12))
		last->package = value;
	if (last && !strncmp(line, "core id\t", 8))
		last->core = value;
	return 0;
}

static int from_cpuinfo(struct tree *tree, struct places *p)
{
	char *text, *next, *line;
	size_t len;
	int code = 0;

	if (tree_read_all(tree, "/proc/cpuinfo", &text, &len))
		return 0;
	next = text;
	while (!code && (line = strsep(&next, "\n")))
		code = take_line(p, line);
	free(text);
	return code;
}

static int from_online(const struct facts *facts, struct places *p)
{
	const struct cpu_numbers *set = facts->online.known ? &facts->online : &facts->present;

	for (int cpu = 0; cpu < CPU_NUMBERS_MAX; cpu++) {
		if (cpu_numbers_has(set, cpu) && !add_place(p, cpu))
			return -EOVERFLOW;
	}
	return 0;
}

static void complete(struct tree *tree, struct places *p)
{
	for (int i = 0; i < p->nr; i++) {
		struct place *at = &p->cpu[i];

		at->die = number_in(tree, at->cpu, "die_id");
		if (at->package < 0)
			at->package = number_in(tree, at->cpu, "physical_package_id");
		if (at->core < 0)
			at->core = number_in(tree, at->cpu, "core_id");
		if (at->package < 0)
			at->package = 0;
		if (at->core < 0)
			at->core = at->cpu;
	}
}

static bool same_core(const struct place *a, const struct place *b)
{
	return a->package == b->package && a->die == b->die && a->core == b->core;
}

static void count(const struct places *p, int *ret_packages, int *ret_cores)
{
	*ret_packages = *ret_cores = 0;
	for (int i = 0; i < p->nr; i++) {
		bool package = true, core = true;

		for (int k = 0; k < i; k++) {
			package &= p->cpu[k].package != p->cpu[i].package;
			core &= !same_core(&p->cpu[k], &p->cpu[i]);
		}
		*ret_packages += package;
		*ret_cores += core;
	}
}

static void set_shape(struct model *m, const struct places *p)
{
	int packages, cores;

	count(p, &packages, &cores);
	m->packages = packages;
	m->cores = cores / packages;
	m->threads = p->nr / cores;
	m->numbering = "threads-last";
	if (p->nr > 1 && same_core(&p->cpu[0], &p->cpu[1]))
		m->numbering = "threads-adjacent";
	else if (p->nr > 1 && p->cpu[0].package != p->cpu[1].package)
		m->numbering = "packages-alternate";
	if (packages <= PACKAGES_MAX && m->threads <= THREADS_MAX &&
		packages * m->cores * m->threads == p->nr)
		return;
	m->irregular = true;
	m->packages = packages <= PACKAGES_MAX && p->nr % packages == 0 ? packages : 1;
	m->cores = p->nr / m->packages;
	m->threads = 1;
	m->numbering = "threads-last";
	model_note(m, "%d CPUs on %d cores are no regular machine: each CPU is a core of the model",
		p->nr, cores);
}

/* CPUs that share the first one's last cache level, 0: not told. */
static int shared_cpus(struct tree *tree, int cpu)
{
	struct cpu_numbers set = { 0 };
	struct tree_names names;
	char list[4096];

	if (tree_list(tree, &names, CPU_DIR "/cpu%d/cache", cpu))
		return 0;
	for (size_t i = names.nr; i-- > 0;) {
		int index = number_after(names.name[i], "index");

		if (index < 0)
			continue;
		if (tree_read(tree, list, sizeof(list),
			    CPU_DIR "/cpu%d/cache/index%d/shared_cpu_list", cpu, index) > 0)
			cpu_numbers_parse(list, &set);
		break;
	}
	tree_names_release(&names);
	return set.nr;
}

static int nodes_with_cpus(struct tree *tree)
{
	struct tree_names names;
	int nr = 0;

	if (tree_list(tree, &names, "/sys/devices/system/node"))
		return 0;
	for (size_t i = 0; i < names.nr; i++) {
		int node = number_after(names.name[i], "node");
		char list[4096];

		if (node >= 0 && tree_read(tree, list, sizeof(list),
					 "/sys/devices/system/node/node%d/cpulist", node) > 0)
			nr++;
	}
	tree_names_release(&names);
	return nr;
}

static void set_domains(struct tree *tree, struct model *m, int first_cpu)
{
	int llc = shared_cpus(tree, first_cpu) / m->threads, nodes = nodes_with_cpus(tree);

	m->cores_per_llc = llc > 0 && llc <= m->cores && m->cores % llc == 0 ? llc : m->cores;
	nodes /= m->packages;
	m->nodes_per_package = nodes > 0 && m->cores % nodes == 0 ? nodes : 1;
}

int model_read_topology(struct tree *tree, struct model *m, struct error *err)
{
	struct places *p = calloc(1, sizeof(*p));
	int code;

	if (!p)
		return error_set(err, ENOMEM, "out of memory");
	code = from_cpuinfo(tree, p);
	if (!code && !p->nr)
		code = from_online(m->facts, p);
	if (code)
		code = error_set(
			err, EOVERFLOW, "%s: more than %d CPUs", tree_name(tree), CPUS_MAX);
	else if (!p->nr)
		code = error_set(err, ENODATA,
			"%s: neither /proc/cpuinfo nor the online CPUs tell of any CPU",
			tree_name(tree));
	if (!code) {
		complete(tree, p);
		set_shape(m, p);
		set_domains(tree, m, p->cpu[0].cpu);
		if (m->facts->present.nr > p->nr)
			model_note(m, "%d CPUs that are not online are left out",
				m->facts->present.nr - p->nr);
	}
	free(p);
	return code;
}
