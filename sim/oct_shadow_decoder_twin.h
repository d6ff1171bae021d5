// SPDX-License-Identifier: Apache-2.0
// oct_shadow_decoder_twin.h - a decoder of instructions beside that of the library (oct_isa.h):
// every field of the effect and of the map entry.
//
// First come the words of NAME.txt in the folder that OCT_SHADOW_OPS names, if it does. Words is
// class { Words(const oct_shadow_config &); uint32_t next(Random &); oct_isa isa; unsigned
// align_bytes; }; NAME is that of the instruction set.
#ifndef OCT_SHADOW_DECODER_TWIN_H
#define OCT_SHADOW_DECODER_TWIN_H

#include <stdexcept>
#include <vector>

#include "oct_shadow_twin.h"

extern "C" {
#include "octrace/trace.h"
}

template <class Words>
class DecoderStage {
 public:
  explicit DecoderStage(const oct_shadow_config &cfg)
      : cfg_(cfg), words_(cfg), disasm_(oct_disasm_new(words_.isa), oct_disasm_free) {
    read_known();
  }

  // What is to be met once in a run goes on.
  void restart() { has_entry_ = false; }

  void cycle(Dut &dut, Stimulus &r) {
    if (!has_word_) {
      has_word_ = r.valid();
      word_ = n_known_ < known_.size() ? known_[n_known_] : words_.next(r);
      if (has_word_ && n_known_ < known_.size()) n_known_++;
      // Also at the ends of memory, where the program counter wraps.
      addr_ = r.percent(10) ? uint64_t{r.below(16)} - 12 : r.bits();
      if (cfg_.addr_bits < 64) addr_ &= (uint64_t{1} << cfg_.addr_bits) - 1;
      addr_ &= ~uint64_t{words_.align_bytes - 1u};
    }
    bool out_ready = r.ready();
    dut.top->valid_i = has_word_;
    dut.top->word_i = word_;
    set_port_bits(dut.top->addr_i, 0, cfg_.addr_bits, addr_);
    dut.top->out_ready_i = out_ready;
    dut.settle();
    dut.compare("out_valid_o", has_entry_, dut.top->out_valid_o);
    if (has_entry_) compare(dut);
    bool ready = !has_entry_ || out_ready;
    dut.compare("ready_o", ready, dut.top->ready_o);
    if (!ready) return;
    has_entry_ = has_word_;
    if (has_word_) decode();
    has_word_ = false;
  }

 private:
  // Each line begins with an instruction's bytes in hexadecimal digits.
  void read_known() {
    const char *folder = getenv("OCT_SHADOW_OPS");
    if (!folder) return;
    std::string path = std::string(folder) + "/" + oct_isa_get(words_.isa)->name + ".txt";
    FILE *file = fopen(path.c_str(), "r");
    char line[256];
    unsigned b[4];
    while (file && fgets(line, sizeof line, file)) {
      int n = sscanf(line, "%2x%2x%2x%2x", &b[0], &b[1], &b[2], &b[3]);
      if (*line == '#' || n < 2) continue;
      known_.push_back(b[0] | b[1] << 8 | (n == 4 ? b[2] << 16 | b[3] << 24 : 0));
    }
    if (file) fclose(file);
    if (known_.empty()) throw std::runtime_error(path + ": expected instructions");
  }

  void decode() {
    uint8_t code[4];
    for (unsigned i = 0; i < 4; i++) code[i] = static_cast<uint8_t>(word_ >> 8 * i);
    oct_disasm_insn(disasm_.get(), addr_, code, 4, &entry_);
    entry_word_ = word_;
  }

  void compare(Dut &dut) {
    static const struct {
      const char *name;
      unsigned at, bytes;
    } fields[] = {
#define OCT_F(member)                                  \
  {"out_op_o: " #member, offsetof(oct_effect, member), \
   static_cast<unsigned>(sizeof(static_cast<oct_effect *>(nullptr)->member))}
        OCT_F(imm),
        OCT_F(mem[0].offset),
        OCT_F(mem[0].step),
        OCT_F(mem[0].base),
        OCT_F(mem[0].index),
        OCT_F(mem[0].shift),
        OCT_F(mem[0].form),
        OCT_F(mem[1].offset),
        OCT_F(mem[1].step),
        OCT_F(mem[1].base),
        OCT_F(mem[1].index),
        OCT_F(mem[1].shift),
        OCT_F(mem[1].form),
        OCT_F(list),
        OCT_F(clobbers),
        OCT_F(flags),
        OCT_F(result),
        OCT_F(dest),
        OCT_F(a),
        OCT_F(b),
        OCT_F(b_form),
        OCT_F(b_extend),
        OCT_F(width),
        OCT_F(set_flags),
        OCT_F(cond),
        OCT_F(cond_a),
        OCT_F(cond_b),
        OCT_F(data[0]),
        OCT_F(data[1]),
        OCT_F(target),
        OCT_F(link),
#undef OCT_F
    };
    const uint8_t *op = reinterpret_cast<const uint8_t *>(&entry_.op);
    bool was_good = !dut.failed;
    for (const auto &f : fields) {
      uint64_t want = 0;
      memcpy(&want, op + f.at, f.bytes);
      dut.compare(f.name, want, port_bits(dut.top->out_op_o, 8 * f.at, 8 * f.bytes));
    }
    uint64_t mask = cfg_.addr_bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << cfg_.addr_bits) - 1;
    dut.compare("out_class_o", entry_.cls, dut.top->out_class_o);
    dut.compare("out_target_o", entry_.target & mask,
                port_bits(dut.top->out_target_o, 0, cfg_.addr_bits));
    // What is no instruction has the size that its lowest bits tell; none of A32 has another
    // than 4.
    const unsigned size = entry_.size_bytes         ? entry_.size_bytes
                          : Words::align_bytes == 4 ? 4
                          : (entry_word_ & 3) == 3  ? 4
                                                    : 2;
    dut.compare("out_size_bytes_o", size, dut.top->out_size_bytes_o);
    dut.compare("out_n_slots_o", entry_.n_slots, dut.top->out_n_slots_o);
    dut.compare("out_slot_o", entry_.slots[0], dut.top->out_slot_o);
    dut.compare("out_next_slot_o", entry_.slots[1], dut.top->out_next_slot_o);
    for (unsigned i = 2; i < entry_.n_slots && i < OCT_SLOTS_MAX; i++)
      dut.compare("a slot of the model", entry_.slots[1], entry_.slots[i]);
    dut.compare("out_is_conditional_o", entry_.flags,
                dut.top->out_is_conditional_o ? OCT_MAP_CONDITIONAL : 0);
    if (was_good && dut.failed) {
      char text[40];
      snprintf(text, sizeof text, ", word 0x%08x", entry_word_);
      dut.difference += text;
    }
  }

  oct_shadow_config cfg_;
  Words words_;
  std::unique_ptr<oct_disasm, void (*)(oct_disasm *)> disasm_;
  std::vector<uint32_t> known_;
  size_t n_known_ = 0;
  oct_map_entry entry_ = {};
  uint32_t word_ = 0, entry_word_ = 0;
  uint64_t addr_ = 0;
  bool has_word_ = false, has_entry_ = false;
};

#endif
