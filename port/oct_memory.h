/* SPDX-License-Identifier: Apache-2.0 */
/* oct_memory.h - a trace to port bits in memory, and back: the short way, for programs that need no
 * more than that. Longer traces go batch by batch through the tracer itself (oct_tracer.h).
 *
 * Threads: An oct_memory is for one thread at a time, different ones may be used by different
 * threads. */
#ifndef OCT_MEMORY_H
#define OCT_MEMORY_H

#include "oct_source.h"
#include "oct_tracer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Port bytes, and what a decoder needs beside them: tracer, parameters, program map. */
typedef struct oct_memory oct_memory;

/* Compress what is left of the source with the untimed engine, so that nothing is lost. settings:
 * geometry and parameters as oct_tracer_parse takes them, or NULL; what they leave open is fitted
 * to the trace. The source stays the caller's. 0 and *out, to be freed; else OCT_ERR_CONFIG
 * (settings), OCT_ERR_UNSUPPORTED, OCT_ERR_LIMIT (the tracer cannot take the trace), OCT_ERR_NOMEM,
 * or an error of oct_source_next; *out is NULL then. */
int oct_memory_compress(const oct_tracer *tracer, const char *settings, oct_source *source,
                        oct_memory **out, oct_diag *diag);
void oct_memory_free(oct_memory *memory); /* NULL is allowed */

/* The bytes that left the port: their number, and where they are until oct_memory_free. */
size_t oct_memory_port(const oct_memory *memory, const uint8_t **bytes);

/* The next run of instructions, decoded from the port bytes: 1 and *run, valid until the next call;
 * 0 at the end. The call after that begins at the first instruction again. OCT_ERR_NOMEM, or
 * another error of the tracer's decoder. */
int oct_memory_next(oct_memory *memory, oct_decoded *run, oct_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
