/* SPDX-License-Identifier: Apache-2.0 */
/* oct_isa_arm.c - program-map entries from ARM machine code.
 *
 * The instruction space is split by bits 27..25 as the ARM architecture manual (ARM DDI 0100) does.
 * The slots list the accesses in the order in which they are made: LDM and STM ascend by address,
 * LDRD and STRD are two words, SWP loads before it stores. Of the coprocessors only the
 * floating-point unit (10 and 11) makes accesses. */
#include "oct_isa_decode.h"

#include <string.h>

enum { COND_ALWAYS = 14, COND_NONE = 15, REG_FP = 11, REG_SP = 13, REG_LR = 14, REG_PC = 15 };

static uint32_t bits(uint32_t word, unsigned high, unsigned low) {
  return word >> low & ((2u << (high - low)) - 1);
}

static int bit(uint32_t word, unsigned n) {
  return word >> n & 1;
}

/* Target of B, BL and BLX: a signed word offset from two instructions ahead. */
static uint64_t branch_target(uint64_t addr, uint32_t word) {
  uint32_t offset = bits(word, 23, 0) << 2;
  if (bit(word, 23)) offset |= 0xfc000000u;
  return (uint32_t)(addr + 8 + offset);
}

/* Space without a condition: BLX to Thumb code; PLD makes no access that the program sees. */
static void decode_unconditional(uint32_t word, oct_map_entry *e) {
  if (bits(word, 27, 25) != 5) return;
  e->cls = OCT_CLASS_DIRECT_CALL;
  e->target = branch_target(e->addr, word) + 2u * (uint32_t)bit(word, 24);
}

/* Bits 7 and 4 set in the register space: multiplies, SWP, halfword and doubleword transfers. */
static void decode_extra(uint32_t word, oct_map_entry *e) {
  unsigned kind = bits(word, 6, 5);
  int load = bit(word, 20);
  int pc_rel = bits(word, 19, 16) == REG_PC;
  if (kind == 0) {
    if (bits(word, 27, 23) != 2 || bits(word, 21, 20) != 0) return;
    unsigned size_log2 = bit(word, 22) ? 0 : 2;
    oct_add_slots(e, 1, size_log2, 0, 0);
    oct_add_slots(e, 1, size_log2, 1, 0);
  } else if (kind == 1) {
    oct_add_slots(e, 1, 1, !load, pc_rel);
  } else if (load) {
    oct_add_slots(e, 1, kind == 2 ? 0 : 1, 0, pc_rel);
  } else {
    oct_add_slots(e, 2, 2, kind == 3, pc_rel);
  }
}

/* Data processing in both forms, and the miscellaneous space inside it (BX, BLX, MRS, MSR, CLZ). */
static void decode_data(uint32_t word, oct_map_entry *e) {
  int immediate = bit(word, 25);
  unsigned opcode = bits(word, 24, 21);
  if (bits(word, 24, 23) == 2) {
    if (bit(word, 20) || immediate || bits(word, 22, 21) != 1) return;
    unsigned op2 = bits(word, 7, 4);
    if (op2 == 1 || op2 == 2)
      e->cls = bits(word, 3, 0) == REG_LR ? OCT_CLASS_RETURN : OCT_CLASS_INDIRECT_JUMP;
    else if (op2 == 3)
      e->cls = OCT_CLASS_INDIRECT_CALL;
    return;
  }
  if (bits(word, 15, 12) != REG_PC) return;
  int mov_lr = !immediate && opcode == 13 && bits(word, 11, 0) == REG_LR;
  e->cls = mov_lr ? OCT_CLASS_RETURN : OCT_CLASS_INDIRECT_JUMP;
}

/* LDR, STR, LDRB, STRB. */
static void decode_single(uint32_t word, oct_map_entry *e) {
  if (bit(word, 25) && bit(word, 4)) return; /* undefined before ARMv6 */
  int load = bit(word, 20);
  unsigned base = bits(word, 19, 16);
  oct_add_slots(e, 1, bit(word, 22) ? 0 : 2, !load, base == REG_PC);
  if (!load || bits(word, 15, 12) != REG_PC) return;
  int pop = (word & 0x0fffffffu) == 0x049df004u; /* ldr pc, [sp], #4 */
  e->cls = pop ? OCT_CLASS_RETURN : OCT_CLASS_INDIRECT_JUMP;
}

/* LDM, STM. A frame ends by popping the stack, or through the frame pointer with sp reloaded. */
static void decode_block(uint32_t word, oct_map_entry *e) {
  int load = bit(word, 20);
  unsigned base = bits(word, 19, 16);
  unsigned count = 0;
  for (unsigned r = 0; r < 16; r++) count += (unsigned)bit(word, r);
  oct_add_slots(e, count, 2, !load, base == REG_PC);
  if (!load || !bit(word, REG_PC)) return;
  int frame = base == REG_SP || (base == REG_FP && bit(word, REG_SP));
  e->cls = frame ? OCT_CLASS_RETURN : OCT_CLASS_INDIRECT_JUMP;
}

enum { FLOAT_REGS = 32 };

/* VLDR, VSTR, VLDM, VSTM; with neither index nor direction it is a move between registers. */
static void decode_float(uint32_t word, oct_map_entry *e) {
  int is_double = bits(word, 11, 8) == 11, indexed = bit(word, 24), write_back = bit(word, 21);
  if ((!is_double && bits(word, 11, 8) != 10) || (!indexed && !bit(word, 23))) return;
  unsigned count = indexed && !write_back ? 1 : bits(word, 7, 0) >> is_double;
  if (count > FLOAT_REGS) count = FLOAT_REGS;
  oct_add_slots(e, count, is_double ? 3 : 2, !bit(word, 20), bits(word, 19, 16) == REG_PC);
}

static void decode_branch(uint32_t word, oct_map_entry *e) {
  e->target = branch_target(e->addr, word);
  if (bit(word, 24))
    e->cls = OCT_CLASS_DIRECT_CALL;
  else
    e->cls = bits(word, 31, 28) == COND_ALWAYS ? OCT_CLASS_DIRECT_JUMP : OCT_CLASS_COND_BRANCH;
}

unsigned oct_arm_decode(const uint8_t *code, size_t n, oct_map_entry *e) {
  if (n < 4 || e->addr % 4 != 0) return 0;
  uint32_t word = (uint32_t)code[0] | (uint32_t)code[1] << 8 | (uint32_t)code[2] << 16 |
                  (uint32_t)code[3] << 24;
  unsigned cond = bits(word, 31, 28);
  e->cls = OCT_CLASS_OTHER;
  oct_arm_effect(word, e->addr, &e->op);
  if (cond == COND_NONE) {
    decode_unconditional(word, e);
    return 4;
  }
  switch (bits(word, 27, 25)) {
    case 0:
      if (bit(word, 7) && bit(word, 4))
        decode_extra(word, e);
      else
        decode_data(word, e);
      break;
    case 1:
      decode_data(word, e);
      break;
    case 2:
    case 3:
      decode_single(word, e);
      break;
    case 4:
      decode_block(word, e);
      break;
    case 5:
      decode_branch(word, e);
      break;
    case 6:
      decode_float(word, e);
      break;
    default: /* coprocessor operations and SWI */
      break;
  }
  int acts = e->n_slots || (e->cls != OCT_CLASS_OTHER && e->cls != OCT_CLASS_COND_BRANCH);
  if (cond != COND_ALWAYS && acts) e->flags |= OCT_MAP_CONDITIONAL;
  return 4;
}
