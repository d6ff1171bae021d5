/* SPDX-License-Identifier: Apache-2.0 */
/* oct_container_read.c - reads containers (docs/container-format.md). Nothing of a chunk is
 * believed before its checksum, and no size allocates more than the format's limits.
 *
 * The header is text, a pair of key and value a line; parameters are known by name and those left
 * out have their defaults. Then chunks follow, each with kind, length and checksum: port bytes, map
 * entries, and the end with its totals. */
#include "octrace/container.h"
#include "oct_checksum.h"

#include "oct_container_format.h"
#include "oct_container_reader.h"
#include "oct_container_update.h"
#include "oct_infile.h"
#include "oct_input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <xxhash.h>
#include <zstd.h>
#include <zstd_errors.h>

/* One line "FILE: offset N: what". */
static int fail_at(oct_container_reader *r, uint64_t offset, int error, const char *what) {
  r->error = error;
  return oct_diag_in(&r->diag, r->name,
                     oct_fail_at(&r->diag, error, OCT_AT_BYTE, offset, "%s", what));
}

int oct_container_fail(oct_container_reader *r, int error, const char *what) {
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

int oct_container_room(oct_container_reader *r, uint8_t **p, size_t *cap_bytes, size_t n_bytes) {
  if (*p && n_bytes <= *cap_bytes) return 0;
  uint8_t *grown = realloc(*p, n_bytes ? n_bytes : 1);
  if (!grown) return oct_container_fail(r, OCT_ERR_NOMEM, "out of memory");
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
    return oct_container_fail(r, OCT_ERR_UNSUPPORTED, what);
  }
  for (unsigned i = 0; i < r->tracer->n_params; i++) r->params[i] = r->tracer->params[i].absent;
  return 0;
}

static int take_version(oct_container_reader *r, const char *value) {
  char what[120];
  uint64_t version = small_number(value);
  if (!r->tracer || !version)
    return oct_container_fail(r, OCT_ERR_FORMAT, "expected a tracer and its version");
  if (version <= r->tracer->version && version >= r->tracer->oldest_version) return 0;
  if (version > r->tracer->version)
    snprintf(what, sizeof what, "version %.20s of the tracer %s: this program knows up to %u",
             value, r->tracer->name, r->tracer->version);
  else
    snprintf(what, sizeof what,
             "version %.20s of the tracer %s is no longer read, only %u on: make the file anew",
             value, r->tracer->name, r->tracer->oldest_version);
  return oct_container_fail(r, OCT_ERR_UNSUPPORTED, what);
}

/* is_hint: one that is not known does not matter. */
static int take_param(oct_container_reader *r, const char *name, const char *value, bool is_hint) {
  oct_diag diag;
  char what[120];
  if (!r->tracer) return oct_container_fail(r, OCT_ERR_FORMAT, "a parameter before its tracer");
  const oct_param_table table = oct_tracer_table(r->tracer);
  if (oct_param_find(&table, name) < 0) {
    if (is_hint) return 0;
    snprintf(what, sizeof what, "parameter %.40s of the tracer %s: this program does not know it",
             name, r->tracer->name);
    return oct_container_fail(r, OCT_ERR_CONFIG, what);
  }
  return oct_param_set(&table, r->params, name, value, &diag)
             ? oct_container_fail(r, OCT_ERR_CONFIG, oct_diag_reason(&diag).text)
             : 0;
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
      return oct_container_fail(r, OCT_ERR_FORMAT, "expected insn_align_bytes 1, 2, 4 or 8");
    r->info.insn_align_bytes = (uint32_t)align;
  } else if (strcmp(key, "trace_addr_bits") == 0) {
    uint64_t bits = small_number(value);
    if (!bits || !oct_container_addr_bits_ok(bits))
      return oct_container_fail(r, OCT_ERR_FORMAT, "trace_addr_bits is neither 32 nor 64");
    r->info.addr_bits = (uint32_t)bits;
  } else if (r->version > 2 && strcmp(key, "program") == 0) {
    if (r->n_images == OCT_CONTAINER_IMAGES_MAX ||
        !oct_container_get_image(value, &r->images[r->n_images++]))
      return oct_container_fail(r, OCT_ERR_FORMAT, "expected program: hash, bias and file");
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
  if (memchr(r->text, 0, n))
    return oct_container_fail(r, OCT_ERR_FORMAT, "a zero byte in the header text");
  for (char *line = r->text, *end; *line && !error; line = end + 1) {
    char *colon = strstr(line, ": ");
    end = strchr(line, '\n');
    if (!end || !colon || colon > end)
      return oct_container_fail(r, OCT_ERR_FORMAT,
                                "a line of the header text is not \"key: value\"");
    *end = *colon = 0;
    error = take_pair(r, line, colon + 2);
  }
  if (!error && !r->tracer) error = oct_container_fail(r, OCT_ERR_FORMAT, "the tracer is missing");
  if (!error && oct_tracer_check(r->tracer, r->params, &diag))
    error = oct_container_fail(r, OCT_ERR_CONFIG, oct_diag_reason(&diag).text);
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
    return oct_container_fail(r, OCT_ERR_FORMAT, other_file(fixed, got));
  if (error == OCT_ERR_TRUNCATED && !got)
    return oct_container_fail(r, error, "empty, expected a compressed file");
  if (error) return error;
  r->version = (unsigned)(fixed[7] - '0');
  if (r->version > OCT_CONTAINER_VERSION)
    return oct_container_fail(r, OCT_ERR_UNSUPPORTED,
                              "a container of a newer version than this program knows");
  error = read_all(r, fixed + OCT_CONTAINER_MAGIC_BYTES, 4, truncated);
  if (error) return error;
  uint32_t n = oct_get_u32(fixed + OCT_CONTAINER_MAGIC_BYTES);
  if (n > OCT_CONTAINER_TEXT_MAX_BYTES)
    return oct_container_fail(r, OCT_ERR_FORMAT, "header text too long");
  r->text = calloc(1, (size_t)n + 1);
  XXH64_state_t *hash = XXH64_createState();
  if (!r->text || !hash) {
    XXH64_freeState(hash);
    return oct_container_fail(r, OCT_ERR_NOMEM, "out of memory");
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
    return oct_container_fail(r, OCT_ERR_CHECKSUM, "the header does not match its checksum");
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
  if (!r->path) {
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

void oct_container_limit_map(oct_container_reader *r, uint64_t max_updates) {
  r->max_updates = max_updates ? max_updates : OCT_CONTAINER_UPDATES_MAX;
}

const oct_program_image *oct_container_images(const oct_container_reader *r, size_t *n) {
  *n = r->n_images;
  return r->images;
}

int oct_container_give_program(oct_container_reader *r, oct_program *program, oct_diag *diag) {
  int error = oct_container_check_program(r->name, r->images, r->n_images, program, diag);
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
    return oct_container_fail(r, OCT_ERR_FORMAT, "damaged end chunk");
  oct_container_totals *t = &chunk->totals;
  uint64_t *const fields[] = {&t->insns,      &t->accesses,  &t->lost_insns, &t->lost_accesses,
                              &t->port_bytes, &t->map_bytes, &t->map_changes};
  t->map_changes = UINT64_MAX;
  r->has_changes = n == OCT_CONTAINER_END_BYTES;
  for (unsigned i = 0; i < n / 8; i++) *fields[i] = oct_get_u64(p + 8 * i);
  if (!r->is_cut && (t->port_bytes != r->port_bytes || t->map_bytes != r->map_bytes))
    return oct_container_fail(r, OCT_ERR_FORMAT,
                              "the end chunk's totals do not match the chunks before it");
  if (fgetc(r->stream) != EOF)
    return fail_at(r, r->offset, OCT_ERR_FORMAT, "bytes after the end chunk");
  chunk->kind = OCT_CHUNK_END;
  r->is_ended = 1;
  return 1;
}

int oct_container_is_whole(oct_container_reader *r, const uint8_t *header, uint32_t n,
                           uint64_t number) {
  uint64_t sum;
  if (oct_container_sum(header, r->header_bytes, r->stored, n, r->seed + number, &sum))
    return oct_container_fail(r, OCT_ERR_NOMEM, "out of memory");
  return oct_checksum_is(oct_get_u64(header + r->header_bytes - OCT_CONTAINER_SUM_BYTES), sum);
}

/* Whether a chunk that is whole is of this file. */
static int check_chain(oct_container_reader *r, const uint8_t *header) {
  uint64_t before = oct_get_u64(header + OCT_CONTAINER_BEFORE_AT);
  uint64_t sum = oct_get_u64(header + r->header_bytes - OCT_CONTAINER_SUM_BYTES);
  return r->version < 3 || oct_chain_takes(&r->chain, before, sum)
             ? 0
             : oct_container_fail(r, OCT_ERR_CHECKSUM, OCT_CHAIN_TEXT("chunk"));
}

/* Read one chunk's payload as stored and check it. */
static int read_stored(oct_container_reader *r, const uint8_t *header, uint32_t n) {
  int error = oct_container_room(r, &r->stored, &r->stored_cap_bytes, n);
  if (!error) error = read_all(r, r->stored, n, "a chunk is cut short");
  if (error) return error;
  int whole = oct_container_is_whole(r, header, n, r->chunk_number++);
  if (whole < 0) return whole;
  if (!whole)
    return oct_container_fail(r, OCT_ERR_CHECKSUM, "the chunk does not match its checksum");
  r->search_offset = r->offset;
  return check_chain(r, header);
}

int oct_container_is_header(const uint8_t *header) {
  unsigned kind = header[0], codec = header[1];
  uint32_t stored = oct_get_u32(header + 4), raw = oct_get_u32(header + 8);
  int is_map = kind == OCT_CONTAINER_MAP || kind == OCT_CONTAINER_OPS || kind == OCT_CONTAINER_CODE;
  return kind >= OCT_CONTAINER_BITS && kind <= OCT_CONTAINER_CODE && !header[2] && !header[3] &&
         codec <= OCT_CONTAINER_ZSTD && (codec != OCT_CONTAINER_ZSTD || is_map) &&
         (codec != OCT_CONTAINER_RAW || stored == raw) &&
         stored <= OCT_CONTAINER_STORED_MAX_BYTES && raw <= OCT_CONTAINER_RAW_MAX_BYTES;
}

static int next_chunk(oct_container_reader *r, oct_chunk *chunk) {
  uint8_t header[OCT_CONTAINER_CHUNK_HEADER_BYTES];
  r->chunk_offset = r->search_offset = r->offset;
  int error = read_all(r, header, r->header_bytes, "the file ends before its end chunk");
  if (error) return error;
  unsigned kind = header[0], codec = header[1];
  int is_map = kind == OCT_CONTAINER_MAP || kind == OCT_CONTAINER_OPS || kind == OCT_CONTAINER_CODE;
  uint32_t stored = oct_get_u32(header + 4), raw = oct_get_u32(header + 8);
  if (!oct_container_is_header(header))
    return oct_container_fail(r, OCT_ERR_FORMAT, "damaged chunk header");
  error = read_stored(r, header, stored);
  if (error) return error;
  const uint8_t *payload = r->stored;
  if (codec == OCT_CONTAINER_ZSTD) {
    error = oct_container_room(r, &r->raw, &r->raw_cap_bytes, raw);
    if (error) return error;
    size_t got = ZSTD_decompress(r->raw, raw, r->stored, stored);
    if (ZSTD_getErrorCode(got) == ZSTD_error_memory_allocation)
      return oct_container_fail(r, OCT_ERR_NOMEM, "out of memory");
    if (got != raw)
      return oct_container_fail(r, OCT_ERR_FORMAT, "the chunk does not decompress to its size");
    payload = r->raw;
  }
  if (kind == OCT_CONTAINER_END) return parse_end(r, payload, raw, chunk);
  if (is_map) {
    r->map_bytes += stored + r->header_bytes;
    return oct_container_parse_map(r, kind, payload, raw, chunk);
  }
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
  free(r->stored);
  free(r->raw);
  free(r->updates);
  oct_addr_set_free(&r->addrs);
  free(r);
}
