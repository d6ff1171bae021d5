/* SPDX-License-Identifier: Apache-2.0 */
/* oct_checkpoint.h - a file with what a run over one trace has come to, so that it goes on there
 * after it was killed.
 *
 * The file stands beside the journal, as JOURNAL.TRACE.part with the trace's checksum: it is
 * replaced as a whole every few seconds, and goes with the end of the trace. What it holds is the
 * memory of this program (oct_state.h): one of another build or another run is passed over. Of
 * several runs over one trace at a time, one has the file: the others do without. */
#ifndef OCT_CHECKPOINT_H
#define OCT_CHECKPOINT_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "octrace/error.h"
#include "octrace/tracer.h"

typedef struct oct_checkpoint {
  char *path, *new_path; /* NULL = there is none */
  uint64_t key;          /* of run and program */
  int lock;              /* descriptor of the journal, locked for the trace, or -1 */
  double every_seconds;
  double next_seconds; /* of the monotonic clock; infinite after an error */
} oct_checkpoint;

/* Moves all of a machine's state, one way or the other. */
typedef void (*oct_checkpoint_move)(void *machine, oct_state *io);

/* For the run with this key over a trace, beside the journal, which is there; every_seconds 0: none
 * are saved. OCT_ERR_NOMEM. */
int oct_checkpoint_init(oct_checkpoint *c, const char *journal, uint64_t trace_hash, uint64_t key,
                        double every_seconds);
/* Restore the machine, if there is a checkpoint for it. Returns the instructions it had taken; 0:
 * there is none, and nothing was touched; OCT_ERR_IO, OCT_ERR_NOMEM: the machine may only be freed.
 */
int64_t oct_checkpoint_load(oct_checkpoint *c, oct_checkpoint_move move, void *machine);
/* Save the machine, which has taken n_insns, when it is time to. Saving takes a twentieth of the
 * time at most. OCT_ERR_IO, OCT_ERR_NOMEM: none will be saved from here on. */
int oct_checkpoint_save(oct_checkpoint *c, uint64_t n_insns, oct_checkpoint_move move,
                        void *machine);
/* The trace has ended, or cannot be read: remove the file, whichever run left it. */
void oct_checkpoint_remove(oct_checkpoint *c);
void oct_checkpoint_free(oct_checkpoint *c);
/* Remove those of all traces beside a journal which goes itself, such as of a trace that has
 * changed since. */
void oct_checkpoint_remove_all(const char *journal);

#endif
