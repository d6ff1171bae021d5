/* SPDX-License-Identifier: Apache-2.0 */
/* oct_reader_batch.c - what formats fill a batch with: instructions, accesses, traps, descriptions.
 * It grows as it needs to; what was described once is described again only if it differs. */
#include <inttypes.h>

#include "oct_grow.h"
#include "oct_reader_format.h"

#include <stdlib.h>
#include <string.h>

int oct_reader_room_accesses(oct_reader *r, size_t n, oct_diag *diag) {
  oct_access *p = oct_grown(r->accesses, &r->room_accesses, n, sizeof *p);
  if (!p) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  r->accesses = p;
  return 0;
}

int oct_reader_add_access(oct_reader *r, uint64_t addr, unsigned size_bytes, int is_store,
                          oct_diag *diag) {
  int rc = oct_reader_room_accesses(r, r->n_accesses + 1, diag);
  if (rc) return rc;
  if (r->insns[r->n_insns - 1].n_access == UINT16_MAX)
    return oct_input_fail(r->in, oct_input_offset(r->in), diag, OCT_ERR_LIMIT,
                          "an instruction of over 65535 accesses");
  r->accesses[r->n_accesses++] = (oct_access){addr, (uint8_t)size_bytes, is_store != 0, 0};
  r->insns[r->n_insns - 1].n_access++;
  return 0;
}

int oct_reader_add_map(oct_reader *r, const oct_map_entry *entry, oct_diag *diag) {
  if (r->n_map_all++ >= r->map_max)
    return oct_fail(diag, OCT_ERR_LIMIT,
                    "more than %" PRIu64 " entries of the program map (--max-map allows more)",
                    r->map_max);
  oct_map_entry *p = oct_grown(r->map, &r->room_map, r->n_map + 1, sizeof *p);
  if (!p) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  r->map = p;
  r->map[r->n_map++] = *entry;
  return 0;
}

int oct_reader_add_trap(oct_reader *r, const oct_trap *trap, oct_diag *diag) {
  oct_trap *p = oct_grown(r->traps, &r->room_traps, r->n_traps + 1, sizeof *p);
  if (!p) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  r->traps = p;
  r->traps[r->n_traps] = *trap;
  r->traps[r->n_traps++].insn = (uint32_t)r->n_insns;
  return 0;
}

int oct_reader_add_value(oct_reader *r, const uint8_t *bytes, size_t n, uint32_t *value,
                         oct_diag *diag) {
  uint8_t *p = oct_grown(r->values, &r->room_values, r->n_values + n + 1, 1);
  if (!p) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  r->values = p;
  if (r->n_values + n >= UINT32_MAX)
    return oct_input_fail(r->in, oct_input_offset(r->in), diag, OCT_ERR_LIMIT,
                          "values of more than 4 GiB in a batch");
  memcpy(r->values + r->n_values, bytes, n);
  *value = (uint32_t)r->n_values + 1;
  r->n_values += n;
  return 0;
}

int oct_reader_add_fact(oct_reader *r, const oct_fact *fact, const uint8_t *bytes, oct_diag *diag) {
  oct_fact *p = oct_grown(r->facts, &r->room_facts, r->n_facts + 1, sizeof *p);
  uint32_t value = 0;
  if (!p) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  r->facts = p;
  int rc = bytes ? oct_reader_add_value(r, bytes, fact->n_bytes, &value, diag) : 0;
  if (rc) return rc;
  r->facts[r->n_facts] = *fact;
  r->facts[r->n_facts].value = value;
  r->facts[r->n_facts++].insn = (uint32_t)r->n_insns;
  return 0;
}

int oct_reader_is_full(const oct_reader *r, size_t n) {
  return r->n_insns + n > OCT_BATCH_INSNS;
}

oct_insn *oct_reader_add_insn(oct_reader *r, uint64_t addr, unsigned size_bytes) {
  oct_insn *insn = &r->insns[r->n_insns++];
  *insn = (oct_insn){.addr = addr, .size_bytes = (uint8_t)size_bytes};
  return insn;
}

void oct_reader_take_back(oct_reader *r) {
  r->n_accesses -= r->insns[--r->n_insns].n_access;
}

int oct_reader_describe(oct_reader *r, const oct_map_entry *entry, oct_diag *diag) {
  return oct_reader_describe_all(r, entry, 1, diag);
}

int oct_reader_describe_all(oct_reader *r, const oct_map_entry *entries, size_t n, oct_diag *diag) {
  if (!r->described) r->described = oct_map_new_lean();
  uint32_t id = r->described ? oct_map_find(r->described, entries->addr) : UINT32_MAX;
  if (id != UINT32_MAX) {
    oct_map_entry known;
    oct_map_get(r->described, id, &known);
    if (n == 1 && !oct_map_slots_beyond(r->described, id) && !memcmp(&known, entries, sizeof known))
      return 0;
    if (r->n_insns) return 1;
  }
  for (size_t i = 0; i < n; i++) {
    if (!r->described || oct_map_put(r->described, &entries[i]) < 0)
      return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    int rc = oct_reader_add_map(r, &entries[i], diag);
    if (rc) return rc;
  }
  return 0;
}

void oct_reader_decode(oct_disasm *disasm, oct_isa isa, uint64_t addr, const uint8_t *code,
                       unsigned n_bytes, oct_map_entry *e) {
  if (oct_disasm_insn(disasm, addr, code, n_bytes, e) == n_bytes) return;
  *e =
      (oct_map_entry){.addr = addr, .size_bytes = (uint8_t)n_bytes, .code_isa = (uint8_t)(isa + 1)};
  memcpy(e->code, code, n_bytes);
}

int oct_reader_use_isa(oct_reader *r, oct_isa isa, oct_disasm **disasm, oct_diag *diag) {
  const oct_isa_info *info = oct_isa_get(isa);
  r->info.isa = info->name;
  r->info.addr_bits = info->addr_bits;
  r->info.insn_align_bytes = info->insn_align_bytes;
  if (disasm && !(*disasm = oct_disasm_new(isa)))
    return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  return 0;
}

int oct_reader_keep(oct_reader *r, char **owned, const char *p, size_t n, oct_diag *diag) {
  free(*owned);
  *owned = strndup(p, n);
  return *owned ? 0 : oct_fail_in(diag, OCT_ERR_NOMEM, oct_input_name(r->in), "out of memory");
}

/* "NAME=N or NAME=N": what may be given. */
static void list_numbers(const oct_reader_number *numbers, size_t n, char *text, size_t room) {
  size_t at = 0;
  *text = 0;
  for (size_t i = 0; i < n && at < room; i++)
    at += (size_t)snprintf(text + at, room - at, "%s%s=N",
                           !i          ? ""
                           : i + 1 < n ? ", "
                                       : " or ",
                           numbers[i].name);
}

int oct_reader_numbers(const oct_reader *r, const oct_reader_number *numbers, size_t n,
                       oct_diag *diag) {
  char expected[160], *end;
  for (const char *p = r->options->params; p && *p; p = *end ? end + 1 : end) {
    size_t i = 0, name = strcspn(p, "=");
    while (i < n && (strncmp(p, numbers[i].name, name) != 0 || numbers[i].name[name])) i++;
    bool is_number = i < n && p[name] && p[name + 1] >= '0' && p[name + 1] <= '9';
    if (is_number) *numbers[i].value = strtoull(p + name + 1, &end, 10);
    if (is_number && (!*end || *end == ',') && *numbers[i].value <= numbers[i].max) continue;
    list_numbers(numbers, n, expected, sizeof expected);
    return oct_fail_in(diag, OCT_ERR_ARG, oct_input_name(r->in),
                       "the format %s: expected %s; found '%s'", r->format->name, expected, p);
  }
  return 0;
}

int oct_reader_needs_program(const oct_reader *r, oct_diag *diag) {
  return oct_fail_in(diag, OCT_ERR_ARG, oct_input_name(r->in),
                     "this trace has the path of the program, not its instructions: give its files "
                     "with --elf FILE[@BIAS]");
}
