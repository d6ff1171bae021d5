SPDX-License-Identifier: Apache-2.0
Branch traces of championships: BT9 of 2016, CBP2025.

  $ show() { octrace info "$@" 2>err | grep -E '^(format|isa|gaps) ' && octrace convert --to text "$@" - 2>err | grep -v '^#'; }
  $ cat >trace.bt9 <<'END'
  > BT9_SPA_TRACE_FORMAT
  > bt9_minor_version: 0
  > has_physical_address: 0
  > total_instruction_count: 13
  > BT9_NODES
  > #NODE  id virtual_address physical_address     opcode size
  > NODE    0               0                -          0    0
  > NODE    1      0x00001008                - 0x54000000    4 class: JMP+DIR+CND behavior: DYN+DIR taken_cnt: 2 not_taken_cnt: 1 tgt_cnt: 1 # mnemonic: "b.eq"
  > NODE    2      0x0000100c                - 0xd65f03c0    4 class: RET+IND+UCD behavior: AT+DIR
  > BT9_EDGES
  > #EDGE  id src_id dest_id taken br_virt_target br_phy_target inst_cnt
  > EDGE    0      0       1     N              0             -        2 traverse_cnt: 1
  > EDGE    1      1       1     T     0x00001000             -        2 traverse_cnt: 1
  > EDGE    2      1       2     N     0x0000100c             -        0 traverse_cnt: 1
  > EDGE    3      2       1     T     0x00001004             -        2 traverse_cnt: 1
  > EDGE    4      1       2     T     0x00001000             -        9 traverse_cnt: 1
  > EDGE    5      2       0     T     0x00002000             -        5 traverse_cnt: 1
  > BT9_EDGE_SEQUENCE
  > 0
  > 1
  > 2
  > 3
  > 4
  > 5
  > EOF
  > END
  $ show trace.bt9
  format                 bt9
  isa                    unknown
  gaps                   2
  0000000000001008
  0000000000001000
  0000000000001004
  0000000000001008
  000000000000100c
  0000000000001004
  0000000000001008
  !gap lost
  000000000000100c
  !gap lost
  $ octrace compress --tracer shadow -o b.octp trace.bt9 2>err && octrace decompress --to text -o - b.octp | grep -v '^#' | cmp - <(octrace convert --to text trace.bt9 - 2>err | grep -v '^#')
  0> octrace: note: b.octp: instructions are missing in 2 gaps of the trace (2 lost)
  $ sed 's/^EDGE    3/EDGY    3/' trace.bt9 >bad.bt9 && octrace info bad.bt9
  4> octrace: bad.bt9:15: expected EDGE, or BT9_EDGE_SEQUENCE, found 'EDGY'
  $ sed 's/^EDGE    3      2 /EDGE    3      9 /' trace.bt9 >bad.bt9 && octrace info bad.bt9
  4> octrace: bad.bt9:15: expected 'EDGE ID SOURCE DESTINATION T|N ...' of nodes of BT9, found 'EDGE    3      9       1     T     0x00'
  $ sed '/^NODE    1 /d' trace.bt9 >bad.bt9 && octrace info bad.bt9
  4> octrace: bad.bt9:11: expected 'EDGE ID SOURCE DESTINATION T|N ...' of nodes of BT9, found 'EDGE    0      0       1     N         '
  $ sed 's/^5$/17/' trace.bt9 >bad.bt9 && octrace info bad.bt9 2>&1 >out
  octrace: bad.bt9:24: expected the number of an edge of BT9, found '17'
  octrace: note: bad.bt9: the recording itself lost instructions at 1 place
  [exit 4]
  $ sed 's/ 4 class/ 44 class/' trace.bt9 >bad.bt9 && octrace info bad.bt9
  4> octrace: bad.bt9:8: expected 'NODE ID ADDRESS - OPCODE SIZE' of BT9, found 'NODE    1      0x00001008              '
  $ sed '/^BT9_EDGES/d' trace.bt9 >bad.bt9 && octrace info bad.bt9
  4> octrace: bad.bt9:11: expected NODE, or BT9_EDGES, found 'EDGE'
  $ sed '/SEQUENCE/,$d' trace.bt9 >bad.bt9 && octrace info bad.bt9
  4> octrace: bad.bt9: none of its lines (17) is an edge of BT9_EDGE_SEQUENCE

CBP2025 has whole instructions, with calls and returns.

  $ python3 - >trace.cbp <<'END'
  > import struct, sys
  > def record(pc, kind, body=b"", inputs=(1,), outputs=()):
  >     values = b"".join(bytes(16 if 32 <= r < 64 else 8) for r in outputs)
  >     sys.stdout.buffer.write(struct.pack("<QB", pc, kind) + body + bytes([len(inputs), *inputs, len(outputs), *outputs]) + values)
  > record(0x400000, 1, struct.pack("<QBB", 0x7fff0000, 8, 1), (31,), (3, 31))
  > record(0x400004, 2, struct.pack("<QBBB", 0x7fff0010, 16, 0, 1), (31, 40, 65))
  > record(0x400008, 3, struct.pack("<BQ", 1, 0x400020), (64,))
  > record(0x400020, 9, struct.pack("<BQ", 1, 0x400100), (), (30,))
  > record(0x400100, 6, b"", (33,), (34, 64))
  > record(0x400104, 11, struct.pack("<BQ", 1, 0x400024), (30,))
  > record(0x400024, 10, struct.pack("<BQ", 1, 0x400200), (5,), (30,))
  > record(0x400200, 3, b"\0", (64,))
  > record(0x400204, 0, b"", (1, 2), (65,))
  > END
  $ show trace.cbp
  format                 cbp2025
  isa                    aarch64
  0000000000400000 L8:000000007fff0000
  0000000000400004 S16:000000007fff0010
  0000000000400008
  0000000000400020
  0000000000400100
  0000000000400104
  0000000000400024
  0000000000400200
  0000000000400204
  $ octrace compress --tracer etmv4 -o c.octp trace.cbp 2>err && octrace decompress --to pc -o - c.octp 2>err | cmp - <(octrace convert --to pc trace.cbp -)
  $ head -c 100 trace.cbp >bad.cbp && octrace info --from cbp2025 bad.cbp 2>&1 >out
  octrace: bad.cbp: offset 86: the trace ends within a record
  [exit 4]
  $ { head -c 8 trace.cbp; printf '\f'; tail -c +10 trace.cbp; } >bad.cbp && octrace info --from cbp2025 bad.cbp
  4> octrace: bad.cbp: offset 0: expected a type from 0 to 11, found 0xc
