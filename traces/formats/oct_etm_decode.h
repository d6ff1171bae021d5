/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etm_decode.h - inside of the library: OpenCSD, which decodes ETMv4, in a process of its own.
 */
#ifndef OCT_ETM_DECODE_H
#define OCT_ETM_DECODE_H

#include <sys/types.h>

#include "oct_etm_snapshot.h"

/* Exceptions of ETMv4: the debugger halts the core, interrupts; and what octrace writes for a jump
 * that nothing explains, which is left to implementations. */
enum { OCT_ETM_HALT = 1, OCT_ETM_IRQ = 14, OCT_ETM_FIQ = 15, OCT_ETM_JUMP = 23 };

typedef enum oct_etm_kind {
  OCT_ETM_RANGE,   /* instructions from begin to end */
  OCT_ETM_TRAP,    /* begin: where the program was to go on */
  OCT_ETM_GAP,     /* the trace unit lost instructions, and said so */
  OCT_ETM_MISSING, /* no code at begin */
  OCT_ETM_SKIPPED, /* the beginning is missing; begin: bytes before a trace unit's first sync */
  OCT_ETM_FOREIGN, /* begin: bytes of trace units that the snapshot does not have */
  OCT_ETM_OPEN,    /* the source's trace goes on behind the end of the buffer */
  OCT_ETM_DAMAGE,  /* begin: the byte of the trace buffer where OpenCSD found no packet */
  OCT_ETM_ERROR,   /* end: oct_error; nothing follows */
  OCT_ETM_END
} oct_etm_kind;

typedef struct oct_etm_item {
  uint64_t begin, end, cycle;
  uint32_t task, cause; /* cause: ETMv4's number of the exception */
  uint8_t kind;         /* oct_etm_kind */
  uint8_t isa;          /* oct_isa */
  uint8_t has_cycle;
  uint8_t source; /* of a range, and of OCT_ETM_OPEN: the trace unit's number in the buffer */
} oct_etm_item;

typedef struct oct_etm_decoder {
  const oct_etm_snapshot *snapshot;
  const char *name; /* for messages */
  /* The code at addr, at most n bytes, of which the first instruction is whole; may_be_short: it
   * may have two bytes. How many there are, 0 for none. */
  size_t (*code)(void *context, uint64_t addr, uint8_t *to, size_t n, bool may_be_short);
  void *context;
  /* set by oct_etm_decode_start: */
  pid_t child;            /* 0: there is none */
  int from;               /* items come from there */
  volatile size_t *given; /* bytes of the trace buffer that OpenCSD has, shared with the child */
  char *text;             /* of the error, likewise */
  uint8_t bytes[4096];
  size_t at, n_bytes; /* of these */
} oct_etm_decoder;

enum { OCT_ETM_TEXT_BYTES = 240, OCT_ETM_SOURCES = 128 };

/* Decode from a byte of the trace buffer on. Once more is allowed behind an error. OCT_ERR_IO (no
 * process, no pipe). */
int oct_etm_decode_start(oct_etm_decoder *d, size_t byte, oct_diag *diag);
/* The next item: 1 with one up to OCT_ETM_DAMAGE, 0 at the end, or an error. OCT_ERR_FORMAT with
 * *died set: the process ended in the middle. */
int oct_etm_decode_next(oct_etm_decoder *d, oct_etm_item *item, bool *died, oct_diag *diag);
/* End the process, if there is one. */
void oct_etm_decode_stop(oct_etm_decoder *d);

#endif
