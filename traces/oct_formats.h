/* SPDX-License-Identifier: Apache-2.0 */
/* oct_formats.h - inside of the library: finding a format. Each is defined by the file of its
 * reader, which knows neither this list nor oct_reader.c. */
#ifndef OCT_FORMATS_H
#define OCT_FORMATS_H

#include <stdbool.h>

#include "oct_reader_format.h"

/* Never NULL. */
const oct_format_desc *oct_format_desc_of(oct_format format);
/* The format of an input by its first bytes, or an error. *has_mark: of a file that has a mark,
 * which may be damaged, and is no trace. *is_bare: of bare numbers. */
int oct_format_recognise(oct_input *in, bool *has_mark, bool *is_bare, oct_diag *diag);

/* Whether it is recognised by what its records may hold alone, which raw addresses also may. */
bool oct_format_is_guess(int format);
/* The trace files in a folder, as oct_format_desc.list, and the format whose they are. */
int oct_format_list(const char *folder, char ***paths, size_t *n_paths, oct_diag *diag);

#endif
