/* SPDX-License-Identifier: Apache-2.0 */
/* oct_checkpoint.c - a file with what a run over one trace has come to (oct_checkpoint.h).
 *
 * Head, state, checksum of both, written under another name and renamed. The head has a checksum of
 * this very program, since the state is its memory. A lock tells several runs over one trace apart:
 * one has the file. */
#include "oct_checkpoint.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

/* The file: head, state, checksum of both. */
typedef struct head {
  char magic[8];
  uint64_t key, n_insns;
} head;

typedef struct state_file {
  oct_state io; /* first: what move is given is a state_file */
  FILE *f;
  XXH3_state_t *sum;
} state_file;

static const char magic[8] = "octpart1";

static double now_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int write_bytes(oct_state *io, void *p, size_t n) {
  state_file *s = (state_file *)io;
  XXH3_64bits_update(s->sum, p, n);
  return fwrite(p, 1, n, s->f) == n ? 0 : OCT_ERR_IO;
}

static int read_bytes(oct_state *io, void *p, size_t n) {
  state_file *s = (state_file *)io;
  return fread(p, 1, n, s->f) == n ? 0 : OCT_ERR_IO;
}

/* Checksum of up to n bytes of f; those that there are go to *n. */
static uint64_t sum_of(FILE *f, uint64_t *n) {
  static const size_t size = 1 << 16;
  XXH3_state_t *sum = XXH3_createState();
  unsigned char *bytes = malloc(size);
  uint64_t done = 0, result = 0;
  size_t got;
  if (sum && bytes) {
    XXH3_64bits_reset(sum);
    while (done < *n && (got = fread(bytes, 1, *n - done < size ? *n - done : size, f)) > 0) {
      XXH3_64bits_update(sum, bytes, got);
      done += got;
    }
    result = XXH3_64bits_digest(sum);
  }
  free(bytes);
  XXH3_freeState(sum);
  *n = done;
  return result;
}

/* The layout of what is saved is this very program's. 0 when it cannot be read. */
static uint64_t program_sum(void) {
  FILE *f = fopen("/proc/self/exe", "rb");
  uint64_t n = UINT64_MAX, sum = 0;
  if (!f) return 0;
  sum = sum_of(f, &n);
  fclose(f);
  return n ? sum : 0;
}

/* A lock on the journal that only runs over this trace meet, threads of one program too. It goes
 * with the run, however that ends. False when another run has it; where a file system has no locks,
 * all is as if it were held. */
static bool lock_trace(oct_checkpoint *c, const char *journal, uint64_t trace_hash) {
  struct flock range = {
      .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)(trace_hash >> 2), .l_len = 1};
  c->lock = open(journal, O_RDWR | O_CLOEXEC);
  return c->lock < 0 || !fcntl(c->lock, F_OFD_SETLK, &range) ||
         (errno != EAGAIN && errno != EACCES);
}

int oct_checkpoint_init(oct_checkpoint *c, const char *journal, uint64_t trace_hash, uint64_t key,
                        double every_seconds) {
  uint64_t program = program_sum();
  memset(c, 0, sizeof *c);
  c->lock = -1;
  if (!program || !lock_trace(c, journal, trace_hash)) return 0;
  c->key = XXH3_64bits_withSeed(&key, sizeof key, program);
  c->every_seconds = every_seconds;
  c->next_seconds = every_seconds > 0 ? now_seconds() + every_seconds : INFINITY;
  if (asprintf(&c->path, "%s.%016" PRIx64 ".part", journal, trace_hash) < 0) c->path = NULL;
  if (asprintf(&c->new_path, "%s.%016" PRIx64 ".new", journal, trace_hash) < 0) c->new_path = NULL;
  if (c->path && c->new_path) return 0;
  oct_checkpoint_free(c);
  return OCT_ERR_NOMEM;
}

/* Is it whole, and of this run? Then f stands behind the head. */
static bool is_mine(const oct_checkpoint *c, FILE *f, head *h) {
  uint64_t sum, n;
  if (fseeko(f, 0, SEEK_END)) return false;
  off_t bytes = ftello(f);
  if (bytes < (off_t)(sizeof *h + sizeof sum)) return false;
  rewind(f);
  n = (uint64_t)bytes - sizeof sum;
  uint64_t expected = sum_of(f, &n);
  if (fread(&sum, sizeof sum, 1, f) != 1 || sum != expected) return false;
  rewind(f);
  return fread(h, sizeof *h, 1, f) == 1 && !memcmp(h->magic, magic, sizeof magic) &&
         h->key == c->key;
}

int64_t oct_checkpoint_load(oct_checkpoint *c, oct_checkpoint_move move, void *machine) {
  state_file s = {.io.move = read_bytes};
  head h;
  if (!c->path || !(s.f = fopen(c->path, "rb"))) return 0;
  bool mine = is_mine(c, s.f, &h);
  if (mine) move(machine, &s.io);
  fclose(s.f);
  if (s.io.error) return s.io.error;
  return mine ? (int64_t)h.n_insns : 0;
}

static int write_file(const oct_checkpoint *c, uint64_t n_insns, oct_checkpoint_move move,
                      void *machine) {
  head h = {.key = c->key, .n_insns = n_insns};
  state_file s = {.io.move = write_bytes, .sum = XXH3_createState()};
  memcpy(h.magic, magic, sizeof magic);
  if (!s.sum) return OCT_ERR_NOMEM;
  s.f = fopen(c->new_path, "wb");
  if (s.f) {
    XXH3_64bits_reset(s.sum);
    oct_state_move(&s.io, &h, sizeof h);
    move(machine, &s.io);
    uint64_t sum = XXH3_64bits_digest(s.sum);
    oct_state_move(&s.io, &sum, sizeof sum);
    if (fclose(s.f) && !s.io.error) s.io.error = OCT_ERR_IO;
  }
  XXH3_freeState(s.sum);
  return s.f ? s.io.error : OCT_ERR_IO;
}

int oct_checkpoint_save(oct_checkpoint *c, uint64_t n_insns, oct_checkpoint_move move,
                        void *machine) {
  double start = now_seconds(), wait = c->every_seconds;
  if (!c->path || start < c->next_seconds) return 0;
  int error = write_file(c, n_insns, move, machine);
  if (!error && rename(c->new_path, c->path)) error = OCT_ERR_IO;
  if (error) {
    oct_checkpoint_remove(c);
    c->next_seconds = INFINITY;
    return error;
  }
  double took = now_seconds() - start;
  if (wait < 19 * took) wait = 19 * took;
  c->next_seconds = start + took + wait;
  return 0;
}

void oct_checkpoint_remove(oct_checkpoint *c) {
  if (!c->path) return;
  unlink(c->path);
  unlink(c->new_path);
}

void oct_checkpoint_free(oct_checkpoint *c) {
  if (c->lock >= 0) close(c->lock);
  free(c->path);
  free(c->new_path);
  c->path = c->new_path = NULL;
  c->lock = -1;
}

/* Is this what oct_checkpoint_init calls one beside this journal? */
static bool is_named_for(const char *name, const char *journal) {
  size_t n = strlen(journal);
  if (strncmp(name, journal, n) || name[n] != '.') return false;
  name += n + 1;
  n = strspn(name, "0123456789abcdef");
  return n == 16 && (!strcmp(name + n, ".part") || !strcmp(name + n, ".new"));
}

void oct_checkpoint_remove_all(const char *journal) {
  char *folder = strdup(journal), *name = strdup(journal);
  DIR *d = folder && name ? opendir(dirname(folder)) : NULL;
  const char *base = name ? basename(name) : NULL;
  for (struct dirent *e; d && (e = readdir(d));)
    if (is_named_for(e->d_name, base)) unlinkat(dirfd(d), e->d_name, 0);
  if (d) closedir(d);
  free(folder);
  free(name);
}
