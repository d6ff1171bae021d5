/* SPDX-License-Identifier: Apache-2.0 */
/* random_trace.c - write a trace of a random program, for tests of the command line.
 *
 * Usage: random_trace FILE ALIGN_BYTES BATCHES. The seed is printed. */
#include "random_program.h"

int main(int argc, char **argv) {
  static random_program program;
  if (argc != 4) return 2;
  uint32_t align_bytes = (uint32_t)strtoul(argv[2], NULL, 10);
  const oct_trace_info info = {.isa = "unknown",
                               .origin = "random_trace",
                               .command = argv[0],
                               .addr_bits = 64,
                               .insn_align_bytes = align_bytes};
  const oct_write_options options = {.info = &info};
  oct_writer *w;
  oct_diag diag = {0};
  seed_random(argv[1]);
  random_program_init(&program, align_bytes);
  if (oct_writer_open(argv[1], &options, &w, &diag)) goto failed;
  for (unsigned long n = strtoul(argv[3], NULL, 10); n; n--) {
    trace t = random_program_run(&program, below(400));
    oct_batch b = batch_of(&t);
    int error = oct_writer_put(w, &b, &diag);
    trace_free(&t);
    if (error) {
      oct_writer_abort(w);
      goto failed;
    }
  }
  if (!oct_writer_commit(w, &diag)) return 0;
failed:
  fprintf(stderr, "random_trace: %s\n", oct_diag_line(&diag).text);
  return 1;
}
