/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_gather.h - gather: holds instructions until their accesses are there and what comes
 * after them, and gives beats to the core of the compressor (docs/shadow-rtl.md). */
#ifndef OCT_SHADOW_GATHER_H
#define OCT_SHADOW_GATHER_H

#include "oct_shadow_encode.h"
#include "oct_shadow_encoder.h"
#include "oct_shadow_frame.h"

/* Traps that gather has room for. */
enum { OCT_GATHER_TRAPS = 8 };
/* Stamps on their way from gather to the coder; where each instruction has one they have no limit.
 */
enum { OCT_GATHER_STAMPS = 8 };

/* What gather holds: an instruction, and marks that come before it; or marks alone. */
typedef struct oct_gathered {
  oct_insn insn;
  uint32_t n_traps;                      /* that come before it, and before its marks */
  uint8_t privilege;                     /* behind them */
  bool has_insn, is_complete;            /* no more of its accesses come */
  bool has_overflow, has_flush, is_sync; /* is_sync: one was asked for */
} oct_gathered;

/* What was lost before a place with an overflow. */
typedef struct oct_gather_gap {
  bool is_cut; /* the instruction before it lacks accesses */
  uint64_t insns, accesses;
} oct_gather_gap;

typedef struct oct_shadow_gather {
  oct_shadow_config cfg;
  oct_shadow_encoder *encoder; /* takes what leaves, */
  oct_coder_log *log;          /* and writes down what it makes of that */
  /* Rings. The place at head has left the FIFO if has_current. */
  oct_gathered *gathered;
  oct_access *accesses, *together;
  uint64_t head, tail, access_head, access_tail;
  oct_trap traps[OCT_GATHER_TRAPS]; /* each keeps its place until the coder has it */
  uint64_t trap_head, trap_tail;    /* the next to be given */
  oct_gather_gap gap;
  bool has_gap; /* an overflow is in gather, and this is its own */
  bool has_current;
  uint32_t n_given;    /* beats of that one */
  uint64_t n_beats;    /* so far */
  uint64_t beat;       /* the one that is given, */
  uint32_t frees;      /* for which the value cache frees words in so many further cycles */
  uint64_t n_stamps;   /* given */
  bool has_period;     /* there was a mark, */
  bool is_started;     /* and a start behind it */
  bool is_sync_forced; /* a sync is decided, */
  bool is_synced;      /* or came with the one that left last */
  bool is_stamped;     /* the one that is given has a stamp, */
  bool is_late;        /* but its time is before that of the last one: it counts as missing */
  uint64_t last_time;  /* of the last one, where stamps are of the core's time */
  bool has_control;    /* the one that left last */
  uint64_t since_sync; /* instructions */
  bool has_mark;       /* one is under way */
  oct_frame_kind mark;
  int error;
  oct_diag diag;
} oct_shadow_gather;

typedef struct oct_gather_in {
  bool is_taken;              /* the core takes a beat */
  bool mark_done;             /* the mark that was under way has left */
  bool is_long;               /* a sync is due by the bits that left since the last one */
  bool stamps_wait;           /* there is no room for one more stamp */
  bool is_dropping;           /* what retires is dropped: nothing comes after what is here */
  uint32_t sync_period_insns; /* 0: none */
} oct_gather_in;

typedef struct oct_gather_out {
  bool gives;     /* a beat, of this number, */
  uint64_t beat;  /* for which the value cache */
  uint32_t frees; /* frees words in so many further cycles */
  bool time_back; /* a stamp was left out, as time went back */
} oct_gather_out;

/* The rings are the caller's to free. OCT_ERR_NOMEM. */
int oct_shadow_gather_init(oct_shadow_gather *s, const oct_shadow_config *cfg, oct_coder_log *log);
void oct_shadow_gather_free(oct_shadow_gather *s);
/* One clock cycle of what leaves. An error of the encoder stays in s->error. */
void oct_shadow_gather_cycle(oct_shadow_gather *s, const oct_gather_in *in, oct_gather_out *out);

/* Ingress puts a place, with the gap before it if it has an overflow; */
void oct_shadow_gather_put(oct_shadow_gather *s, const oct_gathered *place,
                           const oct_gather_gap *gap);
/* an access of the instruction that came last, which may have no more; */
void oct_shadow_gather_put_access(oct_shadow_gather *s, uint64_t addr);
void oct_shadow_gather_complete(oct_shadow_gather *s);
/* a trap, or takes back the last n, whose place has not come. */
void oct_shadow_gather_put_trap(oct_shadow_gather *s, const oct_trap *trap);
void oct_shadow_gather_drop_traps(oct_shadow_gather *s, uint32_t n);

static inline oct_gathered *oct_shadow_gathered_at(const oct_shadow_gather *s, uint64_t i) {
  return &s->gathered[i & (2 * s->cfg.gather_insns - 1)];
}
/* What the FIFO of places holds, and how many accesses there are. */
static inline uint32_t oct_shadow_fifo_count(const oct_shadow_gather *s) {
  return (uint32_t)(s->tail - s->head) - s->has_current;
}
static inline uint32_t oct_shadow_gather_accesses(const oct_shadow_gather *s) {
  return (uint32_t)(s->access_tail - s->access_head);
}
static inline bool oct_shadow_gather_is_empty(const oct_shadow_gather *s) {
  return s->tail == s->head;
}

#endif
