#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# compare: exit statuses, several files, and every kind of bad input. Usage: compare.sh PROGRAM
set -eu
# shellcheck source=SCRIPTDIR/lib.sh
. "$(dirname "$0")/lib.sh"
verb=compare

cat >samples.csv <<'EOF'
config,metric,unit,better,value
base,tx,1/s,higher,100
base,lat,ms,lower,10
new,tx,1/s,higher,94
new,lat,ms,lower,9
EOF
status 0 samples.csv
status 3 --fail-if-worse 5 samples.csv
grep -q '1 figure is worse by more than 5 %' err || fail "no reason for exit status 3"
status 0 --fail-if-worse 7 samples.csv
status 0 --fail-if-worse 5 --metric lat samples.csv
grep -q tx out && fail "--metric lat shows tx"
status 3 --json --fail-if-worse 5 samples.csv
python3 -c 'import json, sys
for c in json.load(open("out"))["comparisons"]:
    assert {"tx": -6.0, "lat": 10.0}[c["metric"]] == c["configs"][1]["percent"], c' ||
	fail "wrong percentages in JSON"

# The same policy in two files: the files tell them apart, the first is the baseline.
for n in 1 2; do
	"$program" run -m i7-2600k -w pipe-test:loops=1000 -p idle=poll --seed $n --json >$n.json
done
status 0 1.json 2.json
grep -q '2.json' out || fail "files are not told apart"

status 1 nofile.json
status 0 samples.csv 1.json
status 1 --metric nope samples.csv
head -c 1000 1.json >cut.json
status 1 cut.json
grep -q '^corepace compare: cut.json:[0-9]*: ' err || fail "no line in: $(cat err)"
echo 'base,tx,1/s,higher,many' >>samples.csv
status 1 samples.csv
grep -q '^corepace compare: samples.csv:6: value: ' err || fail "no line in: $(cat err)"
status 2
status 2 --fail-if-worse x samples.csv
status 2 --fail-if-worse -1 samples.csv
status 2 --nope samples.csv
