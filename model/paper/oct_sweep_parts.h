/* SPDX-License-Identifier: Apache-2.0 */
/* oct_sweep_parts.h - the parts that geometries of a sweep share, and their passes over the words
 * of a chunk. A part is found by its key: a configuration with all but what it depends on zero. */
#ifndef OCT_SWEEP_PARTS_H
#define OCT_SWEEP_PARTS_H

#include "oct_dasc.h"
#include "oct_front.h"
#include "oct_lru_stack.h"
#include "oct_ntuple.h"
#include "oct_output.h"
#include "oct_repetition.h"
#include "oct_stream_cache.h"

/* Instructions taken at a time: the words of a chunk stay in the host's second-level cache. */
#define OCT_SWEEP_CHUNK_INSNS 8192

/* Every part begins with these. */
typedef struct oct_part {
  oct_config key;
  struct oct_part *next;
} oct_part;

/* A barrier after so many streams and so many data words of the chunk. */
typedef struct oct_part_mark {
  size_t streams, data;
  uint8_t mark;
} oct_part_mark;

typedef struct oct_part_front {
  oct_part part;
  oct_front front;
  oct_stats stats;
  oct_stream_ids ids;
  bool wants_ids, wants_data; /* a stack, or a DASC, reads them */
  oct_stream_word *words;     /* of the chunk: streams with their marks, */
  uint32_t *numbers;          /* the streams' numbers, */
  oct_data_word *data;        /* accesses and terminators, without marks, */
  oct_part_mark *marks;       /* and the barriers */
  size_t n_words, n_numbers, n_data, n_marks, n_terminators;
  size_t words_size, numbers_size, data_size, marks_size;
  uint64_t streams, syncs, flushes;
} oct_part_front;

typedef struct oct_part_stack {
  oct_part part;
  const oct_part_front *front;
  uint32_t ways[OCT_SET_BITS_MAX + 1]; /* most that a geometry has, by log2 of its sets */
  oct_lru_stack stack;
} oct_part_stack;

typedef struct oct_part_cache {
  oct_part part;
  const oct_part_front *front;
  oct_stream_cache cache;
  oct_stats stats;
  uint16_t *index; /* of the chunk's streams */
  size_t index_size;
} oct_part_cache;

typedef struct oct_part_tuple {
  oct_part part;
  const oct_part_cache *cache;
  oct_ntuple ntuple;
  oct_output output;
  oct_stats stats;
} oct_part_tuple;

typedef struct oct_part_dasc {
  oct_part part;
  const oct_part_front *front;
  oct_dasc dasc;
  oct_stats stats;
  uint64_t *hits; /* a bit for each of the chunk's data words */
  size_t hits_size;
} oct_part_dasc;

typedef struct oct_part_rep {
  oct_part part;
  const oct_part_dasc *dasc;
  oct_repetition repetition;
  oct_output output;
  oct_stats stats;
} oct_part_rep;

/* Cut a chunk into the words of the front. OCT_ERR_NOMEM. */
int oct_part_front_put(oct_part_front *p, const oct_insn *insns, size_t n_insns,
                       const oct_access *accesses, size_t n_accesses);
int oct_part_front_flush(oct_part_front *p);
/* What the parts hold, not they themselves. */
void oct_part_front_free(oct_part_front *p);
void oct_part_cache_free(oct_part_cache *p);
/* The passes over a chunk's words. OCT_ERR_NOMEM. */
int oct_part_stack_pass(oct_part_stack *p);
int oct_part_cache_pass(oct_part_cache *p);
void oct_part_tuple_pass(oct_part_tuple *p);
int oct_part_dasc_pass(oct_part_dasc *p);
void oct_part_rep_pass(oct_part_rep *p);

/* Without tuples the instruction side holds no state beyond its cache: account for so many streams
 * and task switches by what one of each makes. */
void oct_part_count_plain(const oct_config *cfg, uint64_t streams, uint64_t hits,
                          uint64_t task_switches, oct_stats *stats);
/* Account for the packets of accesses that missed and of terminators: what one of each makes. */
void oct_part_count_missed(const oct_config *cfg, uint64_t misses, uint64_t terminators,
                           oct_stats *stats);
/* Account for the packets that belong to both sides, and for the padding of the flush, last. */
void oct_part_count_barriers(const oct_config *cfg, uint64_t syncs, uint64_t flushes,
                             oct_stats *stats);

#endif
