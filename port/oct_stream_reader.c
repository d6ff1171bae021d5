/* SPDX-License-Identifier: Apache-2.0 */
/* oct_stream_reader.c - the bare stream of a trace unit as a trace: E-Trace, N-Trace.
 *
 * The tracer of the format's name decodes the bytes of the file; what the program is comes from its
 * ELF files, an instruction at a time, when the decoder first meets it. Parameters of the tracer
 * say how the trace unit was set, since nothing in the stream does. */
#include "oct_reader_format.h"
#include "oct_tracer.h"

#include <stdlib.h>
#include <string.h>

enum { PUSH_BYTES = 16384 };

typedef struct stream {
  const oct_tracer *tracer;
  void *decoder;
  oct_program *program; /* the reader's */
  uint64_t missing;     /* address that the program had nothing at, */
  int is_missing;       /* if so */
  int is_finished;
} stream;

static unsigned find_insn(void *context, uint64_t addr, oct_map_entry *e) {
  stream *s = context;
  unsigned size = oct_program_insn(s->program, addr, e);
  if (!size) {
    s->missing = addr;
    s->is_missing = 1;
  }
  return size;
}

static int stream_open(oct_reader *r, oct_diag *diag) {
  const oct_tracer *t = oct_tracer_find(oct_format_name(r->info.format));
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  bool given[OCT_TRACER_PARAMS_MAX] = {false};
  oct_diag why = {0};
  int rc;
  if (!r->program) return oct_reader_needs_program(r, diag);
  oct_isa isa = (oct_isa)oct_program_isa(r->program);
  const oct_isa_info *set = oct_isa_get(isa);
  if ((rc = oct_reader_use_isa(r, isa, NULL, diag))) return rc;
  stream *s = r->state = calloc(1, sizeof *s);
  if (!s) return oct_fail(diag, OCT_ERR_NOMEM, "%s: out of memory", oct_input_name(r->in));
  s->tracer = t;
  s->program = r->program;
  oct_tracer_defaults(t, params);
  rc = r->options->params ? oct_tracer_parse(t, r->options->params, params, given, &why) : 0;
  if (!rc) rc = t->fit(params, given, set->name, set->addr_bits, set->insn_align_bytes, &why);
  if (!rc) rc = t->decoder.create(params, OCT_START_IN_STEP, &s->decoder, &why);
  if (rc) return oct_fail(diag, rc, "%s: %s", oct_input_name(r->in), why.text);
  t->decoder.foreign(s->decoder, &(oct_map_code){find_insn, s});
  return 0;
}

/* What the decoder has against the stream, with the file's name in front. */
static int wrong(const oct_reader *r, int rc, const oct_diag *why, oct_diag *diag) {
  const stream *s = r->state;
  if (rc == OCT_ERR_MAP && s->is_missing)
    return oct_fail(diag, OCT_ERR_ARG,
                    "%s: no code at 0x%llx in %s: another program than the traced one, or loaded "
                    "elsewhere (--elf FILE@BIAS), or other parameters",
                    oct_input_name(r->in), (unsigned long long)s->missing, r->program_path);
  return oct_fail(diag, rc, "%s: %s", oct_input_name(r->in), why->text);
}

/* Append a decoded run to the batch. */
static int take_run(oct_reader *r, const oct_batch *b, oct_diag *diag) {
  int rc = oct_reader_room_accesses(r, r->n_accesses + b->n_accesses, diag);
  if (rc) return rc;
  size_t trap = 0;
  for (size_t i = 0; i < b->n_insns; i++) {
    for (; !rc && trap < b->n_traps && b->traps[trap].insn <= i; trap++)
      rc = oct_reader_add_trap(r, &b->traps[trap], diag);
    oct_insn *insn = oct_reader_add_insn(r, b->insns[i].addr, b->insns[i].size_bytes);
    insn->task = b->insns[i].task;
    insn->n_access = b->insns[i].n_access;
  }
  if (b->n_accesses)
    memcpy(r->accesses + r->n_accesses, b->accesses, b->n_accesses * sizeof *b->accesses);
  r->n_accesses += b->n_accesses;
  for (; !rc && trap < b->n_traps; trap++) rc = oct_reader_add_trap(r, &b->traps[trap], diag);
  return rc;
}

/* Give the decoder more bytes, or the end. */
static int feed(oct_reader *r, stream *s, oct_diag *diag) {
  const uint8_t *p;
  int64_t n = oct_input_peek(r->in, 1, &p, diag);
  if (n < 0) return (int)n;
  if (n > PUSH_BYTES) n = PUSH_BYTES;
  if (!n) {
    s->tracer->decoder.finish(s->decoder);
    s->is_finished = 1;
    return 0;
  }
  oct_diag why = {0};
  int rc = s->tracer->decoder.push(s->decoder, p, (size_t)n, &why);
  if (rc) return wrong(r, rc, &why, diag);
  oct_input_take(r->in, (size_t)n);
  return 0;
}

static int stream_fill(oct_reader *r, oct_diag *diag) {
  stream *s = r->state;
  oct_decoded out;
  oct_diag why = {0};
  while (!oct_reader_is_full(r, OCT_DECODED_INSNS)) {
    int rc = s->tracer->decoder.next(s->decoder, &out, &why);
    if (rc < 0) return wrong(r, rc, &why, diag);
    if (rc) {
      r->n_gaps += out.is_gap != 0;
      rc = take_run(r, &out.batch, diag);
    } else if (s->is_finished) {
      return 0;
    } else {
      rc = feed(r, s, diag);
    }
    if (rc) return rc;
  }
  return 1;
}

static void stream_close(oct_reader *r) {
  stream *s = r->state;
  if (s && s->decoder) s->tracer->decoder.destroy(s->decoder);
  free(s);
}

static const oct_reader_ops stream_reader = {stream_open, stream_fill, stream_close};
const oct_format_desc oct_etrace_format = {
    .name = "etrace",
    .reader = &stream_reader,
    .writer = &oct_stream_writer,
    .addr_bits = 32,
    .takes_params = 1,
    .lacks = "cycle stamps; data addresses unless the trace unit sends them"};
const oct_format_desc oct_ntrace_format = {.name = "ntrace",
                                           .reader = &stream_reader,
                                           .writer = &oct_stream_writer,
                                           .addr_bits = 32,
                                           .takes_params = 1,
                                           .lacks = "data addresses, cycle stamps"};
