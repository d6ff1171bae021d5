/* SPDX-License-Identifier: Apache-2.0 */
/* oct_gen_rdl.c - the registers as SystemRDL 2.0, from which tools make drivers, headers and pages.
 */
#include "oct_gen_verilog.h"
#include "oct_reg_fields.h"

#include <stdio.h>
#include <string.h>

typedef struct field {
  unsigned offset;
  const char *reg, *name;
  unsigned high, low;
  oct_reg_access access;
  uint32_t reset;
  const char *text;
} field;

#define OCT_X(...) {__VA_ARGS__},
static const field fields[] = {OCT_REG_FIELDS(OCT_X)};
#undef OCT_X
enum { FIELDS = sizeof fields / sizeof *fields };

/* As software and the circuit see them. */
static const char *const access_of[] = {
    [OCT_REG_R] = "sw = r; hw = w;",   [OCT_REG_S] = "sw = r; hw = na;",
    [OCT_REG_RW] = "sw = rw; hw = r;", [OCT_REG_W1C] = "sw = rw; onwrite = woclr; hw = w;",
    [OCT_REG_W] = "sw = w; hw = r;",
};

/* Of filters and comparators there are as many as the parameter says: a register file each. */
static unsigned group_of(const field *f) {
  const unsigned filters = OCT_REG_TR_TE_FILTER_CONTROL, comps = OCT_REG_TR_TE_COMP_CONTROL;
  return f->offset >= comps ? comps : f->offset >= filters ? filters : 0;
}

static void print_field(const field *f, const char *indent) {
  printf("%s  field { desc = \"%s\"; %s } %s[%u:%u]", indent, f->text, access_of[f->access],
         f->name, f->high, f->low);
  if (f->reset != OCT_REG_PARAMETER && f->access != OCT_REG_W) printf(" = 0x%x", f->reset);
  printf(";\n");
}

void oct_gen_rdl(void) {
  unsigned group = 0;
  oct_gen_head("octrace.rdl", "the registers that a debugger sees over APB, as SystemRDL 2.0.",
               "common/oct_reg_fields.h");
  printf("addrmap octrace #(longint unsigned FILTERS = %d) {\n", OCT_FILTERS_MAX);
  printf(
      "  name = \"octrace\";\n"
      "  desc = \"registers of a compressor; with FILTERS = 0 those from 0x100 on do not exist\";\n"
      "  default regwidth = 32;\n  default accesswidth = 32;\n");
  for (const field *f = fields; f < fields + FIELDS; f++) {
    const field *next = f + 1;
    const int is_first = f == fields || f[-1].offset != f->offset;
    const int is_last = next == fields + FIELDS || next->offset != f->offset;
    if (group_of(f) != group) {
      group = group_of(f);
      printf("  regfile {\n");
    }
    const char *indent = group ? "    " : "  ";
    if (is_first) printf("%sreg {\n", indent);
    print_field(f, indent);
    if (is_last) printf("%s} %s @ 0x%x;\n", indent, f->reg, f->offset - group);
    if (group && (next == fields + FIELDS || group_of(next) != group))
      printf("  } %s[FILTERS] @ 0x%x += 0x%x;\n",
             group == OCT_REG_TR_TE_COMP_CONTROL ? "trTeComp" : "trTeFilter", group, OCT_REG_STEP);
  }
  printf("};\n");
}
