/* SPDX-License-Identifier: Apache-2.0 */
/* octrace/container.h - compressed traces as files, and what is done with them: write, read,
 * decode, compare. */
#ifndef OCTRACE_CONTAINER_H
#define OCTRACE_CONTAINER_H

#include "tracer.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The file that keeps port bits, tracer, parameters and program map together (docs/container-
 * format.md): streaming, checksummed, readable from a pipe.
 *
 * Threads: A reader or writer is for one thread at a time, different ones may be used by different
 * threads, but standard input and output by one of them only. */

/* What every container begins with, before a digit: the version of its format. */
#define OCT_CONTAINER_MAGIC "OCTPORT"
#define OCT_CONTAINER_MAGIC_BYTES 8
/* The version that is written; this and all before it are read. */
#define OCT_CONTAINER_VERSION 3

/* What the compressed file says of the trace, and totals written at its end. */
typedef struct oct_container_info {
  const char *isa, *origin, *command; /* never NULL when read */
  uint32_t insn_align_bytes;          /* of the trace: 1, 2, 4, 8, or 0 = unknown */
  uint32_t addr_bits;                 /* of the trace: 32, 64, or 0 = unknown */
  /* For the writer: a program that stands apart. The file then has the addresses of its
   * instructions alone, and the hash of its code. Nobody else may use it until the writer is
   * closed. NULL: the file has all. For the reader NULL. */
  oct_program *program;
  /* Files of code. The writer keeps as many as its head has room for. */
  const oct_module *modules;
  size_t n_modules;
} oct_container_info;

typedef struct oct_container_totals {
  uint64_t insns, accesses; /* of the trace given to the encoder */
  uint64_t lost_insns, lost_accesses;
  uint64_t port_bytes, map_bytes; /* port_bytes is filled by the writer, and map_bytes, */
  uint64_t map_changes;           /* and the updates of addresses that had one before;
                                     UINT64_MAX: the file does not tell */
} oct_container_totals;

typedef struct oct_container_writer oct_container_writer;
/* As oct_writer_open: temporary name, renamed by commit; "-" is standard output. OCT_ERR_CONFIG,
 * OCT_ERR_ARG (widths in info), OCT_ERR_LIMIT (its texts are too long), OCT_ERR_IO, OCT_ERR_NOMEM.
 */
int oct_container_create(const char *path, const oct_tracer *tracer, const uint32_t *params,
                         const oct_container_info *info, oct_container_writer **w, oct_diag *diag);
/* Let the map of w carry effects, for tracers whose decoder needs them. Before the first
 * oct_container_put_map. */
void oct_container_keep_ops(oct_container_writer *w);
int oct_container_put_map(oct_container_writer *w, const oct_map_update *updates, size_t n,
                          oct_diag *diag);
/* A gap of the trace that is encoded. */
typedef struct oct_told_gap {
  uint64_t insn;                      /* number of the instruction behind it */
  uint64_t addr;                      /* as of an oct_fact */
  uint64_t lost_insns, lost_accesses; /* UINT64_MAX: not known */
  oct_gap_cause cause;
} oct_told_gap;
/* In order, and before the bits of the instruction behind it. */
int oct_container_put_gap(oct_container_writer *w, const oct_told_gap *gap, oct_diag *diag);
int oct_container_put_bits(oct_container_writer *w, const uint8_t *bytes, size_t n, oct_diag *diag);
int oct_container_commit(oct_container_writer *w, const oct_container_totals *totals,
                         oct_diag *diag);
void oct_container_abort(oct_container_writer *w);

typedef struct oct_container_reader oct_container_reader;
typedef enum oct_chunk_kind {
  OCT_CHUNK_BITS,
  OCT_CHUNK_MAP,
  OCT_CHUNK_END,
  OCT_CHUNK_GAPS
} oct_chunk_kind;
typedef struct oct_chunk {
  oct_chunk_kind kind;
  const uint8_t *bytes; /* OCT_CHUNK_BITS */
  size_t n_bytes;
  const oct_map_update *updates; /* OCT_CHUNK_MAP */
  size_t n_updates;
  const oct_told_gap *gaps; /* OCT_CHUNK_GAPS */
  size_t n_gaps;
  oct_container_totals totals; /* OCT_CHUNK_END */
} oct_chunk;

/* A parameter that the file lacks has its value `absent` (oct_param.h). OCT_ERR_IO, OCT_ERR_FORMAT,
 * OCT_ERR_TRUNCATED, OCT_ERR_CHECKSUM, OCT_ERR_NOMEM; OCT_ERR_CONFIG: a parameter that the tracer
 * does not know and that matters, or an illegal value; OCT_ERR_UNSUPPORTED: a tracer, or a version
 * of it, that this library does not know. */
int oct_container_open(const char *path, oct_container_reader **r, oct_diag *diag);
/* A few hundred bytes of a file can stand for a megabyte of map updates: their number is bounded,
 * by max_updates (0: OCT_CONTAINER_UPDATES_MAX). oct_container_next then ends in OCT_ERR_LIMIT. To
 * be called before it. */
enum { OCT_CONTAINER_UPDATES_MAX = 1 << 22 };
void oct_container_limit_map(oct_container_reader *r, uint64_t max_updates);
/* The files of the program that stands apart, n of them (0: the file has the whole program map). */
const oct_program_image *oct_container_images(const oct_container_reader *r, size_t *n);
/* The program of a container whose program stands apart; nobody else may use it until r is closed.
 * To be called before oct_container_next; without it, map chunks come without their updates.
 * OCT_ERR_ARG: program, which may be NULL, is not the one that the container was made with, with
 * what is wrong. */
int oct_container_give_program(oct_container_reader *r, oct_program *program, oct_diag *diag);
/* Who made it, and with which parameters, in the order of its table. Owned by r. */
const oct_tracer *oct_container_tracer(const oct_container_reader *r);
const uint32_t *oct_container_params(const oct_container_reader *r);
const oct_container_info *oct_container_get_info(const oct_container_reader *r);
/* 1 and a chunk, valid until the next call; 0 after the end chunk; an error with the offset. */
int oct_container_next(oct_container_reader *r, oct_chunk *chunk, oct_diag *diag);
/* After an error of oct_container_next (a chunk that is damaged): go to the next whole chunk, if
 * there is one. 1: found, oct_container_next gives it, and the end chunk's own totals are not
 * looked at any more; 0: there is none; OCT_ERR_UNSUPPORTED: the file cannot be read twice (a
 * pipe), OCT_ERR_IO, OCT_ERR_NOMEM; OCT_ERR_LIMIT: that was the error, and it stays. */
int oct_container_skip_damage(oct_container_reader *r, oct_diag *diag);
/* After damage: reads the file through on its own. 1: later chunks have all of the program map
 * that they may need. All map chunks are present, or each missing one had only the single entry of
 * its address. 0: entries may be missing, and later chunks might be decoded with wrong code. Either
 * way *totals has those of the end chunk, all 0 where that is missing.
 * OCT_ERR_NOMEM, OCT_ERR_IO. */
int oct_container_has_map(oct_container_reader *r, oct_container_totals *totals, oct_diag *diag);
uint64_t oct_container_bytes_read(const oct_container_reader *r);
uint64_t oct_container_bytes_total(const oct_container_reader *r);
void oct_container_close(oct_container_reader *r);

/* A tracer's decoder behind which nothing wrong gets out: runs are held back until a check of the
 * port confirms them, damage costs no more than it must, and every gap is told.
 *
 * It serves every tracer. One without checks confirms all at once; one without syncs ends at its
 * first error.
 *
 * Threads: A replay is for one thread at a time, different ones may be used by different threads.
 */

typedef struct oct_replay oct_replay;

typedef struct oct_replay_options {
  bool is_unconfirmed;   /* hand out everything at once, wrong instructions among it */
  bool ends_at_damage;   /* the first damage is an error, as in a decoder, not a gap */
  size_t hold_max_bytes; /* most that may wait for a check, 0 = 1 GiB */
} oct_replay_options;

/* Totals of what was handed out, and of what is missing. */
typedef struct oct_replay_counts {
  uint64_t insns, accesses;
  oct_gaps gaps;
  uint64_t held_bytes_max;
} oct_replay_counts;

/* OCT_ERR_CONFIG, OCT_ERR_NOMEM. options may be NULL. The caller frees *r. */
int oct_replay_new(const oct_tracer *t, const uint32_t *params, oct_decoder_start start,
                   const oct_replay_options *options, oct_replay **r, oct_diag *diag);
void oct_replay_free(oct_replay *r);

/* Before the first push: what is known of the trace. From here on these count as damage: an
 * address of more than addr_bits (32 or 64), an instruction that is not aligned to insn_align_bytes
 * (0: not known), a trap that makes no sense, and cycle stamps of a task that go back.
 * oct_player_open does this. */
void oct_replay_expect(oct_replay *r, unsigned addr_bits, unsigned insn_align_bytes);

/* As the decoder's of the tracer. */
int oct_replay_map(oct_replay *r, const oct_map_update *updates, size_t n, oct_diag *diag);
int oct_replay_push(oct_replay *r, const uint8_t *bytes, size_t n, oct_diag *diag);
void oct_replay_finish(oct_replay *r);

/* Bytes are missing here, as why tells, which has an error: what was not confirmed is dropped, and
 * what is pushed from now on is searched for a sync. updates are all changes of the program map
 * told so far. */
int oct_replay_break(oct_replay *r, const oct_diag *why, const oct_map_update *updates, size_t n,
                     oct_diag *diag);

/* The next run, and the gap after it. 1: *run, which may be empty, and *gap. Without a gap, its
 * error and lost counts are all 0; with one, run->is_gap is set. 0: more bytes are needed, or after
 * oct_replay_finish the end. Errors: of memory and limits (OCT_ERR_LIMIT: more than hold_max_bytes
 * wait for a check), and with ends_at_damage, or for a tracer that cannot resume, of the stream.
 * Then what was confirmed has been handed out, and the error is only repeated. */
int oct_replay_next(oct_replay *r, oct_decoded *run, oct_gap *gap, oct_diag *diag);

void oct_replay_get_counts(const oct_replay *r, oct_replay_counts *counts);
/* Of the decoder: what was read, right or wrong. */
void oct_replay_decoder_counts(const oct_replay *r, oct_decoder_counts *counts);

/* A container opened together with what decodes its port bits (oct_replay.h).
 *
 * Threads: A player is for one thread at a time, different ones may be used by different threads.
 */

typedef struct oct_player {
  oct_container_reader *reader;
  const oct_tracer *tracer;
  oct_replay *replay;
  uint64_t n_insns;    /* handed out so far */
  uint64_t tail_insns; /* missing at the end, after damage */
  bool at_end;         /* the end chunk was seen: totals holds */
  bool is_part;        /* begins at a later sync: the totals are of more */
  oct_container_totals totals;
  /* Salvage: */
  bool salvage;          /* go on behind damaged chunks; may be set before the first next */
  bool has_totals;       /* totals were read */
  unsigned n_damaged;    /* places in the container */
  oct_diag first_damage; /* where the first was, and what */
  /* Gaps of the trace that was encoded, as far as they are read; whoever takes them clears n_gaps.
   */
  oct_told_gap *gaps;
  size_t n_gaps;
  struct oct_player_state *state;
} oct_player;

/* Open the container at path, to decode from its sync number from_sync on (0: the first). A file of
 * more map updates than max_updates (0: OCT_CONTAINER_UPDATES_MAX) ends in OCT_ERR_LIMIT. program
 * (may be NULL) is for a container whose program stands apart, as oct_container_give_program. 0, or
 * an error with *diag; nothing is left open then. */
int oct_player_open(oct_player *p, const char *path, uint64_t from_sync, uint64_t max_updates,
                    oct_program *program, const oct_replay_options *options, oct_diag *diag);
/* Before the first next: where n_insns instructions need not be handed out, leave out *n_passed of
 * them, up to a sync. They are 0 with salvage, in a pipe, where the port lost instructions, and for
 * tracers whose syncs have no number or no check. 0, or the error of a chunk that is damaged. */
int oct_player_seek(oct_player *p, uint64_t n_insns, uint64_t *n_passed, oct_diag *diag);
/* 1, a decoded run and the gap behind it (oct_replay_next), 0 at the end, or an error. A gap up to
 * the end has its length where the container tells how many instructions there were. OCT_ERR_FORMAT
 * also when the end tells of other numbers of instructions, accesses or map changes than came. With
 * p->salvage a damaged chunk is no error, but a gap up to the next sync. */
int oct_player_next(oct_player *p, oct_decoded *run, oct_gap *gap, oct_diag *diag);
/* Whether all that the file holds was handed out. An error of oct_player_next then is that the end
 * tells of other numbers. */
bool oct_player_gave_all(const oct_player *p);
/* Bytes of the file that have been decoded, as nearly as can be told: for progress. */
uint64_t oct_player_bytes_done(const oct_player *p);
/* Of the decoder. */
void oct_player_counts(const oct_player *p, oct_decoder_counts *counts);
void oct_player_close(oct_player *p);

/* Holds a decoded trace against the one that was expected, event by event, in memory bounded by
 * how far the two are apart.
 *
 * Threads: An oct_compare is for one thread at a time, different ones may be used by different
 * threads. */

typedef struct oct_compare oct_compare;

/* NULL when out of memory. The caller frees it. first is the number of the first instruction that
 * will be expected: decoded ones before it are passed over. */
oct_compare *oct_compare_new(uint64_t first);
void oct_compare_free(oct_compare *c);
/* The registers of that instruction set come back: before the place where the trace tells all
 * general ones of a task, or there, the decoded trace has to have told them. Without a call what it
 * does not tell is passed over. */
void oct_compare_registers(oct_compare *c, oct_isa isa);
/* Pass over data accesses, which the tracer does not carry. */
void oct_compare_without_accesses(oct_compare *c);

/* Events to expect, after those expected before. Copied. OCT_ERR_NOMEM. */
/* The values of the accesses that the next oct_compare_expect tells, and n of their bytes: those
 * that have one are compared. values may be NULL: none has. 0 or OCT_ERR_NOMEM. */
int oct_compare_expect_values(oct_compare *c, const uint8_t *values, size_t n);
/* Registers that the trace tells among the instructions that oct_compare_expect is given next,
 * counted from the first of them; call it before. Copied. The last word that is decoded for one at
 * its place has to be the one expected there. Other facts are passed over. OCT_ERR_NOMEM. */
int oct_compare_expect_facts(oct_compare *c, const oct_fact *facts, size_t n_facts,
                             const uint8_t *values);
int oct_compare_expect(oct_compare *c, const oct_insn *insns, size_t n_insns,
                       const oct_access *accesses);
/* Traps among the instructions that oct_compare_expect is given next, counted from the first of
 * them; call it before. Copied. Without a call decoded traps are passed over. OCT_ERR_NOMEM. */
int oct_compare_expect_traps(oct_compare *c, const oct_trap *traps, size_t n_traps);
/* What of them is compared, OCT_TRAPS_* of oct_tracer.h; all unless it is set. */
void oct_compare_trap_parts(oct_compare *c, uint32_t parts);
/* Instructions expected and not yet compared. */
size_t oct_compare_pending(const oct_compare *c);

/* Compare a decoded run, and pass over what its gap says is missing: a trap on either edge of the
 * gap may have come or not. The privilege behind the gap has to be that of the trace, or unknown.
 * At least as many instructions as the run holds must be pending, one more if it has traps, unless
 * the expected trace is over.
 * OCT_ERR_MISMATCH with the first difference in *diag. */
int oct_compare_run(oct_compare *c, const oct_decoded *run, oct_diag *diag);
/* The decoded trace is over: is the expected one? OCT_ERR_MISMATCH. */
int oct_compare_end(oct_compare *c, oct_diag *diag);

/* Instructions found equal. */
uint64_t oct_compare_equal(const oct_compare *c);
/* Of the part that was compared: instructions and accesses found equal, gaps and what they lost. */
void oct_compare_counts(const oct_compare *c, oct_decoder_counts *counts);
/* Expected traps that were passed over, as they are in a gap or on its edge. */
uint64_t oct_compare_lost_traps(const oct_compare *c);

#ifdef __cplusplus
}
#endif
#endif
