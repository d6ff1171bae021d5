/* SPDX-License-Identifier: Apache-2.0 */
/* oct_front.h - the untimed front: instructions and their accesses in, the words that the stream
 * cache and the DASC take out, with their marks.
 *
 * It depends on sl_bits and sync_period_insns alone, so all geometries that agree in these share
 * it. Where the words go is the caller's sink, which is inlined here: the compressor without time
 * packs them at once, a sweep keeps them for its many sides. */
#ifndef OCT_FRONT_H
#define OCT_FRONT_H

#include "octrace/trace.h"
#include "oct_ingress.h"
#include "oct_stream_detector.h"

typedef struct oct_front {
  uint32_t sync_period_insns;
  oct_ingress ingress;
  oct_stream_detector detector;
} oct_front;

/* What takes the words. to is the pointer given along with the sink. When stream returns, a barrier
 * that stands after its word has been passed by both sides. */
typedef struct oct_front_sink {
  int (*stream)(void *to, const oct_stream_word *word); /* 0 or OCT_ERR_NOMEM */
  int (*room)(void *to, uint32_t n_records);            /* for as many records; likewise */
  void (*record)(void *to, const oct_data_word *word);
} oct_front_sink;

static inline void oct_front_init(oct_front *f, const oct_config *cfg, oct_stats *stats) {
  f->sync_period_insns = cfg->sync_period_insns;
  oct_ingress_init(&f->ingress, cfg, stats);
  oct_stream_detector_init(&f->detector, cfg);
}

OCT_INLINE bool oct_front_has_records(const oct_insn *insn) {
  return insn->n_access || (insn->flags & OCT_INSN_END);
}

/* Pass the accesses of an instruction, the first of them *accesses, which goes on. */
OCT_INLINE int oct_front_put_records(oct_front *f, const oct_insn *insn,
                                     const oct_access **accesses, const oct_front_sink *sink,
                                     void *to) {
  oct_data_word word = {.mark = OCT_MARK_NONE};
  if (sink->room(to, insn->n_access + 1u)) return OCT_ERR_NOMEM;
  oct_ingress_begin_data(&f->ingress, insn->addr);
  for (uint32_t k = 0; k < insn->n_access; k++) {
    oct_ingress_take_data(&f->ingress, false, (*accesses)++->addr, &word);
    sink->record(to, &word);
  }
  if (insn->flags & OCT_INSN_END) {
    oct_ingress_take_data(&f->ingress, true, 0, &word);
    sink->record(to, &word);
  }
  return 0;
}

/* Take the instructions, n at most, that have no mark before them, up to one whose packets make a
 * sync due. Their number is returned, or
 * OCT_ERR_NOMEM. */
OCT_INLINE int64_t oct_front_put_unmarked(oct_front *f, const oct_insn *insns, size_t n,
                                          const oct_access **accesses, const oct_front_sink *sink,
                                          void *to) {
  oct_stream_detector detector = f->detector;
  uint64_t unmarked = oct_ingress_unmarked_insns(&f->ingress, f->sync_period_insns);
  uint32_t task = f->ingress.task;
  const oct_insn *insn = insns;
  const oct_insn *end = insns + (n < unmarked ? n : unmarked);
  for (; insn < end && insn->task == task && !f->ingress.bits_due; insn++) {
    oct_stream_word word;
    if (oct_stream_detector_step(&detector, true, insn->addr, insn->size_bytes, OCT_MARK_NONE, task,
                                 &word) &&
        sink->stream(to, &word))
      return OCT_ERR_NOMEM;
    if (oct_front_has_records(insn) && oct_front_put_records(f, insn, accesses, sink, to))
      return OCT_ERR_NOMEM;
  }
  f->detector = detector;
  oct_ingress_count_insns(&f->ingress, (uint64_t)(insn - insns));
  return insn - insns;
}

/* Take an instruction that may have a mark before it. */
OCT_INLINE int oct_front_put_marked(oct_front *f, const oct_insn *insn, const oct_access **accesses,
                                    const oct_front_sink *sink, void *to) {
  uint8_t mark = oct_ingress_mark(&f->ingress, insn->task, f->sync_period_insns);
  oct_stream_word word;
  /* A stamp of more bits than the packet has would come back as another one. */
  bool has_cycle = insn->flags & OCT_INSN_HAS_CYCLE && !(insn->cycle >> OCT_TIME_BITS);
  if (!mark && has_cycle && oct_ingress_time_due(&f->ingress, insn->cycle)) {
    mark = OCT_MARK_TIME;
    oct_ingress_take_time(&f->ingress, insn->cycle);
  }
  f->detector.next_delay =
      oct_ingress_take_pace(&f->ingress, oct_stream_detector_opens(&f->detector, insn->addr, mark),
                            mark, has_cycle, insn->cycle);
  oct_ingress_take_insn(&f->ingress, insn->addr, insn->task, mark);
  if (oct_stream_detector_step(&f->detector, true, insn->addr, insn->size_bytes, mark, insn->task,
                               &word) &&
      sink->stream(to, &word))
    return OCT_ERR_NOMEM;
  if (mark == OCT_MARK_SYNC) f->ingress.sync_busy = false;
  if (mark == OCT_MARK_TIME) f->ingress.time_busy = false;
  return oct_front_has_records(insn) ? oct_front_put_records(f, insn, accesses, sink, to) : 0;
}

/* Take instructions and their accesses. 0, or OCT_ERR_NOMEM as a sink has it. */
OCT_INLINE int oct_front_put(oct_front *f, const oct_insn *insns, size_t n_insns,
                             const oct_access *accesses, const oct_front_sink *sink, void *to) {
  for (size_t i = 0; i < n_insns;) {
    int64_t n = oct_front_put_unmarked(f, insns + i, n_insns - i, &accesses, sink, to);
    if (n < 0) return OCT_ERR_NOMEM;
    i += (size_t)n;
    if (i < n_insns && oct_front_put_marked(f, &insns[i++], &accesses, sink, to))
      return OCT_ERR_NOMEM;
  }
  return 0;
}

/* Take a trap, which stands before an instruction of this task, behind what else is due there. */
OCT_INLINE int oct_front_put_trap(oct_front *f, const oct_trap_word *trap, uint32_t task,
                                  const oct_front_sink *sink, void *to) {
  oct_ingress *s = &f->ingress;
  oct_stream_word word;
  uint8_t mark = oct_ingress_mark(s, task, f->sync_period_insns);
  oct_ingress_take_mark(s, task, mark);
  if (mark && oct_stream_detector_step(&f->detector, false, 0, 0, mark, task, &word) &&
      sink->stream(to, &word))
    return OCT_ERR_NOMEM;
  if (mark == OCT_MARK_SYNC) s->sync_busy = false;
  s->barrier.trap = *trap;
  s->privilege = trap->privilege;
  s->stats->traps++;
  oct_stream_detector_step(&f->detector, false, 0, 0, OCT_MARK_TRAP, task, &word);
  return sink->stream(to, &word);
}

/* End of trace. */
OCT_INLINE int oct_front_flush(oct_front *f, const oct_front_sink *sink, void *to) {
  oct_stream_word word;
  return oct_stream_detector_step(&f->detector, false, 0, 0, OCT_MARK_FLUSH, f->ingress.task, &word)
             ? sink->stream(to, &word)
             : 0;
}

#endif
