SPDX-License-Identifier: Apache-2.0
Names of files, and texts within them, stay on their line, whatever they hold. CSV, JSON and commands to be run again
have them as they are.

  $ odd=$(printf 'a\nb\033[31mc\177d\re')
  $ plain() { # the name is shown on one line, and no other control character is written
  >   "$@" >out 2>&1 || [ $? -eq 3 ] || echo "exit status $?: $*"
  >   grep -v '^    octrace' out | grep '[[:cntrl:]]'
  >   grep -q 'a b?\[31mc?d e' out || echo "lacks the name: $*"
  > }
  $ tiny_trace 3000 >"$odd"
  $ for command in info verify 'verify --engine cycle --depths' 'verify --against plain' 'report --cycle-insns 100' \
  >   'bench --codec plain' 'bench --tracers' 'verify --engine cycle --arrival cpi=4'; do
  >   plain octrace $command "$odd"
  > done
  $ octrace verify --engine cycle -g port_pins=1 "$odd" 2>&1 >/dev/null | grep -c 'a b?\[31mc?d e'
  1
  $ for codec in '' '--codec plain'; do
  >   octrace compress $codec -o "$odd.octp" "$odd" 2>/dev/null
  >   plain octrace info "$odd.octp"
  > done
  $ octrace filter --to blocks "$odd" "$odd.blocks" 2>/dev/null
  $ plain octrace fidelity "$odd.blocks" "$odd.blocks"
  $ plain bin2atc "$odd.atc" <"$odd.blocks"

A name that is no UTF-8 is shown alike everywhere, one that is stays as it is.

  $ bytes=$(printf '\xff\x80\xc3\xa9\xc3')
  $ tiny_trace 10 >"$bytes"
  $ tiny_trace 10 >'grün 軌跡'
  $ for command in info verify 'info --json' 'report --cycle-insns 100' 'sweep -a sc_ways=1' 'compress --json -o x.octp'; do
  >   for name in "$bytes" 'grün 軌跡'; do octrace $command "$name" 2>/dev/null | grep -oE -m 1 '\\+xff[^ :,"]*|grün 軌跡'; done
  > done | sort | uniq -c
        2 \\xff\\x80\\xc3\\xa9\\xc3
        4 \xff\x80\xc3\xa9\xc3
        6 grün 軌跡
  $ octrace info "$(printf 'none\xff')"
  4> octrace: none\xff: cannot open: No such file or directory

Data have the name itself.

  $ octrace info --json "$odd" | python3 -c 'import json, sys; print(repr(json.load(sys.stdin)["file"]))'
  'a\nb\x1b[31mc\x7fd\re'
  $ octrace sweep -g paper "$odd" 2>/dev/null >table
  $ python3 -c 'import csv; print(repr(list(csv.DictReader(open("table", newline="")))[0]["trace"]))'
  'a\nb\x1b[31mc\x7fd\re'

Function calls: names of files, threads and functions.

  $ printf '1 a enter f\n' >"$odd.txt"
  $ python3 - "$odd.txt" <<'END'
  > import sys
  > with open(sys.argv[1], "w") as f:
  >     for i in range(0, 400, 4):
  >         f.write(f"{i} t\\n\033[31m enter f\033[31m\n{i + 1} t\\n\033[31m enter g\033[31m\n"
  >                 f"{i + 2} t\\n\033[31m leave g\033[31m\n{i + 3} t\\n\033[31m leave f\033[31m\n")
  > END
  $ plain octrace events compress "$odd.txt" -o "$odd.octev"
  $ plain octrace events info "$odd.octev"
  $ plain octrace events verify "$odd.octev" "$odd.txt"
  $ octrace events patterns "$odd.octev" >out
  $ grep -c '[[:cntrl:]]' out
  0
  [exit 1]
  $ grep -q 'f?\[31m' out
