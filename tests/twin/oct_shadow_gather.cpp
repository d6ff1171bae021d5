// SPDX-License-Identifier: Apache-2.0
// oct_shadow_gather - twin test: what retires, in runs with and without gaps, left out and against
// the rules now and then, traps, flushes, syncs, losses; the stages behind are seldom ready or
// empty. Ingress and gather in C run with a recorder in place of the encoder: what they tell it are
// the beats.
#include "oct_ignored_random.h"
#include "oct_shadow_beat.h"
#include "oct_shadow_twin.h"

extern "C" {
#include "oct_shadow_ingress.h"
}

// What they tell the encoder in a cycle, and what it keeps for marks.
struct Recorder {
  uint64_t n_insns = 0, lost_insns = 0, lost_accesses = 0, mark_number = 0;
  uint32_t task = 0, mark_task = 0;
  unsigned privilege = 0;
  bool ends = false, other_task = false, traps = false, is_due = false;

  int arrive(const oct_insn *insn) {
    ends = false;
    other_task = insn->task != task;
    task = insn->task;
    return 0;
  }
  int access() {
    n_insns++;
    return 0;
  }
  int trap() {
    traps = true;
    return 0;
  }
  int mark() {
    mark_number = n_insns;
    mark_task = task;
    return 0;
  }
  int lose(uint64_t insns, uint64_t accesses) {
    mark();
    n_insns += lost_insns = insns;
    lost_accesses = accesses;
    return 0;
  }
};
static Recorder recorder;

#define oct_shadow_encoder_access(e, insn, accesses, diag) recorder.access()
#define oct_shadow_encoder_arrive(e, insn, diag) recorder.arrive(insn)
#define oct_shadow_encoder_end(e, diag) (recorder.ends = true, 0)
#define oct_shadow_encoder_flush(e, diag) recorder.mark()
#define oct_shadow_encoder_frees(e, insn, accesses, i) 0
#define oct_shadow_encoder_has_control(e) true
#define oct_shadow_encoder_item(e)
#define oct_shadow_encoder_lose(e, insns, accesses, is_cut, diag) recorder.lose(insns, accesses)
#define oct_shadow_encoder_pass(e)
#define oct_shadow_encoder_privilege(e, of_mark) (recorder.privilege = (of_mark))
#define oct_shadow_encoder_stamp_is_due(e) recorder.is_due
#define oct_shadow_encoder_sync(e, of_task, diag) (recorder.task = (of_task), recorder.mark())
#define oct_shadow_encoder_trap(e, trap, diag) recorder.trap()
extern "C" {
#include "oct_shadow_gather.c"
#include "oct_shadow_ingress.c"
}

class Stage {
 public:
  explicit Stage(const oct_shadow_config &cfg)
      : mask_(oct_mask(cfg.addr_bits)),
        ignored_({cfg.addr_bits, cfg.pc_align_bits, cfg.task_bits}, cfg.cause_bits) {
    recorder = Recorder();
    if (oct_shadow_gather_init(&g_, &cfg, &log_)) abort();
    oct_shadow_ingress_init(&i_, &cfg, &g_);
    to_i_.enable = true;
    to_g_.sync_period_insns = cfg.sync_insns;
  }
  ~Stage() { oct_shadow_gather_free(&g_); }
  Stage(const Stage &) = delete;
  Stage &operator=(const Stage &) = delete;

  void cycle(Dut &dut, Stimulus &r) {
    if (left_-- == 0) change(r);
    retire(r);
    in_.retire = retire_;
    ignored_.fill(r, &in_.retire);
    request(r);
    oct_shadow_ingress_settle(&i_, flush_ends_);
    flush_ends_ = false;
    bool flush_done = i_.flush_busy && has_flushed_ && r.percent(10);
    bool mark_done = g_.has_mark && r.percent(mark_done_percent_);
    bool is_empty = g_.tail == g_.head && r.percent(empty_percent_),
         is_due = r.percent(due_percent_);
    bool ready = r.ready();
    if (n_traps_out_ < g_.trap_head && r.percent(20)) n_traps_out_++;
    to_i_.traps_room = OCT_GATHER_TRAPS - static_cast<uint32_t>(g_.trap_tail - n_traps_out_);
    // A stamp is due from one instruction to the next.
    if (!g_.n_given) recorder.is_due = g_.cfg.timestamp && r.percent(30);
    to_g_.stamps_wait = recorder.is_due && (g_.n_given || r.below(2));
    drive(dut, ready, is_empty, is_due, mark_done, flush_done);
    dut.settle();
    compare_held(dut);
    // As oct_shadow_timed_cycle_bus has it.
    to_i_.insns_room = g_.cfg.gather_insns - oct_shadow_fifo_count(&g_);
    to_i_.accesses_room = g_.cfg.gather_accesses - oct_shadow_gather_accesses(&g_);
    to_i_.can_resume = is_empty;
    to_i_.can_mark = !g_.has_gap && to_i_.insns_room;
    to_g_.is_long = is_due && !(g_.has_mark && g_.mark == OCT_FRAME_SYNC);
    to_g_.is_dropping = i_.is_dropping;
    bool had_mark = g_.has_mark;
    g_.has_mark = had_mark && !mark_done;
    if (mark_done && g_.mark == OCT_FRAME_FLUSH) has_flushed_ = true;
    if (flush_done) flush_ends_ = true, has_flushed_ = false;
    if (ready) give(dut, had_mark);
    bool loads = !g_.has_current && g_.tail != g_.head;
    g_.has_current |= loads;
    dut.compare("stamp_events_o, loads", loads, dut.top->stamp_events_o >> 3);
    i_.in = to_i_;
    i_.out = {};
    i_.is_retiring = false;
    ::request(&i_, &in_, &in_.retire, &bus_);
    const bool was_dropping = i_.is_dropping;
    const uint64_t n_places = g_.tail, n_new_traps = i_.n_new_traps;
    const bool has_lead = ::has_lead(&i_, &in_.retire);
    if (has_lead) retire_lead(&i_, &in_.retire, is_bad_);
    const bool takes_lead = g_.tail != n_places;
    ::retire(&i_, &in_.retire, is_skipped_, is_bad_);
    const uint64_t n_taken = g_.tail - n_places;
    dut.compare("place_insn_o", n_taken != 0, dut.top->place_insn_o);
    if (n_taken) dut.compare("place_o", n_taken == 2 ? 3 : 1, dut.top->place_o);
    dut.compare("trap_push_o", i_.n_new_traps > n_new_traps, dut.top->trap_push_o);
    dut.compare("traps_undo_o", i_.is_dropping && !was_dropping && !takes_lead,
                dut.top->traps_undo_o);
    dut.compare("overflow_o", i_.out.overflow, dut.top->overflow_o);
    dut.compare("lost_insns_o", i_.out.lost_insns, dut.top->lost_insns_o);
    dut.compare("lost_access_o", i_.out.lost_access, dut.top->lost_access_o);
    dut.compare("lost_traps_o", i_.out.lost_traps, dut.top->lost_traps_o);
    if (i_.af_busy) in_.afvalid = false;
  }

 private:
  // ---- Stimulus ----

  void change(Stimulus &r) {
    static const unsigned often[] = {0, 0, 1, 20, 100};
    left_ = 20 + r.below(1500);
    empty_percent_ = often[1 + r.below(4)];
    mark_done_percent_ = often[2 + r.below(3)];
    due_percent_ = often[r.below(4)];
    access_percent_ = often[r.below(5)];
    trap_percent_ = g_.cfg.traps ? often[r.below(4)] : 0;
    skip_percent_ = r.below(3) || g_.cfg.retire_width == 2 ? 0 : r.below(100);
    to_g_.sync_period_insns = r.below(2) ? 0 : 1 + r.below(r.below(2) ? 5 : 300);
  }

  void retire(Stimulus &r) {
    oct_retire &in = retire_;
    in.trap_valid = r.percent(trap_percent_);
    if (in.trap_valid) accesses_left_ = 0;
    if (in.trap_valid) in.trap_privilege = static_cast<uint8_t>(r.below(8));
    in.insn_valid = !accesses_left_ && !in.trap_valid && r.valid();
    if (in.insn_valid) {
      in.insn_addr = r.percent(80) ? in.insn_addr + 4 : r.bits();
      in.insn_addr &= mask_;
      accesses_left_ =
          r.percent(access_percent_) ? 1 + r.below(r.percent(20) ? r.below(4) ? 16 : 41 : 3) : 0;
      if (r.below(100) == 0)
        in.task = r.below(3) & static_cast<uint32_t>(oct_mask(g_.cfg.task_bits));
    }
    in.da_valid = accesses_left_ != 0;
    if (accesses_left_) accesses_left_--;
    in.da_end = !in.da_valid && !in.trap_valid && r.percent(5);
    in.da_valid |= in.da_end;
    in.da_addr = r.bits() & mask_;
    if (r.below(2000) == 0) accesses_left_ = 0;  // a gap, behind which there may be more of them
    if (g_.cfg.retire_width == 2) {
      in.lead_valid = in.insn_valid && r.percent(70);
      in.lead_addr = r.bits() & mask_;
    }
    is_bad_ = r.below(1000) == 0;
    // A trap beside an access breaks a rule, also where both are left out.
    if (in.trap_valid && r.below(20) == 0) in.da_valid = is_bad_ = true;
    if ((in.insn_valid || in.trap_valid) && r.below(20) == 0) skips_ = r.percent(skip_percent_);
    is_skipped_ = skips_ && (in.insn_valid || in.da_valid || in.trap_valid);
  }

  void request(Stimulus &r) {
    bus_.atclken = true;
    bus_.syncreq = r.below(500) == 0;
    // Often before the first instruction: then the first sync has the task of the reset.
    in_.afvalid = in_.afvalid || r.below(g_.tail ? 300 : 10) == 0;
    if (r.below(1000) == 0) to_i_.enable = r.percent(80);
  }

  // ---- The circuit ----

  // Of an instruction: any function of its address.
  static uint32_t word_of(uint64_t pc) {
    return static_cast<uint32_t>(pc * 0x9e3779b1u ^ pc >> 32);
  }
  static bool is_known(uint64_t pc) { return pc >> 4 & 3; }

  void drive(Dut &dut, bool ready, bool is_empty, bool is_due, bool mark_done, bool flush_done) {
    const oct_retire &in = in_.retire;
    dut.top->insn_valid_i = in.insn_valid;
    dut.top->insn_addr_i = in.insn_addr;
    dut.top->insn_word_i = word_of(in.insn_addr);
    dut.top->insn_word_valid_i = is_known(in.insn_addr);
    dut.top->lead_valid_i = in.lead_valid;
    dut.top->lead_addr_i = in.lead_addr;
    dut.top->lead_word_i = word_of(in.lead_addr);
    dut.top->lead_word_valid_i = is_known(in.lead_addr);
    dut.top->task_i = in.task;
    dut.top->da_valid_i = in.da_valid;
    dut.top->da_end_i = in.da_end;
    dut.top->da_addr_i = in.da_addr;
    dut.top->trap_valid_i = in.trap_valid;
    dut.top->trap_privilege_i = in.trap_privilege;
    dut.top->traps_full_i = !to_i_.traps_room;
    dut.top->traps_new_i = static_cast<uint8_t>(i_.n_new_traps);
    dut.top->stamp_due_i = recorder.is_due;
    dut.top->stamp_wait_i = to_g_.stamps_wait;
    dut.top->skip_i = is_skipped_;
    dut.top->bad_i = is_bad_;
    dut.top->enable_i = to_i_.enable;
    dut.top->sync_period_insns_i = to_g_.sync_period_insns;
    dut.top->sync_due_i = is_due;
    dut.top->afvalid_i = in_.afvalid;
    dut.top->syncreq_i = bus_.syncreq;
    dut.top->flush_done_i = flush_done;
    dut.top->is_empty_i = is_empty;
    dut.top->ready_i = ready;
    dut.top->mark_done_i = mark_done;
  }

  void compare_held(Dut &dut) {
    dut.compare("af_busy_o", i_.af_busy, dut.top->af_busy_o);
    dut.compare("count_o", oct_shadow_fifo_count(&g_), dut.top->count_o);
    dut.compare("mark_valid_o", g_.has_mark, dut.top->mark_valid_o);
    if (!g_.has_mark) return;
    dut.compare("mark_kind_o", g_.mark, dut.top->mark_kind_o);
    dut.compare("mark_number_o", recorder.mark_number & oct_mask(42), dut.top->mark_number_o);
    dut.compare("mark_task_o", recorder.mark_task, dut.top->mark_task_o);
    if (g_.cfg.traps)
      dut.compare("mark_privilege_o", recorder.privilege, dut.top->mark_privilege_o);
    if (is_mark_synced_) dut.compare("mark_pc_o", mark_pc_, dut.top->mark_pc_o);
    if (!oct_frame_is_overflow(g_.mark)) return;
    dut.compare("mark_lost_insns_o", recorder.lost_insns, dut.top->mark_lost_insns_o);
    dut.compare("mark_lost_accesses_o", recorder.lost_accesses, dut.top->mark_lost_accesses_o);
  }

  // The beat of this cycle, if there is one.
  void give(Dut &dut, bool had_mark) {
    const oct_gathered head = *oct_shadow_gathered_at(&g_, g_.head);
    const bool is_start = g_.has_period && !g_.is_started;
    const unsigned at = g_.n_given;
    const uint64_t addr = g_.accesses[g_.access_head & (g_.cfg.gather_accesses - 1)].addr;
    bool leaves = false, time_back = false;
    g_.is_synced = recorder.traps = false;
    bool given = g_.has_current && ::give(&g_, &to_g_, had_mark, &leaves, &time_back);
    dut.compare("valid_o", given, dut.top->valid_o);
    if (given) {
      bool is_insn = !is_start && (g_.n_given || leaves) && head.has_insn;
      const oct_gathered *next = oct_shadow_gathered_at(&g_, g_.head + 1);
      if (is_start)
        compare_start(dut, head);
      else if (is_insn)
        compare_step(dut, head, *next, at, addr, leaves);
      else
        compare_mark(dut);
      compare_events(dut, is_insn && leaves, !is_start && !is_insn);
    }
    if (leaves) {
      g_.head++;
      g_.has_current = false;
    }
  }

  void compare_start(Dut &dut, const oct_gathered &head) const {
    dut.compare("kind_o", START, dut.top->kind_o);
    dut.compare("after_o",
                traps() | (recorder.ends         ? END
                           : recorder.other_task ? TASK
                                                 : NEXT),
                dut.top->after_o);
    if (recorder.ends) return;
    dut.compare("pc_o", head.insn.addr, dut.top->pc_o);
    if (recorder.other_task) dut.compare("task_o", head.insn.task, dut.top->task_o);
  }

  // The bit of after_o.
  static unsigned traps() { return recorder.traps ? 4 : 0; }

  // What oct_shadow_stamps is told, but for the place that is loaded.
  void compare_events(Dut &dut, bool is_last, bool is_mark) const {
    bool is_sync = is_mark ? g_.mark == OCT_FRAME_SYNC && !g_.cfg.sync_keeps : g_.is_synced;
    bool is_loss = is_mark && oct_frame_is_overflow(g_.mark);
    dut.compare("stamp_events_o", is_last << 2 | is_sync << 1 | is_loss,
                dut.top->stamp_events_o & 7);
  }

  void compare_mark(Dut &dut) {
    is_mark_synced_ = false;
    dut.compare("kind_o", MARK, dut.top->kind_o);
    dut.compare("mark_o", g_.mark, dut.top->mark_o);
  }

  void compare_step(Dut &dut, const oct_gathered &head, const oct_gathered &next, unsigned at,
                    uint64_t addr, bool is_last) {
    const oct_insn &insn = head.insn;
    dut.compare("kind_o", is_last && g_.is_synced ? STEP_SYNC : STEP, dut.top->kind_o);
    dut.compare("pc_o", insn.addr, dut.top->pc_o);
    dut.compare("word_o", word_of(insn.addr), dut.top->word_o);
    dut.compare("word_known_o", is_known(insn.addr), dut.top->word_known_o);
    dut.compare("n_o", insn.n_access, dut.top->n_o);
    dut.compare("at_o", at, dut.top->at_o);
    if (insn.n_access) dut.compare("addr_o", addr, dut.top->addr_o);
    if (!is_last) return;
    bool ends = recorder.ends || g_.is_synced;
    dut.compare("after_o",
                (g_.is_stamped ? 8u : 0u) | traps() |
                    (ends                  ? END
                     : recorder.other_task ? TASK
                                           : NEXT),
                dut.top->after_o);
    if (g_.is_synced) {
      is_mark_synced_ = true;
      mark_pc_ = next.insn.addr;
    }
    if (ends) return;
    dut.compare("next_o", next.insn.addr, dut.top->next_o);
    if (recorder.other_task) dut.compare("task_o", next.insn.task, dut.top->task_o);
  }

  uint64_t mask_, mark_pc_ = 0;
  IgnoredRandom ignored_;
  oct_coder_log log_ = {};
  oct_shadow_gather g_ = {};
  oct_gather_in to_g_ = {};
  oct_shadow_ingress i_ = {};
  oct_shadow_ingress_in to_i_ = {};
  oct_retire retire_ = {};  // as the core makes it
  oct_pins_in in_ = {};     // with what means nothing
  oct_pins_bus bus_ = {};
  bool flush_ends_ = false, skips_ = false, is_skipped_ = false, is_bad_ = false,
       has_flushed_ = false, is_mark_synced_ = false;
  unsigned left_ = 0, accesses_left_ = 0, access_percent_ = 20, skip_percent_ = 0,
           empty_percent_ = 100, mark_done_percent_ = 20, due_percent_ = 0, trap_percent_ = 0;
  uint64_t n_traps_out_ = 0;
};

OCT_SHADOW_TWIN_MAIN(Stage)
