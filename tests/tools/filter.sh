#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# filter.sh - octrace filter: what misses, in which formats, what is told, and what is wrong.
. "$(dirname "$0")/lib.sh"

# Two lines of code; a load and a store of one line, one of another, one over the end of its line.
cat >in.txt <<'END'
8000/4
8004/4 L4:10000 S4:10004
803e/4 L4:20000 @7
8000/4 L4:10020 L8:1003c T:3
END
expect 0 "$OCTRACE" filter in.txt out.oct
contains err '^of 4 instructions and 5 accesses: 4 instructions and 3 accesses, 5 blocks$'
contains err '^instruction cache (size=32K,ways=4,line=64,repl=lru,allocate=yes): hit rate 50.0000 %$'
contains err '^  4 looked up, 2 missed, in 2 lines$'
contains err '^data cache (size=32K,ways=4,line=64,repl=lru,allocate=yes): hit rate 40.0000 %$'
contains err '^  5 looked up, 3 missed, in 3 lines; 1 store, 0 missed; 0 write-backs$'
[ ! -s out ] || die "text on standard output"
cat >want <<'END'
00008000
00008004 L4:00010000
0000803e L4:00020000 @7
00008000 L8:0001003c T:3
END
as_text out.oct | diff want - || die "other events"

# Blocks in the order of the look-ups.
blocks() { od -A n -v -t x8 "$1" | tr -s ' \n' '\n' | sed 's/^0*//; /^$/d' | tr '\n' ' '; }
expect 0 "$OCTRACE" filter --to blocks in.txt blocks
[ "$(blocks blocks)" = "8000 10000 8040 20000 10040 " ] || die "blocks: $(blocks blocks)"
"$OCTRACE" filter --to blocks --icache off in.txt - 2>err >blocks
[ "$(blocks blocks)" = "10000 20000 10040 " ] || die "data blocks: $(blocks blocks)"
"$OCTRACE" filter --to blocks --dcache off - - <in.txt 2>err >blocks
[ "$(blocks blocks)" = "8000 8040 " ] || die "instruction blocks: $(blocks blocks)"

# One line in all: the store is written back when its line leaves. Without allocation it never comes.
one=size=64,ways=1,line=64
expect 0 "$OCTRACE" filter --to blocks --write-backs --icache off --dcache $one in.txt blocks
[ "$(blocks blocks)" = "10000 20000 10001 10000 10040 " ] || die "write-backs: $(blocks blocks)"
printf '8000 S4:10000 L4:10000 S4:20000 L4:10000\n' >stores.txt
expect 0 "$OCTRACE" filter --to blocks --icache off --dcache $one,allocate=no stores.txt blocks
[ "$(blocks blocks)" = "10000 10000 20000 " ] || die "no allocation: $(blocks blocks)"

# JSON and the preset vpc3.
expect 0 "$OCTRACE" filter --preset vpc3 --json in.txt
python3 - out <<'END' || die "JSON"
import json, sys
r = json.load(open(sys.argv[1]))
assert r["instruction_cache"] is None and r["instructions"] == 4 and r["kept_accesses"] == 4, r
d = r["data_cache"]
assert d["cache"] == "size=16K,ways=1,line=64,repl=lru,allocate=yes", d
# 10000 and 20000 share a line of the cache.
assert d["accesses"] == 5 and d["misses"] == 4 and abs(d["hit_rate"] - 0.2) < 1e-9, d
assert d["stores"] == 1 and d["store_misses"] == 0 and d["write_backs"] == 1, d
END
contains out '"blocks": 4'

# A part of a trace; a real one, whose events are a trace like any other, in each format.
refuse 4 "$OCTRACE" filter --skip 99999 in.txt nothing.oct
contains err 'leaves nothing'
[ ! -e nothing.oct ] || die "a trace without instructions was left"
expect 0 "$OCTRACE" filter --skip 1 --limit 2 --json in.txt
contains out '"instructions": 2'
for sample in "$SAMPLES/cjpeg.oct" "$SAMPLES/threads.oct"; do
  expect 0 "$OCTRACE" filter --limit 200000 "$sample" real.oct
  expect 0 "$OCTRACE" verify --engine untimed real.oct
  "$OCTRACE" filter --limit 200000 --preset vpc3 --to vpc3 "$sample" - 2>err >real.vpc3
  expect 0 "$OCTRACE" filter --limit 200000 --preset vpc3 "$sample" real.oct
  "$OCTRACE" convert --to vpc3 real.oct - | cmp - real.vpc3 || die "other records"
  expect 0 "$OCTRACE" verify --engine untimed real.oct
done
# What missed in a direct-mapped cache misses there again: nothing else ever takes its place.
expect 0 "$OCTRACE" filter --preset vpc3 "$SAMPLES/cjpeg.oct" once.oct
expect 0 "$OCTRACE" filter --preset vpc3 once.oct twice.oct
as_text once.oct >once
as_text twice.oct | cmp once - || die "filtered twice is another trace"
[ "$(wc -l <once)" -gt 1000 ] || die "hardly anything missed"

# The map explains an instruction of which any number of accesses of any kinds miss.
awk 'BEGIN { printf "8000"; for (i = 0; i < 40; i++) printf " %s4:%x", i % 3 ? "L" : "S", 4096 * i; print "" }' >many.txt
expect 0 "$OCTRACE" filter many.txt many.oct
[ "$(as_text many.oct | awk '{ print NF - 1 }' | tr '\n' ' ')" = "40 " ] || die "other accesses"
expect 0 "$OCTRACE" verify --engine untimed many.oct

# What is wrong: one line, and nothing left behind.
rm -f ./*
printf '8000\n8004 L:1000\n' >in.txt
refuse 2 "$OCTRACE" filter --preset vpc4 in.txt
contains err "preset 'vpc4': expected atc or vpc3"
refuse 2 "$OCTRACE" filter --dcache size=33K in.txt x.oct
contains err 'size=33792: expected'
refuse 2 "$OCTRACE" filter --icache lines=4 in.txt x.oct
contains err "^octrace: filter: --icache: cache: 'lines=4': expected size=BYTES"
refuse 2 "$OCTRACE" filter --icache off --dcache off in.txt x.oct
contains err 'both are off'
refuse 2 "$OCTRACE" filter --write-backs in.txt x.oct
contains err '\--write-backs is for --to blocks'
refuse 2 "$OCTRACE" filter --json in.txt -
refuse 2 "$OCTRACE" filter --limit x in.txt
refuse 2 "$OCTRACE" filter --to frob in.txt x
refuse 2 "$OCTRACE" filter in.txt x y
refuse 2 "$OCTRACE" filter in.txt in.txt
contains err 'same file'
refuse 4 "$OCTRACE" filter none.txt x.oct
contains err '^octrace: none.txt: '
refuse 4 "$OCTRACE" filter in.txt nowhere/x.oct
refuse 2 "$OCTRACE" filter --to lackey in.txt x.oct
printf '8000\nfrob\n' >bad.txt
refuse 4 "$OCTRACE" filter --to blocks bad.txt x.blk
contains err 'bad.txt:2: '
rm bad.txt
printf '123456789000 L:1000\n' >wide.txt
refuse 4 "$OCTRACE" filter --to vpc3 wide.txt x.vpc3
contains err 'does not fit into vpc3'
rm wide.txt
only in.txt
