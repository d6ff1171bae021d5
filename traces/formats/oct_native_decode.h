/* SPDX-License-Identifier: Apache-2.0 */
/* oct_native_decode.h - inside of the library: decoder of the native format's event blocks. */
#ifndef OCT_NATIVE_DECODE_H
#define OCT_NATIVE_DECODE_H

#include "oct_reader_format.h"

/* A block as its header tells it (docs/trace-format.md). */
typedef struct oct_native_block {
  uint64_t offset, first_insn;
  uint32_t stored_bytes, raw_bytes, n_insns, n_items;
  uint32_t n_values; /* of an events block: bytes of the values block before it */
  int kind, codec;
  const uint8_t *payload; /* raw_bytes, once read */
} oct_native_block;

/* Decode an event block to n_insns instructions and n_items accesses. stamps goes on from the block
 * before. Returns NULL, or in words what is wrong with the payload, which is not trusted at all. */
const char *oct_native_decode(const oct_native_block *b, oct_insn *insns, oct_access *accesses,
                              oct_stamps *stamps);

/* The format's writer (oct_native_write.c). */
extern const oct_writer_ops oct_native_writer;

#endif
