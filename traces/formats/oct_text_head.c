/* SPDX-License-Identifier: Apache-2.0 */
/* oct_text_head.c - comments of a text that tell its instruction set and its alignment
 * (docs/trace-format.md).
 *
 * Comments are free, so a line counts only as `# isa NAME` or `# insn_align_bytes N`. One that is
 * spelt almost so, or stands too late, would be passed over; it is refused where it is plainly no
 * prose: it has the name of a known instruction set, or the key with the underlines. */
#include "oct_text_head.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* A comment that begins with a key. */
typedef struct said {
  bool is_isa;   /* `isa`; else `insn_align_bytes` */
  bool is_exact; /* as it must be spelt, and with a value */
  const char *value, *end;
} said;

/* Whether the line [p, end), whose first character behind blanks is #, begins with a key. */
static bool says(const char *p, const char *end, said *s) {
  static const char *const keys[] = {"insn_align_bytes", "isa"};
  while (p < end && isspace((unsigned char)*p)) p++;
  for (p++; p < end && (*p == ' ' || *p == '\t');) p++;
  while (end > p && isspace((unsigned char)end[-1])) end--;
  for (int k = 0; k < 2; k++) {
    const size_t n = strlen(keys[k]);
    if ((size_t)(end - p) < n || strncasecmp(p, keys[k], n)) continue;
    const char *q = p + n;
    if (q < end && !isspace((unsigned char)*q) && *q != ':' && *q != '=') continue;
    while (q < end && isspace((unsigned char)*q)) q++;
    const bool has_sign = q < end && (*q == ':' || *q == '=');
    if (has_sign)
      for (q++; q < end && isspace((unsigned char)*q);) q++;
    *s = (said){.is_isa = k == 1,
                .is_exact = !memcmp(p, keys[k], n) && !has_sign && q < end,
                .value = q,
                .end = end};
    if (s->is_isa && end - q > OCT_TEXT_ISA_BYTES_MAX) return false;
    return true;
  }
  return false;
}

/* 1, 2, 4 or 8; 0: the value is another one. */
static uint32_t alignment(const said *s) {
  uint64_t n;
  if (!oct_number(s->value, s->end, 10, &n) || n > 8 || (n & (n - 1))) return 0;
  return (uint32_t)n;
}

static bool is_known_isa(const said *s) {
  char name[OCT_TEXT_ISA_BYTES_MAX + 1];
  const size_t n = (size_t)(s->end - s->value);
  for (size_t i = 0; i < n; i++) name[i] = (char)tolower((unsigned char)s->value[i]);
  name[n] = 0;
  return oct_isa_by_name(name) >= 0 || !strcmp(name, "pisa");
}

int oct_text_head_take(oct_text_head *h, oct_reader *r, oct_diag *diag) {
  const uint8_t *start;
  oct_diag ignored; /* damage is told when it is reached */
  int64_t n = oct_input_peek(r->in, OCT_INPUT_PEEK_BYTES, &start, &ignored);
  const char *p = (const char *)start, *stop = p + (n > 0 ? n : 0);
  for (const char *next; p < stop; p = next) {
    const char *end = memchr(p, '\n', (size_t)(stop - p)), *first = p;
    said s;
    if (!end) break;
    next = end + 1;
    while (first < end && isspace((unsigned char)*first)) first++;
    if (first == end) continue;
    if (*first != '#') break;
    if (!says(first, end, &s) || !s.is_exact) continue;
    if (!s.is_isa) {
      if (!h->said_align_bytes) h->said_align_bytes = alignment(&s);
    } else if (!r->isa) {
      int rc = oct_reader_keep(r, &r->isa, s.value, (size_t)(s.end - s.value), diag);
      if (rc) return rc;
      r->info.isa = r->isa;
    }
  }
  const int isa = oct_isa_by_name(r->info.isa);
  h->align_bytes = 1;
  if (isa >= 0) {
    const oct_isa_info *set = oct_isa_get((oct_isa)isa);
    h->align_bytes = set->insn_align_bytes;
    if (set->addr_bits == 64) r->info.addr_bits = 64;
  }
  if (h->said_align_bytes) h->align_bytes = h->said_align_bytes;
  r->info.insn_align_bytes = h->align_bytes;
  return 0;
}

int oct_text_head_check(const oct_text_head *h, oct_reader *r, oct_diag *diag) {
  const oct_lines *l = r->state;
  const char *expected;
  said s;
  if (!says(l->p, l->end, &s)) return 0;
  const size_t n = (size_t)(s.end - s.value);
  if (s.is_isa) {
    const bool is_taken = r->isa && strlen(r->isa) == n && !memcmp(r->isa, s.value, n);
    if (!is_known_isa(&s) || (s.is_exact && is_taken)) return 0;
    expected = "'# isa NAME' once and before the first instruction, or another comment";
    if (!s.is_exact) expected = "'# isa NAME', or another comment";
  } else {
    if (s.is_exact && alignment(&s) && alignment(&s) == h->said_align_bytes) return 0;
    expected = "'# insn_align_bytes N' once and before the first instruction, or another comment";
    if (!s.is_exact || !alignment(&s))
      expected = "'# insn_align_bytes N', N 1, 2, 4 or 8, or another comment";
  }
  const char *first = l->p;
  while (first < l->end && isspace((unsigned char)*first)) first++;
  return oct_lines_wrong(r, l, expected, first, s.end, diag);
}

int oct_text_head_refuse(const oct_text_head *h, oct_reader *r, const char *p, const char *end,
                         oct_diag *diag) {
  char expected[192];
  if (h->said_align_bytes)
    snprintf(expected, sizeof expected,
             "a multiple of %" PRIu32
             " bytes, as of the comment '# insn_align_bytes': change it "
             "if it is wrong",
             h->align_bytes);
  else
    snprintf(expected, sizeof expected,
             "a multiple of %" PRIu32
             " bytes, as of the comment '# isa %s': change it if it is "
             "wrong",
             h->align_bytes, r->info.isa);
  return oct_lines_wrong(r, r->state, expected, p, end, diag);
}
