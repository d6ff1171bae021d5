// SPDX-License-Identifier: Apache-2.0
// oct_riscv_compressor - twin test of oct_riscv_ingress and oct_compressor wired together: whatever
// blocks come, rules of the port broken too, leaves the trace bus as the parts in C make it.
#include "oct_adapter_compressor.h"
#include "oct_riscv_random.h"

class Adapter {
 public:
  using Core = RandomIngress<>;
  explicit Adapter(const oct_config &cfg) : core_(cfg) {
    oct_riscv_ingress_init(&ingress_, Core::BLOCKS, Core::HALFWORDS, Core::ACCESSES, Core::DEPTH,
                           cfg.addr_bits);
  }
  bool ended() const { return false; }
  template <class Top>
  oct_retire next(Stimulus &r, Top *top, uint8_t /* triggers */) {
    oct_riscv_in in = {};
    oct_retire out;
    core_.next(r, top, &in);
    oct_riscv_ingress_cycle(&ingress_, core_.is_open(), &in, &out);
    return out;
  }

 private:
  Core core_;
  oct_riscv_ingress ingress_;
};

OCT_TWIN_MAIN(OctAdapterStage<Adapter>)
