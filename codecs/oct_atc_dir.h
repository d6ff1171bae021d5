/* SPDX-License-Identifier: Apache-2.0 */
/* oct_atc_dir.h - inside of ATC: directories that appear when they are whole, and the names in
 * them. */
#ifndef OCT_ATC_DIR_H
#define OCT_ATC_DIR_H

#include "octrace/codec.h"
#include "oct_atc_info.h"

/* DIR/N.SUFFIX, or DIR/INFO.SUFFIX for number 0; without the dot when the suffix is empty. To be
 * freed; NULL when out of memory. */
char *oct_atc_path(const char *dir, uint32_t number, const char *suffix);
/* Whether this may be a suffix: short, of printable characters, no slash. */
bool oct_atc_suffix_ok(const char *suffix);

/* A directory being made, under a temporary name beside the final one. */
typedef struct oct_atc_dir {
  char *final, *temporary;
  char *listed; /* for oct_atc_unlink_all, or NULL */
  int lock;     /* of oct_temporary_make, while there is a temporary name */
  bool replace;
} oct_atc_dir;
/* OCT_ERR_IO, also when something is there that is not an empty directory, nor (with replace) an
 * ATC directory; OCT_ERR_NOMEM. */
int oct_atc_dir_make(oct_atc_dir *dir, const char *name, const char *suffix, bool replace,
                     oct_diag *diag);
/* Give it its name. OCT_ERR_IO. */
int oct_atc_dir_commit(oct_atc_dir *dir, oct_diag *diag);
/* Remove it unless it was committed, and free. */
void oct_atc_dir_free(oct_atc_dir *dir);
/* The suffix of the one INFO file in a directory. OCT_ERR_IO, OCT_ERR_FORMAT. */
int oct_atc_dir_suffix(const char *name, char suffix[OCT_ATC_SUFFIX_MAX + 1], oct_diag *diag);

#endif
