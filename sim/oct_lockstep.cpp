// SPDX-License-Identifier: Apache-2.0
// oct_lockstep - runs the C model and the Verilog side by side on traces, compares them on every
// cycle, and decodes what left the Verilog's pins. One tracer and geometry a program: OCT_TRACER,
// OCT_GEOMETRY.
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <string>

#include "oct_ignored_random.h"
#include "oct_options.h"
#include "oct_program_random.h"
#include "oct_top_ports.h"
#include "oct_top_random.h"
#include "oct_trace.h"

extern "C" {
#include "oct_crc.h"
#include "oct_plural.h"
}

namespace {

struct Options {
  oct_run_options run = {};
  uint64_t limit = UINT64_MAX;
  uint64_t random_cycles = 0;
  std::vector<oct_filter_write> filter;
  Wave wave;
  bool record = true; /* the first difference alone: there is one file */
};

// The whole with random inputs, stalls of the receiver and ends among them; a machine that is given
// the bytes of instructions runs random programs.
class RandomTop {
 public:
  explicit RandomTop(const Machine &machine)
      : inputs_(machine.widths, machine.param("traps") ? machine.param("cause_bits") : 0),
        ignored_(machine.widths, machine.param("cause_bits")),
        twin_(machine),
        lost_at_(oct_tracer_counter(machine.tracer, "lost_insns")),
        coded_at_(oct_tracer_counter(machine.tracer, "insns")) {
    if (machine.tracer->twin->map) program_ = std::make_unique<RandomProgram>(machine);
  }

  void cycle(Dut &dut, Stimulus &r) {
    oct_pins_in in = {};
    oct_pins_out out;
    oct_map_update update;
    oct_diag diag = {};
    bool is_new = false;
    if (dut.cycle == 0) RandomProgram::met() = {};  // the same again, where a run is repeated
    const bool is_calm = program_ && calm_.is_calm();
    inputs_.next(r, &in, is_calm);
    if (program_) {
      program_->be_calm(is_calm, calm_.waits());
      program_->next(r, &in.retire, &update, &is_new);
    }
    in.afvalid = afvalid_ = afvalid_ || r.below(2000) == 0;
    in.port_stall = !is_calm && !r.ready();
    in.end = r.below(100) == 0;
    ignored_.fill(r, &in);
    oct_top_drive(*dut.top, in);
    dut.settle();
    if ((is_new && twin_.map(&update, 1, &diag)) || twin_.cycle(in, &out, &diag)) {
      dut.failed = true;
      dut.difference = oct_diag_reason(&diag).text;
      return;
    }
    oct_top_check(dut, *dut.top, out);
    calm_.next(r, out.port.valid);
    if (program_ && !program_->has_met_all()) judge(in.apb);
    if (out.afready) afvalid_ = r.below(4) == 0;  // sometimes another at once
  }

 private:
  // Which instructions the tracer has taken, and coded. While it is switched off it counts none.
  void judge(const oct_apb_in &apb) {
    uint64_t counters[OCT_TRACER_COUNTERS_MAX];
    twin_.counters(counters);
    const uint64_t lost = counters[lost_at_], coded = counters[coded_at_];
    program_->judge(is_on_ ? lost - lost_ : UINT64_MAX, coded - coded_);
    lost_ = lost;
    coded_ = coded;
    if (apb.psel && apb.penable && apb.pwrite && apb.paddr == OCT_REG_CTRL) is_on_ = apb.pwdata & 1;
  }

  RandomInputs inputs_;
  IgnoredRandom ignored_;
  std::unique_ptr<RandomProgram> program_;
  Calm calm_;
  Twin twin_;
  int lost_at_, coded_at_;  // numbers of counters
  bool is_on_ = true;
  uint64_t lost_ = 0, coded_ = 0;
  bool afvalid_ = false;
};

class Lockstep {
 public:
  // With a waveform in a file, when it has a name, from a cycle on.
  Lockstep(const Machine &machine, const Options &options, const std::string &wave,
           uint64_t wave_from)
      : dut(options.run.seed, wave, wave_from),
        checker(machine),
        player(machine, options.run, options.limit, checker),
        twin(machine),
        filter_(options.filter),
        random_(options.run.seed),
        ignored_(machine.widths, machine.param("cause_bits")) {
    player.tell(&twin);
  }
  Lockstep(const Lockstep &) = delete;
  Lockstep &operator=(const Lockstep &) = delete;

  // The whole trace, a flush, and the end; 0, OCT_ERR_MISMATCH, or an error of the trace.
  int run(oct_diag *diag) {
    oct_pins_in in;
    int got, error;
    for (const oct_filter_write &w : filter_) {
      player.filter(w);
      if ((error = write(w, diag))) return error;
    }
    while ((got = player.next(&in, diag)) > 0)
      if ((error = cycle(&in, diag))) return error;
    if (got < 0) return got;
    for (is_flushing_ = true; !(model_flushed_ && rtl_flushed_);) {
      player.idle(&in);
      if ((error = cycle(&in, diag))) return error;
    }
    do {
      player.idle(&in);
      in.end = true;
      if ((error = cycle(&in, diag))) return error;
    } while (model_.port.valid || dut.top->port_valid_o || in.port_stall);
    return checker.decode(true, diag);
  }

  Dut dut;
  Checker checker;
  TracePlayer player;
  Twin twin;

 private:
  // One cycle of both; 0, OCT_ERR_MISMATCH when they differ, or an error of the twin.
  int cycle(oct_pins_in *in, oct_diag *diag) {
    // A debugger reads a register now and then.
    if (dut.cycle % 32 == 0) paddr_ = static_cast<uint16_t>(4 * random_.below(12));
    in->apb.psel = dut.cycle % 32 < 2;
    in->apb.penable = dut.cycle % 32 == 1;
    in->apb.paddr = paddr_;
    return run(in, diag);
  }
  // A write of the debugger, which takes two cycles.
  int write(const oct_filter_write &w, oct_diag *diag) {
    int error = 0;
    for (bool is_second : {false, true}) {
      oct_pins_in in;
      player.idle(&in);
      in.apb = {true, is_second, true, w.paddr, w.value};
      if (!error) error = run(&in, diag);
    }
    return error;
  }
  int run(oct_pins_in *in, oct_diag *diag) {
    in->afvalid = is_flushing_ && !rtl_flushed_;
    ignored_.fill(random_, in);
    oct_top_drive(*dut.top, *in);
    dut.settle();
    in->afvalid = is_flushing_ && !model_flushed_;
    int error = twin.cycle(*in, &model_, diag);
    if (error) return error;
    oct_top_check(dut, *dut.top, model_);
    model_flushed_ |= is_flushing_ && model_.afready;
    rtl_flushed_ |= is_flushing_ && dut.top->afready_o;
    if (dut.top->port_valid_o) checker.pins(dut.top->port_data_o);
    if (dut.failed) return oct_fail(diag, OCT_ERR_MISMATCH, "%s", dut.difference.c_str());
    dut.clock();
    return 0;
  }

  oct_pins_out model_ = {};
  bool is_flushing_ = false, model_flushed_ = false, rtl_flushed_ = false;
  std::vector<oct_filter_write> filter_;
  Random random_;
  IgnoredRandom ignored_;
  uint16_t paddr_ = 0;
};

// A part of a file's name, which has 255 bytes at most, with what stands beside it: of one that is
// too long its beginning, and a check of the whole.
std::string name_part(const std::string &text) {
  if (text.size() <= 90) return text;
  const uint8_t *bytes = reinterpret_cast<const uint8_t *>(text.data());
  char check[16];
  snprintf(check, sizeof check, "-%08" PRIx32, oct_crc_bytes(32, 0, bytes, text.size()));
  return text.substr(0, 80) + check;
}

// Where the waveform of a difference goes; of: what was run.
std::string wave_file(const Options &options, const std::string &of) {
  if (!options.wave.path.empty()) return options.wave.path;
  return "octrace-lockstep-" + name_part(OCT_GEOMETRY) + "-" + name_part(of) + "-" +
         std::to_string(options.run.seed) + ".fst";
}

std::string wave_written, wave_names;  // what is said of it, and a file that stands beside it

void end_without_room(int) {
  static const char why[] = ": cannot write: no room is left for the waveform\n";
  if (write(STDERR_FILENO, wave_written.data(), wave_written.size()) < 0 ||
      write(STDERR_FILENO, why, sizeof why - 1) < 0)
    _exit(EXIT_INPUT);
  unlink(wave_names.c_str());
  _exit(EXIT_INPUT);
}

// Before a waveform is recorded in this file. Its writer maps what it writes into memory, so that a
// full disk is a signal.
void guard_wave(const std::string &file) {
  wave_written = "octrace-lockstep: " + file;
  wave_names = Wave::names(file);
  signal(SIGXFSZ, SIG_IGN);
  signal(SIGBUS, end_without_room);
}

// The run again, which is the same, up to its difference, to record the cycles before it: what to
// say of that.
std::string record_difference(const char *path, const Machine &machine, const Options &options,
                              uint64_t differs_at) {
  std::string name = path;
  name = name.substr(name.find_last_of('/') + 1);
  std::string file = wave_file(options, name.substr(0, name.find('.')));
  struct stat st;
  std::string refusal = Wave::refusal(file);
  if (refusal.empty() && !options.wave.is_whole) {
    if (stat(path, &st) || !S_ISREG(st.st_mode)) {
      refusal = std::string(oct_shown(path)) + " cannot be read again";
    } else {
      oct_diag diag = {};
      guard_wave(file);
      Lockstep again(machine, options, file, Wave::start(differs_at));
      if (!again.player.open(path, &diag)) again.run(&diag);
    }
  }
  if (refusal.empty()) return "; waveform in " + file;
  return "; no waveform in " + file + ": " + refusal;
}

int run_trace(const char *path, const Machine &machine, Options &options, uint64_t *cycles) {
  oct_diag diag = {};
  if (options.wave.is_whole) guard_wave(options.wave.path);
  Lockstep l(machine, options, options.wave.is_whole ? options.wave.path : "", options.wave.from);
  int error = l.player.open(path, &diag);
  if (!error) error = l.run(&diag);
  *cycles += l.dut.cycle;
  l.dut.write_coverage();
  if (error == OCT_ERR_MISMATCH) {
    std::string recorded;
    if (l.dut.failed && options.record) {
      recorded = record_difference(path, machine, options, l.dut.cycle);
      options.record = false;
    }
    return oct_tell("octrace-lockstep", EXIT_DIFFER, "%s: seed %" PRIu64 ", %s%s", oct_shown(path),
                    options.run.seed, oct_diag_reason(&diag).text, recorded.c_str());
  }
  if (error) return oct_tell("octrace-lockstep", EXIT_INPUT, "%s", oct_diag_line(&diag).text);
  const oct_decoder_counts counts = l.checker.counts();
  const uint64_t equal = l.checker.equal();
  printf("%s: %" PRIu64 " cycle%s equal; decoded from the pins: %" PRIu64
         " instruction%s equal, %" PRIu64 " lost in %" PRIu64 " overflow%s\n",
         oct_shown(path), l.dut.cycle, OCT_S(l.dut.cycle), equal, OCT_S(equal), counts.lost_insns,
         counts.gaps, OCT_S(counts.gaps));
  return EXIT_EQUAL;
}

// Settings of the filter at this geometry; false, and what is wrong in *diag.
bool parse_filter(const Machine &machine, const char *text, Options *o, oct_diag *diag) {
  o->filter.resize(OCT_FILTER_WRITES_MAX);
  int n = oct_filter_parse(text, machine.param("filters"), machine.widths.addr_bits,
                           machine.widths.task_bits, o->filter.data(), diag);
  o->filter.resize(n < 0 ? 0 : static_cast<size_t>(n));
  return n >= 0;
}

// The options; an exit code when they are wrong, which has been told.
int parse_options(OptionReader &reader, const Machine &machine, Options *o) {
  int c;
  uint64_t n = 0;
  oct_diag diag;
  while ((c = reader.next()) != -1) {
    bool is_good = c != '?';
    if ((c == 'a' && oct_arrival_parse(optarg, &o->run, &diag)) ||
        (c == 'i' && !parse_filter(machine, optarg, o, &diag)))
      return reader.refuse("%s", oct_diag_reason(&diag).text);
    else if (c == 'w' && !*optarg)
      return reader.refuse("--wave: expected a file name");
    else if (c == 'w')
      o->wave.path = optarg;
    else if (c == 'f')
      o->wave.is_whole = is_good = reader.number("wave-from", 0, UINT64_MAX, &o->wave.from);
    else if (c == 'c')
      is_good = reader.number("random", 1, UINT64_MAX, &o->random_cycles);
    else if (c == 's' && (is_good = reader.number("stall", 0, 999, &n)))
      o->run.stall_milli = static_cast<uint32_t>(n);
    else if (c == 'r')
      is_good = reader.number("seed", 0, UINT64_MAX, &o->run.seed);
    else if (c == 'l')
      is_good = reader.number("limit", 1, UINT64_MAX, &o->limit);
    if (!is_good) return EXIT_USAGE;
  }
  return EXIT_EQUAL;
}

// Whether runs can be recorded as the options say; an exit code when not, which has been told.
int check_wave(const OptionReader &reader, const Wave &wave, int runs, char **traces) {
  if (wave.is_whole && wave.path.empty()) return reader.refuse("--wave-from needs --wave");
  if (wave.is_whole && runs > 1)
    return reader.refuse("--wave-from records one run: give one trace, or --random alone");
  if (wave.path.empty()) return EXIT_EQUAL;
  std::error_code none;
  for (; *traces; traces++)
    if (std::filesystem::equivalent(wave.path, *traces, none))
      return reader.refuse("--wave %s: that is a trace", wave.path.c_str());
  std::string refusal = Wave::refusal(wave.path);
  if (refusal.empty()) return EXIT_EQUAL;
  return reader.refuse("--wave %s: %s", wave.path.c_str(), refusal.c_str());
}

}  // namespace

int main(int argc, char **argv) {
  static const option options[] = {{"arrival", required_argument, nullptr, 'a'},
                                   {"stall", required_argument, nullptr, 's'},
                                   {"seed", required_argument, nullptr, 'r'},
                                   {"limit", required_argument, nullptr, 'l'},
                                   {"wave", required_argument, nullptr, 'w'},
                                   {"wave-from", required_argument, nullptr, 'f'},
                                   {"random", required_argument, nullptr, 'c'},
                                   {"filter", required_argument, nullptr, 'i'},
                                   {nullptr, 0, nullptr, 0}};
  if (oct_begin("octrace-lockstep")) return EXIT_INPUT;
  OptionReader reader("octrace-lockstep", argc, argv, options);
  Options o;
  const Machine machine;
  uint64_t cycles = 0;
  o.run.engine = OCT_ENGINE_CYCLE;
  o.run.seed = 1;
  int code = parse_options(reader, machine, &o);
  if (code) return code;
  const int runs = argc - optind + (o.random_cycles != 0);
  if (runs == 0) return reader.refuse("a trace or --random is needed");
  if ((code = check_wave(reader, o.wave, runs, argv + optind))) return code;
  auto start = std::chrono::steady_clock::now();
  if (o.random_cycles) {
    Wave wave = o.wave;
    wave.path = wave_file(o, "random");
    guard_wave(wave.path);
    code = oct_twin_report<RandomTop>("octrace-lockstep", OCT_GEOMETRY, machine, o.run.seed,
                                      o.random_cycles, wave, &cycles);
    o.record = !code;
    if (machine.tracer->twin->map)
      printf("parts of operations that the random programs met: %s\n",
             RandomProgram::met().text(RandomProgram::all()).c_str());
  }
  for (int i = optind; i < argc; i++) {
    int one = run_trace(argv[i], machine, o, &cycles);
    code = one > code ? one : code;
  }
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (cycles)  // none where each trace was refused
    printf("%s: seed %" PRIu64 ", %" PRIu64 " cycle%s, %.2f M cycles/s\n", OCT_GEOMETRY, o.run.seed,
           cycles, OCT_S(cycles), static_cast<double>(cycles) / seconds / 1e6);
  return oct_finish("octrace-lockstep", code);
}
