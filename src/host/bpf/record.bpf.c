// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tracepoint programs that give the same events as the tracefs recorder, on machines where tracefs
 * loses those of the idle task. One ring buffer per CPU, which wakes the reader only when it is
 * half full. Of the kernel's structs only the fields that are read are declared; where they are
 * is found at load time.
 */
#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#include "host/bpf_record.h"
#include "host/bpf/kernel_types.h"
#include "trace/event.h"

/* Set by the loader. */
const volatile __u64 half_bytes;
/* Recording begins and ends on all CPUs with one store. */
volatile int recording;

struct ring {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 16);
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS);
	__uint(max_entries, 1);
	__type(key, __u32);
	__array(values, struct ring);
} rings SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct bpf_cpu_state);
} states SEC(".maps");

/* ---- records --------------------------------------------------------------------------- */

static __always_inline void *this_ring(void)
{
	__u32 cpu = bpf_get_smp_processor_id();

	return recording ? bpf_map_lookup_elem(&rings, &cpu) : NULL;
}

static __always_inline struct bpf_record *reserve(void *ring, __u64 size, __u8 kind)
{
	struct bpf_record *r = bpf_ringbuf_reserve(ring, size, 0);
	__u32 zero = 0;
	struct bpf_cpu_state *state = bpf_map_lookup_elem(&states, &zero);

	if (!state) {
		/* Cannot be, but the verifier does not know. */
		if (r)
			bpf_ringbuf_discard(r, BPF_RB_NO_WAKEUP);
		return NULL;
	}
	if (!r) {
		state->lost++;
		return NULL;
	}
	r->lost = state->lost < 65535 ? state->lost : 65535;
	state->lost = 0;
	state->filled += size + BPF_RINGBUF_HDR_SZ;
	r->time_ns = bpf_ktime_get_ns();
	r->pid = bpf_get_current_pid_tgid();
	r->kind = kind;
	r->flags = size > BPF_RECORD_SHORT ? RECORD_LONG : 0;
	r->pid2 = 0;
	r->prio = 0;
	r->target_cpu = 0;
	r->value = 0;
	return r;
}

/* The reader is woken once per half a ring, and then takes all there is. */
static __always_inline void submit(struct bpf_record *r)
{
	__u32 zero = 0;
	struct bpf_cpu_state *state = bpf_map_lookup_elem(&states, &zero);
	__u64 flags = BPF_RB_NO_WAKEUP;

	if (state && state->filled >= half_bytes) {
		state->filled = 0;
		flags = BPF_RB_FORCE_WAKEUP;
	}
	bpf_ringbuf_submit(r, flags);
}

/* An event that is one number. */
static __always_inline int put_value(__u8 kind, __u64 value, __s16 target_cpu)
{
	void *ring = this_ring();
	struct bpf_record *r;

	if (!ring)
		return 0;
	r = reserve(ring, BPF_RECORD_SHORT, kind);
	if (!r)
		return 0;
	r->value = value;
	r->target_cpu = target_cpu;
	submit(r);
	return 0;
}

/* An event about a timer or a request. */
static __always_inline int put_object(__u8 kind, __u64 value, __u64 object, __u64 ns)
{
	void *ring = this_ring();
	struct bpf_record *r;

	if (!ring)
		return 0;
	r = reserve(ring, sizeof(*r), kind);
	if (!r)
		return 0;
	r->value = value;
	r->object = object;
	r->ns = ns;
	submit(r);
	return 0;
}

static __always_inline void describe(struct bpf_record *r, struct task_struct *p)
{
	r->pid2 = p->pid;
	r->prio = p->prio;
	bpf_probe_read_kernel(r->comm, sizeof(r->comm), p->comm);
}

/* An event about a task other than the one that runs. */
static __always_inline int put_task(__u8 kind, struct task_struct *p, __s16 target_cpu)
{
	void *ring = this_ring();
	struct bpf_record *r;

	if (!ring)
		return 0;
	r = reserve(ring, sizeof(*r), kind);
	if (!r)
		return 0;
	describe(r, p);
	r->target_cpu = target_cpu;
	submit(r);
	return 0;
}

/* ---- idle ------------------------------------------------------------------------------ */

/*
 * Per-CPU variables of the kernel, for the programs menu_*, which are loaded only where menu is the
 * governor and the kernel tells where these are.
 */
extern struct cpuidle_device *const cpuidle_devices __ksym __weak;
extern const struct menu_device menu_devices __ksym __weak;
extern const struct tick_device tick_cpu_device __ksym __weak;
extern const struct tick_sched tick_cpu_sched __ksym __weak;
extern const struct rq runqueues __ksym __weak;

/*
 * The kernel's own account of idle periods; no event tells it. The last period's residency itself
 * is gone when another entry was given up on since, so the sum over the states is told.
 */
#define TIME_IN(state) BPF_CORE_READ(*device, states_usage[state].time_ns)

static __always_inline void put_idle_done(void)
{
	struct cpuidle_device *const *device;
	const struct menu_device *menu;
	struct bpf_record *r;
	void *ring = this_ring();

	if (!ring)
		return;
	device = bpf_this_cpu_ptr(&cpuidle_devices);
	if (!*device)
		return;
	menu = bpf_this_cpu_ptr(&menu_devices);
	r = reserve(ring, BPF_RECORD_SHORT, EV_IDLE_DONE);
	if (!r)
		return;
	/* An index has to be a constant, to be relocated. */
	r->value = TIME_IN(0) + TIME_IN(1) + TIME_IN(2) + TIME_IN(3) + TIME_IN(4) + TIME_IN(5) +
		   TIME_IN(6) + TIME_IN(7) + TIME_IN(8) + TIME_IN(9);
	r->prio = menu->tick_wakeup;
	r->pid2 = BPF_CORE_READ_BITFIELD_PROBED(*device, poll_time_limit);
	submit(r);
}

/* What the governor saw when it chose the state that is entered now. */
static __always_inline void put_idle_seen(void)
{
	const struct menu_device *menu;
	const struct tick_device *tick;
	const struct tick_sched *sched;
	const struct rq *rq;
	struct bpf_record *r;
	void *ring = this_ring();

	if (!ring)
		return;
	menu = bpf_this_cpu_ptr(&menu_devices);
	tick = bpf_this_cpu_ptr(&tick_cpu_device);
	sched = bpf_this_cpu_ptr(&tick_cpu_sched);
	rq = bpf_this_cpu_ptr(&runqueues);
	r = reserve(ring, sizeof(*r), EV_IDLE_SEEN);
	if (!r)
		return;
	r->value = menu->next_timer_ns;
	r->object = sched->idle_entrytime;
	r->ns = tick->evtdev->next_event;
	r->pid2 = rq->nr_iowait.counter;
	r->prio = BPF_CORE_READ_BITFIELD(sched, tick_stopped);
	submit(r);
}

/* These two come before the programs of the same tracepoints below, which is their order of calls.
 */
SEC("tp_btf/cpu_idle")
int BPF_PROG(menu_idle_enter, unsigned int state)
{
	if (state == ~0U)
		return 0;
	put_idle_done();
	put_idle_seen();
	return 0;
}

SEC("tp_btf/sched_switch")
int BPF_PROG(menu_idle_left, bool preempt, struct task_struct *prev)
{
	if (!prev->pid)
		put_idle_done();
	return 0;
}

/* ---- scheduler ------------------------------------------------------------------------- */

SEC("tp_btf/sched_switch")
int BPF_PROG(on_switch, bool preempt, struct task_struct *prev, struct task_struct *next,
	unsigned int prev_state)
{
	void *ring = this_ring();
	struct bpf_record *r;

	if (!ring)
		return 0;
	r = reserve(ring, sizeof(*r), EV_SWITCH);
	if (!r)
		return 0;
	describe(r, next);
	r->value = prev_state | prev->exit_state;
	if (preempt)
		r->flags |= RECORD_PREEMPTED;
	if (BPF_CORE_READ_BITFIELD(prev, in_iowait))
		r->flags |= RECORD_IOWAIT;
	submit(r);
	return 0;
}

/* Where the task ran last, or was placed. */
static __always_inline int cpu_of(struct task_struct *p)
{
	const struct task_struct___with_cpu *old = (const void *)p;

	if (bpf_core_field_exists(p->thread_info.cpu))
		return BPF_CORE_READ(p, thread_info.cpu);
	return bpf_core_field_exists(old->cpu) ? BPF_CORE_READ(old, cpu) : 0;
}

SEC("tp_btf/sched_waking")
int BPF_PROG(on_waking, struct task_struct *p)
{
	return put_task(EV_WAKING, p, cpu_of(p));
}

SEC("tp_btf/sched_wakeup_new")
int BPF_PROG(on_wakeup_new, struct task_struct *p)
{
	return put_task(EV_WAKEUP_NEW, p, cpu_of(p));
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(on_fork, struct task_struct *parent, struct task_struct *child)
{
	return put_task(EV_FORK, child, 0);
}

SEC("tp_btf/sched_process_exec")
int BPF_PROG(on_exec, struct task_struct *p)
{
	return put_task(EV_EXEC, p, 0);
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_exit, struct task_struct *p)
{
	return put_task(EV_EXIT, p, 0);
}

SEC("tp_btf/sched_migrate_task")
int BPF_PROG(on_migrate, struct task_struct *p, int dest_cpu)
{
	return put_task(EV_MIGRATE, p, dest_cpu);
}

/* ---- interrupts ------------------------------------------------------------------------ */

SEC("tp_btf/irq_handler_entry")
int BPF_PROG(on_irq_entry, int irq)
{
	return put_value(EV_IRQ_ENTRY, irq, 0);
}

SEC("tp_btf/irq_handler_exit")
int BPF_PROG(on_irq_exit, int irq)
{
	return put_value(EV_IRQ_EXIT, irq, 0);
}

SEC("tp_btf/softirq_entry")
int BPF_PROG(on_softirq_entry, unsigned int vec)
{
	return put_value(EV_SOFTIRQ_ENTRY, vec, 0);
}

SEC("tp_btf/softirq_exit")
int BPF_PROG(on_softirq_exit, unsigned int vec)
{
	return put_value(EV_SOFTIRQ_EXIT, vec, 0);
}

#define ON_VECTOR(name, vector)                                                                    \
	SEC("tp_btf/" #name "_entry")                                                              \
	int BPF_PROG(on_##name##_entry)                                                            \
	{                                                                                          \
		return put_value(EV_VECTOR_ENTRY, vector, 0);                                      \
	}                                                                                          \
	SEC("tp_btf/" #name "_exit")                                                               \
	int BPF_PROG(on_##name##_exit)                                                             \
	{                                                                                          \
		return put_value(EV_VECTOR_EXIT, vector, 0);                                       \
	}

ON_VECTOR(local_timer, VEC_LOCAL_TIMER)
ON_VECTOR(reschedule, VEC_RESCHEDULE)
ON_VECTOR(call_function, VEC_CALL_FUNCTION)
ON_VECTOR(call_function_single, VEC_CALL_FUNCTION_SINGLE)
ON_VECTOR(irq_work, VEC_IRQ_WORK)

/* ---- timers ---------------------------------------------------------------------------- */

SEC("tp_btf/hrtimer_start")
int BPF_PROG(on_hrtimer_start, struct hrtimer *timer, int mode)
{
	return put_object(EV_HRTIMER_START, mode, (__u64)timer, timer->node.expires);
}

SEC("tp_btf/hrtimer_cancel")
int BPF_PROG(on_hrtimer_cancel, struct hrtimer *timer)
{
	return put_object(EV_HRTIMER_CANCEL, 0, (__u64)timer, 0);
}

SEC("tp_btf/hrtimer_expire_entry")
int BPF_PROG(on_hrtimer_expire, struct hrtimer *timer, long long *now)
{
	long long ns = 0;

	bpf_probe_read_kernel(&ns, sizeof(ns), now);
	return put_object(EV_HRTIMER_EXPIRE, 0, (__u64)timer, ns);
}

/* ns: jiffies from now, which the reader turns into nanoseconds. */
SEC("tp_btf/timer_start")
int BPF_PROG(on_timer_start, struct timer_list *timer)
{
	return put_object(EV_TIMER_START, 0, (__u64)timer, timer->expires - bpf_jiffies64());
}

SEC("tp_btf/timer_cancel")
int BPF_PROG(on_timer_cancel, struct timer_list *timer)
{
	return put_object(EV_TIMER_CANCEL, 0, (__u64)timer, 0);
}

SEC("tp_btf/timer_expire_entry")
int BPF_PROG(on_timer_expire, struct timer_list *timer)
{
	return put_object(EV_TIMER_EXPIRE, 0, (__u64)timer, 0);
}

SEC("tp_btf/tick_stop")
int BPF_PROG(on_tick_stop, int success)
{
	return put_value(EV_TICK_STOP, success, 0);
}

/* ---- disks ----------------------------------------------------------------------------- */

static __always_inline int put_request(__u8 kind, struct request *rq)
{
	struct gendisk *disk = BPF_CORE_READ(rq, q, disk);
	__u64 dev = 0;

	/* As the kernel numbers devices inside: 12 bits major, 20 bits minor. */
	if (disk)
		dev = (__u64)BPF_CORE_READ(disk, major) << 20 | BPF_CORE_READ(disk, first_minor);
	return put_object(kind, dev, rq->__sector, rq->__data_len);
}

SEC("tp_btf/block_rq_issue")
int BPF_PROG(on_block_issue, struct request *rq)
{
	return put_request(EV_BLOCK_ISSUE, rq);
}

SEC("tp_btf/block_rq_complete")
int BPF_PROG(on_block_complete, struct request *rq)
{
	return put_request(EV_BLOCK_COMPLETE, rq);
}

/* ---- power ----------------------------------------------------------------------------- */

SEC("tp_btf/cpu_idle")
int BPF_PROG(on_cpu_idle, unsigned int state, unsigned int cpu)
{
	return put_value(EV_CPU_IDLE, state, cpu);
}

SEC("tp_btf/cpu_frequency")
int BPF_PROG(on_cpu_frequency, unsigned int khz, unsigned int cpu)
{
	return put_value(EV_CPU_FREQUENCY, khz, cpu);
}

char record_license[] SEC("license") = "GPL";
