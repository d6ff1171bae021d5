/* SPDX-License-Identifier: Apache-2.0 */
/* oct_codec_as_trace.c - the file of a software codec (.octc) as a trace.
 *
 * What was split into channels is joined (oct_trace_join.c) and handed out batch by batch. Where
 * the reader goes on, it does so at the next segment that is whole, and counts what is missing.
 *
 * The parameter from_sync=N leaves out what stands before group number N of segments; jobs=N has as
 * many workers decode, lossy=1 takes the result of a lossy codec, and max_memory=N lets a segment
 * need N MiB. Streams that stand apart are read from their files, FILE.1, FILE.2 ...
 *
 * To leave out the first instructions, the file is searched for the last group of segments that
 * begins among them, without decoding an instruction, and the trace is joined from that group on. A
 * pipe, which cannot be read twice, streams apart, and a reader that counts damage decode
 * everything. */
#include "octrace/codec.h"
#include "oct_infile.h"
#include "oct_module_text.h"
#include "oct_reader_format.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct codec_trace {
  oct_codec_reader *reader;
  oct_trace_join *join;
  FILE **parts; /* the files of streams that stand apart, */
  unsigned n_parts;
  uint64_t next; /* number of the next instruction */
  bool goes_on, has_begun;
} codec_trace;

static int64_t read_input(void *context, void *bytes, size_t n, oct_diag *diag) {
  return oct_input_read(context, bytes, n, diag);
}

/* Leave out what stands before group number n. */
static int begin_at(oct_reader *r, uint64_t n, oct_diag *diag) {
  codec_trace *s = r->state;
  uint64_t insn;
  for (uint64_t i = 0; i < n; i++) {
    const int got = oct_trace_join_resync(s->join, &insn, diag);
    if (got < 0) return got;
    if (!got) return oct_fail(diag, OCT_ERR_ARG, "sync %" PRIu64 ": expected 0 to %" PRIu64, n, i);
    s->next = insn;
  }
  s->has_begun |= n != 0;
  return 0;
}

static int64_t read_part(void *context, void *bytes, size_t n, oct_diag *diag) {
  FILE *f = context;
  size_t got = fread(bytes, 1, n, f);
  if (got < n && ferror(f)) return oct_fail(diag, OCT_ERR_IO, "cannot read: %s", strerror(errno));
  return (int64_t)got;
}

/* Open the files of streams that stand apart. */
static int open_parts(codec_trace *s, const char *name, oct_diag *diag) {
  oct_source_bytes sources[OCT_FILE_STREAMS_MAX];
  const unsigned n = oct_codec_reader_streams(s->reader);
  s->parts = calloc(n, sizeof *s->parts);
  if (!s->parts) return oct_fail_in(diag, OCT_ERR_NOMEM, name, "out of memory");
  for (; s->n_parts < n; s->n_parts++) {
    char *path = NULL;
    if (asprintf(&path, "%s.%u", name, s->n_parts + 1) < 0)
      return oct_fail_in(diag, OCT_ERR_NOMEM, name, "out of memory");
    FILE *f = s->parts[s->n_parts] = oct_infile_fopen(path);
    int rc = f ? 0
               : oct_fail_in(diag, OCT_ERR_IO, path, "the file of stream %u: %s", s->n_parts + 1,
                             strerror(errno));
    free(path);
    if (rc) return rc;
    sources[s->n_parts] = (oct_source_bytes){.read = read_part, .context = f};
  }
  oct_codec_reader_apart(s->reader, sources);
  return 0;
}

static int add_module(void *context, const oct_module *m, oct_diag *diag) {
  return oct_reader_add_module(context, m, strlen(m->path), diag);
}

static int codec_open(oct_reader *r, oct_diag *diag) {
  const char *name = oct_input_name(r->in);
  const oct_source_bytes source = {.read = read_input, .context = r->in};
  codec_trace *s = r->state = calloc(1, sizeof *s);
  oct_diag why = {0};
  if (!s) return oct_fail_in(diag, OCT_ERR_NOMEM, name, "out of memory");
  s->goes_on = r->options->goes_on == 1;
  uint64_t from_sync = r->options->from_sync, jobs = r->options->n_jobs,
           lossy = r->options->takes_lossy, memory_mib = r->options->memory_max_bytes >> 20;
  const oct_reader_number numbers[] = {{"from_sync", UINT64_MAX, &from_sync},
                                       {"jobs", 64, &jobs},
                                       {"lossy", 1, &lossy},
                                       {"max_memory", UINT64_MAX >> 20, &memory_mib}};
  int rc = oct_reader_numbers(r, numbers, sizeof numbers / sizeof *numbers, diag);
  if (rc) return rc;
  rc = oct_codec_reader_new(&source, (unsigned)jobs, &s->reader, &why);
  if (rc) return oct_diag_in(diag, name, oct_diag_pass(diag, &why, rc));
  const oct_codec_head *head = oct_codec_reader_head(s->reader);
  const char *codec = head->settings.codec->name;
  if (head->content != OCT_CONTENT_TRACE)
    return oct_fail_in(diag, OCT_ERR_FORMAT, name,
                       "records of a file, which octrace decompress brings back; expected a trace");
  if (!head->settings.codec->lossless && !lossy)
    return oct_fail_in(diag, OCT_ERR_UNSUPPORTED, name,
                       "codec %s is lossy: octrace decompress --lossy writes its imitation", codec);
  if (memory_mib) oct_codec_reader_max_memory(s->reader, memory_mib << 20);
  if (head->apart && (rc = open_parts(s, name, diag))) return rc;
  if ((rc = oct_trace_join_new(s->reader, &s->join, &why)))
    return oct_diag_in(diag, name, oct_diag_pass(diag, &why, rc));
  oct_trace_join_map_max(s->join, r->map_max);
  const oct_format format = r->info.format;
  const uint32_t insn_bytes = r->info.default_insn_bytes;
  oct_trace_join_info(s->join, &r->info);
  r->info.format = format;
  r->info.default_insn_bytes = insn_bytes;
  r->tells_map = 1;
  if ((rc = oct_modules_tell(head->modules, add_module, r, diag))) return rc;
  return begin_at(r, from_sync, diag);
}

/* Append a batch of the join, which has at most as many instructions as fit. */
static int take_batch(oct_reader *r, const oct_batch *b, oct_diag *diag) {
  int rc = oct_reader_room_accesses(r, b->n_accesses, diag);
  size_t trap = 0, fact = 0;
  for (size_t i = 0; !rc && i < b->n_map; i++) rc = oct_reader_add_map(r, &b->map[i], diag);
  for (size_t i = 0; !rc && i <= b->n_insns; i++) {
    for (; !rc && trap < b->n_traps && b->traps[trap].insn <= i; trap++)
      rc = oct_reader_add_trap(r, &b->traps[trap], diag);
    for (; !rc && fact < b->n_facts && b->facts[fact].insn <= i; fact++)
      rc = oct_reader_add_fact(r, &b->facts[fact], oct_value_of(b, b->facts[fact].value), diag);
    if (!rc && i < b->n_insns) r->insns[r->n_insns++] = b->insns[i];
  }
  if (rc) return rc;
  if (b->n_accesses) memcpy(r->accesses, b->accesses, b->n_accesses * sizeof *b->accesses);
  r->n_accesses = b->n_accesses;
  return 1;
}

/* Behind damage: go on at the next segment that is whole. 1, 0 where none follows, or an error. */
static int go_on(oct_reader *r, const oct_diag *why, oct_diag *diag) {
  codec_trace *s = r->state;
  uint64_t insn;
  oct_diag passed = {0}; /* what is passed over is no error */
  int got = oct_trace_join_resync(s->join, &insn, &passed);
  if (got < 0) return oct_diag_pass(diag, &passed, got);
  const oct_gap gap = {.insn = s->next,
                       .lost_insns = got ? insn - s->next : UINT64_MAX,
                       .lost_accesses = UINT64_MAX,
                       .least_insns = got ? insn - s->next : 0,
                       .error = why->error,
                       .diag = *why,
                       .is_end = !got};
  oct_reader_meet(r, &r->gaps, &gap);
  s->next = insn;
  return got;
}

/* Count in *n the groups after the first that begin among the next n_skip instructions. The input
 * is then where it was. */
static int count_groups(oct_reader *r, uint64_t *n, oct_diag *diag) {
  const oct_source_bytes source = {.read = read_input, .context = r->in};
  const uint64_t here = oct_input_offset(r->in);
  oct_codec_reader *reader = NULL;
  oct_trace_join *join = NULL;
  uint64_t insn = 0;
  *n = 0;
  int rc = oct_input_seek(r->in, 0, diag);
  if (!rc) rc = oct_codec_reader_new(&source, 0, &reader, diag);
  if (!rc) rc = oct_trace_join_new(reader, &join, diag);
  while (!rc) {
    int got = oct_trace_join_resync(join, &insn, diag);
    if (got < 0) rc = got;
    if (got <= 0 || insn > r->n_skip) break;
    ++*n;
  }
  oct_trace_join_free(join);
  oct_codec_reader_free(reader);
  return rc ? rc : oct_input_seek(r->in, here, diag);
}

/* Go to the last group that begins among the instructions to be left out. */
static int jump(oct_reader *r, oct_diag *diag) {
  codec_trace *s = r->state;
  uint64_t n, insn = 0;
  int rc = count_groups(r, &n, diag), got = 1;
  for (uint64_t i = 0; !rc && i < n && got > 0; i++) {
    got = oct_trace_join_resync(s->join, &insn, diag);
    if (got < 0) rc = got;
  }
  if (rc) return rc;
  s->next = insn;
  r->n_skip -= insn;
  return 0;
}

static int codec_fill(oct_reader *r, oct_diag *diag) {
  codec_trace *s = r->state;
  if (!s->has_begun && r->n_skip && !s->goes_on && !s->n_parts && oct_input_can_seek(r->in)) {
    oct_diag why = {0};
    int rc = jump(r, &why);
    if (rc) return oct_diag_pass(diag, &why, rc);
  }
  s->has_begun = true;
  for (;;) {
    oct_batch batch;
    oct_diag why = {0};
    int got = oct_trace_join_next(s->join, &batch, &why);
    if (got > 0) {
      s->next += batch.n_insns;
      return take_batch(r, &batch, diag);
    }
    if (!got) return 0;
    if (!s->goes_on || !oct_error_is_damage(got)) return oct_diag_pass(diag, &why, got);
    if ((got = go_on(r, &why, diag)) <= 0) return got;
  }
}

static void codec_close(oct_reader *r) {
  codec_trace *s = r->state;
  if (!s) return;
  oct_trace_join_free(s->join);
  oct_codec_reader_free(s->reader);
  for (unsigned i = 0; i < s->n_parts; i++) fclose(s->parts[i]);
  free(s->parts);
  free(s);
}

static int codec_probe(const uint8_t *p, size_t n, int is_text) {
  (void)is_text;
  return oct_codec_is_file(p, n);
}

static const oct_reader_ops codec_reader = {
    .open = codec_open, .fill = codec_fill, .close = codec_close};
const oct_format_desc oct_octc_format = {.name = "octc",
                                         .text = "codec file, written by octrace compress --codec",
                                         .probe = codec_probe,
                                         .reader = &codec_reader,
                                         .addr_bits = 64,
                                         .carries_map = 1,
                                         .has_checks = 1,
                                         .has_syncs = 1,
                                         .takes_params = 1};
