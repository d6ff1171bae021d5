/* SPDX-License-Identifier: Apache-2.0 */
/* oct_atc_dir.h - inside of ATC: directories that appear when they are whole, the names in them,
 * and the two halves of oct_atc. */
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

/* What oct_atc does by its mode. Errors are those of oct_atc.h. */
typedef struct oct_atc_writer oct_atc_writer;
int oct_atc_writer_new(const char *dirname, bool lossy, const oct_atc_options *options,
                       oct_atc_writer **writer, oct_diag *diag);
int oct_atc_writer_put(oct_atc_writer *w, const uint64_t *values, size_t n, oct_diag *diag);
int oct_atc_writer_finish(oct_atc_writer *w, oct_diag *diag);
const oct_atc_info *oct_atc_writer_info(const oct_atc_writer *w);
void oct_atc_writer_free(oct_atc_writer *w); /* NULL is allowed */

typedef struct oct_atc_reader oct_atc_reader;
int oct_atc_reader_new(const char *dirname, const oct_atc_options *options, oct_atc_reader **reader,
                       oct_diag *diag);
int64_t oct_atc_reader_get(oct_atc_reader *r, uint64_t *values, size_t max, oct_diag *diag);
const oct_atc_info *oct_atc_reader_info(const oct_atc_reader *r);
void oct_atc_reader_free(oct_atc_reader *r); /* NULL is allowed */

#endif
