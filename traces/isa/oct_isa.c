/* SPDX-License-Identifier: Apache-2.0 */
/* oct_isa.c - instruction sets: their table, and the one entry to their decoders.
 *
 * ARM, RISC-V and MIPS have decoders of octrace's own; x86, AArch64 and Thumb go through Capstone.
 * Either gives class, target and access slots, then the effect. Thumb's IT blocks are
 * followed here: each instruction of a block tells the next one's condition. */
#include "oct_isa_decode.h"
#include "oct_effect_build.h"

#include <stdlib.h>
#include <string.h>

static const oct_isa_info infos[OCT_ISA_COUNT] = {
    [OCT_ISA_ARM] = {"arm", 32, 4, 4, 16, 0},
    [OCT_ISA_THUMB] = {"thumb", 32, 2, 0, 16, 0},
    [OCT_ISA_RISCV32] = {"riscv32", 32, 2, 0, 32, 0},
    [OCT_ISA_RISCV64] = {"riscv64", 64, 2, 0, 32, 0},
    [OCT_ISA_AARCH64] = {"aarch64", 64, 4, 4, 32, 0},
    [OCT_ISA_X86] = {"x86", 32, 1, 0, 16, 0},
    [OCT_ISA_X86_64] = {"x86-64", 64, 1, 0, 16, 0},
    [OCT_ISA_MIPS] = {"mips", 32, 4, 4, 32, 1},
    [OCT_ISA_MIPSEL] = {"mipsel", 32, 4, 4, 32, 1},
};

static const struct {
  const char *name;
  oct_isa isa;
} aliases[] = {
    {"arm64", OCT_ISA_AARCH64}, {"x86_64", OCT_ISA_X86_64}, {"amd64", OCT_ISA_X86_64},
    {"i386", OCT_ISA_X86},      {"i586", OCT_ISA_X86},      {"i686", OCT_ISA_X86},
};

/* How names with a version or with extensions begin: "armv5te", "rv64imac". */
static const struct {
  const char *prefix;
  oct_isa isa;
} families[] = {
    {"armv4", OCT_ISA_ARM}, {"armv5", OCT_ISA_ARM},    {"armv6", OCT_ISA_ARM},
    {"armv7", OCT_ISA_ARM}, {"rv32", OCT_ISA_RISCV32}, {"rv64", OCT_ISA_RISCV64},
};

/* What the instructions before one tell of it, when they are decoded in order: of Thumb code that
 * an IT block goes on here, condition << 4 | mask; of x86 code that strings go down (std). */
typedef struct place {
  uint64_t addr;
  uint8_t state; /* 0: nothing */
} place;

enum { PLACES = 1024, COND_ALWAYS = 14 };

struct oct_disasm {
  oct_isa isa;
  csh capstone; /* 0 when not used */
  cs_insn *insn;
  place places[PLACES]; /* by address; the last ones seen */
};

const oct_isa_info *oct_isa_get(oct_isa isa) {
  return &infos[isa];
}

int oct_isa_by_name(const char *name) {
  for (int i = 0; i < OCT_ISA_COUNT; i++)
    if (!strcmp(name, infos[i].name)) return i;
  for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
    if (!strcmp(name, aliases[i].name)) return (int)aliases[i].isa;
  for (size_t i = 0; i < sizeof families / sizeof *families; i++)
    if (!strncmp(name, families[i].prefix, strlen(families[i].prefix))) return (int)families[i].isa;
  return OCT_ERR_ARG;
}

void oct_add_slots(oct_map_entry *e, unsigned count, unsigned size_log2, int store, int pc_rel) {
  for (; count && e->n_slots < UINT8_MAX; count--, e->n_slots++)
    if (e->n_slots < OCT_SLOTS_MAX)
      e->slots[e->n_slots] =
          (uint8_t)(size_log2 | (store ? OCT_SLOT_STORE : 0) | (pc_rel ? OCT_SLOT_PC_RELATIVE : 0));
}

oct_disasm *oct_disasm_new(oct_isa isa) {
  oct_disasm *d = calloc(1, sizeof *d);
  cs_arch arch = CS_ARCH_X86;
  cs_mode mode = CS_MODE_64;
  if (!d) return NULL;
  d->isa = isa;
  switch (isa) {
    case OCT_ISA_THUMB:
      arch = CS_ARCH_ARM;
      mode = CS_MODE_THUMB;
      break;
    case OCT_ISA_AARCH64:
      arch = CS_ARCH_ARM64;
      mode = CS_MODE_ARM;
      break;
    case OCT_ISA_X86:
      mode = CS_MODE_32;
      break;
    case OCT_ISA_X86_64:
      break;
    default:
      return d;
  }
  if (!oct_capstone_open(arch, mode, &d->capstone, &d->insn)) return d;
  oct_disasm_free(d);
  return NULL;
}

void oct_disasm_free(oct_disasm *d) {
  if (!d) return;
  if (d->insn) cs_free(d->insn, 1);
  if (d->capstone) cs_close(&d->capstone);
  free(d);
}

void oct_disasm_forget(oct_disasm *d) {
  memset(d->places, 0, sizeof d->places);
}

/* What is known at addr, 0 for nothing. */
static uint8_t state_at(const oct_disasm *d, uint64_t addr) {
  const place *p = &d->places[addr % PLACES];
  return p->addr == addr ? p->state : 0;
}

static void set_state(oct_disasm *d, uint64_t addr, uint8_t state) {
  if (state != state_at(d, addr)) d->places[addr % PLACES] = (place){addr, state};
}

/* The rest of Thumb: the IT block that the instruction stands in or begins, and its operation. Each
 * instruction of a block tells the next one, so they are known when decoded in order. */
static void describe_in_block(oct_disasm *d, oct_map_entry *e) {
  const uint8_t *b = d->insn->bytes;
  unsigned size = d->insn->size;
  uint32_t first = b[0] | (uint32_t)b[1] << 8, second = size == 4 ? b[2] | (uint32_t)b[3] << 8 : 0;
  uint8_t state = state_at(d, e->addr);
  unsigned cond = state ? state >> 4 : COND_ALWAYS;
  oct_thumb_effect(first, second, size, cond, e->addr, &e->op);
  if (cond < COND_ALWAYS) {
    if (e->cls == OCT_CLASS_DIRECT_JUMP)
      e->cls = OCT_CLASS_COND_BRANCH;
    else if (e->n_slots || e->cls > OCT_CLASS_COND_BRANCH)
      e->flags |= OCT_MAP_CONDITIONAL;
  }
  state = (uint8_t)(state & 7 ? (state & 0xe0) | (state << 1 & 0x1f) : 0);
  if ((first & 0xff00) == 0xbf00 && (first & 15)) state = (uint8_t)first;
  set_state(d, e->addr + size, state);
}

/* x86: strings go down behind std, until cld, or popf, which brings back what was before. What
 * stands behind a jump is reached otherwise. */
static void describe_with_direction(oct_disasm *d, oct_map_entry *e) {
  uint8_t is_down = state_at(d, e->addr);
  oct_x86_describe(d->insn, d->isa == OCT_ISA_X86_64, is_down, e);
  const unsigned id = d->insn->id;
  if (id == X86_INS_STD) is_down = 1;
  if (id == X86_INS_CLD || id == X86_INS_POPF || id == X86_INS_POPFD || id == X86_INS_POPFQ)
    is_down = 0;
  if (e->cls == OCT_CLASS_DIRECT_JUMP || e->cls == OCT_CLASS_INDIRECT_JUMP ||
      e->cls == OCT_CLASS_RETURN)
    is_down = 0;
  set_state(d, e->addr + d->insn->size, is_down);
}

/* MIPS: a likely branch may lead right behind its slot. Whether the slot was executed, an emulator
 * does not show, so what it would write is not known. */
static void describe_slot(oct_disasm *d, oct_map_entry *e) {
  oct_effect *op = &e->op;
  if (state_at(d, e->addr) && e->cls == OCT_CLASS_OTHER && !e->n_slots &&
      op->result != OCT_RESULT_NONE && op->dest < OCT_REG_COUNT) {
    op->clobbers |= UINT32_C(1) << op->dest;
    op->result = OCT_RESULT_NONE;
    op->dest = OCT_REG_NONE;
    op->cond = OCT_COND_ALWAYS;
  }
  set_state(d, e->addr + 4, (op->flags & OCT_EFFECT_LIKELY) && e->target == e->addr + 8);
}

/* Capstone keeps the state of an IT block for the instructions that it decodes next, wherever they
 * stand. Four instructions without effect take it up. */
static void leave_block(oct_disasm *d) {
  static const uint8_t nop[2] = {0x00, 0xbf};
  const uint8_t *b = d->insn->bytes;
  if (d->insn->size != 2 || b[1] != 0xbf || !(b[0] & 15)) return;
  for (unsigned i = 0; i < 4; i++) oct_capstone_decode(d->capstone, nop, sizeof nop, 0, d->insn);
}

static unsigned by_capstone(oct_disasm *d, const uint8_t *code, size_t n, oct_map_entry *e) {
  if (!oct_capstone_decode(d->capstone, code, n, e->addr, d->insn))
    return d->isa == OCT_ISA_AARCH64 ? oct_aarch64_newer(code, n, e) : 0;
  e->cls = OCT_CLASS_OTHER;
  if (d->isa == OCT_ISA_AARCH64) {
    oct_aarch64_describe(d->insn, e);
  } else if (d->isa == OCT_ISA_THUMB) {
    oct_thumb_describe(d->insn, e);
    describe_in_block(d, e);
    leave_block(d);
  } else {
    describe_with_direction(d, e);
  }
  if (infos[d->isa].addr_bits == 32) e->target &= UINT32_MAX;
  return d->insn->size; /* the same behind leave_block */
}

unsigned oct_disasm_insn(oct_disasm *d, uint64_t addr, const uint8_t *code, size_t n,
                         oct_map_entry *e) {
  unsigned size;
  memset(e, 0, sizeof *e);
  e->addr = addr;
  if (d->capstone)
    size = by_capstone(d, code, n, e);
  else if (d->isa == OCT_ISA_ARM)
    size = oct_arm_decode(code, n, e);
  else if (d->isa == OCT_ISA_RISCV32 || d->isa == OCT_ISA_RISCV64)
    size = oct_riscv_decode(d->isa == OCT_ISA_RISCV64, code, n, e);
  else if ((size = oct_mips_decode(d->isa == OCT_ISA_MIPS, code, n, e)))
    describe_slot(d, e);
  if (!size) {
    memset(e, 0, sizeof *e);
    e->addr = addr;
  }
  e->size_bytes = (uint8_t)size;
  oct_effect_simplify(&e->op);
  if (size && size <= OCT_CODE_MAX) {
    e->code_isa = (uint8_t)(d->isa + 1);
    memcpy(e->code, code, size);
  }
  return size;
}

struct oct_disasm_set {
  oct_disasm *of[OCT_ISA_COUNT];
};

oct_disasm_set *oct_disasm_set_new(void) {
  return calloc(1, sizeof(oct_disasm_set));
}

void oct_disasm_set_free(oct_disasm_set *set) {
  if (!set) return;
  for (int isa = 0; isa < OCT_ISA_COUNT; isa++) oct_disasm_free(set->of[isa]);
  free(set);
}

int oct_disasm_set_insn(oct_disasm_set *set, const oct_map_entry *e, oct_map_entry *decoded) {
  if (e->code_isa < 1 || e->code_isa > OCT_ISA_COUNT) return OCT_ERR_ARG;
  oct_disasm **d = &set->of[e->code_isa - 1];
  if (!*d && !(*d = oct_disasm_new((oct_isa)(e->code_isa - 1)))) return OCT_ERR_NOMEM;
  return oct_disasm_insn(*d, e->addr, e->code, e->size_bytes, decoded) == e->size_bytes;
}

int oct_disasm_set_describe(oct_disasm_set *set, oct_map_entry *e) {
  oct_map_entry decoded;
  int r = oct_disasm_set_insn(set, e, &decoded);
  if (r == 1) e->op = decoded.op;
  return r < 0 ? r : 0;
}
