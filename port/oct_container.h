/* SPDX-License-Identifier: Apache-2.0 */
/* oct_container.h - the file that keeps port bits, tracer, parameters and program map together
 * (docs/container-format.md): streaming, checksummed, readable from a pipe.
 *
 * Threads: A reader or writer is for one thread at a time, different ones may be used by different
 * threads, but standard input and output by one of them only. */
#ifndef OCT_CONTAINER_H
#define OCT_CONTAINER_H

#include "oct_map.h"
#include "oct_program.h"
#include "oct_tracer.h"

#ifdef __cplusplus
extern "C" {
#endif

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
  uint64_t reserved[3]; /* 0 */
} oct_container_info;

typedef struct oct_container_totals {
  uint64_t insns, accesses; /* of the trace given to the encoder */
  uint64_t lost_insns, lost_accesses;
  uint64_t port_bytes, map_bytes; /* port_bytes is filled by the writer, and map_bytes, */
  uint64_t map_changes;           /* and the updates of addresses that had one before;
                                     UINT64_MAX: the file does not tell */
  uint64_t reserved[3];           /* 0 */
} oct_container_totals;

typedef struct oct_container_writer oct_container_writer;
/* As oct_writer_open: temporary name, renamed by commit; "-" is standard output. OCT_ERR_CONFIG,
 * OCT_ERR_ARG (widths in info), OCT_ERR_LIMIT (its texts are too long), OCT_ERR_IO, OCT_ERR_NOMEM.
 */
int oct_container_create(const char *path, const oct_tracer *tracer, const uint32_t *params,
                         const oct_container_info *info, oct_container_writer **w, oct_diag *diag);
/* Let the map of w carry shadow operations, for tracers whose decoder needs them. Before the first
 * oct_container_put_map. */
void oct_container_keep_ops(oct_container_writer *w);
int oct_container_put_map(oct_container_writer *w, const oct_map_update *updates, size_t n,
                          oct_diag *diag);
int oct_container_put_bits(oct_container_writer *w, const uint8_t *bytes, size_t n, oct_diag *diag);
int oct_container_commit(oct_container_writer *w, const oct_container_totals *totals,
                         oct_diag *diag);
void oct_container_abort(oct_container_writer *w);

typedef struct oct_container_reader oct_container_reader;
typedef enum oct_chunk_kind { OCT_CHUNK_BITS, OCT_CHUNK_MAP, OCT_CHUNK_END } oct_chunk_kind;
typedef struct oct_chunk {
  oct_chunk_kind kind;
  const uint8_t *bytes; /* OCT_CHUNK_BITS */
  size_t n_bytes;
  const oct_map_update *updates; /* OCT_CHUNK_MAP */
  size_t n_updates;
  oct_container_totals totals; /* OCT_CHUNK_END */
  uint64_t reserved[4];        /* 0 */
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
/* After damage: reads the file through on its own. 1: nothing of the program map is missing that
 * later chunks may need: all map chunks are there, or those that are not had no entry but the only
 * one of its address. 0: something may be, so that what follows might be decoded with code that was
 * not there. Either way *totals of the end chunk, all 0 where that is not there, too.
 * OCT_ERR_NOMEM, OCT_ERR_IO. */
int oct_container_has_map(oct_container_reader *r, oct_container_totals *totals, oct_diag *diag);
uint64_t oct_container_bytes_read(const oct_container_reader *r);
uint64_t oct_container_bytes_total(const oct_container_reader *r);
void oct_container_close(oct_container_reader *r);

#ifdef __cplusplus
}
#endif
#endif
