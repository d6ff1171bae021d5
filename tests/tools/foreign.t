SPDX-License-Identifier: Apache-2.0
Each sample of a foreign format is recognised, and tells of the run that it was made of what its format carries; what
octrace writes is what the format's own layout says. Nothing is printed where two are alike.

  $ set -o pipefail
  $ foreign=../samples/foreign
  $ reference() { octrace convert --to text --limit ${2-3000} ../data/mixed-$1.oct - | grep -v '^#'; } # of which samples are the first
  $ no_insn_size() { sed 's|/[0-9]*||'; }
  $ no_access_size() { sed 's/ \([LS]\)[0-9]*:/ \1:/g'; }
  $ accessing() { grep ' '; }
  $ short() { sed 's/\(^\|:\)0*\([0-9a-f]\)/\1\2/g'; } # a trace of a 32-bit program in a 64-bit format is the same trace
  $ loads_first() { # as records with a place for each have them
  >   awk '{ s = ""; l = ""; for (i = 2; i <= NF; i++) if ($i ~ /^S/) s = s " " $i; else l = l " " $i
  >          print $1 l s }'
  > }
  $ all_loads() { sed 's/ [LS]:/ L:/g'; }
  $ apart() { awk '{ for (i = 2; i <= NF; i++) print $1, $i }'; } # one instruction for each access
  $ first_access() { awk '{ print $1 (NF > 1 ? " " $2 : "") }'; }
  $ pcs() { cut -d' ' -f1; }
  $ tasks() { awk '{ print $0, NR <= 1500 ? "T:7001" : "T:7002" }'; }
  $ told() { # told FILE FILTER FILTER [LIMIT]: what FILE has of its run, after the first filter, is the run after the second
  >   octrace info $foreign/$1 | grep -E '^(format|isa) ' | xargs
  >   cmp <(as_text $foreign/$1 2>notes | grep -v '^!' | eval "$2" | short) <(reference ${1%%.*} $4 | eval "$3" | short)
  > }
  $ told @
  | x86-64.lackey.xz pcs pcs 99999 => format lackey isa unknown
  | x86-64.execlog.xz no_access_size no_access_size => format execlog isa x86-64
  | riscv64.execlog.xz no_access_size no_access_size => format execlog isa riscv64
  | aarch64.execlog.xz no_access_size no_access_size => format execlog isa aarch64
  | mips.execlog.xz no_access_size no_access_size => format execlog isa mips
  | thumb.execlog.xz no_access_size no_access_size => format execlog isa thumb
  | arm.execlog.xz no_access_size no_access_size => format execlog isa arm
  | mips.din.xz cat no_access_size
  format din isa unknown
  0> octrace: note: ../samples/foreign/mips.din.xz: taken for din, as it has numbers and no mark: --from names a format
  | mips.xdin.xz cat cat => format xdin isa unknown
  | mips.dinbin.xz cat cat
  format din-binary isa unknown
  0> octrace: note: ../samples/foreign/mips.dinbin.xz: taken for din-binary, as it has numbers and no mark: --from names a format
  | x86-64.champsim.xz no_insn_size 'no_access_size | loads_first | no_insn_size' => format champsim isa unknown
  | riscv64.spike.xz cat loads_first => format spike isa riscv64
  | aarch64.gem5.xz cat no_access_size => format gem5 isa unknown
  | x86-64.drmemtrace.zip cat tasks => format drmemtrace isa x86-64
  | aarch64.cvp.gz cat first_access => format cvp isa aarch64
  | x86-64.pinatrace.xz 'no_insn_size | apart' 'no_insn_size | no_access_size | accessing | apart' => format pinatrace isa unknown
  | x86-64.vpc3.xz no_insn_size 'no_insn_size | no_access_size | all_loads | accessing | apart' => format vpc3 isa unknown
  $ as_text $foreign/x86-64.lackey.xz | grep -o ' [LS][0-9]*' | sort | uniq -c
       64  L1
       32  L16
       64  L2
      602  L4
      484  L8
       64  S1
        8  S16
       64  S2
      270  S4
      423  S8
  $ as_text $foreign/riscv64.spike.xz | grep '^!'
  !privilege P:3

Sizes of ChampSim are told by successors; only jumps that never fell through have to be guessed.

  $ as_text $foreign/x86-64.champsim.xz >got
  $ reference x86-64 | no_access_size | loads_first | diff - got | grep -c '^<'
  20
  [exit 1]
  $ octrace convert --from cloudsuite $foreign/x86-64.cloudsuite.xz got.oct
  $ as_text got.oct | cmp - got

What octrace writes is byte for byte what was built from the layouts.

  $ writes() { octrace convert --limit 3000 --to $1 ../data/mixed-${2%%.*}.oct written && xz -dc $foreign/$2 | cmp - written; }
  $ writes @
  | din mips.din.xz
  | xdin mips.xdin.xz
  | din-binary mips.dinbin.xz
  | vpc3 x86-64.vpc3.xz

Registers and the kinds of branches are for champsim_random.py: the samples have none.

  $ without_registers() {
  >   python3 -c '
  > import sys
  > n, data = int(sys.argv[1]), bytearray(sys.stdin.buffer.read())
  > for at in range(0, len(data), n):
  >     data[at + 8:at + (16 if n == 64 else 18)] = bytes(8 if n == 64 else 10)
  > sys.stdout.buffer.write(data)' "$1"
  > }
  $ for layout in champsim:64 cloudsuite:96; do
  >   to=${layout%:*} n=${layout#*:}
  >   try octrace convert --limit 3000 --to "$to" "../data/mixed-x86-64.oct" written
  >   xz -dc "$foreign/x86-64.$to.xz" | without_registers "$n" >want
  >   without_registers "$n" <written | cmp want -
  > done

A 64-bit trace whose long addresses come late can be read back, and with --isa one of another tool.

  $ awk 'BEGIN {
  >   print "0000000000401000/4 L8:0000000000600000"
  >   for (i = 0; i < 20000; i++) printf "%x/4 L8:%x\n", 4198400 + i % 100 * 4, 6291456 + i
  >   print "401000/4 L8:7ffd00001000\n7f0000401000/4" }' >late.txt
  $ for format in din xdin pc da; do
  >   try octrace convert --to $format late.txt late
  >   try octrace convert --from $format --to $format late again
  >   cmp late again
  > done
  $ printf '%s\n' '2 401000' >short
  $ seq 10000 | sed 's/.*/2 401004/' >>short
  $ echo '2 7f0000401000' >>short
  $ octrace convert short new
  4> octrace: short:10002: an address over 32 bits in a trace that began with short ones: write the first with 16 digits, or give --isa
  $ try octrace convert --isa x86-64 short new
  $ rm new

Lists of addresses, there and back.

  $ back() { octrace convert --limit 3000 --to $1 ../data/mixed-mips.oct list && octrace convert --from $1 --to text list - | grep -v '^#' | short; }
  $ for format in pc pc32 pc64; do back $format | cmp - <(reference mips | no_insn_size | pcs | short); done
  $ for format in da da32 da64; do
  >   back $format | cmp - <(reference mips | no_access_size | all_loads | accessing | apart | sed 's/^[^ ]*/0/' | short)
  > done

Other versions of these tools. gem5's standard library has processors of another name.

  $ cat >gem5.txt <<'END'
  > gem5 Simulator System.  https://www.gem5.org
  >   77000: board.processor.cores0.core: A0 T0 : 0x400520 @_start    : xor ebp, ebp
  >   77000: board.processor.cores0.core: A0 T0 : 0x400520 @_start. 0 : XOR_R_R : xor ebp, ebp, ebp : IntAlu :  D=0x0  flags=(IsInteger)
  >   78000: board.processor.cores1.core: A0 T0 : 0x400522 @_start+2. 0 : LD : ld r9, DS:[rsp] : MemRead :  D=0x0 A=0x7fffffffed80  flags=(IsLoad)
  > END
  $ octrace info gem5.txt | grep '^format '
  format                 gem5
  $ as_text gem5.txt | no_insn_size >got
  $ printf '%s\n' 0000000000400520 '0000000000400522 L:00007fffffffed80 T:256' | cmp - got

Old versions of Spike name no hart before a commit, alone and with -l.

  $ xz -dc "$foreign/riscv64.spike.xz" >new.log
  $ sed 's/^core   0: 3 /3 /' new.log >old.log
  $ as_text new.log >want
  $ for log in old.log listed.log; do
  >   [ $log = old.log ] || sed 's/^3 \(0x[0-9a-f]* (0x[0-9a-f]*)\).*/core   0: \1 nop\n&/' old.log >listed.log
  >   octrace info $log | grep '^format '
  >   as_text $log | cmp want -
  > done
  format                 spike
  format                 spike

Dromajo writes the hart without a name, and all instructions with 8 digits.

  $ cat >t <<'END'
  > 0 3 0x0000000000010000 (0xf1402573) x10 0x0000000000000000
  > 0 3 0x0000000000010004 (0x00050663)
  > 0 3 0x0000000000010010 (0x00004505) x10 0x0000000000000001
  > 1 3 0x0000000000010000 (0x7b041073)
  > 0 3 0x0000000000010012 (0x60300413) x 8 0x0000000000000603
  > 0 0 0x0000000080000000 (0x0005b503) exception 13, tval 0000000000001234
  > 0 1 0x0000000080001000 (0x00006110) f12 0xffffffff00000000
  > 0 1 0x0000000080001002 (0x00000013) exception -2147483643, tval 0000000000000000
  > 0 3 0x0000000080002000 (0x00000013)
  > END
  $ octrace info t | grep -E '^(format|isa) '
  format                 spike
  isa                    riscv64
  $ octrace convert --to text t -
  # pc[/size_bytes] [L|S[size_bytes]:da ...] [@cycle] [T:task]
  # isa riscv64
  # insn_align_bytes 2
  !privilege P:3
  0000000000010000
  0000000000010004
  0000000000010010/2
  0000000000010000 T:1
  0000000000010012
  !exception 13 A:0000000080000000 V:0000000000001234 P:1
  0000000080001000/2
  !interrupt 5 A:0000000080001002 P:3
  0000000080002000
  $ sed 's/exception 13,/exception 13/' t >bad && octrace info bad 2>&1 >none

Text of no format is told where the formats stand; labels that are no accesses make no trace.

  $ printf 'pc,addr,rw\n0x8000,0x1000,R\n' >table.csv
  $ octrace info table.csv
  4> octrace: table.csv:1: expected a hexadecimal address, found 'pc,addr,rw' (octrace list formats lists those that can be read)
  $ octrace info --from text table.csv
  4> octrace: table.csv:1: expected a hexadecimal address, found 'pc,addr,rw'
  $ printf '3 8000 x\n4 8004\n' >escapes
  $ octrace info escapes
  4> octrace: escapes: offset 0: its lines begin with a running number or cycle, and addresses follow: awk '{print $2}' LOG | octrace convert --from pc - OUT
  $ printf '3 8000\n2 8004\n' >escapes
  $ octrace info escapes | grep '^format '
  format                 din
  0> octrace: note: escapes: taken for din, as it has numbers and no mark: --from names a format
