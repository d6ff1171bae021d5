/* SPDX-License-Identifier: Apache-2.0 */
/* oct_compressor.c - one interface over both engines, and the arrival models. */
#include "oct_compressor.h"

#include <stdlib.h>

#include "oct_top.h"
#include "oct_untimed.h"

struct oct_compressor {
  oct_run_options options;
  oct_config cfg;
  oct_untimed *untimed;
  oct_top *top;
  oct_top *largest;     /* the same with the largest buffers, NULL unless depths are to be found */
  oct_bytes bytes;      /* cycle engine */
  uint64_t random;      /* xorshift64* state, for stalls */
  uint64_t cycle_milli; /* when the last instruction retired, in thousandths (CPI) */
  uint64_t cycle;       /* cycles run */
  uint64_t first_stamp;
  uint64_t first_stamp_cycle;
  uint64_t insn_count;
  bool has_stamp;
};

static int make_largest(oct_compressor *c) {
  oct_config cfg = c->cfg;
  cfg.stream_fifo_depth = OCT_FIFO_DEPTH_MAX;
  cfg.data_fifo_depth = OCT_FIFO_DEPTH_MAX;
  cfg.out_fifo_bytes = OCT_OUT_FIFO_MAX;
  c->largest = calloc(1, sizeof *c->largest);
  return c->largest ? oct_top_init(c->largest, &cfg) : OCT_ERR_NOMEM;
}

int oct_compressor_new(const oct_config *cfg, const oct_run_options *options, oct_compressor **out,
                       oct_diag *diag) {
  oct_compressor *c;
  int error = oct_config_check(cfg, diag);
  *out = NULL;
  if (error) return error;
  if (options && options->stall_milli > 999)
    return oct_fail(diag, OCT_ERR_ARG, "stall %u: expected 0 to 999 thousandths",
                    options->stall_milli);
  if (options && options->arrival == OCT_ARRIVAL_CPI && options->cpi_milli < 1000)
    return oct_fail(diag, OCT_ERR_ARG, "CPI %u.%03u: expected at least 1",
                    options->cpi_milli / 1000, options->cpi_milli % 1000);
  c = calloc(1, sizeof *c);
  if (!c) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  c->cfg = *cfg;
  if (options) c->options = *options;
  c->random = c->options.seed * 0x9e3779b97f4a7c15u + 0x2545f4914f6cdd1du;
  if (c->options.engine == OCT_ENGINE_CYCLE) {
    c->top = calloc(1, sizeof *c->top);
    error = c->top ? oct_top_init(c->top, cfg) : OCT_ERR_NOMEM;
    if (!error && c->options.find_depths) error = make_largest(c);
  } else {
    c->untimed = calloc(1, sizeof *c->untimed);
    error = c->untimed ? oct_untimed_init(c->untimed, cfg) : OCT_ERR_NOMEM;
  }
  if (error) {
    oct_compressor_free(c);
    return oct_fail(diag, error, "out of memory");
  }
  *out = c;
  return 0;
}

void oct_compressor_free(oct_compressor *c) {
  if (!c) return;
  if (c->top) oct_top_free(c->top);
  if (c->largest) oct_top_free(c->largest);
  if (c->untimed) oct_untimed_free(c->untimed);
  free(c->top);
  free(c->largest);
  free(c->untimed);
  free(c->bytes.at);
  free(c);
}

static uint64_t next_random(oct_compressor *c) {
  c->random ^= c->random >> 12;
  c->random ^= c->random << 25;
  c->random ^= c->random >> 27;
  return c->random * 0x2545f4914f6cdd1du;
}

static bool run_cycle(oct_compressor *c, oct_top_in *in) {
  oct_top_out out;
  if (c->options.stall_milli)
    in->port_stall = (next_random(c) >> 32) * 1000 >> 32 < c->options.stall_milli;
  if (c->largest) {
    const oct_stats *s = &c->largest->stats;
    oct_top_cycle(c->largest, in, &out);
    memcpy(c->top->stats.sufficient, s->high_water, sizeof s->high_water);
    c->top->stats.sufficient_overflows = s->overflows;
  }
  oct_top_cycle(c->top, in, &out);
  c->cycle++;
  for (uint32_t i = 0; i < out.atbytes; i++)
    c->bytes.at[c->bytes.count++] = (uint8_t)(out.atdata >> (8 * i));
  return out.afready;
}

/* More than all buffers need to run empty through one pin. */
#define IDLE_CYCLES_MAX 65536

static int run_idle(oct_compressor *c, uint64_t until_cycle) {
  oct_top_in in;
  memset(&in, 0, sizeof in);
  /* When nothing is left to do, the rest of a long pause changes nothing. */
  if (until_cycle > c->cycle && until_cycle - c->cycle > IDLE_CYCLES_MAX) {
    uint64_t skipped = until_cycle - c->cycle - IDLE_CYCLES_MAX;
    until_cycle = c->cycle + IDLE_CYCLES_MAX;
    c->first_stamp += skipped;
  }
  while (c->cycle < until_cycle) {
    if (oct_bytes_reserve(&c->bytes, 8)) return OCT_ERR_NOMEM;
    run_cycle(c, &in);
  }
  return 0;
}

/* The cycle in which an instruction may retire by the arrival model. */
static uint64_t arrival_cycle(oct_compressor *c, const oct_insn *insn) {
  if (c->options.arrival == OCT_ARRIVAL_CPI) {
    c->cycle_milli += c->options.cpi_milli;
    return c->cycle_milli / 1000;
  }
  if (c->options.arrival == OCT_ARRIVAL_STAMPS && (insn->flags & OCT_INSN_HAS_CYCLE)) {
    if (!c->has_stamp) {
      c->has_stamp = true;
      c->first_stamp = insn->cycle;
      c->first_stamp_cycle = c->cycle;
    }
    /* A stamp that goes back is taken as no pause. */
    return insn->cycle < c->first_stamp ? c->cycle
                                        : insn->cycle - c->first_stamp + c->first_stamp_cycle;
  }
  return c->cycle;
}

static int run_insn(oct_compressor *c, const oct_insn *insn, const oct_access *accesses) {
  uint32_t records = insn->n_access + (insn->flags & OCT_INSN_END ? 1u : 0u);
  oct_top_in in;
  memset(&in, 0, sizeof in);
  if (c->options.arrival != OCT_ARRIVAL_FULL && run_idle(c, arrival_cycle(c, insn)))
    return OCT_ERR_NOMEM;
  if (oct_bytes_reserve(&c->bytes, 8 + 4 * (size_t)records)) return OCT_ERR_NOMEM;
  in.retire.insn_valid = true;
  in.retire.insn_addr = insn->addr;
  in.retire.insn_size_bytes = insn->size_bytes;
  in.retire.task = insn->task;
  for (uint32_t k = 0; k == 0 || k < records; k++) {
    in.retire.da_valid = k < records;
    in.retire.da_end = k >= insn->n_access;
    in.retire.da_addr = k < insn->n_access ? accesses[k].addr : 0;
    run_cycle(c, &in);
    in.retire.insn_valid = false;
  }
  return 0;
}

static int check_insn(const oct_compressor *c, const oct_insn *insn, const oct_access *accesses,
                      uint64_t number, oct_diag *diag) {
  uint64_t beyond = ~oct_mask(c->cfg.addr_bits);
  if (insn->addr & (beyond | oct_mask(c->cfg.pc_align_bits)))
    return oct_fail(diag, OCT_ERR_LIMIT,
                    "instruction %llu at 0x%llx: expected %u bits and alignment to %u bytes",
                    (unsigned long long)number, (unsigned long long)insn->addr, c->cfg.addr_bits,
                    1u << c->cfg.pc_align_bits);
  if (insn->task & ~oct_mask(c->cfg.task_bits))
    return oct_fail(diag, OCT_ERR_LIMIT, "instruction %llu of task %u: expected %u bits",
                    (unsigned long long)number, insn->task, c->cfg.task_bits);
  for (uint32_t k = 0; k < insn->n_access; k++)
    if (accesses[k].addr & beyond)
      return oct_fail(
          diag, OCT_ERR_LIMIT, "instruction %llu, data address 0x%llx: expected %u bits",
          (unsigned long long)number, (unsigned long long)accesses[k].addr, c->cfg.addr_bits);
  return 0;
}

/* The first instruction that does not fit the widths is told; all at once they are found by one or.
 */
static int check_insns(const oct_compressor *c, const oct_insn *insns, size_t n_insns,
                       const oct_access *accesses, oct_diag *diag) {
  uint64_t pcs = 0, das = 0;
  uint32_t tasks = 0;
  size_t n_accesses = 0;
  int error = 0;
  for (size_t i = 0; i < n_insns; i++) {
    pcs |= insns[i].addr;
    tasks |= insns[i].task;
    n_accesses += insns[i].n_access;
  }
  for (size_t k = 0; k < n_accesses; k++) das |= accesses[k].addr;
  if (!((pcs | das) & ~oct_mask(c->cfg.addr_bits)) && !(pcs & oct_mask(c->cfg.pc_align_bits)) &&
      !(tasks & ~oct_mask(c->cfg.task_bits)))
    return 0;
  for (size_t i = 0; i < n_insns && !error; accesses += insns[i++].n_access)
    error = check_insn(c, &insns[i], accesses, c->insn_count + i, diag);
  return error;
}

int oct_compressor_put(oct_compressor *c, const oct_insn *insns, size_t n_insns,
                       const oct_access *accesses, oct_diag *diag) {
  const oct_access *a = accesses;
  int error = check_insns(c, insns, n_insns, accesses, diag);
  if (error) return error;
  c->insn_count += n_insns;
  if (c->untimed) {
    error = oct_untimed_put(c->untimed, insns, n_insns, accesses);
  } else {
    for (size_t i = 0; i < n_insns && !error; a += insns[i++].n_access)
      error = run_insn(c, &insns[i], a);
  }
  return error ? oct_fail(diag, error, "out of memory") : 0;
}

int oct_compressor_flush(oct_compressor *c, oct_diag *diag) {
  oct_top_in in;
  bool done = false;
  if (c->untimed)
    return oct_untimed_flush(c->untimed) ? oct_fail(diag, OCT_ERR_NOMEM, "out of memory") : 0;
  memset(&in, 0, sizeof in);
  for (in.afvalid = true; !done; in.afvalid = false) {
    if (oct_bytes_reserve(&c->bytes, 8)) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    done = run_cycle(c, &in);
  }
  return 0;
}

size_t oct_compressor_take(oct_compressor *c, const uint8_t **bytes) {
  oct_bytes *b = c->untimed ? &c->untimed->bytes : &c->bytes;
  size_t n = b->count;
  *bytes = b->at;
  b->count = 0;
  return n;
}

const oct_stats *oct_compressor_stats(const oct_compressor *c) {
  return c->untimed ? &c->untimed->stats : &c->top->stats;
}
