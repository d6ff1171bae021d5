/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ntrace_decode.h - the N-Trace decoder. */
#ifndef OCT_NTRACE_DECODE_H
#define OCT_NTRACE_DECODE_H

#include "oct_decoder_base.h"
#include "oct_ntrace.h"

/* Outcomes of branches: those of hist, behind its stop bit, `times` times. */
typedef struct oct_nt_outcomes {
  uint64_t hist;
  uint32_t left; /* of this time */
  uint64_t times;
} oct_nt_outcomes;

typedef struct oct_nt_decoder {
  oct_decoder_base base;
  oct_nt_params p;
  oct_buffer outcomes; /* oct_nt_outcomes, from first_outcome on */
  size_t first_outcome;
  uint64_t icnt;       /* halfwords to go, */
  oct_nt_message held; /* to where this message says, */
  bool has_held;       /* if there is one */
  oct_nt_message last; /* the last branch, which may be repeated (TCODE 0: none), */
  uint64_t n_repeat;   /* and comes as many times again */
  uint64_t limit;      /* instruction that the message under way does not lead beyond */
  bool is_foreign;     /* the stream is another encoder's */
  bool is_probe;       /* whether it begins with a whole message is being found out, */
  unsigned n_probed;   /* with so many read */
  bool is_on, needs_number;
  bool may_count;       /* of a stream of others: TCODE 56 may be our count, */
  bool is_counted;      /* and is, as it was told or as two agreed with the instructions between */
  bool was_wrong;       /* one did not agree with those before it, which is not told yet */
  bool knows_number;    /* one came since the last gap: */
  uint64_t told_number, /* this, */
      told_insn;        /* in front of the decoder's instruction of this number */
  bool is_damaged;      /* since then: the next one tells what is missing, */
  uint64_t missing;     /* this, if the one behind it agrees */
  bool knows_addr;      /* last_addr is what the encoder has */
  bool is_in_hole;      /* no code is known where the program went: held may lead out of there */
  bool is_late;         /* the stream does not begin with a sync */
  bool is_behind;       /* the next instruction is what follows the last, not base.ip */
  uint64_t last_addr;
  oct_nt_stack stack;
} oct_nt_decoder;

/* As the functions of oct_tracer_decoder. */
int oct_nt_decoder_init(void *d, const uint32_t *params, oct_diag *diag);
void oct_nt_decoder_destroy(void *d);
int oct_nt_decoder_next(void *d, oct_decoded *out, oct_diag *diag);
int oct_nt_decoder_resync(void *d, oct_diag *diag);
/* Go behind the end of the message under way, if it is there. */
bool oct_nt_decoder_search(void *d);
/* The next message of our source: 1, 0 when more bytes are needed, or an error. */
int oct_nt_decoder_message(oct_nt_decoder *d, oct_nt_message *m, const oct_nt_listen *listen);

#endif
