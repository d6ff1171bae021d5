/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etrace_encode.h - the E-Trace encoder. */
#ifndef OCT_ETRACE_ENCODE_H
#define OCT_ETRACE_ENCODE_H

#include "oct_encoder_base.h"
#include "oct_etrace_emit.h"
#include "oct_path_tail.h"
#include "oct_etrace_memory.h"

enum { OCT_ET_ENV = 4096 };

typedef struct oct_et_encoder {
  oct_encoder_base base;
  oct_et_config cfg;
  oct_et_emit emit;
  oct_et_memory memory;
  oct_buffer held_accesses; /* oct_access: those of base.held */
  uint64_t last_addr;       /* address of the instruction before, and */
  uint32_t last_size;       /* its size, 0 = none */
  uint64_t align_at;        /* from this instruction on a sync needs null bytes */
  uint8_t sync;             /* before the instruction in hand: OCT_ET_NO_SYNC, or a subformat */
  bool after_jump;          /* the instruction before was an uninferable jump: report this one */
  bool return_missed;       /* and it was a return that the stack predicted wrong, */
  uint32_t irdepth;         /* with as many calls on it */
  uint64_t return_addr;     /* of the last return: with return_depth calls on the stack */
  uint32_t return_depth;    /* it was predicted right; 0: it was not */
  uint64_t sijump_addr;     /* of the last jump through a register, if */
  bool was_sijump;          /* the instruction before it said where it leads */
  bool is_inferable;        /* a decoder infers where the last instruction leads */
  uint32_t task;            /* of the last sync */
  bool is_hinted;           /* some do, or it is an ecall or ebreak: report the target so that */
                            /* all stop there */
  uint8_t env[OCT_ET_ENV];  /* 1 where an ecall or ebreak may have its address, by low bits */
  uint64_t address;         /* reported last */
  uint32_t cache_new;       /* index of the cache that the last jump filled, and 1; 0 = none */
  uint32_t branches;        /* not yet reported, */
  uint32_t map;             /* the first 31 of them, */
  uint32_t correct;         /* how many were predicted, if all were, */
  bool all_correct;         /* which this says, */
  bool last_failed;         /* but the last, when more than 31 were */
  bool branch_gone;         /* since the last report an instruction ceased to be a branch */
  uint8_t privilege;        /* as traps told last, 0 at first */
  bool has_epc;             /* before a trap: the last instruction says where it would go on, */
  uint64_t epc;             /* and that is here */
  oct_tail tail;
} oct_et_encoder;

enum { OCT_ET_NO_SYNC = 0xff };

/* As the functions of oct_tracer_encoder. put: OCT_ERR_LIMIT is a task number or an access wider
 * than its field. flush: the trace ends, or pauses. */
int oct_et_encoder_init(void *e, const uint32_t *params, oct_diag *diag);
void oct_et_encoder_destroy(void *e);
int oct_et_encoder_put(void *e, const oct_tracer_input *in, oct_diag *diag);
int oct_et_encoder_flush(void *e, oct_diag *diag);

#endif
