/* SPDX-License-Identifier: Apache-2.0 */
/* oct_reader_format.h - inside of the library: what a format hands to oct_reader.c and
 * oct_writer.c. */
#ifndef OCT_READER_FORMAT_H
#define OCT_READER_FORMAT_H

#include "oct_input.h"
#include "oct_outfile.h"
#include "oct_reader.h"

#define OCT_BATCH_INSNS 65536

typedef struct oct_reader_ops {
  /* Read what stands before the first instruction; may be NULL. */
  int (*open)(oct_reader *r, oct_diag *diag);
  /* Append instructions, at most OCT_BATCH_INSNS, to the empty batch. 1, 0 at the end or an error;
   * what was appended before an error counts. Formats that seek may leave out whole runs of
   * instructions as long as n_skip allows, and count it down. */
  int (*fill)(oct_reader *r, oct_diag *diag);
  void (*close)(oct_reader *r); /* may be NULL */
} oct_reader_ops;

struct oct_reader {
  const oct_reader_ops *ops;
  oct_input *in;
  oct_trace_info info;
  char *isa, *origin, *command; /* owned copies behind info, or NULL */
  void *state;                  /* of the format */
  uint64_t n_skip;              /* instructions still to leave out */
  int ended;
  oct_diag error; /* error.error != 0: to report once the batch is delivered */
  /* the batch */
  oct_insn *insns;
  size_t n_insns;
  oct_access *accesses;
  size_t n_accesses, room_accesses;
  oct_map_entry *map;
  size_t n_map, room_map;
};

extern const oct_reader_ops oct_native_reader, oct_text_reader, oct_bin_reader,
    oct_simplescalar_reader;

/* Appending to the batch: 0 or an error with *diag filled. */
int oct_reader_add_access(oct_reader *r, uint64_t addr, unsigned size_bytes, int is_store,
                          oct_diag *diag);
int oct_reader_add_map(oct_reader *r, const oct_map_entry *entry, oct_diag *diag);
int oct_reader_room_accesses(oct_reader *r, size_t n, oct_diag *diag);
/* Append an instruction without accesses; there must be room. */
oct_insn *oct_reader_add_insn(oct_reader *r, uint64_t addr, unsigned size_bytes);

typedef struct oct_writer_ops {
  int (*open)(oct_writer *w, oct_diag *diag); /* may be NULL */
  int (*put)(oct_writer *w, const oct_batch *batch, oct_diag *diag);
  int (*finish)(oct_writer *w, oct_diag *diag); /* may be NULL */
  void (*close)(oct_writer *w);                 /* may be NULL */
} oct_writer_ops;

struct oct_writer {
  const oct_writer_ops *ops;
  oct_write_options options; /* as given; info is not NULL, and only to be used by open */
  char *path;                /* for error messages */
  oct_outfile *file;
  void *state;
};

extern const oct_writer_ops oct_native_writer, oct_text_writer, oct_bin_writer;

#endif
