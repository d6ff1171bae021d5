/* SPDX-License-Identifier: Apache-2.0 */
/* oct_known_logs.h - inside of the library: logs of other tools that octrace does not read. */
#ifndef OCT_KNOWN_LOGS_H
#define OCT_KNOWN_LOGS_H

#include <stddef.h>
#include <stdint.h>

/* What the text at p is, and what to do with it, as messages put it; NULL: none of them. Static. */
const char *oct_known_log_of(const uint8_t *p, size_t n);

#endif
