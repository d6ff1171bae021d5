/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_packets.c - octrace packets: the port stream of a container, packet by packet. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "oct_cli.h"
#include "octrace/container.h"

const char oct_help_packets[] =
    "Usage: octrace packets [OPTION...] FILE.octp\n"
    "List the port stream of a compressed file packet by packet: the bit at which it begins, its\n"
    "length in bits, the number of the next instruction if known, its name, its fields,\n"
    "and its meaning. A damaged stream is listed up to the damage.\n\n"
    "      --from-sync N   begin at sync number N, counted from 0\n"
    "      --elf FILE[@BIAS]  the program of a file that was made with --program-apart; once more\n"
    "                      for each library (only the tracer raw needs it)\n"
    "      --max-map N     accept a program map of up to N updates (default 4194304)\n"
    "      --json          an array with an object for each packet\n" OCT_READ_EXIT_HELP;

enum { OPT_FROM_SYNC = OCT_OPT_OWN };

typedef struct listing {
  const oct_tracer *tracer;
  void *packets;
  bool json;
  uint64_t from_sync, n_syncs; /* n_syncs: read so far */
  uint64_t n_listed;
} listing;

static void print_value(const oct_packet_field *f, bool json) {
  if (!f->is_hex)
    printf("%" PRIu64, f->value);
  else
    printf(json ? "\"0x%" PRIx64 "\"" : "0x%" PRIx64, f->value);
}

static void print_text(const oct_packet *p) {
  char insn[24] = "-";
  if (p->insn != UINT64_MAX) snprintf(insn, sizeof insn, "%" PRIu64, p->insn);
  printf("%10" PRIu64 " %4" PRIu64 " %9s  %-15s", p->bit, p->n_bits, insn, p->name);
  for (unsigned i = 0; i < p->n_fields; i++) {
    printf(" %s=", p->fields[i].name);
    print_value(&p->fields[i], false);
  }
  printf("%s%s\n", p->text[0] ? "  ; " : "", p->text);
}

/* Names and texts are constants of the tracers, without characters that JSON minds. */
static void print_json(const oct_packet *p, bool is_first) {
  printf("%s{\"bit\":%" PRIu64 ",\"bits\":%" PRIu64 ",\"instruction\":", is_first ? "" : ",\n",
         p->bit, p->n_bits);
  if (p->insn == UINT64_MAX)
    printf("null");
  else
    printf("%" PRIu64, p->insn);
  printf(",\"packet\":\"%s\",\"sync\":%s,\"fields\":[", p->name, p->is_sync ? "true" : "false");
  for (unsigned i = 0; i < p->n_fields; i++) {
    const oct_packet_field *f = &p->fields[i];
    printf("%s{\"name\":\"%s\",\"bits\":%" PRIu32 ",\"value\":", i ? "," : "", f->name,
           f->width_bits);
    print_value(f, true);
    putchar('}');
  }
  printf("],\"text\":\"%s\"}", p->text);
}

/* List all packets that are there. 0 or an error. */
static int list_packets(listing *l, oct_diag *diag) {
  oct_packet p;
  int got;
  while ((got = l->tracer->packets.next(l->packets, &p, diag)) > 0) {
    l->n_syncs += p.is_sync;
    if (l->from_sync && l->n_syncs <= l->from_sync) continue;
    if (l->json)
      print_json(&p, l->n_listed == 0);
    else
      print_text(&p);
    l->n_listed++;
    if (ferror(stdout)) return 0; /* told at the end */
  }
  return got;
}

/* Feed the port bytes of the container to the listing. 0 or an error. */
static int list_container(listing *l, oct_container_reader *r, oct_diag *diag) {
  const oct_tracer_packets *t = &l->tracer->packets;
  oct_chunk chunk;
  int got;
  while (!ferror(stdout) && (got = oct_container_next(r, &chunk, diag)) != 0) {
    if (got < 0) return got;
    if (chunk.kind == OCT_CHUNK_MAP && t->map &&
        (got = t->map(l->packets, chunk.updates, chunk.n_updates, diag)))
      return got;
    if (chunk.kind != OCT_CHUNK_BITS) continue;
    if ((got = t->push(l->packets, chunk.bytes, chunk.n_bytes, diag))) return got;
    if ((got = list_packets(l, diag))) return got;
  }
  t->finish(l->packets);
  if ((got = list_packets(l, diag))) return got;
  if (ferror(stdout) || !l->from_sync || l->n_syncs > l->from_sync) return 0;
  return l->n_syncs
             ? oct_fail(diag, OCT_ERR_ARG, "sync %" PRIu64 ": expected 0 to %" PRIu64, l->from_sync,
                        l->n_syncs - 1)
             : oct_fail(diag, OCT_ERR_ARG, "sync %" PRIu64 ": the stream has none", l->from_sync);
}

static int list_file(const char *path, uint64_t from_sync, const oct_read_options *read,
                     bool json) {
  listing l = {.json = json, .from_sync = from_sync};
  oct_container_reader *r;
  oct_diag diag = {0};
  if (oct_container_open(path, &r, &diag) < 0) return oct_cli_diag(path, &diag);
  oct_container_limit_map(r, read->map_max);
  l.tracer = oct_container_tracer(r);
  if (!l.tracer->packets.create) {
    oct_container_close(r);
    return oct_cli_error(OCT_EXIT_USAGE,
                         "packets: %s is of the tracer %s, whose packets cannot be listed", path,
                         l.tracer->name);
  }
  oct_program *program = NULL;
  int error = oct_cli_program(read, &program, &diag);
  if (!error && (program || l.tracer->packets.map))
    error = oct_container_give_program(r, program, &diag);
  if (!error)
    error = l.tracer->packets.create(oct_container_params(r), OCT_START_IN_STEP, &l.packets, &diag);
  if (!error) {
    if (json) putchar('[');
    error = list_container(&l, r, &diag);
    if (json) puts("]");
    l.tracer->packets.destroy(l.packets);
  }
  oct_container_close(r);
  oct_program_close(program);
  return error ? oct_cli_diag(path, &diag) : OCT_EXIT_OK;
}

int oct_cmd_packets(int argc, char **argv) {
  static const struct option options[] = {{"from-sync", required_argument, NULL, OPT_FROM_SYNC},
                                          {"max-map", required_argument, NULL, OCT_OPT_MAX_MAP},
                                          {"elf", required_argument, NULL, OCT_OPT_ELF},
                                          {"json", no_argument, NULL, OCT_OPT_JSON},
                                          {NULL, 0, NULL, 0}};
  oct_read_options read = {0};
  uint64_t from_sync = 0;
  bool json = false;
  int c;
  while ((c = oct_cli_getopt("packets", argc, argv, "", options)) != -1) {
    if (c == OCT_OPT_JSON) {
      json = true;
    } else if (c != OPT_FROM_SYNC) {
      int code = oct_cli_read_arg(&read, "packets", c, optarg);
      if (code) return code;
    } else if (oct_cli_range("packets", "--from-sync", optarg, 0, UINT64_MAX, &from_sync)) {
      return OCT_EXIT_USAGE;
    }
  }
  if (optind + 1 != argc) return oct_cli_usage("packets", "one compressed file is needed");
  return list_file(argv[optind], from_sync, &read, json);
}
