/* SPDX-License-Identifier: Apache-2.0 */
/* oct_codec_head.c - the head of a codec file as lines of text (docs/codec-file.md).
 *
 * A line is `key: value`. Keys that are not known are passed over, so that newer files can say
 * more; codec, version and at least one channel must be there. */
#include <inttypes.h>
#include <stdio.h>

#include "oct_codec_format.h"
#include "oct_codec_plain.h"
#include "oct_module_text.h"
#include "octrace/codec.h"
#include "oct_trace_channels.h"

bool oct_codec_is_file(const uint8_t *bytes, size_t n) {
  const size_t same = OCT_CODEC_MAGIC_BYTES - 1; /* the last byte is the version */
  return n > same && !memcmp(bytes, OCT_CODEC_MAGIC, same) && bytes[same] >= '1' &&
         bytes[same] < '1' + OCT_CODEC_VERSION;
}

void oct_codec_channel_settings(const oct_codec_head *head, unsigned channel,
                                oct_codec_settings *settings) {
  *settings = head->settings;
  if (head->channels[channel].side) settings->codec = &oct_codec_plain;
  /* The tracer's arithmetic coder leaves nothing to the second stage. */
  if (head->settings.codec->takes == OCT_TAKES_TRACE && channel == OCT_CHANNEL_FLOW)
    settings->level = OCT_GENERAL_STORE;
}

static int put_line(oct_buffer *text, const char *key, const char *value) {
  int error = oct_buffer_put(text, key, strlen(key));
  if (!error) error = oct_buffer_put(text, ": ", 2);
  size_t start = text->n_bytes;
  if (!error) error = oct_buffer_put(text, value, strlen(value));
  if (error) return error;
  for (size_t i = start; i < text->n_bytes; i++)
    if (text->bytes[i] < ' ') text->bytes[i] = ' ';
  return oct_buffer_put(text, "\n", 1);
}

int oct_codec_head_print(const oct_codec_head *head, oct_buffer *text) {
  char line[OCT_CODEC_TEXT_MAX + 512];
  oct_codec_print(&head->settings, line, sizeof line);
  int error = put_line(text, "codec", line);
  snprintf(line, sizeof line, "%" PRIu32, head->settings.codec->version);
  if (!error) error = put_line(text, "version", line);
  if (!error)
    error = put_line(text, "content", head->content == OCT_CONTENT_TRACE ? "trace" : "records");
  if (!error && head->apart) error = put_line(text, "streams", "apart");
  for (unsigned i = 0; i < head->n_prefix; i++)
    snprintf(line + 2 * i, sizeof line - 2 * i, "%02x", head->prefix[i]);
  if (!error && head->n_prefix) error = put_line(text, "prefix", line);
  for (unsigned c = 0; !error && c < head->n_channels; c++) {
    const oct_codec_channel *channel = &head->channels[c];
    int n = snprintf(line, sizeof line, "%s %s", channel->name, channel->side ? "side" : "main");
    for (unsigned f = 0; f < channel->layout.n_fields; f++)
      n += snprintf(line + n, sizeof line - (size_t)n, " %u", channel->layout.field_bytes[f]);
    error = put_line(text, "channel", line);
  }
  if (head->content != OCT_CONTENT_TRACE) return error;
  if (!error) error = put_line(text, "isa", head->isa);
  if (!error) error = put_line(text, "origin", head->origin);
  if (!error) error = put_line(text, "command", head->command);
  snprintf(line, sizeof line, "%" PRIu32, head->addr_bits);
  if (!error) error = put_line(text, "addr_bits", line);
  snprintf(line, sizeof line, "%" PRIu32, head->insn_align_bytes);
  if (!error) error = put_line(text, "insn_align_bytes", line);
  return error ? error : oct_buffer_put(text, head->modules, strlen(head->modules));
}

/* A line of a file of code as it stands. */
static int keep_module(const char *value, oct_codec_head *head) {
  oct_module module;
  const size_t at = strlen(head->modules), room = sizeof head->modules - at;
  if (oct_module_parse(value, &module)) return 1;
  if (sizeof OCT_MODULE_KEY ": \n" + strlen(value) <= room)
    snprintf(head->modules + at, room, OCT_MODULE_KEY ": %s\n", value);
  return 0;
}

static int parse_channel(const char *value, oct_codec_head *head) {
  char kind[8];
  int used = 0;
  if (head->n_channels == OCT_CHANNELS_MAX) return 1;
  oct_codec_channel *c = &head->channels[head->n_channels++];
  if (sscanf(value, "%11[a-z] %7[a-z]%n", c->name, kind, &used) != 2) return 1;
  c->side = !strcmp(kind, "side");
  if (!c->side && strcmp(kind, "main")) return 1;
  while (value[used] == ' ') {
    unsigned bytes = 0;
    int n = 0;
    if (c->layout.n_fields == OCT_LAYOUT_FIELDS_MAX) return 1;
    if (sscanf(value + used, " %1u%n", &bytes, &n) != 1) return 1;
    c->layout.field_bytes[c->layout.n_fields++] = (uint8_t)bytes;
    used += n;
  }
  return !value[used] && oct_layout_bytes(&c->layout) ? 0 : 1;
}

static int parse_prefix(const char *value, oct_codec_head *head) {
  size_t digits = strspn(value, "0123456789abcdef");
  if (value[digits] || digits % 2 || digits > 2 * OCT_CODEC_PREFIX_MAX) return 1;
  for (size_t i = 0; i < digits; i += 2) {
    unsigned byte = 0;
    sscanf(value + i, "%2x", &byte);
    head->prefix[head->n_prefix++] = (uint8_t)byte;
  }
  return 0;
}

static int parse_content(const char *value, oct_codec_head *head) {
  bool trace = !strcmp(value, "trace");
  head->content = trace ? OCT_CONTENT_TRACE : OCT_CONTENT_RECORDS;
  return trace || !strcmp(value, "records") ? 0 : 1;
}

static int parse_number(const char *value, uint32_t max, uint32_t *number) {
  unsigned long v = 0;
  int used = 0;
  if (sscanf(value, "%9lu%n", &v, &used) != 1 || value[used] || v > max) return 1;
  *number = (uint32_t)v;
  return 0;
}

/* 0, 1 for a value that the key cannot have, or an error, with *diag. */
static int parse_line(const char *key, const char *value, oct_codec_head *head, oct_diag *diag) {
  uint32_t version = 0;
  if (!strcmp(key, "codec")) {
    int error = oct_codec_parse(value, &head->settings, diag);
    return error == OCT_ERR_ARG ? OCT_ERR_UNSUPPORTED : error;
  }
  if (!strcmp(key, "version")) {
    if (parse_number(value, UINT32_MAX, &version)) return 1;
    const oct_codec *codec = head->settings.codec;
    if (codec && version <= codec->version && version >= codec->oldest_version) return 0;
    if (codec && version < codec->oldest_version)
      return oct_fail(diag, OCT_ERR_UNSUPPORTED,
                      "version %" PRIu32 " of this codec is no longer read, only %" PRIu32
                      " on: make the file anew",
                      version, codec->oldest_version);
    return oct_fail(diag, OCT_ERR_UNSUPPORTED, "version %" PRIu32 " of this codec is not known",
                    version);
  }
  if (!strcmp(key, "content")) return parse_content(value, head);
  if (!strcmp(key, "prefix")) return parse_prefix(value, head);
  if (!strcmp(key, "streams")) {
    head->apart = !strcmp(value, "apart");
    return head->apart ? 0 : 1;
  }
  if (!strcmp(key, "channel")) return parse_channel(value, head);
  if (!strcmp(key, OCT_MODULE_KEY)) return keep_module(value, head);
  if (!strcmp(key, "addr_bits")) return parse_number(value, 64, &head->addr_bits);
  if (!strcmp(key, "insn_align_bytes")) return parse_number(value, 8, &head->insn_align_bytes);
  if (!strcmp(key, "isa")) snprintf(head->isa, sizeof head->isa, "%s", value);
  if (!strcmp(key, "origin")) snprintf(head->origin, sizeof head->origin, "%s", value);
  if (!strcmp(key, "command")) snprintf(head->command, sizeof head->command, "%s", value);
  return 0;
}

int oct_codec_head_parse(const char *text, size_t n, oct_codec_head *head, oct_diag *diag) {
  char line[OCT_CODEC_HEAD_MAX + 1];
  bool versioned = false;
  memset(head, 0, sizeof *head);
  while (n) {
    const char *end = memchr(text, '\n', n);
    size_t length = end ? (size_t)(end - text) : 0;
    memcpy(line, text, length);
    line[length] = '\0';
    char *value = end ? strstr(line, ": ") : NULL;
    if (!value) return oct_fail(diag, OCT_ERR_FORMAT, "head: expected a line 'key: value'");
    *value = '\0';
    int error = parse_line(line, value + 2, head, diag);
    if (error > 0) return oct_fail(diag, OCT_ERR_FORMAT, "head: '%s' has a bad value", line);
    if (error) return oct_fail(diag, error, "head: %s", oct_diag_reason(diag).text);
    versioned |= !strcmp(line, "version");
    text += length + 1;
    n -= length + 1;
  }
  if (!head->settings.codec || !versioned || !head->n_channels)
    return oct_fail(diag, OCT_ERR_FORMAT, "head: expected codec, version and channel");
  if (head->content == OCT_CONTENT_RECORDS && head->n_channels != 1)
    return oct_fail(diag, OCT_ERR_FORMAT, "head: a record file has one channel");
  return 0;
}
