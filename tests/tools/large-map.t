SPDX-License-Identifier: Apache-2.0
A command that writes a file whose program map is larger than is read without --max-map prints the number that
reads it. The trace is a run through a program of one instruction more than that.

  $ python3 - 4194305 <<'END'
  > import array, struct, sys
  > n, base = int(sys.argv[1]), 65536
  > array.array("I", range(base, base + 4 * n, 4)).tofile(open("t", "wb"))
  > head = b"\x7fELF" + bytes([1, 1, 1]) + bytes(9) + struct.pack("<HHIIIIIHHHHHH", 2, 40, 1, base, 52, 0, 0x05000000, 52, 32, 1, 0, 0, 0)
  > segment = struct.pack("<IIIIIIII", 1, 4096, base, base, 4 * n, 4 * n, 5, 4096)
  > open("elf", "wb").write((head + segment).ljust(4096, b"\0") + bytes.fromhex("0000a0e1") * n)
  > END
  $ run='--from pc32 --isa arm'
  $ octrace compress --tracer raw $run --limit 4194304 -o fits.octp t 2>&1 | grep -e max-map -e ^instructions
  instructions 4194304, accesses 0, streams 64, task switches 0, traps 0, syncs 4, packets 69
  $ octrace compress --tracer raw $run -o t.octp t 2>&1 | grep -e max-map -e ^instructions
  instructions 4194305, accesses 0, streams 65, task switches 0, traps 0, syncs 5, packets 71
  octrace: note: t.octp: 4194305 entries of the program map: to read it, give --max-map 4194305
  $ octrace info t.octp
  4> octrace: t.octp: offset 8192: more than 4194304 updates of the program map: the file may be damaged; --max-map N takes more
  $ octrace compress --codec plain $run -o t.octc t 2>&1 | grep max-map
  octrace: note: t.octc: 4194305 entries of the program map: to read it, give --max-map 4194305

A native trace has those entries of its map that its source had.

  $ octrace convert $run --elf elf --max-map 4194305 t u.oct 2>&1 | grep max-map
  octrace: note: u.oct: 4194305 entries of the program map: to read it, give --max-map 4194305
  $ octrace info u.oct
  4> octrace: u.oct: more than 4194304 entries of the program map (--max-map allows more)
