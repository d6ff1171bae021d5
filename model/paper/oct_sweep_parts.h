/* SPDX-License-Identifier: Apache-2.0 */
/* oct_sweep_parts.h - inside of oct_sweep.c: the front and the stream cache that geometries of a
 * sweep share, which a profile of missed streams uses, too. */
#ifndef OCT_SWEEP_PARTS_H
#define OCT_SWEEP_PARTS_H

#include "oct_front.h"
#include "oct_lru_stack.h"
#include "oct_stream_cache.h"

/* Instructions taken at a time: the words of a chunk stay in the host's second-level cache. */
#define OCT_SWEEP_CHUNK_INSNS 8192

/* Every part begins with these; key: a configuration with all but what it depends on zero. */
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

typedef struct oct_part_cache {
  oct_part part;
  const oct_part_front *front;
  oct_stream_cache cache;
  oct_stats stats;
  uint16_t *index; /* of the chunk's streams */
  size_t index_size;
} oct_part_cache;

/* Cut a chunk into the words of the front. OCT_ERR_NOMEM. */
int oct_part_front_put(oct_part_front *p, const oct_insn *insns, size_t n_insns,
                       const oct_access *accesses, size_t n_accesses);
int oct_part_front_flush(oct_part_front *p);
/* What the parts hold, not they themselves. */
void oct_part_front_free(oct_part_front *p);
void oct_part_cache_free(oct_part_cache *p);
/* Give the words of the chunk their indices. OCT_ERR_NOMEM. */
int oct_part_cache_pass(oct_part_cache *p);

#endif
