/* SPDX-License-Identifier: Apache-2.0 */
/* vectors.c - holds encoder, decoder and listing of a tracer to golden vectors, or makes those
 * (README.md).
 *
 * Usage: vectors FILE...            compare; tells the first difference of each file
 *        vectors --update FILE...   write the sections map, bytes and packets anew
 *
 * The encoder is given the events and must make the bytes and the map. The decoder is given the
 * bytes and the map as the file has them and must give the events. The listing is given the bytes
 * and must give the packets, of `paper` from the next sync, too. All files together must have every
 * packet of the format of `paper` and every index and replacement function of it; of the formats of
 * chips every packet, and every parameter at a value that is not its default. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "octrace/container.h"
#include "oct_packets.h"
#include "vector.h"

enum { ALL_FOUR = 0xF };

static uint32_t kinds_seen, index_fns_seen, repls_seen;

/* What packets of the formats of chips must have, in the text of a listing. */
static const struct {
  const char *tracer, *text;
} wanted[] = {
    {"etrace", "branch_fmt=2"},
    {"etrace", "branch_fmt=3"},
    {"etrace", "branch_fmt=0"},
    {"etrace", "format 0: format=0 index="},
    {"etrace", "format 0: format=0 subformat=0"},
    {"etrace", "format 0: format=0 subformat=1"},
    {"etrace", "format=1 branches=0 "},
    {"etrace", "format=1 branches=1 "},
    {"etrace", "format=1 branches=2 "},
    {"etrace", "format=1 branches=4 "},
    {"etrace", "format=1 branches=8 "},
    {"etrace", "format=1 branches=16 "},
    {"etrace", "format 2: format=2 "},
    {"etrace", "format=3 subformat=0"},
    {"etrace", "format=3 subformat=1"},
    {"etrace", "thaddr=0"},
    {"etrace", "subformat=3 ienable=1"},
    {"etrace", "qual_status=1"},
    {"etrace", "data: format=0 size=2"},
    {"etrace", "data: format=1 "},
    {"etrace", "data: format=2 "},
    {"etrace", "data: format=3 "},
    {"etrace", "subtype=0"},
    {"etrace", "subtype=7"},
    {"etrace", "diff=1"},
    {"ntrace", "ProgTraceSync:"},
    {"ntrace", "IndirectBranchHistSync:"},
    {"ntrace", "IndirectBranchSync:"},
    {"ntrace", "DirectBranchSync:"},
    {"ntrace", "IndirectBranchHist:"},
    {"ntrace", "IndirectBranch:"},
    {"ntrace", "DirectBranch:"},
    {"ntrace", "ResourceFull: TCODE=27 RCODE=0"},
    {"ntrace", "ResourceFull: TCODE=27 RCODE=1"},
    {"ntrace", "ResourceFull: TCODE=27 RCODE=2"},
    {"ntrace", "RepeatBranch:"},
    {"ntrace", "Ownership:"},
    {"ntrace", "ProgTraceCorrelation: TCODE=33 EVCODE=4 CDF=0"},
    {"ntrace", "CDF=1"},
    {"ntrace", "Count (vendor):"},
    {"ntrace", "B-TYPE=1"},
    {"ntrace", "TSTAMP="},
    {"intel-pt", "PSB:"},
    {"intel-pt", "PSBEND:"},
    {"intel-pt", "TSC:"},
    {"intel-pt", "TMA:"},
    {"intel-pt", "MTC:"},
    {"intel-pt", "OVF:"},
    {"intel-pt", "MNT:"},
    {"intel-pt", "PIP:"},
    {"intel-pt", "MODE:"},
    {"intel-pt", "TNT:"},
    {"intel-pt", "n=47"},
    {"intel-pt", "TIP: ipc=1"},
    {"intel-pt", "TIP: ipc=2"},
    {"intel-pt", "TIP: ipc=3"},
    {"intel-pt", "TIP: ipc=6"},
    {"intel-pt", "TIP.PGE:"},
    {"intel-pt", "TIP.PGD:"},
    {"intel-pt", "FUP:"},
    {"intel-pt", "CYC:"},
    {"etmv4", "A-Sync:"},
    {"etmv4", "Trace Info:"},
    {"etmv4", "Trace On:"},
    {"etmv4", "Timestamp:"},
    {"etmv4", "Address with Context:"},
    {"etmv4", "is=1 context="},
    {"etmv4", "8 - Cycle Count: count=1"},
    {"etmv4", "24 - Cycle Count: count="},
    {"etmv4", "8 - Cycle Count:\n"},
    {"etmv4", "Trace Info: threshold=100"},
    {"etmv4", "Exception: type=1\n"},
    {"etmv4", "Exception: type=14"},
    {"etmv4", "8 - Atoms: n=1 "},
    {"etmv4", "8 - Atoms: n=2 "},
    {"etmv4", "8 - Atoms: n=3 "},
    {"etmv4", "8 - Atoms: n=4 atoms=0xa"},
    {"etmv4", "8 - Atoms: n=5 "},
    {"etmv4", "8 - Atoms: n=24 "},
    {"etmv4", "8 - Address:"},
    {"etmv4", "16 - Address:"},
    {"etmv4", "24 - Address:"},
    {"etmv4", "40 - Address:"},
    {"etmv4", "72 - Address:"},
};
static bool found[sizeof wanted / sizeof *wanted];
/* Parameters of these formats that some vector has at another value than the default. */
static const char *const formats[] = {"etrace", "ntrace", "intel-pt", "etmv4"};
enum { FORMATS = sizeof formats / sizeof *formats };
static bool varied[FORMATS][OCT_TRACER_PARAMS_MAX];

static bool is_paper(const vector *v) {
  return !strcmp(v->tracer->name, "paper");
}

static void write_packet(const vector *v, oct_buffer *to, const oct_packet *p) {
  char text[96], insn[24] = "-";
  if (p->insn != UINT64_MAX) snprintf(insn, sizeof insn, "%" PRIu64, p->insn);
  snprintf(text, sizeof text, "%" PRIu64 " %" PRIu64 " %s %s:", p->bit, p->n_bits, insn, p->name);
  vector_put(to, text);
  for (unsigned i = 0; i < p->n_fields; i++) {
    const oct_packet_field *f = &p->fields[i];
    snprintf(text, sizeof text, f->is_hex ? " %s=0x%" PRIx64 : " %s=%" PRIu64, f->name, f->value);
    vector_put(to, text);
  }
  vector_put(to, "\n");
  for (unsigned k = 0; is_paper(v) && k < OCT_PACKET_KINDS; k++)
    if (!strcmp(p->name, oct_packet_name((oct_packet_kind)k))) kinds_seen |= 1u << k;
}

/* ---- Encoder, decoder, listing ---- */

/* The next instruction before which entries of the map or a flush stand, or the end. */
static size_t part_end(const vector *v, size_t from) {
  for (size_t to = from + 1; to < v->n_insns; to++) {
    if (v->flush_before[to]) return to;
    for (size_t i = 0; i < v->n_entries; i++)
      if (v->entry_at[i] == to) return to;
  }
  return v->n_insns;
}

/* Instructions from..to of the vector, whose accesses begin at *access and entries at *entry. */
static int encode_part(vector *v, oct_map_tracker *map, void *e, size_t from, size_t to,
                       size_t *access, size_t *entry, oct_buffer *map_text, oct_diag *diag) {
  const oct_map_update *updates;
  oct_insn insns[INSNS_MAX];
  oct_batch batch = {.insns = v->insns + from,
                     .n_insns = to - from,
                     .accesses = v->accesses + *access,
                     .map = v->entries + *entry};
  for (size_t i = from; i < to; i++) batch.n_accesses += v->insns[i].n_access;
  for (; *entry < v->n_entries && v->entry_at[*entry] == from; ++*entry) batch.n_map++;
  int64_t n = oct_map_track(map, &batch, insns, &updates);
  if (n < 0) return oct_fail(diag, (int)n, "the map");
  static oct_map_update told[UPDATES_MAX];
  if (v->engine == ENGINE_MAPPED) {
    size_t first = 0, n_told = vector_read_map(v, told);
    while (first < n_told && told[first].from_insn < from) first++;
    for (n = 0; first + (size_t)n < n_told && told[first + (size_t)n].from_insn < to;) n++;
    updates = told + first;
  }
  for (int64_t i = 0; i < n; i++) vector_write_update(v, map_text, &updates[i]);
  oct_trap traps[TRAPS_MAX];
  size_t n_traps = 0, end = to == v->n_insns ? to + 1 : to;
  for (size_t i = 0; i < v->n_traps; i++) {
    if (v->traps[i].insn < from || v->traps[i].insn >= end) continue;
    traps[n_traps] = v->traps[i];
    traps[n_traps++].insn -= (uint32_t)from;
  }
  oct_fact facts[FACTS_MAX];
  size_t n_facts = 0;
  for (size_t i = 0; i < v->n_facts; i++) {
    if (v->facts[i].insn < from || v->facts[i].insn >= end) continue;
    facts[n_facts] = v->facts[i];
    facts[n_facts++].insn -= (uint32_t)from;
  }
  const oct_tracer_input in = {.traps = traps,
                               .n_traps = n_traps,
                               .insns = insns,
                               .n_insns = to - from,
                               .accesses = batch.accesses,
                               .n_accesses = batch.n_accesses,
                               .updates = updates,
                               .n_updates = (size_t)n,
                               .facts = facts,
                               .n_facts = n_facts,
                               .values = v->n_values ? v->values : NULL,
                               .n_values = v->n_values};
  memcpy(v->insns + from, insns, (to - from) * sizeof *insns);
  *access += batch.n_accesses;
  return v->tracer->encoder.put(e, &in, diag);
}

static int encode_all(vector *v, void *e, oct_map_tracker *map, oct_buffer *map_text,
                      oct_diag *diag) {
  size_t access = 0, entry = 0;
  int error = 0;
  for (size_t from = 0, to; !error && from < v->n_insns; from = to) {
    to = part_end(v, from);
    if (v->flush_before[from]) error = v->tracer->encoder.flush(e, diag);
    if (!error) error = encode_part(v, map, e, from, to, &access, &entry, map_text, diag);
  }
  return error ? error : v->tracer->encoder.flush(e, diag);
}

static int encode(vector *v, oct_buffer *map_text, oct_buffer *bytes, oct_diag *diag) {
  const oct_run_options run = {.engine = v->engine == ENGINE_CYCLE ? OCT_ENGINE_CYCLE
                                                                   : OCT_ENGINE_UNTIMED};
  oct_map_tracker *map = oct_map_tracker_new();
  void *e = NULL;
  const uint8_t *out;
  int error = v->tracer->encoder.create(v->params, &run, &e, diag);
  if (!error) error = encode_all(v, e, map, map_text, diag);
  if (!error) {
    size_t n = v->tracer->encoder.take(e, &out);
    if (oct_buffer_put(bytes, out, n)) error = oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  }
  v->tracer->encoder.destroy(e);
  oct_map_tracker_free(map);
  return error;
}

static int decode(const vector *v, const oct_buffer *bytes, oct_diag *diag) {
  static oct_map_update updates[UPDATES_MAX];
  size_t n_updates = vector_read_map(v, updates);
  oct_compare *c = oct_compare_new(0);
  oct_decoded run;
  void *d = NULL;
  int got = 0;
  if (!oct_tracer_carries_data(v->tracer, v->params)) oct_compare_without_accesses(c);
  int error = v->tracer->decoder.create(v->params, OCT_START_IN_STEP, &d, diag);
  uint32_t traps = oct_tracer_trap_parts(v->tracer, v->params);
  oct_compare_trap_parts(c, traps);
  if (!error && traps) error = oct_compare_expect_traps(c, v->traps, v->n_traps);
  if (!error && v->n_values) error = oct_compare_expect_values(c, v->values, v->n_values);
  if (!error) error = oct_compare_expect(c, v->insns, v->n_insns, v->accesses);
  if (!error) error = v->tracer->decoder.map(d, updates, n_updates, diag);
  if (!error) error = v->tracer->decoder.push(d, bytes->bytes, bytes->n_bytes, diag);
  if (!error) v->tracer->decoder.finish(d);
  while (!error && (got = v->tracer->decoder.next(d, &run, diag)) > 0)
    error = oct_compare_run(c, &run, diag);
  if (!error) error = got < 0 ? got : oct_compare_end(c, diag);
  v->tracer->decoder.destroy(d);
  oct_compare_free(c);
  return error;
}

/* List the bytes from number `skipped` on; bits are counted from the first byte. *next_sync, which
 * may be NULL, gets where the first packet begins that begins a sync behind byte 0. */
static int list(const vector *v, oct_decoder_start start, const oct_buffer *bytes, size_t skipped,
                oct_buffer *packets, size_t *next_sync, oct_diag *diag) {
  static oct_map_update updates[UPDATES_MAX];
  const oct_tracer_packets *t = &v->tracer->packets;
  oct_packet p;
  void *l = NULL;
  int got = t->create(v->params, start, &l, diag);
  if (!got && t->map) got = t->map(l, updates, vector_read_map(v, updates), diag);
  if (!got) got = t->push(l, bytes->bytes + skipped, bytes->n_bytes - skipped, diag);
  if (!got) t->finish(l);
  if (next_sync) *next_sync = SIZE_MAX;
  while (!got && (got = t->next(l, &p, diag)) > 0) {
    p.bit += 8 * skipped;
    if (next_sync && p.is_sync && p.bit >= 8 && *next_sync == SIZE_MAX)
      *next_sync = packets->n_bytes;
    write_packet(v, packets, &p);
    got = 0;
  }
  t->destroy(l);
  return got;
}

/* The value of a parameter, or none. */
static uint32_t param(const vector *v, const char *name, uint32_t none) {
  int i = oct_tracer_param(v->tracer, name);
  return i < 0 ? none : v->params[i];
}

/* A listing that begins within the first packet has the packets from the next sync on; where there
 * is none it says so. The syncs of E-Trace are found by the null bytes before them, which those
 * at a change of task lack; in frames bits are counted from the first that was found. A sync of
 * `shadow` that keeps its tables is no place to begin. */
static int list_from_next_sync(const vector *v, const oct_buffer *bytes, const oct_buffer *packets,
                               size_t next_sync) {
  oct_buffer tail = {0};
  oct_diag diag = {0};
  int error = list(v, OCT_START_SEARCH, bytes, 1, &tail, NULL, &diag);
  bool is_right = error == OCT_ERR_TRUNCATED && !tail.n_bytes;
  size_t at = packets->n_bytes - tail.n_bytes;
  if (param(v, "encapsulation", 1) == 0)
    is_right = error == OCT_ERR_CONFIG;
  else if (!error && param(v, "frames", 0) == 0)
    is_right = tail.n_bytes && tail.n_bytes <= packets->n_bytes &&
               !memcmp(packets->bytes + at, tail.bytes, tail.n_bytes);
  else if (!error)
    is_right = tail.n_bytes;
  if (param(v, "sync_keeps", 0)) next_sync = SIZE_MAX;
  bool has_marks = oct_tracer_param(v->tracer, "encapsulation") >= 0 || param(v, "frames", 0);
  if (!has_marks && (error ? SIZE_MAX : at) != next_sync) is_right = false;
  oct_buffer_free(&tail);
  return is_right
             ? 0
             : vector_tell(v->path, "the listing from the next sync", oct_diag_line(&diag).text);
}

/* ---- Compare, update ---- */

static int hold(const vector *v, vector_section at, const oct_buffer *got, const char *who) {
  const oct_buffer *want = &v->sections[at];
  if (want->n_bytes == got->n_bytes &&
      (!got->n_bytes || !memcmp(want->bytes, got->bytes, got->n_bytes)))
    return 0;
  vector_tell(v->path, who, vector_section_names[at]);
  fprintf(stderr, "--- wanted\n%.*s--- got\n%.*s", (int)want->n_bytes, (const char *)want->bytes,
          (int)got->n_bytes, (const char *)got->bytes);
  return 1;
}

/* The encoder's map and bytes: written into the vector, or held against it. */
static int take_encoder(vector *v, bool is_update) {
  oct_buffer made[SECTIONS] = {{0}}, bytes = {0};
  oct_diag diag = {0};
  int failed = 0;
  if (encode(v, &made[SECTION_MAP], &bytes, &diag))
    failed = vector_tell(v->path, "encoder", oct_diag_line(&diag).text);
  vector_write_bytes(&made[SECTION_BYTES], &bytes);
  for (int at = SECTION_MAP; at <= SECTION_BYTES && !failed; at++) {
    bool is_made = at >= (int)vector_first_made(v);
    if (is_made && !is_update)
      failed = hold(v, (vector_section)at, &made[at], "the encoder has another section");
    if (is_made && is_update) {
      oct_buffer_free(&v->sections[at]);
      v->sections[at] = made[at];
    } else {
      oct_buffer_free(&made[at]);
    }
  }
  oct_buffer_free(&bytes);
  return failed;
}

/* Listing and decoder, on the bytes that the vector has. */
static int take_receivers(const vector *v, oct_buffer *packets, bool is_update) {
  oct_buffer bytes = {0};
  oct_diag diag = {0};
  int failed = 0;
  vector_read_bytes(v, &bytes);
  if (v->tracer->packets.create) {
    size_t next_sync;
    if (list(v, OCT_START_IN_STEP, &bytes, 0, packets, &next_sync, &diag))
      failed = vector_tell(v->path, "listing", oct_diag_line(&diag).text);
    if (!failed && !is_update)
      failed = hold(v, SECTION_PACKETS, packets, "the listing has another section");
    if (!failed) failed = list_from_next_sync(v, &bytes, packets, next_sync);
  }
  if (!failed && decode(v, &bytes, &diag))
    failed = vector_tell(v->path, "decoder", oct_diag_line(&diag).text);
  oct_buffer_free(&bytes);
  return failed;
}

static void write_section(FILE *f, const char *name, const oct_buffer *text) {
  fprintf(f, "[%s]\n%.*s", name, (int)text->n_bytes, (const char *)text->bytes);
}

static void update(const vector *v, const oct_buffer *packets) {
  FILE *f = fopen(v->path, "w");
  if (!f) vector_die(v->path, "cannot be written", "");
  fprintf(f, "%.*s", (int)v->head.n_bytes, (const char *)v->head.bytes);
  for (int at = vector_first_made(v); at <= SECTION_BYTES; at++)
    write_section(f, vector_section_names[at], &v->sections[at]);
  if (v->tracer->packets.create) write_section(f, "packets", packets);
  if (fclose(f)) vector_die(v->path, "cannot be written", "");
}

/* What of the coverage this vector has. */
static void note_seen(const vector *v, const oct_buffer *packets) {
  if (is_paper(v)) {
    const oct_config cfg = oct_config_of(v->params);
    index_fns_seen |= 1u << cfg.sc_index_fn;
    repls_seen |= 1u << cfg.sc_repl;
  }
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    if (!strcmp(v->tracer->name, wanted[i].tracer) &&
        memmem(packets->bytes, packets->n_bytes, wanted[i].text, strlen(wanted[i].text)))
      found[i] = true;
  for (size_t f = 0; f < FORMATS; f++)
    for (unsigned i = 0; i < v->tracer->n_params && !strcmp(v->tracer->name, formats[f]); i++)
      if (v->params[i] != v->tracer->params[i].def) varied[f][i] = true;
}

static int tell_unseen(void) {
  int failed = 0;
  for (unsigned k = 0; k < OCT_PACKET_KINDS; k++)
    if (!(kinds_seen >> k & 1))
      failed +=
          vector_tell("all files", "no packet of the kind", oct_packet_name((oct_packet_kind)k));
  if (index_fns_seen != ALL_FOUR || repls_seen != ALL_FOUR)
    failed += vector_tell("all files", "an index or a replacement function is missing", "");
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    if (!found[i]) failed += vector_tell(wanted[i].tracer, "no packet that has", wanted[i].text);
  for (size_t f = 0; f < FORMATS; f++) {
    const oct_tracer *t = oct_tracer_find(formats[f]);
    for (unsigned i = 0; i < t->n_params; i++)
      if (!varied[f][i])
        failed += vector_tell(t->name, "a parameter is nowhere varied", t->params[i].name);
  }
  return failed;
}

static int take_vector(vector *v, bool is_update) {
  oct_buffer packets = {0};
  int failed = v->engine == ENGINE_GIVEN ? 0 : take_encoder(v, is_update);
  if (!failed) failed = take_receivers(v, &packets, is_update);
  if (is_update && !failed) update(v, &packets);
  note_seen(v, &packets);
  oct_buffer_free(&packets);
  return failed;
}

int main(int argc, char **argv) {
  int first = 1, failed = 0;
  bool is_update = argc > 1 && !strcmp(argv[1], "--update");
  for (first += is_update; first < argc; first++) {
    vector *v = vector_read(argv[first]);
    if (!v) continue;
    failed += take_vector(v, is_update);
    vector_free(v);
  }
  if (!is_update) failed += tell_unseen();
  return failed ? 1 : 0;
}
