/* SPDX-License-Identifier: Apache-2.0 */
/* oct_codec.c - looking up codecs, and settings as text.
 *
 * Settings are `name[:option=value,...]`. Every codec lists its own options with ranges and
 * choices; those that all codecs have (stage, level, segment) are taken here. What is printed names
 * every option, and parses to the same settings. */
#include "octrace/codec.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "oct_radix.h"
#include "oct_registry.h"

#define SEGMENT_MIB 32
#define GROUP_MAX 65536
#define SEGMENT_MIB_MASK (((uint64_t)1 << 20) - 1)

const oct_layout oct_layout_byte = {1, {1}};
const oct_layout oct_layout_addr64 = {1, {8}};
const oct_layout oct_layout_pc_ed = {2, {4, 8}};

size_t oct_layout_bytes(const oct_layout *layout) {
  size_t bytes = 0;
  if (layout->n_fields > OCT_LAYOUT_FIELDS_MAX) return 0;
  for (uint32_t i = 0; i < layout->n_fields; i++) {
    unsigned b = layout->field_bytes[i];
    if (b != 1 && b != 2 && b != 4 && b != 8) return 0;
    bytes += b;
  }
  return bytes;
}

bool oct_layout_equal(const oct_layout *a, const oct_layout *b) {
  return a->n_fields == b->n_fields && !memcmp(a->field_bytes, b->field_bytes, a->n_fields);
}

const oct_codec *oct_codec_at(unsigned number) {
  unsigned n = 0;
  while (n < number && oct_the_registry.codecs[n]) n++;
  return oct_the_registry.codecs[n];
}

const oct_codec *oct_codec_find(const char *name) {
  for (unsigned i = 0; oct_codec_at(i); i++)
    if (!strcmp(oct_codec_at(i)->name, name)) return oct_codec_at(i);
  return NULL;
}

static void default_segment(oct_codec_settings *s) {
  s->segment_bytes = s->codec->segment_bytes ? s->codec->segment_bytes(s) : 0;
  if (!s->segment_bytes) s->segment_bytes = (uint64_t)SEGMENT_MIB << 20;
}

void oct_codec_defaults(const oct_codec *codec, oct_codec_settings *settings) {
  memset(settings, 0, sizeof *settings);
  settings->codec = codec;
  settings->stage = codec->stage;
  settings->level = codec->level;
  settings->group = codec->group ? codec->group : 1;
  for (unsigned i = 0; i < codec->n_options; i++) {
    const oct_codec_option *o = &codec->options[i];
    settings->value[i] = o->def;
    if (o->kind == OCT_OPTION_TEXT)
      snprintf(settings->option_text, sizeof settings->option_text, "%s", o->choices);
  }
  default_segment(settings);
}

/* Number of the name among "a|b|c", or -1. */
static int find_choice(const char *choices, const char *name, size_t length) {
  for (int number = 0;; number++) {
    size_t n = strcspn(choices, "|");
    if (n == length && !memcmp(choices, name, n)) return number;
    if (!choices[n]) return -1;
    choices += n + 1;
  }
}

/* Append choice `number` of "a|b|c" to text. */
static int print_choice(char *text, size_t n, const char *choices, uint64_t number) {
  while (number--) choices += strcspn(choices, "|") + 1;
  return snprintf(text, n, "%.*s", (int)strcspn(choices, "|"), choices);
}

static bool parse_number(const char *text, size_t length, uint64_t *value) {
  char digits[24], *end;
  if (!length || length >= sizeof digits || text[0] < '0' || text[0] > '9') return false;
  memcpy(digits, text, length);
  digits[length] = '\0';
  errno = 0;
  *value = strtoull(digits, &end, oct_radix(digits));
  return !errno && !*end;
}

static int set_number(const char *name, const char *text, size_t length, uint64_t min, uint64_t max,
                      uint64_t *value, oct_diag *diag) {
  if (parse_number(text, length, value) && *value >= min && *value <= max) return 0;
  return oct_fail(diag, OCT_ERR_ARG,
                  "%s: expected a number from %" PRIu64 " to %" PRIu64 ", found '%.*s'", name, min,
                  max, (int)length, text);
}

static int set_choice(const char *name, const char *choices, const char *text, size_t length,
                      uint64_t *value, oct_diag *diag) {
  int number = find_choice(choices, text, length);
  if (number < 0)
    return oct_fail(diag, OCT_ERR_ARG, "%s: expected one of %s, found '%.*s'", name, choices,
                    (int)length, text);
  *value = (uint64_t)number;
  return 0;
}

static int set_option(oct_codec_settings *s, unsigned i, const char *text, size_t length,
                      oct_diag *diag) {
  const oct_codec_option *o = &s->codec->options[i];
  if (o->kind == OCT_OPTION_NUMBER)
    return set_number(o->name, text, length, o->min, o->max, &s->value[i], diag);
  if (o->kind == OCT_OPTION_CHOICE)
    return set_choice(o->name, o->choices, text, length, &s->value[i], diag);
  if (length >= sizeof s->option_text)
    return oct_fail(diag, OCT_ERR_ARG, "%s: longer than %zu bytes", o->name,
                    sizeof s->option_text - 1);
  memcpy(s->option_text, text, length);
  s->option_text[length] = '\0';
  return 0;
}

/* What was given of the options that all codecs have. */
typedef struct common_options {
  bool stage, level, segment;
} common_options;

static int set_by_name(oct_codec_settings *s, const char *name, size_t name_length,
                       const char *text, size_t *length, common_options *given, oct_diag *diag) {
  uint64_t value = 0;
  int error;
  for (unsigned i = 0; i < s->codec->n_options; i++) {
    const oct_codec_option *o = &s->codec->options[i];
    if (strlen(o->name) != name_length || memcmp(o->name, name, name_length)) continue;
    if (o->kind == OCT_OPTION_TEXT) *length = strlen(text);
    return set_option(s, i, text, *length, diag);
  }
  if (name_length == 5 && !memcmp(name, "stage", 5)) {
    error = set_choice("stage", oct_general_names, text, *length, &value, diag);
    s->stage = (oct_general_kind)value;
    given->stage = true;
    return error;
  }
  if (name_length == 5 && !memcmp(name, "level", 5)) {
    error = set_number("level", text, *length, 0, OCT_GENERAL_LEVEL_MAX, &value, diag);
    s->level = (int)value;
    given->level = true;
    return error;
  }
  if (name_length == 7 && !memcmp(name, "segment", 7)) {
    error = set_number("segment", text, *length, 1, OCT_CODEC_SEGMENT_MIB_MAX, &value, diag);
    s->segment_bytes = value << 20;
    given->segment = true;
    return error;
  }
  if (name_length == 5 && !memcmp(name, "group", 5))
    return set_number("group", text, *length, 1, GROUP_MAX, &s->group, diag);
  return oct_fail(diag, OCT_ERR_ARG, "codec %s has no option '%.*s'", s->codec->name,
                  (int)name_length, name);
}

static int fail_unknown(const char *name, oct_diag *diag) {
  char names[160];
  size_t n = 0;
  for (unsigned i = 0; oct_codec_at(i) && n < sizeof names; i++)
    n += (size_t)snprintf(names + n, sizeof names - n, "%s%s", i ? "|" : "", oct_codec_at(i)->name);
  return oct_fail(diag, OCT_ERR_ARG, "codec: expected one of %s, found '%s'", names, name);
}

int oct_codec_parse(const char *text, oct_codec_settings *settings, oct_diag *diag) {
  char name[64];
  size_t length = strcspn(text, ":");
  common_options given = {false, false, false};
  if (length >= sizeof name) return oct_fail(diag, OCT_ERR_ARG, "codec name is too long");
  memcpy(name, text, length);
  name[length] = '\0';
  const oct_codec *codec = oct_codec_find(name);
  if (!codec) return fail_unknown(name, diag);
  oct_codec_defaults(codec, settings);
  text += length;
  while (*text) {
    const char *option = ++text;
    size_t name_length = strcspn(option, "=,");
    if (option[name_length] != '=')
      return oct_fail(diag, OCT_ERR_ARG, "codec %s: expected OPTION=VALUE, found '%.*s'",
                      codec->name, (int)name_length, option);
    text = option + name_length + 1;
    length = strcspn(text, ",");
    int error = set_by_name(settings, option, name_length, text, &length, &given, diag);
    if (error) return error;
    text += length;
  }
  if (given.stage && !given.level) settings->level = oct_general_default_level(settings->stage);
  if (!given.segment) default_segment(settings);
  int error = oct_general_check(settings->stage, settings->level, diag);
  oct_layout layout;
  if (!error && codec->layout) error = codec->layout(settings, &layout, diag);
  return error ? OCT_ERR_ARG : 0;
}

size_t oct_codec_print(const oct_codec_settings *s, char *text, size_t n) {
  size_t length = 0;
  char part[OCT_CODEC_TEXT_MAX + 64];
  const oct_codec_option *last = NULL;
#define PUT(...)                                                                \
  do {                                                                          \
    int put = snprintf(part, sizeof part, __VA_ARGS__);                         \
    if (length + (size_t)put < n) memcpy(text + length, part, (size_t)put + 1); \
    length += (size_t)put;                                                      \
  } while (0)
  PUT("%s:stage=", s->codec->name);
  char stage[16];
  print_choice(stage, sizeof stage, oct_general_names, (uint64_t)s->stage);
  PUT("%s,level=%d,segment=%" PRIu64 ",group=%" PRIu64, stage, s->level,
      (s->segment_bytes + SEGMENT_MIB_MASK) >> 20, s->group);
  for (unsigned i = 0; i < s->codec->n_options; i++) {
    const oct_codec_option *o = &s->codec->options[i];
    if (o->kind == OCT_OPTION_TEXT) {
      last = o;
    } else if (o->kind == OCT_OPTION_CHOICE) {
      char choice[64];
      print_choice(choice, sizeof choice, o->choices, s->value[i]);
      PUT(",%s=%s", o->name, choice);
    } else {
      PUT(",%s=%" PRIu64, o->name, s->value[i]);
    }
  }
  if (last) PUT(",%s=%s", last->name, s->option_text);
#undef PUT
  return length;
}
