/* SPDX-License-Identifier: Apache-2.0 */
/* oct_codec_input.c - bytes of a codec file: looked at, taken, gone back to, searched.
 *
 * Bytes come from the source once, in order, and wait in a buffer until they are taken. Bytes that
 * were taken can be put back in front, so that a search for the next mark can begin within a
 * payload that turned out to be damaged. The search looks for the first byte of a mark and then
 * compares the rest. */
#include "oct_codec_input.h"

#include <inttypes.h>

enum { SEARCH_BYTES = 65536 };

void oct_codec_input_free(oct_codec_input *in) {
  oct_buffer_free(&in->seen);
}

static size_t seen(const oct_codec_input *in) {
  return in->seen.n_bytes - in->seen_from;
}

/* Forget what was taken, where that is at least half of it: what remains is moved seldom. */
static void tidy(oct_codec_input *in) {
  if (in->seen_from < in->seen.n_bytes - in->seen_from) return;
  in->seen.n_bytes -= in->seen_from;
  if (in->seen.n_bytes) memmove(in->seen.bytes, in->seen.bytes + in->seen_from, in->seen.n_bytes);
  in->seen_from = 0;
}

int64_t oct_codec_look(oct_codec_input *in, size_t n, const uint8_t **bytes, oct_diag *diag) {
  tidy(in);
  if (seen(in) < n) {
    size_t want = n - seen(in);
    uint8_t *p = oct_buffer_room(&in->seen, want);
    if (!p) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    int64_t got = in->source.read(in->source.context, p, want, diag);
    if (got < 0) return got;
    in->seen.n_bytes += (size_t)got;
  }
  *bytes = in->seen.bytes + in->seen_from;
  return (int64_t)(seen(in) < n ? seen(in) : n);
}

void oct_codec_take(oct_codec_input *in, size_t n) {
  in->seen_from += n;
  in->offset += n;
}

int oct_codec_ends_within(const oct_codec_input *in, uint64_t offset, const char *what,
                          oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_TRUNCATED,
                  "offset %" PRIu64 ": the file ends within %s, which begins at offset %" PRIu64,
                  offset, what, in->offset);
}

int oct_codec_fetch(oct_codec_input *in, uint8_t *bytes, size_t n, const char *what,
                    oct_diag *diag) {
  size_t have = seen(in) < n ? seen(in) : n;
  if (have) memcpy(bytes, in->seen.bytes + in->seen_from, have);
  int64_t got = n > have ? in->source.read(in->source.context, bytes + have, n - have, diag) : 0;
  if (got < 0) return (int)got;
  uint64_t there = have + (uint64_t)got;
  int error = there == n ? 0 : oct_codec_ends_within(in, in->offset + there, what, diag);
  in->seen_from += have;
  in->offset += there;
  return error;
}

int oct_codec_untake(oct_codec_input *in, const uint8_t *bytes, size_t n) {
  size_t rest = seen(in);
  if (!n) return 0;
  if (!oct_buffer_room(&in->seen, n)) return OCT_ERR_NOMEM;
  memmove(in->seen.bytes + n, in->seen.bytes + in->seen_from, rest);
  memcpy(in->seen.bytes, bytes, n);
  in->seen.n_bytes = n + rest;
  in->seen_from = 0;
  in->offset -= n;
  return 0;
}

int oct_codec_find_mark(oct_codec_input *in, oct_diag *diag) {
  uint8_t mark[8];
  const uint8_t *p;
  oct_put_u64(mark, OCT_CODEC_MARK);
  for (;;) {
    int64_t got = oct_codec_look(in, SEARCH_BYTES, &p, diag);
    if (got < 0) return (int)got;
    size_t n = (size_t)got, at = 0;
    while (at + sizeof mark <= n && memcmp(p + at, mark, sizeof mark) != 0) {
      const uint8_t *next = memchr(p + at + 1, mark[0], n - at - 1);
      at = next ? (size_t)(next - p) : n;
    }
    bool is_found = at + sizeof mark <= n;
    if (!is_found && n >= sizeof mark) at = n - sizeof mark + 1; /* it may begin at the end */
    if (!is_found && n < SEARCH_BYTES) at = n;
    oct_codec_take(in, at);
    if (is_found || n < SEARCH_BYTES) return is_found;
  }
}
