/* SPDX-License-Identifier: Apache-2.0 */
/* oct_effect_pisa.h - inside of the library: effects of SimpleScalar's PISA from text. */
#ifndef OCT_EFFECT_PISA_H
#define OCT_EFFECT_PISA_H

#include "octrace/trace.h"

#include <stddef.h>

/* The operation of a line of the listing: a mnemonic of n_name characters and the operands up to
 * end, without blanks. What is not understood is clobbered or left open. */
void oct_pisa_effect(const char *name, size_t n_name, const char *operands, const char *end,
                     oct_effect *op);

#endif
