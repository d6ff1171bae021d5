/* SPDX-License-Identifier: Apache-2.0 */
/* oct_container_reader.h - inside of the library: what the player and the format octp need of the
 * reader of containers, and of each other. */
#ifndef OCT_CONTAINER_READER_H
#define OCT_CONTAINER_READER_H

#include <stdio.h>

#include "octrace/container.h"

/* As oct_container_open, of what stream gives, which is closed with the reader, also on failure;
 * name is for messages. It may be a stream that cannot seek. */
int oct_container_open_stream(FILE *stream, const char *name, uint64_t total_bytes,
                              oct_container_reader **out, oct_diag *diag);
/* As oct_container_open: the file of r once more from its begin, with the program and the limit of
 * r.
 */
int oct_container_open_again(const oct_container_reader *r, oct_container_reader **again,
                             oct_diag *diag);
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
