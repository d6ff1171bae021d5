SPDX-License-Identifier: Apache-2.0
octrace info: traces, containers, geometries and parameters.

  $ tiny_trace 1000 >t.txt
  $ octrace info t.txt
  file                   t.txt
  format                 text
  isa                    unknown
  isa_guess              unknown
  origin                 unknown
  command                unknown
  addr_bits              32
  insn_align_bytes       1
  insn_align_bytes_found 4
  instructions           4000
  accesses               2000
  loads                  1000
  stores                 1000
  tasks                  1
  task_switches          0
  unique_instructions    4
  map_entries            4
  code_percent           0.000
  effect_percent         0.000
  dynamic_streams        1000
  unique_streams         1
  max_stream_length      4
  average_stream_length  4.000
  top streams
    100.0 %      1000 x 4    0x8000
  $ octrace info --json --limit 10 t.txt | grep '"instructions"'
    "instructions": 10,
  $ octrace compress -g paper,port_pins=4 t.txt 2>/dev/null
  $ octrace info t.txt.octp | grep -E '^(format|port_pins|instructions) '
  format                 container
  instructions           4000
  port_pins              4
  $ octrace info --json t.txt.octp | grep '"port_bytes"'
    "port_bytes": 1747,

From pipes, named or not, and what can be read once only; slowly, too.

  $ octrace convert t.txt t.oct
  $ mkfifo pipe
  $ for file in t.txt t.oct t.txt.octp; do
  >   octrace info - <$file
  >   cat $file | octrace info -
  >   timeout 60 sh -c "cat $file >pipe" &
  >   timeout 60 octrace info pipe
  >   wait
  >   { head -c 3 $file; sleep 0.1; tail -c +4 $file; } | octrace info -
  > done | grep -E '^(format|instructions|port_pins) ' | sort | uniq -c
        4 format                 container
        4 format                 native
        4 format                 text
       12 instructions           4000
        4 port_pins              4
  $ { head -c 9 t.txt; cat t.txt; } >two.txt
  $ { head -c 9 >skipped; octrace info - | grep ^instructions; } <two.txt # from within a file
  instructions           4000
  $ printf '80' | octrace info - | grep ^instructions # shorter than what is looked at
  instructions           1
  0> octrace: note: standard input: taken for text, as it has numbers and no mark: --from names a format
  0> octrace: note: standard input: the last line has no line end: the trace may be cut off
  $ octrace info - <&-
  4> octrace: standard input: cannot read: Bad file descriptor
  $ octrace info - <t.txt.octp | diff <(octrace info t.txt.octp) - | grep file
  < file                   t.txt.octp
  > file                   standard input
  $ head -c 100 t.txt.octp >short.octp
  $ octrace info short.octp
  4> octrace: short.octp: offset [#]: the header is cut short

  $ octrace list @
  | geometries | sed 's/ .*//' | xargs => paper paper-pipelined small tiny odd tagged direct fifo random max wide64
  | params -g small | grep ^sc_sets => sc_sets                  16  1..1024 (power of two)  stream cache sets (NSET)
  | params --json | grep thb_depth =>   "thb_depth": 255,
  $ octrace list params | grep -E '^(sync|check)_'
  sync_period_insns   1048576  0..4294967295  instructions between syncs, 0 = only the first
  sync_period_bits     131072  0 or 1024..1073741823  port bits from one sync to the next, about; 0 = not by bits
  check_bits               16  0 or 16..32 (power of two)  CRC over the port bits since the last, 0 = none
  check_period_bits         0  0 or 128..1073741823  port bits from one check to the next, 0 = only with syncs and flushes
  $ octrace list params --tracer intel-pt | grep mode_bits
  mode_bits                64  32 or 64  execution mode: 32 or 64

Both ends of each range are taken, what is beyond is refused.

  $ for machine in paper,dasc_entries=8 shadow intel-pt; do
  >   case $machine in paper,*) tracer=paper ;; *) tracer=$machine machine= ;; esac
  >   python3 - "$tracer" "$machine" <<END
  > import re, subprocess, sys
  > def params(setting):
  >     given = ",".join(s for s in (sys.argv[2], setting) if s)
  >     return subprocess.run(["octrace", "list", "params", "--tracer", sys.argv[1]] + (["-g", given] if given else []),
  >                           capture_output=True, text=True)
  > for line in params("").stdout.splitlines():
  >     name, _, rest = line.split(None, 2)
  >     zero, least, most, pow2 = re.match(r"(0 or )?(\d+)(?:(?:\.\.| or )(\d+))?( \(power of two\))?", rest).groups()
  >     least, most = int(least), int(most or least)
  >     legal, refused = [least, most] + ([0] if zero else []), [most * 2 if pow2 else most + 1]
  >     if least:
  >         refused.append((least // 2 if pow2 else least - 1) or (0 if not zero else 3 * least))
  >         if zero and refused[-1] == 0: refused.pop()
  >     for value in legal: assert params(f"{name}={value}").returncode == 0, (line, value)
  >     for value in refused: assert params(f"{name}={value}").returncode == 2, (line, value)
  > END
  > done

Instructions with bytes have effects.

  $ octrace info ../samples/foreign/riscv64.spike.xz | grep -E '^(code|effect)_percent'
  code_percent           100.000
  effect_percent         100.000
  $ for sample in ../samples/*.oct; do octrace info --json --limit 50000 $sample | grep '"format"'; done | sort | uniq -c
       [#]   "format": "native",

A compressed file is described as the trace in it, by the same rules as a trace, where an option is for a trace.

  $ octrace compress --codec shadow t.oct 2>/dev/null
  $ for file in t.oct t.txt.octp t.oct.octc; do
  >   octrace info --skip 10 --limit 100 $file | grep -E '^(format|instructions|loads|  100)' | xargs
  >   octrace info --top 0 $file | grep -c stream
  > done
  format native instructions 100 loads 25
  4
  format octp instructions 100 loads 25
  4
  format octc instructions 100 loads 25
  4
  $ printf '# isa riscv64\n80000000\n80000002 L8:1000\n' >rv.txt
  $ octrace convert rv.txt rv.oct && octrace compress rv.oct 2>/dev/null && octrace compress --codec shadow rv.oct 2>/dev/null
  $ for file in rv.oct rv.oct.octp rv.oct.octc; do
  >   for option in '--isa x86' '--isa riscv64' "--elf $(command -v octrace)" '--elf none' '--from champsim' '--from native:x=1'; do
  >     octrace info $option $file 2>&1 >out | sed "s/$file/FILE/; s/'[^']*octrace'/PROGRAM/; s,/[^ :]*octrace,PROGRAM,; s,found 0x.*,found X,"
  >   done
  > done | sort | uniq -c
        3 octrace: FILE: a trace of riscv64, but --isa is x86: leave --isa out
        3 octrace: FILE: offset 0: expected branch and taken of 0 or 1, found X
        3 octrace: FILE: the format native takes no parameters; found 'x=1'
        3 octrace: PROGRAM: a program for x86-64: expected one for riscv64, as the trace is (FILE)
        3 octrace: none: cannot open: No such file or directory
