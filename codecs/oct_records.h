/* SPDX-License-Identifier: Apache-2.0 */
/* oct_records.h - the records of VPC3 from a trace: (4-byte PC, 8-byte extended data).
 *
 * Threads: An object is for one thread at a time, different ones may be used by different threads.
 */
#ifndef OCT_RECORDS_H
#define OCT_RECORDS_H

#include "oct_buffer.h"
#include "oct_event.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a file of such records begins with (VPC3 page). */
#define OCT_VPC3_MAGIC "vpc3"

enum { OCT_RECORDS_LOADS = 1, OCT_RECORDS_STORES = 2 };

/* PCs are shifted right by the bits that alignment makes zero, as section 3.1 of Burtscher 2004 has
 * it; align_bytes 1, 2, 4 or 8. */
unsigned oct_records_pc_shift(uint32_t align_bytes);

/* Append a record of 12 bytes per access of these kinds: (address of the instruction >> pc_shift,
 * lower 32 bits; address of the access). OCT_ERR_NOMEM. */
int oct_records_append(const oct_batch *batch, unsigned kinds, unsigned pc_shift,
                       oct_buffer *records, oct_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
