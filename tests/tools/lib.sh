# SPDX-License-Identifier: Apache-2.0
# lib.sh - what the tests of the command line share: a folder of their own, a tiny trace, checks.
# shellcheck shell=sh
set -eu

. "$(dirname "$0")/../tools/fixtures.sh"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# some CASE...: the cases that run: all, or those that OCT_TEST_SHARE (per cent) chooses, but one at least.
some() {
  awk -v seed="${OCT_TEST_SEED-}" -v share="${OCT_TEST_SHARE-100}" 'BEGIN {
    srand(seed ARGC)
    for (i = 1; i < ARGC; i++) if (100 * rand() < share) { print ARGV[i]; n++ }
    if (!n) print ARGV[1 + int(rand() * (ARGC - 1))]
  }' "$@"
}

die() {
  echo "FAIL: $*" >&2
  exit 1
}

# expect CODE COMMAND...: the command ends with this exit code; its output is kept in out and err.
expect() {
  wanted=$1
  shift
  code=0
  "$@" >out 2>err || code=$?
  if [ "$code" -ne "$wanted" ]; then
    cat err >&2
    die "exit code $code, not $wanted: $*"
  fi
}

# refuse CODE COMMAND...: likewise, with exactly one line on standard error, by octrace.
refuse() {
  expect "$@"
  [ "$(wc -l <err)" -eq 1 ] || { cat err >&2; die "not one line: $*"; }
  grep -q '^octrace: ' err || die "not by octrace: $*"
}

contains() {
  grep -q -e "$2" "$1" || { cat "$1" >&2; die "$1 lacks '$2'"; }
}

# one_line TEXT: this, as a pattern, is all that is in err.
one_line() {
  [ "$(wc -l <err)" -eq 1 ] || { cat err >&2; die "not one line: $1"; }
  contains err "^$1\$"
}

# Nothing but these files is in the folder.
only() {
  left=$(find . -mindepth 1 ! -name out ! -name err | sed 's|^\./||' | sort | tr '\n' ' ')
  [ "$left" = "$*${1+ }" ] || die "left behind: $left, not: $*"
}
