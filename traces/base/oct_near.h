/* SPDX-License-Identifier: Apache-2.0 */
/* oct_near.h - the name that a misspelt word was meant to be. */
#ifndef OCT_NEAR_H
#define OCT_NEAR_H

/* Name number i of a list, NULL after the last one. */
typedef const char *oct_near_list(const void *context, unsigned i);

typedef struct oct_near_text {
  char text[80];
} oct_near_text;

/* ", did you mean 'NAME'?" with the name that is nearest to word, prefix in front, or "" where none
 * is near. */
oct_near_text oct_near(const char *word, const char *prefix, oct_near_list *name_at,
                       const void *context);

#endif
