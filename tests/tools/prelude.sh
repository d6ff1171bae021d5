# SPDX-License-Identifier: Apache-2.0
# prelude.sh - functions that transcripts share (run_transcript.py).
# shellcheck shell=bash

. "$HERE/fixtures.sh"

# try COMMAND...: in loops; prints what a transcript shows of a command: `4> octrace: ...`.
try() {
  "$@" 2>"$T/err"
  local code=$? line
  [ -s "$T/err" ] || [ $code -eq 0 ] || echo "[exit $code]"
  while IFS= read -r line; do [ -z "$line" ] || printf '%s> %s\n' "$code" "$line"; done <"$T/err"
}

# each COMMAND...: try it with the arguments of each line of standard input.
each() {
  local words
  while read -ra words; do try "$@" "${words[@]}" </dev/null; done
}

# same WANT FILE: do both hold this trace?
same() {
  as_text "$2" | cmp - <(as_text "$1")
}
