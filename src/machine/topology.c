// SPDX-License-Identifier: GPL-2.0-or-later
#include "machine/topology.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct shape {
	int packages, cores, threads; /* cores of a package, threads of a core */
};

static struct shape shape(const struct doc_topology *t)
{
	return (struct shape){ (int)t->packages.value, (int)t->cores_per_package.value,
		(int)t->threads_per_core.value };
}

/* Where CPU n sits, in the way that firmware of this kind of machine numbers its CPUs. */
static void place(struct machine_cpu *cpu, const struct doc_topology *t, int n)
{
	const struct shape s = shape(t);
	int cores = s.packages * s.cores;

	if (!strcmp(t->numbering, "threads-adjacent")) {
		cpu->core = n / s.threads;
		cpu->thread = n % s.threads;
	} else {
		int k = n % cores;

		cpu->thread = n / cores;
		cpu->core = k;
		if (!strcmp(t->numbering, "packages-alternate"))
			cpu->core = k % s.packages * s.cores + k / s.packages;
	}
	cpu->package = cpu->core / s.cores;
	cpu->llc = cpu->core / (int)t->cores_per_llc.value;
	cpu->node = cpu->core / (s.cores / (int)t->nodes_per_package.value);
	cpu->online = true;
}

void topology_build(struct machine *m, const struct doc_topology *t)
{
	const struct shape s = shape(t);

	m->nr_packages = s.packages;
	m->nr_cores = s.packages * s.cores;
	m->nr_llcs = m->nr_cores / (int)t->cores_per_llc.value;
	m->nr_cpus = m->nr_cores * s.threads;
	memset(m->cpus, 0, sizeof(m->cpus));
	for (int n = 0; n < m->nr_cpus; n++)
		place(&m->cpus[n], t, n);
}

/* Each package gets as many cores as nr CPUs in all need. */
static int grow(struct machine *m, struct doc_topology *t, int nr, struct error *err)
{
	int unit = (int)(t->packages.value * t->threads_per_core.value);

	if (nr % unit)
		return error_set(err, EINVAL,
			"cpus: '%d', expected at most %d, or a multiple of %d to grow", nr,
			m->nr_cpus, unit);
	if (t->cores_per_llc.value != t->cores_per_package.value || t->nodes_per_package.value != 1)
		return error_set(err, EINVAL,
			"cpus: '%d', expected at most %d: packages of several cache domains or "
			"nodes do not grow",
			nr, m->nr_cpus);
	t->cores_per_package.value = t->cores_per_llc.value = nr / unit;
	topology_build(m, t);
	return 0;
}

int topology_set_cpus(
	struct machine *m, struct doc_topology *t, const char *value, struct error *err)
{
	unsigned long long n;
	int r = parse_u64(value, 1, CPUS_MAX, "cpus", &n, err);

	if (!r && n > (unsigned long long)m->nr_cpus)
		r = grow(m, t, (int)n, err);
	for (int i = (int)n; i < m->nr_cpus && !r; i++)
		m->cpus[i].online = false;
	return r;
}

static void all_offline(struct machine *m)
{
	for (int i = 0; i < m->nr_cpus; i++)
		m->cpus[i].online = false;
}

static int set_list(struct machine *m, const char *value, struct error *err)
{
	const char *p = value;

	all_offline(m);
	do {
		unsigned long first, last;
		char *end;

		if (!isdigit((unsigned char)*p))
			break;
		first = last = strtoul(p, &end, 10);
		if (*end == '-' && isdigit((unsigned char)end[1]))
			last = strtoul(end + 1, &end, 10);
		if (first > last || last >= (unsigned long)m->nr_cpus)
			return error_set(err, EINVAL, "online: '%s', expected CPUs from 0 to %d",
				value, m->nr_cpus - 1);
		for (unsigned long i = first; i <= last; i++)
			m->cpus[i].online = true;
		p = end;
		if (!*p)
			return 0;
	} while (*p++ == ',');
	return error_set(
		err, EINVAL, "online: '%s', expected a list such as 0-3,6 or N01/30", value);
}

/* Brings the threads-th CPUs of a node online until left is used up. */
static int node_online(struct machine *m, int node, int thread, int left)
{
	for (int i = 0; i < m->nr_cpus && left; i++) {
		if (m->cpus[i].node != node || m->cpus[i].thread != thread)
			continue;
		m->cpus[i].online = true;
		left--;
	}
	return left;
}

static int set_nodes(struct machine *m, const char *value, struct error *err)
{
	const char *nodes = value + 1, *slash = strchr(value, '/');
	int nr_nodes = 0, nr = slash ? (int)(slash - nodes) : 0, left;
	unsigned long long count;
	int r;

	for (int i = 0; i < m->nr_cpus; i++)
		if (m->cpus[i].node >= nr_nodes)
			nr_nodes = m->cpus[i].node + 1;
	if (nr < 1)
		return error_set(err, EINVAL, "online: '%s', expected NODES/COUNT after N", value);
	for (int i = 0; i < nr; i++)
		if (!isdigit((unsigned char)nodes[i]) || nodes[i] - '0' >= nr_nodes ||
			(i && nodes[i] <= nodes[i - 1]))
			return error_set(err, EINVAL,
				"online: '%s', expected ascending node digits from 0 to %d", value,
				nr_nodes - 1);
	r = parse_u64(slash + 1, 1, m->nr_cpus, "online: COUNT", &count, err);
	if (r)
		return r;
	left = count;
	all_offline(m);
	for (int i = 0; i < nr; i++)
		left = node_online(m, nodes[i] - '0', 0, left);
	for (int thread = 1; thread < THREADS_MAX; thread++)
		for (int i = nr - 1; i >= 0; i--)
			left = node_online(m, nodes[i] - '0', thread, left);
	if (left)
		return error_set(err, EINVAL,
			"online: '%s', expected at most %llu CPUs of these nodes", value,
			count - left);
	return 0;
}

int topology_set_online(struct machine *m, const char *value, struct error *err)
{
	return *value == 'N' ? set_nodes(m, value, err) : set_list(m, value, err);
}
