/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_round_trip.c - a trace made from any bytes comes back from what it is encoded to.
 *
 * The first byte chooses: a lossless codec, the native format, the port, or a port some of whose
 * bits are flipped, of which the decoder makes what it can. Each instruction
 * is made from a control byte and what that asks for (next_insn). */
#include <stdbool.h>
#include <string.h>

#include "octrace/codec.h"
#include "octrace/container.h"
#include "oct_compressor.h"
#include "oct_decoder.h"
#include "oct_fuzz.h"
#include "octrace/map.h"
#include "octrace/trace.h"
#define OCTRACE_FEED_ENCODER_ONLY
#include "octrace/feed.h"

enum { INSNS_MAX = 3000, ACCESSES_MAX = 40000, BATCH = 57 };

typedef struct trace {
  oct_insn insns[INSNS_MAX];
  oct_access accesses[ACCESSES_MAX];
  oct_map_entry map[INSNS_MAX]; /* map[i] is told before instruction i where size_bytes is not 0 */
  size_t n_insns, n_accesses;
} trace;

static const uint8_t *at, *end;

/* The end of the program, with what the library says. */
_Noreturn static void fail(const oct_diag *diag) {
  fprintf(stderr, "%s\n", oct_diag_line(diag).text);
  abort();
}

static uint64_t number(unsigned n_bytes) {
  uint64_t v = 0;
  for (unsigned i = 0; i < n_bytes && at < end; i++) v |= (uint64_t)*at++ << 8 * i;
  return v;
}

static void next_access(trace *t, uint8_t kind) {
  static uint64_t addr;
  oct_access *a = &t->accesses[t->n_accesses++];
  addr = kind & 0x10 ? number(8) : addr + (uint64_t)(int64_t)(int8_t)number(1);
  *a = (oct_access){.addr = addr, .is_store = kind >> 3 & 1};
  if ((kind & 7) < 7) a->size_bytes = (uint8_t)(1u << (kind & 7));
}

/* A stamp that goes back is left out: writers refuse it. */
static void next_insn(trace *t) {
  static oct_stamps stamps;
  if (!t->n_insns) memset(&stamps, 0, sizeof stamps);
  const oct_insn *before = t->n_insns ? &t->insns[t->n_insns - 1] : NULL;
  oct_insn *insn = &t->insns[t->n_insns];
  uint8_t control = (uint8_t)number(1);
  *insn = (oct_insn){.size_bytes = 4};
  if (before) *insn = (oct_insn){.addr = before->addr + before->size_bytes, .task = before->task};
  if (control & 1) insn->addr = control & 2 ? number(8) : 0x1000 + 4 * number(1);
  insn->size_bytes = control & 4 ? (uint8_t)(1 + number(1) % 15) : 4;
  if (control & 8) insn->task = (uint32_t)number(control & 2 ? 4 : 1);
  oct_stamps_insn(&stamps, insn->task);
  uint64_t cycle = control & 16 ? number(control & 2 ? 7 : 1) : 0;
  if ((control & 16) && !oct_stamps_cycle(&stamps, cycle))
    insn->cycle = cycle, insn->flags = OCT_INSN_HAS_CYCLE;
  unsigned n = control & 32 ? (unsigned)number(control & 64 ? 2 : 1) % 400 : 0;
  uint8_t kinds[2] = {(uint8_t)number(n != 0), (uint8_t)number(n > 1)};
  if (t->n_accesses + n > ACCESSES_MAX) n = 0;
  for (unsigned k = 0; k < n; k++) {
    if (kinds[0] & 0x20) kinds[k & 1] = (uint8_t)number(1) | 0x20; /* each of its own kind */
    next_access(t, kinds[k & 1]);
  }
  insn->n_access = (uint16_t)n;
  oct_map_entry *e = &t->map[t->n_insns];
  memset(e, 0, sizeof *e);
  if (control & 128) {
    *e = (oct_map_entry){.addr = insn->addr, .size_bytes = insn->size_bytes};
    e->cls = (uint8_t)(number(1) % OCT_CLASS_COUNT);
    e->flags = (uint8_t)number(1) & (OCT_MAP_VARIABLE | OCT_MAP_CONDITIONAL);
    e->n_slots = (uint8_t)number(1);
    for (unsigned k = 0; k < e->n_slots && k < OCT_SLOTS_MAX; k++) e->slots[k] = kinds[k & 1] & 31;
  }
  t->n_insns++;
}

/* Hold a part of the trace that came back, *n_insns and *n_accesses on, against what went in. */
static void compare(const trace *t, const oct_batch *b, size_t *n_insns, size_t *n_accesses,
                    bool stamps) {
  for (size_t i = 0; i < b->n_insns; i++) {
    if (*n_insns == t->n_insns) abort();
    const oct_insn *x = &t->insns[(*n_insns)++], *y = &b->insns[i];
    if (x->addr != y->addr || x->task != y->task || x->size_bytes != y->size_bytes ||
        x->n_access != y->n_access)
      abort();
    if (stamps && ((x->flags ^ y->flags) & OCT_INSN_HAS_CYCLE || x->cycle != y->cycle)) abort();
  }
  for (size_t i = 0; i < b->n_accesses; i++) {
    if (*n_accesses == t->n_accesses) abort();
    const oct_access *x = &t->accesses[(*n_accesses)++], *y = &b->accesses[i];
    if (x->addr != y->addr || x->size_bytes != y->size_bytes || x->is_store != y->is_store) abort();
  }
}

/* The batch of at most BATCH instructions from number first on, whose map holds from there on; a
 * batch ends before an instruction of which something is told. */
static oct_batch batch_at(const trace *t, size_t first, const oct_access *accesses) {
  oct_batch b = {.insns = t->insns + first, .accesses = accesses};
  if (t->map[first].size_bytes) b.map = &t->map[first], b.n_map = 1;
  do {
    b.n_accesses += t->insns[first + b.n_insns].n_access;
    b.n_insns++;
  } while (b.n_insns < BATCH && first + b.n_insns < t->n_insns &&
           !t->map[first + b.n_insns].size_bytes);
  return b;
}

static int append(void *context, const void *bytes, size_t n, oct_diag *diag) {
  (void)diag;
  if (oct_buffer_put(context, bytes, n)) abort();
  return 0;
}

static int64_t take(void *context, void *bytes, size_t n, oct_diag *diag) {
  oct_cursor *c = context;
  (void)diag;
  if (n > c->n_bytes) n = c->n_bytes;
  const uint8_t *p = oct_cursor_take(c, n);
  if (n) memcpy(bytes, p, n);
  return (int64_t)n;
}

/* Through a codec, or the port where there is a compressor: each batch, tracked, goes to put. */
typedef struct target {
  unsigned flip_from; /* port: bytes from this one on are damaged; 0: none */
  size_t n_bytes;     /* of the port, so far */
  oct_trace_split *split;
  oct_compressor *compressor;
  oct_decoder *decoder;
  size_t n_insns, n_accesses; /* that came back */
} target;

static void pump(target *g, const trace *t) {
  const uint8_t *bytes;
  oct_decoded out;
  oct_diag diag;
  size_t n = oct_compressor_take(g->compressor, &bytes);
  uint8_t *own = n ? malloc(n) : NULL;
  if (n) memcpy(own, bytes, n);
  /* Every 17th byte is replaced by what the input says. */
  for (size_t i = 0; i < n && g->flip_from; i++, g->n_bytes++)
    if (g->n_bytes >= g->flip_from && g->n_bytes % 17 == 0) own[i] ^= (uint8_t)number(1);
  int got = n ? oct_decoder_push(g->decoder, own, n, &diag) : 0;
  free(own);
  while (got >= 0 && (got = oct_decoder_next(g->decoder, &out, &diag)) > 0)
    if (!g->flip_from) compare(t, &out.batch, &g->n_insns, &g->n_accesses, false);
  if (got < 0 && !g->flip_from) fail(&diag);
}

/* All of the trace. What is beyond a limit of the map ends it early: t is cut there. */
static void feed(target *g, trace *t) {
  oct_map_tracker *tracker = oct_map_tracker_new();
  const oct_access *accesses = t->accesses;
  oct_insn insns[BATCH];
  oct_diag diag;
  if (!tracker) abort();
  for (size_t i = 0; i < t->n_insns;) {
    const oct_map_update *updates;
    oct_batch b = batch_at(t, i, accesses);
    memcpy(insns, b.insns, b.n_insns * sizeof *insns);
    int64_t n = oct_map_track(tracker, &b, insns, &updates);
    if (n < 0) {
      if (n != OCT_ERR_LIMIT) abort();
      t->n_insns = i;
      t->n_accesses = (size_t)(accesses - t->accesses);
      break;
    }
    b.insns = insns;
    if (g->split && oct_trace_split_put(g->split, &b, updates, (size_t)n, &diag)) abort();
    if (g->compressor) {
      if (n && oct_decoder_map(g->decoder, updates, (size_t)n, &diag)) abort();
      if (oct_compressor_put(g->compressor, insns, b.n_insns, accesses, &diag)) fail(&diag);
      pump(g, t);
    }
    accesses += b.n_accesses;
    i += b.n_insns;
  }
  oct_map_tracker_free(tracker);
}

static void through_codec(trace *t, const oct_codec *codec) {
  const oct_trace_info info = {
      .isa = "", .origin = "", .command = "", .addr_bits = 64, .insn_align_bytes = 1};
  oct_codec_settings s;
  oct_buffer file = {0};
  const oct_sink sink = {append, &file};
  target g = {0};
  oct_codec_reader *r;
  oct_trace_join *join;
  oct_batch b;
  oct_diag diag;
  int got;
  oct_codec_defaults(codec, &s);
  s.stage = OCT_GENERAL_NONE;
  s.level = 0;
  s.segment_bytes = 20000;
  if (oct_trace_split_new(&s, &info, &sink, 0, false, &g.split, &diag)) fail(&diag);
  feed(&g, t);
  if (oct_trace_split_finish(g.split, &diag)) fail(&diag);
  oct_trace_split_free(g.split);
  oct_cursor cursor = {.bytes = file.bytes, .n_bytes = file.n_bytes};
  const oct_source_bytes source = {take, &cursor};
  if (oct_codec_reader_new(&source, 0, &r, &diag) || oct_trace_join_new(r, &join, &diag))
    fail(&diag);
  while ((got = oct_trace_join_next(join, &b, &diag)) > 0)
    compare(t, &b, &g.n_insns, &g.n_accesses, true);
  if (got || g.n_insns != t->n_insns || g.n_accesses != t->n_accesses) abort();
  oct_trace_join_free(join);
  oct_codec_reader_free(r);
  oct_buffer_free(&file);
}

static void through_port(trace *t, bool is_damaged) {
  static const char *const geometries[] = {"paper", "small", "tiny", "odd", "tagged", "max"};
  char text[128];
  target g = {.flip_from = is_damaged ? 1 + (unsigned)t->insns[0].addr % 200 : 0};
  oct_config cfg;
  oct_diag diag;
  oct_config_init(&cfg);
  snprintf(text, sizeof text, "%s,addr_bits=64,pc_align_bits=0,task_bits=32,sync_period_insns=70",
           geometries[t->n_insns % (sizeof geometries / sizeof *geometries)]);
  if (oct_config_parse(&cfg, text, &diag) < 0 ||
      oct_compressor_new(&cfg, NULL, &g.compressor, &diag) ||
      oct_decoder_new(&cfg, OCT_START_IN_STEP, &g.decoder, &diag))
    abort();
  feed(&g, t);
  if (oct_compressor_flush(g.compressor, &diag)) abort();
  pump(&g, t);
  oct_decoder_finish(g.decoder);
  pump(&g, t);
  if (!is_damaged && (g.n_insns != t->n_insns || g.n_accesses != t->n_accesses)) abort();
  oct_compressor_free(g.compressor);
  oct_decoder_free(g.decoder);
}

static void through_file(const trace *t, oct_format format) {
  static char path[4200];
  const char *temporary = getenv("TMPDIR");
  const oct_trace_info info = {
      .isa = "", .origin = "", .command = "", .addr_bits = 64, .insn_align_bytes = 1};
  const oct_write_options options = {.format = format, .info = &info};
  const oct_access *accesses = t->accesses;
  size_t n_insns = 0, n_accesses = 0;
  oct_writer *w;
  oct_reader *r;
  oct_batch b;
  oct_diag diag;
  int got;
  snprintf(path, sizeof path, "%s/octrace-fuzz.%ld", temporary ? temporary : "/tmp",
           (long)getpid());
  if (oct_writer_open(path, &options, &w, &diag)) abort();
  for (size_t i = 0; i < t->n_insns; i += b.n_insns, accesses += b.n_accesses) {
    b = batch_at(t, i, accesses);
    if (oct_writer_put(w, &b, &diag)) fail(&diag);
  }
  if (oct_writer_commit(w, &diag)) abort();
  if (oct_reader_open(path, &(oct_read_options){.format = format}, &r, &diag)) abort();
  while ((got = oct_reader_next(r, &b, &diag)) > 0) compare(t, &b, &n_insns, &n_accesses, true);
  if (got || n_insns != t->n_insns || n_accesses != t->n_accesses) abort();
  oct_reader_close(r);
  unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static trace t;
  unsigned n_codecs = 0;
  t.n_insns = t.n_accesses = 0;
  if (size < 2) return 0;
  at = data + 1;
  end = data + size;
  /* What is left says how the port is damaged. */
  while (at < end - size / 8 && t.n_insns < INSNS_MAX) next_insn(&t);
  while (oct_codec_at(n_codecs)) n_codecs++;
  unsigned choice = data[0] % (n_codecs + 3);
  if (choice < n_codecs && oct_codec_at(choice)->lossless)
    through_codec(&t, oct_codec_at(choice));
  else if (choice == n_codecs)
    through_file(&t, oct_format_by_name("native"));
  else
    through_port(&t, choice == n_codecs + 2);
  return 0;
}
