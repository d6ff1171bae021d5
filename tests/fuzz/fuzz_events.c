/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_events.c - any bytes as a compressed event file: reading, choosing a part and listing
 * patterns end with a result.
 *
 * Checksums are not looked at, as no fuzzer guesses them. The first byte is not part of the file:
 * it chooses the part. Start it with files of octrace events compress, a byte put in front. */
#include "oct_ev_otf2.h"
#include "oct_ev_reader.h"
#include "oct_ev_survey.h"
#include "oct_fuzz.h"

/* A few bytes can stand for very many events. */
#define RECORDS_MAX 200000
enum { MEMORY_BYTES = 1 << 20 };

static void read_part(oct_ev_reader *r, uint8_t choice) {
  oct_ev_record record;
  oct_diag diag;
  uint64_t from, to;
  oct_buffer text = {0};
  oct_ev_reader_span(r, &from, &to);
  if (choice & 1) from += (to - from) / 2;
  if (oct_ev_reader_select(r, from, choice & 2 ? to : UINT64_MAX, NULL, &diag)) return;
  for (int i = 0; i < RECORDS_MAX && oct_ev_reader_next(r, &record, &diag) > 0; i++) {
    if (record.location >= oct_ev_reader_defs(r)->locations.n) abort();
    if (record.kind == OCT_EV_OTHER) {
      text.n_bytes = 0;
      oct_ev_otf2_print(&text, record.other, record.other_bytes);
    } else if (record.function >= oct_ev_reader_defs(r)->functions.n) {
      abort();
    }
  }
  oct_buffer_free(&text);
  if (oct_ev_reader_damage(r)->n_places && !(choice & 12)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  oct_ev_reader *r;
  oct_ev_survey s;
  oct_diag diag;
  char path[32];
  if (size < 1) return 0;
  /* As octrace events decompress reads a file; from here on its own checksums count. */
  if (data[0] & 16) {
    int fd = fuzz_file(data + 1, size - 1, path);
    if (!oct_ev_reader_open_part(path, &r, &diag)) {
      oct_ev_reader_max_memory(r, MEMORY_BYTES);
      read_part(r, 8);
      (void)oct_ev_reader_gave_all(r);
      oct_ev_reader_close(r);
    }
    close(fd);
  }
  if ((data[0] & 4   ? oct_ev_reader_open_memory_salvage
       : data[0] & 8 ? oct_ev_reader_open_memory_part
                     : oct_ev_reader_open_memory)(data + 1, size - 1, 1, &r, &diag))
    return 0;
  read_part(r, data[0]);
  if (oct_ev_reader_counts(r)->events < RECORDS_MAX && !oct_ev_survey_make(r, 100, &s, &diag)) {
    for (size_t i = 0; i < s.n_groups && i < 20; i++)
      free(oct_ev_group_tree(&s.groups[i], oct_ev_reader_defs(r), 20, 20));
    oct_ev_survey_free(&s);
  }
  oct_ev_reader_close(r);
  return 0;
}
