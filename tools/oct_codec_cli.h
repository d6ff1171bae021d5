/* SPDX-License-Identifier: Apache-2.0 */
/* oct_codec_cli.h - the parts of compress, decompress, verify and info that deal with software
 * codecs. */
#ifndef OCT_CODEC_CLI_H
#define OCT_CODEC_CLI_H

#include <stdio.h>

#include "oct_cli.h"
#include "octrace/codec.h"
#include "octrace/error.h"
#include "octrace/container.h"

/* What of the input is compressed. */
typedef enum oct_input_form {
  OCT_INPUT_AUTO,     /* by content: a file of VPC3 records, or else a trace */
  OCT_INPUT_TRACE,    /* a trace, all of its events */
  OCT_INPUT_MEM,      /* a trace: (PC, address) of each access */
  OCT_INPUT_LOADS,    /* of each load */
  OCT_INPUT_STORES,   /* of each store */
  OCT_INPUT_VPC3,     /* a file of VPC3 records */
  OCT_INPUT_RECORDS,  /* a file of records as the codec takes them, bytes when it takes any */
  OCT_INPUT_ADDRESSES /* a file of 64-bit little-endian addresses */
} oct_input_form;

typedef struct oct_codec_args {
  const char *codec; /* NULL: none, the on-chip model is meant */
  oct_input_form input;
  unsigned n_threads;
  bool stats, apart;
} oct_codec_args;

enum {
  OCT_OPT_CODEC = 320,
  OCT_OPT_INPUT,
  OCT_OPT_STATS,
  OCT_OPT_APART,
  OCT_OPT_AGAINST,
  OCT_OPT_MAX_MEMORY
};
#define OCT_CODEC_OPTIONS                                                                        \
  {"codec", required_argument, NULL, OCT_OPT_CODEC},                                             \
      {"input", required_argument, NULL, OCT_OPT_INPUT}, {"jobs", required_argument, NULL, 'j'}, \
      {"apart", no_argument, NULL, OCT_OPT_APART}, {                                             \
    "stats", no_argument, NULL, OCT_OPT_STATS                                                    \
  }
#define OCT_CODEC_HELP                                                                         \
  "\nWith a software codec instead of the on-chip compressor:\n"                               \
  "      --codec C[:OPTION=VALUE,...]  compress with C into TRACE.octc (see octrace list "     \
  "codecs)\n"                                                                                  \
  "      --input I       auto, trace (all events), mem, loads, stores (records of a trace's\n" \
  "                      accesses), vpc3 (a file of such records), addresses (a file of\n"     \
  "                      64-bit little-endian ones), records (as the codec takes)\n"           \
  "  -j, --jobs N        workers besides the main thread, for second stages, or for whole\n"   \
  "                      segments of the codec shadow: 0..64 (default 1)\n"                    \
  "      --apart         write each stream to its own file: OUT.1, OUT.2 ...\n"                \
  "      --stats         print how often each predictor was used\n"

#define OCT_CODEC_BACK_THREADS_HELP                                                         \
  "  -j, --jobs N        workers besides the main thread, for the file of a codec: 0..64\n" \
  "                      (default 1)\n"
#define OCT_CODEC_MEMORY_HELP \
  "      --max-memory M  let a segment of a codec's file need M MiB of memory (default 1024)\n"

/* What a codec file may need; 0 = the usual. */
typedef struct oct_codec_limits {
  uint64_t map_max;          /* entries of its program map */
  uint64_t memory_max_bytes; /* of a segment that is decoded */
} oct_codec_limits;
/* Take the value of --max-memory: 0, or an exit code after printing why. */
int oct_codec_memory_arg(const char *cmd, const char *value, oct_codec_limits *limits);
/* Give the memory to a reader. */
void oct_codec_limit(oct_codec_reader *r, const oct_codec_limits *limits);

/* Take the value of --jobs: 0, or an exit code after printing why. */
int oct_codec_threads_arg(const char *cmd, const char *value, unsigned *n_threads);

void oct_codec_args_init(oct_codec_args *c);
/* Take an option of OCT_CODEC_OPTIONS: 0, an exit code after printing why, or -1 when it is none.
 */
int oct_codec_arg(oct_codec_args *c, const char *cmd, int code, const char *value);

/* Does the file at *path hold VPC3 records? They may be packed, but not in a pipe. *path as
 * oct_peek leaves it. */
bool oct_codec_is_vpc3(const char **path);

/* Refuse the text of a codec for what diag says, and name the codec that was meant. */
int oct_codec_refuse(const char *cmd, const char *text, const oct_diag *diag);

/* Print the codecs. */
void oct_codec_list(void);

/* The commands. out NULL: a name made from in. */
int oct_codec_compress(const char *in, const char *out, const oct_codec_args *c, oct_run_args *a);
/* Does the file at *path hold a codec's records instead of a trace? As oct_codec_open. */
int oct_codec_open_records(const char **path, FILE **f, oct_diag *diag);
int oct_codec_records(FILE *f, const char *cmd, const char *name, const char *out, const char *gaps,
                      const oct_codec_limits *limits, unsigned n_threads, bool lossy, bool salvage);
int oct_codec_verify(const char *path, const char *codec, unsigned n_threads,
                     const oct_run_args *a);
int oct_codec_info(FILE *f, const char *name, const oct_codec_limits *limits, bool json);

/* Open *path if it is a codec file: 1 and *f, at its beginning; 0 when it is something else, or
 * cannot be looked at; or OCT_ERR_IO. *path as oct_peek leaves it. */
int oct_codec_open(const char **path, FILE **f, oct_diag *diag);

/* The files NAME.1, NAME.2 ... of streams that stand apart. Those for writing appear under their
 * names when committed; closing what was not committed leaves nothing behind. */
typedef struct oct_codec_parts {
  unsigned n;
  oct_outfile **out;
  bool is_new[OCT_FILE_STREAMS_MAX]; /* there was no such file before */
  FILE **in;
} oct_codec_parts;
int oct_codec_parts_create(oct_codec_parts *p, const char *name, oct_codec_writer *w,
                           oct_diag *diag);
/* Commit them, and the file of name itself behind them: all, or, where one cannot be written, none.
 * Frees whole in every case. */
int oct_codec_parts_commit(oct_codec_parts *p, const char *name, oct_outfile *whole,
                           oct_diag *diag);
int oct_codec_parts_open(oct_codec_parts *p, const char *name, oct_codec_reader *r, oct_diag *diag);
void oct_codec_parts_close(oct_codec_parts *p);

/* Sinks and sources on files. */
oct_sink oct_codec_file_sink(oct_outfile *f);
oct_source_bytes oct_codec_file_source(FILE *f);

#endif
