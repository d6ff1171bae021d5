// SPDX-License-Identifier: Apache-2.0
// oct_time_random.h - the time of a core, at random: at any pace, standing still, far ahead at
// once, and now and then going back.
#ifndef OCT_TIME_RANDOM_H
#define OCT_TIME_RANDOM_H

#include "oct_twin.h"

class RandomTime {
 public:
  uint64_t next(Stimulus &r) {
    if (r.below(200) == 0) pace_ = r.below(4) * r.below(5);
    time_ += r.percent(90) ? pace_ : r.below(pace_ + 1);
    if (r.below(1000) == 0) jump(r);
    return time_;
  }

 private:
  void jump(Stimulus &r) {
    switch (r.below(4)) {
      case 0:  // anywhere, ahead or back
        time_ = r.bits();
        break;
      case 1:  // by any number of bits
        time_ += r.bits() >> r.below(64);
        break;
      case 2:  // back a little
        time_ -= r.below(100);
        break;
      default:  // a reset
        time_ = r.below(10);
    }
  }

  uint64_t time_ = 0;
  uint32_t pace_ = 1;
};

#endif
