#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every tracer that takes a trace has its row in `octrace bench --tracers`, and no other.
set -eu

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

# check TRACE TRACERS: the rows are of these tracers, in the order of the list.
check() {
  "$OCTRACE" bench --tracers --limit 2000 "$SAMPLES/$1.oct" >"$tmp/table"
  found=$(awk 'NR > 2 { print $1 }' "$tmp/table" | uniq | tr '\n' ' ')
  if [ "$found" != "$2 " ]; then
    echo "$1: expected '$2', found '$found'" >&2
    exit 1
  fi
}

check riscv64 'paper raw shadow etrace ntrace replay'
check x86-64 'paper raw shadow intel-pt replay'
check aarch64 'paper raw shadow etmv4 replay'
check thumb 'paper raw shadow etmv4 replay'
check mips 'paper raw shadow replay'

# The ratios of several traces are those of the sums; a tracer that took some of them says how many.
"$OCTRACE" bench --tracers --limit 2000 --json "$SAMPLES/riscv64.oct" "$SAMPLES/thumb.oct" "$SAMPLES/aarch64.oct" >"$tmp/json"
"$OCTRACE" bench --tracers --limit 2000 "$SAMPLES/riscv64.oct" "$SAMPLES/thumb.oct" "$SAMPLES/aarch64.oct" >"$tmp/table"
python3 - "$tmp/json" "$tmp/table" <<'END'
import json
import sys

with open(sys.argv[1], encoding="utf-8") as f:
    rows = json.load(f)["rows"]
with open(sys.argv[2], encoding="utf-8") as f:
    table = f.read()
mean = table[table.index("mean of 3 traces"):].splitlines()[2:]
assert len(mean) > 10
for line in mean:
    tracer, geometry, *cells = line.split()
    own = [r for r in rows if (r["tracer"], r["geometry"]) == (tracer, geometry)]
    assert int(cells[-1]) == len(own), line
    for kind, cell in (("insn", cells[-4]), ("data", cells[-3])):
        sent = [(r[f"{kind}_bits_per_insn"] * r["instructions"], r[f"{kind}_ratio"]) for r in own]
        bits = sum(b for b, q in sent if q is not None)
        want = f"{sum(b * q for b, q in sent if q is not None) / bits:.1f}" if bits else "-"
        assert cell == want, (line, cell, want)
END

"$OCTRACE" bench --tracers --json --limit 2000 "$SAMPLES/riscv64.oct" "$SAMPLES/aarch64.oct" >"$tmp/json"
grep -q '"tracer": "etmv4"' "$tmp/json"
grep -q '"tracer": "ntrace"' "$tmp/json"

# The same rows as CSV, printed by either, in the same order.
for json in '' --json; do
  # shellcheck disable=SC2086 # an option or none
  "$OCTRACE" bench --tracers $json --csv "$tmp/csv" --limit 2000 "$SAMPLES/riscv64.oct" "$SAMPLES/aarch64.oct" >"$tmp/out"
done
python3 - "$tmp/json" "$tmp/csv" <<'END'
import csv
import json
import sys

with open(sys.argv[1], encoding="utf-8") as f:
    rows = json.load(f)["rows"]
with open(sys.argv[2], encoding="utf-8") as f:
    lines = list(csv.DictReader(f))
assert len(rows) == len(lines) > 10
for row, line in zip(rows, lines):
    assert set(row) == set(line), set(row) ^ set(line)
    for key, value in row.items():
        text = line[key]
        if isinstance(value, str):
            assert text == value, (key, text)
        elif isinstance(value, bool):
            assert text == str(value).lower(), (key, text)
        else:
            assert (text == "") if value is None else float(text) == value, (key, text)
END
if "$OCTRACE" bench --tracers --csv "$tmp/none/x" --limit 2000 "$SAMPLES/riscv64.oct" >"$tmp/out" 2>&1; then
  echo 'a file that cannot be written was written' >&2
  exit 1
fi

# A tracer refuses what it cannot carry, by name.
if "$OCTRACE" compress --tracer intel-pt -o "$tmp/no.octp" "$SAMPLES/riscv64.oct" 2>"$tmp/why"; then
  echo 'intel-pt took a RISC-V trace' >&2
  exit 1
fi
grep -q "riscv64.*Intel PT carries x86 only" "$tmp/why"
[ ! -e "$tmp/no.octp" ]
