// SPDX-License-Identifier: Apache-2.0
// oct_shadow_twin.h - oct_twin.h for the modules of the tracer `shadow`.
#ifndef OCT_SHADOW_TWIN_H
#define OCT_SHADOW_TWIN_H

#include "oct_twin.h"

extern "C" {
#include "oct_shadow_config.h"
#include "octrace/tracer.h"
}

inline bool oct_twin_config(oct_shadow_config *cfg) {
  const oct_tracer *shadow = oct_tracer_find("shadow");
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  oct_tracer_defaults(shadow, params);
  if (oct_tracer_parse(shadow, OCT_GEOMETRY, params, nullptr, nullptr)) return false;
  *cfg = oct_shadow_config_of(params);
  return true;
}

#define OCT_SHADOW_TWIN_MAIN(Stage) OCT_TWIN_MAIN_OF(Stage, oct_shadow_config)

#endif
