/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ram_sink.h - keeps what comes over the trace bus in an on-chip RAM, to be read by the
 * debugger: the twin of rtl/common/oct_ram_sink.v, which has the table of registers.
 *
 * Bytes are packed into words, the first byte lowest. The RAM is a circular buffer, or stops at its
 * end (stop_when_full). Behind a trigger's cycle TRG words are kept, then capture stops; with
 * stop_on_flush also with the end of a flush that the debugger asks for. */
#ifndef OCT_RAM_SINK_H
#define OCT_RAM_SINK_H

#include "octrace/tracer.h"

/* Registers: bytes from the first. */
enum {
  OCT_SINK_RDP = 0x04,
  OCT_SINK_STS = 0x0c,
  OCT_SINK_RRD = 0x10,
  OCT_SINK_RRP = 0x14,
  OCT_SINK_RWP = 0x18,
  OCT_SINK_TRG = 0x1c,
  OCT_SINK_CTL = 0x20,
  OCT_SINK_FFSR = 0x300,
  OCT_SINK_FFCR = 0x304
};

typedef struct oct_ram_sink {
  uint32_t *ram; /* the caller's, depth_words of them */
  uint32_t depth_words;
  uint32_t read_data; /* of the RAM, a cycle old */
  uint32_t write_at, read_at;
  uint32_t held; /* bytes that fill no word yet */
  uint32_t held_bytes, last_bytes;
  bool enable, stop_when_full, wrapped, triggered;
  bool ended, stopped; /* no beat is taken any more; nothing is written any more */
  uint32_t countdown, trg;
  bool flush, stop_on_flush; /* one is asked for */
} oct_ram_sink;

typedef struct oct_ram_sink_in {
  oct_apb_in apb;
  bool atvalid, trigger, afready;
  uint8_t atbytes; /* bytes less one */
  uint32_t atdata;
} oct_ram_sink_in;

/* depth_words: a power of two from 2 on. The RAM is left as it is. */
void oct_ram_sink_init(oct_ram_sink *s, uint32_t *ram, uint32_t depth_words);
/* One cycle; atready is always set. The flush member is what the bus has as afvalid in it, before
 * the call. */
void oct_ram_sink_cycle(oct_ram_sink *s, const oct_ram_sink_in *in, oct_apb_out *out);

#endif
