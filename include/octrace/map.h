/* SPDX-License-Identifier: Apache-2.0 */
/* octrace/map.h - the program map, by which traces are followed, and the program files that it
 * comes from. */
#ifndef OCTRACE_MAP_H
#define OCTRACE_MAP_H

#include "trace.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The program map: address -> what is known of the instruction there.
 *
 * Threads: A map or tracker is for one thread at a time, look-ups included: they remember their
 * answers. Different ones may be used by different threads. */

/* An empty map, or NULL when out of memory. The caller frees it. */
oct_map *oct_map_new(void);
/* The same with half the memory: each effect is kept once. */
oct_map *oct_map_new_lean(void);
void oct_map_free(oct_map *map);

/* Number of entries; entries are numbered 0 .. count-1 in order of first insertion. */
size_t oct_map_count(const oct_map *map);

/* Head and effect of entry number id; the pointers hold until the next oct_map_put. */
const oct_map_head *oct_map_at(const oct_map *map, uint32_t id);
const oct_effect *oct_map_effect(const oct_map *map, uint32_t id);
/* All of it, likewise; NULL of a lean map. */
const oct_map_entry *oct_map_entry_at(const oct_map *map, uint32_t id);
/* All of it into *e, of any map. */
void oct_map_get(const oct_map *map, uint32_t id, oct_map_entry *e);

/* Number of the entry at addr, or UINT32_MAX. */
uint32_t oct_map_find(const oct_map *map, uint64_t addr);

/* Number of the entry that follows id in memory (at its addr + size_bytes), or UINT32_MAX. The
 * answer is remembered in the map: amortised O(1) without hashing. */
uint32_t oct_map_next(oct_map *map, uint32_t id);

/* Number of the entry at addr, or UINT32_MAX, asked for because addr is executed after id: seldom
 * another one than last time, which the map remembers. */
uint32_t oct_map_follow(oct_map *map, uint32_t id, uint64_t addr);

/* Insert or replace the entry at e->addr, or add to its slots what continues it
 * (OCT_MAP_CONTINUES). Returns its number (>= 0), OCT_ERR_NOMEM, or OCT_ERR_MAP when there is no
 * entry that e could continue, or it does not begin where that ends. */
int64_t oct_map_put(oct_map *map, const oct_map_entry *e);

/* How many slots continue entry number id, behind its own. */
unsigned oct_map_slots_beyond(const oct_map *map, uint32_t id);

/* Slot byte of access number s of e, the head of an entry of the map. */
uint8_t oct_map_slot_beyond(const oct_map *map, const oct_map_head *e, unsigned s);
static inline uint8_t oct_map_slot(const oct_map *map, const oct_map_head *e, unsigned s) {
  return s < OCT_SLOTS_MAX ? e->slots[s] : oct_map_slot_beyond(map, e, s);
}

/* Source of entries for a map that is filled as instructions are met. insn describes the
 * instruction at addr in *e and returns its size in bytes; 0 is a hole in the program. guess does
 * so where the program may never have come to addr: there 0 is no hole. */
typedef struct oct_map_code {
  unsigned (*insn)(void *context, uint64_t addr, oct_map_entry *e);
  unsigned (*guess)(void *context, uint64_t addr, oct_map_entry *e);
  void *context;
} oct_map_code;

/* A change of the map: *entry holds from instruction number from_insn (0-based) on. */
struct oct_map_update {
  uint64_t from_insn;
  oct_map_entry entry;
};

/* Follows a trace and keeps a map that explains it. */
typedef struct oct_map_tracker oct_map_tracker;
oct_map_tracker *oct_map_tracker_new(void);
void oct_map_tracker_free(oct_map_tracker *t);
/* From here on entries keep the numbers of accesses that they come with, whatever is executed: for
 * hardware that knows them by the instruction's bytes. */
void oct_map_tracker_keep_counts(oct_map_tracker *t);
const oct_map *oct_map_tracker_map(const oct_map_tracker *t); /* a lean one */

/* Take in a batch: the entries it carries, then each instruction. Where an instruction is not in
 * the map, has another size, or makes accesses that its slots do not foresee (more of them, another
 * kind or size), a new version of its entry is made, with what continues it. So it is, conditional,
 * where one of an unknown class makes none of its accesses for the first time. Of insns[i].flags,
 * OCT_INSN_END becomes set where the entry is variable or fewer accesses were made than it has
 * slots, and clear elsewhere. The class (oct_insn_class) becomes the entry's. insns is writable
 * storage of batch->n_insns (may be a copy of batch->insns, or the same memory). *updates (owned by
 * t, valid until the next call) gets the changes, ordered by from_insn; its count is returned.
 * OCT_ERR_NOMEM; OCT_ERR_LIMIT when an instruction has a size beyond 1..15; OCT_ERR_MAP when an
 * entry of the batch continues none. */
int64_t oct_map_track(oct_map_tracker *t, const oct_batch *batch, oct_insn *insns,
                      const oct_map_update **updates);
/* Instructions taken in so far; after OCT_ERR_LIMIT those before the one that is beyond it. */
uint64_t oct_map_tracker_insns(const oct_map_tracker *t);

/* The traced program: its instructions and symbols, from its ELF file.
 *
 * Threads: An oct_program is for one thread at a time, different ones may be used by different
 * threads. */

/* Read the ELF file at path, whose addresses were moved by bias when it was loaded. On success
 * *program is the caller's. OCT_ERR_IO, OCT_ERR_FORMAT (no ELF file, or damaged),
 * OCT_ERR_UNSUPPORTED (a machine that is none of oct_isa), OCT_ERR_NOMEM, with *diag filled. */
int oct_program_open(const char *path, uint64_t bias, oct_program **program, oct_diag *diag);
/* Take another file of the same program in: a library, or what was loaded from it. Errors as above,
 * and OCT_ERR_ARG when it is for another instruction set; the program is to be closed then. */
int oct_program_add(oct_program *program, const char *path, uint64_t bias, oct_diag *diag);
void oct_program_close(oct_program *program);

/* The files that it was read from, in order. Owned by program. */
typedef struct oct_program_image {
  const char *path;
  uint64_t bias;
  uint64_t hash; /* of its code and where that stands, without bias: symbols, debug information and
                    the section table do not count, so a stripped copy has the same */
} oct_program_image;
size_t oct_program_n_images(const oct_program *program);
const oct_program_image *oct_program_images(const oct_program *program);

/* Whether an instruction of a trace, by its map, lies in the code of file number image. */
int oct_program_is_used(const oct_program *program, size_t image, const oct_map *map);
/* Where file number image was loaded, by the bytes of the map's instructions: 1 and the bias that
 * fits them, 0 when none does. */
int oct_program_find_bias(const oct_program *program, size_t image, const oct_map *map,
                          uint64_t *bias);

/* Whether addr is in the code of a file, and the number of that. Not where an ARM file has no
 * mapping symbols: its code may be of either kind. */
int oct_program_find_image(const oct_program *program, uint64_t addr, size_t *image);

/* Of an ARM program whose symbols do not tell: its code is Thumb. */
void oct_program_assume_thumb(oct_program *program);

/* Its instruction set (an oct_isa). For ARM programs with Thumb code that is OCT_ISA_ARM. */
int oct_program_isa(const oct_program *program);

/* Describe the instruction at addr, as oct_disasm_insn does. Returns its size in bytes, 0 when the
 * program has no instruction there. */
unsigned oct_program_insn(oct_program *program, uint64_t addr, oct_map_entry *e);

/* The same by the instruction's bytes alone: of an ARM program as Thumb code, or not, whatever its
 * symbols say, and outside of an IT block. */
unsigned oct_program_insn_as(oct_program *program, uint64_t addr, int is_thumb, oct_map_entry *e);

/* The n bytes of code at addr, owned by program, or NULL when the program has none there, or fewer.
 */
const uint8_t *oct_program_code(const oct_program *program, uint64_t addr, size_t n);

/* A part of memory with code, number part of n_parts, from *addr on: its bytes. */
size_t oct_program_n_parts(const oct_program *program);
uint64_t oct_program_part(const oct_program *program, size_t part, uint64_t *addr);

/* The function that addr is in, and how far; NULL when there is none. Owned by program. */
const char *oct_program_symbol(const oct_program *program, uint64_t addr, uint64_t *offset);

#ifdef __cplusplus
}
#endif
#endif
