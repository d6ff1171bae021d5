/* SPDX-License-Identifier: Apache-2.0 */
/* oct_gdb.c - gdb's remote protocol over a recorded program ("Remote Serial Protocol", appendix of
 * the manual of gdb).
 *
 * A packet is $TEXT#SUM; it is acknowledged with +. gdb gets a description of the registers that it
 * knows by name; a register that the trace does not tell is sent as x's, memory that nobody has
 * touched is an error. bs and bc run back. Nothing can be changed: the program has run. */
#include "oct_gdb.h"

#include "oct_session.h"
#include "octrace/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
  PACKET_MAX = 4096,
  PLACES_MAX = 256,
  TASKS_MAX = 256,
  SAID_MAX = 128,
  INTERRUPT = 3,
  SIGINT_OF_GDB = 2,
  SIGTRAP_OF_GDB = 5,
  PC = 32,
  FFLAGS = 253,
  FRM = 254,
  NONE = 255
};

/* A register as gdb wants it, in gdb's order. number NONE: it is not recorded; PC: the program
 * counter; FFLAGS, FRM: these fields of RISC-V's fcsr. */
typedef struct shown {
  const char *name;
  uint8_t number, bits;
  const char *type;
} shown;

static const shown riscv_regs[] = {
    {"zero", 0, 0, "int"},    {"ra", 1, 0, "code_ptr"}, {"sp", 2, 0, "data_ptr"},
    {"gp", 3, 0, "data_ptr"}, {"tp", 4, 0, "data_ptr"}, {"t0", 5, 0, "int"},
    {"t1", 6, 0, "int"},      {"t2", 7, 0, "int"},      {"fp", 8, 0, "data_ptr"},
    {"s1", 9, 0, "int"},      {"a0", 10, 0, "int"},     {"a1", 11, 0, "int"},
    {"a2", 12, 0, "int"},     {"a3", 13, 0, "int"},     {"a4", 14, 0, "int"},
    {"a5", 15, 0, "int"},     {"a6", 16, 0, "int"},     {"a7", 17, 0, "int"},
    {"s2", 18, 0, "int"},     {"s3", 19, 0, "int"},     {"s4", 20, 0, "int"},
    {"s5", 21, 0, "int"},     {"s6", 22, 0, "int"},     {"s7", 23, 0, "int"},
    {"s8", 24, 0, "int"},     {"s9", 25, 0, "int"},     {"s10", 26, 0, "int"},
    {"s11", 27, 0, "int"},    {"t3", 28, 0, "int"},     {"t4", 29, 0, "int"},
    {"t5", 30, 0, "int"},     {"t6", 31, 0, "int"},     {"pc", PC, 0, "code_ptr"}};
/* gdb wants these where the program is built for them. */
static const shown riscv_float_regs[] = {{"ft0", OCT_REG_FLOAT + 0, 64, "ieee_double"},
                                         {"ft1", OCT_REG_FLOAT + 1, 64, "ieee_double"},
                                         {"ft2", OCT_REG_FLOAT + 2, 64, "ieee_double"},
                                         {"ft3", OCT_REG_FLOAT + 3, 64, "ieee_double"},
                                         {"ft4", OCT_REG_FLOAT + 4, 64, "ieee_double"},
                                         {"ft5", OCT_REG_FLOAT + 5, 64, "ieee_double"},
                                         {"ft6", OCT_REG_FLOAT + 6, 64, "ieee_double"},
                                         {"ft7", OCT_REG_FLOAT + 7, 64, "ieee_double"},
                                         {"fs0", OCT_REG_FLOAT + 8, 64, "ieee_double"},
                                         {"fs1", OCT_REG_FLOAT + 9, 64, "ieee_double"},
                                         {"fa0", OCT_REG_FLOAT + 10, 64, "ieee_double"},
                                         {"fa1", OCT_REG_FLOAT + 11, 64, "ieee_double"},
                                         {"fa2", OCT_REG_FLOAT + 12, 64, "ieee_double"},
                                         {"fa3", OCT_REG_FLOAT + 13, 64, "ieee_double"},
                                         {"fa4", OCT_REG_FLOAT + 14, 64, "ieee_double"},
                                         {"fa5", OCT_REG_FLOAT + 15, 64, "ieee_double"},
                                         {"fa6", OCT_REG_FLOAT + 16, 64, "ieee_double"},
                                         {"fa7", OCT_REG_FLOAT + 17, 64, "ieee_double"},
                                         {"fs2", OCT_REG_FLOAT + 18, 64, "ieee_double"},
                                         {"fs3", OCT_REG_FLOAT + 19, 64, "ieee_double"},
                                         {"fs4", OCT_REG_FLOAT + 20, 64, "ieee_double"},
                                         {"fs5", OCT_REG_FLOAT + 21, 64, "ieee_double"},
                                         {"fs6", OCT_REG_FLOAT + 22, 64, "ieee_double"},
                                         {"fs7", OCT_REG_FLOAT + 23, 64, "ieee_double"},
                                         {"fs8", OCT_REG_FLOAT + 24, 64, "ieee_double"},
                                         {"fs9", OCT_REG_FLOAT + 25, 64, "ieee_double"},
                                         {"fs10", OCT_REG_FLOAT + 26, 64, "ieee_double"},
                                         {"fs11", OCT_REG_FLOAT + 27, 64, "ieee_double"},
                                         {"ft8", OCT_REG_FLOAT + 28, 64, "ieee_double"},
                                         {"ft9", OCT_REG_FLOAT + 29, 64, "ieee_double"},
                                         {"ft10", OCT_REG_FLOAT + 30, 64, "ieee_double"},
                                         {"ft11", OCT_REG_FLOAT + 31, 64, "ieee_double"},
                                         {"fflags", FFLAGS, 32, "int"},
                                         {"frm", FRM, 32, "int"},
                                         {"fcsr", OCT_REG_STATUS, 32, "int"}};
static const shown arm_regs[] = {{"r0", 0, 32, "uint32"},
                                 {"r1", 1, 32, "uint32"},
                                 {"r2", 2, 32, "uint32"},
                                 {"r3", 3, 32, "uint32"},
                                 {"r4", 4, 32, "uint32"},
                                 {"r5", 5, 32, "uint32"},
                                 {"r6", 6, 32, "uint32"},
                                 {"r7", 7, 32, "uint32"},
                                 {"r8", 8, 32, "uint32"},
                                 {"r9", 9, 32, "uint32"},
                                 {"r10", 10, 32, "uint32"},
                                 {"r11", 11, 32, "uint32"},
                                 {"r12", 12, 32, "uint32"},
                                 {"sp", 13, 32, "data_ptr"},
                                 {"lr", 14, 32, "uint32"},
                                 {"pc", PC, 32, "code_ptr"},
                                 {"cpsr", OCT_REG_STATUS, 32, "uint32"}};
static const shown aarch64_regs[] = {
    {"x0", 0, 64, "int"},       {"x1", 1, 64, "int"},
    {"x2", 2, 64, "int"},       {"x3", 3, 64, "int"},
    {"x4", 4, 64, "int"},       {"x5", 5, 64, "int"},
    {"x6", 6, 64, "int"},       {"x7", 7, 64, "int"},
    {"x8", 8, 64, "int"},       {"x9", 9, 64, "int"},
    {"x10", 10, 64, "int"},     {"x11", 11, 64, "int"},
    {"x12", 12, 64, "int"},     {"x13", 13, 64, "int"},
    {"x14", 14, 64, "int"},     {"x15", 15, 64, "int"},
    {"x16", 16, 64, "int"},     {"x17", 17, 64, "int"},
    {"x18", 18, 64, "int"},     {"x19", 19, 64, "int"},
    {"x20", 20, 64, "int"},     {"x21", 21, 64, "int"},
    {"x22", 22, 64, "int"},     {"x23", 23, 64, "int"},
    {"x24", 24, 64, "int"},     {"x25", 25, 64, "int"},
    {"x26", 26, 64, "int"},     {"x27", 27, 64, "int"},
    {"x28", 28, 64, "int"},     {"x29", 29, 64, "int"},
    {"x30", 30, 64, "int"},     {"sp", 31, 64, "data_ptr"},
    {"pc", PC, 64, "code_ptr"}, {"cpsr", OCT_REG_STATUS, 32, "int"}};
static const shown x86_64_regs[] = {
    {"rax", 0, 64, "int64"},       {"rbx", 3, 64, "int64"},
    {"rcx", 1, 64, "int64"},       {"rdx", 2, 64, "int64"},
    {"rsi", 6, 64, "int64"},       {"rdi", 7, 64, "int64"},
    {"rbp", 5, 64, "data_ptr"},    {"rsp", 4, 64, "data_ptr"},
    {"r8", 8, 64, "int64"},        {"r9", 9, 64, "int64"},
    {"r10", 10, 64, "int64"},      {"r11", 11, 64, "int64"},
    {"r12", 12, 64, "int64"},      {"r13", 13, 64, "int64"},
    {"r14", 14, 64, "int64"},      {"r15", 15, 64, "int64"},
    {"rip", PC, 64, "code_ptr"},   {"eflags", OCT_REG_STATUS, 32, "int32"},
    {"cs", NONE, 32, "int32"},     {"ss", NONE, 32, "int32"},
    {"ds", NONE, 32, "int32"},     {"es", NONE, 32, "int32"},
    {"fs", NONE, 32, "int32"},     {"gs", NONE, 32, "int32"},
    {"st0", NONE, 80, "i387_ext"}, {"st1", NONE, 80, "i387_ext"},
    {"st2", NONE, 80, "i387_ext"}, {"st3", NONE, 80, "i387_ext"},
    {"st4", NONE, 80, "i387_ext"}, {"st5", NONE, 80, "i387_ext"},
    {"st6", NONE, 80, "i387_ext"}, {"st7", NONE, 80, "i387_ext"},
    {"fctrl", NONE, 32, "int"},    {"fstat", NONE, 32, "int"},
    {"ftag", NONE, 32, "int"},     {"fiseg", NONE, 32, "int"},
    {"fioff", NONE, 32, "int"},    {"foseg", NONE, 32, "int"},
    {"fooff", NONE, 32, "int"},    {"fop", NONE, 32, "int"}};

static const shown arm_vfp_regs[] = {{"d0", OCT_REG_FLOAT + 0, 64, "ieee_double"},
                                     {"d1", OCT_REG_FLOAT + 1, 64, "ieee_double"},
                                     {"d2", OCT_REG_FLOAT + 2, 64, "ieee_double"},
                                     {"d3", OCT_REG_FLOAT + 3, 64, "ieee_double"},
                                     {"d4", OCT_REG_FLOAT + 4, 64, "ieee_double"},
                                     {"d5", OCT_REG_FLOAT + 5, 64, "ieee_double"},
                                     {"d6", OCT_REG_FLOAT + 6, 64, "ieee_double"},
                                     {"d7", OCT_REG_FLOAT + 7, 64, "ieee_double"},
                                     {"d8", OCT_REG_FLOAT + 8, 64, "ieee_double"},
                                     {"d9", OCT_REG_FLOAT + 9, 64, "ieee_double"},
                                     {"d10", OCT_REG_FLOAT + 10, 64, "ieee_double"},
                                     {"d11", OCT_REG_FLOAT + 11, 64, "ieee_double"},
                                     {"d12", OCT_REG_FLOAT + 12, 64, "ieee_double"},
                                     {"d13", OCT_REG_FLOAT + 13, 64, "ieee_double"},
                                     {"d14", OCT_REG_FLOAT + 14, 64, "ieee_double"},
                                     {"d15", OCT_REG_FLOAT + 15, 64, "ieee_double"},
                                     {"d16", OCT_REG_FLOAT + 16, 64, "ieee_double"},
                                     {"d17", OCT_REG_FLOAT + 17, 64, "ieee_double"},
                                     {"d18", OCT_REG_FLOAT + 18, 64, "ieee_double"},
                                     {"d19", OCT_REG_FLOAT + 19, 64, "ieee_double"},
                                     {"d20", OCT_REG_FLOAT + 20, 64, "ieee_double"},
                                     {"d21", OCT_REG_FLOAT + 21, 64, "ieee_double"},
                                     {"d22", OCT_REG_FLOAT + 22, 64, "ieee_double"},
                                     {"d23", OCT_REG_FLOAT + 23, 64, "ieee_double"},
                                     {"d24", OCT_REG_FLOAT + 24, 64, "ieee_double"},
                                     {"d25", OCT_REG_FLOAT + 25, 64, "ieee_double"},
                                     {"d26", OCT_REG_FLOAT + 26, 64, "ieee_double"},
                                     {"d27", OCT_REG_FLOAT + 27, 64, "ieee_double"},
                                     {"d28", OCT_REG_FLOAT + 28, 64, "ieee_double"},
                                     {"d29", OCT_REG_FLOAT + 29, 64, "ieee_double"},
                                     {"d30", OCT_REG_FLOAT + 30, 64, "ieee_double"},
                                     {"d31", OCT_REG_FLOAT + 31, 64, "ieee_double"},
                                     {"fpscr", 35, 32, "int"}};
static const shown arm_tls_regs[] = {{"tpidruro", 34, 32, "data_ptr"}};
static const shown aarch64_fpu_regs[] = {{"v0", OCT_REG_FLOAT + 0, 128, "vec128"},
                                         {"v1", OCT_REG_FLOAT + 1, 128, "vec128"},
                                         {"v2", OCT_REG_FLOAT + 2, 128, "vec128"},
                                         {"v3", OCT_REG_FLOAT + 3, 128, "vec128"},
                                         {"v4", OCT_REG_FLOAT + 4, 128, "vec128"},
                                         {"v5", OCT_REG_FLOAT + 5, 128, "vec128"},
                                         {"v6", OCT_REG_FLOAT + 6, 128, "vec128"},
                                         {"v7", OCT_REG_FLOAT + 7, 128, "vec128"},
                                         {"v8", OCT_REG_FLOAT + 8, 128, "vec128"},
                                         {"v9", OCT_REG_FLOAT + 9, 128, "vec128"},
                                         {"v10", OCT_REG_FLOAT + 10, 128, "vec128"},
                                         {"v11", OCT_REG_FLOAT + 11, 128, "vec128"},
                                         {"v12", OCT_REG_FLOAT + 12, 128, "vec128"},
                                         {"v13", OCT_REG_FLOAT + 13, 128, "vec128"},
                                         {"v14", OCT_REG_FLOAT + 14, 128, "vec128"},
                                         {"v15", OCT_REG_FLOAT + 15, 128, "vec128"},
                                         {"v16", OCT_REG_FLOAT + 16, 128, "vec128"},
                                         {"v17", OCT_REG_FLOAT + 17, 128, "vec128"},
                                         {"v18", OCT_REG_FLOAT + 18, 128, "vec128"},
                                         {"v19", OCT_REG_FLOAT + 19, 128, "vec128"},
                                         {"v20", OCT_REG_FLOAT + 20, 128, "vec128"},
                                         {"v21", OCT_REG_FLOAT + 21, 128, "vec128"},
                                         {"v22", OCT_REG_FLOAT + 22, 128, "vec128"},
                                         {"v23", OCT_REG_FLOAT + 23, 128, "vec128"},
                                         {"v24", OCT_REG_FLOAT + 24, 128, "vec128"},
                                         {"v25", OCT_REG_FLOAT + 25, 128, "vec128"},
                                         {"v26", OCT_REG_FLOAT + 26, 128, "vec128"},
                                         {"v27", OCT_REG_FLOAT + 27, 128, "vec128"},
                                         {"v28", OCT_REG_FLOAT + 28, 128, "vec128"},
                                         {"v29", OCT_REG_FLOAT + 29, 128, "vec128"},
                                         {"v30", OCT_REG_FLOAT + 30, 128, "vec128"},
                                         {"v31", OCT_REG_FLOAT + 31, 128, "vec128"},
                                         {"fpsr", 36, 32, "int"},
                                         {"fpcr", 35, 32, "int"}};
static const shown aarch64_tls_regs[] = {{"tpidr", 34, 64, "data_ptr"}};
static const shown x86_64_sse_regs[] = {{"xmm0", OCT_REG_FLOAT + 0, 128, "vec128"},
                                        {"xmm1", OCT_REG_FLOAT + 1, 128, "vec128"},
                                        {"xmm2", OCT_REG_FLOAT + 2, 128, "vec128"},
                                        {"xmm3", OCT_REG_FLOAT + 3, 128, "vec128"},
                                        {"xmm4", OCT_REG_FLOAT + 4, 128, "vec128"},
                                        {"xmm5", OCT_REG_FLOAT + 5, 128, "vec128"},
                                        {"xmm6", OCT_REG_FLOAT + 6, 128, "vec128"},
                                        {"xmm7", OCT_REG_FLOAT + 7, 128, "vec128"},
                                        {"xmm8", OCT_REG_FLOAT + 8, 128, "vec128"},
                                        {"xmm9", OCT_REG_FLOAT + 9, 128, "vec128"},
                                        {"xmm10", OCT_REG_FLOAT + 10, 128, "vec128"},
                                        {"xmm11", OCT_REG_FLOAT + 11, 128, "vec128"},
                                        {"xmm12", OCT_REG_FLOAT + 12, 128, "vec128"},
                                        {"xmm13", OCT_REG_FLOAT + 13, 128, "vec128"},
                                        {"xmm14", OCT_REG_FLOAT + 14, 128, "vec128"},
                                        {"xmm15", OCT_REG_FLOAT + 15, 128, "vec128"},
                                        {"mxcsr", NONE, 32, "int"}};
static const shown x86_64_segment_regs[] = {{"fs_base", 34, 64, "int"}, {"gs_base", 35, 64, "int"}};

typedef struct feature {
  const char *name;
  const shown *regs;
  size_t n;
} feature;

enum { FEATURES_MAX = 3 };

#define OF(list) list, sizeof list / sizeof *list
#define ARM_FEATURES                                                                     \
  {                                                                                      \
    {"org.gnu.gdb.arm.core", OF(arm_regs)}, {"org.gnu.gdb.arm.vfp", OF(arm_vfp_regs)}, { \
      "org.gnu.gdb.arm.tls", OF(arm_tls_regs)                                            \
    }                                                                                    \
  }
#define RISCV_FEATURES                              \
  {                                                 \
    {"org.gnu.gdb.riscv.cpu", OF(riscv_regs)}, {    \
      "org.gnu.gdb.riscv.fpu", OF(riscv_float_regs) \
    }                                               \
  }
static const struct {
  const char *architecture;
  feature features[FEATURES_MAX];
} sets[OCT_ISA_COUNT] = {
    [OCT_ISA_ARM] = {"arm", ARM_FEATURES},
    [OCT_ISA_THUMB] = {"arm", ARM_FEATURES},
    [OCT_ISA_RISCV32] = {"riscv:rv32", RISCV_FEATURES},
    [OCT_ISA_RISCV64] = {"riscv:rv64", RISCV_FEATURES},
    [OCT_ISA_AARCH64] = {"aarch64",
                         {{"org.gnu.gdb.aarch64.core", OF(aarch64_regs)},
                          {"org.gnu.gdb.aarch64.fpu", OF(aarch64_fpu_regs)},
                          {"org.gnu.gdb.aarch64.tls", OF(aarch64_tls_regs)}}},
    [OCT_ISA_X86_64] = {"i386:x86-64",
                        {{"org.gnu.gdb.i386.core", OF(x86_64_regs)},
                         {"org.gnu.gdb.i386.sse", OF(x86_64_sse_regs)},
                         {"org.gnu.gdb.i386.segments", OF(x86_64_segment_regs)}}},
};

/* The type vec128 of the tables, of each feature that has it. */
static const char vector_type[] =
    "<vector id=\"v2d\" type=\"ieee_double\" count=\"2\"/>"
    "<vector id=\"v4f\" type=\"ieee_single\" count=\"4\"/>"
    "<vector id=\"v4u\" type=\"uint32\" count=\"4\"/>"
    "<vector id=\"v16u\" type=\"uint8\" count=\"16\"/>"
    "<union id=\"vec128\"><field name=\"v2_double\" type=\"v2d\"/>"
    "<field name=\"v4_float\" type=\"v4f\"/><field name=\"v4_int32\" type=\"v4u\"/>"
    "<field name=\"v16_int8\" type=\"v16u\"/><field name=\"uint128\" type=\"uint128\"/></union>";

typedef struct server {
  oct_session *s;
  oct_gdb_line line;
  int next; /* a byte that was taken too early, or -1 */
  oct_diag *diag;
  oct_session_place places[PLACES_MAX];
  size_t n_places;
  uint32_t task;             /* whose registers gdb asks for */
  uint32_t tasks[TASKS_MAX]; /* met so far: gdb forgets what it was to do with a thread that is not
                              * listed, as in front of its beginning */
  size_t n_tasks;
  bool has_no_acks, has_left;
  bool may_tell;   /* the packet that is being answered allows of output before the answer, */
  bool may_stop;   /* and of a byte INTERRUPT, */
  bool is_stopped; /* which has come; */
  time_t told_at;  /* when gdb last heard something */
  int error;
  char reply[2 * PACKET_MAX + 64];
} server;

/* ---- Packets ---- */

static int digit(int c) {
  return c >= '0' && c <= '9'                 ? c - '0'
         : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10
                                              : -1;
}

static int take_byte(server *g) {
  const int byte = g->next;
  g->next = -1;
  return byte >= 0 ? byte : g->line.take(g->line.context);
}

static int give_bytes(server *g, const char *bytes, size_t n) {
  return g->line.give(g->line.context, bytes, n);
}

/* The next packet's text: its length, -1 at the end. What comes between packets is passed over. */
static int take_packet(server *g, char *text) {
  for (;;) {
    int c = take_byte(g), n = 0;
    unsigned sum = 0;
    while (c >= 0 && c != '$') c = take_byte(g);
    while (c >= 0 && (c = take_byte(g)) >= 0 && c != '#') {
      sum += (unsigned)c;
      if (n < PACKET_MAX - 1) text[n++] = (char)c;
    }
    const int high = c < 0 ? -1 : digit(take_byte(g));
    const int low = high < 0 ? -1 : digit(take_byte(g));
    if (c < 0) return -1;
    text[n] = 0;
    const bool is_right = high >= 0 && low >= 0 && (unsigned)(high << 4 | low) == (sum & 255);
    if (!g->has_no_acks && give_bytes(g, is_right ? "+" : "-", 1)) return -1;
    if (is_right || g->has_no_acks) return n;
  }
}

static void give_packet(server *g, const char *text, size_t n) {
  unsigned sum = 0;
  char end[4];
  for (size_t i = 0; i < n; i++) sum += (unsigned char)text[i];
  snprintf(end, sizeof end, "#%02x", sum & 255);
  if (give_bytes(g, "$", 1) || give_bytes(g, text, n) || give_bytes(g, end, 3)) g->has_left = true;
}

static void reply(server *g, const char *text) {
  give_packet(g, text, strlen(text));
}

static size_t put_hex(char *out, const uint8_t *bytes, size_t n) {
  for (size_t i = 0; i < n; i++) snprintf(out + 2 * i, 3, "%02x", bytes[i]);
  return 2 * n;
}

/* ---- Registers and memory ---- */

/* Register number i of those that gdb knows, or NULL. */
static const shown *shown_of(const server *g, uint64_t i) {
  const feature *f = sets[oct_session_isa(g->s)].features;
  for (size_t k = 0; k < FEATURES_MAX; i -= f[k++].n)
    if (i < f[k].n) return &f[k].regs[i];
  return NULL;
}

static unsigned bits_of(const server *g, const shown *r) {
  return r->bits ? r->bits : oct_isa_get(oct_session_isa(g->s))->addr_bits;
}

/* A register's hexadecimal digits, the lowest byte first; x's where it is not known. */
static size_t put_register(server *g, const shown *r, char *out) {
  const unsigned n = bits_of(g, r) / 8;
  uint8_t bytes[64] = {0};
  bool is_known = false;
  if (r->number == PC) {
    uint64_t pc;
    is_known = oct_session_task_pc(g->s, g->task, &pc);
    for (unsigned i = 0; i < n && i < 8; i++) bytes[i] = (uint8_t)(pc >> 8 * i);
  } else if (r->number == FFLAGS || r->number == FRM) {
    is_known = oct_session_register(g->s, g->task, OCT_REG_STATUS, bytes);
    bytes[0] = r->number == FFLAGS ? bytes[0] & 31 : bytes[0] >> 5;
    bytes[1] = 0;
  } else if (r->number != NONE) {
    is_known = oct_session_register(g->s, g->task, r->number, bytes);
  }
  if (is_known) return put_hex(out, bytes, n);
  memset(out, 'x', (size_t)2 * n);
  return (size_t)2 * n;
}

static void give_registers(server *g) {
  const shown *r;
  size_t at = 0;
  for (size_t i = 0; (r = shown_of(g, i)) != NULL; i++) at += put_register(g, r, g->reply + at);
  give_packet(g, g->reply, at);
}

static void give_register(server *g, const char *text) {
  const shown *r = shown_of(g, strtoull(text, NULL, 16));
  if (!r)
    reply(g, "E01");
  else
    give_packet(g, g->reply, put_register(g, r, g->reply));
}

/* m ADDR,LENGTH */
static void give_memory(server *g, const char *text) {
  char *end;
  uint8_t bytes[PACKET_MAX / 2];
  const uint64_t addr = strtoull(text, &end, 16);
  uint64_t n = *end == ',' ? strtoull(end + 1, NULL, 16) : 0;
  if (n > sizeof bytes) n = sizeof bytes;
  const size_t known = oct_session_read(g->s, addr, bytes, (size_t)n);
  if (!known)
    reply(g, "E14"); /* nobody has touched the first byte */
  else
    give_packet(g, g->reply, put_hex(g->reply, bytes, known));
}

static void describe_target(server *g, const char *text) {
  static char xml[16384];
  const oct_isa isa = oct_session_isa(g->s);
  const char *colon = strrchr(text, ':');
  char *end;
  size_t at = 0;
  at += (size_t)snprintf(xml, sizeof xml,
                         "<?xml version=\"1.0\"?><!DOCTYPE target SYSTEM \"gdb-target.dtd\">"
                         "<target version=\"1.0\"><architecture>%s</architecture>",
                         sets[isa].architecture);
  for (const feature *f = sets[isa].features; f < sets[isa].features + FEATURES_MAX && f->n; f++) {
    const bool has_vectors = !strcmp(f->regs[0].type, "vec128");
    at += (size_t)snprintf(xml + at, sizeof xml - at, "<feature name=\"%s\">%s", f->name,
                           has_vectors ? vector_type : "");
    for (const shown *r = f->regs; r < f->regs + f->n; r++)
      at += (size_t)snprintf(xml + at, sizeof xml - at,
                             "<reg name=\"%s\" bitsize=\"%u\" type=\"%s\"/>", r->name,
                             bits_of(g, r), r->type);
    at += (size_t)snprintf(xml + at, sizeof xml - at, "</feature>");
  }
  at += (size_t)snprintf(xml + at, sizeof xml - at, "</target>");
  size_t from = colon ? strtoull(colon + 1, &end, 16) : 0;
  size_t length = colon && *end == ',' ? strtoull(end + 1, NULL, 16) : 0;
  if (from > at) from = at;
  if (length > at - from) length = at - from;
  if (length > PACKET_MAX) length = PACKET_MAX;
  g->reply[0] = from + length == at ? 'l' : 'm';
  memcpy(g->reply + 1, xml + from, length);
  give_packet(g, g->reply, length + 1);
}

/* ---- Output ---- */

/* Text for the user, in front of an answer that allows of it. */
static void say(server *g, const char *text) {
  char packet[2 * SAID_MAX] = "O";
  g->told_at = time(NULL);
  give_packet(g, packet, 1 + put_hex(packet + 1, (const uint8_t *)text, strlen(text)));
}

/* Whether the user ends a run, or gdb has gone. Between packets come acknowledgements else; a line
 * that ends does not end a run, of which somebody may still read the answer. */
static bool is_stopped(server *g) {
  while (g->may_stop && !g->is_stopped && g->next < 0 && g->line.has_byte(g->line.context)) {
    const int byte = take_byte(g);
    g->may_stop = byte >= 0;
    g->is_stopped = byte == INTERRUPT;
    if (byte != '+' && byte != '-' && byte != INTERRUPT) g->next = byte;
  }
  return g->is_stopped || g->has_left;
}

/* A sign of life each second: gdb waits two for an answer. */
static bool tell(void *context, uint64_t insn) {
  server *g = context;
  char text[SAID_MAX];
  if (is_stopped(g)) return true;
  if (!g->may_tell || time(NULL) == g->told_at) return false;
  snprintf(text, sizeof text, "octrace is at instruction %" PRIu64 "\n", insn);
  say(g, text);
  return false;
}

/* The gaps from position first to position last: at most so many, and how many more. */
static void say_gaps(server *g, uint64_t first, uint64_t last, size_t most) {
  const oct_session_gap *gaps;
  const size_t n = oct_session_gaps(g->s, &gaps);
  char text[SAID_MAX], lost[32];
  size_t k = 0;
  for (size_t i = 0; i < n; i++) {
    const bool is_counted = gaps[i].lost_insns != UINT64_MAX;
    if (gaps[i].at < first || gaps[i].at > last || k++ >= most) continue;
    snprintf(lost, sizeof lost, "%" PRIu64, gaps[i].lost_insns);
    snprintf(text, sizeof text, "missing in front of instruction %" PRIu64 ": %s (%s)\n",
             gaps[i].at, is_counted ? lost : "unknown how many", oct_gap_cause_name(gaps[i].cause));
    say(g, text);
  }
  if (k <= most) return;
  snprintf(text, sizeof text, "and in front of %zu others (monitor gaps)\n", k - most);
  say(g, text);
}

/* Those that the way from one position to where it is now has passed. */
static void say_passed(server *g, uint64_t from) {
  enum { MOST = 4 };
  const uint64_t to = oct_session_at(g->s);
  if (from != to) say_gaps(g, (from < to ? from : to) + 1, from < to ? to : from, MOST);
}

/* Files of code, as commands that load their symbols. */
static void say_modules(server *g) {
  const oct_module *modules;
  const size_t n = oct_session_modules(g->s, &modules);
  char text[SAID_MAX];
  for (size_t i = 0; i < n; i++) {
    say(g, "add-symbol-file ");
    for (const char *p = modules[i].path; *p; p += strlen(text)) {
      snprintf(text, sizeof text, "%s", p);
      say(g, text);
    }
    snprintf(text, sizeof text, " -o 0x%" PRIx64 "\n", modules[i].bias);
    say(g, text);
  }
}

/* ---- Running ---- */

static unsigned long thread_of(uint32_t task) {
  return (unsigned long)task + 1; /* gdb's 0 means any */
}

/* Where a run has ended. */
static void give_stop(server *g, size_t hit, bool is_back, bool is_of_task) {
  const uint64_t n = oct_session_at(g->s);
  const char *what = "";
  char watch[64] = "";
  unsigned signal = SIGTRAP_OF_GDB;
  static const char *const kinds[] = {"swbreak:;", "watch", "rwatch", "awatch"};
  if (!is_of_task) g->task = oct_session_task(g->s);
  if (g->is_stopped) {
    signal = SIGINT_OF_GDB;
  } else if (hit < g->n_places) {
    const oct_session_place *p = &g->places[hit];
    if (p->kind == OCT_SESSION_BREAK)
      what = kinds[0];
    else
      snprintf(watch, sizeof watch, "%s:%" PRIx64 ";", kinds[p->kind], p->addr);
  } else if (is_back && !n) {
    what = "replaylog:begin;";
  } else if (!is_back && n == oct_session_length(g->s)) {
    what = "replaylog:end;";
  }
  snprintf(g->reply, sizeof g->reply, "T%02xthread:%lx;%s%s", signal, thread_of(g->task), what,
           watch);
  reply(g, g->reply);
}

/* Of all processors but those of x86 gdb expects that a watchpoint stops in front of the access,
 * seen in the direction of the run, and makes the step over it itself. */
static int be_at_access(server *g, bool is_back) {
  const bool is_behind = oct_session_isa(g->s) == OCT_ISA_X86_64;
  const uint64_t n = oct_session_at(g->s);
  int error = is_back ? 0 : oct_session_go(g->s, n - 1, g->diag);
  g->task = oct_session_task(g->s); /* whose access it is */
  if (!error && is_back != is_behind) error = oct_session_go(g->s, is_back ? n + 1 : n, g->diag);
  return error;
}

/* A step over an access that is watched tells of it; gdb looks for breakpoints at its end itself.
 */
static int step(server *g, bool is_back, size_t *hit) {
  const uint64_t n = oct_session_at(g->s);
  oct_session_place watched[PLACES_MAX];
  size_t numbers[PLACES_MAX], n_watched = 0, k;
  for (size_t i = 0; i < g->n_places; i++)
    if (g->places[i].kind != OCT_SESSION_BREAK) {
      watched[n_watched] = g->places[i];
      numbers[n_watched++] = i;
    }
  int error;
  if (!n_watched && is_back) return oct_session_go(g->s, n ? n - 1 : 0, g->diag);
  if (is_back)
    error = oct_session_run_back(g->s, n ? n - 1 : 0, watched, n_watched, &k, g->diag);
  else
    error = oct_session_run(g->s, n + 1, watched, n_watched, &k, g->diag);
  if (!error && k < n_watched) *hit = numbers[k];
  return error;
}

/* The breakpoint where it is, or none. */
static size_t break_here(server *g) {
  const uint64_t pc = oct_session_pc(g->s);
  size_t i = 0;
  while (i < g->n_places && (g->places[i].kind != OCT_SESSION_BREAK || g->places[i].addr != pc))
    i++;
  return i;
}

/* A step of the thread that gdb looks at, as it names none to step. Others run meanwhile, to their
 * breakpoints. */
static int step_thread(server *g, bool is_back, size_t *hit) {
  for (;;) {
    const uint64_t n = oct_session_at(g->s);
    uint32_t task = oct_session_task(g->s);
    int error = step(g, is_back, hit);
    if (is_back) task = oct_session_task(g->s);
    if (error || *hit < g->n_places || oct_session_at(g->s) == n || is_stopped(g)) return error;
    if (task == g->task) return 0;
    if ((*hit = break_here(g)) < g->n_places) return 0;
  }
}

static bool knows(server *g, const oct_session_place *p) {
  uint8_t bytes[PACKET_MAX / 2];
  const size_t n = p->n_bytes < sizeof bytes ? (size_t)p->n_bytes : sizeof bytes;
  return oct_session_read(g->s, p->addr, bytes, n) == n;
}

/* Whether gdb cannot read what was written, behind the store: it then takes it for unchanged. */
static int is_unreadable(server *g, const oct_session_place *p, bool is_back, bool *answer) {
  const uint64_t n = oct_session_at(g->s);
  int error = 0;
  *answer = false;
  if (p->kind != OCT_SESSION_WRITE || (!is_back && knows(g, p))) return 0;
  if (is_back) error = oct_session_go(g->s, n + 1, g->diag);
  if (!error) *answer = !knows(g, p);
  return error || !is_back ? error : oct_session_go(g->s, n, g->diag);
}

/* A run to a place, or a step. A store to what gdb cannot read is passed over if it changes
 * nothing; else it is told, and ends the run as at no place: *hit is none. */
static int run_to_place(server *g, bool is_step, bool is_back, size_t *hit) {
  char text[SAID_MAX];
  for (bool goes_on = true; goes_on;) {
    bool is_hidden = false;
    int error;
    *hit = g->n_places;
    if (is_step)
      error = step_thread(g, is_back, hit);
    else if (is_back)
      error = oct_session_run_back(g->s, 0, g->places, g->n_places, hit, g->diag);
    else
      error = oct_session_run(g->s, UINT64_MAX, g->places, g->n_places, hit, g->diag);
    if (error || *hit == g->n_places) return error;
    const oct_session_place *p = &g->places[*hit];
    const bool has_changed = oct_session_has_changed(g->s);
    if ((error = is_unreadable(g, p, is_back, &is_hidden)) != 0) return error;
    if (!is_hidden) return p->kind == OCT_SESSION_BREAK ? 0 : be_at_access(g, is_back);
    goes_on = !has_changed && !is_step;
    *hit = g->n_places;
    if (!has_changed) continue;
    snprintf(text, sizeof text,
             "a store changes 0x%" PRIx64 ", of whose %" PRIu64 " bytes some are unknown\n",
             p->addr, p->n_bytes);
    say(g, text);
  }
  return 0;
}

static void run(server *g, bool is_step, bool is_back) {
  const uint64_t n = oct_session_at(g->s);
  size_t hit;
  bool is_of_task;
  g->error = run_to_place(g, is_step, is_back, &hit);
  if (!g->error) say_passed(g, n);
  is_of_task = hit < g->n_places ? g->places[hit].kind != OCT_SESSION_BREAK : is_step;
  if (g->error)
    reply(g, "E05");
  else
    give_stop(g, hit, is_step && is_back ? !n : is_back, is_of_task);
}

static bool is_same_place(const oct_session_place *a, const oct_session_place *b) {
  return a->kind == b->kind && a->addr == b->addr && a->n_bytes == b->n_bytes;
}

/* Z or z: KIND,ADDR,LENGTH */
static void change_place(server *g, const char *text, bool adds) {
  static const oct_session_kind kinds[] = {OCT_SESSION_BREAK, OCT_SESSION_BREAK, OCT_SESSION_WRITE,
                                           OCT_SESSION_READ, OCT_SESSION_ACCESS};
  char *end;
  const unsigned kind = (unsigned)(text[0] - '0');
  if (kind >= sizeof kinds / sizeof *kinds || text[1] != ',') {
    reply(g, "");
    return;
  }
  oct_session_place p = {.kind = kinds[kind], .addr = strtoull(text + 2, &end, 16)};
  p.n_bytes = *end == ',' ? strtoull(end + 1, NULL, 16) : 1;
  size_t i = 0;
  while (i < g->n_places && !is_same_place(&g->places[i], &p)) i++;
  if (adds && i == g->n_places) {
    if (i == PLACES_MAX) {
      reply(g, "E0c");
      return;
    }
    g->places[g->n_places++] = p;
  } else if (!adds && i < g->n_places) {
    g->places[i] = g->places[--g->n_places];
  }
  reply(g, "OK");
}

/* ---- Questions ---- */

static bool has_met(const server *g, uint32_t task) {
  size_t i = 0;
  while (i < g->n_tasks && g->tasks[i] != task) i++;
  return i < g->n_tasks;
}

static void meet_tasks(server *g) {
  uint32_t tasks[TASKS_MAX];
  const size_t n = oct_session_tasks(g->s, tasks, TASKS_MAX);
  for (size_t i = 0; i < n && i < TASKS_MAX; i++)
    if (!has_met(g, tasks[i]) && g->n_tasks < TASKS_MAX) g->tasks[g->n_tasks++] = tasks[i];
}

static void give_threads(server *g) {
  size_t at = 1;
  meet_tasks(g);
  g->reply[0] = 'm';
  for (size_t i = 0; i < g->n_tasks; i++)
    at += (size_t)snprintf(g->reply + at, sizeof g->reply - at, "%s%lx", i ? "," : "",
                           thread_of(g->tasks[i]));
  give_packet(g, g->reply, at);
}

/* monitor TEXT, in hexadecimal digits. gdb does not learn that another task runs there, and goes on
 * asking for the one that it asked for. */
static void monitor(server *g, const char *text) {
  char command[256], answer[256], length[32] = "?"; /* the end was not read yet */
  char missing[80] = "";
  size_t n = 0;
  for (; digit(text[0]) >= 0 && digit(text[1]) >= 0 && n + 1 < sizeof command; text += 2)
    command[n++] = (char)(digit(text[0]) << 4 | digit(text[1]));
  command[n] = 0;
  char *end = NULL;
  bool is_known = true;
  uint64_t to = oct_session_at(g->s);
  if (!strncmp(command, "goto ", 5)) {
    to = strtoull(command + 5, &end, 0);
    is_known = digit(command[5]) >= 0 && !*end;
  } else if (!strcmp(command, "begin")) {
    to = 0;
  } else if (!strcmp(command, "end")) {
    to = oct_session_length(g->s);
  } else if (!strcmp(command, "modules")) {
    say_modules(g);
  } else if (!strcmp(command, "gaps")) {
    say_gaps(g, 0, UINT64_MAX, SIZE_MAX);
  } else {
    is_known = !strcmp(command, "where");
  }
  const uint64_t from = oct_session_at(g->s);
  if (is_known && to != from) g->error = oct_session_go(g->s, to, g->diag);
  say_passed(g, from);
  if (oct_session_length(g->s) != UINT64_MAX)
    snprintf(length, sizeof length, "%" PRIu64, oct_session_length(g->s));
  if (to > oct_session_at(g->s) && end)
    snprintf(missing, sizeof missing, "there is no instruction %" PRIu64 ": the trace ends here\n",
             to);
  if (is_known)
    snprintf(answer, sizeof answer, "%sinstruction %" PRIu64 " of %s, task %u\n", missing,
             oct_session_at(g->s), length, oct_session_task(g->s));
  else
    snprintf(answer, sizeof answer, "expected: where, gaps, modules, goto N, begin or end\n");
  give_packet(g, g->reply, put_hex(g->reply, (const uint8_t *)answer, strlen(answer)));
}

static bool begins(const char *text, const char *with) {
  return !strncmp(text, with, strlen(with));
}

static void answer_query(server *g, const char *text) {
  if (begins(text, "qSupported"))
    reply(g,
          "PacketSize=fff;qXfer:features:read+;ReverseStep+;ReverseContinue+;swbreak+;"
          "QStartNoAckMode+");
  else if (begins(text, "qXfer:features:read:target.xml:"))
    describe_target(g, text);
  else if (begins(text, "qfThreadInfo"))
    give_threads(g);
  else if (begins(text, "qsThreadInfo"))
    reply(g, "l");
  else if (begins(text, "qAttached"))
    reply(g, "1");
  else if (begins(text, "qRcmd,"))
    monitor(g, text + 6);
  else if (!strcmp(text, "qC")) {
    snprintf(g->reply, sizeof g->reply, "QC%lx", thread_of(oct_session_task(g->s)));
    reply(g, g->reply);
  } else if (begins(text, "QStartNoAckMode")) {
    reply(g, "OK");
    g->has_no_acks = true;
  } else {
    reply(g, "");
  }
}

/* H: whose registers are asked for. 0 and -1 mean any. */
static void choose_thread(server *g, const char *text) {
  const long thread = strtol(text + 1, NULL, 16);
  if (text[0] == 'g') g->task = thread > 0 ? (uint32_t)(thread - 1) : oct_session_task(g->s);
  reply(g, "OK");
}

static bool is_thread(server *g, const char *text) {
  const unsigned long thread = strtoul(text, NULL, 16);
  meet_tasks(g);
  return thread && has_met(g, (uint32_t)(thread - 1));
}

static void answer(server *g, const char *text) {
  switch (text[0]) {
    case '?':
      give_stop(g, g->n_places, false, false);
      break;
    case 'g':
      give_registers(g);
      break;
    case 'p':
      give_register(g, text + 1);
      break;
    case 'm':
      give_memory(g, text + 1);
      break;
    case 'c':
      run(g, false, false);
      break;
    case 's':
      run(g, true, false);
      break;
    case 'b':
      if (text[1] == 'c' || text[1] == 's')
        run(g, text[1] == 's', true);
      else
        reply(g, "");
      break;
    case 'Z':
    case 'z':
      change_place(g, text + 1, text[0] == 'Z');
      break;
    case 'H':
      choose_thread(g, text + 1);
      break;
    case 'T':
      reply(g, is_thread(g, text + 1) ? "OK" : "E01");
      break;
    case 'q':
    case 'Q':
      answer_query(g, text);
      break;
    case 'G':
    case 'M':
    case 'P':
    case 'X':
      reply(g, "E01"); /* the program has run */
      break;
    case 'D':
      reply(g, "OK");
      g->has_left = true;
      break;
    case 'k':
      g->has_left = true;
      break;
    default:
      reply(g, "");
  }
}

int oct_gdb_serve(oct_session *s, const oct_gdb_line *line, oct_diag *diag) {
  server *g = calloc(1, sizeof *g);
  char text[PACKET_MAX];
  if (!g) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  g->s = s;
  g->line = *line;
  g->next = -1;
  g->diag = diag;
  g->task = oct_session_task(s);
  oct_session_tell(s, tell, g);
  while (!g->has_left && !g->error && take_packet(g, text) >= 0) {
    g->told_at = time(NULL);
    g->may_stop = strchr("csb", text[0]);
    g->may_tell = g->may_stop || begins(text, "qRcmd,");
    g->is_stopped = false;
    answer(g, text);
  }
  oct_session_tell(s, NULL, NULL);
  int error = g->error;
  free(g);
  return error;
}
