SPDX-License-Identifier: Apache-2.0
Every tracer goes through every command that takes one, by its name alone.

  $ set -o pipefail
  $ for trace in cjpeg isa/riscv64 isa/x86-64 isa/aarch64; do octrace convert --limit 3000 ../samples/$trace.oct ${trace#isa/}.oct; done
  $ octrace list tracers >tracers
  $ while read -r tracer _; do {
  >   for trace in cjpeg riscv64 x86-64 aarch64; do octrace compress --tracer $tracer $trace.oct -o out.octp 2>err && break; done
  >   grep -q '^  all ' err && ! grep '[0-9]bits' err && octrace info out.octp | grep '^tracer '
  >   quiet octrace list params --tracer $tracer
  >   quiet octrace list geometries --tracer $tracer
  >   octrace decompress --to text out.octp -o back.txt
  >   [ $(grep -c . back.txt) -ge 3000 ] || echo "not all came back"
  >   try octrace verify --engine untimed --tracer $tracer $trace.oct
  >   try octrace verify --container out.octp $trace.oct
  >   octrace sweep --tracer $tracer --pareto --json $trace.oct 2>err | grep -o "\"tracer\":\"$tracer\"" | uniq -c
  >   octrace report --tracer $tracer --no-tracers --cycle-insns 500 $trace.oct 2>err | grep -c 'pins that a queue'
  >   octrace report --tracer $tracer --no-tracers --cycle-insns 500 --csv - $trace.oct 2>err | grep -c ,total,instructions,3000
  >   octrace bench --repeat 1 --codec plain --tracer $tracer $trace.oct 2>err | grep -o "^  tracer $tracer "
  > } 2>&1 | xargs; done <tracers
  tracer paper cjpeg.oct: untimed: 3000 instructions and 825 accesses equal cjpeg.oct: container: 3000 instructions and 825 accesses equal 1 tracer:paper 1 1 tracer paper tracer paper
  tracer raw cjpeg.oct: untimed: 3000 instructions and 825 accesses equal cjpeg.oct: container: 3000 instructions and 825 accesses equal 1 tracer:raw 1 1 tracer raw tracer raw
  tracer shadow cjpeg.oct: untimed: 3000 instructions and 825 accesses equal cjpeg.oct: container: 3000 instructions and 825 accesses equal 1 tracer:shadow 1 1 tracer shadow tracer shadow
  tracer etrace riscv64.oct: untimed: 3000 instructions and 723 accesses equal riscv64.oct: container: 3000 instructions and 723 accesses equal 1 tracer:etrace 1 1 tracer etrace tracer etrace
  tracer ntrace riscv64.oct: untimed: 3000 instructions and 0 accesses equal riscv64.oct: container: 3000 instructions and 0 accesses equal 1 tracer:ntrace 1 1 tracer ntrace tracer ntrace
  tracer intel-pt x86-64.oct: untimed: 3000 instructions and 0 accesses equal x86-64.oct: container: 3000 instructions and 0 accesses equal 1 tracer:intel-pt 1 1 tracer intel-pt tracer intel-pt
  tracer etmv4 cjpeg.oct: untimed: 3000 instructions and 0 accesses equal cjpeg.oct: container: 3000 instructions and 0 accesses equal 1 tracer:etmv4 1 1 tracer etmv4 tracer etmv4
  tracer replay cjpeg.oct: untimed: 3000 instructions and 825 accesses equal cjpeg.oct: container: 3000 instructions and 825 accesses equal 1 tracer:replay 1 1 tracer replay tracer replay

What they send is as one wants to compare it: raw is the most, and one table has them all. The journal goes by names: a
sweep goes on from one, and counts the same.

  $ octrace bench --repeat 1 --codec plain --tracer raw --tracer paper --csv t.csv cjpeg.oct >out
  $ awk -F, '$2 == "\"tracer raw\"" { raw = $4 } $2 == "\"tracer paper\"" { paper = $4 } END { print (raw > 2 * paper), (paper > 0) }' t.csv
  1 1
  $ octrace sweep --tracer raw -a stream_insns_max=1..8 --journal j -o one.csv cjpeg.oct
  $ octrace sweep --tracer raw -a stream_insns_max=1..8 --journal j -o two.csv cjpeg.oct
  0> octrace: sweep: 8 of 8 rows were in j
  $ cmp one.csv two.csv
  $ grep -c ' insns=bb8 ' j
  8
  $ octrace compress @ cjpeg.oct
  | --tracer nonesuch => 2> octrace: compress: unknown tracer 'nonesuch': expected one that octrace list tracers lists (see octrace compress --help)
  | --tracer raw --engine cycle => 2> octrace: compress: the tracer raw has no cycle engine (see octrace compress --help)
  | --tracer raw -g sc_ways=4 => 2> octrace: compress: 'sc_ways': no such parameter (see octrace list geometries and params)

No decoder of E-Trace follows the program from the last instruction of a task to the first of the next one.

  $ printf '# isa riscv64\n1031a\n!privilege P:0\n1031e T:2\n1031e T:3\n10326 T:2\n' >tasks.txt
  $ octrace convert --elf ../data/mixed-riscv64.elf --to etrace:data=0 tasks.txt tasks.et
  $ octrace convert --elf ../data/mixed-riscv64.elf --from etrace:data=0 tasks.et - --to pc
  000000000001031a
  1031e
  1031e
  10326
