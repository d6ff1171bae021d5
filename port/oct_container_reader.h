/* SPDX-License-Identifier: Apache-2.0 */
/* oct_container_reader.h - inside of the library: what reading and salvaging of containers share.
 */
#ifndef OCT_CONTAINER_READER_H
#define OCT_CONTAINER_READER_H

#include <stdio.h>

#include "oct_addr_set.h"
#include "oct_chain.h"
#include "octrace/container.h"

enum { OCT_CONTAINER_IMAGES_MAX = 32 };

struct oct_container_reader {
  FILE *stream;
  const char *name; /* for messages: path or "standard input" */
  char *path, *text;
  unsigned version; /* of the format */
  const oct_tracer *tracer;
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  oct_container_info info;
  oct_program_image images[OCT_CONTAINER_IMAGES_MAX];
  size_t n_images;
  oct_program *program; /* given by the caller */
  uint64_t offset, total_bytes;
  uint64_t chunk_offset, chunk_number;
  unsigned header_bytes; /* of a chunk */
  uint64_t seed;         /* of the checksum of chunk 0 */
  oct_chain chain;
  uint64_t search_offset; /* where salvage begins: behind a chunk whose checksum is right */
  uint64_t port_bytes, map_bytes;
  uint8_t *stored, *raw;
  size_t stored_cap_bytes, raw_cap_bytes;
  oct_map_update *updates;
  size_t updates_cap;
  uint64_t n_updates, max_updates; /* in all chunks, damaged ones too; and how many may be */
  /* Updates but the first of each address, so that the count is lower whichever chunk is missing,
   * unless all of its addresses have no other update. */
  uint64_t n_changes;
  int has_changes; /* the end tells how many */
  oct_addr_set addrs;
  int is_ended, is_cut, error; /* is_cut: chunks were left out */
  oct_diag diag;
};

/* As oct_container_open, of what stream gives, which is closed with the reader, also on failure;
 * name is for messages. It may be a stream that cannot seek. */
int oct_container_open_stream(FILE *stream, const char *name, uint64_t total_bytes,
                              oct_container_reader **out, oct_diag *diag);
/* Keep the error, of the chunk that is being read, and return it. */
int oct_container_fail(oct_container_reader *r, int error, const char *what);
/* Make *p hold at least n_bytes; it is never NULL afterwards. */
int oct_container_room(oct_container_reader *r, uint8_t **p, size_t *cap_bytes, size_t n_bytes);
/* Whether 12 bytes may begin the header of a chunk. */
int oct_container_is_header(const uint8_t *header);
/* Whether the n bytes in r->stored are the payload of the header, as chunk of this number: 1, 0, or
 * an error. */
int oct_container_is_whole(oct_container_reader *r, const uint8_t *header, uint32_t n,
                           uint64_t number);
/* The n bytes p of a map chunk of this kind, unpacked: 1 and its updates, or an error. */
int oct_container_parse_map(oct_container_reader *r, unsigned kind, const uint8_t *p, size_t n,
                            oct_chunk *chunk);
/* Of a file whose map chunks were all read: whether the end counts as many changes. 0 or
 * OCT_ERR_FORMAT. */
int oct_container_check_changes(const oct_container_reader *r, const oct_container_totals *t,
                                oct_diag *diag);

/* As oct_player_open, of a reader that is open, which the player closes, also on failure. */
int oct_player_start(oct_player *p, oct_container_reader *reader, uint64_t from_sync,
                     uint64_t max_updates, oct_program *program, const oct_replay_options *options,
                     oct_diag *diag);
/* Have each change of the program map told: those read so far now, others as they are read. To be
 * called before oct_player_next. 0, or what tell returned. */
typedef int oct_player_map_fn(void *context, const oct_map_update *updates, size_t n,
                              oct_diag *diag);
int oct_player_tell_map(oct_player *p, oct_player_map_fn *tell, void *context, oct_diag *diag);

#endif
