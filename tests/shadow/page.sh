#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# page.sh - does a second decoder, written from docs/shadow-format.md, decode golden vectors,
# traces of every instruction set, random programs at many parameters, and ones of flags, words and ends?
. "$(dirname "$0")/../tools/lib.sh"

here=$SOURCE/tests/shadow
pairs=
# add NAME: NAME.octp and NAME.txt are to be compared.
add() { pairs="$pairs $1.octp $1.txt"; }

# trace NAME FILE GEOMETRY
trace() {
  expect 0 "$OCTRACE" compress --tracer shadow -g "$3" -o "$1.octp" "$2"
  "$OCTRACE" convert --to text "$2" "$1.txt"
  add "$1"
}

# What is not random. (A share of the cases is of those that are.)
if [ -z "${OCT_TEST_SHARE-}" ]; then
  for vector in "$SOURCE"/tests/vectors/shadow/*.txt; do
    name=$(basename "$vector" .txt)
    "$CONTAINER" "$vector" "$name.octp"
    cp "$vector" "$name.txt"
    add "$name"
  done

  # With some of these numbers of updates before it, an entry goes on in the next chunk of the map.
  for n in 43651 43653 43655 43657; do
    "$CONTAINER" "$SOURCE/tests/vectors/shadow/accesses-listed.txt" "apart-$n.octp" "$n"
    cp "$SOURCE/tests/vectors/shadow/accesses-listed.txt" "apart-$n.txt"
    add "apart-$n"
  done
  PYTHONPATH="$here" python3 -c 'import sys, page_container as page
sys.exit(not any(map(page.begins_with_continuation, sys.argv[1:])))' apart-*.octp ||
    die "no chunk of the map begins with a continuation: other numbers are needed"

  for isa in arm thumb aarch64 riscv64 x86-64 mips; do
    trace "mixed-$isa" "$SOURCE/tests/traces/data/mixed-$isa.oct" shadow
  done
  for isa in thumb aarch64 riscv64 x86-64 mips; do
    "$OCTRACE" convert --limit 2000 "$SOURCE/traces/samples/isa/$isa.oct" t.oct
    trace "isa-$isa" t.oct shadow-tiny
  done
  "$OCTRACE" convert "$SOURCE/traces/samples/foreign/riscv64.spike.xz" t.oct
  trace spike t.oct shadow,traps=1,timestamp=1
  trace keeps t.oct shadow,traps=1,sync_keeps=1,sync_insns=300

  # Tables that are read again and again; a ring that goes round, and one that does not.
  for entries in 64 4096; do
    "$OCTRACE" convert --skip 300000 --limit 12000 "$SOURCE/traces/samples/stringsearch.oct" t.oct
    trace "match-$entries" t.oct shadow,match_entries=$entries
  done
fi

seed=${OCT_TEST_SEED:-$(date +%s)}
echo "page: OCT_TEST_SEED=$seed"
rounds='random-1 random-2 random-3 random-4 random-5 random-6 flags-arm flags-thumb flags-aarch64 flags-x86-64'
rounds="$rounds words-1 words-2 words-3 strides-1 strides-2 strides-3 ends-1 ends-2 ends-3"
# shellcheck disable=SC2086 # words
for name in $(some $rounds); do
  kind=${name%%-*} which=${name#*-}
  case $kind in
    random)
      n=$((seed * 11 + which)) align=$(((seed * 11 + which) % 4))
      OCT_TEST_SEED=$n "$RANDOM_TRACE" t.oct $((1 << align)) 3 >/dev/null
      geometry=shadow,addr_bits=64,task_bits=32,pc_align_bits=$align,regs=$((1 + n % 32))
      geometry=$geometry,banks=$((1 + n % 3)),vc_sets=$((n % 3 * 8 / (1 + n % 3 / 2))),sync_insns=$((n % 5 * 100))
      geometry=$geometry,sync_keeps=$((n % 7 == 0)),timestamp=$((n / 2 % 2)),time_period_insns=$((n % 3))
      geometry=$geometry,history_all=$((n % 2)),learn_equal=$((n % 6 != 0)),mix_shift=$((n % 9)),mix_sets=$((n / 3 % 2 * 16))
      geometry=$geometry,branch_limit=$((1 + n % 8)),vc_tag_bits=$((n % 13 + 1)),stride_bits=$((4 + n % 61))
      geometry=$geometry,diff_bits=$((64 - n % 61)),return_entries=$((1 << n % 4)),dfcm_entries=$((n % 4 ? 64 : 0))
      trace "$name" t.oct "$geometry"
      continue
      ;;
    flags) python3 "$here/page_flags.py" "$which" "$seed" >"$name.txt" ;;
    *) python3 "$here/page_programs.py" "$kind" "$seed.$which" >"$name.txt" ;;
  esac
  "$VECTORS" --update "$name.txt"
  "$CONTAINER" "$name.txt" "$name.octp"
  add "$name"
done

# shellcheck disable=SC2086 # pairs of names without blanks
python3 "$here/page_compare.py" $pairs >said || { cat said; die "the page and the library disagree"; }
cat said
