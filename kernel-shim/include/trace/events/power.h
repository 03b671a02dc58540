/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Trace events: a plug-in has nowhere to send them. */
#pragma once

#define trace_guest_halt_poll_ns_grow(new_ns, old_ns) ((void)(new_ns), (void)(old_ns))
#define trace_guest_halt_poll_ns_shrink(new_ns, old_ns) ((void)(new_ns), (void)(old_ns))
