#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# runs, and compare --db: what was run is listed, shown, exported, compared, deleted and merged.
# Usage: runs.sh PROGRAM
set -eu
# shellcheck source=SCRIPTDIR/lib.sh
. "$(dirname "$0")/lib.sh"

runs() {
	verb=$1
	shift
	"$program" runs "$verb" --db a.db "$@"
}

# WANT TEXT COMMAND...: exit status and what the one line on stderr says.
refused() {
	want=$1
	text=$2
	shift 2
	rc=0
	"$program" "$@" >out 2>err || rc=$?
	[ $rc = "$want" ] || fail "$*: exit status $rc, expected $want"
	[ ! -s out ] || fail "$*: something on stdout"
	grep -q -- "$text" err || fail "$*: expected '$text': $(cat err)"
	[ "$(grep -c '^corepace ' err)" = 1 ] || fail "$*: expected one reason: $(cat err)"
}

"$program" run -m i7-2600k -w pipe-test:loops=500 -p idle=poll -p idle=state:1 -n 3 --db a.db \
	--json >run.json
"$program" run -m i7-2600k -w periodic:seconds=1 -p idle=poll --db a.db --json >other.json

runs list >list
[ "$(wc -l <list)" = 8 ] || fail "expected a head and 7 lines: $(cat list)"
runs list -p 'idle=s*' --seed 2 >list
[ "$(wc -l <list)" = 2 ] || fail "expected one run: $(cat list)"
id=$(awk 'NR == 2 { print $1 }' list)
runs show "$id" >shown
# The command it prints repeats the run.
command=$(sed -n 's/^ *repeat it with *corepace //p' shown)
# shellcheck disable=SC2086 # a command line
"$program" $command --json >repeated.json
runs export "$id" >one.json
# The export holds what the runs gave, in their order, and says what each was made of.
runs export -w pipe-test:loops=500 >all.json
runs list --json >list.json
python3 - "$id" <<'PYTHON'
import hashlib
import json
import sys


def load(name):
    document = json.load(open(name))
    assert document["schema"] == 1
    return document["runs"]


def bare(runs):
    return [{k: v for k, v in r.items() if k != "store"} for r in runs]


assert bare(load("all.json")) == load("run.json")
one, = load("one.json")
assert one["store"]["id"].startswith(sys.argv[1])
assert one["seed"] == 2 and one["policy"] == "idle=state:1"
repeated, = load("repeated.json")
repeated["iteration"] = one["iteration"]
assert bare([one]) == [repeated]
listed = load("list.json")
assert len(listed) == 7 and one["store"] in listed
assert len(one["store"]["code"]) == len(one["store"]["machine_sha256"]) == 64
PYTHON
# The files that it was made of are kept.
sha=$(sed -n '1,/SHA-256/s/^ *SHA-256 *//p' shown)
runs file "$sha" >kept.yaml
cmp kept.yaml "$top/machines/i7-2600k.yaml" || fail "another machine's file is kept"
refused 1 'no file with a hash' runs file --db a.db 00000000
refused 2 'first digits of a hash' runs file --db a.db machine
refused 2 'expected hashes' runs file --db a.db
"$program" compare all.json >from-export
"$program" compare run.json >from-run
"$program" compare --db a.db -w 'pipe-test*' >from-store
cmp from-export from-run || fail "an export compares differently"
cmp from-store from-run || fail "a store compares differently"
"$program" compare --db a.db -p idle=state:1 -p idle=poll -w 'pipe*' | sed -n 3p >head
grep -q 'idle=state:1 .* idle=poll' head || fail "the first -p is not the baseline: $(cat head)"
rc=0
"$program" compare --db a.db -p idle=state:1 -p idle=poll --metric package_w \
	--fail-if-worse 1 >out 2>err || rc=$?
[ $rc = 3 ] || fail "--fail-if-worse: exit status $rc, expected 3"

# The same specification with another content is another column.
mkdir -p data/machines
cp "$top/machines/i7-2600k.yaml" data/machines/
echo '# a remark' >>data/machines/i7-2600k.yaml
COREPACE_DATA=$tmp/data "$program" run -m i7-2600k -w pipe-test:loops=500 -p idle=poll -n 3 \
	--db a.db >/dev/null 2>err
[ ! -s err ] || fail "another machine was taken for the same: $(cat err)"
"$program" compare --db a.db -p idle=poll -w 'pipe*' | sed -n 3,6p >head
[ "$(grep -o '\<[0-9a-f]\{8\}\]' head | sort -u | wc -l)" = 2 ] ||
	fail "two machines of one name: $(cat head)"
runs delete -p idle=poll -w 'pipe*' >deleted
[ "$(cat deleted)" = "6 runs deleted" ] || fail "delete: $(cat deleted)"

"$program" runs merge --db b.db a.db >merged
[ "$(cat merged)" = "a.db: 4 new runs" ] || fail "merge: $(cat merged)"
"$program" runs merge --db b.db a.db a.db >merged
[ "$(sort -u merged)" = "a.db: 0 new runs" ] || fail "merged again: $(cat merged)"
runs export >a.json
"$program" runs export --db b.db >b.json
cmp a.json b.json || fail "a merged store is another one"

# For whoever looks in with SQL.
if command -v sqlite3 >/dev/null; then
	n=$(sqlite3 a.db "SELECT count(*) FROM samples WHERE metric = 'usecs_per_loop' AND value > 0")
	[ "$n" = 3 ] || fail "samples: $n rows, expected 3"
fi

refused 2 'expected --db FILE' runs list
refused 2 'expected list, show' runs
refused 2 "'sow': expected list" runs sow --db a.db
refused 2 'a filter, or --all' runs delete --db a.db
refused 2 'a filter, or --all' runs delete --db a.db --all -p x
refused 2 'at least 4' runs show --db a.db ""
refused 2 'at least 4' runs delete --db a.db abc
refused 2 "run's id" runs show --db a.db run.json
refused 2 '--seed' runs list --db a.db --seed x
refused 2 'names of stores' runs merge --db a.db
refused 2 'expected --db FILE with it' compare -p x run.json
refused 1 'no.db: No such file' runs list --db no.db
refused 1 'no.db: No such file' compare --db no.db
refused 1 'no.db: No such file' runs merge --db a.db no.db
refused 1 'no such run' runs show --db a.db abcdef
refused 1 'no such run' compare --db a.db -p nope
refused 1 'run.json: no SQLite database' runs list --db run.json
runs delete --all >deleted
refused 1 'no run in it' runs list --db a.db
refused 1 'a.db: no run' compare --db a.db
