/* SPDX-License-Identifier: Apache-2.0 */
/* oct_pt_decode.h - octrace's own Intel PT decoder, for streams of its encoder. */
#ifndef OCT_PT_DECODE_H
#define OCT_PT_DECODE_H

#include "oct_buffer.h"
#include "oct_map_walk.h"
#include "oct_pt.h"
#include "oct_tracer.h"

/* What the decoder is on its way to. */
typedef enum oct_pt_goal {
  OCT_PT_GO_NOWHERE, /* it needs a packet */
  OCT_PT_GO_TIP,     /* over the next indirect jump, to `to` */
  OCT_PT_GO_END,     /* over the next indirect jump or transfer to the kernel, where tracing ends */
  OCT_PT_GO_FUP,     /* to `to`, before its instruction */
  OCT_PT_GO_PSB      /* to instruction number sync.number */
} oct_pt_goal;

/* What stands between a PSB and its PSBEND. */
typedef struct oct_pt_sync {
  bool is_under_way, has_number, has_ip;
  uint64_t bit, number, ip;
  uint32_t task;
} oct_pt_sync;

typedef struct oct_pt_decoder {
  oct_pt_params p;
  oct_map_walk walk;
  oct_buffer in;
  size_t at;           /* next byte of in */
  uint64_t base_bytes; /* that went before in.bytes[0] */
  uint64_t bit;        /* where the packet under way begins */
  bool is_finished, is_searching;
  uint64_t last_ip;
  uint64_t tnt;   /* outcomes not yet used, the oldest the highest, */
  uint32_t n_tnt; /* as many */
  oct_pt_goal goal;
  uint64_t to;
  bool is_event; /* a FUP was reached: TIP or TIP.PGD goes with it */
  oct_pt_sync sync;
  oct_pt_stack stack;
  bool is_enabled;
  bool is_synced; /* a PSB was seen */
  bool is_lost;   /* the next PSB follows a gap */
  uint64_t ip;    /* the next instruction */
  uint32_t id;    /* entry of the last, OCT_WALK_NONE at the start */
  uint32_t task;
  uint32_t jumps;          /* since the last packet */
  uint64_t insn, out_insn; /* numbers of the next instruction, and of the next to be handed out */
  oct_buffer out;          /* oct_insn */
  bool has_gap;            /* a gap is to be told, */
  uint64_t gap_insns;      /* as long as this */
  oct_decoder_counts counts;
  int error;
  oct_diag diag;
} oct_pt_decoder;

int oct_pt_decoder_init(oct_pt_decoder *d, const uint32_t *params, oct_decoder_start start);
void oct_pt_decoder_free(oct_pt_decoder *d);
int oct_pt_decoder_push(oct_pt_decoder *d, const uint8_t *bytes, size_t n);
/* As the functions of oct_tracer_decoder. */
int oct_pt_decoder_next(oct_pt_decoder *d, oct_decoded *out, oct_diag *diag);
int oct_pt_decoder_resync(oct_pt_decoder *d);

#endif
