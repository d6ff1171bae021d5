#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# gaps.sh - does octrace go on behind what cannot be decoded, and say what is missing? Addresses that no
# file has, damage, a beginning that is cut off, transactions that are aborted. FORMAT says of which
# trace unit: intel_pt, etmv4.
. "$(dirname "$0")/../tools/lib.sh"

# no_silent_loss WANT OPTION... FILE: who reads it gets all of WANT, or a word on standard error.
no_silent_loss() {
  expected=$1
  shift
  code=0
  "$OCTRACE" convert "$@" --to pc - >got 2>err || code=$?
  [ "$code" -le 4 ] || die "exit status $code: $*"
  cmp -s "$expected" got || [ -s err ] || die "lost in silence: $*"
}

# pt FILE: the packets that standard input has, a Python expression each line. code.elf has nops at
# 0x10000 and 0x10100, and behind four of them a jump through a register.
pt() {
  cat >packets
  python3 - "$1" <<'END'
import struct, sys

def address(kind, addr):
    return bytes([kind]) + addr.to_bytes(8, "little")

def tip(addr): return address(0xcd, addr)
def pge(addr): return address(0xd1, addr)
def fup(addr): return address(0xdd, addr)
def near(addr): return b"\x2d" + (addr & 0xffff).to_bytes(2, "little")  # TIP of 16 bits
def psb(addr): return b"\x02\x82" * 8 + b"\x99\x01" + fup(addr) + psbend
def begin(addr): return b"\x02\x82" * 8 + b"\x99\x01" + psbend + pge(addr)
def mode_tsx(bits, addr): return bytes([0x99, 0x20 | bits]) + fup(addr)
def cfe(kind, vector): return bytes([0x02, 0x13, 0x80 | kind, vector])
def evd(kind, value): return bytes([0x02, 0x53, kind]) + value.to_bytes(8, "little")

psbend, tnt, pgd, ovf, pad, bad = b"\x02\x23", b"\x1c", b"\x01", b"\x02\xf3", b"\0", b"\xf9\xf9"
open(sys.argv[1], "wb").write(b"".join(eval(line) for line in open("packets") if line.strip()))
memory = bytearray(b"\x90" * 0x1000)
memory[0x004:0x006] = memory[0x104:0x106] = b"\xff\xe0"
memory[0x200:0x202] = b"\x48\xcf"
memory[0x300:0x304] = b"\xf3\x0f\x01\xec"
head = b"\x7fELF" + bytes([2, 1, 1]) + bytes(9) + struct.pack(
    "<HHIQQQIHHHHHH", 2, 62, 1, 0x10000, 64, 0, 0, 64, 56, 1, 0, 0, 0)
segment = struct.pack("<IIQQQQQQ", 1, 5, 0x1000, 0x10000, 0x10000, len(memory), len(memory), 0x1000)
open("code.elf", "wb").write((head + segment).ljust(0x1000, b"\0") + memory)
END
}

# ran ADDRESS...: the instructions at these, in hexadecimal, are what the stream gives.
ran() {
  printf '%s\n' "$@" >want
  sed -n '/^[#!]/!{s/^0*\([1-9a-f][0-9a-f]*\).*/\1/;p}' text | cmp want - || { cat text >&2; die "other instructions"; }
}

nops="10000 10001 10002 10003 10004"
more="10100 10101 10102 10103 10104"

intel_pt() {
  # No code: the next TIP goes on, over others that lead nowhere, the next PSB too; so does tracing
  # that begins again. Addresses are sent in part.
  pt holes.pt <<'END'
begin(0x10000)
tip(0x500000)
tnt
tip(0x501000)
tip(0x10ffc)
near(0x10100)
tip(0xffff80000000)
tnt
psb(0xffff80000010)
tip(0xffff80000020)
psb(0x10000)
tip(0x10100)
tip(0x500010)
pgd
pge(0x10100)
tip(0x700000000)
tip(0x10000)
tip(0x800000000)
pgd
END
  expect 0 "$OCTRACE" convert --from intel-pt --elf code.elf --to text holes.pt text
  # shellcheck disable=SC2086 # words
  ran $nops 10ffc 10ffd 10ffe 10fff $more $nops $more $more $nops
  [ "$(wc -l <err)" -eq 1 ] || { cat err >&2; die "not one line of what has no code"; }
  contains err 'no file has the code at 0x11000 to 0x500010, 0xffff80000000, 0x700000000, 0x800000000, left out at 6 places'
  contains err 'with --elf FILE'
  expect 0 "$OCTRACE" info --from intel-pt --elf code.elf holes.pt
  contains out '^gaps  *6$'
  # The same in a file of perf, which knows what was mapped.
  python3 "$MAKE_PERF" perf.data "map:101:code.elf:$work/code.elf" "map:101:code.elf:[vdso]:0x4f0000" \
    thread:101:holes.pt
  expect 0 "$OCTRACE" convert --to text perf.data text
  # shellcheck disable=SC2086
  ran $nops 10ffc 10ffd 10ffe 10fff $more $nops $more $more $nops
  contains err '0x500000 to 0x500010 (\[vdso\])'

  # Another program stands where that was which ran.
  cp code.elf moved.elf
  python3 "$MAKE_PERF" perf.data "map:101:moved.elf:$work/moved.elf" thread:101:holes.pt
  cp "$DATA/mixed-riscv64.elf" moved.elf
  refuse 4 "$OCTRACE" convert perf.data new
  contains err "no code at 0x10000, where the riscv64 file $work/moved.elf was mapped: give the file that was there with --elf"
  mkdir right
  cp code.elf right/moved.elf
  expect 0 "$OCTRACE" convert --elf right/moved.elf --to text perf.data text
  # shellcheck disable=SC2086
  ran $nops 10ffc 10ffd 10ffe 10fff $more $nops $more $more $nops

  # A recording may end where tracing goes on; without an instruction it is none.
  printf 'begin(0x10000)\ntip(0x10100)\n' | pt open.pt
  expect 0 "$OCTRACE" convert --from intel-pt --elf code.elf --to text open.pt text
  # shellcheck disable=SC2086
  ran $nops
  one_line 'octrace: note: open.pt: 1 stream of it ends where tracing goes on, after 5 instructions: the rest is not known'
  python3 "$MAKE_PERF" perf.data "map:101:code.elf" thread:101:open.pt thread:102:open.pt fork:102:101
  expect 0 "$OCTRACE" convert --to text perf.data text
  one_line 'octrace: note: perf.data: 2 streams of it end where tracing goes on, after 10 instructions: the rest is not known'
  printf 'b"\\x02\\x82" * 8 + psbend\n' | pt off.pt
  refuse 4 "$OCTRACE" convert --from intel-pt --elf code.elf --to text off.pt new
  contains err 'no instruction in it: tracing is off'

  # Of several streams one has no sync: it is a gap. Padding is none.
  LC_ALL=C tr '\002' '\003' <open.pt >unsynced.pt
  head -c 100 /dev/zero >zeros.pt
  python3 "$MAKE_PERF" perf.data "map:101:code.elf" fork:102:101 thread:102:unsynced.pt thread:101:open.pt thread:103:zeros.pt
  for command in convert info stats 'compress --tracer intel-pt' 'convert --salvage'; do
    case $command in info | stats) out='' ;; compress*) out='-o packed.octp' ;; *) out='text.oct --gaps gaps.csv' ;; esac
    # shellcheck disable=SC2086
    expect 0 "$OCTRACE" $command perf.data $out
    contains err 'note: perf.data: left out 40 bytes of thread 102, in which there is no sync, where decoding begins'
    ! grep 'lacks its beginning' err || die "a stream without a sync is told twice"
  done
  printf '0,,,"beginning"\n' >want
  tail -n +2 gaps.csv | cmp want - || { cat gaps.csv >&2; die "another gap of a stream without a sync"; }
  python3 "$MAKE_PERF" perf.data "map:101:code.elf" cpu:0:unsynced.pt cpu:1:unsynced.pt switch:2:101:0 cpu:2:open.pt
  expect 0 "$OCTRACE" info perf.data
  contains err 'left out 80 bytes of processor 0 and others, in which'
  contains out '^gaps  *2$'
  # None has one, or the others have no instruction: it is no trace. What is named is not padding.
  python3 "$MAKE_PERF" perf.data "map:101:code.elf" thread:101:off.pt thread:102:unsynced.pt
  expect 4 "$OCTRACE" convert perf.data new
  contains err 'perf.data: no instruction in it: tracing is off'
  for streams in 'thread:102:unsynced.pt' 'thread:103:zeros.pt thread:102:unsynced.pt thread:104:unsynced.pt thread:105:zeros.pt' \
    'thread:103:zeros.pt'; do
    case $streams in
      *unsynced*) says='perf.data: thread 102: expected packets of Intel PT, found no PSB' ;;
      *) says='perf.data: thread 103: expected packets of Intel PT, found no PSB' ;;
    esac
    # shellcheck disable=SC2086 # words
    python3 "$MAKE_PERF" perf.data "map:101:code.elf" $streams
    for command in 'convert perf.data new' 'convert --salvage perf.data new' 'compress -o new perf.data' 'info perf.data' 'stats perf.data'; do
      # shellcheck disable=SC2086
      refuse 4 "$OCTRACE" $command
      contains err "^octrace: $says"
      [ "$(wc -l <err)" = 1 ] || { cat err >&2; die "not one line of a recording without a sync"; }
    done
  done

  # Damage ends it, or costs what stands before the next PSB. libipt reads a packet ahead.
  pt damaged.pt <<'END'
begin(0x10000)
tip(0x10100)
tip(0x10000)
bad
tip(0x10000)
psb(0x10100)
tip(0x10002)
pgd
END
  refuse 4 "$OCTRACE" convert --from intel-pt --elf code.elf damaged.pt new
  contains err 'libipt: unknown opcode'
  expect 3 "$OCTRACE" convert --salvage --from intel-pt --elf code.elf --to text damaged.pt text
  # shellcheck disable=SC2086
  ran $nops $more $more 10002 10003 10004
  contains err 'unknown opcode.*left out instructions, how many is unknown'

  # What stands before the first PSB is told, unless it is padding.
  pt begin.pt <<'END'
tip(0x10000)
psb(0x10100)
pgd
END
  expect 0 "$OCTRACE" convert --from intel-pt --elf code.elf --to text begin.pt text
  contains err 'left out 9 bytes before the first sync'
  # Where nothing stands before it, the count of octrace's own streams tells.
  "$OCTRACE" convert --elf "$DATA/mixed-x86-64.elf" --limit 400 "$DATA/mixed-x86-64.oct" whole.oct
  "$OCTRACE" convert --to pc whole.oct - | sed 's/^0*//' >want
  for params in sync_period_insns=100 tnt_long=1,sync_period_insns=50 tsc=0,sync_period_insns=100; do
    "$OCTRACE" convert --to "intel-pt:$params" whole.oct stream
    expect 0 "$OCTRACE" convert --from intel-pt --elf "$DATA/mixed-x86-64.elf" --to pc stream got
    [ ! -s err ] || die "a beginning that is there is said to be missing"
    for at in $(LC_ALL=C grep -obUaP '(\x02\x82){8}' stream | LC_ALL=C sed '1d; s/:.*//'); do
      tail -c +$((at + 1)) stream >late
      python3 "$MAKE_PERF" late.data "map:101:$DATA/mixed-x86-64.elf" thread:101:late
      for file in late late.data; do
        [ $file = late ] && from="--from intel-pt --elf $DATA/mixed-x86-64.elf" || from=''
        # shellcheck disable=SC2086 # words
        expect 0 "$OCTRACE" convert --gaps gaps.csv $from $file late.oct
        contains err "note: $file: the trace lacks its beginning\$"
        [ "$(grep -c '^0,.*"beginning"$' gaps.csv)" = 1 ] || { cat gaps.csv >&2; die "another gap at a cut beginning"; }
        "$OCTRACE" convert --to pc late.oct - 2>log | sed 's/^0*//' >got
        tail -n "$(wc -l <got)" want | cmp - got || die "other instructions from byte $at on"
      done
    done
    [ "$(wc -l <got)" -gt 40 ] || die "nothing behind byte $at"
  done
  # What others recorded: an address within the first sync says that tracing was on before.
  printf 'psb(0x10000)\npgd\n' | pt on.pt
  expect 0 "$OCTRACE" convert --from intel-pt --elf code.elf --to text on.pt text
  one_line 'octrace: note: on.pt: the trace lacks its beginning'
  # perf counts what it has read of a buffer before.
  python3 "$MAKE_PERF" perf.data "map:101:code.elf" thread:101:open.pt
  expect 0 "$OCTRACE" convert --to text perf.data text
  ! grep beginning err || die "a beginning that is there is said to be missing"
  python3 "$MAKE_PERF" perf.data from:4096 "map:101:code.elf" thread:101:open.pt
  expect 0 "$OCTRACE" convert --gaps gaps.csv perf.data text.oct
  contains err 'note: perf.data: the trace lacks its beginning$'
  [ "$(grep -c '^0,.*"beginning"$' gaps.csv)" = 1 ] || { cat gaps.csv >&2; die "another gap at a cut beginning"; }
  pt pad.pt <<'END'
pad * 100
begin(0x10100)
pgd
END
  expect 0 "$OCTRACE" convert --from intel-pt --elf code.elf --to text pad.pt text
  [ ! -s err ] || die "padding is no loss"

  # An aborted transaction has not run; one that ends has.
  pt tsx.pt <<'END'
begin(0x10000)
mode_tsx(1, 0x10001)
mode_tsx(2, 0x10003)
tip(0x10100)
mode_tsx(1, 0x10101)
mode_tsx(0, 0x10103)
tip(0x10000)
pgd
END
  expect 0 "$OCTRACE" convert --from intel-pt --elf code.elf --to text tsx.pt text
  # shellcheck disable=SC2086
  ran 10000 $more $nops
  ! grep '^!' text || die "an abort is no trap"
  # Also where a transaction ends in code that no file has, right there or after others with code.
  pt tsx-hole.pt <<'END'
begin(0x10000)
mode_tsx(1, 0x10001)
tip(0x90000)
mode_tsx(2, 0x90003)
tip(0x10100)
mode_tsx(1, 0x10101)
tip(0x90000)
mode_tsx(0, 0x90002)
tip(0x10000)
mode_tsx(1, 0x10001)
tip(0x90000)
tip(0x10100)
tip(0x91000)
tip(0x10101)
mode_tsx(2, 0x10103)
tip(0x10000)
mode_tsx(1, 0x10001)
tip(0x90000)
tip(0x10100)
tip(0x91000)
tip(0x10102)
mode_tsx(0, 0x10103)
tip(0x10003)
pgd
END
  expect 0 "$OCTRACE" convert --from intel-pt --elf code.elf --to text tsx-hole.pt text
  # shellcheck disable=SC2086
  ran 10000 $more 10000 $nops $more 10102 10103 10104 10003 10004

  # Event Trace: causes of traps, returns from them.
  pt events.pt <<'END'
begin(0x10000)
evd(0, 0x1234)
cfe(1, 14) + pad + b"\x07\x03\x02\x59\x11\x0b"  # CYC of three bytes, MTC, CYC
fup(0x10002)
tip(0x10200)
cfe(2, 0)
fup(0x10200)
tip(0x10002)
cfe(1, 236)
fup(0x10003)
tip(0x10100)
pgd
END
  expect 0 "$OCTRACE" convert --from intel-pt --elf code.elf --to text events.pt text
  # shellcheck disable=SC2086
  ran 10000 10001 10200 10002 $more
  grep '^!' text >got
  printf '!exception 14 A:%016x V:%016x\n!interrupt 236 A:%016x\n' 65538 4660 65539 | cmp - got ||
    { cat got >&2; die "other causes"; }

  # A return is an instruction, whichever it is and if tracing ends behind it. A cause that says no place is of no
  # trap that has one.
  pt returns.pt <<'END'
begin(0x10300)
cfe(13, 0)
fup(0x10300)
tip(0x10200)
cfe(2, 0)
fup(0x10200)
pgd
pge(0x10000)
b"\x02\x13\x01\x21"
fup(0x10002)
tip(0x10100)
pgd
END
  expect 0 "$OCTRACE" convert --from intel-pt --elf code.elf --to text returns.pt text
  # shellcheck disable=SC2086
  ran 10300 10200 10000 10001 $more
  grep '^!' text >got
  printf '!interrupt 0 A:%016x\n' 65538 | cmp - got || { cat got >&2; die "another cause"; }

  # The processor by its number, as libipt knows errata of it.
  expect 0 "$OCTRACE" info --from intel-pt:cpu=6/78/3 --elf code.elf tsx.pt
  expect 0 "$OCTRACE" info --from intel-pt:cpu=6/61 --elf code.elf tsx.pt
  for cpu in cpu=6 cpu=6/999/1 cpu=6/61/3/1 colour=1; do
    refuse 4 "$OCTRACE" info --from "intel-pt:$cpu" --elf code.elf tsx.pt
    contains err 'cpu=FAMILY/MODEL'
  done

  # Code that is met after the head of a compressed file is written: only a file of ours names it before.
  elf=$DATA/mixed-x86-64.elf
  "$OCTRACE" convert --elf "$elf" "$DATA/mixed-x86-64.oct" whole.oct
  "$OCTRACE" convert --to intel-pt whole.oct part.pt
  for _ in 1 2 3 4 5 6; do cat part.pt; done >long.pt
  cp "$elf" first.elf
  cp "$elf" late.elf
  python3 "$MAKE_PERF" perf.data map:101:first.elf map:102:late.elf switch:0:101:0 switch:1:102:0 cpu:0:long.pt cpu:1:part.pt:10000000
  expect 0 "$OCTRACE" convert perf.data late.oct
  [ ! -s err ] || die "a trace has all files of code"
  for how in '--tracer raw' '--codec plain'; do
    # shellcheck disable=SC2086
    for trace in perf.data - late.oct; do
      expect 0 "$OCTRACE" compress $how -o packed $trace <late.oct
      cp err said
      expect 0 "$OCTRACE" info packed
      if [ $trace != late.oct ]; then
        grep -q '^octrace: note: packed: 1 file of code is left out: the trace names it after its beginning$' said ||
          die "a file of code is left out in silence: $how $trace"
        ! grep late.elf out || die "nothing is left out: $how $trace"
      else
        ! grep note said || die "nothing is left out: $how $trace"
        contains out late.elf
      fi
    done
  done

  # Bits of each PSB of a stream with several.
  "$OCTRACE" convert --elf "$DATA/mixed-x86-64.elf" --limit 400 "$DATA/mixed-x86-64.oct" whole.oct
  "$OCTRACE" convert --to pc whole.oct want
  "$OCTRACE" convert --to intel-pt:sync_period_insns=100 whole.oct stream
  python3 - <<'END'
data = open("stream", "rb").read()
at = [i for i in range(len(data)) if data[i:i + 16] == b"\x02\x82" * 8]
assert len(at) > 3
for psb in at:
    for byte in (0, 7, 15):
        for bit in (0, 3, 7):
            changed = bytearray(data)
            changed[psb + byte] ^= 1 << bit
            open("flip-%d-%d-%d.pt" % (psb, byte, bit), "wb").write(changed)
# Periods that are missing or come twice, and outcomes of branches that lead on another path.
for i, (begin, end) in enumerate(zip(at[1:], at[2:] + [len(data)])):
    open("flip-hole-%d.pt" % i, "wb").write(data[:begin] + data[end:])
    open("flip-twice-%d.pt" % i, "wb").write(data[:end] + data[begin:])
tnts = [k for k in range(at[1], at[2]) if data[k] == 0x1e]
assert tnts
for k in tnts:
    for bit in range(8):
        changed = bytearray(data)
        changed[k] ^= 1 << bit
        open("flip-tnt-%d-%d.pt" % (k, bit), "wb").write(changed)
END
  for file in flip-*.pt; do no_silent_loss want --from intel-pt --elf "$DATA/mixed-x86-64.elf" "$file"; done
  # Numbers in PSBs behind damage tell what it cost.
  python3 - <<'END'
data = bytearray(open("stream", "rb").read())
at = [i for i in range(len(data)) if data[i:i + 16] == b"\x02\x82" * 8]
data[at[1] + 40:at[1] + 42] = b"\xf9\xf9"
open("damaged.pt", "wb").write(data)
END
  expect 3 "$OCTRACE" convert --salvage --from intel-pt --elf "$DATA/mixed-x86-64.elf" --to pc damaged.pt got
  contains err "left out at least $((400 - $(wc -l <got))) instructions"
}

# changed NAME: a copy of the snapshot, whose trace `data` in Python a script on standard input changes.
changed() {
  rm -rf "$1"
  cp -r snapshot "$1"
  cat >change.py
  python3 - "$1/trace.bin" <<'END'
import sys
data = bytearray(open("snapshot/trace.bin", "rb").read())
syncs = [i for i in range(0, len(data), 16) if data[i:i + 13] == b"\x21" + b"\0" * 11 + b"\x80"]
assert len(syncs) > 3
exec(open("change.py").read())
open(sys.argv[1], "wb").write(data)
END
}

etmv4() {
  "$OCTRACE" convert --elf "$DATA/mixed-aarch64.elf" --limit 500 "$DATA/mixed-aarch64.oct" whole.oct
  "$OCTRACE" convert --to pc whole.oct want
  "$OCTRACE" convert --to etmv4:sync_period_insns=100 whole.oct snapshot

  # Comments, empty lines and CR LF before the first section.
  cp -r snapshot odd
  for file in odd/*.ini; do
    { printf '; a comment\n\n# [another]\n'; cat "$file"; } | sed 's/$/\r/' >"snapshot-ini"
    cp snapshot-ini "$file"
  done
  expect 0 "$OCTRACE" convert --to pc odd got
  cmp want got || die "other instructions from lines that end in CR LF"
  # And the byte order mark of Windows.
  for file in odd/*.ini; do
    { printf '\357\273\277' && cat "snapshot/${file#*/}"; } >"snapshot-ini"
    cp snapshot-ini "$file"
  done
  expect 0 "$OCTRACE" convert --to pc odd got
  cmp want got || die "other instructions behind byte order marks"

  # No sync: no trace.
  changed empty <<'END'
data[:] = bytes(48)
END
  refuse 4 "$OCTRACE" convert empty new
  contains err 'found no A-Sync'
  changed none <<'END'
data[:] = b""
END
  refuse 4 "$OCTRACE" convert none new

  # A beginning that is missing; bytes of another source; an end that is missing; instructions in the
  # middle.
  changed late <<'END'
data[5] = 1
END
  expect 0 "$OCTRACE" convert --to pc late got
  contains err 'left out [0-9]* bytes before the first sync'
  changed other <<'END'
data[syncs[-1]] = 0x43
END
  code=0
  "$OCTRACE" convert --to pc other got 2>err || code=$?
  contains err 'other trace IDs\|before the trace does'
  # Bytes of any number but a flush's and a trigger's, also of those that no trace unit may have.
  for id in 0 1 33 111 112 122 123 124 125 126 127; do
    changed other <<END
for at in range(syncs[1], syncs[2], 16):
    data[at] = $id << 1 | 1
END
    sed -i 's/^description=.*/description=another/' other/snapshot.ini
    expect 0 "$OCTRACE" convert --to pc other got
    case $id in
    123 | 125) ! grep 'other trace IDs' err || die "bytes of a flush or trigger are a trace" ;;
    *) contains err 'left out [0-9]* bytes of trace units .*(other trace IDs)' ;;
    esac
  done
  changed cut <<'END'
del data[syncs[-1]:]
END
  refuse 4 "$OCTRACE" convert cut new
  contains err 'ends before the trace does'
  expect 3 "$OCTRACE" convert --salvage --to pc cut got
  head -n "$(wc -l <got)" want | cmp - got || die "other instructions before a cut"
  # A ring lacks its beginning, also one that begins at a sync, or before the first trace ID.
  cp -r snapshot ring
  size=$(wc -c <snapshot/trace.bin)
  for skipped in $(seq 16 16 $((size - 96))); do
    tail -c "+$((skipped + 1))" snapshot/trace.bin >ring/trace.bin
    expect 0 "$OCTRACE" convert --gaps gaps.csv ring ring.oct
    contains err '^octrace: note: ring: .*the trace lacks its beginning$'
    ! grep 'other trace IDs' err || die "bytes without a trace ID are of another, from byte $skipped"
    [ "$(grep -c beginning gaps.csv) $(wc -l <gaps.csv)" = "1 2" ] || die "a ring from byte $skipped: other gaps"
    expect 0 "$OCTRACE" info ring.oct
    contains out '^gaps  *1$'
  done

  # Of two trace units each ends.
  "$OCTRACE" convert --to etmv4:sync_period_insns=100,trace_id=17 whole.oct second
  cp -r snapshot two
  sed 's/ETM_0/ETM_1/' second/etm.ini >two/etm2.ini
  sed -i 's/^device1=.*/&\ndevice2=etm2.ini/' two/snapshot.ini
  cat snapshot/trace.bin second/trace.bin >two/trace.bin
  expect 0 "$OCTRACE" convert --to pc two got
  { cat want; sed "1s/^0*//" want; } | cmp - got || die "other instructions of two trace units"
  { head -c 160 second/trace.bin && cat snapshot/trace.bin; } >two/trace.bin
  refuse 4 "$OCTRACE" convert two new
  contains err 'ends before the trace does'
  # What another tool recorded may end there.
  sed -i 's/^description=.*/description=another/' two/snapshot.ini
  expect 0 "$OCTRACE" convert --to pc two got
  n=$(($(wc -l <got) - 500))
  contains err "^octrace: note: two: 1 stream of it ends where tracing goes on, after $n instructions: the rest is not known"
  changed hole <<'END'
del data[syncs[1]:syncs[2]]
END
  refuse 4 "$OCTRACE" convert hole new
  expect 3 "$OCTRACE" convert --salvage --to pc hole got
  [ "$(wc -l <got)" -gt 300 ] || die "what follows a hole is lost"
  changed reserved <<'END'
data[syncs[1] + 17:syncs[1] + 24:2] = b"\xc7" * 4
END
  no_silent_loss want reserved

  # No code: the next address goes on.
  cp -r snapshot holes
  printf 'length=0x60\n' >>holes/core.ini
  expect 0 "$OCTRACE" convert --to pc holes got
  contains err 'no file has the code at 0x[0-9a-f]* to 0x[0-9a-f]*, left out at [0-9]* places'
  sort -u want >all
  sort -u got | comm -23 - all >others
  { [ -s got ] && [ ! -s others ]; } || die "other instructions around holes"

  # What is called in a hole is not on the stack of return addresses: a return that finds nothing there,
  # or what is left of another call, is part of the gap, whichever instruction has no code.
  "$OCTRACE" convert --elf "$DATA/mixed-aarch64.elf" --to etmv4 "$DATA/mixed-aarch64.oct" calls
  "$OCTRACE" convert --to text "$DATA/mixed-aarch64.oct" all
  cp calls/core.ini core.ini
  for at in 24 76 144 240 292 312 440 528 744 840 936; do
    { cat core.ini && printf 'length=%d\n[dump2]\nfile=memory1.bin\naddress=%d\noffset=%d\n' $at $((0x400124 + at)) $((at + 4)); } >calls/core.ini
    expect 0 "$OCTRACE" convert --gaps gaps.csv calls part.oct
    one_line "octrace: note: calls: no file has the code at 0x$(printf %x $((0x400120 + at))), left out at $(($(wc -l <gaps.csv) - 1)) .*"
    "$OCTRACE" convert --to text part.oct text 2>/dev/null
    python3 - <<'END' || die "other instructions around the hole at $at"
import re
def addresses(text): return re.findall("^[0-9a-f]+", text, re.M)
run = addresses(open("all").read())
at = 0
for piece in open("text").read().split("!gap"):
    lines = addresses(piece)
    while lines and run[at:at + len(lines)] != lines:
        at += 1
        assert at < len(run), lines[0]
    at += len(lines)
END
  done

  # What is named and not there costs what needs it.
  cp -r snapshot absent
  rm absent/memory1.bin
  sed -i 's/^device1=.*/&\ndevice2=none.ini/' absent/snapshot.ini
  refuse 4 "$OCTRACE" convert absent new
  contains err 'there is no absent/memory1.bin)'
  expect 0 "$OCTRACE" convert --elf "$DATA/mixed-aarch64.elf" --to pc absent got
  cmp want got || die "other instructions where a dump is missing"
  contains err 'it names absent/[a-z0-9]*\.[a-z]* and others, which is missing'

  rm absent/etm.ini
  refuse 4 "$OCTRACE" convert absent new
  contains err 'no trace unit of type ETM4 in the snapshot (and there is no absent/etm.ini)$'

  # Lines that say what cannot be.
  while IFS='|' read -r file change says; do
    rm -rf odd
    cp -r snapshot odd
    sed -i "$change" "odd/$file"
    refuse 4 "$OCTRACE" convert odd new
    contains err "^octrace: odd/$says"
  done <<'END'
etm.ini|s/^TRCTRACEIDR=.*/TRCTRACEIDR=0x7f/|snapshot.ini: the trace unit ETM_0: expected a trace ID from 1 to 0x6f, found 0x7f$
etm.ini|s/^TRCTRACEIDR=.*/TRCTRACEIDR=99999999999999999999/|etm.ini:8: expected a number of 32 bits$
etm.ini|s/^TRCTRACEIDR=.*/TRCTRACEIDR=0x100000010/|etm.ini:8: expected a number of 32 bits$
etm.ini|s/^TRCTRACEIDR=.*/TRCTRACEIDR=-16/|etm.ini:8: expected a number$
core.ini|s/^address=.*/&\nlength=-1/|core.ini:15: expected a number$
core.ini|s/^address=.*/&\noffset=99999999999999999999999/|core.ini:15: expected a number of 64 bits$
snapshot.ini|s/^device1=.*/&\ndevice2=etm.ini/|snapshot.ini: the trace unit ETM_0: another one has its trace ID, 0x10$
END

  "$ETM_DEATH" snapshot/snapshot.ini || die "a death of OpenCSD is not one line"
}

# nexus FILE: the N-Trace messages that standard input has, a Python expression each line. code.elf has
# nops at 0x10000 and 0x20000, with a jump to itself behind 8, a branch at 0x10100 and a jump to 0x90000 at 0x10200.
nexus() {
  cat >messages
  python3 - "$1" <<'END'
import struct, sys

def message(*fields):
    """Fields (value, width), or (value, 0) of variable length, each of which ends with its byte."""
    out, value, width = [], 0, 0
    for v, w in fields:
        value |= v << width
        width += w or max(v.bit_length(), 1)
        if not w:
            width = -(-width // 6) * 6
            out += [(value >> i & 63) << 2 for i in range(0, width, 6)]
            out[-1] |= 1
            value = width = 0
    out[-1] |= 3
    return bytes(out)

def sync(addr, icnt=0, reason=5): return message((9, 6), (reason, 4), (icnt, 0), (addr >> 1, 0))
def indirect(icnt, xor): return message((4, 6), (0, 2), (icnt, 0), (xor >> 1, 0))
def hist(icnt, xor, bits): return message((28, 6), (0, 2), (icnt, 0), (xor >> 1, 0), (bits, 0))
def again(n): return message((30, 6), (n, 0))
def end(icnt, *bits): return message((33, 6), (4, 4), (len(bits), 2), (icnt, 0), *((b, 0) for b in bits))

open(sys.argv[1], "wb").write(b"".join(eval(line) for line in open("messages") if line.strip()))
memory = bytearray(bytes.fromhex("0100") * 0x8800)
for at, code in ((0x10, "8280"), (0x10010, "8280"), (0x100, "01c1"), (0x200, "6f00e07f")):
    memory[at:at + len(code) // 2] = bytes.fromhex(code)
head = b"\x7fELF" + bytes([2, 1, 1]) + bytes(9) + struct.pack(
    "<HHIQQQIHHHHHH", 2, 243, 1, 0x10000, 64, 0, 0, 64, 56, 1, 0, 0, 0)
segment = struct.pack("<IIQQQQQQ", 1, 5, 0x1000, 0x10000, 0x10000, len(memory), len(memory), 0x1000)
open("code.elf", "wb").write((head + segment).ljust(0x1000, b"\0") + memory)
END
}

riscv() {
  eight="10000 10002 10004 10006 10008 1000a 1000c 1000e 10010"
  other="20000 20002 20004 20006 20008 2000a 2000c 2000e 20010"

  # No code: the next address that has some goes on, wherever it is sent in part.
  nexus holes.nex <<'END'
sync(0x10000)
indirect(9, 0x10000 ^ 0x500000)
indirect(77, 0x500000 ^ 0x600000)
hist(5, 0x600000 ^ 0x20000, 0b101)
indirect(9, 0x20000 ^ 0x700000)
end(3)
END
  expect 0 "$OCTRACE" convert --from ntrace --elf code.elf --to text holes.nex text
  # shellcheck disable=SC2086
  ran $eight $other
  contains err 'no file has the code at 0x500000 to 0x700000, left out at 2 places'
  # With a return stack only a sync does.
  expect 0 "$OCTRACE" convert --from ntrace:return_stack=4 --elf code.elf --to text holes.nex text
  # shellcheck disable=SC2086
  ran $eight

  # A message that comes again, whichever it is; one of nothing.
  nexus again.nex <<'END'
sync(0x10000)
indirect(9, 0)
again(3)
end(1)
END
  expect 0 "$OCTRACE" convert --from ntrace --elf code.elf --to text again.nex text
  # shellcheck disable=SC2086
  ran $eight $eight $eight $eight 10000
  printf 'sync(0x10000)\nagain(3)\nend(1)\n' | nexus nothing.nex
  refuse 4 "$OCTRACE" convert --from ntrace --elf code.elf --to text nothing.nex text
  contains err 'a repetition of nothing'

  # The last message without a history: what needs none is there.
  printf 'sync(0x10000)\nend(4)\n' | nexus last.nex
  expect 0 "$OCTRACE" convert --from ntrace --elf code.elf --to text last.nex text
  ran 10000 10002 10004 10006
  printf 'sync(0x100fe)\nend(4)\n' | nexus last.nex
  expect 0 "$OCTRACE" convert --from ntrace --elf code.elf --to text last.nex text
  ran 100fe 10100
  contains err 'lost instructions at 1 place'

  # Nothing, zeros, no sync, and a sync without code.
  : >nothing
  head -c 400 /dev/zero >zeros
  printf 'indirect(9, 0)\nend(1)\n' | nexus unsynced
  for format in etrace ntrace; do
    for file in nothing zeros unsynced; do
      refuse 4 "$OCTRACE" convert --from $format --elf code.elf --to text $file new
      contains err 'no sync in it\|ends within a packet'
    done
  done
  printf 'sync(0x90000)\nend(1)\n' | nexus nowhere.nex
  refuse 4 "$OCTRACE" convert --from ntrace --elf code.elf --to text nowhere.nex new
  contains err 'no code at 0x90000'

  # The beginning is cut off anywhere: what follows the next sync is there, and this is said. Damage
  # costs no more than that.
  elf=$DATA/mixed-riscv64.elf
  "$OCTRACE" convert --elf "$elf" --limit 4000 "$DATA/mixed-riscv64.oct" whole.oct
  for format in ntrace:count=0,sync_period_insns=500 ntrace:btm-all,sync_period_insns=500 \
    etrace:data=0,sync_period_insns=500 etrace:all,sync_period_insns=500; do
    "$OCTRACE" convert --to "$format" whole.oct stream
    "$OCTRACE" convert --from "$format" --elf "$elf" --to text stream - | grep -v '^#' >want
    for cut in 1 2 3 5 11 20 26 33 41 50 60; do
      tail -c +$((cut + 1)) stream >ring
      expect 0 "$OCTRACE" convert --from "$format" --elf "$elf" --to text ring text
      grep -v '^#\|^!gap' text >got
      [ "$(wc -l <got)" -ge 1000 ] || die "$(wc -l <got) instructions behind byte $cut: $format"
      tail -n "$(wc -l <got)" want | cmp - got || die "other instructions behind byte $cut: $format"
      cmp -s want got || contains err 'the trace lacks its beginning'
    done
    { head -c 200 stream && printf '%20s' '' | tr ' ' '~' && tail -c +221 stream; } >damaged
    code=0
    "$OCTRACE" convert --salvage --from "$format" --elf "$elf" --to text damaged text 2>err || code=$?
    # Damage of an address may look like code that is missing.
    [ "$code" = 3 ] || contains err 'no file has the code at'
    [ "$(grep -c '^[0-9a-f]' text)" -ge 2500 ] || die "damage costs all that follows: $format"
  done

  # The address of an exception by an environment call is its own.
  python3 - <<'END'
data = bytearray(open("code.elf", "rb").read())
data[0x1000:0x1004] = bytes.fromhex("09a80100")  # c.j to 0x10012
data[0x1012:0x1016] = bytes.fromhex("73000000")  # ecall
open("ecall.elf", "wb").write(data)
END
  printf '%s\n' '0000000000010000/2' '0000000000010012/4' '!exception 11 A:0000000000010012 V:0 P:3' \
    '0000000000010020/2' >ecall.txt
  expect 0 "$OCTRACE" convert --isa riscv64 --elf ecall.elf --to etrace:data=0 ecall.txt stream
  expect 0 "$OCTRACE" convert --from etrace:data=0 --elf ecall.elf --to text stream text
  contains text '^!exception 11 A:0*10012 '
}

$FORMAT
