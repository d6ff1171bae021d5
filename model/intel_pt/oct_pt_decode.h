/* SPDX-License-Identifier: Apache-2.0 */
/* oct_pt_decode.h - octrace's own Intel PT decoder, for streams of its encoder. */
#ifndef OCT_PT_DECODE_H
#define OCT_PT_DECODE_H

#include "oct_decoder_base.h"
#include "oct_pt.h"

/* What the decoder is on its way to. */
typedef enum oct_pt_goal {
  OCT_PT_GO_NOWHERE, /* it needs a packet */
  OCT_PT_GO_TIP,     /* over the next indirect jump, to `to` */
  OCT_PT_GO_END,     /* over the next indirect jump or transfer to the kernel, where tracing ends */
  OCT_PT_GO_FUP,     /* to `to`, before its instruction */
  OCT_PT_GO_PSB,     /* to instruction number sync.number */
  OCT_PT_GO_REPEAT   /* over the instruction at hand, n_repeat times */
} oct_pt_goal;

/* What stands between a PSB and its PSBEND. */
typedef struct oct_pt_sync {
  bool is_under_way, has_number, has_ip;
  uint64_t bit, number, ip;
  uint32_t task;
} oct_pt_sync;

typedef struct oct_pt_decoder {
  oct_decoder_base base;
  oct_pt_params p;
  uint64_t last_ip;
  uint64_t tnt;   /* outcomes not yet used, the oldest the highest, */
  uint32_t n_tnt; /* as many */
  oct_pt_goal goal;
  uint64_t to, n_repeat;
  bool is_event;    /* a FUP was reached: TIP or TIP.PGD goes with it, */
  uint64_t from;    /* and there it was */
  bool is_parted;   /* behind FUP and TIP.PGD of one task: TIP.PGE goes with it */
  bool is_starting; /* behind a PSB or PIP without tracing: TIP.PGE follows */
  bool is_overflow; /* behind OVF, before where the program goes on */
  oct_pt_sync sync;
  oct_pt_stack stack;
  bool is_enabled;
  uint32_t jumps; /* since the last packet */
} oct_pt_decoder;

/* As the functions of oct_tracer_decoder. */
int oct_pt_decoder_init(void *d, const uint32_t *params, oct_diag *diag);
int oct_pt_decoder_next(void *d, oct_decoded *out, oct_diag *diag);
int oct_pt_decoder_resync(void *d, oct_diag *diag);
/* Go to the next PSB, if there is one. */
bool oct_pt_decoder_search(void *d);
/* The next packet: 1, 0 when more bytes are needed, or an error. */
int oct_pt_decoder_packet(oct_pt_decoder *d, oct_pt_packet *p);

#endif
