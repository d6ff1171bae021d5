// SPDX-License-Identifier: Apache-2.0
// oct_formatter_opencsd - does OpenCSD, Arm's own decoder library, find in the frames what the
// sources sent (oct_formatter_run.h)?
//
// The twin in C is not asked. Each source has a decoder in OpenCSD that keeps the bytes that it is
// given. Triggers OpenCSD drops. A second reader begins with any frame, as with the oldest of a
// buffer that has wrapped round: it must find the same from the first number on, and that within
// REPEAT_FRAMES frames.

// verilate: SOURCES=3 HOLD=4 REPEAT_FRAMES=8
#include <opencsd/c_api/opencsd_c_api.h>

#include <algorithm>

#include "oct_formatter_run.h"

struct Carried {
  uint8_t id, byte;
  bool operator==(const Carried &other) const { return id == other.id && byte == other.byte; }
};

// OpenCSD, which takes frames apart.
class OpencsdTree {
 public:
  OpencsdTree() {
    tree_ = ocsd_create_dcd_tree(OCSD_TRC_SRC_FRAME_FORMATTED, OCSD_DFRMTR_FRAME_MEM_ALIGN);
    must(tree_ == C_API_INVALID_TREE_HANDLE ? OCSD_ERR_MEM : OCSD_OK);
    for (unsigned id = 1; id <= RandomSources::ID_MAX; id++) {
      unsigned char had;
      sources_[id] = {this, static_cast<uint8_t>(id)};
      must(ocsd_dt_create_decoder(tree_, name(), OCSD_CREATE_FLG_PACKET_PROC, &sources_[id], &had));
    }
  }
  ~OpencsdTree() { ocsd_destroy_dcd_tree(tree_); }
  OpencsdTree(const OpencsdTree &) = delete;
  OpencsdTree &operator=(const OpencsdTree &) = delete;

  // What comes is the beginning, as far as it knows.
  void begin() {
    uint32_t used = 0;
    ocsd_dt_process_data(tree_, OCSD_OP_RESET, 0, 0, nullptr, &used);
    offset_ = 0;
  }
  // One more frame; false at a fault. What it carries is in carried().
  bool put(const uint8_t *frame) {
    uint32_t used = 0;
    carried_.clear();
    const ocsd_datapath_resp_t said =
        ocsd_dt_process_data(tree_, OCSD_OP_DATA, offset_, OCSD_DFRMTR_FRAME_SIZE, frame, &used);
    offset_ += OCSD_DFRMTR_FRAME_SIZE;
    return said == OCSD_RESP_CONT && used == OCSD_DFRMTR_FRAME_SIZE;
  }
  const std::vector<Carried> &carried() const { return carried_; }

 private:
  struct Source {
    OpencsdTree *of;
    uint8_t id;
  };

  static void must(ocsd_err_t said) {
    if (said == OCSD_OK) return;
    char text[256];
    ocsd_err_str(said, text, sizeof text);
    fprintf(stderr, "OpenCSD: %s\n", text);
    exit(2);
  }

  // The name of this kind of decoder, which OpenCSD knows from the first call on.
  static const char *name() {
    static ocsd_extern_dcd_fact_t kind = {create, destroy, csid_of, describe, OCSD_PROTOCOL_END};
    static const bool is_known = (must(ocsd_register_custom_decoder("bytes", &kind)), true);
    return is_known ? "bytes" : nullptr;
  }
  static ocsd_err_t create(int, const void *source, const ocsd_extern_dcd_cb_fns *,
                           ocsd_extern_dcd_inst_t *decoder) {
    static char text[] = "bytes";
    decoder->fn_data_in = keep;
    decoder->fn_update_pkt_mon = [](const void *, int) {};
    decoder->decoder_handle = const_cast<void *>(source);
    decoder->p_decoder_name = text;
    decoder->cs_id = static_cast<const Source *>(source)->id;
    return OCSD_OK;
  }
  static ocsd_err_t destroy(const void *) { return OCSD_OK; }
  static ocsd_err_t csid_of(const void *source, unsigned char *id) {
    *id = static_cast<const Source *>(source)->id;
    return OCSD_OK;
  }
  static ocsd_err_t describe(const void *, char *text, int n) {
    snprintf(text, static_cast<size_t>(n), "bytes");
    return OCSD_OK;
  }
  static ocsd_datapath_resp_t keep(const void *of, ocsd_datapath_op_t op, ocsd_trc_index_t,
                                   uint32_t n, const uint8_t *bytes, uint32_t *used) {
    const Source *source = static_cast<const Source *>(of);
    if (op != OCSD_OP_DATA) return OCSD_RESP_CONT;
    for (uint32_t i = 0; i < n; i++) source->of->carried_.push_back({source->id, bytes[i]});
    *used = n;
    return OCSD_RESP_CONT;
  }

  dcd_tree_handle_t tree_;
  Source sources_[RandomSources::ID_MAX + 1] = {};
  std::vector<Carried> carried_;
  ocsd_trc_index_t offset_ = 0;
};

class OpencsdUnframe {
 public:
  static constexpr bool GIVES_TRIGGERS = false;

  template <class Give>
  bool put(uint8_t byte, Give give) {
    frame_[n_++] = byte;
    if (n_ < sizeof frame_) return true;
    n_ = 0;
    const bool is_good = all_.put(frame_) && put_late();
    for (const Carried &c : all_.carried()) give(c.id, c.byte);
    return is_good;
  }

 private:
  // The second reader, which begins again and again; whether it finds what it must.
  bool put_late() {
    if (late_frames_ == late_end_) {
      late_.begin();
      late_frames_ = 0;
      late_end_ = 1 + (late_end_ * 5 + 3) % 97 + OCT_OWN_REPEAT_FRAMES;
      knows_source_ = false;
    }
    if (!late_.put(frame_)) return false;
    const std::vector<Carried> &all = all_.carried(), &late = late_.carried();
    if (late_frames_++ >= OCT_OWN_REPEAT_FRAMES) knows_source_ = true;
    if (late.size() > all.size() || (knows_source_ && late.size() < all.size())) return false;
    if (!late.empty()) knows_source_ = true;
    return std::equal(late.rbegin(), late.rend(), all.rbegin());
  }

  OpencsdTree all_, late_;
  uint32_t late_frames_ = 0, late_end_ = 0;
  bool knows_source_ = false;  // from here on nothing is lost
  uint8_t frame_[OCSD_DFRMTR_FRAME_SIZE];
  size_t n_ = 0;
};

class Stage : public FormatterRun<OpencsdUnframe> {
 public:
  explicit Stage(const oct_config &) {}

  void cycle(Dut &dut, Stimulus &r) {
    begin(dut, r);
    end(dut);
  }
};

OCT_TWIN_MAIN(Stage)
