SPDX-License-Identifier: Apache-2.0
--arrival stamps: instructions retire by the cycle stamps of the trace, long pauses count in full, and a trace
without stamps is refused.

  $ tiny_trace 1000 >none.txt
  $ for command in 'compress --engine cycle -o new' 'verify --engine cycle' verify report 'report --json'; do
  >   try octrace $command --arrival stamps none.txt
  > done
  4> octrace: none.txt: expected cycle stamps, by which --arrival stamps lets instructions retire, found none in the first 4000 instructions
  4> octrace: none.txt: expected cycle stamps, by which --arrival stamps lets instructions retire, found none in the first 4000 instructions
  4> octrace: none.txt: expected cycle stamps, by which --arrival stamps lets instructions retire, found none in the first 4000 instructions
  4> octrace: none.txt: expected cycle stamps, by which --arrival stamps lets instructions retire, found none in the first 4000 instructions
  []
  4> octrace: none.txt: expected cycle stamps, by which --arrival stamps lets instructions retire, found none in the first 4000 instructions
  $ octrace compress --engine cycle -o new --arrival stamps --skip 10 --limit 1 - <none.txt
  4> octrace: standard input: expected cycle stamps, by which --arrival stamps lets instructions retire, found none in the first 1 instruction
  $ ls
  none.txt

Three instructions, the last after a pause: 11 cycles, and what it takes to empty the machine.

  $ for pause in 1000 1000000 4000000000000000; do
  >   printf '8000 @10\n8004 @11\n8008 @%s\n' $((11 + pause)) >long.txt
  >   octrace compress --engine cycle --arrival stamps --json -o new long.txt 2>/dev/null | grep -E '"(port_busy_)?cycles"'
  > done
      "cycles": 1017,
      "port_busy_cycles": 14,
      "cycles": 1000017,
      "port_busy_cycles": 14,
      "cycles": 4000000000000017,
      "port_busy_cycles": 14,
  $ octrace report --json --arrival stamps long.txt | grep '"cycles"'
          "cycles": 4000000000000002,

An instruction without a stamp follows the one before, and what nobody can count is refused.

  $ printf '8000 @10\n8004\n8008 @10\n800c @13\n' >some.txt
  $ octrace verify --engine cycle --arrival stamps some.txt
  some.txt: cycle: 4 instructions and 0 accesses equal
  0> octrace: note: some.txt: no known instruction set is named: pc_align_bits=2 was found in the trace
  $ printf '8000 @10\n8004\n8008 @18446744073709551615\n' >beyond.txt
  $ for command in 'verify --engine cycle' report; do try octrace $command --arrival stamps beyond.txt; done
  4> octrace: beyond.txt: instruction 2: a cycle stamp 18446744073709551605 cycles after the first: expected 4611686018427387904 at most
  4> octrace: beyond.txt: instruction 2: a cycle stamp 18446744073709551605 cycles after the first: expected 4611686018427387904 at most

A stamp that goes back is refused by every command, text by its line, native by its block, unless another task ran in
between, as on another core.

  $ printf '8000 @10 T:1\n8004 T:1\n# a comment\n8008 T:1 @9\n800c @12 T:1\n' >back.txt
  $ for command in info verify report sweep 'compress -o new2' 'bench --codec plain'; do try octrace $command back.txt; done
  4> octrace: back.txt:4: expected a cycle stamp of @10 or later, as the line before it has the same task, found '@9'
  4> octrace: back.txt:4: expected a cycle stamp of @10 or later, as the line before it has the same task, found '@9'
  4> octrace: back.txt:4: expected a cycle stamp of @10 or later, as the line before it has the same task, found '@9'
  4> octrace: back.txt:4: expected a cycle stamp of @10 or later, as the line before it has the same task, found '@9'
  4> octrace: back.txt:4: expected a cycle stamp of @10 or later, as the line before it has the same task, found '@9'
  4> octrace: back.txt:4: expected a cycle stamp of @10 or later, as the line before it has the same task, found '@9'
  $ octrace convert --to text back.txt new2
  4> octrace: back.txt:4: expected a cycle stamp of @10 or later, as the line before it has the same task, found '@9': nothing is written (--salvage keeps the 2 instructions and 0 accesses before it)
  $ sed 's/^8004 T:1/8004 T:2/' back.txt >tasks.txt
  $ octrace convert tasks.txt tasks.oct
  $ octrace verify --engine untimed tasks.oct
  tasks.oct: untimed: 4 instructions and 0 accesses equal
  0> octrace: note: tasks.oct: no known instruction set is named: pc_align_bits=2 was found in the trace
  $ octrace verify --arrival stamps --engine cycle tasks.oct
  4> octrace: tasks.oct: instruction 2: expected a cycle stamp of 10 or later, as --arrival stamps goes by them, found 9

`paper` holds one stamp at a time, and leaves out those that are due meanwhile (docs/port-format.md, time stamps);
`shadow` leaves none out. Nothing is lost.

  $ awk 'BEGIN { for (i = 0; i < 4000; i++) printf "%x\n", 32768 + i % 7 * 4 }' >steady.txt
  $ for machine in 'paper 1' 'paper 4' 'paper 8' 'shadow 1' 'shadow 8'; do
  >   octrace compress --engine cycle --tracer ${machine% *} -g timestamp=1,time_period_insns=1,port_pins=32 \
  >     --arrival cpi=${machine#* } -o steady.octp steady.txt 2>/dev/null
  >   octrace decompress --to text steady.octp | awk -v machine="$machine" '
  >     /^[0-9a-f]/ { insns++; stamps += /@/ } END { print machine ":", insns, "instructions,", stamps, "stamps" }'
  > done
  paper 1: 4000 instructions, 797 stamps
  paper 4: 4000 instructions, 1999 stamps
  paper 8: 4000 instructions, 3997 stamps
  shadow 1: 4000 instructions, 4000 stamps
  shadow 8: 4000 instructions, 4000 stamps
