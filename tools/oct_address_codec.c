/* SPDX-License-Identifier: Apache-2.0 */
/* oct_address_codec.c - addresses from a file of a software codec: its records, or its trace. */
#include "oct_address_open.h"

#include <stdlib.h>
#include <string.h>

#include "oct_codec_cli.h"
#include "octrace/codec.h"

typedef struct codec_addresses {
  FILE *file;
  oct_codec_reader *reader;
  oct_trace_join *join; /* of a trace */
  oct_codec_parts parts;
  size_t record_bytes; /* of records */
  uint8_t records[12 * 4096];
} codec_addresses;

static void codec_close(void *state) {
  codec_addresses *c = state;
  oct_trace_join_free(c->join);
  oct_codec_reader_free(c->reader);
  oct_codec_parts_close(&c->parts);
  if (c->file != stdin) fclose(c->file);
  free(c);
}

/* The address of a record is its last field. */
static int64_t codec_read(void *state, uint64_t *addrs, size_t n, oct_diag *diag) {
  codec_addresses *c = state;
  const size_t room = sizeof c->records / c->record_bytes;
  int64_t got = oct_codec_reader_get(c->reader, 0, c->records, n < room ? n : room, diag);
  for (int64_t i = 0; i < got; i++)
    memcpy(&addrs[i], c->records + (size_t)(i + 1) * c->record_bytes - 8, 8);
  return got;
}

static int codec_next(void *state, oct_batch *batch, oct_diag *diag) {
  codec_addresses *c = state;
  return oct_trace_join_next(c->join, batch, diag);
}

static int open_content(codec_addresses *c, unsigned kinds, oct_addresses *a, oct_diag *diag) {
  const oct_codec_head *head = oct_codec_reader_head(c->reader);
  const oct_layout *layout = &head->channels[0].layout;
  if (head->content == OCT_CONTENT_TRACE) {
    int error = oct_trace_join_new(c->reader, &c->join, diag);
    const oct_batches batches = {codec_next, codec_close, c};
    return error ? error : oct_addresses_of_batches(&batches, kinds, a, diag);
  }
  if (!oct_layout_equal(layout, &oct_layout_addr64) && !oct_layout_equal(layout, &oct_layout_pc_ed))
    return oct_fail(diag, OCT_ERR_FORMAT,
                    "expected 64-bit addresses, (PC, address) records or a trace in the file of "
                    "a codec, found records of %zu byte%s",
                    oct_layout_bytes(layout), OCT_S(oct_layout_bytes(layout)));
  c->record_bytes = oct_layout_bytes(layout);
  *a = (oct_addresses){codec_read, codec_close, c};
  return 0;
}

int oct_address_codec(FILE *file, const char *path, const oct_address_options *options,
                      oct_addresses *a, oct_diag *diag) {
  const oct_source_bytes source = oct_codec_file_source(file);
  codec_addresses *c = calloc(1, sizeof *c);
  if (!c) {
    if (file != stdin) fclose(file);
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  }
  c->file = file;
  int error = oct_codec_reader_new(&source, 1, &c->reader, diag);
  if (!error) oct_codec_limit(c->reader, &options->limits);
  if (!error && oct_codec_reader_head(c->reader)->apart)
    error = oct_codec_parts_open(&c->parts, path, c->reader, diag);
  if (!error) error = open_content(c, options->kinds, a, diag);
  if (error) codec_close(c);
  return error;
}
