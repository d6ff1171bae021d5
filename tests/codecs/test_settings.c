/* SPDX-License-Identifier: Apache-2.0 */
/* test_settings.c - does every codec give back what it was given at random settings? Each option is
 * at its least, its most, its default, a power of two or anything between; stage, level, segments,
 * groups, fields of records and threads are random, too. Damaged files give nothing wrong: what
 * comes is right at its place, and the damage is told.
 *
 * Usage: test_codec_settings [ROUNDS]. OCT_TEST_SEED=N repeats a run; the seed is printed. */
#include <inttypes.h>

#include "trace_codec.h"
#include "oct_endian.h"
#include "octrace/codec.h"
#include "octrace/tracer.h"

static unsigned rounds = 2;

/* Memory that an option may cost a test. */
enum { NUMBER_MAX = 1 << 20 };

static uint64_t random_number(uint64_t min, uint64_t max, uint64_t def) {
  if (max > NUMBER_MAX) max = def > NUMBER_MAX ? def : NUMBER_MAX;
  uint64_t at_random[] = {
      min, max, def, min + below(20), UINT64_C(1) << below(21), min + below(max - min + 1)};
  uint64_t value = at_random[below(sizeof at_random / sizeof *at_random)];
  return value < min ? min : value > max ? max : value;
}

static unsigned count_choices(const char *choices) {
  unsigned n = 1;
  for (; *choices; choices++) n += *choices == '|';
  return n;
}

/* Fields and predictors of records, as TCgen takes them. The key comes first or at any place. */
static void random_spec(char *text, size_t room) {
  static const unsigned widths[] = {8, 16, 32, 64};
  unsigned n_fields = 1 + (unsigned)below(below(4) ? 3 : 16), key = (unsigned)below(n_fields);
  size_t at = 0;
  for (unsigned f = 0; f < n_fields; f++) {
    unsigned n_codes = 0, n = 1 + (unsigned)below(4);
    bool has_last = false;
    at += (size_t)snprintf(text + at, room - at, "%s%u: L1=%u, L2=%u: ", f ? "; " : "",
                           widths[below(4)], f == key ? 1u : 1u << below(8), 2u << below(10));
    for (unsigned p = 0; p < n; p++) {
      unsigned depth = 1 + (unsigned)below(4), kind = (unsigned)below(3);
      if (kind == 2 && has_last) kind = 0;
      has_last |= kind == 2;
      n_codes += depth;
      at += kind == 2 ? (size_t)snprintf(text + at, room - at, "%sLV[%u]", p ? ", " : "", depth)
                      : (size_t)snprintf(text + at, room - at, "%s%sFCM%u[%u]", p ? ", " : "",
                                         kind ? "D" : "", 1 + (unsigned)below(3), depth);
    }
    assert_true(n_codes <= 32);
  }
  at += (size_t)snprintf(text + at, room - at, "; PC=%u", key + 1);
  assert_true(at < room);
}

/* Parameters that say what a trace may have. */
static bool bounds_traces(const char *name) {
  static const char *const names[] = {"addr_bits", "pc_align_bits", "task_bits"};
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(name, names[i])) return true;
  return false;
}

/* A machine of shadow, by its text. */
static void random_machine(char *text, size_t room) {
  static const char *const geometries[] = {"shadow", "shadow-large", "shadow-archive",
                                           "shadow-tiny"};
  const oct_tracer *t = oct_tracer_find("shadow");
  for (;;) {
    uint32_t params[OCT_TRACER_PARAMS_MAX];
    size_t at = (size_t)snprintf(text, room, "%s", geometries[below(4)]);
    for (unsigned k = (unsigned)below(4); k > 0; k--) {
      const oct_param *p = &t->params[below(t->n_params)];
      if (bounds_traces(p->name)) continue;
      uint64_t value = random_number(p->min, p->max, p->def);
      at += (size_t)snprintf(text + at, room - at, ",%s=%" PRIu64, p->name, value);
    }
    if (at < room && !oct_tracer_parse(t, text, params, NULL, NULL)) return;
  }
}

static oct_codec_settings random_settings(const oct_codec *codec) {
  oct_codec_settings s;
  oct_codec_defaults(codec, &s);
  for (unsigned o = 0; o < codec->n_options; o++) {
    const oct_codec_option *option = &codec->options[o];
    if (option->kind == OCT_OPTION_NUMBER)
      s.value[o] = random_number(option->min, option->max, option->def);
    else if (option->kind == OCT_OPTION_CHOICE)
      s.value[o] = below(count_choices(option->choices));
    else if (codec->takes == OCT_TAKES_TRACE)
      random_machine(s.option_text, sizeof s.option_text);
    else
      random_spec(s.option_text, sizeof s.option_text);
  }
  do {
    s.stage = (oct_general_kind)below(OCT_GENERAL_COUNT);
    s.level = (int)below(OCT_GENERAL_LEVEL_MAX + 1);
    if (s.stage == OCT_GENERAL_XZ || s.stage == OCT_GENERAL_ZSTD)
      s.level %= 7; /* memory and time */
  } while (oct_general_check(s.stage, s.level, NULL));
  s.segment_bytes = below(3) ? 1 + below(30000) : random_number(1, 1 << 20, 1 << 25);
  s.group = below(2) ? 1 : 1 + below(5);
  return s;
}

static const char *text_of(const oct_codec_settings *s) {
  static char text[OCT_CODEC_TEXT_MAX + 256];
  oct_codec_print(s, text, sizeof text);
  return text;
}

static oct_layout random_layout(const oct_codec_settings *s) {
  oct_layout layout = {.n_fields = 1 + (uint32_t)below(OCT_LAYOUT_FIELDS_MAX)};
  if (s->codec->takes == OCT_TAKES_PC_ED) return oct_layout_pc_ed;
  if (s->codec->takes == OCT_TAKES_ADDR64) return oct_layout_addr64;
  if (s->codec->takes == OCT_TAKES_SPEC) {
    oct_diag diag = {0};
    if (s->codec->layout(s, &layout, &diag))
      fail_msg("%s: %s", text_of(s), oct_diag_line(&diag).text);
    return layout;
  }
  for (unsigned f = 0; f < layout.n_fields; f++) layout.field_bytes[f] = (uint8_t)(1u << below(4));
  return layout;
}

/* Records whose fields step on, stay, come again or are anything. */
static uint8_t *random_records(const oct_layout *layout, size_t n) {
  const size_t record_bytes = oct_layout_bytes(layout);
  uint64_t value[OCT_LAYOUT_FIELDS_MAX] = {0}, step[OCT_LAYOUT_FIELDS_MAX];
  uint8_t *records = malloc(n * record_bytes + 1), *p = records;
  assert_non_null(records);
  for (unsigned f = 0; f < layout->n_fields; f++) step[f] = below(3) ? below(65) : random_u64();
  for (size_t i = 0; i < n; i++) {
    size_t again = below(i + 1);
    for (unsigned f = 0; f < layout->n_fields; f++) {
      unsigned width = layout->field_bytes[f];
      value[f] += below(5) ? step[f] : below(3) ? 0 : random_magnitude();
      if (f == 0 && below(3)) value[f] = (value[f] % 40) * 4;
      for (unsigned b = 0; b < width; b++) *p++ = (uint8_t)(value[f] >> 8 * b);
    }
    if (i && below(8) == 0)
      memcpy(records + i * record_bytes, records + again * record_bytes, record_bytes);
  }
  return records;
}

/* Read a file that may be damaged, on behind the damage, too. What comes must be what stood there.
 * Whether damage was told. */
static bool read_damaged(const oct_codec_settings *s, memory_file *m, const uint8_t *records,
                         size_t n, size_t record_bytes) {
  const oct_source_bytes source = {memory_read, m};
  oct_codec_reader *r;
  oct_diag diag = {0};
  bool is_told = false;
  m->at = 0;
  if (oct_codec_reader_new(&source, (unsigned)below(3), &r, &diag)) return true;
  if (oct_codec_reader_head(r)->channels[0].layout.n_fields == 0) fail_msg("no fields");
  if (oct_layout_bytes(&oct_codec_reader_head(r)->channels[0].layout) != record_bytes)
    fail_msg("%s: a damaged head was taken", text_of(s));
  uint8_t *got = malloc(1000 * record_bytes);
  assert_non_null(got);
  for (;;) {
    uint64_t at = oct_codec_reader_position(r, 0);
    int64_t k = oct_codec_reader_get(r, 0, got, 1 + below(1000), &diag);
    if (!k) break;
    if (k < 0) {
      is_told = true;
      assert_true(diag.text[0]);
      if (oct_codec_reader_resync(r, &diag) <= 0) break;
      continue;
    }
    at = oct_codec_reader_position(r, 0) - (uint64_t)k;
    if (at + (uint64_t)k > n ||
        (s->codec->lossless && memcmp(got, records + at * record_bytes, (size_t)k * record_bytes)))
      fail_msg("%s: wrong records from %" PRIu64 " on", text_of(s), at);
  }
  free(got);
  oct_codec_reader_free(r);
  return is_told;
}

/* One flipped bit, one byte lost or doubled, or the end missing. */
static void damage_file(memory_file *good, memory_file *bad) {
  size_t n = good->bytes.n_bytes, at = below(n);
  bad->bytes.n_bytes = 0;
  oct_buffer_put(&bad->bytes, good->bytes.bytes, at);
  uint8_t flipped = good->bytes.bytes[at] ^ (uint8_t)(1u << below(8));
  switch (below(4)) {
    case 0:
      oct_buffer_put(&bad->bytes, &flipped, 1);
      oct_buffer_put(&bad->bytes, good->bytes.bytes + at + 1, n - at - 1);
      break;
    case 1:
      oct_buffer_put(&bad->bytes, good->bytes.bytes + at + 1, n - at - 1);
      break;
    case 2:
      oct_buffer_put(&bad->bytes, good->bytes.bytes + at, 1);
      oct_buffer_put(&bad->bytes, good->bytes.bytes + at, n - at);
      break;
    default:
      break;
  }
}

static bool is_same_file(const memory_file *a, const memory_file *b) {
  return a->bytes.n_bytes == b->bytes.n_bytes &&
         !memcmp(a->bytes.bytes, b->bytes.bytes, a->bytes.n_bytes);
}

static void check_records(const oct_codec_settings *s) {
  const oct_layout layout = random_layout(s);
  const size_t record_bytes = oct_layout_bytes(&layout), n = below(below(4) ? 3000 : 3);
  uint8_t *records = random_records(&layout, n);
  memory_file file = {{0}, 0}, bad = {{0}, 0};
  oct_buffer back = {0};
  oct_diag diag = {0};
  pack_layout(s, &layout, records, n, (unsigned)below(3), &file);
  if (unpack_records(&file, (unsigned)below(3), &back, &diag))
    fail_msg("%s, %zu records: %s", text_of(s), n, oct_diag_line(&diag).text);
  if (back.n_bytes != n * record_bytes ||
      (s->codec->lossless && n && memcmp(back.bytes, records, back.n_bytes)))
    fail_msg("%s, %zu records: differ", text_of(s), n);
  for (int k = 0; k < 10; k++) {
    if (is_left_out()) continue;
    damage_file(&file, &bad);
    if (!read_damaged(s, &bad, records, n, record_bytes) && !is_same_file(&file, &bad))
      fail_msg("%s: damage is not told", text_of(s));
  }
  oct_buffer_free(&back);
  oct_buffer_free(&bad.bytes);
  oct_buffer_free(&file.bytes);
  free(records);
}

static void check_trace(const oct_codec_settings *s) {
  trace t = random_trace(below(below(8) ? 500 : below(2) ? 4000 : 3), 1 + below(16)), back;
  memory_file file = {{0}, 0}, bad = {{0}, 0};
  oct_diag diag = {0};
  if (t.n_insns) add_random_traps(&t);
  for (size_t k = 0; k < t.n_insns; k++)
    if (!(t.insns[k].flags & OCT_INSN_HAS_CYCLE)) t.insns[k].cycle = 0;
  n_threads = (unsigned)below(3);
  split_trace(&t, s, 1, &file);
  n_threads = (unsigned)below(3);
  if (join_trace(&file, &back, &diag)) fail_msg("%s: %s", text_of(s), oct_diag_line(&diag).text);
  if (back.n_insns != t.n_insns)
    fail_msg("%s: %zu instructions of %zu", text_of(s), back.n_insns, t.n_insns);
  if (s->codec->lossless) {
    assert_part(&t, 0, t.n_insns, &back);
    assert_traps(&t, 0, t.n_insns, 1, &back);
  }
  trace_free(&back);
  for (int k = 0; k < 4; k++) {
    damage_file(&file, &bad);
    if (!join_trace(&bad, &back, &diag) && !is_same_file(&file, &bad))
      fail_msg("%s: damage of a trace is not told", text_of(s));
    if (back.n_insns > t.n_insns) fail_msg("%s: more instructions than there were", text_of(s));
    for (size_t i = 0; i < back.n_insns; i++)
      if (back.insns[i].addr != t.insns[i].addr)
        fail_msg("%s: instruction %zu differs", text_of(s), i);
    trace_free(&back);
  }
  oct_buffer_free(&bad.bytes);
  oct_buffer_free(&file.bytes);
  trace_free(&t);
}

/* A trace gives records of an instruction and an access, or of an access. */
static bool takes_traces(const oct_codec_settings *s) {
  if (s->codec->takes != OCT_TAKES_SPEC) return true;
  const oct_layout layout = layout_of(s);
  return !memcmp(&layout, &oct_layout_pc_ed, sizeof layout) ||
         !memcmp(&layout, &oct_layout_addr64, sizeof layout);
}

static void test_random_settings(void **state) {
  (void)state;
  seed_random("codec settings");
  for (unsigned round = 0; round < rounds; round++)
    for (unsigned i = 0; oct_codec_at(i); i++) {
      const oct_codec *codec = oct_codec_at(i);
      for (unsigned k = 0; k < 3; k++) {
        if (is_left_out()) continue;
        const oct_codec_settings s = random_settings(codec);
        if (codec->takes != OCT_TAKES_TRACE) check_records(&s);
        if (takes_traces(&s)) check_trace(&s);
      }
    }
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_settings)};
  if (argc > 1) rounds = (unsigned)strtoul(argv[1], NULL, 10);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
