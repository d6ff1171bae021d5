/* SPDX-License-Identifier: Apache-2.0 */
/* oct_effect_file.h - effects as bytes of a file (docs/trace-format.md, "Effect"). */
#ifndef OCT_EFFECT_FILE_H
#define OCT_EFFECT_FILE_H

#include "octrace/trace.h"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define OCT_EFFECT_BYTES 64

/* Write op, which is known and valid. */
void oct_effect_put(uint8_t out[OCT_EFFECT_BYTES], const oct_effect *op);

/* Read an operation that is not trusted. 0, or OCT_ERR_FORMAT: it is not known (OCT_EFFECT_KNOWN),
 * or a field has a value that the format does not name; *op is then all zeros. */
int oct_effect_get(const uint8_t in[OCT_EFFECT_BYTES], oct_effect *op);

/* The same in fewer bytes: write op, known or not, and return how many (at most
 * OCT_EFFECT_PACKED_MAX_BYTES). */
#define OCT_EFFECT_PACKED_MAX_BYTES (1 + 8 + OCT_EFFECT_BYTES)
size_t oct_effect_pack(uint8_t *out, const oct_effect *op);

/* Read what was packed, from *p up to end, and move *p behind it. 0 or OCT_ERR_FORMAT, as
 * oct_effect_get, or when it ends too early. */
int oct_effect_unpack(const uint8_t **p, const uint8_t *end, oct_effect *op);

/* Whether every field of an operation has a value that the format names: of all zeros too. */
int oct_effect_is_valid(const oct_effect *op);

#ifdef __cplusplus
}
#endif
#endif
