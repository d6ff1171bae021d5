/* SPDX-License-Identifier: Apache-2.0 */
/* oct_vpc_spec.c - the one-line specification of a configurable VPC, and its codec.
 *
 *   BITS: L1=LINES, L2=LINES: PREDICTOR, PREDICTOR...; BITS: ...; PC=FIELD
 *
 * PREDICTOR is FCMk[d], DFCMk[d] or LV[d], with order k and depth d; the second-level table of
 * order k has L2 * 2^(k-1) lines as in TCgen (the 232 MB that Michaud 2009 tells of its
 * specification say so), or as many as @LINES says. */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>

#include "oct_vpc.h"

/* A parser at work. */
typedef struct spec_parser {
  const char *text, *p;
  oct_diag *diag;
} spec_parser;

static int expected(const spec_parser *s, const char *what) {
  size_t left = strlen(s->p);
  return oct_fail(s->diag, OCT_ERR_CONFIG, "spec, character %zu: expected %s, found '%.*s'",
                  (size_t)(s->p - s->text) + 1, what, left < 12 ? (int)left : 12, s->p);
}

static void skip_blanks(spec_parser *s) {
  while (*s->p == ' ' || *s->p == '\t') s->p++;
}

/* Take word when it stands next. */
static bool take(spec_parser *s, const char *word) {
  skip_blanks(s);
  size_t n = strlen(word);
  if (strncmp(s->p, word, n)) return false;
  s->p += n;
  skip_blanks(s);
  return true;
}

static int take_number(spec_parser *s, uint64_t min, uint64_t max, uint64_t *value) {
  char what[64];
  char *end;
  skip_blanks(s);
  if (isdigit((unsigned char)*s->p)) {
    *value = strtoull(s->p, &end, 10);
    if (*value >= min && *value <= max) {
      s->p = end;
      skip_blanks(s);
      return 0;
    }
  }
  snprintf(what, sizeof what, "a number from %" PRIu64 " to %" PRIu64, min, max);
  return expected(s, what);
}

/* A power of two up to 2^max_log2, as its logarithm. */
static int take_lines(spec_parser *s, unsigned min_log2, unsigned max_log2, uint8_t *log2) {
  const char *start = s->p;
  uint64_t lines = 0;
  int error = take_number(s, (uint64_t)1 << min_log2, (uint64_t)1 << max_log2, &lines);
  if (error) return error;
  if (lines & (lines - 1)) {
    s->p = start;
    return expected(s, "a power of two");
  }
  *log2 = (uint8_t)__builtin_ctzll(lines);
  return 0;
}

static int take_depth(spec_parser *s, uint8_t *depth) {
  uint64_t value;
  if (!take(s, "[")) return expected(s, "[");
  int error = take_number(s, 1, OCT_VPC_DEPTH_MAX, &value);
  if (error) return error;
  *depth = (uint8_t)value;
  return take(s, "]") ? 0 : expected(s, "]");
}

static int take_predictor(spec_parser *s, oct_vpc_spec *field, unsigned l2_log2) {
  const char *start = s->p;
  uint64_t order;
  if (take(s, "LV")) {
    if (field->n_last) {
      s->p = start;
      return expected(s, "one LV per field");
    }
    field->last_code = field->n_codes;
    int error = take_depth(s, &field->n_last);
    field->n_codes = (uint8_t)(field->n_codes + field->n_last);
    return error;
  }
  bool differential = take(s, "DFCM");
  if (!differential && !take(s, "FCM")) return expected(s, "FCM, DFCM or LV");
  if (field->n_tables == OCT_VPC_TABLES_MAX) {
    s->p = start;
    return expected(s, "the end of the field (8 tables are the most)");
  }
  oct_vpc_table *t = &field->tables[field->n_tables++];
  int error = take_number(s, 1, OCT_VPC_ORDER_MAX, &order);
  if (error) return error;
  t->differential = differential;
  t->order = (uint8_t)order;
  t->first_code = field->n_codes;
  t->lines_log2 = (uint8_t)(l2_log2 + order - 1);
  error = take_depth(s, &t->depth);
  field->n_codes = (uint8_t)(field->n_codes + t->depth);
  if (!error && take(s, "@")) error = take_lines(s, 1, 28, &t->lines_log2);
  if (!error && t->lines_log2 > 28) {
    s->p = start;
    return expected(s, "a table of at most 2^28 lines");
  }
  return error;
}

static int take_field(spec_parser *s, oct_vpc_spec *field) {
  uint64_t bits;
  uint8_t l2_log2 = 0;
  const char *start = s->p;
  int error = take_number(s, 8, 64, &bits);
  if (error) return error;
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64) {
    s->p = start;
    return expected(s, "8, 16, 32 or 64 bits");
  }
  field->value_bytes = (uint8_t)(bits / 8);
  if (!take(s, ":") || !take(s, "L1") || !take(s, "=")) return expected(s, "': L1='");
  error = take_lines(s, 0, 24, &field->l1_log2);
  if (error) return error;
  if (!take(s, ",") || !take(s, "L2") || !take(s, "=")) return expected(s, "', L2='");
  error = take_lines(s, 1, 28, &l2_log2);
  if (!error && !take(s, ":")) error = expected(s, ":");
  while (!error) {
    error = take_predictor(s, field, l2_log2);
    if (!error && field->n_codes > OCT_VPC_CODES_MAX)
      error = expected(s, "at most 32 predictions in a field before this");
    if (!error && !take(s, ",")) break;
  }
  return error;
}

int oct_vpc_complete(oct_vpc_spec *f) {
  bool strides = false;
  f->n_hashes = f->n_strides = 0;
  for (unsigned t = 0; t < f->n_tables; t++) {
    uint8_t *highest = f->tables[t].differential ? &f->n_strides : &f->n_hashes;
    if (f->tables[t].order > *highest) *highest = f->tables[t].order;
    strides |= f->tables[t].differential;
  }
  f->n_kept = f->n_last ? f->n_last : strides;
  return f->n_codes && f->n_codes <= OCT_VPC_CODES_MAX ? 0 : OCT_ERR_CONFIG;
}

int oct_vpc_parse(const char *text, oct_vpc_config *config, oct_diag *diag) {
  spec_parser s = {text, text, diag};
  uint64_t key_field = 1;
  int error = 0;
  memset(config, 0, sizeof *config);
  while (!error) {
    if (take(&s, "PC")) {
      const char *start = s.p;
      if (!take(&s, "=")) return expected(&s, "=");
      error = take_number(&s, 1, OCT_LAYOUT_FIELDS_MAX, &key_field);
      if (!error && key_field > config->n_fields) {
        s.p = start;
        error = expected(&s, "the number of a field before this");
      }
      break;
    }
    if (config->n_fields == OCT_LAYOUT_FIELDS_MAX) return expected(&s, "the end after 16 fields");
    error = take_field(&s, &config->fields[config->n_fields]);
    if (!error && oct_vpc_complete(&config->fields[config->n_fields++]))
      error = expected(&s, "a predictor");
    if (!error && !take(&s, ";")) break;
  }
  if (error) return error;
  skip_blanks(&s);
  if (*s.p) return expected(&s, "the end");
  config->key_field = (unsigned)key_field - 1;
  if (config->fields[config->key_field].l1_log2)
    return oct_fail(diag, OCT_ERR_CONFIG, "spec: field %" PRIu64 " is the key, so its L1 must be 1",
                    key_field);
  return 0;
}

/* The codec. */

enum { OPTION_UPDATE, OPTION_SPEC, N_OPTIONS };

static const oct_codec_option vpc_options[N_OPTIONS] = {
    [OPTION_UPDATE] = {.name = "update",
                       .kind = OCT_OPTION_CHOICE,
                       .choices = "always|changed",
                       .text = "update predictor lines always, or only when the value is new"},
    [OPTION_SPEC] = {.name = "spec",
                     .kind = OCT_OPTION_TEXT,
                     .choices = "32: L1=1, L2=131072: FCM3[2], FCM1[2]; "
                                "64: L1=65536, L2=131072: DFCM3[2], FCM1[2], LV[4]",
                     .text = "fields and predictors of a record (docs/codecs.md)"},
};

static int configure(const oct_codec_settings *settings, oct_vpc_config *config, oct_diag *diag) {
  int error = oct_vpc_parse(settings->option_text, config, diag);
  for (unsigned f = 0; f < config->n_fields; f++)
    config->fields[f].changed_only = settings->value[OPTION_UPDATE] == 1;
  return error;
}

static int vpc_layout(const oct_codec_settings *settings, oct_layout *layout, oct_diag *diag) {
  oct_vpc_config config;
  int error = configure(settings, &config, diag);
  if (!error) oct_vpc_layout(&config, layout);
  return error;
}

static unsigned vpc_streams(const oct_codec_settings *settings, const oct_layout *layout) {
  (void)settings;
  return 2 * layout->n_fields;
}

static int vpc_new(const oct_codec_settings *settings, const oct_layout *layout, void **state,
                   oct_diag *diag) {
  oct_vpc_config config;
  oct_vpc_kernels kernels[OCT_LAYOUT_FIELDS_MAX];
  int error = configure(settings, &config, diag);
  (void)layout;
  if (error) return error;
  for (unsigned f = 0; f < config.n_fields; f++)
    kernels[f] = oct_vpc_kernels_for(&config.fields[f]);
  return oct_vpc_new(&config, kernels, state, diag);
}

extern const oct_codec oct_codec_vpc;
const oct_codec oct_codec_vpc = {
    .name = "vpc",
    .version = 1,
    .text = "VPC configured by a line of specification, as TCgen does",
    .takes = OCT_TAKES_SPEC,
    .lossless = true,
    .stage = OCT_GENERAL_BZIP2,
    .level = 9,
    .options = vpc_options,
    .n_options = N_OPTIONS,
    .layout = vpc_layout,
    .n_streams = vpc_streams,
    .encoder_new = vpc_new,
    .encode = oct_vpc_encode,
    .stats = oct_vpc_stats,
    .encoder_free = oct_vpc_free,
    .decoder_new = vpc_new,
    .decode = oct_vpc_decode,
    .decoder_free = oct_vpc_free,
    .decoder_bytes = oct_vpc_decoder_bytes,
};
