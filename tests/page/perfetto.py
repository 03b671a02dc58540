#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Is a trace for the Perfetto UI well formed, is it the same time line as the event log, and are both what
the result of the run says? Decodes the protobuf by itself, and with protoc where there is one.
Usage: perfetto.py TRACE EVENTS.csv [RESULT.json of the whole run]"""
import collections
import csv
import json
import os
import shutil
import subprocess
import sys

BEGIN, END, COUNTER = 1, 2, 4


def fields(data):
    """(number, value) of each field: integers, or bytes."""
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(data):
        tag = varint()
        if tag & 7 == 0:
            yield tag >> 3, varint()
        else:
            assert tag & 7 == 2, f"wire type {tag & 7}"
            size = varint()
            assert at + size <= len(data), "a message is cut off"
            yield tag >> 3, data[at : at + size]
            at += size


def protoc(path):
    """Every field of every message is one that Perfetto's format has, with its type."""
    if not shutil.which("protoc"):
        print("no protoc: only our own decoder")
        return
    here = os.path.dirname(os.path.realpath(__file__))
    with open(path, "rb") as trace:
        done = subprocess.run(["protoc", f"--proto_path={here}", "--decode=Trace", "perfetto.proto"], stdin=trace,
                              capture_output=True, cwd=here, check=True)
    for line in done.stdout.decode().splitlines():
        assert not line.strip()[:1].isdigit(), f"a field that the format does not have: {line}"


def read_trace(path):
    """Tracks by uuid, and what holds on each from when to when: (begin, end, name) or (time, value)."""
    tracks, slices, counters, opened, last = {}, collections.defaultdict(list), collections.defaultdict(list), {}, 0
    for number, packet in fields(open(path, "rb").read()):
        assert number == 1, "not a packet"
        p = dict(fields(packet))
        assert p[10] == 1, "no sequence"
        if 60 in p:
            d = dict(fields(p[60]))
            assert d[1] not in tracks, "a track twice"
            tracks[d[1]] = (d.get(2, b"").decode(), d.get(5), 8 in d)
            continue
        e = dict(fields(p[11]))
        assert p[8] >= last, "time goes back"
        last = p[8]
        assert e[11] in tracks, "an event on no track"
        if e[9] == COUNTER:
            assert tracks[e[11]][2], "a value on a track that is no counter"
            counters[tracks[e[11]][0]].append((p[8], e[30]))
        elif e[9] == BEGIN:
            assert e[11] not in opened, "slices overlap"
            opened[e[11]] = (p[8], e[23].decode())
        else:
            assert e[9] == END
            begin, name = opened.pop(e[11])
            slices[tracks[e[11]][0]].append((begin, p[8], name))
    assert not opened, "a slice without end"
    parents = {t[1] for t in tracks.values()} - {None}
    assert parents <= set(tracks), "a parent that is no track"
    return slices, counters


def read_events(path):
    """The same out of the event log."""
    slices, counters, opened = collections.defaultdict(list), collections.defaultdict(list), {}

    def close(cpu, time):
        if cpu in opened:
            track, begin, name = opened.pop(cpu)
            slices[track].append((begin, time, name))

    for row in csv.DictReader(open(path, encoding="utf-8")):
        time = int(row["time_ns"])
        if row["what"] == "cpu":
            cpu = int(row["id"])
            close(cpu, time)
            if row["state"] == "idle":
                opened[cpu] = (f"CPU {cpu} idle state", time, row["name"])
            elif row["state"] != "off":
                opened[cpu] = (f"CPU {cpu}", time, row["name"] if row["state"] == "run" else row["state"])
        elif row["what"] == "end":
            for cpu in list(opened):
                close(cpu, time)
        else:
            name = "CPU {} frequency" if row["what"] == "khz" else "package {} power"
            counters[name.format(row["id"])].append((time, int(row["value"])))
    return slices, counters, time


def check_result(slices, counters, end, run):
    """The event log adds up to the result: idle time by state and CPU exactly, busy time, energy."""
    for cpu in run["cpus"]:
        idle = collections.Counter()
        for begin, stop, name in slices[f"CPU {cpu['cpu']} idle state"]:
            idle[name] += stop - begin
        for state in cpu["idle"]:
            assert idle[state["state"]] == state["time_ns"], (cpu["cpu"], state, idle)
        busy = sum(stop - begin for begin, stop, name in slices[f"CPU {cpu['cpu']}"] if name != "idle loop")
        assert busy == cpu["busy_ns"], (cpu["cpu"], busy, cpu["busy_ns"])
    energy = 0
    for name, values in counters.items():
        if "power" in name:
            for (begin, uw), (stop, _) in zip(values, values[1:] + [(end, 0)]):
                energy += uw * (stop - begin)
    # The way into a state, stalls and devices are not in the power of cores and uncore.
    package, devices = run["energy_uj"]["package"], run["energy_uj"]["devices"]
    assert 0.9 * package - devices <= energy / 1e9 <= package + 2, (energy, run["energy_uj"])
    assert sum(len(v) for k, v in counters.items() if "frequency" in k) >= len(run["cpus"])


def main():
    trace, events = sys.argv[1:3]
    protoc(trace)
    slices, counters = read_trace(trace)
    want_slices, want_counters, end = read_events(events)
    assert slices == want_slices, "slices differ from the event log"
    assert counters == want_counters, "counters differ from the event log"
    if len(sys.argv) > 3:
        check_result(slices, counters, end, json.load(open(sys.argv[3], encoding="utf-8"))["runs"][0])
    print(f"{sum(map(len, slices.values()))} slices, {sum(map(len, counters.values()))} values")


main()
