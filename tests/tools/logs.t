SPDX-License-Identifier: Apache-2.0
Nobody's file is swallowed: logs that are known but not read are named, with a command that gives their addresses; columns
that are no addresses, archives and holes are refused; what is read is read as its own tool means it.

  $ set -o pipefail
  $ advised() { # a message and the addresses that its command makes of the log
  >   printf "$1" >t
  >   try octrace info t
  >   sh -c "$(try octrace info t | sed -n 's/.*\(awk .*\) | octrace convert .*/\1/p' | sed 's/ LOG$/ t/')" >addresses
  >   octrace convert --from pc --to pc addresses - | sed 's/^0*//' | xargs
  > }
  $ advised @
  | '80000000 00000297\n80000004 02028593\n80000008 4505\n'
  4> octrace: t: offset 0: an address and its opcode a line: awk '{print $1}' LOG | octrace convert --from pc --isa riscv64 - OUT (or another set; with data addresses: --from text)
  80000000 80000004 80000008
  | '0x80000000 0x00000297\n0x80000004 0x02028593\n0x80000008 0x4505\n'
  4> octrace: t: offset 0: an address and its opcode a line: awk '{print $1}' LOG | octrace convert --from pc --isa riscv64 - OUT (or another set; with data addresses: --from text)
  80000000 80000004 80000008
  | '4005d0 e3a00001\n4005d4 e1a00001\n4005d8 f9400000\n'
  4> octrace: t: offset 0: an address and its opcode a line: awk '{print $1}' LOG | octrace convert --from pc --isa riscv64 - OUT (or another set; with data addresses: --from text)
  4005d0 4005d4 4005d8
  | '401000 55\n401001 4889e5\n401004 e800000000\n401009 c3\n'
  4> octrace: t: offset 0: an address and its opcode a line: awk '{print $1}' LOG | octrace convert --from pc --isa x86-64 - OUT (or another set; with data addresses: --from text)
  401000 401001 401004 401009
  | '0x80000000\t0x0297\n0x80000002\t0x8593\n'
  4> octrace: t: offset 0: an address and its opcode a line: awk '{print $1}' LOG | octrace convert --from pc --isa x86-64 - OUT (or another set; with data addresses: --from text)
  80000000 80000002
  | '0 80000000 00000297 x5 80000000\n1 80000004 02028593 x11 80000020\n2 80000008 00000013\n'
  4> octrace: t: offset 0: its lines begin with a running number or cycle, and addresses follow: awk '{print $2}' LOG | octrace convert --from pc - OUT
  80000000 80000004 80000008
  | '10 0x10000 0x297\n12 0x10004 0x2028593\n13 0x10008 0x13\n15 0x1000c 0x13\n'
  4> octrace: t: offset 0: its lines begin with a running number or cycle, and addresses follow: awk '{print $2}' LOG | octrace convert --from pc - OUT
  10000 10004 10008 1000c

Decimal numbers: of Ramulator, with bubbles that may be labels of Dinero, and lists. An address and its data address, and
addresses by themselves, stay what they are, and a note says so; the size is a default.

  $ read_as() { printf "$1" >t; try octrace info "${@:2}" t | grep -E '>|^(format|accesses|instructions|isa|isa_guess) '; }
  $ read_as @
  | '3 20734016\n1 20846400\n6 20734208\n2 20846400 20734016\n' => 4> octrace: t: offset 0: decimal numbers, as of Ramulator's (bubbles, address): use --from ramulator-cpu, or, if they are hexadecimal addresses, --from text
  | '3 20734016\n1 20846400\n2 20734208\n2 20846400 20734016\n' => 4> octrace: t: offset 0: decimal numbers, as of Ramulator's (bubbles, address): use --from ramulator-cpu, or, if they are hexadecimal addresses, --from text
  | '3 20734016\n1 20846400\n6 20734208 20841280\n8 20841280 20841280\n' => 4> octrace: t: offset 0: decimal numbers, as of Ramulator's (bubbles, address): use --from ramulator-cpu, or, if they are hexadecimal addresses, --from text
  | '20734016\n20846400\n20734208\n20846400\n' => 4> octrace: t: offset 0: decimal numbers: if they are hexadecimal addresses, use --from text
  | '4194304\n4194308\n4194312\n' => 4> octrace: t: offset 0: decimal numbers: if they are hexadecimal addresses, use --from text
  | '4198400\n4198404\n4198408\n4198412\n4198416\n4198420\n4198424\n4198428\n4198432\n' => 4> octrace: t: offset 0: decimal numbers: if they are hexadecimal addresses, use --from text
  | '4198400\n4198404\n4198408\n4198412\n4198416\n4198420\n4198424\n4198428\n4198432\n' --from text | wc -l => 5
  | "$(seq 4198400 4 4198500 | awk '{ print $1, 7 * $1 }')" => 4> octrace: t: offset 0: decimal numbers: if they are hexadecimal addresses, use --from text
  | '0 3 0x0000010000 (0x00000517) x10 0x0000000000010000\n0 3 0x0000010004 (0x02050593) x11 0x0000000000010020\n'
  format                 spike
  isa                    riscv64
  instructions           2
  accesses               0
  | '# a comment\n# and another\n' => 4> octrace: t: none of its lines (2) is an instruction 'PC [L:ADDRESS] [S:ADDRESS]' (octrace list formats lists those that can be read)
  | '8000 1000\n8004 1004\n8008\n800c 1008\n'
  format                 text
  isa                    unknown
  isa_guess              unknown
  instructions           4
  accesses               3
  0> octrace: note: t: taken for text, as it has numbers and no mark: --from names a format
  | '8000 1000\n8004 1004\n8008\n800c 1008\n' --from text | grep '>' => [exit 1]
  | '2 8000\n0 1000\n2 8004\n'
  format                 din
  isa                    unknown
  isa_guess              unknown
  instructions           2
  accesses               1
  0> octrace: note: t: taken for din, as it has numbers and no mark: --from names a format
  | '2 8000\n0 1000\n2 8004\n' --from din | grep '>' => [exit 1]
  | '8000\n8004\n8008\n'
  format                 text
  isa                    unknown
  isa_guess              unknown
  instructions           3
  accesses               0
  0> octrace: note: t: taken for text, as it has numbers and no mark: --from names a format
  | '8000\n8004\n8008\n' --from text | grep '>' => [exit 1]

Archives and holes.

  $ tar -cf a.tar t
  $ for pack in cat gzip xz; do $pack <a.tar >t; try octrace info t; done
  4> octrace: t: offset 0: a tar archive; expected a trace itself: tar -xOf ARCHIVE FILE | octrace ... - reads one of it
  4> octrace: t: offset 0 of the unpacked data: a tar archive; expected a trace itself: tar -xOf ARCHIVE FILE | octrace ... - reads one of it
  4> octrace: t: offset 0 of the unpacked data: a tar archive; expected a trace itself: tar -xOf ARCHIVE FILE | octrace ... - reads one of it
  $ for kind in v7 oldgnu posix; do tar -cf a.tar --format=$kind t; try octrace info a.tar; done | uniq -c
        3 4> octrace: a.tar: offset 0: a tar archive; expected a trace itself: tar -xOf ARCHIVE FILE | octrace ... - reads one of it
  $ ar rc a.ar t; printf '070701%0104d' 1 >a.cpio; printf '070707%070d' 1 >b.cpio
  $ printf '7z\274\257\047\034\0\4...' >a.7z
  $ for pack in a.ar a.cpio b.cpio a.7z; do try octrace info $pack; done
  4> octrace: a.ar: offset 0: an ar archive: ar p ARCHIVE FILE gives one of its files; expected a trace itself
  4> octrace: a.cpio: offset 0: a cpio archive, which cpio -i unpacks; expected a trace itself
  4> octrace: b.cpio: offset 0: a cpio archive, which cpio -i unpacks; expected a trace itself
  4> octrace: a.7z: offset 0: an archive of 7-Zip, which 7z x unpacks; expected a trace itself
  $ python3 - <<'END'
  > import struct
  > def record(ip, load=0):
  >     return struct.pack("<QBB2B4B2Q4Q", ip, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, load, 0, 0, 0)
  > base = 0xaaaad5b01000
  > good = b"".join(record(base + 4 * i, 0xffffd5b01000 + 8 * i if i % 3 else 0) for i in range(100))
  > open("t48", "wb").write(good)
  > open("t", "wb").write(good + bytes(128))
  > END
  $ octrace info t48 | grep -E '^(format|instructions) '
  format                 champsim
  instructions           100
  $ octrace convert t back.oct
  4> octrace: t: offset 6400: a record of zeros, as a hole in a file reads: expected an instruction: nothing is written (--salvage keeps the 99 instructions and 66 accesses before it)

Transcripts of simulators have a mark before each line.

  $ printf '# core   0: 3 0x80000000 (0x00000013)\n# core   0: 3 0x80000004 (0x00000013)\n' >t && octrace info t
  4> octrace: t: offset 0: a log of the format spike with a prefix in front of each line: cut it off with sed -E 's/^([[:blank:]]*[^[:blank:]]+){1}[[:blank:]]//' LOG | octrace ... -
  $ printf '# Loading work.tb\n# C0:        483 [1] pc=[00000002138] W[r 3=000000007fff7fff][1] R[r 1=000000007fffffff] R[r 2=ffffffffffff8000] inst=[002081b3] add s1, ra, s0\n' >t && octrace info t
  4> octrace: t: offset 0: a log of the format rocket with a prefix in front of each line: cut it off with sed -E 's/^([[:blank:]]*[^[:blank:]]+){1}[[:blank:]]//' LOG | octrace ... -
  $ sed 's/^# //' t | octrace info - | grep '^format'
  format                 rocket
  $ printf 'Nov 30 10:36:22 host spike[123]: core   0: 3 0x80000000 (0x00000013)\nNov 30 10:36:22 host spike[123]: core   0: 3 0x80000004 (0x00000013)\n' >t && octrace info t
  4> octrace: t: offset 0: a log of the format spike with a prefix in front of each line: cut it off with sed -E 's/^([[:blank:]]*[^[:blank:]]+){5}[[:blank:]]//' LOG | octrace ... -

Lackey's data only, and what a core of 32 bits logs with 16 digits. The elements of vector loads have a size, whichever way
it is told.

  $ read_as @
  | ' S 1fff000700,8\n L 1fff0006f8,8\n M 1fff0006f0,8\n'
  format                 lackey
  isa                    unknown
  isa_guess              unknown
  instructions           3
  accesses               4
  | '3 0x0000000080000000 (0x2001) x 1 0x80000002\n3 0x0000000080000002 (0x6110) f12 0xffffffff mem 0x80003000\n' | grep '^isa ' => isa                    riscv32
  | '3 0x0000000080000000 (0x2001)\n3 0x0000000080000002 (0x6110) mem 0x80003000\n' | grep '^isa ' => isa                    riscv64
  | '3 0x0000000080000000 (0x2001)\n3 0x0000000080000002 (0x6110) mem 0x80003000\n' --isa riscv32 | grep '^isa ' => isa                    riscv32
  $ cat >t <<'END'
  > core   0: 3 0x0000000080000104 (0x02056407) e32 m1 l4 v8  0x04 mem 0x0000000080003000 mem 0x0000000080003004
  > core   0: 3 0x0000000080000108 (0x06856407) e16 m1 l4 v8  0x04 mem 0x0000000080003000
  > END
  $ octrace convert --to text t -
  # pc[/size_bytes] [L|S[size_bytes]:da ...] [@cycle] [T:task]
  # isa riscv64
  # insn_align_bytes 2
  !privilege P:3
  0000000080000104 L4:0000000080003000 L4:0000000080003004
  0000000080000108 L2:0000000080003000
  $ octrace compress --tracer etrace -o t.octp t 2>&1 | sed -n 1p
  Instructions 2, Accesses 3, Conditional branches 0, Reported jumps 0

Task numbers of a trace fit without being asked for.

  $ printf '8000 T:4194304\n8004 T:4194304\n' >t
  $ for tracer in paper shadow; do octrace compress --json --tracer $tracer -o t.octp t | grep task_bits; done
      "task_bits": 32,
      "task_bits": 32,
