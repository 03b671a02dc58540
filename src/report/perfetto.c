// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fields by number, after perfetto's published trace_packet.proto, track_event.proto and
 * track_descriptor.proto, all part of its stable interface.
 */
#include "report/perfetto.h"
#include "base/units.h"
#include "report/json.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { TRACE_PACKET = 1 };
enum { PACKET_TIMESTAMP = 8, PACKET_SEQUENCE = 10, PACKET_EVENT = 11, PACKET_DESCRIPTOR = 60 };
enum { TRACK_UUID = 1, TRACK_NAME = 2, TRACK_PROCESS = 3, TRACK_PARENT = 5, TRACK_COUNTER = 8 };
enum { PROCESS_PID = 1, PROCESS_NAME = 6 };
enum { COUNTER_UNIT_NAME = 6 };
enum { EVENT_TYPE = 9, EVENT_TRACK = 11, EVENT_NAME = 23, EVENT_COUNTER = 30 };
enum { SLICE_BEGIN = 1, SLICE_END = 2, COUNTER = 4 };

/* Kinds of tracks; a track's number is made of its kind and the CPU or package. */
enum track { TRACK_RUNS, TRACK_IDLES, TRACK_KHZ, TRACK_POWER, TRACKS };
enum { SEQUENCE = 1, UUID_OF_PROCESS = 1, MESSAGE_MAX = 1024, NAME_MAX_BYTES = 600 };

struct message {
	size_t size;
	uint8_t bytes[MESSAGE_MAX];
};

struct perfetto {
	FILE *out;
	int64_t end_ns;
	bool described[TRACKS][CPUS_MAX], open[TRACKS][CPUS_MAX];
};

/* ---- protobuf -------------------------------------------------------------------------------- */

static void put_varint(struct message *m, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		m->bytes[m->size++] = (uint8_t)(value | 0x80);
	m->bytes[m->size++] = (uint8_t)value;
}

static void put_number(struct message *m, unsigned field, uint64_t value)
{
	put_varint(m, field << 3);
	put_varint(m, value);
}

static void put_bytes(struct message *m, unsigned field, const void *bytes, size_t size)
{
	put_varint(m, field << 3 | 2);
	put_varint(m, size);
	memcpy(m->bytes + m->size, bytes, size);
	m->size += size;
}

/* Protobuf text is UTF-8: what is none, or too long for a message, loses all but ASCII. */
static void put_text(struct message *m, unsigned field, const char *text)
{
	bool whole = strlen(text) < NAME_MAX_BYTES && json_text(text);
	char clean[NAME_MAX_BYTES];
	size_t n = 0;

	for (; n < sizeof(clean) && text[n]; n++) {
		unsigned char byte = (unsigned char)text[n];

		clean[n] = byte < 0x20 || byte == 0x7f || (byte >= 0x80 && !whole) ? '?' : text[n];
	}
	put_bytes(m, field, clean, n);
}

static void put_message(struct message *m, unsigned field, const struct message *inner)
{
	put_bytes(m, field, inner->bytes, inner->size);
}

static void write_packet(struct perfetto *p, const struct message *packet)
{
	struct message head = { 0 };

	put_varint(&head, TRACE_PACKET << 3 | 2);
	put_varint(&head, packet->size);
	fwrite(head.bytes, 1, head.size, p->out);
	fwrite(packet->bytes, 1, packet->size, p->out);
}

/* ---- tracks ---------------------------------------------------------------------------------- */

static uint64_t uuid_of(enum track track, int id)
{
	return ((uint64_t)track + 1) << 16 | (uint64_t)id;
}

static void write_descriptor(struct perfetto *p, const struct message *descriptor)
{
	struct message packet = { 0 };

	put_number(&packet, PACKET_SEQUENCE, SEQUENCE);
	put_message(&packet, PACKET_DESCRIPTOR, descriptor);
	write_packet(p, &packet);
}

static void describe(struct perfetto *p, enum track track, int id)
{
	static const struct {
		const char *format, *unit; /* unit: of a counter */
	} kinds[TRACKS] = {
		[TRACK_RUNS] = { "CPU %d", NULL },
		[TRACK_IDLES] = { "CPU %d idle state", NULL },
		[TRACK_KHZ] = { "CPU %d frequency", "kHz" },
		[TRACK_POWER] = { "package %d power", "uW" },
	};
	struct message descriptor = { 0 }, counter = { 0 };
	char name[48];

	if (p->described[track][id])
		return;
	p->described[track][id] = true;
	snprintf(name, sizeof(name), kinds[track].format, id);
	put_number(&descriptor, TRACK_UUID, uuid_of(track, id));
	put_text(&descriptor, TRACK_NAME, name);
	put_number(&descriptor, TRACK_PARENT, UUID_OF_PROCESS);
	if (kinds[track].unit) {
		put_text(&counter, COUNTER_UNIT_NAME, kinds[track].unit);
		put_message(&descriptor, TRACK_COUNTER, &counter);
	}
	write_descriptor(p, &descriptor);
}

static void write_event(struct perfetto *p, int64_t time_ns, const struct message *event)
{
	struct message packet = { 0 };

	put_number(&packet, PACKET_TIMESTAMP, (uint64_t)time_ns);
	put_number(&packet, PACKET_SEQUENCE, SEQUENCE);
	put_message(&packet, PACKET_EVENT, event);
	write_packet(p, &packet);
}

static void end_slice(struct perfetto *p, int64_t time_ns, enum track track, int id)
{
	struct message event = { 0 };

	if (!p->open[track][id])
		return;
	p->open[track][id] = false;
	put_number(&event, EVENT_TYPE, SLICE_END);
	put_number(&event, EVENT_TRACK, uuid_of(track, id));
	write_event(p, time_ns, &event);
}

static void begin_slice(
	struct perfetto *p, int64_t time_ns, enum track track, int id, const char *name)
{
	struct message event = { 0 };

	describe(p, track, id);
	p->open[track][id] = true;
	put_number(&event, EVENT_TYPE, SLICE_BEGIN);
	put_number(&event, EVENT_TRACK, uuid_of(track, id));
	put_text(&event, EVENT_NAME, name);
	write_event(p, time_ns, &event);
}

static void count(struct perfetto *p, int64_t time_ns, enum track track, int id, uint64_t value)
{
	struct message event = { 0 };

	describe(p, track, id);
	put_number(&event, EVENT_TYPE, COUNTER);
	put_number(&event, EVENT_TRACK, uuid_of(track, id));
	put_number(&event, EVENT_COUNTER, value);
	write_event(p, time_ns, &event);
}

static void cpu_changes(struct perfetto *p, const struct timeline_event *ev)
{
	end_slice(p, ev->time_ns, TRACK_RUNS, ev->id);
	end_slice(p, ev->time_ns, TRACK_IDLES, ev->id);
	switch (ev->state) {
	case TIMELINE_OFF:
		break;
	case TIMELINE_IDLE:
		begin_slice(p, ev->time_ns, TRACK_IDLES, ev->id, ev->name);
		break;
	case TIMELINE_RUN:
		begin_slice(p, ev->time_ns, TRACK_RUNS, ev->id, ev->name);
		break;
	default:
		begin_slice(p, ev->time_ns, TRACK_RUNS, ev->id, timeline_state_name(ev->state));
	}
}

static void take(void *ctx, const struct timeline_event *ev)
{
	struct perfetto *p = ctx;

	p->end_ns = ev->time_ns;
	switch (ev->kind) {
	case TIMELINE_CPU:
		cpu_changes(p, ev);
		break;
	case TIMELINE_KHZ:
		count(p, ev->time_ns, TRACK_KHZ, ev->id, ev->value);
		break;
	case TIMELINE_POWER:
		count(p, ev->time_ns, TRACK_POWER, ev->id, ev->value);
		break;
	case TIMELINE_END:
		break;
	}
}

struct perfetto *perfetto_new(FILE *out, const char *title)
{
	struct perfetto *p = calloc(1, sizeof(*p));
	struct message descriptor = { 0 }, process = { 0 };

	if (!p)
		return NULL;
	p->out = out;
	put_number(&process, PROCESS_PID, 1);
	put_text(&process, PROCESS_NAME, title);
	put_number(&descriptor, TRACK_UUID, UUID_OF_PROCESS);
	put_message(&descriptor, TRACK_PROCESS, &process);
	write_descriptor(p, &descriptor);
	return p;
}

struct timeline_sink perfetto_sink(struct perfetto *p)
{
	return (struct timeline_sink){ take, p };
}

int perfetto_finish(struct perfetto *p, struct error *err)
{
	for (int i = 0; i < CPUS_MAX; i++) {
		end_slice(p, p->end_ns, TRACK_RUNS, i);
		end_slice(p, p->end_ns, TRACK_IDLES, i);
	}
	if (fflush(p->out) || ferror(p->out))
		return error_set(err, EIO, "writing the trace: %s", strerror(errno ? errno : EIO));
	return 0;
}

struct perfetto *perfetto_free(struct perfetto *p)
{
	free(p);
	return NULL;
}
