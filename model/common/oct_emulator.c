/* SPDX-License-Identifier: Apache-2.0 */
/* oct_emulator.c - the emulator of a replay: Unicorn, which is QEMU's translator as a
 * library.
 *
 * Memory is in chunks of the machine's own, which Unicorn gets when it first touches them; so what
 * a load is to bring can be written behind its back, without a call. A run begins with a call into
 * the emulator and ends in the hook in front of an instruction. Registers that the emulator has
 * beside those of a trace are put back to the state of a new machine by oct_emulator_reset.
 *
 * A build without Unicorn has no emulator, for no instruction set. */
#include "oct_emulator.h"

#include "octrace/error.h"

#ifdef OCT_HAVE_UNICORN

#include <stdlib.h>
#include <string.h>
#include <unicorn/unicorn.h>

enum { CHUNK_BITS = 16, CHUNK_BYTES = 1 << CHUNK_BITS, CHUNKS_MAX = 1 << 14 };

typedef struct chunk {
  uint64_t key; /* address >> CHUNK_BITS */
  uint8_t *bytes;
  bool is_mapped;
} chunk;

struct oct_emulator {
  uc_engine *uc;
  uc_context *fresh;
  oct_isa isa;
  oct_emulator_hooks hooks;
  chunk *chunks, *last; /* a hash table of a power of two places; NULL bytes are free */
  size_t n_chunks, room;
  uint64_t top;  /* highest address */
  uint64_t addr; /* of the instruction that a hook was called for last */
  bool is_stopped, was_called;
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

bool oct_emulator_get(oct_emulator *m, unsigned number, uint8_t *bytes) {
  const unsigned n = oct_isa_register_bytes(m->isa, number);
  uint8_t value[64] = {0};
  const int uc = uc_number(m, number);
  if (uc >= 0) uc_reg_read(m->uc, uc, value);
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
  memcpy(value, bytes, n);
  if (number == OCT_REG_STATUS || number == 35) make_legal(m->isa, number, value);
  if (uc >= 0) uc_reg_write(m->uc, uc, value);
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
  m->last = NULL;
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

static bool map_chunk(oct_emulator *m, uint64_t addr) {
  chunk *c;
  if (chunk_of(m, addr & m->top, &c)) return false;
  if (!c->is_mapped)
    c->is_mapped = !uc_mem_map_ptr(m->uc, c->key << CHUNK_BITS, CHUNK_BYTES, UC_PROT_ALL, c->bytes);
  return c->is_mapped;
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
    if (!map_chunk(m, addr + i)) rc = OCT_ERR_LIMIT;
  if (!rc && n && uc_mem_write(m->uc, addr & m->top, bytes, n)) rc = OCT_ERR_LIMIT;
  if (!rc && n) drop_translated(m, addr & m->top, n);
  return rc;
}

/* ---- Runs ---- */

static void on_code(uc_engine *uc, uint64_t addr, uint32_t size, void *user) {
  oct_emulator *m = user;
  (void)size;
  if (m->is_stopped) return;
  m->addr = addr;
  m->was_called = true;
  if (!m->hooks.insn(m->hooks.context, addr)) return;
  m->is_stopped = true;
  uc_emu_stop(uc);
}

static void on_load(uc_engine *uc, uc_mem_type type, uint64_t addr, int size, int64_t value,
                    void *user) {
  const oct_emulator *m = user;
  (void)uc, (void)type, (void)value;
  if (!m->is_stopped && size > 0 && size <= 8)
    m->hooks.load(m->hooks.context, addr & m->top, (unsigned)size);
}

static void on_store(uc_engine *uc, uc_mem_type type, uint64_t addr, int size, int64_t value,
                     void *user) {
  const oct_emulator *m = user;
  (void)uc, (void)type;
  if (!m->is_stopped && size > 0 && size <= 8)
    m->hooks.store(m->hooks.context, addr & m->top, (unsigned)size, (uint64_t)value);
}

/* Memory is there wherever it is touched, but code that nobody has told is not executed. */
static bool on_unmapped(uc_engine *uc, uc_mem_type type, uint64_t addr, int size, int64_t value,
                        void *user) {
  oct_emulator *m = user;
  (void)uc, (void)value;
  if (type == UC_MEM_FETCH_UNMAPPED) return false;
  const bool is_there = map_chunk(m, addr);
  return map_chunk(m, addr + (uint64_t)(size > 0 ? size - 1 : 0)) && is_there;
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
  uc_err error = uc_emu_start(m->uc, *pc | is_thumb, m->top - 14, 0, 0);
  if (m->is_stopped && m->was_called) {
    *pc = m->addr;
    return 0;
  }
  *pc =
      !m->is_stopped && (error == UC_ERR_FETCH_UNMAPPED || error == UC_ERR_OK) ? pc_of(m) : m->addr;
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
      uc_context_alloc(m->uc, &m->fresh)) {
    oct_emulator_free(m);
    return NULL;
  }
  prepare(m);
  uc_context_save(m->uc, m->fresh);
  return m;
}

void oct_emulator_reset(oct_emulator *m) {
  uc_context_restore(m->uc, m->fresh);
}

void oct_emulator_free(oct_emulator *m) {
  if (!m) return;
  if (m->fresh) uc_context_free(m->fresh);
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
