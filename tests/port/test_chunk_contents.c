/* SPDX-License-Identifier: Apache-2.0 */
/* test_chunk_contents.c - chunks with other contents, whose checksums are right: each kind is read
 * to a result, and contents that say nothing of instructions change none. */
#include "chunk_sums.h"
#include "tracer_util.h"

#include "octrace/container.h"

#include <zstd.h>

enum {
  INSNS = 400,
  GAPS = 8,
  ROUNDS = 400,
  CHUNKS_MAX = 16,
  HEADER = OCT_CONTAINER_CHUNK_HEADER_BYTES
};
static char path[] = "/tmp/oct_contents_XXXXXX";

/* A container, taken apart. */
typedef struct chunk {
  uint8_t header[HEADER];
  oct_buffer bytes; /* not packed */
} chunk;
typedef struct parts {
  oct_buffer head;
  chunk chunks[CHUNKS_MAX];
  size_t n;
} parts;

static void put_gaps(oct_container_writer *w) {
  oct_diag diag = {0};
  uint64_t insn = 0;
  for (unsigned i = 0; i < GAPS; i++) {
    const oct_told_gap gap = {.insn = insn += below(INSNS / GAPS),
                              .addr = random_u64(),
                              .lost_insns = i % 3 ? random_magnitude() : UINT64_MAX,
                              .lost_accesses = i % 2 ? random_magnitude() : UINT64_MAX,
                              .cause = (oct_gap_cause)(i % OCT_GAP_CAUSES)};
    assert_int_equal(oct_container_put_gap(w, &gap, &diag), 0);
  }
}

static void write_container(const oct_tracer *t, const char *settings, const test_trace *x) {
  const oct_run_options run = {.engine = OCT_ENGINE_UNTIMED};
  const oct_container_info info = {
      .command = "test", .insn_align_bytes = x->align_bytes, .addr_bits = x->addr_bits};
  const oct_container_totals totals = {.insns = x->n_insns, .accesses = x->n_accesses};
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  oct_container_writer *w;
  oct_diag diag = {0};
  test_stream s = {.n_bytes = 0};
  fit_params(t, settings, x, params);
  if (encode(t, params, &run, x, &s, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
  assert_int_equal(oct_container_create(path, t, params, &info, &w, &diag), 0);
  if (t->needs_ops) oct_container_keep_ops(w);
  assert_int_equal(oct_container_put_map(w, x->updates, x->n_updates, &diag), 0);
  put_gaps(w);
  assert_int_equal(oct_container_put_bits(w, s.bytes, s.n_bytes, &diag), 0);
  assert_int_equal(oct_container_commit(w, &totals, &diag), 0);
  free(s.bytes);
}

static void put(oct_buffer *b, const void *bytes, size_t n) {
  assert_int_equal(oct_buffer_put(b, bytes, n), 0);
}

static parts take_apart(void) {
  parts p = {.n = 0};
  size_t n;
  uint8_t *file = load(path, &n);
  size_t at = head_bytes(file);
  put(&p.head, file, at);
  while (at < n) {
    assert_true(p.n < CHUNKS_MAX);
    chunk *c = &p.chunks[p.n++];
    const size_t stored = oct_get_u32(file + at + 4), raw = oct_get_u32(file + at + 8);
    memcpy(c->header, file + at, HEADER);
    uint8_t *bytes = oct_buffer_room(&c->bytes, raw + 1);
    assert_non_null(bytes);
    if (c->header[1] == OCT_CONTAINER_ZSTD)
      assert_int_equal(ZSTD_decompress(bytes, raw, file + at + HEADER, stored), raw);
    else
      memcpy(bytes, file + at + HEADER, raw);
    c->bytes.n_bytes = raw;
    c->header[1] = OCT_CONTAINER_RAW;
    at += HEADER + stored;
  }
  free(file);
  return p;
}

static void free_parts(parts *p) {
  oct_buffer_free(&p->head);
  for (size_t i = 0; i < p->n; i++) oct_buffer_free(&p->chunks[i].bytes);
}

/* Chunk number `which` has these contents instead of its own. The end counts bytes as they are. */
static void put_together(const parts *p, size_t which, const oct_buffer *contents) {
  enum { PORT_BYTES_AT = 32, MAP_BYTES_AT = 40 };
  oct_buffer file = {0};
  uint64_t port = 0, map = 0;
  put(&file, p->head.bytes, p->head.n_bytes);
  for (size_t i = 0; i < p->n; i++) {
    const chunk *c = &p->chunks[i];
    const oct_buffer *b = i == which ? contents : &c->bytes;
    const size_t at = file.n_bytes;
    put(&file, c->header, HEADER);
    put(&file, b->bytes, b->n_bytes);
    oct_put_u32(file.bytes + at + 4, (uint32_t)b->n_bytes);
    oct_put_u32(file.bytes + at + 8, (uint32_t)b->n_bytes);
    if (c->header[0] == OCT_CONTAINER_BITS) port += b->n_bytes;
    if (c->header[0] == OCT_CONTAINER_MAP || c->header[0] == OCT_CONTAINER_OPS ||
        c->header[0] == OCT_CONTAINER_CODE)
      map += HEADER + b->n_bytes;
    if (c->header[0] == OCT_CONTAINER_END && i != which) {
      oct_put_u64(file.bytes + at + HEADER + PORT_BYTES_AT, port);
      oct_put_u64(file.bytes + at + HEADER + MAP_BYTES_AT, map);
    }
  }
  renew_sums(file.bytes, file.n_bytes);
  save(path, file.bytes, file.n_bytes);
  oct_buffer_free(&file);
}

/* From one to three changes. */
static oct_buffer changed(const oct_buffer *own) {
  static const uint8_t most[] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 1};
  static const uint8_t edges[] = {0, 1, 2, 5, 6, 127, 128, 255};
  oct_buffer b = {0};
  put(&b, own->bytes, own->n_bytes);
  for (uint64_t n = 1 + below(3); n && b.n_bytes; n--) {
    const size_t at = (size_t)below(b.n_bytes), rest = b.n_bytes - at;
    switch (below(6)) {
      case 0:
        b.bytes[at] ^= (uint8_t)(1 << below(8));
        break;
      case 1:
        b.bytes[at] = edges[below(sizeof edges)];
        break;
      case 2:
        memmove(b.bytes + at, b.bytes + at + 1, rest - 1);
        b.n_bytes--;
        break;
      case 3:
        b.n_bytes = at;
        break;
      case 4:
        memcpy(b.bytes + at, most, rest < sizeof most ? rest : sizeof most);
        break;
      default:
        assert_non_null(oct_buffer_room(&b, rest));
        memcpy(b.bytes + b.n_bytes, b.bytes + at, rest); /* comes twice */
        b.n_bytes += rest;
    }
  }
  return b;
}

/* Read it in a way. The result, and how many instructions came; all where `own` begins. */
static int read_back(uint64_t goes_on, const trace *own, bool is_held, size_t *n_insns) {
  const oct_read_options options = {.goes_on = goes_on};
  oct_diag diag = {0};
  trace t;
  const int rc = read_trace(path, &options, &t, &diag);
  *n_insns = t.n_insns;
  if (is_held) {
    assert_true(t.n_insns <= own->n_insns);
    assert_part(own, 0, t.n_insns, &t);
  }
  trace_free(&t);
  return rc;
}

static void each_kind(void **state) {
  static const char *const machines[][2] = {{"paper", "sync_period_insns=100"},
                                            {"shadow", "sync_insns=100"},
                                            {"raw", "sync_period_insns=100"}};
  (void)state;
  for (unsigned m = 0; m < sizeof machines / sizeof *machines; m++) {
    const oct_tracer *t = oct_tracer_find(machines[m][0]);
    test_trace x = random_test_trace(32, 4, INSNS);
    oct_diag diag = {0};
    trace own;
    size_t n_insns, n_kept = 0, n_kinds = 0;
    write_container(t, machines[m][1], &x);
    parts p = take_apart();
    put_together(&p, p.n, NULL);
    assert_int_equal(read_trace(path, NULL, &own, &diag), 0);
    assert_int_equal(own.n_insns, INSNS);
    for (size_t i = 0; i < p.n; i++) {
      const uint8_t kind = p.chunks[i].header[0];
      n_kinds |= 1u << kind;
      for (unsigned round = 0; round < ROUNDS / ROUNDS_DIVISOR; round++) {
        oct_buffer b = changed(&p.chunks[i].bytes);
        put_together(&p, i, &b);
        oct_buffer_free(&b);
        for (uint64_t goes_on = 0; goes_on < 2; goes_on++) {
          const bool is_held = kind == OCT_CONTAINER_GAPS;
          const int rc = read_back(goes_on, &own, is_held, &n_insns);
          if (rc < OCT_ERR_MISMATCH || rc > 0) fail_msg("chunk of kind %u: result %d", kind, rc);
          if (is_held && !rc) assert_int_equal(n_insns, INSNS);
          n_kept += is_held && !rc;
        }
      }
    }
    assert_true(n_kinds & 1u << OCT_CONTAINER_GAPS && n_kinds & 1u << OCT_CONTAINER_BITS);
    assert_true(n_kept);
    trace_free(&own);
    free_parts(&p);
    free_test_trace(&x);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_kind)};
  seed_random("chunk_contents");
  int fd = mkstemp(path);
  if (fd < 0) return 1;
  close(fd);
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  unlink(path);
  return failed;
}
