#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# run --db: what is there is not done again, and gives the same table; what a run is made of makes
# it another one; faults of the store are one line. Usage: run_db.sh PROGRAM
set -eu
# shellcheck source=SCRIPTDIR/lib.sh
. "$(dirname "$0")/lib.sh"

run() {
	"$program" run -m i7-2600k -w pipe-test:loops=500 -n 3 "$@"
}

run -p idle=poll -p idle=state:1 >plain 2>err
run -p idle=poll -p idle=state:1 --db runs.db >first 2>err
[ ! -s err ] || fail "the first time: $(cat err)"
run -p idle=poll -p idle=state:1 --db runs.db >second 2>err
[ "$(cat err)" = "corepace run: 6 of 6 runs were in runs.db" ] || fail "second time: $(cat err)"
cmp plain first || fail "another table with a store"
cmp plain second || fail "another table from the store"
# A stored run that is now another iteration says so; JSON is the same as without.
run -p idle=poll --seed 2 -n 1 --json >plain.json
run -p idle=poll --seed 2 -n 1 --json --db runs.db >stored.json 2>err
grep -q '1 of 1 runs were' err || fail "seed 2 was not found: $(cat err)"
cmp plain.json stored.json || fail "other JSON from the store"
run -p idle=poll --db runs.db --again >again 2>err
[ ! -s err ] || fail "--again: $(cat err)"

# Each thing that a run is made of: changed, it is another run.
mkdir -p data/machines data/policies workloads
cp "$top/machines/i7-2600k.yaml" data/machines/
cp "$top/policies/performance.yaml" data/policies/
cp "$top/workloads/recorded/pipe.cpw" mine.cpw
own() { # WANT-IN-STORE
	COREPACE_DATA=$tmp/data "$program" run -m i7-2600k -w mine.cpw:seconds=1 --scaling all \
		-p performance --db own.db >/dev/null 2>err
	if [ "$1" = yes ]; then
		grep -q '1 of 1 runs' err || fail "$2: done again"
	else
		[ ! -s err ] || fail "$2: not done again: $(cat err)"
	fi
}
own no "new"
own yes "unchanged"
echo '# a remark' >>data/machines/i7-2600k.yaml
own no "the machine's file"
echo '# a remark' >>data/policies/performance.yaml
own no "the preset's file"
cp "$top/workloads/recorded/sqlite.cpw" mine.cpw
own no "the recording"
own yes "in the end"

# VERB ARGUMENTS: one line, exit status 1, nothing on stdout.
refused() {
	text=$1
	shift
	rc=0
	"$@" >out 2>err || rc=$?
	[ $rc = 1 ] || fail "$*: exit status $rc, expected 1"
	[ ! -s out ] || fail "$*: something on stdout"
	[ "$(wc -l <err)" = 1 ] || fail "$*: expected one line: $(cat err)"
	grep -q "$text" err || fail "$*: expected '$text': $(cat err)"
}
refused 'no/such.db: No such file or directory' run -p idle=poll --db no/such.db
echo 'not a database, but long enough to be taken for one by its first bytes' >text.db
refused 'text.db: no SQLite database' run -p idle=poll --db text.db
rc=0
run -p idle=poll --again >out 2>err || rc=$?
[ $rc = 2 ] || fail "--again without --db: exit status $rc"
