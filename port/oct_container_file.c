/* SPDX-License-Identifier: Apache-2.0 */
/* oct_container_file.c - a compressed file of a tracer (.octp) as a trace.
 *
 * The player decodes, and each batch has the entries of the program map that hold from its first
 * instruction on. The file numbers the instruction from which an entry holds, so that entries wait
 * until it comes. Where an entry replaces one that the batch at hand has used, the batch ends
 * first. Losses of the tracer are gaps. Damage ends the trace, or is counted where the reader goes
 * on. The parameter from_sync=N leaves out what stands before that sync. */
#include "octrace/container.h"
#include "oct_container_reader.h"
#include "oct_grow.h"
#include "oct_reader_format.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct container_file {
  oct_player player;
  bool is_open, has_begun, is_begun; /* begun: the player; with instructions */
  /* changes of the map that wait for their instruction */
  oct_map_update *waiting;
  size_t n_waiting, next_waiting, room_waiting;
  oct_map_entry *entries; /* those at hand: one, and those that continue it */
  size_t room_entries;
  /* the run that is being handed out, from instruction number `at` of it on */
  oct_decoded run;
  bool has_run;
  size_t at, at_access, at_trap, at_fact;
  oct_gap gap;     /* behind the run, if it says so */
  oct_gaps met;    /* likewise */
  size_t next_gap; /* of the player's, the next one */
} container_file;

static ssize_t read_input(void *cookie, char *bytes, size_t n) {
  oct_reader *r = cookie;
  int64_t got = oct_input_read(r->in, bytes, n, &r->error);
  return got < 0 ? -1 : (ssize_t)got;
}

static int seek_input(void *cookie, off64_t *offset, int whence) {
  oct_reader *r = cookie;
  oct_diag ignored;
  if (whence == SEEK_CUR) *offset += (off64_t)oct_input_offset(r->in);
  if (whence == SEEK_END || !oct_input_can_seek(r->in)) return -1;
  return oct_input_seek(r->in, (uint64_t)*offset, &ignored) ? -1 : 0;
}

static int keep_updates(void *context, const oct_map_update *updates, size_t n, oct_diag *diag) {
  container_file *s = context;
  oct_map_update *p = oct_grown(s->waiting, &s->room_waiting, s->n_waiting + n, sizeof *p);
  if (!p) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  s->waiting = p;
  memcpy(s->waiting + s->n_waiting, updates, n * sizeof *updates);
  s->n_waiting += n;
  return 0;
}

static int container_open(oct_reader *r, oct_diag *diag) {
  static const cookie_io_functions_t functions = {.read = read_input, .seek = seek_input};
  const oct_replay_options how = {.ends_at_damage = !r->options->goes_on,
                                  .is_unconfirmed = r->options->is_unconfirmed != 0};
  container_file *s = r->state = calloc(1, sizeof *s);
  uint64_t from_sync = r->options->from_sync;
  FILE *stream = s ? fopencookie(r, "r", functions) : NULL;
  if (!stream) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
  oct_container_reader *reader;
  int rc = oct_container_open_stream(stream, oct_input_name(r->in), oct_input_bytes_total(r->in),
                                     &reader, diag);
  if (rc) return rc;
  size_t n_images;
  oct_container_images(reader, &n_images);
  const oct_reader_number number = {"from_sync", UINT64_MAX, &from_sync};
  rc = oct_reader_numbers(r, &number, 1, diag);
  if (rc) {
    oct_container_close(reader);
    return rc;
  }
  rc = oct_player_start(&s->player, reader, from_sync, r->map_max, n_images ? r->program : NULL,
                        &how, diag);
  if (rc) return rc;
  s->is_open = true;
  s->player.salvage = r->options->goes_on == 1;
  if ((rc = oct_player_tell_map(&s->player, keep_updates, s, diag))) return rc;
  const oct_container_info *info = oct_container_get_info(reader);
  const int bits = oct_tracer_role(s->player.tracer, OCT_ROLE_ADDR_BITS);
  r->info.addr_bits = info->addr_bits                                       ? info->addr_bits
                      : bits < 0 || oct_container_params(reader)[bits] > 32 ? 64
                                                                            : 32;
  r->info.insn_align_bytes = info->insn_align_bytes ? info->insn_align_bytes : 1;
  rc = oct_reader_keep(r, &r->isa, info->isa, strlen(info->isa), diag);
  if (!rc) rc = oct_reader_keep(r, &r->origin, info->origin, strlen(info->origin), diag);
  if (!rc) rc = oct_reader_keep(r, &r->command, info->command, strlen(info->command), diag);
  for (size_t i = 0; !rc && i < info->n_modules; i++)
    rc = oct_reader_add_module(r, &info->modules[i], strlen(info->modules[i].path), diag);
  if (rc) return rc;
  r->info.isa = r->isa;
  r->info.origin = r->origin;
  r->info.command = r->command;
  r->tells_map = 1;
  return 0;
}

/* Changes of the map from number `at` on that are an entry and what continues it. */
static size_t count_continued(const container_file *s, size_t at) {
  size_t n = 1;
  while (at + n < s->n_waiting && s->waiting[at + n].entry.flags & OCT_MAP_CONTINUES) n++;
  return n;
}

/* Tell of what holds from instruction number n on. 1 when the batch must be handed out first. */
static int tell_map(oct_reader *r, uint64_t n, oct_diag *diag) {
  container_file *s = r->state;
  while (s->next_waiting < s->n_waiting && s->waiting[s->next_waiting].from_insn <= n) {
    const size_t n_entries = count_continued(s, s->next_waiting);
    oct_map_entry *entries = oct_grown(s->entries, &s->room_entries, n_entries, sizeof *entries);
    if (!entries) return oct_fail(diag, OCT_ERR_NOMEM, "out of memory");
    s->entries = entries;
    for (size_t i = 0; i < n_entries; i++) entries[i] = s->waiting[s->next_waiting + i].entry;
    int rc = oct_reader_describe_all(r, entries, n_entries, diag);
    if (rc) return rc;
    s->next_waiting += n_entries;
  }
  s->waiting = oct_queue_left(s->waiting, &s->room_waiting, &s->next_waiting, &s->n_waiting,
                              sizeof *s->waiting);
  if (s->next_waiting == s->n_waiting) s->next_waiting = s->n_waiting = 0;
  return 0;
}

/* The values of n accesses of a run that are in the batch. */
static int take_values(oct_reader *r, const oct_batch *b, oct_access *accesses, unsigned n,
                       oct_diag *diag) {
  for (unsigned k = 0; k < n; k++) {
    const uint8_t *value = oct_value_of(b, accesses[k].value);
    accesses[k].value = 0;
    int rc = value
                 ? oct_reader_add_value(r, value, accesses[k].size_bytes, &accesses[k].value, diag)
                 : 0;
    if (rc) return rc;
  }
  return 0;
}

/* Tell of the gaps of the trace that was encoded before instruction number n. */
static int tell_gaps(oct_reader *r, uint64_t n, oct_diag *diag) {
  container_file *s = r->state;
  oct_player *p = &s->player;
  int rc = 0;
  while (!rc && s->next_gap < p->n_gaps && p->gaps[s->next_gap].insn <= n) {
    const oct_told_gap *g = &p->gaps[s->next_gap++];
    const uint64_t lost[] = {g->lost_insns, g->lost_accesses};
    rc = oct_reader_add_gap(r, g->cause, g->addr, lost, diag);
  }
  if (s->next_gap == p->n_gaps) s->next_gap = p->n_gaps = 0;
  return rc;
}

/* Append what is left of the run: 0 when all of it is in the batch, 1 when the batch is full. */
static int take_run(oct_reader *r, oct_diag *diag) {
  container_file *s = r->state;
  const oct_batch *b = &s->run.batch;
  int rc = 0;
  for (; s->at < b->n_insns; s->at++) {
    const oct_insn *from = &b->insns[s->at];
    if (oct_reader_is_full(r, 1)) return 1;
    for (; s->at_trap < b->n_traps && b->traps[s->at_trap].insn <= s->at; s->at_trap++)
      if ((rc = oct_reader_add_trap(r, &b->traps[s->at_trap], diag))) return rc;
    for (; s->at_fact < b->n_facts && b->facts[s->at_fact].insn <= s->at; s->at_fact++)
      if ((rc = oct_reader_add_fact(r, &b->facts[s->at_fact],
                                    oct_value_of(b, b->facts[s->at_fact].value), diag)))
        return rc;
    if ((rc = tell_gaps(r, s->run.first_insn + s->at, diag))) return rc;
    if ((rc = tell_map(r, s->run.first_insn + s->at, diag)) ||
        (rc = oct_reader_room_accesses(r, r->n_accesses + from->n_access, diag)))
      return rc;
    oct_insn *insn = oct_reader_add_insn(r, from->addr, from->size_bytes);
    insn->task = from->task;
    insn->n_access = from->n_access;
    insn->cycle = from->cycle;
    insn->flags |= from->flags & OCT_INSN_HAS_CYCLE;
    if (from->n_access)
      memcpy(r->accesses + r->n_accesses, b->accesses + s->at_access,
             from->n_access * sizeof *b->accesses);
    if ((rc = take_values(r, b, r->accesses + r->n_accesses, from->n_access, diag))) return rc;
    r->n_accesses += from->n_access;
    s->at_access += from->n_access;
  }
  for (; !rc && s->at_trap < b->n_traps; s->at_trap++)
    rc = oct_reader_add_trap(r, &b->traps[s->at_trap], diag);
  for (; !rc && s->at_fact < b->n_facts; s->at_fact++)
    rc = oct_reader_add_fact(r, &b->facts[s->at_fact], oct_value_of(b, b->facts[s->at_fact].value),
                             diag);
  s->has_run = false;
  if (s->run.is_gap) oct_reader_meet(r, &s->met, &s->gap);
  return rc;
}

/* A file of which only a part is read: what stands before its first run is left out. */
static void begin_part(oct_reader *r) {
  container_file *s = r->state;
  oct_player *p = &s->player;
  s->is_begun = true;
  while (s->next_gap < p->n_gaps && p->gaps[s->next_gap].insn < s->run.first_insn) s->next_gap++;
  if (!r->n_before && p->is_part) r->n_before = s->run.first_insn;
}

static int container_fill(oct_reader *r, oct_diag *diag) {
  container_file *s = r->state;
  if (!s->has_begun && r->n_skip && oct_input_can_seek(r->in)) {
    oct_diag why = {0};
    uint64_t n_passed;
    int rc = oct_player_seek(&s->player, r->n_skip, &n_passed, &why);
    if (rc) return oct_diag_pass(diag, &why, rc);
    r->n_skip -= n_passed;
  }
  s->has_begun = true;
  for (;;) {
    if (s->has_run) {
      int rc = take_run(r, diag);
      if (rc) return rc;
    }
    if (s->met.n_damages && r->n_insns) return 1;
    oct_reader_add_gaps(r, &s->met);
    oct_diag why = {0}; /* is also filled by damage behind which the player goes on */
    int got = oct_player_next(&s->player, &s->run, &s->gap, &why);
    if (got < 0) {
      r->has_all = oct_player_gave_all(&s->player);
      return oct_diag_pass(diag, &why, got);
    }
    if (!got) return tell_gaps(r, UINT64_MAX, diag);
    s->has_run = true;
    s->at = s->at_access = s->at_trap = s->at_fact = 0;
    if (!s->is_begun && s->run.batch.n_insns) begin_part(r);
  }
}

static void container_close(oct_reader *r) {
  container_file *s = r->state;
  if (s && s->is_open) oct_player_close(&s->player);
  if (s) free(s->waiting);
  if (s) free(s->entries);
  free(s);
}

static int container_probe(const uint8_t *p, size_t n, int is_text) {
  (void)is_text;
  return n >= OCT_CONTAINER_MAGIC_BYTES &&
         !memcmp(p, OCT_CONTAINER_MAGIC, sizeof OCT_CONTAINER_MAGIC - 1);
}

static const oct_reader_ops container_reader = {
    .open = container_open, .fill = container_fill, .close = container_close};
const oct_format_desc oct_octp_format = {.name = "octp",
                                         .text = "trace port file, written by octrace compress",
                                         .probe = container_probe,
                                         .reader = &container_reader,
                                         .addr_bits = 64,
                                         .carries_map = 1,
                                         .has_checks = 1,
                                         .has_syncs = 1,
                                         .takes_params = 1};
