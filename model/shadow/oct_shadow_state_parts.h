/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_state_parts.h - inside of the library: the parts of the state of `shadow`. */
#ifndef OCT_SHADOW_STATE_PARTS_H
#define OCT_SHADOW_STATE_PARTS_H

#include "octrace/tracer.h"

enum { OCT_SHADOW_STATE_PARTS = 13 };
extern const oct_state_part oct_shadow_state_parts[OCT_SHADOW_STATE_PARTS];

#endif
