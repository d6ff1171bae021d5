/* SPDX-License-Identifier: Apache-2.0 */
/* oct_pt_reader.c - raw packets of Intel PT as a trace (docs/formats/intel-pt.md): one stream, as a
 * processor writes it to memory. */
#include "oct_unit_formats.h"
#include "oct_pt_flow.h"

#include <stdlib.h>
#include <string.h>

enum { CR3_TASK_SHIFT = 12 };

typedef struct raw_pt {
  oct_pt_flow flow;
  oct_disasm *disasm[2];
  struct pt_insn insn;
  bool has_insn; /* it waits for room */
} raw_pt;

static size_t find_code(void *context, uint64_t ip, uint8_t *to, size_t n) {
  const oct_reader *r = context;
  const uint8_t *code = oct_program_code(r->program, ip, n);
  while (!code && n) code = oct_program_code(r->program, ip, --n);
  if (n) memcpy(to, code, n);
  return n;
}

static const char *no_name(void *context, uint64_t ip) {
  (void)context, (void)ip;
  return "";
}

/* Whether octrace wrote it: its time stamp counter counts instructions, and begins at 0, or it has
 * the sync of octrace, which tells no frequency (CBR), as a processor does. *is_late: it does not
 * begin at 0. */
static bool is_ours(const uint8_t *bytes, size_t n, bool *is_late) {
  enum { TSC_AT = 16, TSC_BYTES = 8, TMA_BYTES = 7, PIP_BYTES = 8, MODE_BYTES = 2 };
  static const uint8_t begin[TSC_AT + TSC_BYTES] = {2, 0x82, 2, 0x82, 2, 0x82, 2,   0x82, 2, 0x82,
                                                    2, 0x82, 2, 0x82, 2, 0x82, 0x19};
  if (n < sizeof begin || memcmp(bytes, begin, TSC_AT + 1) != 0) return false;
  *is_late = memcmp(bytes, begin, sizeof begin) != 0;
  if (!*is_late) return true;
  const uint8_t *p = bytes + sizeof begin, *end = bytes + n;
  if (end - p >= TMA_BYTES && p[0] == 0x02 && p[1] == 0x73) p += TMA_BYTES;
  if (end - p <= PIP_BYTES + MODE_BYTES || p[0] != 0x02 || p[1] != 0x43) return false;
  p += PIP_BYTES;
  if (p[0] != 0x99 || (p[1] != 1 && p[1] != 2)) return false;
  p += MODE_BYTES;
  return (*p & 0x1f) == 0x1d || *p == 0x02; /* FUP or PSBEND */
}

static int pt_open(oct_reader *r, oct_diag *diag) {
  struct pt_cpu cpu = {0};
  uint8_t *bytes;
  size_t n_bytes;
  r->is_unchecked = 1;
  if (!r->program) return oct_reader_needs_program(r, diag);
  int rc = oct_pt_parse_cpu(r, &cpu, diag), isa = oct_program_isa(r->program);
  if (rc) return rc;
  if (isa != OCT_ISA_X86_64 && isa != OCT_ISA_X86)
    return oct_fail_in(diag, OCT_ERR_ARG, r->program_path,
                       "a program for %s: expected one for x86, as Intel PT is",
                       oct_isa_get((oct_isa)isa)->name);
  rc = oct_reader_use_isa(r, (oct_isa)isa, NULL, diag);
  if (rc || (rc = oct_pt_read_all(r, &bytes, &n_bytes, diag))) return rc;
  raw_pt *s = r->state = calloc(1, sizeof *s);
  if (!s) {
    free(bytes);
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  }
  s->flow.of = r;
  s->flow.name = oct_input_name(r->in);
  s->flow.code = find_code;
  s->flow.place = no_name;
  s->flow.context = r;
  s->flow.goes_on = r->options->goes_on != 0;
  s->flow.is_ours = is_ours(bytes, n_bytes, &s->flow.is_late);
  s->flow.is_late &= s->flow.is_ours;
  return oct_pt_flow_open(&s->flow, &cpu, bytes, n_bytes, diag);
}

static int pt_fill(oct_reader *r, oct_diag *diag) {
  raw_pt *s = r->state;
  for (;;) {
    int rc = s->has_insn ? 1 : oct_pt_flow_next(&s->flow, &s->insn, diag);
    if (rc < 0) return rc;
    int error = oct_pt_add_events(r, &s->flow, diag);
    if (error) return error;
    if (!rc) return oct_pt_check_any(r, diag);
    rc = oct_pt_add_insn(r, s->disasm, &s->insn, (uint32_t)(s->flow.cr3 >> CR3_TASK_SHIFT), diag);
    s->has_insn = rc > 0;
    if (rc) return rc;
  }
}

static void pt_close(oct_reader *r) {
  raw_pt *s = r->state;
  if (!s) return;
  oct_pt_flow_close(&s->flow);
  oct_disasm_free(s->disasm[0]);
  oct_disasm_free(s->disasm[1]);
  free(s);
}

const oct_reader_ops oct_pt_reader = {.open = pt_open, .fill = pt_fill, .close = pt_close};
