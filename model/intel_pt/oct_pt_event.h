/* SPDX-License-Identifier: Apache-2.0 */
/* oct_pt_event.h - events of the Intel PT encoder, for its own files. All that return int: 0 or
 * OCT_ERR_NOMEM. */
#ifndef OCT_PT_EVENT_H
#define OCT_PT_EVENT_H

#include "oct_pt_emit.h"

/* Lead the decoder over the first n runs of the tail. */
int oct_pt_waypoints(oct_pt_encoder *e, uint32_t n);
/* FUP: the instruction at addr does not come any more. */
int oct_pt_put_fup(oct_pt_encoder *e, uint64_t addr);
/* The instruction at addr does not come: the program goes on at next. */
int oct_pt_put_event(oct_pt_encoder *e, uint64_t addr, uint64_t next);
/* The instruction at addr comes n times, and then that behind it at next. Every decoder is led to
 * either, since others know of one time only. */
int oct_pt_put_rep(oct_pt_encoder *e, uint64_t addr, uint64_t n, uint64_t next);
/* The program stands at `from`, where a packet or, if is_path, the path led it, and goes on at `to`
 * without a trap. */
int oct_pt_put_jump(oct_pt_encoder *e, uint64_t from, bool is_path, uint64_t to);
/* Traps, the first where the program stands, at *at, each of the others where the handler of the
 * one before it is. The last leads to next, or where it came from at the end (NULL); *at is there
 * then. One that leads to where it came from is a jump, since with TIP it would be a waypoint. */
int oct_pt_put_traps(oct_pt_encoder *e, const oct_encoder_trap *t, size_t n, uint64_t *at,
                     bool is_path, const oct_insn *next);
/* The program, where the last packet left it, does not go on to next in the same task: NULL is the
 * end. */
int oct_pt_put_end(oct_pt_encoder *e, const oct_insn *next);
/* Where the path goes on at addr for a reason of its own. */
void oct_pt_arrive(oct_pt_encoder *e, uint64_t addr);

#endif
