/* SPDX-License-Identifier: Apache-2.0 */
/* oct_isa.h - instruction sets: program-map entries from machine code.
 *
 * Threads: An oct_disasm or oct_disasm_set is for one thread at a time, different ones may be used
 * by different threads; the tables are constant. */
#ifndef OCT_ISA_H
#define OCT_ISA_H

#include "oct_error.h"
#include "oct_event.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum oct_isa {
  OCT_ISA_ARM, /* ARM state, little-endian data and code */
  OCT_ISA_THUMB,
  OCT_ISA_RISCV32,
  OCT_ISA_RISCV64,
  OCT_ISA_AARCH64,
  OCT_ISA_X86,
  OCT_ISA_X86_64,
  OCT_ISA_MIPS, /* big-endian, 32 bits */
  OCT_ISA_MIPSEL,
  OCT_ISA_COUNT
} oct_isa;

typedef struct oct_isa_info {
  const char *name;
  uint8_t addr_bits;
  uint8_t insn_align_bytes; /* every instruction address is a multiple of it */
  uint8_t insn_bytes;       /* size of every instruction, or 0 where it varies */
  uint8_t regs;             /* general registers, as a shadow operation numbers them: 16 or 32 */
  uint8_t has_delay_slots;  /* a jump takes effect behind the next instruction in memory */
} oct_isa_info;

/* Never NULL. */
const oct_isa_info *oct_isa_get(oct_isa isa);
/* The instruction set of that name, or OCT_ERR_ARG. Names that traces carry are understood too:
 * "arm64", "x86_64", "i686", and those with a version or extensions, "armv5te", "rv64imac". */
int oct_isa_by_name(const char *name);

/* Decodes instructions of one set. */
typedef struct oct_disasm oct_disasm;
/* The caller frees it. NULL when out of memory, or the set is not one of oct_isa. */
oct_disasm *oct_disasm_new(oct_isa isa);
void oct_disasm_free(oct_disasm *d);

/* Describe the instruction at addr that begins code, of which n bytes are there. Returns its size
 * in bytes, or 0 when it is none (*e then has size 0 and OCT_CLASS_UNKNOWN). Its bytes and its
 * shadow operation stand in *e, too. The slots are those of the architecture: accesses in the order
 * made, loads before stores; there are none for instructions whose accesses the bits do not tell
 * (vectors). Conditional calls, returns and indirect jumps keep their class and have
 * OCT_MAP_CONDITIONAL; only branches with a condition are conditional branches. */
unsigned oct_disasm_insn(oct_disasm *d, uint64_t addr, const uint8_t *code, size_t n,
                         oct_map_entry *e);
/* Forget the IT blocks of Thumb code that were seen. */
void oct_disasm_forget(oct_disasm *d);

/* Decoders of all sets, each made when it is first needed. */
typedef struct oct_disasm_set oct_disasm_set;
/* The caller frees it; NULL when out of memory. */
oct_disasm_set *oct_disasm_set_new(void);
void oct_disasm_set_free(oct_disasm_set *set);

/* What the bytes of e (code_isa, code, size_bytes) say by themselves, as oct_disasm_insn: 1; 0 when
 * they are no instruction for us, or one of another size; OCT_ERR_NOMEM, or OCT_ERR_ARG when
 * code_isa is no instruction set. */
int oct_disasm_set_insn(oct_disasm_set *set, const oct_map_entry *e, oct_map_entry *decoded);

/* Give e, whose bytes are known (code_isa, code), its shadow operation. Bytes that are no
 * instruction for us, or one of another size, give none. 0, OCT_ERR_NOMEM, or OCT_ERR_ARG when
 * code_isa is no instruction set. */
int oct_disasm_set_describe(oct_disasm_set *set, oct_map_entry *e);

#ifdef __cplusplus
}
#endif
#endif
