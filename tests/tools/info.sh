#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# info.sh - octrace info: traces, containers, geometries and parameters.
. "$(dirname "$0")/lib.sh"

tiny_trace 1000 >t.txt
expect 0 "$OCTRACE" info t.txt
contains out '^format  *text'
contains out '^instructions  *4000'
contains out '^loads  *1000'
contains out '^stores  *1000'
contains out '^unique_instructions  *4$'
contains out '^unique_streams  *1$'
contains out '^average_stream_length  *4.000'
contains out '^shadow_percent  *0.000'
expect 0 "$OCTRACE" info --json --limit 10 t.txt
contains out '"instructions": 10'

"$OCTRACE" compress -g paper,port_pins=4 t.txt 2>err
expect 0 "$OCTRACE" info t.txt.octp
contains out '^format  *container'
contains out '^port_pins  *4'
contains out '^instructions  *4000'
expect 0 "$OCTRACE" info --json t.txt.octp
contains out '"port_bytes"'

# From pipes, named or not, and what can be read once only; slowly, too.
kind() {
  "$OCTRACE" info "$@" | sed -nE 's/^(format|instructions|port_pins) +//p' | tr '\n' ' '
}
"$OCTRACE" convert t.txt t.oct
mkfifo pipe
for file in t.txt:text t.oct:native t.txt.octp:container; do
  format=${file#*:} file=${file%:*}
  pins=
  [ "$format" != container ] || pins='4 '
  [ "$(kind - <"$file")" = "$format 4000 $pins" ] || die "$file as standard input"
  [ "$(cat "$file" | kind -)" = "$format 4000 $pins" ] || die "$file through a pipe"
  cat "$file" >pipe &
  [ "$(kind pipe)" = "$format 4000 $pins" ] || die "$file through a named pipe"
  wait
  slow=$({ head -c 3 "$file"; sleep 0.1; tail -c +4 "$file"; } | kind -)
  [ "$slow" = "$format 4000 $pins" ] || die "$file, slowly: $slow"
done
{ head -c 9 t.txt; cat t.txt; } >two.txt
[ "$({ head -c 9 >skipped; kind -; } <two.txt)" = 'text 4000 ' ] || die "from within a file"
printf '80' | kind - >out # shorter than what is looked at
contains out '^text 1'
refuse 4 "$OCTRACE" info - <&-
"$OCTRACE" info t.txt.octp | sed 's/  */ /' >want
"$OCTRACE" info - <t.txt.octp | sed 's/  */ /; s/^file standard input$/file t.txt.octp/' | cmp want -
head -c 100 t.txt.octp >short.octp
refuse 4 "$OCTRACE" info short.octp
contains err '^octrace: short.octp: offset 100: the header is cut short'

expect 0 "$OCTRACE" info --geometries
contains out '^paper '
expect 0 "$OCTRACE" info --params -g small
contains out '^sc_sets '
# Both ends of each range are taken, what is beyond is refused.
for machine in paper,dasc_entries=8 shadow intel-pt; do
  case $machine in paper,*) tracer=paper ;; *) tracer=$machine machine= ;; esac
  python3 - "$OCTRACE" "$tracer" "$machine" <<'END' || die "ranges of $tracer $machine"
import re, subprocess, sys
def params(setting):
    given = ",".join(s for s in (sys.argv[3], setting) if s)
    return subprocess.run([sys.argv[1], "info", "--params", "--tracer", sys.argv[2]] +
                          (["-g", given] if given else []), capture_output=True, text=True)
for line in params("").stdout.splitlines():
    name, _, rest = line.split(None, 2)
    zero, least, most, pow2 = re.match(r"(0 or )?(\d+)(?:(?:\.\.| or )(\d+))?( \(power of two\))?", rest).groups()
    least, most = int(least), int(most or least)
    legal, refused = [least, most] + ([0] if zero else []), [most * 2 if pow2 else most + 1]
    if least:
        refused.append((least // 2 if pow2 else least - 1) or (0 if not zero else 3 * least))
        if zero and refused[-1] == 0: refused.pop()
    for value in legal:
        assert params(f"{name}={value}").returncode == 0, (line, value)
    for value in refused:
        assert params(f"{name}={value}").returncode == 2, (line, value)
END
done
expect 0 "$OCTRACE" info --params --tracer intel-pt
contains out '^mode_bits .* 32 or 64'
expect 0 "$OCTRACE" info --params
contains out '^sync_period_bits .* 0 or 1024\.\.'
contains out '^check_period_bits .* 0 or 128\.\.'
contains out '^check_bits .* 0 or 16\.\.32 (power of two)'
expect 0 "$OCTRACE" info --params --json
contains out '"thb_depth": 255'

# Instructions with bytes have effects.
expect 0 "$OCTRACE" info "$SAMPLES/foreign/riscv64.spike.xz"
contains out '^code_percent  *100.000'
contains out '^shadow_percent  *100.000'

for sample in "$SAMPLES"/*.oct*; do
  expect 0 "$OCTRACE" info --json --limit 50000 "$sample"
  contains out '"format": "native"'
done
