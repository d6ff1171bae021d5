// SPDX-License-Identifier: Apache-2.0
// oct_lockstep - runs the C model and the Verilog side by side on traces, compares them on every
// cycle, and decodes what left the Verilog's pins. One geometry a program: OCT_GEOMETRY.
#include <getopt.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <string>

#include "oct_top_random.h"
#include "oct_trace.h"

namespace {

struct Options {
  oct_run_options run = {};
  uint64_t limit = UINT64_MAX;
  std::string wave;
  uint64_t wave_from = 0;
  uint64_t random_cycles = 0;
};

class Lockstep {
 public:
  Lockstep(const oct_config &cfg, const Options &options)
      : dut(options.run.seed, options.wave, options.wave_from),
        checker(cfg),
        player(cfg, options.run, options.limit, checker),
        random_(options.run.seed),
        top_(std::make_unique<oct_top>()) {
    if (oct_top_init(top_.get(), &cfg)) abort();
  }
  ~Lockstep() { oct_top_free(top_.get()); }
  Lockstep(const Lockstep &) = delete;
  Lockstep &operator=(const Lockstep &) = delete;

  // The whole trace, a flush, and the end; 0, OCT_ERR_MISMATCH, or an error of the trace.
  int run(oct_diag *diag) {
    oct_top_in in;
    oct_top_out out = {};
    int got;
    while ((got = player.next(&in, diag)) > 0)
      if (!cycle(&in, &out)) return differ(diag);
    if (got < 0) return got;
    for (bool first = true; !out.afready; first = false) {
      player.idle(&in);
      in.afvalid = first;
      if (!cycle(&in, &out)) return differ(diag);
    }
    do {
      player.idle(&in);
      in.end = true;
      if (!cycle(&in, &out)) return differ(diag);
    } while (out.port.valid || in.port_stall);
    return checker.decode(true, diag);
  }
  const oct_stats &stats() const { return top_->stats; }

  Dut dut;
  Checker checker;
  TracePlayer player;

 private:
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
  int differ(oct_diag *diag) {
    return oct_fail(diag, OCT_ERR_MISMATCH, "%s", dut.difference.c_str());
  }

  Random random_;
  std::unique_ptr<oct_top> top_;
  uint8_t paddr_ = 0;
};

// Exit codes as octrace has them.
enum { EXIT_EQUAL = 0, EXIT_DIFFER = 1, EXIT_USAGE = 2, EXIT_INPUT = 4 };

int run_trace(const char *path, const oct_config &cfg, const Options &options, uint64_t *cycles) {
  oct_diag diag = {};
  Lockstep l(cfg, options);
  int error = l.player.open(path, &diag);
  if (!error) error = l.run(&diag);
  *cycles += l.dut.cycle;
  l.dut.write_coverage();
  if (error == OCT_ERR_MISMATCH) {
    fprintf(stderr, "octrace-lockstep: %s: %s\n", path, diag.text);
    return EXIT_DIFFER;
  }
  if (error) {
    fprintf(stderr, "octrace-lockstep: %s\n", diag.text);
    return EXIT_INPUT;
  }
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

bool parse_number(const char *text, uint64_t max, uint64_t *value) {
  char *end;
  *value = strtoull(text, &end, 0);
  return *text >= '0' && *text <= '9' && !*end && *value <= max;
}

// Whether a waveform can be written: the program was built for it, the file can be made, and one
// run fills it. If not, says so.
bool can_record(const std::string &path, int runs) {
#if VM_TRACE
  FILE *file = runs == 1 ? fopen(path.c_str(), "wb") : nullptr;
  if (file) {
    fclose(file);
    return true;
  }
  fprintf(stderr, "octrace-lockstep: --wave %s: %s\n", path.c_str(),
          runs == 1 ? strerror(errno) : "expected one trace, or --random alone");
#else
  (void)runs;
  fprintf(stderr, "octrace-lockstep: --wave %s: this program was built without waveforms\n",
          path.c_str());
#endif
  return false;
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
      good = !oct_arrival_parse(optarg, &o.run, nullptr);
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
  const int runs = argc - optind + (o.random_cycles != 0);
  if (runs == 0) return usage();
  if (!o.wave.empty() && !can_record(o.wave, runs)) return EXIT_USAGE;
  auto start = std::chrono::steady_clock::now();
  if (o.random_cycles) {
    code = oct_twin_report<RandomTop>("octrace-lockstep", OCT_GEOMETRY, cfg, o.run.seed,
                                      o.random_cycles, o.wave, o.wave_from);
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
