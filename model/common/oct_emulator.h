/* SPDX-License-Identifier: Apache-2.0 */
/* oct_emulator.h - an emulator behind a narrow interface: registers, memory, and a run with a call
 * before each instruction and each access. Encoder and decoder of the tracer `replay` run the same
 * one, so that both go the same way.
 *
 * Memory is the machine's own, all zeros at first, and there wherever it is touched. The registers
 * are those of oct_isa_registers, as far as the emulator has them. What else the emulator holds
 * (reservations, modes) is a function of what was written since the last oct_emulator_reset.
 *
 * Another emulator takes this one's place by other bodies of these functions. */
#ifndef OCT_EMULATOR_H
#define OCT_EMULATOR_H

#include "octrace/trace.h"

typedef struct oct_emulator oct_emulator;

/* Called during a run; context is the caller's. */
typedef struct oct_emulator_hooks {
  void *context;
  /* The instruction at addr comes next. 1: the run ends in front of it, 0: it is executed. */
  int (*insn)(void *context, uint64_t addr);
  /* It is about to load or to store so many bytes. The bytes of a load may still be written with
   * oct_emulator_poke; those of a store are value's lowest. size_bytes is 1 to 8. */
  void (*load)(void *context, uint64_t addr, unsigned size_bytes);
  void (*store)(void *context, uint64_t addr, unsigned size_bytes, uint64_t value);
} oct_emulator_hooks;

/* Whether there is an emulator for the instruction set in this build. */
bool oct_emulator_has(oct_isa isa);

/* NULL: out of memory, or there is none. */
oct_emulator *oct_emulator_new(oct_isa isa, const oct_emulator_hooks *hooks);
void oct_emulator_free(oct_emulator *m);

/* As new but for its memory. Not during a run. */
void oct_emulator_reset(oct_emulator *m);

/* Run from pc on until a hook ends it (0), or the emulator cannot go on (1); *pc is then the
 * instruction that comes next, or the one that could not be executed. is_thumb: of ARM, the state.
 */
int oct_emulator_run(oct_emulator *m, uint64_t *pc, bool is_thumb);
/* During a run: it ends in front of the next instruction. */
void oct_emulator_stop(oct_emulator *m);

/* A register, bytes as oct_isa_register_bytes has it, not during a run. get gives false, and zeros,
 * where the emulator has none of that number. */
bool oct_emulator_get(oct_emulator *m, unsigned number, uint8_t *bytes);
void oct_emulator_set(oct_emulator *m, unsigned number, const uint8_t *bytes);

/* Memory: peek any time, poke data any time, put code between runs. 0, or OCT_ERR_LIMIT: more
 * memory than a program may have here; OCT_ERR_NOMEM. */
int oct_emulator_peek(oct_emulator *m, uint64_t addr, uint8_t *bytes, size_t n);
int oct_emulator_poke(oct_emulator *m, uint64_t addr, const uint8_t *bytes, size_t n);
int oct_emulator_put_code(oct_emulator *m, uint64_t addr, const uint8_t *bytes, size_t n);

#endif
