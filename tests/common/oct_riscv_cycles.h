/* SPDX-License-Identifier: Apache-2.0 */
/* oct_riscv_cycles.h - what tests of the trace ingress port bring in a cycle, and what leaves for
 * it. */
#ifndef OCT_RISCV_CYCLES_H
#define OCT_RISCV_CYCLES_H

#include "oct_riscv_ingress.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "octrace/trace.h"

enum { NOP = 0x13, ECALL = 0x73, C_NOP = 1, C_EBREAK = 0x9002, LW = 0x2003, SW = 0x2023 };
enum { JAL = 0x0400006f, BEQ = 0x63, C_J = 0xa001 };
enum { SC_W = 0x1800202f, AMOADD_W = 0x202f, LONGER = 0x1f };
enum { C_LBU = 0x8080, C_LHU = 0x8480, C_LH = 0x84c0, C_SB = 0x8880, C_SH = 0x8c80 };
enum { C_RESERVED = 0x40 };
/* Their accesses are not known. */
enum { HLV_W = 0x68054073, HSV_W = 0x6a054073, CBO_ZERO = 0x0045200f };
enum { VLE8 = 0x02050007, VSE64 = 0x02057027 };

static oct_riscv_ingress ingress;
static uint32_t closed_cycles; /* a bit for each in which the gate is closed */

static bool is_closed(unsigned cycle) {
  return cycle < 32 && closed_cycles >> cycle & 1;
}

static int setup(void **state) {
  (void)state;
  closed_cycles = 0;
  oct_riscv_ingress_init(&ingress, 1, 4, 2, 4, 32);
  return 0;
}

/* One block of one instruction, or none where word is 0. */
static oct_riscv_in block(uint8_t itype, uint64_t addr, uint32_t word) {
  bool is_long = (word & 3) == 3;
  oct_riscv_in in = {.priv = 3, .cause = 5};
  in.blocks[0] = (oct_riscv_block){
      itype, (uint8_t)(!word ? 0 : 1 + is_long), is_long, addr, {(uint16_t)word, word >> 16}};
  return in;
}

/* What leaves for the inputs, of which the last has an instruction: traps into traps, and whether
 * there was an error. */
static unsigned run(const oct_riscv_in *in, unsigned n, oct_retire *traps, bool *error) {
  unsigned n_traps = 0;
  *error = false;
  for (unsigned i = 0; i < n + 16; i++) {
    const oct_riscv_in nothing = {.priv = 0};
    oct_retire out;
    oct_riscv_ingress_cycle(&ingress, !is_closed(i), i < n ? &in[i] : &nothing, &out);
    *error |= out.core_error;
    if (out.trap_valid) traps[n_traps++] = out;
  }
  return n_traps;
}

/* All that leaves for the inputs, a word an event: E error, T trap, and of instructions the low
 * byte of the address and the task, with their accesses (D) and terminators (e); triggers as < and
 * >. */
static void expect(const oct_riscv_in *in, unsigned n, const char *expected) {
  char text[256] = "";
  for (unsigned i = 0; i < n + 16; i++) {
    const oct_riscv_in nothing = {.priv = 0};
    size_t end = strlen(text);
    oct_retire out;
    oct_riscv_ingress_cycle(&ingress, !is_closed(i), i < n ? &in[i] : &nothing, &out);
    if (out.insn_valid)
      snprintf(text + end, sizeof text - end, "%02x/%u", (unsigned)out.insn_addr & 0xff, out.task);
    snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s%s%s%s",
             out.core_error ? "E" : "", out.trap_valid ? "T" : "",
             !out.da_valid ? ""
             : out.da_end  ? "e"
                           : "D",
             out.trigger & OCT_RISCV_TRIGGER_START ? "<" : "",
             out.trigger & OCT_RISCV_TRIGGER_STOP ? ">" : "");
    if (strlen(text) > end) strcat(text, " ");
  }
  assert_string_equal(text, expected);
}

static oct_riscv_in with_context(oct_riscv_in in, uint8_t ctype, uint32_t context) {
  in.ctype = ctype;
  in.context = context;
  return in;
}

#endif
