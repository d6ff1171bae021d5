SPDX-License-Identifier: Apache-2.0
Which files were loaded where comes from the table that DynamoRIO writes beside its traces, in each of its places, and stays in native traces.

  $ mkdir -p run.dir/trace run.dir/raw
  $ cp "$SAMPLES/foreign/x86-64.drmemtrace.zip" run.dir/trace/a.trace.zip
  $ cat >run.dir/raw/modules.log <<END
  > Module Table: version 5, count 6
  > Columns: id, containing_id, start, end, entry, offset, preferred_base, (custom fields), path
  >   0,   0, 0x0000000000400000, 0x0000000000401000, 0x0000000000401000, 0000000000000000, 0x0000000000400000,  v#1,0,0, /nowhere/program
  >   1,   0, 0x0000000000401000, 0x0000000000409000, 0x0000000000401000, 0000000000001000, 0x0000000000401000,  v#1,0,0, /nowhere/program
  >   2,   2, 0x00007f0000000000, 0x00007f0000001000, 0x00007f0000000000, 0000000000000000, 0x0000000000000000,  v#1,4,0,abcd,[vdso]
  > damage
  >   3,   3, 0x00007f1000000000, 0x00007f1000041000, 0x00007f1000000000, 0000000000000000, 0x0000000000010000,  v#1,0,0, /nowhere/lib x, y.so
  > END
  $ for trace in run.dir run.dir/trace run.dir/trace/a.trace.zip; do octrace info --json $trace | sed -n '/"modules"/,/\]/p' | tr -d ' \n'; echo; done | uniq -c
        3 "modules":[{"path":"/nowhere/program","address":"0x400000","bytes":36864,"bias":"0x0"},{"path":"/nowhere/libx,y.so","address":"0x7f1000000000","bytes":266240,"bias":"0x7f0fffff0000"}],
  $ octrace convert run.dir all.oct
  $ octrace info --json all.oct | grep -c bias
  2
  $ octrace convert --function main all.oct part.oct
  4> octrace: all.oct: no function 'main' in its files, as none is here with a build id that was traced: --elf FILE[@BIAS] names another

A trace with many is measured.

  $ cp run.dir/raw/modules.log few.log
  $ for i in $(seq 4 500); do printf ' %d, %d, 0x%x000, 0x%x000, 0x0, 0, 0x0, v#1,0,0, /nowhere/library/number/%d/of/many\n' $i $i $((i * 16 + 65536)) $((i * 16 + 65537)) $i; done >>run.dir/raw/modules.log
  $ octrace bench --input trace --codec shadow --codec plain --repeat 1 run.dir | grep -c '^  \(shadow\|plain\) .*[0-9]$'
  4
  $ cp few.log run.dir/raw/modules.log

They stay in compressed files too, as many as the head has room for.

  $ modules() { octrace info --json $1 | sed -n '/"modules"/,/\]/p' | tr -d ' \n'; echo; }
  $ modules run.dir >want
  $ for tracer in paper raw shadow; do octrace compress --tracer $tracer -o all.octp run.dir >/dev/null 2>&1; modules all.octp | cmp - want; octrace convert all.octp back.oct; modules back.oct | cmp - want; done
  $ for codec in plain shadow vpc3; do octrace compress --codec $codec -o all.octc run.dir >/dev/null 2>&1; modules all.octc | cmp - want; octrace convert all.octc back.oct; modules back.oct | cmp - want; done
  $ octrace info all.octp | grep -A2 '^modules'
  modules
    0x400000  /nowhere/program  (no build id)
    0x7f1000000000  /nowhere/lib x, y.so  (no build id)
  $ octrace info all.octc | grep -A2 '^modules'
  modules
    0x400000  /nowhere/program  (no build id)
    0x7f1000000000  /nowhere/lib x, y.so  (no build id)
  $ cp run.dir/raw/modules.log few.log
  $ for i in $(seq 4 1500); do printf ' %d, %d, 0x%x000, 0x%x000, 0x0, 0, 0x0, v#1,0,0, /nowhere/library/number/%d/of/many\n' $i $i $((i * 16 + 65536)) $((i * 16 + 65537)) $i; done >>run.dir/raw/modules.log
  $ octrace compress --tracer paper -o all.octp run.dir >/dev/null 2>&1; octrace info --json all.octp | grep -c bias
  940
  $ octrace compress --codec plain -o all.octc run.dir >/dev/null 2>&1; octrace info --json all.octc | grep -c bias
  120
  $ octrace compare all.octp all.octc
  all.octp and all.octc: 3000 instructions and 455 accesses equal
  0> octrace: note: all.octp: not compared, as this trace has none: bytes of instructions
  $ cp few.log run.dir/raw/modules.log

Tables without the address that a file asked for, and files that are no table, have no modules.

  $ printf 'Module Table: version 3, count 1\nColumns: id, containing_id, start, end, entry, path\n 0, 0, 0x1000, 0x2000, 0x1000, /nowhere/x\n' >run.dir/raw/modules.log
  $ octrace info --json run.dir | grep -c bias
  0
  [exit 1]
  $ head -c 5000 "$OCTRACE" >run.dir/raw/modules.log
  $ octrace info --json run.dir | grep -c bias
  0
  [exit 1]
