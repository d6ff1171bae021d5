/* SPDX-License-Identifier: Apache-2.0 */
/* oct_address_open.c - addresses from a file or folder of any kind. */
#include "oct_address_open.h"

#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

static bool is_any(const char *path) {
  (void)path;
  return true;
}

/* Formats that are recognised by what their records may hold, which block addresses also may. */
static bool is_guess(oct_format format) {
  switch (format) {
    case OCT_FORMAT_BIN32:
    case OCT_FORMAT_BIN64:
    case OCT_FORMAT_DINBIN:
    case OCT_FORMAT_CHAMPSIM:
    case OCT_FORMAT_CVP:
      return true;
    default:
      return false;
  }
}

/* The format by content, raw addresses where there is none or doubt. */
static oct_format recognise(const char *path, const oct_read_options *options) {
  struct stat st;
  oct_reader *reader;
  oct_diag ignored;
  if (!strcmp(path, "-") || stat(path, &st) || (!S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)))
    return OCT_FORMAT_DA64;
  int error = oct_reader_open(path, options, &reader, &ignored);
  if (error == OCT_ERR_FORMAT && S_ISREG(st.st_mode)) return OCT_FORMAT_DA64;
  if (error < 0) return OCT_FORMAT_AUTO; /* opening it again tells why */
  oct_format format = oct_reader_info(reader)->format;
  oct_reader_close(reader);
  return is_guess(format) ? OCT_FORMAT_DA64 : OCT_FORMAT_AUTO;
}

static int open_trace(const char *path, const oct_address_options *options, oct_addresses *a,
                      oct_diag *diag) {
  oct_read_options read = options->read;
  if (read.format == OCT_FORMAT_AUTO) read.format = recognise(path, &read);
  return oct_addresses_of_trace(path, &read, options->kinds, a, diag);
}

/* The kinds of sources, in the order in which they are tried; the last takes everything. */
static const struct {
  bool (*is)(const char *path);
  int (*open)(const char *path, const oct_address_options *options, oct_addresses *a,
              oct_diag *diag);
} sources[] = {{is_any, open_trace}};

int oct_address_open(const char *path, const oct_address_options *options, oct_addresses *a,
                     oct_diag *diag) {
  size_t i = 0;
  while (!sources[i].is(path)) i++;
  return sources[i].open(path, options, a, diag);
}
