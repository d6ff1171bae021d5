// SPDX-License-Identifier: Apache-2.0
// oct_twin.h - runs the C and Verilog twins of a module under the same constrained-random stimulus.
//
// A test defines class Stage { Stage(const oct_config &); void cycle(Dut &, Stimulus &); } and ends
// with OCT_TWIN_MAIN(Stage), or, of a tracer with other parameters, with OCT_TWIN_MAIN_OF(Stage,
// Config) behind a function oct_twin_config for them. Usage of the program: NAME [SEED [CYCLES]].
#ifndef OCT_TWIN_H
#define OCT_TWIN_H

#include <cstdlib>
#include <cstring>
#include <ctime>

#include "oct_dut.h"

extern "C" {
#include "oct_config.h"
#include "oct_plural.h"
#include "oct_types.h"
}

// How the traffic looks for a while: how often there is a word, how often it is taken, and from how
// few addresses it comes.
class Stimulus : public Random {
 public:
  explicit Stimulus(uint64_t seed) : Random(seed) { change(); }
  void next() {
    if (left_-- == 0) change();
  }
  bool valid() { return percent(valid_percent_); }
  bool ready() { return percent(ready_percent_); }
  // A number from a pool of few, so that caches and histories hit and sets conflict.
  uint64_t pooled() { return pool_base_ + below(pool_); }
  // A mark now and then; first and last are the range.
  uint8_t mark(uint8_t first, uint8_t last) {
    return percent(mark_percent_) ? static_cast<uint8_t>(first + below(last - first + 1u))
                                  : static_cast<uint8_t>(OCT_MARK_NONE);
  }
  // The value with one of its low bits inverted: as near as two can be and differ, so that a
  // compare that looks at all bits but one is seen.
  uint64_t near(uint64_t value, unsigned bits) {
    return value ^ uint64_t { 1 } << below(bits);
  }
  uint64_t address(unsigned bits) {
    return bits >= 64 ? this->bits() : this->bits() >> (64 - bits);
  }

 private:
  void change() {
    static const uint32_t percents[] = {5, 30, 60, 95, 100};
    static const uint32_t pools[] = {1, 2, 5, 20, 100, 3000};
    left_ = 50 + below(1500);
    valid_percent_ = percents[below(5)];
    ready_percent_ = percents[below(5)];
    mark_percent_ = below(3) ? 0 : 1 + below(20);
    pool_ = pools[below(6)];
    pool_base_ = below(4) ? 0 : bits() >> 44;
  }
  uint32_t left_ = 0, valid_percent_ = 0, ready_percent_ = 0, mark_percent_ = 0, pool_ = 1;
  uint64_t pool_base_ = 0;
};

// Resets come so often, wherever the run stands, mean; what the twins hold is forgotten.
enum { CYCLES_A_RESET = 30000 };

// The task is told by these alone (model/paper/oct_types.h).
inline bool oct_mark_has_task(uint8_t mark) {
  return mark == OCT_MARK_TASK || mark == OCT_MARK_SYNC;
}

// A reset of the model: a new one, or what is left of it if it knows (restart()).
template <class Stage, class Config>
auto oct_twin_restart(std::unique_ptr<Stage> &stage, const Config &, int)
    -> decltype(stage->restart()) {
  stage->restart();
}
template <class Stage, class Config>
void oct_twin_restart(std::unique_ptr<Stage> &stage, const Config &cfg, long) {
  stage = std::make_unique<Stage>(cfg);
}

template <class Stage, class Config>
std::string oct_twin_run(const Config &cfg, uint64_t seed, uint64_t cycles, const std::string &wave,
                         uint64_t wave_from, uint64_t *failed_at) {
  Dut dut(seed, wave, wave_from);
  Stimulus stimulus(seed);
  auto stage = std::make_unique<Stage>(cfg);
  while (dut.cycle < cycles && !dut.failed) {
    stimulus.next();
    if (stimulus.below(CYCLES_A_RESET) == 0) {
      dut.reset();
      oct_twin_restart(stage, cfg, 0);
    }
    stage->cycle(dut, stimulus);
    if (!dut.failed) dut.clock();
  }
  *failed_at = dut.cycle;
  dut.write_coverage();
  return dut.difference;
}

// Run, and on a difference once more to record the cycles before it in the waveform's file, or in
// NAME-SEED.fst. 0 or 1, the seed and what was found printed; in *cycles_run the cycles until then.
template <class Stage, class Config>
int oct_twin_report(const char *name, const char *geometry, const Config &cfg, uint64_t seed,
                    uint64_t cycles, const Wave &wave = {}, uint64_t *cycles_run = nullptr) {
  uint64_t failed_at;
  std::string file = wave.path.empty() ? name + ("-" + std::to_string(seed)) + ".fst" : wave.path;
  std::string difference = oct_twin_run<Stage, Config>(cfg, seed, cycles, wave.is_whole ? file : "",
                                                       wave.from, &failed_at);
  if (cycles_run) *cycles_run = failed_at;
  printf("%s %s: seed %" PRIu64 ", %" PRIu64 " cycle%s %s\n", name, geometry, seed, failed_at,
         OCT_S(failed_at), difference.empty() ? "equal" : "up to a difference");
  if (difference.empty()) return 0;
  fprintf(stderr, "%s %s: seed %" PRIu64 ", %s", name, geometry, seed, difference.c_str());
  std::string refusal = Wave::refusal(file);
  if (refusal.empty() && !wave.is_whole)
    oct_twin_run<Stage, Config>(cfg, seed, cycles, file, Wave::start(failed_at), &failed_at);
  if (refusal.empty())
    fprintf(stderr, "; waveform in %s\n", file.c_str());
  else
    fprintf(stderr, "; no waveform in %s: %s\n", file.c_str(), refusal.c_str());
  return 1;
}

// The parameters at the geometry; false when it is none.
inline bool oct_twin_config(oct_config *cfg) {
  oct_config_init(cfg);
  return oct_config_parse(cfg, OCT_GEOMETRY, nullptr) == 0;
}

template <class Stage, class Config>
int oct_twin_main(int argc, char **argv) {
  const char *name = strrchr(argv[0], '/') ? strrchr(argv[0], '/') + 1 : argv[0];
  Config cfg;
  uint64_t values[] = {0, 1000000}; /* seed, cycles */
  bool is_good = argc <= 3;
  for (int i = 1; i < argc && is_good; i++) {
    char *end;
    values[i - 1] = strtoull(argv[i], &end, 0);
    is_good = *argv[i] >= '0' && *argv[i] <= '9' && !*end;
  }
  uint64_t seed = values[0], cycles = values[1];
  if (!is_good || !oct_twin_config(&cfg)) {
    fprintf(stderr, "%s: expected [SEED [CYCLES]]\n", name);
    return 2;
  }
  const char *given = getenv("OCT_TEST_SEED");
  if (!seed && given) seed = strtoull(given, nullptr, 0);
  if (!seed) seed = static_cast<uint64_t>(time(nullptr)) * 2654435761u;
  return oct_twin_report<Stage, Config>(name, OCT_GEOMETRY, cfg, seed, cycles);
}

#define OCT_TWIN_MAIN_OF(Stage, Config)              \
  int main(int argc, char **argv) {                  \
    return oct_twin_main<Stage, Config>(argc, argv); \
  }
#define OCT_TWIN_MAIN(Stage) OCT_TWIN_MAIN_OF(Stage, oct_config)

#endif
