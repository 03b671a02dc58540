# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# The beginning of each script here: PROGRAM is its first argument, it works in a folder of its own.

program=$(realpath "$1")
# shellcheck disable=SC2034
top=$(realpath "$(dirname "$0")/../..")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"

fail() {
	echo "$*"
	exit 1
}

# WANT ARGUMENTS...: the verb $verb, its output in out and err
status() {
	want=$1
	shift
	rc=0
	"$program" "$verb" "$@" >out 2>err || rc=$?
	[ $rc = "$want" ] || fail "$*: exit status $rc, expected $want: $(cat err)"
}
