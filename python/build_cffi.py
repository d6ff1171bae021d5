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
enum { OCT_ERR_FORMAT, OCT_ERR_LIMIT, ... };
enum { OCT_TRAP_EXCEPTION, OCT_TRAP_INTERRUPT, OCT_TRAP_PRIVILEGE, ... };
enum { OCT_PRIVILEGE_UNKNOWN, ... };
int oct_format_count(void);
enum { OCT_FORMAT_AUTO, ... };

typedef struct { int error; const char *path; uint64_t at; char text[...]; ...; } oct_diag;
typedef struct { char text[...]; ...; } oct_diag_text;
oct_diag_text oct_diag_line(const oct_diag *diag);
typedef struct { uint64_t addr; uint8_t size_bytes; uint8_t is_store; uint32_t value; ...; } oct_access;
typedef struct {
  uint64_t addr; uint64_t cycle; uint32_t task; uint16_t n_access; uint8_t size_bytes; uint8_t flags;
  ...;
} oct_insn;
typedef struct {
  uint64_t addr; uint64_t target; uint8_t size_bytes; uint8_t cls; uint8_t n_slots; uint8_t flags;
  ...;
} oct_map_entry;
typedef struct {
  uint64_t addr; uint64_t tval; uint32_t cause; uint32_t insn; uint8_t kind; uint8_t privilege; ...;
} oct_trap;
enum { OCT_FACT_REGISTER, OCT_FACT_MEMORY, OCT_FACT_GAP, OCT_FACT_REGISTER_MAX, OCT_GAP_CAUSES, ... };
const char *oct_gap_cause_name(unsigned cause);
typedef struct {
  uint64_t addr; uint32_t insn; uint32_t n_bytes; uint32_t value; uint16_t number; uint8_t kind; ...;
} oct_fact;
typedef struct {
  const oct_insn *insns; size_t n_insns; const oct_access *accesses; size_t n_accesses;
  const oct_map_entry *map; size_t n_map; const oct_trap *traps; size_t n_traps;
  const oct_fact *facts; size_t n_facts; const uint8_t *values; size_t n_values; ...;
} oct_batch;
typedef struct { uint64_t from_insn; oct_map_entry entry; ...; } oct_map_update;

typedef struct oct_reader oct_reader;
typedef struct {
  int format; const char *isa; const char *origin; const char *command;
  uint32_t addr_bits; uint32_t insn_align_bytes; uint32_t default_insn_bytes;
  uint64_t n_insns; uint64_t n_accesses; ...;
} oct_trace_info;
enum { OCT_MORE_FILES_MAX, ... };
typedef struct { const char *path; uint64_t bias; ...; } oct_program_file;
typedef struct {
  int format; uint32_t insn_bytes; const char *isa; const char *elf; uint64_t elf_bias;
  oct_program_file more[...]; size_t n_more; const char *params; uint64_t map_max; uint64_t otherwise;
  uint64_t goes_on; ...;
} oct_read_options;
int oct_reader_open(const char *path, const oct_read_options *options, oct_reader **reader,
                    oct_diag *diag);
const oct_trace_info *oct_reader_info(const oct_reader *reader);
int oct_reader_next(oct_reader *reader, oct_batch *batch, oct_diag *diag);
int oct_reader_peek(oct_reader *reader, oct_batch *batch, oct_diag *diag);
int oct_reader_skip(oct_reader *reader, uint64_t n_insns, oct_diag *diag);
uint64_t oct_reader_gaps(const oct_reader *reader);
int oct_reader_is_line_open(const oct_reader *reader);
void oct_reader_close(oct_reader *reader);

typedef struct oct_program oct_program;
typedef struct oct_map oct_map;
typedef struct { const char *path; uint64_t bias; ...; } oct_program_image;
const oct_program *oct_reader_program(const oct_reader *reader);
const oct_map *oct_reader_met(const oct_reader *reader);
uint64_t oct_reader_differing(const oct_reader *reader, size_t image, uint64_t *n_told,
                              uint64_t *first);
size_t oct_program_n_images(const oct_program *program);
const oct_program_image *oct_program_images(const oct_program *program);
int oct_program_is_used(const oct_program *program, size_t image, const oct_map *map);
int oct_program_find_bias(const oct_program *program, size_t image, const oct_map *map,
                          uint64_t *bias);

uint32_t oct_find_alignment(const oct_trace_info *info, const oct_insn *insns, size_t n_insns);

typedef struct oct_writer oct_writer;
typedef struct {
  int format; int level; uint32_t block_insns; const oct_trace_info *info; const char *params; ...;
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

enum { OCT_ENGINE_UNTIMED, OCT_ENGINE_CYCLE, ... };
enum { OCT_START_IN_STEP, OCT_START_SEARCH, ... };
enum {
  OCT_GROUP_TRACE, OCT_GROUP_PORT_INSN, OCT_GROUP_PORT_DATA, OCT_GROUP_PORT_SYNC,
  OCT_GROUP_PORT_OVERHEAD, ...
};
typedef struct {
  int engine; int arrival; uint32_t cpi_milli; uint32_t stall_milli; uint64_t seed; ...;
} oct_run_options;
int oct_arrival_parse(const char *text, oct_run_options *options, oct_diag *diag);
typedef struct {
  const char *name; uint32_t def; uint32_t min; uint32_t max; const char *unit; const char *text; ...;
} oct_param;
typedef struct { const char *name; const char *text; const char *settings; ...; } oct_geometry;
typedef struct {
  const char *name; const char *unit; int group; const char *label; const char *text; ...;
} oct_counter;
typedef struct {
  const char *name; const char *unit; const char *label; const char *text;
  double (*value)(const uint32_t *params, const uint64_t *counters); ...;
} oct_figure;
typedef struct {
  const oct_insn *insns; size_t n_insns; const oct_access *accesses; size_t n_accesses;
  const oct_map_update *updates; size_t n_updates; const oct_trap *traps; size_t n_traps;
  const oct_fact *facts; size_t n_facts; const uint8_t *values; size_t n_values; ...;
} oct_tracer_input;
typedef struct {
  oct_batch batch; uint64_t first_insn; int is_gap; uint64_t lost_insns; uint64_t lost_accesses; ...;
} oct_decoded;
typedef struct {
  int (*create)(const uint32_t *params, const oct_run_options *run, void **e, oct_diag *diag);
  void (*destroy)(void *e);
  int (*put)(void *e, const oct_tracer_input *in, oct_diag *diag);
  int (*flush)(void *e, oct_diag *diag);
  size_t (*take)(void *e, const uint8_t **bytes);
  void (*counters)(const void *e, uint64_t *values);
  ...;
} oct_tracer_encoder;
typedef struct {
  void (*destroy)(void *d);
  int (*map)(void *d, const oct_map_update *updates, size_t n, oct_diag *diag);
  int (*push)(void *d, const uint8_t *bytes, size_t n, oct_diag *diag);
  void (*finish)(void *d);
  int (*next)(void *d, oct_decoded *out, oct_diag *diag);
  ...;
} oct_tracer_decoder;
typedef struct {
  int (*create)(const uint32_t *params, size_t n, void **s, oct_diag *diag);
  void (*destroy)(void *s);
  int (*put)(void *s, const oct_tracer_input *in, oct_diag *diag);
  int (*flush)(void *s, oct_diag *diag);
  void (*counters)(const void *s, size_t i, uint64_t *values);
  ...;
} oct_tracer_sweep;
typedef struct {
  const char *name; const char *text; uint32_t version; bool has_cycle_engine; bool carries_data;
  const oct_param *params; unsigned n_params;
  const oct_geometry *geometries; unsigned n_geometries;
  const oct_counter *counters; unsigned n_counters;
  const oct_figure *figures; unsigned n_figures;
  oct_tracer_encoder encoder; oct_tracer_decoder decoder; const oct_tracer_sweep *sweep; ...;
} oct_tracer;
const oct_tracer *oct_tracer_at(unsigned number);
const oct_tracer *oct_tracer_find(const char *name);
void oct_tracer_defaults(const oct_tracer *t, uint32_t *params);
int oct_tracer_parse(const oct_tracer *t, const char *text, uint32_t *params, bool *given,
                     oct_diag *diag);
uint64_t oct_tracer_port_bits(const oct_tracer *t, const uint64_t *counters, int group);
uint64_t oct_tracer_state_bits(const oct_tracer *t, const uint32_t *params);

enum { OCT_REGISTERS_MAX, OCT_REGISTER_NAME_BYTES, ... };
int oct_isa_by_name(const char *name);
unsigned oct_isa_register_bytes(int isa, unsigned number);
void oct_isa_register_name(int isa, unsigned number, char *name);

typedef struct oct_session oct_session;
int oct_session_open(const char *path, const oct_read_options *options, oct_session **out,
                     oct_diag *diag);
void oct_session_close(oct_session *s);
int oct_session_isa(const oct_session *s);
uint64_t oct_session_length(const oct_session *s);
uint64_t oct_session_at(const oct_session *s);
uint64_t oct_session_pc(oct_session *s);
uint32_t oct_session_task(const oct_session *s);
int oct_session_go(oct_session *s, uint64_t n, oct_diag *diag);
typedef struct { uint64_t at; uint64_t lost_insns; unsigned cause; ...; } oct_session_gap;
size_t oct_session_gaps(const oct_session *s, const oct_session_gap **gaps);
bool oct_session_register(oct_session *s, uint32_t task_number, unsigned number, uint8_t *bytes);
size_t oct_session_read(oct_session *s, uint64_t addr, uint8_t *bytes, size_t n);
size_t oct_session_tasks(const oct_session *s, uint32_t *tasks, size_t n);

/* Of this module: functions of the tracer that the compiler has to see the types of. */
int octpy_fit(const oct_tracer *t, uint32_t *params, const bool *given, const char *isa,
              uint32_t addr_bits, uint32_t insn_align_bytes, oct_diag *diag);
int octpy_decoder_new(const oct_tracer *t, const uint32_t *params, void **d, oct_diag *diag);
"""

SOURCE = """
#include "octrace/map.h"
#include "octrace/trace.h"
#include "octrace/tracer.h"

static int octpy_fit(const oct_tracer *t, uint32_t *params, const bool *given, const char *isa,
                     uint32_t addr_bits, uint32_t insn_align_bytes, oct_diag *diag) {
  return oct_tracer_fit(t, params, given, isa, addr_bits, insn_align_bytes, diag);
}

static int octpy_decoder_new(const oct_tracer *t, const uint32_t *params, void **d, oct_diag *diag) {
  return t->decoder.create(params, OCT_START_IN_STEP, d, diag);
}
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
