// SPDX-License-Identifier: Apache-2.0
// oct_unframe.h - what frames of CoreSight carry, as a debugger reads them: bytes, each of a
// source. Written from the formatter protocol (docs/references.md), not from the formatter.
#ifndef OCT_UNFRAME_H
#define OCT_UNFRAME_H

#include <cstdint>

class Unframe {
 public:
  // A byte of a frame. What a frame carries goes to take(source, byte) when it is whole.
  template <typename Take>
  void put(uint8_t byte, Take take) {
    frame_[n_++] = byte;
    if (n_ < sizeof frame_) return;
    n_ = 0;
    unsigned next = source_;
    for (unsigned i = 0; i + 1 < sizeof frame_; i++) {
      const unsigned flag = frame_[15] >> i / 2 & 1;
      if (!(i & 1) && (frame_[i] & 1)) {
        next = frame_[i] >> 1;
        if (!flag) source_ = next;
        continue;
      }
      if (source_) take(source_, static_cast<uint8_t>(i & 1 ? frame_[i] : frame_[i] | flag));
      source_ = next;
    }
    source_ = next;
  }

 private:
  uint8_t frame_[16] = {};
  unsigned n_ = 0, source_ = 0;
};

#endif
