/* SPDX-License-Identifier: Apache-2.0 */
/* oct_zip.c - the members of a zip file, one after the other in the order of its directory.
 *
 * libzip finds and unpacks them. A member is opened when the one before has been read to its end,
 * and its bytes are handed out as they come. */
#include "oct_zip.h"

#ifdef OCT_HAVE_LIBZIP

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>
#include <zlib.h>

struct oct_zip {
  char *path;
  zip_t *zip;
  zip_file_t *member; /* NULL between members */
  zip_uint64_t next;
  zip_uint64_t n_read, n_all; /* bytes, unpacked */
};

/* Whether it is memory that the library lacked in a call before which errno was 0. At some places
 * it tells that as a file that is none of its own, and only the allocator's errno says so. */
static bool is_memory(const zip_error_t *error) {
  return errno == ENOMEM || zip_error_code_zip(error) == ZIP_ER_MEMORY ||
         (zip_error_code_zip(error) == ZIP_ER_ZLIB && zip_error_code_system(error) == Z_MEM_ERROR);
}

int oct_zip_open(const char *path, oct_zip **zip, oct_diag *diag) {
  oct_zip *z = calloc(1, sizeof *z);
  int code = 0;
  *zip = NULL;
  if (!z || !(z->path = strdup(path))) {
    free(z);
    return oct_fail_in(diag, OCT_ERR_NOMEM, path, "out of memory");
  }
  errno = 0;
  z->zip = zip_open(path, ZIP_RDONLY, &code);
  if (!z->zip) {
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    int failed = is_memory(&error) ? oct_fail_in(diag, OCT_ERR_NOMEM, path, "out of memory")
                                   : oct_fail_in(diag, OCT_ERR_FORMAT, path, "damaged zip file: %s",
                                                 zip_error_strerror(&error));
    zip_error_fini(&error);
    oct_zip_close(z);
    return failed;
  }
  for (zip_uint64_t i = 0; (zip_int64_t)i < zip_get_num_entries(z->zip, 0); i++) {
    zip_stat_t member;
    if (!zip_stat_index(z->zip, i, 0, &member) && (member.valid & ZIP_STAT_SIZE))
      z->n_all += member.size;
  }
  *zip = z;
  return 0;
}

void oct_zip_close(oct_zip *z) {
  if (!z) return;
  if (z->member) zip_fclose(z->member);
  if (z->zip) zip_discard(z->zip);
  free(z->path);
  free(z);
}

static int damaged(oct_zip *z, zip_error_t *why, oct_diag *diag) {
  if (is_memory(why)) return oct_fail_in(diag, OCT_ERR_NOMEM, z->path, "out of memory");
  const char *name = zip_get_name(z->zip, z->next - (z->member != NULL), 0);
  return oct_fail_in(diag, OCT_ERR_FORMAT, z->path, "member %s: damaged zip file: %s",
                     name ? name : "?", zip_error_strerror(why));
}

int64_t oct_zip_read(oct_zip *z, void *p, size_t n, oct_diag *diag) {
  for (;;) {
    errno = 0;
    if (!z->member) {
      if ((zip_int64_t)z->next >= zip_get_num_entries(z->zip, 0)) return 0;
      z->member = zip_fopen_index(z->zip, z->next, 0);
      if (!z->member) return damaged(z, zip_get_error(z->zip), diag);
      z->next++;
    }
    zip_int64_t got = zip_fread(z->member, p, n);
    if (got < 0) return damaged(z, zip_file_get_error(z->member), diag);
    if (got > 0) {
      z->n_read += (zip_uint64_t)got;
      return got;
    }
    zip_fclose(z->member);
    z->member = NULL;
  }
}

double oct_zip_part(const oct_zip *z) {
  return z->n_read < z->n_all ? (double)z->n_read / (double)z->n_all : 1.0;
}

#else

int oct_zip_open(const char *path, oct_zip **zip, oct_diag *diag) {
  *zip = NULL;
  return oct_fail_in(diag, OCT_ERR_UNSUPPORTED, path,
                     "a zip archive, and octrace was built without libzip: unpack it first");
}

void oct_zip_close(oct_zip *zip) {
  (void)zip;
}

int64_t oct_zip_read(oct_zip *zip, void *p, size_t n, oct_diag *diag) {
  (void)zip, (void)p, (void)n, (void)diag;
  return 0;
}

double oct_zip_part(const oct_zip *zip) {
  (void)zip;
  return 0;
}

#endif
