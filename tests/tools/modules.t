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

Tables without the address that a file asked for, and files that are no table, have no modules.

  $ printf 'Module Table: version 3, count 1\nColumns: id, containing_id, start, end, entry, path\n 0, 0, 0x1000, 0x2000, 0x1000, /nowhere/x\n' >run.dir/raw/modules.log
  $ octrace info --json run.dir | grep -c bias
  0
  [exit 1]
  $ head -c 5000 "$OCTRACE" >run.dir/raw/modules.log
  $ octrace info --json run.dir | grep -c bias
  0
  [exit 1]
