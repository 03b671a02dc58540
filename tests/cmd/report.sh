#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# report: from a store and from files, the commands that it gives repeat the runs, its event log in all
# three forms is the same and adds up to the result, and errors leave nothing behind. What the page
# looks like is tests/page. Usage: report.sh PROGRAM
set -eu
# shellcheck source=SCRIPTDIR/lib.sh
. "$(dirname "$0")/lib.sh"
verb=report

message() {
	grep -q "^corepace report: $1" err || fail "expected '$1' in: $(cat err)"
}

run() {
	"$program" run -m i7-2600k "$@"
}

if ! "$program" report -o probe.html /dev/null 2>err && grep -q 'built without chart.js' err; then
	echo "built without chart.js"
	exit 77
fi

run -w pipe-test:loops=300 -p idle=menu@6.1 -p idle=poll -n 2 --db runs.db >/dev/null
status 0 --db runs.db -o report.html
[ ! -s err ] || fail "not silent: $(cat err)"
status 0 --db runs.db -o again.html
cmp report.html again.html || fail "the same runs give another report"

# The data in the page; each command gives the run that it stands beside.
python3 - "$program" report.html <<'PY' || fail "the page's data are wrong"
import json, os, re, shlex, subprocess, sys
program, page = sys.argv[1], open(sys.argv[2], encoding="utf-8").read()
assert "src=" not in re.sub(r"(?s)<script>.*?</script>", "", page), "the page asks for something"
data = json.loads(re.search(r'(?s)id="data">(.*?)</script>', page)[1])
assert len(data["runs"]) == 4 and len(data["groups"]) == 1 and len(data["timelines"]) == 2
assert [c["name"] for c in data["groups"][0]["configs"]] == ["idle=menu@6.1", "idle=poll"]
for r in data["runs"][1:3]:
    words = shlex.split(r["command"])
    assert words[0] == "corepace", words
    again = json.loads(subprocess.run([program, *words[1:], "--json"], check=True, capture_output=True).stdout)["runs"][0]
    assert again["elapsed_ns"] == r["elapsed"] and again["energy_uj"]["package"] == r["package_uj"], r["command"]
    assert [s["time_ns"] for s in again["idle"]] == [s[1] for s in r["idle"]]
for t in data["timelines"]:
    assert len(t["cpus"]) == len(t["khz"]) == 8 and len(t["power"]) == 1
    assert t["from"] < t["to"] <= data["runs"][t["run"]]["elapsed"] and not t["cut"]
PY

# The event log in its three forms, of several machines and kinds of work.
# NAME WINDOW [RESULT, when the window is the whole run]
check_log() {
	status 0 -o log.html --window $2 --perfetto log.pf --events log.csv one.json
	python3 "$top/tests/page/perfetto.py" log.pf log.csv ${3:-} || fail "event log: $*"
	python3 - <<'PY' || fail "the page's time line is not the event log: $*"
import collections, csv, json, re
data = json.loads(re.search(r'(?s)id="data">(.*?)</script>', open("log.html", encoding="utf-8").read())[1])
t = data["timelines"][0]
states = ["off", "idle", "idle loop", "switch", "run", "irq"]
want = {k: collections.defaultdict(list) for k in ("cpu", "khz", "uw")}
for row in csv.DictReader(open("log.csv", encoding="utf-8")):
    if row["what"] != "end" and int(row["time_ns"]) <= t["to"]:
        what = [states.index(row["state"]), row["name"]] if row["what"] == "cpu" else [int(row["value"])]
        want[row["what"]][int(row["id"])] += [int(row["time_ns"]) - t["from"], *what]
for kind, lists in ("cpu", t["cpus"]), ("khz", t["khz"]), ("uw", t["power"]):
    for i, got in enumerate(lists):
        if kind == "cpu":
            got = [t["names"][v] if k % 3 == 2 else v for k, v in enumerate(got)]
        assert got == want[kind][i], (kind, i, got[:9], want[kind][i][:9])
PY
}
run -w pipe-test:loops=200 -p idle=menu@6.1 --json >one.json
check_log pipe 0,100000 one.json
run -w periodic:seconds=1 -p idle=teo,governor=schedutil --json >one.json
check_log periodic 0,100000 one.json
"$program" run -m epyc-guest -w "$top/workloads/recorded/pipe.cpw" -p idle=haltpoll --json >one.json
check_log guest 100,5

# A window: what holds at its beginning, then changes inside it only.
status 0 --events window.csv --window 1,2 one.json
awk -F, 'NR > 1 && ($1 < 1000000 || $1 > 3000000) { bad = 1 } NR == 2 && $1 != 1000000 { bad = 1 }
	END { exit bad || $1 != 3000000 || $2 != "end" }' window.csv || fail "the window is not kept"

# What results name is not run as code.
sed 's|"policy": "[^"]*"|"policy": "idle=./evil.so"|' one.json >evil.json
status 0 -o report.html evil.json
message 'no time line: .*idle=./evil.so: the run needs a plug-in'
status 1 --events evil.csv evil.json
status 1 --events evil.csv --plugins evil.json
grep -q 'needs a plug-in' err && fail "--plugins has no effect"

# A run that gives something else now has no time line, and no trace.
sed 's/"elapsed_ns": /"elapsed_ns": 1/' one.json >other.json
status 0 -o report.html other.json
message 'no time line: idle=haltpoll, seed 1: the run no longer gives the result'
grep -q 'Not all time lines could be made' report.html || fail "the page does not say so"
rm -f trace.pf
status 1 --perfetto trace.pf other.json
[ ! -e trace.pf ] || fail "a trace of another run is left behind"

status 2 --db runs.db
status 2 -o x.html
status 2 -o x.html -p idle=poll one.json
status 2 -o x.html --window 1 one.json
status 2 -o x.html --window 1,0 one.json
status 2 -o x.html --timelines many one.json
status 1 --db none.db -o x.html
status 1 --db runs.db -p nothing -o x.html
message 'runs.db: no such run'
status 1 -o nofolder/x.html one.json
message 'nofolder/x.html: No such file'
status 1 -o x.html --window 1e8,1 one.json
message '--window: begins at'
cp one.json copy.json
status 2 -o ./copy.json copy.json
cmp -s one.json copy.json || fail "over an input"
status 2 -o ./runs.db --db runs.db
status 2 -o x.html --perfetto ./x.html one.json
[ -z "$(ls | grep 'x.html' || true)" ] || fail "left behind: $(ls)"
