#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# import: what it writes and says, and that bad input leaves nothing behind.
# Usage: import.sh PROGRAM
set -eu
# shellcheck source=SCRIPTDIR/lib.sh
. "$(dirname "$0")/lib.sh"
data=$top/tests/trace/data

import() {
	"$program" import --khz 2096000 "$@"
}

# Exit status 1 or 2, one line on stderr, no file.
refuse() { # STATUS TEXT ARGUMENT...
	want=$1 text=$2
	shift 2
	rc=0
	"$program" import "$@" >out 2>err || rc=$?
	[ $rc = "$want" ] || fail "$*: exit status $rc, expected $want"
	grep -q -- "$text" err || fail "$*: expected '$text', got: $(cat err)"
	[ "$want" = 2 ] || [ "$(wc -l <err)" = 1 ] || fail "$*: more than a line: $(cat err)"
	[ ! -s out ] || fail "$*: something on stdout"
	[ -z "$(find . -name '*.cpw*')" ] || fail "$*: left $(find . -name '*.cpw*')"
}

cp "$data/v6.dat" "$data/kernel.txt" .
: >empty
refuse 2 'expected one FILE'
refuse 2 'expected one FILE' a b
refuse 2 'unknown option' --no-such-option v6.dat
refuse 2 '--khz' --khz 0 v6.dat
refuse 2 'written over' -o v6.dat v6.dat
refuse 1 'no-such-file: ' no-such-file
refuse 1 'empty' empty
refuse 1 '--khz N' v6.dat
refuse 1 'no/such/folder' --khz 1000000 -o no/such/folder/x.cpw v6.dat
mkdir folder.cpw
rc=0
import -o folder.cpw v6.dat 2>err || rc=$?
[ $rc = 1 ] || fail "a folder as output: exit status $rc"
rmdir folder.cpw

# Default names, twice the same bytes, from text as well.
import v6.dat
mv v6.cpw first.cpw
import v6.dat
cmp first.cpw v6.cpw || fail "not the same bytes"
import kernel.txt
[ -s kernel.cpw ] || fail "no kernel.cpw"
import --dry-run -o never.cpw v6.dat
[ ! -e never.cpw ] || fail "--dry-run wrote a file"
"$program" show v6.cpw >shown
grep -q ksoftirqd shown || fail "show does not know the tasks"

# Nobody's name, unless asked for.
import --anonymous -o anonymous.cpw v6.dat
"$program" show --all anonymous.cpw >shown
if grep -Eq 'ksoftirqd|kworker|trace-cmd' shown; then
	fail "--anonymous keeps names"
fi

# What is printed for people and for programs agrees.
import --stats --ops 100 v6.dat >stats
import --json --ops 100 v6.dat >json
python3 - <<'PYTHON'
import json
import re

j = json.load(open("json"))
text = open("stats").read()


def figure(behind):
    return int(re.search(r"(\d+) +(?:[\d.]+ % +)?" + behind, text).group(1))


assert j["schema"] == 1 and j["format"] == "trace.dat v6" and j["hz"] == 250, j
assert j["output"] == "v6.cpw" and j["operations"] == 100, j
assert figure("switches inferred") == j["switches_inferred"] > 0
assert figure("events,") == j["events"]
assert figure("another task\n") == j["waits"]["wait"] > 0
assert figure("in all") == j["waits"]["total"]
kinds = ("wait", "io", "sleep-for", "sleep-until", "external", "unknown")
assert sum(j["waits"][k] for k in kinds) == j["waits"]["total"]
assert j["waits"]["own_outside"] <= j["waits"]["own"] <= j["waits"]["total"]
for cpu in j["cpus"]:
    assert 0 < cpu["irq_ns"] < cpu["busy_ns"] <= j["elapsed_ns"], cpu
assert sum(c["idle_entries"] for c in j["cpus"]) >= j["idle_periods"]
PYTHON

# Not over itself, however it is spelled, and not two outputs in one file.
cp v6.dat same.dat
rc=0
"$program" import --khz 2096000 -o ./same.dat "$PWD/same.dat" 2>err || rc=$?
[ $rc = 2 ] && cmp -s v6.dat same.dat || fail "over itself: $rc $(cat err)"
rc=0
"$program" record -o both --raw ./both -- true 2>err || rc=$?
[ $rc = 2 ] && grep -q 'expected two files' err || fail "two outputs: $rc $(cat err)"
rm -f same.dat

# A full disk is no success.
for command in '--version' 'list machines' 'show machine i7-2600k' \
	'import --khz 2096000 --dry-run --stats v6.dat'; do
	rc=0
	# shellcheck disable=SC2086 # words
	"$program" $command >/dev/full 2>err || rc=$?
	[ $rc = 1 ] && [ "$(wc -l <err)" = 1 ] && grep -q 'No space left' err ||
		fail "$command, disk full: $rc $(cat err)"
done

# Cut anywhere: a workload of what is there, or one line and nothing.
rm -f ./*.cpw
size=$(wc -c <v6.dat)
for percent in $(seq 0 4 99); do
	head -c $((size * percent / 100)) v6.dat >cut.dat
	rc=0
	"$program" import --khz 2096000 -o cut.cpw cut.dat 2>err || rc=$?
	if [ $rc = 0 ]; then
		"$program" show cut.cpw >shown || fail "$percent %: cannot be shown"
		rm cut.cpw
	else
		[ $rc = 1 ] || fail "$percent %: exit status $rc"
		[ "$(wc -l <err)" = 1 ] || fail "$percent %: $(cat err)"
	fi
	[ -z "$(find . -name '*.cpw*')" ] || fail "$percent %: left $(find . -name '*.cpw*')"
done
