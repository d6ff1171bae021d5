/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_container.c - any bytes as a container: reading it ends with a result, and so does decoding
 * what is in it by the tracer that it names, with the program of those from which it stands apart.
 * Start it with files of octrace compress. */
#include <stdbool.h>

#include "octrace/container.h"
#include "oct_fuzz.h"

/* A few bytes can stand for billions of instructions. */
enum { RUNS_MAX = 64, HOLD_MAX_BYTES = 1 << 24 };

static oct_program *the_program(void) {
  static oct_program *program;
  oct_diag diag;
  if (!program && oct_program_open(OCT_FUZZ_ELF, 0, &program, &diag)) abort();
  return program;
}

static void play(const char *path, uint64_t from_sync, bool is_unconfirmed) {
  const oct_replay_options options = {.is_unconfirmed = is_unconfirmed,
                                      .hold_max_bytes = HOLD_MAX_BYTES};
  oct_player p;
  oct_decoded run;
  oct_gap gap;
  oct_diag diag;
  if (oct_player_open(&p, path, from_sync, 0, the_program(), &options, &diag)) return;
  p.salvage = true;
  for (int i = 0; i < RUNS_MAX && oct_player_next(&p, &run, &gap, &diag) > 0; i++) {
    size_t accesses = 0;
    for (size_t k = 0; k < run.batch.n_insns; k++) accesses += run.batch.insns[k].n_access;
    if (accesses != run.batch.n_accesses) abort();
  }
  oct_player_close(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  oct_container_reader *r;
  oct_chunk chunk;
  oct_diag diag;
  char path[32];
  int fd = fuzz_file(data, size, path);
  if (!oct_container_open(path, &r, &diag)) {
    int got, skips = 0;
    oct_container_give_program(r, the_program(), &diag);
    while ((got = oct_container_next(r, &chunk, &diag)) > 0 ||
           (got < 0 && skips++ < 20 && oct_container_skip_damage(r, &diag) == 1))
      for (size_t i = 0; chunk.kind == OCT_CHUNK_MAP && i < chunk.n_updates; i++)
        if (!chunk.updates[i].entry.size_bytes) abort();
    oct_container_close(r);
    play(path, 0, false);
    play(path, 0, true);
    play(path, 1, true);
  }
  close(fd);
  return 0;
}
