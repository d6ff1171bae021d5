/* SPDX-License-Identifier: Apache-2.0 */
/* oct_qemu.c - reader of the log of QEMU -d in_asm,exec,nochain, with int too
 * (docs/formats/qemu.md).
 *
 * `IN: SYMBOL` begins a block that was translated, as lines `0xADDR:  BYTES  disassembly`. A line
 * of bytes alone goes on with the instruction before. A QEMU without a disassembler has `0xADDR:`
 * and lines `OBJD-T: BYTES` of the whole block. RISC-V has a line `Priv: P; Virt: V` in front.
 * `OUT:` ends the block: with out_asm, lines of the host's code follow.
 *
 * `Trace CPU: HOST [BASE/PC/FLAGS/CFLAGS] SYMBOL` is the execution of a block. There may be several
 * of one PC: a block has the HOST of the first line `Trace` behind it that has its PC. After
 * `Stopped execution of TB chain before HOST` the last one was not executed.
 *
 * A trap within a block stands behind its line `Trace`: the instruction of an exception, and those
 * behind it, are taken back. They still are in the batch, since a batch ends where another block
 * begins. A block that does not follow from the jump at the end of the one before comes after a
 * gap: QEMU chained blocks without a line for each. */
#include "oct_grow.h"
#include "oct_guess_isa.h"
#include "oct_qemu_traps.h"
#include "oct_reader_flow.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_INSNS_MAX = 4096, OBJECT_BYTES_MAX = 4 * BLOCK_INSNS_MAX };

#define EXPECTED "'Trace CPU: HOST [BASE/PC/...]' after 'IN:' of its block (-d in_asm,exec,nochain)"

typedef struct block {
  size_t first; /* of the instructions */
  unsigned n;
  uint8_t privilege;
} block;

typedef struct qemu {
  oct_lines lines;
  oct_qemu_traps traps;
  oct_disasm *disasm, *thumb;
  int isa;
  oct_map_entry *insns; /* of all blocks; size 0: it is the distance to the next one */
  size_t n_insns, room_insns;
  block *blocks;
  size_t n_blocks, room_blocks;
  oct_map *by_pc, *by_host; /* the last block of each, as the target of an entry */
  bool is_open;             /* the last block gets lines, */
  bool is_new;              /* and had no line Trace */
  uint8_t object[OBJECT_BYTES_MAX];
  size_t object_bytes; /* of OBJD-T, so far */
  uint64_t object_addr;
  uint64_t hart;   /* of the last block that was executed, */
  unsigned n_last; /* whose instructions are the last of the batch, so many, */
  size_t last;     /* and which it is, plus 1 */
} qemu;

static bool is_x86(const qemu *s) {
  return s->isa == OCT_ISA_X86 || s->isa == OCT_ISA_X86_64;
}

/* ---- Blocks ---- */

static int no_memory(oct_diag *diag) {
  return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
}

/* An instruction of the last block. n_bytes 0: it has none. */
static int add_insn(oct_reader *r, uint64_t addr, const uint8_t *code, unsigned n_bytes,
                    bool is_thumb, oct_diag *diag) {
  qemu *s = r->state;
  block *b = &s->blocks[s->n_blocks - 1];
  oct_map_entry *e = oct_grown(s->insns, &s->room_insns, s->n_insns + 1, sizeof *e);
  if (!e) return no_memory(diag);
  s->insns = e;
  if (addr > UINT32_MAX && r->info.addr_bits == 32)
    return oct_lines_wrong(r, &s->lines, "an address of 32 bits", s->lines.begin, s->lines.end,
                           diag);
  if (b->n == BLOCK_INSNS_MAX)
    return oct_lines_wrong(r, &s->lines, "a block of at most 4096 instructions", s->lines.begin,
                           s->lines.end, diag);
  e += s->n_insns++;
  b->n++;
  if (n_bytes)
    oct_reader_decode(is_thumb ? s->thumb : s->disasm,
                      is_thumb                  ? OCT_ISA_THUMB
                      : s->isa == OCT_ISA_THUMB ? OCT_ISA_ARM
                                                : (oct_isa)s->isa,
                      addr, code, n_bytes, e);
  else
    *e = (oct_map_entry){.addr = addr};
  return 0;
}

/* The bytes of OBJD-T are cut to instructions. */
static int close_object(oct_reader *r, oct_diag *diag) {
  qemu *s = r->state;
  int rc = 0;
  for (size_t at = 0; !rc && at < s->object_bytes;) {
    oct_map_entry e;
    const bool is_thumb = s->isa == OCT_ISA_THUMB;
    unsigned n = oct_disasm_insn(is_thumb ? s->thumb : s->disasm, s->object_addr + at,
                                 s->object + at, s->object_bytes - at, &e);
    if (!n) n = oct_isa_get((oct_isa)s->isa)->insn_align_bytes;
    if (n > s->object_bytes - at) break;
    rc = add_insn(r, s->object_addr + at, s->object + at, n, is_thumb, diag);
    at += n;
  }
  s->object_bytes = 0;
  return rc;
}

/* Put block number id under a key: 0 or OCT_ERR_NOMEM. */
static int keep(oct_map *map, uint64_t key, size_t id) {
  const oct_map_entry e = {.addr = key, .target = id + 1, .size_bytes = 1};
  return oct_map_put(map, &e) < 0 ? OCT_ERR_NOMEM : 0;
}

/* The number of the block under a key, plus 1, or 0. */
static size_t find(const oct_map *map, uint64_t key) {
  uint32_t id = oct_map_find(map, key);
  return id == UINT32_MAX ? 0 : (size_t)oct_map_at(map, id)->target;
}

static int begin_block(oct_reader *r, oct_diag *diag) {
  qemu *s = r->state;
  block *b = oct_grown(s->blocks, &s->room_blocks, s->n_blocks + 1, sizeof *b);
  if (!b) return no_memory(diag);
  s->blocks = b;
  b[s->n_blocks++] = (block){.first = s->n_insns, .privilege = OCT_PRIVILEGE_UNKNOWN};
  s->is_open = s->is_new = true;
  return 0;
}

/* No more lines of the last block follow. */
static int end_block(oct_reader *r, oct_diag *diag) {
  qemu *s = r->state;
  if (!s->is_open) return 0;
  int rc = close_object(r, diag);
  s->is_open = false;
  block *b = &s->blocks[s->n_blocks - 1];
  for (unsigned i = 0; !rc && i < b->n; i++) {
    oct_map_entry *e = &s->insns[b->first + i];
    uint64_t distance = i + 1 < b->n ? e[1].addr - e->addr : 0;
    if (!e->size_bytes && distance <= OCT_CODE_MAX) e->size_bytes = (uint8_t)distance;
  }
  if (!rc && b->n && keep(s->by_pc, s->insns[b->first].addr, s->n_blocks - 1)) rc = no_memory(diag);
  return rc;
}

/* ---- Lines of a block ---- */

/* Hexadecimal digits from *at on, so many, with none behind: they are stepped over. */
static bool is_group(const char **at, const char *end, unsigned n_digits) {
  const char *p = *at;
  while (p < end && isxdigit((unsigned char)*p)) p++;
  if (p - *at != (ptrdiff_t)n_digits || (p < end && !isspace((unsigned char)*p))) return false;
  *at = p;
  return true;
}

/* Bytes in front of a disassembly, in the order of memory: how many. x86 has them one by one, Thumb
 * by halfwords, the others as one word. */
static unsigned take_code(const qemu *s, const char **at, const char *end, uint8_t *code,
                          bool *is_thumb) {
  const unsigned widths[] = {2, 4, 8};
  unsigned n = 0;
  *is_thumb = false;
  if (s->isa < 0 || s->isa == OCT_ISA_MIPS || s->isa == OCT_ISA_MIPSEL) return 0;
  for (unsigned k = is_x86(s) ? 0 : 1; k < (is_x86(s) ? 1u : 3u); k++) {
    const char *p = *at;
    while (is_group(&p, end, widths[k]) && n + widths[k] / 2 <= OCT_CODE_MAX) {
      uint64_t value;
      oct_number(p - widths[k], p, 16, &value);
      oct_put_le(code + n, value, widths[k] / 2);
      n += widths[k] / 2;
      *at = p;
      if (p == end || p + 1 == end || !isxdigit((unsigned char)p[1])) break;
      p++; /* one blank */
    }
    *is_thumb = n && widths[k] == 4 && s->thumb;
    if (n) break;
  }
  return n;
}

static bool has_prefix(const char *p, const char *end, const char *word) {
  size_t n = strlen(word);
  return (size_t)(end - p) >= n && !memcmp(p, word, n);
}

/* Whether another line begins on this one: `0xADDR:` and a blank behind its bytes. A far jump of
 * x86 has `0xSEGMENT:` without one. */
static bool has_address(const char *p, const char *end) {
  while ((p = memmem(p, (size_t)(end - p), "0x", 2))) {
    for (p += 2; p < end && isxdigit((unsigned char)*p);) p++;
    if (end - p > 1 && *p == ':' && isspace((unsigned char)p[1])) return true;
  }
  return false;
}

/* A line of the block that is open: 1, 0 when it is another one, or an error. */
static int take_block_line(oct_reader *r, oct_lines *l, oct_diag *diag) {
  qemu *s = r->state;
  const char *p = l->begin, *end = l->end, *colon;
  uint8_t code[OCT_CODE_MAX + 1] = {0};
  uint64_t addr, byte;
  bool is_thumb;
  block *b = &s->blocks[s->n_blocks - 1];
  if (has_prefix(p, end, "Priv: ") && end - p > 6) {
    static const uint8_t privileges[2][4] = {{0, 1, OCT_PRIVILEGE_UNKNOWN, 3},
                                             {5, 6, OCT_PRIVILEGE_UNKNOWN, 3}};
    const char *virt = memmem(p, (size_t)(end - p), "Virt: ", 6);
    bool is_virtual = virt && virt + 6 < end && virt[6] == '1';
    if (p[6] >= '0' && p[6] <= '3') b->privilege = privileges[is_virtual][p[6] - '0'];
    return 1;
  }
  if (has_prefix(p, end, "OBJD-T: ")) {
    if (s->isa < 0)
      return oct_lines_wrong(r, l, "--isa (or --elf) for bytes without a disassembly", p, end,
                             diag);
    for (p += 8; p + 1 < end; p += 2) {
      if (s->object_bytes == OBJECT_BYTES_MAX || oct_number(p, p + 2, 16, &byte) != 2)
        return oct_lines_wrong(r, l, "at most 16384 bytes of two hexadecimal digits", p, end, diag);
      s->object[s->object_bytes++] = (uint8_t)byte;
    }
    return 1;
  }
  if (!has_prefix(p, end, "0x")) return 0;
  colon = memchr(p, ':', (size_t)(end - p));
  if (!colon || !oct_number(p, colon, 16, &addr))
    return oct_lines_wrong(r, l, "'0xADDR: BYTES' of an instruction", p, end, diag);
  for (p = colon + 1; p < end && isspace((unsigned char)*p);) p++;
  if (p == end) {
    s->object_addr = addr;
    return 1;
  }
  unsigned n = take_code(s, &p, end, code, &is_thumb);
  while (p < end && isspace((unsigned char)*p)) p++;
  if (n && p == end && b->n && is_x86(s)) { /* it goes on */
    const oct_map_entry before = s->insns[--s->n_insns];
    uint8_t all[OCT_CODE_MAX] = {0};
    unsigned n_before = before.size_bytes;
    b->n--;
    if (!n_before || before.addr + n_before != addr || n_before + n > OCT_CODE_MAX)
      return oct_lines_wrong(r, l, "the rest of the instruction before", l->begin, end, diag);
    memcpy(all, before.code, n_before);
    memcpy(all + n_before, code, n);
    int rc = add_insn(r, before.addr, all, n_before + n, false, diag);
    return rc ? rc : 1;
  }
  if (has_address(p, end) || (!is_x86(s) && n && p == end))
    return oct_lines_wrong(r, l, "one instruction a line, with its text", l->begin, end, diag);
  const oct_map_entry *last = b->n ? &s->insns[s->n_insns - 1] : NULL;
  if (last && last->size_bytes && addr != last->addr + last->size_bytes)
    return oct_lines_wrong(r, l, "the address after the instruction before", l->begin, end, diag);
  int rc = add_insn(r, addr, code, n, is_thumb, diag);
  return rc ? rc : 1;
}

/* ---- Executions ---- */

/* Take back the last n instructions. */
static void take_back(oct_reader *r, unsigned n) {
  qemu *s = r->state;
  for (unsigned i = 0; i < n; i++) oct_reader_take_back(r);
  s->n_last -= n;
}

/* What an exception in the last block left of it. */
static void cut_last(oct_reader *r, uint64_t hart) {
  qemu *s = r->state;
  const oct_trap *t = oct_waiting_first(&s->traps.waiting, hart);
  if (!t || t->kind != OCT_TRAP_EXCEPTION || !s->n_last || s->hart != hart) return;
  for (unsigned i = 0; i < s->n_last; i++)
    if (r->insns[r->n_insns - s->n_last + i].addr == t->addr) {
      take_back(r, s->n_last - i);
      break;
    }
}

/* Whether the block at pc may come behind the last one, whose end was executed without a trap. */
static bool may_follow(const qemu *s, uint64_t pc) {
  const block *b = &s->blocks[s->last - 1];
  const oct_map_entry *e = &s->insns[b->first + b->n - 1];
  return s->n_last != b->n || oct_flow_may_follow(e, pc);
}

/* `Trace CPU: HOST [BASE/PC/...]`: 1, or 0 when it is damaged, and *l is where. */
static int split(oct_lines *l, uint64_t *cpu, uint64_t *host, uint64_t *pc, unsigned *pc_digits) {
  const char *p, *end;
  if (!oct_lines_skip(l, "Trace ") || !oct_lines_field(l, ":", &p, &end) ||
      !oct_number(p, end, 10, cpu) || *cpu > UINT32_MAX || !oct_lines_field(l, NULL, &p, &end) ||
      !oct_number(p, end, 16, host) || !oct_lines_skip(l, "[") ||
      !oct_lines_field(l, "/", &p, &end) || !oct_lines_field(l, "/]", &p, &end))
    return 0;
  *pc_digits = (unsigned)oct_number(p, end, 16, pc);
  return *pc_digits != 0;
}

/* The number of the block of a line Trace, plus 1; 0 when it is not known, or OCT_ERR_NOMEM. */
static int64_t block_of(qemu *s, uint64_t host, uint64_t pc) {
  size_t id = s->is_new ? s->n_blocks : 0;
  if (id && (!s->blocks[id - 1].n || s->insns[s->blocks[id - 1].first].addr != pc)) id = 0;
  bool is_new = id != 0;
  if (!id) id = find(s->by_host, host);
  if (id && s->insns[s->blocks[id - 1].first].addr != pc) id = 0;
  if (!id) id = find(s->by_pc, pc);
  if (!id) return 0;
  if (is_new) s->is_new = false;
  return keep(s->by_host, host, id - 1) ? OCT_ERR_NOMEM : (int64_t)id;
}

static int take_execution(oct_reader *r, oct_lines *l, oct_diag *diag) {
  qemu *s = r->state;
  uint64_t cpu, host, pc;
  unsigned digits;
  int rc;
  const size_t n_bytes = (size_t)(l->end - l->begin);
  if (!split(l, &cpu, &host, &pc, &digits) || memmem(l->begin + 1, n_bytes - 1, "Trace ", 6))
    return oct_lines_wrong(r, l, "'Trace CPU: HOST [BASE/PC/...]'", l->begin, l->end, diag);
  s->traps.has_more = false;
  cut_last(r, cpu);
  if (pc > UINT32_MAX && r->info.addr_bits == 32)
    return oct_lines_wrong(r, l, "a pc of 32 bits", l->begin, l->end, diag);
  int64_t id = block_of(s, host, pc);
  if (id < 0) return no_memory(diag);
  if (!id) {
    oct_reader_lost(r);
    s->n_last = 0;
    return 0;
  }
  const block *b = &s->blocks[id - 1];
  const oct_map_entry *e = &s->insns[b->first];
  if (oct_reader_is_full(r, b->n)) return 1;
  for (unsigned i = 0; i < b->n; i++)
    if (e[i].code_isa && (rc = oct_reader_describe(r, &e[i], diag))) return rc;
  const bool has_trap = oct_waiting_first(&s->traps.waiting, cpu) != NULL;
  if (!has_trap && s->n_last && s->hart == cpu && !may_follow(s, pc)) oct_reader_lost(r);
  rc = b->privilege == OCT_PRIVILEGE_UNKNOWN
           ? oct_waiting_tell(&s->traps.waiting, r, cpu, diag)
           : oct_waiting_next(&s->traps.waiting, r, cpu, b->privilege, diag);
  if (rc) return rc;
  for (unsigned i = 0; i < b->n; i++)
    oct_reader_add_insn(r, e[i].addr, e[i].size_bytes ? e[i].size_bytes : OCT_SIZE_NEXT)->task =
        (uint32_t)cpu;
  s->hart = cpu;
  s->n_last = b->n;
  s->last = (size_t)id;
  return 0;
}

static int parse(oct_reader *r, oct_lines *l, oct_diag *diag) {
  qemu *s = r->state;
  int rc = s->is_open ? take_block_line(r, l, diag) : 0;
  if (rc) return rc < 0 ? rc : 0;
  if (has_prefix(l->begin, l->end, "IN:"))
    return (rc = end_block(r, diag)) ? rc : begin_block(r, diag);
  if (has_prefix(l->begin, l->end, "OUT:")) return end_block(r, diag);
  if (has_prefix(l->begin, l->end, "Trace "))
    return (rc = end_block(r, diag)) ? rc : take_execution(r, l, diag);
  if (has_prefix(l->begin, l->end, "Stopped execution of TB chain before ")) {
    take_back(r, s->n_last);
    return 0;
  }
  rc = oct_qemu_traps_take(&s->traps, r, l, diag);
  return rc < 0 ? rc : 0;
}

/* ---- The format ---- */

static int line_kind(const char *p, const char *end) {
  oct_lines l = {.p = p, .begin = p, .end = end};
  uint64_t value;
  unsigned digits;
  if (has_prefix(p, end, "IN:") && (end == p + 3 || p[3] == ' ')) return 1;
  return has_prefix(p, end, "Trace ") && split(&l, &value, &value, &value, &digits) ? 1 : -1;
}

/* What the beginning of a log tells of the instruction set. Words count in blocks alone: other
 * lines have names of registers, or code of the host. */
typedef struct look {
  oct_isa_votes votes;
  unsigned most_digits; /* of addresses of lines Trace */
} look;

static void look_at(look *seen, const char *p, const char *stop) {
  bool is_block = false;
  *seen = (look){0};
  while (p < stop) {
    const char *end = memchr(p, '\n', (size_t)(stop - p));
    oct_lines l = {.p = p, .begin = p, .end = end ? end : stop};
    uint64_t value;
    unsigned digits = 0;
    if (has_prefix(p, l.end, "IN:"))
      is_block = true;
    else if (has_prefix(p, l.end, "OUT:") || l.end - p < 2)
      is_block = false;
    else if (is_block)
      oct_isa_votes_add(&seen->votes, p, (size_t)(l.end - p));
    if (has_prefix(p, l.end, "Trace ") && split(&l, &value, &value, &value, &digits) &&
        digits > seen->most_digits)
      seen->most_digits = digits;
    p = end ? end + 1 : stop;
  }
}

static int isa_of(const oct_reader *r, const char *p, size_t n) {
  if (r->given_isa >= 0) return r->given_isa;
  if (r->program) return oct_program_isa(r->program);
  look seen;
  look_at(&seen, p, p + n);
  bool is_narrow = seen.most_digits <= 8;
  int isa = memmem(p, n, "\nPriv: ", 7) ? OCT_ISA_RISCV64 : oct_isa_votes_best(&seen.votes);
  if (isa == OCT_ISA_RISCV64 && is_narrow) return OCT_ISA_RISCV32;
  return isa == OCT_ISA_X86_64 && is_narrow ? OCT_ISA_X86 : isa;
}

static int qemu_open(oct_reader *r, oct_diag *diag) {
  const uint8_t *p;
  oct_diag ignored;
  int rc = oct_lines_open(r, sizeof(qemu), diag);
  if (rc) return rc;
  qemu *s = r->state;
  int64_t n = oct_input_peek(r->in, OCT_INPUT_PEEK_BYTES, &p, &ignored);
  s->isa = isa_of(r, (const char *)p, n > 0 ? (size_t)n : 0);
  s->by_pc = oct_map_new();
  s->by_host = oct_map_new();
  if (!s->by_pc || !s->by_host) return no_memory(diag);
  r->info.origin = "qemu";
  if (s->isa < 0) return 0;
  bool is_arm = s->isa == OCT_ISA_ARM || s->isa == OCT_ISA_THUMB;
  if (is_arm && !(s->thumb = oct_disasm_new(OCT_ISA_THUMB))) return no_memory(diag);
  rc = oct_reader_use_isa(r, is_arm ? OCT_ISA_ARM : (oct_isa)s->isa, &s->disasm, diag);
  if (is_arm) r->info.insn_align_bytes = 2;
  return rc;
}

static int qemu_fill(oct_reader *r, oct_diag *diag) {
  qemu *s = r->state;
  s->n_last = 0; /* what was the last is handed out */
  int rc = oct_lines_fill(r, &s->lines, parse, diag);
  if (rc) return rc;
  cut_last(r, s->hart);
  if (!s->last) {
    oct_reader_forget_gaps(r);
    return oct_lines_none(r, &s->lines, EXPECTED, diag);
  }
  return oct_waiting_tell(&s->traps.waiting, r, OCT_WAITING_ANY, diag);
}

static void qemu_close(oct_reader *r) {
  qemu *s = r->state;
  if (!s) return;
  oct_disasm_free(s->disasm);
  oct_disasm_free(s->thumb);
  oct_waiting_free(&s->traps.waiting);
  oct_map_free(s->by_pc);
  oct_map_free(s->by_host);
  free(s->insns);
  free(s->blocks);
  free(s);
}

static int qemu_probe(const uint8_t *p, size_t n, int is_text) {
  return is_text && oct_probe_lines(p, n, line_kind);
}

static const oct_reader_ops qemu_reader = {
    .open = qemu_open, .fill = qemu_fill, .close = qemu_close};
const oct_format_desc oct_qemu_format = {.name = "qemu",
                                         .text = "QEMU's log -d in_asm,exec,nochain",
                                         .probe = qemu_probe,
                                         .reader = &qemu_reader,
                                         .addr_bits = 32,
                                         .insn_bytes = 4,
                                         .is_insns_only = 1};
