/* SPDX-License-Identifier: Apache-2.0 */
/* oct_cache_config.h - what a cache is: its size, ways, lines, replacement, and what a store does.
 *
 * Threads: All functions may be called by any threads on values of their own. */
#ifndef OCT_CACHE_CONFIG_H
#define OCT_CACHE_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oct_error.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { OCT_CACHE_WAYS_MAX = 64, OCT_CACHE_LINE_BYTES_MIN = 4, OCT_CACHE_LINE_BYTES_MAX = 4096 };
#define OCT_CACHE_SIZE_BYTES_MAX (UINT64_C(1) << 30)

typedef enum oct_cache_repl {
  OCT_CACHE_LRU,
  OCT_CACHE_FIFO,
  OCT_CACHE_PLRU, /* tree pseudo-LRU; ways are a power of two */
  OCT_CACHE_RANDOM
} oct_cache_repl;

typedef struct oct_cache_config {
  uint64_t size_bytes; /* ways * line_bytes * a power of two, at most OCT_CACHE_SIZE_BYTES_MAX */
  uint32_t ways;       /* 1 .. OCT_CACHE_WAYS_MAX */
  uint32_t line_bytes; /* a power of two, 4 .. 4096 */
  oct_cache_repl repl;
  bool write_allocate;  /* a store that misses brings the block in */
  uint64_t reserved[4]; /* 0 */
} oct_cache_config;

/* Change *config by text: `name=value[,name=value...]` with size (bytes, K or M behind), ways,
 * line, repl (lru, fifo, plru, random), allocate (yes, no). OCT_ERR_ARG with *diag when it cannot
 * be understood; what it says is checked by oct_cache_init. */
int oct_cache_config_parse(const char *text, oct_cache_config *config, oct_diag *diag);
/* The same in words that oct_cache_config_parse takes, all said; cut to n bytes. */
void oct_cache_config_print(const oct_cache_config *config, char *text, size_t n);

#ifdef __cplusplus
}
#endif
#endif
