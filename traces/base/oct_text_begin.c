/* SPDX-License-Identifier: Apache-2.0 */
/* oct_text_begin.c - what a text begins with: a byte order mark, and what shows that it is one.
 *
 * Editors and shells of Windows begin a text in UTF-8 with EF BB BF, which means nothing, and one
 * in UTF-16 with FF FE or FE FF. In UTF-16 each character of ASCII has a byte of zero beside it. */
#include "oct_text_begin.h"

#include "oct_infile.h"

#include <string.h>

size_t oct_text_mark_bytes(const uint8_t *p, size_t n) {
  return n >= 3 && !memcmp(p, "\xef\xbb\xbf", 3) ? 3 : 0;
}

int oct_text_is_utf16(const uint8_t *p, size_t n) {
  enum { LOOKED_AT_BYTES = 16 };
  if (n < 4 || (memcmp(p, "\xff\xfe", 2) && memcmp(p, "\xfe\xff", 2))) return 0;
  size_t zero = p[0] == 0xff; /* its place in a pair */
  for (size_t i = 2; i + 2 <= n && i < LOOKED_AT_BYTES; i += 2)
    if (p[i + zero] || !p[i + !zero] || p[i + !zero] > 126) return 0;
  return 1;
}

int oct_text_is_utf8(const uint8_t *p, size_t n) {
  size_t left = 0; /* bytes of a character of several */
  for (size_t i = 0; i < n; i++) {
    if (left) {
      if (p[i] >> 6 != 2) return 0;
      left--;
    } else if (p[i] >= 0x80) {
      left = p[i] < 0xc2 ? 0 : p[i] < 0xe0 ? 1 : p[i] < 0xf0 ? 2 : p[i] < 0xf5 ? 3 : 0;
      if (!left) return 0;
    } else if (p[i] < ' ' && !memchr("\a\b\t\n\v\f\r\033", p[i], 8)) {
      return 0;
    }
  }
  return 1;
}

int oct_text_begin(oct_input *in, oct_diag *diag) {
  const uint8_t *p;
  oct_diag ignored;
  int64_t n = oct_input_peek(in, 16, &p, &ignored);
  if (n < 0) n = oct_input_peek(in, 0, &p, &ignored);
  if (n <= 0) return 0;
  oct_input_take(in, oct_text_mark_bytes(p, (size_t)n));
  if (!oct_text_is_utf16(p, (size_t)n)) return 0;
  return oct_input_fail(in, 0, diag, OCT_ERR_FORMAT,
                        "text in UTF-16, expected UTF-8 (iconv -f UTF-16 -t UTF-8 converts it)");
}

FILE *oct_text_fopen(const char *path) {
  uint8_t begin[3] = {0};
  FILE *f = oct_infile_fopen(path);
  if (!f) return NULL;
  const size_t n = fread(begin, 1, sizeof begin, f);
  if (!oct_text_mark_bytes(begin, n)) rewind(f);
  return f;
}
