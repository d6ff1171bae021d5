/* SPDX-License-Identifier: Apache-2.0 */
/* oct_symbols.h - names of addresses from the symbol tables of ELF files, and their source lines
 * where the files have DWARF and this was built with libdw. */
#ifndef OCT_SYMBOLS_H
#define OCT_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "octrace/trace.h"

typedef struct oct_symbols {
  struct oct_symbol_entry *at;
  size_t n, size;
  struct oct_dwarf *files; /* with source lines */
  size_t n_modules;        /* of the trace that were looked at, */
  size_t n_found;          /* of which so many have functions */
  size_t n_other;          /* of which so many are another build now, */
  char *other;             /* the first of them, or NULL */
} oct_symbols;

/* Add the functions of the ELF file at path, moved by base. Bit 0 of ARM function addresses tells
 * Thumb and is left out. OCT_ERR_IO; OCT_ERR_FORMAT: no ELF file or no symbols; OCT_ERR_NOMEM. */
int oct_symbols_add(oct_symbols *s, const char *path, uint64_t base, oct_diag *diag);
/* Add those of the program's files, as far as they have some: the reader of the trace tells what is
 * wrong with them. 0 or OCT_ERR_NOMEM. */
int oct_symbols_add_all(oct_symbols *s, const oct_read_options *read, oct_diag *diag);
/* Whether the user names files of the program. */
bool oct_symbols_are_named(const oct_read_options *read);
/* Add those of the files that the trace itself names, as far as they are there and have the same
 * build id; unless the user names files. To be called again with each batch, which may bring more.
 * 0 or OCT_ERR_NOMEM. */
int oct_symbols_add_modules(oct_symbols *s, const oct_reader *reader, const oct_read_options *read,
                            oct_diag *diag);
/* Say in a note of the trace called name which of these files is another build now. */
void oct_symbols_tell(const oct_symbols *s, const char *name);
/* A function: its name, and the addresses from first up to but not including end. Without a size in
 * its file it ends at the next one, or after 4096 bytes. */
typedef struct oct_symbol_range {
  uint64_t first, end;
  const char *name; /* owned by the oct_symbols */
} oct_symbol_range;
/* Function number i of s->n, in the order of addresses. */
oct_symbol_range oct_symbols_at(const oct_symbols *s, size_t i);
/* The function that addr is in; false: none, and *symbol is the range around addr that has none,
 * without a name. */
bool oct_symbols_find(const oct_symbols *s, uint64_t addr, oct_symbol_range *symbol);
/* The same as oct_functions asks; context is an oct_symbols. */
const char *oct_symbols_function(void *context, uint64_t addr, uint64_t *first, uint64_t *end);
/* The function that addr is in ("name+0x10"), cut to size, or an empty text. */
void oct_symbols_name(const oct_symbols *s, uint64_t addr, char *text, size_t size);
/* The source line that addr comes from ("sort.c:12"), cut to size, or an empty text. */
void oct_symbols_line(const oct_symbols *s, uint64_t addr, char *text, size_t size);
void oct_symbols_free(oct_symbols *s);

#endif
