#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# names.sh - do names of files, and texts within them, stay on their line, whatever they hold? CSV, JSON
# and commands to be run again have them as they are.
. "$(dirname "$0")/lib.sh"

odd=$(printf 'a\nb\033[31mc\177d\re')
shown='a b?\[31mc?d e'

# plain COMMAND...: the name is shown on one line, and no other control character is written.
plain() {
  "$@" >out 2>err || [ $? -eq 3 ] || die "exit code: $*"
  cat out err >both
  ! LC_ALL=C grep -q '[[:cntrl:]]' both || die "a control character: $*"
  contains both "$shown"
}

tiny_trace 3000 >"$odd"
for command in info verify 'verify --engine cycle -g port_pins=1' 'verify --engine cycle --depths' 'verify --against plain' \
  'report --cycle-insns 100' 'bench --codec plain' 'bench --tracers' 'verify --engine cycle --arrival cpi=4'; do
  # shellcheck disable=SC2086 # a command and its options
  case $command in
  *port_pins=1*) "$OCTRACE" $command "$odd" 2>err | grep -v "^    octrace" >out || true # commands to be run again
    ! LC_ALL=C grep -q '[[:cntrl:]]' err || die "$command: a control character"
    contains out "^$shown: " ;;
  *) plain "$OCTRACE" $command "$odd" ;;
  esac
done
for more in octp octc; do
  [ $more = octp ] || set -- --codec plain
  "$OCTRACE" compress "$@" -o "$odd.$more" "$odd" 2>err
  plain "$OCTRACE" info "$odd.$more"
done
"$OCTRACE" filter --to blocks "$odd" "$odd.blocks" 2>err
plain "$OCTRACE" fidelity "$odd.blocks" "$odd.blocks"
plain "$BIN2ATC" "$odd.atc" <"$odd.blocks"

# A name that is no UTF-8 is shown alike everywhere, one that is stays as it is.
tiny_trace 10 >"$(printf '\xff\x80\xc3\xa9\xc3')"
tiny_trace 10 >'grün 軌跡'
for command in info verify 'info --json' 'report --cycle-insns 100' 'sweep -a sc_ways=1' 'compress --json -o x.octp'; do
  # shellcheck disable=SC2086 # a command and its options
  "$OCTRACE" $command "$(printf '\xff\x80\xc3\xa9\xc3')" 2>err | sed 's/\\\\/\\/g' >out # JSON doubles the backslash
  contains out '\\xff\\x80\\xc3\\xa9\\xc3'
  # shellcheck disable=SC2086 # likewise
  "$OCTRACE" $command 'grün 軌跡' >out 2>err
  contains out 'grün 軌跡'
done
refuse 4 "$OCTRACE" info "$(printf 'none\xff')"
contains err 'none\\xff: cannot open'
rm -f ./grün* x.octp "$(printf '\xff\x80\xc3\xa9\xc3')"

# Data have the name itself.
"$OCTRACE" info --json "$odd" >out
python3 -c 'import json, sys; sys.exit(json.load(open("out"))["file"] != sys.argv[1])' "$odd" || die "JSON"
"$OCTRACE" sweep -a sc_entries=16 "$odd" >out 2>err
python3 -c 'import csv, sys; sys.exit(list(csv.DictReader(open("out", newline="")))[0]["trace"] != sys.argv[1])' "$odd" || die "CSV"

# Function calls: names of files, threads and functions.
printf '1 a enter f\n' >"$odd.txt"
python3 - "$odd.txt" <<'END'
import sys
with open(sys.argv[1], "w") as f:
    for i in range(0, 400, 4):
        f.write(f"{i} t\\n\033[31m enter f\033[31m\n{i + 1} t\\n\033[31m enter g\033[31m\n"
                f"{i + 2} t\\n\033[31m leave g\033[31m\n{i + 3} t\\n\033[31m leave f\033[31m\n")
END
plain "$OCTRACE" events compress "$odd.txt" -o "$odd.octev"
plain "$OCTRACE" events info "$odd.octev"
plain "$OCTRACE" events verify "$odd.octev" "$odd.txt"
shown='f?\[31m'
plain "$OCTRACE" events patterns "$odd.octev"
