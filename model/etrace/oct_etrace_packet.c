/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etrace_packet.c - E-Trace packets as bits: one description of each, that writes and reads it
 * and tells a listing its fields.
 *
 * Source: "Efficient Trace for RISC-V" 2.0, chapters 7 (instruction packets) and 10 (data packets).
 * Fields stand in the order of their tables, each with its lowest bit first. */
#include "oct_etrace.h"
#include "oct_mask.h"

#include <string.h>

typedef struct field_io {
  const oct_et_config *cfg;
  oct_et_bits *out;      /* writing, or NULL: */
  const oct_et_bits *in; /* reading */
  uint32_t at;           /* next bit to read */
  bool last;             /* the bit written or read last */
  const oct_et_listen *listen;
} field_io;

static void append(oct_et_bits *b, uint64_t value, uint32_t width) {
  uint32_t word = b->n_bits / 64, shift = b->n_bits % 64;
  b->word[word] |= value << shift;
  if (shift + width > 64) b->word[word + 1] |= value >> (64 - shift);
  b->n_bits += width;
}

static uint64_t extract(const oct_et_bits *b, uint32_t at, uint32_t width) {
  uint64_t sign =
      b->n_bits && (b->word[(b->n_bits - 1) / 64] >> (b->n_bits - 1) % 64 & 1) ? UINT64_MAX : 0;
  uint64_t value;
  uint32_t left = at < b->n_bits ? b->n_bits - at : 0;
  if (!left) {
    value = sign;
  } else {
    uint32_t word = at / 64, shift = at % 64;
    value = b->word[word] >> shift;
    if (shift && word + 1 < OCT_ET_WORDS) value |= b->word[word + 1] << (64 - shift);
    if (left < 64) value = (value & oct_mask(left)) | sign << left;
  }
  return value & oct_mask(width);
}

/* One field of up to 64 bits: value goes out, or the field's value is returned. */
static uint64_t field(field_io *io, const char *name, uint64_t value, uint32_t width) {
  if (!width) return 0;
  if (io->out) {
    value &= oct_mask(width);
    append(io->out, value, width);
  } else {
    value = extract(io->in, io->at, width);
    io->at += width;
    if (io->listen) io->listen->field(io->listen->to, name, value, width);
  }
  io->last = value >> (width - 1) & 1;
  return value;
}

/* A bit that says something by being another than the bit before it. */
static bool flag(field_io *io, const char *name, bool value) {
  bool before = io->last;
  return field(io, name, value != before, 1) != before;
}

static void return_fields(field_io *io, oct_et_packet *p) {
  p->irreport = flag(io, "irreport", p->irreport);
  uint64_t depth = p->irreport ? p->irdepth : io->last ? UINT64_MAX : 0;
  p->irdepth = (uint32_t)field(io, "irdepth", depth, io->cfg->irdepth_bits);
}

static void address_fields(field_io *io, oct_et_packet *p) {
  p->address = field(io, "address", p->address, io->cfg->iaddr_bits);
  p->notify = flag(io, "notify", p->notify);
  p->updiscon = flag(io, "updiscon", p->updiscon);
  return_fields(io, p);
}

/* The map has room for 1, 3, 7, 15 or 31 branches. */
static uint32_t map_bits(uint32_t branches) {
  return branches == 0 ? OCT_ET_MAP_BRANCHES : (2u << oct_log2(branches)) - 1;
}

static int options_fields(field_io *io, oct_et_packet *p) {
  const oct_et_config *c = io->cfg;
  if (c->f0s_bits)
    p->subformat = (uint8_t)field(io, "subformat", p->subformat, 1);
  else if (!io->out)
    p->subformat = c->p.predictor_bits ? OCT_ET_SUB_COUNT : OCT_ET_SUB_CACHE;
  if (p->subformat == OCT_ET_SUB_COUNT) {
    if (!c->p.predictor_bits) return OCT_ERR_PACKET;
    p->count = (uint32_t)field(io, "branch_count", p->count, 32);
    p->branch_fmt = (uint8_t)field(io, "branch_fmt", p->branch_fmt, 2);
    if (p->branch_fmt == 1) return OCT_ERR_PACKET;
    if (p->branch_fmt) address_fields(io, p);
    return 0;
  }
  if (!c->p.jump_cache_bits) return OCT_ERR_PACKET;
  p->index = (uint32_t)field(io, "index", p->index, c->p.jump_cache_bits);
  p->branches = (uint8_t)field(io, "branches", p->branches, 5);
  if (p->branches) p->map = (uint32_t)field(io, "branch_map", p->map, map_bits(p->branches));
  return_fields(io, p);
  return 0;
}

static void support_fields(field_io *io, oct_et_packet *p) {
  p->ienable = field(io, "ienable", p->ienable, 1);
  p->mode = field(io, "encoder_mode", p->mode, 1);
  p->qual_status = (uint8_t)field(io, "qual_status", p->qual_status, 2);
  p->options = (uint8_t)field(io, "ioptions", p->options, OCT_ET_OPTION_BITS);
  if (!io->cfg->p.data) return;
  p->denable = field(io, "denable", p->denable, 1);
  p->dloss = field(io, "dloss", p->dloss, 1);
  p->doptions = (uint8_t)field(io, "doptions", p->doptions, 2);
}

static void sync_fields(field_io *io, oct_et_packet *p) {
  const oct_et_config *c = io->cfg;
  p->subformat = (uint8_t)field(io, "subformat", p->subformat, 2);
  if (p->subformat == OCT_ET_SUB_SUPPORT) {
    support_fields(io, p);
    return;
  }
  if (p->subformat != OCT_ET_SUB_CONTEXT) p->branch = field(io, "branch", p->branch, 1);
  p->privilege = (uint32_t)field(io, "privilege", p->privilege, c->p.privilege_bits);
  p->time = field(io, "time", p->time, c->p.time_bits);
  p->context = (uint32_t)field(io, "context", p->context, c->p.context_bits);
  if (p->subformat == OCT_ET_SUB_CONTEXT) return;
  if (p->subformat == OCT_ET_SUB_TRAP) {
    p->ecause = (uint32_t)field(io, "ecause", p->ecause, c->p.ecause_bits);
    p->interrupt = field(io, "interrupt", p->interrupt, 1);
    p->thaddr = field(io, "thaddr", p->thaddr, 1);
  }
  if (p->subformat != OCT_ET_SUB_TRAP || !p->thaddr || !c->p.implicit_exception)
    p->address = field(io, "address", p->address, c->iaddr_bits);
  if (p->subformat == OCT_ET_SUB_TRAP && !p->interrupt)
    p->tval = field(io, "tval", p->tval, c->p.addr_bits);
}

static int packet_fields(field_io *io, oct_et_packet *p) {
  p->format = (uint8_t)field(io, "format", p->format, 2);
  switch (p->format) {
    case OCT_ET_FORMAT_OPTIONS:
      return options_fields(io, p);
    case OCT_ET_FORMAT_BRANCH:
      p->branches = (uint8_t)field(io, "branches", p->branches, 5);
      p->map = (uint32_t)field(io, "branch_map", p->map, map_bits(p->branches));
      if (p->branches) address_fields(io, p);
      return 0;
    case OCT_ET_FORMAT_ADDRESS:
      address_fields(io, p);
      return 0;
    default:
      sync_fields(io, p);
      return 0;
  }
}

/* Codes of the format field of data packets. */
enum { DATA_FORMAT_ATOMIC = 6, ATOMIC_FAILED = 7 };

static int data_fields(field_io *io, oct_et_data *p) {
  uint64_t format = p->kind >= OCT_ET_ATOMIC
                        ? DATA_FORMAT_ATOMIC
                        : (p->kind == OCT_ET_STORE ? 2u : 0u) + p->is_unaligned;
  format = field(io, "format", format, 3);
  if (format == DATA_FORMAT_ATOMIC) {
    uint64_t subtype = field(io, "subtype", p->kind == OCT_ET_FAILED ? ATOMIC_FAILED : 0, 3);
    p->kind = subtype == ATOMIC_FAILED ? OCT_ET_FAILED : OCT_ET_ATOMIC;
    p->is_unaligned = false;
  } else if (format < 4) {
    p->kind = format & 2 ? OCT_ET_STORE : OCT_ET_LOAD;
    p->is_unaligned = format & 1;
  } else {
    return OCT_ERR_PACKET;
  }
  p->size_log2 = (uint8_t)field(io, "size", p->size_log2, io->cfg->p.data_size_bits);
  p->is_diff = field(io, "diff", p->is_diff, 1);
  p->address = field(io, "address", p->address, io->cfg->p.addr_bits);
  return 0;
}

void oct_et_write(const oct_et_config *c, const oct_et_packet *p, oct_et_bits *bits) {
  field_io io = {.cfg = c, .out = bits};
  oct_et_packet copy = *p;
  (void)packet_fields(&io, &copy); /* an encoder makes no reserved codes */
}

void oct_et_write_data(const oct_et_config *c, const oct_et_data *p, oct_et_bits *bits) {
  field_io io = {.cfg = c, .out = bits};
  oct_et_data copy = *p;
  (void)data_fields(&io, &copy);
}

int oct_et_read(const oct_et_config *c, const oct_et_bits *bits, uint32_t *at, oct_et_packet *p,
                const oct_et_listen *listen) {
  field_io io = {.cfg = c, .in = bits, .at = *at, .listen = listen};
  memset(p, 0, sizeof *p);
  int rc = packet_fields(&io, p);
  *at = io.at;
  return rc;
}

int oct_et_read_data(const oct_et_config *c, const oct_et_bits *bits, uint32_t *at, oct_et_data *p,
                     const oct_et_listen *listen) {
  field_io io = {.cfg = c, .in = bits, .at = *at, .listen = listen};
  memset(p, 0, sizeof *p);
  int rc = data_fields(&io, p);
  *at = io.at;
  return rc;
}

int oct_et_check_search(const oct_et_config *c, oct_diag *diag) {
  return c->p.encapsulation
             ? 0
             : oct_fail(diag, OCT_ERR_CONFIG,
                        "encapsulation=0: a stream of bare payloads has no place to begin but its "
                        "start");
}

int oct_et_configure(oct_et_config *c, const uint32_t *params, oct_diag *diag) {
  memset(c, 0, sizeof *c);
  c->p = oct_et_params_of(params);
  const oct_et_params *p = &c->p;
  if (p->implicit_return && !p->return_stack_bits && !p->call_counter_bits)
    return oct_fail(diag, OCT_ERR_CONFIG,
                    "implicit_return=1 needs return_stack_bits or call_counter_bits above 0");
  if (p->data && !p->encapsulation)
    return oct_fail(diag, OCT_ERR_CONFIG,
                    "encapsulation=0 needs data=0: bare data packets cannot be distinguished");
  c->addr_mask = oct_mask(p->addr_bits);
  c->iaddr_bits = p->addr_bits - p->addr_lsb_bits;
  c->f0s_bits = p->predictor_bits && p->jump_cache_bits;
  if (p->implicit_return)
    c->irdepth_bits = p->return_stack_bits + (p->return_stack_bits > 0) + p->call_counter_bits;
  c->type_bits = p->data ? 2 : 0;
  c->max_depth =
      p->return_stack_bits ? 1u << p->return_stack_bits : (1u << p->call_counter_bits) - 1;
  c->max_count = p->return_stack_bits ? (1u << p->call_counter_bits) - 1 : 0;
  c->trap_base = ((uint64_t)p->trap_base_high << 32 | p->trap_base) & c->addr_mask;
  return 0;
}
