#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# sweep: the same store whatever the order, the threads, the shards or an end in between; what it
# says of bad files. Usage: sweep.sh PROGRAM
set -eu
# shellcheck source=SCRIPTDIR/lib.sh
. "$(dirname "$0")/lib.sh"

export_of() {
	"$program" runs export --db "$1" >"$1.json"
}

same() {
	export_of "$1"
	export_of "$2"
	cmp "$1.json" "$2.json" || fail "$1 and $2 are not the same"
}

sweep() {
	"$program" sweep "$@" >out 2>err
}

cat >sweep.yaml <<'YAML'
schema: 1
grids:
  - machines: [i7-2600k]
    workloads: ["pipe-test:loops=200", "periodic:seconds=1"]
    policies: [performance, powersave]
    keys:
      - key: idle
        values: [poll, "state:1"]
      - key: cpus
        of: machine
        values: [4, 8]
    seeds: 1-2,7
  - machines: ["i7-2600k:cpus=8"]   # in the first grid too
    workloads: ["periodic:seconds=1"]
    policies: ["performance:idle=poll", "idle=menu@6.1"]
runs:
  - {machine: i7-2600k, workload: sqlite:seconds=1, policy: idle=poll, seeds: 3}
YAML
sweep sweep.yaml --db one.db -j1
grep -q '^sweep.yaml: 51 runs: 51 done, 0 were in one.db$' out || fail "one.db: $(cat out)"
sweep sweep.yaml --db many.db -j7 --check
same one.db many.db
# What a store has is not done again, or is with --again, to the same effect.
"$program" runs delete --db many.db -p '*poll' >/dev/null
sweep sweep.yaml --db many.db --dry-run
grep -q '51 runs, 25 of them in many.db' out || fail "dry run: $(cat out)"
sweep sweep.yaml --db many.db --json
grep -q '"present": 25' out || fail "the rest: $(cat out)"
grep -q '"done": 26' out || fail "the rest: $(cat out)"
same one.db many.db
sweep sweep.yaml --db many.db --again
grep -q '51 done, 0 were' out || fail "--again: $(cat out)"
same one.db many.db
sweep sweep.yaml --db none.db --dry-run
[ ! -e none.db ] || fail "a dry run made a store"

# Two at once into one store.
"$program" sweep sweep.yaml --db both.db >out1 2>&1 &
sweep sweep.yaml --db both.db || fail "two at once: $(cat err)"
wait $! || fail "two at once: $(cat out1)"
same one.db both.db

# Shards, joined in any order; a lost one is simply run again.
for i in 3 1 2; do
	sweep sweep.yaml --db shard$i.db --shard $i/3
	grep -q ': 17 runs: 17 done' out || fail "shard $i: $(cat out)"
done
rm shard2.db
"$program" runs merge --db merged.db shard3.db shard1.db >/dev/null
sweep sweep.yaml --db shard2.db --shard 2/3
"$program" runs merge --db merged.db shard1.db shard2.db >/dev/null
same one.db merged.db

# It holds what run gives, and run finds it.
"$program" run -m i7-2600k:cpus=4 -w pipe-test:loops=200 -p performance:idle=poll -n 2 --json \
	>run.json
"$program" run -m i7-2600k:cpus=4 -w pipe-test:loops=200 -p performance:idle=poll -n 2 --json \
	--db one.db >stored.json 2>err
grep -q '2 of 2 runs were in one.db' err || fail "run does not find the sweep's runs"
cmp run.json stored.json || fail "run and sweep differ"
# Both ends of frequency scaling of the recording.
"$program" runs list --db one.db -w 'sqlite*' --scaling all --scaling none >list
[ "$(wc -l <list)" = 3 ] || fail "expected both ends: $(cat list)"

# Policies on several machines: a table for each machine. One policy: the machines beside each other.
"$program" compare --db one.db -w 'periodic*' -p 'performance*' >table
[ "$(grep -c '^periodic:seconds=1 on i7-2600k:cpus=[48]$' table)" = 2 ] ||
	fail "expected a table for each machine: $(cat table)"
"$program" compare --db one.db -w 'periodic*' -p performance:idle=poll >table
grep -q '^periodic:seconds=1$' table || fail "expected the machines in one table: $(cat table)"
grep -q 'i7-2600k:cpus=4 .*i7-2600k:cpus=8$' table || sed -n 3,6p table | grep -q cpus=8 ||
	fail "expected the machines in one table: $(cat table)"

# A run that fails is said, the others are done, and the next start tries it again.
sed 's/"state:1"/"state:9"/' sweep.yaml >failing.yaml
for time in first second; do
	rc=0
	sweep failing.yaml --db failing.db || rc=$?
	[ $rc = 1 ] || fail "a run that fails, the $time time: exit status $rc"
	grep -q '24 of 51 runs failed' err || fail "a run that fails: $(cat err)"
	[ "$(wc -l <err)" = 11 ] || fail "each failure, but ten at most, and one line: $(cat err)"
	grep -q "seed [127]: .*state:9" err || fail "which run failed: $(cat err)"
done
grep -q ': 0 done, 27 were in' out || fail "the second time: $(cat out)"

# A signal: what runs is done and kept, one line says how to go on, and going on gives the rest.
cat >long.yaml <<'YAML'
schema: 1
grids:
  - {machines: [i7-2600k], workloads: ["pipe-test:loops=20000"], policies: [idle=poll], seeds: 1-500}
YAML
"$program" sweep long.yaml --db long.db -j2 >out 2>err &
pid=$!
while [ ! -s long.db-wal ] && kill -0 $pid; do
	sleep 0.05
done
sleep 0.1
kill -TERM $pid
rc=0
wait $pid || rc=$?
[ $rc = 1 ] || fail "ended by a signal: exit status $rc: $(cat err)"
[ "$(wc -l <err)" = 1 ] || fail "ended by a signal: $(cat err)"
done=$(sed -n 's/.*ended by a signal, \([0-9]*\) of 500 runs are in long.db.*/\1/p' err)
[ "$done" -gt 0 ] || fail "ended by a signal: $(cat err)"
"$program" runs list --db long.db >list
[ "$(wc -l <list)" = $((done + 1)) ] || fail "$done runs said, but $(wc -l <list) lines of list"

# TEXT YAML...: exit status 1, one line, no store.
refused() {
	text=$1
	shift
	printf '%s\n' "$@" >bad.yaml
	rc=0
	sweep bad.yaml --db bad.db || rc=$?
	[ $rc = 1 ] || fail "$*: exit status $rc, expected 1"
	[ "$(wc -l <err)" = 1 ] || fail "$*: expected one line: $(cat err)"
	grep -q -- "^corepace sweep: bad.yaml:.*$text" err || fail "$*: expected '$text': $(cat err)"
	[ ! -e bad.db ] || fail "$*: made a store"
}
grid='grids: [{machines: [i7-2600k], workloads: [busy], policies: [performance]'
refused 'no runs in it' 'schema: 1'
refused "schema: '2', expected 1" 'schema: 2' "$grid}]"
refused "unknown field 'grid'" 'schema: 1' 'grid: []'
refused "no field 'workloads'" 'schema: 1' 'grids:' '  - machines: [i7-2600k]' '    policies: [x]'
refused 'too few entries' 'schema: 1' 'grids:' '  - machines: []'
refused "no machine 'nope'" 'schema: 1' 'runs: [{machine: nope, workload: busy, policy: performance}]'
refused "no policy 'nope'" 'schema: 1' 'runs: [{machine: i7-2600k, workload: busy, policy: nope}]'
refused "no workload 'nope'" 'schema: 1' \
	'runs: [{machine: i7-2600k, workload: nope, policy: performance}]'
refused "expected seeds" 'schema: 1' "$grid, seeds: 5-1}]"
refused "expected seeds" 'schema: 1' "$grid, seeds: 1;2}]"
refused "more than 1000000 seeds" 'schema: 1' "$grid, seeds: 1-1000000000}]"
refused "more than 1000000 runs" 'schema: 1' "$grid, keys: [{key: a, values: [1, 2]}], seeds: 1-1000000}]"
refused "expected machine, workload or policy" 'schema: 1' \
	"$grid, keys: [{key: idle, of: cpu, values: [poll]}]}]"
refused "has a key 'idle' already" 'schema: 1' \
	"$grid, keys: [{key: idle, values: [poll]}, {key: idle, values: [menu]}]}]"
refused "expected a key and its value" 'schema: 1' "$grid, keys: [{key: idle, values: ['a,b=c']}]}]"
refused "scaling: 'some'" 'schema: 1' 'scaling: some' "$grid}]"
# Faults of the command line.
for arguments in '' '--db x.db' 'sweep.yaml' 'sweep.yaml --db x.db --shard 0/3' \
	'sweep.yaml --db x.db --shard 4/3' 'sweep.yaml --db x.db --shard 1/2/3' \
	'sweep.yaml --db x.db --shard' 'sweep.yaml --db x.db -j 0' 'a.yaml b.yaml --db x.db'; do
	rc=0
	# shellcheck disable=SC2086 # a command line
	sweep $arguments || rc=$?
	[ $rc = 2 ] || fail "sweep $arguments: exit status $rc, expected 2"
done
rc=0
sweep "$top/tests/examples/sweep.yaml" --db no/such/folder.db || rc=$?
[ "$(cat err)" = "corepace sweep: no/such/folder.db: No such file or directory" ] ||
	fail "no folder: $(cat err)"
