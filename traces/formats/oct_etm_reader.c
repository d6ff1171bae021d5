/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etm_reader.c - snapshot folders with ETMv4 as a trace (docs/formats/etmv4.md).
 *
 * OpenCSD (oct_etm_decode.c) decodes the bytes of the trace buffer and gives ranges of instructions
 * that ran one after the other; they are cut into instructions by the program's bytes, which come
 * from the files of --elf, else from the snapshot's dumps of memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oct_etm_decode.h"
#include "oct_unit_formats.h"

enum { CODE_BYTES = 4, RESTART_BYTES = 256 };

typedef struct etm {
  oct_etm_snapshot snapshot;
  oct_etm_decoder decoder;
  oct_disasm *disasm[OCT_ISA_COUNT];
  oct_program *program; /* the reader's, or NULL */
  oct_etm_item item;    /* the range under way, */
  bool has_item;        /* if there is one */
  bool goes_on;         /* behind damage */
  bool is_ended;
  uint64_t n_insns[OCT_ETM_SOURCES]; /* that were found, of each trace unit */
} etm;

/* Whether an instruction of T32 has two bytes, by these. */
static bool is_short(const uint8_t *code) {
  return code[1] >> 3 < 0x1d;
}

/* The program's bytes at addr: how many of n there are in a row is *n; NULL: none. */
static const uint8_t *in_program(const etm *x, uint64_t addr, size_t *n) {
  const uint8_t *p = NULL;
  for (; x->program && *n && !p; *n -= !p) p = oct_program_code(x->program, addr, *n);
  return p;
}

/* Whether these n bytes have all of their first instruction. */
static bool is_whole(const uint8_t *p, size_t n, bool may_be_short) {
  return p && (n >= CODE_BYTES || (n >= CODE_BYTES / 2 && may_be_short && is_short(p)));
}

/* An instruction is all of the program or all of a dump. So what a dump has ends with it where
 * there is a program, which comes first. */
static size_t find_code(void *context, uint64_t addr, uint8_t *to, size_t n, bool may_be_short) {
  const etm *x = context;
  size_t there = n;
  const uint8_t *p = in_program(x, addr, &there);
  if (!is_whole(p, there, may_be_short)) {
    p = oct_etm_memory(&x->snapshot, addr, &there);
    if (!is_whole(p, there, may_be_short)) return 0;
    if (x->program && there > CODE_BYTES) there = CODE_BYTES;
  }
  if (there > n) there = n;
  memcpy(to, p, there);
  return there;
}

/* ---- What OpenCSD found ---- */

/* Damage ends the trace, or is counted. */
static int take_damage(oct_reader *r, const etm *x, const oct_diag *why, oct_diag *diag) {
  if (!x->goes_on) {
    *diag = *why;
    return why->error;
  }
  oct_reader_damaged(r, why);
  return 0;
}

/* The process of OpenCSD died: begin another one behind that place, or end. */
static int take_death(oct_reader *r, etm *x, const oct_diag *why, oct_diag *diag) {
  size_t at = *x->decoder.given + RESTART_BYTES;
  int rc = take_damage(r, x, why, diag);
  if (rc) return rc;
  x->is_ended = at >= x->snapshot.n_bytes;
  return x->is_ended ? 0 : oct_etm_decode_start(&x->decoder, at, diag);
}

/* Go on to a range or trap: 0, also at the end, or an error. */
static int advance(oct_reader *r, etm *x, oct_diag *diag) {
  bool died;
  oct_diag why;
  while (!x->has_item && !x->is_ended) {
    int rc = oct_etm_decode_next(&x->decoder, &x->item, &died, &why);
    if (rc < 0 && died) {
      if ((rc = take_death(r, x, &why, diag))) return rc;
      continue;
    }
    x->is_ended = rc <= 0;
    if (rc < 0) {
      *diag = why;
      return rc;
    }
    switch (rc ? x->item.kind : OCT_ETM_END) {
      case OCT_ETM_GAP:
        oct_reader_lost_by(r, OCT_GAP_OVERFLOW, 0);
        break;
      case OCT_ETM_MISSING:
        oct_reader_lacks_code(r, x->item.begin, "");
        break;
      case OCT_ETM_SKIPPED:
        r->lacking.skipped_bytes += x->item.begin;
        oct_reader_lost_by(r, OCT_GAP_BEGINNING, 0);
        break;
      case OCT_ETM_FOREIGN:
        r->lacking.foreign_bytes += x->item.begin;
        break;
      case OCT_ETM_OPEN:
        r->lacking.n_open++;
        r->lacking.open_insns += x->n_insns[x->item.source];
        break;
      case OCT_ETM_DAMAGE:
        oct_fail(&why, OCT_ERR_FORMAT,
                 "byte %llu of the trace buffer: OpenCSD finds no packet of ETMv4 (a damaged "
                 "trace, or other code than that which ran)",
                 (unsigned long long)x->item.begin);
        if ((rc = take_damage(r, x, &why, diag))) return rc;
        break;
      default:
        x->has_item = rc > 0;
    }
  }
  return 0;
}

/* ---- The reader ---- */

/* The set that the trace begins with says what the others can be. */
static int find_isa(oct_reader *r, etm *x, oct_diag *diag) {
  int rc = advance(r, x, diag), isa = r->given_isa;
  if (rc) return rc;
  if (x->has_item) isa = x->item.isa;
  if (isa < 0) return 0;
  rc = oct_reader_use_isa(r, (oct_isa)isa, NULL, diag);
  if (isa != OCT_ISA_AARCH64) r->info.insn_align_bytes = 2; /* a program may have code of both */
  return rc;
}

static int etm_open(oct_reader *r, oct_diag *diag) {
  if (r->options->params)
    return oct_fail(diag, OCT_ERR_ARG,
                    "reading ETMv4 takes no parameters, which the snapshot has; found '%s'",
                    r->options->params);
  etm *x = r->state = calloc(1, sizeof *x);
  if (!x) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  x->program = r->program;
  x->goes_on = r->options->goes_on != 0;
  r->is_unchecked = 1;
  int rc = oct_etm_snapshot_read(&x->snapshot, oct_input_name(r->in), diag);
  if (rc) return rc;
  r->lacking.n_absent = x->snapshot.n_absent;
  snprintf(r->lacking.absent, sizeof r->lacking.absent, "%s", x->snapshot.absent);
  x->decoder.snapshot = &x->snapshot;
  x->decoder.name = oct_input_name(r->in);
  x->decoder.code = find_code;
  x->decoder.context = x;
  if ((rc = oct_etm_decode_start(&x->decoder, 0, diag))) return rc;
  r->info.origin = "CoreSight trace snapshot";
  return find_isa(r, x, diag);
}

/* Append the first instruction of a range: 0, 1 when the batch must be handed out first, or an
 * error. */
static int take_insn(oct_reader *r, etm *x, oct_etm_item *g, oct_diag *diag) {
  uint8_t code[CODE_BYTES];
  oct_map_entry e;
  size_t n = find_code(x, g->begin, code, sizeof code, g->isa == OCT_ISA_THUMB);
  if (oct_reader_is_full(r, 1)) return 1;
  if (!n) { /* OpenCSD took the half of one of A32 for one of T32 */
    oct_reader_lacks_code(r, g->begin, "");
    g->begin = g->end;
    return 0;
  }
  if (g->end - g->begin < n) n = (size_t)(g->end - g->begin);
  if (!x->disasm[g->isa] && !(x->disasm[g->isa] = oct_disasm_new((oct_isa)g->isa)))
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  uint32_t id = r->described ? oct_map_find(r->described, g->begin) : UINT32_MAX;
  const oct_map_head *known = id == UINT32_MAX ? NULL : oct_map_at(r->described, id);
  unsigned size = known ? known->size_bytes : 0;
  if (!known || known->code_isa != g->isa + 1 || size > n || memcmp(known->code, code, size) != 0) {
    size = oct_disasm_insn(x->disasm[g->isa], g->begin, code, n, &e);
    int rc = size ? oct_reader_describe(r, &e, diag) : 0;
    if (rc) return rc;
    /* What the disassembler does not know has a size all the same. */
    if (!size) size = g->isa == OCT_ISA_THUMB && (n < CODE_BYTES || is_short(code)) ? 2 : 4;
  }
  oct_insn *insn = oct_reader_add_insn(r, g->begin, size);
  insn->task = g->task;
  x->n_insns[g->source]++;
  g->begin += size;
  if (g->has_cycle && g->begin >= g->end) {
    insn->cycle = g->cycle;
    insn->flags = OCT_INSN_HAS_CYCLE;
  }
  return 0;
}

static int take_trap(oct_reader *r, const oct_etm_item *g, oct_diag *diag) {
  oct_trap t = {.addr = g->begin,
                .cause = g->cause,
                .kind = g->cause == OCT_ETM_IRQ || g->cause == OCT_ETM_FIQ ? OCT_TRAP_INTERRUPT
                                                                           : OCT_TRAP_EXCEPTION,
                .privilege = OCT_PRIVILEGE_UNKNOWN};
  return oct_reader_add_trap(r, &t, diag);
}

static int etm_fill(oct_reader *r, oct_diag *diag) {
  etm *x = r->state;
  for (;;) {
    int rc = advance(r, x, diag);
    if (rc || !x->has_item) return rc;
    oct_etm_item *g = &x->item;
    if (g->kind == OCT_ETM_TRAP) {
      if ((rc = take_trap(r, g, diag))) return rc;
      x->has_item = false;
      continue;
    }
    if (g->begin < g->end && (rc = take_insn(r, x, g, diag))) return rc;
    x->has_item = g->begin < g->end;
  }
}

static void etm_close(oct_reader *r) {
  etm *x = r->state;
  if (!x) return;
  oct_etm_decode_stop(&x->decoder);
  for (int i = 0; i < OCT_ISA_COUNT; i++) oct_disasm_free(x->disasm[i]);
  oct_etm_snapshot_free(&x->snapshot);
  free(x);
}

const oct_reader_ops oct_etm_reader = {.open = etm_open, .fill = etm_fill, .close = etm_close};
