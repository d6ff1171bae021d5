/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_pins.h - the machine of `shadow` as a circuit (oct_tracer_twin). */
#ifndef OCT_SHADOW_PINS_H
#define OCT_SHADOW_PINS_H

#include "octrace/tracer.h"

enum { OCT_TWIN_BYTES = 65536 }; /* that crossed the bus are kept, at most about these */

extern const oct_tracer_twin oct_shadow_pins;

#endif
