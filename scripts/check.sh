#!/usr/bin/env bash
# Sets up, builds and runs every test. The last line adds up the counts of all
# test runners: `N passed, N failed, N skipped`. Exits non-zero unless some
# test passed and none failed. What could not be run counts as a failure.
set -uo pipefail
cd "$(dirname "$0")/.."
exec 2>&1

passed=0 failed=0 skipped=0 finished=no
counts=$(mktemp -d)

close() {
  trap - EXIT INT TERM HUP
  if [ "$finished" = no ]; then
    echo "check.sh: interrupted before the last test runner had ended"
    failed=$((failed + 1))
  fi
  rm -rf "$counts"
  echo "$passed passed, $failed failed, $skipped skipped"
  if [ "$failed" = 0 ] && [ "$passed" -gt 0 ]; then exit 0; else exit 1; fi
}
trap close EXIT
trap 'exit 130' INT TERM HUP

# One more failure, with a word on what is missing.
missing() {
  echo "check.sh: $*"
  failed=$((failed + 1))
}

# suite NAME SECONDS COMMAND...: runs a test runner, which writes its counts
# as "PASSED FAILED SKIPPED" to $COUNTS.
suite() {
  local name=$1 seconds=$2 status p f s
  shift 2
  echo "== $name"
  export COUNTS=$counts/counts
  rm -f "$COUNTS"
  timeout --kill-after=30 "$seconds" "$@" </dev/null
  status=$?
  if [ "$status" = 124 ] || [ "$status" = 137 ]; then
    missing "$name did not end within $seconds s"
  elif ! read -r p f s 2>/dev/null <"$COUNTS"; then
    missing "$name ended with status $status and no counts"
  else
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    if [ "$status" != 0 ] && [ "$f" = 0 ]; then
      missing "$name counted no failure but ended with status $status"
    elif [ "$((p + f + s))" = 0 ]; then
      missing "$name found no test"
    fi
  fi
}

run_lit() {
  local lit
  lit=/usr/lib/llvm-$(<LLVM_VERSION)/bin/lit
  "$lit" -sv --no-progress-bar --output "$COUNTS.json" build/test
  local status=$?
  /usr/bin/python3 scripts/lit_counts.py "$COUNTS.json" >"$COUNTS"
  return "$status"
}
run_docs() {
  if scripts/update-docs.sh --check; then
    echo 1 0 0 >"$COUNTS"
  else
    echo 0 1 0 >"$COUNTS"
  fi
}
export -f run_lit run_docs

if ! scripts/build.sh; then
  missing "the build failed; no test was run"
  finished=yes
  exit
fi

suite "lit tests" 2400 bash -c run_lit
suite "docs/generated is current" 60 bash -c run_docs

# The package must work under any Python from 3.10 with NumPy: Debian's, and
# the one a user has put before it.
suite "Python tests ($(/usr/bin/python3 -V))" 1200 /usr/bin/python3 python/tests/run.py
other=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null)
if [ -n "$other" ] && ! [ "$other" -ef /usr/bin/python3 ]; then
  if "$other" -c 'import sys, numpy; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
    suite "Python tests ($("$other" -V), $other)" 1200 "$other" python/tests/run.py
  else
    echo "check.sh: $other is older than 3.10 or has no NumPy; not tested with it"
  fi
fi

finished=yes
