/* SPDX-License-Identifier: Apache-2.0 */
/* oct_emulator.c - the emulator of a replay: Unicorn, which is QEMU's translator as a
 * library.
 *
 * Memory is in chunks of the machine's own, which Unicorn gets when it first touches them; so what
 * a load is to bring can be written behind its back, without a call. A run begins with a call into
 * the emulator and ends in the hook in front of an instruction. Registers that the emulator has
 * beside those of a trace are put back to the state of a new machine by oct_emulator_reset.
 *
 * Of RISC-V 32's registers of floating point Unicorn gives and takes 32 of 64 bits. They go through
 * the memory of a second machine, which gets the state of the first for that.
 *
 * A build without Unicorn has no emulator, for no instruction set. */
#include "oct_emulator.h"

#include "octrace/error.h"
#include "oct_isa_outside.h"

#ifdef OCT_HAVE_UNICORN

#include "oct_endian.h"

#include <stdlib.h>
#include <string.h>
#include <unicorn/unicorn.h>

enum { UNDO_MAX = 32 }; /* stores of an instruction */
enum { CHUNK_BITS = 16, CHUNK_BYTES = 1 << CHUNK_BITS, CHUNKS_MAX = 1 << 14 };

typedef struct chunk {
  uint64_t key; /* address >> CHUNK_BITS */
  uint8_t *bytes;
  uint32_t rights; /* of Unicorn; 0: not mapped */
} chunk;

enum { FLOATS = 32 };

/* RISC-V 32's registers of floating point, as they are between runs. */
typedef struct floats {
  uc_engine *uc; /* the second machine, or NULL */
  uc_context *state;
  uint64_t held[FLOATS]; /* little-endian */
  bool is_held;          /* these are the first machine's, */
  bool is_set;           /* or will be when it runs */
} floats;

struct oct_emulator {
  uc_engine *uc;
  floats floats;
  uc_context *fresh;
  oct_isa isa;
  oct_emulator_hooks hooks;
  chunk *chunks, *last; /* a hash table of a power of two places; NULL bytes are free */
  chunk *code;          /* that of the instruction that loaded last, or NULL */
  size_t n_chunks, room;
  uint64_t top;  /* highest address */
  uint64_t addr; /* of the instruction that a hook was called for last */
  bool is_stopped, was_called;
  /* The state of the IT block (Arm ARM, ITSTATE) in front of the instruction at it_addr; 0: in
   * none. Of a block Unicorn calls no hook for an instruction whose condition fails: the next one,
   * at skips_to, stands for these. */
  uint8_t it;
  bool is_skipping, is_it_set;
  uint64_t it_addr, skips_to;
  /* In and after conditional code of ARM it does not always stop at once. What it executes is
   * undone: registers, and what was stored. */
  bool is_undone;
  uc_context *before;
  struct {
    uint64_t addr;
    unsigned size_bytes;
    uint8_t bytes[8];
  } stored[UNDO_MAX];
  unsigned n_stored;
};

/* ---- Registers: Unicorn's numbers of those of a trace ---- */

typedef struct ids {
  unsigned first, count;
  int uc, step;
} ids;

static const ids arm[] = {{0, 13, UC_ARM_REG_R0, 1},
                          {13, 1, UC_ARM_REG_SP, 1},
                          {14, 1, UC_ARM_REG_LR, 1},
                          {OCT_REG_STATUS, 1, UC_ARM_REG_CPSR, 1},
                          {34, 1, UC_ARM_REG_C13_C0_3, 1},
                          {35, 1, UC_ARM_REG_FPSCR, 1},
                          {OCT_REG_FLOAT, 32, UC_ARM_REG_D0, 1}};
static const ids riscv[] = {{1, 31, UC_RISCV_REG_X1, 1},
                            {OCT_REG_STATUS, 1, UC_RISCV_REG_FCSR, 1},
                            {OCT_REG_FLOAT, 32, UC_RISCV_REG_F0, 1}};
static const ids aarch64[] = {
    {0, 29, UC_ARM64_REG_X0, 1},        {29, 2, UC_ARM64_REG_X29, 1},
    {31, 1, UC_ARM64_REG_SP, 1},        {OCT_REG_STATUS, 1, UC_ARM64_REG_NZCV, 1},
    {34, 1, UC_ARM64_REG_TPIDR_EL0, 1}, {35, 1, UC_ARM64_REG_FPCR, 1},
    {36, 1, UC_ARM64_REG_FPSR, 1},      {OCT_REG_FLOAT, 32, UC_ARM64_REG_V0, 1}};
static const ids x86_64[] = {{0, 1, UC_X86_REG_RAX, 1},
                             {1, 1, UC_X86_REG_RCX, 1},
                             {2, 1, UC_X86_REG_RDX, 1},
                             {3, 1, UC_X86_REG_RBX, 1},
                             {4, 1, UC_X86_REG_RSP, 1},
                             {5, 1, UC_X86_REG_RBP, 1},
                             {6, 1, UC_X86_REG_RSI, 1},
                             {7, 1, UC_X86_REG_RDI, 1},
                             {8, 8, UC_X86_REG_R8, 1},
                             {OCT_REG_STATUS, 1, UC_X86_REG_EFLAGS, 1},
                             {34, 1, UC_X86_REG_FS_BASE, 1},
                             {35, 1, UC_X86_REG_GS_BASE, 1},
                             {OCT_REG_FLOAT, 16, UC_X86_REG_XMM0, 1}};

#define OF(list) list, sizeof list / sizeof *list
static const struct {
  const ids *list;
  size_t n;
  uc_arch arch;
  uc_mode mode;
} sets[OCT_ISA_COUNT] = {
    [OCT_ISA_ARM] = {OF(arm), UC_ARCH_ARM, UC_MODE_ARM},
    [OCT_ISA_THUMB] = {OF(arm), UC_ARCH_ARM, UC_MODE_ARM},
    [OCT_ISA_RISCV32] = {OF(riscv), UC_ARCH_RISCV, UC_MODE_RISCV32},
    [OCT_ISA_RISCV64] = {OF(riscv), UC_ARCH_RISCV, UC_MODE_RISCV64},
    [OCT_ISA_AARCH64] = {OF(aarch64), UC_ARCH_ARM64, UC_MODE_ARM},
    [OCT_ISA_X86_64] = {OF(x86_64), UC_ARCH_X86, UC_MODE_64},
};

bool oct_emulator_has(oct_isa isa) {
  return isa >= 0 && isa < OCT_ISA_COUNT && sets[isa].n;
}

static int uc_number(const oct_emulator *m, unsigned number) {
  for (size_t i = 0; i < sets[m->isa].n; i++) {
    const ids *r = &sets[m->isa].list[i];
    if (number >= r->first && number - r->first < r->count)
      return r->uc + r->step * (int)(number - r->first);
  }
  return -1;
}

/* ---- Registers of floating point of RISC-V 32 ---- */

/* The second machine's memory: stores, a place to stop at, loads, another one; in the last page,
 * since Unicorn looks at each store to a page with code, the registers. */
enum {
  FLOATS_STORE = 0,
  FLOATS_LOAD = 4 * (FLOATS + 1),
  FLOATS_END = 2 * FLOATS_LOAD,
  FLOATS_PAGE = 4096,
  FLOATS_OFFSET = 0xc00 /* of 12 bits, with a sign */
};
static const uint64_t floats_page = 0xfffff000, floats_at = 0xfffffc00;

static void stop_floats(uc_engine *uc, uint64_t addr, uint32_t size, void *user) {
  (void)size, (void)user;
  if (addr == FLOATS_LOAD - 4 || addr == FLOATS_END - 4) uc_emu_stop(uc);
}

static bool begin_floats(oct_emulator *m) {
  enum { FSD = 0x3027, FLD = 0x3007, NOP = 0x13 };
  uint8_t page[FLOATS_END];
  uc_hook hook;
  for (uint32_t i = 0; i <= FLOATS; i++) {
    const uint32_t at = FLOATS_OFFSET + 8 * i;
    const uint32_t store = (uint32_t)FSD | i << 20 | (at & 31) << 7 | at >> 5 << 25;
    const uint32_t load = (uint32_t)FLD | i << 7 | at << 20;
    oct_put_u32(page + FLOATS_STORE + 4 * i, i < FLOATS ? store : (uint32_t)NOP);
    oct_put_u32(page + FLOATS_LOAD + 4 * i, i < FLOATS ? load : (uint32_t)NOP);
  }
  return !uc_open(sets[m->isa].arch, sets[m->isa].mode, &m->floats.uc) &&
         !uc_hook_add(m->floats.uc, &hook, UC_HOOK_CODE, (void *)(uintptr_t)stop_floats, NULL, 1,
                      0) &&
         !uc_mem_map(m->floats.uc, 0, FLOATS_PAGE, UC_PROT_READ | UC_PROT_EXEC) &&
         !uc_mem_map(m->floats.uc, floats_page, FLOATS_PAGE, UC_PROT_READ | UC_PROT_WRITE) &&
         !uc_mem_write(m->floats.uc, 0, page, sizeof page) &&
         !uc_context_alloc(m->floats.uc, &m->floats.state);
}

/* The second machine has the state of the first and executes what is at `at`; with floating point
 * switched on, also where the program has switched it off. */
static void run_floats(oct_emulator *m, uint64_t at, bool is_back) {
  enum { IS_ON = 0x6000 };
  floats *f = &m->floats;
  uint32_t status = 0;
  uc_context_save(m->uc, f->state);
  uc_context_restore(f->uc, f->state);
  uc_reg_read(f->uc, UC_RISCV_REG_MSTATUS, &status);
  const uint32_t on = status | IS_ON;
  uc_reg_write(f->uc, UC_RISCV_REG_MSTATUS, &on);
  uc_emu_start(f->uc, at, FLOATS_PAGE - 4, 0, 0);
  uc_reg_write(f->uc, UC_RISCV_REG_MSTATUS, &status);
  if (!is_back) return;
  uc_context_save(f->uc, f->state);
  uc_context_restore(m->uc, f->state);
}

static uint64_t *float_of(oct_emulator *m, unsigned number) {
  floats *f = &m->floats;
  if (!f->uc || number < OCT_REG_FLOAT || number - OCT_REG_FLOAT >= FLOATS) return NULL;
  if (!f->is_held) {
    run_floats(m, FLOATS_STORE, false);
    uc_mem_read(f->uc, floats_at, f->held, sizeof f->held);
    f->is_held = true;
  }
  return &f->held[number - OCT_REG_FLOAT];
}

/* In front of a run. */
static void settle_floats(oct_emulator *m) {
  floats *f = &m->floats;
  if (f->is_set) {
    uc_mem_write(f->uc, floats_at, f->held, sizeof f->held);
    run_floats(m, FLOATS_LOAD, true);
  }
  f->is_set = f->is_held = false;
}

/* ---- IT blocks of Thumb code ---- */

static bool is_arm(const oct_emulator *m) {
  return m->isa == OCT_ISA_ARM || m->isa == OCT_ISA_THUMB;
}

/* The state within the CPSR. */
enum { CPSR_IT = 0x0600fc00 };
static uint32_t it_to_cpsr(uint8_t it) {
  return (uint32_t)(it & 3) << 25 | (uint32_t)(it >> 2) << 10;
}
static uint8_t it_of_cpsr(uint32_t cpsr) {
  return (uint8_t)((cpsr >> 25 & 3) | (cpsr >> 10 & 0x3f) << 2);
}

static uint16_t halfword(oct_emulator *m, uint64_t addr) {
  uint8_t bytes[2] = {0};
  (void)oct_emulator_peek(m, addr, bytes, sizeof bytes);
  return (uint16_t)(bytes[0] | bytes[1] << 8);
}

/* The instruction at addr, of size bytes, is over, or was skipped. */
static void advance_it(oct_emulator *m, uint64_t addr, uint32_t size_bytes) {
  enum { IT = 0xbf00, MASK = 0xf };
  if (m->it) {
    m->it = m->it & 7 ? (uint8_t)((m->it & 0xe0) | (m->it << 1 & 0x1f)) : 0;
  } else if (size_bytes == 2) {
    const uint16_t word = halfword(m, addr);
    if ((word & 0xff00) == IT && word & MASK) m->it = (uint8_t)word;
  }
  m->it_addr = addr + size_bytes;
}

/* Call the hook for instructions that are skipped, up to the one at addr. True if it ends the run:
 * m->addr is then the instruction that comes next. */
static bool skip(oct_emulator *m, uint64_t addr) {
  m->is_skipping = false;
  while (m->it && m->it_addr != addr) {
    const uint64_t skipped = m->it_addr;
    m->addr = skipped;
    m->was_called = true;
    if (m->hooks.insn(m->hooks.context, skipped)) {
      m->is_skipping = true;
      m->skips_to = addr;
      return true;
    }
    advance_it(m, skipped, halfword(m, skipped) >> 11 >= 0x1d ? 4 : 2);
  }
  return false;
}

/* In front of a run from pc on; true if it is over already. */
static bool begin_it(oct_emulator *m, uint64_t *pc, bool is_thumb) {
  uint32_t cpsr = 0;
  if (m->is_it_set) m->it_addr = *pc;
  m->is_it_set = false;
  if (!is_thumb || m->it_addr != *pc) {
    m->it = 0;
    m->is_skipping = false;
  }
  if (m->is_skipping) {
    const uint64_t to = m->skips_to;
    const bool is_over = skip(m, to);
    *pc = is_over ? m->addr : to;
    if (is_over) return true;
  }
  uc_reg_read(m->uc, UC_ARM_REG_CPSR, &cpsr);
  if (it_of_cpsr(cpsr) == m->it) return false;
  cpsr = (cpsr & ~(uint32_t)CPSR_IT) | it_to_cpsr(m->it);
  uc_reg_write(m->uc, UC_ARM_REG_CPSR, &cpsr);
  return false;
}

bool oct_emulator_get(oct_emulator *m, unsigned number, uint8_t *bytes) {
  const unsigned n = oct_isa_register_bytes(m->isa, number);
  uint8_t value[64] = {0};
  const int uc = uc_number(m, number);
  const uint64_t *held = float_of(m, number);
  if (held) {
    memcpy(bytes, held, n);
    return true;
  }
  if (uc >= 0) uc_reg_read(m->uc, uc, value);
  if (is_arm(m) && number == OCT_REG_STATUS) {
    uint32_t cpsr;
    memcpy(&cpsr, value, sizeof cpsr);
    cpsr = (cpsr & ~(uint32_t)CPSR_IT) | it_to_cpsr(m->it);
    memcpy(value, &cpsr, sizeof cpsr);
  }
  memcpy(bytes, value, n);
  return uc >= 0;
}

/* Of registers of status those bits that a program can set: others lead the emulator astray. */
static void make_legal(oct_isa isa, unsigned number, uint8_t *value) {
  uint32_t v;
  memcpy(&v, value, sizeof v);
  if (isa == OCT_ISA_ARM || isa == OCT_ISA_THUMB) {
    enum { USER = 0x10, THUMB = 0x20, FLAGS = 0xf80f0000, IT = 0x0600fc00, ROUNDING = 0xf7c0009f };
    if (number == OCT_REG_STATUS)
      v = (v & (uint32_t)FLAGS) | (v & THUMB) | (v & THUMB ? v & IT : 0) | USER;
    else
      v &= (uint32_t)ROUNDING;
  } else if (isa == OCT_ISA_X86_64 && number == OCT_REG_STATUS) {
    v = (v & 0xcd5) | 2;
  } else if (isa == OCT_ISA_AARCH64) {
    v &= number == OCT_REG_STATUS ? 0xf0000000u : 0x07c00000u;
  } else if (number == OCT_REG_STATUS) {
    v &= 0xff;
  }
  memcpy(value, &v, sizeof v);
}

void oct_emulator_set(oct_emulator *m, unsigned number, const uint8_t *bytes) {
  const unsigned n = oct_isa_register_bytes(m->isa, number);
  uint8_t value[64] = {0};
  const int uc = uc_number(m, number);
  uint64_t *held = float_of(m, number);
  if (held) {
    m->floats.is_set |= memcmp(held, bytes, n) != 0;
    memcpy(held, bytes, n);
    return;
  }
  memcpy(value, bytes, n);
  if (number == OCT_REG_STATUS || number == 35) make_legal(m->isa, number, value);
  if (uc >= 0) uc_reg_write(m->uc, uc, value);
  if (is_arm(m) && number == OCT_REG_STATUS) {
    uint32_t cpsr;
    memcpy(&cpsr, value, sizeof cpsr);
    m->it = it_of_cpsr(cpsr);
    m->is_it_set = true;
    m->is_skipping = false;
  }
}

/* ---- Memory ---- */

static chunk *place_of(chunk *chunks, size_t room, uint64_t key) {
  size_t i = (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (room - 1);
  while (chunks[i].bytes && chunks[i].key != key) i = (i + 1) & (room - 1);
  return &chunks[i];
}

static int grow(oct_emulator *m) {
  const size_t room = m->room ? 2 * m->room : 64;
  chunk *chunks = calloc(room, sizeof *chunks);
  if (!chunks) return OCT_ERR_NOMEM;
  for (size_t i = 0; i < m->room; i++)
    if (m->chunks[i].bytes) *place_of(chunks, room, m->chunks[i].key) = m->chunks[i];
  free(m->chunks);
  m->chunks = chunks;
  m->room = room;
  m->last = m->code = NULL;
  return 0;
}

/* The chunk that addr is in, made if there is none. */
static int chunk_of(oct_emulator *m, uint64_t addr, chunk **out) {
  const uint64_t key = addr >> CHUNK_BITS;
  if (m->last && m->last->key == key) {
    *out = m->last;
    return 0;
  }
  int rc = 2 * m->n_chunks >= m->room ? grow(m) : 0;
  if (rc) return rc;
  chunk *c = place_of(m->chunks, m->room, key);
  if (!c->bytes) {
    if (m->n_chunks == CHUNKS_MAX) return OCT_ERR_LIMIT;
    /* Unicorn wants whole pages. */
    if (!(c->bytes = aligned_alloc(4096, CHUNK_BYTES))) return OCT_ERR_NOMEM;
    memset(c->bytes, 0, CHUNK_BYTES);
    c->key = key;
    m->n_chunks++;
  }
  *out = m->last = c;
  return 0;
}

/* Copy to (is_out) or from memory, which ends where addresses begin again. */
static int copy(oct_emulator *m, uint64_t addr, uint8_t *bytes, size_t n, bool is_out) {
  while (n) {
    chunk *c;
    addr &= m->top;
    const size_t at = addr & (CHUNK_BYTES - 1), left = CHUNK_BYTES - at, k = n < left ? n : left;
    int rc = chunk_of(m, addr, &c);
    if (rc) return rc;
    memcpy(is_out ? bytes : c->bytes + at, is_out ? c->bytes + at : bytes, k);
    addr += k;
    bytes += k;
    n -= k;
  }
  return 0;
}

int oct_emulator_peek(oct_emulator *m, uint64_t addr, uint8_t *bytes, size_t n) {
  return copy(m, addr, bytes, n, true);
}

int oct_emulator_poke(oct_emulator *m, uint64_t addr, const uint8_t *bytes, size_t n) {
  return copy(m, addr, (uint8_t *)(uintptr_t)bytes, n, false);
}

/* Memory without code is not to be executed: else each store looks for code there. */
static bool map_chunk(oct_emulator *m, uint64_t addr, bool has_code) {
  const uint32_t rights = has_code ? UC_PROT_ALL : UC_PROT_READ | UC_PROT_WRITE;
  chunk *c;
  if (chunk_of(m, addr & m->top, &c)) return false;
  if ((c->rights & rights) == rights) return true;
  const uint64_t begin = c->key << CHUNK_BITS;
  if (c->rights ? uc_mem_protect(m->uc, begin, CHUNK_BYTES, rights)
                : uc_mem_map_ptr(m->uc, begin, CHUNK_BYTES, rights, c->bytes))
    return false;
  c->rights = rights;
  return true;
}

/* Drop what was translated of these bytes, which a write does not. A block that ends in front of an
 * instruction that was none is thought not to reach it, so the byte before counts, too; no block
 * goes on in the next page. */
static void drop_translated(oct_emulator *m, uint64_t addr, size_t n) {
  enum { PAGE_BYTES = 1 << 12 };
  const uint64_t end = addr + n;
  uint64_t from = addr % PAGE_BYTES ? addr - 1 : addr;
  while (from < end) {
    const uint64_t page_end = from - from % PAGE_BYTES + PAGE_BYTES;
    const uint64_t to = page_end < end ? page_end : end;
    (void)uc_ctl_remove_cache(m->uc, from, to);
    from = to;
  }
}

int oct_emulator_put_code(oct_emulator *m, uint64_t addr, const uint8_t *bytes, size_t n) {
  uint8_t old[OCT_CODE_MAX];
  int rc = 0;
  if (n <= sizeof old && !(rc = oct_emulator_peek(m, addr, old, n)) && !memcmp(old, bytes, n))
    n = 0;
  for (size_t i = 0; !rc && i < n; i++)
    if (!map_chunk(m, addr + i, true)) rc = OCT_ERR_LIMIT;
  if (!rc && n && uc_mem_write(m->uc, addr & m->top, bytes, n)) rc = OCT_ERR_LIMIT;
  if (!rc && n) drop_translated(m, addr & m->top, n);
  return rc;
}

/* ---- Runs ---- */

static void on_code(uc_engine *uc, uint64_t addr, uint32_t size, void *user) {
  oct_emulator *m = user;
  if (m->is_stopped) return;
  bool is_over = m->it && skip(m, addr);
  if (!is_over) {
    m->addr = addr;
    m->was_called = true;
    is_over = m->hooks.insn(m->hooks.context, addr);
  }
  if (!is_over) {
    if (is_arm(m)) advance_it(m, addr, size);
    return;
  }
  m->is_stopped = true;
  m->is_undone = is_arm(m) && !uc_context_save(uc, m->before);
  uc_emu_stop(uc);
}

static void undo(oct_emulator *m) {
  m->is_undone = false;
  uc_context_restore(m->uc, m->before);
  for (; m->n_stored; m->n_stored--) {
    const unsigned i = m->n_stored - 1;
    (void)oct_emulator_poke(m, m->stored[i].addr, m->stored[i].bytes, m->stored[i].size_bytes);
  }
}

/* Whether the instruction under way stores on a condition: it loads nothing, but Unicorn compares.
 */
static bool is_store_conditional(oct_emulator *m) {
  uint8_t code[4] = {0};
  uint32_t word, cpsr = 0;
  if ((!m->code || m->code->key != m->addr >> CHUNK_BITS) && chunk_of(m, m->addr, &m->code))
    return false;
  const size_t at = m->addr & (CHUNK_BYTES - 1);
  if (at + sizeof code <= CHUNK_BYTES)
    memcpy(code, m->code->bytes + at, sizeof code);
  else
    (void)oct_emulator_peek(m, m->addr, code, sizeof code);
  memcpy(&word, code, sizeof word);
  if (!is_arm(m)) return oct_isa_is_store_conditional(m->isa, word);
  const bool arm = oct_isa_is_store_conditional(OCT_ISA_ARM, word);
  const bool thumb = oct_isa_is_store_conditional(OCT_ISA_THUMB, word);
  if (!arm && !thumb) return false;
  uc_reg_read(m->uc, UC_ARM_REG_CPSR, &cpsr);
  return cpsr & 0x20 ? thumb : arm;
}

static void on_load(uc_engine *uc, uc_mem_type type, uint64_t addr, int size, int64_t value,
                    void *user) {
  oct_emulator *m = user;
  (void)uc, (void)type, (void)value;
  if (!m->is_stopped && size > 0 && size <= 8 && !is_store_conditional(m))
    m->hooks.load(m->hooks.context, addr & m->top, (unsigned)size);
}

static void on_store(uc_engine *uc, uc_mem_type type, uint64_t addr, int size, int64_t value,
                     void *user) {
  oct_emulator *m = user;
  (void)uc, (void)type;
  if (size <= 0 || size > 8) return;
  if (!m->is_stopped) {
    m->hooks.store(m->hooks.context, addr & m->top, (unsigned)size, (uint64_t)value);
  } else if (m->is_undone && m->n_stored < UNDO_MAX) {
    m->stored[m->n_stored].addr = addr & m->top;
    m->stored[m->n_stored].size_bytes = (unsigned)size;
    (void)oct_emulator_peek(m, addr & m->top, m->stored[m->n_stored++].bytes, (size_t)size);
  }
}

/* Memory is there wherever it is touched, but code that nobody has told is not executed. */
static bool on_unmapped(uc_engine *uc, uc_mem_type type, uint64_t addr, int size, int64_t value,
                        void *user) {
  oct_emulator *m = user;
  (void)uc, (void)value;
  if (type == UC_MEM_FETCH_UNMAPPED) return false;
  const bool is_there = map_chunk(m, addr, false);
  return map_chunk(m, addr + (uint64_t)(size > 0 ? size - 1 : 0), false) && is_there;
}

/* What a program does that the emulator leaves to the system: it ends the run, and is an
 * instruction that could not be executed. */
static void on_interrupt(uc_engine *uc, uint32_t number, void *user) {
  oct_emulator *m = user;
  (void)number;
  m->is_stopped = true;
  m->was_called = false;
  uc_emu_stop(uc);
}

static uint64_t pc_of(oct_emulator *m) {
  uint64_t pc = 0;
  static const int numbers[OCT_ISA_COUNT] = {
      [OCT_ISA_ARM] = UC_ARM_REG_PC,       [OCT_ISA_THUMB] = UC_ARM_REG_PC,
      [OCT_ISA_RISCV32] = UC_RISCV_REG_PC, [OCT_ISA_RISCV64] = UC_RISCV_REG_PC,
      [OCT_ISA_AARCH64] = UC_ARM64_REG_PC, [OCT_ISA_X86_64] = UC_X86_REG_RIP};
  uc_reg_read(m->uc, numbers[m->isa], &pc);
  return pc & m->top;
}

int oct_emulator_run(oct_emulator *m, uint64_t *pc, bool is_thumb) {
  m->is_stopped = m->was_called = false;
  m->addr = *pc;
  settle_floats(m);
  if (is_arm(m) && begin_it(m, pc, is_thumb)) return 0;
  uc_err error = uc_emu_start(m->uc, *pc | is_thumb, m->top - 14, 0, 0);
  m->floats.is_held = false; /* a hook may have asked for one */
  if (m->is_undone) undo(m);
  if (m->is_stopped && m->was_called) {
    *pc = m->addr;
    return 0;
  }
  const bool is_elsewhere =
      error == UC_ERR_FETCH_UNMAPPED || error == UC_ERR_FETCH_PROT || error == UC_ERR_OK;
  *pc = !m->is_stopped && is_elsewhere ? pc_of(m) : m->addr;
  return 1;
}

void oct_emulator_stop(oct_emulator *m) {
  m->is_stopped = m->was_called = true;
  uc_emu_stop(m->uc);
}

/* What programs find switched on: floating point, in the mode of programs. */
static void prepare(oct_emulator *m) {
  switch (m->isa) {
    case OCT_ISA_ARM:
    case OCT_ISA_THUMB: {
      uint32_t cpsr = 0x10, access = 0xf << 20, enable = 1u << 30;
      uc_reg_write(m->uc, UC_ARM_REG_C1_C0_2, &access);
      uc_reg_write(m->uc, UC_ARM_REG_FPEXC, &enable);
      uc_reg_write(m->uc, UC_ARM_REG_CPSR, &cpsr);
      break;
    }
    case OCT_ISA_AARCH64: {
      uint64_t access = 3 << 20;
      uc_reg_write(m->uc, UC_ARM64_REG_CPACR_EL1, &access);
      break;
    }
    case OCT_ISA_RISCV32:
    case OCT_ISA_RISCV64: {
      uint64_t status = 0;
      uc_reg_read(m->uc, UC_RISCV_REG_MSTATUS, &status);
      status |= 0x6000;
      uc_reg_write(m->uc, UC_RISCV_REG_MSTATUS, &status);
      break;
    }
    default:
      break;
  }
}

oct_emulator *oct_emulator_new(oct_isa isa, const oct_emulator_hooks *hooks) {
  if (!oct_emulator_has(isa)) return NULL;
  oct_emulator *m = calloc(1, sizeof *m);
  if (!m) return NULL;
  m->isa = isa;
  m->hooks = *hooks;
  m->top = oct_isa_get(isa)->addr_bits == 64 ? UINT64_MAX : UINT32_MAX;
  uc_hook hook[5];
  if (uc_open(sets[isa].arch, sets[isa].mode, &m->uc) ||
      uc_hook_add(m->uc, &hook[0], UC_HOOK_CODE, (void *)(uintptr_t)on_code, m, 1, 0) ||
      uc_hook_add(m->uc, &hook[1], UC_HOOK_MEM_READ, (void *)(uintptr_t)on_load, m, 1, 0) ||
      uc_hook_add(m->uc, &hook[2], UC_HOOK_MEM_WRITE, (void *)(uintptr_t)on_store, m, 1, 0) ||
      uc_hook_add(m->uc, &hook[3], UC_HOOK_MEM_UNMAPPED, (void *)(uintptr_t)on_unmapped, m, 1, 0) ||
      uc_hook_add(m->uc, &hook[4], UC_HOOK_INTR, (void *)(uintptr_t)on_interrupt, m, 1, 0) ||
      uc_context_alloc(m->uc, &m->fresh) || uc_context_alloc(m->uc, &m->before) ||
      (isa == OCT_ISA_RISCV32 && !begin_floats(m))) {
    oct_emulator_free(m);
    return NULL;
  }
  prepare(m);
  uc_context_save(m->uc, m->fresh);
  return m;
}

void oct_emulator_reset(oct_emulator *m) {
  uc_context_restore(m->uc, m->fresh);
  memset(m->floats.held, 0, sizeof m->floats.held);
  m->floats.is_held = true;
  m->floats.is_set = false;
  m->it = 0;
  m->is_skipping = m->is_it_set = false;
}

void oct_emulator_free(oct_emulator *m) {
  if (!m) return;
  if (m->fresh) uc_context_free(m->fresh);
  if (m->before) uc_context_free(m->before);
  if (m->floats.state) uc_context_free(m->floats.state);
  if (m->floats.uc) uc_close(m->floats.uc);
  if (m->uc) uc_close(m->uc);
  for (size_t i = 0; i < m->room; i++) free(m->chunks[i].bytes);
  free(m->chunks);
  free(m);
}

#else /* this build is without Unicorn: there is no emulator */

bool oct_emulator_has(oct_isa isa) {
  (void)isa;
  return false;
}

oct_emulator *oct_emulator_new(oct_isa isa, const oct_emulator_hooks *hooks) {
  (void)isa, (void)hooks;
  return NULL;
}

void oct_emulator_free(oct_emulator *m) {
  (void)m;
}

void oct_emulator_reset(oct_emulator *m) {
  (void)m;
}

int oct_emulator_run(oct_emulator *m, uint64_t *pc, bool is_thumb) {
  (void)m, (void)pc, (void)is_thumb;
  return 1;
}

void oct_emulator_stop(oct_emulator *m) {
  (void)m;
}

bool oct_emulator_get(oct_emulator *m, unsigned number, uint8_t *bytes) {
  (void)m, (void)number, (void)bytes;
  return false;
}

void oct_emulator_set(oct_emulator *m, unsigned number, const uint8_t *bytes) {
  (void)m, (void)number, (void)bytes;
}

int oct_emulator_peek(oct_emulator *m, uint64_t addr, uint8_t *bytes, size_t n) {
  (void)m, (void)addr, (void)bytes, (void)n;
  return OCT_ERR_UNSUPPORTED;
}

int oct_emulator_poke(oct_emulator *m, uint64_t addr, const uint8_t *bytes, size_t n) {
  (void)m, (void)addr, (void)bytes, (void)n;
  return OCT_ERR_UNSUPPORTED;
}

int oct_emulator_put_code(oct_emulator *m, uint64_t addr, const uint8_t *bytes, size_t n) {
  (void)m, (void)addr, (void)bytes, (void)n;
  return OCT_ERR_UNSUPPORTED;
}

#endif
