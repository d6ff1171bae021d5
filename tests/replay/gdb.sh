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
    timeout 100 gdb-multiarch -q -batch -nx -iex "set remotetimeout 60" -x "$tmp/commands" >"$tmp/log" 2>&1 || :
    grep -q 'Old value = 43' "$tmp/log" || fail "$isa.$file: the last write is not found"
    grep -q 'New value = 42' "$tmp/log" || fail "$isa.$file: nor what it replaced"
    # Three by running, and that of the last one by a step on and one back.
    [ "$(grep -c 'Old value' "$tmp/log")" -eq 5 ] || fail "$isa.$file: not every write is found"
    grep '^instruction' "$tmp/log" | sed 's/ of .*, / of all, /' >"$tmp/where" # before the end was read of `?`
    [ "$(sed -n 1p "$tmp/where")" = "$(sed -n 7p "$tmp/where")" ] || fail "$isa.$file: not back at the beginning"
    [ "$(sort -u "$tmp/where" | wc -l)" -eq 6 ] || fail "$isa.$file: not six places"
    grep -q '^\$1 = 42' "$tmp/log" && grep -q '^\$2 = 43' "$tmp/log" || fail "$isa.$file: a step changes it"
    grep -q 'Cannot access memory at address 0x7000' "$tmp/log" || fail "$isa.$file: memory that nobody knows"
    cat "$tmp/where" >>"$tmp/$isa"
  done
  [ "$(sort -u "$tmp/$isa" | wc -l)" -eq 6 ] || fail "$isa: the trace and its replay are at other places"
done

# Registers of floating point and of threads, by their names in the trace and in gdb: those that it tells, and others.
while read -r isa number value known others; do
  "$OCTRACE" convert --to text:bytes=1 --limit 9 "$DATA/$isa.oct" - |
    sed -E -e '/^!register (f|v|d|xmm|tpidr)/d' -e "3a !register $number=$value" >"$tmp/$isa.txt"
  "$OCTRACE" convert --from text --isa "$isa" "$tmp/$isa.txt" "$tmp/$isa.oct"
  printf '%s\n' 'set pagination off' "target remote | $OCTRACE gdb $tmp/$isa.oct" 'monitor goto 5' \
    'maintenance flush register-cache' "info registers $known $(echo "$others" | tr , ' ')" detach >"$tmp/commands"
  timeout 100 gdb-multiarch -q -batch -nx -iex "set remotetimeout 60" -x "$tmp/commands" >"$tmp/log" 2>&1 || :
  grep -q "^$known .*3ff8000000000000" "$tmp/log" || fail "$isa: $known is not that of the trace"
  [ "$(grep -c '<unavailable>' "$tmp/log")" -eq "$(echo "$others" | tr , '\n' | wc -l)" ] ||
    fail "$isa: not all of $others are unavailable"
done <<'END'
aarch64 v1 00000000000000003ff8000000000000 d1 v2,tpidr,fpcr
arm d1 3ff8000000000000 d1 d2,d31,fpscr,tpidruro
riscv64 f1 3ff8000000000000 ft1 ft2,fa0
riscv32 f1 3ff8000000000000 ft1 ft2,fa0
x86-64 xmm1 00000000000000003ff8000000000000 xmm1 xmm2,mxcsr,fs_base,st0
END

# Fields of a register have registers of their own in gdb.
"$OCTRACE" convert --to text:bytes=1 --limit 9 "$DATA/riscv64.oct" - |
  sed -e '/^!register fcsr/d' -e '3a !register fcsr=000000a6' >"$tmp/fields.txt"
"$OCTRACE" convert --from text --isa riscv64 "$tmp/fields.txt" "$tmp/fields.oct"
printf '%s\n' "target remote | $OCTRACE gdb $tmp/fields.oct" 'print $fcsr * 10000 + $fflags * 100 + $frm' detach >"$tmp/commands"
timeout 100 gdb-multiarch -q -batch -nx -iex "set remotetimeout 60" -x "$tmp/commands" >"$tmp/log" 2>&1 || :
grep -q '^\$1 = 1660605$' "$tmp/log" || fail "fflags and frm are not those of fcsr"

# Registers stay known behind a load across pages, which the emulator makes of several; each of their bits does.
{
  echo '# isa armv7a'
  for r in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do printf '!register r%s=%08x\n' "$r" "$((r == 1 ? 0x23fe : 16 * r))"; done
  printf '%s\n' '1000/4 L4:23fe=44332211 I:000091e5' '1004/4 I:0000a0e1'
} >"$tmp/across.txt"
{
  echo '# isa x86-64'
  for r in 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do printf '!register %s=%016x\n' "$r" 32768; done
  printf '%s\n' '!register rflags=0000000000000a46' '1000/1 I:90' '1001/1 I:90'
} >"$tmp/flags.txt"
# A signal between two instructions: what it leaves is known too.
{
  sed '$d; s/ L4.*//; s|1000/4|1000/4 I:0000a0e1|' "$tmp/across.txt"
  sed -n '/^!register/p' "$tmp/across.txt" | sed 's/r13=.*/r13=00007000/'
  printf '%s\n' '2000/4 I:0000a0e1' '2004/4 I:0000a0e1'
} >"$tmp/signal.txt"
while read -r file register value; do
  "$OCTRACE" compress --tracer replay -o "$tmp/$file.octp" "$tmp/$file.txt" >/dev/null 2>&1
  for form in txt octp; do
    printf '%s\n' "target remote | $OCTRACE gdb $tmp/$file.$form" 'monitor goto 1' \
      'maintenance flush register-cache' "info registers $register" detach >"$tmp/commands"
    timeout 100 gdb-multiarch -q -batch -nx -iex "set remotetimeout 60" -x "$tmp/commands" >"$tmp/log" 2>&1 || :
    grep -q "^$register  *$value " "$tmp/log" || fail "$file.$form: $register is not $value"
  done
done <<'END'
across r0 0x44332211
signal sp 0x7000
signal r9 0x90
flags eflags 0xa46
END

# A store to an object that is partly unknown stops gdb if it changes the known part, forward and back. Stores of 2, 2 and
# 4 at 2000, and between of 3 at 2001, to an object of four bytes, and of one.
while read -r isa digits registers nop first second last; do
  {
    echo "# isa $isa"
    for r in $(seq 0 "$registers"); do printf '!register %s=%0*x\n' "$r" "$digits" "$([ "$r" = 1 ] && echo 8192 || echo 0)"; done
    at=4096
    for insn in "$nop:" "$first: S1:2000=02" "$first: S1:2000=02" "$second: S1:2001=03" "$last: S1:2000=04" "$nop:" "$nop:"; do
      bytes=${insn%%:*}
      printf '%x/%d%s I:%s\n' "$at" $((${#bytes} / 2)) "${insn#*:}" "$bytes"
      at=$((at + ${#bytes} / 2))
    done
  } >"$tmp/partly.txt"
  while read -r type told forward back; do
    {
      printf '%s\n' 'set pagination off' "target remote | $OCTRACE gdb $tmp/partly.txt" "watch *($type *)0x2000"
      for _ in $(echo "$forward" | tr : ' '); do printf '%s\n' continue 'monitor where'; done
      printf '%s\n' 'monitor end' 'maintenance flush register-cache'
      for _ in $(echo "$back" | tr : ' '); do printf '%s\n' reverse-continue 'monitor where'; done
      echo detach
    } >"$tmp/commands"
    timeout 100 gdb-multiarch -q -batch -nx -iex "set remotetimeout 60" -x "$tmp/commands" >"$tmp/log" 2>&1 || :
    found=$(sed -n 's/^instruction \([0-9]*\) .*/\1/p' "$tmp/log" | tr '\n' :)
    [ "$found" = "$forward:7:$back:" ] || fail "$isa: watch of $type stops at $found"
    [ "$(grep -c '^a store changes 0x2000, of whose 4 bytes some are unknown' "$tmp/log")" -eq "$told" ] ||
      fail "$isa: not told $told times that a part of $type is unknown"
  done <<'OBJECTS'
int 6 2:4:5 4:3:1
char 0 2:5 4:1
OBJECTS
done <<'END'
armv7a 8 14 0000a0e1 0020c1e5 0130c1e5 0040c1e5
riscv64 16 31 13000000 23802000 a3803000 23804000
x86-64 16 15 90 8811 885901 8801
END

# What the kernel wrote is unknown until it is loaded, also where the filter has forgotten what stood there.
{
  sed '$d; s/23fe/3000/' "$tmp/across.txt"
  i=0
  while [ $((i += 1)) -lt 300 ]; do printf '%x/4 I:0000a0e1\n' $((4096 + 4 * i)); done
  printf '%s\n' '14b0/4 I:000000ef' '!register r0=00000010' '!memory 2ffe 16' '14b4/4 I:0000a0e1' \
    '14b8/4 L4:3000=88776655 I:000091e5' '14bc/4 I:0000a0e1'
} | sed 's/r1=000023fe/r1=00003000/' >"$tmp/kernel.txt"
set -- -ex 'monitor goto 300' -ex 'x/wx 0x3000' -ex 'monitor goto 301' -ex 'x/bx 0x3002' -ex 'monitor goto 303' -ex 'x/wx 0x3000' \
  -ex 'x/bx 0x3004' -ex 'monitor goto 300' -ex 'x/wx 0x3000' -ex detach
for sync in 0 50; do
  "$OCTRACE" compress --tracer replay -g "replay,sync_insns=$sync" -o "$tmp/kernel.octp" "$tmp/kernel.txt" >/dev/null 2>&1
  for form in txt octp; do
    timeout 100 gdb-multiarch -q -nx -batch -iex 'set remotetimeout 60' -ex "target remote | $OCTRACE gdb $tmp/kernel.$form" "$@" >"$tmp/log" 2>&1 || :
    [ "$(sed -n '/^0x300.:/{s/.*[\t ]//;p}' "$tmp/log" | tr '\n' ' ')" = \
      '0x44332211 0x3002 0x88776655 0x3004 0x44332211 ' ] || fail "$form, sync_insns=$sync: memory that the kernel wrote"
  done
done

# Two threads in turn, of which the first counts from 0 to 2000, the second from 100 to 2004: each has its registers and its
# breakpoints, also behind a way that gdb does not see, and where a step goes over to the other.
awk 'BEGIN { print "# isa armv5te"; split("010080e2 000081e5 000000ef fbffffea", code)
  for (n = 0; n < 40; n++) {
    task = n >= 5 && int(n * 7 / 10) % 2
    at = done[task] % 4
    for (r = 0; r < 15 && !done[task]; r++)
      printf "!register r%d=%08x\n", r, r == 0 ? 100 * task : r == 1 ? 8192 + 4 * task : 16 * r + task
    printf "%x/4%s T:%d I:%s\n", 4096 + 4 * at,
      at == 1 ? sprintf(" S4:%x=%08x", 8192 + 4 * task, 100 * task + int((done[task] + 3) / 4)) : "", task, code[at + 1]
    done[task]++ } }' >"$tmp/threads.txt"
"$OCTRACE" compress --tracer replay -o "$tmp/threads.octp" "$tmp/threads.txt" >/dev/null 2>&1
set -- -ex 'monitor goto 8' -ex 'maintenance flush register-cache' -ex 'info threads' -ex 'thread 1' -ex 'print $r0' \
  -ex 'thread 2' -ex 'print $r0' -ex 'reverse-stepi' -ex 'monitor where' -ex 'print $r0' -ex 'break *0x1008 thread 2' \
  -ex continue -ex 'monitor where' -ex 'print $r0' -ex reverse-continue -ex 'monitor where' -ex delete \
  -ex 'watch *(int *)0x2004' -ex continue -ex 'monitor where' -ex reverse-continue -ex 'monitor where' -ex kill
for form in txt octp; do
  timeout 100 gdb-multiarch -q -nx -batch -iex 'set remotetimeout 60' -ex "target remote | $OCTRACE gdb $tmp/threads.$form" "$@" >"$tmp/log" 2>&1 || :
  [ "$(sed -n 's/^instruction \([0-9]*\) .* task/\1/p; s/^\$[0-9]* = //p' "$tmp/log" | tr '\n' ,)" = \
    '8 1,2,101,5 1,100,10 1,101,0 0,10 1,8 1,' ] || fail "$form: threads"
done

# A place behind the end.
printf '%s\n' "target remote | $OCTRACE gdb $tmp/signal.txt" 'monitor goto 4' 'monitor goto 2' 'monitor goto 3' 'monitor goto -1' detach >"$tmp/commands"
timeout 100 gdb-multiarch -q -batch -nx -iex "set remotetimeout 60" -x "$tmp/commands" >"$tmp/log" 2>&1 || :
[ "$(grep -c '^there is no instruction' "$tmp/log")" -eq 1 ] && grep -q '^there is no instruction 4: the trace ends here' "$tmp/log" ||
  fail "a place behind the end is not told"
grep -q '^expected: where' "$tmp/log" || fail "a negative place is taken"

# The first answer does not wait for the end of the trace.
"$OCTRACE" convert --to text:bytes=1 --limit 9 "$DATA/aarch64.oct" "$tmp/begun.txt"
yes "$(tail -n 1 "$tmp/begun.txt")" | head -n 200000 >>"$tmp/begun.txt"
mkfifo "$tmp/begun"
{ cat "$tmp/begun.txt" && exec sleep 60; } >"$tmp/begun" &
printf '+$?#3f' | timeout 30 "$OCTRACE" gdb --from text --isa aarch64 "$tmp/begun" >"$tmp/log" 2>&1 || :
kill $! 2>/dev/null || :
grep -q '^+\$T05thread:1;#' "$tmp/log" || fail "no answer before the end of the trace"

# A trace as long as several chunks, of which one is damaged or the end is cut off: the rest is there, and each run that
# passes the place says so.
awk 'BEGIN { srand(1); print "# isa armv7a"
  for (r = 0; r < 15; r++) printf "!register r%d=%08x\n", r, r == 1 ? 65536 : 16 * r
  for (i = 0; i < 50000; i++) {
    printf "1000/4 L4:%x=%04x%04x I:040091e4\n", 65536 + 4 * i, rand() * 65536, rand() * 65536
    print "1004/4 I:fdffffea" } }' >"$tmp/long.txt"
"$OCTRACE" compress --tracer replay -g replay,sync_insns=4096 -o "$tmp/long.octp" "$tmp/long.txt" >/dev/null 2>&1
damage() { # offset: bytes there become others
  cp "$tmp/long.octp" "$tmp/damaged.octp"
  printf 'damage' | dd of="$tmp/damaged.octp" bs=1 seek="$1" conv=notrunc 2>/dev/null
}
damage 100000
head -c 140000 "$tmp/long.octp" >"$tmp/cut.octp"
for file in damaged cut; do
  "$OCTRACE" decompress --salvage --gaps "$tmp/gaps" -o "$tmp/kept.oct" "$tmp/$file.octp" 2>/dev/null && fail "$file: no damage"
  kept=$("$OCTRACE" info "$tmp/kept.oct" 2>/dev/null | sed -n 's/^instructions *//p')
  place=$(sed -n '2s/,.*//p' "$tmp/gaps")
  [ "$kept" -gt 50000 ] || fail "$file: $kept instructions are kept"
  printf '%s\n' "target remote | $OCTRACE gdb $tmp/$file.octp" 'monitor goto 10' 'monitor end' 'reverse-continue' \
    "monitor goto $place" stepi 'monitor gaps' detach >"$tmp/commands"
  timeout 100 gdb-multiarch -q -batch -nx -iex "set remotetimeout 60" -x "$tmp/commands" >"$tmp/log" 2>&1 || :
  grep -q "^instruction $kept of $kept," "$tmp/log" || fail "$file: not $kept instructions"
  [ "$(grep -c "^missing in front of instruction $place: .* (damage)" "$tmp/log")" -eq 4 ] ||
    fail "$file: what is missing is not told where the end, the beginning and the place are reached, and when asked"
done
damage 600
"$OCTRACE" gdb "$tmp/damaged.octp" </dev/null 2>"$tmp/log" || fail "a file damaged at its beginning is no longer read"
head -c 1000 "$tmp/long.octp" >"$tmp/cut.octp"
"$OCTRACE" gdb "$tmp/cut.octp" </dev/null 2>"$tmp/log" && fail "of a file without a whole chunk something is there"
grep -q 'cut.octp: offset .*: a chunk is cut short' "$tmp/log" || fail "the damage is not named"
