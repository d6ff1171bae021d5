/* SPDX-License-Identifier: Apache-2.0 */
/* oct_journal.c - an append-only file of what was counted (oct_journal.h).
 *
 * A line is `KEY NAME=VALUE... CHECK`, in one write, so that several threads and programs may
 * append. On opening, all good lines are read and sorted by key, so that a look-up is a binary
 * search. */
#include "octrace/sweep.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

#include "oct_checksum.h"
#include "oct_memory_file.h"

/* A line: its key, and ` NAME=VALUE...` behind it, owned. */
typedef struct record {
  uint64_t key;
  char *counters;
} record;

enum { KEY_DIGITS = 16 };

struct oct_journal {
  char *path;
  int fd;
  record *records; /* sorted by key; of the file as it was when opened */
  size_t n, size;
};

/* The line is `KEY NAME=VALUE... CHECK`, numbers hexadecimal; CHECK is of what stands before its
 * blank. */
static bool parse_line(char *line, record *r) {
  char *check = strrchr(line, ' ');
  char *at = line;
  if (!check ||
      !oct_checksum_is(strtoull(check + 1, NULL, 16), XXH3_64bits(line, (size_t)(check - line))))
    return false;
  r->key = strtoull(at, &at, 16);
  if (at != line + KEY_DIGITS || *at != ' ') return false;
  *check = '\0';
  r->counters = at;
  return true;
}

static int add_record(oct_journal *j, const record *r) {
  if (j->n == j->size) {
    size_t size = j->size ? 2 * j->size : 256;
    record *grown = realloc(j->records, size * sizeof *grown);
    if (!grown) return OCT_ERR_NOMEM;
    j->records = grown;
    j->size = size;
  }
  j->records[j->n] = (record){r->key, strdup(r->counters)};
  return j->records[j->n].counters ? j->n++, 0 : OCT_ERR_NOMEM;
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
  ssize_t i = 0;
  while (i < n && (!begin[i] || begin[i] == '\n')) i++;
  for (ssize_t key = i; i < n && i < key + KEY_DIGITS; i++)
    if (!begin[i] || !strchr("0123456789abcdef", begin[i])) return false;
  return n >= 0;
}

/* Lock the last byte that a file could have. 1: somebody else has. Where a file system has no
 * locks, nobody is alone, and that is not found out. */
static int lock_alone(int fd) {
  struct flock last = {
      .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = INT64_MAX - 1, .l_len = 1};
  return fcntl(fd, F_OFD_SETLK, &last) && (errno == EAGAIN || errno == EACCES);
}

/* A link to a journal is followed, but none is made where a link leads nowhere. */
static int open_or_make(const char *path) {
  enum { FLAGS = O_RDWR | O_APPEND | O_CLOEXEC };
  int fd = open(path, FLAGS | O_CREAT | O_EXCL, 0666);
  return fd < 0 && errno == EEXIST ? open(path, FLAGS) : fd;
}

int oct_journal_open(const char *path, bool alone, oct_journal **out, oct_diag *diag) {
  oct_journal *j = calloc(1, sizeof *j);
  *out = NULL;
  if (!j || !(j->path = strdup(path))) {
    free(j);
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  }
  j->fd = open_or_make(path);
  int error = j->fd < 0 ? OCT_ERR_IO : 0;
  if (!error && !may_be_journal(j->fd)) error = OCT_ERR_FORMAT;
  if (!error && alone && lock_alone(j->fd)) {
    oct_fail_in(diag, OCT_ERR_IO, path, "another sweep is at work on it: expected another output");
    oct_journal_close(j);
    return OCT_ERR_IO;
  }
  if (!error) error = load(j);
  if (error) {
    oct_fail_in(diag, error, path, "%s",
                error == OCT_ERR_IO       ? strerror(errno)
                : error == OCT_ERR_FORMAT ? "not a journal: expected a file of hexadecimal lines"
                                          : oct_error_text(error));
    oct_journal_close(j);
    return error;
  }
  *out = j;
  return 0;
}

bool oct_journal_find(const oct_journal *j, uint64_t key, const oct_tracer *t, uint64_t *values) {
  const record wanted = {.key = key};
  const record *r =
      j->n ? bsearch(&wanted, j->records, j->n, sizeof *j->records, compare_keys) : NULL;
  memset(values, 0, t->n_counters * sizeof *values);
  for (const char *at = r ? r->counters : NULL; at && *at;) {
    char name[64];
    int used = 0;
    uint64_t value;
    if (sscanf(at, " %63[^=]=%" SCNx64 "%n", name, &value, &used) != 2) return false;
    int i = oct_tracer_counter(t, name);
    if (i < 0) return false;
    values[i] = value;
    at += used;
  }
  return r != NULL;
}

int oct_journal_append(oct_journal *j, const uint64_t *keys, const oct_tracer *t,
                       const uint64_t *values, size_t n, oct_diag *diag) {
  oct_memory_file m;
  if (oct_memory_file_open(&m)) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  FILE *f = m.file;
  fputc('\n', f); /* closes a line that was torn */
  for (size_t i = 0; i < n; i++) {
    fflush(f);
    size_t line = m.text.n_bytes;
    fprintf(f, "%016" PRIx64, keys[i]);
    for (unsigned k = 0; k < t->n_counters; k++) {
      uint64_t value = values[i * t->n_counters + k];
      if (value) fprintf(f, " %s=%" PRIx64, t->counters[k].name, value);
    }
    fflush(f);
    fprintf(f, " %016" PRIx64 "\n",
            (uint64_t)XXH3_64bits(m.text.bytes + line, m.text.n_bytes - line));
  }
  if (oct_memory_file_close(&m)) {
    oct_buffer_free(&m.text);
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  }
  const size_t used = m.text.n_bytes;
  ssize_t written = write(j->fd, m.text.bytes, used);
  if (written > 0 && (size_t)written < used) /* no room: the rest says why */
    written += write(j->fd, m.text.bytes + written, used - (size_t)written);
  oct_buffer_free(&m.text);
  if (written != (ssize_t)used || (fdatasync(j->fd) && errno != EINVAL && errno != EROFS))
    return oct_fail_in(diag, OCT_ERR_IO, j->path, "cannot write the journal: %s", strerror(errno));
  return 0;
}

const char *oct_journal_path(const oct_journal *j) {
  return j->path;
}

void oct_journal_close(oct_journal *j) {
  if (!j) return;
  if (j->fd >= 0) close(j->fd);
  for (size_t i = 0; i < j->n; i++) free(j->records[i].counters);
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
    error = oct_fail_in(diag, OCT_ERR_IO, path, "%s", strerror(errno));
  else if (!bytes)
    error = oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  while (!error && (n = fread(bytes, 1, size, f)) > 0) XXH3_64bits_update(state, bytes, n);
  if (!error && ferror(f)) error = oct_fail_in(diag, OCT_ERR_IO, path, "%s", strerror(errno));
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
  for (size_t i = 0; !error && i < read->n_more; i++) {
    XXH3_64bits_update(state, &read->more[i].bias, sizeof read->more[i].bias);
    error = hash_file(state, read->more[i].path, diag);
  }
  if (!error && read->from_sync)
    XXH3_64bits_update(state, &read->from_sync, sizeof read->from_sync);
  if (!error && read->params) XXH3_64bits_update(state, read->params, strlen(read->params));
  *hash = XXH3_64bits_digest(state);
  XXH3_freeState(state);
  return error ? error : 1;
}

uint64_t oct_journal_key(uint64_t trace_hash, const oct_tracer *t, const uint32_t *params,
                         const oct_run_options *run, const oct_source_options *source) {
  const uint64_t how[] = {trace_hash,       t->version,          source->skip,
                          source->limit,    source->read.format, source->read.insn_bytes,
                          run->engine,      run->arrival,        run->cpi_milli,
                          run->stall_milli, run->seed,           (uint64_t)run->find_depths};
  uint64_t seed = XXH3_64bits(OCT_VERSION, sizeof OCT_VERSION);
  seed = XXH3_64bits_withSeed(t->name, strlen(t->name), seed);
  seed = XXH3_64bits_withSeed(how, sizeof how, seed);
  return XXH3_64bits_withSeed(params, t->n_params * sizeof *params, seed);
}
