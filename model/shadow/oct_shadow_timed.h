/* SPDX-License-Identifier: Apache-2.0 */
/* oct_shadow_timed.h - the machine of docs/shadow-rtl.md, cycle by cycle, with the pins of its
 * Verilog.
 *
 * The compressor needs no result of its coder to go on: so what a stage computes is left to the
 * untimed encoder, which takes an instruction when it leaves gather, and this file keeps the time:
 * when that is, when its decisions come to the queue, which symbol the coder takes, when its bytes
 * are in the output buffer and on the trace bus, and what is lost. */
#ifndef OCT_SHADOW_TIMED_H
#define OCT_SHADOW_TIMED_H

#include "octrace/error.h"
#include "oct_core_rules.h"
#include "oct_filter.h"
#include "octrace/tracer.h"
#include "oct_regs.h"
#include "oct_shadow_encode.h"
#include "oct_shadow_encoder.h"
#include "oct_shadow_tail.h"
#include "oct_trace_port.h"

/* From the read of the value cache to the items; the decoder comes before. */
enum { OCT_CORE_CYCLES = 10 };
/* Bits of a stamp that is a cycle, in a circuit. */
enum { OCT_CYCLE_BITS = 56 };
/* Traps that gather has room for. */
enum { OCT_GATHER_TRAPS = 8 };
/* Stamps on their way from gather to the coder; where each instruction has one they have no limit.
 */
enum { OCT_GATHER_STAMPS = 8 };

typedef struct oct_timed_stats {
  uint64_t cycles, port_busy_cycles;
  uint64_t overflows, lost_insns, lost_accesses, lost_traps;
  uint64_t filtered_insns, filtered_accesses, filtered_traps; /* of those lost */
  uint64_t high_water[OCT_TIMED_BUFFERS];
  uint64_t sufficient[OCT_TIMED_BUFFERS]; /* sizes that would have done */
  uint64_t occupancy[OCT_TIMED_BUFFERS][OCT_TIMED_LEVELS + 1];
} oct_timed_stats;

/* What gather holds: an instruction, and marks that come before it; or marks alone. */
typedef struct oct_gathered {
  oct_insn insn;
  uint32_t n_traps;                      /* that come before it, and before its marks */
  uint8_t privilege;                     /* behind them */
  bool has_insn, is_complete;            /* no more of its accesses come */
  bool has_overflow, has_flush, is_sync; /* is_sync: one was asked for */
} oct_gathered;

typedef struct oct_shadow_timed {
  oct_shadow_config cfg;
  uint64_t level_scale[OCT_TIMED_BUFFERS]; /* from what a buffer holds to its level */
  oct_shadow_encoder *encoder;
  oct_coder_log log;
  oct_regs regs;
  oct_core_rules core_rules;
  oct_filter filter;
  uint8_t atid_q; /* of the bus: a new one waits for a stalled beat */
  /* Ingress. */
  bool is_enabled, needs_sync, is_dropping;
  bool is_overflow;                     /* what is dropped is not the filter's choice alone */
  bool is_cut;                          /* the instruction before the loss lacks accesses */
  uint64_t lost_insns, lost_accesses;   /* since dropping began */
  bool has_open;                        /* accesses of the last instruction may come */
  uint32_t task;                        /* of that */
  uint8_t privilege;                    /* as traps told last, those that were lost included */
  bool flush_pending, af_pending;       /* a flush is asked for, on the bus, */
  bool flush_busy, af_busy, flush_ends; /* under way, at its end in this cycle */
  /* As the cycle began: places of gather, and whether dropping may end. */
  uint32_t insns_room, accesses_room, traps_room;
  bool can_resume, can_mark;               /* behind a loss; behind what the filter left out */
  bool is_retiring, overflow, lost_access; /* in this cycle, */
  uint8_t new_lost_insns, new_lost_traps;  /* and so many instructions and traps */
  /* Gather: rings. The one at head has left the FIFO if has_current. */
  oct_gathered *gathered;
  oct_access *accesses, *together;
  uint64_t head, tail, access_head, access_tail;
  oct_trap traps[OCT_GATHER_TRAPS]; /* a ring; each keeps its place until the coder has it */
  uint64_t trap_head, trap_tail;    /* the next to be given */
  uint32_t n_new_traps;             /* the last ones, whose place comes next */
  bool has_current;
  uint32_t n_given;    /* beats of that one */
  uint64_t n_stamps;   /* given */
  bool stamps_wait;    /* as the cycle began: there is no room for one more */
  bool has_period;     /* there was a mark, */
  bool is_started;     /* and a start behind it */
  bool is_sync_forced; /* a sync is decided, */
  bool is_synced;      /* or came with the one that left last */
  bool is_stamped;     /* the one that is given has a stamp, */
  bool is_late;        /* but its time is before that of the last one: it is told as missing */
  uint64_t told_time;  /* of the last one, where stamps are of the core's time */
  bool time_back;      /* in this cycle one was left out so */
  bool is_long;        /* one is due by the bits that left since the last one */
  bool has_control;    /* the one that left last */
  bool has_gap;        /* an overflow is in gather, */
  bool resumes_cut;    /* and this is its own */
  uint64_t resumes_insns, resumes_accesses;
  uint64_t since_sync; /* instructions */
  bool has_mark;       /* one is under way */
  oct_frame_kind mark;
  /* The core: numbers of the beats in it, a ring; 0: none. beat: the one that is given. */
  uint64_t beats[OCT_CORE_CYCLES], n_beats, beat;
  uint64_t decoded;     /* the beat before them, behind the decoder, */
  uint32_t read_frees;  /* for which the value cache frees words in so many further cycles */
  uint32_t frees_left;  /* such cycles before the next beat is read */
  uint32_t given_frees; /* for the beat that is given */
  uint32_t beat_at, beats_under_way;
  uint64_t items_arrived; /* at its end, of all items, */
  uint64_t items_first;   /* up to the end of its first beat there */
  oct_shadow_tail rear;
  /* Bytes from the output buffer's first one on, which is coded.bytes[crossed]. */
  oct_buffer coded;
  size_t crossed, handed;
  oct_trace_port port;
  oct_timed_stats stats;
  int error;
  oct_diag diag;
} oct_shadow_timed;

/* OCT_ERR_CONFIG, OCT_ERR_NOMEM; the caller frees all the same. */
int oct_shadow_timed_init(oct_shadow_timed *s, const oct_shadow_config *cfg, oct_diag *diag);
void oct_shadow_timed_free(oct_shadow_timed *s);
/* One clock cycle; without the trace port, which means nothing then. An error stays in s->error. */
void oct_shadow_timed_cycle(oct_shadow_timed *s, const oct_pins_in *in, oct_pins_out *out);
void oct_shadow_timed_cycle_bus(oct_shadow_timed *s, const oct_pins_in *in, const oct_pins_bus *bus,
                                oct_pins_out *out);
/* What retires in the same cycle besides, if the retire width is above 1: past the filter. */
void oct_shadow_timed_retire(oct_shadow_timed *s, const oct_retire *r);
/* No cycle changes anything until something retires. */
bool oct_shadow_timed_rests(const oct_shadow_timed *s);
void oct_shadow_timed_rest(oct_shadow_timed *s, uint64_t n_cycles);
/* As oct_tracer_encoder.state. */
void oct_shadow_timed_state(oct_shadow_timed *s, oct_state *io);
void oct_shadow_timed_counts(const oct_shadow_timed *s, oct_shadow_counts *counts);
size_t oct_shadow_timed_take(oct_shadow_timed *s, const uint8_t **bytes);

/* A cycle of core, registers' enable and requests of the bus: rules that the core broke (flags of
 * oct_core_rules.h), and what the filter's registers answer. */
uint32_t oct_shadow_ingress_cycle(oct_shadow_timed *s, const oct_pins_in *in,
                                  const oct_pins_bus *bus, oct_apb_out *filter_apb);
/* The end of a cycle, once all has come that retires in it: a cycle without accesses ends the last
 * instruction; a flush that does not come with an instruction has a place of its own. */
void oct_shadow_ingress_settle(oct_shadow_timed *s);
/* Gather gives the core a beat, s->beat, if there is one. had_mark: a mark was under way as the
 * cycle began. *leaves: all is given of what is at the head. */
bool oct_shadow_gather_give(oct_shadow_timed *s, bool had_mark, bool *leaves);

static inline oct_gathered *oct_shadow_gathered_at(const oct_shadow_timed *s, uint64_t i) {
  return &s->gathered[i & (2 * s->cfg.gather_insns - 1)];
}
/* What gather's FIFO holds. */
static inline uint32_t oct_shadow_fifo_count(const oct_shadow_timed *s) {
  return (uint32_t)(s->tail - s->head) - s->has_current;
}
static inline uint32_t oct_shadow_out_bytes(const oct_shadow_timed *s) {
  return OCT_BEAT_BYTES * s->rear.n_words;
}

#endif
