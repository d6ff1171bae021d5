/* SPDX-License-Identifier: Apache-2.0 */
/* oct_journal.c - an append-only file of what was counted. */
#include "oct_journal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

typedef struct record {
  uint64_t key;
  oct_counts counts;
} record;

struct oct_journal {
  char *path;
  int fd;
  record *records; /* sorted by key; of the file as it was when opened */
  size_t n, size;
};

void oct_counts_pack(oct_counts *c, const oct_stats *s) {
  memcpy(c->value, s, sizeof *c);
}

void oct_counts_unpack(const oct_counts *c, oct_stats *s) {
  memset(s, 0, sizeof *s);
  memcpy(s, c->value, sizeof *c);
}

/* The line is `KEY COUNT... CHECK`, hexadecimal; CHECK is of what stands before its blank. */
static bool parse_line(char *line, record *r) {
  char *check = strrchr(line, ' ');
  char *at = line;
  if (!check || strtoull(check + 1, NULL, 16) != XXH3_64bits(line, (size_t)(check - line)))
    return false;
  r->key = strtoull(at, &at, 16);
  for (size_t i = 0; i < OCT_COUNTS; i++) {
    if (at >= check) return false;
    r->counts.value[i] = strtoull(at, &at, 16);
  }
  return at == check;
}

static int add_record(oct_journal *j, const record *r) {
  if (j->n == j->size) {
    size_t size = j->size ? 2 * j->size : 256;
    record *grown = realloc(j->records, size * sizeof *grown);
    if (!grown) return OCT_ERR_NOMEM;
    j->records = grown;
    j->size = size;
  }
  j->records[j->n++] = *r;
  return 0;
}

static int compare_keys(const void *a, const void *b) {
  uint64_t x = ((const record *)a)->key, y = ((const record *)b)->key;
  return x < y ? -1 : x > y;
}

static int load(oct_journal *j) {
  FILE *f = fdopen(dup(j->fd), "r");
  char *line = NULL;
  size_t size = 0;
  ssize_t n;
  int error = f ? 0 : OCT_ERR_IO;
  while (!error && (n = getline(&line, &size, f)) > 0) {
    record r;
    if (line[n - 1] == '\n') line[n - 1] = '\0';
    if (parse_line(line, &r)) error = add_record(j, &r);
  }
  if (f && ferror(f)) error = OCT_ERR_IO;
  if (f) fclose(f);
  free(line);
  if (j->n) qsort(j->records, j->n, sizeof *j->records, compare_keys);
  return error;
}

/* What is something else is not to be appended to. A line that was torn when power failed may be
 * zeros. */
static bool may_be_journal(int fd) {
  char begin[64];
  struct stat file;
  if (fstat(fd, &file) || !S_ISREG(file.st_mode)) return false;
  ssize_t n = pread(fd, begin, sizeof begin, 0);
  for (ssize_t i = 0; i < n; i++)
    if (begin[i] && !strchr("0123456789abcdef \n", begin[i])) return false;
  return n >= 0;
}

/* Lock the last byte that a file could have, apart from those that checkpoints lock. 1: somebody
 * else has. Where a file system has no locks, nobody is alone, and that is not found out. */
static int lock_alone(int fd) {
  struct flock last = {
      .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = INT64_MAX - 1, .l_len = 1};
  return fcntl(fd, F_OFD_SETLK, &last) && (errno == EAGAIN || errno == EACCES);
}

int oct_journal_open(const char *path, bool alone, oct_journal **out, oct_diag *diag) {
  oct_journal *j = calloc(1, sizeof *j);
  *out = NULL;
  if (!j || !(j->path = strdup(path))) {
    free(j);
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  }
  j->fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  int error = j->fd < 0 ? OCT_ERR_IO : 0;
  if (!error && !may_be_journal(j->fd)) error = OCT_ERR_FORMAT;
  if (!error && alone && lock_alone(j->fd)) {
    oct_fail(diag, OCT_ERR_IO, "%s: another sweep is at work on it: expected another output", path);
    oct_journal_close(j);
    return OCT_ERR_IO;
  }
  if (!error) error = load(j);
  if (error) {
    oct_fail(diag, error, "%s: %s", path,
             error == OCT_ERR_IO       ? strerror(errno)
             : error == OCT_ERR_FORMAT ? "not a journal: expected a file of hexadecimal lines"
                                       : oct_error_text(error));
    oct_journal_close(j);
    return error;
  }
  *out = j;
  return 0;
}

const oct_counts *oct_journal_find(const oct_journal *j, uint64_t key) {
  const record wanted = {.key = key};
  const record *r =
      j->n ? bsearch(&wanted, j->records, j->n, sizeof *j->records, compare_keys) : NULL;
  return r ? &r->counts : NULL;
}

int oct_journal_append(oct_journal *j, const uint64_t *keys, const oct_counts *counts, size_t n,
                       oct_diag *diag) {
  size_t line_max = 17 * (OCT_COUNTS + 2) + 1, used = 1;
  char *text = malloc(n * line_max + 1);
  if (!text) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  text[0] = '\n'; /* closes a line that was torn */
  for (size_t i = 0; i < n; i++) {
    char *line = text + used;
    size_t at = (size_t)sprintf(line, "%016" PRIx64, keys[i]);
    for (size_t k = 0; k < OCT_COUNTS; k++)
      at += (size_t)sprintf(line + at, " %" PRIx64, counts[i].value[k]);
    at += (size_t)sprintf(line + at, " %016" PRIx64 "\n", (uint64_t)XXH3_64bits(line, at));
    used += at;
  }
  ssize_t written = write(j->fd, text, used);
  free(text);
  if (written != (ssize_t)used || (fdatasync(j->fd) && errno != EINVAL && errno != EROFS))
    return oct_fail(diag, OCT_ERR_IO, "%s: cannot write", j->path);
  return 0;
}

const char *oct_journal_path(const oct_journal *j) {
  return j->path;
}

void oct_journal_close(oct_journal *j) {
  if (!j) return;
  if (j->fd >= 0) close(j->fd);
  free(j->records);
  free(j->path);
  free(j);
}

/* Take the bytes of a file into a checksum. */
static int hash_file(XXH3_state_t *state, const char *path, oct_diag *diag) {
  static const size_t size = 1 << 20;
  FILE *f = fopen(path, "rb");
  char *bytes = malloc(size);
  int error = 0;
  size_t n;
  if (!f)
    error = oct_fail(diag, OCT_ERR_IO, "%s: %s", path, strerror(errno));
  else if (!bytes)
    error = oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  while (!error && (n = fread(bytes, 1, size, f)) > 0) XXH3_64bits_update(state, bytes, n);
  if (!error && ferror(f)) error = oct_fail(diag, OCT_ERR_IO, "%s: %s", path, strerror(errno));
  if (f) fclose(f);
  free(bytes);
  return error;
}

int oct_journal_trace_hash(const char *path, const oct_read_options *read, uint64_t *hash,
                           oct_diag *diag) {
  struct stat file;
  if (!strcmp(path, "-") || stat(path, &file) || !S_ISREG(file.st_mode)) return 0;
  XXH3_state_t *state = XXH3_createState();
  if (!state) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  XXH3_64bits_reset(state);
  int error = hash_file(state, path, diag);
  if (!error && read->isa) XXH3_64bits_update(state, read->isa, strlen(read->isa));
  if (!error && read->elf) {
    XXH3_64bits_update(state, &read->elf_bias, sizeof read->elf_bias);
    error = hash_file(state, read->elf, diag);
  }
  *hash = XXH3_64bits_digest(state);
  XXH3_freeState(state);
  return error ? error : 1;
}

uint64_t oct_journal_key(uint64_t trace_hash, const oct_config *cfg, const oct_run_args *a) {
  const uint64_t how[] = {trace_hash,
                          a->skip,
                          a->limit,
                          a->read.format,
                          a->read.insn_bytes,
                          a->run.engine,
                          a->run.arrival,
                          a->run.cpi_milli,
                          a->run.stall_milli,
                          a->run.seed,
                          (uint64_t)a->run.find_depths};
  uint64_t seed = XXH3_64bits(OCT_VERSION, sizeof OCT_VERSION);
  return XXH3_64bits_withSeed(cfg, sizeof *cfg, XXH3_64bits_withSeed(how, sizeof how, seed));
}
