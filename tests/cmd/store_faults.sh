#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What can be wrong with a store is one clear line, and no run that was in it is lost.
# Usage: store_faults.sh PROGRAM
set -eu
# shellcheck source=SCRIPTDIR/lib.sh
. "$(dirname "$0")/lib.sh"
mounted=
# shellcheck disable=SC2317 # called by the trap
clean() {
	[ -z "$mounted" ] || umount "$mounted"
	rm -rf "$tmp"
}
trap clean EXIT
chmod 755 "$tmp"

cat >sweep.yaml <<'YAML'
schema: 1
grids:
  - {machines: [i7-2600k], workloads: ["pipe-test:loops=100"], policies: [idle=poll], seeds: 1-300}
YAML

# TEXT PROGRAM ARGUMENTS...: exit status 1 and that one line.
refused() {
	text=$1
	shift
	rc=0
	"$@" >out 2>err || rc=$?
	[ $rc = 1 ] || fail "$*: exit status $rc, expected 1: $(cat err)"
	[ "$(wc -l <err)" = 1 ] || fail "$*: expected one line: $(cat err)"
	[ "$(cat err)" = "$text" ] || fail "$*: expected '$text': $(cat err)"
}

count() {
	"$program" runs list --db "$1" 2>/dev/null | sed 1d | wc -l
}

# The file may not grow further: nothing more goes in, what was in it stays, and it goes on.
limited() {
	(ulimit -f "$1" && shift && exec "$@")
}
refused 'corepace sweep: full.db: File too large' \
	limited 800 "$program" sweep sweep.yaml --db full.db
had=$(count full.db)
[ "$had" -gt 10 ] || fail "$had runs before the limit"
refused 'corepace run: full.db: File too large' limited 800 "$program" run -m i7-2600k \
	-w periodic:seconds=1 -p idle=poll -n 300 --db full.db
[ "$(count full.db)" -ge "$had" ] || fail "$had runs, $(count full.db) after the second limit"
"$program" sweep sweep.yaml --db full.db >out
grep -q ": 300 runs: $((300 - had)) done, $had were in full.db" out || fail "goes on: $(cat out)"
"$program" sweep sweep.yaml --db whole.db >out
"$program" runs export --db whole.db >whole.json
"$program" runs export --db full.db -w 'pipe*' >full.json
cmp whole.json full.json || fail "another store after a limit"

# A full disk.
mkdir small
if mount -t tmpfs -o size=1m corepace-test small 2>/dev/null; then
	mounted=$tmp/small
	refused 'corepace sweep: small/a.db: No space left on device' \
		"$program" sweep sweep.yaml --db small/a.db
	had=$(count small/a.db)
	[ "$had" -gt 10 ] || fail "$had runs on the full disk"
	mount -o remount,size=20m small
	"$program" sweep sweep.yaml --db small/a.db >out
	grep -q ": 300 runs: $((300 - had)) done, $had were in" out || fail "more room: $(cat out)"
	# And a file system that cannot be written at all.
	mount -o remount,ro small
	refused 'corepace sweep: small/a.db: cannot be written, only read' \
		"$program" sweep sweep.yaml --db small/a.db
	refused 'corepace sweep: small/b.db: Read-only file system' \
		"$program" sweep sweep.yaml --db small/b.db
	[ "$(count small/a.db)" = 300 ] || fail "cannot be read where nothing can be written"
	umount small
	mounted=
else
	echo "no mount here: a full disk is tested by a limit of the file's size alone"
fi

# A file that may not be written: by its mode, which does not hold for root.
as_user() {
	if [ "$(id -u)" = 0 ]; then
		setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
	else
		"$@"
	fi
}
# Where that user reads neither the program nor its data, as below /root, there is nothing to see.
if as_user "$program" show machine i7-2600k >/dev/null 2>&1; then
	chmod 444 whole.db
	refused 'corepace sweep: whole.db: cannot be written, only read' \
		as_user "$program" sweep sweep.yaml --db whole.db
	refused 'corepace runs: whole.db: cannot be written, only read' \
		as_user "$program" runs delete --db whole.db --all
	mkdir closed
	cp whole.db closed/
	chmod 555 closed
	as_user "$program" runs list --db closed/whole.db >list || fail "not read from a closed folder"
	[ "$(wc -l <list)" = 301 ] || fail "$(wc -l <list) lines from a closed folder"
	chmod 755 closed
	chmod 644 whole.db
fi

# Not ours, from the future, damaged.
sql() { # FILE STATEMENTS
	python3 -c 'import sqlite3, sys
c = sqlite3.connect(sys.argv[1])
c.executescript(sys.argv[2])
c.close()' "$@"
}
cp whole.db newer.db
sql newer.db 'PRAGMA user_version = 99'
sql other.db 'CREATE TABLE bookmarks (url)'
head -c 100000 whole.db >damaged.db
newest=$(python3 -c 'import sqlite3
print(sqlite3.connect("whole.db").execute("PRAGMA user_version").fetchone()[0])')
for verb in "sweep sweep.yaml" "runs list" compare; do
	# shellcheck disable=SC2086 # a command line
	set -- "$program" $verb --db
	name="corepace ${verb%% *}"
	refused "$name: newer.db: schema 99, expected at most $newest: a newer corepace wrote it" \
		"$@" newer.db
	refused "$name: other.db: a database, but not of corepace's runs" "$@" other.db
	refused "$name: sweep.yaml: no SQLite database, expected a store of runs" "$@" sweep.yaml
	refused "$name: damaged.db: damaged: database disk image is malformed" "$@" damaged.db
done
[ "$(sqlite3 other.db .tables 2>/dev/null || echo bookmarks)" = bookmarks ] ||
	fail "wrote into a database of others"
# What is no result, or would do something to a terminal, is refused too.
cp whole.db fake.db
sql fake.db "UPDATE runs SET result = 'x' WHERE seed = 7"
id=$(python3 -c 'import sqlite3
print(sqlite3.connect("fake.db").execute("SELECT id FROM runs WHERE seed = 7").fetchone()[0])')
rc=0
"$program" compare --db fake.db >out 2>err || rc=$?
[ $rc = 1 ] && grep -q "^corepace compare: run $id: no JSON" err || fail "fake: $rc $(cat err)"
sql fake.db "UPDATE runs SET policy = char(27) || '[2J'"
rc=0
"$program" runs list --db fake.db >out 2>err || rc=$?
[ $rc = 1 ] && grep -q 'a control character' err || fail "a control character: $rc $(cat err)"
grep -q "$(printf '\033')" out err && fail "a control character was printed"

# What cannot be merged leaves no store behind.
rc=0
"$program" runs merge --db made.db newer.db 2>err || rc=$?
[ $rc = 1 ] && [ ! -e made.db ] || fail "merge of nothing: $rc $(ls)"

# Names of no file: what SQLite would keep in memory, and lose.
for name in '' :memory: file:x.db; do
	rc=0
	"$program" runs merge --db "$name" fake.db 2>err || rc=$?
	[ $rc = 1 ] && grep -q 'expected the name of a file' err || fail "'$name': $rc $(cat err)"
done
