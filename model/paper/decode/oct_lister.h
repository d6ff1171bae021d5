/* SPDX-License-Identifier: Apache-2.0 */
/* oct_lister.h - port bits as a list of packets: the cutter of the decoder without what it feeds.
 * The functions are those of oct_tracer_packets (oct_tracer.h), and answer as it says. */
#ifndef OCT_LISTER_H
#define OCT_LISTER_H

#include "octrace/tracer.h"

int oct_lister_create(const uint32_t *params, oct_decoder_start start, void **lister,
                      oct_diag *diag);
void oct_lister_destroy(void *lister);
int oct_lister_push(void *lister, const uint8_t *bytes, size_t n, oct_diag *diag);
void oct_lister_finish(void *lister);
int oct_lister_next(void *lister, oct_packet *out, oct_diag *diag);

#endif
