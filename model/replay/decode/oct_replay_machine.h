/* SPDX-License-Identifier: Apache-2.0 */
/* oct_replay_machine.h - the emulator as a recorded program sees it: registers hold the bits that
 * they were given, and a load that the emulator makes in parts counts once. Encoder, decoder and
 * sessions step through it. */
#ifndef OCT_REPLAY_MACHINE_H
#define OCT_REPLAY_MACHINE_H

#include "oct_emulator.h"

/* A register of the instruction set, and where its bytes stand among a task's. */
typedef struct oct_rp_register {
  uint16_t number;
  uint8_t bytes;
  uint16_t at;
} oct_rp_register;
enum { OCT_RP_REGISTERS_BYTES = 1024 };

typedef struct oct_rp_machine {
  oct_emulator *emulator; /* or NULL */
  oct_isa isa;
  oct_rp_register registers[OCT_REGISTERS_MAX];
  unsigned n_registers;
  /* Bits of registers of up to 8 bytes, by their numbers, that the emulator holds otherwise than
   * they were set: it has 0, or 1. */
  uint64_t lacks[OCT_REGISTERS_MAX], adds[OCT_REGISTERS_MAX];
  uint64_t part_addr; /* of the next part of a load that the emulator makes across pages, */
  unsigned n_parts;   /* and how many come: 0 in front of an instruction */
} oct_rp_machine;

/* 0 or OCT_ERR_NOMEM. There is an emulator for the instruction set. */
int oct_rp_machine_init(oct_rp_machine *m, oct_isa isa, const oct_emulator_hooks *hooks);

/* A register, as it was set, but for what instructions have changed. false: the emulator has none
 * of that number. */
bool oct_rp_machine_get(oct_rp_machine *m, unsigned number, uint8_t *bytes);
void oct_rp_machine_set(oct_rp_machine *m, unsigned number, const uint8_t *bytes);
/* Whether the emulator has all bits of a register that instructions may change. */
bool oct_rp_machine_keeps(oct_rp_machine *m, unsigned number);
/* All registers out of the emulator, and into one that is as new. */
void oct_rp_machine_save(oct_rp_machine *m, uint8_t *registers);
void oct_rp_machine_load(oct_rp_machine *m, const uint8_t *registers);

/* Whether a load is but a part of the one before it: of one across two pages the emulator tells,
 * and then once more the aligned ones that it makes of it. Call it for each load of an instruction.
 */
bool oct_rp_machine_is_part(oct_rp_machine *m, uint64_t addr, unsigned size_bytes);

#endif
