/* SPDX-License-Identifier: Apache-2.0 */
/* oct_replay_machine.c - an emulator whose registers keep all bits, and whose loads count once. */
#include "oct_replay_machine.h"

#include "oct_endian.h"
#include "octrace/error.h"

#include <string.h>

int oct_rp_machine_init(oct_rp_machine *m, oct_isa isa, const oct_emulator_hooks *hooks) {
  unsigned at = 0;
  memset(m, 0, sizeof *m);
  m->isa = isa;
  for (unsigned i = 0; i < OCT_REGISTERS_MAX; i++) {
    const unsigned bytes = oct_isa_register_bytes(isa, i);
    if (!bytes) continue;
    m->registers[m->n_registers++] =
        (oct_rp_register){.number = (uint16_t)i, .bytes = (uint8_t)bytes, .at = (uint16_t)at};
    at += bytes;
  }
  m->emulator = oct_emulator_new(isa, hooks);
  return m->emulator ? 0 : OCT_ERR_NOMEM;
}

/* The lowest bytes of a register, up to 8. */
static uint64_t number_of(const uint8_t *bytes, unsigned n) {
  uint8_t all[8] = {0};
  memcpy(all, bytes, n);
  return oct_get_u64(all);
}

bool oct_rp_machine_get(oct_rp_machine *m, unsigned number, uint8_t *bytes) {
  const unsigned n = oct_isa_register_bytes(m->isa, number);
  const bool is_there = oct_emulator_get(m->emulator, number, bytes);
  if (m->lacks[number] | m->adds[number]) {
    uint8_t all[8];
    oct_put_u64(all, (number_of(bytes, n) & ~m->adds[number]) | m->lacks[number]);
    memcpy(bytes, all, n);
  }
  return is_there;
}

void oct_rp_machine_set(oct_rp_machine *m, unsigned number, const uint8_t *bytes) {
  const unsigned n = oct_isa_register_bytes(m->isa, number);
  uint8_t held[OCT_FACT_REGISTER_MAX];
  oct_emulator_set(m->emulator, number, bytes);
  if (n > 8) return;
  oct_emulator_get(m->emulator, number, held);
  const uint64_t want = number_of(bytes, n), has = number_of(held, n);
  m->lacks[number] = want & ~has;
  m->adds[number] = has & ~want;
}

bool oct_rp_machine_keeps(oct_rp_machine *m, unsigned number) {
  const unsigned n = oct_isa_register_bytes(m->isa, number);
  uint8_t before[OCT_FACT_REGISTER_MAX], ones[OCT_FACT_REGISTER_MAX], held[OCT_FACT_REGISTER_MAX];
  memset(ones, 0xff, sizeof ones);
  if (!oct_emulator_get(m->emulator, number, before)) return false;
  oct_emulator_set(m->emulator, number, ones);
  oct_emulator_get(m->emulator, number, held);
  oct_emulator_set(m->emulator, number, before);
  return !memcmp(held, ones, n);
}

void oct_rp_machine_save(oct_rp_machine *m, uint8_t *registers) {
  for (unsigned i = 0; m->emulator && i < m->n_registers; i++)
    oct_rp_machine_get(m, m->registers[i].number, registers + m->registers[i].at);
}

void oct_rp_machine_load(oct_rp_machine *m, const uint8_t *registers) {
  if (m->emulator) oct_emulator_reset(m->emulator);
  for (unsigned i = 0; m->emulator && i < m->n_registers; i++)
    oct_rp_machine_set(m, m->registers[i].number, registers + m->registers[i].at);
}

bool oct_rp_machine_is_part(oct_rp_machine *m, uint64_t addr, unsigned size_bytes) {
  const bool is_arm = m->isa == OCT_ISA_ARM || m->isa == OCT_ISA_THUMB;
  const uint64_t page = is_arm ? 1 << 10 : 1 << 12, last = addr + (size_bytes - 1);
  if (m->n_parts && addr == m->part_addr) {
    m->n_parts--;
    m->part_addr = (addr + size_bytes) & UINT64_MAX >> (64 - oct_isa_get(m->isa)->addr_bits);
    return true;
  }
  m->n_parts = addr / page == last / page ? 0 : 2;
  m->part_addr = addr & ~(uint64_t)(size_bytes - 1);
  return false;
}
