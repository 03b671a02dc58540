# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# Steps of scripts/check and scripts/check-long. Order: begin, then need, step and meson_tests,
# then finish, which exits.

begin() {
	logs=$1
	rm -rf "$logs"
	mkdir -p "$logs" || exit 1
	logs=$(cd "$logs" && pwd)
	: >"$logs/results"
	# Sanitizers must end the test, not just print.
	export ASAN_OPTIONS=abort_on_error=1:detect_stack_use_after_return=1
	export LSAN_OPTIONS=suppressions=$(pwd)/tests/lsan.supp:print_suppressions=0
	export UBSAN_OPTIONS=halt_on_error=1:abort_on_error=1:print_stacktrace=1
}

# run NAME CMD...: runs with the output in NAME.log; sets rc and says how it went.
run() {
	name=$1
	shift
	start=$(date +%s)
	"$@" >"$logs/$name.log" 2>&1 </dev/null
	rc=$?
	printf '%-10s %4d s  ' "$name" $(($(date +%s) - start))
	case $rc in
	0) echo ok ;;
	77) echo "skipped: $(tail -n 1 "$logs/$name.log")" ;;
	*) echo "FAILED, $logs/$name.log:" && tail -n 60 "$logs/$name.log" ;;
	esac
}

# need NAME CMD...: no test, but nothing can be tested without it.
need() {
	run "$@"
	[ $rc = 0 ] && return
	echo "FAIL $name" >>"$logs/results"
	finish
}

# step NAME CMD...: a check by a script.
step() {
	run "$@"
	grep -E '^(PASS|FAIL|SKIP) ' "$logs/$name.log" >"$logs/lines"
	cat "$logs/lines" >>"$logs/results"
	case $rc in
	0) [ -s "$logs/lines" ] || echo "PASS $name" >>"$logs/results" ;;
	77) [ -s "$logs/lines" ] || echo "SKIP $name" >>"$logs/results" ;;
	*) grep -q '^FAIL ' "$logs/lines" || echo "FAIL $name" >>"$logs/results" ;;
	esac
}

# meson_tests NAME BUILD ARGS...: Meson's own tests of one build.
meson_tests() {
	step_name=$1 dir=$2
	shift 2
	rm -f "$dir/meson-logs/testlog.json"
	# Four times the usual time: a busy machine is no failure.
	run "$step_name" meson test -C "$dir" --no-rebuild --print-errorlogs \
		--timeout-multiplier 4 "$@"
	if [ ! -s "$dir/meson-logs/testlog.json" ]; then
		echo "FAIL $step_name: no test ran" >>"$logs/results"
		return
	fi
	python3 scripts/meson-results "$step_name" "$dir/meson-logs/testlog.json" >"$logs/lines" ||
		echo "FAIL $step_name: results not readable" >>"$logs/lines"
	cat "$logs/lines" >>"$logs/results"
	[ $rc = 0 ] || grep -q '^FAIL ' "$logs/lines" ||
		echo "FAIL $step_name" >>"$logs/results"
}

count() {
	grep -c "^$1 " "$logs/results"
}

finish() {
	failed=$(count FAIL)
	grep -E '^(FAIL|SKIP) ' "$logs/results"
	echo "$(count PASS) passed, $failed failed, $(count SKIP) skipped"
	[ "$failed" = 0 ]
	exit
}
