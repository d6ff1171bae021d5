/* SPDX-License-Identifier: Apache-2.0 */
/* oct_decoder.h - software decoder of the trace port, written from docs/port-format.md alone. It
 * shares no stage with the compressor.
 *
 * Threads: A decoder is for one thread at a time, different ones may be used by different threads.
 */
#ifndef OCT_DECODER_H
#define OCT_DECODER_H

#include "oct_config.h"
#include "octrace/tracer.h"
#include "octrace/trace.h"
#include "octrace/map.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct oct_decoder oct_decoder;

/* OCT_ERR_CONFIG, OCT_ERR_NOMEM. The caller frees *d. */
int oct_decoder_new(const oct_config *cfg, oct_decoder_start start, oct_decoder **d,
                    oct_diag *diag);
void oct_decoder_free(oct_decoder *d);

/* Tell of program map changes, ordered by from_insn, before the port bytes that need them. Copied.
 */
int oct_decoder_map(oct_decoder *d, const oct_map_update *updates, size_t n, oct_diag *diag);

/* Append port bytes; copied. Call oct_decoder_next until it returns 0 before pushing more (memory
 * stays bounded that way). */
int oct_decoder_push(oct_decoder *d, const uint8_t *bytes, size_t n, oct_diag *diag);
/* No more bytes will come. */
void oct_decoder_finish(oct_decoder *d);

/* The next decoded run: 1 and *out, which may have no instructions when it only tells of a gap or
 * of a check; 0 when more bytes are needed, or after oct_decoder_finish the end. Errors, in *diag
 * as `bit N: ` (the packet that begins there is bad, or not whole at the end) or `before bit N: `
 * (packets read up to there contradict each other): OCT_ERR_PACKET, OCT_ERR_CHECKSUM (a check does
 * not agree), OCT_ERR_MAP, OCT_ERR_TRUNCATED (finished in the middle of something, or without a
 * final flush), OCT_ERR_LIMIT, OCT_ERR_NOMEM. All that was decoded before is delivered first; after
 * an error the decoder only repeats it, until oct_decoder_resync. */
int oct_decoder_next(oct_decoder *d, oct_decoded *out, oct_diag *diag);

/* After an error: look for the next sync, beginning with that at which the error showed. 1 when it
 * is found: oct_decoder_next goes on there, and the number of its first instruction tells how many
 * are missing. 0 when more bytes are needed: push them and call again; after oct_decoder_finish
 * there is none. Errors that no sync mends (OCT_ERR_NOMEM) are returned again. What was not
 * confirmed when the error came will not be. */
int oct_decoder_resync(oct_decoder *d, oct_diag *diag);
void oct_decoder_had_privilege(oct_decoder *d, unsigned privilege);
void oct_decoder_get_counts(const oct_decoder *d, oct_decoder_counts *counts);

#ifdef __cplusplus
}
#endif
#endif
