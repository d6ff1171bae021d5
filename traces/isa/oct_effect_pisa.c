/* SPDX-License-Identifier: Apache-2.0 */
/* oct_effect_pisa.c - effects of PISA, SimpleScalar's instruction set, from the text of
 * its disassembler: mnemonic and operands.
 *
 * PISA is MIPS without delayed jumps, with instructions of 8 bytes. Operands are registers (r0 to
 * r31, f0 to f31), numbers, `o(rB)` and `(rB+rI)`. Multiplication, division, comparison to a
 * register and what the floating-point unit computes are not followed. */
#include "oct_effect_pisa.h"

#include "oct_effect_build.h"

#include <stdlib.h>

enum { REG_V0 = 2, REG_A3 = 7, REG_RA = 31, OPERANDS_MAX = 3, OPERAND_CHARS = 24 };

typedef struct operand {
  enum { NOTHING, REGISTER, NUMBER, MEMORY } kind;
  unsigned reg, base, index; /* index: OCT_REG_ZERO without */
  uint64_t value;            /* number or offset, two's complement */
} operand;

typedef struct rule {
  char name[6];
  uint8_t how, what;
} rule;

enum how {
  ALU,
  SHIFT,
  SHIFT_BY,
  LOAD,
  STORE,
  BRANCH,
  BRANCH_ZERO,
  CALL,
  REGISTER_CALL,
  JUMP,
  NOTHING_SEEN,
  UPPER,
  NOR
};

/* Those whose operation is known; what: result, kind of shift, comparison or signedness. */
static const rule rules[] = {
    {"add", ALU, OCT_RESULT_ADD},
    {"addu", ALU, OCT_RESULT_ADD},
    {"addi", ALU, OCT_RESULT_ADD},
    {"addiu", ALU, OCT_RESULT_ADD},
    {"sub", ALU, OCT_RESULT_SUB},
    {"subu", ALU, OCT_RESULT_SUB},
    {"and", ALU, OCT_RESULT_AND},
    {"andi", ALU, OCT_RESULT_AND},
    {"or", ALU, OCT_RESULT_OR},
    {"ori", ALU, OCT_RESULT_OR},
    {"xor", ALU, OCT_RESULT_XOR},
    {"xori", ALU, OCT_RESULT_XOR},
    {"nor", NOR, 0},
    {"lui", UPPER, 0},
    {"sll", SHIFT, OCT_SHIFT_LEFT},
    {"srl", SHIFT, OCT_SHIFT_RIGHT},
    {"sra", SHIFT, OCT_SHIFT_SIGNED},
    {"sllv", SHIFT_BY, OCT_RESULT_SHL},
    {"srlv", SHIFT_BY, OCT_RESULT_SHR},
    {"srav", SHIFT_BY, OCT_RESULT_SAR},
    {"lb", LOAD, 1},
    {"lbu", LOAD, 0},
    {"lh", LOAD, 1},
    {"lhu", LOAD, 0},
    {"lw", LOAD, 0},
    {"dlw", LOAD, 0},
    {"l.s", LOAD, 0},
    {"l.d", LOAD, 0},
    {"sb", STORE, 0},
    {"sh", STORE, 0},
    {"sw", STORE, 0},
    {"dsw", STORE, 0},
    {"dsz", NOTHING_SEEN, 0},
    {"s.s", STORE, 0},
    {"s.d", STORE, 0},
    {"beq", BRANCH, OCT_CMP_EQ},
    {"bne", BRANCH, OCT_CMP_NE},
    {"blez", BRANCH_ZERO, OCT_CMP_LE},
    {"bgtz", BRANCH_ZERO, OCT_CMP_GT},
    {"bltz", BRANCH_ZERO, OCT_CMP_LT},
    {"bgez", BRANCH_ZERO, OCT_CMP_GE},
    {"jal", CALL, 0},
    {"jalr", REGISTER_CALL, 0},
    {"jr", JUMP, 0},
    {"j", NOTHING_SEEN, 0},
    {"nop", NOTHING_SEEN, 0},
    {"swl", NOTHING_SEEN, 0},
    {"swr", NOTHING_SEEN, 0},
    {"mult", NOTHING_SEEN, 0},
    {"multu", NOTHING_SEEN, 0},
    {"div", NOTHING_SEEN, 0},
    {"divu", NOTHING_SEEN, 0},
    {"mtc1", NOTHING_SEEN, 0},
    {"dmtc1", NOTHING_SEEN, 0},
    {"mthi", NOTHING_SEEN, 0},
    {"mtlo", NOTHING_SEEN, 0},
};

static unsigned source(unsigned reg) {
  return reg ? reg : OCT_REG_ZERO;
}

static unsigned dest(unsigned reg) {
  return reg ? reg : OCT_REG_NONE;
}

/* `r12`: its number at *reg. */
static const char *take_register(const char *p, unsigned *reg) {
  char *end;
  if (*p++ != 'r') return NULL;
  unsigned long n = strtoul(p, &end, 10);
  *reg = (unsigned)n;
  return end == p || n > 31 ? NULL : end;
}

static operand parse(const char *text) {
  operand o = {.kind = NOTHING, .index = OCT_REG_ZERO};
  char *end = NULL;
  const char *p = text;
  if (*p == 'r') {
    if ((p = take_register(p, &o.reg)) && !*p) o.kind = REGISTER;
    return o;
  }
  if (*p != '(') {
    o.value = (uint64_t)strtoll(p, &end, 0);
    if (end == p) return o;
    p = end;
    o.kind = NUMBER;
    if (!*p) return o;
  }
  o.kind = NOTHING;
  if (*p++ != '(' || !(p = take_register(p, &o.base))) return o;
  if (*p == '+' && !(p = take_register(p + 1, &o.index))) return o;
  if (*p == ')' && !p[1]) o.kind = MEMORY;
  return o;
}

/* Split at commas; operands that are longer than any are left out. */
static void split(const char *p, const char *end, operand *list) {
  for (unsigned k = 0; k < OPERANDS_MAX; k++) {
    char text[OPERAND_CHARS] = "";
    size_t n = 0;
    for (; p < end && *p != ','; p++)
      if (n + 1 < sizeof text) text[n++] = *p;
    if (p < end) p++;
    list[k] = parse(text);
  }
}

/* The second source: a register or a number. */
static void alu(oct_effect *op, unsigned result, const operand *o) {
  if (o[0].kind != REGISTER || o[1].kind != REGISTER || !o[0].reg) return;
  oct_effect_alu(op, result, o[0].reg, source(o[1].reg),
                 o[2].kind == REGISTER ? source(o[2].reg) : OCT_REG_ZERO,
                 o[2].kind == REGISTER ? 0 : o[2].value);
}

static void apply(const rule *r, const operand *o, oct_effect *op) {
  int is_float = o[0].kind != REGISTER;
  switch (r->how) {
    case ALU:
      alu(op, r->what, o);
      break;
    case NOR: /* with zero it is not */
      if (o[1].reg && o[2].reg)
        oct_effect_clobber(op, o[0].reg);
      else if (o[0].reg)
        oct_effect_alu(op, OCT_RESULT_ORN, o[0].reg, OCT_REG_ZERO, source(o[1].reg | o[2].reg), 0);
      break;
    case UPPER:
      if (o[0].reg) oct_effect_constant(op, o[0].reg, (o[1].value & 0xffff) << 16);
      break;
    case SHIFT:
      if (!o[0].reg) break;
      oct_effect_alu(op, OCT_RESULT_ADD, o[0].reg, OCT_REG_ZERO, source(o[1].reg), 0);
      op->b_form = (uint8_t)(r->what | (o[2].value & 31));
      break;
    case SHIFT_BY:
      alu(op, r->what, o);
      break;
    case LOAD:
    case STORE:
      if (o[1].kind != MEMORY) break;
      oct_effect_memory(op, 0, source(o[1].base), o[1].value)->index =
          (uint8_t)(o[1].index ? o[1].index : OCT_REG_ZERO);
      if (!is_float) op->data[0] = (uint8_t)(r->how == LOAD ? dest(o[0].reg) : source(o[0].reg));
      if (r->how == LOAD && r->what) op->width |= OCT_EFFECT_LOAD_SIGNED;
      break;
    case BRANCH:
    case BRANCH_ZERO:
      op->cond = (uint8_t)(OCT_COND_REGS | r->what);
      op->cond_a = (uint8_t)source(o[0].reg);
      op->cond_b = (uint8_t)(r->how == BRANCH ? source(o[1].reg) : OCT_REG_ZERO);
      break;
    case CALL:
      op->link = REG_RA;
      break;
    case REGISTER_CALL:
      oct_effect_jump(op, source(o[1].reg), 0);
      op->link = (uint8_t)dest(o[0].reg);
      break;
    case JUMP:
      oct_effect_jump(op, source(o[0].reg), 0);
      break;
    default:
      break;
  }
}

/* Loads and stores of two words: the listing shows the address of the second one, and more than one
 * register is kept. */
static void widen(const char *name, const operand *o, oct_effect *op) {
  int is_float = name[1] == '.' && name[2] == 'd';
  if (name[0] != 'd' && !is_float) return;
  op->mem[0].offset += 4;
  op->data[0] = OCT_REG_NONE;
  if (is_float || name[1] != 'l' || o[0].kind != REGISTER) return;
  oct_effect_clobber(op, o[0].reg);
  oct_effect_clobber(op, o[0].reg + 1);
}

void oct_pisa_effect(const char *name, size_t n_name, const char *operands, const char *end,
                     oct_effect *op) {
  operand o[OPERANDS_MAX];
  oct_effect_start(op, 0);
  split(operands, end, o);
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
    if (strlen(rules[i].name) != n_name || memcmp(rules[i].name, name, n_name)) continue;
    apply(&rules[i], o, op);
    if (rules[i].how == LOAD || rules[i].how == STORE) widen(name, o, op);
    oct_effect_simplify(op);
    return;
  }
  if (n_name == 7 && !memcmp(name, "syscall", 7)) {
    op->flags |= OCT_EFFECT_SYSTEM;
    op->clobbers = UINT32_C(1) << REG_V0 | UINT32_C(1) << REG_A3;
  } else if (n_name == 4 && !memcmp(name, "bc1", 3)) {
    op->cond = OCT_COND_UNKNOWN;
  } else if (o[0].kind == REGISTER) {
    oct_effect_clobber(op, o[0].reg);
    if (*name == 'd') oct_effect_clobber(op, o[0].reg + 1); /* dmfc1 */
  }
  op->clobbers &= ~UINT32_C(1);
}
