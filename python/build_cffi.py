#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""build_cffi.py - write the C of the extension module octrace._octrace.

Usage: build_cffi.py OUTPUT.c

The declarations below name what Python uses of liboctrace's headers. Every struct ends with `...`:
the C compiler fills in offsets and sizes, so that a field added to a header breaks nothing here.
"""
import sys

import cffi

DECLARATIONS = """
enum { OCT_INSN_END, OCT_INSN_PARTIAL, OCT_INSN_HAS_CYCLE, OCT_INSN_CLASS_SHIFT, ... };
enum { OCT_FORMAT_COUNT, ... };
enum { OCT_FORMAT_AUTO, OCT_FORMAT_NATIVE, ... };

typedef struct { int error; char text[...]; ...; } oct_diag;
typedef struct { uint64_t addr; uint8_t size_bytes; uint8_t is_store; ...; } oct_access;
typedef struct {
  uint64_t addr; uint64_t cycle; uint32_t task; uint16_t n_access; uint8_t size_bytes; uint8_t flags;
  ...;
} oct_insn;
typedef struct {
  uint64_t addr; uint64_t target; uint8_t size_bytes; uint8_t cls; uint8_t n_slots; uint8_t flags;
  ...;
} oct_map_entry;
typedef struct {
  const oct_insn *insns; size_t n_insns; const oct_access *accesses; size_t n_accesses;
  const oct_map_entry *map; size_t n_map; ...;
} oct_batch;
typedef struct { uint64_t from_insn; oct_map_entry entry; ...; } oct_map_update;

typedef struct oct_reader oct_reader;
typedef struct {
  int format; const char *isa; const char *origin; const char *command;
  uint32_t addr_bits; uint32_t insn_align_bytes; uint32_t default_insn_bytes;
  uint64_t n_insns; uint64_t n_accesses; ...;
} oct_trace_info;
typedef struct {
  int format; uint32_t insn_bytes; const char *isa; const char *elf; uint64_t elf_bias; ...;
} oct_read_options;
int oct_reader_open(const char *path, const oct_read_options *options, oct_reader **reader,
                    oct_diag *diag);
const oct_trace_info *oct_reader_info(const oct_reader *reader);
int oct_reader_next(oct_reader *reader, oct_batch *batch, oct_diag *diag);
int oct_reader_skip(oct_reader *reader, uint64_t n_insns, oct_diag *diag);
void oct_reader_close(oct_reader *reader);

typedef struct oct_writer oct_writer;
typedef struct {
  int format; int level; uint32_t block_insns; const oct_trace_info *info; ...;
} oct_write_options;
int oct_writer_open(const char *path, const oct_write_options *options, oct_writer **writer,
                    oct_diag *diag);
int oct_writer_put(oct_writer *writer, const oct_batch *batch, oct_diag *diag);
int oct_writer_commit(oct_writer *writer, oct_diag *diag);
void oct_writer_abort(oct_writer *writer);
const char *oct_format_name(int format);
int oct_format_can_write(int format);
int oct_format_by_name(const char *name);
const char *oct_error_name(int error);
const char *oct_error_text(int error);

typedef struct oct_map_tracker oct_map_tracker;
oct_map_tracker *oct_map_tracker_new(void);
void oct_map_tracker_free(oct_map_tracker *t);
int64_t oct_map_track(oct_map_tracker *t, const oct_batch *batch, oct_insn *insns,
                      const oct_map_update **updates);
"""

SOURCE = """
#include "oct_map.h"
#include "oct_reader.h"
"""


def main():
    if len(sys.argv) != 2:
        sys.exit("build_cffi.py: expected the file to write")
    ffi = cffi.FFI()
    ffi.cdef(DECLARATIONS)
    ffi.set_source("octrace._octrace", SOURCE)
    ffi.emit_c_code(sys.argv[1])


if __name__ == "__main__":
    main()
