#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run --uncertain: the same bytes for any number of threads; all policies of an iteration on the same
# drawn machine; the summary is what the runs themselves come to. Usage: run_uncertain.sh PROGRAM
set -eu
# shellcheck source=SCRIPTDIR/lib.sh
. "$(dirname "$0")/lib.sh"

run() {
	"$program" run -m i7-2600k:cpus=2 -w pipe-test:loops=300 -p idle=menu@6.1 -p idle=poll \
		-p idle=state:1 --uncertain "$@"
}

run -n 12 --seed 5 --check --json -j 1 >one.json
run -n 12 --seed 5 --check --json -j 3 >three.json
cmp one.json three.json || fail "-j 3 differs"
python3 - <<'EOF'
import json, statistics
d = json.load(open("one.json"))
by = {}
for r in d["runs"]:
    assert r["machine"] == f"i7-2600k:cpus=2,draw={r['seed']}", r["machine"]
    assert r["energy_band"] == 0
    by.setdefault(r["policy"], []).append(r)
assert list(by) == ["idle=menu@6.1", "idle=poll", "idle=state:1"]
assert [r["seed"] for r in by["idle=poll"]] == list(range(5, 17))
u = d["uncertain"]
assert (u["machines"], u["baseline"], u["threshold"]) == (12, "idle=menu@6.1", 0.02)

def value(run, metric):
    if metric.startswith("wake_"):
        return run["wake_latency_ns"][metric[5:8]] / 1000
    return run["metrics"][metric]["value"]

seen = set()
for row in u["comparisons"]:
    ratios = [value(b, row["metric"]) / value(a, row["metric"])
              for a, b in zip(by[u["baseline"]], by[row["policy"]], strict=True)]
    same = sum(abs(r - 1) <= 0.02 for r in ratios)
    up = sum(r > 1.02 for r in ratios)
    better = up if row["better"] == "higher" else 12 - same - up
    assert (row["better_on"], row["same_on"]) == (better, same), row
    assert row["worse_on"] == 12 - better - same and row["machines"] == 12
    share = max(row["better_on"], row["worse_on"], row["same_on"]) / 12
    assert abs(row["share"] - share) < 1e-9
    assert abs(row["ratio"]["median"] - statistics.median(ratios)) < 1e-9
    assert min(ratios) <= row["ratio"]["p5"] <= row["ratio"]["p95"] <= max(ratios)
    seen.add(row["metric"])
assert {"usecs_per_loop", "package_j", "ops_per_j", "wake_p99_us"} <= seen, seen
EOF

# Another machine each time, and a run is repeated by what its result names.
run -n 2 --seed 5 --json >two.json
python3 - <<'EOF'
import json
a, b = (json.load(open(f))["runs"] for f in ("one.json", "two.json"))
assert a[0] == b[0] and a[13] == b[3]
assert a[0]["metrics"] != a[1]["metrics"]
EOF
"$program" run -m i7-2600k:cpus=2,draw=6 -w pipe-test:loops=300 -p idle=menu@6.1 --seed 6 --json >again.json
python3 - <<'EOF'
import json
a = json.load(open("one.json"))["runs"][1]
b = json.load(open("again.json"))["runs"][0]
a["iteration"] = 0
assert a == b
EOF
"$program" show machine i7-2600k:draw=6 >drawn
grep -q 'tick_ns .*(750 to 2250) *drawn' drawn || fail "show machine: tick_ns is not drawn"
grep -q 'context_switch_ns *481 ns *fitted' drawn || fail "show machine: a fitted value was drawn"

# With a store: gone on with, and the same table.
run -n 4 >plain
run -n 3 --db runs.db >/dev/null
run -n 4 --db runs.db >stored 2>err
grep -q '9 of 12 runs were in runs.db' err || fail "not gone on with: $(cat err)"
cmp plain stored || fail "another table from the store"
[ "$(grep -c 'are drawn from' plain)" = 1 ] || fail "expected one note about the draws"

verb=run
common='-m i7-2600k -w pipe-test:loops=300 --uncertain'
# shellcheck disable=SC2086
status 2 $common -p idle=poll
# shellcheck disable=SC2086
status 2 $common -p idle=poll -p idle=state:1 -n 1001
status 1 -m i7-2600k:draw=3 -w pipe-test -p idle=poll -p idle=state:1 --uncertain
grep -q 'has the key draw' err || fail "a second draw: $(cat err)"
