SPDX-License-Identifier: Apache-2.0
The commands in a pipe: `-` is standard input and output.

  $ tiny_trace 1000 >t.txt
  $ octrace compress - <t.txt 2>/dev/null | octrace decompress - >back.oct
  $ same t.txt back.oct
  $ octrace convert - - <t.txt | octrace compress - 2>/dev/null | octrace decompress --to text -o - - | cmp - <(octrace convert --to text t.txt -)
  $ gzip -c t.txt | octrace info - | grep ^instructions
  instructions           4000
  $ octrace compress - <t.txt 2>/dev/null | octrace verify --container - t.txt
  t.txt: container: 4000 instructions and 2000 accesses equal
  $ octrace compress -o want.octp t.txt 2>/dev/null
  $ octrace convert t.txt want.oct

What comes that way has one name in all tables and messages.

  $ for command in 'info --json' 'compress --json -o a.octp' 'report --json --cycle-insns 100' 'verify --json' \
  >   'sweep --json -a sc_ways=1,2' 'sweep -a sc_ways=1' 'filter --json' 'verify --container want.octp'; do
  >   octrace $command - <t.txt >named 2>/dev/null
  >   echo "$command: $? $(grep -c 'standard input' named) $(grep -cE '(^|": ")-["":,]' named)"
  > done
  info --json: 0 1 0
  compress --json -o a.octp: 0 1 0
  report --json --cycle-insns 100: 0 1 0
  verify --json: 0 2 0
  sweep --json -a sc_ways=1,2: 0 2 0
  sweep -a sc_ways=1: 0 1 0
  filter --json: 0 1 0
  verify --container want.octp: 0 1 0

Where a standard stream is closed, no other file takes its place.

  $ for closed in '<&-' '>&-' '2>&-' '<&- >&-' '<&- 2>&-' '<&- >&- 2>&-'; do
  >   for command in 'convert t.txt a.oct' 'compress -o a.octp t.txt' 'decompress -o a.txt want.octp'; do
  >     eval "octrace $command 2>/dev/null $closed" || echo "$command $closed: $?"
  >   done
  >   cmp want.oct a.oct && cmp want.octp a.octp && same a.txt want.oct
  > done
  $ for command in info decompress 'verify --engine untimed' packets; do try octrace $command - <&-; done
  4> octrace: standard input: cannot read: Bad file descriptor
  4> octrace: standard input: cannot read: Bad file descriptor
  4> octrace: standard input: cannot read: Bad file descriptor
  4> octrace: standard input: cannot read: Bad file descriptor
  $ octrace info t.txt >&-
  4> octrace: standard output: cannot write: Bad file descriptor
  $ octrace convert --to text t.txt - >&-
  4> octrace: standard output: cannot write: Bad file descriptor
  $ octrace --version >&-
  4> octrace: standard output: cannot write: Bad file descriptor
  $ (octrace convert nosuch a.oct 2>&- >&-)
  [exit 4]

A reader that goes away ends octrace quietly, as other tools; the text is more than a pipe holds.

  $ tiny_trace 20000 >long.txt
  $ octrace convert --to text --from text long.txt - | head -n 0; echo ${PIPESTATUS[0]}
  141
