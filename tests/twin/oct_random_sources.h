// SPDX-License-Identifier: Apache-2.0
// oct_random_sources.h - random trace sources on ATB, as oct_funnel and oct_formatter have them in
// front: beats of 1 to 4 bytes, each source at a rate of its own, which changes, and at times one
// alone. A beat stays until it is taken. A source that is asked for a flush answers once it has no
// beat left, late, and then goes on.
//
// There are times when a source that has no beat takes another number now and then, and sends
// triggers: beats of one byte under the number that ATB keeps for them.
#ifndef OCT_RANDOM_SOURCES_H
#define OCT_RANDOM_SOURCES_H

#include "oct_twin.h"

extern "C" {
#include "oct_funnel.h"
}

class RandomSources {
 public:
  enum { N = OCT_OWN_SOURCES, ID_MAX = 0x6f, TRIGGER = 0x7d, ID_STEP = ID_MAX / N };

  RandomSources() {
    for (unsigned i = 0; i < N; i++) busy_[i] = 50, id_[i] = static_cast<uint8_t>(i * ID_STEP + 1);
  }

  // A cycle of the bus begins. Returns which sources offer a new beat, one bit each.
  uint32_t next(Stimulus &r) {
    uint32_t offers = 0;
    if (r.below(alone_cycles_) == 0) {
      static const uint32_t cycles[] = {100, 400, 5000};
      alone_ = r.below(2 * N);
      alone_cycles_ = cycles[r.below(3)];
      changes_ = r.below(2) == 0;
    }
    for (unsigned i = 0; i < N; i++) {
      if (r.below(3000) == 0) busy_[i] = 5 + r.below(96);
      if (next_beat(r, i)) offers |= 1u << i;
    }
    return offers;
  }

  template <class Bit, class Data, class Bytes, class Id>
  void drive(Bit &atvalid, Data &atdata, Bytes &atbytes, Id &atid, Bit &afready) const {
    for (unsigned i = 0; i < N; i++) {
      const oct_atb_source &s = at[i];
      set_port_bits(atvalid, i, 1, s.atvalid);
      set_port_bits(atdata, 32 * i, 32, s.atdata);
      set_port_bits(atbytes, 2 * i, 2, s.atbytes);
      set_port_bits(atid, 7 * i, 7, s.atid);
      set_port_bits(afready, i, 1, s.afready);
    }
  }

  // The cycle ends: whose beat is taken, and who is asked for a flush.
  void end(uint32_t atready, uint32_t afvalid) {
    for (unsigned i = 0; i < N; i++) {
      asked_[i] = afvalid >> i & 1 && !at[i].afready;
      if (atready >> i & 1) at[i].atvalid = false;
    }
  }

  oct_atb_source at[N] = {};

 private:
  bool next_beat(Stimulus &r, unsigned i) {
    oct_atb_source *s = &at[i];
    s->afready = false;
    if (s->atvalid) return false;
    if (asked_[i]) {
      s->afready = r.percent(30);
      return false;
    }
    if (!r.percent(busy_[i]) || (alone_ < N && alone_ != i)) return false;
    if (changes_ && r.below(200) == 0) change_id(r, i);
    const bool is_trigger = changes_ && r.below(100) == 0;
    s->atvalid = true;
    s->atbytes = static_cast<uint8_t>(is_trigger ? 0 : r.below(4));
    s->atid = is_trigger ? TRIGGER : id_[i];
    s->atdata = static_cast<uint32_t>(r.bits());
    return true;
  }

  // To one that no other source has.
  void change_id(Stimulus &r, unsigned i) {
    const uint8_t id = static_cast<uint8_t>(1 + r.below(ID_MAX));
    for (unsigned k = 0; k < N; k++)
      if (id_[k] == id) return;
    id_[i] = id;
  }

  uint8_t id_[N];
  uint32_t busy_[N], alone_cycles_ = 400;
  uint32_t alone_ = N;    // the one source that sends; N on: all
  bool changes_ = false;  // numbers and triggers, for a while
  bool asked_[N] = {};
};

#endif
