/* SPDX-License-Identifier: Apache-2.0 */
/* oct_decoder_run.h - decodes a whole capture to a text, for the decoder tests. */
#ifndef OCT_DECODER_RUN_H
#define OCT_DECODER_RUN_H

#include <inttypes.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include "oct_bit_writer.h"
#include "oct_decoder.h"

typedef struct oct_run {
  char *text;
  size_t n_text;
  int result;         /* 0 or the error */
  uint64_t confirmed; /* instructions */
  oct_diag diag;
  oct_decoder_counts counts;
} oct_run;

/* Enough for every hand-worked test; a mutated stream may mean far more, which nobody wants. */
#define RUN_TEXT_MAX 65536

static inline void run_say(oct_run *r, const char *format, ...) {
  if (r->n_text > RUN_TEXT_MAX - 200) return;
  va_list args;
  va_start(args, format);
  r->n_text += (size_t)vsnprintf(r->text + r->n_text, 200, format, args);
  va_end(args);
}

/* One line of text for each instruction: "ADDR[/TASK] [L|S ADDR:SIZE]... [end] [partial]", and "gap
 * INSNS ACCESSES". Bytes are pushed `step` at a time. The caller frees r->text. */
static inline void run_decoder(oct_run *r, const oct_config *cfg, oct_decoder_start start,
                               const oct_map_update *updates, size_t n_updates,
                               const uint8_t *bytes, size_t n_bytes, size_t step) {
  oct_decoder *d;
  size_t at = 0;
  uint64_t batches = 0, next_insn = 0;
  memset(r, 0, sizeof *r);
  r->text = calloc(1, RUN_TEXT_MAX);
  assert_non_null(r->text);
  assert_int_equal(oct_decoder_new(cfg, start, &d, &r->diag), 0);
  assert_int_equal(oct_decoder_map(d, updates, n_updates, &r->diag), 0);
  for (;;) {
    oct_decoded out;
    r->result = oct_decoder_next(d, &out, &r->diag);
    if (r->result < 0 || (r->result == 0 && at > n_bytes)) break;
    if (r->result == 0) {
      size_t n = n_bytes - at < step ? n_bytes - at : step;
      if (n) {
        assert_int_equal(oct_decoder_push(d, bytes + at, n, &r->diag), 0);
        at += n;
      } else {
        oct_decoder_finish(d);
        at = n_bytes + 1;
      }
      continue;
    }
    r->confirmed = out.confirmed_insns;
    if (out.first_insn != next_insn) run_say(r, "at %" PRIu64 "\n", out.first_insn);
    next_insn = out.first_insn + out.batch.n_insns;
    size_t a = 0;
    for (size_t i = 0; i < out.batch.n_insns; i++) {
      const oct_insn *insn = &out.batch.insns[i];
      run_say(r, "%" PRIx64, insn->addr);
      if (insn->task) run_say(r, "/%u", insn->task);
      for (unsigned k = 0; k < insn->n_access; k++, a++)
        run_say(r, " %c%" PRIx64 ":%u", out.batch.accesses[a].is_store ? 'S' : 'L',
                out.batch.accesses[a].addr, out.batch.accesses[a].size_bytes);
      run_say(r, "%s%s\n", insn->flags & OCT_INSN_END ? " end" : "",
              insn->flags & OCT_INSN_PARTIAL ? " partial" : "");
    }
    assert_int_equal(a, out.batch.n_accesses);
    if (out.is_gap) {
      run_say(r, "gap %" PRIu64 " %" PRIu64 "\n", out.lost_insns, out.lost_accesses);
      next_insn += out.lost_insns;
    }
    /* A mutated stream may stand for billions of instructions. */
    if (++batches > 200) break;
  }
  if (r->result < 0) {
    oct_decoded out;
    assert_int_equal(oct_decoder_next(d, &out, &r->diag), r->result);
    assert_non_null(strstr(oct_diag_line(&r->diag).text, "bit "));
  }
  oct_decoder_get_counts(d, &r->counts);
  oct_decoder_free(d);
}

/* A map entry in short: slots is a text of L, S (4 bytes), l, s (1 byte), ? (load, size unknown).
 */
static inline oct_map_update run_entry(uint64_t from, uint64_t addr, uint8_t size,
                                       const char *slots, uint8_t flags) {
  oct_map_update u;
  memset(&u, 0, sizeof u);
  u.from_insn = from;
  u.entry.addr = addr;
  u.entry.size_bytes = size;
  u.entry.cls = OCT_CLASS_OTHER;
  u.entry.flags = flags;
  u.entry.n_slots = (uint8_t)strlen(slots);
  for (unsigned i = 0; slots[i] && i < OCT_SLOTS_MAX; i++) {
    char c = slots[i];
    unsigned size_log2 = c == 'L' || c == 'S' ? 2 : c == '?' ? OCT_SLOT_SIZE_UNKNOWN : 0;
    u.entry.slots[i] = (uint8_t)(size_log2 | (c == 'S' || c == 's' ? OCT_SLOT_STORE : 0));
  }
  return u;
}

/* Decode in several step sizes and expect a text and a result. */
static inline void expect_run(const oct_bw *w, oct_decoder_start start,
                              const oct_map_update *updates, size_t n_updates, const char *text,
                              int result) {
  static const size_t steps[] = {1, 3, 1000000};
  for (unsigned i = 0; i < sizeof steps / sizeof *steps; i++) {
    oct_run r;
    run_decoder(&r, &w->cfg, start, updates, n_updates, w->bytes, bw_bytes(w), steps[i]);
    if (r.result) print_message("%s\n", oct_diag_line(&r.diag).text);
    assert_string_equal(r.text, text);
    assert_int_equal(r.result, result);
    free(r.text);
  }
}

#define RUN(w, map, text) expect_run(w, OCT_START_IN_STEP, map, sizeof map / sizeof *map, text, 0)
#define RUN_FAILS(w, map, text, error) \
  expect_run(w, OCT_START_IN_STEP, map, sizeof map / sizeof *map, text, error)

#endif
