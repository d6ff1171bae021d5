#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# cut.sh - is what `--skip` leaves of a trace executed from its first instruction on? Registers are told there, of each task
# in front of its own first instruction, and not behind a gap; where they are not known, that is said.
set -eu
"$OCTRACE" list params --tracer replay -g isa=4 >/dev/null 2>&1 || exit 77
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
fail() {
  echo "cut.sh: $*" >&2
  exit 1
}
count() { # the counter of what a file compresses to
  "$OCTRACE" compress --json --tracer replay -o "$tmp/x.octp" "$2" 2>/dev/null | sed -n "s/^  \"$1\": \([0-9]*\),/\1/p"
}

for isa in arm thumb riscv32 riscv64 aarch64 x86-64; do
  "$OCTRACE" compress --tracer replay -o "$tmp/$isa.octp" "$DATA/$isa.oct" >/dev/null 2>&1
  whole=$(count told "$DATA/$isa.oct")
  for skip in 1 5001 20000; do
    "$OCTRACE" convert --skip $skip "$DATA/$isa.oct" "$tmp/cut.oct" 2>"$tmp/notes"
    [ ! -s "$tmp/notes" ] || fail "$isa: $(cat "$tmp/notes")"
    told=$(count told "$tmp/cut.oct")
    [ "$told" -le "$whole" ] || fail "$isa: behind $skip $told instructions are not executed, of all $whole"
    "$OCTRACE" verify --engine untimed --tracer replay "$tmp/cut.oct" >/dev/null || fail "$isa: $skip: another trace comes back"
    "$OCTRACE" decompress --skip $skip -o "$tmp/packed.oct" "$tmp/$isa.octp"
    "$OCTRACE" compare "$tmp/cut.oct" "$tmp/packed.oct" >/dev/null 2>&1 || fail "$isa: $skip: other registers from the compressed file"
  done
done

# Two threads: add r0, r0, #1 again and again, from 0 and from 100, two of the first for one of the second.
threads() { # with a line before the last instruction of the first
  awk -v line="${1-}" 'BEGIN {
    print "# isa armv5te"
    for (i = 0; i < 150; i++) {
      task = i % 3 == 2
      for (r = 0; r < 15 && !done[task]; r++) printf "!register r%d=%08x\n", r, 100 * task
      if (i == 148 && line) print line
      printf "%x/4 T:%d I:010080e2\n", 4096 * (1 + task) + 4 * done[task]++, task
    } }'
}
threads >"$tmp/threads.txt"
"$OCTRACE" convert --skip 61 "$tmp/threads.txt" "$tmp/cut.oct"
"$OCTRACE" convert --to text "$tmp/cut.oct" - | grep -E 'r0=|^0' | grep -A1 r0= >"$tmp/told"
cat >"$tmp/wanted" <<'END'
!register r0=00000029
000010a4
!register r0=00000078
00002050 T:1
END
sed 's/ I:.*//; /^--/d' "$tmp/told" | cmp -s - "$tmp/wanted" || fail "of two threads: $(cat "$tmp/told")"
[ "$(count told "$tmp/cut.oct")" = 0 ] || fail "of two threads not all is executed"

# Of a thread that first runs behind a gap in the rest nothing is known; nor of a pipe.
threads '!gap lost' >"$tmp/gap.txt"
for skip in 147 148; do
  "$OCTRACE" convert --skip $skip --to text "$tmp/gap.txt" - 2>/dev/null >"$tmp/told"
  sed '1,/gap/d' "$tmp/told" | grep -q register && fail "registers behind a gap: $(cat "$tmp/told")"
  [ "$(grep -c 'register r0' "$tmp/told")" -eq $((148 - skip)) ] || fail "registers before a gap: $(cat "$tmp/told")"
done
sed "s/ I:/ L4:30=00000007 I:/" "$tmp/threads.txt" >"$tmp/loads.txt"
"$OCTRACE" convert "$tmp/threads.txt" "$tmp/threads.oct"
for trace in loads.txt threads.txt threads.oct; do
  cat "$tmp/$trace" | "$OCTRACE" convert --skip 60 - "$tmp/cut.oct" 2>"$tmp/notes"
  grep -q 'note: standard input: no registers are known after those of --skip' "$tmp/notes" || fail "$trace, as a pipe: nothing is said"
done
