#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# validate: judges what was run, whatever the threads, and goes on after an end; what it says of bad
# files. Usage: validate.sh PROGRAM
set -eu
# shellcheck source=SCRIPTDIR/lib.sh
. "$(dirname "$0")/lib.sh"
verb=validate

cat >rows.csv <<'CSV'
table,better,stat,value,run_machine,run_workload,run_policy,run_metric,fit
A,lower,avg,3,i7-2600k,pipe-test:loops=2000,idle=state:1,usecs_per_loop,0
A,lower,avg,2.5,i7-2600k,pipe-test:loops=2000,idle=poll,usecs_per_loop,0
A,lower,stddev,0.1,i7-2600k,pipe-test:loops=2000,idle=state:1,usecs_per_loop,0
A,lower,stddev,0.2,i7-2600k,pipe-test:loops=2000,idle=poll,usecs_per_loop,0
A,higher,hmean,300,i7-2600k,pipe-test:loops=2000,idle=state:1,loops_khz,0
A,higher,hmean,400,i7-2600k,pipe-test:loops=2000,idle=poll,loops_khz,1
B,,sum,1,i7-2600k,pipe-test:loops=2000,idle=state:1,idle_s:1,0
B,,sum,0,i7-2600k,pipe-test:loops=2000,idle=poll,idle_s:1,0
B,lower,mean,5,i7-2600k,pipe-test:loops=2000,idle=state:1,no_such_metric,0
B,lower,mean,6,i7-2600k,pipe-test:loops=2000,idle=poll,no_such_metric,0
C,lower,mean,5,no-such-machine,pipe-test:loops=2000,idle=poll,usecs_per_loop,0
C,lower,mean,6,no-such-machine,pipe-test:loops=2000,idle=state:1,usecs_per_loop,0
C,lower,median,6,i7-2600k,pipe-test:loops=2000,idle=poll,usecs_per_loop,0
C,higher,mean,50,xeon-e3-1240v5,"dbench4:loads=3",powersave-hwp:boost=hwp-dynamic,improvement_pct,0
C,higher,mean,50,xeon-e3-1240v5,"dbench4:loads=3",powersave-hwp,improvement_pct,0
D,lower,mean,6,i7-2600k,pipe-test:loops=2000,idle=./x.so,usecs_per_loop,0
CSV
cat >claims.csv <<'CSV'
table,machine,workload,baseline,candidate,verdict,size_pct,note
A,i7-2600k,something-else,hwp,hwp+boost,win,5,
A,i7-2600k,pipe-test,hwp,magic,neutral,,
CSV

# PATH WANT...: values of the JSON in out
expect() {
	python3 -c 'import json, sys
for path, want in zip(sys.argv[1::2], sys.argv[2::2]):
    v = json.load(open("out"))
    for key in path.split("."):
        v = v[int(key)] if isinstance(v, list) else v[key]
    assert str(v) == want, f"{path}: {v}, expected {want}"' "$@"
}

status 0 --rows rows.csv --claims claims.csv --json -j1
cp out one.json
expect total.rows 5 total.failed_rows 3 total.fitted_rows 1 total.direction_rows 5 \
	total.stddev.rows 1 tables.0.table A tables.0.rows 1 tables.0.direction_right 1 \
	tables.2.failed_rows 2 claims.rows 2 claims.failed_rows 2 rows.0.kind baseline \
	rows.5.kind fitted rows.7.kind residency rows.7.published_ratio None rows_without_figure 7 \
	configurations 7
for threads in 2 5; do
	status 0 --rows rows.csv --claims claims.csv --json -j $threads
	cmp out one.json || fail "-j $threads gives other bytes"
done
status 0 --rows rows.csv --json -n 2 --seed 7
! cmp -s out one.json || fail "the seed changes nothing"
status 0 --rows rows.csv --claims claims.csv
for text in "no machine 'no-such-machine'" "no metric 'no_such_metric'; there are usecs" \
	"no statistic 'median'" "expected a policy with a boost" "no workload for 'something-else'" \
	"no policy for 'magic'" '^total  *5 '; do
	grep -q "$text" out || fail "expected '$text': $(cat out)"
done

# What is in the store is not done again, and gives the same.
status 0 --rows rows.csv --db runs.db B
status 0 --rows rows.csv --claims claims.csv --db runs.db --json
cmp out one.json || fail "with a store it gives other bytes"
status 0 --rows rows.csv --db runs.db
grep -q '12 runs, 12 of them were in the store' out ||
	fail "runs were done again: $(tail -1 out)"

# kill -9 at some moment, and again.
sed 's/loops=2000/loops=40000/' rows.csv >long.csv
status 0 --rows long.csv --json
cp out long.json
for i in 1 2 3; do
	"$program" validate --rows long.csv --db killed.db >/dev/null 2>&1 &
	pid=$!
	sleep "0.$((i * 2))"
	kill -KILL $pid 2>/dev/null || true
	wait $pid 2>/dev/null || true
done
status 0 --rows long.csv --db killed.db --json
cmp out long.json || fail "after kills it gives other bytes"

# Bad files and options.
printf 'table,better\nA,lower\n' >bad.csv
status 1 --rows bad.csv
[ "$(cat err)" = "corepace validate: bad.csv:1: expected a column 'stat'" ] || fail "$(cat err)"
status 1 --claims bad.csv
grep -q "bad.csv:1: expected a column 'machine'" err || fail "$(cat err)"
status 1 --rows none.csv
grep -q 'none.csv: No such file' err || fail "$(cat err)"
status 1 --rows rows.csv E
[ "$(cat err)" = "corepace validate: no table 'E'" ] || fail "$(cat err)"
for arguments in '-n 0' '-j 0' '--seed x' '--rows' '--nonsense'; do
	# shellcheck disable=SC2086 # a command line
	status 2 $arguments
done

# --uncertain: each row on drawn machines, for any number of threads, and as a run by hand gives it.
status 0 --rows rows.csv --uncertain -n 3 --seed 4 --json -j 1
cp out one.json
status 0 --rows rows.csv --uncertain -n 3 --seed 4 --json -j 3
cmp out one.json || fail "--uncertain -j 3 gives other bytes"
expect machines 3 first_draw 4 total.rows 5 total.failed_rows 3 tables.0.rows 1 tables.0.right 1 \
	tables.0.firmly_right 1 rows.0.machines 3 rows.0.right_share 1.0 rows.1.fitted True
for draw in 4 5 6; do
	"$program" run -m i7-2600k:draw=$draw -w pipe-test:loops=2000 -p idle=state:1 -p idle=poll --seed $draw --json \
		>run$draw.json
done
python3 - <<'EOF'
import json, statistics
ratios = []
for draw in (4, 5, 6):
    a, b = (r["metrics"]["usecs_per_loop"]["value"] for r in json.load(open(f"run{draw}.json"))["runs"])
    ratios.append(b / a)
row = json.load(open("one.json"))["rows"][0]
assert abs(row["ratios"]["median"] - statistics.median(ratios)) < 1e-9, (row, ratios)
assert row["right_share"] == sum(r < 1 for r in ratios) / 3
EOF
status 0 --rows rows.csv --uncertain -n 2 --db uncertain.db
status 0 --rows rows.csv --uncertain -n 3 --db uncertain.db
grep -q 'of them were in the store' out || fail "--uncertain --db: not gone on with: $(cat out)"
status 2 --claims claims.csv --uncertain

# Floors: of predicted rows; and files of them that are none.
cat >floors <<'E2'
# what must be reached
total direction_right_percent 50
A mean_abs_ln_error 0.5

A failed_rows 0
E2
status 0 --rows rows.csv --floors floors A
status 3 --rows rows.csv --floors floors
grep -q 'below a floor: total direction_right_percent is 40, expected 50' err || fail "$(cat err)"
[ "$(wc -l <err)" = 1 ] || fail "$(cat err)"
status 3 --rows rows.csv --floors floors B
grep -q 'below a floor: A mean_abs_ln_error is nan' err || fail "$(cat err)"
for line in 'total direction_right_percent:expected TABLE FIGURE LIMIT' 'total wins 3:figure: found' \
	'total failed_rows few:limit: found' 'a b c d:expected TABLE' '#:expected lines TABLE'; do
	echo "${line%%:*}" >bad
	status 1 --rows rows.csv --floors bad
	grep -q "^corepace validate: bad:.*${line#*:}" err || fail "$line: $(cat err)"
done

# Quick: of each table and program the first two workloads, of each four configurations; no spread.
{
	head -1 rows.csv
	for workload in busy:seconds=1 busy:seconds=2 busy:seconds=3 pipe-test:loops=10; do
		for policy in idle=poll idle=state:1 idle=state:2 idle=state:3 idle=state:4; do
			echo "A,lower,mean,1,i7-2600k,$workload,$policy,package_j,0"
			echo "A,lower,stddev,1,i7-2600k,$workload,$policy,package_j,0"
		done
	done
	echo "B,lower,mean,1,i7-2600k,busy:seconds=3,idle=poll,package_j,0"
} >many.csv
status 0 --rows many.csv --quick --json
expect runs 13 tables.0.rows 9 rows.3.policy idle=state:3 rows.4.workload busy:seconds=2 \
	rows.8.workload pipe-test:loops=10 rows.12.workload busy:seconds=3

# The story of the boost: gains on servers, losses at the limit, no percentage of unequal work's joules.
status 0 --story boost --json
python3 - <<'PY' || fail "$(cat out)"
import json
(story,) = json.load(open("out"))["stories"]
gains = [next(v["percent"] for k, v in scene.items() if k in
              ("latency_ms", "tx_per_s", "frames_per_s", "requests_per_s")) for scene in story["scenes"]]
print(gains)
assert all(g > 5 for g in gains[:3]) and all(g < -0.5 for g in gains[3:]) and len(gains) == 6
for scene in story["scenes"]:
    assert scene["fixed"] in ("time", "work") and scene["ops_per_j"]["base"] > 0
    assert (scene["package_j"].get("verdict") == "unequal work") == (scene["package_j"]["percent"] is None)
PY
status 2 --story --quick
status 1 --story nonsense
grep -q "no story 'nonsense': expected boost" err || fail "$(cat err)"
