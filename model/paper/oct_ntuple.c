/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ntuple.c - N-tuple compression of the stream cache index trace (Milenković 2007, Figures 3
 * and 4).
 *
 * N indices make a tuple, which is looked for in a history of the last ones, a ring. When found,
 * its place is sent, else the tuple itself, which enters the ring; with thb_update it enters
 * anyway. A stream that missed sends its descriptor ahead of its index 0. A mark sends an
 * incomplete tuple as a part. In the timed shell the search takes N cycles, in which the next tuple
 * is collected. */
#include "oct_ntuple.h"

#include <stdlib.h>

#include "oct_hash.h"

/* Hashes compared at a time; the history's size is rounded up to a multiple. */
#define HASH_BLOCK 64

int oct_ntuple_init(oct_ntuple *s, const oct_config *cfg, oct_stats *stats) {
  oct_widths w;
  memset(s, 0, sizeof *s);
  s->cfg = *cfg;
  s->stats = stats;
  oct_config_widths(cfg, &w);
  s->index_bits = w.index_bits;
  s->thb_bits = w.thb_bits;
  s->thb = calloc(cfg->thb_depth, sizeof *s->thb);
  s->thb_hash = calloc(cfg->thb_depth + HASH_BLOCK, sizeof *s->thb_hash);
  if (s->thb && s->thb_hash) return 0;
  oct_ntuple_free(s);
  return OCT_ERR_NOMEM;
}

void oct_ntuple_free(oct_ntuple *s) {
  free(s->thb);
  free(s->thb_hash);
  s->thb = NULL;
  s->thb_hash = NULL;
}

void oct_ntuple_reset(oct_ntuple *s) {
  s->thb_count = 0;
  s->thb_write = 0;
}

/* The words are folded into one by odd factors, which lose no bit of a word, and by different ones,
 * so that equal words do not cancel. */
static uint16_t hash_key(const oct_tuple_key *key) {
  static const uint64_t factors[OCT_TUPLE_MAX / 4] = {1, 31, 61, 127};
  uint64_t folded = 0;
  for (uint32_t i = 0; i < OCT_TUPLE_MAX / 4; i++) folded ^= key->word[i] * factors[i];
  return (uint16_t)(folded * OCT_HASH_FACTOR >> 48);
}

/* Is hash among the HASH_BLOCK hashes? Without an early exit, which makes it a few vector steps. */
static bool has_hash(const uint16_t *hashes, uint16_t hash) {
  uint16_t found = 0;
  for (uint32_t i = 0; i < HASH_BLOCK; i++) found |= hashes[i] == hash;
  return found;
}

/* Number of the first entry that equals key, counting from 1; 0 when there is none. */
static uint32_t thb_find(const oct_ntuple *s, const oct_tuple_key *key) {
  uint16_t hash = hash_key(key);
  for (uint32_t block = 0; block < s->thb_count; block += HASH_BLOCK) {
    if (!has_hash(s->thb_hash + block, hash)) continue;
    for (uint32_t i = block; i < block + HASH_BLOCK && i < s->thb_count; i++)
      if (s->thb_hash[i] == hash && !memcmp(&s->thb[i], key, sizeof *key)) return i + 1;
  }
  return 0;
}

static void thb_write(oct_ntuple *s, const oct_tuple_key *key) {
  s->thb[s->thb_write] = *key;
  s->thb_hash[s->thb_write] = hash_key(key);
  if (s->thb_count < s->cfg.thb_depth) s->thb_count++;
  s->thb_write = s->thb_write + 1 < s->cfg.thb_depth ? s->thb_write + 1 : 0;
}

static void look_up_tuple(oct_ntuple *s, oct_item *item) {
  oct_tuple_key key;
  memcpy(&key, s->tuple, sizeof key);
  uint32_t found = thb_find(s, &key);
  s->stats->tuples++;
  s->stats->paper_tuple_hit += s->thb_bits;
  if (found) {
    s->stats->tuple_hits++;
    item->kind = OCT_ITEM_TUPLE_HIT;
    item->value = found;
  } else {
    s->stats->paper_tuple_miss += (uint64_t)s->cfg.ntuple_n * s->index_bits;
    item->kind = OCT_ITEM_TUPLE_MISS;
    item->n = s->cfg.ntuple_n;
    memcpy(item->tuple, s->tuple, sizeof item->tuple);
  }
  if (!found || s->cfg.thb_update) thb_write(s, &key);
}

static void make_part(oct_ntuple *s, oct_item *item) {
  item->kind = OCT_ITEM_TUPLE_PART;
  item->n = s->tuple_count;
  memcpy(item->tuple, s->tuple, sizeof item->tuple);
  s->stats->paper_tuple_miss += (uint64_t)s->tuple_count * s->index_bits;
  s->tuple_count = 0;
}

/* A stream that missed is sent in full. */
static unsigned pass_missed(const oct_index_word *w, oct_item *item) {
  if (!w->sl || w->index) return 0;
  item->kind = OCT_ITEM_SCMT;
  item->addr = w->sa;
  item->value = w->sl;
  return 1;
}

static void pass_mark(const oct_index_word *w, oct_item *item) {
  item->kind = OCT_ITEM_MARK;
  item->mark = w->mark;
  item->value = w->task;
}

unsigned oct_ntuple_step_plain(const oct_index_word *w, oct_item *items) {
  unsigned n = pass_missed(w, items);
  if (w->sl) {
    items[n].kind = OCT_ITEM_INDEX;
    items[n++].value = w->index;
  }
  if (w->mark) pass_mark(w, &items[n++]);
  return n;
}

unsigned oct_ntuple_step(oct_ntuple *s, const oct_index_word *w, oct_item *items) {
  if (!s->cfg.ntuple_n) return oct_ntuple_step_plain(w, items);
  unsigned n = pass_missed(w, items);
  if (w->sl) {
    s->tuple[s->tuple_count++] = (uint16_t)w->index;
    if (s->tuple_count == s->cfg.ntuple_n) {
      look_up_tuple(s, &items[n++]);
      s->tuple_count = 0;
    }
  }
  if (w->mark) {
    if (s->tuple_count) make_part(s, &items[n++]);
    pass_mark(w, &items[n++]);
    if (w->mark == OCT_MARK_SYNC) oct_ntuple_reset(s);
  }
  return n;
}

static bool is_tuple(const oct_item *item) {
  return item->kind == OCT_ITEM_TUPLE_HIT || item->kind == OCT_ITEM_TUPLE_MISS;
}

const oct_item *oct_ntuple_out(const oct_ntuple *s) {
  if (s->search_first_q) return &s->search_q;
  if (s->queue_count_q) return &s->queue_q[0];
  if (s->search_valid_q) return s->search_cycles_q ? NULL : &s->search_q;
  return s->after_valid_q ? &s->after_q : NULL;
}

/* A word is taken when the queue is empty. What it queues may go ahead of a tuple under search, so
 * a word with a mark waits for that to leave, and so does one that completes the next tuple. */
static bool can_take(const oct_ntuple *s, const oct_index_word *w) {
  bool completes = w->sl && s->cfg.ntuple_n && s->tuple_count + 1 == s->cfg.ntuple_n;
  if (s->queue_count_d || s->after_valid_d) return false;
  return !s->search_valid_d || !(completes || w->mark);
}

static void eval_out(oct_ntuple *s, bool out_ready) {
  const oct_item *out = oct_ntuple_out(s);
  s->queue_count_d = s->queue_count_q;
  s->search_valid_d = s->search_valid_q;
  s->search_cycles_d = s->search_cycles_q ? s->search_cycles_q - 1 : 0;
  s->search_d = s->search_q;
  s->after_valid_d = s->after_valid_q;
  s->after_d = s->after_q;
  s->search_first_d = out == &s->search_q && !out_ready;
  if (s->queue_count_q) memcpy(s->queue_d, s->queue_q, s->queue_count_q * sizeof s->queue_q[0]);
  if (!out || !out_ready) return;
  if (out == &s->search_q) {
    s->search_valid_d = false;
  } else if (out == &s->after_q) {
    s->after_valid_d = false;
  } else {
    s->queue_count_d--;
    memmove(s->queue_d, s->queue_d + 1, s->queue_count_d * sizeof s->queue_d[0]);
  }
}

bool oct_ntuple_eval(oct_ntuple *s, const oct_ntuple_in *in) {
  oct_item items[OCT_ITEMS_MAX];
  bool has_tuple = false;
  unsigned n;
  eval_out(s, in->out_ready);
  if (!in->valid || !can_take(s, in->word)) return false;
  n = oct_ntuple_step(s, in->word, items);
  for (unsigned i = 0; i < n; i++) {
    if (is_tuple(&items[i])) {
      has_tuple = true;
      s->search_d = items[i];
      s->search_valid_d = true;
      s->search_cycles_d = s->cfg.ntuple_n - 1;
    } else if (has_tuple) {
      s->after_d = items[i];
      s->after_valid_d = true;
    } else {
      s->queue_d[s->queue_count_d++] = items[i];
    }
  }
  return true;
}

void oct_ntuple_clock(oct_ntuple *s) {
  if (s->queue_count_d) memcpy(s->queue_q, s->queue_d, s->queue_count_d * sizeof s->queue_q[0]);
  s->queue_count_q = s->queue_count_d;
  s->search_q = s->search_d;
  s->search_valid_q = s->search_valid_d;
  s->search_cycles_q = s->search_cycles_d;
  s->search_first_q = s->search_first_d;
  s->after_q = s->after_d;
  s->after_valid_q = s->after_valid_d;
}
