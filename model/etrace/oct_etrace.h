/* SPDX-License-Identifier: Apache-2.0 */
/* oct_etrace.h - RISC-V Efficient Trace (E-Trace): parameters and packets.
 *
 * The format is that of "Efficient Trace for RISC-V" 2.0 (RISC-V International, 2022) inside
 * "Unformatted Trace & Diagnostic Data Packet Encapsulation for RISC-V" 1.0: docs/etrace-format.md
 * says what of it is here. Names of fields are those of the specifications. */
#ifndef OCT_ETRACE_H
#define OCT_ETRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "oct_fields.h"
#include "octrace/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(name, default, min, max, unit, meaning): the parameters, in the order of the tracer's table. */
// clang-format off
#define OCT_ET_PARAMS(X)                                                                           \
  X(addr_bits, 32, 32, 64, "bits", ADDR_BITS, "width of addresses (iaddress_width_p, daddress_width_p)")\
  X(addr_lsb_bits, 1, 0, 3, "bits", NONE, "instruction addresses are multiples of 2^this (iaddress_lsb_p)")\
  X(sync_period_insns, 262144, 0, 0xffffffff, "insns", SYNC_INSNS, "instructions between syncs, 0 = only the first")\
  X(full_address, 0, 0, 1, "", NONE, "addresses in full instead of differences")                   \
  X(implicit_return, 0, 0, 1, "", NONE, "returns that go where their call came from are not reported")\
  X(return_stack_bits, 0, 0, 10, "bits", NONE, "log2 of the return stack, 0 = only a call counter (return_stack_size_p)")\
  X(call_counter_bits, 7, 0, 10, "bits", NONE, "call counter, or one for each entry of the stack (call_counter_size_p)")\
  X(sijump, 0, 0, 1, "", NONE, "jumps whose target the instruction before loaded are not reported")\
  X(predictor_bits, 0, 0, 16, "bits", NONE, "log2 of the branch predictor, 0 = none (bpred_size_p)")\
  X(jump_cache_bits, 0, 0, 16, "bits", NONE, "log2 of the jump target cache, 0 = none (cache_size_p)")\
  X(implicit_exception, 0, 0, 1, "", NONE, "the address of a trap handler follows from trap_base and the cause")\
  X(trap_base, 0, 0, 0xffffffff, "", NONE, "address of the trap handler (mtvec), low 32 bits")     \
  X(trap_base_high, 0, 0, 0xffffffff, "", NONE, "its high 32 bits")                                \
  X(ecause_bits, 5, 1, 16, "bits", NONE, "cause of a trap (ecause_width_p)")                       \
  X(privilege_bits, 2, 1, 4, "bits", PRIVILEGE_BITS, "privilege level (privilege_width_p)")        \
  X(context_bits, 32, 0, 32, "bits", NONE, "task number in syncs, 0 = none (context_width_p)")     \
  X(time_bits, 48, 0, 64, "bits", NONE, "time in syncs, which counts retired instructions, 0 = none (time_width_p)")\
  X(data, 1, 0, 1, "", DATA, "data addresses are traced too")                                      \
  X(data_size_bits, 2, 1, 3, "bits", NONE, "size field of data packets: 2 for up to 8 bytes, 3 for more")\
  X(encapsulation, 1, 0, 1, "", NONE, "0 only payloads, in full length; 1 compressed, with a header")\
  X(src_bits, 0, 0, 16, "bits", NONE, "source field of the encapsulation (srcID)")                 \
  X(src_id, 0, 0, 65535, "", NONE, "and its value")
// clang-format on

OCT_PARAM_FIELDS(oct_et_params, OCT_ET_PARAMS)

#define OCT_X(...) +1
enum { OCT_ET_N_PARAMS = OCT_ET_PARAMS(OCT_X) };
#undef OCT_X

/* Most branches that a map holds, and correct predictions from which on a count replaces it. */
enum { OCT_ET_MAP_BRANCHES = 31 };

/* What follows from the parameters. */
typedef struct oct_et_config {
  oct_et_params p;
  uint64_t addr_mask;    /* of byte addresses */
  uint32_t iaddr_bits;   /* of an address field: addr_bits - addr_lsb_bits */
  uint32_t f0s_bits;     /* subformat of format 0: 0 or 1 */
  uint32_t irdepth_bits; /* depth of the calls */
  uint32_t type_bits;    /* packet type of the encapsulation: 0 or 2 */
  uint32_t max_depth;    /* entries of the return stack */
  uint32_t max_count;    /* what the counter of an entry counts up to */
  uint64_t trap_base;
} oct_et_config;

/* 0 or OCT_ERR_CONFIG. */
int oct_et_configure(oct_et_config *c, const uint32_t *params, oct_diag *diag);
/* Whether a reader may begin anywhere: 0 or OCT_ERR_CONFIG. */
int oct_et_check_search(const oct_et_config *c, oct_diag *diag);

typedef enum oct_et_format {
  OCT_ET_FORMAT_OPTIONS = 0, /* correctly predicted branches, jump target index */
  OCT_ET_FORMAT_BRANCH = 1,  /* branch map, with an address unless it is full */
  OCT_ET_FORMAT_ADDRESS = 2,
  OCT_ET_FORMAT_SYNC = 3
} oct_et_format;

/* Subformats of formats 0 and 3. */
enum { OCT_ET_SUB_COUNT = 0, OCT_ET_SUB_CACHE = 1 };
enum { OCT_ET_SUB_START = 0, OCT_ET_SUB_TRAP = 1, OCT_ET_SUB_CONTEXT = 2, OCT_ET_SUB_SUPPORT = 3 };
/* qual_status of a support packet. */
enum { OCT_ET_NO_CHANGE = 0, OCT_ET_ENDED_REP = 1, OCT_ET_TRACE_LOST = 2, OCT_ET_ENDED_NTR = 3 };
/* branch_fmt of a count. */
enum { OCT_ET_COUNT_NO_ADDR = 0, OCT_ET_COUNT_ADDR = 2, OCT_ET_COUNT_ADDR_FAIL = 3 };

/* An instruction trace packet. Address fields are shifted by addr_lsb_bits, as on the port. The
 * flags of notify, updiscon and irreport are true where the bit differs from the one before it. */
typedef struct oct_et_packet {
  uint8_t format, subformat;
  uint8_t branches;   /* 0..31; format 1: 0 = a full map without address */
  uint32_t map;       /* bit 0 is the oldest, 1 = not taken */
  uint32_t count;     /* branches predicted correctly, less 31 */
  uint8_t branch_fmt; /* OCT_ET_COUNT_* */
  uint32_t index;     /* of the jump target cache */
  uint64_t address;
  bool notify, updiscon, irreport;
  uint32_t irdepth;
  /* format 3: */
  bool branch; /* 0 = the instruction is a branch that was taken */
  uint32_t privilege, context, ecause;
  uint64_t time, tval;
  bool interrupt, thaddr;
  bool ienable, denable, dloss;
  bool mode; /* another encoder_mode than branch tracing */
  uint8_t qual_status, options, doptions;
} oct_et_packet;

/* Bits of the options of a support packet: ioptions, and the one of doptions. */
enum {
  OCT_ET_OPT_SIJUMP = 1,
  OCT_ET_OPT_RETURN = 2,
  OCT_ET_OPT_EXCEPTION = 4,
  OCT_ET_OPT_PREDICTOR = 8,
  OCT_ET_OPT_CACHE = 16,
  OCT_ET_OPT_FULL = 32,
  OCT_ET_OPTION_BITS = 6
};

/* What a support packet says with these parameters. */
static inline uint8_t oct_et_options(const oct_et_params *p) {
  return (uint8_t)((p->sijump ? OCT_ET_OPT_SIJUMP : 0) |
                   (p->implicit_return ? OCT_ET_OPT_RETURN : 0) |
                   (p->implicit_exception ? OCT_ET_OPT_EXCEPTION : 0) |
                   (p->predictor_bits ? OCT_ET_OPT_PREDICTOR : 0) |
                   (p->jump_cache_bits ? OCT_ET_OPT_CACHE : 0) |
                   (p->full_address ? OCT_ET_OPT_FULL : 0));
}

/* Whether the packet carries an address (or a cache index that stands for one). */
static inline bool oct_et_has_address(const oct_et_packet *p) {
  switch (p->format) {
    case OCT_ET_FORMAT_OPTIONS:
      return p->subformat == OCT_ET_SUB_CACHE || p->branch_fmt >= OCT_ET_COUNT_ADDR;
    case OCT_ET_FORMAT_BRANCH:
      return p->branches != 0;
    default:
      return true;
  }
}

/* Whether a decoder that knows nothing else may begin with the packet: it has the address of the
 * next instruction, and all that is remembered is forgotten there. */
static inline bool oct_et_is_place(const oct_et_packet *p) {
  return p->format == OCT_ET_FORMAT_SYNC &&
         (p->subformat == OCT_ET_SUB_START || (p->subformat == OCT_ET_SUB_TRAP && p->thaddr));
}

/* A data trace packet: an access, with its address alone. */
typedef enum oct_et_data_kind {
  OCT_ET_LOAD,   /* formats 0 and 1 (unaligned) */
  OCT_ET_STORE,  /* formats 2 and 3 */
  OCT_ET_ATOMIC, /* format 6: a load and a store of one address */
  OCT_ET_FAILED  /* format 6, subtype 7: an access was not made (a store conditional that failed) */
} oct_et_data_kind;

typedef struct oct_et_data {
  uint8_t kind, size_log2;
  bool is_unaligned, is_diff;
  uint64_t address;
} oct_et_data;

/* Bits of one packet, the first the lowest of word[0]. */
enum { OCT_ET_WORDS = 5, OCT_ET_PAYLOAD_BYTES_MAX = 31 };
typedef struct oct_et_bits {
  uint64_t word[OCT_ET_WORDS];
  uint32_t n_bits;
} oct_et_bits;

/* Who is told of each field as a packet is read; NULL for nobody. */
typedef struct oct_et_listen {
  void (*field)(void *to, const char *name, uint64_t value, uint32_t width_bits);
  void *to;
} oct_et_listen;

/* Append a packet to bits, in full length. */
void oct_et_write(const oct_et_config *c, const oct_et_packet *p, oct_et_bits *bits);
void oct_et_write_data(const oct_et_config *c, const oct_et_data *p, oct_et_bits *bits);

/* Read a packet from bits at *at, which goes on; what bits lacks are copies of its last bit. 0 or
 * OCT_ERR_PACKET (a code that is reserved). */
int oct_et_read(const oct_et_config *c, const oct_et_bits *bits, uint32_t *at, oct_et_packet *p,
                const oct_et_listen *listen);
int oct_et_read_data(const oct_et_config *c, const oct_et_bits *bits, uint32_t *at, oct_et_data *p,
                     const oct_et_listen *listen);

/* Of an interrupt that stands for a jump which nothing explains: all ones, a cause that RISC-V
 * leaves to the platform. */
static inline uint32_t oct_et_jump_cause(const oct_et_config *c) {
  return (1u << c->p.ecause_bits) - 1;
}
/* In two bits, of a privilege that is not known: RISC-V does not use it. */
enum { OCT_ET_PRIVILEGE_NONE = 2 };

/* Null bytes that stand before a packet for a reader to find it: one more than a packet can hold.
 */
static inline uint32_t oct_et_null_bytes(const oct_et_config *c) {
  return 32 + c->p.src_bits / 8;
}

/* Bytes of a packet that may look like null packets in a row: those of a time and a context of 0,
 * and of what ends beside them. */
static inline uint32_t oct_et_zero_bytes(const oct_et_config *c) {
  return (c->p.time_bits + c->p.context_bits) / 8 + 4;
}

#ifdef __cplusplus
}
#endif
#endif
