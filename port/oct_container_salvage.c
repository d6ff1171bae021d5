/* SPDX-License-Identifier: Apache-2.0 */
/* oct_container_salvage.c - finds the next whole chunk behind damage, by its checksum: whatever the
 * damage was, a payload, a size, or chunks that are gone.
 *
 * Every byte is tried as the first one of a chunk header. A header has few legal kinds and sizes,
 * so that most tries end there. The checksum of the chunk decides the others; it depends on the
 * number of the chunk, so the next numbers are tried, as many as damage may have left out. */
#include <errno.h>
#include <string.h>

#include "oct_container_format.h"
#include "oct_container_reader.h"

/* Whether a whole chunk stands at offset, one of the numbers from first on. Then r stands before
 * it.
 */
static int chunk_at(oct_container_reader *r, uint64_t offset, uint64_t first) {
  enum { NUMBERS = 64 }; /* chunks that damage may have left out */
  uint8_t header[OCT_CONTAINER_CHUNK_HEADER_BYTES];
  if (fseeko(r->stream, (off_t)offset, SEEK_SET))
    return oct_container_fail(r, OCT_ERR_IO, strerror(errno));
  if (fread(header, 1, sizeof header, r->stream) != sizeof header ||
      !oct_container_is_header(header))
    return 0;
  uint32_t n = oct_get_u32(header + 4);
  int got = oct_container_room(r, &r->stored, &r->stored_cap_bytes, n);
  if (got) return got;
  if (fread(r->stored, 1, n, r->stream) != n) return 0;
  for (uint64_t number = first; number < first + NUMBERS; number++) {
    got = oct_container_is_whole(r, header, n, number);
    if (got < 0) return got;
    if (!got) continue;
    r->chunk_number = number;
    r->offset = offset;
    if (fseeko(r->stream, (off_t)offset, SEEK_SET))
      return oct_container_fail(r, OCT_ERR_IO, strerror(errno));
    return 1;
  }
  return 0;
}

/* The next place from offset on where a header may stand, or the file's size. */
static uint64_t next_header(oct_container_reader *r, uint64_t offset) {
  enum { WINDOW_BYTES = 65536, N = OCT_CONTAINER_CHUNK_HEADER_BYTES };
  uint8_t window[WINDOW_BYTES];
  while (offset + N <= r->total_bytes && !fseeko(r->stream, (off_t)offset, SEEK_SET)) {
    size_t n = fread(window, 1, sizeof window, r->stream);
    if (n < N) break;
    for (size_t i = 0; i + N <= n; i++)
      if (oct_container_is_header(window + i)) return offset + i;
    offset += n - N + 1;
  }
  return r->total_bytes;
}

int oct_container_skip_damage(oct_container_reader *r, oct_diag *diag) {
  uint64_t first = r->chunk_number, offset = r->chunk_offset + 1;
  int got = 0;
  if (r->error == OCT_ERR_LIMIT) {
    if (diag) *diag = r->diag;
    return r->error;
  }
  if (!r->total_bytes) {
    int error =
        oct_container_fail(r, OCT_ERR_UNSUPPORTED, "what follows damage cannot be found in a pipe");
    if (diag) *diag = r->diag;
    return error;
  }
  while (!got && (offset = next_header(r, offset)) < r->total_bytes) {
    got = chunk_at(r, offset, first);
    offset++;
  }
  if (got < 0 && diag) *diag = r->diag;
  if (got <= 0) return got;
  r->is_cut = 1;
  r->error = 0;
  return 1;
}
