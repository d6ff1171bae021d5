/* SPDX-License-Identifier: Apache-2.0 */
/* oct_gen_shadow.c - the effect as Verilog: where its fields are in a vector of 512 bits,
 * and the values that they take.
 *
 * The vector is the operation as C has it, byte 0 in bits 7..0. So both are equal when their bytes
 * are. */
#include "octrace/trace.h"
#include "oct_gen_verilog.h"

#include <stdio.h>
#include <string.h>

typedef struct field {
  const char *name;
  size_t offset_bytes, size_bytes;
} field;

#define FIELD(name, member) \
  { name, offsetof(oct_effect, member), sizeof((oct_effect *)0)->member }
static const field fields[] = {
    FIELD("IMM", imm),       FIELD("MEM0", mem[0]),         FIELD("MEM1", mem[1]),
    FIELD("LIST", list),     FIELD("CLOBBERS", clobbers),   FIELD("FLAGS", flags),
    FIELD("RESULT", result), FIELD("DEST", dest),           FIELD("A", a),
    FIELD("B", b),           FIELD("B_FORM", b_form),       FIELD("B_EXTEND", b_extend),
    FIELD("WIDTH", width),   FIELD("SET_FLAGS", set_flags), FIELD("COND", cond),
    FIELD("COND_A", cond_a), FIELD("COND_B", cond_b),       FIELD("DATA0", data[0]),
    FIELD("DATA1", data[1]), FIELD("TARGET", target),       FIELD("LINK", link),
};
#define MEM_FIELD(name, member) \
  { name, offsetof(oct_effect_mem, member), sizeof((oct_effect_mem *)0)->member }
static const field mem_fields[] = {
    MEM_FIELD("OFFSET", offset), MEM_FIELD("STEP", step),   MEM_FIELD("BASE", base),
    MEM_FIELD("INDEX", index),   MEM_FIELD("SHIFT", shift), MEM_FIELD("FORM", form),
};

/* Values, by the names of C without OCT_. */
typedef struct value {
  const char *name;
  unsigned value;
} value;
#define VALUE(name) \
  { #name, name }
static const value registers[] = {VALUE(OCT_REG_NONE), VALUE(OCT_REG_ZERO), VALUE(OCT_REG_LOADED),
                                  VALUE(OCT_REG_RESULT), VALUE(OCT_REG_LINK)};
static const value flags[] = {VALUE(OCT_EFFECT_KNOWN),    VALUE(OCT_EFFECT_64),
                              VALUE(OCT_EFFECT_DELAYED),  VALUE(OCT_EFFECT_LIKELY),
                              VALUE(OCT_EFFECT_LINK_ODD), VALUE(OCT_EFFECT_EVEN_TARGET),
                              VALUE(OCT_EFFECT_SYSTEM)};
static const value results[] = {
    VALUE(OCT_RESULT_NONE),   VALUE(OCT_RESULT_ADD),    VALUE(OCT_RESULT_SUB),
    VALUE(OCT_RESULT_RSB),    VALUE(OCT_RESULT_AND),    VALUE(OCT_RESULT_OR),
    VALUE(OCT_RESULT_XOR),    VALUE(OCT_RESULT_BIC),    VALUE(OCT_RESULT_ORN),
    VALUE(OCT_RESULT_SHL),    VALUE(OCT_RESULT_SHR),    VALUE(OCT_RESULT_SAR),
    VALUE(OCT_RESULT_INSERT), VALUE(OCT_RESULT_SELECT), VALUE(OCT_RESULT_ADDRESS)};
static const value shifts[] = {VALUE(OCT_SHIFT_LEFT), VALUE(OCT_SHIFT_RIGHT),
                               VALUE(OCT_SHIFT_SIGNED), VALUE(OCT_SHIFT_ROTATE)};
static const value extends[] = {VALUE(OCT_EXTEND_NONE), VALUE(OCT_EXTEND_U8), VALUE(OCT_EXTEND_U16),
                                VALUE(OCT_EXTEND_U32),  VALUE(OCT_EXTEND_S8), VALUE(OCT_EXTEND_S16),
                                VALUE(OCT_EXTEND_S32)};
static const value widths[] = {VALUE(OCT_EFFECT_WIDTH_LOG2), VALUE(OCT_EFFECT_SIGNED_RESULT),
                               VALUE(OCT_EFFECT_LOAD_SIGNED), VALUE(OCT_EFFECT_LOAD_SIGNED_32),
                               VALUE(OCT_EFFECT_BIT_NARROW)};
static const value set_flags[] = {
    VALUE(OCT_FLAGS_KEEP),  VALUE(OCT_FLAGS_ALU),   VALUE(OCT_FLAGS_ALU_X86),
    VALUE(OCT_FLAGS_NZV),   VALUE(OCT_FLAGS_NZ),    VALUE(OCT_FLAGS_NZ_C),
    VALUE(OCT_FLAGS_NZ_00), VALUE(OCT_FLAGS_NZ_10), VALUE(OCT_FLAGS_UNKNOWN)};
static const value conditions[] = {VALUE(OCT_COND_ALWAYS), VALUE(OCT_COND_FLAGS),
                                   VALUE(OCT_COND_REGS), VALUE(OCT_COND_BIT),
                                   VALUE(OCT_COND_UNKNOWN)};
static const value compares[] = {VALUE(OCT_CMP_EQ),  VALUE(OCT_CMP_NE), VALUE(OCT_CMP_LT),
                                 VALUE(OCT_CMP_GE),  VALUE(OCT_CMP_LE), VALUE(OCT_CMP_GT),
                                 VALUE(OCT_CMP_LTU), VALUE(OCT_CMP_GEU)};
static const value forms[] = {VALUE(OCT_MEM_BACK_NONE), VALUE(OCT_MEM_BACK_ADDRESS),
                              VALUE(OCT_MEM_BACK_STEP), VALUE(OCT_MEM_BACK_INDEX),
                              VALUE(OCT_MEM_SAME),      VALUE(OCT_MEM_MINUS),
                              VALUE(OCT_MEM_VALID)};
static const value targets[] = {VALUE(OCT_TARGET_NONE), VALUE(OCT_TARGET_RESULT),
                                VALUE(OCT_TARGET_LOADED), VALUE(OCT_TARGET_UNKNOWN)};
static const value classes[] = {VALUE(OCT_CLASS_UNKNOWN),       VALUE(OCT_CLASS_OTHER),
                                VALUE(OCT_CLASS_COND_BRANCH),   VALUE(OCT_CLASS_DIRECT_JUMP),
                                VALUE(OCT_CLASS_DIRECT_CALL),   VALUE(OCT_CLASS_INDIRECT_JUMP),
                                VALUE(OCT_CLASS_INDIRECT_CALL), VALUE(OCT_CLASS_RETURN)};
static const value slots[] = {VALUE(OCT_SLOT_SIZE_UNKNOWN), VALUE(OCT_SLOT_STORE),
                              VALUE(OCT_SLOT_PC_RELATIVE)};

static const struct {
  const char *text;
  unsigned bits;
  const value *values;
  size_t count;
} lists[] = {
#define LIST(text, bits, values) \
  { text, bits, values, sizeof values / sizeof *values }
    LIST("numbers of registers", 8, registers), LIST("bits of flags", 8, flags),
    LIST("oct_effect_result", 8, results),      LIST("kinds of shift", 8, shifts),
    LIST("oct_effect_extend", 8, extends),      LIST("bits of width", 8, widths),
    LIST("oct_effect_flags", 4, set_flags),     LIST("groups of conditions", 8, conditions),
    LIST("oct_effect_compare", 3, compares),    LIST("bits of form", 8, forms),
    LIST("oct_effect_target", 4, targets),      LIST("oct_class", 3, classes),
    LIST("bits of a slot", 8, slots),
#undef LIST
};

static void print_fields(const char *prefix, const char *text, const field *f, size_t n,
                         size_t bytes) {
  printf("  // %s: bits, and the lowest bit of each field\n  localparam integer\n", text);
  printf("    %s_BITS = %zu,\n", prefix, 8 * bytes);
  for (size_t i = 0; i < n; i++)
    printf("    %s_%s = %zu%s\n", prefix, f[i].name, 8 * f[i].offset_bytes, i + 1 < n ? "," : ";");
}

void oct_gen_shadow_types(void) {
  printf(
      "// SPDX-License-Identifier: Apache-2.0\n"
      "// oct_shadow_types.vh - the effect as a vector, and its values, for a module's\n"
      "// body.\n"
      "// Generated by tools/oct_gen_shadow.c from include/octrace/trace.h and "
      "include/octrace/trace.h:\n"
      "// change those, then run scripts/gen-verilog.\n\n"
      "// A module with this list need not use each.\n"
      "// verilator lint_off UNUSEDPARAM\n");
  print_fields("OP", "the operation", fields, sizeof fields / sizeof *fields, sizeof(oct_effect));
  print_fields("MEM", "a memory operand", mem_fields, sizeof mem_fields / sizeof *mem_fields,
               sizeof(oct_effect_mem));
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    printf("  // %s\n  localparam [%u:0]\n", lists[i].text, lists[i].bits - 1);
    for (size_t k = 0; k < lists[i].count; k++)
      printf("    %s = %u'd%u%s\n", lists[i].values[k].name + strlen("OCT_"), lists[i].bits,
             lists[i].values[k].value, k + 1 < lists[i].count ? "," : ";");
  }
  printf("// verilator lint_on UNUSEDPARAM\n");
}
