/* SPDX-License-Identifier: Apache-2.0 */
/* make_frames.c - frames of CoreSight with the bytes of several files, as a formatter sends them.
 *
 * Usage: make_frames SEED SYNCS REPEAT ATID FILE... >FRAMES
 * A source keeps the bus for 1 to 16 bytes, at random. Of several sources, a few frames are filled
 * up, as a flush does, with the formatter's event for that; and it tells a few triggers. SYNCS of
 * 100 frames have a full sync before them, and a half sync within. The number of a source that
 * stays comes again REPEAT frames behind the last one; 0: never. */
#include <stdio.h>
#include <stdlib.h>

#include "oct_formatter.h"

#include "../test_random.h"

enum { SOURCES_MAX = 8, HOLD_MAX = 16, FILLED_OF_1000 = 2, TRIGGERS_OF_1000 = 3 };
enum { FLUSH_EVENT = 0x7b, TRIGGER_EVENT = 0x7d };

static void write_frame(const uint8_t *frame, unsigned syncs) {
  const bool has_sync = below32(100) < syncs;
  const unsigned half = 2 * below32(OCT_FRAME_BYTES / 2);
  if (has_sync) fwrite("\xff\xff\xff\x7f", 1, 4, stdout);
  fwrite(frame, 1, half, stdout);
  if (has_sync) fwrite("\xff\x7f", 1, 2, stdout);
  fwrite(frame + half, 1, OCT_FRAME_BYTES - half, stdout);
}

int main(int argc, char **argv) {
  FILE *files[SOURCES_MAX];
  uint8_t ids[SOURCES_MAX], frame[OCT_FRAME_BYTES];
  oct_formatter formatter = {0};
  unsigned n = 0;
  if (argc < 6 || argc % 2 != 0 || argc > 4 + 2 * SOURCES_MAX) {
    fputs("usage: make_frames SEED SYNCS REPEAT ATID FILE...\n", stderr);
    return 2;
  }
  random_state = strtoull(argv[1], NULL, 10);
  const unsigned syncs = (unsigned)atoi(argv[2]), repeat = (unsigned)atoi(argv[3]);
  const bool has_events = argc > 6;
  for (; 5 + 2 * (int)n < argc; n++) {
    ids[n] = (uint8_t)atoi(argv[4 + 2 * n]);
    files[n] = fopen(argv[5 + 2 * n], "rb");
    if (!files[n]) {
      perror(argv[5 + 2 * n]);
      return 2;
    }
  }
  while (n) {
    const unsigned source = below32(n);
    int c = 0;
    if (repeat && formatter.quiet_frames >= repeat && formatter.id == ids[source] &&
        oct_formatter_tell(&formatter, ids[source], frame))
      write_frame(frame, syncs);
    for (unsigned left = 1 + below32(HOLD_MAX); left && (c = getc(files[source])) != EOF; left--)
      if (oct_formatter_put(&formatter, ids[source], (uint8_t)c, frame)) write_frame(frame, syncs);
    if (has_events && below32(1000) < TRIGGERS_OF_1000 &&
        oct_formatter_put(&formatter, TRIGGER_EVENT, (uint8_t)below32(256), frame))
      write_frame(frame, syncs);
    if (has_events && below32(1000) < FILLED_OF_1000) {
      if (oct_formatter_put(&formatter, FLUSH_EVENT, 0, frame)) write_frame(frame, syncs);
      if (oct_formatter_flush(&formatter, frame)) write_frame(frame, syncs);
    }
    if (c != EOF) continue;
    fclose(files[source]);
    files[source] = files[--n];
    ids[source] = ids[n];
  }
  if (oct_formatter_flush(&formatter, frame)) write_frame(frame, syncs);
  return fflush(stdout) ? 2 : 0;
}
