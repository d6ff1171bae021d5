/* SPDX-License-Identifier: Apache-2.0 */
/* oct_state.h - what a machine holds, byte by byte, so that a long run can be put aside and go on.
 *
 * The same function saves and restores: oct_X_state passes each run of bytes that is state to move,
 * always in the same order, and leaves pointers as they are. The bytes are those of the host's
 * memory: only the same program can take them back, into a machine that was initialised alike.
 *
 * Threads: An oct_state is for one thread at a time, as is the machine that it moves. */
#ifndef OCT_STATE_H
#define OCT_STATE_H

#include <stddef.h>

typedef struct oct_state oct_state;
struct oct_state {
  /* Write n bytes from p, or read as many to p. 0 or an error, which stays. */
  int (*move)(oct_state *s, void *p, size_t n);
  int error; /* after one nothing is moved; what was being restored is then to be freed only */
};

static inline void oct_state_move(oct_state *s, void *p, size_t n) {
  if (!s->error && n) s->error = s->move(s, p, n);
}

#endif
