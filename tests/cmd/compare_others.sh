#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# compare reads what other tools wrote: MMTests' directories of three ages, fio, hyperfine, turbostat,
# beside simulated runs. The trees are made up here. Usage: compare_others.sh PROGRAM
set -eu
# shellcheck source=SCRIPTDIR/lib.sh
. "$(dirname "$0")/lib.sh"
verb=compare
data=$top/tests/trace/data

# Checks means, one a line on standard input, in the JSON that status left in out: WORKLOAD METRIC CONFIG
# WANT [N], - for no workload.
means() {
	python3 -c '
import json, sys
got = {}
for c in json.load(open("out"))["comparisons"]:
    for k in c["configs"]:
        got[c.get("workload") or "-", c["metric"], k["config"]] = (
            k["hmean" if c["better"] == "higher" else "amean"], k["n"])
for line in sys.stdin:
    workload, metric, config, want, *n = line.split()
    value, count = got[workload, metric, config]
    assert abs(value - float(want)) < 1e-9 * max(1, abs(value)), (line, value)
    assert not n or count == int(n[0]), (line, count)
' || fail "means: see above"
}

# One iteration of a run: bench RUN/iter-N FACTOR.
run_dir() {
	at=$1
	f=$2
	for b in kernbench gitsource hackbench-process-pipes sqlite pgbench tbench4 dbench4-async; do
		mkdir -p "$at/$b/logs"
	done
	for i in 1 2; do
		echo "$((100 * f)).50user 20.25system 1:0$i.50elapsed 190%CPU (0avgtext+0avgdata)" \
			>"$at/kernbench/logs/kernbench-4-$i.time"
		printf 'some output\n%s\n' "10.00user 2.00system 1:00:0$i.00elapsed 90%CPU (" \
			>"$at/gitsource/logs/gitsource-$i.time"
		echo "Total time: $((f + i)).500 [sec]" >>"$at/hackbench-process-pipes/logs/hackbench-4"
	done
	cp "$at/gitsource/logs/gitsource-1.time" "$at/gitsource/logs/time"
	printf 'warmup  5\nexecute 1000\nexecute %d\n' $((f * 1000)) >"$at/sqlite/logs/sqlite.log"
	for i in $(seq 17); do
		echo "$i $((i > 9 ? 100 * f : 1)) 50000 0 0 0"
	done >"$at/pgbench/logs/pgbench-transactions-2-1"
	echo 'tps = 7 (including connections)' >"$at/pgbench/logs/pgbench-raw-2"
	cat >"$at/tbench4/logs/tbench-8.log" <<END
   8     12345   100.00 MB/sec  warmup   1 sec  latency 9.000 ms
   8     12345   $((200 * f)).00 MB/sec  execute   1 sec  latency 0.500 ms
END
	gzip "$at/tbench4/logs/tbench-8.log"
	cat >"$at/dbench4-async/logs/dbench-1.log" <<END
   1     12345    50.00 MB/sec  execute   1 sec  latency 2.000 ms
   1     12345    50.00 MB/sec  execute   2 sec  latency 4.000 ms
END
	xz "$at/dbench4-async/logs/dbench-1.log"
	echo "0 completed in 33 ms at 44 ms" >"$at/dbench4-async/logs/dbench-loadfile-1.log"
	cat >"$at/turbostat-sqlite" <<END
Core CPU Avg_MHz Busy% PkgWatt CorWatt
- - 100 5.00 10.00 4.00
0 0 100 5.00 10.00 4.00
- - 300 15.00 30.00 14.00
END
}

run_dir new/base/iter-0 1
cp -R new/base/iter-0 new/base/iter-1
run_dir new/other/iter-0 2
mkdir -p new/other/iter-0/unheardof/logs
status 0 --json new
means <<'END'
kernbench:jobs=4 elapsed_s base 62 4
kernbench:jobs=4 user_s other 200.5 2
gitsource elapsed_s other 3601.5 2
hackbench:groups=4 elapsed_s other 4 2
sqlite-insert tx_per_s base 1000 4
sqlite-insert package_w base 20 4
sqlite-insert ops_per_j base 50 4
pgbench:clients=2 tx_per_s other 200 2
pgbench:clients=2 latency_ms other 0.25 2
tbench:clients=8 mb_per_s other 400 1
dbench4:clients=1 latency_ms base 3 4
dbench4:clients=1 loadfile_ms base 33 2
END
grep -q 'other: results of unheardof are not read' out || fail "an unread benchmark is not told"
status 0 new/other
grep -q '^Hmean .*mb_per_s\|mb_per_s' out || fail "no mb_per_s in text"
status 0 --json mine=new/other
means <<'END'
tbench:clients=8 mb_per_s mine 400 1
END
status 1 mine=new

# The two older layouts.
mkdir -p mid old
cp -R new/base/iter-0 mid/r1
for b in mid/r1/*/; do mv "$b/logs" "$b/noprofile"; done
status 0 --json mid
means <<'END'
kernbench:jobs=4 elapsed_s r1 62 2
sqlite-insert package_w r1 20 2
END
for b in mid/r1/*/; do cp -R "$b" "old/$(basename "$b")-r-1"; done
cp mid/r1/turbostat-sqlite old/turbostat-r-1-sqlite
touch old/tests-timestamp-r-1
status 0 --json old
means <<'END'
kernbench:jobs=4 elapsed_s r-1 62 2
sqlite-insert package_w r-1 20 2
END

# Recordings of the monitors trace-cmd and perf-sched.
mkdir -p traced/r/iter-0/sqlite/logs
cp new/base/iter-0/sqlite/logs/sqlite.log traced/r/iter-0/sqlite/logs
dat=$(ls "$data"/*.dat | head -n 1)
perf=$(ls "$data"/*.perf.data "$data"/perf*.data 2>/dev/null | head -n 1)
for from in "$dat" "$perf"; do
	[ -n "$from" ] || continue
	rm -f traced/r/iter-0/trace-cmd* traced/r/iter-0/perf-sched*
	if [ "$from" = "$dat" ]; then
		cp "$from" traced/r/iter-0/trace-cmd-sqlite-trace-cmd-mmtests.dat
	else
		cp "$from" traced/r/iter-0/perf-sched-sqlite
	fi
	status 0 --json --metric wake_p99_us traced
	grep -q '"workload": "sqlite-insert"' out || fail "no wake-ups of $from"
done

# fio, hyperfine, turbostat, and real beside simulated in one table.
cat >fio.json <<'END'
fio: a warning
{"fio version": "fio-3.33", "jobs": [{"jobname": "rd", "error": 0,
 "read": {"total_ios": 10, "iops": 250.5, "bw_bytes": 4000000, "lat_ns": {"mean": 12500.0},
  "clat_ns": {"percentile": {"99.000000": 20000}}},
 "write": {"total_ios": 0}}]}
END
status 0 --json a=fio.json b=fio.json
means <<'END'
- read_iops a 250.5
- read_mb_per_s b 4
- read_lat_us a 12.5
- read_p99_us a 20
END
cat >hyperfine.json <<'END'
{"results": [{"command": "one", "user": 0.5, "system": 0.25, "times": [1.5, 2.5]},
 {"command": "two", "times": [3]}]}
END
status 0 --json hyperfine.json
means <<'END'
- elapsed_s one 2 2
- elapsed_s two 3 1
END
status 0 --json x=hyperfine.json
means <<'END'
two elapsed_s x 3 1
END
cat >turbostat.txt <<'END'
2.000 sec
Core CPU Avg_MHz Busy% C1E% CPU%c6 PkgWatt
- - 100 5.00 1.5 80 10.00
0 0 100 5.00 1.5 80 10.00
END
status 0 --json turbostat.txt
means <<'END'
- package_w turbostat.txt 10
- package_j turbostat.txt 20
- C1E_pct turbostat.txt 1.5
- hw_c6_pct turbostat.txt 80
END
"$program" run -m i7-2600k -w pipe-test:loops=1000 -p idle=poll --json >sim.json
status 0 --json sim.json real=turbostat.txt
means <<'END'
pipe-test:loops=1000 package_w real 10
END
python3 -c 'import json
for c in json.load(open("out"))["comparisons"]:
    assert all(k["welch_p"] is None and k["significant"] is None for k in c["configs"] if k["simulated"])
    if c["metric"] == "package_w": assert len(c["configs"]) == 2 and c["configs"][1]["percent"]' ||
	fail "real and simulated are not in one table"
status 0 --one-table --json new sim.json
means <<'END'
- package_w base 20
END

# What the tools themselves write, where they are.
if command -v hyperfine >/dev/null; then
	hyperfine -N --runs 3 --export-json real.json true 'sleep 0.01' >/dev/null 2>&1
	status 0 --json --metric elapsed_s real.json
	grep -q '"config": "sleep 0.01"' out || fail "hyperfine's own output"
fi
if command -v fio >/dev/null && fio --name=job --rw=randread --size=1m --ioengine=psync \
	--output-format=json --output=real.json --filename=fio.data >/dev/null 2>&1; then
	status 0 --json --metric read_iops real=real.json
	grep -q '"config": "real"' out || fail "fio's own output"
fi

# Text in the other style.
status 0 --style plain --detect 5 a=fio.json sim.json
grep -q 'would show 5 %' out || fail "--detect is not told"
status 2 --style nope a=fio.json
status 2 --detect 0 a=fio.json

# Errors name the file and the line, or the field.
message() {
	grep -q "^corepace compare: $1" err || fail "expected '$1' in: $(cat err)"
}
echo 'execute many' >>new/base/iter-1/sqlite/logs/sqlite.log
status 1 new
message 'new/base/iter-1/sqlite/logs/sqlite.log:4: execute: found .many., expected a number'
echo nothing >new/base/iter-0/kernbench/logs/kernbench-4-1.time
status 1 new
message 'new/base/iter-0/kernbench/logs/kernbench-4-1.time:2: expected a line of time'
sed -i 's/250.5/"x"/' fio.json
status 1 fio.json
message 'fio.json: jobs\[0\].read.iops: expected a number'
sed -i 's/"jobs"/jobs/' fio.json
status 1 fio.json
message 'fio.json:2: '
sed -i 's/10.00$/ten/' turbostat.txt
status 1 turbostat.txt
message 'turbostat.txt:3: package_w: found .ten., expected a number'
rc=0
cat hyperfine.json | "$program" compare /dev/stdin >out 2>err || rc=$?
[ $rc = 1 ] && grep -q 'not a pipe' err || fail "a pipe: $rc $(cat err)"
printf '{"results": [{"command": "a\\u001b[31m\\nb", "times": [1, 2]}]}' >lines.json
status 0 lines.json
LC_ALL=C grep -q '[[:cntrl:]]' out && fail "a control character of a command was printed"
echo '{"results": [{"command": "one", "times": []}]}' >hyperfine.json
status 1 hyperfine.json
message 'hyperfine.json: results\[0\].times: expected a list of seconds'
mkdir empty
status 1 empty
message 'empty: no run of MMTests'
echo text >text
status 1 text
message 'text:1: expected JSON of corepace'
status 1 name=samples.csv
