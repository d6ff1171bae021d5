/* SPDX-License-Identifier: Apache-2.0 */
/* oct_replay_core.h - what encoder and decoder of the tracer `replay` both hold, and what both do
 * at the same place of the trace (docs/replay-format.md): the filter of known memory, the values
 * that are sent, registers, instructions that are told, not executed.
 *
 * The functions code and learn: the encoder's are given what the trace has and send it, the
 * decoder's find it. Both change the state alike. */
#ifndef OCT_REPLAY_CORE_H
#define OCT_REPLAY_CORE_H

#include "oct_endian.h"
#include "oct_replay_coder.h"
#include "oct_replay_config.h"
#include "oct_replay_machine.h"

#include <string.h>

/* Numbers are sent as their length and the bits below the highest. */
enum { OCT_RP_LENGTH_BITS = 6, OCT_RP_LENGTH_LAST = 63, OCT_RP_BELOW = 8 };
typedef struct oct_rp_number {
  oct_prob length[1 << OCT_RP_LENGTH_BITS];
  oct_prob below[OCT_RP_BELOW]; /* the bit below the highest, by length */
} oct_rp_number;

/* What is sent in front of the next instruction that wants it. */
typedef enum oct_rp_event {
  OCT_RP_END,      /* the period ends */
  OCT_RP_TRAP,     /* a trap */
  OCT_RP_REGISTER, /* a register has another value */
  OCT_RP_FORGET,   /* memory was written by somebody else */
  OCT_RP_JUMP,     /* the program goes on elsewhere */
  OCT_RP_TASK,     /* another task runs */
  OCT_RP_FIX,      /* the instruction before made other accesses */
  OCT_RP_MODE      /* from here on instructions are executed, or told */
} oct_rp_event;
enum { OCT_RP_EVENT_BITS = 3 };

/* Where a value that is sent is counted from, or that its bytes are sent. */
enum {
  OCT_RP_FROM_ZERO,
  OCT_RP_FROM_LAST,
  OCT_RP_FROM_ADDRESS,
  OCT_RP_BYTES,
  OCT_RP_FROM_BITS = 2
};
/* Sizes of values that have probabilities of their own: 1, 2, 4, 8 bytes. */
enum { OCT_RP_SIZES = 4, OCT_RP_CONFIDENCES = 4 };

/* All probabilities. */
typedef struct oct_rp_probs {
  oct_prob is_event;
  oct_prob event[1 << OCT_RP_EVENT_BITS];
  oct_prob is_next[OCT_RP_SIZES][OCT_RP_CONFIDENCES]; /* last value + stride */
  oct_prob is_last[OCT_RP_SIZES];
  oct_prob from[OCT_RP_SIZES][1 << OCT_RP_FROM_BITS];
  oct_prob byte[256]; /* a byte that was not foreseen */
  oct_rp_number from_zero, from_last, from_address;
  oct_rp_number other; /* all numbers but those of values */
  oct_prob is_usual;   /* an instruction that is told makes the accesses that it should */
  oct_prob is_other;   /* a load of known bytes brings another value */
  oct_prob has_value[2];
  oct_prob is_changed[2]; /* a register, behind an instruction from outside: one, another one */
  oct_prob register_zero, register_near;
} oct_rp_probs;

enum { OCT_RP_N_PROBS = sizeof(oct_rp_probs) / sizeof(oct_prob) };

typedef struct oct_rp_line {
  uint64_t tag;   /* number of the line */
  uint64_t valid; /* a bit for each grain */
} oct_rp_line;

enum { OCT_RP_STRIDE_BITS = 16 };
typedef struct oct_rp_value {
  uint64_t last, stride; /* the stride is of OCT_RP_STRIDE_BITS, extended */
  uint8_t confidence;
} oct_rp_value;

typedef struct oct_rp_task {
  uint32_t number;
  bool is_executed; /* its registers are known, */
  bool is_told;     /* and were sent since the last sync */
  uint64_t pc;      /* where it goes on, 0 if not known since the last sync */
  uint8_t registers[OCT_RP_REGISTERS_BYTES];
  uint64_t told[(OCT_REGISTERS_MAX + 63) / 64]; /* encoder: registers that the trace has told */
  bool is_unsure; /* encoder: it was corrected since all registers were sent last */
} oct_rp_task;

typedef struct oct_rp_core {
  oct_rp_config cfg;
  oct_rp_coder coder;
  union {
    oct_rp_probs probs;
    oct_prob all_probs[OCT_RP_N_PROBS];
  };
  oct_rp_line *lines;
  uint8_t *order; /* of each set's ways, the one used last first */
  oct_rp_value *values;
  uint64_t *told; /* last addresses */
  oct_rp_machine machine;
  oct_rp_task *tasks;
  size_t n_tasks, room_tasks, task; /* the one in the machine */
  unsigned line_log2, grain_log2, set_log2;
  int error; /* of memory, during a run */
} oct_rp_core;

/* 0 or OCT_ERR_NOMEM. There is an emulator for the instruction set of params. */
int oct_rp_core_init(oct_rp_core *c, const uint32_t *params, bool is_decoding,
                     const oct_emulator_hooks *hooks);
void oct_rp_core_free(oct_rp_core *c);
/* All state at its beginning, but for memory and the registers of tasks. */
void oct_rp_core_reset(oct_rp_core *c);

/* ---- The filter ---- */

/* Whether n bytes at addr are all known; is_use: their lines are used by that. */
bool oct_rp_is_known(oct_rp_core *c, uint64_t addr, unsigned n, bool is_use);
void oct_rp_learn(oct_rp_core *c, uint64_t addr, unsigned n);
/* n bytes at addr are not known any more. */
void oct_rp_forget(oct_rp_core *c, uint64_t addr, uint64_t n);

/* ---- What is coded ---- */

uint64_t oct_rp_code_number(oct_rp_coder *c, oct_rp_number *n, uint64_t v);
uint64_t oct_rp_code_signed(oct_rp_coder *c, oct_rp_number *n, uint64_t v);
/* The value, size_bytes of it (1 to 8), of access number `number` of the instruction at pc, with
 * address addr. */
uint64_t oct_rp_code_value(oct_rp_core *c, uint64_t pc, unsigned number, uint64_t addr,
                           unsigned size_bytes, uint64_t v);
/* n bytes in pieces of up to 8, as values. */
void oct_rp_code_bytes(oct_rp_core *c, uint64_t pc, unsigned number, uint64_t addr, uint8_t *bytes,
                       unsigned n);
/* The registers of the task in the machine: the encoder's are read from it, the decoder's are
 * written to it. */
void oct_rp_code_registers(oct_rp_core *c);

/* An instruction that is told: its number of accesses. */
unsigned oct_rp_tell_count(oct_rp_core *c, const oct_map_entry *e, unsigned n);
/* Access `number` of it, of the kind that slot says, with its value, if it has one: size bytes, up
 * to 64. *has_value of the decoder's is set. Memory holds it then. is_fix: the value of a load is
 * sent even where it seems to be known. */
void oct_rp_tell_access(oct_rp_core *c, uint64_t pc, unsigned number, uint8_t slot, bool is_fix,
                        uint64_t *addr, uint8_t *bytes, bool *has_value);

/* Behind an instruction that an executed task was told: registers that it changed, one after the
 * other. is_changed: there is another; of the decoder's it is set. *which: number in the list of
 * registers; bytes: what it holds, which goes to the emulator. pc: of the instruction; n: how many
 * came before. */
bool oct_rp_code_change(oct_rp_core *c, uint64_t pc, unsigned n, bool is_changed, unsigned *which,
                        uint8_t *bytes);
/* Where the program goes on behind it. */
uint64_t oct_rp_next_of(oct_rp_core *c, const oct_map_entry *e);

/* ---- Tasks ---- */

/* A new task behind the others. 0 or OCT_ERR_NOMEM. */
int oct_rp_add_task(oct_rp_core *c, uint32_t number);
/* Put task `number` in the machine, made if there is none. 0 or OCT_ERR_NOMEM. */
int oct_rp_switch(oct_rp_core *c, uint32_t number);
static inline oct_rp_task *oct_rp_task_of(oct_rp_core *c) {
  return &c->tasks[c->task];
}
/* Registers from the machine to the task's, and back into a machine that is as new. */
void oct_rp_registers_save(oct_rp_core *c);
void oct_rp_registers_load(oct_rp_core *c);

/* Whether an instruction makes accesses, as far as the map says. */
static inline bool oct_rp_has_data(const oct_map_entry *e) {
  return e->n_slots || (e->flags & OCT_MAP_VARIABLE);
}

/* Where the program goes on behind an instruction that is told, as far as the map says. */
static inline uint64_t oct_rp_next_pc(const oct_map_entry *e) {
  const bool jumps = e->cls == OCT_CLASS_DIRECT_JUMP || e->cls == OCT_CLASS_DIRECT_CALL;
  return jumps && !(e->flags & OCT_MAP_CONDITIONAL) ? e->target : e->addr + e->size_bytes;
}

/* Whether instructions of the task under way are executed. */
static inline bool oct_rp_executes(oct_rp_core *c) {
  return oct_rp_task_of(c)->is_executed;
}

/* Little-endian numbers of n bytes, up to 8. */
static inline uint64_t oct_rp_get(const uint8_t *p, unsigned n) {
  uint64_t v = 0;
  if (n == 4) return oct_get_u32(p);
  if (n == 8) return oct_get_u64(p);
  for (unsigned i = 0; i < n; i++) v |= (uint64_t)p[i] << 8 * i;
  return v;
}
/* Whether n bytes are the same. */
static inline bool oct_rp_is_equal(const uint8_t *a, const uint8_t *b, unsigned n) {
  if (n == 4) return oct_get_u32(a) == oct_get_u32(b);
  if (n == 8) return oct_get_u64(a) == oct_get_u64(b);
  if (n == 1) return *a == *b;
  return !memcmp(a, b, n);
}
static inline void oct_rp_put(uint8_t *p, uint64_t v, unsigned n) {
  if (n == 4)
    oct_put_u32(p, (uint32_t)v);
  else if (n == 8)
    oct_put_u64(p, v);
  else
    for (unsigned i = 0; i < n; i++) p[i] = (uint8_t)(v >> 8 * i);
}

#endif
