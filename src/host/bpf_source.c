// SPDX-License-Identifier: GPL-2.0-or-later
#include "host/bpf_source.h"
#include "host/instance.h"
#include "base/units.h"
#include "host/readfile.h"
#include "host/bpf/record_bpf.h"
#include "workload/cpu_list.h"

#include <bpf/bpf.h>
#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { PROGRAMS_MAX = 64, MARKERS_MAX = 1024, RING_KB_MIN = 64, RING_KB_MAX = 1 << 20 };

/* What libbpf's callback gets with each record. */
struct cpu_reader {
	struct bpf_source *source;
	struct bpf_spool spool;
};

struct bpf_source {
	struct source source; /* first: what the session gets */
	struct bpf_object *object;
	struct bpf_link *links[PROGRAMS_MAX];
	int nr_links;
	const char *missing[PROGRAMS_MAX + 1];
	int nr_missing;
	struct ring_buffer *buffer;
	uint64_t ring_kb;
	int nr_cpus; /* that may be there; only those online have a ring */
	uint64_t online[CPU_LIST_WORDS];
	struct cpu_reader *readers;
	struct bpf_spool **spools; /* those of the readers */
	uint64_t *lost_at_end;
	struct bpf_marker markers[MARKERS_MAX];
	int nr_markers;
	struct error error; /* of the callback, which has no other way */
	int status;
};

/* ---- loading --------------------------------------------------------------------------- */

static int silent(enum libbpf_print_level level, const char *format, va_list ap)
{
	return 0;
}

/* Whether the programs menu_* can be loaded: see there. */
static bool menu_can_be_asked(void)
{
	static const char *const names[] = { "cpuidle_devices", "menu_devices", "tick_cpu_device",
		"tick_cpu_sched", "runqueues" };
	enum { NAMES = sizeof(names) / sizeof(names[0]) };
	char text[512], name[256];
	bool found[NAMES] = { false };
	int nr = 0;
	FILE *symbols;

	if (host_read_text("", "/sys/devices/system/cpu/cpuidle/current_governor", text,
		    sizeof(text)) < 0 ||
		strcmp(text, "menu"))
		return false;
	symbols = fopen("/proc/kallsyms", "re");
	while (symbols && nr < NAMES && fgets(text, sizeof(text), symbols))
		if (sscanf(text, "%*s %*s %255s", name) == 1)
			for (int i = 0; i < NAMES; i++)
				if (!found[i] && !strcmp(name, names[i])) {
					found[i] = true;
					nr++;
				}
	if (symbols)
		fclose(symbols);
	return nr == NAMES;
}

/* Tracepoints that the kernel does not have are left out. */
static int choose_programs(struct bpf_source *s, struct error *err)
{
	struct btf *kernel = btf__load_vmlinux_btf();
	struct bpf_program *program;
	bool menu = menu_can_be_asked();

	if (!kernel)
		return error_set(
			err, ENOTSUP, "BPF: the kernel tells no types (CONFIG_DEBUG_INFO_BTF)");
	bpf_object__for_each_program(program, s->object)
	{
		const char *point = strchr(bpf_program__section_name(program), '/') + 1;
		char type[128];

		if (!menu && !strncmp(bpf_program__name(program), "menu_", 5)) {
			bpf_program__set_autoload(program, false);
			continue;
		}
		snprintf(type, sizeof(type), "btf_trace_%s", point);
		if (btf__find_by_name_kind(kernel, type, BTF_KIND_TYPEDEF) > 0)
			continue;
		bpf_program__set_autoload(program, false);
		if (s->nr_missing < PROGRAMS_MAX)
			s->missing[s->nr_missing++] = point;
	}
	btf__free(kernel);
	return 0;
}

/* .bss holds nothing but `recording`. */
static int set_recording(struct bpf_source *s, int on, struct error *err)
{
	struct bpf_map *map = bpf_object__find_map_by_name(s->object, ".bss");
	uint32_t zero = 0;

	if (!map || bpf_map__value_size(map) != sizeof(on) ||
		bpf_map_update_elem(bpf_map__fd(map), &zero, &on, BPF_ANY))
		return error_set(err, EIO, "BPF: recording cannot be switched");
	return 0;
}

/* .rodata holds nothing but half_bytes. */
static int set_half_bytes(struct bpf_source *s, struct error *err)
{
	struct bpf_map *map = bpf_object__find_map_by_name(s->object, ".rodata");
	uint64_t half = s->ring_kb * 1024 / 2;

	if (!map || bpf_map__set_initial_value(map, &half, sizeof(half)))
		return error_set(err, EIO, "BPF: the buffers' size cannot be told");
	return 0;
}

static int load(struct bpf_source *s, struct error *err)
{
	struct bpf_object_open_opts options = { .sz = sizeof(options), .object_name = "corepace" };
	int code;

	libbpf_set_print(silent);
	s->object = bpf_object__open_mem(record_bpf, sizeof(record_bpf), &options);
	if (!s->object)
		return error_set(err, errno, "BPF: %s", strerror(errno));
	code = choose_programs(s, err);
	if (code)
		return code;
	code = set_half_bytes(s, err);
	if (code)
		return code;
	bpf_map__set_max_entries(bpf_object__find_map_by_name(s->object, "rings"), s->nr_cpus);
	code = bpf_object__load(s->object);
	if (code == -EPERM || code == -EACCES)
		return error_set(err, EPERM, "not root: the kernel refuses BPF programs");
	if (code)
		return error_set(
			err, -code, "BPF: the kernel refuses the programs: %s", strerror(-code));
	return 0;
}

static int take_record(void *context, void *data, size_t size)
{
	struct cpu_reader *reader = context;
	struct bpf_source *s = reader->source;
	const struct bpf_record *r = data;

	if (s->status)
		return s->status;
	if (size < BPF_RECORD_SHORT || ((r->flags & RECORD_LONG) && size < sizeof(*r)))
		return 0;
	size = r->flags & RECORD_LONG ? sizeof(*r) : BPF_RECORD_SHORT;
	s->status = bpf_spool_append(&reader->spool, data, size, &s->error);
	return s->status;
}

/* The ring of one CPU; the map of rings and libbpf's reader keep it alive. */
static int make_ring(struct bpf_source *s, int rings_fd, uint32_t cpu)
{
	struct cpu_reader *reader = &s->readers[cpu];
	int fd = bpf_map_create(
		    BPF_MAP_TYPE_RINGBUF, "corepace_ring", 0, 0, s->ring_kb * 1024, NULL),
	    code;

	if (fd < 0)
		return -errno;
	code = bpf_map_update_elem(rings_fd, &cpu, &fd, BPF_ANY);
	if (!code && !s->buffer) {
		s->buffer = ring_buffer__new(fd, take_record, reader, NULL);
		code = s->buffer ? 0 : -errno;
	} else if (!code) {
		code = ring_buffer__add(s->buffer, fd, take_record, reader);
	}
	/* The kernel counts references of its own. */
	close(fd);
	return code;
}

static int make_rings(struct bpf_source *s, const char *spool_dir, struct error *err)
{
	struct bpf_map *rings = bpf_object__find_map_by_name(s->object, "rings");

	for (int cpu = 0; cpu < s->nr_cpus; cpu++) {
		int code;

		s->readers[cpu].source = s;
		bpf_spool_init(&s->readers[cpu].spool, spool_dir);
		s->spools[cpu] = &s->readers[cpu].spool;
		if (!(s->online[cpu / 64] >> cpu % 64 & 1))
			continue;
		code = make_ring(s, bpf_map__fd(rings), cpu);
		if (code)
			return error_set(err, -code,
				"no memory for BPF buffers of %llu KB per CPU (%s): try a smaller "
				"-b",
				(unsigned long long)s->ring_kb, strerror(-code));
	}
	return 0;
}

static int attach(struct bpf_source *s, struct error *err)
{
	struct bpf_program *program;

	bpf_object__for_each_program(program, s->object)
	{
		struct bpf_link *link;

		if (!bpf_program__autoload(program) || s->nr_links == PROGRAMS_MAX)
			continue;
		link = bpf_program__attach(program);
		if (!link)
			return error_set(err, errno, "BPF: %s: %s",
				bpf_program__section_name(program), strerror(errno));
		s->links[s->nr_links++] = link;
	}
	return 0;
}

/* ---- as a source ----------------------------------------------------------------------- */

static int start(struct source *source, struct error *err)
{
	return set_recording((struct bpf_source *)source, 1, err);
}

static int watch(struct source *source, struct pollfd *fds, int max)
{
	struct bpf_source *s = (struct bpf_source *)source;

	if (!max)
		return 0;
	fds[0] = (struct pollfd){ .fd = ring_buffer__epoll_fd(s->buffer), .events = POLLIN };
	return 1;
}

static int consume(struct bpf_source *s, struct error *err)
{
	int code = ring_buffer__consume(s->buffer);

	if (s->status) {
		*err = s->error;
		return s->status;
	}
	return code < 0 ? error_set(err, -code, "BPF: %s", strerror(-code)) : 0;
}

static int drain(struct source *source, const struct pollfd *fds, int nr, struct error *err)
{
	return fds[0].revents ? consume((struct bpf_source *)source, err) : 0;
}

static void mark(struct source *source, const char *text)
{
	struct bpf_source *s = (struct bpf_source *)source;
	struct bpf_marker *m = &s->markers[s->nr_markers];
	struct timespec ts;

	if (s->nr_markers == MARKERS_MAX)
		return;
	clock_gettime(CLOCK_MONOTONIC, &ts);
	m->time_ns = (uint64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
	m->cpu = sched_getcpu();
	m->pid = getpid();
	m->text = strdup(text);
	if (m->text)
		s->nr_markers++;
}

static void read_losses(struct bpf_source *s)
{
	int nr = libbpf_num_possible_cpus(), fd;
	struct bpf_cpu_state *states = calloc(nr > 0 ? nr : 1, sizeof(*states));
	struct bpf_map *map = bpf_object__find_map_by_name(s->object, "states");
	uint32_t zero = 0;

	fd = map ? bpf_map__fd(map) : -1;
	if (states && fd >= 0 && !bpf_map_lookup_elem(fd, &zero, states))
		for (int cpu = 0; cpu < s->nr_cpus && cpu < nr; cpu++)
			s->lost_at_end[cpu] = states[cpu].lost;
	free(states);
}

static int stop(struct source *source, struct error *err)
{
	struct bpf_source *s = (struct bpf_source *)source;

	int code = set_recording(s, 0, err);

	for (int i = 0; i < s->nr_links; i++)
		bpf_link__destroy(s->links[i]);
	s->nr_links = 0;
	if (code)
		return code;
	read_losses(s);
	return consume(s, err);
}

static const struct source_ops bpf_ops = { start, watch, drain, mark, stop };

/* ---- the whole ------------------------------------------------------------------------- */

static int find_cpus(struct bpf_source *s, struct error *err)
{
	char online[1024];

	s->nr_cpus = libbpf_num_possible_cpus();
	if (s->nr_cpus < 1 || s->nr_cpus > CPUS_MAX)
		return error_set(
			err, E2BIG, "BPF: %d CPUs, expected 1 to %d", s->nr_cpus, CPUS_MAX);
	if (host_read_text("", "/sys/devices/system/cpu/online", online, sizeof(online)) < 0)
		return error_set(err, EIO, "/sys/devices/system/cpu/online: not readable");
	return cpu_list_parse(online, "/sys/devices/system/cpu/online", s->online, err);
}

/* The kernel's rings have a size that is a power of two. */
static uint64_t round_up(uint64_t kb)
{
	uint64_t size = RING_KB_MIN;

	while (size < kb && size < RING_KB_MAX)
		size *= 2;
	return size;
}

int bpf_source_new(
	uint64_t buffer_kb, const char *spool_dir, struct bpf_source **ret, struct error *err)
{
	struct bpf_source *s = calloc(1, sizeof(*s));
	int code;

	if (!s)
		return error_set(err, ENOMEM, "out of memory");
	s->source.ops = &bpf_ops;
	code = find_cpus(s, err);
	if (code) {
		free(s);
		return code;
	}
	s->ring_kb =
		round_up(buffer_kb ? buffer_kb : instance_choose_kb(sysconf(_SC_NPROCESSORS_ONLN)));
	s->readers = calloc(s->nr_cpus, sizeof(*s->readers));
	s->spools = calloc(s->nr_cpus, sizeof(*s->spools));
	s->lost_at_end = calloc(s->nr_cpus, sizeof(*s->lost_at_end));
	if (!s->readers || !s->spools || !s->lost_at_end) {
		bpf_source_free(s);
		return error_set(err, ENOMEM, "out of memory");
	}
	code = load(s, err);
	if (!code)
		code = make_rings(s, spool_dir, err);
	if (!code)
		code = attach(s, err);
	if (code) {
		bpf_source_free(s);
		return code;
	}
	*ret = s;
	return 0;
}

struct source *bpf_source_base(struct bpf_source *s)
{
	return &s->source;
}

int bpf_source_events(struct bpf_source *s, int hz, struct bpf_events **ret, struct error *err)
{
	struct bpf_events_input input = {
		.nr_cpus = s->nr_cpus,
		.spools = s->spools,
		.lost_at_end = s->lost_at_end,
		.markers = s->markers,
		.nr_markers = s->nr_markers,
		.hz = hz,
	};

	return bpf_events_new(&input, ret, err);
}

const char *const *bpf_source_missing(const struct bpf_source *s)
{
	return s->missing;
}

uint64_t bpf_source_buffer_kb(const struct bpf_source *s)
{
	return s->ring_kb;
}

struct bpf_source *bpf_source_free(struct bpf_source *s)
{
	if (!s)
		return NULL;
	for (int i = 0; i < s->nr_links; i++)
		bpf_link__destroy(s->links[i]);
	ring_buffer__free(s->buffer);
	bpf_object__close(s->object);
	for (int cpu = 0; cpu < s->nr_cpus; cpu++)
		if (s->readers && s->readers[cpu].source)
			bpf_spool_release(&s->readers[cpu].spool);
	for (int i = 0; i < s->nr_markers; i++)
		free(s->markers[i].text);
	free(s->readers);
	free(s->spools);
	free(s->lost_at_end);
	free(s);
	return NULL;
}
