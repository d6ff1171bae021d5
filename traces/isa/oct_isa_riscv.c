/* SPDX-License-Identifier: Apache-2.0 */
/* oct_isa_riscv.c - program-map entries from RISC-V machine code: RV32 and RV64 with the extensions
 * G, C and Zcb, after the unprivileged ISA manual (20191213) and the code size reduction extensions
 * (1.0). Vector loads and stores, hlv, hsv and cbo.zero get no slots. The bits of c.fsdsp
 * are not taken for Zcmp and Zcmt, nor those of c.flw and its relatives of RV32 for Zclsd. */
#include "oct_isa_decode.h"
#include "oct_mask.h"
#include "oct_rv_jump.h"

enum {
  OP_LOAD = 0x03,
  OP_LOAD_FP = 0x07,
  OP_STORE = 0x23,
  OP_STORE_FP = 0x27,
  OP_AMO = 0x2f,
  OP_BRANCH = 0x63,
  OP_JALR = 0x67,
  OP_JAL = 0x6f,
  OP_SYSTEM = 0x73
};
enum { AMO_LR = 2, AMO_SC = 3 };

static uint32_t bits(uint32_t word, unsigned high, unsigned low) {
  return word >> low & ((2u << (high - low)) - 1);
}

static void decode_amo(uint32_t word, oct_map_entry *e) {
  unsigned kind = bits(word, 31, 27), size_log2 = bits(word, 14, 12);
  if (kind != AMO_SC) oct_add_slots(e, 1, size_log2, 0, 0);
  if (kind != AMO_LR) oct_add_slots(e, 1, size_log2, 1, 0);
  if (kind == AMO_SC) e->flags |= OCT_MAP_CONDITIONAL; /* it stores when the reservation holds */
}

static void decode_long(uint32_t word, oct_map_entry *e) {
  unsigned rd = bits(word, 11, 7), rs1 = bits(word, 19, 15), width = bits(word, 14, 12);
  switch (bits(word, 6, 0)) {
    case OP_LOAD:
      oct_add_slots(e, 1, width & 3, 0, 0);
      break;
    case OP_STORE:
      oct_add_slots(e, 1, width & 3, 1, 0);
      break;
    case OP_LOAD_FP:
      if (width >= 1 && width <= 4) oct_add_slots(e, 1, width, 0, 0);
      break;
    case OP_STORE_FP:
      if (width >= 1 && width <= 4) oct_add_slots(e, 1, width, 1, 0);
      break;
    case OP_AMO:
      decode_amo(word, e);
      break;
    case OP_BRANCH:
      e->cls = OCT_CLASS_COND_BRANCH;
      e->target = e->addr + oct_sign_extend(bits(word, 31, 31) << 12 | bits(word, 7, 7) << 11 |
                                                bits(word, 30, 25) << 5 | bits(word, 11, 8) << 1,
                                            13);
      break;
    case OP_JALR:
      e->cls = (uint8_t)oct_rv_jalr_class(rd, rs1);
      if (!rs1) e->target = oct_sign_extend(bits(word, 31, 20), 12) & ~UINT64_C(1);
      break;
    case OP_JAL:
      e->cls = (uint8_t)oct_rv_jal_class(rd);
      e->target = e->addr + oct_sign_extend(bits(word, 31, 31) << 20 | bits(word, 19, 12) << 12 |
                                                bits(word, 20, 20) << 11 | bits(word, 30, 21) << 1,
                                            21);
      break;
    case OP_SYSTEM:
      if (oct_rv_is_trap_return(word)) e->cls = OCT_CLASS_INDIRECT_JUMP;
      break;
    default:
      break;
  }
}

/* Loads and stores of quadrants 0 and 2 have the same codes: 1 and 5 doubles, 2 and 6 words, 3 and
 * 7 doublewords, which in RV32 are single-precision numbers. */
static void decode_short_access(int is_64, unsigned code, oct_map_entry *e) {
  unsigned size_log2 = (code & 3) == 2 ? 2 : (code & 3) == 1 ? 3 : is_64 ? 3 : 2;
  if (code & 3) oct_add_slots(e, 1, size_log2, code >= 4, 0);
}

/* c.lbu, c.lhu and c.lh, c.sb, c.sh: the loads and stores of Zcb, in what quadrant 0 has left. */
static void decode_zcb_access(uint32_t word, oct_map_entry *e) {
  unsigned kind = bits(word, 12, 10);
  if (kind < 3 || (kind == 3 && !bits(word, 6, 6))) oct_add_slots(e, 1, kind & 1, kind >= 2, 0);
}

static uint64_t short_jump_target(uint32_t word, uint64_t addr) {
  return addr + oct_sign_extend(bits(word, 12, 12) << 11 | bits(word, 8, 8) << 10 |
                                    bits(word, 10, 9) << 8 | bits(word, 6, 6) << 7 |
                                    bits(word, 7, 7) << 6 | bits(word, 2, 2) << 5 |
                                    bits(word, 11, 11) << 4 | bits(word, 5, 3) << 1,
                                12);
}

static uint64_t short_branch_target(uint32_t word, uint64_t addr) {
  return addr + oct_sign_extend(bits(word, 12, 12) << 8 | bits(word, 6, 5) << 6 |
                                    bits(word, 2, 2) << 5 | bits(word, 11, 10) << 3 |
                                    bits(word, 4, 3) << 1,
                                9);
}

static void decode_short(int is_64, uint32_t word, oct_map_entry *e) {
  unsigned code = bits(word, 15, 13), quadrant = bits(word, 1, 0);
  if (quadrant == 0 && code == 4) {
    decode_zcb_access(word, e);
  } else if (quadrant == 0) {
    decode_short_access(is_64, code, e);
  } else if (quadrant == 1) {
    if (code == 5 || (code == 1 && !is_64)) {
      e->cls = code == 5 ? OCT_CLASS_DIRECT_JUMP : OCT_CLASS_DIRECT_CALL;
      e->target = short_jump_target(word, e->addr);
    } else if (code >= 6) {
      e->cls = OCT_CLASS_COND_BRANCH;
      e->target = short_branch_target(word, e->addr);
    }
  } else if (code != 4) {
    decode_short_access(is_64, code, e);
  } else if (!bits(word, 6, 2) && bits(word, 11, 7)) { /* c.jr, c.jalr */
    e->cls = (uint8_t)oct_rv_jalr_class(bits(word, 12, 12), bits(word, 11, 7));
  }
}

unsigned oct_riscv_decode(int is_64, const uint8_t *code, size_t n, oct_map_entry *e) {
  if (n < 2) return 0;
  uint32_t word = (uint32_t)code[0] | (uint32_t)code[1] << 8;
  unsigned size = bits(word, 1, 0) != 3 ? 2 : bits(word, 4, 2) != 7 ? 4 : 0;
  if (!size || !word || n < size) return 0;
  e->cls = OCT_CLASS_OTHER;
  if (size == 4) word |= (uint32_t)code[2] << 16 | (uint32_t)code[3] << 24;
  if (size == 2)
    decode_short(is_64, word, e);
  else
    decode_long(word, e);
  oct_riscv_effect(is_64, word, e->addr, &e->op);
  if (!is_64) e->target &= UINT32_MAX;
  return size;
}
