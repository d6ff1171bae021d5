/* SPDX-License-Identifier: Apache-2.0 */
/* oct_memory_file.c - a stream of stdio whose bytes go to a buffer. Where the buffer cannot grow,
 * the write fails as on a full disk, which ferror() tells. */
#include "oct_memory_file.h"

static ssize_t append(void *cookie, const char *bytes, size_t n) {
  return oct_buffer_put(cookie, bytes, n) ? 0 : (ssize_t)n;
}

int oct_memory_file_open(oct_memory_file *m) {
  *m = (oct_memory_file){0};
  m->file = fopencookie(&m->text, "w", (cookie_io_functions_t){.write = append});
  return m->file ? 0 : OCT_ERR_NOMEM;
}

int oct_memory_file_close(oct_memory_file *m) {
  int failed = ferror(m->file);
  if (fclose(m->file) || failed || m->text.has_failed || !oct_buffer_room(&m->text, 1))
    return OCT_ERR_NOMEM;
  m->text.bytes[m->text.n_bytes] = 0;
  return 0;
}
