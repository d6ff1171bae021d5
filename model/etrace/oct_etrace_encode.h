/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etrace_encode.h - the E-Trace encoder. */
#ifndef OCT_ETRACE_ENCODE_H
#define OCT_ETRACE_ENCODE_H

#include "oct_encoder_base.h"
#include "oct_etrace_emit.h"
#include "oct_path_tail.h"
#include "oct_etrace_memory.h"

typedef struct oct_et_encoder {
  oct_encoder_base base;
  oct_et_config cfg;
  oct_et_emit emit;
  oct_et_memory memory;
  oct_buffer held_accesses; /* oct_access: those of base.held */
  uint64_t last_addr;       /* address of the instruction before, and */
  uint32_t last_size;       /* its size, 0 = none */
  uint8_t sync;             /* before the instruction in hand: OCT_ET_NO_SYNC, or a subformat */
  bool after_jump;          /* the instruction before was an uninferable jump: report this one */
  bool return_missed;       /* and it was a return that the stack predicted wrong, */
  uint32_t irdepth;         /* with as many calls on it */
  uint64_t return_addr;     /* of the last return: with return_depth calls on the stack */
  uint32_t return_depth;    /* it was predicted right; 0: it was not */
  uint64_t sijump_addr;     /* of the last jump through a register, if */
  bool was_sijump;          /* the instruction before it said where it leads */
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
void oct_et_encoder_state(void *e, oct_state *io);

/* Its parts (oct_etrace_report.c). All that return int: 0 or OCT_ERR_NOMEM. */
void oct_et_clear_branches(oct_et_encoder *e);
/* The conditional branch at addr. is_reported: a packet with its address follows. */
int oct_et_add_branch(oct_et_encoder *e, uint64_t addr, bool is_taken, bool is_reported);
/* Report the branches and the address. */
int oct_et_report(oct_et_encoder *e, uint64_t addr, bool notify, bool updiscon);
/* Report the instruction at addr, behind no jump, or behind a return that was predicted right with
 * return_depth calls on the stack (0: none). A branch is found by its own outcome. */
int oct_et_report_here(oct_et_encoder *e, uint64_t addr, bool is_branch, uint32_t return_depth);
/* Report the ends of the first n runs of the tail. */
int oct_et_waypoints(oct_et_encoder *e, uint32_t n);
/* The return at addr, with depth calls on the stack, is mispredicted: see that the decoder does not
 * take an earlier one for it. to_branch: it goes to a branch. */
int oct_et_mark_return(oct_et_encoder *e, uint64_t addr, uint32_t depth, bool to_branch);

/* Traps (oct_etrace_encode_traps.c). */
/* Keep those of a batch. OCT_ERR_LIMIT: a field has no room for one; OCT_ERR_NOMEM. */
int oct_et_keep_traps(oct_et_encoder *e, const oct_tracer_input *in, oct_diag *diag);
/* Send those before instruction `insn` at addr, where *p is about to begin anew, and if no
 * instruction leads there, that. *p stays a sync, or becomes the last trap; it is not sent. 0 or
 * OCT_ERR_NOMEM. */
int oct_et_put_traps(oct_et_encoder *e, uint64_t insn, uint64_t addr, oct_et_packet *p);

#endif
