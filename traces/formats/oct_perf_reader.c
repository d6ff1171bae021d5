/* SPDX-License-Identifier: Apache-2.0 */
/* oct_perf_reader.c - perf.data files with Intel PT as a trace (docs/formats/intel-pt.md).
 *
 * Each thread or processor has a stream of its own, which libipt decodes. Streams are merged by
 * their time stamps: it is always the one whose last instruction is the earliest that goes on. Code
 * comes from the files that were mapped at that time in the process that ran: the very files, or
 * those given that have the same name. What was no file (the kernel's vdso, generated code) cannot
 * be decoded; the stream goes on behind it, which is a gap. */
#include "oct_elf_head.h"
#include "oct_infile.h"
#include "oct_perf_file.h"
#include "oct_pt_flow.h"
#include "oct_unit_formats.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct perf perf;

/* A mapped file, by its name: its bytes, or none when it cannot be read. */
typedef struct image {
  const char *name;
  uint8_t *bytes;
  size_t n_bytes;
  bool is_file;                       /* its name is one of a file */
  char other[OCT_LACKING_NAME_BYTES]; /* what the file is that stands there now, "": what ran */
} image;

/* The stream of one thread or processor. */
typedef struct stream {
  perf *of;
  oct_pt_flow flow;
  oct_perf_queue *queue;
  char name[256];                  /* for messages, with that of the file */
  uint64_t time;                   /* of the instruction that waits, */
  uint64_t tsc;                    /* and its time stamp counter */
  const oct_perf_mapping *mapping; /* what was mapped where the last code was found, */
  uint64_t until;                  /* before this time; */
  uint32_t mapping_pid;            /* of this process, */
  const image *image;              /* and the file */
  uint32_t tid, pid;
  struct pt_insn insn;
  bool has_insn, is_ended;
} stream;

struct perf {
  oct_perf_file file;
  stream *streams;
  size_t n_streams;
  image *images;
  size_t n_images;
  const oct_read_options *options; /* while it is opened */
  bool *is_module;                 /* of the mappings: the reader's modules have it */
  oct_disasm *disasm[2];
};

/* ---- Code ---- */

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* The file that stands for the one mapped under that name. */
static const char *path_of(const oct_read_options *o, const char *name) {
  const char *base = base_name(name);
  if (o->elf && !strcmp(base_name(o->elf), base)) return o->elf;
  for (size_t i = 0; i < o->n_more; i++)
    if (!strcmp(base_name(o->more[i].path), base)) return o->more[i].path;
  return name;
}

/* Whether the file is a program for another machine, which never ran: m says so, and lacks code. */
static bool is_other(image *m, const char *path) {
  enum { MACHINE = 18, BIG_ENDIAN_AT = 5, HEAD_BYTES = 20, I386 = 3, X86_64 = 62 };
  const uint8_t *head = m->bytes;
  oct_program *program;
  oct_diag why;
  if (m->n_bytes < HEAD_BYTES || memcmp(head, "\177ELF", 4) != 0) return false;
  const unsigned machine = head[MACHINE] | (unsigned)head[MACHINE + 1] << 8;
  if (head[BIG_ENDIAN_AT] == 1 && (machine == I386 || machine == X86_64)) return false;
  const bool is_known = !oct_program_open(path, 0, &program, &why);
  snprintf(m->other, sizeof m->other, "the %s file %s",
           is_known ? oct_isa_get((oct_isa)oct_program_isa(program))->name : "foreign", path);
  if (is_known) oct_program_close(program);
  return true;
}

static void load_image(const perf *x, image *m) {
  const char *path = path_of(x->options, m->name);
  struct stat st;
  m->is_file = m->name[0] == '/' && strncmp(m->name, "//anon", 6) != 0;
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* it may be anything by now */
  if (fd < 0) return;
  if (oct_infile_note(fd)) goto end;
  if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0) {
    void *p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (p != MAP_FAILED) {
      m->bytes = p;
      m->n_bytes = (size_t)st.st_size;
      if (is_other(m, path)) {
        munmap(p, m->n_bytes);
        m->bytes = NULL;
        m->is_file = false;
      }
    }
  }
end:
  close(fd);
}

static const image *find_image(const perf *x, const char *name) {
  for (size_t i = 0; i < x->n_images; i++)
    if (!strcmp(x->images[i].name, name)) return &x->images[i];
  return NULL;
}

/* Open all files that were mapped. */
static int load_images(perf *x) {
  const oct_perf_mapping *m = (const oct_perf_mapping *)(const void *)x->file.mappings.bytes;
  size_t n = x->file.mappings.n_bytes / sizeof *m;
  if (!(x->images = calloc(n + 1, sizeof *x->images))) return OCT_ERR_NOMEM;
  for (size_t i = 0; i < n; i++) {
    if (find_image(x, m[i].name)) continue;
    image *fresh = &x->images[x->n_images++];
    fresh->name = m[i].name;
    load_image(x, fresh);
  }
  return 0;
}

/* Which thread runs, by the time of the stream. */
static void find_thread(stream *s) {
  const oct_perf_file *f = &s->of->file;
  if (s->pid && s->tsc == s->flow.time) return;
  s->tsc = s->flow.time;
  s->time = oct_perf_time(f, s->tsc);
  uint32_t tid = oct_perf_thread_at(f, s->queue, s->time);
  if (tid == s->tid && s->pid) return;
  const oct_perf_thread *t = oct_perf_thread_of(f, tid);
  s->tid = tid;
  s->pid = t ? t->pid : tid;
}

/* What is mapped at ip: *f is its file, NULL if nothing is. */
static const oct_perf_mapping *find_mapping(stream *s, uint64_t ip, const image **f) {
  perf *x = s->of;
  find_thread(s); /* an event may have told a later time */
  const oct_perf_mapping *m = s->mapping;
  if (!m || s->mapping_pid != s->pid || s->time >= s->until || ip - m->addr >= m->length) {
    s->mapping = m = oct_perf_mapping_at(&x->file, s->pid, s->time, ip);
    s->image = m ? find_image(x, m->name) : NULL;
    s->mapping_pid = s->pid;
    s->until = oct_perf_next_mapping(&x->file, s->time);
  }
  *f = s->image;
  return m;
}

static size_t find_code(void *context, uint64_t ip, uint8_t *to, size_t n) {
  const image *f;
  const oct_perf_mapping *m = find_mapping(context, ip, &f);
  if (!f || !f->bytes) return 0;
  uint64_t into = ip - m->addr, at = m->offset + into;
  if (at >= f->n_bytes) return 0;
  if (n > m->length - into) n = (size_t)(m->length - into);
  if (n > f->n_bytes - at) n = (size_t)(f->n_bytes - at);
  memcpy(to, f->bytes + at, n);
  return n;
}

static const char *name_at(void *context, uint64_t ip) {
  const image *f;
  find_mapping(context, ip, &f);
  return !f ? "" : f->other[0] ? f->other : f->name;
}

/* ---- Streams ---- */

/* Have the stream's next instruction wait, unless it has ended. */
static int advance(oct_reader *r, stream *s, oct_diag *diag) {
  int rc = oct_pt_flow_next(&s->flow, &s->insn, diag);
  if (rc == OCT_ERR_TRUNCATED && s->flow.goes_on) { /* the other streams stand */
    oct_reader_damaged(r, diag);
    rc = 0;
  }
  if (rc < 0) return rc;
  s->has_insn = rc > 0;
  s->is_ended = rc == 0;
  if (!rc) return oct_pt_add_events(r, &s->flow, diag);
  find_thread(s);
  return 0;
}

/* A stream without a sync, of which nothing can be decoded. */
static void lack_sync(oct_reader *r, const char *whose, size_t n_bytes) {
  if (!r->lacking.n_unsynced++)
    snprintf(r->lacking.unsynced, sizeof r->lacking.unsynced, "%s", whose);
  r->lacking.unsynced_bytes += n_bytes;
  oct_reader_lost_by(r, OCT_GAP_BEGINNING, 0);
}

static int open_streams(oct_reader *r, perf *x, const struct pt_cpu *cpu, oct_diag *diag) {
  size_t n = oct_perf_n_queues(&x->file), n_live = 0;
  if (!(x->streams = calloc(n, sizeof *x->streams)))
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  for (size_t i = 0; i < n; i++) {
    oct_perf_queue *q = oct_perf_queue_at(&x->file, i);
    stream *s = &x->streams[x->n_streams++];
    bool is_thread = q->cpu == OCT_PERF_NO_CPU;
    char whose[24];
    snprintf(whose, sizeof whose, "%s %" PRIu32, is_thread ? "thread" : "processor",
             is_thread ? q->tid : q->cpu);
    snprintf(s->name, sizeof s->name, "%s: %s", oct_input_name(r->in), whose);
    s->of = x;
    s->queue = q;
    s->flow.of = r;
    s->flow.name = s->name;
    s->flow.code = find_code;
    s->flow.place = name_at;
    s->flow.context = s;
    s->flow.goes_on = r->options->goes_on != 0;
    s->flow.is_late = q->is_late;
    s->flow.holes = (const uint64_t *)(const void *)q->holes.bytes;
    s->flow.n_holes = q->holes.n_bytes / sizeof(uint64_t);
    uint8_t *bytes = q->bytes.bytes;
    q->bytes.bytes = NULL; /* the flow's from now on */
    oct_diag why;
    int rc = oct_pt_flow_open(&s->flow, cpu, bytes, q->bytes.n_bytes, &why);
    if (rc && rc != OCT_ERR_FORMAT) return oct_diag_pass(diag, &why, rc);
    s->is_ended = rc != 0; /* a processor that ran nothing of the program, or no sync is left */
    const bool has_none = rc && !oct_pt_flow_is_padding(&s->flow);
    if (rc && (!i || (has_none && !r->lacking.n_unsynced))) oct_diag_pass(diag, &why, rc);
    if (has_none) lack_sync(r, whose, s->flow.n_all_bytes);
    n_live += !rc;
    find_thread(s);
  }
  return n_live ? 0 : OCT_ERR_FORMAT; /* of the first, if there is one, that is not padding */
}

/* Let the file whose code the stream is at be one of the reader's modules. */
static int add_module(oct_reader *r, const stream *s, oct_diag *diag) {
  perf *x = s->of;
  const oct_perf_mapping *m = s->mapping;
  const oct_perf_mapping *first = (const oct_perf_mapping *)(const void *)x->file.mappings.bytes;
  uint64_t in_file;
  if (!m || x->is_module[m - first] || !s->image || !s->image->is_file) return 0;
  x->is_module[m - first] = true;
  const int fd = oct_infile_open(m->name);
  if (fd < 0) return errno == ENOMEM ? oct_fail(diag, OCT_ERR_NOMEM, "out of memory") : 0;
  const int is_there = oct_elf_address(fd, m->offset, &in_file);
  close(fd);
  return is_there ? oct_reader_add_mapped(r, m->name, m->addr, m->length, m->addr - in_file, diag)
                  : 0;
}

static int perf_open(oct_reader *r, oct_diag *diag) {
  uint8_t *bytes;
  size_t n_bytes;
  int rc = oct_pt_read_all(r, &bytes, &n_bytes, diag);
  if (rc) return rc;
  r->is_unchecked = 1;
  perf *x = r->state = calloc(1, sizeof *x);
  if (!x) {
    free(bytes);
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  }
  const bool goes_on = r->options->goes_on != 0;
  if ((rc = oct_perf_read(&x->file, oct_input_name(r->in), bytes, n_bytes, goes_on, diag)))
    return rc;
  /* Files are taken by the names of what was mapped, not where they say themselves. */
  oct_program_close(r->program);
  r->program = NULL;
  x->options = r->options;
  x->is_module = calloc(x->file.mappings.n_bytes / sizeof(oct_perf_mapping) + 1, 1);
  if (!x->is_module || load_images(x)) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  x->options = NULL;
  const char *command = x->file.command;
  if (command) {
    rc = oct_reader_keep(r, &r->command, command, strlen(command), diag);
    if (rc) return rc;
    r->info.command = r->command;
  }
  r->info.origin = "perf record";
  for (uint64_t i = 0; i < x->file.n_lost; i++) oct_reader_lost(r); /* nobody knows where */
  struct pt_cpu cpu = {.vendor = x->file.family ? pcv_intel : pcv_unknown,
                       .family = x->file.family,
                       .model = x->file.model,
                       .stepping = x->file.stepping};
  if ((rc = oct_pt_parse_cpu(r, &cpu, diag))) return rc;
  rc = oct_reader_use_isa(r, OCT_ISA_X86_64, NULL, diag);
  return rc ? rc : open_streams(r, x, &cpu, diag);
}

static int perf_fill(oct_reader *r, oct_diag *diag) {
  perf *x = r->state;
  for (;;) {
    stream *first = NULL;
    for (size_t i = 0; i < x->n_streams; i++) {
      stream *s = &x->streams[i];
      int rc = s->has_insn || s->is_ended ? 0 : advance(r, s, diag);
      if (rc) return rc;
      if (s->has_insn && (!first || s->time < first->time)) first = s;
    }
    if (!first) {
      if (x->file.cut.error) oct_reader_damaged(r, &x->file.cut);
      x->file.cut.error = 0;
      return oct_pt_check_any(r, diag);
    }
    int rc = oct_pt_add_events(r, &first->flow, diag);
    if (!rc) rc = add_module(r, first, diag);
    if (!rc) rc = oct_pt_add_insn(r, x->disasm, &first->insn, first->tid, diag);
    if (rc) return rc;
    first->has_insn = false;
  }
}

static void perf_close(oct_reader *r) {
  perf *x = r->state;
  if (!x) return;
  for (size_t i = 0; i < x->n_streams; i++) oct_pt_flow_close(&x->streams[i].flow);
  for (size_t i = 0; i < x->n_images; i++)
    if (x->images[i].bytes) munmap(x->images[i].bytes, x->images[i].n_bytes);
  free(x->streams);
  free(x->images);
  free(x->is_module);
  oct_perf_free(&x->file);
  oct_disasm_free(x->disasm[0]);
  oct_disasm_free(x->disasm[1]);
  free(x);
}

const oct_reader_ops oct_perf_reader = {.open = perf_open, .fill = perf_fill, .close = perf_close};
