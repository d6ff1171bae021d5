/* SPDX-License-Identifier: Apache-2.0 */
/* oct_pt_flow.h - inside of the library: bytes of Intel PT to instructions, by libipt. */
#ifndef OCT_PT_FLOW_H
#define OCT_PT_FLOW_H

#include <intel-pt.h>
#include <stdbool.h>

#include "oct_reader_format.h"

/* Packets behind the place that libipt has come to, up to where it can go on. */
typedef struct oct_pt_scan {
  struct pt_packet_decoder *decoder;
  uint64_t last_ip; /* address sent last */
  uint64_t psb;     /* of the sync under way, UINT64_MAX outside of one */
  bool is_overflow; /* the next address is where tracing goes on */
  bool exec_is_told;
  uint8_t exec;     /* then the execution mode sent last */
  uint8_t tsx;      /* in a transaction, the packet that says so; else 0 */
  uint64_t tsx_end; /* ahead: where the transaction under way ends, if that is known, */
  bool tsx_aborts;  /* and how */
} oct_pt_scan;

/* What Event Trace tells of a trap, or of the return from one, at an address of which these bits
 * are known. */
typedef struct oct_pt_cause {
  oct_trap trap;
  bool is_return;
  uint64_t ip, mask;
} oct_pt_cause;
enum { OCT_PT_CAUSES = 64 };

/* A gap; what is wrong, if there is damage. */
typedef struct oct_pt_gap {
  oct_gap_cause cause;
  uint64_t addr; /* OCT_GAP_NO_IMAGE */
  oct_diag diag;
} oct_pt_gap;

typedef struct oct_pt_flow {
  oct_reader *of;   /* which counts gaps and damage */
  const char *name; /* for messages */
  struct pt_insn_decoder *decoder;
  struct pt_image *image;
  oct_pt_scan scan;
  struct pt_cpu cpu;
  uint8_t *all_bytes; /* owned; what was decoded may be written over */
  size_t n_all_bytes;
  const uint64_t *holes; /* in front of these bytes some are missing */
  size_t n_holes;        /* so many are ahead */
  uint64_t begin;        /* of what is decoded now, up to the next hole: */
  uint8_t *bytes;
  size_t n_bytes;
  /* The code at ip, at most n bytes: how many there are, 0 for none. */
  size_t (*code)(void *context, uint64_t ip, uint8_t *to, size_t n);
  /* The name of the file that was mapped at ip, "" if that is not known. */
  const char *(*place)(void *context, uint64_t ip);
  void *context;
  bool goes_on;             /* behind damage, at the next PSB */
  bool is_ours;             /* octrace wrote it: tracing is off at its end */
  bool is_late;             /* it is known to begin behind its first instruction */
  int status;               /* of libipt */
  bool is_ended, is_astray; /* astray: in a loop that no packet ends */
  bool is_silent;           /* no instruction since the last gap or damage, which are one then */
  uint64_t n_insns, offset; /* instructions since the packets were at that offset */
  uint64_t n_all;           /* instructions handed out */
  struct pt_packet_decoder *counted; /* of a stream of ours, up to the last PSB; */
  uint64_t number, n_before;         /* its instructions by its number, and those handed out, */
  bool has_number;                   /* unless something is missing since; */
  bool is_miscounted;                /* the two differ */
  bool is_damaged;                   /* since the last number: the next tells what is missing, */
  uint64_t n_missing;                /* so many instructions, if the one behind it agrees */
  uint64_t missing;                  /* where there is no code */
  bool is_placed; /* since such a place, at an address: calls made before are not known */
  uint64_t time;  /* time stamp counter at the last instruction or event, 0 when not told */
  uint64_t cr3;
  oct_trap *traps; /* before the next instruction: interrupts and the like */
  size_t n_traps, room_traps;
  /* Gaps behind the instructions so far, in order; the first n_gaps_due come before the next. */
  struct oct_pt_gap *gaps;
  size_t n_gaps, room_gaps, n_gaps_due;
  struct pt_insn *held; /* instructions of a transaction, in order; */
  size_t n_held, room_held;
  size_t n_ready, n_given;            /* of these, those that hold, and those handed out */
  bool is_abort;                      /* the next trap is the end of a transaction */
  oct_pt_cause causes[OCT_PT_CAUSES]; /* of traps to come, in order: libipt reads ahead */
  unsigned n_causes;
  uint64_t tval;       /* of the cause that follows */
  const uint8_t *told; /* packets of Event Trace up to there are taken */
} oct_pt_flow;

/* Begin at the first PSB of bytes, whose owner f becomes in every case; cpu has the errata of the
 * processor that recorded. What stands before the PSB is counted. OCT_ERR_FORMAT (no PSB),
 * OCT_ERR_NOMEM. Before, the fields of, name, code, context, goes_on,
 * is_ours, is_late, and holes are set. */
int oct_pt_flow_open(oct_pt_flow *f, const struct pt_cpu *cpu, uint8_t *bytes, size_t n_bytes,
                     oct_diag *diag);
/* The next instruction: 1, 0 at the end, OCT_ERR_FORMAT, OCT_ERR_TRUNCATED (the end is within a
 * packet or a sync, or it is ours and tracing goes on there; of others that is counted),
 * OCT_ERR_NOMEM. What has no code is passed over, as a gap. */
int oct_pt_flow_next(oct_pt_flow *f, struct pt_insn *insn, oct_diag *diag);
void oct_pt_flow_close(oct_pt_flow *f);
/* Whether there is nothing but padding. */
bool oct_pt_flow_is_padding(const oct_pt_flow *f);

/* Behind an address without code, go on where a packet leads to code. libipt's status; -pte_eos
 * when none does. */
int oct_pt_find_place(oct_pt_flow *f);
/* Whether the transaction under way, whose end libipt does not come to, is aborted there. config is
 * that of a decoder of packets. */
bool oct_pt_aborts(oct_pt_flow *f, const struct pt_config *config);

/* Append insn to r's batch, and tell what it is, by its bytes, where that is new. disasm[1] is for
 * code of 64 bits, disasm[0] for 32; both are made as needed. 0; 1 when the batch must be handed
 * out first; or an error. */
int oct_pt_add_insn(oct_reader *r, oct_disasm *disasm[2], const struct pt_insn *insn, uint32_t task,
                    oct_diag *diag);

/* Append the traps and gaps that f met before its next instruction, or all of them at its end. 0 or
 * an error. */
int oct_pt_add_events(oct_reader *r, oct_pt_flow *f, oct_diag *diag);

/* Behind the last instruction: OCT_ERR_FORMAT when there was none, and nothing says why. */
int oct_pt_check_any(const oct_reader *r, oct_diag *diag);

/* All bytes of r's input, which the caller frees. OCT_ERR_NOMEM or an error of the input. */
int oct_pt_read_all(oct_reader *r, uint8_t **bytes, size_t *n_bytes, oct_diag *diag);

/* The parameter cpu=FAMILY/MODEL[/STEPPING] of the format; *cpu stays as it is without.
 * OCT_ERR_ARG.
 */
int oct_pt_parse_cpu(const oct_reader *r, struct pt_cpu *cpu, oct_diag *diag);

#endif
