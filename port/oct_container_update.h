/* SPDX-License-Identifier: Apache-2.0 */
/* oct_container_update.h - inside of the library: updates of the program map as bytes of a
 * container (docs/container-format.md, section 3), and those that the program's own file says.
 *
 * The program's file gives an instruction's whole update but for its place in the trace. So such an
 * update is its address alone. The checksum of the updates in full tells whether the file that the
 * reader was given says the same. */
#ifndef OCT_CONTAINER_UPDATE_H
#define OCT_CONTAINER_UPDATE_H

#include "octrace/container.h"
#include "octrace/map.h"

#include <stdbool.h>
#include <stdio.h>

/* Where the updates of a chunk stand: the differences are against these. All 0 at its begin. */
typedef struct oct_update_place {
  uint64_t from, addr;
} oct_update_place;

/* Write u in full, its operation and its bytes where the chunk's kind has them; at most
 * OCT_CONTAINER_UPDATE_MAX_BYTES. Returns how many, and moves *at. */
size_t oct_container_pack_update(uint8_t *out, const oct_map_update *u, unsigned kind,
                                 oct_update_place *at);

/* Write u as an address if the program says all the rest of it: how many bytes, and moves *at; else
 * 0. */
size_t oct_container_pack_address(uint8_t *out, const oct_map_update *u, unsigned kind,
                                  oct_program *program, oct_update_place *at);
/* What stands in place of an update's form then: whether the code is Thumb. */
enum { OCT_CONTAINER_FROM_PROGRAM = 0, OCT_CONTAINER_FROM_THUMB = 16 };

/* The checksum of n updates of a chunk, in full. */
uint64_t oct_container_hash_updates(const oct_map_update *u, size_t n, unsigned kind);

/* Text of the head up to its newline: control characters are blanks there. */
void oct_container_put_text(FILE *out, const char *text);
/* The lines of the head that name the files of a program. And back: the value of one of them, which
 * image->path then points into; false: it is none. */
void oct_container_put_images(FILE *out, const oct_program *program);
bool oct_container_get_image(const char *value, oct_program_image *image);
/* Whether program (may be NULL) has all n files that a container called name was made with. 0 or
 * OCT_ERR_ARG. */
int oct_container_check_program(const char *name, const oct_program_image *want, size_t n,
                                const oct_program *program, oct_diag *diag);

#endif
