/* SPDX-License-Identifier: Apache-2.0 */
/* vectors.c - holds the encoder, the decoder and the listing of the tracer paper to golden vectors,
 * or makes those (README.md).
 *
 * Usage: vectors FILE...            compare; tells the first difference of each file
 *        vectors --update FILE...   write the sections map, bytes and packets anew
 *
 * The encoder is given the events and must make the bytes and the map. The decoder is given the
 * bytes and the map as the file has them and must give the events. The listing is given the bytes
 * and must give the packets, from the start and from the second sync. All files together must have
 * every packet of the table and every index and replacement function. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oct_buffer.h"
#include "oct_compare.h"
#include "oct_packets.h"
#include "oct_tracer.h"

enum {
  INSNS_MAX = 4096,
  ACCESSES_MAX = 8192,
  UPDATES_MAX = 1024,
  LINE_BYTES = 4096,
  ALL_FOUR = 0xF
};

typedef enum section { PARAMETERS, ENGINE, EVENTS, MAP, BYTES, PACKETS, SECTIONS } section;
static const char *const section_names[] = {"parameters", "engine", "events",
                                            "map",        "bytes",  "packets"};

typedef struct vector {
  const char *path;
  oct_buffer head;               /* the file up to the map */
  oct_buffer sections[SECTIONS]; /* their text, each line with its end */
  uint32_t params[OCT_TRACER_PARAMS_MAX];
  oct_insn insns[INSNS_MAX];
  bool flush_before[INSNS_MAX + 1]; /* a flush stands before this instruction */
  oct_access accesses[ACCESSES_MAX];
  size_t n_insns, n_accesses;
} vector;

static const oct_tracer *tracer;
static uint32_t kinds_seen, index_fns_seen, repls_seen;

static void die(const char *path, const char *what, const char *more) {
  fprintf(stderr, "vectors: %s: %s%s%s\n", path, what, more[0] ? ": " : "", more);
  exit(2);
}

static int tell(const char *path, const char *what, const char *more) {
  fprintf(stderr, "vectors: %s: %s%s%s\n", path, what, more[0] ? ": " : "", more);
  return 1;
}

static void put(oct_buffer *b, const char *text) {
  if (oct_buffer_put(b, (const uint8_t *)text, strlen(text))) die("-", "out of memory", "");
}

/* ---- The file ---- */

/* An instruction, as in the text format of traces: pc[/size] [L4:da ...] [T:task]. */
static void read_insn(vector *v, char *line) {
  char *rest, *word = strtok_r(line, " \n", &rest), *end;
  if (v->n_insns == INSNS_MAX) die(v->path, "too many events", "");
  oct_insn *insn = &v->insns[v->n_insns++];
  *insn = (oct_insn){.addr = strtoull(word, &end, 16), .size_bytes = 4};
  if (*end == '/') insn->size_bytes = (uint8_t)strtoul(end + 1, &end, 10);
  if (*end) die(v->path, "not an instruction", word);
  while ((word = strtok_r(NULL, " \n", &rest))) {
    if (!strncmp(word, "T:", 2)) {
      insn->task = (uint32_t)strtoul(word + 2, &end, 10);
    } else {
      if ((*word != 'L' && *word != 'S') || v->n_accesses == ACCESSES_MAX)
        die(v->path, "not an access", word);
      oct_access *a = &v->accesses[v->n_accesses++];
      a->is_store = *word == 'S';
      a->size_bytes = (uint8_t)strtoul(word + 1, &end, 10);
      if (*end != ':') die(v->path, "not an access", word);
      a->addr = strtoull(end + 1, &end, 16);
      insn->n_access++;
    }
    if (*end) die(v->path, "not a field", word);
  }
}

static void read_event(vector *v, char *line) {
  if (!strcmp(line, "flush\n"))
    v->flush_before[v->n_insns] = true;
  else
    read_insn(v, line);
}

static vector *read_vector(const char *path) {
  char line[LINE_BYTES], settings[LINE_BYTES] = "";
  oct_diag diag = {0};
  int at = -1;
  vector *v = calloc(1, sizeof *v);
  FILE *f = fopen(path, "r");
  if (!v || !f) die(path, "cannot be read", "");
  v->path = path;
  while (fgets(line, sizeof line, f)) {
    if (line[0] == '[') {
      for (at = SECTIONS - 1; at >= 0; at--)
        if (!strncmp(line + 1, section_names[at], strlen(section_names[at]))) break;
      if (at < 0) die(path, "not a section", line);
    } else if (at >= 0) {
      put(&v->sections[at], line);
    }
    if (at < MAP) put(&v->head, line);
    if (line[0] == '[' || line[0] == '#') continue;
    if (at == EVENTS) read_event(v, line);
    if (at == PARAMETERS) memcpy(settings, line, sizeof settings);
  }
  fclose(f);
  settings[strcspn(settings, "\n")] = '\0';
  oct_tracer_defaults(tracer, v->params);
  if (oct_tracer_parse(tracer, settings, v->params, NULL, &diag)) die(path, diag.text, "");
  return v;
}

static void free_vector(vector *v) {
  oct_buffer_free(&v->head);
  for (int i = 0; i < SECTIONS; i++) oct_buffer_free(&v->sections[i]);
  free(v);
}

/* ---- Text of map, bytes and packets ---- */

static void write_update(oct_buffer *to, const oct_map_update *u) {
  char text[64];
  const oct_map_entry *e = &u->entry;
  snprintf(text, sizeof text, "%" PRIu64 " %" PRIx64 "/%u", u->from_insn, e->addr, e->size_bytes);
  put(to, text);
  if (e->flags & OCT_MAP_CONTINUES) {
    snprintf(text, sizeof text, " from:%" PRIu64, e->target);
    put(to, text);
  }
  for (unsigned i = 0; i < e->n_slots && i < OCT_SLOTS_MAX; i++) {
    unsigned size = e->slots[i] & OCT_SLOT_SIZE_MASK;
    snprintf(text, sizeof text, " %c%u", e->slots[i] & OCT_SLOT_STORE ? 'S' : 'L',
             size == OCT_SLOT_SIZE_UNKNOWN ? 0 : 1u << size);
    put(to, text);
  }
  if (e->n_slots > OCT_SLOTS_MAX) {
    snprintf(text, sizeof text, " of:%u", e->n_slots);
    put(to, text);
  }
  put(to, "\n");
}

/* A section as text that the caller frees. */
static char *text_of(const vector *v, section at) {
  const oct_buffer *b = &v->sections[at];
  char *text = calloc(1, b->n_bytes + 1);
  if (!text) die(v->path, "out of memory", "");
  if (b->n_bytes) memcpy(text, b->bytes, b->n_bytes);
  return text;
}

/* The map as the file has it. Returns the number of updates. */
static size_t read_map(const vector *v, oct_map_update *updates) {
  size_t n = 0;
  char *text = text_of(v, MAP), *lines;
  for (char *line = strtok_r(text, "\n", &lines); line; line = strtok_r(NULL, "\n", &lines), n++) {
    char *rest, *end, *word;
    oct_map_update *u = &updates[n];
    if (n == UPDATES_MAX) die(v->path, "too many lines of the map", "");
    *u = (oct_map_update){.from_insn = strtoull(line, &rest, 10)};
    oct_map_entry *e = &u->entry;
    e->addr = strtoull(rest, &end, 16);
    e->size_bytes = (uint8_t)strtoul(end + 1, &rest, 10);
    for (word = strtok_r(rest, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
      if (!strncmp(word, "from:", 5)) {
        e->flags = OCT_MAP_CONTINUES;
        e->target = strtoull(word + 5, NULL, 10);
      } else if (!strncmp(word, "of:", 3)) {
        e->n_slots = (uint8_t)strtoul(word + 3, NULL, 10);
      } else {
        unsigned size = (unsigned)strtoul(word + 1, NULL, 10);
        if (e->n_slots == OCT_SLOTS_MAX) die(v->path, "too many slots", line);
        e->slots[e->n_slots++] =
            (uint8_t)((size ? (unsigned)__builtin_ctz(size) : OCT_SLOT_SIZE_UNKNOWN) |
                      (*word == 'S' ? OCT_SLOT_STORE : 0));
      }
    }
  }
  free(text);
  return n;
}

static void write_bytes(oct_buffer *to, const oct_buffer *bytes) {
  char text[8];
  for (size_t i = 0; i < bytes->n_bytes; i++) {
    snprintf(text, sizeof text, "%02x%s", bytes->bytes[i],
             i % 16 == 15 || i + 1 == bytes->n_bytes ? "\n" : " ");
    put(to, text);
  }
}

static void read_bytes(const vector *v, oct_buffer *to) {
  char *text = text_of(v, BYTES), *rest;
  for (char *word = strtok_r(text, " \n", &rest); word; word = strtok_r(NULL, " \n", &rest)) {
    uint8_t byte = (uint8_t)strtoul(word, NULL, 16);
    if (oct_buffer_put(to, &byte, 1)) die(v->path, "out of memory", "");
  }
  free(text);
}

static void write_packet(oct_buffer *to, const oct_packet *p) {
  char text[96], insn[24] = "-";
  if (p->insn != UINT64_MAX) snprintf(insn, sizeof insn, "%" PRIu64, p->insn);
  snprintf(text, sizeof text, "%" PRIu64 " %" PRIu64 " %s %s:", p->bit, p->n_bits, insn, p->name);
  put(to, text);
  for (unsigned i = 0; i < p->n_fields; i++) {
    const oct_packet_field *f = &p->fields[i];
    snprintf(text, sizeof text, f->is_hex ? " %s=0x%" PRIx64 : " %s=%" PRIu64, f->name, f->value);
    put(to, text);
  }
  put(to, "\n");
  for (unsigned k = 0; k < OCT_PACKET_KINDS; k++)
    if (!strcmp(p->name, oct_packet_name((oct_packet_kind)k))) kinds_seen |= 1u << k;
}

/* ---- Encoder, decoder, listing ---- */

/* Instructions from..to of the vector, whose accesses begin at *access. */
static int encode_part(vector *v, oct_map_tracker *map, void *e, size_t from, size_t to,
                       size_t *access, oct_buffer *map_text, oct_diag *diag) {
  const oct_batch batch = {v->insns + from, to - from, v->accesses + *access, 0, NULL, 0};
  const oct_map_update *updates;
  oct_insn insns[INSNS_MAX];
  size_t n_accesses = 0;
  for (size_t i = from; i < to; i++) n_accesses += v->insns[i].n_access;
  oct_batch whole = batch;
  whole.n_accesses = n_accesses;
  int64_t n = oct_map_track(map, &whole, insns, &updates);
  if (n < 0) return oct_fail(diag, (int)n, "the map");
  for (int64_t i = 0; i < n; i++) write_update(map_text, &updates[i]);
  const oct_tracer_input in = {.insns = insns,
                               .n_insns = to - from,
                               .accesses = whole.accesses,
                               .n_accesses = n_accesses,
                               .updates = updates,
                               .n_updates = (size_t)n};
  memcpy(v->insns + from, insns, (to - from) * sizeof *insns);
  *access += n_accesses;
  int error = tracer->encoder.put(e, &in, diag);
  return error ? error : tracer->encoder.flush(e, diag);
}

static int encode(vector *v, oct_buffer *map_text, oct_buffer *bytes, oct_diag *diag) {
  const oct_buffer *engine = &v->sections[ENGINE];
  bool is_cycle = engine->n_bytes >= 5 && !memcmp(engine->bytes, "cycle", 5);
  const oct_run_options run = {.engine = is_cycle ? OCT_ENGINE_CYCLE : OCT_ENGINE_UNTIMED};
  oct_map_tracker *map = oct_map_tracker_new();
  void *e = NULL;
  const uint8_t *out;
  size_t from = 0, access = 0;
  int error = tracer->encoder.create(v->params, &run, &e, diag);
  for (size_t to = from; !error && to <= v->n_insns; to++) {
    if (to < v->n_insns && !v->flush_before[to]) continue;
    error = encode_part(v, map, e, from, to, &access, map_text, diag);
    from = to;
  }
  if (!error) {
    size_t n = tracer->encoder.take(e, &out);
    if (oct_buffer_put(bytes, out, n)) error = oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  }
  tracer->encoder.destroy(e);
  oct_map_tracker_free(map);
  return error;
}

static int decode(const vector *v, const oct_buffer *bytes, oct_diag *diag) {
  static oct_map_update updates[UPDATES_MAX];
  size_t n_updates = read_map(v, updates);
  oct_compare *c = oct_compare_new(0);
  oct_decoded run;
  void *d = NULL;
  int got = 0;
  int error = tracer->decoder.create(v->params, OCT_START_IN_STEP, &d, diag);
  if (!error) error = oct_compare_expect(c, v->insns, v->n_insns, v->accesses);
  if (!error) error = tracer->decoder.map(d, updates, n_updates, diag);
  if (!error) error = tracer->decoder.push(d, bytes->bytes, bytes->n_bytes, diag);
  if (!error) tracer->decoder.finish(d);
  while (!error && (got = tracer->decoder.next(d, &run, diag)) > 0)
    error = oct_compare_run(c, &run, diag);
  if (!error) error = got < 0 ? got : oct_compare_end(c, diag);
  tracer->decoder.destroy(d);
  oct_compare_free(c);
  return error;
}

/* List the bytes from number `skipped` on; bits are counted from the first byte. */
static int list(const vector *v, oct_decoder_start start, const oct_buffer *bytes, size_t skipped,
                oct_buffer *packets, oct_diag *diag) {
  oct_packet p;
  void *l = NULL;
  int got = tracer->packets.create(v->params, start, &l, diag);
  if (!got) got = tracer->packets.push(l, bytes->bytes + skipped, bytes->n_bytes - skipped, diag);
  if (!got) tracer->packets.finish(l);
  while (!got && (got = tracer->packets.next(l, &p, diag)) > 0) {
    p.bit += 8 * skipped;
    write_packet(packets, &p);
    got = 0;
  }
  tracer->packets.destroy(l);
  return got;
}

/* A listing that begins within the first sync has the packets from the second one on; where there
 * is none it says so. */
static int list_from_second_sync(const vector *v, const oct_buffer *bytes,
                                 const oct_buffer *packets) {
  oct_buffer tail = {0};
  oct_diag diag = {0};
  size_t at = 0;
  for (unsigned syncs = 0; at < packets->n_bytes; at++) {
    const uint8_t *line = packets->bytes + at, *end = memchr(line, '\n', packets->n_bytes - at);
    syncs += memmem(line, (size_t)(end - line), " sync:", 6) != NULL;
    if (syncs == 2) break;
    at += (size_t)(end - line);
  }
  int error = list(v, OCT_START_SEARCH, bytes, 1, &tail, &diag);
  bool is_right = at < packets->n_bytes ? !error && tail.n_bytes == packets->n_bytes - at &&
                                              !memcmp(tail.bytes, packets->bytes + at, tail.n_bytes)
                                        : error == OCT_ERR_TRUNCATED;
  oct_buffer_free(&tail);
  return is_right ? 0 : tell(v->path, "the listing from the second sync", diag.text);
}

/* ---- Compare, update ---- */

static int hold(const vector *v, section at, const oct_buffer *got, const char *who) {
  const oct_buffer *want = &v->sections[at];
  if (want->n_bytes == got->n_bytes &&
      (!got->n_bytes || !memcmp(want->bytes, got->bytes, got->n_bytes)))
    return 0;
  tell(v->path, who, section_names[at]);
  fprintf(stderr, "--- wanted\n%.*s--- got\n%.*s", (int)want->n_bytes, (const char *)want->bytes,
          (int)got->n_bytes, (const char *)got->bytes);
  return 1;
}

static int take_vector(vector *v, bool is_update) {
  oct_buffer map = {0}, bytes = {0}, hex = {0}, packets = {0}, given = {0};
  oct_diag diag = {0};
  int failed = 0;
  if (encode(v, &map, &bytes, &diag)) failed = tell(v->path, "encoder", diag.text);
  write_bytes(&hex, &bytes);
  if (is_update && !failed) {
    v->sections[MAP].n_bytes = v->sections[BYTES].n_bytes = 0;
    oct_buffer_put(&v->sections[MAP], map.bytes, map.n_bytes);
    oct_buffer_put(&v->sections[BYTES], hex.bytes, hex.n_bytes);
  }
  read_bytes(v, &given);
  if (!failed) failed = hold(v, MAP, &map, "the encoder has another section");
  if (!failed) failed = hold(v, BYTES, &hex, "the encoder has another section");
  if (!failed && list(v, OCT_START_IN_STEP, &given, 0, &packets, &diag))
    failed = tell(v->path, "listing", diag.text);
  if (!failed && !is_update) failed = hold(v, PACKETS, &packets, "the listing has another section");
  if (!failed) failed = list_from_second_sync(v, &given, &packets);
  if (!failed && decode(v, &given, &diag)) failed = tell(v->path, "decoder", diag.text);
  if (is_update && !failed) {
    FILE *f = fopen(v->path, "w");
    if (!f) die(v->path, "cannot be written", "");
    fprintf(f, "%.*s[map]\n%.*s[bytes]\n%.*s[packets]\n%.*s", (int)v->head.n_bytes,
            (const char *)v->head.bytes, (int)map.n_bytes, (const char *)map.bytes,
            (int)hex.n_bytes, (const char *)hex.bytes, (int)packets.n_bytes,
            (const char *)packets.bytes);
    if (fclose(f)) die(v->path, "cannot be written", "");
  }
  const oct_config *cfg = (const oct_config *)v->params;
  index_fns_seen |= 1u << cfg->sc_index_fn;
  repls_seen |= 1u << cfg->sc_repl;
  oct_buffer *all[] = {&map, &bytes, &hex, &packets, &given};
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) oct_buffer_free(all[i]);
  return failed;
}

int main(int argc, char **argv) {
  int first = 1, failed = 0;
  bool is_update = argc > 1 && !strcmp(argv[1], "--update");
  tracer = oct_tracer_find("paper");
  for (first += is_update; first < argc; first++) {
    vector *v = read_vector(argv[first]);
    failed += take_vector(v, is_update);
    free_vector(v);
  }
  for (unsigned k = 0; k < OCT_PACKET_KINDS; k++)
    if (!(kinds_seen >> k & 1))
      failed += tell("all files", "no packet of the kind", oct_packet_name((oct_packet_kind)k));
  if (index_fns_seen != ALL_FOUR || repls_seen != ALL_FOUR)
    failed += tell("all files", "an index or a replacement function is missing", "");
  return failed ? 1 : 0;
}
