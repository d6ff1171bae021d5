/* SPDX-License-Identifier: Apache-2.0 */
/* effect_text.h - an effect in one line of text, which says every field that is not at rest.
 *
 *   if eq: / if r1 lt r2: / if r1.5=0:   the condition
 *   @[r1+r2<<2+8]  @1[sp-8]!  +=4  same  memory operands, write-back, one address for all
 *   r3=add(r1,r2<<3+5) w32 sx            result, width if not the register's, sign extension
 *   flags=alu  data=r1,r2  list=ff  to=result  to=word0  link=r14  clobbers=f  */
#ifndef OCT_EFFECT_TEXT_H
#define OCT_EFFECT_TEXT_H

#include "octrace/trace.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct op_line {
  char text[400];
  size_t n;
} op_line;

static inline void say(op_line *l, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(l->text + l->n, sizeof l->text - l->n, format, args);
  va_end(args);
  if (n > 0) l->n += (size_t)n;
  if (l->n >= sizeof l->text) l->n = sizeof l->text - 1;
}

static inline void say_reg(op_line *l, unsigned reg) {
  static const char *const names[] = {"?", "zero", "word", "result", "ret"};
  if (reg < OCT_REG_COUNT)
    say(l, "r%u", reg);
  else
    say(l, "%s", reg <= OCT_REG_LINK ? names[reg - OCT_REG_COUNT] : "bad");
}

static inline void say_number(op_line *l, uint64_t v) {
  if (v >> 63)
    say(l, "-%" PRIx64, 0 - v);
  else if (v)
    say(l, "+%" PRIx64, v);
}

/* A register, extended and shifted. */
static inline void say_shifted(op_line *l, unsigned reg, unsigned extend, unsigned form) {
  static const char *const extends[] = {"", ".u8", ".u16", ".u32", ".s8", ".s16", ".s32"};
  static const char *const kinds[] = {"<<", ">>", ">>>", "ror"};
  say_reg(l, reg);
  say(l, "%s", extends[extend]);
  if (form) say(l, "%s%u", kinds[form >> 6], form & 63);
}

static inline void say_condition(op_line *l, const oct_effect *op) {
  static const char *const flags[] = {"eq", "ne", "cs", "cc", "mi", "pl", "vs",
                                      "vc", "hi", "ls", "ge", "lt", "gt", "le"};
  static const char *const compares[] = {"eq", "ne", "lt", "ge", "le", "gt", "ltu", "geu"};
  unsigned which = op->cond & OCT_COND_WHICH;
  if (!op->cond) return;
  say(l, "if ");
  switch (op->cond & OCT_COND_OF) {
    case OCT_COND_FLAGS:
      say(l, "%s", flags[which]);
      break;
    case OCT_COND_REGS:
      say_reg(l, op->cond_a);
      say(l, " %s ", compares[which]);
      say_reg(l, op->cond_b);
      break;
    case OCT_COND_BIT:
      say_reg(l, op->cond_a);
      say(l, ".%u=%u", op->cond_b, which);
      break;
    default:
      say(l, "?");
      break;
  }
  say(l, "%s: ", op->width & OCT_EFFECT_BIT_NARROW ? " w32" : "");
}

static inline void say_memory(op_line *l, const oct_effect_mem *m, unsigned number) {
  if (!(m->form & OCT_MEM_VALID)) return;
  say(l, number ? "@1[" : "@[");
  say_reg(l, m->base);
  if (m->index != OCT_REG_ZERO) {
    say(l, m->form & OCT_MEM_MINUS ? "-" : "+");
    say_shifted(l, m->index, (m->form & OCT_MEM_INDEX_EXTEND) >> 4, m->shift);
  }
  say_number(l, m->offset);
  say(l, "]");
  if ((m->form & OCT_MEM_BACK) == OCT_MEM_BACK_ADDRESS) say(l, "!");
  if ((m->form & OCT_MEM_BACK) == OCT_MEM_BACK_STEP) say(l, "+=%d", (int)m->step);
  if ((m->form & OCT_MEM_BACK) == OCT_MEM_BACK_INDEX) say(l, "+=index");
  if (m->form & OCT_MEM_SAME) say(l, "same");
  say(l, " ");
}

static inline void say_result(op_line *l, const oct_effect *op) {
  static const char *const results[] = {"none", "add", "sub",    "rsb",    "and",
                                        "or",   "xor", "bic",    "orn",    "shl",
                                        "shr",  "sar", "insert", "select", "address"};
  if (!op->result) return;
  if (op->dest != OCT_REG_NONE) say_reg(l, op->dest);
  say(l, "=%s(", results[op->result]);
  if (op->result != OCT_RESULT_ADDRESS) {
    say_reg(l, op->a);
    say(l, ",");
    say_shifted(l, op->b, op->b_extend, op->b_form);
    say_number(l, op->imm);
  }
  say(l, ")");
  unsigned full = op->flags & OCT_EFFECT_64 ? 3 : 2;
  if ((op->width & OCT_EFFECT_WIDTH_LOG2) != full)
    say(l, "w%u", 8u << (op->width & OCT_EFFECT_WIDTH_LOG2));
  if (op->width & OCT_EFFECT_SIGNED_RESULT) say(l, "sx");
  say(l, " ");
}

static inline void say_effects(op_line *l, const oct_effect *op) {
  static const char *const how[] = {"keep", "alu",   "alu-x86", "nzv", "nz",
                                    "nz-c", "nz-00", "nz-10",   "?"};
  if (op->set_flags & 15) say(l, "flags=%s ", how[op->set_flags & 15]);
  if (op->set_flags >> 4 != 15) say(l, "first=%u ", op->set_flags >> 4);
  if (op->data[0] != OCT_REG_NONE || op->data[1] != OCT_REG_NONE) {
    say(l, "data=");
    say_reg(l, op->data[0]);
    if (op->data[0] == OCT_REG_ZERO && !op->result) say_number(l, op->imm);
    if (op->data[1] != OCT_REG_NONE) say(l, ","), say_reg(l, op->data[1]);
    say(l, " ");
  }
  if (op->width & OCT_EFFECT_LOAD_SIGNED)
    say(l, op->width & OCT_EFFECT_LOAD_SIGNED_32 ? "sx32 " : "sx ");
  if (op->list) say(l, "list=%x ", op->list);
  if ((op->target & 15) == OCT_TARGET_RESULT) say(l, "to=result ");
  if ((op->target & 15) == OCT_TARGET_LOADED) say(l, "to=word%u ", op->target >> 4);
  if ((op->target & 15) == OCT_TARGET_UNKNOWN) say(l, "to=? ");
  if (op->flags & OCT_EFFECT_EVEN_TARGET) say(l, "even ");
  if (op->link != OCT_REG_NONE)
    say(l, "link=r%u%s ", op->link, op->flags & OCT_EFFECT_LINK_ODD ? "+1" : "");
  if (op->flags & OCT_EFFECT_DELAYED)
    say(l, op->flags & OCT_EFFECT_LIKELY ? "likely " : "delayed ");
  if (op->flags & OCT_EFFECT_SYSTEM) say(l, "system ");
  if (op->clobbers) say(l, "clobbers=%x ", op->clobbers);
}

/* The line, without a blank at its end; "-" for an operation that does nothing, "unknown" for none.
 */
static inline const char *effect_text(op_line *l, const oct_effect *op) {
  l->n = 0;
  l->text[0] = 0;
  if (!(op->flags & OCT_EFFECT_KNOWN)) return "unknown";
  say_condition(l, op);
  say_memory(l, &op->mem[0], 0);
  say_memory(l, &op->mem[1], 1);
  say_result(l, op);
  say_effects(l, op);
  while (l->n && l->text[l->n - 1] == ' ') l->text[--l->n] = 0;
  return l->n ? l->text : "-";
}

#endif
