/* SPDX-License-Identifier: Apache-2.0 */
/* oct_isa_memory.c - memory for Capstone, which does not look whether it got what it asked for.
 *
 * While a decoder is opened, a failed allocation leaves Capstone by a long jump, back to who opened
 * it. What was allocated until then is lost: some kilobytes, once. Opening includes the decoding of
 * a first instruction, at which Capstone makes tables that stay, for the whole program: one thread
 * opens at a time. While a later instruction is decoded, Capstone only makes short-lived copies of
 * its text, which then go to a small reserve; it is empty again at the next one. */
#include "oct_isa_decode.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RESERVE_BYTES = 4096, ALIGN_BYTES = 16 };

static _Thread_local jmp_buf *opening; /* NULL: no decoder is being opened */
static _Thread_local size_t used_bytes;
static _Thread_local _Alignas(ALIGN_BYTES) unsigned char reserve[RESERVE_BYTES];

static void *take_reserve(size_t n) {
  if (opening) longjmp(*opening, 1);
  if (n > RESERVE_BYTES - used_bytes) return NULL;
  void *p = reserve + used_bytes;
  used_bytes += (n + ALIGN_BYTES - 1) / ALIGN_BYTES * ALIGN_BYTES;
  return p;
}

static void *take(size_t n) {
  void *p = malloc(n);
  if (p) return p;
  return take_reserve(n);
}

static void *take_zeros(size_t n, size_t size) {
  void *p = calloc(n, size);
  if (p || (size && n > SIZE_MAX / size)) return p;
  p = take_reserve(n * size);
  return p ? memset(p, 0, n * size) : NULL;
}

static bool is_reserve(const void *p) {
  const unsigned char *byte = p;
  return byte >= reserve && byte < reserve + RESERVE_BYTES;
}

static void *take_more(void *p, size_t n) {
  if (!is_reserve(p)) {
    void *grown = realloc(p, n);
    if (grown || !n) return grown;
    if (opening) longjmp(*opening, 1);
  }
  return NULL; /* nothing that Capstone enlarges is in the reserve */
}

static void give_back(void *p) {
  if (!is_reserve(p)) free(p);
}

static int memory_error;

static void give_memory(void) {
  cs_opt_mem memory = {take, take_zeros, take_more, give_back, vsnprintf};
  memory_error = cs_option(0, CS_OPT_MEM, (size_t)&memory);
}

int oct_capstone_open(cs_arch arch, cs_mode mode, csh *capstone, cs_insn **insn) {
  static const uint8_t zeros[4] = {0};                    /* an instruction of x86, and of Thumb */
  static const uint8_t nop[4] = {0x1f, 0x20, 0x03, 0xd5}; /* of AArch64 */
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
  jmp_buf here;
  *capstone = 0;
  *insn = NULL;
  pthread_once(&once, give_memory); /* for all decoders of the program */
  if (memory_error) return OCT_ERR_NOMEM;
  pthread_mutex_lock(&one_at_a_time);
  if (setjmp(here)) {
    opening = NULL;
    pthread_mutex_unlock(&one_at_a_time);
    return OCT_ERR_NOMEM;
  }
  opening = &here;
  bool open = cs_open(arch, mode, capstone) == CS_ERR_OK &&
              cs_option(*capstone, CS_OPT_DETAIL, CS_OPT_ON) == CS_ERR_OK &&
              (*insn = cs_malloc(*capstone)) != NULL;
  open = open &&
         oct_capstone_decode(*capstone, arch == CS_ARCH_ARM64 ? nop : zeros, sizeof nop, 0, *insn);
  opening = NULL;
  pthread_mutex_unlock(&one_at_a_time);
  return open ? 0 : OCT_ERR_NOMEM;
}

bool oct_capstone_decode(csh capstone, const uint8_t *code, size_t n, uint64_t addr,
                         cs_insn *insn) {
  used_bytes = 0;
  return cs_disasm_iter(capstone, &code, &n, &addr, insn);
}
