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

# quiet COMMAND...: without what it prints on standard output.
quiet() {
  "$@" >/dev/null
}

# value EXPRESSION: what Python makes of the JSON in standard input, r.
value() {
  python3 -c "import json, sys; r = json.load(sys.stdin); print(*$1)"
}

# numbers FILE EXPRESSION: a file of 64-bit numbers.
numbers() {
  python3 -c 'import struct, sys; n = list(eval(sys.argv[2])); open(sys.argv[1], "wb").write(struct.pack("<%dQ" % len(n), *n))' "$@"
}
