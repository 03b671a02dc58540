// SPDX-License-Identifier: GPL-2.0-or-later
#include "machine/topology.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Where CPU n sits, in the way that firmware of this kind of machine numbers its CPUs. */
static void place(struct machine_cpu *cpu, const struct doc_topology *t, int n)
{
	int cores = t->packages * t->cores_per_package;

	if (!strcmp(t->numbering, "threads-adjacent")) {
		cpu->core = n / t->threads_per_core;
		cpu->thread = n % t->threads_per_core;
	} else {
		int k = n % cores;

		cpu->thread = n / cores;
		cpu->core = k;
		if (!strcmp(t->numbering, "packages-alternate"))
			cpu->core = k % t->packages * t->cores_per_package + k / t->packages;
	}
	cpu->package = cpu->core / t->cores_per_package;
	cpu->llc = cpu->core / t->cores_per_llc;
	cpu->node = cpu->core / (t->cores_per_package / t->nodes_per_package);
	cpu->online = true;
}

void topology_build(struct machine *m, const struct doc_topology *t)
{
	m->nr_packages = t->packages;
	m->nr_cores = t->packages * t->cores_per_package;
	m->nr_llcs = m->nr_cores / t->cores_per_llc;
	m->nr_cpus = m->nr_cores * t->threads_per_core;
	memset(m->cpus, 0, sizeof(m->cpus));
	for (int n = 0; n < m->nr_cpus; n++)
		place(&m->cpus[n], t, n);
}

int topology_set_cpus(
	struct machine *m, struct doc_topology *t, const char *value, struct error *err)
{
	unsigned long long n, unit = (unsigned long long)t->packages * t->threads_per_core;
	int r;

	r = parse_u64(value, 1, CPUS_MAX, "cpus", &n, err);
	if (r)
		return r;
	if (n > (unsigned long long)m->nr_cpus) {
		bool one_llc = t->cores_per_llc == t->cores_per_package;

		if (n % unit)
			return error_set(err, EINVAL,
				"cpus: '%s', expected at most %d, or a multiple of %llu to grow",
				value, m->nr_cpus, unit);
		if (!one_llc || t->nodes_per_package != 1)
			return error_set(err, EINVAL,
				"cpus: '%s', expected at most %d: packages of several cache "
				"domains or nodes do not grow",
				value, m->nr_cpus);
		t->cores_per_package = t->cores_per_llc = n / unit;
		topology_build(m, t);
	}
	for (int i = n; i < m->nr_cpus; i++)
		m->cpus[i].online = false;
	return 0;
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
