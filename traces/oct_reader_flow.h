/* SPDX-License-Identifier: Apache-2.0 */
/* oct_reader_flow.h - whether the lines of a log are all there, by what its instructions do. A line
 * that was lost or cut leaves an instruction that cannot follow the one before it, or one that
 * loads or stores and has no address. */
#ifndef OCT_READER_FLOW_H
#define OCT_READER_FLOW_H

#include "oct_reader_format.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether the instruction at pc may come behind e without a trap; also where e does not tell. */
bool oct_flow_may_follow(const oct_map_entry *e, uint64_t pc);
/* Look through a batch that is complete, where the format is a log (is_log). 0 or OCT_ERR_NOMEM. */
int oct_flow_check(oct_reader *r, oct_diag *diag);

#ifdef __cplusplus
}
#endif
#endif
