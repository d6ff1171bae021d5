/* SPDX-License-Identifier: Apache-2.0 */
/* oct_elf_head.h - what the program header of an ELF file says: its build id, and where its parts
 * are loaded. Needs no library, for the capture plugin uses it, too.
 *
 * Threads: Functions of a file alone. */
#ifndef OCT_ELF_HEAD_H
#define OCT_ELF_HEAD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The build id of the file in id, of at most room bytes: how many bytes it has; 0 where the file
 * has none, or a longer one, or is no ELF file. */
size_t oct_elf_build_id(int fd, uint8_t *id, size_t room);

/* The address at which the byte at offset in the file is loaded, without bias: 1, or 0 where no
 * part with code has it. */
int oct_elf_address(int fd, uint64_t offset, uint64_t *addr);

#ifdef __cplusplus
}
#endif
#endif
