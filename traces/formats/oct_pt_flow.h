/* SPDX-License-Identifier: Apache-2.0 */
/* oct_pt_flow.h - inside of the library: bytes of Intel PT to instructions, by libipt. */
#ifndef OCT_PT_FLOW_H
#define OCT_PT_FLOW_H

#include <intel-pt.h>
#include <stdbool.h>

#include "oct_reader_format.h"

typedef struct oct_pt_flow {
  struct pt_insn_decoder *decoder;
  struct pt_image *image;
  uint8_t *bytes; /* owned */
  size_t n_bytes;
  /* The code at ip, at most n bytes: how many there are, 0 for none. */
  size_t (*code)(void *context, uint64_t ip, uint8_t *to, size_t n);
  void *context;
  int status;               /* of libipt */
  bool is_ended, is_astray; /* astray: in a loop that no packet ends */
  uint64_t n_insns, offset; /* instructions since the packets were at that offset */
  bool skips;               /* pass over what has no code, as a gap; else that is an error */
  uint64_t n_gaps;          /* overflows, and what was passed over */
  uint64_t missing;
  uint64_t time; /* time stamp counter at the last instruction or event, 0 when not told */
  uint64_t cr3;
  uint64_t *traps; /* before the next instruction: interrupts and the like, in place of these */
  size_t n_traps, room_traps;
} oct_pt_flow;

/* Begin at the first PSB of bytes, whose owner f becomes in every case. OCT_ERR_FORMAT (no PSB),
 * OCT_ERR_NOMEM. name is for messages. */
int oct_pt_flow_open(oct_pt_flow *f, const char *name, uint8_t *bytes, size_t n_bytes,
                     oct_diag *diag);
/* The next instruction: 1, 0 at the end, OCT_ERR_ARG (no code at f->missing), OCT_ERR_FORMAT,
 * OCT_ERR_TRUNCATED (the end is within a packet). */
int oct_pt_flow_next(oct_pt_flow *f, const char *name, struct pt_insn *insn, oct_diag *diag);
void oct_pt_flow_close(oct_pt_flow *f);

/* Append insn to r's batch, and tell what it is, by its bytes, where that is new. disasm[1] is for
 * code of 64 bits, disasm[0] for 32; both are made as needed. 0; 1 when the batch must be handed
 * out first; or an error. */
int oct_pt_add_insn(oct_reader *r, oct_disasm *disasm[2], const struct pt_insn *insn, uint32_t task,
                    oct_diag *diag);

/* Append the traps that f met. 0 or an error. */
int oct_pt_add_traps(oct_reader *r, oct_pt_flow *f, oct_diag *diag);

/* All bytes of r's input, which the caller frees. OCT_ERR_NOMEM or an error of the input. */
int oct_pt_read_all(oct_reader *r, uint8_t **bytes, size_t *n_bytes, oct_diag *diag);

#endif
