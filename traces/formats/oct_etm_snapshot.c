/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etm_snapshot.c - a snapshot folder: files of sections and KEY=VALUE lines, and binary files.
 *
 * snapshot.ini lists the devices' files and names the trace's, trace.ini, which names the buffers
 * and says which trace unit writes to which. A device is a core, with dumps of memory, or a trace
 * unit. Source: "CoreSight Trace Snapshot" of OpenCSD's documentation (external_custom, snapshot
 * format). */
#include "oct_etm_snapshot.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "oct_input.h"
#include "oct_text_begin.h"

enum { LINE_BYTES = 1024 };

/* A file of sections that is read, and who is told of each of its lines. */
typedef struct sections {
  const char *path;
  unsigned line;
  int (*take)(void *to, const struct sections *s, const char *section, char *key, char *value,
              oct_diag *diag);
  void *to;
} sections;

static int bad(const sections *s, oct_diag *diag, const char *expected) {
  return oct_diag_in(
      diag, s->path,
      oct_fail_at(diag, OCT_ERR_FORMAT, OCT_AT_LINE, s->line, "expected %s", expected));
}

static char *trim(char *p) {
  while (isspace((unsigned char)*p)) p++;
  for (size_t n = strlen(p); n && isspace((unsigned char)p[n - 1]);) p[--n] = 0;
  return p;
}

static int read_line(sections *s, char *section, char *line, oct_diag *diag) {
  char *p = trim(line), *mark;
  if (!*p || *p == ';' || *p == '#') return 0;
  if (*p == '[') {
    if (!(mark = strchr(p, ']'))) return bad(s, diag, "a section in brackets");
    *mark = 0;
    snprintf(section, OCT_ETM_NAME_BYTES, "%.*s", OCT_ETM_NAME_BYTES - 1, trim(p + 1));
    return 0;
  }
  if (!(mark = strchr(p, '='))) return bad(s, diag, "KEY=VALUE");
  *mark = 0;
  return s->take(s->to, s, section, trim(p), trim(mark + 1), diag);
}

/* A file of the snapshot is not there: that costs what needs it, as long as nothing does. */
static bool is_absent(const char *path) {
  struct stat st;
  return stat(path, &st) && errno == ENOENT;
}

/* Open a file of the snapshot, which is a regular one. */
static int open_file(const char *path, oct_input **in, oct_diag *diag) {
  struct stat st;
  if (!stat(path, &st) && !S_ISREG(st.st_mode))
    return oct_fail_in(diag, OCT_ERR_IO, path, "expected a file");
  return oct_input_open(path, in, diag);
}

static int read_sections(const char *path,
                         int (*take)(void *, const sections *, const char *, char *, char *,
                                     oct_diag *),
                         void *to, oct_diag *diag) {
  sections s = {path, 0, take, to};
  char section[OCT_ETM_NAME_BYTES] = "", copy[LINE_BYTES];
  oct_input *in;
  const char *line;
  size_t n;
  int rc = open_file(path, &in, diag);
  if (rc) return rc;
  rc = oct_text_begin(in, diag);
  while (!rc && (rc = oct_input_line(in, &line, &n, diag)) > 0) {
    s.line++;
    if (n >= sizeof copy || memchr(line, 0, n)) {
      rc = bad(&s, diag, "a line of text");
      break;
    }
    memcpy(copy, line, n);
    copy[n] = 0;
    rc = read_line(&s, section, copy, diag);
  }
  oct_input_close(in);
  return rc;
}

static void put_name(char *to, const char *value) {
  snprintf(to, OCT_ETM_NAME_BYTES, "%.*s", OCT_ETM_NAME_BYTES - 1, value);
}

static int number(const sections *s, const char *text, uint64_t most, uint64_t *value,
                  oct_diag *diag) {
  char *end;
  errno = 0;
  *value = strtoull(text, &end, 0);
  if (!isdigit((unsigned char)*text) || *end) return bad(s, diag, "a number");
  if (!errno && *value <= most) return 0;
  return bad(s, diag, most == UINT32_MAX ? "a number of 32 bits" : "a number of 64 bits");
}

/* The file called name in the folder of the file at beside; the caller frees it. */
static char *in_folder(const char *beside, const char *name) {
  const char *slash = strrchr(beside, '/');
  char *path;
  int n = slash ? (int)(slash - beside) + 1 : 0;
  return asprintf(&path, "%.*s%s", slash ? n : 2, slash ? beside : "./", name) < 0 ? NULL : path;
}

static int no_memory(const char *path, oct_diag *diag) {
  return oct_fail_in(diag, OCT_ERR_NOMEM, path, "out of memory");
}

static void put_absent(oct_etm_snapshot *s, const char *path) {
  if (!s->n_absent++) snprintf(s->absent, sizeof s->absent, "%s", path);
}

/* All bytes of the file called name beside another, from offset on and most of them. */
static int read_bytes(const char *beside, const char *name, uint64_t offset, uint64_t most,
                      uint8_t **bytes, size_t *n_bytes, oct_diag *diag) {
  char *path = in_folder(beside, name);
  oct_buffer b = {0};
  uint8_t *p;
  oct_input *in;
  int64_t n;
  if (!path) return no_memory(beside, diag);
  int rc = open_file(path, &in, diag);
  if (!rc) {
    do {
      p = oct_buffer_room(&b, OCT_INPUT_PEEK_BYTES);
      n = p ? oct_input_read(in, p, OCT_INPUT_PEEK_BYTES, diag) : no_memory(path, diag);
      if (n > 0) b.n_bytes += (size_t)n;
    } while (n > 0);
    rc = (int)n;
    oct_input_close(in);
  }
  if (!rc && offset > b.n_bytes)
    rc = oct_fail_in(diag, OCT_ERR_TRUNCATED, path, "ends before offset %llu, where memory begins",
                     (unsigned long long)offset);
  free(path);
  if (rc) {
    oct_buffer_free(&b);
    return rc;
  }
  b.n_bytes -= (size_t)offset;
  if (offset) memmove(b.bytes, b.bytes + offset, b.n_bytes);
  *bytes = b.bytes;
  *n_bytes = b.n_bytes > most ? (size_t)most : b.n_bytes;
  return 0;
}

/* ---- A device ---- */

typedef struct device_file {
  oct_etm_snapshot *to;
  const char *path;
  oct_etm_device device;
  char section[OCT_ETM_NAME_BYTES]; /* of the dump under way, or "" */
  char file[LINE_BYTES];            /* of it; */
  uint64_t addr, offset, length;
} device_file;

/* A dump is complete when its section is. */
static int end_dump(device_file *f, oct_diag *diag) {
  oct_etm_dump d = {.addr = f->addr};
  if (!f->section[0]) return 0;
  if (!f->file[0])
    return oct_fail_in(diag, OCT_ERR_FORMAT, f->path, "[%s]: expected file=", f->section);
  f->section[0] = 0;
  char *path = in_folder(f->path, f->file);
  if (!path) return no_memory(f->path, diag);
  bool is_there = !is_absent(path);
  if (!is_there) put_absent(f->to, path);
  free(path);
  int rc =
      is_there ? read_bytes(f->path, f->file, f->offset, f->length, &d.bytes, &d.n_bytes, diag) : 0;
  if (rc || !is_there) return rc;
  if (!oct_buffer_put(&f->to->dumps, &d, sizeof d)) return 0;
  free(d.bytes);
  return no_memory(f->path, diag);
}

static int take_dump(device_file *f, const sections *s, const char *section, const char *key,
                     const char *value, oct_diag *diag) {
  int rc = strcmp(f->section, section) != 0 ? end_dump(f, diag) : 0;
  if (rc) return rc;
  if (!f->section[0]) {
    put_name(f->section, section);
    f->file[0] = 0;
    f->addr = f->offset = 0;
    f->length = UINT64_MAX;
  }
  if (!strcmp(key, "file")) snprintf(f->file, sizeof f->file, "%s", value);
  if (!strcmp(key, "address")) return number(s, value, UINT64_MAX, &f->addr, diag);
  if (!strcmp(key, "offset")) return number(s, value, UINT64_MAX, &f->offset, diag);
  if (!strcmp(key, "length")) return number(s, value, UINT64_MAX, &f->length, diag);
  return 0;
}

static int take_reg(device_file *f, const sections *s, char *key, const char *value,
                    oct_diag *diag) {
  static const char *const names[OCT_ETM_REGS] = {
      "TRCCONFIGR", "TRCTRACEIDR", "TRCIDR0",  "TRCIDR1",  "TRCIDR2", "TRCIDR8",
      "TRCIDR9",    "TRCIDR10",    "TRCIDR11", "TRCIDR12", "TRCIDR13"};
  uint64_t v;
  key[strcspn(key, "( ")] = 0; /* behind it stand its number and size */
  for (unsigned i = 0; i < OCT_ETM_REGS; i++) {
    if (strcmp(key, names[i]) != 0) continue;
    int rc = number(s, value, UINT32_MAX, &v, diag);
    if (rc) return rc;
    f->device.regs[i] = (uint32_t)v;
    f->device.has_regs |= 1u << i;
  }
  return 0;
}

static int take_device(void *to, const sections *s, const char *section, char *key, char *value,
                       oct_diag *diag) {
  device_file *f = to;
  if (!strncmp(section, "dump", 4)) return take_dump(f, s, section, key, value, diag);
  if (!strcmp(section, "regs")) return take_reg(f, s, key, value, diag);
  if (strcmp(section, "device") != 0) return 0;
  if (!strcmp(key, "name")) put_name(f->device.name, value);
  if (!strcmp(key, "class")) put_name(f->device.class_name, value);
  if (!strcmp(key, "type")) put_name(f->device.type, value);
  return 0;
}

static int read_device(oct_etm_snapshot *to, const char *path, oct_diag *diag) {
  device_file f = {.to = to, .path = path};
  int rc = read_sections(path, take_device, &f, diag);
  if (!rc) rc = end_dump(&f, diag);
  if (!rc && oct_buffer_put(&to->devices, &f.device, sizeof f.device)) rc = no_memory(path, diag);
  return rc;
}

/* ---- The list, and the trace ---- */

typedef struct list_file {
  oct_etm_snapshot *to;
  const char *path;
  char trace[LINE_BYTES];           /* the file that says of the trace, or "" */
  char section[OCT_ETM_NAME_BYTES]; /* of the first buffer, */
  char file[LINE_BYTES];            /* and its file */
} list_file;

static int take_list(void *to, const sections *s, const char *section, char *key, char *value,
                     oct_diag *diag) {
  list_file *f = to;
  (void)s;
  if (!strcmp(section, "snapshot") && !strcmp(key, "description"))
    f->to->is_ours = !strcmp(value, "written by octrace");
  if (!strcmp(section, "trace") && !strcmp(key, "metadata"))
    snprintf(f->trace, sizeof f->trace, "%s", value);
  if (strcmp(section, "device_list") != 0) return 0;
  char *path = in_folder(f->path, value);
  int rc = path ? 0 : no_memory(f->path, diag);
  if (path && is_absent(path)) {
    put_absent(f->to, path);
    if (!f->to->absent_device[0])
      snprintf(f->to->absent_device, sizeof f->to->absent_device, "%s", path);
  } else if (path) {
    rc = read_device(f->to, path, diag);
  }
  free(path);
  return rc;
}

static int take_trace(void *to, const sections *s, const char *section, char *key, char *value,
                      oct_diag *diag) {
  list_file *f = to;
  oct_etm_device *d;
  (void)s, (void)diag;
  if (!strcmp(section, "trace_buffers") && !strcmp(key, "buffers")) {
    value[strcspn(value, ", ")] = 0;
    put_name(f->section, value);
  } else if (!strcmp(section, "core_trace_sources")) {
    if ((d = oct_etm_device_of(f->to, value))) put_name(d->of, key);
  } else if (!strcmp(section, "source_buffers")) {
    if ((d = oct_etm_device_of(f->to, key))) put_name(d->buffer, value);
  } else if (!strcmp(section, f->section)) {
    if (!strcmp(key, "name")) put_name(f->to->buffer, value);
    if (!strcmp(key, "file")) snprintf(f->file, sizeof f->file, "%s", value);
    if (!strcmp(key, "format")) f->to->is_framed = !strcmp(value, "coresight");
  }
  return 0;
}

int oct_etm_snapshot_read(oct_etm_snapshot *s, const char *path, oct_diag *diag) {
  list_file f = {.to = s, .path = path};
  int rc = read_sections(path, take_list, &f, diag);
  if (rc) return rc;
  if (!f.trace[0])
    return oct_fail_in(diag, OCT_ERR_FORMAT, path, "expected metadata= in a section [trace]");
  f.trace[strcspn(f.trace, ",")] = 0;
  char *trace = in_folder(path, f.trace);
  if (!trace) return no_memory(path, diag);
  rc = read_sections(trace, take_trace, &f, diag);
  if (!rc && !f.file[0])
    rc = oct_fail_in(diag, OCT_ERR_FORMAT, trace, "expected the file= of a trace buffer");
  f.file[strcspn(f.file, ",;")] = 0;
  if (!rc) rc = read_bytes(trace, f.file, 0, UINT64_MAX, &s->bytes, &s->n_bytes, diag);
  free(trace);
  return rc;
}

void oct_etm_snapshot_free(oct_etm_snapshot *s) {
  oct_etm_dump *d = (oct_etm_dump *)(void *)s->dumps.bytes;
  for (size_t i = 0; i < s->dumps.n_bytes / sizeof *d; i++) free(d[i].bytes);
  oct_buffer_free(&s->devices);
  oct_buffer_free(&s->dumps);
  free(s->bytes);
  memset(s, 0, sizeof *s);
}

oct_etm_device *oct_etm_device_of(const oct_etm_snapshot *s, const char *name) {
  for (size_t i = 0; i < oct_etm_n_devices(s); i++)
    if (!strcmp(oct_etm_device_at(s, i)->name, name)) return oct_etm_device_at(s, i);
  return NULL;
}

const uint8_t *oct_etm_memory(const oct_etm_snapshot *s, uint64_t addr, size_t *n) {
  const oct_etm_dump *d = (const oct_etm_dump *)(const void *)s->dumps.bytes;
  const uint8_t *found = NULL;
  *n = 0;
  for (size_t i = 0; i < s->dumps.n_bytes / sizeof *d; i++) {
    const uint64_t at = addr - d[i].addr;
    if (at >= d[i].n_bytes || d[i].n_bytes - (size_t)at <= *n) continue;
    *n = d[i].n_bytes - (size_t)at;
    found = d[i].bytes + at;
  }
  return found;
}
