// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What stands behind an event's name. Names of tasks come first in these texts and may hold blanks
 * and signs of equality, so numbers are looked for from the end.
 */
#include "trace/text.h"
#include "trace/finish.h"
#include "base/units.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Letters of prev_state, lowest bit first: the kernel's, and those of report's plug-in. */
static const char kernel_states[] = "SDTtXZPI", plugin_states[] = "SDTtZXxW";

/* The text behind the last KEY that stands at the start or behind a blank, before end. */
static const char *last_key(const char *text, const char *end, const char *key)
{
	size_t len = strlen(key);
	const char *found = NULL;

	for (const char *p = text; (p = strstr(p, key)) && p + len <= end; p++)
		if (p == text || isspace((unsigned char)p[-1]) || p[-1] == '[' || p[-1] == '(')
			found = p + len;
	return found;
}

static const char *key_of(const char *text, const char *key)
{
	return last_key(text, text + strlen(text), key);
}

static bool key_number(const char *text, const char *key, int base, uint64_t *ret)
{
	const char *p = key_of(text, key);
	char *end;
	uint64_t value;

	if (!p)
		return false;
	value = strtoull(p, &end, base);
	if (end == p)
		return false;
	*ret = value;
	return true;
}

/* As key_number, for what fits in an int. */
static bool key_int(const char *text, const char *key, int *ret)
{
	uint64_t value;

	if (!key_number(text, key, 10, &value))
		return false;
	*ret = (int)value;
	return true;
}

static void copy_name(char comm[16], const char *from, const char *to)
{
	size_t len = to > from ? (size_t)(to - from) : 0;

	memset(comm, 0, 16);
	memcpy(comm, from, len < 15 ? len : 15);
}

/* The name between KEY and the last NEXT behind it, a key with a blank before it. */
static bool key_name(const char *text, const char *key, const char *next, char comm[16])
{
	const char *start = key_of(text, key), *end = NULL;

	if (!start)
		return false;
	for (const char *p = start; (p = strstr(p, next)); p++)
		end = p;
	if (!end)
		return false;
	copy_name(comm, start, end);
	return true;
}

static uint64_t state_bits(const char *p, const char *letters)
{
	uint64_t bits = 0;

	if (isdigit((unsigned char)*p))
		return strtoull(p, NULL, 0);
	for (; *p && !isspace((unsigned char)*p); p++) {
		const char *letter = strchr(letters, *p);

		if (letter)
			bits |= 1ULL << (letter - letters);
		else if (*p == '+')
			bits |= TASK_PREEMPTED;
	}
	return bits;
}

/* report's "NAME:PID [PRIO] S ==> NAME:PID [PRIO]" and "NAME:PID [PRIO] CPU:N": NAME:PID [PRIO]. */
static bool plugin_task(const char *text, const char *end, struct event *ev)
{
	const char *bracket = memrchr(text, '[', (size_t)(end - text)), *colon;

	if (!bracket)
		return false;
	colon = memrchr(text, ':', (size_t)(bracket - text));
	if (!colon || !isdigit((unsigned char)colon[1]))
		return false;
	ev->pid2 = atoi(colon + 1);
	ev->prio = atoi(bracket + 1);
	copy_name(ev->comm, text, colon);
	return true;
}

static bool parse_switch(const char *text, struct event *ev)
{
	const char *state, *arrow = NULL;

	if (!strncmp(text, "prev_comm=", 10)) {
		state = key_of(text, "prev_state=");
		if (!state || !key_int(text, "next_pid=", &ev->pid2))
			return false;
		ev->value = state_bits(state, kernel_states);
		return key_int(text, "next_prio=", &ev->prio) &&
		       key_name(text, "next_comm=", " next_pid=", ev->comm);
	}
	for (const char *p = text; (p = strstr(p, " ==> ")); p++)
		arrow = p;
	if (!arrow)
		return false;
	for (state = arrow; state > text && state[-1] != ' '; state--)
		;
	ev->value = state_bits(state, plugin_states);
	return plugin_task(arrow + 5, text + strlen(text), ev);
}

static bool parse_wake(const char *text, struct event *ev)
{
	const char *cpu;

	if (!strncmp(text, "comm=", 5))
		return key_int(text, "pid=", &ev->pid2) && key_int(text, "prio=", &ev->prio) &&
		       key_int(text, "target_cpu=", &ev->target_cpu) &&
		       key_name(text, "comm=", " pid=", ev->comm);
	cpu = key_of(text, "CPU:");
	if (!cpu)
		return false;
	ev->target_cpu = atoi(cpu);
	return plugin_task(text, cpu, ev);
}

/* "MAJOR,MINOR RWBS [BYTES] (CMD) SECTOR + N ...", or key=value in raw layout. */
static bool parse_block(const char *text, struct event *ev)
{
	char *end;
	const char *paren;
	unsigned long major, minor;

	if (!strncmp(text, "dev=", 4)) {
		key_number(text, "bytes=", 0, &ev->ns);
		return key_number(text, "dev=", 0, &ev->value) &&
		       key_number(text, "sector=", 0, &ev->object);
	}
	major = strtoul(text, &end, 10);
	if (*end != ',')
		return false;
	minor = strtoul(end + 1, &end, 10);
	paren = strchr(end, '(');
	if (!paren)
		return false;
	ev->value = (uint64_t)major << 20 | minor;
	/* The bytes stand before the command, behind the letters. */
	if (ev->kind == EV_BLOCK_ISSUE && paren - end > 2) {
		const char *p = paren - 1;

		while (p > end && isspace((unsigned char)p[-1]))
			p--;
		while (p > end && isdigit((unsigned char)p[-1]))
			p--;
		ev->ns = strtoull(p, NULL, 10);
	}
	paren = strstr(paren, ") ");
	if (!paren || !isdigit((unsigned char)paren[2]))
		return false;
	ev->object = strtoull(paren + 2, NULL, 10);
	return true;
}

static uint64_t hrtimer_mode(const char *text)
{
	static const struct {
		const char *name;
		uint64_t bit;
	} modes[] = { { "REL", 1 }, { "PINNED", 2 }, { "SOFT", 4 }, { "HARD", 8 } };
	const char *mode = key_of(text, "mode=");
	uint64_t bits = 0;
	size_t len;

	if (!mode)
		return 0;
	if (isdigit((unsigned char)*mode))
		return strtoull(mode, NULL, 0);
	len = strcspn(mode, " ");
	for (size_t i = 0; i < ARRAY_LEN(modes); i++)
		if (memmem(mode, len, modes[i].name, strlen(modes[i].name)))
			bits |= modes[i].bit;
	return bits;
}

/* Jiffies when a timer was set, of the text that gives the distance only. */
static bool timer_now(const char *text, uint64_t expires, uint64_t *ret)
{
	const char *timeout = key_of(text, "timeout=");
	char *end;
	int64_t distance;

	if (!timeout)
		return false;
	distance = strtoll(timeout, &end, 10);
	*ret = expires - (uint64_t)distance;
	return end != timeout;
}

/* The kernel's word of flags, from what its text says of it. */
static uint64_t timer_flags(const char *text)
{
	const char *letters = key_of(text, "flags=");
	uint64_t flags = 0, cpu, slot;

	if (letters && isdigit((unsigned char)*letters))
		return strtoull(letters, NULL, 0);
	if (key_number(text, "cpu=", 10, &cpu) && key_number(text, "idx=", 10, &slot))
		flags = slot << TIMER_SLOT_SHIFT | (cpu & TIMER_CPU_MASK);
	/* report knows no flag's value and prints all of these letters at any timer. */
	if (letters && strncmp(letters, "D|P|I", 5) && memchr(letters, 'D', strcspn(letters, " ")))
		flags |= TIMER_IS_DEFERRABLE;
	return flags;
}

static bool parse_timer(const char *text, struct event *ev, uint64_t *ret_aux)
{
	switch (ev->kind) {
	case EV_HRTIMER_START:
		ev->value = hrtimer_mode(text);
		return key_number(text, "hrtimer=", 16, &ev->object) &&
		       key_number(text, "expires=", 10, &ev->ns);
	case EV_HRTIMER_EXPIRE:
		return key_number(text, "hrtimer=", 16, &ev->object) &&
		       key_number(text, "now=", 10, &ev->ns);
	case EV_HRTIMER_CANCEL:
		return key_number(text, "hrtimer=", 16, &ev->object);
	case EV_TIMER_START:
		if (!key_number(text, "expires=", 0, &ev->ns) ||
			(!timer_now(text, ev->ns, ret_aux) &&
				!key_number(text, "now=", 0, ret_aux)))
			return false;
		ev->value = timer_flags(text);
		return key_number(text, "timer=", 16, &ev->object);
	default:
		key_number(text, "now=", 0, ret_aux);
		return key_number(text, "timer=", 16, &ev->object);
	}
}

static bool parse_tick_stop(const char *text, struct event *ev)
{
	const char *success = key_of(text, "success=");

	if (!success)
		return false;
	/* Kernels up to 4.4 print yes and no. */
	ev->value = *success == 'y' || (isdigit((unsigned char)*success) && atoi(success));
	return true;
}

static bool parse_marker(const char *text, struct event *ev)
{
	const char *behind;

	if (!strncmp(text, "ip=", 3) && (behind = strstr(text, " buf="))) {
		event_marker(ev, behind + 5);
		return true;
	}
	/* report puts the function before the text. */
	if (!strncmp(text, "0x", 2) || !strncmp(text, "tracing_mark_write", 18)) {
		behind = strstr(text, ": ");
		if (behind)
			text = behind + 2;
	}
	event_marker(ev, text);
	return true;
}

static bool parse_hotplug(const char *text, struct event *ev, uint64_t *ret_aux)
{
	if (key_int(text, "cpu: ", &ev->target_cpu))
		return key_number(text, "target: ", 10, &ev->value) &&
		       key_number(text, "step: ", 10, ret_aux);
	return key_int(text, "cpu=", &ev->target_cpu) &&
	       key_number(text, "target=", 0, &ev->value) && key_number(text, "idx=", 0, ret_aux);
}

static bool parse_exec(const char *text, struct event *ev)
{
	const char *path = key_of(text, "filename=");
	char file[256] = "";
	size_t len;

	if (!path || !key_int(text, "pid=", &ev->pid2))
		return false;
	len = strcspn(path, " ");
	memcpy(file, path, len < sizeof(file) ? len : sizeof(file) - 1);
	event_basename(ev->comm, file);
	return true;
}

static bool parse_task(const char *text, struct event *ev)
{
	if (ev->kind == EV_FORK)
		return key_int(text, "child_pid=", &ev->pid2) &&
		       key_name(text, "child_comm=", " child_pid=", ev->comm);
	if (ev->kind == EV_EXEC)
		return parse_exec(text, ev);
	if (ev->kind == EV_MIGRATE && !key_int(text, "dest_cpu=", &ev->target_cpu))
		return false;
	return key_int(text, "pid=", &ev->pid2) && key_int(text, "prio=", &ev->prio) &&
	       key_name(text, "comm=", " pid=", ev->comm);
}

static bool parse_power(const char *text, struct event *ev)
{
	return key_number(text, "state=", 10, &ev->value) &&
	       key_int(text, "cpu_id=", &ev->target_cpu);
}

bool text_event(
	const struct event_type *type, const char *text, struct event *ret, uint64_t *ret_aux)
{
	ret->kind = type->kind;
	ret->value = type->value;
	*ret_aux = 0;
	switch (type->kind) {
	case EV_SWITCH:
		return parse_switch(text, ret);
	case EV_WAKING:
	case EV_WAKEUP_NEW:
		return parse_wake(text, ret);
	case EV_FORK:
	case EV_EXEC:
	case EV_EXIT:
	case EV_MIGRATE:
		return parse_task(text, ret);
	case EV_IRQ_ENTRY:
	case EV_IRQ_EXIT:
		return key_number(text, "irq=", 10, &ret->value);
	case EV_SOFTIRQ_ENTRY:
	case EV_SOFTIRQ_EXIT:
		return key_number(text, "vec=", 10, &ret->value);
	case EV_VECTOR_ENTRY:
	case EV_VECTOR_EXIT:
		return true;
	case EV_BLOCK_ISSUE:
	case EV_BLOCK_COMPLETE:
		return parse_block(text, ret);
	case EV_CPU_IDLE:
	case EV_CPU_FREQUENCY:
		return parse_power(text, ret);
	case EV_TICK_STOP:
		return parse_tick_stop(text, ret);
	case EV_CPU_ONLINE:
		return parse_hotplug(text, ret, ret_aux);
	case EV_MARKER:
		return parse_marker(text, ret);
	default:
		return parse_timer(text, ret, ret_aux);
	}
}

const struct event_type *text_type(const char *name)
{
	if (!strncmp(name, "tracing_mark_write", 18))
		name = "print";
	return event_type_find(NULL, name);
}
