/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ntrace_message.c - N-Trace messages as bytes: one description of each, that writes and reads
 * it. A byte has two bits of MSEO (0 goes on, 1 a field ends, 3 the message ends) and six of data;
 * a field of variable length ends with its byte. */
#include "oct_ntrace.h"

#include "oct_mask.h"

typedef struct field_io {
  uint8_t *out;      /* writing, or NULL: */
  const uint8_t *in; /* reading, */
  unsigned n_in;     /* the bytes of the message */
  unsigned at, bit;  /* byte under way, and the next bit of its six */
  unsigned width;    /* of the field of variable length that was read last */
  bool is_bad;
  const oct_nt_listen *listen;
} field_io;

enum { MSEO_FIELD = 1, MSEO_END = 3, MSEO = 3, IDLE = 0xff };

static void next_byte(field_io *io) {
  if (io->bit < 6) return;
  io->bit = 0;
  io->at++;
  if (io->out)
    io->out[io->at] = 0;
  else if (io->at >= io->n_in)
    io->is_bad = true;
}

static bool move_bit(field_io *io, bool value) {
  next_byte(io);
  if (io->is_bad) return false;
  unsigned shift = 2 + io->bit++;
  if (io->out)
    io->out[io->at] |= (uint8_t)(value << shift);
  else
    value = io->in[io->at] >> shift & 1;
  return value;
}

static uint64_t fixed(field_io *io, const char *name, uint64_t value, unsigned width) {
  uint64_t result = 0;
  for (unsigned i = 0; i < width; i++) result |= (uint64_t)move_bit(io, value >> i & 1) << i;
  if (io->listen && width) io->listen->field(io->listen->to, name, result, width);
  return result;
}

static uint64_t variable(field_io *io, const char *name, uint64_t value) {
  uint64_t result = 0;
  unsigned width = 0;
  if (io->out) {
    do {
      move_bit(io, value & 1);
      value >>= 1;
    } while (value);
    io->out[io->at] |= MSEO_FIELD;
    io->bit = 6;
    return 0;
  }
  for (;;) {
    bool one = move_bit(io, false);
    if (io->is_bad) return 0;
    if (width < 64) result |= (uint64_t)one << width;
    width++;
    if (io->bit == 6 && (io->in[io->at] & MSEO)) break;
  }
  io->width = width < 64 ? width : 64;
  if (io->listen) io->listen->field(io->listen->to, name, result, io->width);
  return result;
}

enum { MDO_BITS = 6 };

/* An address without bit 0, whose highest bit that was sent stands for those above it. */
uint64_t oct_nt_extended(uint64_t addr, unsigned sent_bits, unsigned addr_bits) {
  if (sent_bits) addr |= ~oct_mask(sent_bits);
  return addr & oct_mask(addr_bits - 1);
}

/* F-ADDR or U-ADDR. With extend_addr, bits equal to the one below them are left out at the top, in
 * sixes. */
static void address(field_io *io, const oct_nt_params *p, const char *name, oct_nt_message *m) {
  if (!io->out) {
    m->addr = variable(io, name, 0);
    m->addr_bits = (uint8_t)(io->is_bad || !(io->in[io->at] >> 7) ? 0 : io->width);
    if (p->extend_addr) m->addr = oct_nt_extended(m->addr, m->addr_bits, p->extend_addr);
    return;
  }
  if (!p->extend_addr) {
    variable(io, name, m->addr);
    return;
  }
  const unsigned unused = 65 - p->extend_addr; /* bits above the field */
  int64_t left = (int64_t)(m->addr << unused) >> unused;
  bool is_over;
  do {
    for (unsigned i = 0; i < MDO_BITS; i++, left >>= 1) is_over = left == -(move_bit(io, left & 1));
  } while (!is_over);
  io->out[io->at] |= MSEO_FIELD;
}

/* What the TCODE asks for. Whether a TSTAMP may follow. */
static bool own_fields(field_io *io, const oct_nt_params *p, oct_nt_message *m) {
  uint64_t cdf;
  if (m->tcode == OCT_NT_SYNC || m->tcode == OCT_NT_DIRECT_SYNC ||
      m->tcode == OCT_NT_INDIRECT_SYNC || m->tcode == OCT_NT_HIST_SYNC)
    m->sync = (uint8_t)fixed(io, "SYNC", m->sync, 4);
  switch (m->tcode) {
    case OCT_NT_OWNERSHIP:
      m->value = variable(io, "PROCESS", m->value);
      return true;
    case OCT_NT_DIRECT:
      m->icnt = variable(io, "I-CNT", m->icnt);
      return true;
    case OCT_NT_ERROR:
      m->code = (uint8_t)fixed(io, "ETYPE", m->code, 4);
      m->value = variable(io, "ECODE", m->value);
      return true;
    case OCT_NT_SYNC:
    case OCT_NT_DIRECT_SYNC:
      m->icnt = variable(io, "I-CNT", m->icnt);
      address(io, p, "F-ADDR", m);
      return true;
    case OCT_NT_INDIRECT:
    case OCT_NT_INDIRECT_SYNC:
    case OCT_NT_HIST:
    case OCT_NT_HIST_SYNC:
      m->btype = (uint8_t)fixed(io, "B-TYPE", m->btype, 2);
      m->icnt = variable(io, "I-CNT", m->icnt);
      address(io, p, m->sync ? "F-ADDR" : "U-ADDR", m);
      if (m->tcode >= OCT_NT_HIST) m->hist = variable(io, "HIST", m->hist);
      return true;
    case OCT_NT_FULL:
      m->rcode = (uint8_t)fixed(io, "RCODE", m->rcode, 4);
      if (m->rcode == OCT_NT_FULL_ICNT)
        m->icnt = variable(io, "RDATA", m->icnt);
      else if (m->rcode <= OCT_NT_FULL_REPEAT)
        m->hist = variable(io, "RDATA", m->hist);
      else
        variable(io, "RDATA", 0); /* of a resource that is not known */
      if (m->rcode == OCT_NT_FULL_REPEAT) m->value = variable(io, "HREPEAT", m->value);
      return true;
    case OCT_NT_REPEAT:
      m->value = variable(io, "B-CNT", m->value);
      return true;
    case OCT_NT_END:
      m->code = (uint8_t)fixed(io, "EVCODE", m->code, 4);
      cdf = fixed(io, "CDF", p->history ? OCT_NT_CDF_HIST : OCT_NT_CDF_NONE, 2);
      m->icnt = variable(io, "I-CNT", m->icnt);
      if (cdf == OCT_NT_CDF_HIST) m->hist = variable(io, "HIST", m->hist);
      return true;
    case OCT_NT_COUNT:
      m->value = variable(io, "COUNT", m->value);
      return false;
    default:
      return false; /* passed over */
  }
}

static void fields(field_io *io, const oct_nt_params *p, oct_nt_message *m) {
  bool may_have_time = own_fields(io, p, m) && p->timestamp;
  /* Messages other than syncs need not have one. */
  bool is_over = !io->out && io->bit == 6 && io->at + 1 >= io->n_in;
  if (may_have_time && !is_over) m->time = variable(io, "TSTAMP", m->time);
}

unsigned oct_nt_write(const oct_nt_params *p, const oct_nt_message *m,
                      uint8_t out[OCT_NT_MESSAGE_BYTES_MAX]) {
  field_io io = {.out = out};
  oct_nt_message copy = *m;
  out[0] = 0;
  fixed(&io, "TCODE", m->tcode, 6);
  fixed(&io, "SRC", p->src_id, p->src_bits);
  fields(&io, p, &copy);
  out[io.at] |= MSEO_END;
  return io.at + 1;
}

int oct_nt_read(const oct_nt_params *p, const uint8_t *bytes, size_t n, oct_nt_message *m,
                bool *is_ours, const oct_nt_listen *listen) {
  unsigned length = 0;
  memset(m, 0, sizeof *m);
  *is_ours = false;
  if (!n) return 0;
  if (bytes[0] == IDLE) return 1;
  do {
    if (length == n) return 0;
    if (length == OCT_NT_MESSAGE_BYTES_MAX || (bytes[length] & MSEO) == 2) return -1;
  } while ((bytes[length++] & MSEO) != MSEO_END);
  field_io io = {.in = bytes, .n_in = length, .listen = listen};
  m->tcode = (uint8_t)fixed(&io, "TCODE", 0, 6);
  uint64_t src = fixed(&io, "SRC", 0, p->src_bits);
  *is_ours = src == (p->src_id & oct_mask(p->src_bits));
  if (*is_ours) fields(&io, p, m);
  return io.is_bad ? -1 : (int)length;
}
