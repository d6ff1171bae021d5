/* SPDX-License-Identifier: Apache-2.0 */
/* oct_ingress.h - the core interface: places marks, and drops what cannot be taken.
 *
 * At most one retired instruction and one data access a cycle; the core is never stalled. The
 * accesses of an instruction come in consecutive cycles, the first with the instruction itself.
 * When a buffer is full the cycle's events are dropped and counted until an OVERFLOW mark is in
 * both buffers and these and the output FIFO are at most half full; then instructions are taken
 * again. What was full when the loss began may have to be empty: for the stream buffer both
 * buffers, because the marks hold up the stages; for the output FIFO that FIFO, if fewer than
 * OCT_INGRESS_SHORT_INSNS instructions were taken behind the loss before. Else losses could follow
 * each other for ever. State is kept over a loss. What the filter leaves out (`skip`) is dropped in
 * the same way, with two differences: it is no overflow, and an instruction that is wanted again is
 * taken as soon as the marks have been sent. What breaks a rule of the core interface (`bad`) is
 * lost as with a full buffer. A trace that begins with what is left out has its first sync before
 * that. While disabled it takes nothing and counts nothing: switching off takes effect between
 * instructions and asks for a flush, switching on begins with the next instruction and a sync. One
 * flush is under way at a time: a request that comes meanwhile waits for its end. A trap waits
 * beside the stream buffer, with three more at most, for its packet. Its mark is placed in its
 * cycle, or in the next if a sync or a task switch goes before it; a trap for which there is no
 * room, and an instruction that comes with a task switch while a mark waits, start a loss. Latency:
 * none. */
#ifndef OCT_INGRESS_H
#define OCT_INGRESS_H

#include "oct_pace.h"
#include "oct_packets.h"
#include "oct_types.h"

/* Traps that wait for their packet at most: the places of rtl/paper/oct_traps.v. */
enum { OCT_INGRESS_TRAPS = 4 };

/* With fewer instructions between two losses the second one waits for an empty output FIFO. A power
 * of two, at most 128. */
enum { OCT_INGRESS_SHORT_INSNS = 32 };

typedef struct oct_ingress {
  uint64_t addr_mask;
  oct_stats *stats;
  uint64_t insn_count; /* retired, dropped ones included */
  uint64_t since_sync;
  uint64_t pc;
  uint32_t task;
  uint32_t slot;
  bool enabled, begun, need_sync, sync_busy; /* begun: there has been a sync */
  bool flush_pending, flush_busy; /* asked for; its mark placed, its last byte not yet gone */
  bool af_pending, af_busy;       /* that flush answers AFVALID */
  bool bits_due;                  /* the output controller asks for a sync, by port bits */
  bool dropping, stream_mark_due, data_mark_due, resume;
  bool is_overflow;      /* dropping has lost something */
  bool is_early;         /* resume: its marks were not yet at the head, and may not be still */
  uint8_t n_taken;       /* instructions behind the loss before, up to OCT_INGRESS_SHORT_INSNS */
  bool empties_buffers;  /* the loss under way waits until both are empty, */
  bool empties_out_fifo; /* until the output FIFO is */
  uint64_t lost_insns, lost_accesses;
  oct_barrier barrier; /* its trap: the first that waits */
  uint8_t privilege;   /* as traps told last, those that were lost included */
  oct_trap_word later_traps[OCT_INGRESS_TRAPS - 1];
  uint32_t n_traps; /* that wait */
  /* Stamps: */
  bool has_time, need_time, time_busy; /* need: behind a sync; busy: one waits in barrier */
  uint32_t time_period_insns;
  uint64_t since_time, last_time; /* instructions since the last one; its cycle, 0 behind a sync */
  bool takes_time; /* they are of the core's time: of the last one, over syncs, too */
  uint64_t told_time;
  oct_pace pace;
  bool trap_due; /* the mark of the last one is still to be placed */
} oct_ingress;

void oct_ingress_init(oct_ingress *s, const oct_config *cfg, oct_stats *stats);

/* The mark that stands before an instruction of this task; period_insns: between syncs, 0 = none.
 */
static inline uint8_t oct_ingress_mark(const oct_ingress *s, uint32_t task, uint32_t period_insns) {
  bool due = s->need_sync || s->bits_due || (period_insns && s->since_sync >= period_insns);
  if (due && !s->sync_busy) return OCT_MARK_SYNC;
  return task != s->task ? OCT_MARK_TASK : OCT_MARK_NONE;
}

/* Whether a stamp is due before an instruction of this cycle that has no other mark. */
static inline bool oct_ingress_time_due(const oct_ingress *s, uint64_t cycle) {
  return s->has_time && !s->time_busy &&
         (s->need_time || oct_pace_needs_stamp(&s->pace, cycle) ||
          (s->time_period_insns && s->since_time >= s->time_period_insns));
}

/* How many instructions of the same task come, at least, before the next mark. */
static inline uint64_t oct_ingress_unmarked_insns(const oct_ingress *s, uint32_t period_insns) {
  uint64_t n = UINT64_MAX, time = s->time_period_insns;
  if (s->need_sync || s->bits_due || s->pace.is_on || oct_ingress_time_due(s, 0)) return 0;
  if (s->has_time && time && time - s->since_time < n) n = time - s->since_time;
  if (!period_insns) return n;
  if (s->since_sync >= period_insns) return 0;
  return period_insns - s->since_sync < n ? period_insns - s->since_sync : n;
}

/* Count n accepted instructions. */
static inline void oct_ingress_count_insns(oct_ingress *s, uint64_t n) {
  s->insn_count += n;
  s->since_sync += n;
  s->since_time += n;
  s->stats->insns += n;
}

/* The data words that follow belong to the instruction at pc. */
static inline void oct_ingress_begin_data(oct_ingress *s, uint64_t pc) {
  s->pc = pc;
  s->slot = 0;
}

/* Take a mark before an instruction, or a trap, of this task. */
static inline void oct_ingress_take_mark(oct_ingress *s, uint32_t task, uint8_t mark) {
  if (mark == OCT_MARK_SYNC) {
    s->barrier.sync_insn = s->insn_count;
    s->barrier.sync_privilege = s->privilege;
    s->since_sync = 0;
    s->need_sync = false;
    s->sync_busy = true;
    s->need_time = true;
    s->last_time = 0;
    s->pace.is_known = false;
    s->begun = true;
  }
  if (mark == OCT_MARK_TASK) s->stats->task_switches++;
  s->task = task;
}

/* Note the cycle of an instruction; opens: a stream begins with it, whose delay is returned. */
static inline int16_t oct_ingress_take_pace(oct_ingress *s, bool opens, uint8_t mark,
                                            bool has_cycle, uint64_t cycle) {
  return oct_pace_take(&s->pace, opens, mark, has_cycle, cycle, &s->need_time);
}

/* Take an accepted instruction with its mark. */
static inline void oct_ingress_take_insn(oct_ingress *s, uint64_t pc, uint32_t task, uint8_t mark) {
  oct_ingress_take_mark(s, task, mark);
  oct_ingress_begin_data(s, pc);
  oct_ingress_count_insns(s, 1);
}

/* Take a stamp before an instruction that retires in this cycle. */
static inline void oct_ingress_take_time(oct_ingress *s, uint64_t cycle) {
  s->barrier.time = (cycle - s->last_time) & oct_mask(OCT_TIME_BITS);
  s->last_time = s->told_time = cycle;
  s->since_time = 0;
  s->need_time = false;
  s->time_busy = true;
}

/* Make the data word of an access (or terminator) of the current instruction. */
static inline void oct_ingress_take_data(oct_ingress *s, bool is_end, uint64_t da,
                                         oct_data_word *word) {
  word->pc = s->pc;
  word->slot = (uint8_t)s->slot;
  word->da = da;
  word->kind = is_end ? OCT_DATA_END : OCT_DATA_ACCESS;
  s->slot = s->slot < 15 ? s->slot + 1 : 14; /* oct_access_slot, counted */
  if (is_end)
    s->stats->terminators++;
  else
    s->stats->accesses++;
}

typedef struct oct_ingress_in {
  const oct_retire *retire;
  bool skip;                     /* the filter: what this cycle brings is not traced */
  bool bad;                      /* this cycle breaks a rule of the core interface */
  bool afvalid;                  /* flush request, held until AFREADY */
  bool flush_done;               /* the flush under way has left and was answered */
  bool syncreq;                  /* a sync is asked for */
  bool enable;                   /* from the registers, */
  uint32_t sync_period_insns;    /* and this */
  bool sync_due;                 /* of the output controller: by port bits */
  bool opens_stream;             /* ... and one begins with it: none is open, or it closes that */
  bool closes_insn;              /* the detector: this instruction closes the open stream */
  bool stream_ready, data_ready; /* of the buffers */
  bool is_drained;               /* both buffers and the output FIFO are at most half full */
  bool is_empty;                 /* both buffers are empty */
  bool is_out_empty;             /* the output FIFO is empty, */
  bool is_out_full;              /* has no room for a word */
  bool overflow_at_head;         /* the output controller stands at the OVERFLOW marks */
  bool overflow_done, sync_done; /* it has taken that mark */
  bool trap_done;                /* it has sent the first trap that waits, */
  bool time_done;                /* the stamp that waits */
} oct_ingress_in;

typedef struct oct_ingress_out {
  bool insn_valid; /* to the detector: the instruction is taken */
  uint8_t mark;    /* before it */
  uint32_t task;
  int16_t delay; /* of the stream that begins with the instruction */
  bool data_push;
  oct_data_word data;
  uint8_t lost_traps;
  bool overflow, lost_insn, lost_access; /* in this cycle, for the registers, */
  bool time_back;                        /* and this: a stamp was left out, as time went back */
} oct_ingress_out;

/* One cycle; the state moves on with it. Outputs to the output controller: resume, barrier, as they
 * were before. */
void oct_ingress_eval(oct_ingress *s, const oct_ingress_in *in, oct_ingress_out *out);

#endif
