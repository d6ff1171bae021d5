/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etrace_decode.h - the E-Trace decoder. */
#ifndef OCT_ETRACE_DECODE_H
#define OCT_ETRACE_DECODE_H

#include "oct_etrace_join.h"
#include "oct_etrace_memory.h"
#include "oct_etrace_parse.h"
#include "oct_map_walk.h"

/* What a packet asks the decoder to do. */
typedef enum oct_et_goal {
  OCT_ET_GO_BRANCHES, /* to the last of its branches */
  OCT_ET_GO_FIRST,    /* behind them, to the first instruction at its address */
  OCT_ET_GO_JUMP,     /* to the next jump that is not inferable, and over it to its address */
  OCT_ET_GO_SYNC      /* to its address, whichever way */
} oct_et_goal;

typedef struct oct_et_decoder {
  oct_et_config cfg;
  oct_et_parser parser;
  oct_et_join join;
  oct_et_memory memory;
  oct_map_walk walk;
  /* Packets: one under way, one or none behind it. */
  oct_et_item held, ahead;
  bool has_held, has_ahead;
  bool is_walking; /* held is being followed: */
  oct_et_goal goal;
  uint64_t address;    /* where it leads, in bytes */
  uint64_t left;       /* branches of it not yet met, */
  uint32_t map;        /* their outcomes, or */
  bool is_counted;     /* as predicted, but */
  bool last_fails;     /* the last */
  uint32_t tail_jumps; /* jumps since the last branch */
  uint64_t limit;      /* instruction that the packet does not lead beyond */
  /* Where the decoder stands. */
  bool is_foreign; /* times of syncs need not count instructions, */
  bool does_count; /* and do, as most agree with what was decoded: */
  uint64_t n_right, n_wrong, right_insns;
  bool was_wrong;     /* one did not, which is not told yet */
  bool knows_time;    /* a sync came since the last gap: */
  uint64_t told_time, /* its time, */
      told_insn;      /* in front of the decoder's instruction of this number */
  bool is_synced;
  bool is_on;         /* tracing goes on, as far as packets say */
  bool is_checked;    /* whether the stream begins with one is known */
  bool is_probe;      /* it is being found out, */
  unsigned n_probed;  /* with so many packets read */
  bool has_support;   /* a support packet came, as at the start of a trace, */
  bool is_late;       /* or the stream begins later */
  bool knows_addr;    /* `reported` is what the encoder has */
  uint64_t sought;    /* the address whose instruction was looked for last */
  bool is_lost;       /* the next sync follows a gap, */
  bool is_resumed;    /* which resync has told of */
  bool is_seeking;    /* resync looks for a sync in bytes that are still to come */
  bool is_jump;       /* the next sync goes on somewhere else: a trap, a task, a new start */
  uint32_t id;        /* entry of the last instruction, OCT_WALK_NONE at the start */
  bool is_taken;      /* it is a branch, and this its outcome */
  bool has_last;      /* there is an instruction before it since the sync: */
  uint32_t last;      /* its entry */
  uint64_t reported;  /* the address of the last packet */
  bool has_next_trap; /* the packet before is of a trap, and has of the next one */
  uint64_t next_trap; /* this address */
  uint32_t task;
  oct_buffer traps;     /* oct_trap, of others' streams: number modulo 2^32 of the instruction */
  oct_buffer out_traps; /* those of the batch that was handed out */
  uint64_t insn;        /* number of the next instruction */
  uint64_t out_insn;    /* and of the next that is handed out */
  bool has_gap;         /* a gap before it has to be told, */
  uint64_t gap_insns;   /* as long as this */
  oct_decoder_counts counts;
  uint64_t resync_bit; /* where resync last found a sync without a search, plus 1 */
  int error;
  oct_diag diag;
} oct_et_decoder;

/* As the functions of oct_tracer_decoder. */
int oct_et_decoder_init(oct_et_decoder *d, const uint32_t *params, oct_decoder_start start,
                        oct_diag *diag);
void oct_et_decoder_free(oct_et_decoder *d);
int oct_et_decoder_next(oct_et_decoder *d, oct_decoded *out, oct_diag *diag);
/* Its parts (oct_etrace_traps.c). OCT_ERR_NOMEM. */
/* Keep the trap of the packet under way. */
int oct_et_tell_trap(oct_et_decoder *d);
/* Put the traps among the instructions of the batch, of which the first is number d->out_insn, into
 * it. */
int oct_et_hand_out_traps(oct_et_decoder *d, oct_batch *batch);

int oct_et_decoder_resync(oct_et_decoder *d, oct_diag *diag);

#endif
