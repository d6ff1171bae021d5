/* SPDX-License-Identifier: Apache-2.0 */
/* oct_rv_access.h - what a RISC-V instruction's opcode says of its accesses: the twin of
 * rtl/common/oct_rv_access.vh. */
#ifndef OCT_RV_ACCESS_H
#define OCT_RV_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct oct_rv_access {
  bool loads, stores; /* an AMO both, LR and SC one */
  unsigned size_log2; /* of bytes, where there is one */
} oct_rv_access;

/* Of c.lbu, c.lhu and c.lh, c.sb and c.sh (extension Zcb): bits 12 to 10 say which. */
static inline oct_rv_access oct_rv_access_of_zcb(uint32_t word) {
  unsigned kind = word >> 10 & 7;
  bool is_reserved = kind > 3 || (kind == 3 && (word >> 6 & 1));
  return (oct_rv_access){!is_reserved && kind < 2, !is_reserved && kind >= 2, kind & 1};
}

static inline oct_rv_access oct_rv_access_of(uint32_t word, bool is_64) {
  unsigned funct5 = word >> 27, funct3 = word >> 12 & 7, code = word >> 13 & 7;
  bool is_float = funct3 >= 1 && funct3 <= 4;
  if ((word & 3) == 1) return (oct_rv_access){.loads = false};
  if ((word & 3) == 0 && code == 4) return oct_rv_access_of_zcb(word);
  if ((word & 3) != 3) /* 1 and 5 doubles, 2 and 6 words, 3 and 7 as wide as the core */
    return (oct_rv_access){(code & 3) && code < 4, (code & 3) && code >= 4,
                           (code & 3) == 2 || ((code & 3) == 3 && !is_64) ? 2u : 3u};
  switch (word >> 2 & 31) {
    case 0:
      return (oct_rv_access){.loads = true, .size_log2 = funct3 & 3};
    case 8:
      return (oct_rv_access){.stores = true, .size_log2 = funct3 & 3};
    case 1:
      return (oct_rv_access){.loads = is_float, .size_log2 = funct3};
    case 9:
      return (oct_rv_access){.stores = is_float, .size_log2 = funct3};
    case 11:
      return (oct_rv_access){funct5 != 3, funct5 != 2, funct3};
    default:
      return (oct_rv_access){.loads = false};
  }
}

#endif
