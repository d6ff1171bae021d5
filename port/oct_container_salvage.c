/* SPDX-License-Identifier: Apache-2.0 */
/* oct_container_salvage.c - finds the next whole chunk behind damage, by its checksum: whatever the
 * damage was, a payload, a size, or chunks that are gone.
 *
 * Every byte is tried as the first one of a chunk header. A header has few legal kinds and sizes,
 * so that most tries end there. The checksum of the chunk decides the others; it depends on the
 * number of the chunk, so the next numbers are tried, as many as damage may have left out. Bytes
 * that are made to look like headers would take time with the square of their number: what is
 * read and hashed without success is bounded.
 *
 * The chunk that is gone may have held a change of the program map. The end tells how many bytes of
 * map, and how many changes, there were. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "oct_container_format.h"
#include "oct_container_reader.h"
#include "oct_plural.h"

/* What may be read and hashed without success: once for places behind which a header or the end of
 * the file follows, and once for all others. */
enum { TRIED_MIN_BYTES = 256 << 20, TRIED_FILES = 64 };

/* Whether a whole chunk stands at offset, one of the numbers from first on. Then r stands before
 * it.
 */
static int chunk_at(oct_container_reader *r, uint64_t offset, uint64_t first, uint64_t *tried) {
  const uint64_t tried_max_bytes = TRIED_MIN_BYTES + TRIED_FILES * r->total_bytes;
  enum { NUMBERS = 64 }; /* chunks that damage may have left out */
  uint8_t header[OCT_CONTAINER_CHUNK_HEADER_BYTES], next[sizeof header];
  const size_t header_bytes = r->header_bytes;
  if (fseeko(r->stream, (off_t)offset, SEEK_SET))
    return oct_container_fail(r, OCT_ERR_IO, strerror(errno));
  if (fread(header, 1, header_bytes, r->stream) != header_bytes || !oct_container_is_header(header))
    return 0;
  uint32_t n = oct_get_u32(header + 4);
  if (n > r->total_bytes - offset - header_bytes) return 0;
  if (fseeko(r->stream, (off_t)n, SEEK_CUR))
    return oct_container_fail(r, OCT_ERR_IO, strerror(errno));
  size_t behind = fread(next, 1, header_bytes, r->stream);
  tried += !behind || (behind == header_bytes && oct_container_is_header(next));
  if (*tried >= tried_max_bytes) return 0;
  int got = oct_container_room(r, &r->stored, &r->stored_cap_bytes, n);
  if (got) return got;
  if (fseeko(r->stream, (off_t)(offset + header_bytes), SEEK_SET))
    return oct_container_fail(r, OCT_ERR_IO, strerror(errno));
  if (fread(r->stored, 1, n, r->stream) != n) return 0;
  for (uint64_t number = first; number < first + NUMBERS && *tried < tried_max_bytes; number++) {
    got = oct_container_is_whole(r, header, n, number);
    if (got < 0) return got;
    *tried += n;
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
  uint8_t window[65536];
  const size_t least = r->header_bytes;
  while (offset + least <= r->total_bytes && !fseeko(r->stream, (off_t)offset, SEEK_SET)) {
    size_t n = fread(window, 1, sizeof window, r->stream);
    if (n < least) break;
    for (size_t i = 0; i + least <= n; i++)
      if (oct_container_is_header(window + i)) return offset + i;
    offset += n - least + 1;
  }
  return r->total_bytes;
}

int oct_container_skip_damage(oct_container_reader *r, oct_diag *diag) {
  uint64_t first = r->chunk_number, offset = r->search_offset;
  uint64_t tried[2] = {0}; /* bytes */
  int got = 0;
  if (r->error == OCT_ERR_LIMIT) {
    if (diag) *diag = r->diag;
    return r->error;
  }
  if (!r->total_bytes) {
    int error = oct_container_fail(r, OCT_ERR_UNSUPPORTED,
                                   "the part after damage cannot be found in a pipe");
    if (diag) *diag = r->diag;
    return error;
  }
  while (!got && (offset = next_header(r, offset)) < r->total_bytes) {
    got = chunk_at(r, offset, first, tried);
    offset++;
  }
  if (got < 0 && diag) *diag = r->diag;
  if (got <= 0) return got;
  r->is_cut = 1;
  oct_chain_break(&r->chain);
  r->error = 0;
  return 1;
}

int oct_container_check_changes(const oct_container_reader *r, const oct_container_totals *t,
                                oct_diag *diag) {
  if (!r->has_changes || t->map_changes == r->n_changes) return 0;
  return oct_fail(diag, OCT_ERR_FORMAT,
                  "the end chunk counts %" PRIu64
                  " change%s of the program map, the file has %" PRIu64,
                  t->map_changes, OCT_S(t->map_changes), r->n_changes);
}

int oct_container_has_map(oct_container_reader *r, oct_container_totals *totals, oct_diag *diag) {
  oct_container_reader *again;
  oct_chunk chunk;
  memset(totals, 0, sizeof *totals);
  int got = oct_container_open(r->path, &again, diag), is_there = 0, is_fatal = 0;
  if (got) return got;
  oct_container_limit_map(again, r->max_updates);
  again->program = r->program;
  while (got >= 0 && (got = oct_container_next(again, &chunk, diag)) != 0) {
    if (got < 0) {
      if (got == OCT_ERR_NOMEM || got == OCT_ERR_IO) break;
      got = oct_container_skip_damage(again, diag);
      if (got <= 0) break;
      continue;
    }
    if (chunk.kind != OCT_CHUNK_END) continue;
    *totals = chunk.totals;
    is_there = again->n_changes == totals->map_changes;
    if (again->map_bytes != totals->map_bytes) continue;
    is_there = 1;
    got = oct_container_check_changes(again, totals, diag);
    is_fatal = got < 0;
  }
  oct_container_close(again);
  is_fatal |= got == OCT_ERR_NOMEM || got == OCT_ERR_IO;
  return is_fatal ? got : is_there;
}
