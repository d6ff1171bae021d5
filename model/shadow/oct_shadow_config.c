/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_config.c - which legal parameters the cycle engine and the circuit do not take: the
 * rules of oct_shadow_config.h as code. */
#include "oct_shadow_config.h"

/* For the conditions, which use some of them. */
#define PARAM_LOCAL(name, ...)     \
  const uint32_t name = cfg->name; \
  (void)name;
#define REFUSE(name, condition, expected, example) \
  if (condition) return oct_fail(diag, OCT_ERR_CONFIG, #name "=%u: expected " expected, name);

int oct_shadow_config_check_timed(const oct_shadow_config *cfg, oct_diag *diag) {
  OCT_SHADOW_PARAMS(PARAM_LOCAL)
  OCT_SHADOW_TIMED_RULES(REFUSE)
  return 0;
}

int oct_shadow_config_check_circuit(const oct_shadow_config *cfg, oct_diag *diag) {
  OCT_SHADOW_PARAMS(PARAM_LOCAL)
  OCT_SHADOW_CIRCUIT_RULES(REFUSE)
  return oct_shadow_config_check_timed(cfg, diag);
}
