/* SPDX-License-Identifier: Apache-2.0 */
/* vector.h - a golden vector as a text file (README.md): its sections as text, and what they mean.
 */
#ifndef VECTOR_H
#define VECTOR_H

#include "octrace/error.h"
#include "octrace/tracer.h"

enum {
  INSNS_MAX = 4096,
  ACCESSES_MAX = 8192,
  UPDATES_MAX = 1024,
  ENTRIES_MAX = 1024,
  TRAPS_MAX = 64,
  FACTS_MAX = 256,
  VALUES_MAX = 4096
};

typedef enum vector_section {
  SECTION_TRACER,
  SECTION_PARAMETERS,
  SECTION_ENGINE,
  SECTION_EVENTS,
  SECTION_MAP,
  SECTION_BYTES,
  SECTION_PACKETS,
  SECTIONS
} vector_section;
extern const char *const vector_section_names[SECTIONS];

/* Who makes the bytes: an engine of octrace's encoder, or nobody here, but the file gives them. */
typedef enum vector_engine {
  ENGINE_UNTIMED,
  ENGINE_CYCLE,
  ENGINE_MAPPED, /* untimed, with the map that the file has */
  ENGINE_GIVEN,
  ENGINES
} vector_engine;

typedef struct vector {
  const char *path;
  const oct_tracer *tracer;
  vector_engine engine;
  oct_buffer head;               /* the file up to what is generated */
  oct_buffer sections[SECTIONS]; /* their text, each line with its end */
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  oct_insn insns[INSNS_MAX];
  bool flush_before[INSNS_MAX + 1]; /* a flush stands before this instruction */
  oct_access accesses[ACCESSES_MAX];
  oct_map_entry entries[ENTRIES_MAX]; /* that the trace brings, */
  size_t entry_at[ENTRIES_MAX];       /* with this instruction */
  oct_trap traps[TRAPS_MAX];          /* insn counts from the first of all */
  oct_fact facts[FACTS_MAX];          /* likewise */
  uint8_t values[VALUES_MAX];
  size_t n_insns, n_accesses, n_entries, n_traps, n_facts, n_values;
} vector;

/* A message with the file; die ends the program, for a file that cannot be used at all. */
int vector_tell(const char *path, const char *what, const char *more); /* 1 */
void vector_die(const char *path, const char *what, const char *more);

/* NULL: its tracer executes what this build cannot; that is said. */
vector *vector_read(const char *path);
void vector_free(vector *v);
/* Append text. */
void vector_put(oct_buffer *b, const char *text);

/* The first section that is made of those before it. */
vector_section vector_first_made(const vector *v);

/* A line of the map, and the map as the file has it: the number of updates. */
void vector_write_update(const vector *v, oct_buffer *to, const oct_map_update *u);
size_t vector_read_map(const vector *v, oct_map_update *updates);

void vector_write_bytes(oct_buffer *to, const oct_buffer *bytes);
void vector_read_bytes(const vector *v, oct_buffer *to);

#endif
