/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etm4_snapshot_writer.c - snapshot folders with ETMv4 as a format (docs/formats/etmv4.md): a
 * trace as one, as Arm's tools read it, and how to know them. OpenCSD reads them
 * (oct_etm_reader.c); a build without it has a reader that says so.
 *
 * The tracer encodes into a file without a name, and the bytes of instructions are kept in a map.
 * At the end the folder is made under a temporary name, which is in the list of what a signal
 * removes, filled, and renamed: so nothing half-written stays behind. What a folder of that name
 * held is replaced if it was a snapshot of octrace, and nothing else. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "oct_etm4.h"
#include "octrace/error.h"
#include "oct_infile.h"
#include "oct_port_stream.h"
#include "oct_temporary.h"
#include "oct_unit_formats.h"

/* What a snapshot of octrace begins with. */
static const char head[] = "[snapshot]\nversion=1.0\ndescription=written by octrace\n";

enum {
  NEAR_BYTES = 4096, /* instructions less far apart are in one dump */
  NAME_BYTES = 32
};

typedef struct snapshot {
  oct_port_stream stream;
  FILE *trace;   /* without a name */
  oct_map *code; /* the instructions, with their bytes */
} snapshot;

static int no_memory(oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

/* ---- The place ---- */

static bool is_our_name(const char *name) {
  static const char *const names[] = {"snapshot.ini", "trace.ini", "core.ini", "etm.ini",
                                      "trace.bin"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(name, names[i])) return true;
  size_t digits = strncmp(name, "memory", 6) ? 0 : strspn(name + 6, "0123456789");
  return digits && !strcmp(name + 6 + digits, ".bin");
}

static bool is_dot(const char *name) {
  return !strcmp(name, ".") || !strcmp(name, "..");
}

/* Whether the file snapshot.ini of a folder begins as ours does. */
static bool has_our_head(int folder) {
  char text[sizeof head] = "";
  int fd = openat(folder, "snapshot.ini", O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  bool is_ours = fd >= 0 && read(fd, text, sizeof head - 1) == sizeof head - 1;
  if (fd >= 0) close(fd);
  return is_ours && !strcmp(text, head);
}

/* Is the place free, or held by an empty folder or one of ours? */
static int check_place(const oct_writer *w, oct_diag *diag) {
  struct stat st;
  const struct dirent *e;
  size_t n = 0, n_others = 0;
  if (lstat(w->path, &st))
    return errno == ENOENT ? 0 : oct_fail(diag, OCT_ERR_IO, "%s", strerror(errno));
  if (!S_ISDIR(st.st_mode))
    return oct_fail(diag, OCT_ERR_IO,
                    "exists: expected the name of a folder, which an ETMv4 snapshot is");
  DIR *d = opendir(w->path);
  if (!d) return oct_fail(diag, OCT_ERR_IO, "%s", strerror(errno));
  bool is_input = !fstat(dirfd(d), &st) && oct_infile_is(&st);
  for (; (e = readdir(d)); n += !is_dot(e->d_name)) {
    n_others += !is_dot(e->d_name) && !is_our_name(e->d_name);
    is_input |= !fstatat(dirfd(d), e->d_name, &st, 0) && !S_ISDIR(st.st_mode) && oct_infile_is(&st);
  }
  bool is_ours = !n || (!n_others && has_our_head(dirfd(d)));
  closedir(d);
  if (is_input)
    return oct_diag_from(diag, OCT_ORIGIN_OUTPUT,
                         oct_fail(diag, OCT_ERR_ARG, "input and output are the same file"));
  return is_ours ? 0
                 : oct_fail(diag, OCT_ERR_IO,
                            "a folder that holds something else than a snapshot of octrace: "
                            "expected a new name");
}

static void remove_folder(const char *name) {
  const struct dirent *e;
  DIR *d = opendir(name);
  while (d && (e = readdir(d)))
    if (is_our_name(e->d_name)) unlinkat(dirfd(d), e->d_name, 0);
  if (d) closedir(d);
  rmdir(name);
}

/* ---- Files ---- */

static FILE *make_file(int folder, const char *name) {
  int fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  FILE *f = fd < 0 ? NULL : fdopen(fd, "wb");
  if (fd >= 0 && !f) close(fd);
  return f;
}

/* 0, or -1 with errno set. */
static int end_file(FILE *f) {
  if (!f) return -1;
  int failed = ferror(f);
  return fclose(f) || failed ? -1 : 0;
}

static int put_text(int folder, const char *name, const char *text) {
  FILE *f = make_file(folder, name);
  if (f) fputs(text, f);
  return end_file(f);
}

static oct_etm4_params params_of(const snapshot *s) {
  return oct_etm4_params_of(s->stream.params);
}

/* How the trace unit was set. */
static int put_unit(const snapshot *s, int folder) {
  enum { CCI = 1 << 4, CID = 1 << 6, TS = 1 << 11, RS = 1 << 12 };
  const oct_etm4_params p = params_of(s);
  uint32_t config = CID | (p.cycles ? CCI : 0) | (p.timestamp ? TS : 0) | (p.return_stack ? RS : 0);
  FILE *f = make_file(folder, "etm.ini");
  if (f)
    fprintf(f,
            "[device]\nname=ETM_0\nclass=trace_source\ntype=ETM4\n\n[regs]\n"
            "TRCCONFIGR=0x%08" PRIx32 "\nTRCTRACEIDR=0x%08" PRIx32 "\nTRCCCCTLR=0x%08" PRIx32
            "\n"
            "TRCAUTHSTATUS=0x000000cc\nTRCIDR0=0x28000ea1\nTRCIDR1=0x4100f403\n"
            "TRCIDR2=0x00000488\nTRCIDR8=0x00000000\nTRCIDR9=0x00000000\nTRCIDR10=0x00000000\n"
            "TRCIDR11=0x00000000\nTRCIDR12=0x00000000\nTRCIDR13=0x00000000\n",
            config, p.trace_id, p.cycle_threshold);
  return end_file(f);
}

static int by_addr(const void *a, const void *b) {
  const oct_map_head *x = *(const oct_map_head *const *)a, *y = *(const oct_map_head *const *)b;
  return x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* OpenCSD reads four bytes at a time, so there must be some behind the last instruction. */
static int end_dump(FILE *dump) {
  if (!dump) return 0;
  fwrite("\0\0\0", 1, 4, dump);
  return end_file(dump);
}

/* Whether the kernel lends a program of A32 and T32 its helpers there, which are A32. */
static bool is_lent(uint64_t addr) {
  return addr >> 16 == 0xffff;
}

/* The instruction's bytes; where the kernel lent it a nop, behind which the stream says how it goes
 * on. */
static const uint8_t *bytes_of(const oct_map_head *e) {
  static const uint8_t nop[4] = {0x00, 0xf0, 0x20, 0xe3};
  return e->code_isa ? e->code : nop;
}

/* The core, and the program as dumps of memory. */
static int put_core(const snapshot *s, int folder, const oct_map_head **entries, size_t n) {
  uint64_t start = 0, end = 0;
  unsigned dumps = 0;
  char name[NAME_BYTES];
  FILE *ini = make_file(folder, "core.ini"), *dump = NULL;
  if (!ini) return -1;
  fprintf(ini,
          "[device]\nname=core\nclass=core\ntype=%s\n\n[regs]\nPC(size:64)=0x0\nSP(size:64)=0x0\n"
          "SCTLR_EL1=0x0\nCPSR=0x0\n",
          params_of(s).default_isa == OCT_ETM4_A64 ? "Cortex-A53" : "Cortex-A15");
  for (size_t i = 0; i < n; i++) {
    const oct_map_head *e = entries[i];
    if (!dump || e->addr > end + NEAR_BYTES) {
      if (end_dump(dump)) break;
      snprintf(name, sizeof name, "memory%u.bin", ++dumps);
      start = e->addr;
      fprintf(ini, "\n[dump%u]\nfile=%s\naddress=0x%" PRIx64 "\n", dumps, name, start);
      if (!(dump = make_file(folder, name))) break;
    }
    fseek(dump, (long)(e->addr - start), SEEK_SET);
    fwrite(bytes_of(e), 1, e->size_bytes, dump);
    end = e->addr + e->size_bytes;
    if (i + 1 == n) {
      if (end_dump(dump)) break;
      return end_file(ini);
    }
  }
  end_file(ini);
  return n ? -1 : 0;
}

static int put_trace(const snapshot *s, int folder) {
  char bytes[1 << 14];
  size_t n;
  FILE *f = make_file(folder, "trace.bin");
  if (!f) return -1;
  rewind(s->trace);
  while ((n = fread(bytes, 1, sizeof bytes, s->trace))) fwrite(bytes, 1, n, f);
  int failed = ferror(s->trace);
  return end_file(f) || failed ? -1 : 0;
}

/* All files; 0, or -1 with errno set. */
static int fill(const snapshot *s, int folder, const oct_map_head **entries, size_t n) {
  char text[sizeof head + 128];
  snprintf(text, sizeof text,
           "%s\n[device_list]\ndevice0=core.ini\ndevice1=etm.ini\n\n[trace]\nmetadata=trace.ini\n",
           head);
  if (put_text(folder, "snapshot.ini", text)) return -1;
  snprintf(text, sizeof text, "[buffer0]\nname=ETB_0\nfile=trace.bin\nformat=%s\n\n",
           params_of(s).frames ? "coresight" : "source_data");
  FILE *f = make_file(folder, "trace.ini");
  if (f)
    fprintf(f,
            "[trace_buffers]\nbuffers=buffer0\n\n%s[core_trace_sources]\ncore=ETM_0\n\n"
            "[source_buffers]\nETM_0=ETB_0\n",
            text);
  if (end_file(f) || put_unit(s, folder) || put_trace(s, folder)) return -1;
  return put_core(s, folder, entries, n);
}

/* Give the folder its name, in place of one that check_place allowed; 0, or -1 with errno set. */
static int name_folder(const char *temporary, const char *final) {
  if (!rename(temporary, final)) return 0; /* nothing was there, or an empty folder */
  if (errno != ENOTEMPTY && errno != EEXIST) return -1;
  if (renameat2(AT_FDCWD, temporary, AT_FDCWD, final, RENAME_EXCHANGE)) return -1;
  remove_folder(temporary);
  return 0;
}

static int put_folder(const oct_writer *w, const oct_map_head **entries, size_t n, oct_diag *diag) {
  char *temporary = malloc(strlen(w->path) + OCT_TEMPORARY_BYTES);
  void *listed = NULL;
  if (!temporary) return no_memory(diag);
  oct_temporary_sweep(w->path);
  int folder = oct_outfile_make_folder(temporary, w->path, &listed), reason = errno;
  bool failed = folder < 0;
  if (!failed && (fill(w->state, folder, entries, n) || name_folder(temporary, w->path))) {
    reason = errno;
    failed = true;
    remove_folder(temporary);
  }
  if (folder >= 0) close(folder);
  oct_outfile_forget_folder(listed);
  free(temporary);
  return failed ? oct_fail(diag, OCT_ERR_IO, "cannot write: %s", strerror(reason)) : 0;
}

/* ---- The writer ---- */

static int write_trace(oct_writer *w, const uint8_t *bytes, size_t n, oct_diag *diag) {
  snapshot *s = w->state;
  if (fwrite(bytes, 1, n, s->trace) == n) return 0;
  return oct_fail(diag, OCT_ERR_IO, "cannot write: %s", strerror(errno));
}

/* Keep the bytes of instructions. */
static int learn(oct_writer *w, const oct_map_update *updates, size_t n, oct_diag *diag) {
  snapshot *s = w->state;
  for (size_t i = 0; i < n; i++) {
    const oct_map_entry *e = &updates[i].entry;
    if (e->flags & OCT_MAP_CONTINUES) continue;
    uint32_t id = oct_map_find(s->code, e->addr);
    const oct_map_head *old = id == UINT32_MAX ? NULL : oct_map_at(s->code, id);
    if (!e->code_isa &&
        (params_of(s).default_isa == OCT_ETM4_A64 || e->size_bytes != 4 || !is_lent(e->addr)))
      return oct_fail(diag, OCT_ERR_UNSUPPORTED,
                      "the bytes of the instruction at 0x%" PRIx64
                      " are not known, which a snapshot needs: a capture has them, and so has "
                      "--elf for all that octrace can decode",
                      e->addr);
    if (old &&
        (old->size_bytes != e->size_bytes || memcmp(old->code, e->code, sizeof e->code) != 0))
      return oct_fail(diag, OCT_ERR_UNSUPPORTED,
                      "the code at 0x%" PRIx64
                      " changes while the program runs: a snapshot has one image of memory",
                      e->addr);
    if (oct_map_put(s->code, e) < 0) return no_memory(diag);
  }
  return 0;
}

static int snapshot_open(oct_writer *w, oct_diag *diag) {
  if (!strcmp(w->path, "standard output"))
    return oct_fail(diag, OCT_ERR_UNSUPPORTED, "an ETMv4 snapshot is a folder: expected its name");
  for (size_t n = strlen(w->path); n > 1 && w->path[n - 1] == '/'; n--) w->path[n - 1] = 0;
  int rc = check_place(w, diag);
  if (rc) return rc;
  snapshot *s = w->state = calloc(1, sizeof *s);
  if (!s || !(s->code = oct_map_new())) return no_memory(diag);
  int fd = oct_temporary_unnamed(w->path);
  s->trace = fd < 0 ? tmpfile() : fdopen(fd, "w+b");
  if (!s->trace) {
    rc = oct_fail(diag, OCT_ERR_IO, "cannot create: %s", strerror(errno));
    if (fd >= 0) close(fd);
    return rc;
  }
  s->stream.write = write_trace;
  s->stream.learn = learn;
  return oct_port_stream_open(w, &s->stream, diag);
}

/* Instructions in order of their addresses, of four bytes at most: whether those that share bytes
 * agree on them. */
static int check_overlaps(const oct_map_head **entries, size_t n, oct_diag *diag) {
  for (size_t i = 1; i < n; i++) {
    const oct_map_head *a = entries[i - 1], *b = entries[i];
    uint64_t apart = b->addr - a->addr;
    if (apart >= a->size_bytes) continue;
    size_t shared = a->size_bytes - (size_t)apart;
    if (shared > b->size_bytes) shared = b->size_bytes;
    if (memcmp(bytes_of(a) + apart, bytes_of(b), shared) != 0)
      return oct_fail(diag, OCT_ERR_UNSUPPORTED,
                      "the instructions at 0x%" PRIx64 " and 0x%" PRIx64
                      " have other bytes where they overlap: a snapshot has one image of memory",
                      a->addr, b->addr);
  }
  return 0;
}

static int snapshot_finish(oct_writer *w, oct_diag *diag) {
  const snapshot *s = w->state;
  int rc = oct_port_stream_finish(w, diag);
  if (!rc) rc = check_place(w, diag); /* as it is by now */
  if (rc) return rc;
  size_t n = oct_map_count(s->code);
  const oct_map_head **entries = malloc((n + 1) * sizeof *entries);
  if (!entries) return no_memory(diag);
  for (size_t i = 0; i < n; i++) entries[i] = oct_map_at(s->code, (uint32_t)i);
  qsort(entries, n, sizeof *entries, by_addr);
  rc = check_overlaps(entries, n, diag);
  if (!rc) rc = put_folder(w, entries, n, diag);
  free(entries);
  return rc;
}

static void snapshot_close(oct_writer *w) {
  snapshot *s = w->state;
  if (!s) return;
  oct_port_stream_end(&s->stream);
  if (s->trace) fclose(s->trace);
  oct_map_free(s->code);
  free(s);
}

static const oct_writer_ops snapshot_writer = {.open = snapshot_open,
                                               .put = oct_port_stream_put,
                                               .finish = snapshot_finish,
                                               .close = snapshot_close,
                                               .is_folder = 1};

/* ---- The format ---- */

/* A section [snapshot], behind comments and empty lines. */
static int etm_probe(const uint8_t *p, size_t n, int is_text) {
  static const char section[] = "[snapshot]";
  size_t at = 0;
  if (!is_text) return 0;
  while (at < n && (strchr(" \t\r\n", p[at]) || p[at] == ';' || p[at] == '#')) {
    const uint8_t *end = strchr(" \t\r\n", p[at]) ? p + at : memchr(p + at, '\n', n - at);
    at = end ? (size_t)(end - p) + 1 : n;
  }
  return n - at >= sizeof section - 1 && !memcmp(p + at, section, sizeof section - 1);
}

/* A snapshot is a folder with a list of its files. */
static int list_files(const char *folder, char ***paths, size_t *n_paths, oct_diag *diag) {
  char *path;
  *paths = NULL;
  *n_paths = 0;
  if (asprintf(&path, "%s/snapshot.ini", folder) < 0)
    return oct_fail_in(diag, OCT_ERR_NOMEM, folder, "out of memory");
  if (access(path, F_OK)) {
    free(path);
    return oct_fail_in(diag, OCT_ERR_FORMAT, folder,
                       "a folder: expected a file, a folder of drmemtrace files (*.trace.zip, "
                       "*.trace.gz), or a snapshot with ETMv4 (snapshot.ini)");
  }
  if (!(*paths = malloc(sizeof **paths))) {
    free(path);
    return oct_fail_in(diag, OCT_ERR_NOMEM, folder, "out of memory");
  }
  (*paths)[(*n_paths)++] = path;
  return 0;
}

const oct_format_desc oct_etmv4_format = {
    .name = "etmv4",
    .text = "CoreSight snapshot with ETMv4",
    .probe = etm_probe,
    .reader = &oct_etm_reader,
    .writer = &snapshot_writer,
    .keeps_traps = 1,
    .addr_bits = 64,
    .list = list_files,
    .takes_params = 1,
    .lacks = "data addresses; cycle stamps unless the trace unit counts cycles"};
