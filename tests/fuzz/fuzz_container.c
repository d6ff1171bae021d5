/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_container.c - any bytes as a container: reading it ends with a result. Start it with files
 * of octrace compress. */
#include "oct_container.h"
#include "oct_fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  oct_container_reader *r;
  oct_chunk chunk;
  oct_diag diag;
  char path[32];
  int fd = fuzz_file(data, size, path);
  if (!oct_container_open(path, &r, &diag)) {
    int got, skips = 0;
    while ((got = oct_container_next(r, &chunk, &diag)) > 0 ||
           (got < 0 && skips++ < 20 && oct_container_skip_damage(r, &diag) == 1))
      for (size_t i = 0; chunk.kind == OCT_CHUNK_MAP && i < chunk.n_updates; i++)
        if (!chunk.updates[i].entry.size_bytes) abort();
    oct_container_close(r);
  }
  close(fd);
  return 0;
}
