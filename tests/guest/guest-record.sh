#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Runs in the guest: records a load with tracefs and writes the text to the first disk.
t=/sys/kernel/tracing
idle=/sys/devices/system/cpu/cpu0/cpuidle
for m in virtio_ring virtio virtio_pci_modern_dev virtio_pci_legacy_dev virtio_pci virtio_blk; do
	[ -f /mod/$m.ko ] && insmod /mod/$m.ko
done
[ -b /dev/vda ] && [ -b /dev/vdb ] || exit 1

usage() {
	cat /sys/devices/system/cpu/cpu*/cpuidle/state"$1"/usage | awk '{ s += $1 } END { print s }'
}
time_ns() {
	cat /sys/devices/system/cpu/cpu*/cpuidle/state"$1"/time |
		awk '{ s += $1 } END { printf "%.0f", s * 1000 }'
}
fact() {
	echo "corepace:$*" >$t/trace_marker
}

echo 0 >$t/tracing_on
echo mono >$t/trace_clock
echo 40000 >$t/buffer_size_kb
for e in sched/sched_switch sched/sched_waking sched/sched_wakeup_new sched/sched_process_fork \
	sched/sched_process_exit sched/sched_migrate_task power/cpu_idle timer/hrtimer_start \
	timer/hrtimer_cancel timer/hrtimer_expire_entry timer/timer_start timer/timer_cancel \
	timer/timer_expire_entry timer/tick_stop irq/irq_handler_entry irq/irq_handler_exit \
	irq/softirq_entry irq/softirq_exit irq_vectors block/block_rq_issue \
	block/block_rq_complete; do
	echo 1 >$t/events/$e/enable || echo "no event $e"
done
echo 1 >$t/tracing_on
fact "kernel=$(uname -r)"
fact "hz=250"
fact "clock=mono"
fact "khz=1000000"
fact "cpuidle_driver=$(cat /sys/devices/system/cpu/cpuidle/current_driver)"
fact "cpuidle_governor=$(cat /sys/devices/system/cpu/cpuidle/current_governor)"
i=0
while [ -d $idle/state$i ]; do
	fact "setting=idle.state$i=$(cat $idle/state$i/name) $(cat $idle/state$i/latency) $(cat $idle/state$i/residency)"
	eval "before_$i=$(usage $i)"
	i=$((i + 1))
done
sleep 0.2
fact start
/bin/load "$SECONDS_OF_LOAD" /dev/vdb
fact end
i=0
while [ -d $idle/state$i ]; do
	eval "before=\$before_$i"
	fact "state=$i $(($(usage $i) - before)) 0 $(cat $idle/state$i/name)"
	i=$((i + 1))
done
echo 0 >$t/tracing_on
grep . $t/per_cpu/cpu*/stats | grep -E 'overrun|dropped'
cat $t/trace | dd of=/dev/vda bs=64k conv=fsync
