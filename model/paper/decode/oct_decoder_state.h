/* SPDX-License-Identifier: Apache-2.0 */
/* oct_decoder_state.h - what the parts of the decoder share (docs/port-format.md).
 *
 * The cutter (oct_cutter.h) gives packets, the parser (oct_decoder_parse.c) queues them; the join
 * (oct_decoder_join.c) pulls streams from the instruction side (oct_decoder_insn.c) and access
 * records from the data side (oct_decoder_data.c). A sync, flush or overflow is a barrier: parsing
 * waits there until the join has used up both sides.
 *
 * Mirrors return to their initial value by a new epoch: an entry of another epoch counts as
 * invalid, so that a sync costs nothing however large the caches are. */
#ifndef OCT_DECODER_STATE_H
#define OCT_DECODER_STATE_H

#include "oct_cutter.h"
#include "oct_decoder.h"

#define OCT_NO_ID UINT32_MAX
#define OCT_DECODER_TUPLE_MAX 16

/* Elements of the queues. */
typedef enum oct_token_kind {
  OCT_TOKEN_HIT,   /* value: number of the tuple */
  OCT_TOKEN_TUPLE, /* a tuple miss: its indices stand in the index queue */
  OCT_TOKEN_PART,  /* n indices in the index queue */
  OCT_TOKEN_INDEX, /* value: index */
  OCT_TOKEN_TASK   /* value: task */
} oct_token_kind;

typedef struct oct_token {
  uint16_t kind, n;
  uint32_t value;
  uint32_t count;     /* the same packet so many times */
  uint32_t scmt_seen; /* SCMT packets that came before it, modulo 2^32 */
} oct_token;

typedef struct oct_scmt {
  uint64_t sa;
  uint32_t sl;
} oct_scmt;

typedef struct oct_dt_run {
  uint32_t pattern, count;
  uint32_t n_bits;
} oct_dt_run;

typedef struct oct_dmt {
  uint64_t addr;
  uint8_t is_terminator;
} oct_dmt;

OCT_QUEUE_OF(token, oct_token)
OCT_QUEUE_OF(index, uint16_t)
OCT_QUEUE_OF(scmt, oct_scmt)
OCT_QUEUE_OF(dt, oct_dt_run)
OCT_QUEUE_OF(dmt, oct_dmt)
OCT_QUEUE_OF(update, oct_map_update)

/* Stream cache. map_id is the map entry of sa, remembered while map_version is current. */
typedef struct oct_sc_entry {
  uint64_t sa;
  uint64_t used; /* LRU stamp */
  uint32_t sl;
  uint32_t epoch;
  uint32_t map_id, map_version;
} oct_sc_entry;

typedef struct oct_sc_set {
  uint32_t epoch;
  uint16_t fifo_way;
  uint16_t plru_bits; /* bit i: node i */
} oct_sc_set;

/* Data address stride cache. */
typedef struct oct_decoder_dasc_entry {
  uint64_t lda;
  int32_t stride;
  uint32_t epoch;
} oct_decoder_dasc_entry;

typedef struct oct_dasc_tag {
  uint64_t pcw;
  uint64_t used;
  uint32_t slot;
} oct_dasc_tag;

typedef enum oct_decoder_barrier {
  OCT_BARRIER_NONE,
  OCT_BARRIER_SYNC,
  OCT_BARRIER_FLUSH,
  OCT_BARRIER_OVERFLOW,
  OCT_BARRIER_CHECK, /* the sides need not be complete */
  OCT_BARRIER_ERROR  /* the packet after this place is bad */
} oct_decoder_barrier;

/* Results of the join besides errors. */
enum { OCT_STARVED = 0, OCT_FULL = 1 };

struct oct_decoder {
  oct_config cfg;
  oct_map *map;
  uint32_t map_version;
  oct_queue updates; /* all of them: after damage the map may have to be made anew */
  size_t n_updates;  /* of these, how many the map holds */
  uint64_t last_update_insn;

  /* Derived widths. */
  unsigned set_bits, dasc_set_bits;
  uint64_t addr_mask;

  /* Parser. */
  oct_cutter cutter;
  int is_searching, is_mark_found, is_finished;
  int is_sync_due;   /* only a sync may come */
  int is_flush_last; /* the last packet was a flush */
  oct_decoder_barrier barrier;
  uint64_t barrier_number; /* sync: instruction number; overflow: instructions lost */
  uint64_t barrier_extra;  /* sync: task; overflow: accesses lost */
  uint64_t barrier_bit;    /* where its packet begins */
  oct_check barrier_check;
  uint64_t confirmed_insns; /* oct_decoded's */
  uint64_t base_insn; /* an instruction number known to be right: that of the last sync or check
                         that agreed */
  uint64_t n_resyncs, resync_bit;
  size_t limit_records;
  int error;
  oct_diag diag;

  /* Instruction side. */
  oct_queue tokens, indices, scmts;
  uint32_t scmt_put, scmt_taken; /* modulo 2^32 */
  uint32_t epoch;
  oct_sc_entry *sc;
  oct_sc_set *sc_sets;
  uint64_t sc_stamp;
  uint32_t random_bits;
  uint16_t *thb; /* entry n at n * ntuple_n */
  uint32_t thb_write, thb_filled;
  uint16_t tuple[OCT_DECODER_TUPLE_MAX];
  unsigned tuple_pos, tuple_n;
  uint32_t tuple_scmt_seen;

  /* Data side. */
  oct_queue dts, dmts;
  uint32_t pattern;      /* bits not yet used of the pattern at hand, next in bit 0 */
  uint32_t pattern_left; /* their number */
  oct_decoder_dasc_entry *dasc;
  oct_dasc_tag *dasc_tags; /* NULL when tagless */
  uint64_t dasc_stamp;

  /* Join. */
  uint64_t insn_number; /* instructions passed, those lost included */
  uint32_t task;
  uint32_t stream_left;   /* instructions left of the stream at hand */
  uint64_t pc;            /* the next of them */
  uint32_t map_id;        /* its map entry, OCT_NO_ID: to be found */
  uint32_t insn_accesses; /* accesses that it has so far */
  int is_lost_saturated;
  oct_insn *insns;
  size_t n_insns;
  oct_access *accesses; /* n_accesses of insns, then insn_accesses */
  size_t n_accesses;
  uint64_t batch_first;
  oct_decoder_counts counts;
};

/* Remember an error; returns it. fail: of the packet that begins at the position, whose bit it
 * names. fail_before: of packets that were parsed before, and contradict each other. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
int oct_decoder_fail(oct_decoder *d, int error, const char *format, ...);
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
int oct_decoder_fail_before(oct_decoder *d, int error, const char *format, ...);
int oct_decoder_fail_at(oct_decoder *d, int error, uint64_t bit, const char *text);

/* Instruction side: fetch the next stream into stream_left, pc and map_id. 1, 0 when none is
 * known yet, or an error. */
int oct_decoder_next_stream(oct_decoder *d);
int oct_decoder_is_insn_side_empty(const oct_decoder *d);

/* Data side: take the access records of the instruction with map entry e; accesses go behind the
 * batch's. 1 when it is complete, with *flags; 0 when a record is not known yet; or an error. */
int oct_decoder_take_accesses(oct_decoder *d, const oct_map_entry *e, uint8_t *flags);
int oct_decoder_is_data_side_empty(const oct_decoder *d);

/* Fill the batch. OCT_FULL, OCT_STARVED or an error. */
int oct_decoder_join(oct_decoder *d);
/* Check and carry out the barrier at hand; the join is starved. 0 or an error. */
int oct_decoder_pass_barrier(oct_decoder *d);

/* Parse the packets that are wholly there, some hundred at most. 1 when something was parsed. */
int oct_decoder_parse(oct_decoder *d);
void oct_decoder_parse_init(oct_decoder *d);

#endif
