/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ev_symbols.h - names of addresses in a uftrace data directory: its maps and symbol files. */
#ifndef OCT_EV_SYMBOLS_H
#define OCT_EV_SYMBOLS_H

#include "oct_ev_types.h"

typedef struct oct_ev_symbols oct_ev_symbols;

/* For the directory dir. OCT_ERR_NOMEM. */
int oct_ev_symbols_new(const char *dir, oct_ev_symbols **s);
/* The number in defs of the function at address in the session (the sid of task.txt). A function
 * without a symbol is called by its address. Maps and symbol files are read when first needed; one
 * that is missing leaves its functions without symbols. OCT_ERR_NOMEM, OCT_ERR_LIMIT. */
int64_t oct_ev_symbols_find(oct_ev_symbols *s, const char *session, uint64_t address,
                            oct_ev_defs *defs);
void oct_ev_symbols_free(oct_ev_symbols *s);

#endif
