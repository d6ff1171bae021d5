/* SPDX-License-Identifier: Apache-2.0 */
/* test_effect_forms.c - do the vectors of data/shadow-ops/ have every form that the decoders give?
 *
 * Random instructions of each set are decoded. Each has some *forms*: its result with the kinds of
 * its operands, its result with its flags, base and index and write-back of each memory operand,
 * what its accesses move, and how the program goes on. For x86, whose operations come from another
 * decoder's output, the instruction itself is one, with memory and without. Each must be a form of
 * a vector. Encodings that the manuals call unpredictable, and words that are no instruction, do
 * not count.
 *
 * Each missing form is printed as a line of the vectors, without its assembler text. PISA, which
 * has no bits, has no random instructions. The seed is fixed, since the forms are to be the same.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <capstone/capstone.h>
#include <cmocka.h>

#include "../test_random.h"
#include "octrace/trace.h"
#include "effect_text.h"

enum { START = 0x8000, LINE_BYTES = 400, FORMS = 7, SEED = 1 };

/* Which forms the vectors have: one bit for each hash of one. */
enum { SEEN_LOG2 = 26 };
static uint8_t *seen;

static unsigned kind_of(unsigned reg) {
  return reg < OCT_REG_COUNT ? 0 : reg;
}

/* The hash of a form and one more of its properties, which is below 256. */
static uint64_t join(uint64_t form, uint64_t more) {
  return (form << 8 | more) * UINT64_C(0x9e3779b97f4a7c15) >> 8;
}

/* Base, write-back, and the index with its shift and extension. */
static uint64_t memory_form(const oct_effect_mem *m) {
  int has_index = m->index != OCT_REG_ZERO;
  if (!(m->form & OCT_MEM_VALID)) return 0;
  uint64_t form = join(kind_of(m->base), has_index ? m->form : m->form & 15u);
  return join(form, has_index ? 1 + (unsigned)(m->shift >> 6) * 2 + !!(m->shift & 63) : 0);
}

/* Does the other decoder, where there is one, know the instruction? *name is what it calls one of
 * x86, with or without memory; 0 for those of vectors and of the old floating-point unit, of which
 * only the access is described. */
static int is_instruction(csh other, oct_isa isa, const oct_map_entry *e, unsigned *name) {
  cs_insn *cs = NULL;
  *name = 0;
  if (!other) return 1;
  if (cs_disasm(other, e->code, e->size_bytes, e->addr, 1, &cs) != 1) return 0;
  int is_whole = cs->size == e->size_bytes;
  if (isa == OCT_ISA_X86 || isa == OCT_ISA_X86_64) {
    const cs_detail *d = cs->detail;
    int is_general = 1;
    for (unsigned k = 0; k < d->groups_count; k++) {
      const char *group = cs_group_name(other, d->groups[k]);
      is_general &= d->groups[k] < X86_GRP_VM || !strcmp(group, "mode64") ||
                    !strcmp(group, "not64bitmode") || !strcmp(group, "cmov") ||
                    !strncmp(group, "bmi", 3);
    }
    for (unsigned k = 0; k < d->x86.op_count; k++)
      if (d->x86.operands[k].type == X86_OP_MEM) *name = 1;
    *name = is_general ? *name + 2 * cs->id : 0;
  }
  cs_free(cs, 1);
  return is_whole;
}

static void forms_of(const oct_map_entry *e, unsigned name, uint64_t forms[FORMS]) {
  const oct_effect *op = &e->op;
  /* The second operand, the result and its flags. */
  uint64_t b = join(kind_of(op->b), op->b == OCT_REG_ZERO && op->imm);
  if (op->b != OCT_REG_ZERO)
    b = join(join(b, op->b_form ? 1 + (op->b_form >> 6) : 0), op->b_extend);
  forms[0] = op->result ? join(join(b, op->result), op->width) : 0;
  forms[1] = join(join(op->result, op->set_flags), op->dest == OCT_REG_NONE);
  forms[2] = join(memory_form(&op->mem[0]), e->cls);
  forms[3] = memory_form(&op->mem[1]);
  /* The accesses, and what they move. */
  uint64_t slots = join(e->n_slots < 3 ? e->n_slots : 3, e->n_slots ? 1u + e->slots[0] : 0);
  forms[4] = join(join(slots, kind_of(op->data[0])), kind_of(op->data[1]));
  forms[4] = join(join(forms[4], op->width & ~3u), !!op->list);
  /* The way that the program goes. */
  forms[5] = join(join(op->cond & OCT_COND_OF, op->target & 15), op->link == OCT_REG_NONE);
  forms[5] = join(join(forms[5], op->flags), e->cls);
  forms[6] = name;
}

/* The forms of e are known from here on; how many were not. */
static unsigned know(const oct_map_entry *e, unsigned name) {
  uint64_t forms[FORMS];
  unsigned n_new = 0;
  forms_of(e, name, forms);
  for (unsigned i = 0; i < FORMS; i++) {
    uint64_t h = join(forms[i], i) & ((UINT64_C(1) << SEEN_LOG2) - 1);
    n_new += !(seen[h >> 3] >> (h & 7) & 1);
    seen[h >> 3] |= (uint8_t)(1u << (h & 7));
  }
  return n_new;
}

static void know_vectors(oct_isa isa, oct_disasm *d, csh other) {
  const char *name = oct_isa_get(isa)->name;
  char path[300], line[LINE_BYTES];
  snprintf(path, sizeof path, "%s/shadow-ops/%s.txt", TEST_DATA, name);
  FILE *f = fopen(path, "r");
  if (!f) fail_msg("cannot open %s", path);
  for (uint64_t addr = START; fgets(line, sizeof line, f);) {
    uint8_t code[OCT_CODE_MAX];
    unsigned n = 0, v, called;
    oct_map_entry e;
    if (*line == '#') continue;
    for (const char *p = line; n < OCT_CODE_MAX && sscanf(p, "%2x", &v) == 1; p += 2)
      code[n++] = (uint8_t)v;
    assert_int_equal(oct_disasm_insn(d, addr, code, n, &e), n);
    addr += n;
    is_instruction(other, isa, &e, &called);
    know(&e, called);
  }
  fclose(f);
}

/* A prefix, one of wide registers, an opcode of one of four maps. */
static void begin_x86(uint8_t *code, int is_64) {
  static const uint8_t prefixes[] = {0x66, 0xf2, 0xf3, 0xf0, 0x67, 0x64,
                                     0x65, 0x26, 0x2e, 0x36, 0x3e},
                       maps[] = {0x38, 0x3a};
  unsigned n = 0;
  if (below(2)) code[n++] = prefixes[below(6)];
  if (is_64 && below(3) == 0) code[n++] = (uint8_t)(0x40 | below(16));
  if (below(2)) {
    code[n++] = 0x0f;
    if (below(3) == 0) code[n++] = maps[below(2)];
  } else {
    while (memchr(prefixes, code[n], sizeof prefixes) || (is_64 && code[n] >> 4 == 4))
      code[n] = (uint8_t)below(256);
  }
}

/* Is a word one of RV32 or RV64? Their decoder takes each width. */
static int is_riscv(const oct_map_entry *e, int is_64) {
  unsigned opcode = e->code[0] & 0x7f, width = e->code[1] >> 4 & 7, change = e->code[3] >> 3;
  if (e->size_bytes == 2) return 1;
  if (opcode == 0x67) return width == 0;
  if (opcode == 0x2f && (change & 3) && change > 3) return 0;
  if (opcode == 0x2f) return width == 2 || (is_64 && width == 3);
  if (opcode == 0x07 || opcode == 0x27) return width == 2 || width == 3;
  if ((opcode == 0x03 && width == 7) || (opcode == 0x23 && width > 3)) return 0;
  if (is_64) return 1;
  if (opcode == 0x03 || opcode == 0x23) return width != 3 && width != 6;
  return opcode != 0x1b && opcode != 0x3b;
}

/* Has a word of A32 pc where the manual calls that unpredictable? */
static int is_arm(const oct_map_entry *e) {
  uint32_t w = e->code[0] | (uint32_t)e->code[1] << 8 | (uint32_t)e->code[2] << 16 |
               (uint32_t)e->code[3] << 24;
  unsigned n = w >> 16 & 15, d = w >> 12 & 15, m = w & 15;
  int is_load = w >> 20 & 1, writes_back = !(w >> 24 & 1) || (w >> 21 & 1);
  switch (w >> 25 & 7) {
    case 0:
      if ((w & 0x90) == 0x90) return d != 15 && m != 15 && !(n == 15 && writes_back);
      return !(w & 0x10) || (n != 15 && d != 15 && m != 15 && (w >> 8 & 15) != 15);
    case 2:
    case 3:
      if ((w >> 25 & 1) && m == 15) return 0;
      return !(n == 15 && writes_back) && (d != 15 || (is_load && !(w >> 22 & 1)));
    case 4:
      return n != 15;
    case 6:
      return !(n == 15 && writes_back);
    default:
      return 1;
  }
}

/* A word of T32 that computes into pc is unpredictable. */
static int is_thumb(const oct_map_entry *e) {
  return e->size_bytes == 2 || (e->code[1] & 0xfe) != 0xea || (e->code[0] & 0x10) ||
         (e->code[3] & 15) != 15;
}

/* Random bytes that are an instruction with an operation. */
static int random_insn(oct_isa isa, oct_disasm *d, csh other, oct_map_entry *e, unsigned *called) {
  uint8_t code[OCT_CODE_MAX];
  for (unsigned k = 0; k < OCT_CODE_MAX; k++) code[k] = (uint8_t)below(256);
  if (isa == OCT_ISA_X86 || isa == OCT_ISA_X86_64) begin_x86(code, isa == OCT_ISA_X86_64);
  if (!oct_disasm_insn(d, START, code, OCT_CODE_MAX, e) || !(e->op.flags & OCT_EFFECT_KNOWN))
    return 0;
  if (isa == OCT_ISA_ARM && !is_arm(e)) return 0;
  if (isa == OCT_ISA_THUMB && !is_thumb(e)) return 0;
  int is_32 = isa == OCT_ISA_RISCV32;
  if ((is_32 || isa == OCT_ISA_RISCV64) && !is_riscv(e, !is_32)) return 0;
  return is_instruction(other, isa, e, called);
}

static void check(oct_isa isa, int arch, int mode, unsigned n_random) {
  oct_disasm *d = oct_disasm_new(isa);
  csh other = 0;
  unsigned n_missing = 0, called;
  seen = calloc(1, (size_t)1 << (SEEN_LOG2 - 3));
  assert_non_null(seen);
  assert_non_null(d);
  if (arch >= 0) {
    assert_int_equal(cs_open((cs_arch)arch, (cs_mode)mode, &other), CS_ERR_OK);
    cs_option(other, CS_OPT_DETAIL, CS_OPT_ON);
  }
  random_state = SEED;
  know_vectors(isa, d, other);
  while (n_random--) {
    oct_map_entry e;
    op_line l;
    if (!random_insn(isa, d, other, &e, &called) || !know(&e, called)) continue;
    n_missing++;
    for (unsigned k = 0; k < e.size_bytes; k++) printf("%02x", e.code[k]);
    printf(" ; ; %s\n", effect_text(&l, &e.op));
  }
  oct_disasm_free(d);
  if (other) cs_close(&other);
  free(seen);
  fflush(stdout);
  if (n_missing) fail_msg("%s: the vectors lack %u forms", oct_isa_get(isa)->name, n_missing);
}

#define TEST_ISA(function, isa, arch, mode, n_random) \
  static void function(void **state) {                \
    (void)state;                                      \
    check(isa, arch, mode, n_random);                 \
  }
TEST_ISA(arm, OCT_ISA_ARM, CS_ARCH_ARM, CS_MODE_ARM, 400000)
TEST_ISA(thumb, OCT_ISA_THUMB, CS_ARCH_ARM, CS_MODE_THUMB, 400000)
TEST_ISA(aarch64, OCT_ISA_AARCH64, CS_ARCH_ARM64, CS_MODE_ARM, 400000)
TEST_ISA(riscv32, OCT_ISA_RISCV32, -1, 0, 400000)
TEST_ISA(riscv64, OCT_ISA_RISCV64, -1, 0, 400000)
TEST_ISA(x86, OCT_ISA_X86, CS_ARCH_X86, CS_MODE_32, 200000)
TEST_ISA(x86_64, OCT_ISA_X86_64, CS_ARCH_X86, CS_MODE_64, 200000)
TEST_ISA(mips, OCT_ISA_MIPS, CS_ARCH_MIPS, (int)(CS_MODE_MIPS32 | CS_MODE_BIG_ENDIAN), 400000)

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arm),     cmocka_unit_test(thumb),   cmocka_unit_test(aarch64),
      cmocka_unit_test(riscv32), cmocka_unit_test(riscv64), cmocka_unit_test(x86),
      cmocka_unit_test(x86_64),  cmocka_unit_test(mips),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
