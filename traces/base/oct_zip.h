/* SPDX-License-Identifier: Apache-2.0 */
/* oct_zip.h - inside of the library: the members of a zip file, one after the other. */
#ifndef OCT_ZIP_H
#define OCT_ZIP_H

#include "octrace/error.h"

#include <stddef.h>
#include <stdint.h>

typedef struct oct_zip oct_zip;

/* Open the zip file at path. OCT_ERR_FORMAT, OCT_ERR_IO, OCT_ERR_NOMEM. */
int oct_zip_open(const char *path, oct_zip **zip, oct_diag *diag);
void oct_zip_close(oct_zip *zip);
/* Read up to n bytes: how many, 0 at the end of the last member, or OCT_ERR_FORMAT. */
int64_t oct_zip_read(oct_zip *zip, void *p, size_t n, oct_diag *diag);
/* The part of all members' bytes that was read, 0 to 1. */
double oct_zip_part(const oct_zip *zip);

#endif
