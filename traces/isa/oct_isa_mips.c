/* SPDX-License-Identifier: Apache-2.0 */
/* oct_isa_mips.c - program-map entries from MIPS machine code (MIPS32 and the loads and stores of
 * MIPS64, release 2), after the architecture manual. The instruction in a branch's delay slot
 * retires behind the branch, so branches cut streams one instruction later than elsewhere. */
#include "oct_isa_decode.h"

enum {
  SPECIAL = 0,
  REGIMM = 1,
  J = 2,
  JAL = 3,
  BEQ = 4,
  BGTZ = 7,
  COP1 = 17,
  BEQL = 20,
  BGTZL = 23
};
enum { FUNCT_JR = 8, FUNCT_JALR = 9, BC1 = 8, REG_RA = 31 };
/* In the table below: log2 of the size, and these. */
enum { LOAD = 0x10, STORE = 0x20, ODD = OCT_SLOT_SIZE_UNKNOWN };

/* By opcode; lwl and its kin touch a part of a word. */
static const uint8_t accesses[64] = {
    [26] = LOAD | ODD,  [27] = LOAD | ODD, /* ldl ldr */
    [32] = LOAD | 0,    [33] = LOAD | 1,    [34] = LOAD | ODD,
    [35] = LOAD | 2, /* lb lh lwl lw */
    [36] = LOAD | 0,    [37] = LOAD | 1,    [38] = LOAD | ODD,
    [39] = LOAD | 2, /* lbu lhu lwr lwu */
    [40] = STORE | 0,   [41] = STORE | 1,   [42] = STORE | ODD,
    [43] = STORE | 2,                                           /* sb sh swl sw */
    [44] = STORE | ODD, [45] = STORE | ODD, [46] = STORE | ODD, /* sdl sdr swr */
    [48] = LOAD | 2,    [49] = LOAD | 2,    [52] = LOAD | 3,
    [53] = LOAD | 3, /* ll lwc1 lld ldc1 */
    [55] = LOAD | 3, /* ld */
    [56] = STORE | 2,   [57] = STORE | 2,   [60] = STORE | 3,
    [61] = STORE | 3, /* sc swc1 scd sdc1 */
    [63] = STORE | 3, /* sd */
};

static void set_branch(oct_map_entry *e, oct_class cls, uint32_t word) {
  uint64_t offset = (uint64_t)(((word & 0xffff) ^ 0x8000) - INT64_C(0x8000)) << 2;
  e->cls = (uint8_t)cls;
  e->target = (e->addr + 4 + offset) & UINT32_MAX;
}

/* bltz, bgez and their kin; those with bit 4 set link. */
static void decode_regimm(uint32_t word, oct_map_entry *e) {
  unsigned rs = word >> 21 & 31, rt = word >> 16 & 31;
  if ((rt & 15) > 3) return; /* traps, synci */
  if (!(rt & 16)) {
    set_branch(e, OCT_CLASS_COND_BRANCH, word);
    return;
  }
  set_branch(e, OCT_CLASS_DIRECT_CALL, word);
  if (rs) e->flags |= OCT_MAP_CONDITIONAL;
}

unsigned oct_mips_decode(int is_big, const uint8_t *code, size_t n, oct_map_entry *e) {
  if (n < 4 || e->addr % 4) return 0;
  uint32_t word = 0;
  for (int i = 0; i < 4; i++) word |= (uint32_t)code[i] << 8 * (is_big ? 3 - i : i);
  unsigned op = word >> 26, rs = word >> 21 & 31, rt = word >> 16 & 31, funct = word & 63;
  e->cls = OCT_CLASS_OTHER;
  oct_mips_effect(word, &e->op);
  if (op == SPECIAL && funct == FUNCT_JR) {
    e->cls = rs == REG_RA ? OCT_CLASS_RETURN : OCT_CLASS_INDIRECT_JUMP;
  } else if (op == SPECIAL && funct == FUNCT_JALR) {
    e->cls = word >> 11 & 31 ? OCT_CLASS_INDIRECT_CALL
             : rs == REG_RA  ? OCT_CLASS_RETURN
                             : OCT_CLASS_INDIRECT_JUMP;
  } else if (op == REGIMM) {
    decode_regimm(word, e);
  } else if (op == J || op == JAL) {
    e->cls = op == J ? OCT_CLASS_DIRECT_JUMP : OCT_CLASS_DIRECT_CALL;
    e->target = ((e->addr + 4) & 0xf0000000u) | (word & 0x3ffffff) << 2;
  } else if ((op >= BEQ && op <= BGTZ) || (op >= BEQL && op <= BGTZL)) {
    set_branch(e, op == BEQ && rs == rt ? OCT_CLASS_DIRECT_JUMP : OCT_CLASS_COND_BRANCH, word);
  } else if (op == COP1 && rs == BC1) {
    set_branch(e, OCT_CLASS_COND_BRANCH, word);
  } else if (accesses[op]) {
    oct_add_slots(e, 1, accesses[op] & OCT_SLOT_SIZE_MASK, (accesses[op] & STORE) != 0, 0);
    if (op == 56 || op == 60) e->flags |= OCT_MAP_CONDITIONAL; /* sc: when the link holds */
  }
  return 4;
}
