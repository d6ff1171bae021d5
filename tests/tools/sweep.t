SPDX-License-Identifier: Apache-2.0
octrace sweep: rows, axes, plans and journals. sweep-axes.t has what is wrong with them. Each row is what compress says of
that geometry alone; widths are axes like others, and a geometry that is wider than the trace stays so.

  $ set -o pipefail
  $ tiny_trace 700 >a.txt
  $ tiny_trace 1500 >b.txt
  $ octrace convert a.txt a.oct
  $ octrace convert b.txt b.oct
  $ bits() { try octrace "$@" --json a.oct 2>/dev/null | grep -o '"port_bits": *[0-9]*' | grep -o '[0-9]*$'; }
  $ octrace sweep -a sc_entries=8..64 -a sc_ways=1,2 -a ntuple_n=0,4 -a dasc_entries=16,32 a.oct 2>err >rows.csv
  $ column port_bits rows.csv >got
  $ for sets in 8 4 16 8 32 16 64 32; do
  >   ways=$((3 - ${ways:-2}))
  >   for n in 0 4; do for dasc in 16 32; do bits compress -o /dev/null -g sc_sets=$sets,sc_ways=$ways,ntuple_n=$n,dasc_entries=$dasc; done; done
  > done | diff - got && wc -l <got
  32
  $ octrace sweep -a addr_bits=32,40,64 -a pc_align_bits=0..2 a.oct 2>err >rows.csv
  $ column port_bits rows.csv >got
  $ for addr in 32 40 64; do for align in 0 1 2; do bits compress -o /dev/null -g addr_bits=$addr,pc_align_bits=$align; done; done | diff - got && wc -l <got
  9

A sweep begins with the tracer's first geometry, so that all can share a pass. Where its numbers are not those of other
commands for that, a note says with what both are the same.

  $ awk 'BEGIN { for (i = 0; i < 120000; i++) printf "%x\n", 4096 + 4 * ((i * 7919) % 9973) }' >jumps.txt
  $ octrace convert jumps.txt jumps.oct
  0> octrace: note: jumps.txt: taken for text, as it has numbers and no mark: --from names a format
  $ octrace sweep jumps.oct >out
  0> octrace: note: jumps.oct: no known instruction set is named: pc_align_bits=2 was found in the trace
  0> octrace: note: to share a pass, the geometries begin with paper (sync_period_bits=0), in other commands with sync_period_bits=131072: give them -g paper, or sweep -g sync_period_bits=131072, which takes longer
  $ mv a.oct aside.oct && mv jumps.oct a.oct
  $ [ "$(bits sweep)" != "$(bits compress -o /dev/null)" ] || echo "no two numbers to tell of"
  $ [ "$(bits sweep)" = "$(bits compress -o /dev/null -g paper)" ] || echo "not those of -g paper"
  $ [ "$(bits sweep -g sync_period_bits=131072)" = "$(bits compress -o /dev/null)" ] || echo "not those of compress"
  $ mv aside.oct a.oct
  $ printf '[one]\nsc_ways = 1\n' >implied.ini
  $ printf '[one]\ngeometry = ntuple_n=0\n' >settings.ini
  $ printf '[one]\ngeometry = paper,ntuple_n=0\n[two]\ngeometry = small\n' >named.ini
  $ octrace sweep @ a.oct 2>&1 | grep -c 'note: to share a pass' || :
  | -g ntuple_n=0 => 1
  | -a sc_ways=1,2 => 1
  | --plan implied.ini => 1
  | --plan settings.ini => 1
  | --plan named.ini -a sc_ways=1 => 1
  | -g paper => 0
  | -g tagged,ntuple_n=0 => 0
  | -g sync_period_bits=0 => 0
  | -a sync_period_bits=0,65536 => 0
  | --plan named.ini => 0
  | --tracer shadow => 0
  | --engine cycle => 0

A row holds each parameter that was swept, and what was counted beside it. Without tuples there is no ratio of theirs,
neither in a row nor of that geometry alone.

  $ octrace sweep --tracer shadow -a traps=0,1 ../samples/foreign/riscv64.spike.xz 2>err >rows
  $ column traps rows | xargs
  0 1
  $ column sent_traps rows | xargs
  0 1
  $ octrace compress -o x --json -g ntuple_n=0 a.oct | grep '"cr_sc_i_ntuple": [a-z0-9]'
      "cr_sc_i_ntuple": null,
  $ octrace compress -o x -g ntuple_n=0 a.oct 2>&1 | grep Ntuple
  [exit 1]

The same from a plan, as JSON; sums over several traces; the front is where nothing else has less state and fewer bits.

  $ cat >plan.ini <<'END'
  > [one]
  > geometry = paper, ntuple_n=0
  > sc_ways = 1, 4
  > [two]
  > dasc_entries = 32..128
  > sc_repl = lru, plru
  > END
  $ octrace sweep --plan plan.ini --pareto -o sums.csv a.oct b.oct 2>err
  $ grep '^(all),' sums.csv | cut -d , -f 1-8
  (all),paper,32,2,8,2,32,1
  (all),paper,32,2,8,2,32,4
  (all),paper,32,2,8,2,32,4
  (all),paper,32,2,8,2,32,4
  (all),paper,32,2,8,2,32,4
  (all),paper,32,2,8,2,32,4
  (all),paper,32,2,8,2,32,4
  (all),paper,32,2,8,2,32,4
  $ column pareto sums.csv | sort | uniq -c
       18 0
        6 1
  $ octrace sweep --plan plan.ini --json a.oct 2>err | value '(len(r), {x["sc_ways"] for x in r}, r[0]["cr_sc_i_ntuple"], r[-1]["cr_sc_i_ntuple"])'
  8 {1, 4} None 102.28310502283105
  $ octrace sweep --pareto -g ntuple_n=0 -a dasc_entries=16..4096 -a sc_sets=1..32 a.oct 2>err >rows
  $ for name in state_bytes port_bits_per_instruction pareto; do column $name rows >$name; done
  $ paste state_bytes port_bits_per_instruction pareto | awk '
  >   { x[NR] = $1; y[NR] = $2; p[NR] = $3 }
  >   END {
  >     for (i = 1; i <= NR; i++) {
  >       front = 1
  >       for (k = 1; k <= NR; k++) if (x[k] <= x[i] && y[k] <= y[i] && (x[k] < x[i] || y[k] < y[i])) front = 0
  >       if (front != p[i]) print "wrong at " x[i]
  >       n[front]++
  >     }
  >     print (n[0] > 0), (n[1] > 0)
  >   }'
  1 1

The journal: a second run sweeps nothing again, a torn one goes on, a foreign line is passed over, rows of another limit are
not taken, and no journal of its own is left behind.

  $ journal() { try octrace sweep --plan plan.ini "$@" 2>&1 | grep -v -e 'was found in the trace$' -e 'note: to share a pass'; }
  $ journal --journal j -o first.csv a.oct b.oct
  [exit 1]
  $ journal --journal j -o second.csv a.oct b.oct
  0> octrace: sweep: 16 of 16 rows were in j
  $ { head -c -100 j && echo 'not a line'; } >torn
  $ journal --journal torn -o third.csv a.oct b.oct
  0> octrace: sweep: 15 of 16 rows were in torn
  $ cmp first.csv second.csv && cmp first.csv third.csv
  $ journal --journal torn -o third.csv a.oct b.oct
  0> octrace: sweep: 16 of 16 rows were in torn
  $ journal --journal j --limit 100 -o fourth.csv a.oct
  [exit 1]
  $ printf 'not hexadecimal\n' >bad.txt
  $ journal -o none.csv bad.txt
  4> octrace: bad.txt:1: expected a hexadecimal address, found 'not' (octrace list formats lists those that can be read)
  $ ls first.csv* none.csv*
  first.csv
  2> ls: cannot access 'none.csv*': No such file or directory

Killed and started again: the journal that comes by itself. The second trace never ends.

  $ mkfifo endless
  $ (octrace sweep -j 1 --plan plan.ini -o killed.csv a.oct endless & pid=$!
  > for _ in {1..100}; do [ -s killed.csv.journal ] && break; sleep 0.1; done
  > kill -KILL $pid
  > wait $pid) 2>/dev/null
  [exit 137]
  $ ls killed.csv*
  killed.csv.journal
  $ journal -o killed.csv a.oct b.oct
  0> octrace: sweep: 8 of 16 rows were in killed.csv.journal
  $ cmp first.csv killed.csv
  $ ls killed.csv*
  killed.csv

A pipe is read once, and has no journal. What the reading depends on is part of the key: another program, another sweep.

  $ octrace sweep a.oct 2>err | sed 's/^a.oct/pipe/' >wanted
  $ mkfifo pipe
  $ timeout 60 sh -c 'cat a.oct >pipe' &
  $ timeout 60 octrace sweep -o piped.csv pipe 2>err
  $ wait
  $ cmp wanted piped.csv
  $ octrace convert --to pc --limit 2 ../data/mixed-x86-64.oct pc.txt
  $ octrace sweep -g paper --isa x86-64 --journal k -o k.csv pc.txt
  $ octrace sweep -g paper --isa x86-64 --elf ../data/mixed-x86-64.elf --journal k -o k.csv pc.txt

Which geometries are worth their state: what lost events is not on the front, small as it is; where all did, the front is
among them.

  $ front() { try octrace sweep --engine cycle --pareto "$@" --limit 2000 b.oct >rows 2>err; column overflows rows | xargs; column pareto rows | xargs; }
  $ front @
  | -g port_pins=32 -a data_fifo_depth=1,2,4
  333 0 0
  0 1 0
  | -a data_fifo_depth=1 -a port_pins=1,2,8
  17 33 127
  0 0 1

What cannot be a picture. The plot has a line for each number of ways, the front, its knee; a single geometry has neither.
scripts/study draws both tracers in one picture.

  $ cp a.oct a.svg
  $ octrace sweep --plot @
  | plot.jpg a.oct => 2> octrace: sweep: --plot 'plot.jpg': expected a name in .svg, .png or .pdf (see octrace sweep --help)
  | plot a.oct => 2> octrace: sweep: --plot 'plot': expected a name in .svg, .png or .pdf (see octrace sweep --help)
  | a.svg a.svg => 2> octrace: sweep: a.svg: input and output are the same file
  $ octrace sweep -a sc_ways=1,2,4 -a sc_sets=1..64 --limit 5000 -o plot.csv --plot plot.svg a.oct b.oct 2>err
  $ octrace sweep -o plot.csv --plot one.png a.oct 2>err
  $ grep -oE '<!-- (sc_ways = .|Pareto front|sum of 2 traces|state, bytes) -->' plot.svg | sort | uniq -c
        1 <!-- Pareto front -->
        1 <!-- sc_ways = 1 -->
        1 <!-- sc_ways = 2 -->
        1 <!-- sc_ways = 4 -->
        1 <!-- state, bytes -->
        1 <!-- sum of 2 traces -->
  $ mkdir suite
  $ octrace convert --isa arm b.txt suite/one.oct
  $ cp suite/one.oct suite/two.oct
  $ $HERE/../../scripts/study plot-tracers suite tracers.svg --limit 500 | grep -o "^| .[a-z]*. " | sort | uniq -c | grep -o "[a-z]*. $"
  paper`
  shadow`
  tracer
  $ grep -oE '<!-- ((paper|shadow): (Pareto front|[0-9]* geometries)|.*2 programs together) -->' tracers.svg | sort | uniq
  <!-- Bits that leave the port for each instruction, against the tracer's state: 2 programs together -->
  <!-- paper: 144 geometries -->
  <!-- paper: Pareto front -->
  <!-- shadow: 12 geometries -->
  <!-- shadow: Pareto front -->

The front of the plot is that of the table, also as a single point; what lost events is hollow.

  $ octrace sweep --engine cycle --pareto --json -a port_pins=1,2,32 -a data_fifo_depth=1,8 --limit 2000 suite/one.oct >lossy.json
  $ octrace sweep --tracer shadow --pareto --json -a vc_sets=0,64 -a vc_ways=1,2 suite/one.oct >sound.json
  $ /usr/bin/python3 -B - ../samples/../../tools lossy.json sound.json <<'END'
  > import json, sys
  > sys.path.insert(0, sys.argv[1])
  > import plot_sweep
  > place = lambda row: (row["state_bytes"], row["port_bits_per_instruction"])
  > for name, some_lossy in zip(sys.argv[2:], (True, False)):
  >     rows = json.load(open(name))
  >     for row in rows:
  >         row["on_line"] = row["pareto"] and not row.get("overflows")
  >     names = [k for k in rows[0] if k in ("port_pins", "data_fifo_depth", "vc_sets", "vc_ways")]
  >     axis = plot_sweep.draw({"n_traces": 1, "parameters": names, "line": None, "rows": rows}).axes[0]
  >     lines = [(line, list(zip(*line.get_data()))) for line in axis.lines]
  >     front, = (points for line, points in lines if line.get_label() == "Pareto front")
  >     assert sorted(front) == sorted(place(row) for row in rows if row["pareto"]), (front, rows)
  >     hollow = [p for line, points in lines if line.get_markerfacecolor() == "none" and line.get_label()[0] == "_" for p in points]
  >     lossy = [place(row) for row in rows if row.get("overflows")]
  >     assert sorted(hollow) == sorted(lossy) and bool(lossy) == some_lossy, (hollow, lossy)
  >     others = any(not row["on_line"] and not row.get("overflows") for row in rows)
  >     assert any(line.get_label() == "not the best" for line, _ in lines) == others, rows
  >     for line, points in lines:  # what the legend shows is there
  >         assert line.get_linestyle() == "None" or len(points) > 1, line
  > END
