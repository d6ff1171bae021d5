// SPDX-License-Identifier: Apache-2.0
// oct_lockstep - runs the C model and the Verilog side by side on traces, compares them on every
// cycle, and decodes what left the Verilog's pins. One geometry a program: OCT_GEOMETRY.
#include <getopt.h>

#include <chrono>
#include <string>
#include <vector>

#include "oct_top_random.h"

extern "C" {
#include "oct_compare.h"
#include "oct_core.h"
#include "oct_map.h"
#include "oct_reader.h"
}

namespace {

struct Options {
  oct_run_options run = {};
  uint64_t limit = UINT64_MAX;
  std::string wave;
  uint64_t wave_from = 0;
  uint64_t random_cycles = 0;
};

// The trace as the decoder gives it back is compared with what the reader gave.
class Checker {
 public:
  explicit Checker(const oct_config &cfg) : pins_(cfg.port_pins) {
    oct_diag diag;
    compare_ = oct_compare_new(0);
    if (!compare_ || oct_decoder_new(&cfg, OCT_START_IN_STEP, &decoder_, &diag)) abort();
  }
  ~Checker() {
    oct_decoder_free(decoder_);
    oct_compare_free(compare_);
  }
  Checker(const Checker &) = delete;
  Checker &operator=(const Checker &) = delete;

  int expect(const oct_batch &batch, const oct_map_update *updates, size_t n, oct_diag *diag) {
    int error = oct_decoder_map(decoder_, updates, n, diag);
    return error ? error : oct_compare_expect(compare_, batch.insns, batch.n_insns, batch.accesses);
  }
  void pins(uint32_t data) {
    held_ |= static_cast<uint64_t>(data) << held_bits_;
    for (held_bits_ += pins_; held_bits_ >= 8; held_bits_ -= 8, held_ >>= 8)
      bytes_.push_back(static_cast<uint8_t>(held_));
  }
  // Decode what has left; at the end, that must be all.
  int decode(bool at_end, oct_diag *diag) {
    oct_decoded run;
    if (at_end && held_bits_) bytes_.push_back(static_cast<uint8_t>(held_));
    int error = oct_decoder_push(decoder_, bytes_.data(), bytes_.size(), diag);
    bytes_.clear();
    if (at_end) oct_decoder_finish(decoder_);
    while (!error && (error = oct_decoder_next(decoder_, &run, diag)) > 0)
      error = oct_compare_run(compare_, &run, diag);
    return error || !at_end ? error : oct_compare_end(compare_, diag);
  }
  uint64_t equal() const { return oct_compare_equal(compare_); }

 private:
  unsigned pins_;
  uint64_t held_ = 0;
  unsigned held_bits_ = 0;
  std::vector<uint8_t> bytes_;
  oct_decoder *decoder_ = nullptr;
  oct_compare *compare_ = nullptr;
};

class Lockstep {
 public:
  Lockstep(const oct_config &cfg, const Options &options)
      : dut(options.run.seed, options.wave, options.wave_from),
        checker(cfg),
        random_(options.run.seed),
        top_(std::make_unique<oct_top>()) {
    if (oct_top_init(top_.get(), &cfg)) abort();
    oct_core_init(&core, &options.run);
  }
  ~Lockstep() { oct_top_free(top_.get()); }
  Lockstep(const Lockstep &) = delete;
  Lockstep &operator=(const Lockstep &) = delete;

  // One cycle of both; false when they differ.
  bool cycle(oct_top_in *in, oct_top_out *out) {
    // A debugger reads a register now and then.
    if (dut.cycle % 32 == 0) paddr_ = static_cast<uint8_t>(4 * random_.below(11));
    in->apb.psel = dut.cycle % 32 < 2;
    in->apb.penable = dut.cycle % 32 == 1;
    in->apb.paddr = paddr_;
    oct_top_drive(*dut.top, *in);
    dut.settle();
    oct_top_cycle(top_.get(), in, out);
    oct_top_compare(dut, *out);
    if (dut.top->port_valid_o) checker.pins(dut.top->port_data_o);
    if (dut.failed) return false;
    dut.clock();
    return true;
  }
  bool insn(const oct_insn *insn, const oct_access *accesses) {
    oct_top_in in;
    oct_top_out out;
    oct_core_put(&core, insn, accesses);
    while (oct_core_next(&core, &in))
      if (!cycle(&in, &out)) return false;
    return true;
  }
  bool flush() {
    oct_top_in in;
    oct_top_out out = {};
    for (bool first = true; !out.afready; first = false) {
      oct_core_idle(&core, &in);
      in.afvalid = first;
      if (!cycle(&in, &out)) return false;
    }
    do {
      oct_core_idle(&core, &in);
      in.end = true;
      if (!cycle(&in, &out)) return false;
    } while (out.port.valid || in.port_stall);
    return true;
  }
  const oct_stats &stats() const { return top_->stats; }

  Dut dut;
  Checker checker;
  oct_core core;

 private:
  Random random_;
  std::unique_ptr<oct_top> top_;
  uint8_t paddr_ = 0;
};

// Exit codes as octrace has them.
enum { EXIT_EQUAL = 0, EXIT_DIFFER = 1, EXIT_USAGE = 2, EXIT_INPUT = 4 };

int difference(const char *path, const Lockstep &l, const oct_diag &diag) {
  fprintf(stderr, "octrace-lockstep: %s: %s\n", path,
          l.dut.failed ? l.dut.difference.c_str() : diag.text);
  return EXIT_DIFFER;
}

struct Source {
  oct_reader *reader = nullptr;
  oct_map_tracker *tracker = oct_map_tracker_new();
  ~Source() {
    oct_reader_close(reader);
    oct_map_tracker_free(tracker);
  }
};

int run_trace(const char *path, const oct_config &cfg, const Options &options, uint64_t *cycles) {
  oct_diag diag = {};
  Source source;
  oct_batch batch;
  std::vector<oct_insn> insns;
  uint64_t left = options.limit, done = 0;
  int got = oct_reader_open(path, nullptr, &source.reader, &diag);
  Lockstep l(cfg, options);
  while (!got && left && (got = oct_reader_next(source.reader, &batch, &diag)) > 0) {
    const oct_map_update *updates;
    if (batch.n_insns > left) batch.n_insns = static_cast<size_t>(left);
    left -= batch.n_insns;
    insns.assign(batch.insns, batch.insns + batch.n_insns);
    int64_t n = oct_map_track(source.tracker, &batch, insns.data(), &updates);
    if (n < 0 || l.checker.expect(batch, updates, static_cast<size_t>(n), &diag)) {
      got = OCT_ERR_LIMIT;
      break;
    }
    got = oct_core_check(&cfg, insns.data(), insns.size(), batch.accesses, done, &diag);
    if (got < 0) break;
    done += batch.n_insns;
    const oct_access *a = batch.accesses;
    for (size_t i = 0; i < batch.n_insns; a += insns[i++].n_access) {
      if (!l.insn(&insns[i], a)) return difference(path, l, diag);
    }
    if (l.checker.decode(false, &diag)) return difference(path, l, diag);
    got = 0;
  }
  if (got < 0) {
    fprintf(stderr, "octrace-lockstep: %s: %s\n", path, diag.text);
    return EXIT_INPUT;
  }
  if (!l.flush() || l.checker.decode(true, &diag)) return difference(path, l, diag);
  *cycles += l.dut.cycle;
  l.dut.write_coverage();
  printf("%s: %" PRIu64 " cycles equal; decoded from the pins: %" PRIu64
         " instructions equal, %" PRIu64 " lost in %" PRIu64 " overflows\n",
         path, l.dut.cycle, l.checker.equal(), l.stats().lost_insns, l.stats().overflows);
  return EXIT_EQUAL;
}

int usage() {
  fprintf(stderr,
          "octrace-lockstep: expected [--arrival full|cpi=X|stamps] [--stall M] [--seed S] "
          "[--limit N] [--wave FILE [--wave-from CYCLE]] [--random CYCLES] [TRACE...]\n");
  return EXIT_USAGE;
}

bool parse_arrival(const char *text, oct_run_options *run) {
  std::string s = text;
  char *end = nullptr;
  if (s == "full")
    run->arrival = OCT_ARRIVAL_FULL;
  else if (s == "stamps")
    run->arrival = OCT_ARRIVAL_STAMPS;
  else if (s.rfind("cpi=", 0) == 0) {
    double cpi = strtod(text + 4, &end);
    run->arrival = OCT_ARRIVAL_CPI;
    run->cpi_milli = cpi >= 1 && cpi < 1e6 && !*end ? static_cast<uint32_t>(cpi * 1000 + 0.5) : 0;
    return run->cpi_milli != 0;
  } else
    return false;
  return true;
}

bool parse_number(const char *text, uint64_t max, uint64_t *value) {
  char *end;
  *value = strtoull(text, &end, 0);
  return *text >= '0' && *text <= '9' && !*end && *value <= max;
}

}  // namespace

int main(int argc, char **argv) {
  static const option options[] = {
      {"arrival", required_argument, nullptr, 'a'}, {"stall", required_argument, nullptr, 's'},
      {"seed", required_argument, nullptr, 'r'},    {"limit", required_argument, nullptr, 'l'},
      {"wave", required_argument, nullptr, 'w'},    {"wave-from", required_argument, nullptr, 'f'},
      {"random", required_argument, nullptr, 'c'},  {nullptr, 0, nullptr, 0}};
  Options o;
  oct_config cfg;
  uint64_t n = 0, cycles = 0;
  int c, code = EXIT_EQUAL;
  o.run.engine = OCT_ENGINE_CYCLE;
  o.run.seed = 1;
  oct_config_init(&cfg);
  if (oct_config_parse(&cfg, OCT_GEOMETRY, nullptr)) abort();
  while ((c = getopt_long(argc, argv, "", options, nullptr)) != -1) {
    bool good = true;
    if (c == 'a')
      good = parse_arrival(optarg, &o.run);
    else if (c == 'w')
      o.wave = optarg;
    else if (c == 'c')
      good = parse_number(optarg, UINT64_MAX, &o.random_cycles);
    else if (c == 's' && (good = parse_number(optarg, 999, &n)))
      o.run.stall_milli = static_cast<uint32_t>(n);
    else if (c == 'r')
      good = parse_number(optarg, UINT64_MAX, &o.run.seed);
    else if (c == 'l')
      good = parse_number(optarg, UINT64_MAX, &o.limit);
    else if (c == 'f')
      good = parse_number(optarg, UINT64_MAX, &o.wave_from);
    else if (c == '?')
      good = false;
    if (!good) return usage();
  }
  if (optind == argc && !o.random_cycles) return usage();
  auto start = std::chrono::steady_clock::now();
  if (o.random_cycles) {
    code = oct_twin_report<RandomTop>("octrace-lockstep", OCT_GEOMETRY, cfg, o.run.seed,
                                      o.random_cycles);
    cycles = o.random_cycles;
  }
  for (int i = optind; i < argc; i++) {
    int one = run_trace(argv[i], cfg, o, &cycles);
    code = one > code ? one : code;
  }
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  printf("%s: seed %" PRIu64 ", %" PRIu64 " cycles, %.2f M cycles/s\n", OCT_GEOMETRY, o.run.seed,
         cycles, static_cast<double>(cycles) / seconds / 1e6);
  return code;
}
