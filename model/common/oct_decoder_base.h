/* SPDX-License-Identifier: Apache-2.0 */
/* oct_decoder_base.h - what decoders have in common, whatever their format: the bytes that wait,
 * the position in the program map, the instructions to hand out, gaps and errors.
 *
 * The struct of a decoder begins with an oct_decoder_base; the functions here take a pointer to
 * either. */
#ifndef OCT_DECODER_BASE_H
#define OCT_DECODER_BASE_H

#include "octrace/error.h"
#include "oct_listing.h"
#include "oct_map_walk.h"
#include "octrace/tracer.h"

typedef struct oct_decoder_base {
  oct_buffer in;       /* port bytes, */
  size_t at;           /* of which the next is this, */
  uint64_t base_bytes; /* and as many went before in.bytes[0] */
  uint64_t bit;        /* where the packet under way begins */
  bool is_finished;    /* no more bytes come */
  bool is_searching;   /* for a sync */
  bool is_synced;      /* one was seen */
  bool is_lost;        /* the next follows a gap, */
  bool is_resumed;     /* which resync has told of */
  uint64_t
      failed_bytes; /* 1 + place of the sync found last behind damage, which is not found again */
  oct_map_walk walk;
  uint64_t ip;             /* the next instruction */
  uint32_t id;             /* map entry of the last, OCT_WALK_NONE at the start */
  uint32_t task;           /* of the next instruction */
  uint64_t insn, out_insn; /* numbers of the next instruction, and of the next to be handed out */
  oct_buffer out;          /* oct_insn: those that wait to be handed out, */
  oct_buffer out_accesses; /* oct_access: and theirs, */
  oct_buffer out_traps;    /* oct_trap: and the traps among them, */
  oct_buffer out_facts;    /* oct_fact: and facts, */
  oct_buffer out_values;   /* and the bytes of all values */
  bool has_gap;            /* a gap is to be told, */
  uint64_t gap_insns;      /* as long as this */
  oct_decoder_counts counts;
  int error;
  oct_diag diag;
} oct_decoder_base;

/* Make a decoder of n_bytes, all zero but its base, for tracer t: parameters are checked, init does
 * the rest (0 or an error with *diag); t->decoder.destroy is called if it fails. As `create` of
 * oct_tracer_decoder. */
int oct_decoder_base_create(const oct_tracer *t, size_t n_bytes,
                            int (*init)(void *d, const uint32_t *params, oct_diag *diag),
                            const uint32_t *params, oct_decoder_start start, void **out,
                            oct_diag *diag);
/* As the functions of oct_tracer_decoder. push: OCT_ERR_ARG after finish. */
void oct_decoder_base_destroy(void *d);
int oct_decoder_base_map(void *d, const oct_map_update *updates, size_t n, oct_diag *diag);
int oct_decoder_base_push(void *d, const uint8_t *bytes, size_t n, oct_diag *diag);
void oct_decoder_base_finish(void *d);
void oct_decoder_base_behind_gap(void *d, uint64_t insn);
void oct_decoder_base_counts(const void *d, oct_decoder_counts *counts);

/* Drop the bytes that were used. */
void oct_decoder_base_compact(oct_decoder_base *d);

/* Keep an error of the packet under way for *diag: returns it. */
int oct_decoder_base_fail(void *d, int error, const char *what);

/* The instruction at d->ip retires; *e gets its map entry. 0, or an error: OCT_ERR_MAP,
 * OCT_ERR_NOMEM. */
int oct_decoder_base_retire(void *d, const oct_map_entry **e);

/* The same in steps, for formats with data: find the entry, add its accesses in their order,
 * numbers 0 on, to those that wait, and emit the instruction with them. OCT_ERR_LIMIT: more
 * accesses than an instruction may have. */
int oct_decoder_base_find(void *d, const oct_map_entry **e);
int oct_decoder_base_access(void *d, const oct_map_entry *e, unsigned number, uint64_t addr);
int oct_decoder_base_emit(void *d, const oct_map_entry *e, unsigned n_accesses, uint8_t flags);

/* Keep n bytes of a value: what an access or a fact has to name them. 0: out of memory. */
uint32_t oct_decoder_base_value(void *d, const uint8_t *bytes, size_t n);

/* A trap before the next instruction; trap->insn is set here. */
int oct_decoder_base_trap(void *d, const oct_trap *trap);

/* Hand out the instructions that wait, else tell of the gap. `run` gives more: 1, 0 when it needs
 * bytes, or an error; is_open: a stream that ends now is cut off. As `next`. */
int oct_decoder_base_next(void *d, int (*run)(void *d), bool (*is_open)(const void *d),
                          oct_decoded *out, oct_diag *diag);

/* The first sync, or the one behind a gap, before instruction number `insn`; bit: where a decoder
 * may begin. is_counted: the sync says so, else the number behind a gap is the least that it may
 * be, and what may stand in the map in several versions is an error from here on. 0, or
 * OCT_ERR_PACKET (a number above OCT_INSN_NUMBER_MAX), OCT_ERR_NOMEM. */
int oct_decoder_base_join(void *d, bool is_counted, uint64_t insn, uint64_t bit);

#define OCT_BAD_NUMBER_TEXT "a sync counts more instructions than a trace can have"

/* Up to which instruction a packet can lead that begins before number insn. Our encoders send a
 * sync every sync_period_insns, or a few later; of others the period is not known. A count beyond
 * it is damage, which may ask for billions. */
enum { OCT_FOREIGN_PACKET_INSNS = 1 << 28, OCT_SYNC_LATE_INSNS = 64 };
static inline uint64_t oct_packet_limit(uint64_t insn, uint32_t sync_period_insns,
                                        bool is_foreign) {
  if (is_foreign) return insn + OCT_FOREIGN_PACKET_INSNS;
  return sync_period_insns ? insn + sync_period_insns + OCT_SYNC_LATE_INSNS : UINT64_MAX;
}

/* From instruction number `from` to one that is told modulo 2^n_bits; 0 bits: it is not told. With
 * signed_bits or more of them one of the upper half is behind, which damage alone can tell. */
static inline uint64_t oct_number_step(uint64_t from, uint64_t told, unsigned n_bits,
                                       unsigned signed_bits) {
  if (!n_bits) return 0;
  uint64_t high = (told - from) << (64 - n_bits);
  bool is_behind = n_bits >= signed_bits && high >> 63;
  return high >> (64 - n_bits) | (is_behind && n_bits < 64 ? UINT64_MAX << n_bits : 0);
}

/* As much waits as is handed out at a time. */
static inline bool oct_decoder_base_is_full(const oct_decoder_base *d) {
  return d->out.n_bytes >= OCT_DECODED_INSNS * sizeof(oct_insn) ||
         d->out_accesses.n_bytes >= OCT_DECODED_ACCESSES * sizeof(oct_access);
}

/* Whether something waits. It is handed out before a sync is taken, so that who finds it wrong
 * loses no more than up to there. */
static inline bool oct_decoder_base_waits(const oct_decoder_base *d) {
  return d->out.n_bytes || d->out_traps.n_bytes;
}

/* A decoder at its start (OCT_START_SEARCH) or behind damage looks for a sync with `search`, which
 * moves to it, or as far as it cannot begin. False: more bytes are needed. */
bool oct_decoder_base_is_found(void *d, bool (*search)(void *d));
/* The end of `resync`: the error is forgotten, what is next follows a gap. 1: a sync is found, and
 * never the same twice; 0: more bytes are needed. */
int oct_decoder_base_resync(void *d, bool (*search)(void *d));
/* A search for these n bytes. */
bool oct_decoder_base_find_mark(void *d, const uint8_t *mark, size_t n);

/* As `packets.next`, once a sync is found: step takes a packet, sets d->bit to where it begins, and
 * says in *p what it is: 1, 0 when more bytes are needed, or an error. */
int oct_decoder_base_list(void *d, bool (*search)(void *d), int (*step)(void *d, oct_packet *p),
                          oct_packet *out, oct_diag *diag);

#endif
