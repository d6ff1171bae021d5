/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_file.h - shadow operations as bytes of a file (docs/trace-format.md, "Shadow
 * operation"). */
#ifndef OCT_SHADOW_FILE_H
#define OCT_SHADOW_FILE_H

#include "oct_shadow_op.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define OCT_SHADOW_OP_BYTES 64

/* Write op, which is known and valid. */
void oct_shadow_op_put(uint8_t out[OCT_SHADOW_OP_BYTES], const oct_shadow_op *op);

/* Read an operation that is not trusted. 0, or OCT_ERR_FORMAT: it is not known (OCT_SHADOW_KNOWN),
 * or a field has a value that the format does not name; *op is then all zeros. */
int oct_shadow_op_get(const uint8_t in[OCT_SHADOW_OP_BYTES], oct_shadow_op *op);

/* The same in fewer bytes: write op, known or not, and return how many (at most
 * OCT_SHADOW_PACKED_MAX_BYTES). */
#define OCT_SHADOW_PACKED_MAX_BYTES (1 + 8 + OCT_SHADOW_OP_BYTES)
size_t oct_shadow_op_pack(uint8_t *out, const oct_shadow_op *op);

/* Read what was packed, from *p up to end, and move *p behind it. 0 or OCT_ERR_FORMAT, as
 * oct_shadow_op_get, or when it ends too early. */
int oct_shadow_op_unpack(const uint8_t **p, const uint8_t *end, oct_shadow_op *op);

/* Whether every field of an operation has a value that the format names: of all zeros too. */
int oct_shadow_op_is_valid(const oct_shadow_op *op);

#ifdef __cplusplus
}
#endif
#endif
