/* SPDX-License-Identifier: Apache-2.0 */
/* test_sequitur.c - is Sequitur's grammar the one worked out by hand, does it keep its two
 * constraints on any input, do new grammars begin where Burtscher 2004 says, and is a hostile
 * grammar found out? */
#include "codec_util.h"
#include "oct_sequitur_map.h"
#include "oct_sequitur_stream.h"

/* A grammar in words: rule 0, then each rule when it is first met, numbered as they are met. */
typedef struct printer {
  const oct_grammar *g;
  uint32_t met[64], n_met;
  char text[512];
} printer;

static void print_body(printer *p, uint32_t rule) {
  for (uint32_t s = oct_rule_first(p->g, rule); !oct_symbol_is_guard(p->g, s);
       s = p->g->symbols[s].next) {
    uint32_t code = p->g->symbols[s].code, k = 0;
    size_t at = strlen(p->text);
    if (!(code & 1)) {
      snprintf(p->text + at, sizeof p->text - at, "%c", (char)(code >> 1));
      continue;
    }
    while (k < p->n_met && p->met[k] != code >> 1) k++;
    assert_true(k < 64);
    if (k == p->n_met) p->met[p->n_met++] = code >> 1;
    snprintf(p->text + at, sizeof p->text - at, "%c", (char)('A' + k));
  }
}

/* The grammar of a text of small letters, as "aAdA A=bc". */
static void check_text(const char *text, const char *expected) {
  oct_grammar g;
  printer p = {.g = &g};
  assert_int_equal(oct_grammar_init(&g), 0);
  for (const char *c = text; *c; c++)
    assert_int_equal(oct_grammar_append(&g, (uint32_t)(uint8_t)*c), 0);
  print_body(&p, 0);
  for (uint32_t k = 0; k < p.n_met; k++) {
    size_t at = strlen(p.text);
    snprintf(p.text + at, sizeof p.text - at, " %c=", (char)('A' + k));
    print_body(&p, p.met[k]);
  }
  if (strcmp(p.text, expected)) fail_msg("%s: %s, not %s", text, p.text, expected);
  oct_grammar_free(&g);
}

/* Digrams that repeat, at once and with something between; a rule used again; rules in rules; a
 * rule that is used once and goes (rule utility); equal symbols in a row, whose digrams overlap. */
static void test_by_hand(void **state) {
  (void)state;
  static const char *const pairs[][2] = {
      {"", ""},
      {"a", "a"},
      {"ab", "ab"},
      {"abcdbc", "aAdA A=bc"},
      {"abab", "AA A=ab"},
      {"abcabc", "AA A=abc"},
      {"abcdbcabcd", "ABA A=aBd B=bc"},
      {"abcdbcabcdbc", "AA A=aBdB B=bc"},
      {"abcabdabcabd", "AA A=BcBd B=ab"},
      {"abcdabcabcd", "ABA A=Bd B=abc"},
      {"aa", "aa"},
      {"aaa", "aaa"},
      {"aaaa", "AA A=aa"},
      {"aaaaa", "AAa A=aa"},
      {"aaaaaa", "AAA A=aa"},
      {"aaaaaaaa", "AA A=BB B=aa"},
      {"aabaaab", "AbAab A=aa"},
      {"abbbabcbb", "ABAcB A=ab B=bb"},
  };
  for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++) check_text(pairs[i][0], pairs[i][1]);
}

/* Where a digram stands. */
typedef struct place {
  uint32_t first, second, rule, index;
} place;

static int compare_places(const void *left, const void *right) {
  const uint32_t *a = left, *b = right;
  for (unsigned i = 0; i < 4; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

/* No digram stands at two places that do not overlap, each rule is used twice or more and has two
 * symbols or more, counts and tables agree with the symbols, and the sequence is produced. */
static void check_grammar(const oct_grammar *g) {
  static place places[200000];
  static uint32_t uses[200000];
  size_t n = 0;
  memset(uses, 0, sizeof uses);
  for (uint32_t r = g->free_rule; r; r = g->rules[r].guard) uses[r] = UINT32_MAX;
  for (uint32_t r = 0; r < g->n_rules; r++) {
    uint32_t length = 0;
    if (uses[r] == UINT32_MAX) continue;
    assert_int_equal(g->symbols[g->rules[r].guard].code, OCT_SYMBOL_GUARD | r);
    for (uint32_t s = oct_rule_first(g, r); !oct_symbol_is_guard(g, s); s = g->symbols[s].next) {
      uint32_t next = g->symbols[s].next;
      assert_int_equal(g->symbols[next].prev, s);
      if (!oct_symbol_is_guard(g, next)) {
        assert_true(n < sizeof places / sizeof *places);
        places[n++] = (place){g->symbols[s].code, g->symbols[next].code, r, length};
      }
      length++;
    }
    if (r && length < 2) fail_msg("a rule of %u symbols", length);
  }
  for (uint32_t r = 0; r < g->n_rules; r++) {
    if (uses[r] == UINT32_MAX) continue;
    for (uint32_t s = oct_rule_first(g, r); !oct_symbol_is_guard(g, s); s = g->symbols[s].next)
      if (g->symbols[s].code & 1) uses[g->symbols[s].code >> 1]++;
  }
  for (uint32_t r = 1; r < g->n_rules; r++) {
    if (uses[r] == UINT32_MAX) continue;
    assert_int_equal(uses[r], g->rules[r].uses);
    if (uses[r] < 2) fail_msg("a rule is used %u times", uses[r]);
  }
  qsort(places, n, sizeof *places, compare_places);
  for (size_t i = 1; i < n; i++) {
    const place *a = &places[i - 1], *b = &places[i];
    if (a->first == b->first && a->second == b->second &&
        !(a->rule == b->rule && a->index + 1 == b->index))
      fail_msg("digram %u %u stands twice", a->first, a->second);
  }
}

static uint32_t *make_text(size_t n, uint32_t n_kinds) {
  uint32_t *text = malloc((n + 1) * sizeof *text);
  assert_non_null(text);
  for (size_t i = 0; i < n;) {
    text[i++] = (uint32_t)below(n_kinds);
    if (i < 20 || below(10)) continue;
    /* A piece of what was there. */
    for (size_t from = below(i), k = below(12); k && i < n; k--) text[i++] = text[from++];
  }
  return text;
}

static void test_constraints(void **state) {
  (void)state;
  seed_random("constraints");
  for (int turn = 0; turn < 1000; turn++) {
    if (is_left_out()) continue;
    oct_grammar g;
    size_t n = below(turn % 10 ? 100 : 3000);
    uint32_t *text = make_text(n, 1 + (uint32_t)below(turn % 3 ? 4 : 40));
    assert_int_equal(oct_grammar_init(&g), 0);
    for (size_t i = 0; i < n; i++) {
      assert_int_equal(oct_grammar_append(&g, text[i]), 0);
      if (n < 100) check_grammar(&g);
    }
    check_grammar(&g);
    oct_grammar_free(&g);
    free(text);
  }
}

/* Values there and back, asked for in unequal pieces. */
static void check_values(const uint64_t *values, size_t n, unsigned value_bytes) {
  oct_grammar g;
  oct_number_map map = {0};
  oct_buffer streams[OCT_SEQUITUR_STREAMS] = {{0}};
  oct_cursor cursors[OCT_SEQUITUR_STREAMS];
  oct_diag diag = {0};
  uint64_t *back = malloc((n + 1) * sizeof *back);
  assert_int_equal(oct_grammar_init(&g), 0);
  for (size_t i = 0; i < n; i++) {
    uint32_t number = 0;
    assert_int_equal(oct_number_map_get(&map, values[i], &number), 0);
    assert_true(number < map.n_values && map.values[number] == values[i]);
    assert_int_equal(oct_grammar_append(&g, number), 0);
  }
  assert_int_equal(oct_sequitur_write(&g, map.values, value_bytes, streams), 0);
  for (unsigned k = 0; k < OCT_SEQUITUR_STREAMS; k++)
    cursors[k] = (oct_cursor){streams[k].bytes, streams[k].n_bytes, false};
  oct_sequitur_reader *r = oct_sequitur_reader_new(value_bytes);
  oct_sequitur_reader_begin(r, n);
  for (size_t i = 0, step; i < n; i += step) {
    step = 1 + below(200);
    if (step > n - i) step = n - i;
    if (oct_sequitur_read(r, cursors, back + i, step, &diag))
      fail_msg("%s", oct_diag_line(&diag).text);
  }
  if (n) assert_memory_equal(back, values, n * sizeof *back);
  for (unsigned k = 0; k < OCT_SEQUITUR_STREAMS; k++) {
    assert_int_equal(cursors[k].n_bytes, n || k ? 0 : 1);
    oct_buffer_free(&streams[k]);
  }
  oct_sequitur_reader_free(r);
  oct_number_map_free(&map);
  oct_grammar_free(&g);
  free(back);
}

/* The example of docs/codecs.md, byte for byte. */
static void test_streams(void **state) {
  (void)state;
  static const uint8_t tokens[] = {1, 1, 1, 2, 1, 11, 0};
  oct_codec_settings s = settings_of("sequitur");
  oct_buffer streams[OCT_SEQUITUR_STREAMS] = {{0}};
  void *encoder;
  assert_int_equal(s.codec->encoder_new(&s, &oct_layout_byte, &encoder, NULL), 0);
  assert_int_equal(s.codec->encode(encoder, (const uint8_t *)"abcdbc", 6, streams, NULL), 0);
  assert_int_equal(s.codec->encode_end(encoder, streams, NULL), 0);
  assert_int_equal(streams[OCT_SEQUITUR_TOKENS].n_bytes, sizeof tokens);
  assert_memory_equal(streams[OCT_SEQUITUR_TOKENS].bytes, tokens, sizeof tokens);
  assert_int_equal(streams[OCT_SEQUITUR_NUMBERS].n_bytes, 1);
  assert_int_equal(streams[OCT_SEQUITUR_NUMBERS].bytes[0], 0);
  assert_int_equal(streams[OCT_SEQUITUR_VALUES].n_bytes, 4);
  assert_memory_equal(streams[OCT_SEQUITUR_VALUES].bytes, "abcd", 4);
  for (unsigned k = 0; k < OCT_SEQUITUR_STREAMS; k++) oct_buffer_free(&streams[k]);
  s.codec->encoder_free(encoder);
}

/* Random texts; equal values, which make the deepest rules; sequences that make long ones. */
static void test_there_and_back(void **state) {
  (void)state;
  seed_random("there and back");
  for (int turn = 0; turn < 60; turn++) {
    if (is_left_out()) continue;
    size_t n = turn < 2 ? (size_t)turn : below(turn % 10 ? 500 : 50000);
    uint32_t *text = make_text(n, 1 + (uint32_t)below(turn % 3 ? 5 : 300));
    uint64_t *values = malloc((n + 1) * sizeof *values), factor = turn % 2 ? 1 : random_u64() | 1;
    for (size_t i = 0; i < n; i++) values[i] = (turn % 7 == 3 ? 9 : text[i]) * factor;
    check_values(values, n, turn % 2 ? 2 : 8);
    free(values);
    free(text);
  }
}

/* Settings and records of one field: the statistics, and the size of the codec file. */
static void pack_values(const char *settings, const uint64_t *values, size_t n,
                        oct_codec_stat stats[4]) {
  const oct_codec_settings s = settings_of(settings);
  oct_buffer streams[OCT_SEQUITUR_STREAMS] = {{0}};
  oct_cursor cursors[OCT_SEQUITUR_STREAMS];
  uint64_t *back = malloc(n * sizeof *back);
  oct_diag diag = {0};
  void *encoder, *decoder;
  assert_int_equal(s.codec->encoder_new(&s, &oct_layout_addr64, &encoder, &diag), 0);
  for (size_t i = 0, step = 1; i < n; i += step, step = step * 7 % 9001) {
    if (step > n - i) step = n - i;
    const uint8_t *records = (const uint8_t *)(values + i);
    assert_int_equal(s.codec->encode(encoder, records, step, streams, &diag), 0);
  }
  assert_int_equal(s.codec->encode_end(encoder, streams, &diag), 0);
  assert_int_equal(s.codec->stats(encoder, stats, 4), 4);
  assert_int_equal(s.codec->decoder_new(&s, &oct_layout_addr64, &decoder, &diag), 0);
  for (unsigned k = 0; k < OCT_SEQUITUR_STREAMS; k++)
    cursors[k] = (oct_cursor){streams[k].bytes, streams[k].n_bytes, false};
  assert_int_equal(s.codec->decode_begin(decoder, cursors, n, &diag), 0);
  if (s.codec->decode(decoder, cursors, (uint8_t *)back, n, &diag))
    fail_msg("%s", oct_diag_line(&diag).text);
  assert_memory_equal(back, values, n * sizeof *back);
  for (unsigned k = 0; k < OCT_SEQUITUR_STREAMS; k++) oct_buffer_free(&streams[k]);
  s.codec->encoder_free(encoder);
  s.codec->decoder_free(decoder);
  free(back);
}

/* New grammars begin after so many different values, so many bytes of symbols and rules, and when
 * searches take too long; else there is one. */
static void test_limits(void **state) {
  (void)state;
  seed_random("limits");
  if (!is_chosen()) return;
  enum { N = 300000 };
  uint64_t *values = malloc(N * sizeof *values);
  oct_codec_stat stats[4];
  for (size_t i = 0; i < N; i++) values[i] = random_u64();
  pack_values("sequitur:trials=1000", values, N, stats);
  assert_int_equal(stats[0].value, 1);
  assert_int_equal(stats[3].value, N);
  /* Limits are looked at after each 4096 records. */
  pack_values("sequitur:symbols=40960,trials=1000", values, N, stats);
  assert_int_equal(stats[0].value, N / 40960 + 1);
  pack_values("sequitur:memory=1,trials=1000", values, N, stats);
  uint64_t block = 4096 * sizeof(oct_symbol), blocks = ((1 << 20) + block - 1) / block;
  assert_int_equal(stats[0].value, N / (4096 * blocks) + 1);
  /* A search that finds its place at once is one trial, so the average is always above 1. */
  pack_values("sequitur:trials=1", values, N, stats);
  assert_true(stats[0].value > 1 && stats[0].value <= N / 65536 + 1);
  for (size_t i = 0; i < N; i++) values[i] = i % 1000;
  pack_values("sequitur:memory=1", values, N, stats);
  assert_int_equal(stats[0].value, 1);
  assert_int_equal(stats[3].value, 1000);
  free(values);
}

/* What the streams of a field hold, and what its reader says of it. */
typedef struct hostile {
  const char *tokens, *numbers;
  size_t n_tokens, n_numbers, n_values;
  const char *says;
} hostile;

#define BYTES(text) .tokens = (text), .n_tokens = sizeof(text) - 1
#define NUMBERS(text) .numbers = (text), .n_numbers = sizeof(text) - 1

/* Tokens: 0 end, 1 new, 2 make a rule of two, 3 of more, 7 value, 11 rule. */
static void test_hostile(void **state) {
  (void)state;
  static const hostile cases[] = {
      {BYTES(""), .says = "too few tokens"},
      {BYTES("\0\0\0"), .says = "too few tokens"},
      {BYTES("\1\1"), .n_values = 2, .says = "too few tokens"},
      {BYTES("\1\1\0"), .n_values = 1, .says = "too few new values"},
      {BYTES("\2"), .says = "a rule of 2 symbols where there are 0"},
      {BYTES("\1\2"), .n_values = 1, .says = "a rule of 2 symbols where there are 1"},
      {BYTES("\1\3"), NUMBERS("\1"), .n_values = 1, .says = "a rule of 1 symbols"},
      {BYTES("\1\3"), NUMBERS("\0"), .n_values = 1, .says = "a rule of 0 symbols"},
      {BYTES("\1\6"), NUMBERS("\xff\xff\xff\xff"), .n_values = 1, .says = "of 4294967295 symbols"},
      {BYTES("\1\7"), .n_values = 1, .says = "too few numbers"},
      {BYTES("\1\7"), NUMBERS("\1"), .n_values = 1, .says = "value 1 where there are 1"},
      {BYTES("\13"), NUMBERS("\0"), .says = "rule 0 where there are 0"},
      {BYTES("\17"), .says = "15 is no token"},
      {BYTES("\xff"), .says = "255 is no token"},
      {BYTES("\1\7\7\7\7\0"), NUMBERS("\0\0\0\0"), .n_values = 1, .says = "more values than"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    static const uint8_t values[16];
    const hostile *h = &cases[i];
    uint64_t back[4];
    oct_diag diag = {0};
    oct_cursor cursors[] = {{(const uint8_t *)h->tokens, h->n_tokens, false},
                            {(const uint8_t *)h->numbers, h->n_numbers, false},
                            {values, h->n_values, false}};
    oct_sequitur_reader *r = oct_sequitur_reader_new(1);
    oct_sequitur_reader_begin(r, 4);
    assert_int_equal(oct_sequitur_read(r, cursors, back, 4, &diag), OCT_ERR_FORMAT);
    if (!strstr(oct_diag_line(&diag).text, h->says))
      fail_msg("'%s', not '%s'", oct_diag_line(&diag).text, h->says);
    oct_sequitur_reader_free(r);
  }
}

/* Rules that double: 2^n values in a few bytes end where the segment does. */
static void test_doubling(void **state) {
  (void)state;
  uint8_t tokens[1 + 3 * 200 + 1] = {OCT_TOKEN_NEW, OCT_TOKEN_VALUE, OCT_TOKEN_MAKE2}, numbers[200];
  size_t n = 3;
  numbers[0] = 0;
  for (uint8_t i = 0; i < 199; i++) {
    numbers[1 + i] = i;
    tokens[n++] = OCT_TOKEN_RULE;
    tokens[n++] = OCT_TOKEN_MAKE2;
  }
  tokens[n++] = OCT_TOKEN_END;
  const uint8_t value = 7;
  uint64_t back[1000];
  oct_diag diag = {0};
  oct_cursor cursors[] = {{tokens, n, false}, {numbers, 200, false}, {&value, 1, false}};
  oct_sequitur_reader *r = oct_sequitur_reader_new(1);
  oct_sequitur_reader_begin(r, (uint64_t)1 << 40);
  assert_int_equal(oct_sequitur_read(r, cursors, back, 1000, &diag), OCT_ERR_FORMAT);
  assert_non_null(strstr(oct_diag_line(&diag).text, "more values than"));
  /* Up to there they are good: 2^16 values. */
  tokens[3 + 2 * 15] = OCT_TOKEN_END;
  cursors[0] = (oct_cursor){tokens, n, false};
  cursors[1] = (oct_cursor){numbers, 200, false};
  cursors[2] = (oct_cursor){&value, 1, false};
  oct_sequitur_reader_begin(r, 65536);
  for (int i = 0; i < 65536 / 1024 * 1024; i += 512) {
    if (oct_sequitur_read(r, cursors, back, 512, &diag)) fail_msg("%s", oct_diag_line(&diag).text);
    for (int k = 0; k < 512; k++) assert_int_equal(back[k], 7);
  }
  oct_sequitur_reader_free(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_by_hand),        cmocka_unit_test(test_constraints),
      cmocka_unit_test(test_there_and_back), cmocka_unit_test(test_limits),
      cmocka_unit_test(test_hostile),        cmocka_unit_test(test_doubling),
      cmocka_unit_test(test_streams),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
