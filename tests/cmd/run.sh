#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run: the same bytes for any number of threads and each time; what a run gives, compare reads; bad
# input is one line. Usage: run.sh PROGRAM
set -eu
# shellcheck source=SCRIPTDIR/lib.sh
. "$(dirname "$0")/lib.sh"

run() {
	"$program" run -m i7-2600k -w pipe-test:loops=2000 -p idle=menu@6.1 -p idle=poll \
		-p idle=state:1 -n 4 --check "$@"
}

run --json -j 1 >one.json
for jobs in 1 2 7; do
	run --json -j $jobs >again.json
	cmp one.json again.json || fail "-j $jobs differs"
done
run -j 2 >table
"$program" compare one.json >compared
cmp table compared || fail "compare shows another table than run"
run --json --seed 2 -n 3 -j 1 >shifted.json
[ "$(grep -c '"iteration"' one.json)" = 12 ] || fail "expected 3 policies x 4 iterations"
# Iteration 1 of seed 1 is iteration 0 of seed 2.
python3 - <<'EOF'
import json
one = [r for r in json.load(open("one.json"))["runs"] if r["iteration"] > 0]
shifted = json.load(open("shifted.json"))["runs"]
for a, b in zip(one, shifted, strict=True):
    b["iteration"] += 1
    assert a == b, (a["policy"], a["iteration"])
EOF

# ARGUMENTS...: exit status 1 or 2, nothing on stdout, one line of reason on stderr
refused() {
	want=$1
	shift
	rc=0
	"$program" run "$@" >out 2>err || rc=$?
	[ $rc = "$want" ] || fail "$*: exit status $rc, expected $want"
	[ ! -s out ] || fail "$*: something on stdout"
	[ "$(grep -c '^corepace run: ' err)" = 1 ] || fail "$*: expected one reason: $(cat err)"
}
refused 1 -m nope -w pipe-test -p idle=poll
refused 1 -m i7-2600k -w nope -p idle=poll
refused 1 -m i7-2600k -w pipe-test -p nope
refused 1 -m i7-2600k -w pipe-test -p idle=state:9
refused 1 -m i7-2600k -w pipe-test -p idle=poll -p idle=poll
refused 2 -m i7-2600k -w pipe-test
refused 2 -m i7-2600k -w pipe-test -p idle=poll -n 0
refused 2 -m i7-2600k -w pipe-test -p idle=poll -j 1x
refused 2 -m i7-2600k -w pipe-test -p idle=poll --scaling some
refused 2 -m i7-2600k -w pipe-test -p idle=poll more
refused 2 -m i7-2600k -w pipe-test -p
rc=0
run >/dev/full 2>err || rc=$?
[ $rc = 1 ] || fail "a full disk: exit status $rc, expected 1"

# An unknown name is told all known ones.
rc=0
"$program" run -m i7-2600k -w nosuch -p default 2>err || rc=$?
[ $rc = 1 ] || fail "unknown workload: $rc"
"$program" list workloads --json >list.json
python3 - <<'EOF'
import json
known = {w["name"] for w in json.load(open("list.json"))["workloads"] if not w.get("recorded")}
text = open("err").read()
assert known and all(name in text for name in known), (known, text)
EOF
