/* SPDX-License-Identifier: Apache-2.0 */
/* oct_registry.h - inside of the library: the lists of all formats, tracers and codecs.
 *
 * The lists are in tools/registry.c, which sees all folders. oct_the_registry is the one name that
 * lower folders take from there: each looks up its own kind and knows nothing of the others. */
#ifndef OCT_REGISTRY_H
#define OCT_REGISTRY_H

#include "oct_reader_format.h"

struct oct_tracer;
struct oct_codec;

/* Lists that end with NULL. */
typedef struct oct_registry {
  const oct_format_desc *const *formats;    /* number n is formats[n - 1] */
  const oct_format_desc *const *by_content; /* those with a probe, in the order of asking */
  const struct oct_tracer *const *tracers;
  const struct oct_codec *const *codecs;
} oct_registry;

extern const oct_registry oct_the_registry;

/* The formats that commands ask for themselves. */
typedef struct oct_format_roles {
  const oct_format_desc *container, *codec_file, *bare_addresses;
} oct_format_roles;

extern const oct_format_roles oct_the_format_roles;

#endif
