/* SPDX-License-Identifier: Apache-2.0 */
/* oct_container.c - writes containers (docs/container-format.md).
 *
 * Bits and map updates are gathered side by side; when either buffer is full both go out, the
 * updates first. So every update stands before the bits that need it, and chunks stay large however
 * the two are mixed. Of a program that stands apart, the buffer of updates begins with room for
 * their checksum.
 *
 * The head is written in front of the first chunks: with a checksum of what they hold in its text,
 * two files have different heads. The checksum of the head goes into that of each chunk, so no
 * chunk of another file is taken for one of this. */
#include "octrace/container.h"

#include "oct_addr_set.h"
#include "oct_container_format.h"
#include "oct_container_update.h"
#include "oct_memory_file.h"
#include "octrace/error.h"

#include <inttypes.h>
#include <stdlib.h>
#include <xxhash.h>
#include <zstd.h>

#define BITS_CHUNK_BYTES 65536
#define MAP_CHUNK_BYTES 262144
#define ZSTD_LEVEL 9

/* The last line of the head's text. */
#define FILE_LINE "file: %016" PRIx64 "\n"
#define FILE_LINE_BYTES 23

struct oct_container_writer {
  oct_outfile *file;
  char *path;
  oct_memory_file head;
  int is_begun; /* the head was written */
  uint8_t *bits, *map, *packed;
  size_t n_bits_bytes, n_map_bytes, packed_cap_bytes;
  unsigned map_kind;    /* of its map chunks */
  oct_program *program; /* that stands apart, or NULL */
  XXH64_state_t *hash;  /* of the updates in map, in full */
  oct_update_place full_at;
  oct_addr_set addrs; /* of all updates so far: what is there changes */
  uint64_t n_changes;
  uint64_t head_sum, chunk_number;
  uint64_t last_sum; /* the checksum of the chunk before, or that of the head */
  uint64_t port_bytes, map_bytes;
  uint64_t last_from; /* over the file */
  oct_update_place at;
};

static const char *shown_path(const char *path) {
  return strcmp(path, "-") == 0 ? "standard output" : path;
}

/* Each parameter by its name: "param." where a program that does not know it must not go on,
 * "hint." where not to know it is as good. */
static void put_params(FILE *out, const oct_tracer *t, const uint32_t *params) {
  fprintf(out, "tracer: %s\ntracer_version: %u\n", t->name, t->version);
  for (unsigned i = 0; i < t->n_params; i++)
    fprintf(out, "%s.%s: %u\n", params[i] == t->params[i].absent ? "hint" : "param",
            t->params[i].name, params[i]);
}

/* The text of the head, but for its last line, which is not known yet. */
static int make_head(oct_container_writer *w, const oct_tracer *t, const uint32_t *params,
                     const oct_container_info *info, oct_diag *diag) {
  static const char *const keys[] = {"isa", "origin", "command"};
  const char *const values[] = {info->isa, info->origin, info->command};
  if (oct_memory_file_open(&w->head))
    return oct_fail_in(diag, OCT_ERR_NOMEM, shown_path(w->path), "no memory for the header");
  FILE *out = w->head.file;
  fprintf(out, OCT_CONTAINER_MAGIC "%d", OCT_CONTAINER_VERSION);
  fwrite("\0\0\0", 1, 4, out);
  put_params(out, t, params);
  for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++) {
    fprintf(out, "%s: ", keys[i]);
    oct_container_put_text(out, values[i] ? values[i] : "");
  }
  if (info->insn_align_bytes) fprintf(out, "insn_align_bytes: %u\n", info->insn_align_bytes);
  if (info->addr_bits) fprintf(out, "trace_addr_bits: %u\n", info->addr_bits);
  if (info->program) oct_container_put_images(out, info->program);
  fprintf(out, FILE_LINE, UINT64_C(0));
  if (oct_memory_file_close(&w->head))
    return oct_fail_in(diag, OCT_ERR_NOMEM, shown_path(w->path), "no memory for the header");
  size_t length = w->head.text.n_bytes - OCT_CONTAINER_MAGIC_BYTES - 4;
  if (length > OCT_CONTAINER_TEXT_MAX_BYTES)
    return oct_fail_in(diag, OCT_ERR_LIMIT, shown_path(w->path),
                       "header text of %zu bytes, at most %d fit", length,
                       OCT_CONTAINER_TEXT_MAX_BYTES);
  oct_put_u32(w->head.text.bytes + OCT_CONTAINER_MAGIC_BYTES, (uint32_t)length);
  return 0;
}

/* Write the head, in front of the first chunks, by whose contents it tells files apart. */
static int put_head(oct_container_writer *w, oct_diag *diag) {
  char line[FILE_LINE_BYTES + 1];
  uint8_t hash[8];
  const oct_buffer *head = &w->head.text;
  if (w->is_begun) return 0;
  w->is_begun = 1;
  snprintf(line, sizeof line, FILE_LINE,
           XXH64(w->map, w->n_map_bytes, XXH64(w->bits, w->n_bits_bytes, 0)));
  memcpy(head->bytes + head->n_bytes - FILE_LINE_BYTES, line, FILE_LINE_BYTES);
  w->head_sum = w->last_sum = XXH64(head->bytes, head->n_bytes, 0);
  oct_put_u64(hash, w->head_sum);
  int r = oct_outfile_write(w->file, head->bytes, head->n_bytes, diag);
  return r ? r : oct_outfile_write(w->file, hash, sizeof hash, diag);
}

static void free_writer(oct_container_writer *w) {
  oct_addr_set_free(&w->addrs);
  free(w->path);
  oct_buffer_free(&w->head.text);
  free(w->bits);
  free(w->map);
  free(w->packed);
  XXH64_freeState(w->hash);
  free(w);
}

int oct_container_create(const char *path, const oct_tracer *tracer, const uint32_t *params,
                         const oct_container_info *info, oct_container_writer **out,
                         oct_diag *diag) {
  *out = NULL;
  int r = oct_tracer_check(tracer, params, diag);
  if (r) return r;
  if (!oct_container_align_ok(info->insn_align_bytes) ||
      !oct_container_addr_bits_ok(info->addr_bits))
    return oct_fail_in(
        diag, OCT_ERR_ARG, shown_path(path),
        "a trace of %u-bit addresses aligned to %u bytes: expected 32 or 64, and 1, 2, 4 or 8",
        info->addr_bits, info->insn_align_bytes);
  oct_container_writer *w = calloc(1, sizeof *w);
  if (!w) return oct_fail_in(diag, OCT_ERR_NOMEM, path, "out of memory");
  w->map_kind = tracer->needs_code  ? OCT_CONTAINER_CODE
                : tracer->needs_ops ? OCT_CONTAINER_OPS
                                    : OCT_CONTAINER_MAP;
  w->program = info->program;
  w->packed_cap_bytes = ZSTD_compressBound(MAP_CHUNK_BYTES);
  w->path = strdup(path);
  w->bits = malloc(BITS_CHUNK_BYTES);
  w->map = malloc(MAP_CHUNK_BYTES);
  w->packed = malloc(w->packed_cap_bytes);
  w->hash = XXH64_createState();
  if (!w->path || !w->bits || !w->map || !w->packed || !w->hash)
    r = oct_fail_in(diag, OCT_ERR_NOMEM, path, "out of memory");
  else
    r = oct_outfile_open(path, &w->file, diag);
  if (!r) r = make_head(w, tracer, params, info, diag);
  if (r) {
    oct_container_abort(w);
    return r;
  }
  *out = w;
  return 0;
}

static int put_chunk(oct_container_writer *w, uint8_t kind, uint8_t codec, const uint8_t *payload,
                     size_t stored_bytes, size_t raw_bytes, oct_diag *diag) {
  uint8_t header[OCT_CONTAINER_CHUNK_HEADER_BYTES] = {kind, codec};
  oct_put_u32(header + 4, (uint32_t)stored_bytes);
  oct_put_u32(header + 8, (uint32_t)raw_bytes);
  oct_put_u64(header + OCT_CONTAINER_BEFORE_AT, w->last_sum);
  if (oct_container_sum(header, sizeof header, payload, stored_bytes,
                        w->head_sum + w->chunk_number++, &w->last_sum))
    return oct_fail_in(diag, OCT_ERR_NOMEM, shown_path(w->path), "out of memory");
  oct_put_u64(header + sizeof header - OCT_CONTAINER_SUM_BYTES, w->last_sum);
  int r = oct_outfile_write(w->file, header, sizeof header, diag);
  return r ? r : oct_outfile_write(w->file, payload, stored_bytes, diag);
}

static int put_buffers(oct_container_writer *w, oct_diag *diag) {
  if (w->n_map_bytes && w->program) oct_put_u64(w->map, XXH64_digest(w->hash));
  int r = put_head(w, diag);
  if (!r && w->n_map_bytes) {
    size_t packed =
        ZSTD_compress(w->packed, w->packed_cap_bytes, w->map, w->n_map_bytes, ZSTD_LEVEL);
    if (ZSTD_isError(packed))
      return oct_fail_in(diag, OCT_ERR_NOMEM, shown_path(w->path), "out of memory");
    int is_smaller = packed < w->n_map_bytes;
    size_t stored = is_smaller ? packed : w->n_map_bytes;
    r = put_chunk(w, (uint8_t)w->map_kind, is_smaller ? OCT_CONTAINER_ZSTD : OCT_CONTAINER_RAW,
                  is_smaller ? w->packed : w->map, stored, w->n_map_bytes, diag);
    w->map_bytes += stored + OCT_CONTAINER_CHUNK_HEADER_BYTES;
    w->n_map_bytes = 0;
    w->at = w->full_at = (oct_update_place){0};
  }
  if (!r && w->n_bits_bytes) {
    r = put_chunk(w, OCT_CONTAINER_BITS, OCT_CONTAINER_RAW, w->bits, w->n_bits_bytes,
                  w->n_bits_bytes, diag);
    w->port_bytes += w->n_bits_bytes;
    w->n_bits_bytes = 0;
  }
  return r;
}

void oct_container_keep_ops(oct_container_writer *w) {
  if (w->map_kind == OCT_CONTAINER_MAP) w->map_kind = OCT_CONTAINER_OPS;
}

/* Write u behind those before it in the chunk. */
static void put_update(oct_container_writer *w, const oct_map_update *u) {
  uint8_t *out = w->map + w->n_map_bytes, full[OCT_CONTAINER_UPDATE_MAX_BYTES];
  if (!w->program) {
    w->n_map_bytes += oct_container_pack_update(out, u, w->map_kind, &w->at);
    return;
  }
  if (!w->n_map_bytes) {
    XXH64_reset(w->hash, 0);
    w->n_map_bytes = OCT_CONTAINER_MAP_HASH_BYTES;
    out += OCT_CONTAINER_MAP_HASH_BYTES;
  }
  XXH64_update(w->hash, full, oct_container_pack_update(full, u, w->map_kind, &w->full_at));
  size_t n = oct_container_pack_address(out, u, w->map_kind, w->program, &w->at);
  w->n_map_bytes += n ? n : oct_container_pack_update(out, u, w->map_kind, &w->at);
}

int oct_container_put_map(oct_container_writer *w, const oct_map_update *updates, size_t n,
                          oct_diag *diag) {
  for (size_t i = 0; i < n; i++) {
    const oct_map_entry *e = &updates[i].entry;
    uint64_t from = updates[i].from_insn;
    if (from < w->last_from || !e->size_bytes || e->size_bytes > 15 || e->flags > 7 ||
        e->cls >= OCT_CLASS_COUNT)
      return oct_fail_in(diag, OCT_ERR_ARG, shown_path(w->path),
                         "map update of 0x%llx does not fit the format",
                         (unsigned long long)e->addr);
    if (w->n_map_bytes + OCT_CONTAINER_MAP_HASH_BYTES + OCT_CONTAINER_UPDATE_MAX_BYTES >
        MAP_CHUNK_BYTES) {
      int r = put_buffers(w, diag);
      if (r) return r;
    }
    put_update(w, &updates[i]);
    w->last_from = from;
    int is_new = oct_addr_set_put(&w->addrs, e->addr);
    if (is_new < 0) return oct_fail_in(diag, is_new, shown_path(w->path), "out of memory");
    w->n_changes += !is_new;
  }
  return 0;
}

int oct_container_put_bits(oct_container_writer *w, const uint8_t *bytes, size_t n,
                           oct_diag *diag) {
  while (n) {
    size_t part = BITS_CHUNK_BYTES - w->n_bits_bytes;
    if (part > n) part = n;
    memcpy(w->bits + w->n_bits_bytes, bytes, part);
    w->n_bits_bytes += part;
    bytes += part;
    n -= part;
    if (w->n_bits_bytes == BITS_CHUNK_BYTES) {
      int r = put_buffers(w, diag);
      if (r) return r;
    }
  }
  return 0;
}

int oct_container_commit(oct_container_writer *w, const oct_container_totals *totals,
                         oct_diag *diag) {
  int r = put_buffers(w, diag);
  if (!r) {
    const uint64_t fields[] = {totals->insns,         totals->accesses, totals->lost_insns,
                               totals->lost_accesses, w->port_bytes,    w->map_bytes,
                               w->n_changes};
    uint8_t end[OCT_CONTAINER_END_BYTES];
    for (unsigned i = 0; i < sizeof fields / sizeof *fields; i++)
      oct_put_u64(end + 8 * i, fields[i]);
    r = put_chunk(w, OCT_CONTAINER_END, OCT_CONTAINER_RAW, end, sizeof end, sizeof end, diag);
  }
  if (r) {
    oct_container_abort(w);
    return r;
  }
  r = oct_outfile_commit(w->file, diag);
  free_writer(w);
  return r;
}

void oct_container_abort(oct_container_writer *w) {
  if (!w) return;
  oct_outfile_abort(w->file);
  free_writer(w);
}
