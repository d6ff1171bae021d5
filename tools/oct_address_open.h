/* SPDX-License-Identifier: Apache-2.0 */
/* oct_address_open.h - addresses from a file or folder of any kind. */
#ifndef OCT_ADDRESS_OPEN_H
#define OCT_ADDRESS_OPEN_H

#include <stdio.h>

#include "octrace/cache.h"
#include "oct_codec_cli.h"

typedef struct oct_address_options {
  oct_read_options read; /* of traces; format AUTO: by content, see below */
  unsigned kinds;        /* OCT_ADDRESSES_* */
  oct_codec_limits limits;
} oct_address_options;

/* Open path. A folder with a file INFO.* is an ATC directory; the file of a software codec gives
 * the addresses of its records or its trace, a compressed trace those of the trace, also from a
 * pipe. A trace is recognised where its
 * format has a mark of its own or is text; all else is raw 64-bit addresses unless options->read
 * names a format: block addresses look like half a dozen binary formats. Errors as
 * oct_addresses_of_trace. */
int oct_address_open(const char *path, const oct_address_options *options, oct_addresses *a,
                     oct_diag *diag);

/* Likewise from a codec file, open at its beginning; it is closed in any case. path: beside which
 * its streams stand, if apart. */
int oct_address_codec(FILE *file, const char *path, const oct_address_options *options,
                      oct_addresses *a, oct_diag *diag);

#endif
