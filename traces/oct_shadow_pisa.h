/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_pisa.h - inside of the library: shadow operations of SimpleScalar's PISA from text. */
#ifndef OCT_SHADOW_PISA_H
#define OCT_SHADOW_PISA_H

#include "oct_shadow_op.h"

#include <stddef.h>

/* The operation of a line of the listing: a mnemonic of n_name characters and the operands up to
 * end, without blanks. What is not understood is clobbered or left open. */
void oct_pisa_shadow(const char *name, size_t n_name, const char *operands, const char *end,
                     oct_shadow_op *op);

#endif
