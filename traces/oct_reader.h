/* SPDX-License-Identifier: Apache-2.0 */
/* oct_reader.h - reading traces of every known format, streaming, and writing some of them.
 * Formats: docs/trace-format.md, docs/formats/.
 *
 * Threads: A reader or writer is for one thread at a time, different ones may be used by different
 * threads, but standard input and output by one of them only. */
#ifndef OCT_READER_H
#define OCT_READER_H

#include "oct_error.h"
#include "oct_event.h"
#include "oct_program.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum oct_format {
  OCT_FORMAT_AUTO = 0, /* by content */
  OCT_FORMAT_NATIVE,
  OCT_FORMAT_TEXT,         /* `pc [da ...]` */
  OCT_FORMAT_BIN32,        /* little-endian 32-bit pairs (pc, da) */
  OCT_FORMAT_BIN64,        /* the same with 64 bits */
  OCT_FORMAT_SIMPLESCALAR, /* the listing of sim-safe -v */
  OCT_FORMAT_LACKEY,       /* Valgrind's lackey --trace-mem=yes */
  OCT_FORMAT_DIN,          /* DineroIV `label addr`; its extended form is read too */
  OCT_FORMAT_XDIN,         /* DineroIV `r|w|i addr size`; the classic form is read too */
  OCT_FORMAT_DINBIN,       /* DineroIV's 8-byte records */
  OCT_FORMAT_CHAMPSIM,     /* 64-byte records */
  OCT_FORMAT_CLOUDSUITE,   /* ChampSim's 96-byte records */
  OCT_FORMAT_SPIKE,        /* spike --log-commits */
  OCT_FORMAT_EXECLOG,      /* QEMU's execlog plugin */
  OCT_FORMAT_GEM5,         /* gem5 --debug-flags=Exec */
  OCT_FORMAT_DRMEMTRACE,   /* DynamoRIO's drmemtrace, a file or a folder of them */
  OCT_FORMAT_CVP,          /* CVP-1 championship traces */
  OCT_FORMAT_PINATRACE,    /* Pin's pinatrace.out */
  OCT_FORMAT_VPC3,         /* pairs of a 32-bit pc and 64-bit extended data */
  OCT_FORMAT_PC,           /* instruction addresses alone: text, */
  OCT_FORMAT_PC32,         /* raw 32-bit, */
  OCT_FORMAT_PC64,         /* raw 64-bit */
  OCT_FORMAT_DA,           /* data addresses alone, likewise */
  OCT_FORMAT_DA32,
  OCT_FORMAT_DA64,
  OCT_FORMAT_ETRACE,   /* RISC-V E-Trace: bytes of its packets */
  OCT_FORMAT_NTRACE,   /* RISC-V N-Trace: bytes of its messages */
  OCT_FORMAT_INTEL_PT, /* Intel PT: bytes of its packets */
  OCT_FORMAT_PERF,     /* perf.data of Linux with Intel PT */
  OCT_FORMAT_ETMV4,    /* Arm ETMv4: a snapshot folder */
  OCT_FORMAT_PAPER,    /* octrace's own tracers: bytes of their trace ports */
  OCT_FORMAT_SHADOW,
  OCT_FORMAT_COUNT
} oct_format;

/* What a trace says of itself. Strings are never NULL once a reader is open. */
typedef struct oct_trace_info {
  oct_format format;
  const char *isa;           /* "armv5te", "pisa", ... or "unknown" */
  const char *origin;        /* what made it */
  const char *command;       /* the traced command line */
  uint32_t addr_bits;        /* 32 or 64 */
  uint32_t insn_align_bytes; /* 1, 2, 4 or 8: every instruction address is a multiple of it */
  uint32_t
      default_insn_bytes; /* size given to instructions whose format does not say it; 0 = none */
  uint64_t n_insns;       /* 0 when not known beforehand (pipes, text) */
  uint64_t n_accesses;    /* likewise */
  uint64_t reserved[4];   /* 0 */
} oct_trace_info;

/* A file of the traced program: a library, or what else was loaded. */
typedef struct oct_program_file {
  const char *path;
  uint64_t bias; /* what was added to its addresses when it was loaded */
} oct_program_file;
enum { OCT_MORE_FILES_MAX = 31 };

typedef struct oct_read_options {
  oct_format format;
  uint32_t insn_bytes; /* size for formats that do not say it; 0 = what suits the format */
  const char *isa; /* instruction set of a trace that does not say it (oct_isa.h), or NULL; another
                      than the trace says is refused */
  const char *elf; /* the traced program, for sizes and the program map, or NULL */
  uint64_t elf_bias; /* what was added to the program's addresses when it was loaded */
  oct_program_file more[OCT_MORE_FILES_MAX]; /* its other files, */
  size_t n_more;                             /* so many */
  const char
      *params;      /* of the format, "NAME=VALUE,...": those of the tracer of that name, or NULL */
  uint64_t map_max; /* most entries of a program map, versions included; 0 = OCT_READ_MAP_MAX */
  uint64_t
      otherwise;    /* format of what is not recognised, or only by what its records may hold, as
                       raw addresses may; OCT_FORMAT_AUTO: it is refused, or taken for such records */
  uint64_t goes_on; /* 1: behind damage of the bytes of a trace port (paper, shadow) go on at the
                       next sync, and count it (oct_reader_take_damages); 0: it is an error */
  uint64_t reserved[2]; /* 0 */
} oct_read_options;

/* A few hundred bytes of a file can stand for a megabyte of map entries: their number is bounded.
 */
enum { OCT_READ_MAP_MAX = 1 << 22 };

typedef struct oct_reader oct_reader;

/* Open a trace by path, "-" for standard input. gzip, bzip2, xz and zstd are undone on the way.
 * options may be NULL. On success *reader is owned by the caller. Errors: OCT_ERR_IO,
 * OCT_ERR_FORMAT, OCT_ERR_TRUNCATED, OCT_ERR_CHECKSUM, OCT_ERR_UNSUPPORTED, OCT_ERR_NOMEM,
 * OCT_ERR_ARG (options that cannot be, a program for another machine than the trace's), with *diag
 * filled. Whether options->elf is the traced program shows as the trace is read: oct_reader_next
 * returns OCT_ERR_ARG where it is another one. */
int oct_reader_open(const char *path, const oct_read_options *options, oct_reader **reader,
                    oct_diag *diag);
const oct_trace_info *oct_reader_info(const oct_reader *reader);
/* The program of options->elf, NULL without. Owned by the reader. */
const oct_program *oct_reader_program(const oct_reader *reader);
/* With a program, what the batches so far have told of instructions, by which oct_program_is_used
 * and oct_program_find_bias go; NULL while there is nothing. Owned by the reader. */
const oct_map *oct_reader_met(const oct_reader *reader);

/* Of file number image of the program, how many instructions the batches so far have told
 * differently from the file (a program that changed its own code), of *n_told that lie in it, and
 * the first of them. 0 where the file was refused. */
uint64_t oct_reader_differing(const oct_reader *reader, size_t image, uint64_t *n_told,
                              uint64_t *first);

/* The next batch (at most 65536 instructions). Returns 1, 0 at the end, or an error; all that
 * stands before the damage has been delivered by then. The batch belongs to the reader until its
 * next call. */
int oct_reader_next(oct_reader *reader, oct_batch *batch, oct_diag *diag);
/* The batch that oct_reader_next will give, ahead of it; no skip may come in between. */
int oct_reader_peek(oct_reader *reader, oct_batch *batch, oct_diag *diag);

/* Skip the next n instructions; seeks by the index when file and format allow it. Map entries of
 * what was skipped come with the next batch. Skipping past the end is no error: the next call of
 * oct_reader_next returns 0. */
int oct_reader_skip(oct_reader *reader, uint64_t n_insns, oct_diag *diag);

/* How often so far the recorder of the trace lost instructions, and said so: an overflow of its
 * buffer, tracing that begins anew. The instructions before and behind such a gap follow each other
 * in the batches. */
uint64_t oct_reader_gaps(const oct_reader *reader);

/* What damage has cost, behind which the reader went on (goes_on). */
typedef struct oct_damages {
  uint64_t n;           /* places */
  uint64_t lost_insns;  /* instructions missing there, */
  uint64_t n_uncounted; /* at least: of so many places it is not known how many there are more */
  oct_diag first;       /* what the first is, where there is one */
  uint64_t reserved[2]; /* 0 */
} oct_damages;

/* The damage since the last call, or since the beginning: in front of the batch that
 * oct_reader_next gave last, and of those before it. */
void oct_reader_take_damages(oct_reader *reader, oct_damages *damages);

/* After an error, or damage behind which the reader went on, 1 where instructions that came before
 * it may be wrong: the trace is bytes of a trace unit, without checks, and not only cut off; or it
 * came through gzip, bzip2, xz or zstd, whose checks stand behind what they protect, and has none
 * of its own. */
int oct_reader_is_doubtful(const oct_reader *reader);

/* Once oct_reader_next has told the end of a text, 1 where its last line has no line end: it may be
 * cut off. */
int oct_reader_is_line_open(const oct_reader *reader);

/* Bytes of the underlying file read so far, ahead and again among them, and its size (0 = unknown).
 */
uint64_t oct_reader_bytes_read(const oct_reader *reader);
/* Bytes of the file that what was handed out came from, as nearly as can be told: for progress. */
uint64_t oct_reader_bytes_done(const oct_reader *reader);
uint64_t oct_reader_bytes_total(const oct_reader *reader);
void oct_reader_close(oct_reader *reader);

typedef struct oct_write_options {
  oct_format format;          /* OCT_FORMAT_AUTO = native */
  int level;                  /* zstd level 1..22, 0 = default (3); native only */
  uint32_t block_insns;       /* instructions a block, 0 = 65536; at most 65536 */
  const oct_trace_info *info; /* strings are copied */
  const char *params;         /* as of oct_read_options; for oct_writer_open alone */
  uint64_t reserved[4];       /* 0 */
} oct_write_options;

typedef struct oct_writer oct_writer;

/* Create a trace file. It is written under a temporary name beside path and renamed by
 * oct_writer_commit, so that nothing half-written stays behind; "-" writes straight out. */
int oct_writer_open(const char *path, const oct_write_options *options, oct_writer **writer,
                    oct_diag *diag);
/* OCT_ERR_ARG, nothing of the batch written: a cycle stamp goes back although no other task ran in
 * between; a trap is none (oct_trap), or wider than the addresses. */
int oct_writer_put(oct_writer *writer, const oct_batch *batch, oct_diag *diag);
/* Finish and rename; frees the writer in every case. */
int oct_writer_commit(oct_writer *writer, oct_diag *diag);
/* Throw away what was written; frees the writer. Where that cannot be, to standard output, all that
 * was put is written, without the end by which a native trace says that it is whole. */
void oct_writer_abort(oct_writer *writer);

/* Names of formats for the command line ("native", "text", "lackey", ...). */
const char *oct_format_name(oct_format format);
/* Whether traces of that format can be written. */
int oct_format_can_write(oct_format format);
/* What no trace of that format has, in a few words ("data addresses"); "" where nothing is known to
 * be missing. Never NULL. */
const char *oct_format_lacks(oct_format format);
/* The format of that name, or OCT_ERR_ARG. */
int oct_format_by_name(const char *name);

#ifdef __cplusplus
}
#endif
#endif
