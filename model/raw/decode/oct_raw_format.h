/* SPDX-License-Identifier: Apache-2.0 */
/* oct_raw_format.h - numbers of docs/raw-format.md, and the decoder behind the tracer `raw`. */
#ifndef OCT_RAW_FORMAT_H
#define OCT_RAW_FORMAT_H

#include "octrace/tracer.h"

/* Parameters, in the order of the table. */
enum { OCT_RAW_PARAM_STREAM_INSNS, OCT_RAW_PARAM_SYNC_PERIOD, OCT_RAW_PARAM_TRAPS, OCT_RAW_PARAMS };

/* Kinds of packets: the two lowest bits of the number that a packet begins with. */
enum { OCT_RAW_STREAM, OCT_RAW_TASK, OCT_RAW_FLUSH, OCT_RAW_TRAP };
/* The rest of a trap's number: kind, privilege, cause, from the lowest bit on. */
enum { OCT_RAW_TRAP_KIND_BITS = 2, OCT_RAW_TRAP_PRIVILEGE_BITS = 3 };
/* A sync begins with this many bytes 0xff, which no numbers give, and a byte 0. */
#define OCT_RAW_SYNC_BYTES 10
/* Where an instruction has no further access: a zero of two bytes, which no number gives. */
#define OCT_RAW_END_0 0x80
#define OCT_RAW_END_1 0x00

/* As in oct_tracer_decoder and oct_tracer_packets, with the tracer `raw` itself; all else of them
 * is the base's. */
int oct_raw_decoder_create(const oct_tracer *raw, const uint32_t *params, oct_decoder_start start,
                           void **d, oct_diag *diag);
int oct_raw_decoder_next(void *d, oct_decoded *out, oct_diag *diag);
int oct_raw_decoder_resync(void *d, oct_diag *diag);
int oct_raw_packets_next(void *d, oct_packet *out, oct_diag *diag);

#endif
