/* SPDX-License-Identifier: Apache-2.0 */
/* oct_isa_capstone.c - program-map entries for x86, AArch64 and Thumb from what Capstone 4 says.
 *
 * Capstone tells operands, not the accesses made by the stack, by pairs or by register lists, nor
 * (on ARM) their sizes: these follow from the instruction's name. */
#include "oct_isa_decode.h"
#include "oct_mask.h"

#include <string.h>

static unsigned slot_size(unsigned size_bytes) {
  return size_bytes <= 64 ? oct_size_log2(size_bytes, OCT_SLOT_SIZE_UNKNOWN)
                          : OCT_SLOT_SIZE_UNKNOWN;
}

static int starts_with(const char *text, const char *prefix) {
  return !strncmp(text, prefix, strlen(prefix));
}

/* A jump or call: direct with its target, else indirect. */
static void set_jump(oct_map_entry *e, int is_call, int is_direct, uint64_t target) {
  e->cls = is_call ? (is_direct ? OCT_CLASS_DIRECT_CALL : OCT_CLASS_INDIRECT_CALL)
                   : (is_direct ? OCT_CLASS_DIRECT_JUMP : OCT_CLASS_INDIRECT_JUMP);
  e->target = is_direct ? target : 0;
}

/* ---- x86 ---- */

static int in_group(const cs_insn *insn, uint8_t group) {
  for (unsigned i = 0; i < insn->detail->groups_count; i++)
    if (insn->detail->groups[i] == group) return 1;
  return 0;
}

/* Whether an operand is loaded, or stored. Capstone 4 is wrong about the memory of `test`, which
 * only reads, of comparison and exchange, which also writes, and of what only stores floating
 * point. */
static int x86_only_stores(const cs_insn *insn) {
  const char *name = insn->mnemonic;
  return insn->id == X86_INS_STMXCSR || starts_with(name, "fst") || starts_with(name, "fnst") ||
         starts_with(name, "fist");
}
static int x86_loads(const cs_insn *insn, const cs_x86_op *op) {
  return (op->access & CS_AC_READ) && !x86_only_stores(insn);
}
static int x86_stores(const cs_insn *insn, const cs_x86_op *op) {
  return ((op->access & CS_AC_WRITE) && insn->id != X86_INS_TEST) || x86_only_stores(insn) ||
         insn->id == X86_INS_CMPXCHG || insn->id == X86_INS_CMPXCHG8B ||
         insn->id == X86_INS_CMPXCHG16B;
}

/* The size of a memory operand. Of strings of 16 bits with a repeat prefix Capstone says 4. */
static unsigned x86_bytes(const cs_x86 *x, const cs_x86_op *op) {
  int is_string = x->opcode[0] >= 0xa4 && x->opcode[0] <= 0xaf && x->prefix[0];
  return is_string && x->prefix[2] == X86_PREFIX_OPSIZE && op->size == 4 ? 2 : op->size;
}

static void x86_slots(const cs_insn *insn, unsigned word_log2, oct_map_entry *e) {
  const cs_x86 *x = &insn->detail->x86;
  int pushes = insn->id == X86_INS_PUSH || insn->id == X86_INS_CALL || insn->id == X86_INS_PUSHFQ ||
               insn->id == X86_INS_PUSHFD || insn->id == X86_INS_PUSHF || insn->id == X86_INS_ENTER;
  int pops = insn->id == X86_INS_POP || insn->id == X86_INS_RET || insn->id == X86_INS_LEAVE ||
             insn->id == X86_INS_POPFQ || insn->id == X86_INS_POPFD || insn->id == X86_INS_POPF;
  if (insn->id == X86_INS_LEA || insn->id == X86_INS_NOP || starts_with(insn->mnemonic, "prefetch"))
    return;
  if (x->prefix[2] == X86_PREFIX_OPSIZE && insn->id != X86_INS_CALL && insn->id != X86_INS_RET)
    word_log2 = 1;
  if (pops) oct_add_slots(e, 1, word_log2, 0, 0);
  if (insn->id == X86_INS_RETF || insn->id == X86_INS_RETFQ)
    oct_add_slots(e, 2, x->rex & 8 ? 3 : word_log2 == 1 ? 1 : 2, 0, 0);
  if (insn->id == X86_INS_XLATB) oct_add_slots(e, 1, 0, 0, 0);
  for (int store = 0; store <= 1; store++)
    for (unsigned i = 0; i < x->op_count; i++) {
      const cs_x86_op *op = &x->operands[i];
      if (op->type == X86_OP_MEM && (store ? x86_stores(insn, op) : x86_loads(insn, op)))
        oct_add_slots(e, 1, slot_size(x86_bytes(x, op)), store, op->mem.base == X86_REG_RIP);
    }
  if (pushes) oct_add_slots(e, 1, word_log2, 1, 0);
}

void oct_x86_describe(const cs_insn *insn, int is_64, int is_down, oct_map_entry *e) {
  const cs_x86 *x = &insn->detail->x86;
  int direct = x->op_count == 1 && x->operands[0].type == X86_OP_IMM;
  uint64_t target = direct ? (uint64_t)x->operands[0].imm : 0;
  if (in_group(insn, CS_GRP_RET)) {
    e->cls = OCT_CLASS_RETURN;
  } else if (in_group(insn, CS_GRP_CALL) || insn->id == X86_INS_JMP) {
    set_jump(e, insn->id != X86_INS_JMP, direct, target);
  } else if (in_group(insn, CS_GRP_JUMP) && direct) {
    e->cls = OCT_CLASS_COND_BRANCH;
    e->target = target;
  }
  x86_slots(insn, is_64 ? 3 : 2, e);
  oct_x86_effect(insn, is_64, is_down, e->addr, &e->op);
  /* One with a repeat prefix makes no accesses where the counter is 0. */
  if (e->cls == OCT_CLASS_OTHER && e->n_slots && (e->op.cond & OCT_COND_OF) == OCT_COND_REGS)
    e->flags |= OCT_MAP_CONDITIONAL;
}

/* ---- AArch64 ---- */

static unsigned aarch64_reg_log2(unsigned reg) {
  if (reg >= ARM64_REG_B0 && reg <= ARM64_REG_B31) return 0;
  if (reg >= ARM64_REG_H0 && reg <= ARM64_REG_H31) return 1;
  if (reg >= ARM64_REG_S0 && reg <= ARM64_REG_S31) return 2;
  if (reg >= ARM64_REG_Q0 && reg <= ARM64_REG_Q31) return 4;
  if ((reg >= ARM64_REG_W0 && reg <= ARM64_REG_W30) || reg == ARM64_REG_WZR) return 2;
  return 3;
}

/* ld and st by name: pairs end in p, the letter behind the name narrows an access. */
static void aarch64_slots(const cs_insn *insn, oct_map_entry *e) {
  const cs_arm64 *a = &insn->detail->arm64;
  const char *name = insn->mnemonic;
  size_t n = strlen(name);
  int store = name[0] == 's', status = starts_with(name, "stx") || starts_with(name, "stlx");
  int is_access = starts_with(name, "ld") || starts_with(name, "st"), pc_rel = 1;
  unsigned first = status ? 1 : 0, size_log2;
  if (starts_with(name, "cas") || starts_with(name, "swp")) store = 2;
  if (starts_with(name, "ldadd") || starts_with(name, "ldclr") || starts_with(name, "ldeor") ||
      starts_with(name, "ldset") || starts_with(name, "ldsmax") || starts_with(name, "ldumax"))
    store = 2;
  if ((!is_access && store != 2) || a->op_count <= first ||
      a->operands[first].type != ARM64_OP_REG || (n > 2 && name[2] >= '1' && name[2] <= '4'))
    return;
  size_log2 = name[n - 1] == 'b'   ? 0
              : name[n - 1] == 'h' ? 1
              : name[n - 1] == 'w' || !strcmp(name, "ldpsw")
                  ? 2
                  : aarch64_reg_log2(a->operands[first].reg);
  for (unsigned i = 0; i < a->op_count; i++)
    if (a->operands[i].type == ARM64_OP_MEM) pc_rel = 0;
  unsigned count = name[n - 1] == 'p' || !strcmp(name, "ldpsw") ? 2 : 1;
  if (store != 1) oct_add_slots(e, count, size_log2, 0, pc_rel && store == 0);
  if (store != 0) oct_add_slots(e, count, size_log2, 1, 0);
  if (status) e->flags |= OCT_MAP_CONDITIONAL;
}

static uint32_t word_at(const uint8_t *b) {
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

unsigned oct_aarch64_newer(const uint8_t *code, size_t n, oct_map_entry *e) {
  static const uint8_t classes[4] = {OCT_CLASS_INDIRECT_JUMP, OCT_CLASS_INDIRECT_CALL,
                                     OCT_CLASS_RETURN, 0};
  if (n < 4) return 0;
  uint32_t word = word_at(code);
  unsigned size_log2 = word >> 30, count = 1;
  int is_store = 0;
  e->cls = OCT_CLASS_OTHER;
  if ((word & 0xfe9ff800) == 0xd61f0800 && classes[word >> 21 & 3]) { /* braa blraa retaa */
    e->cls = classes[word >> 21 & 3];
    count = 0;
  } else if ((word & 0xbfa07c00) == 0x08207c00) { /* casp */
    count = word & 1u << 30 ? 2 : 1;
    size_log2 = 3;
    is_store = 1;
  } else if ((word & 0x3fa07c00) == 0x08a07c00) { /* cas */
    is_store = 1;
  } else if ((word & 0x3f200c00) == 0x38200000) { /* ldadd and its kin, ldapr */
    is_store = (word & 0x3ffffc00) != 0x38bfc000;
  } else if ((word & 0xff200400) != 0xf8200400) { /* ldraa */
    return 0;
  }
  oct_add_slots(e, count, size_log2, 0, 0);
  if (is_store) oct_add_slots(e, count, size_log2, 1, 0);
  oct_aarch64_effect(word, e->addr, &e->op);
  return 4;
}

void oct_aarch64_describe(const cs_insn *insn, oct_map_entry *e) {
  const cs_arm64 *a = &insn->detail->arm64;
  uint64_t target = a->op_count ? (uint64_t)a->operands[a->op_count - 1].imm : 0;
  oct_aarch64_effect(word_at(insn->bytes), e->addr, &e->op);
  switch (insn->id) {
    case ARM64_INS_B:
      set_jump(e, 0, 1, target);
      if (a->cc != ARM64_CC_INVALID && a->cc != ARM64_CC_AL) e->cls = OCT_CLASS_COND_BRANCH;
      break;
    case ARM64_INS_CBZ:
    case ARM64_INS_CBNZ:
    case ARM64_INS_TBZ:
    case ARM64_INS_TBNZ:
      e->cls = OCT_CLASS_COND_BRANCH;
      e->target = target;
      break;
    case ARM64_INS_BL:
      set_jump(e, 1, 1, target);
      break;
    case ARM64_INS_BLR:
    case ARM64_INS_BR:
      set_jump(e, insn->id == ARM64_INS_BLR, 0, 0);
      break;
    case ARM64_INS_RET:
      e->cls = OCT_CLASS_RETURN;
      break;
    default:
      aarch64_slots(insn, e);
      break;
  }
}

/* ---- Thumb ---- */

static unsigned count_regs(const cs_arm *a, int *has_pc) {
  unsigned n = 0;
  for (unsigned i = 0; i < a->op_count; i++) {
    if (a->operands[i].type != ARM_OP_REG) continue;
    n++;
    *has_pc |= a->operands[i].reg == ARM_REG_PC;
  }
  return n;
}

static unsigned arm_reg_log2(unsigned reg) {
  if (reg >= ARM_REG_D0 && reg <= ARM_REG_D31) return 3;
  return 2;
}

/* Lists of registers: push, pop, ldm, stm and those of the floating-point unit. */
static void thumb_list(const cs_insn *insn, oct_map_entry *e) {
  const cs_arm *a = &insn->detail->arm;
  const char *name = insn->mnemonic[0] == 'v' ? insn->mnemonic + 1 : insn->mnemonic;
  int has_pc = 0, is_stack = starts_with(name, "push") || starts_with(name, "pop");
  unsigned n = count_regs(a, &has_pc), last = a->operands[a->op_count - 1].reg;
  int store = name[0] == 's' || starts_with(name, "push");
  if (!is_stack) is_stack = a->operands[0].reg == ARM_REG_SP, n -= n > 0;
  oct_add_slots(e, n, arm_reg_log2(last), store, 0);
  if (!store && has_pc) e->cls = is_stack ? OCT_CLASS_RETURN : OCT_CLASS_INDIRECT_JUMP;
}

/* ldr, str and their kin; the letter behind the name narrows an access. */
static void thumb_single(const cs_insn *insn, oct_map_entry *e) {
  const cs_arm *a = &insn->detail->arm;
  const char *name = insn->mnemonic[0] == 'v' ? insn->mnemonic + 1 : insn->mnemonic;
  const char *kind = name + 3; /* behind ldr and str */
  int store = name[0] == 's', pc_rel = 0, status = starts_with(name, "strex");
  unsigned first = status ? 1 : 0, count = 1, size_log2;
  if (a->op_count <= first) return;
  if (*kind == 'e' && kind[1] == 'x') kind += 2;
  if (*kind == 's') kind++;
  size_log2 = *kind == 'b' ? 0 : *kind == 'h' ? 1 : arm_reg_log2(a->operands[first].reg);
  if (*kind == 'd') count = 2;
  for (unsigned i = 0; i < a->op_count; i++)
    if (a->operands[i].type == ARM_OP_MEM) pc_rel |= a->operands[i].mem.base == ARM_REG_PC;
  oct_add_slots(e, count, size_log2, store, pc_rel);
  if (!store && a->operands[0].type == ARM_OP_REG && a->operands[0].reg == ARM_REG_PC)
    e->cls = a->op_count > 1 && a->operands[1].type == ARM_OP_MEM &&
                     a->operands[1].mem.base == ARM_REG_SP
                 ? OCT_CLASS_RETURN
                 : OCT_CLASS_INDIRECT_JUMP;
  if (status) e->flags |= OCT_MAP_CONDITIONAL;
}

static int thumb_jump(const cs_insn *insn, oct_map_entry *e) {
  const cs_arm *a = &insn->detail->arm;
  const cs_arm_op *last = a->op_count ? &a->operands[a->op_count - 1] : NULL;
  int direct = last && last->type == ARM_OP_IMM;
  uint64_t target = direct ? (uint32_t)last->imm : 0;
  switch (insn->id) {
    case ARM_INS_B:
    case ARM_INS_CBZ:
    case ARM_INS_CBNZ:
      set_jump(e, 0, direct, target);
      if (insn->id != ARM_INS_B || (a->cc != ARM_CC_INVALID && a->cc != ARM_CC_AL))
        e->cls = OCT_CLASS_COND_BRANCH;
      return 1;
    case ARM_INS_BL:
    case ARM_INS_BLX:
      set_jump(e, 1, direct, target);
      return 1;
    case ARM_INS_BX:
      e->cls = last && last->reg == ARM_REG_LR ? OCT_CLASS_RETURN : OCT_CLASS_INDIRECT_JUMP;
      return 1;
    case ARM_INS_TBB:
    case ARM_INS_TBH:
      set_jump(e, 0, 0, 0);
      oct_add_slots(e, 1, insn->id == ARM_INS_TBH, 0, 0);
      return 1;
    case ARM_INS_MOV:
      if (a->op_count < 2 || a->operands[0].reg != ARM_REG_PC) return 0;
      e->cls = last->type == ARM_OP_REG && last->reg == ARM_REG_LR ? OCT_CLASS_RETURN
                                                                   : OCT_CLASS_INDIRECT_JUMP;
      return 1;
    default:
      return 0;
  }
}

void oct_thumb_describe(const cs_insn *insn, oct_map_entry *e) {
  const char *name = insn->mnemonic[0] == 'v' ? insn->mnemonic + 1 : insn->mnemonic;
  if (thumb_jump(insn, e)) return;
  if (starts_with(name, "ldm") || starts_with(name, "stm") || starts_with(name, "push") ||
      starts_with(name, "pop"))
    thumb_list(insn, e);
  else if (starts_with(name, "ldr") || starts_with(name, "str"))
    thumb_single(insn, e);
}
