/* SPDX-License-Identifier: Apache-2.0 */
/* oct_program.h - the traced program: its instructions and symbols, from its ELF file.
 *
 * Threads: An oct_program is for one thread at a time, different ones may be used by different
 * threads. */
#ifndef OCT_PROGRAM_H
#define OCT_PROGRAM_H

#include "oct_error.h"
#include "oct_event.h"
#include "oct_map.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct oct_program oct_program;

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
