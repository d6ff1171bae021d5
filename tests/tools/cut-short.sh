#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# cut-short.sh - each command that writes a trace to standard output, from each kind of input, damaged
# in the middle and cut short: all that came before the damage is there, and one line and the exit
# status tell of the rest.
# No transcript: each output, of megabytes, is compared with the beginning of another one.
. "$(dirname "$0")/lib.sh"

# The addresses are new ones throughout: so each instruction takes room in every kind of file.
trace() {
  awk -v n="$1" -v k="$2" 'BEGIN { srand(16); for (i = 0; i < n; i++) {
    printf "%x/4", 4 * i; for (j = 0; j < k; j++) printf " L4:%x", 4096 + 4 * int(rand() * 2^27); print "" } }'
}
trace 40000 1 >t.txt
"$OCTRACE" convert --block-insns 500 t.txt t.oct
for tool in gzip xz zstd; do $tool -c t.txt >t.$tool; done
bzip2 -1 -c t.txt >t.bzip2
for tracer in paper shadow; do "$OCTRACE" compress --tracer $tracer -o t.$tracer t.oct 2>err; done
# The second segment of 1 MiB begins before the damage.
trace 30000 7 >segments.txt
for codec in plain vpc3; do "$OCTRACE" compress --codec $codec:segment=1 -o t.$codec segments.txt 2>err; done
awk 'BEGIN { for (i = 0; i < 60000; i++) printf "%d t%d %s f%d\n", i * 3, i % 4 / 2, i % 2 ? "leave" : "enter", i * i % 97 }' >e.txt
"$OCTRACE" events compress --buffer 8192 -o t.octev e.txt 2>err

# What each command gives of the whole, and how it is compared.
convert() { "$OCTRACE" convert "$@" -; }
filter() { "$OCTRACE" filter "$@" -; }
decompress() { "$OCTRACE" decompress -o - "$@"; }
events() { "$OCTRACE" events decompress "$@"; }
# lines NATIVE FILE: the events of an output, without what is said of the whole trace.
lines() {
  if [ "$1" = native ]; then
    "$OCTRACE" convert --to text "$2" - 2>lines.err || contains lines.err 'the trace ends before its end block'
  elif [ "$1" = blocks ] || [ "$1" = bin32 ]; then
    od -A n -v -t x8 -w8 "$2"
  elif [ "$1" = events ]; then # the names stand at the end
    cut -d ' ' -f 1 "$2"
  else
    cat "$2"
  fi | grep -v '^#\|^!gap '
}

tried=0
# check COMMAND TO KIND DAMAGE [--salvage]: the output of a damaged file is where that of the whole begins.
check() {
  command=$1 to=$2 kind=$3 how=$4 salvage=${5-} wanted=4
  [ -z "$salvage" ] || wanted=3
  case $kind in gzip | xz | zstd | bzip2 | txt) from='--from text' ;; *) from= ;; esac
  [ "$command" = convert ] || [ "$command" = filter ] || from=
  case $to in native | events) format= ;; *) format="--to $to" ;; esac
  what="$command $to $kind $how $salvage"
  whole=whole-$command-$to-$kind
  # shellcheck disable=SC2086 # options or none
  [ -e "$whole.out" ] || $command $format $from t.$kind >"$whole.out" 2>whole.err || die "$what: of the whole: $(cat whole.err)"
  code=0
  # shellcheck disable=SC2086
  $command $format $salvage $from "$how.$kind" >got.out 2>err || code=$?
  [ $code -eq $wanted ] || die "$what: exit status $code: $(cat err)"
  [ "$(wc -l <err)" -eq 1 ] || die "$what: not one line: $(cat err)"
  # The place, what was written, and where no check stands before the damage, that some may be wrong.
  contains err "^octrace: $how\.$kind:"
  [ "$salvage" ] || contains err ': wrote .* before it'
  case $how$kind in
  damagedgzip | damagedbzip2 | damagedxz | damagedzstd) contains err 'some may be wrong (no check covers them)' ;;
  *)
    ! grep -q 'may be wrong' err || die "$what: $(cat err)"
    [ -e "$whole" ] || lines "$to" "$whole.out" >"$whole"
    lines "$to" got.out >got
    [ -s got ] || die "$what: nothing was written"
    head -n "$(wc -l <got)" "$whole" | cmp -s - got || [ "$salvage" ] || [ "$command" = events ] || die "$what: something else than before the damage"
    # With --salvage some lines in the middle may be gone, of events also those of one thread.
    ! diff "$whole" got | grep -q '^>' || die "$what: what the whole file does not have"
    ;;
  esac
  # Half of the file is sound: of what it holds a fifth and more came.
  [ "$(wc -c <got.out)" -gt $(($(wc -c <"$whole.out") / 5)) ] || die "$what: $(wc -c <got.out) of $(wc -c <"$whole.out") bytes"
  tried=$((tried + 1))
}

for kind in txt oct gzip bzip2 xz zstd paper shadow plain vpc3 octev; do
  half=$(($(wc -c <t.$kind) * 6 / 10))
  head -c $half t.$kind >cut.$kind
  { head -c $half t.$kind && tail -c +$((half + 1)) t.$kind | tr '\000-\377' '\377\000-\376' | head -c 40 &&
    tail -c +$((half + 41)) t.$kind; } >damaged.$kind
  for how in damaged cut; do
    [ $how$kind != cuttxt ] || continue # nothing tells where a text ends
    case $kind in
    paper | shadow | plain | vpc3)
      for to in native text bin32; do check decompress $to $kind $how; done
      check decompress native $kind $how --salvage
      ;;
    octev)
      check events events $kind $how
      check events events $kind $how --salvage
      ;;
    *)
      for to in native text bin32; do
        check convert $to $kind $how
        check convert $to $kind $how --salvage
      done
      for to in native text bin32 blocks; do check filter $to $kind $how; done
      ;;
    esac
  done
done
[ $tried -eq 146 ] || die "$tried cases"

# What waits for more of the trace in a writer comes, too: the stream is that of so many instructions.
for to in champsim paper shadow; do
  expect 4 "$OCTRACE" convert --to $to damaged.oct -
  cp out got
  n=$(sed -n 's/.*: wrote the \([0-9]*\) instructions.*/\1/p' err)
  [ "${n:-0}" -gt 0 ] || die "$to: $(cat err)"
  "$OCTRACE" convert --to $to --limit "$n" t.oct - >whole 2>err || die "$to: $(cat err)"
  cmp whole got || die "$to: not the stream of $n instructions"
done

# Into a file nothing is written, and the line says how to get it.
refuse 4 "$OCTRACE" filter damaged.oct new
contains err ': nothing is written (octrace convert --salvage keeps the [0-9]* instructions and [0-9]* accesses before it)$'
[ ! -e new ] || die "a part of a trace"
# What the report alone would count is told as an error alone.
refuse 4 "$OCTRACE" filter damaged.oct
contains err 'block checksum does not match$'
