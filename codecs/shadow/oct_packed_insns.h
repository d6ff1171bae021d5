/* SPDX-License-Identifier: Apache-2.0 */
/* oct_packed_insns.h - inside of the library: instructions with their accesses in few bytes of
 * memory, so that a segment can wait for a thread.
 *
 * Per instruction: a byte (bits 0..3 its size, 4 its address follows, 5 its task follows), the
 * number of accesses (a byte; 255: two more follow), what follows, the addresses of its accesses.
 * An address that does not follow begins where the instruction before ended. All in the machine's
 * own byte order: none of it leaves memory. */
#ifndef OCT_PACKED_INSNS_H
#define OCT_PACKED_INSNS_H

#include "octrace/error.h"
#include "octrace/trace.h"

enum {
  OCT_PACKED_SIZE = 15,
  OCT_PACKED_ADDR = 16,
  OCT_PACKED_TASK = 32,
  OCT_PACKED_HEAD_BYTES = 1 + 3 + 8 + 4 /* the most, without accesses */
};

/* Where a sequence of instructions stands. All zero at its start. */
typedef struct oct_packed_at {
  uint64_t next; /* where the instruction before ended */
  uint32_t task;
} oct_packed_at;

/* Append an instruction. 0 or OCT_ERR_NOMEM. */
static inline int oct_packed_put(oct_buffer *b, oct_packed_at *at, const oct_insn *insn,
                                 const oct_access *accesses) {
  uint8_t *p = oct_buffer_room(b, OCT_PACKED_HEAD_BYTES + 8 * (size_t)insn->n_access);
  if (!p) return OCT_ERR_NOMEM;
  uint8_t *head = p++;
  *head = insn->size_bytes & OCT_PACKED_SIZE;
  *p++ = insn->n_access < 255 ? (uint8_t)insn->n_access : 255;
  if (insn->n_access >= 255) {
    memcpy(p, &insn->n_access, 2);
    p += 2;
  }
  if (insn->addr != at->next) {
    *head |= OCT_PACKED_ADDR;
    memcpy(p, &insn->addr, 8);
    p += 8;
  }
  if (insn->task != at->task) {
    *head |= OCT_PACKED_TASK;
    memcpy(p, &insn->task, 4);
    p += 4;
  }
  for (unsigned k = 0; k < insn->n_access; k++, p += 8) memcpy(p, &accesses[k].addr, 8);
  at->next = insn->addr + insn->size_bytes;
  at->task = insn->task;
  b->n_bytes = (size_t)(p - b->bytes);
  return 0;
}

/* The next instruction, without its accesses: *p is behind its head, and 8 * n_access bytes of
 * addresses follow. */
static inline void oct_packed_get(const uint8_t **p, oct_packed_at *at, oct_insn *insn) {
  unsigned head = *(*p)++;
  *insn = (oct_insn){.addr = at->next, .task = at->task, .size_bytes = head & OCT_PACKED_SIZE};
  insn->n_access = *(*p)++;
  if (insn->n_access == 255) {
    memcpy(&insn->n_access, *p, 2);
    *p += 2;
  }
  if (head & OCT_PACKED_ADDR) {
    memcpy(&insn->addr, *p, 8);
    *p += 8;
  }
  if (head & OCT_PACKED_TASK) {
    memcpy(&insn->task, *p, 4);
    *p += 4;
  }
  at->next = insn->addr + insn->size_bytes;
  at->task = insn->task;
}

#endif
