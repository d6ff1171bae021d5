#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# convert.sh - octrace convert: formats, cutting, bare addresses.
. "$(dirname "$0")/lib.sh"

# A name that promises something else than what is written is told.
tiny_trace 10 >tiny.oct
expect 0 "$OCTRACE" convert tiny.oct t.txt
one_line 'octrace: note: t.txt: a native trace, in spite of its name: --to text writes text'
expect 0 "$OCTRACE" convert --to text tiny.oct t.txt
[ ! -s err ] || die "text is called text"
expect 0 "$OCTRACE" convert --to text tiny.oct t.txt.gz
one_line 'octrace: note: t.txt.gz: not packed, in spite of its name: write to - and pipe that on'
"$OCTRACE" compress -o t.octp tiny.oct 2>err
expect 0 "$OCTRACE" decompress -o t.txt t.octp
one_line 'octrace: note: t.txt: a native trace, .*'
rm tiny.oct t.txt t.txt.gz t.octp

# Text keeps the instruction set and the alignment; comments that do not say them so are comments.
said_of() {
  "$OCTRACE" info --json "$1" | python3 -c 'import json, sys
t = json.load(sys.stdin)
print(t["isa"], t["addr_bits"], t["insn_align_bytes"], t["instructions"])'
}
for trace in "$SAMPLES"/sha1.oct "$SAMPLES"/isa/*.oct; do
  "$OCTRACE" convert --limit 1000 "$trace" a.oct
  "$OCTRACE" convert --to text a.oct a.txt
  "$OCTRACE" convert a.txt b.oct
  [ "$(said_of a.oct)" = "$(said_of a.txt)" ] && [ "$(said_of a.oct)" = "$(said_of b.oct)" ] ||
    die "$trace: $(said_of a.oct), $(said_of a.txt), $(said_of b.oct)"
done
head_is() { # head_is WHAT LINE...: what octrace says of a text that begins with these lines
  wanted=$1
  shift
  printf '%s\n' "$@" 8000 8004 >a.txt
  [ "$(said_of a.txt)" = "$wanted 2" ] || die "$*: $(said_of a.txt), not $wanted"
}
head_is 'armv5te 32 4' '# isa armv5te'
head_is 'riscv64 64 2' '' '  #	isa   riscv64  ' '# more'
head_is 'x86-64 64 4' '# insn_align_bytes 4' '# isa x86-64'
head_is 'of my own 32 1' '# isa of my own'
head_is 'unknown 32 4' '# insn_align_bytes 4'
head_is 'unknown 32 1' '# isa' '# isa: the one of the core' '#isatty arm' '# ISA manual, page 3' '# insn_align_bytes_max 3' '# isa
'
head_is 'arm 32 2' '# isa arm' '# insn_align_bytes 2' '# ISA: of the core'
# A line that is plainly meant to tell it, and would not, is refused at its place; prose is not.
wrong() { # wrong LINE EXPECTED FOUND TEXT
  printf '%b' "$4" >a.txt
  refuse 4 "$OCTRACE" info a.txt
  one_line "octrace: a.txt:$1: expected $2, found '$3'"
}
name="'# isa NAME'"
align="'# insn_align_bytes N'"
early='once and before the first instruction, or another comment'
wrong 1 "$name, or another comment" '# isa: arm' '# isa: arm\n8000\n'
wrong 2 "$name, or another comment" '#ISA riscv64' '# x\n#ISA riscv64 \n8000\n'
wrong 2 "$name, or another comment" '# isa = x86-64' '8000\n# isa = x86-64\n'
wrong 2 "$name $early" '# isa arm' '8000\n# isa arm\n'
wrong 2 "$name $early" '# isa thumb' '# isa arm\n# isa thumb\n8000\n'
wrong 1 "$align, N 1, 2, 4 or 8, or another comment" '# insn_align_bytes 3' '# insn_align_bytes 3\n8000\n'
wrong 1 "$align, N 1, 2, 4 or 8, or another comment" '# insn_align_bytes: 4' '# insn_align_bytes: 4\n8000\n'
wrong 1 "$align, N 1, 2, 4 or 8, or another comment" '# insn_align_bytes' '# insn_align_bytes\n8000\n'
wrong 2 "$align $early" '# insn_align_bytes 4' '8000\n# insn_align_bytes 4\n'
wrong 3 "a multiple of 4 bytes, as of the comment '# isa arm': change it if it is wrong" 8002 '# isa arm\n8000\n8002\n'
wrong 2 "a multiple of 2 bytes, as of the comment '# insn_align_bytes': change it if it is wrong" 8001 \
  '# insn_align_bytes 2\n8001\n'
# Texts of the same set may be put one behind the other.
printf '# isa thumb\n# insn_align_bytes 2\n8000\n' >a.txt
cat a.txt a.txt >b.txt
[ "$(said_of b.txt)" = 'thumb 32 2 2' ] || die "twice: $(said_of b.txt)"
rm b.txt b.oct
# What is wrong with the trace is told of it, and not of a file that is never there.
printf '8000\n8001\n' >a.txt
refuse 4 "$OCTRACE" convert --isa arm a.txt b.oct
one_line 'octrace: a.txt: instruction 1 (0x8001): expected a multiple of 4 bytes, as of the trace or --isa'
refuse 4 "$OCTRACE" convert --isa arm --skip 1 a.txt b.oct
one_line 'octrace: a.txt: after those of --skip: instruction 0 (0x8001): .*'
[ ! -e b.oct ] || die "written all the same"
# The instruction set of --isa is that of the comment.
printf '# isa armv5te\n8000\n' >a.txt
expect 0 "$OCTRACE" info --isa arm a.txt
for isa in thumb riscv64; do
  refuse 4 "$OCTRACE" verify --isa $isa a.txt
  one_line "octrace: a.txt: the comment '# isa armv5te', but --isa says $isa: leave --isa out, or change the comment"
done
rm -f a.oct a.txt b.oct

tiny_trace 1000 >t.txt
as_text t.txt >want
[ "$(wc -l <want)" -eq 4000 ] || die "not 4000 instructions"
expect 0 "$OCTRACE" convert --level 19 --block-insns 64 t.txt t.oct
as_text t.oct | cmp want -
expect 0 "$OCTRACE" convert --skip 1001 --limit 10 t.oct cut.oct
as_text cut.oct >got
tail -n +1002 want | head -n 10 | cmp - got
refuse 4 "$OCTRACE" convert --skip 5000 t.oct empty.oct
[ ! -e empty.oct ] || die "skipping past the end left something"

expect 0 "$OCTRACE" convert --to pc32 t.oct pc
[ "$(wc -c <pc)" -eq 16000 ] || die "pc32 of $(wc -c <pc) bytes"
[ "$(od -An -tx4 -N8 pc | tr -d ' ')" = 0000800000008004 ] || die "wrong addresses in pc32"
expect 0 "$OCTRACE" convert --to da32 t.oct da
[ "$(wc -c <da)" -eq 8000 ] || die "da32 of $(wc -c <da) bytes"
[ "$(od -An -tx4 -N8 da | tr -d ' ')" = 0000100000002000 ] || die "wrong addresses in da32"

# A 0 in front alone does not make a number octal.
for option in --limit --count; do
  refuse 2 "$OCTRACE" convert $option 0 t.txt none
  contains err "limit '0' is not a number from 1"
done
"$OCTRACE" convert --limit 010 t.txt - | as_text - | wc -l | grep -qx 10 || die "--limit 010"
"$OCTRACE" convert --limit 0x10 t.txt - | as_text - | wc -l | grep -qx 16 || die "--limit 0x10"
"$OCTRACE" convert --limit 09 t.txt - | as_text - | wc -l | grep -qx 9 || die "--limit 09"
expect 0 "$OCTRACE" compress --codec plain:level=010 -o level.octc t.txt
contains err 'level=10'
rm level.octc

# Traps that a format has no place for are not left out without a word.
printf '8000\n!interrupt 7\n8004\n' >traps.txt
expect 0 "$OCTRACE" convert --to din traps.txt traps.din
one_line 'octrace: note: traps.din: 1 trap or change of privilege is left out'
expect 0 "$OCTRACE" convert traps.txt traps.oct
[ ! -s err ] || die "a note on traps that are kept"

for packer in gzip bzip2 xz zstd; do
  command -v "$packer" >out || die "$packer is needed (scripts/test installs it)"
  "$packer" -c <t.txt >packed
  as_text packed | cmp want -
done
