/* SPDX-License-Identifier: Apache-2.0 */
/* oct_port_stream.c - the bare stream of a trace unit as a format of traces. The tracer is the one
 * of the format's name.
 *
 * Reader: the tracer decodes the bytes of the file. What the program is comes from its
 * ELF files: an instruction at a time, when the decoder first meets it, or all of them before the
 * first byte, for decoders that take our own streams only. Parameters of the tracer say how the
 * trace unit was set, since nothing in the stream does. A buffer that has wrapped round begins in
 * the middle of a stream, so what comes before its first sync is passed over as a gap. So is what
 * ran where the program has no code; with goes_on, so is damage. A stream without a sync is none.
 *
 * Our own streams are handed out as far as their checks confirm them (oct_replay.h): up to the
 * first damage, or where the reader goes on, all that is whole. What is missing in front of the
 * first instruction is damage where the stream says so (kind_of), and else the recording's own. A
 * batch ends in front of damage, which counts with the next one. With frames=N the stream is what
 * source N sent in frames of a CoreSight formatter. The first frame begins with the file, or
 * after a full sync if the file begins in the middle of a frame. What comes before a fault is
 * handed out first.
 *
 * Writer: the tracer encodes; what it writes is what a chip would leave in memory. Such a stream
 * has where the program went: readers need the program's ELF files, and the parameters. */
#include "oct_port_stream.h"

#include "oct_input.h"
#include "oct_reader_format.h"
#include "oct_unframe.h"
#include "octrace/container.h"
#include "octrace/tracer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Frames of a CoreSight formatter: the bytes of one source ---- */

enum { SOURCES_TOLD = 16, PIECE_BYTES = 16384 };

/* All 0, then source; one of each file. */
typedef struct frames {
  uint8_t source; /* whose bytes are wanted, 1..0x6f; 0: the file has no frames */
  bool is_begun, met[OCT_FRAME_SOURCES];
  int fault;      /* enum oct_unframe_fault, to be told in the next call */
  uint64_t begin; /* offset of the first frame in the file */
  oct_unframe unframe;
  uint8_t bytes[PIECE_BYTES];
} frames;

static int tell_fault(const frames *f, const oct_input *in, oct_diag *diag) {
  const uint64_t offset = f->begin + f->unframe.fault_offset;
  if (f->fault == OCT_UNFRAME_SYNC)
    return oct_input_fail(in, offset, diag, OCT_ERR_FORMAT,
                          "a full sync within a frame: bytes before it are missing");
  return oct_input_fail(in, offset, diag, OCT_ERR_FORMAT,
                        "the reserved source 0x%x: expected frames of CoreSight, whose first "
                        "begins with the file or after a full sync",
                        f->unframe.fault_source);
}

/* Go on in the file: *bytes are the next *n_bytes of the source, perhaps none. They stay until the
 * next call, or, without frames, until *n_raw, the bytes of the file that they stand in, are taken
 * from it (oct_input_take), as the caller then has to. 1; 0 at the end of the file; or an error. */
static int frames_next(frames *f, oct_input *in, const uint8_t **bytes, size_t *n_bytes,
                       size_t *n_raw, oct_diag *diag) {
  const uint8_t *p;
  oct_unframed carried[OCT_UNFRAMED_MAX];
  *n_bytes = *n_raw = 0;
  if (f->fault) return tell_fault(f, in, diag);
  const bool is_first = f->source && !f->is_begun;
  int64_t n = oct_input_peek(in, is_first ? OCT_INPUT_PEEK_BYTES : 1, &p, diag);
  if (n < 0 && is_first) n = oct_input_peek(in, 1, &p, diag); /* what comes before damage */
  if (n <= 0) return (int)n;
  if (is_first) {
    f->is_begun = true;
    f->begin = oct_unframe_begin(p, (size_t)n);
    oct_input_take(in, (size_t)f->begin);
    return 1;
  }
  *n_raw = n > PIECE_BYTES ? PIECE_BYTES : (size_t)n;
  *bytes = f->source ? f->bytes : p;
  *n_bytes = f->source ? 0 : *n_raw;
  for (size_t i = 0; f->source && !f->fault && i < *n_raw; i++) {
    const int n_carried = oct_unframe_put(&f->unframe, p[i], carried);
    if (n_carried < 0) f->fault = n_carried;
    for (int k = 0; k < n_carried; k++) {
      f->met[carried[k].source] = true;
      if (carried[k].source == f->source) f->bytes[(*n_bytes)++] = carried[k].byte;
    }
  }
  return 1;
}

/* Behind the end: was the last frame whole, and did the source send anything? 0 or an error. */
static int frames_end(const frames *f, const oct_input *in, oct_diag *diag) {
  char others[SOURCES_TOLD * 5 + 1] = "";
  size_t n = 0;
  unsigned n_others = 0;
  if (!f->source) return 0;
  if (oct_unframe_is_cut(&f->unframe))
    return oct_input_fail(in, oct_input_offset(in), diag, OCT_ERR_TRUNCATED,
                          "the last frame has %u of %d bytes: expected whole frames, from the "
                          "first byte or from a full sync on",
                          f->unframe.n, OCT_FRAME_BYTES);
  if (f->met[f->source]) return 0;
  for (unsigned i = 1; i <= OCT_FRAME_ID_MAX; i++)
    if (f->met[i] && n_others++ < SOURCES_TOLD)
      n += (size_t)snprintf(others + n, sizeof others - n, n ? ", %u" : "%u", i);
  if (!n_others && f->unframe.has_untold)
    return oct_fail(diag, OCT_ERR_ARG,
                    "none of these frames of CoreSight has the number of a source: expected one "
                    "every few frames (a ring that has wrapped round needs REPEAT_FRAMES of "
                    "oct_formatter, or a flush now and then)");
  if (!n_others)
    return oct_fail(diag, OCT_ERR_ARG, "no source sent anything in these frames of CoreSight");
  return oct_fail(diag, OCT_ERR_ARG, "no bytes of source %u: expected frames=%s%s", f->source,
                  others,
                  n_others > SOURCES_TOLD ? " or another one"
                  : n_others > 1          ? " (one of them)"
                                          : "");
}

/* ---- The reader ---- */

enum {
  MAP_UPDATES = 4096,
  HEAD_BYTES = 64,       /* more than the longest sync has */
  SYNC_LATE_BITS = 16384 /* of what is under way when a sync becomes due */
};

typedef struct reading {
  const oct_tracer *tracer;
  void *decoder;                   /* of a format of others, */
  oct_replay *replay;              /* or of ours */
  oct_program *program;            /* the reader's */
  uint64_t missing;                /* address at which the program has nothing, */
  int is_missing;                  /* if so, and nothing was found since; */
  uint64_t was_missing;            /* one before what was found, */
  int has_missed;                  /* if so: the next gap is for want of either */
  uint64_t n_missed;               /* how often this began */
  bool has_looked, begins_missing; /* for code; the first time there was none, */
  uint64_t first_missing;          /* at this address */
  int is_finished;
  int is_resyncing; /* behind damage of a reading of others */
  int is_begun;     /* something was decoded */
  int goes_on;      /* behind damage, */
  oct_gaps met;     /* which is in front of the next batch */
  oct_gap gap;      /* behind the run at hand of a reading of ours, */
  bool has_gap;     /* if so */
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  uint8_t head[HEAD_BYTES]; /* the first bytes of a reading of ours, */
  size_t n_head;            /* so many */
  frames frames;
} reading;

static unsigned find_insn(void *context, uint64_t addr, oct_map_entry *e) {
  reading *s = context;
  unsigned size = oct_program_insn(s->program, addr, e);
  if (!size && !s->has_looked) {
    s->begins_missing = true;
    s->first_missing = addr;
  }
  s->has_looked = true;
  s->n_missed += !size && !s->is_missing;
  if (!size && !s->is_missing) {
    s->missing = addr;
    s->is_missing = 1;
  } else if (size && s->is_missing) {
    s->was_missing = s->missing;
    s->has_missed = 1;
    s->is_missing = 0;
  }
  return size;
}

static unsigned guess_insn(void *context, uint64_t addr, oct_map_entry *e) {
  return oct_program_insn(((reading *)context)->program, addr, e);
}

/* Of RISC-V, what is no instruction: a core may retire it before it traps. Only its size is known.
 */
static bool describe_unknown(const oct_program *p, uint64_t addr, oct_map_entry *e) {
  const uint8_t *code = oct_program_code(p, addr, 2);
  const int isa = oct_program_isa(p);
  if (!code || (isa != OCT_ISA_RISCV32 && isa != OCT_ISA_RISCV64)) return false;
  *e = (oct_map_entry){.addr = addr, .size_bytes = (code[0] & 3) == 3 ? 4 : 2};
  return oct_program_code(p, addr, e->size_bytes) != NULL;
}

/* Tell the decoder of every instruction that may stand in the program. */
static int give_map(const oct_reader *r, reading *s, unsigned align_bytes, oct_diag *diag) {
  oct_map_update *updates = calloc(MAP_UPDATES, sizeof *updates);
  uint64_t n_all = 0;
  size_t n = 0;
  int rc = updates ? 0 : oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  for (size_t i = 0; !rc && i < oct_program_n_parts(s->program); i++) {
    uint64_t addr, size = oct_program_part(s->program, i, &addr);
    const uint64_t skip = -addr % align_bytes;
    for (uint64_t at = skip; !rc && at < size; at += align_bytes) {
      memset(&updates[n], 0, sizeof updates[n]);
      if (!oct_program_insn(s->program, addr + at, &updates[n].entry) &&
          !describe_unknown(s->program, addr + at, &updates[n].entry))
        continue;
      if (n_all++ == r->map_max)
        rc = oct_fail(diag, OCT_ERR_LIMIT,
                      "the program has more than %llu places of instructions (--max-map "
                      "allows more)",
                      (unsigned long long)r->map_max);
      else if (++n == MAP_UPDATES) {
        rc = oct_replay_map(s->replay, updates, n, diag);
        n = 0;
      }
    }
  }
  if (!rc) rc = oct_replay_map(s->replay, updates, n, diag);
  free(updates);
  return rc;
}

/* What the addresses of instructions are multiples of: Thumb code stands in files for ARM. */
static uint32_t align_bytes(const oct_tracer *t, const uint32_t *params) {
  int i = oct_tracer_role(t, OCT_ROLE_PC_ALIGN_BITS);
  return i < 0 ? 1 : 1u << params[i];
}

/* Set a tracer's parameters, and the source whose bytes stand in frames. */
static int parse(const oct_tracer *t, const char *text, uint32_t *params, bool *given,
                 uint8_t *source, oct_diag *diag) {
  static const oct_param frames = {.name = "frames",
                                   .max = OCT_FRAME_ID_MAX,
                                   .unit = "",
                                   .text = "ATID in frames of CoreSight; 0: no frames"};
  oct_param all[OCT_TRACER_PARAMS_MAX + 1];
  const oct_param_table table = {all, t->n_params + 1, t->geometries, t->n_geometries};
  memcpy(all, t->params, t->n_params * sizeof *all);
  all[t->n_params] = frames;
  params[t->n_params] = frames.def;
  int rc = oct_param_parse(&table, text, params, given, diag);
  *source = (uint8_t)params[t->n_params];
  return rc ? rc : oct_tracer_check(t, params, diag);
}

static int reader_open(oct_reader *r, oct_diag *diag) {
  const oct_tracer *t = oct_tracer_find(oct_format_name(r->info.format));
  uint32_t params[OCT_TRACER_PARAMS_MAX + 1];
  bool given[OCT_TRACER_PARAMS_MAX + 1] = {false};
  oct_diag why = {0};
  int rc;
  if (!r->program) return oct_reader_needs_program(r, diag);
  oct_isa isa = (oct_isa)oct_program_isa(r->program);
  const oct_isa_info *set = oct_isa_get(isa);
  if ((rc = oct_reader_use_isa(r, isa, NULL, diag))) return rc;
  reading *s = r->state = calloc(1, sizeof *s);
  if (!s) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  s->tracer = t;
  s->program = r->program;
  s->goes_on = r->options->goes_on != 0;
  oct_tracer_defaults(t, params);
  rc =
      r->options->params ? parse(t, r->options->params, params, given, &s->frames.source, &why) : 0;
  if (!rc)
    rc = oct_tracer_fit(t, params, given, set->name, set->addr_bits, set->insn_align_bytes, &why);
  if (!rc)
    rc = t->decoder.foreign ? t->decoder.create(params, OCT_START_IN_STEP, &s->decoder, &why)
                            : oct_replay_new(t, params, OCT_START_IN_STEP, NULL, &s->replay, &why);
  memcpy(s->params, params, t->n_params * sizeof *params);
  r->is_unchecked = t->decoder.foreign != NULL;
  if (!rc && t->decoder.foreign)
    t->decoder.foreign(s->decoder, &(oct_map_code){find_insn, guess_insn, s}, given);
  else if (!rc)
    rc = give_map(r, s, r->info.insn_align_bytes = align_bytes(t, params), &why);
  return rc ? oct_diag_pass(diag, &why, rc) : 0;
}

/* What a reader of a port of octrace's own has to know besides, where code alone does not tell all
 * accesses. */
static const char *advice(const reading *s, int rc) {
  const int isa = oct_program_isa(s->program);
  const bool may_differ = isa == OCT_ISA_AARCH64 || isa == OCT_ISA_X86 || isa == OCT_ISA_X86_64;
  /* What comes of accesses that the program does not have. */
  if (s->tracer->decoder.foreign || (rc != OCT_ERR_PACKET && rc != OCT_ERR_MAP)) return "";
  return may_differ
             ? "; some instructions of this set make other accesses than their "
               "bytes show: a program with such can only be decoded from a container"
             : "; a QEMU trace with store-conditionals can only be decoded from a container, "
               "and the part before may be wrong";
}

/* What the decoder has against the reading, with the file's name in front. */
static int wrong(const oct_reader *r, int rc, const oct_diag *why, oct_diag *diag) {
  const reading *s = r->state;
  if (s->frames.source)
    return oct_fail(diag, rc, "source %u: %s%s", s->frames.source, oct_diag_reason(why).text,
                    advice(s, rc));
  return oct_fail(diag, rc, "%s%s", oct_diag_reason(why).text, advice(s, rc));
}

/* Append a decoded run to the batch. */
static int take_run(oct_reader *r, const oct_batch *b, oct_diag *diag) {
  int rc = oct_reader_room_accesses(r, r->n_accesses + b->n_accesses, diag);
  if (rc) return rc;
  size_t trap = 0;
  for (size_t i = 0; i < b->n_insns; i++) {
    for (; !rc && trap < b->n_traps && b->traps[trap].insn <= i; trap++)
      rc = oct_reader_add_trap(r, &b->traps[trap], diag);
    const oct_insn *from = &b->insns[i];
    oct_insn *insn = oct_reader_add_insn(r, from->addr, from->size_bytes);
    insn->task = from->task;
    insn->n_access = from->n_access;
    insn->cycle = from->cycle;
    insn->flags |= from->flags & OCT_INSN_HAS_CYCLE;
  }
  if (b->n_accesses)
    memcpy(r->accesses + r->n_accesses, b->accesses, b->n_accesses * sizeof *b->accesses);
  for (size_t i = 0; i < b->n_accesses; i++) r->accesses[r->n_accesses + i].value = 0;
  r->n_accesses += b->n_accesses;
  for (; !rc && trap < b->n_traps; trap++) rc = oct_reader_add_trap(r, &b->traps[trap], diag);
  return rc;
}

/* Give the decoder more bytes, or the end. */
static int feed(oct_reader *r, reading *s, oct_diag *diag) {
  const uint8_t *p = NULL;
  size_t n, n_raw;
  int rc = frames_next(&s->frames, r->in, &p, &n, &n_raw, diag);
  if (rc < 0) return rc;
  if (!rc) {
    if (s->replay)
      oct_replay_finish(s->replay);
    else
      s->tracer->decoder.finish(s->decoder);
    s->is_finished = 1;
    return 0;
  }
  oct_diag why = {0};
  const size_t n_head = n < HEAD_BYTES - s->n_head ? n : HEAD_BYTES - s->n_head;
  if (n_head) memcpy(s->head + s->n_head, p, n_head);
  s->n_head += n_head;
  if (n)
    rc = s->replay ? oct_replay_push(s->replay, p, n, &why)
                   : s->tracer->decoder.push(s->decoder, p, n, &why);
  else
    rc = 0;
  if (rc) return wrong(r, rc, &why, diag);
  oct_input_take(r->in, n_raw);
  return 0;
}

/* The bit of these first bytes of a reading of ours at which a sync begins, or one behind the last
 * that may be one. 0 or an error. */
static int find_sync(const reading *s, const uint8_t *head, uint64_t *bit, oct_diag *diag) {
  oct_decoder_counts counts = {0};
  oct_decoded run;
  oct_diag why;
  void *d;
  int rc = s->tracer->decoder.create(s->params, OCT_START_SEARCH, &d, diag);
  if (rc) return rc;
  rc = s->tracer->decoder.push(d, head, s->n_head, diag);
  if (!rc) {
    s->tracer->decoder.next(d, &run, &why); /* what comes of so few bytes does not matter */
    s->tracer->decoder.counts(d, &counts);
  }
  s->tracer->decoder.destroy(d);
  *bit = counts.syncs ? counts.first_sync_bits : counts.bit_offset;
  return rc;
}

/* Whether the reading begins with a sync, or with one of which a bit is flipped: 1, 0 or an error.
 * One that begins shortly before a sync may look like the latter. */
static int begins_with_sync(const reading *s, oct_diag *diag) {
  enum { MARK_BITS = 192 }; /* of the longest */
  uint64_t at;
  int rc = find_sync(s, s->head, &at, diag);
  if (rc || at <= MARK_BITS) return rc ? rc : !at;
  for (size_t bit = 0; !rc && at && bit < MARK_BITS && bit < 8 * s->n_head; bit++) {
    uint8_t head[HEAD_BYTES];
    memcpy(head, s->head, s->n_head);
    head[bit / 8] ^= (uint8_t)(1u << bit % 8);
    rc = find_sync(s, head, &at, diag);
  }
  return rc ? rc : !at;
}

/* Whether a sync was due in front of that with which this gap at the beginning ends: a reading that
 * begins in the middle of a period has less than a period in front of its first sync. */
static bool was_sync_due(const reading *s, const oct_gap *gap) {
  const uint64_t bits = oct_tracer_value(s->tracer, s->params, OCT_ROLE_SYNC_BITS);
  return bits && gap->sync_bits > bits + SYNC_LATE_BITS;
}

/* What a gap of error is, or an error. In front of the first instruction the recording may begin in
 * the middle; where the decoder found a sync and could not go on from it, or one was due and none
 * came, there is damage, too. */
enum { NO_DAMAGE, DAMAGE, DAMAGE_OF_RING };
static int kind_of(const reading *s, const oct_gap *gap, oct_diag *diag) {
  if (s->is_begun) return DAMAGE;
  if (!gap->sync_bits && !gap->is_end) return NO_DAMAGE; /* begins with a later sync */
  int rc = begins_with_sync(s, diag);
  if (rc) return rc;
  return gap->failed_syncs || was_sync_due(s, gap) ? DAMAGE_OF_RING : NO_DAMAGE;
}

/* Damage, where not even the first sync need have come: an error, or 1 to go on behind it. */
static int take_damage(oct_reader *r, const oct_gap *gap, oct_diag *why) {
  reading *s = r->state;
  int kind = kind_of(s, gap, why);
  if (kind < 0) return kind;
  const oct_diag *first = kind == DAMAGE_OF_RING ? &gap->last : &gap->diag;
  if (gap->is_end && !s->is_begun)
    return oct_fail(why, OCT_ERR_FORMAT,
                    "no %s%.120s%s: expected the bytes of a trace port with these parameters",
                    kind ? "period is whole (" : "sync", kind ? oct_diag_reason(first).text : "",
                    kind ? ")" : "");
  s->has_gap = true;
  s->gap = (oct_gap){.insn = gap->insn,
                     .lost_insns = UINT64_MAX,
                     .lost_accesses = UINT64_MAX,
                     .cause = OCT_GAP_BEGINNING};
  if (!kind) return 1;
  if (!s->goes_on || gap->is_end) {
    *why = *first;
    return first->error;
  }
  oct_gap counted = *gap;
  wrong(r, first->error, first, &counted.diag);
  if (kind == DAMAGE_OF_RING) { /* what it lost in front of its first sync is none of the damage */
    counted.lost_insns = UINT64_MAX;
    counted.least_insns = 0;
  }
  s->gap = counted;
  return 1;
}

/* More of a reading of others, behind damage from the next sync on. */
static int decode_foreign(reading *s, oct_decoded *out, oct_diag *why) {
  if (s->is_resyncing) {
    int found = s->tracer->decoder.resync(s->decoder, why);
    if (found <= 0) return found;
    s->is_resyncing = 0;
  }
  return s->tracer->decoder.next(s->decoder, out, why);
}

/* More of what is decoded: as next of a decoder. A reading of our own may begin in the middle. */
static int decode(oct_reader *r, oct_decoded *out, oct_diag *why) {
  reading *s = r->state;
  oct_gap gap;
  if (!s->replay) return decode_foreign(s, out, why);
  int rc = oct_replay_next(s->replay, out, &gap, why);
  if (rc <= 0) return rc;
  r->is_unchecked |= out->confirmed_insns == UINT64_MAX;
  s->has_gap = out->is_gap != 0;
  s->gap = gap;
  if (gap.error) {
    rc = take_damage(r, &gap, why);
  } else if (!s->is_begun && (out->batch.n_insns || out->batch.n_traps)) {
    /* Without checks (else the replay tells a gap): one that begins with a sync, but of a later
     * instruction than the first. */
    if (!s->has_gap && !r->n_found && (out->first_insn || out->is_uncounted))
      oct_reader_lost_by(r, OCT_GAP_BEGINNING, 0);
    s->is_begun = 1;
  }
  return rc;
}

/* A gap in a reading of others: code is missing, or else, is_told, the trace unit lost something.
 */
static void count_gap(oct_reader *r, int is_told) {
  reading *s = r->state;
  if (s->is_missing || (is_told && s->has_missed))
    oct_reader_lacks_code(r, s->is_missing ? s->missing : s->was_missing, "");
  else if (is_told)
    oct_reader_lost_by(r, OCT_GAP_OVERFLOW, 0);
  s->is_missing = s->has_missed = 0;
}

/* Before the first instruction of a reading of others: what was passed over. */
static void begin_foreign(oct_reader *r) {
  reading *s = r->state;
  oct_decoder_counts counts;
  s->is_begun = 1;
  s->tracer->decoder.counts(s->decoder, &counts);
  if (s->begins_missing) { /* a sync without code, which is none to the decoder */
    oct_reader_lacks_code(r, s->first_missing, "");
    if (s->n_missed == 1) s->has_missed = 0;
    return;
  }
  r->lacking.skipped_bytes = counts.first_sync_bits / 8;
  if (counts.gaps && s->has_missed && !r->lacking.skipped_bytes)
    count_gap(r, 1);
  else if (counts.gaps || r->lacking.skipped_bytes) /* or its first sync is one of many */
    oct_reader_lost_by(r, OCT_GAP_BEGINNING, 0);
}

/* What a run of a reading of others says of gaps, in front of it. */
static void take_gap(oct_reader *r, const oct_decoded *out) {
  reading *s = r->state;
  if (out->is_gap)
    count_gap(r, 1);
  else if (out->batch.n_insns && !s->is_begun)
    begin_foreign(r);
}

/* The end of a reading of others. 0 or an error. */
static int end_foreign(oct_reader *r, oct_diag *diag) {
  reading *s = r->state;
  oct_decoder_counts counts;
  if (s->replay) return 0;
  count_gap(r, 0);
  oct_reader_add_gaps(r, &s->met);
  if (r->gaps.n_damages && !s->is_begun) {
    *diag = r->gaps.first;
    memset(&r->gaps, 0, sizeof r->gaps);
    return diag->error;
  }
  s->tracer->decoder.counts(s->decoder, &counts);
  r->gaps.damaged_insns += counts.lost_insns;
  if (counts.syncs || r->lacking.n_ranges) return 0;
  return oct_fail(diag, OCT_ERR_FORMAT,
                  "no sync in it: expected the bytes of a trace port with these parameters");
}

/* Damage of a reading of others, behind which reading goes on: 1, or 0 where it does not. */
static int pass_over(oct_reader *r, int rc, const oct_diag *why) {
  reading *s = r->state;
  if (s->replay || !s->goes_on || (rc != OCT_ERR_PACKET && rc != OCT_ERR_MAP)) return 0;
  oct_gap gap = {.insn = r->n_before + r->n_insns + r->n_missing,
                 .lost_insns = UINT64_MAX,
                 .lost_accesses = UINT64_MAX,
                 .error = rc};
  wrong(r, rc, why, &gap.diag);
  oct_reader_meet(r, &s->met, &gap);
  s->is_resyncing = 1;
  return 1;
}

static int reader_fill(oct_reader *r, oct_diag *diag) {
  reading *s = r->state;
  oct_decoded out;
  oct_diag why = {0};
  while (!oct_reader_is_full(r, OCT_DECODED_INSNS)) {
    if (s->met.n_damages && r->n_insns) return 1;
    oct_reader_add_gaps(r, &s->met);
    int rc = decode(r, &out, &why);
    if (rc <= 0 && s->is_finished) {
      int end = frames_end(&s->frames, r->in, diag);
      if (end) return end;
    }
    if (rc < 0 && pass_over(r, rc, &why)) continue;
    if (rc < 0) return wrong(r, rc, &why, diag);
    if (rc) {
      if (!s->replay) take_gap(r, &out);
      rc = take_run(r, &out.batch, diag);
      if (s->replay && s->has_gap) oct_reader_meet(r, &s->met, &s->gap);
    } else if (s->is_finished) {
      return end_foreign(r, diag);
    } else {
      rc = feed(r, s, diag);
    }
    if (rc) return rc;
  }
  return 1;
}

static void reader_close(oct_reader *r) {
  reading *s = r->state;
  if (s && s->decoder) s->tracer->decoder.destroy(s->decoder);
  if (s) oct_replay_free(s->replay);
  free(s);
}

const oct_reader_ops oct_port_stream_reader = {
    .open = reader_open, .fill = reader_fill, .close = reader_close};

/* ---- The writer ---- */

int oct_port_stream_open(oct_writer *w, oct_port_stream *s, oct_diag *diag) {
  const oct_trace_info *info = w->options.info;
  const oct_run_options untimed = {.engine = OCT_ENGINE_UNTIMED};
  const oct_tracer *t = s->tracer = oct_tracer_find(oct_format_name(w->options.format));
  bool given[OCT_TRACER_PARAMS_MAX] = {false};
  oct_diag why = {0};
  if (!(s->map = oct_map_tracker_new())) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  oct_tracer_defaults(t, s->params);
  int rc = w->options.params ? oct_tracer_parse(t, w->options.params, s->params, given, &why) : 0;
  if (!rc)
    rc = oct_tracer_fit(t, s->params, given, info->isa, info->addr_bits, info->insn_align_bytes,
                        &why);
  if (!rc) rc = t->encoder.create(s->params, &untimed, &s->encoder, &why);
  return rc ? oct_diag_pass(diag, &why, rc) : 0;
}

static int write_out(oct_writer *w, oct_diag *diag) {
  oct_port_stream *s = w->state;
  const uint8_t *bytes;
  size_t n = s->tracer->encoder.take(s->encoder, &bytes);
  return n ? s->write(w, bytes, n, diag) : 0;
}

int oct_port_stream_put(oct_writer *w, const oct_batch *b, oct_diag *diag) {
  oct_port_stream *s = w->state;
  const oct_map_update *updates;
  oct_diag why = {0};
  if (b->n_insns > s->room) {
    oct_insn *p = realloc(s->insns, b->n_insns * sizeof *p);
    if (!p) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    s->insns = p;
    s->room = b->n_insns;
  }
  if (b->n_insns) memcpy(s->insns, b->insns, b->n_insns * sizeof *s->insns);
  int64_t n = oct_map_track(s->map, b, s->insns, &updates);
  if (n < 0) return oct_fail(diag, (int)n, "%s", oct_error_text((int)n));
  int rc = s->learn ? s->learn(w, updates, (size_t)n, diag) : 0;
  if (rc) return rc;
  const oct_tracer_input in = {.insns = s->insns,
                               .n_insns = b->n_insns,
                               .accesses = b->accesses,
                               .n_accesses = b->n_accesses,
                               .updates = updates,
                               .n_updates = (size_t)n,
                               .traps = b->traps,
                               .n_traps = b->n_traps,
                               .facts = b->facts,
                               .n_facts = b->n_facts,
                               .values = b->values,
                               .n_values = b->n_values};
  rc = s->tracer->encoder.put(s->encoder, &in, &why);
  return rc ? oct_diag_pass(diag, &why, rc) : write_out(w, diag);
}

int oct_port_stream_finish(oct_writer *w, oct_diag *diag) {
  oct_port_stream *s = w->state;
  oct_diag why = {0};
  int rc = s->tracer->encoder.flush(s->encoder, &why);
  return rc ? oct_diag_pass(diag, &why, rc) : write_out(w, diag);
}

void oct_port_stream_end(oct_port_stream *s) {
  if (s->encoder) s->tracer->encoder.destroy(s->encoder);
  oct_map_tracker_free(s->map);
  free(s->insns);
}

/* ---- A bare stream ---- */

static int write_file(oct_writer *w, const uint8_t *bytes, size_t n, oct_diag *diag) {
  return oct_outfile_write(w->file, bytes, n, diag);
}

static int writer_open(oct_writer *w, oct_diag *diag) {
  oct_port_stream *s = w->state = calloc(1, sizeof *s);
  if (!s) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  s->write = write_file;
  return oct_port_stream_open(w, s, diag);
}

static void writer_close(oct_writer *w) {
  if (w->state) oct_port_stream_end(w->state);
  free(w->state);
}

const oct_writer_ops oct_port_stream_writer = {.open = writer_open,
                                               .put = oct_port_stream_put,
                                               .finish = oct_port_stream_finish,
                                               .close = writer_close,
                                               .flush = oct_port_stream_finish};