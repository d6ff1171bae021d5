#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# gdb.sh - does gdb find who changed a variable, by going back? It drives the real gdb-multiarch over
# traces and over what `replay` made of them; data/program.c adds 1 to its victim or takes 1 away.
set -eu
command -v gdb-multiarch >/dev/null || exit 77
"$OCTRACE" list params --tracer replay -g isa=4 >/dev/null 2>&1 || exit 77
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
fail() {
  echo "gdb.sh: $*" >&2
  cat "$tmp/log" >&2
  exit 1
}

# Of each program: where the victim and the function sort are.
for program in riscv64:0x113e8:0x1018a arm:0x11ce0:0x100e0 aarch64:0x41ffe8:0x400184 \
  x86-64:0x403000:0x401008 riscv32:0x11340:0x10104; do
  IFS=: read -r isa victim sort <<END
$program
END
  "$OCTRACE" compress --json --tracer replay -o "$tmp/$isa.octp" "$DATA/$isa.oct" >/dev/null 2>&1
  cp "$DATA/$isa.oct" "$tmp/$isa.oct"
  for file in oct octp; do
    cat >"$tmp/commands" <<END
set pagination off
set confirm off
target remote | $OCTRACE gdb $tmp/$isa.$file
monitor where
break *$sort
continue
monitor where
delete
continue
monitor where
watch *(int *)$victim
reverse-continue
monitor where
print *(int *)$victim
stepi
print *(int *)$victim
reverse-stepi
reverse-continue
reverse-continue
monitor where
delete
reverse-stepi
monitor where
reverse-continue
monitor where
x/4bx 0x7000
detach
END
    timeout 100 gdb-multiarch -q -batch -nx -x "$tmp/commands" >"$tmp/log" 2>&1 || :
    grep -q 'Old value = 43' "$tmp/log" || fail "$isa.$file: the last write is not found"
    grep -q 'New value = 42' "$tmp/log" || fail "$isa.$file: nor what it replaced"
    [ "$(grep -c 'Old value' "$tmp/log")" -ge 3 ] || fail "$isa.$file: not every write is found"
    grep '^instruction' "$tmp/log" >"$tmp/where"
    [ "$(sed -n 1p "$tmp/where")" = "$(sed -n 7p "$tmp/where")" ] || fail "$isa.$file: not back at the beginning"
    [ "$(sort -u "$tmp/where" | wc -l)" -eq 6 ] || fail "$isa.$file: not six places"
    grep -q '^\$1 = 42' "$tmp/log" && grep -q '^\$2 = 43' "$tmp/log" || fail "$isa.$file: a step changes it"
    grep -q 'Cannot access memory at address 0x7000' "$tmp/log" || fail "$isa.$file: memory that nobody knows"
    cat "$tmp/where" >>"$tmp/$isa"
  done
  [ "$(sort -u "$tmp/$isa" | wc -l)" -eq 6 ] || fail "$isa: the trace and its replay are at other places"
done
