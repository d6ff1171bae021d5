/* SPDX-License-Identifier: Apache-2.0 */
/* oct_raw.c - the tracer `raw`: the start and length of every stream and every data address in
 * full, each as a number of variable length (docs/raw-format.md). It predicts nothing and holds
 * nothing but the stream under way: what other tracers save is measured against it. */
#include <stdlib.h>
#include <string.h>

#include "oct_decoder_base.h"
#include "oct_encoder_base.h"
#include "octrace/error.h"
#include "oct_raw_format.h"
#include "octrace/tracer.h"

extern const oct_tracer oct_tracer_raw;

static const oct_param params[] = {
    {.name = "stream_insns_max",
     .def = 65536,
     .min = 1,
     .max = 0x7fffffff,
     .unit = "insns",
     .text = "longest stream",
     .absent = 65536},
    {.name = "sync_period_insns",
     .def = 1048576,
     .max = UINT32_MAX,
     .unit = "insns",
     .role = OCT_ROLE_SYNC_INSNS,
     .text = "instructions between syncs, 0 = only the first",
     .absent = 1048576},
    {.name = "traps",
     .max = 1,
     .unit = "",
     .role = OCT_ROLE_TRAPS,
     .text = "1 traps and changes of privilege leave the port"},
};
static const oct_geometry geometries[] = {
    {"raw", "long streams, a sync every 2^20 instructions", ""},
    {"short", "streams of at most 16 instructions, many syncs",
     "stream_insns_max=16,sync_period_insns=1000"},
};

enum {
  INSNS,
  ACCESSES,
  STREAMS,
  TASKS,
  TRAPS,
  SYNCS,
  PACKETS,
  INSN_BITS,
  DATA_BITS,
  SYNC_BITS,
  COUNTERS
};
static const oct_counter counters[] = {
    {"insns", "insns", OCT_GROUP_TRACE, "instructions", "accepted by the tracer"},
    {"accesses", "accesses", OCT_GROUP_TRACE, "accesses", "likewise"},
    {"streams", "streams", OCT_GROUP_TRACE, "streams", "runs of sequential instructions"},
    {"task_switches", "", OCT_GROUP_TRACE, "task switches", ""},
    {"sent_traps", "", OCT_GROUP_TRACE, "traps", "and changes of privilege, sent"},
    {"syncs", "", OCT_GROUP_TRACE, "syncs", "packets at which a decoder may begin"},
    {"packets", "", OCT_GROUP_TRACE, "packets", "of all kinds"},
    {"port_stream_bits", "bits", OCT_GROUP_PORT_INSN, "streams", "stream starts and lengths"},
    {"port_data_bits", "bits", OCT_GROUP_PORT_DATA, "data", "data addresses and terminators"},
    {"port_sync_bits", "bits", OCT_GROUP_PORT_SYNC, "sync", "sync, task, trap and flush packets"},
};
_Static_assert(sizeof counters / sizeof *counters == COUNTERS, "a name for each counter");

/* What holds between two puts; the stream under way is closed by what cannot join it. */
typedef struct raw_state {
  uint64_t counters[COUNTERS];
  uint64_t start, next, stream_insns; /* of the stream under way: addresses, instructions */
  uint64_t until_sync;                /* instructions; 0: a sync is due */
  uint32_t task;
} raw_state;

typedef struct raw_encoder {
  oct_encoder_base base;
  uint32_t params[OCT_RAW_PARAMS];
  raw_state s;
  oct_buffer data; /* of the stream under way */
} raw_encoder;

static int init(void *encoder, const uint32_t *values, oct_diag *diag) {
  raw_encoder *e = encoder;
  (void)diag;
  memcpy(e->params, values, sizeof e->params);
  return 0;
}

static int create(const uint32_t *values, const oct_run_options *run, void **out, oct_diag *diag) {
  return oct_encoder_base_create(&oct_tracer_raw, sizeof(raw_encoder), init, values, run, out,
                                 diag);
}

static void destroy(void *encoder) {
  raw_encoder *e = encoder;
  if (e) oct_buffer_free(&e->data);
  oct_encoder_base_destroy(e);
}

/* Up to three numbers and a mark before them, accounted to a counter of bits. */
static int put_packet(raw_encoder *e, bool is_sync, const uint64_t *numbers, unsigned n,
                      unsigned counter) {
  uint8_t *begin = oct_buffer_room(&e->base.out, OCT_RAW_SYNC_BYTES + 1 + 3 * OCT_LEB128_MAX);
  uint8_t *p = begin;
  if (!p) return OCT_ERR_NOMEM;
  if (is_sync) {
    memset(p, 0xff, OCT_RAW_SYNC_BYTES);
    p[OCT_RAW_SYNC_BYTES] = 0;
    p += OCT_RAW_SYNC_BYTES + 1;
  }
  for (unsigned i = 0; i < n; i++) p = oct_leb128_put(p, numbers[i]);
  e->base.out.n_bytes += (size_t)(p - begin);
  e->s.counters[counter] += 8 * (uint64_t)(p - begin);
  e->s.counters[PACKETS]++;
  return 0;
}

static int put_numbers(raw_encoder *e, bool is_sync, uint64_t a, uint64_t b, unsigned n,
                       unsigned counter) {
  return put_packet(e, is_sync, (const uint64_t[]){a, b}, n, counter);
}

static int close_stream(raw_encoder *e) {
  raw_state *s = &e->s;
  if (!s->stream_insns) return 0;
  int error = put_numbers(e, false, s->stream_insns << 2 | OCT_RAW_STREAM, s->start, 2, INSN_BITS);
  if (!error) error = oct_buffer_put(&e->base.out, e->data.bytes, e->data.n_bytes);
  s->counters[DATA_BITS] += 8 * e->data.n_bytes;
  s->counters[STREAMS]++;
  e->data.n_bytes = 0;
  s->stream_insns = 0;
  return error;
}

/* What stands before an instruction that does not join the stream under way. */
static int begin_stream(raw_encoder *e, const oct_insn *insn) {
  raw_state *s = &e->s;
  int error = close_stream(e);
  if (!s->until_sync && !error) {
    error = put_numbers(e, true, e->base.insn, insn->task, 2, SYNC_BITS);
    s->counters[SYNCS]++;
    uint32_t period = e->params[OCT_RAW_PARAM_SYNC_PERIOD];
    s->until_sync = period ? period : UINT64_MAX;
  } else if (insn->task != s->task && !error) {
    error = put_numbers(e, false, (uint64_t)insn->task << 2 | OCT_RAW_TASK, 0, 1, SYNC_BITS);
    s->counters[TASKS]++;
  }
  s->task = insn->task;
  s->start = insn->addr;
  return error;
}

static int put_accesses(raw_encoder *e, const oct_insn *insn, const oct_access *accesses) {
  uint8_t *begin = oct_buffer_room(&e->data, (insn->n_access + (size_t)1) * OCT_LEB128_MAX);
  uint8_t *p = begin;
  if (!p) return OCT_ERR_NOMEM;
  for (unsigned k = 0; k < insn->n_access; k++) p = oct_leb128_put(p, accesses[k].addr);
  if (insn->flags & OCT_INSN_END) {
    *p++ = OCT_RAW_END_0;
    *p++ = OCT_RAW_END_1;
  }
  e->data.n_bytes += (size_t)(p - begin);
  return 0;
}

static int put_trap(raw_encoder *e, const oct_trap *trap) {
  const uint64_t head = (uint64_t)trap->cause << OCT_RAW_TRAP_PRIVILEGE_BITS | trap->privilege;
  const uint64_t numbers[] = {(head << OCT_RAW_TRAP_KIND_BITS | trap->kind) << 2 | OCT_RAW_TRAP,
                              trap->addr, trap->tval};
  static const uint8_t n[] = {
      [OCT_TRAP_EXCEPTION] = 3, [OCT_TRAP_INTERRUPT] = 2, [OCT_TRAP_PRIVILEGE] = 1};
  int error = close_stream(e);
  e->s.counters[TRAPS]++;
  return error ? error : put_packet(e, false, numbers, n[trap->kind], SYNC_BITS);
}

static int put(void *encoder, const oct_tracer_input *in, oct_diag *diag) {
  raw_encoder *e = encoder;
  raw_state *s = &e->s;
  const oct_access *accesses = in->accesses;
  size_t t = 0;
  int error = oct_tracer_check_traps(in, diag);
  if (error) return error;
  for (size_t i = 0; i <= in->n_insns && !error; i++) {
    const oct_insn *insn = &in->insns[i];
    for (; e->params[OCT_RAW_PARAM_TRAPS] && t < in->n_traps && in->traps[t].insn <= i && !error;
         t++)
      error = put_trap(e, &in->traps[t]);
    if (i == in->n_insns || error) break;
    if (!s->stream_insns || insn->addr != s->next || insn->task != s->task || !s->until_sync ||
        s->stream_insns == e->params[OCT_RAW_PARAM_STREAM_INSNS])
      error = begin_stream(e, insn);
    s->stream_insns++;
    s->until_sync--;
    s->next = insn->addr + insn->size_bytes;
    e->base.insn++;
    s->counters[ACCESSES] += insn->n_access;
    if (!error && (insn->n_access || (insn->flags & OCT_INSN_END)))
      error = put_accesses(e, insn, accesses);
    accesses += insn->n_access;
  }
  return error ? oct_fail(diag, error, "out of memory") : 0;
}

static int flush(void *encoder, oct_diag *diag) {
  raw_encoder *e = encoder;
  int error = close_stream(e);
  if (!error) error = put_numbers(e, false, OCT_RAW_FLUSH, 0, 1, SYNC_BITS);
  return error ? oct_fail(diag, error, "out of memory") : 0;
}

static void get_counters(const void *encoder, uint64_t *values) {
  const raw_encoder *e = encoder;
  memcpy(values, e->s.counters, sizeof e->s.counters);
  values[INSNS] = e->base.insn;
}

static uint32_t stream_insns_max(const uint32_t *values) {
  return values[OCT_RAW_PARAM_STREAM_INSNS];
}

static int decoder_create(const uint32_t *params, oct_decoder_start start, void **d,
                          oct_diag *diag) {
  return oct_raw_decoder_create(&oct_tracer_raw, params, start, d, diag);
}

const oct_tracer oct_tracer_raw = {
    .stream_insns_max = stream_insns_max,
    .name = "raw",
    .text = "every stream and every data address in full, nothing predicted",
    .version = 1,
    .carries_data = true,
    .trap_parts = OCT_TRAPS_ALL,
    .params = params,
    .n_params = OCT_RAW_PARAMS,
    .geometries = geometries,
    .n_geometries = sizeof geometries / sizeof *geometries,
    .counters = counters,
    .n_counters = COUNTERS,
    .encoder =
        {
            .create = create,
            .destroy = destroy,
            .put = put,
            .flush = flush,
            .take = oct_encoder_base_take,
            .counters = get_counters,
        },
    .decoder =
        {
            .create = decoder_create,
            .destroy = oct_decoder_base_destroy,
            .map = oct_decoder_base_map,
            .push = oct_decoder_base_push,
            .finish = oct_decoder_base_finish,
            .next = oct_raw_decoder_next,
            .resync = oct_raw_decoder_resync,
            .counts = oct_decoder_base_counts,
            .behind_gap = oct_decoder_base_behind_gap,
        },
    .packets =
        {
            .create = decoder_create,
            .destroy = oct_decoder_base_destroy,
            .push = oct_decoder_base_push,
            .finish = oct_decoder_base_finish,
            .next = oct_raw_packets_next,
            .map = oct_decoder_base_map,
        },
};
