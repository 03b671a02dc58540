#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# fit: finds again what made the rows, for any number of threads; puts it into the machine's file and
# changes nothing else in it; what must not be fitted on, or cannot be told apart, is refused; a signal
# leaves the file alone. Usage: fit.sh PROGRAM
set -eu
# shellcheck source=SCRIPTDIR/lib.sh
. "$(dirname "$0")/lib.sh"

mkdir data
cp -r "$top/machines" data/
cp -r "$top/policies" data/
export COREPACE_DATA="$tmp/data"
cp data/machines/i7-2600k.yaml before.yaml

# Rows that the model itself gives with another cost and another workload: the last two must not be
# fitted on.
python3 - "$program" <<'EOF'
import csv, json, subprocess, sys
machine = "i7-2600k"
truth = machine + ":costs.context_switch_ns=700,power.uncore=x1.2"
rows = []
for workload, cycles in (("pipe-test:loops=300", ""), ("periodic:seconds=1", ",run_us=3000")):
    for policy in ("idle=poll", "idle=state:1"):
        out = subprocess.run([sys.argv[1], "run", "-m", truth if not cycles else machine, "-w", workload + cycles, "-p", policy, "--json"],
                             check=True, capture_output=True)
        run = json.loads(out.stdout)["runs"][0]
        for metric in ("usecs_per_loop", "package_w") if "pipe" in workload else ("package_w",):
            m = run["metrics"][metric]
            rows.append(["A" if "pipe" in workload else "B", machine, workload.split(":")[0], metric, m["unit"],
                         m["better"].replace("neither", ""), "", policy, "avg", m["value"], "", machine, workload,
                         policy, metric, 1])
pipe = next(r for r in rows if r[3] == "usecs_per_loop")
rows.append(["C"] + pipe[1:9] + [99] + pipe[10:15] + [0])
rows.append(["A"] + pipe[1:9] + [99] + pipe[10:15] + [0])
with open("rows.csv", "w", newline="") as f:
    w = csv.writer(f)
    w.writerow("table,machine,workload,metric,unit,better,param,policy,stat,value,note,run_machine,run_workload,"
               "run_policy,run_metric,fit".split(","))
    w.writerows(rows)
EOF

fit() {
	"$program" fit --rows rows.csv "$@"
}

# Two parameters of the machine, one of them a curve's factor; the row with fit=0 would lead astray.
fit --free i7-2600k:costs.context_switch_ns=100..2000 --free i7-2600k:power.uncore=0.5..2 --dry-run --json \
	-j 1 A >one.json
fit --free i7-2600k:costs.context_switch_ns=100..2000 --free i7-2600k:power.uncore=0.5..2 --dry-run --json \
	-j 3 A >three.json
cmp one.json three.json || fail "-j 3 differs"
cmp data/machines/i7-2600k.yaml before.yaml || fail "--dry-run wrote"
python3 - <<'EOF'
import json, math
d = json.load(open("one.json"))
cost, uncore = d["parameters"]
assert abs(cost["best"] - 700) <= 7, cost
assert abs(uncore["best"] - 1.2) <= 0.02, uncore
assert len(d["rows"]) == 4 and not d["written"] and d["converged"], d
terms = [r["ln_error"] for r in d["rows"]]
assert math.isclose(d["rms"], math.sqrt(sum(t * t for t in terms) / 4), rel_tol=1e-6, abs_tol=1e-9)
assert d["rms"] < 0.01 < d["rms_before"]
assert [r["term"] for r in d["rows"]] == ["figure", "figure", "ratio", "ratio"]
a, b = (r for r in d["rows"] if r["metric"] == "usecs_per_loop")
assert math.isclose(b["ln_error"], math.log(b["best"] / a["best"] / (b["published"] / a["published"])), rel_tol=1e-6, abs_tol=1e-9)
assert math.isclose(a["ln_error"], math.log(a["best"] / a["published"]), rel_tol=1e-6, abs_tol=1e-9)
EOF

# Written: the number, the fact's source and confidence; all other lines are as they were.
fit --free i7-2600k:costs.context_switch_ns=100..2000 --free i7-2600k:power.uncore=0.5..2 A >text
grep -q 'written to machine i7-2600k: costs.context_switch_ns' text || fail "not written: $(cat text)"
"$program" show machine i7-2600k >shown
grep -q 'context_switch_ns *[67][0-9][0-9] ns *fitted(A)' shown || fail "show: not fitted"
grep -q 'corepace fit --rows rows.csv --free i7-2600k:costs.context_switch_ns=100..2000' shown ||
	fail "no command in the source"
python3 - <<'EOF'
import difflib
old, new = (open(f).read().splitlines() for f in ("before.yaml", "data/machines/i7-2600k.yaml"))
gone = [l for l in difflib.ndiff(old, new) if l.startswith("- ")]
new = [l for l in difflib.ndiff(old, new) if l.startswith("+ ")]
kept = [l for l in old if l.lstrip().startswith("#")]
assert all(l in open("data/machines/i7-2600k.yaml").read() for l in kept)
assert len(gone) < 16 and len(new) < 24, (gone, new)
assert sum("confidence: fitted(A)" in l for l in new) == 2
EOF
# Again, from what is there now: nothing better, nothing written.
cp data/machines/i7-2600k.yaml after.yaml
fit --free i7-2600k:costs.context_switch_ns=100..2000 --evaluations 3 A >text
cmp data/machines/i7-2600k.yaml after.yaml || grep -q 'written to' text || fail "changed, and not said"

# A workload's parameter is said, not written.
cp before.yaml data/machines/i7-2600k.yaml
fit --free periodic:run_us=500..9000 B >text
grep -q 'to be set by hand, a default of workload periodic: run_us [23][09][0-9][0-9]$' text || fail "periodic: $(cat text)"
cmp data/machines/i7-2600k.yaml before.yaml || fail "a workload's parameter changed the machine"

verb=fit
refused() { # TEXT, STATUS, ARGUMENTS...
	text=$1
	shift
	status "$@"
	grep -q "$text" err || fail "$*: expected '$text': $(cat err)"
	[ ! -s out ] || fail "$*: something on stdout"
}
refused 'rows.csv: no row of C that may be fitted on' 1 --rows rows.csv --free i7-2600k:costs.tick_ns C
refused 'rows.csv: no row of A:tbench' 1 --rows rows.csv --free i7-2600k:costs.tick_ns A:tbench
refused 'expected at most 2' 1 --rows rows.csv --free periodic:run_us=1..9 --free periodic:period_us=1..9 \
	--free periodic:tasks=1..9 B
refused 'no row of these tables uses epyc-guest' 1 --rows rows.csv --free epyc-guest:costs.tick_ns A
refused 'set in line' 1 --rows rows.csv --free periodic:seconds=1..9 B
refused 'no value of the file' 1 --rows rows.csv --free i7-2600k:costs.tock_ns A
refused 'a number, a curve or a list' 1 --rows rows.csv --free i7-2600k:frequency.domain A
refused 'needs a range' 1 --rows rows.csv --free periodic:run_us B
refused "'9..1', expected LOW..HIGH" 1 --rows rows.csv --free periodic:run_us=9..1 B
refused 'given twice' 1 --rows rows.csv --free i7-2600k:costs.tick_ns --free i7-2600k:costs.tick_ns A
refused 'none.csv' 1 --rows none.csv --free i7-2600k:costs.tick_ns A
refused 'expected --free' 2 --rows rows.csv A
refused 'expected TABLE' 2 --rows rows.csv --free i7-2600k:costs.tick_ns

# A signal: the best so far is said, the file is as it was.
sed 's/loops=300/loops=200000/' rows.csv >slow.csv
rc=0
timeout -s INT 1 "$program" fit --rows slow.csv --free i7-2600k:costs.context_switch_ns=100..2000 A >out 2>err ||
	rc=$?
[ $rc = 124 ] || [ $rc = 1 ] || fail "interrupted: exit status $rc: $(cat err)"
grep -q 'ended by a signal, nothing written' err || fail "interrupted: $(cat err)"
cmp data/machines/i7-2600k.yaml before.yaml || fail "interrupted, and the file changed"
