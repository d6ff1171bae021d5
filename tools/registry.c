/* SPDX-License-Identifier: Apache-2.0 */
/* registry.c - all formats, tracers and codecs by name. Nothing else names any of them.
 *
 * To add one, write its file (traces/formats/, model/NAME/, codecs/) and a line here. The build
 * takes the tracers and codecs from these lists, too. */
#include "oct_port_stream.h"
#include "oct_registry.h"

#include "octrace/codec.h"
#include "octrace/tracer.h"

// clang-format off
/* In the order in which they are listed. */
#define FORMATS(F) \
  F(native) \
  F(text) \
  F(bin32) \
  F(bin64) \
  F(simplescalar) \
  F(lackey) \
  F(din) \
  F(xdin) \
  F(dinbin) \
  F(champsim) \
  F(cloudsuite) \
  F(spike) \
  F(ibex) \
  F(cva6) \
  F(rocket) \
  F(whisper) \
  F(sail) \
  F(neorv32) \
  F(rvfi) \
  F(execlog) \
  F(qemu) \
  F(gem5) \
  F(drmemtrace) \
  F(view) \
  F(cvp) \
  F(cbp2025) \
  F(bt9) \
  F(pinatrace) \
  F(vpc3) \
  F(dramsim) \
  F(ramulator) \
  F(ramulator2) \
  F(ramulator_cpu) \
  F(pc) \
  F(pc32) \
  F(pc64) \
  F(da) \
  F(da32) \
  F(da64) \
  F(etrace) \
  F(ntrace) \
  F(intel_pt) \
  F(perf) \
  F(perf_script) \
  F(etmv4) \
  F(paper) \
  F(shadow) \
  F(octp) \
  F(octc)

/* Formats with a mark of their own first, then those of text from the most to the least particular,
 * at last bare pairs of numbers, which only statistics tell. */
#define BY_CONTENT(F) \
  F(octp) \
  F(octc) \
  F(perf) \
  F(intel_pt) \
  F(etmv4) \
  F(native) \
  F(drmemtrace) \
  F(vpc3) \
  F(simplescalar) \
  F(lackey) \
  F(spike) \
  F(ibex) \
  F(cva6) \
  F(rocket) \
  F(whisper) \
  F(sail) \
  F(neorv32) \
  F(rvfi) \
  F(execlog) \
  F(qemu) \
  F(perf_script) \
  F(view) \
  F(bt9) \
  F(dramsim) \
  F(ramulator) \
  F(ramulator2) \
  F(gem5) \
  F(xdin) \
  F(pinatrace) \
  F(din) \
  F(text) \
  F(cvp) \
  F(cbp2025) \
  F(champsim) \
  F(dinbin) \
  F(bin64) \
  F(bin32)

/* The first is the default. */
#define TRACERS(T) \
  T(paper) \
  T(raw) \
  T(shadow) \
  T(etrace) \
  T(ntrace) \
  T(intel_pt) \
  T(etmv4) \
  T(replay)

/* Formats that are the bare stream of a tracer's port: tracer, whether traps are kept, what it lacks. */
#define PORT_STREAMS(S) \
  S(etrace, 1, "cycle stamps; data addresses unless the trace unit sends them") \
  S(ntrace, 0, "data addresses, cycle stamps") \
  S(paper, 0, NULL) \
  S(shadow, 0, NULL)

#define CODECS(C) \
  C(vpc3)      /* VPC3 as published */ \
  C(vpc)       /* VPC by specification */ \
  C(sequitur)  /* Sequitur, a grammar per field */ \
  C(bytesort)  /* the first stage of ATC */ \
  C(unshuffle) /* the same without sorting */ \
  C(atc_lossy) /* ATC with loss */ \
  C(plain)     /* any records as they are */ \
  C(shadow)    /* whole traces through the tracer `shadow` */
// clang-format on

#define F(name) extern const oct_format_desc oct_##name##_format;
FORMATS(F)
#undef F
#define S(tracer, has_traps, lacks_)                                                \
  const oct_format_desc oct_##tracer##_format = {.name = #tracer,                   \
                                                 .text = "stream of the tracer",    \
                                                 .reader = &oct_port_stream_reader, \
                                                 .writer = &oct_port_stream_writer, \
                                                 .keeps_traps = (has_traps),        \
                                                 .addr_bits = 32,                   \
                                                 .takes_params = 1,                 \
                                                 .lacks = (lacks_)};
PORT_STREAMS(S)
#undef S
#define T(name) extern const oct_tracer oct_tracer_##name;
TRACERS(T)
#undef T
#define C(name) extern const oct_codec oct_codec_##name;
CODECS(C)
#undef C

#define F(name) &oct_##name##_format,
static const oct_format_desc *const formats[] = {FORMATS(F) NULL};
static const oct_format_desc *const by_content[] = {BY_CONTENT(F) NULL};
#undef F
#define T(name) &oct_tracer_##name,
static const oct_tracer *const tracers[] = {TRACERS(T) NULL};
#undef T
#define C(name) &oct_codec_##name,
static const oct_codec *const codecs[] = {CODECS(C) NULL};
#undef C

const oct_registry oct_the_registry = {
    .formats = formats, .by_content = by_content, .tracers = tracers, .codecs = codecs};

const oct_format_roles oct_the_format_roles = {.container = &oct_octp_format,
                                               .codec_file = &oct_octc_format,
                                               .bare_addresses = &oct_da64_format};
