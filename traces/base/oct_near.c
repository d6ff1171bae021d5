/* SPDX-License-Identifier: Apache-2.0 */
/* oct_near.c - the name that a misspelt word was meant to be.
 *
 * The distance of two words is the least number of letters to insert, leave out, replace or swap
 * with their neighbour that makes one of the other. A name is near if that is one for each three of
 * its letters at most, or if the word is its start. */
#include "oct_near.h"

#include <stdio.h>
#include <string.h>

enum { WORD_MAX = 40 };

static unsigned least(unsigned a, unsigned b) {
  return a < b ? a : b;
}

static unsigned distance(const char *a, const char *b) {
  unsigned rows[3][WORD_MAX + 1];
  const size_t n_a = strlen(a), n_b = strlen(b);
  if (n_a > WORD_MAX || n_b > WORD_MAX) return WORD_MAX;
  for (unsigned k = 0; k <= n_b; k++) rows[0][k] = k;
  for (unsigned i = 1; i <= n_a; i++) {
    unsigned *now = rows[i % 3];
    const unsigned *before = rows[(i + 2) % 3], *two_before = rows[(i + 1) % 3];
    now[0] = i;
    for (unsigned k = 1; k <= n_b; k++) {
      now[k] = least(least(before[k], now[k - 1]) + 1, before[k - 1] + (a[i - 1] != b[k - 1]));
      if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
        now[k] = least(now[k], two_before[k - 2] + 1);
    }
  }
  return rows[n_a % 3][n_b];
}

oct_near_text oct_near(const char *word, const char *prefix, oct_near_list *name_at,
                       const void *context) {
  oct_near_text t = {""};
  unsigned nearest = WORD_MAX;
  const char *name;
  for (unsigned i = 0; (name = name_at(context, i)) != NULL; i++) {
    size_t n = strlen(name), n_word = strlen(word);
    unsigned d =
        n_word > 2 && n_word < n && !strncmp(name, word, n_word) ? 1 : distance(word, name);
    if (d >= nearest || d > (n < 3 ? 1 : n / 3)) continue;
    nearest = d;
    snprintf(t.text, sizeof t.text, ", did you mean '%s%s'?", prefix, name);
  }
  return t;
}
