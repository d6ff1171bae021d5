/* SPDX-License-Identifier: Apache-2.0 */
/* oct_container.c - writes, reads and salvages containers (docs/container-format.md).
 *
 * The writer gathers bits and map updates side by side; when either buffer is full both go out, the
 * updates and gaps first. So every update is before the bits that need it, and chunks stay large
 * however the two are mixed. The head is written in front of the first chunks: with a checksum of
 * what they hold in its text, two files have different heads. The checksum of the head goes into
 * that of each chunk, so no chunk of another file is taken for one of this.
 *
 * The program's own file gives an instruction's whole update but for its place in the trace. Such
 * an update is its address alone, and the chunk begins with the checksum of its updates in full:
 * the reader takes the rest from the file that it was given, and sees whether that is what the
 * writer saw.
 *
 * The reader believes nothing of a chunk before its checksum, and no size allocates more than the
 * format's limits. The head is text, a pair of key and value a line; parameters are known by name
 * and those left out have their defaults. Then chunks follow, each with kind, length and checksum:
 * port bytes, map entries, gaps, and the end with its totals.
 *
 * Salvage finds the next whole chunk after damage, by its checksum: whatever the damage was, a
 * payload, a size, or chunks that are gone. Every byte is tried as the first one of a chunk header.
 * A header has few legal kinds and sizes, so that most tries end there. The checksum of the chunk
 * decides the others; it depends on the number of the chunk, so the next numbers are tried, as many
 * as damage may have left out. Bytes that are made to look like headers would take time with the
 * square of their number: what is read and hashed without success is bounded. The chunk that is
 * gone may have held a change of the program map. The end has how many bytes of map, and how many
 * changes, there were. */
#define XXH_STATIC_LINKING_ONLY /* a hash state on the stack */
#include "octrace/container.h"

#include "oct_addr_set.h"
#include "oct_chain.h"
#include "oct_checksum.h"
#include "oct_container_format.h"
#include "oct_container_reader.h"
#include "oct_grow.h"
#include "oct_infile.h"
#include "oct_input.h"
#include "oct_memory_file.h"
#include "oct_module_text.h"
#include "oct_plural.h"
#include "octrace/error.h"
#include "octrace/trace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <xxhash.h>
#include <zstd.h>
#include <zstd_errors.h>

#define BITS_CHUNK_BYTES 65536
#define MAP_CHUNK_BYTES 262144
#define GAPS_CHUNK_BYTES 16384
#define ZSTD_LEVEL 9

/* The last line of the head's text. */
#define FILE_LINE "file: %016" PRIx64 "\n"
#define FILE_LINE_BYTES 23
#define HEAD_BEFORE_TEXT_BYTES (OCT_CONTAINER_MAGIC_BYTES + 4)

/* Where the updates of a chunk are: the differences are against these. All 0 at its begin. */
typedef struct update_place {
  uint64_t from, addr;
} update_place;

/* In place of an update's form where the program has the update: whether the code is Thumb. */
enum { FROM_PROGRAM = 0, FROM_THUMB = 16 };

static uint8_t *put_place(uint8_t *p, const oct_map_update *u, const update_place *at) {
  p = oct_leb128_put(p, u->from_insn - at->from);
  return oct_leb128_put(p, oct_fold_sign(u->entry.addr - at->addr));
}

static void move(update_place *at, const oct_map_update *u) {
  at->from = u->from_insn;
  at->addr = u->entry.addr + u->entry.size_bytes;
}

/* All but its place. */
static uint8_t *put_entry(uint8_t *p, const oct_map_entry *e, unsigned kind) {
  unsigned n_slot_bytes = OCT_SLOTS_MAX;
  while (n_slot_bytes && !e->slots[n_slot_bytes - 1]) n_slot_bytes--;
  *p++ = (uint8_t)(e->size_bytes | e->flags << 4 | (e->target ? 128 : 0));
  *p++ = (uint8_t)(e->cls | n_slot_bytes << 3);
  *p++ = e->n_slots;
  if (e->target) p = oct_leb128_put(p, oct_fold_sign(e->target - e->addr));
  memcpy(p, e->slots, n_slot_bytes);
  p += n_slot_bytes;
  if (kind != OCT_CONTAINER_MAP) p += oct_effect_pack(p, &e->op);
  if (kind != OCT_CONTAINER_CODE) return p;
  *p++ = e->code_isa;
  if (e->code_isa) memcpy(p, e->code, e->size_bytes);
  return e->code_isa ? p + e->size_bytes : p;
}

/* Write u in full, its effect and its bytes where the chunk's kind has them; at most
 * OCT_CONTAINER_UPDATE_MAX_BYTES. Returns how many, and moves *at. */
static size_t pack_update(uint8_t *out, const oct_map_update *u, unsigned kind, update_place *at) {
  uint8_t *p = put_entry(put_place(out, u, at), &u->entry, kind);
  move(at, u);
  return (size_t)(p - out);
}

/* Write u as an address if the program has all the rest of it: how many bytes, and moves *at; else
 * 0. */
static size_t pack_address(uint8_t *out, const oct_map_update *u, unsigned kind,
                           oct_program *program, update_place *at) {
  uint8_t want[OCT_CONTAINER_UPDATE_MAX_BYTES], has[OCT_CONTAINER_UPDATE_MAX_BYTES];
  const size_t n = (size_t)(put_entry(want, &u->entry, kind) - want);
  oct_map_entry e;
  const int n_states = oct_program_isa(program) == OCT_ISA_ARM ? 2 : 1;
  for (int is_thumb = 0; is_thumb < n_states; is_thumb++) {
    if (!oct_program_insn_as(program, u->entry.addr, is_thumb, &e)) continue;
    if ((size_t)(put_entry(has, &e, kind) - has) != n || memcmp(has, want, n) != 0) continue;
    uint8_t *p = put_place(out, u, at);
    *p++ = is_thumb ? FROM_THUMB : FROM_PROGRAM;
    move(at, u);
    return (size_t)(p - out);
  }
  return 0;
}

/* The checksum of n updates of a chunk, in full. */
static uint64_t hash_updates(const oct_map_update *u, size_t n, unsigned kind) {
  uint8_t bytes[OCT_CONTAINER_UPDATE_MAX_BYTES];
  update_place at = {0};
  XXH64_state_t hash;
  XXH64_reset(&hash, 0);
  for (size_t i = 0; i < n; i++) XXH64_update(&hash, bytes, pack_update(bytes, &u[i], kind, &at));
  return XXH64_digest(&hash);
}

/* Text of the head up to its newline: control characters are blanks there. */
static void put_text(FILE *out, const char *text) {
  for (const char *p = text; *p; p++)
    fputc((unsigned char)*p < ' ' || *p == '\x7f' ? ' ' : *p, out);
  fputc('\n', out);
}

/* The lines of the head that name the files of a program. */
static void put_images(FILE *out, const oct_program *program) {
  const oct_program_image *image = oct_program_images(program);
  for (size_t i = 0; i < oct_program_n_images(program); i++) {
    fprintf(out, "program: %016" PRIx64 " %" PRIx64 " ", image[i].hash, image[i].bias);
    put_text(out, image[i].path);
  }
}

/* The writer. */

struct oct_container_writer {
  oct_outfile *file;
  char *path;
  oct_memory_file head;
  int is_begun; /* the head was written */
  uint8_t *bits, *map, *packed, *gaps;
  size_t n_bits_bytes, n_map_bytes, packed_cap_bytes, n_gaps_bytes;
  uint64_t gaps_insn;   /* of the last gap in the chunk */
  unsigned map_kind;    /* of its map chunks */
  oct_program *program; /* that stands apart, or NULL */
  XXH64_state_t *hash;  /* of the updates in map, in full */
  update_place full_at;
  oct_addr_set addrs; /* of all updates so far: what is there changes */
  uint64_t n_changes;
  uint64_t head_sum, chunk_number;
  uint64_t last_sum; /* the checksum of the chunk before, or that of the head */
  uint64_t port_bytes, map_bytes;
  uint64_t last_from; /* over the file */
  update_place at;
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

/* The files of code, as far as there is room, and place for the last line. 0 or OCT_ERR_NOMEM. */
static int finish_head(oct_buffer *head, const oct_container_info *info) {
  char line[FILE_LINE_BYTES + 1];
  const size_t most = HEAD_BEFORE_TEXT_BYTES + OCT_CONTAINER_TEXT_MAX_BYTES - FILE_LINE_BYTES;
  if (head->n_bytes < most &&
      oct_modules_put(head, most - head->n_bytes, info->modules, info->n_modules))
    return OCT_ERR_NOMEM;
  snprintf(line, sizeof line, FILE_LINE, UINT64_C(0));
  return oct_buffer_put(head, line, FILE_LINE_BYTES);
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
    put_text(out, values[i] ? values[i] : "");
  }
  if (info->insn_align_bytes) fprintf(out, "insn_align_bytes: %u\n", info->insn_align_bytes);
  if (info->addr_bits) fprintf(out, "trace_addr_bits: %u\n", info->addr_bits);
  if (info->program) put_images(out, info->program);
  if (oct_memory_file_close(&w->head) || finish_head(&w->head.text, info))
    return oct_fail_in(diag, OCT_ERR_NOMEM, shown_path(w->path), "no memory for the header");
  size_t length = w->head.text.n_bytes - HEAD_BEFORE_TEXT_BYTES;
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
  free(w->gaps);
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
  w->gaps = malloc(GAPS_CHUNK_BYTES);
  w->hash = XXH64_createState();
  if (!w->path || !w->bits || !w->map || !w->packed || !w->gaps || !w->hash)
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
    w->at = w->full_at = (update_place){0};
  }
  if (!r && w->n_gaps_bytes) {
    r = put_chunk(w, OCT_CONTAINER_GAPS, OCT_CONTAINER_RAW, w->gaps, w->n_gaps_bytes,
                  w->n_gaps_bytes, diag);
    w->n_gaps_bytes = 0;
    w->gaps_insn = 0;
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
    w->n_map_bytes += pack_update(out, u, w->map_kind, &w->at);
    return;
  }
  if (!w->n_map_bytes) {
    XXH64_reset(w->hash, 0);
    w->n_map_bytes = OCT_CONTAINER_MAP_HASH_BYTES;
    out += OCT_CONTAINER_MAP_HASH_BYTES;
  }
  XXH64_update(w->hash, full, pack_update(full, u, w->map_kind, &w->full_at));
  size_t n = pack_address(out, u, w->map_kind, w->program, &w->at);
  w->n_map_bytes += n ? n : pack_update(out, u, w->map_kind, &w->at);
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

int oct_container_put_gap(oct_container_writer *w, const oct_told_gap *gap, oct_diag *diag) {
  if (w->n_gaps_bytes + OCT_CONTAINER_GAP_MAX_BYTES > GAPS_CHUNK_BYTES) {
    int r = put_buffers(w, diag);
    if (r) return r;
  }
  uint8_t *p = oct_leb128_put(w->gaps + w->n_gaps_bytes, gap->insn - w->gaps_insn);
  w->gaps_insn = gap->insn;
  *p++ = (uint8_t)gap->cause;
  if (gap->cause == OCT_GAP_NO_IMAGE) p = oct_leb128_put(p, gap->addr);
  p = oct_leb128_put(p, gap->lost_insns + 1);
  p = oct_leb128_put(p, gap->lost_accesses + 1);
  w->n_gaps_bytes = (size_t)(p - w->gaps);
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

/* The reader. */

enum { IMAGES_MAX = 32 };

struct oct_container_reader {
  FILE *stream;
  const char *name; /* for messages: path or "standard input" */
  char *path, *text;
  unsigned version; /* of the format */
  const oct_tracer *tracer;
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  oct_container_info info;
  oct_module *modules; /* of info */
  size_t room_modules;
  oct_program_image images[IMAGES_MAX];
  size_t n_images;
  oct_program *program; /* given by the caller */
  uint64_t offset, total_bytes;
  uint64_t chunk_offset, chunk_number;
  unsigned header_bytes; /* of a chunk */
  uint64_t seed;         /* of the checksum of chunk 0 */
  oct_chain chain;
  uint64_t search_offset; /* where salvage begins: behind a chunk whose checksum is right */
  uint64_t port_bytes, map_bytes;
  uint8_t *stored, *raw;
  size_t stored_cap_bytes, raw_cap_bytes;
  oct_map_update *updates;
  size_t updates_cap;
  uint64_t n_updates, max_updates; /* in all chunks, damaged ones too; and how many may be */
  /* Updates but the first of each address, so that the count is lower whichever chunk is missing,
   * unless all of its addresses have no other update. */
  uint64_t n_changes;
  int has_changes; /* the end tells how many */
  oct_addr_set addrs;
  oct_told_gap *gaps; /* of a chunk */
  size_t room_gaps;
  uint64_t n_gaps;             /* of all */
  int is_ended, is_cut, error; /* is_cut: chunks were left out */
  oct_diag diag;
};

/* One line "FILE: offset N: what". */
static int fail_at(oct_container_reader *r, uint64_t offset, int error, const char *what) {
  r->error = error;
  return oct_diag_in(&r->diag, r->name,
                     oct_fail_at(&r->diag, error, OCT_AT_BYTE, offset, "%s", what));
}

/* Keep the error, of the chunk that is being read, and return it. */
static int fail_here(oct_container_reader *r, int error, const char *what) {
  return fail_at(r, r->chunk_offset, error, what);
}

/* Read n bytes, all of them. */
static int read_all(oct_container_reader *r, void *p, size_t n, const char *truncated) {
  size_t got = fread(p, 1, n, r->stream);
  r->offset += got;
  if (got == n) return 0;
  if (ferror(r->stream)) {
    r->error = OCT_ERR_IO;
    return oct_fail_in(&r->diag, OCT_ERR_IO, r->name, "cannot read: %s", strerror(errno));
  }
  return fail_at(r, r->offset, OCT_ERR_TRUNCATED, truncated);
}

/* Make *p hold at least n_bytes; it is never NULL afterwards. */
static int make_room(oct_container_reader *r, uint8_t **p, size_t *cap_bytes, size_t n_bytes) {
  if (*p && n_bytes <= *cap_bytes) return 0;
  uint8_t *grown = realloc(*p, n_bytes ? n_bytes : 1);
  if (!grown) return fail_here(r, OCT_ERR_NOMEM, "out of memory");
  *p = grown;
  *cap_bytes = n_bytes;
  return 0;
}

/* A decimal number, 0 when the text is none. */
static uint64_t small_number(const char *text) {
  char *end;
  if (*text < '0' || *text > '9') return 0;
  unsigned long long n = strtoull(text, &end, 10); /* the largest when it is larger */
  return *end ? 0 : n;
}

/* Values that a file has before it says others. */
static int take_tracer(oct_container_reader *r, const char *name) {
  r->tracer = oct_tracer_find(name);
  if (!r->tracer) {
    char what[120];
    snprintf(what, sizeof what, "made by the tracer '%.40s', which this program does not know",
             name);
    return fail_here(r, OCT_ERR_UNSUPPORTED, what);
  }
  for (unsigned i = 0; i < r->tracer->n_params; i++) r->params[i] = r->tracer->params[i].absent;
  return 0;
}

static int take_version(oct_container_reader *r, const char *value) {
  char what[120];
  uint64_t version = small_number(value);
  if (!r->tracer || !version)
    return fail_here(r, OCT_ERR_FORMAT, "expected a tracer and its version");
  if (version <= r->tracer->version && version >= r->tracer->oldest_version) return 0;
  if (version > r->tracer->version)
    snprintf(what, sizeof what, "version %.20s of the tracer %s: this program knows up to %u",
             value, r->tracer->name, r->tracer->version);
  else
    snprintf(what, sizeof what,
             "version %.20s of the tracer %s is no longer read, only %u on: make the file anew",
             value, r->tracer->name, r->tracer->oldest_version);
  return fail_here(r, OCT_ERR_UNSUPPORTED, what);
}

/* is_hint: one that is not known does not matter. */
static int take_param(oct_container_reader *r, const char *name, const char *value, bool is_hint) {
  oct_diag diag;
  char what[120];
  if (!r->tracer) return fail_here(r, OCT_ERR_FORMAT, "a parameter before its tracer");
  const oct_param_table table = oct_tracer_table(r->tracer);
  if (oct_param_find(&table, name) < 0) {
    if (is_hint) return 0;
    snprintf(what, sizeof what, "parameter %.40s of the tracer %s: this program does not know it",
             name, r->tracer->name);
    return fail_here(r, OCT_ERR_CONFIG, what);
  }
  return oct_param_set(&table, r->params, name, value, &diag)
             ? fail_here(r, OCT_ERR_CONFIG, oct_diag_reason(&diag).text)
             : 0;
}

static int take_module(oct_container_reader *r, const char *value) {
  const size_t n = r->info.n_modules;
  oct_module *modules = oct_grown(r->modules, &r->room_modules, n + 1, sizeof *modules);
  if (!modules) return fail_here(r, OCT_ERR_NOMEM, "out of memory");
  r->info.modules = r->modules = modules;
  if (oct_module_parse(value, &modules[n]))
    return fail_here(r, OCT_ERR_FORMAT, "expected module: address, bytes, bias, build ID and path");
  r->info.n_modules++;
  return 0;
}

/* The value of a line of the head that names a file of a program; image->path then points into it.
 * false: it is none. */
static bool get_image(const char *value, oct_program_image *image) {
  char *end;
  image->hash = strtoull(value, &end, 16);
  if (end != value + 16 || *end++ != ' ') return false;
  const char *bias = end;
  image->bias = strtoull(bias, &end, 16);
  if (end == bias || *end++ != ' ') return false;
  image->path = end;
  return true;
}

static int take_pair(oct_container_reader *r, const char *key, char *value) {
  if (strcmp(key, "isa") == 0) {
    r->info.isa = value;
  } else if (strcmp(key, "origin") == 0) {
    r->info.origin = value;
  } else if (strcmp(key, "command") == 0) {
    r->info.command = value;
  } else if (strcmp(key, "insn_align_bytes") == 0) {
    uint64_t align = small_number(value);
    if (!align || !oct_container_align_ok(align))
      return fail_here(r, OCT_ERR_FORMAT, "expected insn_align_bytes 1, 2, 4 or 8");
    r->info.insn_align_bytes = (uint32_t)align;
  } else if (strcmp(key, "trace_addr_bits") == 0) {
    uint64_t bits = small_number(value);
    if (!bits || !oct_container_addr_bits_ok(bits))
      return fail_here(r, OCT_ERR_FORMAT, "trace_addr_bits is neither 32 nor 64");
    r->info.addr_bits = (uint32_t)bits;
  } else if (r->version > 2 && strcmp(key, "program") == 0) {
    if (r->n_images == IMAGES_MAX || !get_image(value, &r->images[r->n_images++]))
      return fail_here(r, OCT_ERR_FORMAT, "expected program: hash, bias and file");
  } else if (strcmp(key, OCT_MODULE_KEY) == 0) {
    return take_module(r, value);
  } else if (r->version == 1) {
    return take_param(r, key, value, true);
  } else if (strcmp(key, "tracer") == 0) {
    return take_tracer(r, value);
  } else if (strcmp(key, "tracer_version") == 0) {
    return take_version(r, value);
  } else if (strncmp(key, "param.", strlen("param.")) == 0) {
    return take_param(r, key + strlen("param."), value, false);
  } else if (strncmp(key, "hint.", strlen("hint.")) == 0) {
    return take_param(r, key + strlen("hint."), value, true);
  }
  return 0;
}

/* Cut the header text, which ends in a zero byte, into pairs. */
static int parse_text(oct_container_reader *r, size_t n) {
  oct_diag diag;
  int error = r->version == 1 ? take_tracer(r, OCT_CONTAINER_TRACER_1) : 0;
  r->info.isa = r->info.origin = r->info.command = "";
  if (memchr(r->text, 0, n)) return fail_here(r, OCT_ERR_FORMAT, "a zero byte in the header text");
  for (char *line = r->text, *end; *line && !error; line = end + 1) {
    char *colon = strstr(line, ": ");
    end = strchr(line, '\n');
    if (!end || !colon || colon > end)
      return fail_here(r, OCT_ERR_FORMAT, "a line of the header text is not \"key: value\"");
    *end = *colon = 0;
    error = take_pair(r, line, colon + 2);
  }
  if (!error && !r->tracer) error = fail_here(r, OCT_ERR_FORMAT, "the tracer is missing");
  if (!error && oct_tracer_check_legal(r->tracer, r->params, &diag))
    error = fail_here(r, OCT_ERR_CONFIG, oct_diag_reason(&diag).text);
  return error;
}

/* What a file is that is none of ours to read, by the first bytes of its mark. */
static const char *other_file(const uint8_t *bytes, size_t n_bytes) {
  static const struct {
    const char *mark, *text;
  } others[] = {
      {"OCTEVNT", "a trace of function calls, which octrace events reads"},
      {"OCTCODC", "a trace that a codec compressed; expected one of a trace port (.octp)"},
      {"OCTRACE", "a trace itself; expected a compressed one (.octp)"}};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (n_bytes >= 7 && !memcmp(bytes, others[i].mark, 7)) return others[i].text;
  return "expected a compressed trace, as octrace compress writes it (.octp)";
}

static int read_head(oct_container_reader *r) {
  static const char truncated[] = "the header is cut short";
  uint8_t fixed[OCT_CONTAINER_MAGIC_BYTES + 4], checksum[8];
  int error = read_all(r, fixed, OCT_CONTAINER_MAGIC_BYTES, truncated);
  size_t got = (size_t)r->offset;
  if (memcmp(fixed, OCT_CONTAINER_MAGIC, got < 7 ? got : 7) != 0 ||
      (!error && (fixed[7] < '1' || fixed[7] > '9')))
    return fail_here(r, OCT_ERR_FORMAT, other_file(fixed, got));
  if (error == OCT_ERR_TRUNCATED && !got)
    return fail_here(r, error, "empty, expected a compressed file");
  if (error) return error;
  r->version = (unsigned)(fixed[7] - '0');
  if (r->version > OCT_CONTAINER_VERSION)
    return fail_here(r, OCT_ERR_UNSUPPORTED,
                     "a container of a newer version than this program knows");
  error = read_all(r, fixed + OCT_CONTAINER_MAGIC_BYTES, 4, truncated);
  if (error) return error;
  uint32_t n = oct_get_u32(fixed + OCT_CONTAINER_MAGIC_BYTES);
  if (n > OCT_CONTAINER_TEXT_MAX_BYTES) return fail_here(r, OCT_ERR_FORMAT, "header text too long");
  r->text = calloc(1, (size_t)n + 1);
  XXH64_state_t *hash = XXH64_createState();
  if (!r->text || !hash) {
    XXH64_freeState(hash);
    return fail_here(r, OCT_ERR_NOMEM, "out of memory");
  }
  error = read_all(r, r->text, n, truncated);
  if (!error) error = read_all(r, checksum, sizeof checksum, truncated);
  XXH64_reset(hash, 0);
  XXH64_update(hash, fixed, sizeof fixed);
  XXH64_update(hash, r->text, n);
  uint64_t expected = XXH64_digest(hash);
  XXH64_freeState(hash);
  if (error) return error;
  if (!oct_checksum_is(oct_get_u64(checksum), expected))
    return fail_here(r, OCT_ERR_CHECKSUM, "the header does not match its checksum");
  bool is_old = r->version < 3;
  r->header_bytes = is_old ? OCT_CONTAINER_CHUNK_HEADER_2_BYTES : OCT_CONTAINER_CHUNK_HEADER_BYTES;
  r->chain = oct_chain_begin(oct_get_u64(checksum));
  r->seed = is_old ? 0 : r->chain.head_sum;
  return parse_text(r, n);
}

int oct_container_open_stream(FILE *stream, const char *name, uint64_t total_bytes,
                              oct_container_reader **out, oct_diag *diag) {
  *out = NULL;
  oct_container_reader *r = calloc(1, sizeof *r);
  if (!r || !(r->path = strdup(name))) {
    free(r);
    fclose(stream);
    return oct_fail_in(diag, OCT_ERR_NOMEM, name, "out of memory");
  }
  r->max_updates = OCT_CONTAINER_UPDATES_MAX;
  r->stream = stream;
  r->name = r->path;
  r->total_bytes = total_bytes;
  int error = read_head(r);
  if (error && diag) *diag = r->diag;
  if (error)
    oct_container_close(r);
  else
    *out = r;
  return error;
}

int oct_container_open(const char *path, oct_container_reader **out, oct_diag *diag) {
  struct stat st = {0};
  *out = NULL;
  oct_container_reader *r = calloc(1, sizeof *r);
  if (!r) return oct_fail_in(diag, OCT_ERR_NOMEM, path, "out of memory");
  int is_stdin = strcmp(path, "-") == 0;
  r->max_updates = OCT_CONTAINER_UPDATES_MAX;
  r->path = strdup(path);
  r->stream = is_stdin ? stdin : oct_infile_fopen(path);
  if (r->path) r->name = oct_input_shown(r->path);
  int error;
  if (!r->path || (is_stdin && oct_infile_note(fileno(stdin)))) {
    error = oct_fail_in(diag, OCT_ERR_NOMEM, path, "out of memory");
  } else if (!r->stream) {
    error = oct_fail_in(diag, errno == ENOMEM ? OCT_ERR_NOMEM : OCT_ERR_IO, path, "cannot open: %s",
                        strerror(errno));
  } else if (!fstat(fileno(r->stream), &st) && S_ISDIR(st.st_mode)) {
    error = oct_fail_in(diag, OCT_ERR_IO, path, "a folder: expected a compressed file");
  } else {
    if (S_ISREG(st.st_mode)) r->total_bytes = (uint64_t)st.st_size;
    error = read_head(r);
    if (error && diag) *diag = r->diag;
  }
  if (error) {
    oct_container_close(r);
    return error;
  }
  *out = r;
  return 0;
}

int oct_container_open_again(const oct_container_reader *r, oct_container_reader **again,
                             oct_diag *diag) {
  int error = oct_container_open(r->path, again, diag);
  if (error) return error;
  (*again)->max_updates = r->max_updates;
  (*again)->program = r->program;
  return 0;
}

void oct_container_limit_map(oct_container_reader *r, uint64_t max_updates) {
  r->max_updates = max_updates ? max_updates : OCT_CONTAINER_UPDATES_MAX;
}

const oct_program_image *oct_container_images(const oct_container_reader *r, size_t *n) {
  *n = r->n_images;
  return r->images;
}

/* Whether program (may be NULL) has all n files that a container called name was made with. 0 or
 * OCT_ERR_ARG. */
static int check_program(const char *name, const oct_program_image *want, size_t n,
                         const oct_program *program, oct_diag *diag) {
  const oct_program_image *has = program ? oct_program_images(program) : NULL;
  const size_t n_has = program ? oct_program_n_images(program) : 0;
  for (size_t i = 0; i < n; i++) {
    size_t k = 0;
    while (k < n_has && (has[k].hash != want[i].hash || has[k].bias != want[i].bias)) k++;
    if (k < n_has) continue;
    for (k = 0; k < n_has; k++) {
      if (has[k].hash != want[i].hash) continue;
      return oct_fail_in(
          diag, OCT_ERR_ARG, has[k].path,
          "loaded at another place than in the trace: expected --elf FILE@0x%" PRIx64,
          want[i].bias);
    }
    if (n_has == n)
      return oct_diag_other(diag, want[i].path,
                            oct_fail_in(diag, OCT_ERR_ARG, has[i].path,
                                        "another build of the program than that of the trace: its "
                                        "code has the hash %016" PRIx64 ", expected %016" PRIx64,
                                        has[i].hash, want[i].hash));
    return oct_diag_other(
        diag, want[i].path,
        oct_fail_in(
            diag, OCT_ERR_ARG, name,
            "the program is in a file of its own: expected --elf with the one whose code has "
            "the hash %016" PRIx64,
            want[i].hash));
  }
  return 0;
}

int oct_container_give_program(oct_container_reader *r, oct_program *program, oct_diag *diag) {
  int error = check_program(r->name, r->images, r->n_images, program, diag);
  if (!error) r->program = program;
  return error;
}

const oct_tracer *oct_container_tracer(const oct_container_reader *r) {
  return r->tracer;
}

const uint32_t *oct_container_params(const oct_container_reader *r) {
  return r->params;
}

const oct_container_info *oct_container_get_info(const oct_container_reader *r) {
  return &r->info;
}

uint64_t oct_container_bytes_read(const oct_container_reader *r) {
  return r->offset;
}

uint64_t oct_container_bytes_total(const oct_container_reader *r) {
  return r->total_bytes;
}

static int parse_end(oct_container_reader *r, const uint8_t *p, size_t n, oct_chunk *chunk) {
  if (n != OCT_CONTAINER_END_BYTES && (r->version > 2 || n != OCT_CONTAINER_END_2_BYTES))
    return fail_here(r, OCT_ERR_FORMAT, "damaged end chunk");
  oct_container_totals *t = &chunk->totals;
  uint64_t *const fields[] = {&t->insns,      &t->accesses,  &t->lost_insns, &t->lost_accesses,
                              &t->port_bytes, &t->map_bytes, &t->map_changes};
  t->map_changes = UINT64_MAX;
  r->has_changes = n == OCT_CONTAINER_END_BYTES;
  for (unsigned i = 0; i < n / 8; i++) *fields[i] = oct_get_u64(p + 8 * i);
  if (!r->is_cut && (t->port_bytes != r->port_bytes || t->map_bytes != r->map_bytes))
    return fail_here(r, OCT_ERR_FORMAT, "the end chunk's totals do not match the chunks before it");
  if (fgetc(r->stream) != EOF)
    return fail_at(r, r->offset, OCT_ERR_FORMAT, "bytes after the end chunk");
  chunk->kind = OCT_CHUNK_END;
  r->is_ended = 1;
  return 1;
}

/* Whether the n bytes in r->stored are the payload of the header, as chunk of this number: 1, 0,
 * or an error. */
static int is_whole(oct_container_reader *r, const uint8_t *header, uint32_t n, uint64_t number) {
  uint64_t sum;
  if (oct_container_sum(header, r->header_bytes, r->stored, n, r->seed + number, &sum))
    return fail_here(r, OCT_ERR_NOMEM, "out of memory");
  return oct_checksum_is(oct_get_u64(header + r->header_bytes - OCT_CONTAINER_SUM_BYTES), sum);
}

/* Whether a chunk that is whole is of this file. */
static int check_chain(oct_container_reader *r, const uint8_t *header) {
  uint64_t before = oct_get_u64(header + OCT_CONTAINER_BEFORE_AT);
  uint64_t sum = oct_get_u64(header + r->header_bytes - OCT_CONTAINER_SUM_BYTES);
  return r->version < 3 || oct_chain_takes(&r->chain, before, sum)
             ? 0
             : fail_here(r, OCT_ERR_CHECKSUM, OCT_CHAIN_TEXT("chunk"));
}

/* Read one chunk's payload as stored and check it. */
static int read_stored(oct_container_reader *r, const uint8_t *header, uint32_t n) {
  int error = make_room(r, &r->stored, &r->stored_cap_bytes, n);
  if (!error) error = read_all(r, r->stored, n, "a chunk is cut short");
  if (error) return error;
  int whole = is_whole(r, header, n, r->chunk_number++);
  if (whole < 0) return whole;
  if (!whole) return fail_here(r, OCT_ERR_CHECKSUM, "the chunk does not match its checksum");
  r->search_offset = r->offset;
  return check_chain(r, header);
}

static bool is_map(unsigned kind) {
  return kind == OCT_CONTAINER_MAP || kind == OCT_CONTAINER_OPS || kind == OCT_CONTAINER_CODE;
}

/* Whether 12 bytes may begin the header of a chunk. */
static int is_header(const uint8_t *header) {
  unsigned kind = header[0], codec = header[1];
  uint32_t stored = oct_get_u32(header + 4), raw = oct_get_u32(header + 8);
  return kind >= OCT_CONTAINER_BITS && kind <= OCT_CONTAINER_GAPS && !header[2] && !header[3] &&
         codec <= OCT_CONTAINER_ZSTD && (codec != OCT_CONTAINER_ZSTD || is_map(kind)) &&
         (codec != OCT_CONTAINER_RAW || stored == raw) &&
         stored <= OCT_CONTAINER_STORED_MAX_BYTES && raw <= OCT_CONTAINER_RAW_MAX_BYTES;
}

static int parse_gaps(oct_container_reader *r, const uint8_t *p, size_t n, oct_chunk *chunk) {
  const uint8_t *end = p + n;
  uint64_t insn = 0;
  size_t count = 0;
  oct_told_gap *gaps =
      oct_grown(r->gaps, &r->room_gaps, n / OCT_CONTAINER_GAP_MIN_BYTES + 1, sizeof *gaps);
  if (!gaps) return fail_here(r, OCT_ERR_NOMEM, "out of memory");
  r->gaps = gaps;
  for (; p < end; count++) {
    oct_told_gap *g = &gaps[count];
    uint64_t step = 0;
    if (r->n_gaps++ == OCT_CONTAINER_UPDATES_MAX)
      return fail_here(r, OCT_ERR_LIMIT, "more gaps than fit: the file may be damaged");
    memset(g, 0, sizeof *g);
    p = oct_leb128_get(p, end, &step);
    if (p && p < end) g->cause = (oct_gap_cause)*p++;
    if (p && g->cause == OCT_GAP_NO_IMAGE) p = oct_leb128_get(p, end, &g->addr);
    if (p) p = oct_leb128_get(p, end, &g->lost_insns);
    if (p) p = oct_leb128_get(p, end, &g->lost_accesses);
    if (!p || !oct_gap_cause_name(g->cause) || insn + step < insn)
      return fail_here(r, OCT_ERR_FORMAT, "damaged gaps chunk");
    g->insn = insn += step;
    g->lost_insns--;
    g->lost_accesses--;
  }
  chunk->kind = OCT_CHUNK_GAPS;
  chunk->gaps = gaps;
  chunk->n_gaps = count;
  return 1;
}

/* A vlq in front of end; *p moves behind it, or becomes NULL when there is none. */
static uint64_t get_vlq(const uint8_t **p, const uint8_t *end) {
  uint64_t v = 0;
  if (*p) *p = oct_leb128_get(*p, end, &v);
  return *p ? v : 0;
}

static uint64_t get_svlq(const uint8_t **p, const uint8_t *end) {
  return oct_unfold_sign(get_vlq(p, end));
}

/* The instruction set and the bytes of an instruction; NULL when they are damaged. */
static const uint8_t *parse_code(const uint8_t *p, const uint8_t *end, oct_map_entry *e) {
  if (p == end || *p > (unsigned)OCT_ISA_COUNT) return NULL;
  if (!(e->code_isa = *p++)) return p;
  if ((size_t)(end - p) < e->size_bytes) return NULL;
  memcpy(e->code, p, e->size_bytes);
  return p + e->size_bytes;
}

static int too_many_updates(oct_container_reader *r) {
  char what[120];
  snprintf(what, sizeof what,
           "more than %llu updates of the program map: the file may be damaged; --max-map N takes "
           "more",
           (unsigned long long)r->max_updates);
  return fail_here(r, OCT_ERR_LIMIT, what);
}

static int damaged_map(oct_container_reader *r) {
  return fail_here(r, OCT_ERR_FORMAT, "damaged map chunk");
}

static int not_the_program(oct_container_reader *r) {
  return fail_here(r, OCT_ERR_ARG,
                   "the program's file has other instructions than the trace: "
                   "another version of octrace may have made this container");
}

/* An instruction that the program's own file says. */
static int ask_program(oct_container_reader *r, unsigned form, oct_map_entry *e) {
  const uint64_t addr = e->addr;
  if (!r->n_images || (form & ~(unsigned)FROM_THUMB)) return damaged_map(r);
  return oct_program_insn_as(r->program, addr, form == FROM_THUMB, e) ? 0 : not_the_program(r);
}

/* The rest of an update from *p on: all but its place and its form. */
static int parse_entry(oct_container_reader *r, unsigned kind, unsigned form, const uint8_t **at,
                       const uint8_t *end, oct_map_entry *e) {
  const uint8_t *p = *at;
  if (end - p < 2) return damaged_map(r);
  unsigned cls = *p++, n_slot_bytes = cls >> 3;
  e->size_bytes = form & 15;
  e->flags = form >> 4 & 7;
  e->cls = cls & 7;
  e->n_slots = *p++;
  if (form & 128) e->target = e->addr + get_svlq(&p, end);
  if (!p || n_slot_bytes > OCT_SLOTS_MAX || (size_t)(end - p) < n_slot_bytes) return damaged_map(r);
  memcpy(e->slots, p, n_slot_bytes);
  p += n_slot_bytes;
  if (kind != OCT_CONTAINER_MAP && oct_effect_unpack(&p, end, &e->op)) return damaged_map(r);
  if (kind == OCT_CONTAINER_CODE && !(p = parse_code(p, end, e))) return damaged_map(r);
  *at = p;
  return 0;
}

/* The n bytes p of a map chunk of this kind, unpacked: 1 and its updates, or an error. */
static int parse_map(oct_container_reader *r, unsigned kind, const uint8_t *p, size_t n,
                     oct_chunk *chunk) {
  const uint8_t *end = p + n;
  const size_t least =
      r->n_images ? OCT_CONTAINER_ADDRESS_MIN_BYTES : OCT_CONTAINER_UPDATE_MIN_BYTES;
  size_t cap = n / least + 1, count = 0;
  uint64_t hash = 0;
  chunk->kind = OCT_CHUNK_MAP;
  if (r->n_images && !r->program) return 1;
  if (cap > r->updates_cap) {
    free(r->updates);
    r->updates_cap = 0;
    r->updates = malloc(cap * sizeof *r->updates);
    if (!r->updates) return fail_here(r, OCT_ERR_NOMEM, "out of memory");
    r->updates_cap = cap;
  }
  if (r->n_images && n < OCT_CONTAINER_MAP_HASH_BYTES) return damaged_map(r);
  if (r->n_images) hash = oct_get_u64(p), p += OCT_CONTAINER_MAP_HASH_BYTES;
  uint64_t from = 0, addr = 0;
  while (p < end) {
    if (r->n_updates++ == r->max_updates) return too_many_updates(r);
    oct_map_update *u = &r->updates[count++];
    memset(u, 0, sizeof *u);
    uint64_t step = get_vlq(&p, end);
    uint64_t difference = get_svlq(&p, end);
    if (!p || p == end || from + step < from) return damaged_map(r);
    unsigned form = *p++;
    from += step;
    addr += difference;
    u->from_insn = from;
    u->entry.addr = addr;
    int error = form & 15 ? parse_entry(r, kind, form, &p, end, &u->entry)
                          : ask_program(r, form, &u->entry);
    if (error) return error;
    addr += u->entry.size_bytes;
  }
  if (r->n_images && hash_updates(r->updates, count, kind) != hash) return not_the_program(r);
  for (size_t i = 0; i < count; i++) {
    int is_new = oct_addr_set_put(&r->addrs, r->updates[i].entry.addr);
    if (is_new < 0) return fail_here(r, OCT_ERR_NOMEM, "out of memory");
    r->n_changes += !is_new;
  }
  chunk->updates = r->updates;
  chunk->n_updates = count;
  return 1;
}

static int next_chunk(oct_container_reader *r, oct_chunk *chunk) {
  uint8_t header[OCT_CONTAINER_CHUNK_HEADER_BYTES];
  r->chunk_offset = r->search_offset = r->offset;
  int error = read_all(r, header, r->header_bytes, "the file ends before its end chunk");
  if (error) return error;
  unsigned kind = header[0], codec = header[1];
  uint32_t stored = oct_get_u32(header + 4), raw = oct_get_u32(header + 8);
  if (!is_header(header)) return fail_here(r, OCT_ERR_FORMAT, "damaged chunk header");
  error = read_stored(r, header, stored);
  if (error) return error;
  const uint8_t *payload = r->stored;
  if (codec == OCT_CONTAINER_ZSTD) {
    error = make_room(r, &r->raw, &r->raw_cap_bytes, raw);
    if (error) return error;
    size_t got = ZSTD_decompress(r->raw, raw, r->stored, stored);
    if (ZSTD_getErrorCode(got) == ZSTD_error_memory_allocation)
      return fail_here(r, OCT_ERR_NOMEM, "out of memory");
    if (got != raw)
      return fail_here(r, OCT_ERR_FORMAT, "the chunk does not decompress to its size");
    payload = r->raw;
  }
  if (kind == OCT_CONTAINER_END) return parse_end(r, payload, raw, chunk);
  if (is_map(kind)) {
    r->map_bytes += stored + r->header_bytes;
    return parse_map(r, kind, payload, raw, chunk);
  }
  if (kind == OCT_CONTAINER_GAPS) return parse_gaps(r, payload, raw, chunk);
  r->port_bytes += raw;
  chunk->kind = OCT_CHUNK_BITS;
  chunk->bytes = payload;
  chunk->n_bytes = raw;
  return 1;
}

int oct_container_next(oct_container_reader *r, oct_chunk *chunk, oct_diag *diag) {
  memset(chunk, 0, sizeof *chunk);
  if (r->is_ended) return 0;
  int result = r->error ? r->error : next_chunk(r, chunk);
  if (result < 0 && diag) *diag = r->diag;
  return result;
}

void oct_container_close(oct_container_reader *r) {
  if (!r) return;
  if (r->stream && r->stream != stdin) fclose(r->stream);
  free(r->path);
  free(r->text);
  free(r->modules);
  free(r->stored);
  free(r->raw);
  free(r->gaps);
  free(r->updates);
  oct_addr_set_free(&r->addrs);
  free(r);
}

/* Salvage. */

/* What may be read and hashed without success: once for places behind which a header or the end of
 * the file follows, and once for all others. */
enum { TRIED_MIN_BYTES = 256 << 20, TRIED_FILES = 64 };

/* Whether a whole chunk stands at offset, one of the numbers from first on. Then r stands before
 * it.
 */
static int chunk_at(oct_container_reader *r, uint64_t offset, uint64_t first, uint64_t *tried) {
  const uint64_t tried_max_bytes = TRIED_MIN_BYTES + TRIED_FILES * r->total_bytes;
  enum { NUMBERS = 64 }; /* chunks that damage may have left out */
  uint8_t header[OCT_CONTAINER_CHUNK_HEADER_BYTES], next[sizeof header];
  const size_t header_bytes = r->header_bytes;
  if (fseeko(r->stream, (off_t)offset, SEEK_SET)) return fail_here(r, OCT_ERR_IO, strerror(errno));
  if (fread(header, 1, header_bytes, r->stream) != header_bytes || !is_header(header)) return 0;
  uint32_t n = oct_get_u32(header + 4);
  if (n > r->total_bytes - offset - header_bytes) return 0;
  if (fseeko(r->stream, (off_t)n, SEEK_CUR)) return fail_here(r, OCT_ERR_IO, strerror(errno));
  size_t behind = fread(next, 1, header_bytes, r->stream);
  tried += !behind || (behind == header_bytes && is_header(next));
  if (*tried >= tried_max_bytes) return 0;
  int got = make_room(r, &r->stored, &r->stored_cap_bytes, n);
  if (got) return got;
  if (fseeko(r->stream, (off_t)(offset + header_bytes), SEEK_SET))
    return fail_here(r, OCT_ERR_IO, strerror(errno));
  if (fread(r->stored, 1, n, r->stream) != n) return 0;
  for (uint64_t number = first; number < first + NUMBERS && *tried < tried_max_bytes; number++) {
    got = is_whole(r, header, n, number);
    if (got < 0) return got;
    *tried += n;
    if (!got) continue;
    r->chunk_number = number;
    r->offset = offset;
    if (fseeko(r->stream, (off_t)offset, SEEK_SET))
      return fail_here(r, OCT_ERR_IO, strerror(errno));
    return 1;
  }
  return 0;
}

/* The next place from offset on where a header may stand, or the file's size. */
static uint64_t next_header(oct_container_reader *r, uint64_t offset) {
  uint8_t window[65536];
  const size_t least = r->header_bytes;
  while (offset + least <= r->total_bytes && !fseeko(r->stream, (off_t)offset, SEEK_SET)) {
    size_t n = fread(window, 1, sizeof window, r->stream);
    if (n < least) break;
    for (size_t i = 0; i + least <= n; i++)
      if (is_header(window + i)) return offset + i;
    offset += n - least + 1;
  }
  return r->total_bytes;
}

int oct_container_skip_damage(oct_container_reader *r, oct_diag *diag) {
  uint64_t first = r->chunk_number, offset = r->search_offset;
  uint64_t tried[2] = {0}; /* bytes */
  int got = 0;
  if (r->error == OCT_ERR_LIMIT) {
    if (diag) *diag = r->diag;
    return r->error;
  }
  if (!r->total_bytes) {
    int error =
        fail_here(r, OCT_ERR_UNSUPPORTED, "the part after damage cannot be found in a pipe");
    if (diag) *diag = r->diag;
    return error;
  }
  while (!got && (offset = next_header(r, offset)) < r->total_bytes) {
    got = chunk_at(r, offset, first, tried);
    offset++;
  }
  if (got < 0 && diag) *diag = r->diag;
  if (got <= 0) return got;
  r->is_cut = 1;
  oct_chain_break(&r->chain);
  r->error = 0;
  return 1;
}

int oct_container_check_changes(const oct_container_reader *r, const oct_container_totals *t,
                                oct_diag *diag) {
  if (!r->has_changes || t->map_changes == r->n_changes) return 0;
  return oct_fail(diag, OCT_ERR_FORMAT,
                  "the end chunk counts %" PRIu64
                  " change%s of the program map, the file has %" PRIu64,
                  t->map_changes, OCT_S(t->map_changes), r->n_changes);
}

int oct_container_has_map(oct_container_reader *r, oct_container_totals *totals, oct_diag *diag) {
  oct_container_reader *again;
  oct_chunk chunk;
  memset(totals, 0, sizeof *totals);
  int got = oct_container_open_again(r, &again, diag), is_there = 0, is_fatal = 0;
  if (got) return got;
  while (got >= 0 && (got = oct_container_next(again, &chunk, diag)) != 0) {
    if (got < 0) {
      if (got == OCT_ERR_NOMEM || got == OCT_ERR_IO) break;
      got = oct_container_skip_damage(again, diag);
      if (got <= 0) break;
      continue;
    }
    if (chunk.kind != OCT_CHUNK_END) continue;
    *totals = chunk.totals;
    is_there = again->n_changes == totals->map_changes;
    if (again->map_bytes != totals->map_bytes) continue;
    is_there = 1;
    got = oct_container_check_changes(again, totals, diag);
    is_fatal = got < 0;
  }
  oct_container_close(again);
  is_fatal |= got == OCT_ERR_NOMEM || got == OCT_ERR_IO;
  return is_fatal ? got : is_there;
}
