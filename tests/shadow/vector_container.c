/* SPDX-License-Identifier: Apache-2.0 */
/* vector_container.c - write the map and the bytes of a golden vector as a container, for a decoder
 * that reads nothing else.
 *
 * Usage: vector_container VECTOR FILE.octp [N]
 * N updates of an instruction that never comes stand before those of the vector, so that a chunk of
 * the map may end anywhere among these. */
#include <stdio.h>
#include <stdlib.h>

#include "../vectors/vector.h"
#include "octrace/container.h"

int main(int argc, char **argv) {
  static oct_map_update updates[UPDATES_MAX];
  const oct_container_info info = {.isa = "", .origin = "", .command = ""};
  const oct_container_totals totals = {0};
  oct_container_writer *w;
  oct_buffer bytes = {0};
  oct_diag diag = {0};
  const oct_map_update idle = {.entry = {.size_bytes = 4, .cls = OCT_CLASS_OTHER}};
  if (argc != 3 && argc != 4) return 2;
  vector *v = vector_read(argv[1]);
  size_t n = vector_read_map(v, updates);
  vector_read_bytes(v, &bytes);
  int error = oct_container_create(argv[2], v->tracer, v->params, &info, &w, &diag);
  if (!error) {
    oct_container_keep_ops(w);
    for (unsigned long i = argc == 4 ? strtoul(argv[3], NULL, 10) : 0; i && !error; i--)
      error = oct_container_put_map(w, &idle, 1, &diag);
    if (!error) error = oct_container_put_map(w, updates, n, &diag);
    if (!error) error = oct_container_put_bits(w, bytes.bytes, bytes.n_bytes, &diag);
    if (error)
      oct_container_abort(w);
    else
      error = oct_container_commit(w, &totals, &diag);
  }
  if (error) fprintf(stderr, "vector_container: %s: %s\n", argv[1], oct_diag_line(&diag).text);
  oct_buffer_free(&bytes);
  vector_free(v);
  return error ? 1 : 0;
}
