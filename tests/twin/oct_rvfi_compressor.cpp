// SPDX-License-Identifier: Apache-2.0
// oct_rvfi_compressor - twin test of oct_rvfi and oct_compressor wired together: whatever two
// channels tell, rules broken too, leaves the trace bus as the parts in C make it.
#include "oct_adapter_compressor.h"
#include "oct_rvfi_random.h"

class Adapter {
 public:
  using Core = RandomRvfi<>;
  explicit Adapter(const oct_config &cfg) : core_(cfg) {
    oct_rvfi_init(&rvfi_, cfg.addr_bits, Core::CHANNELS, Core::DEPTH, cfg.traps);
  }
  bool ended() const { return rvfi_.told; }
  template <class Top>
  oct_retire next(Stimulus &r, Top *top, uint8_t trigger) {
    oct_rvfi_in in[Core::CHANNELS] = {};
    oct_retire out;
    core_.next(r, top, in);
    oct_rvfi_cycle(&rvfi_, core_.is_open(), core_.is_halted(), in, &out);
    top->trigger_i = trigger;
    out.trigger = trigger;
    return out;
  }

 private:
  Core core_;
  oct_rvfi rvfi_;
};

OCT_TWIN_MAIN(OctAdapterStage<Adapter>)
