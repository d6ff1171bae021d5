/* SPDX-License-Identifier: Apache-2.0 */
/* oct_container_update.c - updates of the program map as bytes of a container, for its writer, and
 * for its reader where the program's own file says them. */
#define XXH_STATIC_LINKING_ONLY /* a hash state on the stack */
#include "oct_container_update.h"

#include "oct_container_format.h"
#include "octrace/trace.h"
#include "octrace/error.h"

#include <inttypes.h>
#include <stdlib.h>
#include <xxhash.h>

static uint8_t *put_place(uint8_t *p, const oct_map_update *u, const oct_update_place *at) {
  p = oct_leb128_put(p, u->from_insn - at->from);
  return oct_leb128_put(p, oct_fold_sign(u->entry.addr - at->addr));
}

static void move(oct_update_place *at, const oct_map_update *u) {
  at->from = u->from_insn;
  at->addr = u->entry.addr + u->entry.size_bytes;
}

/* All but its place. */
static uint8_t *put_entry(uint8_t *p, const oct_map_entry *e, unsigned kind) {
  unsigned n_slot_bytes = OCT_SLOTS_MAX;
  while (n_slot_bytes && !e->slots[n_slot_bytes - 1]) n_slot_bytes--;
  *p++ = (uint8_t)(e->size_bytes | e->flags << 4 | (e->target ? 128 : 0));
  *p++ = (uint8_t)(e->cls | n_slot_bytes << 3);
  *p++ = e->n_slots;
  if (e->target) p = oct_leb128_put(p, oct_fold_sign(e->target - e->addr));
  memcpy(p, e->slots, n_slot_bytes);
  p += n_slot_bytes;
  if (kind != OCT_CONTAINER_MAP) p += oct_effect_pack(p, &e->op);
  if (kind != OCT_CONTAINER_CODE) return p;
  *p++ = e->code_isa;
  if (e->code_isa) memcpy(p, e->code, e->size_bytes);
  return e->code_isa ? p + e->size_bytes : p;
}

size_t oct_container_pack_update(uint8_t *out, const oct_map_update *u, unsigned kind,
                                 oct_update_place *at) {
  uint8_t *p = put_entry(put_place(out, u, at), &u->entry, kind);
  move(at, u);
  return (size_t)(p - out);
}

size_t oct_container_pack_address(uint8_t *out, const oct_map_update *u, unsigned kind,
                                  oct_program *program, oct_update_place *at) {
  uint8_t want[OCT_CONTAINER_UPDATE_MAX_BYTES], has[OCT_CONTAINER_UPDATE_MAX_BYTES];
  const size_t n = (size_t)(put_entry(want, &u->entry, kind) - want);
  oct_map_entry e;
  const int n_states = oct_program_isa(program) == OCT_ISA_ARM ? 2 : 1;
  for (int is_thumb = 0; is_thumb < n_states; is_thumb++) {
    if (!oct_program_insn_as(program, u->entry.addr, is_thumb, &e)) continue;
    if ((size_t)(put_entry(has, &e, kind) - has) != n || memcmp(has, want, n) != 0) continue;
    uint8_t *p = put_place(out, u, at);
    *p++ = is_thumb ? OCT_CONTAINER_FROM_THUMB : OCT_CONTAINER_FROM_PROGRAM;
    move(at, u);
    return (size_t)(p - out);
  }
  return 0;
}

uint64_t oct_container_hash_updates(const oct_map_update *u, size_t n, unsigned kind) {
  uint8_t bytes[OCT_CONTAINER_UPDATE_MAX_BYTES];
  oct_update_place at = {0};
  XXH64_state_t hash;
  XXH64_reset(&hash, 0);
  for (size_t i = 0; i < n; i++)
    XXH64_update(&hash, bytes, oct_container_pack_update(bytes, &u[i], kind, &at));
  return XXH64_digest(&hash);
}

void oct_container_put_text(FILE *out, const char *text) {
  for (const char *p = text; *p; p++)
    fputc((unsigned char)*p < ' ' || *p == '\x7f' ? ' ' : *p, out);
  fputc('\n', out);
}

void oct_container_put_images(FILE *out, const oct_program *program) {
  const oct_program_image *image = oct_program_images(program);
  for (size_t i = 0; i < oct_program_n_images(program); i++) {
    fprintf(out, "program: %016" PRIx64 " %" PRIx64 " ", image[i].hash, image[i].bias);
    oct_container_put_text(out, image[i].path);
  }
}

bool oct_container_get_image(const char *value, oct_program_image *image) {
  char *end;
  image->hash = strtoull(value, &end, 16);
  if (end != value + 16 || *end++ != ' ') return false;
  const char *bias = end;
  image->bias = strtoull(bias, &end, 16);
  if (end == bias || *end++ != ' ') return false;
  image->path = end;
  return true;
}

int oct_container_check_program(const char *name, const oct_program_image *want, size_t n,
                                const oct_program *program, oct_diag *diag) {
  const oct_program_image *has = program ? oct_program_images(program) : NULL;
  const size_t n_has = program ? oct_program_n_images(program) : 0;
  for (size_t i = 0; i < n; i++) {
    size_t k = 0;
    while (k < n_has && (has[k].hash != want[i].hash || has[k].bias != want[i].bias)) k++;
    if (k < n_has) continue;
    for (k = 0; k < n_has; k++) {
      if (has[k].hash != want[i].hash) continue;
      return oct_fail_in(
          diag, OCT_ERR_ARG, has[k].path,
          "loaded at another place than in the trace: expected --elf FILE@0x%" PRIx64,
          want[i].bias);
    }
    if (n_has == n)
      return oct_diag_other(diag, want[i].path,
                            oct_fail_in(diag, OCT_ERR_ARG, has[i].path,
                                        "another build of the program than that of the trace: its "
                                        "code has the hash %016" PRIx64 ", expected %016" PRIx64,
                                        has[i].hash, want[i].hash));
    return oct_diag_other(
        diag, want[i].path,
        oct_fail_in(
            diag, OCT_ERR_ARG, name,
            "the program is in a file of its own: expected --elf with the one whose code has "
            "the hash %016" PRIx64,
            want[i].hash));
  }
  return 0;
}
