// SPDX-License-Identifier: Apache-2.0
// oct_platform - a SystemC platform around the compressor: traced core, compressor (C model,
// Verilog, or both compared), debugger on TLM-2.0, trace receiver with decoder. Copy this to
// integrate a core.
#include <cinttypes>
#include <cstdio>
#include <memory>

#include <tlm_utils/simple_initiator_socket.h>

#include "Vdut.h"
#include "oct_apb.h"
#include "oct_model.h"
#include "oct_traced_core.h"
#include "oct_options.h"
#include "oct_probe.h"

extern "C" {
#include "oct_plural.h"
#include "oct_regs.h"
}

namespace {

// Reads and writes registers through its socket.
SC_MODULE(Debugger) {
  tlm_utils::simple_initiator_socket<Debugger> socket{"socket"};
  SC_CTOR(Debugger) {}

  tlm::tlm_response_status access(bool is_write, uint64_t address, uint32_t *data) {
    tlm::tlm_generic_payload trans;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    trans.set_command(is_write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
    trans.set_address(address);
    trans.set_data_ptr(reinterpret_cast<unsigned char *>(data));
    trans.set_data_length(4);
    trans.set_streaming_width(4);
    socket->b_transport(trans, delay);
    return trans.get_response_status();
  }
};

SC_MODULE(Platform) {
  sc_core::sc_clock clk{"clk", 10, sc_core::SC_NS, 0.5, 10, sc_core::SC_NS, true};
  sc_core::sc_signal<bool> rst_n{"rst_n"};
  OctSignals signals, model_outputs{"model_"};
  OctTracedCore core;
  OctProbe probe;
  OctApb apb{"apb"};
  Debugger debugger{"debugger"};
  std::unique_ptr<OctModel> model;
  std::unique_ptr<Vdut> rtl;
  std::unique_ptr<OctComparator> comparator;
  uint32_t id = 0, overflows = 0, lost_insns = 0;
  bool registers_answer = false;

  SC_HAS_PROCESS(Platform);
  Platform(sc_core::sc_module_name name, const Machine &machine, bool with_model, bool with_rtl,
           TracePlayer &trace, Checker &checker)
      : sc_module(name), core("core", trace), probe("probe", checker) {
    if (with_rtl) {
      rtl = std::make_unique<Vdut>("rtl");
      rtl->clk_i(clk);
      rtl->rst_ni(rst_n);
      oct_bind(*rtl, signals, signals);
    }
    if (with_model) {
      model = std::make_unique<OctModel>("model", machine);
      trace.tell(&model->twin);
      model->clk_i(clk);
      model->rst_ni(rst_n);
      oct_bind(*model, signals, with_rtl ? model_outputs : signals);
    }
    if (with_model && with_rtl) {
      comparator = std::make_unique<OctComparator>("comparator", model_outputs, signals);
      comparator->clk_i(clk);
      comparator->rst_ni(rst_n);
    }
    bind_core();
    bind_apb();
    probe.clk_i(clk);
    probe.rst_ni(rst_n);
    probe.port_valid_i(signals.port_valid_o);
    probe.port_data_i(signals.port_data_o);
    SC_THREAD(run);
    if (comparator) {
      SC_METHOD(stop);
      sensitive << comparator->differ_event;
      dont_initialize();
    }
  }

 private:
  void bind_core() {
    core.clk_i(clk);
    core.rst_ni(rst_n);
    core.afready_i(signals.afready_o);
    core.port_valid_i(signals.port_valid_o);
#define OCT_X(type, port, member) core.port(signals.port);
    OCT_CORE_INPUTS(OCT_X)
    OCT_CODE_INPUTS(OCT_X)
#undef OCT_X
  }
  void bind_apb() {
    apb.clk_i(clk);
#define OCT_X(type, port, member) apb.port(signals.port);
    OCT_APB_INPUTS(OCT_X)
    OCT_APB_OUTPUTS(OCT_X)
#undef OCT_X
    debugger.socket.bind(apb.socket);
  }

  // Reset, then the debugger at work while the trace plays, and its last readings at the end.
  void run() {
    rst_n = false;
    wait(35, sc_core::SC_NS);
    rst_n = true;
    bool good = debugger.access(false, OCT_REG_ID, &id) == tlm::TLM_OK_RESPONSE;
    uint32_t none = 0;
    good &= debugger.access(true, OCT_REG_ID, &none) == tlm::TLM_GENERIC_ERROR_RESPONSE;
    good &= debugger.access(false, 0x100, &none) == tlm::TLM_ADDRESS_ERROR_RESPONSE;
    if (!core.is_done()) wait(core.done_event);
    good &= debugger.access(false, OCT_REG_OVERFLOWS, &overflows) == tlm::TLM_OK_RESPONSE;
    good &= debugger.access(false, OCT_REG_LOST_INSNS, &lost_insns) == tlm::TLM_OK_RESPONSE;
    registers_answer = good && id == OCT_REGS_ID;
    sc_core::sc_stop();
  }
  void stop() {
    sc_core::sc_stop();
  }
};

const char help[] =
    "Usage: oct_platform [OPTION...] TRACE\n"
    "  -g, --geometry G[,NAME=VALUE...]  the machine (default paper), built once; see octrace "
    "list\n"
    "              geometries and params\n"
    "      --tracer NAME  a tracer with Verilog (default paper)\n"
    "      --compressor model|rtl|both   the C model, the Verilog, or both compared (default)\n"
    "      --limit N   stop the trace after N instructions\n"
    "      --stall M   stall the trace receiver in M of 1000 cycles, at random\n"
    "      --seed S    seed of stalls (default 1)\n"
    "      --help, --version\n"
    "Exit status: 0 the trace came back, 1 a difference, 2 wrong command line, 4 bad input.\n";

struct Options {
  oct_run_options run = {};
  std::string compressor = "both";
  uint64_t limit = UINT64_MAX;
};

// The options; an exit code when they are wrong, which has been told, or -1 when help or version
// was.
int parse_options(OptionReader &reader, Options *o) {
  int c;
  uint64_t n = 0;
  while ((c = reader.next()) != -1) {
    bool is_good = c != '?';
    if (c == 'h') {
      fputs(help, stdout);
      return -1;
    } else if (c == 'v') {
      puts("oct_platform " OCT_VERSION);
      return -1;
    } else if (c == 't') {
      // What was built is of one tracer: the script oct_platform builds others.
      if (strcmp(optarg, OCT_TRACER) != 0)
        return reader.refuse("this program is of the tracer %s", OCT_TRACER);
    } else if (c == 'c') {
      o->compressor = optarg;
    } else if (c == 'l') {
      is_good = reader.number("limit", 1, UINT64_MAX, &o->limit);
    } else if (c == 's' && (is_good = reader.number("stall", 0, 999, &n))) {
      o->run.stall_milli = static_cast<uint32_t>(n);
    } else if (c == 'r') {
      is_good = reader.number("seed", 0, UINT64_MAX, &o->run.seed);
    }
    if (!is_good) return EXIT_USAGE;
  }
  return EXIT_EQUAL;
}

int report(const char *path, const Platform &p, const TracePlayer &trace, Checker &checker) {
  oct_diag diag = {};
  if (p.comparator && !p.comparator->difference().empty())
    return oct_tell("oct_platform", EXIT_DIFFER, "%s: %s", path,
                    p.comparator->difference().c_str());
  if (p.core.code() == OCT_ERR_MISMATCH)
    return oct_tell("oct_platform", EXIT_DIFFER, "%s: %s", path, p.core.error().c_str());
  if (p.model && p.model->error())
    return oct_tell("oct_platform", EXIT_INPUT, "%s: %s", path,
                    oct_diag_reason(&p.model->diag()).text);
  if (p.core.code() < 0) return oct_tell("oct_platform", EXIT_INPUT, "%s", p.core.error().c_str());
  if (checker.decode(true, &diag))
    return oct_tell("oct_platform", EXIT_DIFFER, "%s: %s", path, oct_diag_reason(&diag).text);
  if (!p.registers_answer)
    return oct_tell("oct_platform", EXIT_DIFFER,
                    "the registers do not answer as model/common/oct_regs.h says");
  if (checker.equal() + p.lost_insns != trace.played())
    return oct_tell("oct_platform", EXIT_DIFFER,
                    "%s: the registers tell of %u lost instruction%s, but %" PRIu64 " are missing",
                    path, p.lost_insns, OCT_S(p.lost_insns), trace.played() - checker.equal());
  printf("%s: %" PRIu64 " cycle%s%s; decoded from the pins: %" PRIu64
         " instruction%s equal; registers: %u overflow%s, %u instruction%s lost\n",
         path, p.core.cycles(), OCT_S(p.core.cycles()), p.comparator ? ", model and rtl equal" : "",
         checker.equal(), OCT_S(checker.equal()), p.overflows, OCT_S(p.overflows), p.lost_insns,
         OCT_S(p.lost_insns));
  return EXIT_EQUAL;
}

}  // namespace

int sc_main(int argc, char **argv) {
  static const option options[] = {
      {"tracer", required_argument, nullptr, 't'}, {"compressor", required_argument, nullptr, 'c'},
      {"limit", required_argument, nullptr, 'l'},  {"stall", required_argument, nullptr, 's'},
      {"seed", required_argument, nullptr, 'r'},   {"help", no_argument, nullptr, 'h'},
      {"version", no_argument, nullptr, 'v'},      {nullptr, 0, nullptr, 0}};
  if (oct_begin("oct_platform")) return EXIT_INPUT;
  OptionReader reader("oct_platform", argc, argv, options);
  Options o;
  const Machine machine;
  oct_diag diag = {};
  o.run.seed = 1;
  int code = parse_options(reader, &o);
  if (code) return oct_finish("oct_platform", code < 0 ? EXIT_EQUAL : code);
  bool with_model = o.compressor != "rtl", with_rtl = o.compressor != "model";
  if (with_model && with_rtl && o.compressor != "both")
    return reader.refuse("unknown compressor '%s': expected model, rtl or both",
                         o.compressor.c_str());
  if (optind + 1 != argc) return reader.refuse("one trace is needed");
  Checker checker(machine);
  TracePlayer trace(machine, o.run, o.limit, checker);
  if (trace.open(argv[optind], &diag))
    return oct_tell("oct_platform", EXIT_INPUT, "%s", oct_diag_line(&diag).text);
  // That all is done is told by the report.
  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_INFO,
                                          sc_core::SC_DO_NOTHING);
  Platform platform("platform", machine, with_model, with_rtl, trace, checker);
  sc_core::sc_start();
  return oct_finish("oct_platform", report(oct_shown(argv[optind]), platform, trace, checker));
}
