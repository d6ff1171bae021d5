/* SPDX-License-Identifier: Apache-2.0 */
/* oct_reader.c - what all trace readers share: recognition, batches, skipping, errors in order. */
#include "oct_reader_format.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const format_names[OCT_FORMAT_COUNT] = {"auto",  "native", "text",
                                                           "bin32", "bin64",  "simplescalar"};

const char *oct_format_name(oct_format format) {
  return (unsigned)format < OCT_FORMAT_COUNT ? format_names[format] : "unknown";
}

int oct_format_by_name(const char *name) {
  for (int f = 0; f < OCT_FORMAT_COUNT; f++)
    if (!strcmp(name, format_names[f])) return f;
  return OCT_ERR_ARG;
}

static int contains(const uint8_t *p, size_t n, const char *word) {
  size_t length = strlen(word);
  return n >= length && memmem(p, n, word, length) != NULL;
}

/* Pairs of 64 bits: no instruction address uses its upper 16 bits. */
static int looks_bin64(const uint8_t *p, size_t n) {
  for (size_t i = 0; i + 16 <= n; i += 16)
    if ((p[i + 6] || p[i + 7]) && memcmp(p + i, "\xff\xff\xff\xff\xff\xff\xff\xff", 8)) return 0;
  return n >= 16;
}

/* Pairs of 32 bits: the upper halves of neighbouring instruction addresses agree far more often
 * than chance has it. */
static int looks_bin32(const uint8_t *p, size_t n) {
  size_t n_records = n / 8, agree = 0;
  for (size_t i = 1; i < n_records; i++)
    agree +=
        !memcmp(p + i * 8 + 2, p + (i - 1) * 8 + 2, 2) || !memcmp(p + i * 8 + 2, "\xff\xff", 2);
  return n_records > 0 && agree * 2 >= n_records - 1;
}

static int recognise(oct_reader *r, oct_diag *diag) {
  const uint8_t *p;
  int64_t got = oct_input_peek(r->in, 4096, &p, diag);
  size_t n = (size_t)got, printable = 0;
  if (got < 0) {
    /* Damage within the first bytes: go by those before it, which are to be delivered. */
    int rc = (int)got;
    oct_diag ignored;
    if ((got = oct_input_peek(r->in, 1, &p, &ignored)) <= 0) return rc;
    n = (size_t)got;
  }
  if (!n)
    return oct_fail(diag, OCT_ERR_FORMAT, "%s: offset 0: empty, expected a trace",
                    oct_input_name(r->in));
  if (n >= 8 && !memcmp(p, "OCTRACE1", 8)) return OCT_FORMAT_NATIVE;
  if (n > 4096) n = 4096;
  for (size_t i = 0; i < n; i++) printable += isprint(p[i]) || isspace(p[i]);
  if (printable == n) {
    if (contains(p, n, "SimpleScalar") || contains(p, n, "[xor: 0x"))
      return OCT_FORMAT_SIMPLESCALAR;
    return OCT_FORMAT_TEXT;
  }
  if (contains(p, n, "SimpleScalar/PISA")) return OCT_FORMAT_SIMPLESCALAR;
  if (looks_bin64(p, n)) return OCT_FORMAT_BIN64;
  if (looks_bin32(p, n)) return OCT_FORMAT_BIN32;
  char found[3 * 8 + 1];
  for (size_t i = 0; i < 8 && i < n; i++) snprintf(found + 3 * i, 4, " %02x", p[i]);
  return oct_fail(diag, OCT_ERR_FORMAT,
                  "%s: offset 0: expected a trace (native, text, simplescalar, or bin32 or bin64, "
                  "which may have to be named), found bytes%s",
                  oct_input_name(r->in), found);
}

int oct_reader_open(const char *path, const oct_read_options *options, oct_reader **reader,
                    oct_diag *diag) {
  oct_reader *r = calloc(1, sizeof *r);
  oct_diag local;
  int rc, format = options ? (int)options->format : OCT_FORMAT_AUTO;
  *reader = NULL;
  if (!diag) diag = &local;
  if (format < 0 || format >= OCT_FORMAT_COUNT) {
    free(r);
    return oct_fail(diag, OCT_ERR_ARG, "%s: unknown format number %d", path, format);
  }
  if (r) r->insns = malloc(OCT_BATCH_INSNS * sizeof *r->insns);
  if (!r || !r->insns) {
    free(r);
    return oct_fail(diag, OCT_ERR_NOMEM, "%s: out of memory", path);
  }
  if ((rc = oct_input_open(path, &r->in, diag))) goto fail;
  if (format == OCT_FORMAT_AUTO && (rc = format = recognise(r, diag)) < 0) goto fail;
  r->info.format = (oct_format)format;
  r->info.isa = r->info.origin = r->info.command = "unknown";
  r->info.addr_bits = format == OCT_FORMAT_BIN64 ? 64 : 32;
  r->info.insn_align_bytes = 1;
  if (format != OCT_FORMAT_NATIVE) {
    uint32_t bytes = options && options->insn_bytes ? options->insn_bytes : 4;
    if (bytes > 15) {
      rc = oct_fail(diag, OCT_ERR_ARG, "%s: instructions of %u bytes: expected 1 to 15", path,
                    bytes);
      goto fail;
    }
    r->info.default_insn_bytes = bytes;
  }
  r->ops = format == OCT_FORMAT_NATIVE         ? &oct_native_reader
           : format == OCT_FORMAT_TEXT         ? &oct_text_reader
           : format == OCT_FORMAT_SIMPLESCALAR ? &oct_simplescalar_reader
                                               : &oct_bin_reader;
  if (r->ops->open && (rc = r->ops->open(r, diag))) goto fail;
  *reader = r;
  return 0;
fail:
  oct_reader_close(r);
  return rc;
}

const oct_trace_info *oct_reader_info(const oct_reader *reader) {
  return &reader->info;
}

int oct_reader_next(oct_reader *r, oct_batch *batch, oct_diag *diag) {
  memset(batch, 0, sizeof *batch);
  r->n_map = 0;
  for (;;) {
    size_t skip, accesses = 0;
    if (r->error.error) {
      if (diag) *diag = r->error;
      return r->error.error;
    }
    if (r->ended) return 0;
    r->n_insns = r->n_accesses = 0;
    int rc = r->ops->fill(r, &r->error);
    r->ended = rc == 0;
    skip = r->n_skip < r->n_insns ? (size_t)r->n_skip : r->n_insns;
    r->n_skip -= skip;
    if (skip == r->n_insns) continue;
    for (size_t i = 0; i < skip; i++) accesses += r->insns[i].n_access;
    batch->insns = r->insns + skip;
    batch->n_insns = r->n_insns - skip;
    batch->accesses = r->accesses ? r->accesses + accesses : NULL;
    batch->n_accesses = r->n_accesses - accesses;
    batch->map = r->map;
    batch->n_map = r->n_map;
    return 1;
  }
}

int oct_reader_skip(oct_reader *reader, uint64_t n_insns, oct_diag *diag) {
  (void)diag; /* the work is left to the next fill, which reports what goes wrong */
  reader->n_skip = reader->n_skip > UINT64_MAX - n_insns ? UINT64_MAX : reader->n_skip + n_insns;
  return 0;
}

uint64_t oct_reader_bytes_read(const oct_reader *reader) {
  return oct_input_bytes_read(reader->in);
}

uint64_t oct_reader_bytes_total(const oct_reader *reader) {
  return oct_input_bytes_total(reader->in);
}

void oct_reader_close(oct_reader *r) {
  if (!r) return;
  if (r->ops && r->ops->close) r->ops->close(r);
  oct_input_close(r->in);
  free(r->isa);
  free(r->origin);
  free(r->command);
  free(r->insns);
  free(r->accesses);
  free(r->map);
  free(r);
}

int oct_reader_room_accesses(oct_reader *r, size_t n, oct_diag *diag) {
  size_t room = r->room_accesses ? r->room_accesses : 65536;
  if (n <= r->room_accesses) return 0;
  while (room < n) room *= 2;
  oct_access *p = realloc(r->accesses, room * sizeof *p);
  if (!p) return oct_fail(diag, OCT_ERR_NOMEM, "%s: out of memory", oct_input_name(r->in));
  r->accesses = p;
  r->room_accesses = room;
  return 0;
}

int oct_reader_add_access(oct_reader *r, uint64_t addr, unsigned size_bytes, int is_store,
                          oct_diag *diag) {
  int rc = oct_reader_room_accesses(r, r->n_accesses + 1, diag);
  if (rc) return rc;
  if (r->insns[r->n_insns - 1].n_access == UINT16_MAX)
    return oct_fail(diag, OCT_ERR_LIMIT, "%s: offset %llu: an instruction of over 65535 accesses",
                    oct_input_name(r->in), (unsigned long long)oct_input_offset(r->in));
  r->accesses[r->n_accesses++] = (oct_access){addr, (uint8_t)size_bytes, is_store != 0};
  r->insns[r->n_insns - 1].n_access++;
  return 0;
}

int oct_reader_add_map(oct_reader *r, const oct_map_entry *entry, oct_diag *diag) {
  if (r->n_map == r->room_map) {
    size_t room = r->room_map ? r->room_map * 2 : 1024;
    oct_map_entry *p = realloc(r->map, room * sizeof *p);
    if (!p) return oct_fail(diag, OCT_ERR_NOMEM, "%s: out of memory", oct_input_name(r->in));
    r->map = p;
    r->room_map = room;
  }
  r->map[r->n_map++] = *entry;
  return 0;
}

oct_insn *oct_reader_add_insn(oct_reader *r, uint64_t addr, unsigned size_bytes) {
  oct_insn *insn = &r->insns[r->n_insns++];
  *insn = (oct_insn){.addr = addr, .size_bytes = (uint8_t)size_bytes};
  return insn;
}
