/* SPDX-License-Identifier: Apache-2.0 */
/* oct_isa_decode.h - inside of the library: the decoders behind oct_isa.h. Each describes the
 * instruction that begins code in *e, where addr is set and all else 0, and returns its size in
 * bytes, or 0 when it is none. */
#ifndef OCT_ISA_DECODE_H
#define OCT_ISA_DECODE_H

#include <capstone/capstone.h>
#include <stdbool.h>

#include "oct_isa_text.h"
#include "octrace/trace.h"

unsigned oct_arm_decode(const uint8_t *code, size_t n, oct_map_entry *e);
unsigned oct_riscv_decode(int is_64, const uint8_t *code, size_t n, oct_map_entry *e);
unsigned oct_mips_decode(int is_big, const uint8_t *code, size_t n, oct_map_entry *e);
/* From what Capstone says of the instruction. */
void oct_x86_describe(const cs_insn *insn, int is_64, int is_down, oct_map_entry *e);
void oct_aarch64_describe(const cs_insn *insn, oct_map_entry *e);
/* Atomic instructions of ARMv8.1 and those with authenticated pointers, which Capstone 4 does not
 * know: 4, or 0 for another instruction. */
unsigned oct_aarch64_newer(const uint8_t *code, size_t n, oct_map_entry *e);
void oct_thumb_describe(const cs_insn *insn, oct_map_entry *e);

/* Effects of an instruction word at addr. */
void oct_arm_effect(uint32_t word, uint64_t addr, oct_effect *op);
void oct_aarch64_effect(uint32_t word, uint64_t addr, oct_effect *op);
void oct_x86_effect(const cs_insn *insn, int is_64, int is_down, uint64_t addr, oct_effect *op);
void oct_mips_effect(uint32_t word, oct_effect *op);
/* first and second: halfwords. cond: of the IT block that it stands in, 14 outside. */
void oct_thumb_effect(uint32_t first, uint32_t second, unsigned size, unsigned cond, uint64_t addr,
                      oct_effect *op);
void oct_riscv_effect(int is_64, uint32_t word, uint64_t addr, oct_effect *op);

/* A decoder of Capstone and the instruction it fills: 0, or OCT_ERR_NOMEM; what it had of both by
 * then is the caller's, too. */
int oct_capstone_open(cs_arch arch, cs_mode mode, csh *capstone, cs_insn **insn);
/* Decode what begins code, of which n bytes are there. False when it is no instruction. */
bool oct_capstone_decode(csh capstone, const uint8_t *code, size_t n, uint64_t addr, cs_insn *insn);

/* The instruction e, whose code_isa is a set that Capstone knows, with its decoder; *insn is NULL
 * when its bytes are none. It belongs to t until the next call. 0 or OCT_ERR_NOMEM. */
int oct_isa_text_decode(oct_isa_text *t, const oct_map_head *e, csh *capstone,
                        const cs_insn **insn);

/* Append count slots, as far as there is room. size_log2: OCT_SLOT_SIZE_UNKNOWN if not known. */
void oct_add_slots(oct_map_entry *e, unsigned count, unsigned size_log2, int store, int pc_rel);

#endif
