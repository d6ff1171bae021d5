/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etm4_emit.h - what the ETMv4 encoder sends, for its own files. All that return int: 0 or
 * OCT_ERR_NOMEM. */
#ifndef OCT_ETM4_EMIT_H
#define OCT_ETM4_EMIT_H

#include "oct_etm4_encode.h"

/* The oldest atoms, as many as one packet holds; and all of them. */
int oct_etm4_put_atom_packet(oct_etm4_encoder *e);
int oct_etm4_put_atoms(oct_etm4_encoder *e);
/* Append n bytes, and count them in *bits. */
int oct_etm4_put(oct_etm4_encoder *e, const uint8_t *bytes, size_t n, uint64_t *bits);

/* Whether the instruction at addr is of T32; where that is not known, like_this, but for what the
 * kernel lends. oct_etm4_is_thumb: like the parameter isa. */
bool oct_etm4_is_thumb_like(const oct_etm4_encoder *e, uint64_t addr, bool like_this);
bool oct_etm4_is_thumb(const oct_etm4_encoder *e, uint64_t addr);

int oct_etm4_put_address(oct_etm4_encoder *e, uint64_t addr, bool thumb);
/* An address with its context: the exception level, non-secure, and the task as context identifier.
 */
int oct_etm4_put_context(oct_etm4_encoder *e, uint64_t addr, bool thumb, uint32_t task);
/* The cycles since the last count, behind the branch at hand, if they are as many as the threshold.
 */
int oct_etm4_put_cycles(oct_etm4_encoder *e);
/* Put what is complete into frames; with is_end all. */
int oct_etm4_put_frames(oct_etm4_encoder *e, bool is_end);
/* A sync before instruction `number`, in a frame of its own, so that a reader finds frames by it.
 * The program goes on at addr. is_on: tracing begins here. */
int oct_etm4_put_sync(oct_etm4_encoder *e, uint64_t number, uint64_t addr, uint32_t task,
                      bool is_on);

#endif
